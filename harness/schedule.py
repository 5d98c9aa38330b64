"""Who plays whom, where and with which code: pure, lazy, known in full before anything is played.

Aims: a) every bot meets every other as the lineups say; b) every prefix of a run samples all lineups
evenly, so that a run may be stopped at any time, and a longer run begins with the matches of a shorter
one; c) a deal is replayed from every seat, and who sits behind whom is drawn anew for every deal; d) the
same labels and seed give the same matches in any field: adding a bot changes no game of the others.

A *group* is one match code and one lineup in several seatings. A *round* plays every lineup once, in an
order shuffled by the seed and the round; the round's number is the lineup's *repetition*. Group ``g`` is
the one at position ``g % L`` of round ``g // L``, for ``L`` lineups.
"""

from __future__ import annotations

import hashlib
import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from .errors import PresiError, near
from .streams import GOLDEN, combine, mix

SEATINGS = ("rotations", "permutations", "random")
MOST_LINEUPS = 2_000_000
"""More lineups than this are refused: not even one round of them would be played."""

_ROUND = np.array([0x526F756E64], np.uint64)
_SEATING = np.array([0x53656174], np.uint64)
"""Set apart what is drawn for the order of a round and for a seating from all other streams."""


@dataclass(frozen=True)
class Groups:
    """Some consecutive groups.

    Attributes
    ----------
    code : uint64[g]
    lineup : int32[g]
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
    """Some consecutive matches of `n` seats.

    Attributes
    ----------
    match : int64[m]
    code : uint64[m]
    group : int64[m]
    lineup : int32[m]
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

    Parameters
    ----------
    bots : sequence of str
        Labels, each once.
    players : int
        Seats at the table.
    lineups : str
        ``all``: every multiset of the bots that fills the table with at least two different ones;
        ``each``: every set of different bots; ``gauntlet:BOT``: BOT in one seat and every multiset of the
        others in the rest.
    seatings : str
        ``rotations``: each group draws a cyclic order of its lineup, uniformly, and plays every rotation of
        it (also those that look alike, so that each seating weighs the same as under ``permutations``);
        ``permutations``: every distinct seating; ``random``: one seating a group.
    matches : int
        Total budget, rounded up to whole groups.
    seed : int
        0 to 2**64 - 1.

    Attributes
    ----------
    lineups : int32[L, n]
        Numbers of the bots, ascending in each row.
    total_groups, total_matches : int

    Raises
    ------
    PresiError
        If a label stands twice, a name is unknown, or the lineups cannot be formed.
    """

    def __init__(
        self, bots: Sequence[str], players: int, lineups: str, seatings: str, matches: int, seed: int
    ) -> None:
        if seatings not in SEATINGS:
            raise PresiError(f"seatings {seatings!r}: allowed are {', '.join(SEATINGS)}")
        if matches < 1:
            raise PresiError(f"matches {matches}: allowed are 1 and more")
        if len(bots) < 2:
            raise PresiError(f"bots: a tournament needs at least two, not {len(bots)}")
        for label in bots:
            if list(bots).count(label) > 1:
                raise PresiError(f"bot {label!r} is named twice; give one a name of its own: other@{label}")
        self.bots, self.players, self.seatings, self.seed = tuple(bots), players, seatings, seed
        self.lineups = _lineups(self.bots, players, lineups)
        self._sizes = self._group_sizes()
        self._round_size = int(self._sizes.sum())
        self._even = bool((self._sizes == self._sizes[0]).all())
        self._lineup_hash = self._hash_lineups()
        self.total_groups = self._groups_for(matches)
        self.total_matches = self.first_match(self.total_groups)

    # --- groups and matches by number -------------------------------------------------------------------

    def first_match(self, group: int) -> int:
        """Give the number of a group's first match; for `total_groups` the total of matches."""
        rounds, position = divmod(group, len(self.lineups))
        before = rounds * self._round_size
        if self._even:
            return before + position * int(self._sizes[0])
        return before + int(self._sizes[self._order(rounds)[:position]].sum())

    def group_of_match(self, match: int) -> int:
        """Give the group a match belongs to."""
        rounds, rest = divmod(match, self._round_size)
        if self._even:
            return rounds * len(self.lineups) + rest // int(self._sizes[0])
        ends = np.cumsum(self._sizes[self._order(rounds)])
        return rounds * len(self.lineups) + int(np.searchsorted(ends, rest, side="right"))

    def groups(self, start: int, stop: int) -> Groups:
        """Give the groups from `start` to before `stop`."""
        number = np.arange(start, stop)
        rounds, position = number // len(self.lineups), number % len(self.lineups)
        lineup = self._orders(rounds, position)
        base = combine(np.array([self.seed], np.uint64), self._lineup_hash[lineup])
        size = self._sizes[lineup]
        return Groups(
            code=combine(base, rounds.astype(np.uint64)),
            lineup=lineup,
            first_match=self.first_match(start) + np.cumsum(size) - size,
            size=size,
        )

    def matches(self, start: int, stop: int) -> Matches:
        """Give the matches of the groups from `start` to before `stop`."""
        groups = self.groups(start, stop)
        row = np.repeat(np.arange(stop - start), groups.size)
        first = self.first_match(start)
        return Matches(
            match=np.arange(first, first + len(row)),
            code=groups.code[row],
            group=row + start,
            lineup=groups.lineup[row],
            bots=self._seat(groups),
        )

    def warning(self) -> str | None:
        """Say so if the run is too small to link all bots through shared matches; None if it is not."""
        leader = list(range(len(self.bots)))

        def find(bot: int) -> int:
            while leader[bot] != bot:
                leader[bot] = leader[leader[bot]]
                bot = leader[bot]
            return bot

        order = self._order(0)
        parts = len(self.bots)
        for position, lineup in enumerate(order):
            if position == self.total_groups:
                linked = parts
            first, *others = self.lineups[lineup].tolist()
            for other in others:
                a, b = find(first), find(other)
                if a != b:
                    leader[a] = b
                    parts -= 1
            if parts == 1:
                break
        if position < self.total_groups:
            return None
        enough = self.first_match(position + 1)
        return (
            f"{self.total_matches:,} matches leave {linked} groups of bots that never meet, and no common rating; "
            f"{enough:,} would link them all"
        )

    # --- how it is done ---------------------------------------------------------------------------------

    def _group_sizes(self) -> NDArray[np.int64]:
        if self.seatings == "rotations":
            return np.full(len(self.lineups), self.players, np.int64)
        if self.seatings == "random":
            return np.ones(len(self.lineups), np.int64)
        sizes = {}
        for pattern in set(_patterns(self.lineups)):
            repeats = math.prod(math.factorial(pattern.count(value)) for value in set(pattern))
            sizes[pattern] = math.factorial(self.players) // repeats
        return np.array([sizes[pattern] for pattern in _patterns(self.lineups)], np.int64)

    def _groups_for(self, matches: int) -> int:
        group = self.group_of_match(matches - 1)
        return group + 1

    def _hash_lineups(self) -> NDArray[np.uint64]:
        """Hash the labels in each lineup: the same for the same bots, whatever else is in the field."""
        labels = [hashlib.blake2b(label.encode(), digest_size=8).digest() for label in self.bots]
        numbers = np.array([int.from_bytes(digest, "little") for digest in labels], np.uint64)
        inside = np.sort(numbers[self.lineups], axis=1)
        result = np.zeros(len(self.lineups), np.uint64)
        for column in inside.T:
            result = combine(result, column)
        return result

    def _order(self, number: int) -> NDArray[np.int64]:
        """Give the order of the lineups in one round."""
        return self._round_orders(number, number + 1)[0]

    def _round_orders(self, start: int, stop: int) -> NDArray[np.int64]:
        return _shuffled_rounds(self, start, stop)

    def _orders(self, rounds: NDArray[np.int64], position: NDArray[np.int64]) -> NDArray[np.int32]:
        """Give the lineup at each (round, position); both ascending."""
        if not len(rounds):
            return np.zeros(0, np.int32)
        first, last = int(rounds[0]), int(rounds[-1])
        orders = self._round_orders(first, last + 1)
        return orders[rounds - first, position].astype(np.int32)

    def _seat(self, groups: Groups) -> NDArray[np.int32]:
        """Give the bots by seat for every match of some groups."""
        lineup = self.lineups[groups.lineup]
        if self.seatings == "permutations":
            patterns = list(_patterns(lineup))
            return np.concatenate([row[_permutations(p)] for row, p in zip(lineup, patterns, strict=True)])
        order = _shuffled(lineup, groups.code)
        if self.seatings == "random":
            return order
        n = self.players
        seats = (np.arange(n)[:, None] + np.arange(n)[None, :]) % n  # [rotation, seat]
        return np.ascontiguousarray(order[:, seats].reshape(-1, n))


