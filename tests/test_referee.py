"""The plain referee against the rule book: shared cases, and a position or two for every paragraph."""

from __future__ import annotations

import copy
import itertools
import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reference.random_tables import random_chooser, random_match, tables
from reference.referee import (
    Disagreement,
    Hand,
    Refused,
    check_trace,
    deal,
    exchange,
    leader_of,
    rank_of,
    result,
    simulate_match,
    whole_deck,
)
from reference.tables import TABLES, make_table

CASES = json.loads((Path(__file__).parent / "cases" / "rules.json").read_text(encoding="utf-8"))


def state(hand: Hand) -> dict[str, Any]:
    """Copy everything a hand knows."""
    return copy.deepcopy(vars(hand))


def refuse(hand: Hand, choice: str) -> str:
    """Check that a play is refused without a trace, and return the reason."""
    before = state(hand)
    with pytest.raises(Refused) as refusal:
        hand.play(choice)
    assert state(hand) == before
    assert refusal.value.reason
    return refusal.value.reason


def go(hand: Hand, *steps: str) -> list[dict[str, Any]]:
    """Play steps such as `"1 5c 5e"` or `"0 pass"`; return the events of the last without its play."""
    events: list[dict[str, Any]] = []
    for step in steps:
        seat, choice = step.split(maxsplit=1)
        assert hand.turn == int(seat), step
        events = hand.forfeit(int(seat)) if choice == "forfeit" else hand.play(choice)
        assert events[0]["seat"] == int(seat)
    return events[1:]


def out(seat: int, puesto: int) -> dict[str, Any]:
    """Write an `out` event."""
    return {"event": "out", "seat": seat, "puesto": puesto}


def skip(seat: int) -> dict[str, Any]:
    """Write a `skip` event."""
    return {"event": "skip", "seat": seat}


def fall(seat: int) -> dict[str, Any]:
    """Write a `fall` event."""
    return {"event": "fall", "seat": seat}


def trick(winner: int, leader: int) -> dict[str, Any]:
    """Write a `trick` event."""
    return {"event": "trick", "winner": winner, "leader": leader}


# --- the shared cases -----------------------------------------------------------------------------------


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_shared_case(case: dict[str, Any]) -> None:
    hand = Hand(make_table(case["table"], case["set"]), case["hands"], case["leader"], case["previous"])
    for step, *rest in case["steps"]:
        if step == "play":
            assert hand.turn == rest[0]
            hand.play(rest[1])
        elif step == "no":
            assert hand.turn == rest[0]
            refuse(hand, rest[1])
        elif step == "legal":
            assert hand.legal() == set(rest[0])
        elif step == "trick":
            assert hand.trick == (None if rest[0] is None else tuple(rest[0]))
        elif step == "places":
            assert hand.places() == rest[0]
        else:
            assert step in {"turn", "over", "flipped"}
            assert getattr(hand, step) == rest[0]


# --- 1, 2: decks, tables, positions ---------------------------------------------------------------------


@pytest.mark.parametrize(("deck", "jokers", "size"), [("spanish48", 0, 48), ("spanish40", 2, 42), ("french52", 4, 56)])
def test_whole_deck(deck: str, jokers: int, size: int) -> None:
    cards = whole_deck({"deck": deck, "jokers": jokers})
    assert len(cards) == len(set(cards)) == size


def test_forty_cards_at_barajamos_drop_ranks_of_the_order() -> None:
    assert make_table("barajamos", deck="spanish40")["order"] == "3 4 5 6 7 10 11 12 1 2".split()


@pytest.mark.parametrize("name", TABLES)
def test_order_of_every_table_has_every_rank_once(name: str) -> None:
    table = TABLES[name]
    assert sorted(table["order"]) == sorted({card[:-1] for card in whole_deck({**table, "jokers": 0})})


@pytest.mark.parametrize(
    "change",
    [
        {"hands": ["3o 3o", "4o", "5o"]},
        {"hands": ["3o", "3o", "5o"]},
        {"hands": ["3o", "4o", ""]},
        {"hands": ["Ts", "4o", "5o"]},
        {"hands": ["JK1", "4o", "5o"]},
        {"leader": 3},
        {"previous": [1, 1, 2]},
        {"flipped": True},
    ],
)
def test_impossible_positions(change: dict[str, Any]) -> None:
    with pytest.raises(ValueError):
        Hand(**{"table": TABLES["barajamos"], "hands": ["3o", "4o", "5o"], "leader": 0, **change})


# --- 3: deal, turn, trick -------------------------------------------------------------------------------


def test_deal_moves_one_seat_a_hand_with_the_extra_cards() -> None:
    table = TABLES["barajamos"]
    deck = whole_deck(table)
    sizes = {number: [len(cards) for cards in deal(table, 5, number, deck)[1]] for number in (1, 2, 5, 6)}
    assert sizes == {1: [10, 10, 10, 9, 9], 2: [9, 10, 10, 10, 9], 5: [10, 10, 9, 9, 10], 6: [10, 10, 10, 9, 9]}
    first, hands = deal(table, 5, 2, deck)
    assert first == 1
    assert hands[1][0] == deck[0] and hands[2][0] == deck[1] and hands[0][0] == deck[4]
    with pytest.raises(ValueError):
        deal(table, 5, 2, deck[1:])


def test_opening_card_leads_hand_one_and_need_not_be_played() -> None:
    table = TABLES["barajamos"]
    hands = [["4o"], ["5o"], ["3o", "9c"]]
    assert leader_of(table, hands, None) == 2
    go(Hand(table, hands, 2), "2 9c")


def test_later_leader() -> None:
    assert leader_of(make_table("barajamos"), [[], [], []], [2, 3, 1]) == 1
    assert leader_of(make_table("barajamos", later_leader="president"), [[], [], []], [2, 3, 1]) == 2


def test_a_lead_is_one_to_four_of_one_rank() -> None:
    hand = Hand(TABLES["naipera"], ["5o 5c 5e 5b 6o", "7o", "7c"], 0)
    assert hand.legal() == {"5x1", "5x2", "5x3", "5x4", "6x1"}
    refuse(hand, "5o 6o")
    refuse(hand, "")
    refuse(hand, "pass")
    refuse(hand, "5o 5o")
    refuse(hand, "7o")
    refuse(hand, "5x5")
    refuse(hand, "5x0")
    refuse(hand, "5x2w1")
    refuse(hand, "5x2w0")
    refuse(hand, "nonsense")
    refuse(hand, "5o 5c 5e 5b 6o")


def test_a_reply_needs_size_and_value() -> None:
    hand = Hand(TABLES["presidente-clasico"], ["6c 6d 3h", "5c 5d 6h 6s 7c 7d 7h 8s", "9c", "9d"], 0)
    go(hand, "0 6c 6d")
    assert hand.legal() == {"7x2", "pass"}
    assert refuse(hand, "7c 7d 7h") == "3 cards on 2"
    assert refuse(hand, "8s") == "1 cards on 2"
    assert refuse(hand, "5x2") == "needs more than 6"
    refuse(hand, "6x2")


def test_a_choice_takes_the_lowest_suits() -> None:
    hand = Hand(TABLES["presidente-clasico"], ["6s 6d 6h 3h", "5c", "9c", "9d"], 0)
    assert hand.play("6x2")[0]["cards"] == ["6d", "6h"]
    assert hand.hand(0) == ["6s", "3h"]


