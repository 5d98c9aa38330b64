from __future__ import annotations

import subprocess
import sys
from itertools import combinations, pairwise, permutations
from math import comb, inf, isnan, log, sqrt
from typing import Any

import choix
import numpy as np
import pandas as pd
import pytest
import statsmodels.api as sm
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

import harness.ratings
from harness.errors import PresiError
from harness.ratings.bradley_terry import fit
from harness.ratings.newton import logistic
from harness.ratings.rating import ELO, Rating
from harness.ratings.tally import Part, Tally

Arrays = tuple[NDArray[Any], NDArray[Any], NDArray[Any], NDArray[Any], NDArray[Any]]


def rate(orders: dict[str, int], **options: Any) -> Rating:
    """Rate independent matches: order -> how many."""
    frame = pd.DataFrame({"order": list(orders), "count": list(orders.values())})
    return harness.ratings.bradley_terry(frame, **options)


def gap(rating: Rating, a: str, b: str) -> float:
    return float(rating.elo[rating.bots.index(a)] - rating.elo[rating.bots.index(b)])


def play(
    groups: int, n: int, strength: NDArray[Any], seed: int, luck: float = 1.0, mirror: bool = True
) -> Arrays:
    """Play groups of rotations, or of one match; each seat of a deal has luck that the group shares.

    The standings are those of Plackett and Luce's model (Gumbel noise), of which Bradley and Terry's is the
    exact margin for each pair; `luck` is the share of the noise that stays with the seat.
    """
    rng = np.random.default_rng(seed)
    lineups = np.array(list(combinations(range(len(strength)), n)), np.int32)
    lineup = rng.integers(0, len(lineups), groups)
    size = n if mirror else 1
    cyclic = rng.permuted(lineups[lineup], axis=1)
    bots = np.stack([np.roll(cyclic, k, axis=1) for k in range(size)], axis=1).reshape(-1, n)
    shared = np.repeat(rng.gumbel(size=(groups, n)), size, axis=0)
    own = rng.gumbel(size=(groups * size, n))
    # One noise or the other, so that each match alone keeps its exact distribution.
    noise = np.where(rng.random((groups * size, n)) < luck, shared, own)
    standings = (-(strength[bots] + noise)).argsort(axis=1).argsort(axis=1).astype(np.int8) + np.int8(1)
    group = np.repeat(np.arange(groups), size)
    return group, np.repeat(lineup, size), bots, standings, standings.argmin(axis=1).astype(np.int8)


def tally_of(labels: list[str], arrays: Arrays, cuts: list[int] | None = None) -> Tally:
    """Collect matches, cut after the given groups."""
    tally = Tally(labels)
    group = arrays[0]
    ends = np.searchsorted(group, [*(cuts or []), group.max() + 1])
    for start, stop in zip([0, *ends[:-1]], ends, strict=True):
        tally.add(*(array[start:stop] for array in arrays))
    return tally


def labels(number: int) -> list[str]:
    return [f"b{k:02}" for k in range(number)]


def brute(arrays: Arrays, number: int) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
    """Theta, covariance and pair counts as the formulas say, in plain loops."""
    group, _, bots, standings, _ = arrays
    ahead = np.zeros((number, number))
    for row, places in zip(bots, standings, strict=True):
        for s, t in permutations(range(len(row)), 2):
            if row[s] != row[t]:
                ahead[row[s], row[t]] += 1.0 if places[s] < places[t] else 0.5 * (places[s] == places[t])
    games = ahead + ahead.T
    theta = np.zeros(number)
    for _ in range(50):
        p = logistic(theta[:, None] - theta[None, :])[0]
        w = games * p * p.T
        h = np.diag(w.sum(axis=1)) - w
        theta = theta + np.linalg.pinv(h) @ (ahead - games * p).sum(axis=1)
    p = logistic(theta[:, None] - theta[None, :])[0]
    scores: dict[int, NDArray[Any]] = {}
    for number_of_group, row, places in zip(group, bots, standings, strict=True):
        score = scores.setdefault(int(number_of_group), np.zeros(number))
        for s, t in permutations(range(len(row)), 2):
            if row[s] != row[t]:
                result = 1.0 if places[s] < places[t] else 0.5 * (places[s] == places[t])
                score[row[s]] += result - p[row[s], row[t]]
    meat = sum(np.outer(score, score) for score in scores.values())
    inverse = np.linalg.pinv(h)
    c = len(scores)
    return theta - theta.mean(), c / (c - 1) * inverse @ meat @ inverse, ahead


