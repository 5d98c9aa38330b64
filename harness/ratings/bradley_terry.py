"""Bradley-Terry ratings on "a finished the match ahead of b", errors clustered by group.

The model: a finishes ahead of b with probability 1/(1 + exp(θ_b - θ_a)) (Bradley and Terry 1952). The pairs
of a match are not independent, and still less those of a group, in which one deal is played from several
seats. So the estimate is that of independent pairs, but its covariance is the cluster-robust "sandwich"
(Liang and Zeger 1986), with S_c the score of cluster c and C clusters:

    V = C/(C - 1) · H⁺ (Σ_c S_c S_cᵀ) H⁺,    SE_ab = √(V_aa + V_bb - 2 V_ab),    t quantile with C - 1 df.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from harness.ratings.meetings import Anchor, look
from harness.ratings.newton import PairCounts, climb, information, logistic
from harness.ratings.rating import Rating
from harness.ratings.tally import Tally

if TYPE_CHECKING:
    import pandas as pd


def fit(tally: Tally, anchor: Anchor | None = None, confidence: float = 0.95) -> Rating:
    """Rate the bots of a tally.

    Parameters
    ----------
    tally : Tally
        Of any number of matches.
    anchor : (str, float), optional
        A bot and its rating in Elo, which the others are measured against; also as ``{bot: elo}``. By default
        ratings sum to zero.
    confidence : float
        Of the intervals, between 0 and 1.

    Returns
    -------
    Rating
        What is done about results that all went one way, and about bots in one group only, stands in
        `harness.ratings.meetings`.

    Raises
    ------
    PresiError
        If there are no matches, bots that never met (not even through others), an unknown anchor, or a
        confidence out of range.
    WorkError
        If the fit does not converge.
    """
    met = look(tally, anchor, confidence)
    pairs = PairCounts(met.ahead + met.extra)
    theta = climb(pairs)
    meat = tally.meat(logistic(theta[:, None] - theta[None, :])[0])
    cov = met.covariance(theta, information(theta, met.games + 2.0 * met.extra), meat)
    return met.rating("bt", theta, cov)


def rate(
    results: pd.DataFrame | Tally,
    anchor: Anchor | None = None,
    confidence: float = 0.95,
) -> Rating:
    """Rate results from anywhere; to users this is `harness.ratings.bradley_terry`.

    Parameters
    ----------
    results : pandas.DataFrame or Tally
        A table with the columns ``order`` (``a>b>c`` from first to last, ties ``a=b>c``), ``group``
        (optional: what shares luck) and ``count`` (optional: how often that happened; without a group, each
        time independently). See `harness.ratings.orders.tally_orders`.
    anchor, confidence
        As for `fit`.

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
    >>> rating = rate(pd.DataFrame({"order": ["a>b", "b>a"], "count": [64, 36]}))
    >>> rating.table[["bot", "elo"]].round(3).values.tolist()
    [['a', 49.975], ['b', -49.975]]
    >>> round(rating.se_diff("a", "b"), 3)
    36.374
    """
    if isinstance(results, Tally):
        return fit(results, anchor, confidence)
    from harness.ratings.orders import tally_orders

    return fit(tally_orders(results), anchor, confidence)