def test_any_suits_may_be_put_down() -> None:
    hand = Hand(TABLES["presidente-clasico"], ["6s 6d 6h 3h", "5c", "9c", "9d"], 0)
    assert hand.play(["6s", "6h"])[0]["cards"] == ["6s", "6h"]


def test_without_locks_passes_come_round_until_everybody_has_passed_the_last_play() -> None:
    hand = Hand(TABLES["presidente-clasico"], ["5c 3d", "8c 9d", "4s Kd", "7c Td"], 0)
    go(hand, "0 5c", "1 pass", "2 pass", "3 7c", "0 pass", "1 8c", "2 Kd", "3 pass", "0 pass")
    assert go(hand, "1 pass") == [trick(2, 2)]


def test_with_locks_a_pass_holds_until_the_trick_ends() -> None:
    hand = Hand(TABLES["naipera"], ["5o 3c", "6o 10c", "7o 11c", "4o 12c"], 0)
    go(hand, "0 5o", "1 pass", "2 7o", "3 12c", "0 pass")
    assert go(hand, "2 pass") == [trick(3, 3)]
    go(hand, "3 4o")
    assert hand.over is False
    assert hand.legal() == {"pass"}


def test_owner_out_is_where_the_trick_ends() -> None:
    """Seat 2 goes out; the round is full when its seat is reached again, though it cannot play."""
    hand = Hand(TABLES["naipera"], ["5o 3c", "6o 10c", "7o", "4o 12c"], 0)
    go(hand, "0 5o", "1 6o")
    assert go(hand, "2 7o") == [out(2, 1)]
    go(hand, "3 pass", "0 pass")
    assert go(hand, "1 pass") == [trick(2, 3)]
    assert hand.turn == 3  # though it has passed


def test_owner_out_is_beaten_in_time() -> None:
    hand = Hand(TABLES["naipera"], ["5o 3c", "6o 10c", "7o", "4o 12c"], 0)
    go(hand, "0 5o", "1 6o", "2 7o", "3 12c")
    assert go(hand, "0 pass") == []
    assert go(hand, "1 pass") == [trick(3, 3)]


def test_out_closes_even_when_others_could_beat_it() -> None:
    hand = Hand(TABLES["barajamos"], ["5o 3c", "6o 10c", "7o", "4o 12c"], 0)
    go(hand, "0 5o", "1 6o")
    assert go(hand, "2 7o") == [out(2, 1), trick(2, 3)]
    assert hand.legal() == {"4x1", "12x1"}


def test_out_closes_and_a_passed_seat_leads() -> None:
    hand = Hand(TABLES["barajamos"], ["5o 3c", "6o 10c", "7o 12c", "8o"], 0)
    go(hand, "0 5o", "1 pass", "2 7o")
    assert go(hand, "3 8o") == [out(3, 1), trick(3, 0)]


@pytest.mark.parametrize("closes", [True, False])
def test_next_leader_jumps_seats_without_cards(closes: bool) -> None:
    hand = Hand(make_table("naipera", out_closes_trick=closes), ["5o", "6o", "7o 4c", "4o 3o"], 0)
    go(hand, "0 5o")
    if closes:
        assert go(hand, "1 6o") == [out(1, 2), trick(1, 2)]
    else:
        go(hand, "1 6o", "2 pass")
        assert go(hand, "3 pass") == [trick(1, 2)]


def test_hand_end_says_places_and_points_and_no_trick() -> None:
    hand = Hand(TABLES["naipera"], ["5o", "6o 3e", "7o 4c"], 0)
    go(hand, "0 5o", "1 pass", "2 7o")  # seat 1 has passed, seat 0 is out: the trick is over
    assert hand.trick is None and hand.turn == 2
    assert go(hand, "2 4c") == [
        out(2, 2),
        {"event": "hand_end", "puestos": [1, 3, 2], "points": [2, -2, 0], "totals": [2, -2, 0]},
    ]
    assert hand.over and hand.turn is None and hand.trick is None and hand.legal() == set()
    refuse(hand, "pass")
    with pytest.raises(Refused):
        hand.forfeit(1)


# --- 4: equal and skip ----------------------------------------------------------------------------------


def test_equal_skips_the_next() -> None:
    hand = Hand(TABLES["naipera"], ["5o 3c", "5c 10c", "7o 11c", "4o 12c"], 0)
    go(hand, "0 5o")
    assert go(hand, "1 5c") == [skip(2)]
    assert hand.turn == 3


def test_equal_with_passes_in_between_skips_who_can_act() -> None:
    hand = Hand(TABLES["naipera"], ["5o 3c", "4o 10c", "5c 11c", "7o 12c"], 0)
    go(hand, "0 5o", "1 pass")
    assert go(hand, "2 5c") == [skip(3)]
    assert hand.turn == 0


def test_skip_jumps_passed_and_empty_seats() -> None:
    hand = Hand(TABLES["naipera"], ["6o 3c", "7o", "4o 10c", "12c 5b", "7c 11c", "6b 12b"], 0)
    go(hand, "0 6o", "1 7o", "2 pass", "3 pass")
    assert go(hand, "4 7c") == [skip(5)]
    assert go(hand, "0 pass") == [trick(4, 4)]
    hand = Hand(TABLES["naipera"], ["6o 6c 3c", "10c 12o", "6e 3e", "12c 5b"], 0)
    go(hand, "0 6o", "1 pass", "2 6e")
    assert hand.turn == 0  # seat 3 is skipped
    assert go(hand, "0 6c") == [skip(2)]  # seat 1 has passed
    assert hand.turn == 3  # to be skipped is not to pass


def test_who_was_skipped_may_play_when_the_turn_comes_again() -> None:
    hand = Hand(TABLES["naipera"], ["5o 7c", "5c 10c", "6o 11c", "4o 12c"], 0)
    go(hand, "0 5o", "1 5c", "3 pass", "0 7c", "1 pass")
    assert hand.turn == 2
    assert hand.legal() == {"pass", "11x1"}


def test_equal_between_two_wins() -> None:
    hand = Hand(TABLES["naipera"], ["5o 3c", "5c 10c", "6o 11c"], 0)
    go(hand, "0 5o")
    assert go(hand, "1 5c") == [skip(2)]
    assert go(hand, "0 pass") == [trick(1, 1)]
    hand = Hand(TABLES["naipera"], ["5o 3c", "10c 12o", "5c 11c"], 0)
    go(hand, "0 5o", "1 pass")
    assert go(hand, "2 5c") == [skip(0), trick(2, 2)]


def test_equal_when_nobody_else_could_act_skips_nobody() -> None:
    hand = Hand(TABLES["naipera"], ["5o", "10c 12o", "5c 11c"], 0)
    go(hand, "0 5o", "1 pass")
    assert go(hand, "2 5c") == [trick(2, 2)]


def test_skip_in_a_hand_that_went_through_equal_and_back() -> None:
    """Without locks the skip may fall on a seat again and again."""
    hand = Hand(make_table("naipera", pass_locks=False), ["5o 3c", "5c 10c", "5e 11c"], 0)
    go(hand, "0 5o")
    assert go(hand, "1 5c") == [skip(2)]
    assert go(hand, "0 pass") == [trick(1, 1)]


