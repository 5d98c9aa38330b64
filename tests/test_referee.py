"""The plain referee against the rule book: shared cases, then cards, deal, trick and equals paragraph by paragraph."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.reference.positions import go, out, refuse, skip, trick
from tests.reference.referee import Hand, Refused, deal, leader_of, whole_deck
from tests.reference.tables import TABLES, make_table

CASES = json.loads((Path(__file__).parent / "cases" / "rules.json").read_text(encoding="utf-8"))

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


@pytest.mark.parametrize(
    ("deck", "jokers", "size"), [("spanish48", 0, 48), ("spanish40", 2, 42), ("french52", 4, 56)]
)
def test_whole_deck(deck: str, jokers: int, size: int) -> None:
    cards = whole_deck({"deck": deck, "jokers": jokers})
    assert len(cards) == len(set(cards)) == size


def test_forty_cards_at_barajamos_drop_ranks_of_the_order() -> None:
    order = make_table("barajamos", deck="spanish40")["order"]
    assert " ".join(order) == "3 4 5 6 7 10 11 12 1 2"


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
    assert sizes == {
        1: [10, 10, 10, 9, 9],
        2: [9, 10, 10, 10, 9],
        5: [10, 10, 9, 9, 10],
        6: [10, 10, 10, 9, 9],
    }
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
