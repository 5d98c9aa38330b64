"""What happened, per bot, seat, role and number of cards: a streaming summary in constant memory.

A role is the place of the hand before: it decides the exchange and who leads, and hand 1 of a match has none.

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
    def hand(self) -> NDArray[Any]:
        """Number of each hand in its match, from 1, ``[h]``."""

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
    """Sums over matches and hands, per bot and seat, role and number of cards dealt.

    A bot that sits in two seats of a match counts in both: "matches" are seats played.

    Parameters
    ----------
    bots : sequence of str
        Labels; a batch names bots by their index here.
    players : int
        Seats at the table, n.
    deck_size : int, optional
        Cards of the deck, all dealt one by one, from the next seat on each hand. Not given where hands are
        dealt in another way: then nothing is told by the number of cards.

    Attributes
    ----------
    cards : list of int
        Numbers of cards a seat may be dealt, fewest first: one if the deck divides evenly, else two; none
        without a `deck_size`.
    standings : ndarray of int64, shape (bots, n, n)
        Matches by bot, seat and standing (index 0 = first).
    wins : ndarray of int64, shape (bots, n)
        Matches won by bot and seat.
    hand_counts : ndarray of int64, shape (bots, n, max(1, len(cards)), n + 1, n)
        Hands by bot, seat, number of cards dealt (index in `cards`), role (0 = none, in hand 1 of a match,
        else the place of the hand before) and place (index 0 = first out).
    led_counts : ndarray of int64
        The part of `hand_counts` from hands this bot led.
    place_points : ndarray of int64, shape (n,)
        Points of each place (index 0 = first out), as the hands showed them; zeros before there are any.
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
    >>> summary.add(Rows(hands=np.array([2]), winner=np.array([2]), standings=np.array([[3, 2, 1]]),
    ...                  bots=np.array([[0, 0, 1]]), faults=np.zeros((1, 3)), hand_row=np.array([0, 0]),
    ...                  hand=np.array([1, 2]), leader=np.array([0, 0]), turns=np.array([21, 18]),
    ...                  puestos=np.array([[3, 2, 1], [2, 3, 1]]), points=np.array([[0, 1, 2], [1, 0, 2]])))
    >>> summary.table().query("by == 'all'")[["bot", "matches", "wins", "mean_puesto"]].values.tolist()
    [['keep', 2, 0, 2.5], ['chain', 1, 1, 1.0]]
    >>> summary.transition_matrix("keep")[1:].tolist()
    [[0.0, 0.0, 1.0], [0.0, 1.0, 0.0]]
    """

    def __init__(self, bots: Sequence[str], players: int, deck_size: int | None = None) -> None:
        if not bots:
            raise PresiError("a summary needs at least one bot")
        if players < 2:
            raise PresiError(f"players = {players}: a summary needs at least 2 seats")
        self.bots = list(bots)
        self.players = players
        self.cards = _numbers_dealt(deck_size, players)
        self._spare_cards = deck_size % players if deck_size else 0
        seats = (len(self.bots), players)
        hands = (*seats, max(1, len(self.cards)), players + 1, players)
        self.standings: Counts = np.zeros((*seats, players), np.int64)
        self.wins: Counts = np.zeros(seats, np.int64)
        self.hand_counts: Counts = np.zeros(hands, np.int64)
        self.led_counts: Counts = np.zeros(hands, np.int64)
        self.place_points: Counts = np.zeros(players, np.int64)
        self.turns: Counts = np.zeros(1, np.int64)
        self.match_hands: Counts = np.zeros(1, np.int64)
        self.bot_faults = np.zeros(len(self.bots), np.int64)

    # Totals that follow from the above --------------------------------------------------------------

    @property
    def matches(self) -> Counts:
        """Matches by bot and seat, shape (bots, n)."""
        return np.asarray(self.standings.sum(axis=2), np.int64)

    @property
    def puestos(self) -> Counts:
        """Hands by bot, seat and place (index 0 = first out), shape (bots, n, n)."""
        return _by_seat(self.hand_counts)

    @property
    def hands(self) -> Counts:
        """Hands played by bot and seat, shape (bots, n)."""
        return np.asarray(self.puestos.sum(axis=2), np.int64)

    @property
    def points(self) -> Counts:
        """Sum of points by bot and seat, shape (bots, n)."""
        return np.asarray(self.puestos @ self.place_points, np.int64)

    @property
    def led(self) -> Counts:
        """The part of `puestos` from hands this bot led, shape (bots, n, n)."""
        return _by_seat(self.led_counts)

    @property
    def led_points(self) -> Counts:
        """Sum of points by bot and seat in hands this bot led, shape (bots, n)."""
        return np.asarray(self.led @ self.place_points, np.int64)

    @property
    def transitions(self) -> Counts:
        """Hands by bot, role (0 = none, else the place of the hand before) and place (index 0 = first out).

        Shape (bots, n + 1, n).
        """
        return _by_role(self.hand_counts)

    @property
    def dealt(self) -> Counts:
        """Hands by bot, number of cards dealt (index in `cards`) and place, shape (bots, len(cards), n)."""
        return _by_cards(self.hand_counts)[:, : len(self.cards)]

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
            Usually a `harness.store.Batch`. Each hand must belong to a match of this batch, and the hands
            of a match follow each other as they were played: a role comes from the hand before.

        Raises
        ------
        PresiError
            When the batch has another number of seats, a bot index out of range, or hands out of order.
        """
        n = self.players
        if batch.bots.shape[1:] != (n,):
            raise PresiError(f"a batch of shape {batch.bots.shape} does not fit a summary of {n} players")
        if not len(batch.bots):
            return
        if int(batch.bots.min()) < 0 or int(batch.bots.max()) >= len(self.bots):
            raise PresiError(f"bot index {int(batch.bots.max())}: a summary of {len(self.bots)} bots")
        if not _in_order(batch.hand):
            raise PresiError("a summary needs whole matches with their hands in the order they were played")
        # Cell of (bot, seat) among all of them; intp, or bincount makes one more copy of every key.
        cell = batch.bots * np.intp(n)
        for seat in range(n):  # quicker than rows so short as one operation each
            cell[:, seat] += seat
        self._add_matches(batch, cell)
        self._add_hands(batch, cell)

    def _add_matches(self, batch: Played, cell: NDArray[np.intp]) -> None:
        n, cells = self.players, self.wins.size
        self.standings += np.bincount(
            (cell * n + (batch.standings - 1)).ravel(), minlength=cells * n
        ).reshape(self.standings.shape)
        won = np.take_along_axis(cell, batch.winner.astype(np.intp)[:, None], axis=1).ravel()
        self.wins += np.bincount(won, minlength=cells).reshape(self.wins.shape)
        self.match_hands = _longer(self.match_hands, np.bincount(batch.hands))
        if batch.faults.any():
            self.bot_faults += np.bincount(
                batch.bots.ravel(), weights=batch.faults.ravel(), minlength=len(self.bots)
            ).astype(np.int64)

    def _add_hands(self, batch: Played, cell: NDArray[np.intp]) -> None:
        if not len(batch.hand_row):
            return
        n, shape, size = self.players, self.hand_counts.shape, self.hand_counts.size
        # A hand's key: where its cell begins, and the hand's place within the cell.
        first = cell * (size // self.wins.size)
        more = self._more_cards(int(batch.hand.max()))
        row_start = np.arange(0, _STEP * n, n, dtype=np.intp)
        steps = (min(_STEP, len(batch.hand_row)), n)
        keys, places = np.empty(steps, np.intp), np.empty(steps, np.int16)
        counts, led = np.zeros(size, np.int64), np.zeros(size, np.int64)
        for start in range(0, len(batch.hand_row), _STEP):
            rows = batch.hand_row[start : start + _STEP]
            part = slice(start, start + len(rows))
            key, within = keys[: len(rows)], places[: len(rows)]
            # "clip" spares numpy a second copy; rows out of range would be a fault of the store's own.
            np.take(first, rows, axis=0, out=key, mode="clip")
            _places_before(batch, part, within)
            within *= n
            within += batch.puestos[part]
            within -= 1
            if len(self.cards) > 1:
                within += more.take(batch.hand[part], axis=0, mode="clip")
            key += within
            flat = key.ravel()
            counts += np.bincount(flat, minlength=size)
            led += np.bincount(flat[row_start[: len(rows)] + batch.leader[part]], minlength=size)
        self.hand_counts += counts.reshape(shape)
        self.led_counts += led.reshape(shape)
        self.turns = _longer(self.turns, np.bincount(batch.turns))
        self.place_points = _points_by_place(batch.puestos[0], batch.points[0])

    def _more_cards(self, hands: int) -> NDArray[np.int16]:
        """Give what one more card adds to the key of each seat, by the number of the hand (0 to `hands`).

        Hand h is dealt from seat (h - 1) % n on, so the cards that are left over go to the seats from there.
        """
        n = self.players
        after_first = (np.arange(n) - (np.arange(hands + 1)[:, None] - 1)) % n
        return ((after_first < self._spare_cards) * n * (n + 1)).astype(np.int16)

    def merge(self, other: Summary) -> None:
        """Add another summary of the same bots in the same order, at the same table.

        Parameters
        ----------
        other : Summary
            Left as it is.

        Raises
        ------
        PresiError
            When the bots, the number of players or the numbers of cards dealt differ.
        """
        if (other.bots, other.players, other.cards) != (self.bots, self.players, self.cards):
            raise PresiError("only summaries of the same bots, number of players and deck can be added up")
        if not self.hand_count:
            self.place_points = other.place_points.copy()
        self.standings += other.standings
        self.wins += other.wins
        self.hand_counts += other.hand_counts
        self.led_counts += other.led_counts
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
        return {
            **self._hand_means(self.puestos.sum(axis=1)),
            "win_rate": _ratio(self.wins.sum(axis=1), self.matches.sum(axis=1)),
        }

    def by_role(self) -> dict[str, Floats]:
        """Means per bot and role, in the order of `bots`.

        Returns
        -------
        dict of str to ndarray of float64, shape (bots, n + 1)
            ``mean_puesto`` (1 … n) and ``points_per_hand`` of the hands without a role (index 0: hand 1 of
            a match), then of those after place 1 … n; NaN where there are no hands.
        """
        return self._hand_means(self.transitions)

    def transition_matrix(self, bot: str) -> Floats:
        """Say how often a bot goes from each place to each.

        Parameters
        ----------
        bot : str
            Its label.

        Returns
        -------
        ndarray of float64, shape (n, n)
            Row: place of the hand before; column: place (index 0 = first). Shares of the row's hands, so a
            row adds up to 1; NaN in the row of a place that no hand came after.

        Raises
        ------
        PresiError
            When there is no such bot.
        """
        if bot not in self.bots:
            raise PresiError(f"bot {bot!r}: there are {', '.join(self.bots)}")
        counts = self.transitions[self.bots.index(bot), 1:]
        return _ratio(counts, counts.sum(axis=1, keepdims=True))

    def _hand_means(self, places: Counts) -> dict[str, Floats]:
        """Means over hands, from counts whose last axis is the place."""
        return {
            "mean_puesto": _mean_place(places),
            "points_per_hand": _ratio(places @ self.place_points, places.sum(axis=-1)),
        }

    def table(self) -> pd.DataFrame:
        """Build what is written as ``summary.csv``.

        Returns
        -------
        pandas.DataFrame
            Per bot these rows, by columns ``by`` and ``value`` (text):

            ========  =================  =====================================================
            by        value              hands
            ========  =================  =====================================================
            all       all                every one
            seat      0 … n - 1          from that seat
            role      none, 1 … n        hand 1 of a match; hands after that place
            cards     as 13, 14          with so many cards dealt; no rows where it is unknown
            ========  =================  =====================================================

            Columns: ``bot``, ``by``, ``value``, ``matches`` (seats played), ``wins``, ``win_rate``,
            ``mean_standing``, ``hands``, ``mean_puesto``, ``points_per_hand``, ``lead_share`` (share of its
            hands it led), ``points_per_hand_led`` (points in those), ``puesto_1`` … ``puesto_n`` (shares of
            its hands). A match has no role and no number of cards: its four columns are empty there.
            Shares are 0 … 1; a mean over nothing is NaN.
        """
        import pandas as pd

        keys = self._row_keys()
        places, led = self._hand_rows(self.hand_counts), self._hand_rows(self.led_counts)
        hands, led_hands = places.sum(axis=1), led.sum(axis=1)
        frame = pd.DataFrame(
            {
                "bot": np.repeat(np.array(self.bots, object), len(keys)),
                "by": [by for by, _ in keys] * len(self.bots),
                "value": [value for _, value in keys] * len(self.bots),
                **self._match_columns(len(keys)),
                "hands": hands,
                **self._hand_means(places),
                "lead_share": _ratio(led_hands, hands),
                "points_per_hand_led": _ratio(led @ self.place_points, led_hands),
            }
        )
        for place in range(self.players):
            frame[f"puesto_{place + 1}"] = _ratio(places[:, place], hands)
        return frame

    def _row_keys(self) -> list[tuple[str, str]]:
        """Name the rows of one bot: by what, and its value."""
        n = self.players
        return [
            ("all", "all"),
            *(("seat", str(seat)) for seat in range(n)),
            ("role", "none"),
            *(("role", str(place)) for place in range(1, n + 1)),
            *(("cards", str(cards)) for cards in self.cards),
        ]

    def _hand_rows(self, counts: Counts) -> Counts:
        """Give hands by place for each row of the table, shape (rows, n)."""
        seats = _by_seat(counts)
        cards = _by_cards(counts)[:, : len(self.cards)]
        rows = [seats.sum(axis=1, keepdims=True), seats, _by_role(counts), cards]
        return np.concatenate(rows, axis=1).reshape(-1, self.players)

    def _match_columns(self, rows_per_bot: int) -> dict[str, Any]:
        """Give the columns on matches: of all seats, of each seat, and nothing in the other rows."""
        import pandas as pd

        def column(values: NDArray[Any]) -> Floats:
            """Fill the rows that matches have, shape (bots, n + 1), up with NaN."""
            full = np.full((len(self.bots), rows_per_bot), np.nan)
            full[:, : self.players + 1] = values
            return full.ravel()

        standings = np.concatenate([self.standings.sum(axis=1, keepdims=True), self.standings], axis=1)
        wins = np.concatenate([self.wins.sum(axis=1, keepdims=True), self.wins], axis=1)
        matches = standings.sum(axis=2)
        return {
            # Whole numbers that may be missing: as floats they would be written with six digits.
            "matches": pd.Series(column(matches)).astype("Int64"),
            "wins": pd.Series(column(wins)).astype("Int64"),
            "win_rate": column(_ratio(wins, matches)),
            "mean_standing": column(_mean_place(standings)),
        }


def _numbers_dealt(deck_size: int | None, players: int) -> list[int]:
    """List the numbers of cards a seat may be dealt, fewest first."""
    if not deck_size:
        return []
    fewest, spare = divmod(deck_size, players)
    return [fewest, fewest + 1] if spare else [fewest]


def _by_seat(counts: Counts) -> Counts:
    """Hands by bot, seat and place."""
    return np.asarray(counts.sum(axis=(2, 3)), np.int64)


def _by_role(counts: Counts) -> Counts:
    """Hands by bot, role and place."""
    return np.asarray(counts.sum(axis=(1, 2)), np.int64)


def _by_cards(counts: Counts) -> Counts:
    """Hands by bot, number of cards dealt and place."""
    return np.asarray(counts.sum(axis=(1, 3)), np.int64)


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


def _in_order(hand: NDArray[Any]) -> bool:
    """Tell whether these are the hands of whole matches, each from hand 1 on."""
    return bool((hand[:1] == 1).all() and ((hand[1:] == 1) | (hand[1:] == hand[:-1] + 1)).all())


def _places_before(batch: Played, part: slice, out: NDArray[np.int16]) -> None:
    """Write the place of each seat in the hand before into `out`, 0 in hand 1 of a match."""
    start = max(part.start, 1)  # the first hand of all has none before it
    out[start - part.start :] = batch.puestos[start - 1 : part.stop - 1]
    out[np.flatnonzero(batch.hand[part] == 1)] = 0


def _ratio(part: NDArray[Any], whole: NDArray[Any]) -> Floats:
    """Divide, NaN where there is nothing to divide by."""
    result = np.full(np.shape(part), np.nan)
    np.divide(part, whole, out=result, where=np.asarray(whole) > 0)
    return result


def _mean_place(counts: Counts) -> Floats:
    """Mean place (1 = first) from counts whose last axis is the place."""
    return _ratio(counts @ np.arange(1, counts.shape[-1] + 1), counts.sum(axis=-1))