def test_going_out_by_an_equal_still_skips() -> None:
    hand = Hand(TABLES["naipera"], ["5o 3c", "10c 12o", "5c", "6o 11c"], 0)
    go(hand, "0 5o", "1 pass")
    assert go(hand, "2 5c") == [out(2, 1), skip(3)]
    assert go(hand, "0 pass") == [trick(2, 3)]


def test_going_out_by_an_equal_skips_nobody_where_it_closes() -> None:
    hand = Hand(TABLES["barajamos"], ["5o 3c", "10c 12o", "5c", "6o 11c"], 0)
    go(hand, "0 5o", "1 pass")
    assert go(hand, "2 5c") == [out(2, 1), trick(2, 3)]


def test_without_locks_a_skip_hits_who_has_passed() -> None:
    hand = Hand(make_table("naipera", pass_locks=False), ["5o 7c 3c", "6o 10c", "7o 11c", "4o 12c"], 0)
    go(hand, "0 5o", "1 6o", "2 pass", "3 pass", "0 7c", "1 pass")
    assert go(hand, "2 7o") == [skip(3)]
    assert go(hand, "0 pass") == []
    assert go(hand, "1 pass") == [trick(2, 2)]


def test_equal_pairs_trios_and_their_sizes() -> None:
    hand = Hand(TABLES["naipera"], ["5o 5c 3c", "5e 5b 10c", "7o 11c"], 0)
    go(hand, "0 5o 5c")
    assert go(hand, "1 5x2") == [skip(2)]


def test_a_chain_of_equals() -> None:
    hand = Hand(TABLES["naipera"], ["5o 3c", "5c 10c", "5e 11c", "5b 12c"], 0)
    go(hand, "0 5o")
    assert go(hand, "1 5c") == [skip(2)]
    assert go(hand, "3 5b") == [skip(0)]
    assert hand.turn == 1
    assert go(hand, "1 pass") == []
    assert go(hand, "2 5e") == [skip(3)]
    assert go(hand, "0 pass") == [trick(2, 2)]


# --- 5: the lone winner ---------------------------------------------------------------------------------


def test_lone_winner_is_a_choice_of_its_own() -> None:
    hand = Hand(TABLES["barajamos"], ["2o 2c 4c", "7o 7c", "8o"], 0)
    assert hand.legal() == {"2o", "2x1", "2x2", "4x1"}
    assert hand.play("2x1")[0]["cards"] == ["2c"]
    hand = Hand(TABLES["barajamos"], ["2o 4c", "7o 7c", "8o"], 0)
    assert hand.legal() == {"2o", "4x1"}
    refuse(hand, "2x1")


def test_lone_winner_led_ends_the_trick() -> None:
    hand = Hand(TABLES["barajamos"], ["2o 4c", "7o 7c", "8o"], 0)
    assert go(hand, "0 2o") == [trick(0, 0)]
    assert hand.trick is None


@pytest.mark.parametrize("size", [1, 2, 3, 4])
def test_lone_winner_answers_any_size(size: int) -> None:
    hand = Hand(make_table("barajamos", revolution="order"), ["7o 7c 7e 7b 3o", "2o 4c", "2c 9o"], 0)
    hand.play(f"7x{size}")
    assert hand.legal() == ({"2o", "4x1"} if size == 1 and hand.flipped else {"2o", "pass"})
    assert go(hand, "1 2o") == [trick(1, 1)]
    assert hand.flipped == (size == 4)


def test_lone_winner_is_never_an_equal() -> None:
    hand = Hand(TABLES["barajamos"], ["2c 4c", "2o 7o", "8o 3o"], 0)
    go(hand, "0 2c")
    assert go(hand, "1 2o") == [trick(1, 1)]


def test_plain_twos_are_equals() -> None:
    hand = Hand(TABLES["barajamos"], ["2c 4c", "2e 7o", "8o 3o"], 0)
    go(hand, "0 2c")
    assert go(hand, "1 2e") == [skip(2)]


@pytest.mark.parametrize("closes", [True, False])
def test_lone_winner_as_the_last_card(closes: bool) -> None:
    hand = Hand(make_table("barajamos", out_closes_trick=closes), ["5c 4c", "2o", "8o 3o"], 0)
    go(hand, "0 5c")
    assert go(hand, "1 2o") == [out(1, 1), trick(1, 2)]


def test_sets_take_plain_twos_first() -> None:
    hand = Hand(TABLES["barajamos"], ["2o 2c 2e 4c", "7o 7c", "8o"], 0)
    assert "2c would do" in refuse(hand, "2o 2e")
    assert "2e would do" in refuse(hand, "2c 2o")
    assert hand.play("2x2")[0]["cards"] == ["2c", "2e"]
    hand = Hand(TABLES["barajamos"], ["2o 2c 2e 4c", "7o 7c", "8o"], 0)
    assert hand.play("2x3")[0]["cards"] == ["2c", "2e", "2o"]


def test_sets_with_wild_cards_take_plain_twos_first_too() -> None:
    table = make_table("barajamos", jokers=2, joker_role="wild")
    hand = Hand(table, ["2o 2c JK1 4c", "7o 7c", "8o"], 0)
    assert hand.legal() == {"2o", "2x1", "2x2", "2x2w1", "2x3w1", "4x1", "4x2w1", "JKx1"}
    refuse(hand, "2o JK1")
    assert hand.play("2x2w1")[0]["cards"] == ["2c", "JK1"]
    hand = Hand(table, ["2o JK1 4c", "7o 7c", "8o"], 0)
    assert hand.legal() == {"2o", "2x2w1", "4x1", "4x2w1", "JKx1"}
    go(hand, "0 2o JK1")
    assert hand.trick == ("2", 2)  # a plain two there: the trick goes on


def test_lone_winner_in_a_set_wins_nothing() -> None:
    hand = Hand(TABLES["barajamos"], ["1o 1c 4c", "2o 2c 5c", "2e 2b 8o"], 0)
    go(hand, "0 1x2")
    assert go(hand, "1 2x2") == []
    assert go(hand, "2 2x2") == [skip(0)]
    assert hand.turn == 1


def test_no_lone_winner() -> None:
    hand = Hand(make_table("barajamos", lone_winner=None), ["2o 2c 4c", "2e 7c", "8o"], 0)
    assert hand.legal() == {"2x1", "2x2", "4x1"}
    assert hand.play("2x1")[0]["cards"] == ["2o"]
    assert go(hand, "1 2e") == [skip(2)]


# --- 6: wild cards --------------------------------------------------------------------------------------


def test_wild_jokers() -> None:
    hand = Hand(make_table("naipera", jokers=3, joker_role="wild"), ["5o 5c JK1 JK3", "6o 6c", "7o JK2"], 0)
    assert hand.legal() == {
        *("5x1", "5x2", "5x2w1", "5x3w1", "5x3w2", "5x4w2"),
        *("JKx1", "JKx2"),
    }
    assert hand.play("5x2w1")[0]["cards"] == ["5o", "JK1"]


def test_wild_jokers_alone_are_above_all() -> None:
    hand = Hand(make_table("naipera", jokers=3, joker_role="wild"), ["1o 1c 4o", "6o JK1 JK3", "7o JK2"], 0)
    go(hand, "0 1x2")
    assert hand.legal() == {"JKx2", "pass"}
    assert go(hand, "1 JK1 JK3") == []
    assert hand.trick == ("JK", 2)


