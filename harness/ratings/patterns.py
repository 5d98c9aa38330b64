"""Sums over the groups that agree in who met whom how often, from which errors follow for any ratings.

See `harness.ratings.tally` for why three sums are enough.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from harness.ratings.columns import Counts, Floats, longer, upper

# Patterns whose matrices are laid out at once when errors are computed.
_CHUNK = 65_536


class Patterns:
    """Sums over groups by pattern: a lineup of n seats and a number of matches."""

    def __init__(self, seats: int) -> None:
        self.seats = seats
        self.index: dict[bytes, int] = {}
        self._key: Counts = np.zeros((0, seats + 1), np.int64)
        self._sums: Counts = np.zeros((0, 1 + seats + len(upper(seats))), np.int64)

    @property
    def key(self) -> Counts:
        """Sorted bots and number of matches of each pattern, ``[P, n + 1]``."""
        return self._key[: len(self.index)]

    @property
    def sums(self) -> Counts:
        """Groups, sum of A (n) and upper triangle of the sum of A Aᵀ of each pattern."""
        return self._sums[: len(self.index)]

    def add(self, key: Counts, sums: Counts) -> None:
        """Add to the sums of some patterns; the same may be named again (by lineups that are equal)."""
        index, width = self.index, key.shape[1] * key.itemsize
        data = np.ascontiguousarray(key).tobytes()
        keys = [data[at : at + width] for at in range(0, len(data), width)]
        places = np.array([index.setdefault(one, len(index)) for one in keys], np.intp)
        if len(index) > len(self._key):
            room = max(2 * len(self._key), len(index), 64)
            self._key = longer(self._key, room)
            self._sums = longer(self._sums, room)
        self._key[places] = key
        np.add.at(self._sums, places, sums)

    def meat(self, chance: Floats) -> Floats:
        """Sum S Sᵀ over all groups, given how likely each bot is to be ahead of each other one."""
        n, bots = self.seats, len(chance)
        total = np.zeros(bots * bots)
        # In an order of their own, or the last digits would depend on which pattern was seen first.
        order = np.lexsort(self.key.T[::-1])
        place = np.zeros((n, n), np.intp)
        for at, (a, b) in enumerate(upper(n)):
            place[a, b] = place[b, a] = at
        for start in range(0, len(order), _CHUNK):
            rows = order[start : start + _CHUNK]
            lineup, size = self.key[rows, :n], self.key[rows, n]
            groups, sums = self.sums[rows, 0], self.sums[rows, 1 : n + 1]
            cross = self.sums[rows][:, 1 + n + place]
            ahead = chance[lineup[:, :, None], lineup[:, None, :]]
            ahead[:, np.arange(n), np.arange(n)] = 0.0
            # What a bot scores against itself in another seat is no surprise: it cancels over its seats.
            expected = 2.0 * size[:, None] * ahead.sum(axis=2)
            mixed = sums[:, :, None] * expected[:, None, :]
            square = expected[:, :, None] * expected[:, None, :]
            parts = cross - mixed - mixed.transpose(0, 2, 1) + groups[:, None, None] * square
            cells = lineup[:, :, None] * bots + lineup[:, None, :]
            total += np.bincount(cells.ravel(), weights=parts.ravel(), minlength=bots * bots)
        return total.reshape(bots, bots) / 4.0


@dataclass
class Mixed:
    """Sums over groups of several lineups that agree in who met whom how often (k bots)."""

    bots: Counts
    games: Counts
    groups: int
    sums: Counts
    cross: Counts

    def meat(self, chance: Floats) -> Floats:
        """Sum S Sᵀ over the groups, shape (k, k)."""
        expected = 2.0 * (self.games * chance[np.ix_(self.bots, self.bots)]).sum(axis=1)
        mixed = np.outer(self.sums, expected)
        return np.asarray((self.cross - mixed - mixed.T + self.groups * np.outer(expected, expected)) / 4.0)
