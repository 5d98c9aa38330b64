"""Decomp: what a move costs in turns, and what it wins."""

from __future__ import annotations

from tests.strategies.positions import asked, choice, gifts, position

OTHERS = ["6o 6e 9b 9c 11o 9o", "6b 8e 8o 9e 11e 10b", "6c 8b 10c 11c 11b"]
SIX_LED = ["6o", "pass", "pass"]


def last_to_answer(bot: str, mine: str, others: list[str] | None = None) -> str:
    """Ask seat 0 after seat 1 led a six and the others passed."""
    return choice(bot, "barajamos", [mine, *(others or OTHERS)], *SIX_LED, leader=1)


def test_a_sure_win_is_played() -> None:
    hands = ["4o 9c 2c", "5c 6c 6e 7o 7b", "5e 7c 8e 8b 8o"]
    assert choice("decomp", "barajamos", hands) == "9x1"


def test_it_answers_with_a_loser_and_keeps_an_ace_for_a_better_trick() -> None:
    assert last_to_answer("decomp", "5o 5e 7o 7e 12o 4o") == "12x1"
    mine = "5o 5e 7o 7e 1c 4o 3o"
    assert last_to_answer("chain", mine) == "1x1"
    assert last_to_answer("decomp", mine) == "pass"
    assert last_to_answer("decomp:strong=0", mine) == "1x1"


def test_it_does_not_wait_when_somebody_is_nearly_out() -> None:
    others = ["6o 6e", *OTHERS[1:]]  # one card left after the lead
    assert last_to_answer("decomp", "5o 5e 7o 7e 1c 4o 3o", others) == "1x1"
    assert last_to_answer("decomp:near=0", "5o 5e 7o 7e 1c 4o 3o", others) == "pass"


def test_breaking_a_group_costs() -> None:
    assert last_to_answer("chain", "7o 7e 7b 3o 4o") == "7x1"
    assert last_to_answer("decomp", "7o 7e 7b 3o 4o") == "pass"
    assert last_to_answer("decomp:broken=0", "7o 7e 7b 3o 4o") == "7x1"


def test_who_has_passed_cannot_take_the_trick() -> None:
    """The same card against the same king: worth a two when the others are out of the trick."""
    mine, king = "11o 2b 3e 5c 9o", "10b 12c 2c 4e 8e"
    others = ["1c 7b 8b 9b 9e", "11c 12e 3c 4c 7o"]
    assert choice("decomp", "barajamos", [mine, king, *others], "12c", "pass", "pass", leader=1) == "2x1"
    assert choice("decomp", "barajamos", [mine, *others, king], "12c", leader=3) == "pass"
    free = {"pass_locks": False}  # here they may still play
    hands = [mine, king, *others]
    assert choice("decomp", "barajamos", hands, "12c", "pass", "pass", leader=1, **free) == "pass"


def test_a_temperature_makes_it_choose_otherwise_at_times() -> None:
    hand = position("barajamos", ["5o 5e 7o 7e 12o 4o", *OTHERS], SIX_LED, 1)
    seen: dict[str, set[str]] = {"decomp": set(), "decomp:temperature=0.5": set()}
    for stream in range(60):
        hand._hidden["streams"][0] = stream * 0x9E3779B97F4A7C15 % 2**64
        for bot, choices in seen.items():
            choices.add(asked(bot, hand, "play"))
    assert seen["decomp"] == {"12x1"}
    assert len(seen["decomp:temperature=0.5"]) > 1


def test_it_gives_back_what_takes_a_turn_of_its_own() -> None:
    hands = ["3c 3d 4c 5c 9c 9d 2h", "6c 6d 9h 9s Jc", "6h 8d Jd", "6s 8h Th Ts Jh"]
    assert gifts("decomp", "presidente-clasico", hands, 2) == ["4x1", "5x1"]