def test_wild_set_has_the_value_of_its_rank() -> None:
    hand = Hand(make_table("naipera", jokers=2, joker_role="wild"), ["7o JK1 4o", "5c 5e 7c 7e", "6o JK2"], 0)
    go(hand, "0 7o JK1")
    assert hand.legal() == {"7x2", "pass"}
    assert go(hand, "1 7x2") == [skip(2)]


def test_twos_wild() -> None:
    hand = Hand(make_table("presidente-clasico", wild_rank="2"), ["5c 5d 2c 2d 2h", "Ac Ad", "Kc", "Kd"], 0)
    assert hand.legal() == {
        *("5x1", "5x2", "5x2w1", "5x3w1", "5x3w2", "5x4w2", "5x4w3"),
        *("2x1", "2x2", "2x3"),
    }
    assert refuse(hand, "2x2w1")
    go(hand, "0 2d 2c")
    assert hand.trick == ("2", 2)
    assert hand.legal() == {"pass"}


def test_wild_rank_does_not_stand_for_jokers() -> None:
    table = make_table("presidente-clasico", wild_rank="2", jokers=2, joker_role="top")
    hand = Hand(table, ["JK1 2c 9c", "Ac", "Kc", "Kd"], 0)
    assert hand.legal() == {"JKx1", "2x1", "9x1", "9x2w1"}
    refuse(hand, "JK1 2c")
    refuse(hand, "JKx2w1")
    refuse(hand, "9c JK1")


def test_top_jokers_are_a_rank_of_their_own() -> None:
    table = make_table("naipera", jokers=4, joker_role="top")
    hand = Hand(table, ["1o 3o", "JK1 JK3 6o", "JK2 7o"], 0)
    go(hand, "0 1o")
    assert hand.play("JKx1")[0]["cards"] == ["JK1"]
    assert go(hand, "2 JK2") == [skip(0)]
    assert hand.turn == 1


def test_at_most_four_cards_in_all() -> None:
    hand = Hand(make_table("naipera", jokers=2, joker_role="wild"), ["5o 5c 5e 5b JK1 3o", "6o", "7o"], 0)
    assert "5x4w1" in hand.legal() and "5x4" in hand.legal()
    refuse(hand, "5o 5c 5e 5b JK1")
    refuse(hand, "5x5w1")


# --- 7: revolution, direction, cut ----------------------------------------------------------------------


def test_order_flips_the_whole_ladder() -> None:
    table = make_table("presidente-revolucion", jokers=2, joker_role="top")
    hand = Hand(table, ["6c 6h 9s", "5c 2d JK1", "3c", "4c"], 0, flipped=True)
    go(hand, "0 6c")
    assert hand.legal() == {"5x1", "pass"}
    assert refuse(hand, "2d") == "needs lower than 6"
    hand = Hand(table, ["JK2 6h 9s", "5c 2d JK1", "3c", "4c"], 0, flipped=True)
    go(hand, "0 JK2")
    assert hand.legal() == {"5x1", "2x1", "pass"}  # equals are forbidden here


def test_lone_winner_still_wins_in_reverse() -> None:
    hand = Hand(make_table("barajamos", revolution="order"), ["3c 6c", "2o 2c 4c", "9c 10c"], 0, flipped=True)
    go(hand, "0 3c")
    assert hand.legal() == {"2o", "pass"}
    assert go(hand, "1 2o") == [trick(1, 1)]


def test_a_quartet_must_be_legal_first_then_flips() -> None:
    hand = Hand(
        TABLES["presidente-revolucion"],
        ["8c 8d 8h 8s 4d", "7c 7d 7h 7s 3d", "9c 9d 9h 9s Kd", "6c 6d"],
        0,
    )
    go(hand, "0 8x4")
    assert hand.flipped
    assert hand.legal() == {"7x4", "pass"}
    go(hand, "1 7x4")
    assert not hand.flipped
    assert hand.legal() == {"9x4", "pass"}


def test_revolution_with_the_last_cards_and_for_one_hand() -> None:
    hand = Hand(TABLES["presidente-revolucion"], ["8c 8d 8h 8s", "7c 3d", "9c Kd", "6c 6d"], 0)
    assert go(hand, "0 8x4") == [out(0, 1)]
    assert hand.flipped
    go(hand, "1 pass", "2 pass")
    assert go(hand, "3 pass") == [trick(0, 1)]
    go(hand, "1 7c")
    assert hand.legal() == {"pass"}
    go(hand, "2 pass")
    assert hand.legal() == {"6x1", "pass"}


def test_wild_quartets_and_joker_quartets_count() -> None:
    table = make_table("presidente-revolucion", jokers=4, joker_role="wild")
    hand = Hand(table, ["8c 8d JK1 JK2 4d", "7c 3d", "9c Kd", "6c 6d"], 0)
    go(hand, "0 8x4w2")
    assert hand.flipped
    hand = Hand(table, ["JK3 JK4 JK1 JK2 4d", "7c 3d", "9c Kd", "6c 6d"], 0)
    go(hand, "0 JKx4")
    assert hand.flipped


def test_direction_turns_with_the_order() -> None:
    table = make_table("presidente-revolucion", revolution="order_and_direction")
    hand = Hand(table, ["8c 8d 8h 8s 4d", "7c 3d", "9c Kd", "6c 6d"], 0)
    go(hand, "0 8x4")
    assert hand.turn == 3
    go(hand, "3 pass", "2 pass")
    assert go(hand, "1 pass") == [trick(0, 0)]
    go(hand, "0 4d", "3 pass", "2 pass", "1 3d")


def test_direction_only_turns_where_the_table_says() -> None:
    hand = Hand(TABLES["presidente-revolucion"], ["8c 8d 8h 8s 4d", "7c 3d", "9c Kd", "6c 6d"], 0)
    go(hand, "0 8x4")
    assert hand.turn == 1


def test_flipped_at_the_start_turns_the_direction_too() -> None:
    table = make_table("presidente-revolucion", revolution="order_and_direction")
    hand = Hand(table, ["8c 4d", "7c 3d", "9c Kd", "6c 6d"], 0, flipped=True)
    go(hand, "0 8c")
    assert hand.turn == 3


def test_direction_of_the_next_leader() -> None:
    table = make_table("presidente-revolucion", revolution="order_and_direction")
    hand = Hand(table, ["8c 8d 8h 8s", "7c 3d", "9c Kd", "6c 6d"], 0)
    go(hand, "0 8x4", "3 pass", "2 pass")
    assert go(hand, "1 pass") == [trick(0, 3)]
    hand = Hand({**table, "out_closes_trick": True}, ["8c 8d 8h 8s", "7c 3d", "9c Kd", "6c 6d"], 0)
    assert go(hand, "0 8x4") == [out(0, 1), trick(0, 3)]


