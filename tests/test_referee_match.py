"""The plain referee against the rules between hands: exchange, points, end; and a match written whole."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from tests.reference.positions import split
from tests.reference.referee import Hand, exchange, result, simulate_match, whole_deck
from tests.reference.tables import TABLES, make_table

# --- 9: exchange ----------------------------------------------------------------------------------------


def swapped(events: Sequence[dict[str, Any]]) -> list[tuple[int, int, set[str]]]:
    """Say briefly who gave what to whom."""
    return [(event["from"], event["to"], set(event["cards"])) for event in events]


def test_exchange_swaps_best_and_worst_of_the_cards_dealt() -> None:
    hands = split("3o 3c 9o", "4o 4c 2o", "5o 2c 2e", "12o 1c 7o")
    after, events = exchange(TABLES["barajamos"], hands, [1, 2, 3, 4])
    assert swapped(events) == [(3, 0, {"1c", "12o"}), (0, 3, {"3o", "3c"}), (2, 1, {"2c"}), (1, 2, {"4o"})]
    assert [sorted(cards) for cards in after] == [
        sorted(["9o", "1c", "12o"]),
        sorted(["4c", "2o", "2c"]),
        sorted(["5o", "2e", "4o"]),
        sorted(["7o", "3o", "3c"]),
    ]


def test_the_lone_winner_is_the_best_card_of_all_then_jokers() -> None:
    table = make_table("barajamos", jokers=3, joker_role="wild", exchange=[2, 0])
    hands = split("3o 3c 9o", "4o 4c 5e", "2o 2c JK2 JK1")
    assert swapped(exchange(table, hands, [1, 2, 3])[1])[0] == (2, 0, {"2o", "JK1"})
    hands = split("2o JK3 JK1 2b", "4o 4c 5e", "2c 2e JK2")
    assert swapped(exchange(table, hands, [1, 2, 3])[1]) == [(2, 0, {"JK2", "2c"}), (0, 2, {"2b", "JK1"})]


def test_three_players_swap_one_pair() -> None:
    hands = split("3o 3c 9o", "4o 4c 2o", "5o 2c 2e")
    assert swapped(exchange(TABLES["barajamos"], hands, [2, 3, 1])[1]) == [
        (1, 2, {"2o", "4o"}),
        (2, 1, {"5o", "2c"}),
    ]


def test_a_swap_of_no_cards_is_none() -> None:
    hands = split("3o 3c", "4o 4c", "5o 5c", "6o 6c")
    for change, count in ([0, 0], 0), ([0, 1], 2), ([1, 0], 2):
        assert len(exchange(make_table("barajamos", exchange=change), hands, [1, 2, 3, 4])[1]) == count


def test_five_players_leave_the_middle_alone() -> None:
    hands = split("3o 3c", "4o 4c", "5o 5c", "6o 6c", "7o 7c")
    events = exchange(make_table("barajamos", exchange=[1, 1]), hands, [5, 4, 3, 2, 1])[1]
    assert [(event["from"], event["to"]) for event in events] == [(0, 4), (4, 0), (1, 3), (3, 1)]


def test_suits_among_equal_cards() -> None:
    french = make_table("presidente-clasico", exchange_return="worst")
    hands = split("3h 3d 3s Ks", "4c 4d", "5c 5d", "2d 2s 2h 9c")
    assert swapped(exchange(french, hands, [1, 2, 3, 4])[1]) == [
        (3, 0, {"2s", "2h"}),
        (0, 3, {"3d", "3h"}),
        (2, 1, {"5d"}),
        (1, 2, {"4c"}),
    ]
    spanish = split("3e 3c 3b 12o", "4o 4c", "2e 2b 2c 9o")
    assert swapped(exchange(make_table("barajamos"), spanish, [1, 2, 3])[1]) == [
        (2, 0, {"2c", "2e"}),
        (0, 2, {"3c", "3e"}),
    ]


def test_a_wild_rank_has_no_special_worth_and_a_top_joker_has() -> None:
    table = make_table(
        "presidente-clasico", wild_rank="3", jokers=1, joker_role="top", exchange_return="worst"
    )
    hands = split("4h 9d 3s", "4c 4d", "5c 5d", "3d Ks JK1")
    assert swapped(exchange(table, hands, [1, 2, 3, 4])[1])[:2] == [
        (3, 0, {"JK1", "Ks"}),
        (0, 3, {"3s", "4h"}),
    ]


def test_choice_gives_back_any_card_also_those_just_received() -> None:
    hands = split("3h 3d Ks", "4c 4d", "5c 5d", "2d 2s 9c")
    seen: list[str] = []

    def give(seat: int, cards: list[str]) -> str:
        seen.append(f"{seat}: {' '.join(cards)}")
        return cards[-1]

    after, events = exchange(TABLES["presidente-clasico"], hands, [1, 2, 3, 4], give)
    assert seen == ["0: 3d 3h Ks 2d 2s", "0: 3d 3h Ks 2d", "1: 4c 4d 5d"]
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

    events = simulate_match(
        table, 4, lambda number: whole_deck(table), strongest, lambda seat, cards: cards[0]
    )
    kinds = [event["event"] for event in events]
    assert kinds[:3] == ["match", "deal", "play"]
    assert kinds.count("deal") == kinds.count("hand_end") == 2
    assert kinds[-2:] == ["hand_end", "match_end"]
    second = kinds.index("deal", 2)
    assert kinds[second : second + 6] == ["deal", "exchange", "exchange", "exchange", "exchange", "play"]
    first_end, last_end = (event for event in events if event["event"] == "hand_end")
    assert last_end["totals"] == [a + b for a, b in zip(first_end["points"], last_end["points"], strict=True)]
