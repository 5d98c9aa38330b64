"""Position and skipper: who sits where."""

from __future__ import annotations

import pytest

from tests.strategies.positions import choice, position

SIX = "5o 5c 6o 6c 7o 7c 8o 8c 10o 10c 11o 11c"
SEVEN = SIX + " 12o 12c"
NEXT = "4o 5e 6e 7e 8e 9e"
FAR = "3o 4e 10e 11e 12e 9o"
BEFORE = "4c 5b 6b 7b 8b"


@pytest.mark.parametrize(
    ("mine", "leader", "chain", "said"),
    [
        (SEVEN, 1, "pass", "5x1"),  # from the next seat it takes the trick, at the price of a pair
        (SEVEN, 2, "pass", "pass"),
        (SEVEN, 3, "pass", "pass"),
        (SIX, 1, "5x1", "5x1"),
        (SIX, 2, "5x1", "5x1"),
        (SIX, 3, "5x1", "pass"),  # the seat before may have it
    ],
)
def test_position_fights_the_next_seat_and_lets_the_one_before_win(
    mine: str, leader: int, chain: str, said: str
) -> None:
    played = ["4x1"] + ["pass"] * (3 - leader)
    hands = [mine, NEXT, FAR, BEFORE]
    assert choice("chain", "barajamos", hands, *played, leader=leader) == chain
    assert choice("position", "barajamos", hands, *played, leader=leader) == said


@pytest.mark.parametrize(("direction", "said"), [("order", "pass"), ("order_and_direction", "12x1")])
def test_position_follows_the_direction_in_force(direction: str, said: str) -> None:
    """A quartet of seat 3 turns the direction: then 3 is not the seat before 0 but the next one."""
    hands = [SEVEN, NEXT, FAR, BEFORE + " 1o 1c 1e 1b 12b"]
    passes = ["pass", "pass", "pass"]
    played = ["1x4", *passes, "12x1"] + ([] if direction == "order" else passes[:2])
    changes = {"revolution": direction}
    assert choice("chain", "barajamos", hands, *played, leader=3, **changes) == "pass"
    assert choice("position", "barajamos", hands, *played, leader=3, **changes) == said


def test_skipper_skips_the_player_about_to_go_out() -> None:
    hands = [SEVEN, "9e", FAR, BEFORE]  # the next one has one card
    assert choice("chain", "barajamos", hands, "5x1", leader=3) == "pass"
    assert choice("skipper", "barajamos", hands, "5x1", leader=3) == "5x1"
    assert choice("skipper", "barajamos", hands, "4x1", leader=3) == "pass"  # no equal
    safe = [SEVEN, "9e 9c", FAR, BEFORE]
    assert choice("skipper", "barajamos", safe, "5x1", leader=3) == "pass"
    assert choice("skipper:danger=2", "barajamos", safe, "5x1", leader=3) == "5x1"


def test_skipper_does_not_skip_whom_it_needs_against_the_danger() -> None:
    hands = ["5o 9c 10c 10o", NEXT, "9o", BEFORE]  # skipping 1 would bring the turn to 2, who has one card
    assert choice("chain", "barajamos", hands, "5x1", leader=3) == "5x1"
    assert choice("skipper", "barajamos", hands, "5x1", leader=3) == "9x1"


def test_skipper_knows_that_an_equal_wins_with_two_left() -> None:
    hands = [SEVEN, NEXT, "3o 4e 10e 11e 12e 9o"]
    assert choice("chain", "barajamos", hands, "5x1", "pass", leader=1) == "pass"
    assert choice("skipper", "barajamos", hands, "5x1", "pass", leader=1) == "5x1"
    hand = position("barajamos", hands, ["5x1", "pass", "5x1"], 1)
    assert hand.leading and hand.turn == 0
    three_in = ["5e 6e 7e 8e 9e", "5o 5c 6o 6c 7o 7c 8o 8c 10o 10c 11o 11c 12o 12c", "3o 4e 10e 11e"]
    assert choice("skipper", "barajamos", three_in, "5x1") == "pass"


def test_skipper_plays_like_chain_where_equals_are_forbidden() -> None:
    hands = [SEVEN, "9e", FAR, BEFORE]
    changes = {"equal": "forbidden"}
    assert choice("skipper", "barajamos", hands, "5x1", leader=3, **changes) == "pass"
