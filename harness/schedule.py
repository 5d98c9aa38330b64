"""Who plays whom, where and with which code: pure, lazy, known in full before anything is played.

Aims: a) every bot meets every other as the lineups say; b) every prefix of a run samples all lineups
evenly, so that a run may be stopped at any time, and a longer run begins with the matches of a shorter
one; c) a deal is replayed from every seat, and who sits behind whom is drawn anew for every deal; d) the
same bots and seed give the same matches in any field: neither adding a bot nor naming them in another
order changes a game of the others.

A *group* is one match code and one lineup in several seatings. A *round* plays every lineup once, in an
order shuffled by the seed and the round; the round's number is the lineup's *repetition*. Group ``g`` is
the one at position ``g % L`` of round ``g // L``, for ``L`` lineups.
"""

from __future__ import annotations

import hashlib
import itertools
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from .errors import PresiError, near
from .streams import combine

LINEUPS = ("all", "each", "gauntlet:BOT")
SEATINGS = ("rotations", "permutations", "random")
PLAYERS = (2, 7)
"""Fewest and most seats a schedule can be made for."""
MOST_LINEUPS = 5_000_000
"""More lineups than this are refused: hardly one round of them would ever be played."""
MOST_MATCHES = 10**15
"""More matches than this are refused: their numbers would come near the end of 64 bits."""

# What sets apart the streams that start from one seed or one match code. Shuffles and bots draw from a code
# with small numbers, so these are large.
# (Arrays of one, as NumPy warns of overflow in scalars.)
_LINEUP = np.array([0x4C696E6575702E2E], np.uint64)
_ROUND = np.array([0x526F756E642E2E2E], np.uint64)
_SEATING = np.array([0x53656174696E672E], np.uint64)


@dataclass(frozen=True)
class Groups:
    """Some consecutive groups.

    Attributes
    ----------
    code : uint64[g]
        Match code, without its ``P``.
    lineup : int32[g]
        Row of `Schedule.lineups`.
    first_match : int64[g]
    size : int64[g]
        Matches in each.
    """

    code: NDArray[np.uint64]
    lineup: NDArray[np.int32]
    first_match: NDArray[np.int64]
    size: NDArray[np.int64]


@dataclass(frozen=True)
class Matches:
    """The matches of some consecutive groups, at a table of `n` seats.

    Attributes
    ----------
    match : int64[m]
        Numbers, ascending by one.
    code : uint64[m]
    group : int64[m]
    lineup : int32[m]
        Row of `Schedule.lineups`.
    bots : int32[m, n]
        Number of the bot in each seat.
    """

    match: NDArray[np.int64]
    code: NDArray[np.uint64]
    group: NDArray[np.int64]
    lineup: NDArray[np.int32]
    bots: NDArray[np.int32]


