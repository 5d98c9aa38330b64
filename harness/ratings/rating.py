"""Ratings of some bots and how sure they are, whichever model they were fitted with."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import inf, isfinite, log, nan, sqrt
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from harness.errors import PresiError, near
from harness.ratings.tally import Tally

if TYPE_CHECKING:
    import pandas as pd

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]

ELO = 400.0 / log(10.0)
"""Elo points per unit of θ: 400 points are odds of ten to one."""

# Draws behind the simultaneous intervals: their quantile is then sure to about half a percent.
_DRAWS = 20_000


@dataclass(frozen=True, eq=False)
class Rating:
    """Ratings of some bots and how sure they are; made by `bradley_terry` or `plackett_luce`.

    Bots without a finite rating of their own (always or never ahead of the others, alone or as a block) have
    got a finite one by half a pseudo-win, a flag, and an interval that is open to that side. Where it is one
    bot alone, the other end is the exact bound given the others' ratings (see
    `harness.ratings.meetings`).

    Attributes
    ----------
    method : str
        ``"bt"`` (Bradley-Terry) or ``"pl"`` (Plackett-Luce).
    bots : list of str
        Labels, in the order of all arrays.
    theta : ndarray of float64, shape (bots,)
        Ratings in natural units (log odds), summing to zero unless one is anchored.
    cov : ndarray of float64, shape (bots, bots)
        Covariance V of `theta`, natural units squared (multiply by ``ELO**2`` for Elo); NaN with fewer than
        two clusters, and in row and column of a bot that met others in one group only.
    se_matrix : ndarray of float64, shape (bots, bots)
        Standard error of the difference of each two ratings, Elo; NaN where `cov` is.
    games : ndarray of int64, shape (bots, bots)
        How often two bots met, seat by seat.
    ahead : ndarray of float64, shape (bots, bots)
        How often the row's bot was ahead of the column's, ties half.
    clusters : int
        C, groups in which two different bots met.
    confidence : float
        Of the intervals, 0 to 1.
    flags : list of str
        Remarks, empty for most bots.
    """

    method: str
    bots: list[str]
    theta: Floats
    cov: Floats
    se_matrix: Floats
    games: NDArray[np.int64]
    ahead: Floats
    clusters: int
    confidence: float
    flags: list[str]
    _tally: Tally
    _above: Flags  # is the row's bot linked to the column's by a chain of being ahead?
    _down: Floats  # how far a bot that is always ahead, alone, may be below its rating, Elo; NaN for others
    _up: Floats  # how far one that is never ahead may be above
    _held: int | None

    @property
    def elo(self) -> Floats:
        """Ratings in Elo, shape (bots,)."""
        return np.asarray(self.theta * ELO, np.float64)

    def se_diff(self, a: str, b: str) -> float:
        """Give the standard error of the difference between two bots' ratings, in Elo; NaN if unknown.

        Raises
        ------
        PresiError
            If there is no such bot.
        """
        return float(self.se_matrix[self._index(a), self._index(b)])

    def interval(self, bot: str) -> tuple[float, float]:
        """Give the confidence interval of a bot's rating against the mean of all or the anchor, in Elo.

        Infinite to the side on which the results set no bound; (NaN, NaN) if the bot met others in fewer
        than two groups.

        Raises
        ------
        PresiError
            If there is no such bot.
        """
        at = self._index(bot)
        centre = float(self.elo[at])
        if self._held is not None:
            lead, low, high = self._lead(at, self._held)
            return centre - lead + low, centre - lead + high
        variance = float(self.cov[at, at])
        if not isfinite(variance):
            return nan, nan
        half = self._quantile * ELO * sqrt(max(variance, 0.0))
        # Against the mean of all, which moves along, a bot moves by less than against the others.
        part = 1.0 - 1.0 / len(self.bots)
        down = part * self._down[at] if isfinite(self._down[at]) else half
        up = part * self._up[at] if isfinite(self._up[at]) else half
        # The results bound a rating from above only by those it finished behind, be it through others.
        others = self._above & ~self._above.T
        below = others[at].any() or not others.any()
        behind = others[:, at].any() or not others.any()
        return float(centre - down) if below else -inf, float(centre + up) if behind else inf

    def lead(self, a: str, b: str) -> tuple[float, float, float]:
        """Give how far a is ahead of b, in Elo, with the confidence interval of that difference.

        Infinite to the side on which the results set no bound; NaN if one of them met others in fewer than
        two groups. It does not depend on an anchor, nor on how sure other bots' ratings are.

        Raises
        ------
        PresiError
            If there is no such bot.
        """
        return self._lead(self._index(a), self._index(b))

    def lead_among_all(self, a: str, b: str) -> tuple[float, float, float]:
        """Give how far a is ahead of b, in Elo, with an interval that allows for looking at every pair.

        With the confidence of the ratings, the intervals of *all* pairs hold at once: Tukey's idea, with the
        quantile of max |x_i - x_j| / SE_ij, x of the ratings' own covariance, found by seeded draws.
        Infinite and NaN as in `lead`; an exact end is left as it is.

        Raises
        ------
        PresiError
            If there is no such bot.
        """
        return self._lead(self._index(a), self._index(b), self.quantile_of_all)

    @cached_property
    def quantile_of_all(self) -> float:
        """Standard errors to each side that hold all differences at once; NaN if no two have an error."""
        known = np.isfinite(np.diag(self.cov))
        error = self.se_matrix[np.ix_(known, known)] / ELO
        first, second = np.nonzero(np.triu(error > 0, 1))
        if not len(first):
            return nan
        values, vectors = np.linalg.eigh(self.cov[np.ix_(known, known)])
        root = vectors * np.sqrt(np.maximum(values, 0.0))
        rng = np.random.default_rng(0)
        scale = 1.0 / error[first, second]
        step = max(1, 2_000_000 // len(first))
        most = np.zeros(_DRAWS)
        for start in range(0, _DRAWS, step):
            part = most[start : start + step]
            x = rng.standard_normal((len(part), len(root))) @ root.T
            part[:] = (np.abs(x[:, first] - x[:, second]) * scale).max(axis=1)
        # Student's t of many at once: the errors themselves are estimated from so many clusters
        most /= np.sqrt(rng.chisquare(self.clusters - 1, _DRAWS) / (self.clusters - 1))
        return float(np.quantile(most, self.confidence))

    def superiority(self) -> Floats:
        """Give how likely the row's bot is stronger than the column's; shape (bots, bots).

        Φ(difference / SE), 0 to 1; one half on the diagonal, NaN where the error is unknown.
        """
        number = len(self.bots)
        return np.array([[self._superior(i, j) for j in range(number)] for i in range(number)], np.float64)

    def share(self, a: str, b: str) -> float:
        """Give the share of their shared matches in which a finished ahead of b, ties half; NaN if none."""
        i, j = self._index(a), self._index(b)
        games = float(self.games[i, j])
        return float(self.ahead[i, j]) / games if games else nan

    def worst_misfit(self, least: float = 0.02, games: int = 1_000) -> tuple[str, str, float, float] | None:
        """Find the pair whose results are furthest from what the ratings say.

        Parameters
        ----------
        least : float
            Smallest difference of shares worth telling.
        games : int
            Fewest meetings of a pair worth looking at.

        Returns
        -------
        (str, str, float, float) or None
            A bot, the one it met, the share of matches it finished ahead, and what the ratings say.
        """
        expected = 1 / (1 + np.exp(self.theta[None, :] - self.theta[:, None]))
        enough = self.games >= games
        seen = np.where(enough, self.ahead / np.maximum(self.games, 1), expected)
        i, j = np.unravel_index(int(np.argmax(np.abs(seen - expected))), seen.shape)
        if abs(seen[i, j] - expected[i, j]) < least:
            return None
        return self.bots[i], self.bots[j], float(seen[i, j]), float(expected[i, j])

    @cached_property
    def table(self) -> pd.DataFrame:
        """Ratings as a table, best first.

        Columns: ``bot``, ``elo``, ``elo_low``, ``elo_high``; ``score`` (mean of (n - standing)/(n - 1), 0 to
        1), ``win_rate`` (0 to 1), ``matches`` (seats played), ``groups``; ``los_next`` (likelihood that the
        bot is stronger than the next in the table, 0 to 1; NaN for the last); ``flag`` (a remark or "").
        """
        import pandas as pd

        # By rating as printed with many digits, so that equal ones stand in the order of their names.
        order = sorted(range(len(self.bots)), key=lambda i: (-round(float(self.elo[i]), 9), self.bots[i]))
        ends = [self.interval(self.bots[i]) for i in order]
        return pd.DataFrame(
            {
                "bot": [self.bots[i] for i in order],
                "elo": self.elo[order],
                "elo_low": [low for low, _ in ends],
                "elo_high": [high for _, high in ends],
                "score": self._tally.score[order],
                "win_rate": self._tally.win_rate[order],
                "matches": self._tally.matches[order],
                "groups": self._tally.groups[order],
                "los_next": [*map(self._superior, order, order[1:]), nan],
                "flag": [self.flags[i] for i in order],
            }
        )

    def pairs(self) -> pd.DataFrame:
        """Give for each ordered pair that met how often, and how often the first was ahead.

        Returns
        -------
        pandas.DataFrame
            Columns ``bot``, ``other``, ``games``, ``ahead`` (share, 0 to 1, ties half).
        """
        import pandas as pd

        first, second = np.nonzero(self.games)
        games = self.games[first, second]
        return pd.DataFrame(
            {
                "bot": [self.bots[i] for i in first],
                "other": [self.bots[i] for i in second],
                "games": games,
                "ahead": self.ahead[first, second] / games,
            }
        )

    def _lead(self, i: int, j: int, quantile: float | None = None) -> tuple[float, float, float]:
        """Lead of bot i on bot j, Elo, and its interval; so many standard errors to each side."""
        lead, error = float(self.theta[i] - self.theta[j]) * ELO, float(self.se_matrix[i, j])
        if i == j:
            return 0.0, 0.0, 0.0
        if not isfinite(error):
            return lead, nan, nan
        half = (self._quantile if quantile is None else quantile) * error
        down, up = self._reach(i, j, half), self._reach(j, i, half)
        return lead, lead - down if self._above[i, j] else -inf, lead + up if self._above[j, i] else inf

    def _reach(self, i: int, j: int, half: float) -> float:
        """How far the lead of bot i on bot j may be below its estimate, Elo."""
        ends = [float(end) for end in (self._down[i], self._up[j]) if isfinite(end)]
        if not ends:
            return half
        # Both at once: two bots alone say the same thing twice; else each may be off against those between.
        return max(ends) if len(self.bots) == 2 else sum(ends)

    @cached_property
    def _quantile(self) -> float:
        # Not scipy.stats, which takes half a second to import.
        from scipy.special import stdtrit

        return float(stdtrit(self.clusters - 1, 0.5 + self.confidence / 2))

    def _superior(self, i: int, j: int) -> float:
        """Likelihood that bot i is stronger than bot j."""
        from scipy.special import ndtr

        gap, error = float(self.elo[i] - self.elo[j]), float(self.se_matrix[i, j])
        if i == j:
            return 0.5
        if error == 0:
            return 1.0 if gap > 0 else 0.5
        return float(ndtr(gap / error))

    def _index(self, bot: str) -> int:
        try:
            return self.bots.index(bot)
        except ValueError:
            raise PresiError(f"bot {bot!r} is not rated; {near(bot, self.bots)}") from None
