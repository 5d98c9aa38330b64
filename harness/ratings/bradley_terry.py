"""Bradley-Terry ratings of "a finished the match ahead of b", with errors clustered by deal group.

The chance that a finishes ahead of b is 1 / (1 + exp(theta_b - theta_a)); Elo = 400 / ln 10 * theta. The
pairs of a match are not independent, and neither are the matches of a group, which share their deals: so
the covariance is a sandwich, V = C/(C-1) H+ (sum over groups of S S') H+, with the score S of each group
(Liang and Zeger, "Longitudinal data analysis using generalized linear models", Biometrika 73, 1986).
Taken as independent, the pairs of a four-seat match give intervals that cover 88 % instead of 95 %.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ..errors import PresiError
from .tally import Tally

if TYPE_CHECKING:
    import pandas as pd

ELO = 400 / np.log(10)
"""Elo points in one unit of theta."""

_STEPS = 200
_CLOSE = 1e-12


class BradleyTerry:
    """Ratings of the bots of a tally.

    Attributes
    ----------
    bots : tuple of str
    theta : float[B]
        Natural units; they sum to zero.
    cov : float[B, B]
        Covariance of `theta`; NaN with fewer than two groups.
    games : int64[B, B]
        How often two bots met.
    ahead : float[B, B]
        How often the row's bot finished ahead of the column's, ties half.
    flags : list of str
        ``never ahead`` or ``always ahead`` for a bot whose rating is finite only by half a pseudo-win, or
        what else to know of it; else empty.
    """

    def __init__(
        self, tally: Tally, theta: NDArray[np.float64], cov: NDArray[np.float64], flags: list[str], shift: float
    ) -> None:
        self.tally, self.theta, self.cov, self.flags = tally, theta, cov, flags
        self.bots = tally.bots
        self.games, self.ahead = tally.games, tally.ahead2 / 2
        self._shift = shift

    @property
    def elo(self) -> NDArray[np.float64]:
        """Ratings in Elo: mean zero, or as the anchor says."""
        return ELO * self.theta + self._shift

    @cached_property
    def _quantile(self) -> float:
        """97.5 % point of Student's t with one degree of freedom less than there are groups."""
        from scipy.special import stdtrit

        degrees = self.tally.group_count - 1
        return float(stdtrit(degrees, 0.975)) if degrees > 0 else np.nan

    def se_diff(self, a: str, b: str) -> float:
        """Give the standard error of the difference of two ratings, in Elo."""
        i, j = self._number(a), self._number(b)
        return float(ELO * np.sqrt(max(self.cov[i, i] + self.cov[j, j] - 2 * self.cov[i, j], 0)))

    def interval(self, bot: str) -> tuple[float, float]:
        """Give the 95 % interval of a rating against the mean of all, in Elo."""
        i = self._number(bot)
        half = self._quantile * ELO * float(np.sqrt(max(self.cov[i, i], 0)))
        return float(self.elo[i]) - half, float(self.elo[i]) + half

    def superiority(self, a: str, b: str) -> float:
        """Give the likelihood that a is truly better than b, by the normal distribution."""
        from scipy.special import ndtr

        difference = float(self.elo[self._number(a)] - self.elo[self._number(b)])
        error = self.se_diff(a, b)
        if error == 0:
            return 0.5 if difference == 0 else float(difference > 0)
        return float(ndtr(difference / error))

    def _number(self, bot: str) -> int:
        if bot not in self.bots:
            raise PresiError(f"no bot {bot!r} in these ratings; there are {', '.join(self.bots)}")
        return self.bots.index(bot)

    @cached_property
    def table(self) -> pd.DataFrame:
        """The ratings, best first.

        Returns
        -------
        pandas.DataFrame
            Columns bot, elo, elo_low, elo_high (95 %), score, win_rate, matches, groups, los_next (the
            likelihood of being better than the next bot in the list), flag.
        """
        import pandas as pd

        tally = self.tally
        order = sorted(range(len(self.bots)), key=lambda i: (-self.theta[i], self.bots[i]))
        names = [self.bots[i] for i in order]
        bounds = [self.interval(name) for name in names]
        better = [self.superiority(a, b) for a, b in zip(names, names[1:], strict=False)]
        with np.errstate(invalid="ignore"):
            win_rate = tally.wins / tally.matches
        return pd.DataFrame(
            {
                "bot": names,
                "elo": self.elo[order],
                "elo_low": [low for low, _ in bounds],
                "elo_high": [high for _, high in bounds],
                "score": tally.score[order],
                "win_rate": win_rate[order],
                "matches": tally.matches[order],
                "groups": tally.groups[order],
                "los_next": [*better, np.nan],
                "flag": [self.flags[i] for i in order],
            }
        )


def chances(theta: NDArray[np.float64]) -> NDArray[np.float64]:
    """Give the chance that the row's bot finishes ahead of the column's."""
    return 1 / (1 + np.exp(theta[None, :] - theta[:, None]))