# --- cases with known answers ---------------------------------------------------------------------------


def test_two_bots_64_to_36() -> None:
    rating = rate({"a>b": 64, "b>a": 36})
    assert gap(rating, "a", "b") == pytest.approx(99.951, abs=5e-4)
    # every match its own cluster: the plain error is the clustered one but for C/(C - 1)
    assert rating.se_diff("a", "b") * sqrt(99 / 100) == pytest.approx(36.191, abs=5e-4)
    assert rating.se_diff("a", "b") == pytest.approx(ELO / sqrt(100 * 0.64 * 0.36) * sqrt(100 / 99), abs=1e-9)
    low, high = rating.interval("a")
    # the rating itself is half the difference; t quantile with 99 degrees of freedom 1.984217
    assert high - low == pytest.approx(rating.se_diff("a", "b") * 1.984217, abs=1e-4)
    assert rating.elo.sum() == pytest.approx(0, abs=1e-9)


def test_all_orders_of_four_equal_bots() -> None:
    rating = rate({">".join(order): 100 for order in permutations("abcd")})
    assert np.abs(rating.elo).max() < 1e-9
    assert rating.se_diff("a", "d") * sqrt(2399 / 2400) == pytest.approx(6.4741, abs=5e-5)
    naive = ELO * sqrt(2 / (0.25 * 2400 * 4))
    assert naive == pytest.approx(5.0148, abs=5e-5)
    # too small by (k + 1)/3 in the variance at equal strength, k = 4
    assert (rating.se_diff("a", "d") / naive) ** 2 * 2399 / 2400 == pytest.approx(5 / 3, abs=1e-9)
    assert rating.table["score"].tolist() == [0.5] * 4
    assert rating.table["los_next"].tolist()[:3] == pytest.approx([0.5] * 3)


def test_six_orders_of_three_bots() -> None:
    orders = {"a>b>c": 20, "a>c>b": 10, "b>a>c": 15, "b>c>a": 5, "c>a>b": 6, "c>b>a": 4}
    rating = rate(orders)
    assert gap(rating, "a", "b") == pytest.approx(70.4365, abs=5e-5)
    assert gap(rating, "a", "c") == pytest.approx(190.8485, abs=5e-5)
    assert rating.se_diff("a", "b") * sqrt(59 / 60) == pytest.approx(42.3115, abs=5e-5)
    assert rating.se_diff("a", "c") * sqrt(59 / 60) == pytest.approx(47.0759, abs=5e-5)
    table = rating.table.set_index("bot")
    assert table.loc["a", "score"] == pytest.approx(0.675)
    assert table.loc["a", "win_rate"] == pytest.approx(0.5)
    assert table["matches"].tolist() == [60] * 3
    # the same as matches of one group each
    rows = pd.DataFrame({"order": [order for order, number in orders.items() for _ in range(number)]})
    rows["group"] = np.arange(len(rows))
    again = harness.ratings.bradley_terry(rows)
    assert (again.theta == rating.theta).all()
    np.testing.assert_allclose(again.cov, rating.cov, rtol=1e-12)


def test_ten_to_nothing() -> None:
    rating = rate({"a>b": 10})
    assert gap(rating, "a", "b") == pytest.approx(528.888, abs=5e-4)
    assert gap(rating, "a", "b") == pytest.approx(ELO * log(10.5 / 0.5), abs=1e-8)
    assert rating.table["flag"].tolist() == ["always ahead", "never ahead"]
    low, high = rate({"a>b": 10}, anchor=("b", 0.0)).interval("a")
    # exact: the chance of 10-0 is 0.025 where a is +140.217
    assert low == pytest.approx(140.217, abs=5e-4)
    assert high == inf
    assert rating.interval("a") == pytest.approx((140.217 / 2, inf), abs=5e-4)
    assert rating.interval("b") == pytest.approx((-inf, -140.217 / 2), abs=5e-4)
    assert rating.lead("a", "b")[1:] == pytest.approx((140.217, inf), abs=5e-4)
    assert rating.lead("b", "a")[1:] == pytest.approx((-inf, -140.217), abs=5e-4)
    assert rate({"a>b": 10}, anchor=("a", 0.0)).interval("b")[1] == pytest.approx(-140.217, abs=5e-4)


