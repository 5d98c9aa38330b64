from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import harness.ratings
from harness.errors import PresiError


def plain(rows: list[list[tuple[str, int]]], k: float) -> dict[str, float]:
    """Elo in plain loops: rows of (bot, standing)."""
    rating: dict[str, float] = {}
    for row in rows:
        change: dict[str, float] = {}
        for a, (first, place) in enumerate(row):
            for b, (second, other) in enumerate(row):
                if a != b and first != second:
                    expected = 1 / (1 + 10 ** ((rating.get(second, 0.0) - rating.get(first, 0.0)) / 400))
                    won = 0.5 if place == other else float(place < other)
                    change[first] = change.get(first, 0.0) + k * (won - expected)
        for bot, points in change.items():
            rating[bot] = rating.get(bot, 0.0) + points
    return rating


def test_four_equal_bots() -> None:
    rating = harness.ratings.elo(pd.DataFrame({"order": ["a>b>c>d"]}), k=32 / 3)
    assert rating.elo.tolist() == pytest.approx([16.0, 16 / 3, -16 / 3, -16.0])
    assert rating.table["bot"].tolist() == ["a", "b", "c", "d"]


def test_as_in_plain_loops() -> None:
    orders = ["a>b>c", "c>a", "a=b>c", "b>a>a", "c>b", "a>a>b"] * 5
    rating = harness.ratings.elo(pd.DataFrame({"order": orders}), k=8)
    rows = []
    for order in orders:
        row: list[tuple[str, int]] = []
        for level in order.split(">"):
            place = len(row) + 1
            row += [(bot, place) for bot in level.split("=")]
        rows.append(row)
    expected = plain(rows, 8)
    assert dict(zip(rating.bots, rating.elo.tolist(), strict=True)) == pytest.approx(expected)
    assert rating.curve.shape == (len(rating.matches), 3)
    assert rating.matches[-1] == 30 and not rating.curve[0].any()


def test_the_order_of_the_same_matches_matters_and_is_said_to() -> None:
    rng = np.random.default_rng(1)
    orders = np.where(rng.random(2_000) < 0.5, "a>b", "b>a")
    rating = harness.ratings.elo(pd.DataFrame({"order": orders}), k=32)
    assert rating.se_diff("a", "b") > 10
    assert rating.table["flag"].str.startswith("depends on order: sd").all()
    again = harness.ratings.elo(pd.DataFrame({"order": orders}), k=32)
    assert (again.shuffled == rating.shuffled).all()
    slow = harness.ratings.elo(pd.DataFrame({"order": orders}), k=1)
    assert slow.se_diff("a", "b") < rating.se_diff("a", "b") / 3


def test_errors() -> None:
    frame = pd.DataFrame({"order": ["a>b"]})
    with pytest.raises(PresiError, match="k 0: allowed is a number above 0"):
        harness.ratings.elo(frame, k=0)
    with pytest.raises(PresiError, match="shuffles 1: allowed"):
        harness.ratings.elo(frame, shuffles=1)
    with pytest.raises(PresiError, match="bot 'z' is not rated"):
        harness.ratings.elo(frame).se_diff("a", "z")
