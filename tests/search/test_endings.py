"""The exact solver against brute force, and what it does when its budget ends."""

from __future__ import annotations

import numpy as np
import pytest

from harness.hand import Hand
from harness.moves import CHOICES
from harness.search.endings import solve_choices
from harness.search.thinking import list_choices
from harness.tables import Table
from tests.many_endings import all_tables, check_endings
from tests.strategies.positions import position

TABLES = all_tables(drawn=6)


@pytest.mark.parametrize(
    ("rules", "players"), TABLES, ids=[f"{at}-{rules.name}-{n}" for at, (rules, n) in enumerate(TABLES)]
)
def test_the_solver_agrees_with_brute_force(rules: Table, players: int) -> None:
    assert check_endings(rules, players, 100, seed=1, most=3) > 3


def solved(hand: Hand, positions: int) -> tuple[bool, dict[str, float]]:
    hand.view()
    moves, values = np.zeros(CHOICES, np.int64), np.zeros(CHOICES)
    number = list_choices(hand._view, moves)
    known = solve_choices(hand._state[0], hand._state[1], moves, number, positions, values)
    texts = dict(zip(hand.legal(), hand.legal_texts(), strict=True))
    return known, {texts[move]: value for move, value in zip(moves[:number].tolist(), values, strict=False)}


def test_the_pair_waits_until_he_cannot_answer() -> None:
    """He answers a pair of 5s with his 7s and is out; the 9 before it keeps him from it, as does a single 5."""
    hand = position("barajamos", ["5c 5e 9c", "7c 7e", "3c"], ["3c"], leader=2)
    assert hand.turn == 0
    known, values = solved(hand, 1000)
    assert known and values == {"5x1": 1.0, "5x2": 0.0, "9x1": 1.0}


def test_a_budget_that_ends_is_told() -> None:
    hand = position("barajamos", ["3c 4c 5c 6c 7c 10c 11c", "3e 4e 5e 6e 7e 10e 12e", "3o"], ["3o"], leader=2)
    assert not solved(hand, 3)[0]
    assert solved(hand, 1_000_000)[0]
