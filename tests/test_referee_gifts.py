"""What the referee must notice about cards that change hands: too many, too few, the wrong one."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import pytest

from tests.reference.random_tables import random_match
from tests.reference.referee import Disagreement, check_trace, exchange, rank_of
from tests.reference.tables import TABLES, make_table

Events = list[dict[str, Any]]


def first(events: Events, kind: str) -> int:
    """Find the first event of a kind."""
    return next(index for index, event in enumerate(events) if event["event"] == kind)


def refused_at(events: Events) -> int:
    """Return the index of the event that the referee objects to."""
    with pytest.raises(Disagreement) as disagreement:
        check_trace(events)
    return disagreement.value.number - 1


def match_where(table: dict[str, Any], fits: Callable[[Events, int], bool]) -> tuple[Events, int]:
    """Find a random match whose first exchange fits; return it and the index of that exchange."""
    for seed in range(2000):
        events = random_match(table, 4, seed)
        at = first(events, "exchange")
        if fits(events, at):
            return events, at
    raise AssertionError("no such match")


def kept(events: Events, at: int, rank: str) -> list[str]:
    """List the cards of a rank that the giver was dealt and did not give."""
    dealt = next(event for event in events[at::-1] if event["event"] == "deal")["hands"]
    gift = events[at]
    return [card for card in dealt[gift["from"]] if rank_of(card) == rank and card not in gift["cards"]]


@pytest.mark.parametrize("seats", [*itertools.permutations(range(3), 2)])
def test_a_deal_holds_every_card_once(seats: tuple[int, int]) -> None:
    events = random_match(TABLES["naipera"], 4, 1)
    here, there = (events[1]["hands"][seat] for seat in seats)
    here[0] = there[0]
    assert refused_at(events) == 1


@pytest.mark.parametrize("card", ["8o", "9b", "JK1", "3s"])
def test_a_deal_holds_no_card_of_another_deck(card: str) -> None:
    events = random_match(TABLES["naipera"], 4, 1)
    events[1]["hands"][2][0] = card
    assert refused_at(events) == 1


@pytest.mark.parametrize("deck", ["french52", "spanish48"])
@pytest.mark.parametrize("role", ["top", "wild"])
def test_jokers_go_up_and_down_by_number(deck: str, role: str) -> None:
    """Unlike French suits, of which the highest goes up."""
    base = "presidente-clasico" if deck == "french52" else "naipera"
    table = make_table(
        base, {"deck": deck}, jokers=3, joker_role=role, exchange=[1, 0], exchange_return="worst"
    )
    suit = "c" if deck == "french52" else "o"
    hands = [["JK1"], [f"4{suit}"], [f"5{suit}"], [f"3{suit}", "JK3", "JK2"]]
    events = exchange(table, hands, [1, 2, 3, 4])[1]
    assert [event["cards"] for event in events] == [["JK2"], ["JK1"]]


def test_the_lone_winner_may_not_be_held_back() -> None:
    table = make_table("barajamos", match_hands=2, exchange=[1, 0])
    events, at = match_where(
        table, lambda events, at: events[at]["cards"] == ["2o"] and bool(kept(events, at, "2"))
    )
    events[at]["cards"] = kept(events, at, "2")[:1]
    assert refused_at(events) == at


@pytest.mark.parametrize("name", ["barajamos", "presidente-clasico"])
@pytest.mark.parametrize("which", [0, 1])
def test_a_gift_names_no_card_twice(name: str, which: int) -> None:
    events, at = match_where(make_table(name, match_hands=2), lambda events, at: True)
    events[at + which]["cards"].append(events[at + which]["cards"][0])
    assert refused_at(events) == at + which


@pytest.mark.parametrize("name", ["barajamos", "presidente-clasico"])
def test_a_gift_is_of_the_right_size(name: str) -> None:
    for which in (0, 1):
        events, at = match_where(make_table(name, match_hands=2), lambda events, at: True)
        events[at + which]["cards"].pop()
        assert refused_at(events) == at + which


def test_an_upper_player_may_give_back_what_was_just_received_only_where_it_chooses() -> None:
    for returns, blamed in (("choice", False), ("worst", True)):
        table = make_table("presidente-clasico", match_hands=2, exchange_return=returns)
        events, at = match_where(table, lambda events, at: True)
        events[at + 1]["cards"] = list(events[at]["cards"])
        # The later plays may not fit the cards any more; the gift itself is what is judged here.
        try:
            check_trace(events)
        except Disagreement as disagreement:
            assert (disagreement.number == at + 2) == blamed
        else:
            assert not blamed
