"""What ratings need of any number of matches, in whole numbers and in one pass.

A *cluster* is everything that shares luck: the matches of one group. Ratings need the pair counts, and for
their errors the sum over clusters of S Sᵀ, where S = A - m holds for each bot what it scored against others
in the cluster (A) less what the ratings expect (m). The expectation depends on the ratings, but only through
how often who met whom, and that is the same in all groups of one lineup and one size. So for each such
*pattern* three sums are enough, whatever the ratings turn out to be:

    Σ S Sᵀ = Σ A Aᵀ - (Σ A) mᵀ - m (Σ A)ᵀ + C m mᵀ,   C = number of groups.

They are whole numbers (scores are doubled, so that a tie counts 1), hence exact and independent of how the
matches are cut into batches. Memory grows with the number of lineups, not of matches.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from harness.errors import PresiError

Ints = NDArray[Any]
Counts = NDArray[np.int64]
Floats = NDArray[np.float64]

# Matches per step: columns of one step stay in the processor's cache.
_STEP = 32_768
# Sums of one step are kept below this: the largest number up to which floats hold every whole one.
_LARGEST = 2**53
# Patterns whose matrices are laid out at once when errors are computed.
_CHUNK = 65_536


@dataclass(frozen=True)
class Part:
    """Matches of one number of seats, for `Tally.add_joined`.

    Attributes
    ----------
    group : int64[m]
    bots : int32[m, n]
        Number of the bot in each seat.
    standings : int8[m, n]
        1 = first, by seat; equal numbers are ties.
    winner : int8[m]
        Seat, -1 for nobody.
    count : int64[m] or None
        How often each match happened; None: once.
    """

    group: Ints
    bots: Ints
    standings: Ints
    winner: Ints
    count: Counts | None = None


@dataclass(frozen=True)
class _Rows:
    """Matches with their seats sorted by bot.

    Attributes
    ----------
    group : int[m]
    bots : int32[n, m]
        Ascending down each column.
    scores : int[n, m]
        Doubled number of seats left behind, ties one.
    lineup : int[m]
        A hint which matches have the same bots.
    count : int64[m] or None
        How often each match happened within its group.
    times : int64[m] or None
        How many such groups there were; the same in all rows of a group.
    """

    group: Ints
    bots: Ints
    scores: Ints
    lineup: Ints
    count: Counts | None
    times: Counts | None

    def take(self, rows: Ints) -> _Rows:
        """Give some of the matches."""
        return replace(
            self,
            group=self.group[rows],
            bots=self.bots[:, rows],
            scores=self.scores[:, rows],
            lineup=self.lineup[rows],
            count=None if self.count is None else self.count[rows],
            times=None if self.times is None else self.times[rows],
        )


class _Patterns:
    """Sums over groups by pattern: a lineup of n seats and a number of matches."""

    def __init__(self, seats: int) -> None:
        self.seats = seats
        self.index: dict[bytes, int] = {}
        self._key: Counts = np.zeros((0, seats + 1), np.int64)
        self._sums: Counts = np.zeros((0, 1 + seats + len(_upper(seats))), np.int64)

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
            self._key = _longer(self._key, room)
            self._sums = _longer(self._sums, room)
        self._key[places] = key
        np.add.at(self._sums, places, sums)

    def meat(self, chance: Floats) -> Floats:
        """Sum S Sᵀ over all groups, given how likely each bot is to be ahead of each other one."""
        n, bots = self.seats, len(chance)
        total = np.zeros(bots * bots)
        # In an order of their own, or the last digits would depend on which pattern was seen first.
        order = np.lexsort(self.key.T[::-1])
        place = np.zeros((n, n), np.intp)
        for at, (a, b) in enumerate(_upper(n)):
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
class _Mixed:
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


class Tally:
    """Exact sums over matches from which ratings and their errors are computed.

    Parameters
    ----------
    bots : sequence of str
        Labels, each once; a batch names bots by their index here.

    Attributes
    ----------
    bots : list of str
    matches : ndarray of int64, shape (bots,)
        Seats played: a bot that sits in two seats of a match counts twice.
    wins : ndarray of int64, shape (bots,)
        Seats that won a match.
    groups : ndarray of int64, shape (bots,)
        Groups the bot took part in, each counted once.
    match_count, group_count : int
        Matches and groups in all.

    Raises
    ------
    PresiError
        If a label stands twice or there is none.

    Examples
    --------
    >>> tally = Tally(["keep", "chain"])
    >>> tally.add(group=[7, 7], lineup=[0, 0], bots=[[0, 1, 1], [1, 1, 0]],
    ...           standings=[[1, 2, 3], [1, 3, 2]], winner=[0, 0])
    >>> tally.games.tolist(), tally.ahead.tolist()
    ([[0, 4], [4, 0]], [[0.0, 3.0], [1.0, 0.0]])
    >>> tally.matches.tolist(), tally.groups.tolist(), tally.wins.tolist(), tally.score.tolist()
    ([2, 4], [1, 1], [1, 1], [0.75, 0.375])
    """

    def __init__(self, bots: Sequence[str]) -> None:
        self.bots = list(bots)
        if not self.bots:
            raise PresiError("a tally needs at least one bot")
        seen: set[str] = set()
        for label in self.bots:
            if label in seen:
                raise PresiError(f"bot {label!r} is named twice; every bot needs a label of its own")
            seen.add(label)
        size = len(self.bots)
        self.matches: Counts = np.zeros(size, np.int64)
        self.wins: Counts = np.zeros(size, np.int64)
        self.groups: Counts = np.zeros(size, np.int64)
        self.match_count = 0
        self.group_count = 0
        self._points: dict[int, Counts] = {}  # by seats: doubled number of seats left behind, per bot
        self._pairs: Counts = np.zeros(size * size * 3, np.int64)  # lower bot, higher bot, behind/tie/ahead
        self._patterns: dict[int, _Patterns] = {}
        self._mixed: dict[bytes, _Mixed] = {}

    # What the sums say ----------------------------------------------------------------------------------

    @property
    def games(self) -> Counts:
        """How often each two bots met, seat by seat; shape (bots, bots), zero on the diagonal."""
        pairs = self._pair_counts().sum(axis=2)
        return np.asarray(pairs + pairs.T, np.int64)

    @property
    def ahead(self) -> Floats:
        """How often the row's bot finished ahead of the column's, ties half; shape (bots, bots)."""
        pairs = self._pair_counts()
        above = 2 * pairs[:, :, 2] + pairs[:, :, 1]
        below = 2 * pairs[:, :, 0] + pairs[:, :, 1]
        return np.asarray((above + below.T) / 2.0, np.float64)

    @property
    def score(self) -> Floats:
        """Mean of (n - standing) / (n - 1) over the seats of each bot, 0 to 1; NaN for one that did not play.

        Those who tie get the mean of the standings they share.
        """
        total = np.zeros(len(self.bots))
        for seats in sorted(self._points):
            total += self._points[seats] / (2.0 * (seats - 1))
        return _ratio(total, self.matches)

    @property
    def win_rate(self) -> Floats:
        """Share of its seats each bot won, 0 to 1; NaN for one that did not play."""
        return _ratio(self.wins.astype(np.float64), self.matches)

    @property
    def cluster_count(self) -> int:
        """Groups in which two different bots met, C: all others say nothing about ratings."""
        count = sum(mixed.groups for mixed in self._mixed.values())
        for patterns in self._patterns.values():
            key = patterns.key
            count += int(patterns.sums[key[:, 0] != key[:, patterns.seats - 1], 0].sum())
        return count

    def groups_across(self, inside: NDArray[np.bool_]) -> int:
        """Count groups in which some bot of a set met one outside it; `inside` has shape (bots,)."""
        count = 0
        for mixed in self._mixed.values():
            within = inside[mixed.bots]
            if mixed.games[np.ix_(within, ~within)].any():
                count += mixed.groups
        for seats, patterns in self._patterns.items():
            within = inside[patterns.key[:, :seats]]
            across = within.any(axis=1) & ~within.all(axis=1)
            count += int(patterns.sums[across, 0].sum())
        return count

    def meat(self, chance: Floats) -> Floats:
        """Sum S Sᵀ over all clusters.

        Parameters
        ----------
        chance : ndarray of float64, shape (bots, bots)
            Probability that the row's bot finishes ahead of the column's; one half on the diagonal.

        Returns
        -------
        ndarray of float64, shape (bots, bots)
        """
        total = np.zeros((len(self.bots), len(self.bots)))
        for seats in sorted(self._patterns):
            total += self._patterns[seats].meat(chance)
        for key in sorted(self._mixed):
            mixed = self._mixed[key]
            total[np.ix_(mixed.bots, mixed.bots)] += mixed.meat(chance)
        return total

    # Filling --------------------------------------------------------------------------------------------

    def add(
        self,
        group: Ints | Sequence[int],
        lineup: Ints | Sequence[int],
        bots: Ints | Sequence[Sequence[int]],
        standings: Ints | Sequence[Sequence[int]],
        winner: Ints | Sequence[int],
        count: Counts | None = None,
        times: Counts | None = None,
    ) -> None:
        """Add a batch of whole groups: m matches at a table of n seats.

        Parameters
        ----------
        group : int64[m]
            What shares luck. All matches of a group must be in one batch; numbers mean nothing beyond it.
        lineup : int32[m]
            A hint: matches with the same number usually have the same bots. A wrong one costs only time.
        bots : int32[m, n]
            Number of the bot in each seat.
        standings : int8[m, n]
            1 = first, by seat; equal numbers are ties.
        winner : int8[m]
            Seat, -1 for nobody.
        count : int64[m], optional
            How often each match happened within its group; once by default.
        times : int64[m], optional
            How many independent groups like this there were (the same for all matches of a group); one by
            default.

        Raises
        ------
        PresiError
            If shapes do not fit each other, or a number is out of range.
        """
        part = Part(np.asarray(group), np.asarray(bots), np.asarray(standings), np.asarray(winner), count)
        _checked(part, len(self.bots))
        hint, m = np.asarray(lineup), len(part.group)
        if hint.shape != (m,):
            raise PresiError(f"lineup has shape {hint.shape}: allowed is {(m,)}, as group")
        if times is not None and (times.shape != (m,) or (m and int(times.min()) < 1)):
            raise PresiError(f"times: allowed are {m} whole numbers from 1 on, one for each match")
        cuts = _steps(part.group)
        for start, stop in zip(cuts, [*cuts[1:], m], strict=True):
            if start < stop:
                self._add_step(part, hint, times, slice(start, stop))

    def add_joined(self, parts: Sequence[Part]) -> None:
        """Add whole groups whose matches are spread over parts, as of several numbers of seats.

        Slow: about 0.1 ms a group, and memory may grow with the number of groups.

        Parameters
        ----------
        parts : sequence of Part
            Equal group numbers are one group, in whichever part they stand.

        Raises
        ------
        PresiError
            If shapes do not fit each other, or a number is out of range.
        """
        rows = []
        for part in [_checked(part, len(self.bots)) for part in parts]:
            if len(part.group):
                rows.append(self._rows(part, part.group, None))
                self._add_winners(part, None)
        self._add_mixed(rows)

    def merge(self, other: Tally) -> None:
        """Add what another tally holds; no group may be in both.

        Raises
        ------
        PresiError
            If the other one is of other bots, or of the same in another order.
        """
        if other.bots != self.bots:
            raise PresiError(f"tallies of different bots: {', '.join(self.bots)} and {', '.join(other.bots)}")
        for name in ("matches", "wins", "groups", "match_count", "group_count", "_pairs"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        for seats, points in other._points.items():
            self._points[seats] = self._points.get(seats, 0) + points
        for seats, patterns in other._patterns.items():
            self._patterns.setdefault(seats, _Patterns(seats)).add(patterns.key.copy(), patterns.sums.copy())
        for key, mixed in other._mixed.items():
            self._put_mixed(key, replace(mixed))

    # Steps ----------------------------------------------------------------------------------------------

    def _pair_counts(self) -> Counts:
        size = len(self.bots)
        pairs = self._pairs.reshape(size, size, 3).copy()
        pairs[np.arange(size), np.arange(size)] = 0  # a bot is not rated against itself
        return pairs

    def _add_step(self, part: Part, hint: Ints, times: Counts | None, rows: slice) -> None:
        """Add some whole groups."""
        piece = Part(
            part.group[rows],
            part.bots[rows],
            part.standings[rows],
            part.winner[rows],
            None if part.count is None else part.count[rows],
        )
        ready = self._rows(piece, hint[rows], None if times is None else times[rows])
        self._add_winners(piece, ready.times)
        starts = _starts(ready.group)
        if (np.diff(ready.group[starts]) <= 0).any():
            ready = ready.take(np.argsort(ready.group, kind="stable"))
            starts = _starts(ready.group)
        changed = _boundaries(*ready.bots)
        changed[starts] = False
        if changed.any():
            sizes = np.diff(starts, append=len(ready.group))
            apart = np.repeat(np.logical_or.reduceat(changed, starts), sizes)
            self._add_mixed([ready.take(np.flatnonzero(apart))])
            ready = ready.take(np.flatnonzero(~apart))
            starts = _starts(ready.group)
        if len(starts):
            self._add_groups(ready, starts)

    def _add_winners(self, part: Part, times: Counts | None) -> None:
        m, n = part.bots.shape
        weight = _product(part.count, times)
        self.match_count += m if weight is None else int(weight.sum())
        won = part.bots.ravel()[np.arange(m) * n + part.winner]
        if part.winner.min() < 0:
            kept = part.winner >= 0
            won, weight = won[kept], None if weight is None else weight[kept]
        self.wins += _count(won, weight, len(self.bots))

    def _rows(self, part: Part, lineup: Ints, times: Counts | None) -> _Rows:
        """Sort the seats of each match by bot, and count matches and pairs on the way."""
        m, n = part.bots.shape
        size, bits = len(self.bots), (2 * n).bit_length()
        place = np.ascontiguousarray(part.standings.T)
        scores = np.full((n, m), n - 1, np.int8 if n <= 60 else np.int32)
        for s in range(n):
            for t in range(s + 1, n):
                better = np.less(place[s], place[t]).view(np.int8) - np.less(place[t], place[s]).view(np.int8)
                scores[s] += better
                scores[t] -= better
        # One number per seat, so that sorting by bot carries the score along.
        keys: Ints = part.bots.T.astype(np.int32 if size << bits < 2**31 else np.int64, order="C")
        np.left_shift(keys, bits, out=keys)
        np.add(keys, scores, out=keys)
        _sort_columns(keys)
        weight = _product(part.count, times)
        seen = _count(keys.ravel(), None if weight is None else np.tile(weight, n), size << bits)
        seen = seen.reshape(size, 1 << bits)
        self.matches += seen.sum(axis=1)
        points = self._points.setdefault(n, np.zeros(size, np.int64))
        points += seen @ np.arange(1 << bits)
        bots = keys >> bits
        np.bitwise_and(keys, (1 << bits) - 1, out=keys)
        self._add_pairs(bots, keys, weight)
        return _Rows(part.group, bots, keys, lineup, part.count, times)

    def _add_pairs(self, bots: Ints, scores: Ints, weight: Counts | None) -> None:
        size = len(self.bots)
        wide = np.int32 if 3 * size * size < 2**31 else np.int64
        second: Ints = bots.astype(wide) * 3
        first: Ints = second * size
        for a, b in _upper(len(bots)):
            if a != b:
                cell = first[a] + second[b]
                cell += np.greater(scores[a], scores[b]).view(np.int8)
                cell += np.greater_equal(scores[a], scores[b]).view(np.int8)
                self._pairs += _count(cell, weight, len(self._pairs))

    def _add_groups(self, rows: _Rows, starts: Ints) -> None:
        """Add groups that have one lineup each to the sums of their patterns."""
        n = len(rows.bots)
        sizes = np.diff(starts, append=len(rows.group))
        sums = _group_sums(rows.scores if rows.count is None else rows.scores * rows.count, starts, sizes)
        if rows.count is not None:
            sizes = np.add.reduceat(rows.count, starts)
        key = np.concatenate([rows.bots[:, starts], sizes[None].astype(np.int64)])
        hint = rows.lineup[starts].astype(np.int64)
        # Usually lineup numbers are right and sorting by them is enough; if not, sort by the bots themselves.
        order = _order(hint * (int(sizes.max()) + 1) + sizes)
        new = _boundaries(hint[order], sizes[order])
        if (key[:, order[1:]] != key[:, order[:-1]])[:, ~new[1:]].any():
            order = np.lexsort(key[::-1])
            new = _boundaries(*key[:, order])
        first = np.flatnonzero(new)
        key, sums = key[:, order[first]], sums[:, order]
        times = None if rows.times is None else rows.times[starts][order]
        total = len(order) if times is None else int(times.sum())
        if total * int(sums.max()) ** 2 > _LARGEST:
            raise PresiError(f"{int(sizes.max()):,} matches in one group: too many to add up exactly")
        columns = np.ones((1 + n + len(_upper(n)), len(order)), np.int64)
        columns[1 : n + 1] = sums
        for at, (a, b) in enumerate(_upper(n)):
            np.multiply(sums[a], sums[b], out=columns[1 + n + at])
        if times is not None:
            columns *= times
        found = np.add.reduceat(columns, first, axis=1)
        self._patterns.setdefault(n, _Patterns(n)).add(key.T, found.T)
        self.group_count += total
        for at in range(n):
            once = slice(None) if at == 0 else key[at] != key[at - 1]
            self.groups += _count(key[at][once], found[0][once], len(self.bots))

    def _add_mixed(self, parts: Sequence[_Rows]) -> None:
        """Add groups of any matches, one by one."""
        numbers = np.unique(np.concatenate([np.zeros(0, np.int64), *(part.group for part in parts)]))
        ordered = [part.take(np.argsort(part.group, kind="stable")) for part in parts]
        bounds = [
            (np.searchsorted(part.group, numbers), np.searchsorted(part.group, numbers, side="right"))
            for part in ordered
        ]
        for at in range(len(numbers)):
            together = zip(ordered, bounds, strict=True)
            self._add_one([part.take(np.arange(a[at], b[at])) for part, (a, b) in together if a[at] < b[at]])

    def _add_one(self, parts: Sequence[_Rows]) -> None:
        """Add one group."""
        bots = np.unique(np.concatenate([part.bots.ravel() for part in parts])).astype(np.int64)
        size = len(bots)
        games, sums = np.zeros((size, size), np.int64), np.zeros(size, np.int64)
        times = 1 if parts[0].times is None else int(parts[0].times[0])
        for part in parts:
            local = np.searchsorted(bots, part.bots)
            count = np.ones(len(part.group), np.int64) if part.count is None else part.count
            # Matches of a bot against itself stay in: score and expectation of them cancel.
            np.add.at(sums, local, part.scores * count)
            for a, b in _upper(len(local)):
                if a != b:
                    np.add.at(games, (local[a], local[b]), count)
                    np.add.at(games, (local[b], local[a]), count)
        self.group_count += times
        self.groups[bots] += times
        if times * int(sums.max()) ** 2 > _LARGEST:
            raise PresiError(f"{int(games.sum()):,} meetings in one group: too many to add up exactly")
        key = bots.tobytes() + b"|" + games.tobytes()
        self._put_mixed(key, _Mixed(bots, games, times, sums * times, np.outer(sums, sums) * times))

    def _put_mixed(self, key: bytes, new: _Mixed) -> None:
        old = self._mixed.get(key)
        if old is not None:
            new.groups += old.groups
            new.sums = new.sums + old.sums
            new.cross = new.cross + old.cross
        self._mixed[key] = new


# Helpers ------------------------------------------------------------------------------------------------


def _checked(part: Part, number: int) -> Part:
    """Refuse what does not fit, before anything is added; `number` bots are known."""
    bots = part.bots
    if bots.ndim != 2 or bots.shape[1] < 2:
        raise PresiError(f"bots has shape {bots.shape}: allowed is (matches, seats) with at least 2 seats")
    m, n = bots.shape
    if part.standings.shape != (m, n):
        raise PresiError(f"standings has shape {part.standings.shape}: allowed is {(m, n)}, as bots")
    for name in ("group", "winner"):
        if getattr(part, name).shape != (m,):
            raise PresiError(f"{name} has shape {getattr(part, name).shape}: allowed is {(m,)}")
    if part.count is not None and (part.count.shape != (m,) or (m and int(part.count.min()) < 1)):
        raise PresiError(f"count: allowed are {m} whole numbers from 1 on, one for each match")
    if m:
        limits = [("bot", bots, 0, number - 1), ("standing", part.standings, 1, n)]
        for name, values, low, high in [*limits, ("winner", part.winner, -1, n - 1)]:
            for value in (int(values.min()), int(values.max())):
                if not low <= value <= high:
                    raise PresiError(f"{name} {value}: allowed are {low} to {high}")
    return part


def _upper(n: int) -> list[tuple[int, int]]:
    """Cells of the upper triangle of a matrix, with the diagonal."""
    return [(a, b) for a in range(n) for b in range(a, n)]


def _steps(group: Ints) -> list[int]:
    """Cut matches into steps of whole groups; one step where groups do not stand together in order."""
    m = len(group)
    if m <= _STEP or (group[1:] < group[:-1]).any():
        return [0]
    cuts = [0]
    while m - cuts[-1] > _STEP:
        # The start of the group that the step's end falls into; of the next one if it fills the step.
        across = group[cuts[-1] + _STEP]
        at = int(np.searchsorted(group, across, side="left"))
        if at <= cuts[-1]:
            at = int(np.searchsorted(group, across, side="right"))
        if at >= m:
            break
        cuts.append(at)
    return cuts


def _starts(group: Ints) -> NDArray[np.intp]:
    """Rows where another group begins."""
    return np.flatnonzero(_boundaries(group))


def _boundaries(*columns: Ints) -> NDArray[np.bool_]:
    """Whether each row differs from the one before; the first does."""
    new = np.ones(len(columns[0]), np.bool_)
    new[1:] = False
    for column in columns:
        new[1:] |= column[1:] != column[:-1]
    return new


def _sort_columns(keys: Ints) -> None:
    """Sort each column of a matrix with few rows, in place."""
    n, m = keys.shape
    if n > 10:
        keys.sort(axis=0)
        return
    low = np.empty(m, keys.dtype)
    for last in range(n - 1, 0, -1):
        for at in range(last):
            np.minimum(keys[at], keys[at + 1], out=low)
            np.maximum(keys[at], keys[at + 1], out=keys[at + 1])
            keys[at] = low


def _group_sums(values: Ints, starts: Ints, sizes: Ints) -> Counts:
    """Sum each row of a matrix by group."""
    size = int(sizes[0])
    if size <= 32 and (sizes == size).all():
        total = values[:, ::size].astype(np.int64)
        for at in range(1, size):
            total += values[:, at::size]
        return total
    return np.asarray(np.add.reduceat(values, starts, axis=1, dtype=np.int64))


def _order(key: Counts) -> NDArray[np.intp]:
    """Order that sorts whole numbers; by radix where they span little."""
    low, high = int(key.min()), int(key.max())
    return np.argsort((key - low).astype(np.uint16) if high - low < 65_536 else key, kind="stable")


def _count(cells: Ints, weight: Counts | None, size: int) -> Counts:
    """Count whole numbers below a size, exactly."""
    if weight is None:
        return np.bincount(cells, minlength=size).astype(np.int64, copy=False)
    if int(weight.sum()) > _LARGEST:
        raise PresiError(f"{int(weight.sum()):,} matches: too many to count exactly")
    return np.rint(np.bincount(cells, weights=weight, minlength=size)).astype(np.int64)


def _product(a: Counts | None, b: Counts | None) -> Counts | None:
    """Multiply, None being all ones."""
    if a is None or b is None:
        return b if a is None else a
    return np.asarray(a * b, np.int64)


def _longer(array: Counts, rows: int) -> Counts:
    """Copy an array with more rows, zero where new."""
    longer = np.zeros((rows, *array.shape[1:]), array.dtype)
    longer[: len(array)] = array
    return longer


def _ratio(total: Floats, count: Counts) -> Floats:
    """Divide; NaN where there is nothing to divide by."""
    return np.asarray(np.divide(total, count, out=np.full(len(total), np.nan), where=count > 0))