def test_bots_that_never_met_are_named() -> None:
    with pytest.raises(PresiError, match=r"never met.*\{A, B\}, \{C, D\}"):
        rate({"A>B": 3, "B>A": 2, "C>D": 1, "D>C": 1})
    with pytest.raises(PresiError, match=r"\{a, b\}, \{idle\}"):
        tally = Tally(["a", "b", "idle"])
        tally.add([0], [0], [[0, 1]], [[1, 2]], [0])
        fit(tally)
    with pytest.raises(PresiError, match="no matches"):
        fit(Tally(["a", "b"]))


# --- infinite ratings -----------------------------------------------------------------------------------


def test_pseudo_wins_only_where_the_fit_is_infinite() -> None:
    orders = {"b>c": 7, "c>b": 5}
    apart = rate(orders)
    rating = rate({**orders, "a>b": 6, "a>c": 6})
    assert rating.flags == ["always ahead", *["never ahead of the rest, with 1 more"] * 2]
    # half a win and half a loss against the pool: 12.5 to 0.5
    p = logistic(rating.theta[0] - rating.theta[1:])[0]
    assert float(p.mean()) == pytest.approx(12.5 / 13)
    assert gap(rating, "b", "c") == pytest.approx(gap(apart, "b", "c"), rel=0.15)
    assert rating.interval("a")[1] == inf
    assert np.isfinite(rating.se_matrix).all()


def test_blocks_that_never_lost_to_each_other() -> None:
    rating = rate({"a>b": 6, "b>a": 6, "c>d": 6, "d>c": 6, "a>c": 5, "b>d": 5})
    assert gap(rating, "a", "b") == pytest.approx(0, abs=1e-8)
    assert 300 < gap(rating, "a", "c") < 700
    assert all("with 1 more" in flag for flag in rating.flags)
    chain = rate({"a>b>c": 12})
    assert chain.flags == ["always ahead", "no mixed results", "never ahead"]
    assert gap(chain, "a", "b") == pytest.approx(gap(chain, "b", "c"))
    assert np.isfinite(chain.interval("b")).all()
    # a tie is half of each, so nothing is infinite
    assert rate({"a>b": 10, "a=b": 1}).flags == ["", ""]


def all_ahead(groups: int, size: int) -> Rating:
    """Rate a, which was always ahead of b, in groups of `size` matches."""
    frame = pd.DataFrame({"group": np.arange(groups), "order": "a>b", "count": size})
    return harness.ratings.bradley_terry(frame, anchor=("b", 0.0))


def test_bound_of_a_perfect_bot_takes_a_group_as_one_trial() -> None:
    """Results that all went one way do not show what the matches of a group share, so nothing is assumed."""
    for groups in (10, 100):
        lows = [all_ahead(groups, size).interval("a")[0] for size in (1, 4, 12)]
        assert lows == pytest.approx([lows[0]] * 3, abs=1e-6)
        # all matches of a group alike: at the bound, a wins all groups in 2.5 % of worlds, whatever the size
        assert logistic(np.array(lows[0] / ELO))[0] ** groups == pytest.approx(0.025, rel=1e-6)
    # several opponents of different strength: the mean chance over them
    rating = rate({"b>c": 30, "c>b": 10, "a>b>c": 40}, anchor=("b", 0.0))
    low = rating.interval("a")[0] / ELO
    chances = logistic(low - rating.theta[1:])[0]
    assert chances.mean() ** 40 == pytest.approx(0.025, rel=1e-6)


