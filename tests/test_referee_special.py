"""The plain referee against the special rules: lone winner, wild cards, revolution, cut, fall; and forfeits."""

from __future__ import annotations

import pytest

from tests.reference.positions import fall, go, out, refuse, skip, trick
from tests.reference.referee import Hand, Refused
from tests.reference.tables import TABLES, make_table

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
    assert hand.legal() == {"2o", "pass"}
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
        hand.forfeit(1)


def test_forfeit_out_of_turn() -> None:
    """It buries the cards and leaves the turn where it is, even if the trick was the seat's own."""
    hand = Hand(TABLES["naipera"], ["5o 3c", "6o 10c", "7o 11c", "4o 12c"], 0)
    go(hand, "0 5o")
    assert hand.forfeit(0) == [{"event": "forfeit", "seat": 0, "puesto": 4}]
    assert hand.turn == 1 and hand.trick == ("5", 1)
    go(hand, "1 pass", "2 pass")
    assert go(hand, "3 pass") == [trick(0, 1)]
    assert hand.forfeit(2) == [{"event": "forfeit", "seat": 2, "puesto": 3}]
    assert hand.forfeit(3) == [
        {"event": "forfeit", "seat": 3, "puesto": 2},
        {"event": "hand_end", "puestos": [4, 1, 3, 2], "points": [-2, 2, -1, 1], "totals": [-2, 2, -1, 1]},
    ]


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
