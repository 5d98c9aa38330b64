from __future__ import annotations

from collections import defaultdict
from itertools import permutations
from math import sqrt

import choix
import numpy as np
import pandas as pd
import pytest
import statsmodels.api as sm

import harness.ratings
from harness.errors import PresiError
from harness.ratings.plackett_luce import fit, orders_of
from harness.ratings.rating import ELO, Rating
from harness.ratings.tally import Part
from tests.test_ratings import labels, play, tally_of


def rate(orders: dict[str, int]) -> Rating:
    frame = pd.DataFrame({"order": list(orders), "count": list(orders.values())})
    return harness.ratings.plackett_luce(frame)


def gap(rating: Rating, a: str, b: str) -> float:
    return float(rating.elo[rating.bots.index(a)] - rating.elo[rating.bots.index(b)])


def test_all_orders_of_four_equal_bots() -> None:
    rating = rate({">".join(way): 100 for way in permutations("abcd")})
    assert np.abs(rating.elo).max() < 1e-9
    small = sqrt(2399 / 2400)  # the known answer is without C/(C - 1)
    assert rating.se_diff("a", "b") * small == pytest.approx(6.2739, abs=5e-5)


def test_six_orders_of_three_bots() -> None:
    rating = rate({"a>b>c": 20, "a>c>b": 10, "b>a>c": 15, "b>c>a": 5, "c>a>b": 6, "c>b>a": 4})
    # the balance of these orders is such that both models agree
    assert gap(rating, "a", "b") == pytest.approx(70.4365, abs=0.01)
    assert gap(rating, "a", "c") == pytest.approx(190.8485, abs=0.01)


def test_two_seats_are_bradley_terry() -> None:
    orders = {"a>b": 64, "b>a": 36, "b>c": 40, "c>b": 20, "a=c": 7}
    frame = pd.DataFrame({"order": list(orders), "count": list(orders.values())})
    ours, pairs = harness.ratings.plackett_luce(frame), harness.ratings.bradley_terry(frame)
    assert ours.theta == pytest.approx(pairs.theta, abs=1e-9)
    # a tie is half a win in one model, two half matches in the other: the same score
    assert ours.cov == pytest.approx(pairs.cov, abs=1e-12)
    assert (ours.method, pairs.method) == ("pl", "bt")


def test_agrees_with_choix() -> None:
    strength = np.linspace(-0.8, 0.8, 6)
    arrays = play(900, 4, strength, seed=5)
    _, _, bots, standings, _ = arrays
    part = Part(arrays[0], bots, standings, arrays[4])
    rating = fit(tally_of(labels(6), arrays), lambda: [[part]])
    seats = np.argsort(standings, axis=1)
    data = [tuple(int(bot) for bot in row) for row in np.take_along_axis(bots, seats, axis=1)]
    expected = choix.ilsr_rankings(6, data, alpha=0.0, tol=1e-13, max_iter=1000)
    assert rating.theta == pytest.approx(expected - expected.mean(), abs=1e-7)


def test_the_sandwich_is_that_of_the_choices_summed_by_group() -> None:
    """In plain loops: each match is a row of choices of who is next."""
    strength = np.array([-0.5, 0.0, 0.2, 0.6])
    arrays = play(120, 3, strength, seed=8)
    group, _, bots, standings, winner = arrays
    rating = fit(tally_of(labels(4), arrays), lambda: [[Part(group, bots, standings, winner)]])
    scores: dict[int, np.ndarray] = defaultdict(lambda: np.zeros(4))
    bread = np.zeros((4, 4))
    for name, row, places in zip(group, bots, standings, strict=True):
        order = [int(row[seat]) for seat in np.argsort(places)]
        for k in range(2):
            left = order[k:]
            chance = np.zeros(4)
            chance[left] = np.exp(rating.theta[left]) / np.exp(rating.theta[left]).sum()
            scores[int(name)] += np.eye(4)[order[k]] - chance
            bread += np.diag(chance) - np.outer(chance, chance)
    inverse = np.linalg.pinv(bread, rcond=1e-9, hermitian=True)
    meat = sum(np.outer(score, score) for score in scores.values())
    c = len(scores)
    assert rating.cov == pytest.approx(c / (c - 1) * inverse @ meat @ inverse, abs=1e-10)