def test_a_bot_in_one_group_has_no_interval() -> None:
    """It is fitted to its one group, and the formula alone would call it certain."""
    rows = [{"group": g, "order": "a>b" if g % 5 < 3 else "b>a"} for g in range(100)]
    apart = harness.ratings.bradley_terry(pd.DataFrame(rows))
    orders = ["a>c", "c>a", "b>c", "c>a"]
    frame = pd.DataFrame([*rows, *({"group": 999, "order": order} for order in orders)])
    rating = harness.ratings.bradley_terry(frame)
    table = rating.table.set_index("bot")
    assert table.loc["c", "flag"] == "one group: no interval" and table["flag"].tolist().count("") == 2
    assert table.loc["c", ["elo_low", "elo_high"]].isna().all()
    assert np.isfinite(table.loc[["a", "b"], ["elo_low", "elo_high"]].to_numpy(float)).all()
    assert isnan(rating.se_diff("a", "c")) and all(isnan(end) for end in rating.lead("c", "b")[1:])
    assert rating.se_diff("a", "b") == pytest.approx(apart.se_diff("a", "b"), rel=0.05)
    assert table["los_next"].notna().sum() == (table.index[-1] == "c") + (table.index[0] == "c")
    # a group of the bot against itself only is no second one
    again = pd.concat([frame, pd.DataFrame([{"group": 1000, "order": "c>c"}])])
    assert isnan(harness.ratings.bradley_terry(again).se_diff("a", "c"))
    # measured against such a bot nothing is known, but what others differ by is
    held = harness.ratings.bradley_terry(frame, anchor=("c", 0.0))
    assert all(isnan(end) for end in held.interval("a")) and held.interval("c") == (0.0, 0.0)
    assert held.se_diff("a", "b") == pytest.approx(rating.se_diff("a", "b"))


def test_leads_are_bounded_where_results_are_mixed() -> None:
    orders = {"b>c": 70, "c>b": 50}
    apart = rate(orders).lead("b", "c")
    more = {**orders, "a>b": 30, "a>c": 30}
    for anchor in (None, ("a", 0.0), ("c", 100.0)):
        rating = rate(more, anchor=anchor)
        # that a third bot is always ahead of both says little on them, and no bound is lost
        assert rating.lead("b", "c") == pytest.approx(apart, abs=3)
        assert rating.lead("a", "b")[2] == inf and rating.lead("b", "a")[1] == -inf
    chain = rate({"a>b>c>d": 40})
    assert chain.lead("b", "c")[2] == inf and np.isfinite(chain.lead("b", "c")[1])
    # best against worst of several: both may be off, each by as much as against those between
    down = {pair: chain.lead(*pair)[0] - chain.lead(*pair)[1] for pair in ("ab", "cd", "ad")}
    assert down["ad"] == pytest.approx(down["ab"] + down["cd"])


def test_too_few_groups() -> None:
    one = harness.ratings.bradley_terry(pd.DataFrame({"order": ["a>b", "b>a", "a>b"], "group": [1, 1, 1]}))
    assert gap(one, "a", "b") == pytest.approx(ELO * log(2))
    assert one.flags == ["one group: no interval"] * 2
    assert all(isnan(end) for end in one.interval("a"))
    assert one.table["elo_low"].isna().all() and one.table["los_next"].isna().all()
    assert rate({"a>b": 2, "b>a": 1}).flags == ["only 3 groups"] * 2


# --- oracles --------------------------------------------------------------------------------------------


def test_agrees_with_choix() -> None:
    arrays = play(150, 4, np.linspace(-0.8, 0.8, 6), seed=1)
    data = [
        (int(bots[s]), int(bots[t]))
        for bots, places in zip(arrays[2], arrays[3], strict=True)
        for s, t in permutations(range(4), 2)
        if places[s] < places[t]
    ]
    expected = choix.ilsr_pairwise(6, data, alpha=0.0, tol=1e-12, max_iter=1000)
    np.testing.assert_allclose(fit(tally_of(labels(6), arrays)).theta, expected - expected.mean(), atol=1e-6)


@pytest.mark.parametrize(("n", "number"), [(3, 5), (4, 6), (6, 7)])
def test_agrees_with_clustered_logit(n: int, number: int) -> None:
    group, _, bots, standings, _ = arrays = play(120, n, np.linspace(-0.7, 0.7, number), seed=n)
    design, result, cluster = [], [], []
    for g, row, places in zip(group, bots, standings, strict=True):
        for s, t in combinations(range(n), 2):
            x = np.zeros(number)
            x[row[s]], x[row[t]] = 1.0, -1.0
            design.append(x[1:])
            result.append(places[s] < places[t])
            cluster.append(g)
    found = sm.Logit(np.array(result, float), np.array(design)).fit(
        disp=0,
        tol=1e-14,
        maxiter=100,
        cov_type="cluster",
        cov_kwds={"groups": np.array(cluster), "use_correction": False},
    )
    rating = fit(tally_of(labels(number), arrays), anchor=(labels(number)[0], 0.0))
    np.testing.assert_allclose(rating.theta[1:], found.params, atol=1e-6)
    c = len(set(cluster))
    np.testing.assert_allclose(rating.cov[1:, 1:], found.cov_params() * c / (c - 1), rtol=1e-6, atol=1e-9)
    assert np.abs(rating.cov[0]).max() < 1e-12


