"""The fit itself: maximum likelihood of a Bradley-Terry model on matrices of pair counts."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from harness.errors import WorkError

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]

_MOST_STEPS = 200
# One step moves no rating further than this (347 Elo): far from the solution a full step may overshoot.
_LONGEST = 2.0


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


def maximise(ahead: Floats, tolerance: float = 1e-10) -> Floats:
    """Find the ratings under which the results are most likely, by Newton's method with damping.

    Parameters
    ----------
    ahead : ndarray of float64, shape (bots, bots)
        How often the row's bot was ahead of the column's. Every bot must be linked to every other one by
        chains of being ahead, or there is no maximum (Ford 1957).
    tolerance : float
        No rating moves further than this in the last step.

    Returns
    -------
    ndarray of float64, shape (bots,)
        In natural units (log odds), summing to zero.

    Raises
    ------
    WorkError
        If it does not converge.
    """
    games = ahead + ahead.T
    theta = np.zeros(len(ahead))
    value = _likelihood(theta, ahead)
    for _ in range(_MOST_STEPS):
        chance = logistic(theta[:, None] - theta[None, :])[0]
        # ahead·(1 - p) - behind·p, and not ahead - games·p: the terms are small where p is close to 0 or 1.
        gradient = (ahead * chance.T - ahead.T * chance).sum(axis=1)
        h = information(theta, games)
        s = float(np.trace(h)) / len(h)
        step = np.linalg.solve(h + s / len(h), gradient)
        step -= step.mean()
        longest = float(np.abs(step).max())
        if longest > _LONGEST:
            step *= _LONGEST / longest
        while True:
            there = _likelihood(theta + step, ahead)
            # Close to the maximum the likelihood's last digits say nothing, and full steps are safe.
            if there >= value or longest < 1e-4:
                break
            step /= 2.0
            longest /= 2.0
        theta, value = theta + step, there
        if longest < tolerance:
            return np.asarray(theta - theta.mean())
    raise WorkError(f"ratings did not converge in {_MOST_STEPS} steps")


def _likelihood(theta: Floats, ahead: Floats) -> float:
    """Log likelihood."""
    x = theta[:, None] - theta[None, :]
    return float((ahead * (np.minimum(x, 0.0) - np.log1p(np.exp(-np.abs(x))))).sum())