def test_an_equal_quartet_skips_in_the_new_direction() -> None:
    """Play two wild quartets of one rank: the direction goes back and forth, and the skip with it."""
    table = make_table("naipera", jokers=4, joker_role="wild", revolution="order_and_direction")
    hands = ["7o 7c JK1 JK2 3o", "4c 5c", "7e 7b JK3 JK4 3c", "6o 6c", "10o 10c"]
    hand = Hand(table, hands, 0)
    go(hand, "0 7x4w2")
    assert hand.flipped and hand.turn == 4
    go(hand, "4 pass", "3 pass")
    assert go(hand, "2 7x4w2") == [skip(0)]  # forward again: 3 and 4 have passed, so seat 0
    assert not hand.flipped and hand.turn == 1
    assert go(hand, "1 pass") == [trick(2, 2)]
    hand = Hand({**table, "pass_locks": False}, hands, 0)
    go(hand, "0 7x4w2", "4 pass", "3 pass")
    assert go(hand, "2 7x4w2") == [skip(3)]
    assert hand.turn == 4


def test_an_equal_quartet_skips_the_one_it_equals_when_the_direction_turns_back() -> None:
    table = make_table("naipera", jokers=4, joker_role="wild", revolution="order_and_direction")
    hand = Hand(table, ["7o 7c JK1 JK2 3o", "4c 5c", "6o 6c", "7e 7b JK3 JK4 3c"], 0)
    go(hand, "0 7x4w2")
    assert go(hand, "3 7x4w2") == [skip(0)]
    assert hand.turn == 1


def test_cut_ends_the_trick() -> None:
    hand = Hand(TABLES["presidente-casa"], ["5c 6d", "8c 4d", "As Kd", "7c Td"], 0)
    go(hand, "0 5c")
    assert go(hand, "1 8c") == [trick(1, 1)]
    hand = Hand(TABLES["presidente-casa"], ["8c 6d", "9c 4d", "As Kd", "7c Td"], 0)
    assert go(hand, "0 8c") == [trick(0, 0)]


def test_cut_with_the_last_card() -> None:
    hand = Hand(TABLES["presidente-casa"], ["5c 6d", "8c", "As Kd", "7c Td"], 0)
    go(hand, "0 5c")
    assert go(hand, "1 8c") == [out(1, 1), trick(1, 2)]


def test_four_eights_flip_and_cut_and_turn() -> None:
    hands = ["8c 8d 8h 8s", "7c 3d", "9c Kd", "6c 6d"]
    hand = Hand(TABLES["presidente-casa"], hands, 0)
    assert go(hand, "0 8x4") == [out(0, 1), trick(0, 1)]
    assert hand.flipped
    hand = Hand(make_table("presidente-casa", revolution="order_and_direction"), hands, 0)
    assert go(hand, "0 8x4") == [out(0, 1), trick(0, 3)]


def test_eights_with_wilds_cut_and_wild_eights_elsewhere_do_not() -> None:
    hand = Hand(
        make_table("presidente-casa", jokers=1, joker_role="wild"), ["8c JK1 6d", "9c", "As Kd", "7c Td"], 0
    )
    assert go(hand, "0 8x2w1") == [trick(0, 0)]
    table = make_table("presidente-casa", wild_rank="8")
    hand = Hand(table, ["8c 8d 6d 5c", "9c 9s", "As Kd", "7c Td"], 0)
    assert go(hand, "0 6d 8c") == []
    assert hand.trick == ("6", 2)
    hand = Hand(table, ["8c 8d 6d 5c", "9c 9s", "As Kd", "7c Td"], 0)
    assert go(hand, "0 8x2") == [trick(0, 0)]


def test_cut_under_the_reversed_order() -> None:
    hand = Hand(TABLES["presidente-casa"], ["9c 7d 6d", "8c 4d", "As Kd", "7c Td"], 0, flipped=True)
    go(hand, "0 9c")
    assert go(hand, "1 8c") == [trick(1, 1)]
    hand = Hand(TABLES["presidente-casa"], ["9c 7d 6d", "8c 4d", "As Kd", "7c Td"], 0, flipped=True)
    go(hand, "0 7d")
    refuse(hand, "8c")


# --- 8: the falling president ---------------------------------------------------------------------------


def test_fall_happens_before_the_next_turn() -> None:
    hand = Hand(TABLES["presidente-casa"], ["5c 6d", "3c 4d", "9c", "7c Td"], 2, [3, 4, 2, 1])
    assert go(hand, "2 9c") == [out(2, 1), fall(3)]
    assert hand.places() == [0, 0, 1, 4]
    assert hand.turn == 0
    assert hand.hand(3) == ["7c", "Td"]


def test_the_fallen_does_not_lead_nor_get_skipped() -> None:
    table = make_table("presidente-casa", equal="skip")
    hand = Hand(table, ["9d 6d", "3c 4d", "9c", "7c Td"], 0, [3, 4, 2, 1])
    go(hand, "0 9d", "1 pass")
    assert go(hand, "2 9c") == [out(2, 1), fall(3), skip(0)]
    assert hand.turn == 1
    assert go(hand, "1 pass") == [trick(2, 0)]
    hand = Hand({**table, "out_closes_trick": True}, ["9d 6d", "3c 4d", "9c", "7c Td"], 0, [3, 4, 2, 1])
    go(hand, "0 9d", "1 pass")
    assert go(hand, "2 9c") == [out(2, 1), fall(3), trick(2, 0)]


def test_after_a_fall_the_loser_is_before_last() -> None:
    hand = Hand(TABLES["presidente-casa"], ["5c 6d", "3c", "9c", "7c Td"], 2, [3, 4, 2, 1])
    go(hand, "2 9c", "0 pass")
    assert go(hand, "1 pass") == [trick(2, 0)]
    go(hand, "0 6d")
    assert go(hand, "1 pass") == [trick(0, 0)]
    assert go(hand, "0 5c") == [
        out(0, 2),
        {"event": "hand_end", "puestos": [2, 3, 1, 4], "points": [2, 1, 3, 0], "totals": [2, 1, 3, 0]},
    ]


def test_fall_that_ends_the_hand() -> None:
    table = make_table("naipera", president_falls=True)
    hand = Hand(table, ["5o 6o", "3c", "7c 4o"], 0, [1, 3, 2])
    go(hand, "0 5o", "1 pass", "2 7c", "0 pass")
    assert hand.turn == 2
    events = go(hand, "2 4o")
    assert events[:2] == [out(2, 1), fall(0)]
    assert events[2]["event"] == "hand_end" and events[2]["puestos"] == [3, 2, 1]


def test_the_president_first_out_does_not_fall_nor_later() -> None:
    hand = Hand(TABLES["presidente-casa"], ["5c 6d", "3c 4d", "9c", "Tc"], 2, [3, 4, 1, 2])
    assert go(hand, "2 9c") == [out(2, 1)]
    assert go(hand, "3 Tc") == [out(3, 2)]


def test_no_fall_in_hand_one_nor_on_other_tables() -> None:
    hand = Hand(TABLES["presidente-casa"], ["5c 6d", "3c 4d", "9c", "7c Td"], 2)
    assert go(hand, "2 9c") == [out(2, 1)]
    hand = Hand(TABLES["presidente-clasico"], ["5c 6d", "3c 4d", "9c", "7c Td"], 2, [3, 4, 2, 1])
    assert go(hand, "2 9c") == [out(2, 1)]


# --- forfeits -------------------------------------------------------------------------------------------


