"""Revolutionary and advice: the order turned round, eights, blocking, gifts."""

from __future__ import annotations

from typing import Any

import pytest

from tests.strategies.positions import choice, gifts

OTHERS = ["6c 6d 9h 9s Jc", "6h 8d 9c 9d Jd", "6s 8h Th Ts Jh 2s"]
QUARTET = " 7c 7d 7h 7s"
WEAK, STRONG = "3c 4c 5d" + QUARTET, "Kc Ac 2d" + QUARTET
BOTH = ["revolutionary", "advice"]


def led(bot: str, mine: str, name: str = "presidente-revolucion", **changes: Any) -> str:
    """Ask seat 0 for a lead."""
    return choice(bot, name, [mine, *OTHERS], **changes)


@pytest.mark.parametrize("bot", BOTH)
def test_a_weak_hand_is_turned_round_and_a_strong_one_is_not(bot: str) -> None:
    assert led("chain", WEAK) == "3x1"
    assert led(bot, WEAK) == "7x4"
    assert led("chain", "Qd " + STRONG) == "7x4"  # the weakest group
    assert led(bot, "Qd " + STRONG) not in ("7x4", "7x3", "7x2", "7x1")


@pytest.mark.parametrize("bot", BOTH)
def test_without_a_revolution_a_quartet_is_a_group_like_others(bot: str) -> None:
    assert led(bot, WEAK, "presidente-clasico") == "3x1"


@pytest.mark.parametrize("bot", BOTH)
def test_a_hand_strong_in_the_reversed_order_is_turned_back_no_more(bot: str) -> None:
    """After seat 1 has turned the order, threes are strong: the same quartet is kept."""
    hands = [WEAK, "8c 8d 8h 8s Jc 9h 6c", "6h 9c 9d Jd", "6s Th Ts Jh"]
    assert choice(bot, "presidente-revolucion", hands, "8x4", "pass", "pass", leader=1) != "7x4"
    hands[0] = STRONG  # and this one has become weak
    assert choice(bot, "presidente-revolucion", hands, "8x4", "pass", "pass", leader=1) == "7x4"


def test_revolutionary_makes_a_quartet_with_wild_cards() -> None:
    weak = "3c 4c 5d 7c 7d 7h 2c"
    assert led("revolutionary", weak, wild_rank="2") == "7x4w1"
    assert led("revolutionary", weak) == "3x1"
    assert led("revolutionary:gain=99", weak, wild_rank="2") == "3x1"


def test_revolutionary_gets_the_lead_with_eights() -> None:
    pairs = "5c 5d 7c 7d 9c 9d Tc Td Jc Jd Qc Qd"
    hands = ["8c 8d " + pairs, "4c 6h 6d 9h 9s", "3d 6s Js Th Jh", "3s Ts Qs Qh Kc"]
    played = ["4c", "pass", "pass"]
    assert choice("chain", "presidente-casa", hands, *played, leader=1) == "pass"
    assert choice("revolutionary", "presidente-casa", hands, *played, leader=1) == "8x1"
    assert choice("revolutionary", "presidente-revolucion", hands, *played, leader=1) == "pass"


def test_advice_leads_loose_low_singles_before_groups_and_high_cards() -> None:
    assert led("advice", "3c 3d 5h Kc Ks", "presidente-clasico") == "5x1"
    assert led("chain", "3c 3d 5h Kc Ks", "presidente-clasico") == "3x2"
    assert led("advice", "3c 3d Kc Ac 2c", "presidente-clasico") == "3x2"
    assert led("advice", "Kc Ks Ac 2c", "presidente-clasico") == "Kx2"


def test_advice_keeps_aces_and_twos_while_it_has_many_groups() -> None:
    played = ["6c", "8d", "pass"]
    groups = "3c 3d 4c 4d 5c 5d Ac"
    assert choice("advice:breaks=0", "presidente-clasico", [groups, *OTHERS], *played, leader=1) == "Ax1"
    groups += " 7c 7d"
    assert choice("advice:breaks=0", "presidente-clasico", [groups, *OTHERS], *played, leader=1) == "pass"


@pytest.mark.parametrize(
    ("cards", "said"),
    [("6s 8h", "Qx1"), ("6s 8h Th", "7x1")],  # two cards: it plays high; three: low
)
def test_advice_blocks_who_leads_with_one_or_two_cards(cards: str, said: str) -> None:
    hands = ["3c 3d 7c Qc", *OTHERS[:2], cards + " 4h"]
    assert choice("advice", "presidente-clasico", hands, "4h", leader=3) == said


def test_advice_blocks_only_who_could_gain_by_it() -> None:
    hands = ["3c 3d 7c Qc", OTHERS[0], "6s 8h", OTHERS[1] + " 4h"]
    assert choice("advice", "presidente-clasico", hands, "4h", leader=3) == "7x1"


def test_advice_leads_no_low_single_to_a_player_with_one_card() -> None:
    hands = ["3c 5c 5d Qc", "6s", *OTHERS[:2]]
    assert choice("advice", "presidente-clasico", hands) == "5x2"
    hands[0] = "3c 5c Qc"
    assert choice("advice", "presidente-clasico", hands) == "Qx1"


@pytest.mark.parametrize(
    ("mine", "given"),
    [
        ("3c 3d 4c 7d 8c 8d 2h", ["4x1", "7x1"]),
        ("3c 3d 4c Jd Ac 2h", ["4x1", "Jx1"]),  # no card of the pair
        ("3c 3d 5c 5d 5h Ac 2h", ["5x1", "3x1"]),  # a third card rather than one of two
        ("3c 3d 9c 9d Ac 2h", ["3x1", "3x1"]),  # it cannot be helped
    ],
)
def test_advice_gives_back_its_loosest_low_cards(mine: str, given: list[str]) -> None:
    hands = [mine, "6c 6d 9h 9s Jc", "6h 8h Js", "6s Th Ts Jh"]
    assert gifts("advice", "presidente-clasico", hands, 2) == given


def test_bots_that_do_not_choose_give_their_weakest() -> None:
    hands = ["3c 3d 4c 7d 8c 8d 2h", "6c 6d 9h 9s Jc", "6h 8h Js", "6s Th Ts Jh"]
    assert gifts("chain", "presidente-clasico", hands, 2) == ["3x1", "3x1"]
