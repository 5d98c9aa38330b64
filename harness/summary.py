"""What happened, per bot and seat: a streaming summary of any number of matches in constant memory.

Everything is kept as whole numbers, so the result does not depend on how the rows are cut into batches,
and two summaries of parts add up to the summary of the whole.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import NDArray

from harness.errors import PresiError

if TYPE_CHECKING:
    import pandas as pd

Counts = NDArray[np.int64]
Floats = NDArray[np.float64]

# Hands per step: keys of one step stay in the processor's cache, which is worth a factor of two.
_STEP = 32_768


class Played(Protocol):
    """The arrays of a batch that a summary reads (m matches, h hands, n seats); see `harness.store.Batch`."""

    @property
    def hands(self) -> NDArray[Any]:
        """Hands of each match, ``[m]``."""

    @property
    def winner(self) -> NDArray[Any]:
        """Seat that won each match, ``[m]``."""

    @property
    def totals(self) -> NDArray[Any]:
        """Points at the end of each match, ``[m, n]``."""

    @property
    def standings(self) -> NDArray[Any]:
        """Standing in each match, 1 = first, ``[m, n]``."""

    @property
    def bots(self) -> NDArray[Any]:
        """Index of the bot in each seat, ``[m, n]``."""

    @property
    def faults(self) -> NDArray[Any]:
        """Faults in each match by seat, ``[m, n]``."""

    @property
    def hand_row(self) -> NDArray[Any]:
        """Row of each hand's match in this batch, ``[h]``."""

    @property
    def leader(self) -> NDArray[Any]:
        """Seat that led each hand, ``[h]``."""

    @property
    def turns(self) -> NDArray[Any]:
        """Turns of each hand, ``[h]``."""

    @property
    def puestos(self) -> NDArray[Any]:
        """Place in each hand, 1 = first out, ``[h, n]``."""

    @property
    def points(self) -> NDArray[Any]:
        """Points for each hand, ``[h, n]``."""


