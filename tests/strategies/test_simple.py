"""Random, highest, lowest, lowgroup and bigfirst."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.strategies.positions import asked, choice, position

OTHERS = ["6o 6c 7e", "9c 9e 9b"]


def test_random_plays_every_choice_about_as_often() -> None:
    hand = position("barajamos", ["4o 5o", "6o 6c 2o", "9c 9e"], ["4o"])
    seen: Counter[str] = Counter()
    for stream in range(600):
        hand._hidden["streams"][1] = stream * 0x9E3779B97F4A7C15 % 2**64
        seen[asked("random", hand, "play")] += 1
    assert set(seen) == {"6x1", "2o", "pass"}
    assert all(140 <= times <= 260 for times in seen.values())  # 200 ± 5 standard deviations


@pytest.mark.parametrize(
    ("mine", "best"),
    [("3o 3c 12o 1c", "1x1"), ("3o 3c 3e 12o 12c", "12x2"), ("2c 2e 2o", "2o")],
)
def test_highest_leads_its_strongest_rank_whole(mine: str, best: str) -> None:
    assert choice("highest", "barajamos", [mine, *OTHERS]) == best


def test_highest_is_the_strongest_in_force() -> None:
    hands = ["3c 9c 2c", "4c 4d 5c", "6c 6d", "7c 7d"]
    assert choice("highest", "presidente-revolucion", hands) == "2x1"
    quartet = ["5c 5d 5h 5s 8d", "3c 9c 2c Kc", "6c 6d", "7c 7d"]
    assert choice("highest", "presidente-revolucion", quartet, "5x4", "pass", "pass", "pass", "8x1") == "3x1"


def test_lowest_plays_one_card_and_never_passes() -> None:
    assert choice("lowest", "barajamos", ["3o 3c 4e", *OTHERS]) == "3x1"
    assert choice("lowest", "barajamos", ["1o 1c 1e", "6o 3o", "4o"], "6o", "pass", leader=1) == "1x1"


def test_lowgroup_leads_the_weakest_group_and_breaks_groups_to_answer() -> None:
    assert choice("lowgroup", "barajamos", ["3o 3c 4o 4c 4e 12b", *OTHERS]) == "3x2"
    assert choice("lowgroup", "barajamos", ["7o 7c 12b", "6o 3o", "4o"], "6o", "pass", leader=1) == "7x1"


def test_bigfirst_leads_the_largest_group() -> None:
    assert choice("bigfirst", "barajamos", ["3o 3c 4o 4c 4e 12b", *OTHERS]) == "4x3"
    assert choice("bigfirst", "barajamos", ["3o 3c 4o 4c 12b", *OTHERS]) == "3x2"