def test_forfeit_in_a_trick() -> None:
    hand = Hand(TABLES["naipera"], ["5o 3c", "6o 10c", "7o 11c", "4o 12c"], 0)
    go(hand, "0 5o")
    assert hand.forfeit(1) == [{"event": "forfeit", "seat": 1, "puesto": 4}]
    assert hand.turn == 2 and hand.trick == ("5", 1)
    go(hand, "2 pass")
    assert go(hand, "3 forfeit") == [trick(0, 0)]
    assert hand.places() == [0, 4, 0, 3]
    with pytest.raises(Refused):
        hand.forfeit(2)


def test_forfeit_of_the_leader() -> None:
    hand = Hand(TABLES["naipera"], ["5o 3c", "6o 10c", "7o 11c", "4o 12c"], 0)
    assert go(hand, "0 forfeit") == []
    assert hand.turn == 1 and hand.trick is None
    assert "pass" not in hand.legal()
    assert go(hand, "1 forfeit") == []
    assert go(hand, "2 forfeit") == [
        {"event": "hand_end", "puestos": [4, 3, 2, 1], "points": [-2, -1, 1, 2], "totals": [-2, -1, 1, 2]}
    ]


def test_a_forfeited_seat_is_neither_skipped_nor_leads() -> None:
    hand = Hand(TABLES["naipera"], ["5o 3c", "5c", "7o 11c", "4o 12c"], 2)
    go(hand, "2 forfeit", "3 4o", "0 5o")
    assert go(hand, "1 5c") == [out(1, 1), skip(3)]
    assert go(hand, "0 pass") == [trick(1, 3)]


def test_forfeit_follows_the_direction() -> None:
    table = make_table("presidente-revolucion", revolution="order_and_direction")
    hand = Hand(table, ["8c 4d", "7c 3d", "9c Kd", "6c 6d"], 0, flipped=True)
    go(hand, "0 forfeit")
    assert hand.turn == 3


def test_the_president_falls_to_the_last_place_still_free() -> None:
    hand = Hand(TABLES["presidente-casa"], ["5c 6d", "3c 4d", "9c", "7c Td"], 1, [3, 4, 2, 1])
    go(hand, "1 forfeit")
    assert go(hand, "2 9c") == [
        out(2, 1),
        fall(3),
        {"event": "hand_end", "puestos": [2, 4, 1, 3], "points": [2, 0, 3, 1], "totals": [2, 0, 3, 1]},
    ]


def test_a_president_who_forfeited_falls_no_further() -> None:
    hand = Hand(TABLES["presidente-casa"], ["5c 6d", "3c 4d", "9c", "7c Td"], 3, [3, 4, 2, 1])
    go(hand, "3 forfeit", "0 5c", "1 pass")
    assert go(hand, "2 9c") == [out(2, 1)]
    assert hand.places() == [0, 0, 1, 4]


# --- 9: exchange ----------------------------------------------------------------------------------------


def swapped(events: Sequence[dict[str, Any]]) -> list[tuple[int, int, set[str]]]:
    """Say briefly who gave what to whom."""
    return [(event["from"], event["to"], set(event["cards"])) for event in events]


def test_exchange_swaps_best_and_worst_of_the_cards_dealt() -> None:
    hands = ["3o 3c 9o".split(), "4o 4c 2o".split(), "5o 2c 2e".split(), "12o 1c 7o".split()]
    after, events = exchange(TABLES["barajamos"], hands, [1, 2, 3, 4])
    assert swapped(events) == [(3, 0, {"1c", "12o"}), (0, 3, {"3o", "3c"}), (2, 1, {"2c"}), (1, 2, {"4o"})]
    assert [sorted(cards) for cards in after] == [
        sorted("9o 1c 12o".split()),
        sorted("4c 2o 2c".split()),
        sorted("5o 2e 4o".split()),
        sorted("7o 3o 3c".split()),
    ]


def test_the_lone_winner_is_the_best_card_of_all_then_jokers() -> None:
    table = make_table("barajamos", jokers=3, joker_role="wild", exchange=[2, 0])
    hands = ["3o 3c 9o".split(), "4o 4c 5e".split(), "2o 2c JK2 JK1".split()]
    assert swapped(exchange(table, hands, [1, 2, 3])[1])[0] == (2, 0, {"2o", "JK1"})
    hands = ["2o JK3 JK1 2b".split(), "4o 4c 5e".split(), "2c 2e JK2".split()]
    assert swapped(exchange(table, hands, [1, 2, 3])[1]) == [(2, 0, {"JK2", "2c"}), (0, 2, {"2b", "JK1"})]


def test_three_players_swap_one_pair() -> None:
    hands = ["3o 3c 9o".split(), "4o 4c 2o".split(), "5o 2c 2e".split()]
    assert swapped(exchange(TABLES["barajamos"], hands, [2, 3, 1])[1]) == [
        (1, 2, {"2o", "4o"}),
        (2, 1, {"5o", "2c"}),
    ]


def test_a_swap_of_no_cards_is_none() -> None:
    hands = ["3o 3c".split(), "4o 4c".split(), "5o 5c".split(), "6o 6c".split()]
    for change, count in ([0, 0], 0), ([0, 1], 2), ([1, 0], 2):
        assert len(exchange(make_table("barajamos", exchange=change), hands, [1, 2, 3, 4])[1]) == count


def test_five_players_leave_the_middle_alone() -> None:
    hands = ["3o 3c".split(), "4o 4c".split(), "5o 5c".split(), "6o 6c".split(), "7o 7c".split()]
    events = exchange(make_table("barajamos", exchange=[1, 1]), hands, [5, 4, 3, 2, 1])[1]
    assert [(event["from"], event["to"]) for event in events] == [(0, 4), (4, 0), (1, 3), (3, 1)]


def test_suits_among_equal_cards() -> None:
    french = make_table("presidente-clasico", exchange_return="worst")
    hands = ["3h 3d 3s Ks".split(), "4c 4d".split(), "5c 5d".split(), "2d 2s 2h 9c".split()]
    assert swapped(exchange(french, hands, [1, 2, 3, 4])[1]) == [
        (3, 0, {"2s", "2h"}),
        (0, 3, {"3d", "3h"}),
        (2, 1, {"5d"}),
        (1, 2, {"4c"}),
    ]
    spanish = ["3e 3c 3b 12o".split(), "4o 4c".split(), "2e 2b 2c 9o".split()]
    assert swapped(exchange(make_table("barajamos"), spanish, [1, 2, 3])[1]) == [
        (2, 0, {"2c", "2e"}),
        (0, 2, {"3c", "3e"}),
    ]


def test_a_wild_rank_has_no_special_worth_and_a_top_joker_has() -> None:
    table = make_table("presidente-clasico", wild_rank="3", jokers=1, joker_role="top", exchange_return="worst")
    hands = ["4h 9d 3s".split(), "4c 4d".split(), "5c 5d".split(), "3d Ks JK1".split()]
    assert swapped(exchange(table, hands, [1, 2, 3, 4])[1])[:2] == [(3, 0, {"JK1", "Ks"}), (0, 3, {"3s", "4h"})]


