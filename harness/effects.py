"""What a rule does to the game: measures from the logs, with errors clustered by group, and their changes.

Matches of one group share their deals, so the groups are what is independent. Every measure here is to
first order a sum over groups; an `Estimate` keeps what each group adds to it. So two runs with the same codes
can be compared group by group: what luck does to both of them alike cancels in the difference.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import nan, sqrt
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from .errors import PresiError

if TYPE_CHECKING:
    from .ratings.rating import Rating
    from .store import Batch

Floats = NDArray[np.float64]

LENGTH_FIELDS = ("group", "hand_row", "turns")
"""Fields of a batch that `turns_per_hand` reads."""
ENDS_FIELDS = ("group", "hand_row", "hand", "puestos")
"""Fields of a batch that `gap_of_ends` reads."""
SPREAD_FIELDS = ("group", "bots", "standings")
"""Fields of a batch that `rating_spread` reads."""


@dataclass(frozen=True, eq=False)
class Estimate:
    """A number estimated from groups, and how much of its error each group brings.

    Parameters
    ----------
    value : float
    pulls : ndarray of float64, shape (groups,)
        By how much each group pulls the value away from what it would be without luck, to first order; they
        sum to zero. (In the books: influence values, divided by the number of groups.)

    Examples
    --------
    >>> import numpy as np
    >>> a = ratio(np.array([10.0, 14.0, 12.0]), np.array([2.0, 2.0, 2.0]))
    >>> b = ratio(np.array([11.0, 15.0, 13.0]), np.array([2.0, 2.0, 2.0]))
    >>> a.value, round(a.se, 3), (b - a).value, (b - a).se
    (6.0, 0.577, 0.5, 0.0)
    """

    value: float
    pulls: Floats

    @property
    def se(self) -> float:
        """Standard error; NaN with fewer than two groups."""
        groups = len(self.pulls)
        if groups < 2:
            return nan
        return sqrt(groups / (groups - 1) * float(self.pulls @ self.pulls))

    def half_width(self, confidence: float = 0.95) -> float:
        """Give half the width of the confidence interval (Student's t with one less than the groups)."""
        from scipy.special import stdtrit

        groups = len(self.pulls)
        return self.se * float(stdtrit(groups - 1, 0.5 + confidence / 2)) if groups > 1 else nan

    def interval(self, confidence: float = 0.95) -> tuple[float, float]:
        """Give the ends of the confidence interval."""
        half = self.half_width(confidence)
        return self.value - half, self.value + half

    def __sub__(self, other: Estimate) -> Estimate:
        """Compare two runs group by group: group k of both must have had the same code, or none of them."""
        if len(self.pulls) != len(other.pulls):
            raise PresiError(
                f"runs of {len(self.pulls):,} and {len(other.pulls):,} groups: "
                "only runs of equally many can be compared group by group"
            )
        return Estimate(self.value - other.value, self.pulls - other.pulls)

    def __truediv__(self, number: float) -> Estimate:
        return Estimate(self.value / number, self.pulls / number)


def ratio(parts: Floats, wholes: Floats) -> Estimate:
    """Estimate a ratio of two sums, given what each group brings to both.

    Parameters
    ----------
    parts, wholes : ndarray of float64, shape (groups,)

    Raises
    ------
    PresiError
        If the wholes sum to nothing.
    """
    whole = float(wholes.sum())
    if whole == 0:
        raise PresiError("there is nothing to measure in these matches")
    value = float(parts.sum()) / whole
    return Estimate(value, np.asarray((parts - value * wholes) / whole, np.float64))


def turns_per_hand(batches: Iterable[Batch], groups: int) -> Estimate:
    """Estimate the length of a hand, in turns (plays and passes).

    Parameters
    ----------
    batches : iterable of Batch
        With at least `LENGTH_FIELDS`.
    groups : int
        Groups of the run.

    Raises
    ------
    PresiError
        If there are no hands.
    """
    turns, hands = np.zeros(groups), np.zeros(groups)
    for batch in batches:
        group = batch.group[batch.hand_row]
        turns += _by_group(group, groups, batch.turns)
        hands += _by_group(group, groups)
    return ratio(turns, hands)


def gap_of_ends(batches: Iterable[Batch], groups: int) -> Estimate:
    """Estimate how far last hand's president ends up in front of last hand's last, in places.

    Over all hands but the first of a match: place of who was last in the hand before, less place of who was
    president; 0 if what was before does not matter, n - 1 at most. It is the two differences that make up a
    hand's start, the lead and the exchange, and (unless all bots are equal) that presidents are better bots.

    Parameters
    ----------
    batches : iterable of Batch
        With at least `ENDS_FIELDS`; hands in order.
    groups : int
        Groups of the run.

    Raises
    ------
    PresiError
        If no match has a second hand.
    """
    gaps, hands = np.zeros(groups), np.zeros(groups)
    for batch in batches:
        later = np.flatnonzero(batch.hand > 1)
        before, now = batch.puestos[later - 1], batch.puestos[later].astype(np.float64)
        rows = np.arange(len(later))
        gap = now[rows, before.argmax(axis=1)] - now[rows, before.argmin(axis=1)]
        group = batch.group[batch.hand_row[later]]
        gaps += _by_group(group, groups, gap)
        hands += _by_group(group, groups)
    return ratio(gaps, hands)


def worth_of_leading(last_leads: Estimate, president_leads: Estimate) -> Estimate:
    """Estimate what having the lead is worth, in places, from two runs that differ in `later_leader` only.

    Whoever leads holds other cards than the rest (the last has given its best, the president has got them),
    so comparing leaders with the others would mostly compare cards. But whether the last or the president
    leads, each of the two holds the same cards in both runs; what changes is the lead. Half the change of the
    gap between them is what it gives, the mean of what it gives to the one and to the other.

    Parameters
    ----------
    last_leads, president_leads : Estimate
        The `gap_of_ends` of equal bots under the two rules.

    Examples
    --------
    >>> import numpy as np
    >>> gap = [Estimate(places, np.zeros(2)) for places in (0.5, 1.5)]
    >>> worth_of_leading(*gap).value
    0.5
    """
    return (president_leads - last_leads) / 2


def rating_spread(rating: Rating, batches: Iterable[Batch], groups: int) -> Estimate:
    """Estimate how far bots are apart: the standard deviation of their ratings, in Elo.

    The rules under which the same bots are further apart leave less to luck. The errors are those of the
    ratings (see `harness.ratings.bradley_terry`), taken to the spread by its derivative.

    Parameters
    ----------
    rating : Rating
        The fit to all of these batches.
    batches : iterable of Batch
        With at least `SPREAD_FIELDS`.
    groups : int
        Groups of the run.

    Raises
    ------
    PresiError
        If all ratings are equal.
    """
    from .ratings.newton import information, logistic, pseudo_inverse
    from .ratings.rating import ELO

    theta, number = rating.theta, len(rating.theta)
    apart = theta - theta.mean()
    spread = sqrt(float(apart @ apart) / number)
    if spread == 0:
        raise PresiError("the ratings of all bots are equal: their spread is 0, without an interval")
    chance = logistic(theta[:, None] - theta[None, :])[0]
    # what one more unit of score for a bot does to the spread
    slope = pseudo_inverse(information(theta, rating.games.astype(np.float64))) @ (apart / (number * spread))
    pulls = np.zeros(groups)
    for batch in batches:
        bots, standings = batch.bots, batch.standings
        for a in range(bots.shape[1]):
            for b in range(a):
                i, j = bots[:, a], bots[:, b]
                won = (1.0 + np.sign(standings[:, b] - standings[:, a])) / 2
                # a bot against itself adds as much as it takes
                pulls += _by_group(batch.group, groups, (won - chance[i, j]) * (slope[i] - slope[j]))
    return Estimate(ELO * spread, ELO * pulls)


def _by_group(group: NDArray[Any], groups: int, values: NDArray[Any] | None = None) -> Floats:
    """Sum values, or count rows, by group."""
    return np.asarray(np.bincount(group, weights=values, minlength=groups), np.float64)
