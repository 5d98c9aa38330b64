"""Keep, hold, chain and modal: whole groups, what is held back, bosses first."""

from __future__ import annotations

from typing import Any

import pytest

from harness import moves
from tests.strategies.positions import asked, choice, position

PAIRS = "5o 5c 6o 6c 7o 7c 8o 8c 10o 10c 11o 11c"
"""Six pairs."""
LOW = "4o 4c 4e 4b 3o 3c 3e"
OTHER = "5e 6e 7e 8e 10e"
BOTS = ["keep", "hold", "chain"]


def answer(bot: str, mine: str, led: str = "4o", table: str = "barajamos", **changes: Any) -> str:
    """Ask seat 0, the last to answer what seat 1 led."""
    return choice(bot, table, [mine, LOW, OTHER], led, "pass", leader=1, **changes)


@pytest.mark.parametrize("bot", BOTS)
def test_groups_are_kept_whole(bot: str) -> None:
    assert answer(bot, PAIRS + " 12o") == "12x1"
    assert answer(bot, PAIRS + " 12o", "4o 4c") == "5x2"
    assert answer(bot, PAIRS + " 12o 12c") == "pass"


@pytest.mark.parametrize(("bot", "groups"), [("keep", 6), ("hold", 6), ("chain", 6)])
def test_groups_are_broken_near_the_end(bot: str, groups: int) -> None:
    pairs = (PAIRS + " 12o 12c").split()
    assert answer(bot, " ".join(pairs[: 2 * groups])) == "5x1"
    assert answer(bot, " ".join(pairs[: 2 * groups + 2])) == "pass"
    assert answer(f"{bot}:breaks={groups + 1}", " ".join(pairs[: 2 * groups + 2])) == "5x1"


@pytest.mark.parametrize("bot", BOTS)
def test_a_hand_that_can_go_out_does(bot: str) -> None:
    assert answer(bot, "9o") == "9x1"
    assert answer(bot, "2o") == "2o"
    assert answer(bot, "9o 9c", "4o 4c") == "9x2"


def test_hold_leads_its_three_and_holds_its_two() -> None:
    mine = PAIRS + " 2c"
    assert choice("hold", "barajamos", [mine + " 3b", LOW, OTHER]) == "3x1"
    assert answer("keep", mine) == "2x1"
    assert answer("hold", mine) == "pass"
    assert answer("hold:top=0", mine) == "2x1"


def test_hold_lets_go_when_somebody_is_nearly_out() -> None:
    hands = [PAIRS + " 2c", LOW, "5e 6e 7e 8e"]  # four cards
    assert choice("hold", "barajamos", hands, "4o", "pass", leader=1) == "2x1"


def test_hold_leads_sets_against_one_card() -> None:
    hands = ["3b 5o 5c 9b", LOW, "8e"]
    assert choice("keep", "barajamos", hands) == "3x1"
    assert choice("hold", "barajamos", hands) == "5x2"
    assert choice("hold", "barajamos", ["3b 5o 9b", LOW, "8e"]) == "3x1"  # a high single does not pay


@pytest.mark.parametrize(
    ("mine", "first"),
    [
        ("4o 9c 2c", "9x1"),  # one loser: the 9 and the 2 go first
        ("4o 6o 9c 2c", "4x1"),  # two losers: nothing is sure
        ("4o 8c 2c", "4x1"),  # an 8 can be equalled
        ("4o 2o", "2o"),
    ],
)
def test_chain_plays_its_bosses_first_and_the_loser_last(mine: str, first: str) -> None:
    hands = [mine, "5c 6c 6e 7o 7b", "5e 7c 8e 8b 8o"]
    assert choice("chain", "barajamos", hands) == first
    assert choice("hold", "barajamos", hands) == "4x1"


def test_chain_counts_an_equal_as_an_answer_only_where_it_is_one() -> None:
    hands = ["4o 8c 2c", "5c 6c 6e 7o 7b", "5e 7c 8e 8b 8o"]
    assert choice("chain", "barajamos", hands) == "4x1"
    assert choice("chain", "barajamos", hands, equal="forbidden") == "8x1"


def test_chain_fears_the_lone_winner() -> None:
    assert choice("chain", "barajamos", ["4o 9c 2c", "5c 6c 6e 7o 7b", "5e 7c 8e 8b 2o"]) == "4x1"


@pytest.mark.parametrize(
    ("mine", "lead"),
    [
        ("3b 9b 10b 5o 5c 6c 6e", "3x1"),  # three singles
        ("3b 9b 5o 5c 6c 6e", "5x2"),  # as many pairs: the bigger
        ("3b 1o 2c 5o 5c 6c 6e", "5x2"),  # aces and twos are held back, and not counted
        ("3b 9b 5o 5c 5e 6c 6e 6b", "5x3"),
    ],
)
def test_modal_leads_the_size_it_holds_most_of(mine: str, lead: str) -> None:
    others = [LOW, "7e 7b 8e 10e 11e"]
    assert choice("hold", "barajamos", [mine, *others]) == "3x1"
    assert choice("modal", "barajamos", [mine, *others]) == lead


def test_a_quartet_that_turns_the_order_is_no_boss_even_of_the_cut_rank() -> None:
    """Its king looked like a boss too; after the four eights it would be the weakest card but one."""
    hands = ["4c 4d 4h 4s 5c", "8c 8d 8h 8s Kc 5s", "5d 5h 6c 7c", "9c 9d 6h 7h"]
    hand = position("presidente-casa", hands, ["4x4"], flipped=True)
    view = hand.view()
    assert not hand.flipped
    assert "8x4" in hand.legal_texts()
    assert moves.bosses(view, moves.unseen(view)) == 1 << moves.move_of(1, 10)  # the king
    assert moves.sure_move(view) == moves.PASS
    sure = position("presidente-casa", [hands[0], "8c 8d 8h 8s 5s", *hands[2:]], ["4x4"], flipped=True)
    assert asked("chain", sure, "play") == "8x4"