def test_choice_gives_back_any_card_also_those_just_received() -> None:
    hands = ["3h 3d Ks".split(), "4c 4d".split(), "5c 5d".split(), "2d 2s 9c".split()]
    seen: list[tuple[int, list[str]]] = []

    def give(seat: int, cards: list[str]) -> str:
        seen.append((seat, cards))
        return cards[-1]

    after, events = exchange(TABLES["presidente-clasico"], hands, [1, 2, 3, 4], give)
    assert seen == [(0, "3d 3h Ks 2d 2s".split()), (0, "3d 3h Ks 2d".split()), (1, "4c 4d 5d".split())]
    assert swapped(events) == [(3, 0, {"2d", "2s"}), (0, 3, {"2d", "2s"}), (2, 1, {"5d"}), (1, 2, {"5d"})]
    assert [sorted(cards) for cards in after] == [sorted(cards) for cards in hands]
    with pytest.raises(ValueError):
        exchange(TABLES["presidente-clasico"], hands, [1, 2, 3, 4])
    with pytest.raises(ValueError):
        exchange(TABLES["presidente-clasico"], hands, [1, 2, 3, 4], lambda seat, cards: "5c")


# --- 10: points, end, standings -------------------------------------------------------------------------


def test_match_goes_on_until_points_are_reached() -> None:
    table = TABLES["barajamos"]
    assert result(table, [10, 9, 3], [1, 2, 3], 8) is None
    assert result(table, [11, 9, 3], [3, 1, 2], 8) == (0, [1, 2, 3])


def test_the_better_place_wins_a_double_eleven_with_fewer_points() -> None:
    table = TABLES["barajamos"]
    assert result(table, [12, 11, 3, 12], [2, 1, 4, 3], 9) == (1, [2, 1, 4, 3])


def test_ties_go_to_the_better_place_in_the_last_hand() -> None:
    assert result(TABLES["barajamos"], [5, 11, 5, 5], [3, 1, 2, 4], 9) == (1, [3, 1, 2, 4])
    table = TABLES["presidente-clasico"]
    assert result(table, [8, 8, 8, 6], [3, 1, 2, 4], 5) == (1, [3, 1, 2, 4])
    assert result(table, [9, 8, 8, 6], [3, 1, 2, 4], 4) is None
    assert result(table, [9, 8, 8, 6], [3, 1, 2, 4], 5) == (0, [1, 2, 3, 4])


def test_negative_points_count() -> None:
    assert result(TABLES["naipera"], [-4, 6, -2], [1, 2, 3], 5) == (1, [3, 1, 2])


# --- a whole match --------------------------------------------------------------------------------------


def test_a_match_is_written_whole() -> None:
    table = make_table("presidente-clasico", match_hands=2)

    def strongest(seat: int, legal: set[str], hand: Hand) -> str:
        plays = [name for name in legal if name != "pass"]
        return max(plays, key=lambda name: table["order"].index(name[0])) if plays else "pass"

    events = simulate_match(table, 4, lambda number: whole_deck(table), strongest, lambda seat, cards: cards[0])
    kinds = [event["event"] for event in events]
    assert kinds[:3] == ["match", "deal", "play"]
    assert kinds.count("deal") == kinds.count("hand_end") == 2
    assert kinds[-2:] == ["hand_end", "match_end"]
    second = kinds.index("deal", 2)
    assert kinds[second : second + 6] == ["deal", "exchange", "exchange", "exchange", "exchange", "play"]
    first_end, last_end = (event for event in events if event["event"] == "hand_end")
    assert last_end["totals"] == [a + b for a, b in zip(first_end["points"], last_end["points"], strict=True)]


# --- any table, any play --------------------------------------------------------------------------------


def brute_force(hand: Hand) -> set[str]:
    """Find the legal choices by trying every set of cards there is."""
    assert hand.turn is not None
    cards = hand.hand(hand.turn)
    names = set()
    for size in range(1, 5):
        for chosen in itertools.combinations(cards, size):
            trial = copy.deepcopy(hand)
            try:
                trial.play(chosen)
            except Refused:
                continue
            kinds = Counter(rank_of(card) for card in chosen)
            wild = {"JK"} if hand.table["joker_role"] == "wild" else {hand.table["wild_rank"]}
            naturals = [rank for rank in kinds if rank not in wild] or list(kinds)
            wilds = sum(count for rank, count in kinds.items() if rank != naturals[0])
            name = f"{naturals[0]}x{size}" + (f"w{wilds}" if wilds else "")
            names.add(chosen[0] if chosen == (hand.table["lone_winner"],) else name)
    try:
        copy.deepcopy(hand).play("pass")
        names.add("pass")
    except Refused:
        pass
    return names


@given(tables(), st.integers(0, 2**32))
@settings(max_examples=40)
def test_legal_names_exactly_what_is_accepted(drawn: tuple[dict[str, Any], int], seed: int) -> None:
    table, players = drawn
    rng = Random(seed)
    # Few ranks, so that sets, equals and wild cards meet.
    ranks = rng.sample(table["order"], 3) + [table["wild_rank"], "JK", (table["lone_winner"] or " ")[:-1]]
    deck = [card for card in whole_deck(table) if rank_of(card) in ranks]
    rng.shuffle(deck)
    hands = [deck[seat::players][:8] for seat in range(players)]
    hand = Hand(table, hands, 0, flipped=table["revolution"] != "none" and rng.random() < 0.5)
    choose = random_chooser(rng, big=0.3)
    for _ in range(4):
        if hand.turn is not None:
            legal = hand.legal()
            assert legal == brute_force(hand)
            assert legal
            hand.play(choose(hand.turn, legal, hand))


@given(tables(), st.integers(0, 2**32), st.sampled_from([0.0, 0.02]))
def test_random_playouts_end_and_lose_nothing(
    drawn: tuple[dict[str, Any], int], seed: int, forfeiting: float
) -> None:
    table, players = drawn
    rng = Random(seed)
    deck = whole_deck(table)
    rng.shuffle(deck)
    _, hands = deal(table, players, 1, deck)
    previous = rng.choice([None, rng.sample(range(1, players + 1), players)])
    hand = Hand(table, hands, rng.randrange(players), previous)
    choose = random_chooser(rng, rng.choice([0.0, 0.3, 0.9]), forfeiting)
    seen: list[dict[str, Any]] = []
    while hand.turn is not None:
        assert len(seen) < 5000
        seat = hand.turn
        choice = choose(seat, hand.legal(), hand)
        seen += hand.forfeit(seat) if choice == "forfeit" else hand.play(choice)
    played = [card for event in seen if event["event"] == "play" for card in event["cards"]]
    left = [card for seat in range(players) for card in hand.hand(seat)]
    assert Counter(played + left) == Counter(deck)
    assert sorted(hand.places()) == list(range(1, players + 1))
    given_out = [event["puesto"] for event in seen if "puesto" in event]
    assert len(set(given_out)) == len(given_out)
    assert seen[-1]["event"] == "hand_end" and seen[-1]["puestos"] == hand.places()