@given(seed=st.integers(0, 10**6), n=st.integers(2, 7), number=st.integers(2, 5), groups=st.integers(25, 40))
@settings(max_examples=25, deadline=None)
def test_formulas_in_plain_loops(seed: int, n: int, number: int, groups: int) -> None:
    """Repeated bots, ties, groups of several sizes and lineups, unordered rows."""
    rng = np.random.default_rng(seed)
    group = rng.integers(0, groups, 160)
    lineups = rng.integers(0, number, (9, n)).astype(np.int32)
    lineup = np.where(rng.random(160) < 0.8, group % 9, rng.integers(0, 9, 160))
    bots = rng.permuted(lineups[lineup], axis=1)
    standings = rng.integers(1, n + 1, (160, n)).astype(np.int8)
    winner = np.full(160, -1, np.int8)
    arrays = (group, rng.integers(0, 3, 160), bots, standings, winner)
    tally = Tally(labels(number))
    tally.add(*arrays)
    met = tally.games > 0
    if not np.linalg.matrix_power(met + np.eye(number), number).all() or (tally.ahead == 0)[met].any():
        return
    rating = fit(tally)
    different = (bots != bots[:, :1]).any(axis=1)
    theta, cov, ahead = brute(tuple(a[different] for a in arrays), number)
    assert (rating.ahead == ahead).all()
    if rating.clusters == len(set(group[different].tolist())):
        np.testing.assert_allclose(rating.theta, theta, atol=1e-9)
        np.testing.assert_allclose(rating.cov, cov, atol=1e-9)
    assert tally.matches.tolist() == np.bincount(bots.ravel(), minlength=number).tolist()
    expected = [len(set(group[(bots == b).any(axis=1)].tolist())) for b in range(number)]
    assert tally.groups.tolist() == expected
    assert tally.wins.sum() == 0


# --- invariance -----------------------------------------------------------------------------------------


def test_cuts_and_order_of_batches_change_no_bit() -> None:
    arrays = play(900, 4, np.linspace(-1, 1, 7), seed=5)
    names = labels(7)
    whole = tally_of(names, arrays)
    cut = tally_of(names, arrays, [1, 17, 400, 401])
    group = arrays[0]
    late, early = Tally(names), Tally(names)
    late.add(*(array[group >= 333] for array in arrays))
    early.add(*(array[group < 333] for array in arrays))
    late.merge(early)
    shuffled = np.random.default_rng(0).permutation(len(group))
    mixed = Tally(names)
    mixed.add(*(array[shuffled] for array in arrays))
    hintless = Tally(names)
    hintless.add(group, np.zeros_like(group), *arrays[2:])
    one = fit(whole)
    for tally in (cut, late, mixed, hintless):
        other = fit(tally)
        assert (one.theta == other.theta).all() and (one.cov == other.cov).all()
        pd.testing.assert_frame_equal(one.table, other.table, check_exact=True)
        assert (tally.match_count, tally.group_count) == (3600, 900)


def test_equal_lineups_with_different_numbers() -> None:
    arrays = play(60, 3, np.zeros(4), seed=2)
    one = fit(tally_of(labels(4), arrays))
    other = fit(tally_of(labels(4), (arrays[0], arrays[0], *arrays[2:])))
    assert (one.cov == other.cov).all()


def test_order_of_bots_changes_nothing() -> None:
    group, lineup, bots, standings, winner = play(300, 4, np.linspace(-1, 1, 6), seed=6)
    names = labels(6)
    one = fit(tally_of(names, (group, lineup, bots, standings, winner)))
    new = np.random.default_rng(3).permutation(6)  # old number -> new number
    renamed = [names[int(np.flatnonzero(new == k)[0])] for k in range(6)]
    other = fit(tally_of(renamed, (group, lineup, new[bots].astype(np.int32), standings, winner)))
    np.testing.assert_allclose(other.theta[new], one.theta, atol=1e-10)
    np.testing.assert_allclose(other.cov[np.ix_(new, new)], one.cov, atol=1e-12)
    assert other.table["bot"].tolist() == one.table["bot"].tolist()


