"""The fit itself: ratings of maximum likelihood, by Newton's method."""

from __future__ import annotations

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from harness.errors import WorkError

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]

_MOST_STEPS = 200
# One step changes the gap between no two bots that met by more than this (347 Elo): far from the solution a
# full step may overshoot. Gaps and not ratings, or a long ladder, whose ends are far apart, takes forever.
_LONGEST = 2.0
# Below this, the likelihood's last digits say nothing, and full steps are safe.
_CLOSE = 1e-4


def logistic(x: Floats) -> tuple[Floats, Floats]:
    """Give p = 1/(1 + exp(-x)) and p(1 - p), both exact in the far tails too."""
    small = np.exp(-np.abs(x))
    return np.where(x >= 0, 1.0, small) / (1.0 + small), small / (1.0 + small) ** 2


def reachable(edges: Flags) -> Flags:
    """Tell which nodes can be reached from which, each from itself; shape (bots, bots).

    Examples
    --------
    >>> reachable(np.array([[0, 1, 0], [0, 0, 1], [0, 0, 0]], bool)).astype(int).tolist()
    [[1, 1, 1], [0, 1, 1], [0, 0, 1]]
    """
    reach = edges | np.eye(len(edges), dtype=np.bool_)
    while True:
        # Floats, as only these are multiplied by BLAS.
        further = (reach.astype(np.float32) @ reach.astype(np.float32)) > 0
        if (further == reach).all():
            return reach
        reach = further


def information(theta: Floats, games: Floats) -> Floats:
    """H = Σ p(1 - p)(e_i - e_j)(e_i - e_j)ᵀ over all pairs that met."""
    weight = games * logistic(theta[:, None] - theta[None, :])[1]
    return np.asarray(np.diag(weight.sum(axis=1)) - weight)


def pseudo_inverse(h: Floats) -> Floats:
    """H⁺ = (H + sJ)⁻¹ - J/s with J = 11ᵀ/n and s = tr(H)/n: the inverse where ratings sum to zero."""
    n = len(h)
    s = float(np.trace(h)) / n
    inverse = np.linalg.inv(h + s / n) - 1.0 / (n * s)
    return np.asarray((inverse + inverse.T) / 2.0)


class Likelihood(Protocol):
    """What `climb` needs of a model whose ratings matter by their differences only."""

    met: Flags
    """Which two bots met, shape (bots, bots)."""

    def value(self, theta: Floats) -> float:
        """Log likelihood of the ratings."""

    def slope(self, theta: Floats) -> tuple[Floats, Floats]:
        """Gradient, shape (bots,), and information (the negative Hessian), shape (bots, bots)."""


class PairCounts:
    """The likelihood of Bradley and Terry's model.

    Parameters
    ----------
    ahead : ndarray of float64, shape (bots, bots)
        How often the row's bot was ahead of the column's. Every bot must be linked to every other one by
        chains of being ahead, or there is no maximum (Ford 1957).
    """

    def __init__(self, ahead: Floats) -> None:
        self.ahead = ahead
        self.games = ahead + ahead.T
        self.met: Flags = self.games > 0

    def value(self, theta: Floats) -> float:
        """Log likelihood of the ratings."""
        x = theta[:, None] - theta[None, :]
        return float((self.ahead * (np.minimum(x, 0.0) - np.log1p(np.exp(-np.abs(x))))).sum())

    def slope(self, theta: Floats) -> tuple[Floats, Floats]:
        """Gradient and information."""
        chance = logistic(theta[:, None] - theta[None, :])[0]
        # ahead·(1 - p) - behind·p, and not ahead - games·p: the terms are small where p is close to 0 or 1.
        gradient = (self.ahead * chance.T - self.ahead.T * chance).sum(axis=1)
        return gradient, information(theta, self.games)


def climb(model: Likelihood, tolerance: float = 1e-10) -> Floats:
    """Find the ratings under which the results are most likely, by Newton's method with damping.

    Parameters
    ----------
    model : Likelihood
        With a maximum.
    tolerance : float
        No rating would move further than this in the last full step.

    Returns
    -------
    ndarray of float64, shape (bots,)
        In natural units (log odds), summing to zero.

    Raises
    ------
    WorkError
        If it does not converge.
    """
    theta = np.zeros(len(model.met))
    value = model.value(theta)
    for _ in range(_MOST_STEPS):
        gradient, h = model.slope(theta)
        s = float(np.trace(h)) / len(h)
        step = np.linalg.solve(h + s / len(h), gradient)
        step -= step.mean()
        wanted = float(np.abs(step).max())
        widest = float(np.abs(step[:, None] - step[None, :])[model.met].max())
        if widest > _LONGEST:
            step *= _LONGEST / widest
        while (there := model.value(theta + step)) < value and np.abs(step).max() >= _CLOSE:
            step /= 2.0
        theta, value = theta + step, there
        if wanted < tolerance:
            return np.asarray(theta - theta.mean())
    raise WorkError(f"ratings did not converge in {_MOST_STEPS} steps")


def slack(gap: Floats, weight: Floats, chance: float) -> float:
    """Find by how much gaps must shrink until the mean chance to win across them is only so large.

    Parameters
    ----------
    gap : ndarray of float64, shape (k,)
        Lead on each opponent, natural units.
    weight : ndarray of float64, shape (k,)
        Of each opponent in the mean; they sum to 1.
    chance : float
        Above 0.

    Returns
    -------
    float
        d with Σ weight · p(gap - d) = chance, natural units; 0 where the mean chance is smaller already.

    Examples
    --------
    >>> round(slack(np.array([1.0]), np.array([1.0]), 0.5), 9)
    1.0
    """
    low, high = 0.0, 1.0
    while float(weight @ logistic(gap - high)[0]) > chance:
        low, high = high, 2.0 * high
    for _ in range(60):
        middle = (low + high) / 2.0
        if float(weight @ logistic(gap - middle)[0]) > chance:
            low = middle
        else:
            high = middle
    return (low + high) / 2.0
