"""Montecarlo, ismcts, champion and oracle: what trying moves out sees that rules of thumb do not; and linear."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness.bots.ready import make_ready
from harness.bots.spec import parse_spec
from harness.errors import PresiError
from harness.hand import Hand
from harness.positions import read_hands
from harness.tables import table
from tests.strategies.positions import asked, choice, gifts
from tests.test_cli import presi

SEARCH = ["montecarlo", "ismcts", "champion", "oracle"]
GUESSING = SEARCH[:3]


def chosen(bot: str, hands: list[str], totals: list[int] | None = None) -> str:
    """Ask seat 0 for its lead at barajamos, five times with other chance: the choice is always the same."""
    rules = table("barajamos")
    answers = set()
    for stream in range(5):
        hand = Hand(rules, read_hands(rules, hands), 0, totals=totals)
        hand._hidden["streams"][0] = stream * 0x9E3779B97F4A7C15 % 2**64
        answers.add(asked(bot, hand, "play"))
    assert len(answers) == 1, answers
    return answers.pop()


@pytest.mark.parametrize("bot", SEARCH)
def test_two_left_is_solved(bot: str) -> None:
    """He has 7c 7e: leading the pair of 5s first loses; any single wins."""
    hands = ["5c 5e 9c", "7c 7e", "3c"]
    assert choice(bot, "barajamos", hands, "3c", leader=2) in ("5x1", "9x1")
    # a queen more: now it is the pair, or the queen that nothing answers, that wins
    assert choice(bot, "barajamos", ["5c 5e 12c", "7c", "3c"], "3c", leader=2) in ("5x2", "12x1")


@pytest.mark.parametrize("bot", SEARCH)
def test_the_nine_is_led_to_go_out_with_the_pair(bot: str) -> None:
    """Rules of thumb shed the pair of 6s first, and are left with two singles that others answer."""
    hands = ["6c 6e 9e 12e", "5e 11b 12o", "12b 5o 7o", "7b 10b 11c"]
    assert choice("chain", "barajamos", hands) == choice("linear", "barajamos", hands) == "6x2"
    assert choice(bot, "barajamos", hands) == "9x1"


@pytest.mark.parametrize(
    ("hands", "best"),
    [
        (["12o 4c", "2o 11e", "3b 5o", "3e 4o"], ["12x1", "4x1"]),
        (["7c 8c 2o 9b", "10o 8e 10e 8b", "1b 10b 11b 5o", "10c 8o 1e 9c"], ["8x1", "7x1"]),
    ],
)
def test_the_oracle_sees_who_holds_what_and_champion_does_not(hands: list[str], best: list[str]) -> None:
    """The same cards, held by others in turn: only who sees them can choose otherwise."""
    turned = [hands[0], hands[3], hands[1], hands[2]]
    assert [chosen("oracle", hands), chosen("oracle", turned)] == best
    for bot in ("montecarlo", "champion"):
        assert chosen(bot, hands) == chosen(bot, turned)


def test_the_match_counts_not_the_hand() -> None:
    """Eight points against ten: unless one is first now the match is lost, so the ace is led before the ten."""
    hands = ["1e 10b", "1c 11o", "12e 8c", "7e 9b"]
    for bot in ("montecarlo", "champion"):
        assert chosen(bot, hands) == "10x1"
        assert chosen(bot, hands, [8, 10, 0, 0]) == "1x1"


def test_who_cannot_win_the_match_does_not_try() -> None:
    """Three rivals with ten points: to be ahead of one of them is all there is, and the 3 goes while it can."""
    hands = ["7e 3b 7o", "8c 3o 9b", "8e 5b 1c", "11o 1o 12e"]
    assert chosen("champion", hands) == "7x2"
    assert chosen("champion", hands, [5, 10, 10, 10]) == "3x1"


@pytest.mark.parametrize("bot", SEARCH)
def test_nothing_is_thought_about_where_there_is_no_choice(bot: str) -> None:
    assert choice(bot, "barajamos", ["3c 4c", "12e 5e", "6o 6b"], "12e", "pass", leader=1) == "pass"
    assert choice(bot, "barajamos", ["3c", "12e 5e", "6o 6b"]) == "3x1"


@pytest.mark.parametrize("bot", ["montecarlo", "champion", "oracle"])
def test_no_boss_is_given_back(bot: str) -> None:
    """Two cards for the culo, of a hand with pairs of kings and aces: never one of those."""
    hands = [
        "3c 4d 5c 9c 9d Qh Qd Kc Kd As Ac",
        "6c 6d 9h 9s Jc 7c 7d Td",
        "6h 8d Jd 5h 5s 8s 8h Ts Ah",
        "6s 4h Th Qs Jh 7h 7s 3h 2d",
    ]
    given = gifts(bot, "presidente-clasico", hands, 2)
    assert len(given) == 2
    assert not {"Kx1", "Ax1", "Qx1"} & set(given)


@pytest.mark.parametrize("bot", GUESSING)
def test_temperature_makes_them_choose_otherwise_at_times(bot: str) -> None:
    rules = table("barajamos")
    hands = read_hands(rules, ["6c 6e 9e 12e", "5e 11b 12o", "12b 5o 7o", "7b 10b 11c"])
    seen = set()
    for stream in range(30):
        hand = Hand(rules, hands, 0)
        hand._hidden["streams"][0] = stream * 0x9E3779B97F4A7C15 % 2**64
        seen.add(asked(f"{bot}:temperature=0.3", hand, "play"))
    assert len(seen) > 1


def test_linear_goes_out_and_answers_cheaply() -> None:
    low, other = "4o 4c 4e 4b 3o 3c 3e", "5e 6e 7e 8e 10e"
    assert choice("linear", "barajamos", ["9o 9c", low, other], "4o 4c", "pass", leader=1) == "9x2"
    mine = "5o 5c 6b 7c 10o 10c 12o 12c 2c"
    assert choice("linear", "barajamos", [mine, low, other], "4o", "pass", leader=1) == "6x1"
    assert choice("linear", "barajamos", [mine + " 3b", low, other]) == "3x1"


# --- the ceiling is no player ---------------------------------------------------------------------------


def test_the_oracle_plays_only_where_it_is_asked_for(tmp_path: Path) -> None:
    run = ["run", "--bots", "oracle@oracle:worlds=1,lowest", "--matches", 48, "--out", tmp_path / "run"]
    refused = presi(*run, check=2)
    assert "'oracle' sees all hands" in refused.stderr and "--oracle" in refused.stderr
    assert not (tmp_path / "run").exists()
    presi(*run, "--oracle")


def test_no_bot_of_ones_own_sees_all(tmp_path: Path) -> None:
    path = tmp_path / "peep.py"
    path.write_text(
        "from harness import moves\nfrom harness.strategy import Strategy\n\n\n"
        "class Peep(Strategy):\n    sees_all = True\n\n"
        "    def play(self, view):\n        return moves.weakest(view)\n"
    )
    with pytest.raises(PresiError, match="sees_all is for bots that come with the harness"):
        make_ready(parse_spec(f"{path}:Peep"))