def test_long_batches_are_cut_between_groups() -> None:
    arrays = play(30_000, 3, np.zeros(4), seed=8)
    whole = tally_of(labels(4), arrays)
    parts = tally_of(labels(4), arrays, [7, 9_999, 21_000])
    assert whole.group_count == parts.group_count == 30_000
    assert (fit(whole).cov == fit(parts).cov).all()
    # one group larger than a step
    tally = Tally(["a", "b"])
    bots = np.tile(np.array([[0, 1]], np.int32), (80_000, 1))
    standings = np.array([[1, 2], [2, 1]], np.int8)[np.arange(80_000) % 2]
    group = (np.arange(80_000) >= 5).astype(np.int64)
    tally.add(group, group * 0, bots, standings, standings.argmin(axis=1))
    assert tally.group_count == 2 and tally.match_count == 80_000


def test_memory_does_not_grow_with_matches() -> None:
    arrays = play(2_000, 4, np.zeros(5), seed=9)
    tally = tally_of(labels(5), arrays)
    held = [len(patterns.index) for patterns in tally._patterns.values()]
    for _ in range(3):
        tally.add(*arrays)
    assert [len(patterns.index) for patterns in tally._patterns.values()] == held == [comb(5, 4)]
    assert not tally._mixed


# --- anchors, pairs, intervals --------------------------------------------------------------------------


def test_anchor() -> None:
    orders = {"a>b>c": 20, "c>b>a": 11, "b>a>c": 7}
    free, held = rate(orders), rate(orders, anchor={"b": 1500})
    assert held.elo[1] == pytest.approx(1500)
    assert gap(held, "a", "c") == pytest.approx(gap(free, "a", "c"))
    np.testing.assert_allclose(held.se_matrix, free.se_matrix, atol=1e-9)
    assert held.interval("b") == pytest.approx((1500, 1500))
    low, high = held.interval("a")
    assert (high - low) / 2 == pytest.approx(free.se_diff("a", "b") * 2.026192, rel=1e-6)
    for wrong, text in [({"bb": 0}, "among the bots"), ({"a": inf}, "finite"), ({}, "exactly one")]:
        with pytest.raises(PresiError, match=text):
            rate(orders, anchor=wrong)
    with pytest.raises(PresiError, match=r"confidence 1\.5"):
        rate(orders, confidence=1.5)
    narrow, wide = rate(orders, confidence=0.5).interval("a"), free.interval("a")
    assert wide[0] < narrow[0] < narrow[1] < wide[1]
    with pytest.raises(PresiError, match="'x' is not rated"):
        free.se_diff("a", "x")


def test_pairs() -> None:
    pairs = rate({"a>b": 3, "b>a": 1, "a=b": 1, "b>c": 1, "c>b": 1}).pairs()
    assert pairs.values.tolist() == [
        ["a", "b", 5, 0.7],
        ["b", "a", 5, pytest.approx(0.3)],
        ["b", "c", 2, 0.5],
        ["c", "b", 2, 0.5],
    ]


@pytest.mark.parametrize(("n", "mirror"), [(4, True), (6, True), (4, False)])
def test_intervals_cover_the_truth(n: int, mirror: bool) -> None:
    strength = np.linspace(-0.6, 0.6, n + 1)
    true = (strength[0] - strength[-1]) * ELO
    covered = independent = 0
    runs = 1200
    for seed in range(runs):
        rating = fit(tally_of(labels(n + 1), play(150, n, strength, 10_000 + seed, 0.8, mirror)))
        error = abs(gap(rating, "b00", f"b{n:02}") - true)
        covered += bool(error <= rating._quantile * rating.se_diff("b00", f"b{n:02}"))
        w = rating.games * logistic(rating.theta[:, None] - rating.theta[None, :])[1]
        v = np.linalg.pinv(np.diag(w.sum(axis=1)) - w)
        independent += bool(error <= 1.96 * ELO * sqrt(v[0, 0] + v[n, n] - 2 * v[0, n]))
    # 95 % within three standard deviations of a share (0.63 % each)
    assert 0.931 < covered / runs < 0.969
    if not mirror:
        # taken as independent, the pairs of a match promise too much
        assert independent / runs < 0.92


# --- results from anywhere ------------------------------------------------------------------------------