class Summary:
    """Sums over matches and hands, per bot and seat.

    A bot that sits in two seats of a match counts in both: "matches" are seats played.

    Parameters
    ----------
    bots : sequence of str
        Labels; a batch names bots by their index here.
    players : int
        Seats at the table, n.

    Attributes
    ----------
    standings : ndarray of int64, shape (bots, n, n)
        Matches by bot, seat and standing (index 0 = first).
    wins : ndarray of int64, shape (bots, n)
        Matches won by bot and seat.
    hands : ndarray of int64, shape (bots, n)
        Hands played by bot and seat.
    puestos : ndarray of int64, shape (bots, n, n)
        Hands by bot, seat and place (index 0 = first out).
    points : ndarray of int64, shape (bots, n)
        Sum of points by bot and seat.
    led : ndarray of int64, shape (bots, n, n)
        The part of `puestos` from hands this bot led.
    led_points : ndarray of int64, shape (bots, n)
        Sum of points in hands this bot led.
    turns : ndarray of int64
        Hands by their number of turns (index = turns), as long as needed.
    match_hands : ndarray of int64
        Matches by their number of hands (index = hands), as long as needed.
    bot_faults : ndarray of int64, shape (bots,)
        Faults of each bot.

    Raises
    ------
    PresiError
        When there are no bots or fewer than two seats.

    Examples
    --------
    >>> from types import SimpleNamespace as Rows
    >>> import numpy as np
    >>> summary = Summary(["keep", "chain"], players=3)
    >>> summary.add(Rows(hands=np.array([1]), winner=np.array([2]), totals=np.array([[0, 1, 2]]),
    ...                  standings=np.array([[3, 2, 1]]), bots=np.array([[0, 0, 1]]), faults=np.zeros((1, 3)),
    ...                  hand_row=np.array([0]), leader=np.array([0]), turns=np.array([21]),
    ...                  puestos=np.array([[3, 2, 1]]), points=np.array([[0, 1, 2]])))
    >>> summary.table().query("seat == 'all'")[["bot", "matches", "wins", "mean_puesto"]].values.tolist()
    [['keep', 2, 0, 2.5], ['chain', 1, 1, 1.0]]
    """

    def __init__(self, bots: Sequence[str], players: int) -> None:
        if not bots:
            raise PresiError("a summary needs at least one bot")
        if players < 2:
            raise PresiError(f"players = {players}: a summary needs at least 2 seats")
        self.bots = list(bots)
        self.players = players
        seats = (len(self.bots), players)
        places = (*seats, players)
        self.standings: Counts = np.zeros(places, np.int64)
        self.wins: Counts = np.zeros(seats, np.int64)
        self.hands: Counts = np.zeros(seats, np.int64)
        self.puestos: Counts = np.zeros(places, np.int64)
        self.points: Counts = np.zeros(seats, np.int64)
        self.led: Counts = np.zeros(places, np.int64)
        self.led_points: Counts = np.zeros(seats, np.int64)
        self.turns: Counts = np.zeros(1, np.int64)
        self.match_hands: Counts = np.zeros(1, np.int64)
        self.bot_faults = np.zeros(len(self.bots), np.int64)

    # Totals that follow from the above --------------------------------------------------------------

    @property
    def matches(self) -> Counts:
        """Matches by bot and seat, shape (bots, n)."""
        return np.asarray(self.standings.sum(axis=2), np.int64)

    @property
    def match_count(self) -> int:
        """Matches in all, each counted once."""
        return int(self.match_hands.sum())

    @property
    def hand_count(self) -> int:
        """Hands in all, each counted once."""
        return int(self.turns.sum())

    @property
    def turn_count(self) -> int:
        """Turns in all."""
        return int(self.turns @ np.arange(len(self.turns)))

    # Filling ----------------------------------------------------------------------------------------

    def add(self, batch: Played) -> None:
        """Add the matches of a batch and their hands.

        Parameters
        ----------
        batch : Played
            Usually a `harness.store.Batch`. Hands may come in any order; each must belong to a match of
            this batch.

        Raises
        ------
        PresiError
            When the batch has another number of seats or a bot index out of range.
        """
        n = self.players
        if batch.bots.shape[1:] != (n,):
            raise PresiError(f"a batch of shape {batch.bots.shape} does not fit a summary of {n} players")
        if not len(batch.bots):
            return
        if int(batch.bots.min()) < 0 or int(batch.bots.max()) >= len(self.bots):
            raise PresiError(f"bot index {int(batch.bots.max())}: a summary of {len(self.bots)} bots")
        # Cell of (bot, seat) among all of them; intp, or bincount makes one more copy of every key.
        cell = batch.bots * np.intp(n) + np.arange(n, dtype=np.intp)
        self._add_matches(batch, cell)
        self._add_hands(batch, cell)

    def _add_matches(self, batch: Played, cell: NDArray[np.intp]) -> None:
        n, cells = self.players, self.wins.size
        self.standings += np.bincount(
            (cell * n + (batch.standings - 1)).ravel(), minlength=cells * n
        ).reshape(self.standings.shape)
        won = np.take_along_axis(cell, batch.winner.astype(np.intp)[:, None], axis=1).ravel()
        self.wins += np.bincount(won, minlength=cells).reshape(self.wins.shape)
        self.hands += _sums(cell, np.repeat(batch.hands, n), self.hands.shape)
        self.points += _sums(cell, batch.totals, self.points.shape)
        self.match_hands = _longer(self.match_hands, np.bincount(batch.hands))
        if batch.faults.any():
            self.bot_faults += np.bincount(
                batch.bots.ravel(), weights=batch.faults.ravel(), minlength=len(self.bots)
            ).astype(np.int64)

    def _add_hands(self, batch: Played, cell: NDArray[np.intp]) -> None:
        n, shape, size = self.players, self.puestos.shape, self.puestos.size
        # Place p of a cell gets key first + p, so that one addition makes all keys of a hand.
        first = cell * n - 1
        row_start = np.arange(0, _STEP * n, n, dtype=np.intp)
        keys = np.empty((min(_STEP, len(batch.hand_row)), n), np.intp)
        puestos, led = np.zeros(size, np.int64), np.zeros(size, np.int64)
        for start in range(0, len(batch.hand_row), _STEP):
            part = slice(start, start + _STEP)
            rows = batch.hand_row[part]
            key = keys[: len(rows)]
            # "clip" spares numpy a second copy; rows out of range would be a fault of the store's own.
            np.take(first, rows, axis=0, out=key, mode="clip")
            key += batch.puestos[part]
            flat = key.ravel()
            puestos += np.bincount(flat, minlength=size)
            led += np.bincount(flat[row_start[: len(rows)] + batch.leader[part]], minlength=size)
        self.puestos += puestos.reshape(shape)
        self.led += led.reshape(shape)
        self.turns = _longer(self.turns, np.bincount(batch.turns))
        if len(batch.hand_row):
            self.led_points += led.reshape(shape) @ _points_by_place(batch.puestos[0], batch.points[0])

    def merge(self, other: Summary) -> None:
        """Add another summary of the same bots in the same order.

        Parameters
        ----------
        other : Summary
            Left as it is.

        Raises
        ------
        PresiError
            When the bots or the number of players differ.
        """
        if other.bots != self.bots or other.players != self.players:
            raise PresiError("only summaries of the same bots and number of players can be added up")
        self.standings += other.standings
        self.wins += other.wins
        self.hands += other.hands
        self.puestos += other.puestos
        self.points += other.points
        self.led += other.led
        self.led_points += other.led_points
        self.turns = _longer(self.turns, other.turns)
        self.match_hands = _longer(self.match_hands, other.match_hands)
        self.bot_faults += other.bot_faults

    # Reading ----------------------------------------------------------------------------------------

    def per_bot(self) -> dict[str, Floats]:
        """Means per bot over all seats, in the order of `bots`.

        Returns
        -------
        dict of str to ndarray of float64, shape (bots,)
            ``mean_puesto`` (1 … n), ``points_per_hand`` and ``win_rate`` (0 … 1); NaN for a bot that did
            not play.
        """
        hands = self.hands.sum(axis=1)
        return {
            "mean_puesto": _mean_place(self.puestos.sum(axis=1)),
            "points_per_hand": _ratio(self.points.sum(axis=1), hands),
            "win_rate": _ratio(self.wins.sum(axis=1), self.matches.sum(axis=1)),
        }

    def table(self) -> pd.DataFrame:
        """Build what is written as ``summary.csv``.

        Returns
        -------
        pandas.DataFrame
            Per bot one row with seat ``"all"``, then one per seat (``"0"`` … as text). Columns: ``bot``,
            ``seat``, ``matches`` (seats played), ``wins``, ``win_rate``, ``mean_standing``, ``hands``,
            ``mean_puesto``, ``points_per_hand``, ``lead_share`` (share of its hands it led),
            ``points_per_hand_led`` (points in those), ``puesto_1`` … ``puesto_n`` (shares of its hands).
            Shares are 0 … 1; a mean over nothing is NaN.
        """
        import pandas as pd

        n = self.players

        def rows(counts: Counts) -> Counts:
            """Put the sum over seats before the seats: shape (bots * (n + 1), …)."""
            both = np.concatenate([counts.sum(axis=1, keepdims=True), counts], axis=1)
            return both.reshape(-1, *counts.shape[2:])

        matches, hands, led = rows(self.matches), rows(self.hands), rows(self.led).sum(axis=1)
        puestos = rows(self.puestos)
        frame = pd.DataFrame(
            {
                "bot": np.repeat(np.array(self.bots, object), n + 1),
                "seat": np.array(["all", *map(str, range(n))] * len(self.bots), object),
                "matches": matches,
                "wins": rows(self.wins),
                "win_rate": _ratio(rows(self.wins), matches),
                "mean_standing": _mean_place(rows(self.standings)),
                "hands": hands,
                "mean_puesto": _mean_place(puestos),
                "points_per_hand": _ratio(rows(self.points), hands),
                "lead_share": _ratio(led, hands),
                "points_per_hand_led": _ratio(rows(self.led_points), led),
            }
        )
        for place in range(n):
            frame[f"puesto_{place + 1}"] = _ratio(puestos[:, place], hands)
        return frame