def fit(tally: Tally, anchor: tuple[str, float] | None = None) -> BradleyTerry:
    """Rate the bots of a tally.

    Parameters
    ----------
    tally : Tally
    anchor : (str, float), optional
        A bot and the Elo it is to have; else the mean of all is zero.

    Returns
    -------
    BradleyTerry

    Raises
    ------
    PresiError
        If there is nothing to rate, or bots fall into groups that never met (named).
    """
    if not tally.games.any():
        raise PresiError("no two different bots have met: there is nothing to rate")
    _refuse_islands(tally)
    ahead, flags = _made_finite(tally)
    games = ahead + ahead.T
    theta = _newton(games, ahead)
    chance = chances(theta)
    number = len(tally.bots)
    information = _information(games, chance)
    mean = np.full((number, number), 1 / number)
    scale = np.trace(information) / number
    inverse = np.linalg.inv(information + scale * mean) - mean / scale
    count = tally.group_count
    if count > 1:
        cov = count / (count - 1) * inverse @ tally.meat(chance) @ inverse
    else:
        cov = np.full((number, number), np.nan)
        flags = [flag or "one group only" for flag in flags]
    shift = 0.0
    if anchor is not None:
        bot, value = anchor
        if bot not in tally.bots:
            raise PresiError(f"anchor {bot!r}: no such bot; there are {', '.join(tally.bots)}")
        shift = value - float(ELO * theta[tally.bots.index(bot)])
    return BradleyTerry(tally, theta, cov, flags, shift)


def _information(games: NDArray[np.float64], chance: NDArray[np.float64]) -> NDArray[np.float64]:
    """Give the Fisher information of theta: sum of n p (1 - p) (e_i - e_j)(e_i - e_j)'."""
    weights = games * chance * (1 - chance)
    return np.diag(weights.sum(axis=1)) - weights


def _newton(games: NDArray[np.float64], ahead: NDArray[np.float64]) -> NDArray[np.float64]:
    """Maximise the likelihood; steps are halved while they do not improve it."""
    number = len(games)
    theta = np.zeros(number)
    ones = np.ones((number, number)) / number

    def likelihood(at: NDArray[np.float64]) -> float:
        return float((ahead * -np.logaddexp(0, at[None, :] - at[:, None])).sum())

    best = likelihood(theta)
    for _ in range(_STEPS):
        chance = chances(theta)
        gradient = (ahead - games * chance).sum(axis=1)
        information = _information(games, chance)
        step = np.linalg.solve(information + np.trace(information) * ones, gradient)
        size = 1.0
        while likelihood(theta + size * step) < best - 1e-12 * abs(best) and size > 1e-6:
            size /= 2
        theta = theta + size * step
        theta -= theta.mean()
        best = likelihood(theta)
        if np.abs(step).max() < _CLOSE:
            break
    return theta


def _reach(edges: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Give what can be reached from where along some edges (including oneself)."""
    reach = edges | np.eye(len(edges), dtype=bool)
    while True:
        further = reach @ reach
        if np.array_equal(further, reach):
            return reach
        reach = further


def _refuse_islands(tally: Tally) -> None:
    """Refuse bots that fall into groups which never met."""
    reach = _reach(tally.games > 0)
    islands = {tuple(np.flatnonzero(row).tolist()) for row in reach}
    if len(islands) > 1:
        named = [", ".join(tally.bots[bot] for bot in island) for island in sorted(islands)]
        raise PresiError(
            f"these groups of bots never met, so they have no common rating: {'; '.join(f'({n})' for n in named)}"
        )


def _made_finite(tally: Tally) -> tuple[NDArray[np.float64], list[str]]:
    """Give the counts that have a finite best fit, and what to say of the bots that needed help.

    The best fit is finite exactly if everyone can be reached from everyone along "finished ahead of" (Ford,
    "Solution of a ranking problem from binary comparisons", American Mathematical Monthly 64, 1957). Where
    it is not, each block of bots that reach each other gets half a win and half a loss against the pool of
    the others, spread over the pairs in proportion to how often they met.
    """
    ahead = tally.ahead2 / 2
    reach = _reach(ahead > 0)
    blocks = sorted({tuple(np.flatnonzero(row & column).tolist()) for row, column in zip(reach, reach.T, strict=True)})
    flags = [""] * len(ahead)
    if len(blocks) == 1:
        return ahead, flags
    spread = np.zeros(ahead.shape)
    for block in blocks:
        inside = np.zeros(len(ahead), bool)
        inside[list(block)] = True
        across = tally.games * np.outer(inside, ~inside)
        share = across / across.sum()
        spread = np.maximum(spread, np.maximum(share, share.T))
        lost, won = ahead[~inside][:, inside].sum(), ahead[inside][:, ~inside].sum()
        alone = len(block) == 1
        for bot in block:
            if lost == 0:
                flags[bot] = "always ahead" if alone else "its block is always ahead of the rest"
            elif won == 0:
                flags[bot] = "never ahead" if alone else "its block is never ahead of the rest"
    return ahead + spread / 2, flags