def test_groups_of_several_sizes() -> None:
    """A group may hold matches of any numbers of seats; the errors know that they share luck."""
    frame = pd.DataFrame(
        {
            "group": ["x", "x", "y", "z", "y", "w"],
            "order": ["a>b>c", "c>a", "b>a", "a>c>b", "c>b>a", "b=a>c>a"],
            "count": [2, 1, 3, 1, 1, 1],
        }
    )
    rating = harness.ratings.bradley_terry(frame)
    table = rating.table.set_index("bot")
    assert rating.clusters == 4
    assert table.loc["a", "matches"] == 10 and table.loc["a", "groups"] == 4
    assert table.loc["c", "groups"] == 4 and table.loc["a", "win_rate"] == pytest.approx(0.3)
    # by hand, as the formula says
    p = logistic(rating.theta[:, None] - rating.theta[None, :])[0]
    won = {
        "x": [[0, 2, 2], [0, 0, 2], [1, 0, 0]],
        "y": [[0, 0, 0], [4, 0, 0], [1, 1, 0]],
        "z": [[0, 1, 1], [0, 0, 0], [0, 1, 0]],
        "w": [[0, 0.5, 1], [1.5, 0, 1], [1, 0, 0]],
    }
    meat = np.zeros((3, 3))
    for rows in won.values():
        a = np.array(rows, float)
        score = (a - (a + a.T) * p).sum(axis=1)
        meat += np.outer(score, score)
    ahead = np.sum([np.array(rows) for rows in won.values()], axis=0)
    assert rating.ahead.tolist() == ahead.tolist()
    games = ahead + ahead.T
    h = np.diag((games * p * p.T).sum(axis=1)) - games * p * p.T
    np.testing.assert_allclose(rating.cov, 4 / 3 * np.linalg.pinv(h) @ meat @ np.linalg.pinv(h), atol=1e-10)


def test_count_within_a_group_is_not_independent() -> None:
    frame = pd.DataFrame({"group": [1, 1, 2, 3, 3], "order": ["a>b", "b>a", "a>b", "a>b", "b>a"]})
    heavy = harness.ratings.bradley_terry(frame.assign(count=1_000))
    light = harness.ratings.bradley_terry(frame)
    assert heavy.se_diff("a", "b") == pytest.approx(light.se_diff("a", "b"))
    alone = frame.drop(columns="group").assign(count=1_000)
    assert harness.ratings.bradley_terry(alone).se_diff("a", "b") < light.se_diff("a", "b") / 10


@pytest.mark.parametrize(
    ("columns", "text"),
    [
        ({"orders": ["a>b"]}, "without a column 'order'.*did you mean orders"),
        ({"order": ["a>"]}, "order 'a>': a name is missing"),
        ({"order": ["a"]}, "order 'a': one name only"),
        ({"order": ["a>b", None]}, "column 'order', row 1: the value is missing"),
        ({"order": ["a>b"], "group": [float("nan")]}, "column 'group', row 0"),
        ({"order": ["a>b", "b>a"], "count": [1, 2.5]}, "count .*2.5.* in row 1: allowed are whole numbers"),
        ({"order": ["a>b"], "count": [-1]}, "count .*-1"),
        ({"order": ["a>b"], "count": ["x"]}, "count 'x'"),
        ({"order": ["a>b"], "count": [0]}, "nothing to rate"),
        ({"order": ["a>a"]}, "nothing to rate"),
        ({"order": ["a>b"], "group": [1], "count": [10**9]}, "too many"),
    ],
)
def test_wrong_tables_are_refused(columns: dict[str, list[Any]], text: str) -> None:
    with pytest.raises(PresiError, match=text):
        harness.ratings.bradley_terry(pd.DataFrame(columns))