def test_a_match_of_two_agrees_with_statsmodels_clusters() -> None:
    rng = np.random.default_rng(3)
    won, group = rng.random(400) < 0.6, np.arange(400) // 4
    frame = pd.DataFrame({"order": np.where(won, "a>b", "b>a"), "group": group})
    model = sm.Logit(won.astype(float), np.ones((400, 1)))
    # no correction of statsmodels' own: C/(C - 1) alone is ours
    fitted = model.fit(disp=0, cov_type="cluster", cov_kwds={"groups": group, "use_correction": False})
    wanted = float(fitted.bse[0]) * ELO * sqrt(100 / 99)
    assert harness.ratings.plackett_luce(frame).se_diff("a", "b") == pytest.approx(wanted, abs=1e-6)


def test_ties_are_all_orders_in_equal_parts() -> None:
    part = Part(
        np.array([7, 8]),
        np.array([[0, 1, 2], [2, 1, 0]], np.int32),
        np.array([[1, 2, 2], [1, 2, 3]], np.int8),
        np.array([0, 0]),
    )
    row, order, weight = orders_of(part)
    found = sorted(zip(row.tolist(), map(tuple, order.tolist()), weight.tolist(), strict=True))
    assert found == [(0, (0, 1, 2), 0.5), (0, (0, 2, 1), 0.5), (1, (2, 1, 0), 1.0)]
    tied = harness.ratings.plackett_luce(pd.DataFrame({"order": ["a>b=c", "c>b>a", "b>a>c"], "count": 2}))
    apart = ["a>b>c", "a>c>b", "c>b>a", "c>b>a", "b>a>c", "b>a>c"]
    split = harness.ratings.plackett_luce(pd.DataFrame({"order": apart}))
    assert tied.theta == pytest.approx(split.theta, abs=1e-9)


def test_groups_across_several_sizes_are_one_cluster() -> None:
    frame = pd.DataFrame(
        {"order": ["a>b>c", "b>a", "c>a>b", "a>c", "b>c"], "group": [1, 1, 2, 2, 3], "count": [2, 1, 3, 1, 4]}
    )
    rating = harness.ratings.plackett_luce(frame)
    assert rating.clusters == 3
    alone = harness.ratings.plackett_luce(frame.assign(group=range(5)))
    assert rating.theta == pytest.approx(alone.theta, abs=1e-9)
    assert rating.se_diff("a", "b") != pytest.approx(alone.se_diff("a", "b"), rel=1e-3)


def test_a_bot_that_wins_all_gets_a_finite_rating_and_a_flag() -> None:
    rating = rate({"a>b>c": 5, "a>c>b": 5})
    assert np.isfinite(rating.theta).all()
    assert rating.flags[0] == "always ahead"
    assert rating.interval("a")[1] == np.inf


def test_never_met_is_refused() -> None:
    with pytest.raises(PresiError, match=r"never met.*\{a, b\}, \{c, d\}"):
        rate({"a>b": 3, "b>a": 1, "c>d": 3, "d>c": 1})


def test_many_bots_in_long_orders() -> None:
    """Sixty names in orders of twelve do not fit one whole number: rows are compared as they are."""
    rng = np.random.default_rng(0)
    names = [f"n{k:02}" for k in range(60)]
    orders = [">".join(rng.permutation(names)[:12]) for _ in range(400)]
    rating = harness.ratings.plackett_luce(pd.DataFrame({"order": orders}))
    index = {name: k for k, name in enumerate(sorted(names))}
    data = [tuple(index[name] for name in order.split(">")) for order in orders]
    expected = choix.ilsr_rankings(60, data, alpha=0.0, tol=1e-12, max_iter=1000)
    assert rating.theta == pytest.approx(expected - expected.mean(), abs=1e-6)
