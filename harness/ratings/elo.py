"""Sequential Elo, as sites show it: a curve to look at, not a rating to believe.

After each match every bot gains ``k · (won - expected)`` against each other one, all from the ratings before
the match (Elo 1978). Where it ends depends on the order in which the matches came: shuffling the same results
moves it by tens of points. So the same groups are also taken in shuffled orders, and how far the end moves
stands beside it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import nan
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from harness.errors import PresiError, near
from harness.ratings.tally import Part, Tally

if TYPE_CHECKING:
    import pandas as pd

Floats = NDArray[np.float64]

POINTS = 200
"""At most so many points of a curve are kept."""
_SHUFFLES = 24


@dataclass(frozen=True, eq=False)
class SequentialElo:
    """Where a sequential rating went, and where it would have gone had the matches come otherwise.

    Attributes
    ----------
    bots : list of str
    k : float
        Points for each opponent in a match.
    matches : ndarray of int64, shape (points,)
        After how many matches each point of the curve was taken.
    curve : ndarray of float64, shape (points, bots)
        Elo, in the order in which the matches came; starts at 0.
    shuffled : ndarray of float64, shape (shuffles, bots)
        Where the same groups of matches end in other orders.
    """

    bots: list[str]
    k: float
    matches: NDArray[np.int64]
    curve: Floats
    shuffled: Floats
    _tally: Tally

    @property
    def elo(self) -> Floats:
        """Ratings after the last match, shape (bots,)."""
        return np.asarray(self.curve[-1], np.float64)

    @property
    def cov(self) -> Floats:
        """Covariance of the ends over the shuffled orders, in natural units squared; shape (bots, bots).

        It says how much the order matters, and nothing about how much luck does.
        """
        from harness.ratings.rating import ELO

        return np.asarray(np.cov(self.shuffled.T).reshape(len(self.bots), -1) / ELO**2, np.float64)

    def se_diff(self, a: str, b: str) -> float:
        """Give the standard deviation of a difference over the shuffled orders, in Elo.

        Raises
        ------
        PresiError
            If there is no such bot.
        """
        for bot in (a, b):
            if bot not in self.bots:
                raise PresiError(f"bot {bot!r} is not rated; {near(bot, self.bots)}")
        gap = self.shuffled[:, self.bots.index(a)] - self.shuffled[:, self.bots.index(b)]
        return float(gap.std(ddof=1))

    @cached_property
    def table(self) -> pd.DataFrame:
        """Ratings as a table, best first: the columns of a `Rating`'s.

        ``elo_low`` and ``elo_high`` are the range in which 95 % of the shuffled orders end: no confidence
        interval. ``los_next`` is unknown.
        """
        import pandas as pd

        order = sorted(range(len(self.bots)), key=lambda i: (-round(float(self.elo[i]), 9), self.bots[i]))
        low, high = np.quantile(self.shuffled, (0.025, 0.975), axis=0)
        tally = self._tally
        spread = self.shuffled.std(axis=0, ddof=1)
        return pd.DataFrame(
            {
                "bot": [self.bots[i] for i in order],
                "elo": self.elo[order],
                "elo_low": low[order],
                "elo_high": high[order],
                "score": tally.score[order],
                "win_rate": tally.win_rate[order],
                "matches": tally.matches[order],
                "groups": tally.groups[order],
                "los_next": np.full(len(order), nan),
                "flag": [f"depends on order: sd {spread[i]:.1f}" for i in order],
            }
        )


def elo(
    results: pd.DataFrame | Sequence[Part],
    k: float = 32 / 3,
    shuffles: int = _SHUFFLES,
    seed: int = 0,
    tally: Tally | None = None,
) -> SequentialElo:
    """Rate results one after the other.

    Parameters
    ----------
    results : pandas.DataFrame or sequence of Part
        As for `harness.ratings.bradley_terry`, in the order in which they happened; or parts, with their
        tally.
    k : float
        Elo points for each opponent; above 0.
    shuffles : int
        Orders tried besides the given one; at least 2.
    seed : int
        Of the shuffled orders.

    Returns
    -------
    SequentialElo

    Raises
    ------
    PresiError
        If `k` or `shuffles` is out of range, or the table cannot be read.

    Examples
    --------
    >>> import pandas as pd
    >>> rating = elo(pd.DataFrame({"order": ["a>b>c>d"]}))
    >>> rating.elo.round(3).tolist()
    [16.0, 5.333, -5.333, -16.0]
    """
    if not k > 0:
        raise PresiError(f"k {k}: allowed is a number above 0, in Elo for each opponent in a match")
    if shuffles < 2:
        raise PresiError(f"shuffles {shuffles}: allowed is a whole number from 2 on")
    if tally is None:
        from harness.ratings.orders import read_orders

        orders = read_orders(results)  # type: ignore[arg-type]
        tally, parts = orders.tally(), list(orders.parts)
    else:
        parts = list(results)  # type: ignore[arg-type]
    group, bots, standings = _laid_out(parts)
    number, total = len(tally.bots), len(group)
    marks = np.unique(np.linspace(0, total, min(POINTS, total + 1)).astype(np.int64))
    curve = _climb(bots, standings, np.arange(total), marks, number, k)
    # whole groups are shuffled: matches of one deal come together, as they are played
    names, at = np.unique(group, return_inverse=True)
    rng = np.random.default_rng(seed)
    end = np.array([total], np.int64)
    ends = [
        _climb(bots, standings, np.argsort(rng.permutation(len(names))[at], kind="stable"), end, number, k)[0]
        for _ in range(shuffles)
    ]
    return SequentialElo(list(tally.bots), k, marks, curve, np.array(ends), tally)


def _laid_out(parts: Sequence[Part]) -> tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.int32]]:
    """Put matches of any numbers of seats in one table, in the order of their groups; empty seats are -1."""
    most = max(part.bots.shape[1] for part in parts)
    groups, bots, standings = [], [], []
    for part in parts:
        times = np.ones(len(part.group), np.int64) if part.count is None else part.count
        wide = np.full((len(part.group), most), -1, np.int32)
        wide[:, : part.bots.shape[1]] = part.bots
        places = np.zeros((len(part.group), most), np.int32)
        places[:, : part.bots.shape[1]] = part.standings
        groups.append(np.repeat(np.asarray(part.group, np.int64), times))
        bots.append(np.repeat(wide, times, axis=0))
        standings.append(np.repeat(places, times, axis=0))
    group = np.concatenate(groups)
    order = np.argsort(group, kind="stable")
    return group[order], np.concatenate(bots)[order], np.concatenate(standings)[order]


def _climb(
    bots: NDArray[np.int32],
    standings: NDArray[np.int32],
    order: NDArray[np.int64],
    marks: NDArray[np.int64],
    number: int,
    k: float,
) -> Floats:
    """Give the ratings after so many matches; shape (marks, bots)."""
    # Not at the top: the compiler takes a second to load.
    from harness.ratings.elo_steps import run_elo

    curve = np.zeros((len(marks), number))
    run_elo(bots, standings, order, marks, k, curve)
    return curve
