"""Is A better than B, asked again and again as matches come in: sequential tests that may be stopped.

The unit is one deal played with A and B in every mirrored arrangement; what is looked at is
D = the share of the unit's A-B pairs in which A is ahead, less one half.

Sources: the generalised sequential probability ratio test with a normal likelihood, and with the empirical
one, as chess engines are tested (Van den Bergh, "GSPRT", and the fishtest framework); bounds of Wald (1945);
the mixture confidence sequence of Robbins (1970) in the asymptotic form of Waudby-Smith et al. (2021);
estimation after stopping by the order of outcomes of Siegmund (1978), with his correction for overshoot.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from math import log, log10, nan, pi, sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from harness.errors import PresiError

Floats = NDArray[np.float64]

FEWEST = 30
"""No decision before so many units: the variance is not known well enough."""
EMPTY = 1e-3
"""Stands for no unit in the exact likelihood ratio, so that every share may still turn up."""
_OVERSHOOT = 0.5826
"""Mean excess of a sum of normal steps over a far bound, in steps' standard deviations (Siegmund 1985)."""


def share_of(elo: float) -> float:
    """Give the D that a difference in Elo means: 1/(1 + 10^(-elo/400)) - 1/2.

    Examples
    --------
    >>> round(share_of(10.0), 5)
    0.01439
    """
    return 1.0 / (1.0 + float(10.0 ** (-elo / 400.0))) - 0.5


def elo_of(share: float) -> float:
    """Give the difference in Elo that a D means; infinite at ± one half and beyond.

    Examples
    --------
    >>> round(elo_of(share_of(10.0)), 9)
    10.0
    """
    if share <= -0.5 or share >= 0.5:
        return float("-inf") if share < 0 else float("inf")
    return 400.0 * log10((0.5 + share) / (0.5 - share))


def bounds(alpha: float, beta: float) -> tuple[float, float]:
    """Give Wald's bounds of the log likelihood ratio: (lower, upper).

    Parameters
    ----------
    alpha, beta : float
        Chances to accept H1 though H0 is true, and the reverse; above 0, together below 1.

    Raises
    ------
    PresiError
        If they are out of range.

    Examples
    --------
    >>> [round(bound, 3) for bound in bounds(0.05, 0.05)]
    [-2.944, 2.944]
    """
    for name, value in (("alpha", alpha), ("beta", beta)):
        if not 0 < value < 0.5:
            raise PresiError(f"{name} {value}: allowed is a number between 0 and 0.5, as 0.05")
    return log(beta / (1 - alpha)), log((1 - beta) / alpha)


def llr(
    values: Sequence[float] | Floats,
    counts: Sequence[float] | NDArray[Any],
    d0: float,
    d1: float,
    exact: bool = False,
) -> float:
    """Give the log likelihood ratio of H1: E(D) = d1 against H0: E(D) = d0.

    Parameters
    ----------
    values : array of float, shape (k,)
        All D that a unit can have, -1/2 to 1/2.
    counts : array, shape (k,)
        How often each was seen.
    d0, d1 : float
        Hypotheses, in units of D.
    exact : bool
        By the likeliest distributions with these means, not by the normal formula.

    Returns
    -------
    float
        0 while there are no two different units.

    Raises
    ------
    PresiError
        If shapes do not fit, a count is negative, or the exact form is asked about a mean that these values
        cannot have.

    Notes
    -----
    Normal: n (d1 - d0)(2 D̄ - d0 - d1) / (2 s²). Exact: with p the shares seen, the likeliest q with mean d
    is p_i / (1 + x (v_i - d)), x such that Σ p_i (v_i - d) / (1 + x (v_i - d)) = 0; then the ratio is
    n Σ p_i ln(q1_i / q0_i).

    Examples
    --------
    >>> round(llr([-0.18, 0.22], [200, 200], 0.0, 0.02), 9)
    2.0
    """
    value, count = np.asarray(values, np.float64), np.asarray(counts, np.float64)
    if value.ndim != 1 or value.shape != count.shape:
        raise PresiError(
            f"values {value.shape} and counts {count.shape}: allowed are two lists of one length"
        )
    if not (count >= 0).all():
        raise PresiError("counts: allowed are numbers from 0 on")
    total = float(count.sum())
    if total == 0:
        return 0.0
    if exact:
        return _exact_llr(value, count, d0, d1)
    mean = float(count @ value) / total
    variance = float(count @ (value - mean) ** 2) / total
    if variance <= 1e-15:
        return 0.0
    return total * (d1 - d0) * (2 * mean - d0 - d1) / (2 * variance)