def test_wrong_batches_are_refused() -> None:
    tally = Tally(["a", "b"])
    good: dict[str, Any] = {
        "group": [0],
        "lineup": [0],
        "bots": [[0, 1]],
        "standings": [[1, 2]],
        "winner": [0],
    }
    cases: list[tuple[dict[str, Any], str]] = [
        ({"bots": [[0, 2]]}, "bot 2: allowed are 0 to 1"),
        ({"bots": [0, 1]}, "bots has shape"),
        ({"standings": [[0, 1]]}, "standing 0: allowed are 1 to 2"),
        ({"standings": [[1, 2, 3]]}, "standings has shape"),
        ({"winner": [2]}, "winner 2: allowed are -1 to 1"),
        ({"winner": [0, 1]}, "winner has shape"),
        ({"lineup": []}, "lineup has shape"),
        ({"times": np.array([0])}, "times"),
        ({"count": np.array([0])}, "count"),
    ]
    for wrong, text in cases:
        with pytest.raises(PresiError, match=text):
            tally.add(**{**good, **wrong})
    with pytest.raises(PresiError, match="named twice"):
        Tally(["a", "a"])
    with pytest.raises(PresiError, match="different bots"):
        tally.merge(Tally(["b", "a"]))
    assert tally.match_count == 0 and not tally.games.any()
    empty = np.zeros((0, 2), np.int8)
    tally.add([], [], empty, empty, [])
    tally.add_joined([Part(np.zeros(0, int), empty, empty, np.zeros(0, int))])
    assert tally.group_count == 0


def test_many_bots_far_apart() -> None:
    rng = np.random.default_rng(0)
    number = 200
    strength = np.linspace(-15, 15, number)
    bots = np.stack([a := rng.integers(0, number - 4, 60_000), a + rng.integers(1, 5, 60_000)], axis=1)
    first = rng.random(60_000) < logistic(strength[bots[:, 0]] - strength[bots[:, 1]])[0]
    standings = np.where(first[:, None], [[1, 2]], [[2, 1]]).astype(np.int8)
    group = np.arange(60_000)
    tally = Tally(labels(number))
    tally.add(group, group, bots.astype(np.int32), standings, standings.argmin(axis=1))
    rating = fit(tally)
    p = logistic(rating.theta[:, None] - rating.theta[None, :])[0]
    gradient = (rating.ahead - rating.games * p).sum(axis=1)
    assert np.abs(gradient).max() < 1e-8
    assert np.abs(rating.theta - strength).max() < 3.0


@pytest.mark.parametrize("lost", [1, 0])
def test_a_long_ladder_is_climbed(lost: int) -> None:
    """Only neighbours met, and the lower one hardly ever or never was ahead: the ends are worlds apart."""
    orders = {f"{a}>{b}": 999 for a, b in pairwise(f"b{k:03}" for k in range(200))}
    orders |= {">".join(reversed(order.split(">"))): lost for order in list(orders)}
    rating = rate(orders)
    odds = 999 / lost if lost else 999.5 / 0.5
    np.testing.assert_allclose(-np.diff(rating.theta), log(odds), atol=1e-8)


def test_importing_is_cheap() -> None:
    code = (
        "import sys, harness.ratings.bradley_terry, harness.ratings;"
        "assert callable(harness.ratings.bradley_terry);"
        "print([m for m in ('pandas', 'scipy', 'numba', 'matplotlib') if m in sys.modules])"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "[]"


def test_the_lead_on_another_bot_has_its_own_interval() -> None:
    """Ratings' own intervals hold the uncertainty of a hopeless third bot; the lead of a on b must not."""
    rating = rate({"a>b": 640, "b>a": 360, "a>c": 300, "b>c": 300, "c>a": 1, "c>b": 1})
    lead, low, high = rating.lead("a", "b")
    assert lead == pytest.approx(gap(rating, "a", "b"))
    assert high - lead == pytest.approx(lead - low)
    assert high - lead == pytest.approx(1.96 * rating.se_diff("a", "b"), rel=0.01)
    wide = [rating.interval(bot) for bot in "ab"]
    assert wide[0][0] < wide[1][1], "the ratings' intervals overlap"
    assert low > 0, "although the order is certain"
    assert rating.lead("b", "a") == pytest.approx((-lead, -high, -low))


def test_a_lead_without_bound_is_said_to_be_one() -> None:
    lead, _, high = rate({"a>b": 10}).lead("a", "b")
    assert lead == pytest.approx(528.888, abs=1e-3)
    assert high == inf


def test_the_pair_that_one_number_tells_worst_is_named() -> None:
    assert (
        rate({"a>b": 1200, "b>a": 800, "b>c": 1200, "c>b": 800, "c>a": 1200, "a>c": 800}).worst_misfit()
        is not None
    )
    assert rate({"a>b": 1200, "b>a": 800}).worst_misfit() is None
    assert isnan(rate({"a>b": 5, "b>a": 5, "b>c": 5, "c>b": 4}).share("a", "c"))