@lru_cache(maxsize=8)
def _shuffled_rounds(schedule: Schedule, start: int, stop: int) -> NDArray[np.int64]:
    """Shuffle the lineups for some rounds: [round, position] -> lineup."""
    rounds = combine(np.array([schedule.seed], np.uint64) ^ _ROUND, np.arange(start, stop, dtype=np.uint64))
    keys = combine(rounds[:, None], np.arange(len(schedule.lineups), dtype=np.uint64)[None, :])
    return np.argsort(keys, axis=1, kind="stable")


def _shuffled(rows: NDArray[np.int32], codes: NDArray[np.uint64]) -> NDArray[np.int32]:
    """Shuffle each row by its code, all orders as likely (Fisher and Yates)."""
    rows = rows.copy()
    base = combine(codes, _SEATING)
    every = np.arange(len(rows))
    for last in range(rows.shape[1] - 1, 0, -1):
        base = base + GOLDEN
        other = ((mix(base) >> np.uint64(32)) * np.uint64(last + 1) >> np.uint64(32)).astype(np.intp)
        rows[every, last], rows[every, other] = rows[every, other], rows[every, last]
    return rows


def _lineups(bots: tuple[str, ...], players: int, lineups: str) -> NDArray[np.int32]:
    kind, colon, name = lineups.partition(":")
    number = len(bots)
    choices: Iterator[tuple[int, ...]]
    if lineups == "all":
        count = math.comb(number + players - 1, players) - number
        choices = itertools.combinations_with_replacement(range(number), players)
    elif lineups == "each":
        if number < players:
            raise PresiError(
                f"lineups each: {number} bots do not fill {players} seats with different ones; use all, or more bots"
            )
        count = math.comb(number, players)
        choices = itertools.combinations(range(number), players)
    elif kind == "gauntlet" and colon:
        if name not in bots:
            raise PresiError(f"lineups {lineups!r}: no bot {name!r} in the field; {near(name, bots)}")
        hero = bots.index(name)
        others = [bot for bot in range(number) if bot != hero]
        count = math.comb(len(others) + players - 2, players - 1)
        rest = itertools.combinations_with_replacement(others, players - 1)
        choices = (tuple(sorted((hero, *part))) for part in rest)
    else:
        known = ("all", "each", "gauntlet:BOT")
        raise PresiError(f"lineups {lineups!r}: allowed are {', '.join(known)}")
    if count > MOST_LINEUPS:
        raise PresiError(
            f"lineups {lineups}: {number} bots at {players} seats make {count:,} lineups; at most {MOST_LINEUPS:,}: "
            "use each, gauntlet:BOT or fewer bots"
        )
    kept = [choice for choice in choices if choice[0] != choice[-1]]
    return np.array(kept, np.int32)


def _patterns(lineups: NDArray[np.int32]) -> Iterator[tuple[int, ...]]:
    """Give for each ascending row which neighbours are alike: (4, 4, 7) -> (0, 0, 2)."""
    firsts = np.zeros(lineups.shape, np.int64)
    for column in range(1, lineups.shape[1]):
        alike = lineups[:, column] == lineups[:, column - 1]
        firsts[:, column] = np.where(alike, firsts[:, column - 1], column)
    return map(tuple, firsts.tolist())


@lru_cache(maxsize=4096)
def _permutations(pattern: tuple[int, ...]) -> NDArray[np.int64]:
    """Give every distinct order of a pattern's places, in lexical order."""
    return np.array(sorted(set(itertools.permutations(pattern))), np.int64)