def _exact_llr(value: Floats, count: Floats, d0: float, d1: float) -> float:
    for d in (d0, d1):
        if not value.min() < d < value.max():
            raise PresiError(
                f"a mean of {d:.4g} from values between {value.min():.4g} and {value.max():.4g}: "
                "allowed is what lies between"
            )
    seen = np.where(count > 0, count, EMPTY)
    total = float(seen.sum())
    p = seen / total
    return total * float(p @ (np.log(_likeliest(p, value - d1)) - np.log(_likeliest(p, value - d0))))


def _likeliest(p: Floats, apart: Floats) -> Floats:
    """Give the likeliest distribution with mean zero of what is `apart`, given shares seen."""
    from scipy.optimize import brentq

    # all 1 + x·apart stay positive between these ends
    low, high = -1.0 / float(apart.max()), -1.0 / float(apart.min())
    tiny = 1e-12 * (high - low)

    def tilt(x: float) -> float:
        return float(p @ (apart / (1.0 + x * apart)))

    x = float(brentq(tilt, low + tiny, high - tiny, xtol=1e-14))
    return np.asarray(p / (1.0 + x * apart), np.float64)


def tightest_at(alpha: float, units: float) -> float:
    """Give the r of `sequence_half` with which the sequence is narrowest after so many units."""
    return (-2 * log(alpha) + log(-2 * log(alpha) + 1)) / units


def sequence_half(units: int, deviation: float, alpha: float, r: float) -> float:
    """Give half the width of a confidence sequence: it holds at all times at once with chance 1 - alpha.

    Parameters
    ----------
    units : int
        n; infinite width before the first.
    deviation : float
        Standard deviation s of the units so far.
    alpha : float
    r : float
        See `tightest_at`.

    Notes
    -----
    s √(2 (n r + 1) / (n² r) · ln(√(n r + 1) / alpha)).
    """
    if units < 1:
        return float("inf")
    nr = units * r
    return deviation * sqrt(2 * (nr + 1) / (units * nr) * log(sqrt(nr + 1) / alpha))


@dataclass(frozen=True)
class Stopped:
    """Where a test of `bounds` ended.

    Attributes
    ----------
    units : int
    mean, deviation : float
        Of D.
    d0, d1 : float
        Hypotheses.
    lower, upper : float
        Bounds of the log likelihood ratio.
    decision : int
        1: H1 accepted; -1: H0 accepted; 0: undecided.
    """

    units: int
    mean: float
    deviation: float
    d0: float
    d1: float
    lower: float
    upper: float
    decision: int


def after_stopping(end: Stopped, confidence: float = 0.95) -> tuple[float, float, float]:
    """Estimate D from a test that stopped when it liked what it saw: (median-unbiased value, low, high).

    Outcomes are put in order: decided for H1 early, late, undecided by the last ratio, decided for H0 late,
    early. The chance to end at least this high grows with D; the estimate is the D for which it is one half,
    the interval's ends those for which it is (1 - confidence)/2 and the rest. (NaN, NaN, NaN) with fewer than
    two units or no variance.
    """
    if end.units < 2 or end.deviation <= 0:
        return nan, nan, nan
    tail = (1 - confidence) / 2
    chance = _chance_of_ending_higher(end)
    return tuple(_solve(chance, want, end) for want in (0.5, tail, 1 - tail))  # type: ignore[return-value]


def _solve(chance: Callable[[float], float], want: float, end: Stopped) -> float:
    """Find the D with which the chance is as wanted; the end of what is looked at where there is none."""
    from scipy.optimize import brentq

    error = end.deviation / sqrt(end.units)
    low, high = end.mean - 6 * error, end.mean + 6 * error
    if chance(low) >= want:
        return low
    if chance(high) <= want:
        return high
    return float(brentq(lambda d: chance(d) - want, low, high, xtol=1e-7))


def _chance_of_ending_higher(end: Stopped) -> Callable[[float], float]:
    """Give the chance, as a function of D, that the test ends at least as high as it did."""
    step = (end.d1 - end.d0) / end.deviation  # standard deviation of the ratio's steps
    middle = (end.d0 + end.d1) / 2
    low, high = end.lower - _OVERSHOOT * step, end.upper + _OVERSHOOT * step
    final = end.units * (end.d1 - end.d0) * (end.mean - middle) / end.deviation**2

    def chance(d: float) -> float:
        drift = (d - middle) * (end.d1 - end.d0) / end.deviation**2
        walk = Walk(drift, step, low, high, (end.lower, end.upper))
        if end.decision > 0:
            return walk.hit(end.units, up=True)
        if end.decision < 0:
            return 1.0 - walk.hit(end.units - 1, up=False)
        return walk.hit(end.units, up=True) + walk.alive_above(end.units, final)

    return chance