def _sums(cell: NDArray[np.intp], values: NDArray[Any], shape: tuple[int, ...]) -> Counts:
    """Sum values per cell; bincount adds in float64, which is exact for whole numbers below 2**53."""
    sums = np.bincount(cell.ravel(), weights=values.ravel(), minlength=int(np.prod(shape)))
    return np.rint(sums).astype(np.int64).reshape(shape)


def _longer(a: Counts, b: NDArray[Any]) -> Counts:
    """Add two histograms of different lengths."""
    total = np.zeros(max(len(a), len(b)), np.int64)
    total[: len(a)] += a
    total[: len(b)] += b
    return total


def _points_by_place(puestos: NDArray[Any], points: NDArray[Any]) -> Counts:
    """Read the table's points by place off one hand (a table fixes them, so any hand shows them all)."""
    by_place = np.zeros(len(puestos), np.int64)
    by_place[puestos.astype(np.intp) - 1] = points
    return by_place


def _ratio(part: NDArray[Any], whole: NDArray[Any]) -> Floats:
    """Divide, NaN where there is nothing to divide by."""
    result = np.full(np.shape(part), np.nan)
    np.divide(part, whole, out=result, where=np.asarray(whole) > 0)
    return result


def _mean_place(counts: Counts) -> Floats:
    """Mean place (1 = first) from counts whose last axis is the place."""
    return _ratio(counts @ np.arange(1, counts.shape[-1] + 1), counts.sum(axis=-1))