@given(tables(), st.integers(0, 2**32), st.sampled_from([0.0, 0.02]))
def test_a_trace_is_accepted(drawn: tuple[dict[str, Any], int], seed: int, forfeiting: float) -> None:
    events = random_match(*drawn, seed, forfeiting)
    lines = [json.dumps(event) for event in events]
    played = check_trace(lines)
    assert check_trace("\n".join(lines) + "\n", n_hands=played.hands) == played
    assert check_trace(events) == played
    assert (played.winner, played.standings) == (events[-1]["winner"], events[-1]["standings"])
    assert played.standings[played.winner] == 1
    assert sorted(played.standings) == list(range(1, drawn[1] + 1))
    assert sum(played.turns) == sum(event["event"] in ("play", "pass") for event in events)
    assert [sum(column) for column in zip(*played.points, strict=True)] == played.totals
    for wrong in (played.hands + 1, played.hands - 1):
        with pytest.raises(Disagreement):
            check_trace(events, n_hands=wrong)
    for event in events:
        event.pop("legal", None)
    assert check_trace(events) == played


def wrong_number(event: dict[str, Any], name: str, rng: Random) -> None:
    """Change a number of an event, or one of a list of numbers."""
    step = rng.choice([-2, -1, 1, 2])
    if isinstance(event[name], list):
        event[name][rng.randrange(len(event[name]))] += step
    else:
        event[name] += step


def spoil(events: list[dict[str, Any]], rng: Random) -> int:
    """Break a good trace in one place; return the number of the event that is wrong then."""
    at = rng.randrange(len(events))
    event = events[at]
    ways = ["drop", "double", "invent"]
    if at + 1 < len(events):
        ways.append("swap")
    numbers = {"seat", "puesto", "winner", "leader", "first_seat", "hand", "from", "to"}
    numbers |= {"puestos", "points", "totals", "standings"}
    numbers &= set(event)
    ways += ["number"] * 3 * bool(numbers)
    if "legal" in event:
        ways += ["less legal", "more legal"] * 2
    if event["event"] == "play":
        ways += ["other card", "more cards", "pass instead"]
    if event["event"] == "exchange":
        ways += ["other exchange"]
    if event["event"] == "deal":
        ways += ["uneven deal", "card twice"] * 3
    way = rng.choice(ways)
    if way == "drop":
        del events[at]
    elif way == "double":
        events.insert(at, copy.deepcopy(event))
        return at + 2
    elif way == "invent":
        events.insert(at, {"event": rng.choice(["skip", "trick", "fall", "out", "shuffle"]), "seat": -1})
    elif way == "swap":
        events[at], events[at + 1] = events[at + 1], events[at]
    elif way == "number":
        wrong_number(event, rng.choice(sorted(numbers)), rng)
    elif way == "less legal":
        event["legal"].remove(rng.choice(event["legal"]))
    elif way == "more legal":
        event["legal"].append(rng.choice(["pass", "3x4", "2o", "JKx1", "5x4w3", *event["legal"]]))
        if len(set(event["legal"])) == len(event["legal"]):
            # It may be a choice indeed only where it was in the list before.
            assert event["legal"][-1] not in event["legal"][:-1]
    elif way == "other card":
        event["cards"][0] = "JK9"
    elif way == "more cards":
        event["cards"].append(event["cards"][0])
    elif way == "pass instead":
        event["cards"] = []
    elif way == "other exchange":
        event["cards"] = [*event["cards"][1:], "JK9"]
    elif way == "uneven deal":
        hands = event["hands"]
        moved = max(range(len(hands)), key=lambda seat: len(hands[seat]))
        hands[moved - 1].append(hands[moved].pop())
        sizes = [len(cards) for cards in hands]
        hands[moved].append(hands[moved - 1].pop())
        # Where the neighbour is the short one the sizes are merely rotated; take two cards then.
        count = 1 if max(sizes) - min(sizes) > 1 else 2
        for _ in range(count):
            hands[moved - 1].append(hands[moved].pop())
    elif way == "card twice":
        event["hands"][0][0] = event["hands"][1][0]
    return at + 1


@given(tables(), st.integers(0, 2**32), st.sampled_from([0.0, 0.02]))
@settings(max_examples=60)
def test_a_spoilt_trace_is_found_out_where_it_is_wrong(
    drawn: tuple[dict[str, Any], int], seed: int, forfeiting: float
) -> None:
    good = random_match(*drawn, seed, forfeiting)
    rng = Random(seed)
    for _ in range(10):
        bad = copy.deepcopy(good)
        number = spoil(bad, rng)
        with pytest.raises(Disagreement) as disagreement:
            check_trace(bad)
        assert disagreement.value.number == number
        assert disagreement.value.expected and disagreement.value.found


@pytest.mark.parametrize(
    "line", ["", "{", "[]", '{"event": "match"}', '{"event": "match", "table": {}, "bots": []}', '{"event": "deal"}']
)
def test_what_is_no_trace_at_all(line: str) -> None:
    with pytest.raises(Disagreement) as disagreement:
        check_trace(line)
    assert disagreement.value.number == 1


@pytest.mark.parametrize("code", ["P18446744073709551616", "1", "Px", 7])
def test_impossible_match_codes(code: Any) -> None:
    events = random_match(TABLES["naipera"], 4, 1)
    events[0]["code"] = code
    with pytest.raises(Disagreement):
        check_trace(events)


def with_exchange(name: str, **change: Any) -> tuple[list[dict[str, Any]], int]:
    """Play a match of two hands; return it and the index of the first exchange."""
    table = make_table(name, match_hands=2, **change)
    for seed in itertools.count():
        events = random_match(table, 4, seed)
        at = next(index for index, event in enumerate(events) if event["event"] == "exchange")
        lower, given_up = events[at]["from"], events[at]["cards"]
        dealt = next(event for event in events[at::-1] if event["event"] == "deal")["hands"][lower]
        first = given_up[-1]
        others = [card for card in dealt if card not in given_up and rank_of(card) == rank_of(first)]
        if others and first != "2o":
            events[at]["cards"] = [*given_up[:-1], others[0]]
            return events, at
    raise AssertionError


def test_which_suit_goes_up_is_free_on_spanish_decks() -> None:
    events, at = with_exchange("barajamos", later_leader="president")
    try:
        check_trace(events)
    except Disagreement as disagreement:  # later plays may miss the card; the exchange itself is fine
        assert disagreement.number > at + 1


def test_which_suit_goes_up_is_fixed_on_the_french_deck() -> None:
    events, at = with_exchange("presidente-clasico")
    with pytest.raises(Disagreement) as disagreement:
        check_trace(events)
    assert disagreement.value.number == at + 1


def test_worst_is_the_lowest_suit_on_every_deck() -> None:
    events, at = with_exchange("barajamos")
    events, at = next(
        (trace, index)
        for trace, index in (find_worst_swap(seed) for seed in itertools.count())
        if index is not None
    )
    with pytest.raises(Disagreement) as disagreement:
        check_trace(events)
    assert disagreement.value.number == at + 1


def find_worst_swap(seed: int) -> tuple[list[dict[str, Any]], int | None]:
    """Play a match in which the president's gift can be of another suit, and change it."""
    events = random_match(make_table("barajamos", match_hands=2), 4, seed)
    at = 1 + next(index for index, event in enumerate(events) if event["event"] == "exchange")
    deal_of_it = next(event for event in events[at::-1] if event["event"] == "deal")
    back = events[at]["cards"]
    same = [
        card
        for card in deal_of_it["hands"][events[at]["from"]]
        if card not in back and rank_of(card) == rank_of(back[-1])
    ]
    if not same:
        return events, None
    events[at]["cards"] = [*back[:-1], same[0]]
    return events, at