class Schedule:
    """The matches of a tournament.

    Groups and matches may be asked for beyond the total too: they are those of a longer run.

    Parameters
    ----------
    bots : sequence of str
        Labels, each once.
    players : int
        Seats at the table, 2 to 7.
    lineups : str
        ``all``: every multiset of the bots that fills the table with at least two different ones;
        ``each``: every set of different bots; ``gauntlet:BOT``: BOT in one seat and every multiset of the
        others in the rest.
    seatings : str
        ``rotations``: each group draws a cyclic order of its lineup, uniformly, and plays every rotation of
        it (also those that look alike, so that each seating weighs the same as under ``permutations``);
        ``permutations``: every distinct seating, in a fixed order; ``random``: one seating a group.
    matches : int
        Total budget, rounded up to whole groups.
    seed : int
        0 to 2**64 - 1.

    Attributes
    ----------
    bots : tuple of str
    players, seed : int
    seatings : str
    lineups : int32[L, n]
        Numbers of the bots, ascending in each row.
    round_matches : int
        Matches of a round.
    total_groups, total_matches : int

    Raises
    ------
    PresiError
        If a label stands twice, a name is unknown, a number is out of range, or the lineups cannot be
        formed.

    Examples
    --------
    >>> schedule = Schedule(["keep", "chain", "random"], 3, "each", "rotations", matches=5, seed=1)
    >>> schedule.total_groups, schedule.total_matches
    (2, 6)
    >>> matches = schedule.matches(0, 1)
    >>> matches.match.tolist(), matches.group.tolist()
    ([0, 1, 2], [0, 0, 0])
    >>> len(set(matches.code.tolist())), sorted(matches.bots[:, 0].tolist())
    (1, [0, 1, 2])
    """

    def __init__(
        self, bots: Sequence[str], players: int, lineups: str, seatings: str, matches: int, seed: int
    ) -> None:
        if seatings not in SEATINGS:
            raise PresiError(f"seatings {seatings!r}: allowed are {', '.join(SEATINGS)}")
        if not 1 <= matches <= MOST_MATCHES:
            raise PresiError(f"matches {matches}: allowed are 1 to {MOST_MATCHES}")
        if not 0 <= seed < 2**64:
            raise PresiError(f"seed {seed}: allowed are 0 to 2^64 - 1")
        if not PLAYERS[0] <= players <= PLAYERS[1]:
            raise PresiError(f"players {players}: allowed are {PLAYERS[0]} to {PLAYERS[1]}")
        _check_labels(bots)
        self.bots, self.players, self.seatings, self.seed = tuple(bots), players, seatings, seed
        self.lineups = _make_lineups(self.bots, players, lineups)
        # Each lineup in the order of the labels, not of the list they came in, which must change nothing.
        by_label = np.array(sorted(range(len(bots)), key=self.bots.__getitem__), np.int32)
        self._lineups = by_label[np.sort(np.argsort(by_label).astype(np.int32)[self.lineups], axis=1)]
        self._hashes = _hash_lineups(self.bots, self._lineups)
        self._base = _seed_hash(seed, _LINEUP)
        self._seats, self._sizes, self._first_seats = self._plan_seats()
        self.round_matches = self._size * len(self.lineups) if self._size else int(self._sizes.sum())
        self._kept_orders: tuple[int, NDArray[np.int32]] = (0, np.zeros((0, len(self.lineups)), np.int32))
        self._kept_ends: dict[int, NDArray[np.int64]] = {}
        self.total_groups = self.group_of_match(matches - 1) + 1
        self.total_matches = self.first_match(self.total_groups)

    # --- groups and matches by number -------------------------------------------------------------------

    def first_match(self, group: int) -> int:
        """Give the number of a group's first match; for `total_groups` that is `total_matches`."""
        number, position = divmod(group, len(self.lineups))
        if self._size:
            return group * self._size
        before = int(self._ends(number)[position - 1]) if position else 0
        return number * self.round_matches + before

    def group_of_match(self, match: int) -> int:
        """Give the number of the group that a match belongs to."""
        if self._size:
            return match // self._size
        number, rest = divmod(match, self.round_matches)
        return number * len(self.lineups) + int(np.searchsorted(self._ends(number), rest, side="right"))

    def match_range(self, start: int, stop: int) -> tuple[int, int]:
        """Give the numbers of the first match of group `start` and of the first one of group `stop`."""
        return self.first_match(start), self.first_match(stop)

    def groups(self, start: int, stop: int) -> Groups:
        """Give the groups from `start` to before `stop`.

        Parameters
        ----------
        start, stop : int
            0 <= start <= stop.
        """
        lineup = self._lineups_of(start, stop)
        repetition = np.arange(start, stop, dtype=np.uint64) // np.uint64(len(self.lineups))
        size = self._sizes[lineup] if not self._size else np.full(len(lineup), self._size, np.int64)
        return Groups(
            code=combine(combine(self._base, self._hashes[lineup]), repetition),
            lineup=lineup,
            first_match=self.first_match(start) + np.cumsum(size) - size,
            size=size,
        )

    def matches(self, start: int, stop: int) -> Matches:
        """Give all matches of the groups from `start` to before `stop`.

        Parameters
        ----------
        start, stop : int
            0 <= start <= stop.
        """
        groups = self.groups(start, stop)
        first, end = self.match_range(start, stop)
        seats = self._first_seats[groups.lineup] if not self._size else self._draw(groups.code)
        row = np.repeat(np.arange(len(seats)), groups.size)
        match = np.arange(first, end)
        seats = (seats - (groups.first_match - first))[row] + np.arange(len(row))
        lineup = groups.lineup[row]
        cells = self._seats[seats]
        cells += (lineup.astype(np.intp) * self.players)[:, None]
        return Matches(
            match=match,
            code=groups.code[row],
            group=row + start,
            lineup=lineup,
            bots=self._lineups.ravel()[cells],
        )

    # --- are all bots linked? ---------------------------------------------------------------------------

    @cached_property
    def linking_groups(self) -> int:
        """How many groups, from the first on, link every bot to every other through shared matches."""
        order, lineups = self._orders(0, 1)[0], self.lineups
        parts = _Parts(len(self.bots))
        for position, lineup in enumerate(order):
            parts.join(lineups[lineup].tolist())
            if parts.number == 1:
                return position + 1
        raise AssertionError("one round of any lineups links all bots")

    def connected(self) -> bool:
        """Say whether the matches of the run link every bot to every other, as one rating of all needs."""
        return self.total_groups >= self.linking_groups

    def warning(self) -> str | None:
        """Say that the run is too small to link all bots, whom it leaves apart, and what would be enough.

        Returns
        -------
        str or None
            None if the run links all bots.
        """
        if self.connected():
            return None
        parts = _Parts(len(self.bots))
        for lineup in self._lineups_of(0, self.total_groups):
            parts.join(self.lineups[lineup].tolist())
        groups = [[self.bots[bot] for bot in part] for part in parts.members()]
        apart = "; ".join(", ".join(part[:4]) + (", ..." if len(part) > 4 else "") for part in groups[:4])
        more = f"; and {len(groups) - 4} more" if len(groups) > 4 else ""
        return (
            f"{self.total_matches:,} matches are too few for one ranking of all {len(self.bots)} bots: "
            f"{len(groups)} sets of them would never meet ({apart}{more}); "
            f"{self.first_match(self.linking_groups):,} matches are enough to link all"
        )

    # --- how it is done ---------------------------------------------------------------------------------

    @property
    def _size(self) -> int:
        """Matches of every group; 0 if they differ."""
        return {"rotations": self.players, "random": 1, "permutations": 0}[self.seatings]

    def _plan_seats(self) -> tuple[NDArray[np.intp], NDArray[np.int64], NDArray[np.intp]]:
        """Make the table of seatings, and for each lineup how many of its rows it plays and from which on.

        A row says for each seat which place of the lineup sits there. The last two are empty where they
        do not depend on the lineup.
        """
        orders = _permutations(self.players)
        if self.seatings == "random":
            return orders, np.zeros(0, np.int64), np.zeros(0, np.intp)
        if self.seatings == "rotations":
            seat = np.arange(self.players)
            turned = orders[:, (seat[:, None] + seat[None, :]) % self.players]  # [order, rotation, seat]
            return turned.reshape(-1, self.players), np.zeros(0, np.int64), np.zeros(0, np.intp)
        # Of the orders that look alike because bots are the same, keep the one that names equal bots in turn.
        alike = self._lineups[:, 1:] == self._lineups[:, :-1]
        seat_of_place = np.argsort(orders, axis=1)
        in_turn = seat_of_place[:, 1:] > seat_of_place[:, :-1]
        patterns, pattern = np.unique(alike @ (1 << np.arange(self.players - 1)), return_inverse=True)
        rows = []
        for bits in patterns:
            equal = (int(bits) >> np.arange(self.players - 1) & 1).astype(bool)
            rows.append(orders[(in_turn | ~equal).all(axis=1)])
        sizes = np.array([len(part) for part in rows], np.int64)
        return np.concatenate(rows), sizes[pattern], (np.cumsum(sizes) - sizes)[pattern]

    def _draw(self, codes: NDArray[np.uint64]) -> NDArray[np.intp]:
        """Draw for each code the first of its rows in the table of seatings, all orders as likely.

        The high half of a hash times n! gives the number of an order, as a Fisher-Yates shuffle of the
        lineup would; no order is likelier than another by more than n!/2**32, at most 1e-6.
        """
        high = combine(codes, _SEATING) >> np.uint64(32)
        order = (high * np.uint64(math.factorial(self.players))) >> np.uint64(32)
        return np.asarray(order.astype(np.intp) * self._size)

    def _ends(self, number: int) -> NDArray[np.int64]:
        """Give, by position in a round, the matches of the round up to and with that group."""
        if number not in self._kept_ends:
            while len(self._kept_ends) > 2:
                del self._kept_ends[next(iter(self._kept_ends))]
            self._kept_ends[number] = np.cumsum(self._sizes[self._orders(number, number + 1)[0]])
        return self._kept_ends[number]

    def _lineups_of(self, start: int, stop: int) -> NDArray[np.int32]:
        """Give the lineup of each group from `start` to before `stop`."""
        if stop <= start:
            return np.zeros(0, np.int32)
        size = len(self.lineups)
        first = start // size
        orders = self._orders(first, (stop - 1) // size + 1)
        return orders.ravel()[start - first * size : stop - first * size]

    def _orders(self, start: int, stop: int) -> NDArray[np.int32]:
        """Shuffle the lineups for the rounds from `start` to before `stop`: [round, position] -> lineup."""
        first, orders = self._kept_orders
        if not first <= start <= stop <= first + len(orders):
            first, orders = start, self._shuffle(start, stop)
            self._kept_orders = first, orders  # a round of many lineups serves many calls
        return orders[start - first : stop - first]

    def _shuffle(self, start: int, stop: int) -> NDArray[np.int32]:
        if len(self.lineups) == 1:
            return np.zeros((stop - start, 1), np.int32)
        rounds = combine(_seed_hash(self.seed, _ROUND), np.arange(start, stop, dtype=np.uint64))
        keys = combine(rounds[:, None], self._hashes[None, :])
        return np.argsort(keys, axis=1, kind="stable").astype(np.int32)


class _Parts:
    """Bots joined into sets that are linked (union-find)."""

    def __init__(self, bots: int) -> None:
        self.number = bots
        self._head = list(range(bots))

    def _find(self, bot: int) -> int:
        while self._head[bot] != bot:
            self._head[bot] = self._head[self._head[bot]]
            bot = self._head[bot]
        return bot

    def join(self, bots: Sequence[int]) -> None:
        """Link the bots of a lineup."""
        first = self._find(bots[0])
        for bot in bots[1:]:
            other = self._find(bot)
            if other != first:
                self._head[other] = first
                self.number -= 1

    def members(self) -> list[list[int]]:
        """Give the sets, the largest first."""
        sets: dict[int, list[int]] = {}
        for bot in range(len(self._head)):
            sets.setdefault(self._find(bot), []).append(bot)
        return sorted(sets.values(), key=len, reverse=True)


def _check_labels(bots: Sequence[str]) -> None:
    if len(bots) < 2:
        raise PresiError(f"bots: a tournament needs at least two, not {len(bots)}")
    seen: set[str] = set()
    for label in bots:
        if label in seen:
            raise PresiError(f"bot {label!r} is named twice; give one a name of its own: other@{label}")
        seen.add(label)


def _make_lineups(bots: tuple[str, ...], players: int, lineups: str) -> NDArray[np.int32]:
    """Form all lineups: int32[L, n], ascending in each row."""
    kind, _, name = lineups.partition(":")
    field = range(len(bots))
    rows: Iterable[tuple[int, ...]]
    if lineups == "all":
        count = math.comb(len(bots) + players - 1, players)
        rows = itertools.combinations_with_replacement(field, players)
    elif lineups == "each":
        if len(bots) < players:
            raise PresiError(
                f"lineups 'each': {len(bots)} bots do not fill {players} seats with different ones; "
                "use all, or name more bots"
            )
        count = math.comb(len(bots), players)
        rows = itertools.combinations(field, players)
    elif kind == "gauntlet":
        if name not in bots:
            raise PresiError(f"lineups {lineups!r}: no bot {name!r} in the field; {near(name, bots)}")
        hero = bots.index(name)
        count = math.comb(len(bots) + players - 3, players - 1)
        others = [bot for bot in field if bot != hero]
        rows = ((hero, *rest) for rest in itertools.combinations_with_replacement(others, players - 1))
    else:
        raise PresiError(f"lineups {lineups!r}: allowed are {', '.join(LINEUPS)}")
    if count > MOST_LINEUPS:
        advice = {"all": "use gauntlet:BOT or each, or fewer bots", "each": "use gauntlet:BOT, or fewer bots"}
        raise PresiError(
            f"lineups {lineups!r}: {len(bots)} bots in {players} seats make {count:,} lineups, "
            f"allowed are {MOST_LINEUPS:,}; {advice.get(lineups, 'use fewer bots')}"
        )
    flat = np.fromiter(itertools.chain.from_iterable(rows), np.int32, count * players)
    table = np.sort(flat.reshape(count, players), axis=1)
    return np.ascontiguousarray(table[table[:, 0] != table[:, -1]])


def _hash_lineups(bots: tuple[str, ...], lineups: NDArray[np.int32]) -> NDArray[np.uint64]:
    """Hash what the lineups hold, uint64[L]: the same for the same labels, whatever else is in the field."""
    digests = [hashlib.blake2b(label.encode(), digest_size=8).digest() for label in bots]
    labels = np.array([int.from_bytes(digest, "little") for digest in digests], np.uint64)
    hashes = np.zeros(len(lineups), np.uint64)
    for place in range(lineups.shape[1]):
        hashes = combine(hashes, labels[lineups[:, place]])
    return hashes


def _seed_hash(seed: int, purpose: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Start a stream of the run, uint64[1]."""
    start: NDArray[np.uint64] = combine(np.array([seed], np.uint64), purpose)
    return start


@lru_cache(maxsize=8)
def _permutations(n: int) -> NDArray[np.intp]:
    """Give all orders of n places in lexical order, [n!, n]."""
    return np.array(list(itertools.permutations(range(n))), np.intp)
