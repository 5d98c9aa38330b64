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

import numpy as np
from numpy.typing import NDArray

from harness.errors import PresiError
from harness.ratings.columns import (
    LARGEST,
    Counts,
    Floats,
    Ints,
    boundaries,
    count_below,
    group_starts,
    group_sums,
    product,
    ratio,
    sort_columns,
    sorting,
    upper,
)
from harness.ratings.patterns import Mixed, Patterns

# Matches per step: columns of one step stay in the processor's cache.
_STEP = 32_768


@dataclass(frozen=True)
class Part:
    """Matches of one number of seats.

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

    def rows(self, which: Ints | slice) -> Part:
        """Give some of the matches."""
        count = None if self.count is None else self.count[which]
        return Part(self.group[which], self.bots[which], self.standings[which], self.winner[which], count)


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
        self._patterns: dict[int, Patterns] = {}
        self._mixed: dict[bytes, Mixed] = {}

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
        return ratio(total, self.matches)

    @property
    def win_rate(self) -> Floats:
        """Share of its seats each bot won, 0 to 1; NaN for one that did not play."""
        return ratio(self.wins.astype(np.float64), self.matches)

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
            self._patterns.setdefault(seats, Patterns(seats)).add(patterns.key.copy(), patterns.sums.copy())
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
        piece = part.rows(rows)
        ready = self._rows(piece, hint[rows], None if times is None else times[rows])
        self._add_winners(piece, ready.times)
        starts = group_starts(ready.group)
        if (np.diff(ready.group[starts]) <= 0).any():
            ready = ready.take(np.argsort(ready.group, kind="stable"))
            starts = group_starts(ready.group)
        changed = boundaries(*ready.bots)
        changed[starts] = False
        if changed.any():
            sizes = np.diff(starts, append=len(ready.group))
            apart = np.repeat(np.logical_or.reduceat(changed, starts), sizes)
            self._add_mixed([ready.take(np.flatnonzero(apart))])
            ready = ready.take(np.flatnonzero(~apart))
            starts = group_starts(ready.group)
        if len(starts):
            self._add_groups(ready, starts)

    def _add_winners(self, part: Part, times: Counts | None) -> None:
        m, n = part.bots.shape
        weight = product(part.count, times)
        self.match_count += m if weight is None else int(weight.sum())
        won = part.bots.ravel()[np.arange(m) * n + part.winner]
        if part.winner.min() < 0:
            kept = part.winner >= 0
            won, weight = won[kept], None if weight is None else weight[kept]
        self.wins += count_below(won, weight, len(self.bots))

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
        sort_columns(keys)
        weight = product(part.count, times)
        seen = count_below(keys.ravel(), None if weight is None else np.tile(weight, n), size << bits)
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
        for a, b in upper(len(bots)):
            if a != b:
                cell = first[a] + second[b]
                cell += np.greater(scores[a], scores[b]).view(np.int8)
                cell += np.greater_equal(scores[a], scores[b]).view(np.int8)
                self._pairs += count_below(cell, weight, len(self._pairs))

    def _add_groups(self, rows: _Rows, starts: Ints) -> None:
        """Add groups that have one lineup each to the sums of their patterns."""
        n = len(rows.bots)
        sizes = np.diff(starts, append=len(rows.group))
        sums = group_sums(rows.scores if rows.count is None else rows.scores * rows.count, starts, sizes)
        if rows.count is not None:
            sizes = np.add.reduceat(rows.count, starts)
        key = np.concatenate([rows.bots[:, starts], sizes[None].astype(np.int64)])
        hint = rows.lineup[starts].astype(np.int64)
        # Usually lineup numbers are right and sorting by them is enough; if not, sort by the bots themselves.
        order = sorting(hint * (int(sizes.max()) + 1) + sizes)
        new = boundaries(hint[order], sizes[order])
        if (key[:, order[1:]] != key[:, order[:-1]])[:, ~new[1:]].any():
            order = np.lexsort(key[::-1])
            new = boundaries(*key[:, order])
        first = np.flatnonzero(new)
        key, sums = key[:, order[first]], sums[:, order]
        times = None if rows.times is None else rows.times[starts][order]
        total = len(order) if times is None else int(times.sum())
        if total * int(sums.max()) ** 2 > LARGEST:
            raise PresiError(f"{int(sizes.max()):,} matches in one group: too many to add up exactly")
        columns = np.ones((1 + n + len(upper(n)), len(order)), np.int64)
        columns[1 : n + 1] = sums
        for at, (a, b) in enumerate(upper(n)):
            np.multiply(sums[a], sums[b], out=columns[1 + n + at])
        if times is not None:
            columns *= times
        found = np.add.reduceat(columns, first, axis=1)
        self._patterns.setdefault(n, Patterns(n)).add(key.T, found.T)
        self.group_count += total
        for at in range(n):
            once = slice(None) if at == 0 else key[at] != key[at - 1]
            self.groups += count_below(key[at][once], found[0][once], len(self.bots))

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
            for a, b in upper(len(local)):
                if a != b:
                    np.add.at(games, (local[a], local[b]), count)
                    np.add.at(games, (local[b], local[a]), count)
        self.group_count += times
        self.groups[bots] += times
        if times * int(sums.max()) ** 2 > LARGEST:
            raise PresiError(f"{int(games.sum()):,} meetings in one group: too many to add up exactly")
        key = bots.tobytes() + b"|" + games.tobytes()
        self._put_mixed(key, Mixed(bots, games, times, sums * times, np.outer(sums, sums) * times))

    def _put_mixed(self, key: bytes, new: Mixed) -> None:
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
