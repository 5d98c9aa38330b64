"""What a rating needs of any number of matches, in one pass and in memory that does not grow with them.

Clustered errors need, for each deal group c, the score S_c = A_c - m_c, where A_c counts whom each bot
finished ahead of and m_c is what the ratings expect of it. In groups of the same lineup and size the
expectation is the same, so that

    sum_c S_c S_c' = sum_L [ sum A A' - m (sum A)' - (sum A) m' + C m m' ]

over the kinds L of groups. The sums of A and A A' are whole numbers and need no ratings: they are exact,
do not depend on how rows are cut into batches, and add up over parts.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import PresiError

Whole = NDArray[np.int64]


class Tally:
    """Counts of who finished ahead of whom, and their products within deal groups.

    Parameters
    ----------
    bots : sequence of str
        Labels; rows name bots by their number here.

    Attributes
    ----------
    games : int64[B, B]
        Matches in which one bot met another, each pair of seats counted; symmetric, 0 on the diagonal.
    ahead2 : int64[B, B]
        Twice the times the row's bot finished ahead of the column's; a tie counts one for each.
    matches, wins, score2 : int64[B]
        Seats played (a bot in two seats of a match counts twice); matches won; sum over seats of
        ``n - standing``, from which the score is (n - standing) / (n - 1).
    players : int
        Seats at the table, 0 before the first batch.
    """

    def __init__(self, bots: Sequence[str]) -> None:
        number = len(bots)
        self.bots = tuple(bots)
        self.games: Whole = np.zeros((number, number), np.int64)
        self.ahead2: Whole = np.zeros((number, number), np.int64)
        self.matches: Whole = np.zeros(number, np.int64)
        self.wins: Whole = np.zeros(number, np.int64)
        self.behind: Whole = np.zeros(number, np.int64)
        self.players = 0
        self._kinds: dict[tuple[int, ...], int] = {}
        """(bots ascending..., matches in a group) -> row of the sums below."""
        self._count: Whole = np.zeros(0, np.int64)
        self._sum: Whole = np.zeros((0, 0), np.int64)
        self._products: Whole = np.zeros((0, 0, 0), np.int64)

    @property
    def group_count(self) -> int:
        """Deal groups seen."""
        return int(self._count.sum())

    @property
    def groups(self) -> Whole:
        """Deal groups that each bot took part in, ``[B]``."""
        result = np.zeros(len(self.bots), np.int64)
        for kind, row in self._kinds.items():
            result[list(set(kind[:-1]))] += self._count[row]
        return result

    @property
    def score(self) -> NDArray[np.float64]:
        """Mean of (n - standing) / (n - 1) per bot: 1 always first, 0 always last; NaN if it never played."""
        with np.errstate(invalid="ignore"):
            return self.behind / (self.matches * max(self.players - 1, 1))

    def add(
        self, group: NDArray[Any], lineup: NDArray[Any], bots: NDArray[Any], standings: NDArray[Any], winner: Any
    ) -> None:
        """Count some matches.

        Parameters
        ----------
        group : int[m]
            Ascending; every group is whole within one call.
        lineup : int[m]
            The same number for the same bots.
        bots : int[m, n]
            Number of the bot in each seat.
        standings : int[m, n]
            1 = first; equal numbers are ties.
        winner : int[m]
            Seat.

        Raises
        ------
        PresiError
            If the number of seats changes: ratings of different tables are not pooled.
        """
        if not len(group):
            return
        m, n = bots.shape
        if self.players not in (0, n):
            raise PresiError(f"matches of {n} seats do not belong to ratings at {self.players} seats")
        self.players = n
        number = len(self.bots)
        bots = bots.astype(np.int64, copy=False)
        self.matches += np.bincount(bots.ravel(), minlength=number)
        self.wins += np.bincount(bots[np.arange(m), winner], minlength=number)
        self.behind += _whole_sums(bots.ravel(), (n - standings.astype(np.int64)).ravel(), number)

        # whom each seat finished ahead of, doubled so that a tie is a whole number
        ahead = np.zeros((m, n), np.int64)
        place = np.zeros((m, n), np.int64)  # of the bot among the lineup's, the weakest number first
        for a in range(n):
            for b in range(a + 1, n):
                differ = bots[:, a] != bots[:, b]
                first = np.sign(standings[:, b].astype(np.int64) - standings[:, a]) + 1
                first *= differ
                second = 2 * differ - first
                ahead[:, a] += first
                ahead[:, b] += second
                place[:, a] += bots[:, b] < bots[:, a]
                place[:, b] += bots[:, a] < bots[:, b]
                for x, y, won in ((a, b, first), (b, a, second)):
                    key = bots[:, x] * number + bots[:, y]
                    self.ahead2 += _whole_sums(key, won, number * number).reshape(number, number)
                    self.games += _whole_sums(key, differ, number * number).reshape(number, number)

        # sums by group
        starts = np.flatnonzero(np.concatenate([[True], group[1:] != group[:-1]]))
        size = np.diff(np.append(starts, m))
        which = np.repeat(np.arange(len(starts)), size)
        key = (which[:, None] * n + place).ravel()
        by_group = _whole_sums(key, ahead.ravel(), len(starts) * n).reshape(-1, n)
        self._add_groups(lineup[starts], size, np.sort(bots[starts], axis=1), by_group)

    def _add_groups(self, lineup: NDArray[Any], size: Whole, bots: Whole, ahead: Whole) -> None:
        """Add the sums of some groups to those of their kinds."""
        n = ahead.shape[1]
        code = lineup.astype(np.int64) * (int(size.max()) + 1) + size
        _, examples, kind = np.unique(code, return_index=True, return_inverse=True)
        rows = np.array([self._row((*bots[e].tolist(), int(size[e])), n) for e in examples])
        self._count[rows] += np.bincount(kind, minlength=len(rows))
        for i in range(n):
            self._sum[rows, i] += _whole_sums(kind, ahead[:, i], len(rows))
            for j in range(i, n):
                products = _whole_sums(kind, ahead[:, i] * ahead[:, j], len(rows))
                self._products[rows, i, j] += products
                if i != j:
                    self._products[rows, j, i] += products

    def _row(self, kind: tuple[int, ...], n: int) -> int:
        """Give the row of a kind of groups; a new one if it is new."""
        row = self._kinds.setdefault(kind, len(self._kinds))
        if row >= len(self._count):
            room = max(64, 2 * len(self._count))
            for name, shape in (("_count", (room,)), ("_sum", (room, n)), ("_products", (room, n, n))):
                grown = np.zeros(shape, np.int64)
                old = getattr(self, name)
                grown[: len(old)] = old if old.size else 0
                setattr(self, name, grown)
        return row

    def merge(self, other: Tally) -> None:
        """Add another tally of the same bots and no common group."""
        if other.bots != self.bots:
            raise PresiError("tallies of different bots cannot be added")
        if other.players == 0:
            return
        if self.players not in (0, other.players):
            raise PresiError(f"ratings at {other.players} and {self.players} seats cannot be pooled")
        self.players = other.players
        for name in ("games", "ahead2", "matches", "wins", "behind"):
            getattr(self, name).__iadd__(getattr(other, name))
        for kind, theirs in other._kinds.items():
            mine = self._row(kind, other.players)
            self._count[mine] += other._count[theirs]
            self._sum[mine] += other._sum[theirs]
            self._products[mine] += other._products[theirs]

    def meat(self, chance: NDArray[np.float64]) -> NDArray[np.float64]:
        """Sum the products of the scores of all groups.

        Parameters
        ----------
        chance : float[B, B]
            Chance that the row's bot finishes ahead of the column's.

        Returns
        -------
        float[B, B]
            Sum over groups of S_c S_c'.
        """
        number = len(self.bots)
        total = np.zeros((number, number))
        for kind, row in self._kinds.items():
            bots, size = np.array(kind[:-1]), kind[-1]
            # the bot's first place in the ascending lineup holds its sums
            firsts = np.searchsorted(bots, bots)
            different = np.unique(firsts)
            expected = np.zeros(len(bots))
            for i, a in enumerate(bots):
                expected[firsts[i]] += size * sum(chance[a, b] for b in bots if b != a)
            count, sums, products = self._count[row], self._sum[row] / 2, self._products[row] / 4
            block = products - np.outer(expected, sums) - np.outer(sums, expected)
            block += count * np.outer(expected, expected)
            where = bots[different]
            total[np.ix_(where, where)] += block[np.ix_(different, different)]
        return total


def _whole_sums(key: NDArray[Any], values: NDArray[Any], length: int) -> Whole:
    """Sum whole numbers by key; sums in floating point are exact here, far below 2**53."""
    return np.bincount(key, weights=values, minlength=length).astype(np.int64)
