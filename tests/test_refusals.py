"""Impossible choices and positions by hand: each refused with its reason, the exchange as the referee's."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import harness
from harness.cards import deck_cards
from tests.reference.match import exchange as referee_exchange
from tests.reference.random_tables import tables
from tests.test_game import referee_table

BARAJAMOS = harness.table("barajamos")
CLASICO = harness.table("presidente-clasico")
FLIPS = harness.table("presidente-revolucion")
JOKERS = harness.table("presidente-clasico", jokers=2, joker_role="wild")
SEVENS = harness.table("barajamos", wild_rank="7")

MINE = ["5o 5c 7e 2o 2c", "9o 9c 9e 1b", "3o 4o"]


@pytest.mark.parametrize(
    ("rules", "hands", "before", "choice", "reason"),
    [
        (BARAJAMOS, MINE, [], "pass", "the leader may not pass"),
        (BARAJAMOS, MINE, [], "9x1", "not in hand"),
        (BARAJAMOS, MINE, [], "5x3", "not in hand"),
        (BARAJAMOS, MINE, [], "9o", "9o is not in hand"),
        (BARAJAMOS, MINE, [], "5o 5o", "5o is named twice"),
        (BARAJAMOS, MINE, [], "5o 7e", "5o and 7e are not of one rank"),
        (BARAJAMOS, MINE, [], "", "name some cards, or pass"),
        (BARAJAMOS, MINE, [], [], "name some cards, or pass"),
        (BARAJAMOS, MINE, [], "5x0", "0 cards: one to four may be played"),
        (BARAJAMOS, MINE, [], "5x5", "5 cards: one to four may be played"),
        (BARAJAMOS, MINE, [], "Kx1", "K is no rank of barajamos: 3 4 5 6 7 8 9 10 11 12 1 2"),
        (BARAJAMOS, MINE, [], "JKx1", "barajamos is played without jokers"),
        (BARAJAMOS, MINE, [], "5x2w1", "barajamos has no wild cards"),
        (BARAJAMOS, MINE, [], "5x" + "9" * 5000, "no choice and no cards"),
        (BARAJAMOS, MINE, [], "five", "no choice and no cards"),
        (BARAJAMOS, MINE, [], 5, "a choice is text"),
        (BARAJAMOS, MINE, [], None, "a choice is text"),
        (BARAJAMOS, MINE, [], [5, 5], "a choice is text"),
        (BARAJAMOS, MINE, [], "2o 2c 5o", "2o and 5o are not of one rank"),
        (BARAJAMOS, ["2o 3c", "4o", "5o"], [], "2x1", "the only one is 2o, which wins alone: play 2o"),
        (BARAJAMOS, ["2o 2c 2e 3c", "4o", "5o"], [], "2o 2c", "stays in hand while plain cards suffice: play 2c 2e"),
        (BARAJAMOS, MINE, ["5x2"], "9x3", "three cards on a pair"),
        (BARAJAMOS, MINE, ["5x2"], "1x1", "one card on a pair"),
        (BARAJAMOS, ["9o 3c", "8o 4c", "5o"], ["9x1"], "8x1", "needs more than 9, or an equal"),
        (CLASICO, ["9c 3c", "9d 4c", "5c", "6c"], ["9x1"], "9d", "needs more than 9"),
        (FLIPS, ["9c 9d 9h 9s Kc", "Ac 4c", "5c", "6c"], ["9x4", "pass", "pass", "pass", "Kx1"], "Ax1", "needs lower than K"),
        (JOKERS, ["5c JK1 JK2", "9c", "Tc", "6c"], [], "JK1 5c 9c", "9c is not in hand"),
        (JOKERS, ["5c JK1 JK2", "9c", "Tc", "6c"], [], "5x1w1", "1 wild of one card: at least one card is natural"),
        (JOKERS, ["5c JK1 JK2", "9c", "Tc", "6c"], [], "5x4w3", "not in hand"),
        (JOKERS, ["5c JK1 JK2", "9c", "Tc", "6c"], [], "JKx2w1", "wild cards do not stand for their own kind"),
        (SEVENS, ["5o 7e 7o 3c", "9c", "10c"], [], "5o 3c 7e", "5o and 3c are not of one rank"),
        (SEVENS, ["5o 7e 7o 3c", "9c", "10c"], [], "7x2w1", "wild cards do not stand for their own kind"),
    ],
)  # fmt: skip
def test_an_impossible_choice_is_refused_with_its_reason(
    rules: harness.Table, hands: list[str], before: list[str], choice: Any, reason: str
) -> None:
    game = harness.Game(rules, hands, leader=0)
    for earlier in before:
        game.play(earlier)
    held, legal = [game.hand(seat) for seat in range(game.players)], game.legal()
    with pytest.raises(harness.IllegalMove) as refusal:
        game.play(choice)
    assert reason in refusal.value.reason
    assert "\n" not in str(refusal.value)
    assert [game.hand(seat) for seat in range(game.players)] == held and game.legal() == legal


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"hands": ["3o", "4o"]}, "hands"),
        ({"hands": ["3o", "3o", "4o"]}, "3o"),
        ({"hands": ["3o", "", "4o"]}, "at least one"),
        ({"hands": ["3o", "Kc", "4o"]}, "Kc"),
        ({"hands": [["3o"], 5, ["4o"]]}, "cards as text"),
        ({"hands": 7}, "hands"),
        ({"hands": None}, "hands"),
        ({"leader": 3}, "leader = 3: allowed: a seat, 0 to 2"),
        ({"leader": "0"}, "leader = 0: allowed"),
        ({"leader": True}, "leader = true: allowed"),
        ({"previous": [1, 2]}, "the places 1, 2, 3, one for each seat"),
        ({"previous": [1, 2, 2]}, "the places 1, 2, 3"),
        ({"previous": "123"}, "previous = 123: allowed"),
        ({"previous": [1.0, 2, 3]}, "the places 1, 2, 3"),
        ({"flipped": True}, "barajamos has no revolution"),
        ({"flipped": "no"}, "true or false"),
        ({"table": "barajmos"}, "did you mean barajamos?"),
    ],
)
def test_an_impossible_position_is_refused_by_field(changes: dict[str, Any], message: str) -> None:
    position = {"table": "barajamos", "hands": ["3o", "5o", "4o"], "leader": 0} | changes
    with pytest.raises(harness.TableError) as refusal:
        harness.Game(**position)  # type: ignore[arg-type]
    assert message in str(refusal.value)
    assert "\n" not in str(refusal.value)


def test_whole_numbers_of_any_kind_name_seats_and_places() -> None:
    leader: Any = np.int64(1)
    seat: Any = np.int8(0)
    places: Any = np.array([3, 1, 2])
    game = harness.Game("barajamos", ["3o", "5o", "4o"], leader, previous=places)
    assert game.turn == 1 and game.hand(seat) == ["3o"]


@settings(max_examples=200, deadline=None)
@given(tables(), st.randoms(use_true_random=False))
def test_an_exchange_is_the_referees(drawn: tuple[dict[str, Any], int], chance: Any) -> None:
    """On drawn tables and hands, with upper players who choose whatever they hold."""
    rules, players = drawn
    ours = referee_table(rules, players)
    deck = list(deck_cards(ours.deck, ours.jokers))
    chance.shuffle(deck)
    hands = [deck[seat::players] for seat in range(players)]
    before = chance.sample(range(1, players + 1), players)
    given_back: dict[int, list[str]] = {}

    def give(seat: int, cards: list[str]) -> str:
        given_back.setdefault(seat, []).append(chance.choice(cards))
        return given_back[seat][-1]

    theirs, told = referee_exchange(rules, hands, before, give)
    after, events = harness.exchange(ours, hands, before, given_back or None)
    assert [sorted(held) for held in after] == [sorted(held) for held in theirs]

    def unordered(event: dict[str, Any]) -> dict[str, Any]:
        return event | {"cards": sorted(event["cards"])}

    assert [unordered(event) for event in events] == [unordered(event) for event in told]


DEALT = ["3c 4c 5c", "6c 7c 8c", "9c Tc Jc", "Qc Kc Ac"]


@pytest.mark.parametrize(
    ("rules", "returns", "message"),
    [
        (CLASICO, {0: "3c 9c"}, "seat 0 does not hold it"),
        (CLASICO, {0: "3c"}, "2 different cards of seat 0"),
        (CLASICO, {0: ""}, "2 cards of seat 0, or None for its worst"),
        (CLASICO, {2: "9c"}, "only upper players of a pair give back"),
        (CLASICO, {4: "9c"}, "a seat, 0 to 3"),
        (CLASICO, {"0": "3c 4c"}, "a seat, 0 to 3"),
        (CLASICO, "3c 4c", "cards by seat"),
        (CLASICO, 7, "cards by seat"),
        (CLASICO, [None] * 5, "at most 4"),
        (harness.table("presidente-clasico", exchange_return="worst"), {0: "3c 4c"}, "lets nobody choose"),
    ],
)
def test_an_impossible_gift_is_refused(rules: harness.Table, returns: Any, message: str) -> None:
    with pytest.raises(harness.TableError) as refusal:
        harness.exchange(rules, DEALT, [1, 2, 3, 4], returns)
    assert message in str(refusal.value) and "\n" not in str(refusal.value)


def test_no_wish_gives_the_worst() -> None:
    assert harness.exchange(CLASICO, DEALT, [1, 2, 3, 4], [None, "Jc", None]) == harness.exchange(
        CLASICO, DEALT, [1, 2, 3, 4], {1: ["Jc"]}
    )
