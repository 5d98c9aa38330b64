from __future__ import annotations

from math import log, sqrt

import numpy as np
import pytest

from harness.errors import PresiError
from harness.ratings import llr
from harness.ratings.sequential import (
    FEWEST,
    Stopped,
    Walk,
    after_stopping,
    bounds,
    elo_of,
    sequence_half,
    share_of,
    tightest_at,
)


def test_known_answer() -> None:
    assert llr([-0.18, 0.22], [200, 200], 0.0, 0.02) == pytest.approx(2.0)


def test_shares_and_elo() -> None:
    assert share_of(0) == 0
    assert share_of(1) == pytest.approx(1 / 694.87, rel=1e-4)
    assert elo_of(share_of(-137.5)) == pytest.approx(-137.5)
    assert elo_of(0.5) == float("inf") and elo_of(-0.6) == float("-inf")


def test_bounds() -> None:
    assert bounds(0.05, 0.1) == pytest.approx((log(0.1 / 0.95), log(0.9 / 0.05)))
    for wrong in ((0.0, 0.1), (0.1, 0.5), (-1.0, 0.1), (float("nan"), 0.1)):
        with pytest.raises(PresiError, match=r"allowed is a number between 0 and 0\.5"):
            bounds(*wrong)


def test_exact_and_normal_agree_where_steps_are_small() -> None:
    values, counts = np.linspace(-0.5, 0.5, 17), np.array([3, 8, 20, 40, 77, 120, 160, 190, 205] + [0] * 8)
    counts[9:] = [196, 166, 131, 86, 46, 24, 11, 4]
    plain, exact = (llr(values, counts, 0.0, 0.01, exact=kind) for kind in (False, True))
    assert exact == pytest.approx(plain, rel=0.01)
    assert plain != exact


def test_exact_form_is_the_likeliest_distribution() -> None:
    """Three values leave one number free once the mean is given: try them all."""
    values, counts = np.array([-0.5, 0.0, 0.5]), np.array([10.0, 25.0, 20.0])

    def best(d: float) -> float:
        low = np.linspace(1e-6, (1 - 2 * d) / 2 - 1e-6, 400_001)
        high = low + 2 * d
        return float((counts @ np.log(np.stack([low, 1 - low - high, high]))).max())

    wanted = best(0.05) - best(0.0)
    assert llr(values, counts, 0.0, 0.05, exact=True) == pytest.approx(wanted, abs=1e-6)


def test_nothing_seen_says_nothing() -> None:
    assert llr([-0.5, 0.5], [0, 0], 0.0, 0.1) == 0.0
    assert llr([-0.5, 0.5], [5, 0], 0.0, 0.1) == 0.0  # no variance: the normal form cannot tell
    with pytest.raises(PresiError, match="two lists of one length"):
        llr([0.1, 0.2], [1], 0.0, 0.1)
    with pytest.raises(PresiError, match="counts: allowed are numbers from 0 on"):
        llr([0.1, 0.2], [1, -1], 0.0, 0.1)
    with pytest.raises(PresiError, match=r"a mean of 0.3 from values between -0.2 and 0.2"):
        llr([-0.2, 0.2], [1, 1], 0.0, 0.3, exact=True)


def test_the_sequence_holds_at_all_times() -> None:
    rng = np.random.default_rng(4)
    alpha, r, length, outside = 0.1, tightest_at(0.1, 500), 2_000, 0
    for _ in range(300):
        means = np.cumsum(rng.standard_normal(length)) / np.arange(1, length + 1)
        halves = np.array([sequence_half(n, 1.0, alpha, r) for n in range(1, length + 1)])
        outside += bool((np.abs(means) > halves).any())
    assert outside / 300 < alpha + 2 * sqrt(alpha * (1 - alpha) / 300)
    assert outside > 0


def walks(drift: float, step: float, lower: float, upper: float, most: int, times: int) -> np.ndarray:
    """Play sums of normal steps to a bound: (units, +1/-1/0, last value) of each."""
    rng = np.random.default_rng(9)
    sums = np.cumsum(rng.normal(drift, step, (times, most)), axis=1)
    out = np.zeros((times, 3))
    outside = (sums >= upper) | (sums <= lower)
    outside[:, : FEWEST - 1] = False
    for row, (line, past) in enumerate(zip(sums, outside, strict=True)):
        at = int(past.argmax()) if past.any() else most - 1
        out[row] = at + 1, (np.sign(line[at]) if past.any() else 0), line[at]
    return out


@pytest.mark.parametrize("drift", [-0.02, 0.0, 0.015])
def test_chances_of_a_stopped_walk(drift: float) -> None:
    step, (lower, upper), times = 0.25, bounds(0.05, 0.05), 8_000
    seen = walks(drift, step, lower, upper, 400, times)
    past = 0.5826 * step
    walk = Walk(drift, step, lower - past, upper + past, (lower, upper))
    for units in (FEWEST, 60, 150, 400):
        for up, sign in ((True, 1), (False, -1)):
            share = float(((seen[:, 0] <= units) & (seen[:, 1] == sign)).mean())
            error = sqrt(max(share * (1 - share), 1e-4) / times)
            assert walk.hit(units, up) == pytest.approx(share, abs=4 * error + 0.004)
    alive = float(((seen[:, 1] == 0) & (seen[:, 2] > 0.5)).mean())
    assert walk.alive_above(400, 0.5) == pytest.approx(alive, abs=0.01)


def test_estimate_after_stopping_is_honest() -> None:
    """The corrected interval covers what it says, the naive one does not; the estimate is median-unbiased."""
    rng = np.random.default_rng(2)
    d0, d1, s, true = 0.0, 0.06, 0.3, 0.045
    lower, upper = bounds(0.05, 0.05)
    covered = naive = above = 0
    runs = 400
    for _ in range(runs):
        d = rng.normal(true, s, 1_500)
        n = np.arange(1, 1_501)
        mean = np.cumsum(d) / n
        deviation = np.sqrt(np.maximum(np.cumsum(d**2) / n - mean**2, 1e-9))
        ratio = n * (d1 - d0) * (2 * mean - d0 - d1) / (2 * deviation**2)
        past = ((ratio >= upper) | (ratio <= lower)) & (n >= FEWEST)
        at = int(past.argmax()) if past.any() else len(n) - 1
        decision = int(np.sign(ratio[at])) if past.any() else 0
        end = Stopped(at + 1, float(mean[at]), float(deviation[at]), d0, d1, lower, upper, decision)
        value, low, high = after_stopping(end)
        covered += low <= true <= high
        above += value > true
        naive += abs(mean[at] - true) <= 1.96 * deviation[at] / sqrt(at + 1)
    assert 0.92 < covered / runs < 0.98
    assert 0.43 < above / runs < 0.57
    assert naive / runs < covered / runs


def test_no_estimate_from_nothing() -> None:
    end = Stopped(1, 0.1, 0.0, 0.0, 0.1, -3, 3, 0)
    assert all(np.isnan(after_stopping(end)))
