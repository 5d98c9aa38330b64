"""Plackett-Luce ratings: a match as a row of choices of who is next, errors clustered by group.

The model: of those still in, each is the next to finish with probability exp(θ_i) / Σ exp(θ_j) (Luce 1959,
Plackett 1975). It looks at whole orders where Bradley and Terry's looks at pairs; its ratings have the same
unit, and where both models hold they agree. So a large difference between the two says that a single number
for a bot hides something. Its covariance is the same cluster-robust sandwich as that of
`harness.ratings.bradley_terry`, with the score of this model.

A tie counts as each order of those who tied, in equal parts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import permutations
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from harness.ratings.meetings import Anchor, look
from harness.ratings.newton import climb
from harness.ratings.rating import Rating
from harness.ratings.tally import Part, Tally

if TYPE_CHECKING:
    import pandas as pd

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Flags = NDArray[np.bool_]

Chunks = Callable[[], Iterable[Sequence[Part]]]
"""Gives all matches anew each time, some parts at a time; no group is in two of these portions."""


def fit(
    tally: Tally,
    chunks: Chunks,
    anchor: Anchor | None = None,
    confidence: float = 0.95,
    independent: bool = False,
) -> Rating:
    """Rate the bots of a tally by whole orders; reads the matches twice.

    Parameters
    ----------
    tally : Tally
        Of the same matches.
    chunks : callable
        See `Chunks`.
    anchor, confidence
        As for `harness.ratings.bradley_terry.fit`.
    independent : bool
        Whether `count` of a part says how many independent groups there were, not how often a match
        happened within its group.

    Returns
    -------
    Rating

    Raises
    ------
    PresiError
        If there are no matches, bots that never met, an unknown anchor, or a confidence out of range.
    WorkError
        If the fit does not converge.
    """
    met = look(tally, anchor, confidence)
    stages = Stages(met.games > 0)
    for chunk in chunks():
        for part in chunk:
            stages.add(part)
    stages.add_pairs(met.extra)
    theta = climb(stages)
    meat = np.zeros(met.games.shape)
    for chunk in chunks():
        meat += _meat(chunk, theta, independent)
    return met.rating("pl", theta, met.covariance(theta, stages.slope(theta)[1], meat))


def rate(results: pd.DataFrame, anchor: Anchor | None = None, confidence: float = 0.95) -> Rating:
    """Rate results from anywhere; to users this is `harness.ratings.plackett_luce`.

    Parameters
    ----------
    results : pandas.DataFrame
        As for `harness.ratings.bradley_terry`.
    anchor, confidence
        As for `harness.ratings.bradley_terry`.

    Returns
    -------
    Rating

    Raises
    ------
    PresiError
        As `fit`, and if the table cannot be read.

    Examples
    --------
    >>> import pandas as pd
    >>> orders = {"a>b>c": 20, "a>c>b": 10, "b>a>c": 15, "b>c>a": 5, "c>a>b": 6, "c>b>a": 4}
    >>> rating = rate(pd.DataFrame({"order": list(orders), "count": list(orders.values())}))
    >>> rating.table[["bot", "elo"]].round(2).values.tolist()
    [['a', 87.1], ['b', 16.66], ['c', -103.75]]
    """
    from harness.ratings.orders import read_orders

    orders = read_orders(results)
    return fit(orders.tally(), lambda: [orders.parts], anchor, confidence, independent=not orders.grouped)


class Stages:
    """The likelihood of Plackett and Luce's model, from how often who was next among which others.

    Parameters
    ----------
    met : ndarray of bool, shape (bots, bots)
        Which two bots met.
    """

    def __init__(self, met: Flags) -> None:
        self.met = met
        number = len(met)
        self._next = np.zeros(number)  # how often each was next
        # by size: bots still in, shape (k, size), and how often they were
        self._sets: dict[int, tuple[Ints, Floats]] = {}

    def add(self, part: Part) -> None:
        """Add matches."""
        number = len(self.met)
        row, order, weight = orders_of(part)
        if part.count is not None:
            weight = weight * part.count[row]
        # The same order is usually there many times.
        order, weight = _distinct(order, weight, number)
        n = order.shape[1]
        for k in range(n - 1):
            self._next += np.bincount(order[:, k], weights=weight, minlength=number)
            self._put(n - k, np.sort(order[:, k:], axis=1), weight)

    def add_pairs(self, ahead: Floats) -> None:
        """Add matches of two: how often the row's bot was ahead of the column's."""
        first, second = np.nonzero(ahead)
        if not len(first):
            return
        weight = ahead[first, second]
        self._next += ahead.sum(axis=1)
        self._put(2, np.sort(np.stack([first, second], axis=1), axis=1), weight)

    def value(self, theta: Floats) -> float:
        """Log likelihood of the ratings."""
        total = float(self._next @ theta)
        for bots, weight in self._sets.values():
            x = theta[bots]
            top = x.max(axis=1)
            total -= float(weight @ (top + np.log(np.exp(x - top[:, None]).sum(axis=1))))
        return total

    def slope(self, theta: Floats) -> tuple[Floats, Floats]:
        """Gradient and information."""
        number = len(theta)
        gradient, cells = self._next.copy(), np.zeros(number * number)
        for bots, weight in self._sets.values():
            x = theta[bots]
            chance = np.exp(x - x.max(axis=1)[:, None])
            chance /= chance.sum(axis=1)[:, None]
            gradient -= np.bincount(
                bots.ravel(), weights=(weight[:, None] * chance).ravel(), minlength=number
            )
            pairs = -weight[:, None, None] * chance[:, :, None] * chance[:, None, :]
            at = bots[:, :, None] * number + bots[:, None, :]
            cells += np.bincount(at.ravel(), weights=pairs.ravel(), minlength=number * number)
        h = cells.reshape(number, number)
        # Rows sum to zero; a bot in two seats of a set adds to its own cell what must not count there.
        np.fill_diagonal(h, 0.0)
        return gradient, h - np.diag(h.sum(axis=1))

    def _put(self, size: int, bots: Ints, weight: Floats) -> None:
        if size in self._sets:
            old, times = self._sets[size]
            bots, weight = np.concatenate([old, bots]), np.concatenate([times, weight])
        self._sets[size] = _distinct(bots, weight, len(self.met))


def orders_of(part: Part) -> tuple[Ints, Ints, Floats]:
    """Give the finishing orders of matches, a tie as each order of those who tied.

    Parameters
    ----------
    part : Part
        m matches of n seats.

    Returns
    -------
    row : ndarray of int64, shape (k,)
        The match that each order is of.
    order : ndarray of int64, shape (k, n)
        Number of the bot that finished first, second, …
    weight : ndarray of float64, shape (k,)
        Those of one match sum to 1.
    """
    n = part.bots.shape[1]
    seats = np.argsort(part.standings, axis=1, kind="stable")
    bots = np.take_along_axis(part.bots, seats, axis=1).astype(np.int64)
    places = np.take_along_axis(part.standings, seats, axis=1)
    tied = places[:, 1:] == places[:, :-1]
    rows, orders, weights = [np.flatnonzero(~tied.any(axis=1))], [bots[~tied.any(axis=1)]], []
    weights.append(np.ones(len(rows[0])))
    kinds, which = np.unique(tied, axis=0, return_inverse=True)
    for kind, same in enumerate(kinds):
        if not same.any():
            continue
        here = np.flatnonzero(which.ravel() == kind)
        level = np.concatenate([[0], np.cumsum(~same)])
        ways = [way for way in permutations(range(n)) if (level[list(way)] == level).all()]
        for way in ways:
            rows.append(here)
            orders.append(bots[here][:, way])
            weights.append(np.full(len(here), 1.0 / len(ways)))
    return np.concatenate(rows), np.concatenate(orders), np.concatenate(weights)


def _meat(chunk: Sequence[Part], theta: Floats, independent: bool) -> Floats:
    """Sum S Sᵀ over the groups of some parts."""
    # Not at the top: SciPy takes a while to load, and Bradley and Terry's model does without.
    from scipy.sparse import csr_array

    number, strength = len(theta), np.exp(theta - theta.max())
    group, bots, scores = [], [], []
    for part in chunk:
        row, order, weight = orders_of(part)
        if part.count is not None and not independent:
            weight = weight * part.count[row]
        share = strength[order]
        left = np.cumsum(share[:, ::-1], axis=1)[:, ::-1]
        # each seat was a candidate in all choices up to its own; the last seat's is none
        hoped = np.cumsum(1.0 / left[:, :-1], axis=1)
        hoped = np.concatenate([hoped, hoped[:, -1:]], axis=1) * share
        score = -hoped
        score[:, :-1] += 1.0
        group.append(np.repeat(part.group[row], order.shape[1]))
        bots.append(order.ravel())
        scores.append((weight[:, None] * score).ravel())
    numbers, at = np.unique(np.concatenate(group), return_inverse=True)
    s = csr_array((np.concatenate(scores), (at, np.concatenate(bots))), shape=(len(numbers), number))
    if not independent:
        return np.asarray((s.T @ s).toarray())
    times = np.ones(len(numbers))
    for part in chunk:
        if part.count is not None:
            times[np.searchsorted(numbers, part.group)] = part.count
    return np.asarray((s.T @ (s * times[:, None])).toarray())


def _distinct(bots: Ints, weight: Floats, number: int) -> tuple[Ints, Floats]:
    """Keep each row of bots once, with the sum of its weights."""
    size = bots.shape[1]
    if number**size < 2**63:
        # As one number each: much faster than comparing rows.
        keys = np.zeros(len(bots), np.int64)
        for column in bots.T:
            keys = keys * number + column
        _, first, at = np.unique(keys, return_index=True, return_inverse=True)
    else:
        _, first, at = np.unique(bots, axis=0, return_index=True, return_inverse=True)
    sums = np.bincount(at.ravel(), weights=weight, minlength=len(first)).astype(np.float64)
    return bots[first], sums