class Walk:
    """A sum of normal steps that is stopped at two bounds, but not before `FEWEST` steps.

    As a Brownian motion from the first look on; its bounds lie a little further out, as a sum overshoots.

    Parameters
    ----------
    drift, step : float
        Mean and standard deviation of a step.
    low, high : float
        Bounds of the motion.
    first : (float, float)
        Bounds of the sum at its first look.
    """

    def __init__(
        self, drift: float, step: float, low: float, high: float, first: tuple[float, float]
    ) -> None:
        self.drift, self.step, self.low, self.high, self.first = drift, step, low, high, first
        # where it stands at the first look, if still inside: Gauss-Legendre points with weights
        points, weights = _gauss()
        half, centre = (first[1] - first[0]) / 2, (first[1] + first[0]) / 2
        self._x = centre + half * points
        z = (self._x - FEWEST * drift) / (step * sqrt(FEWEST))
        self._w = weights * half * np.exp(-(z**2) / 2) / (sqrt(2 * pi * FEWEST) * step)

    def hit(self, units: int, up: bool) -> float:
        """Give the chance to have stopped at the upper (or lower) bound after so many steps."""
        if units < FEWEST:
            return 0.0
        if not up:
            return self._mirrored().hit(units, up=True)
        from scipy.special import ndtr

        at_once = float(ndtr((FEWEST * self.drift - self.first[1]) / (self.step * sqrt(FEWEST))))
        if units == FEWEST:
            return at_once
        return at_once + float(self._w @ self._later(self._x, units - FEWEST))

    def alive_above(self, units: int, final: float) -> float:
        """Give the chance to be still inside after so many steps, and above a value."""
        from scipy.special import ndtr

        if units <= FEWEST:
            error = self.step * sqrt(units)
            return float(ndtr((units * self.drift - final) / error))
        wide, time = self.high - self.low, float(units - FEWEST)
        if final >= self.high:
            return 0.0
        points, weights = _gauss()
        half, centre = (self.high - final) / 2, (self.high + final) / 2
        y = centre + half * points
        k = self._terms(time)
        decay = np.exp(-((k * pi * self.step / wide) ** 2) * time / 2)
        here = np.sin(np.outer(self._x - self.low, k) * (pi / wide)) * decay
        there = np.sin(np.outer(y - self.low, k) * (pi / wide))
        tilt = self.drift / self.step**2
        density = (
            (2 / wide)
            * (here @ there.T)
            * np.exp(tilt * (y[None, :] - self._x[:, None]) - self.drift**2 * time / (2 * self.step**2))
        )
        return float(self._w @ density @ (weights * half))

    def _later(self, x: Floats, time: float) -> Floats:
        """Give the chance to hit the upper bound within a time, from x, and not the lower one first."""
        wide, z = self.high - self.low, x - self.low
        tilt = self.drift / self.step**2
        if abs(tilt * wide) < 1e-9:
            ever = z / wide
        elif tilt > 0:
            ever = -np.expm1(-2 * tilt * z) / -np.expm1(-2 * tilt * wide)
        else:  # the same, without the overflow
            ever = np.exp(2 * tilt * (wide - z)) * -np.expm1(2 * tilt * z) / -np.expm1(2 * tilt * wide)
        k = self._terms(time)
        rate = self.drift**2 / (2 * self.step**2) + (k * pi * self.step / wide) ** 2 / 2
        sign = np.where(k % 2 == 1, 1.0, -1.0)
        terms = k * sign * np.exp(-rate * time) / rate
        after = (pi * self.step**2 / wide**2) * np.exp(tilt * (wide - z))
        after = after * (np.sin(np.outer(z, k) * (pi / wide)) @ terms)
        return np.asarray(np.clip(ever - after, 0.0, 1.0), np.float64)

    def _terms(self, time: float) -> Floats:
        """Give the numbers of the terms that matter: the rest is below exp(-40)."""
        wide = self.high - self.low
        most = int(sqrt(80.0 / time) * wide / (pi * self.step)) + 8
        return np.arange(1, min(most, 4000) + 1, dtype=np.float64)

    def _mirrored(self) -> Walk:
        return Walk(-self.drift, self.step, -self.high, -self.low, (-self.first[1], -self.first[0]))


@cache
def _gauss() -> tuple[Floats, Floats]:
    """Points and weights to integrate with, from -1 to 1."""
    return np.polynomial.legendre.leggauss(64)
