"""The bot author's kit: the first bot works, and the check finds every kind of bot that breaks a rule."""

from __future__ import annotations

import json
import re
import textwrap
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from harness import moves
from harness.arena import Arena
from harness.cli import cli
from harness.engine.records import VIEW
from harness.errors import PresiError, WorkError
from harness.kit.check import CHECKS, Report, check_bot, ready_for_check
from harness.kit.show import report_lines
from harness.kit.starting import write_bot
from harness.kit.trials import all_trials, trial
from harness.testing import check_strategy
from strategies.groups import LowGroup

HEAD = """
import itertools
from dataclasses import dataclass
from harness import moves
from harness.notation import legal_moves
from harness.strategy import Strategy
"""

TRIALS = [trial("barajamos", 4, ()), trial("naipera", 3, ()), trial("presidente-clasico", 4, ())]


def checked(folder: Path, body: str, matches: int = 2) -> Report:
    path = folder / "mine.py"
    path.write_text(HEAD + textwrap.dedent(body))
    return check_bot(ready_for_check(f"{path}:Mine"), matches, TRIALS)


def failed(report: Report) -> set[str]:
    return {outcome.check for outcome in report.outcomes if outcome.failed}


CHEATS = {
    "legal": """
        class Mine(Strategy):
            def play(self, view):
                return moves.PASS if view.turns == 5 else moves.weakest(view)
        """,
    # once in some ten thousand decisions
    "legal but seldom": """
        class Mine(Strategy):
            def play(self, view):
                return moves.weakest(view) if moves.random(view) < 0.9999 else 61
        """,
    "legal in plain": """
        class Mine(Strategy):
            compiled = False
            def play(self, view):
                return 7 // (view.turns - view.turns)
        """,
    "legal when giving": """
        class Mine(Strategy):
            def play(self, view):
                return moves.weakest(view)
            def give(self, view):
                return moves.PASS
        """,
    # compiled whole numbers have 64 bits, Python's have as many as they need
    "plain": """
        class Mine(Strategy):
            def play(self, view):
                if (view.hand << 20) >> 62 <= 1 or view.legal == 0:
                    return moves.weakest(view)
                return moves.nth_choice(view, moves.choices(view) - 1)
        """,
    "again": """
        clock = itertools.count()
        class Mine(Strategy):
            compiled = False
            def play(self, view):
                legal = legal_moves(view)
                return legal[next(clock) % len(legal)]
        """,
    "view": """
        def change(part):
            part[0] = 1
        class Mine(Strategy):
            def play(self, view):
                change(view.left)
                return moves.weakest(view) if view.legal else moves.PASS
        """,
    "order": """
        seen = []
        class Mine(Strategy):
            compiled = False
            def start_match(self, view):
                seen.append(1)
            def play(self, view):
                legal = legal_moves(view)
                return legal[len(seen) % len(legal)]
        """,
}


@pytest.mark.parametrize("kind", [*CHEATS])
def test_the_check_finds_a_bot_that_breaks_a_rule(tmp_path: Path, kind: str) -> None:
    report = checked(tmp_path, CHEATS[kind])
    assert kind.split()[0] in failed(report), [*report_lines(report)]
    found = next(finding for finding in report.findings if finding.check == kind.split()[0])
    assert found.code.startswith("P") and found.view["hand"] and found.view["seat"] == found.seat
    assert found.code in found.replay and "mine.py:Mine" in found.replay
    text = "\n".join(report_lines(report))
    assert found.what in text and CHECKS[found.check] in text
    json.dumps(report.to_json())
    if not kind.startswith("legal"):
        assert "legal" not in failed(report)


def test_the_check_finds_a_bot_that_looks_at_hidden_cards(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It finds its way to the arena, as a bot in plain Python can, and lets the others' hands decide."""
    from harness.kit import check as place

    seen: list[Any] = []
    real = Arena

    def watched(*args: Any, **more: Any) -> Any:
        seen[:] = [real(*args, **more)]
        return seen[0]

    monkeypatch.setattr(place, "Arena", watched)
    monkeypatch.setattr("harness.moves.PEEPHOLE", seen, raising=False)
    body = """
        class Mine(Strategy):
            compiled = False
            def play(self, view):
                legal = legal_moves(view)
                hands = moves.PEEPHOLE[0].hidden[0]["hands"].tolist()
                return legal[hands[(view.me + 1) % view.players] % 1009 % len(legal)]
        """
    report = checked(tmp_path, body)
    assert "hidden" in failed(report), [*report_lines(report)]


def test_what_a_finding_shows_can_be_replayed(tmp_path: Path) -> None:
    report = checked(tmp_path, CHEATS["legal"])
    words = report.findings[0].replay.split()[1:]
    result = CliRunner().invoke(cli, [*words, "--format", "jsonl"])
    # the bot fails there again, after the events that came before
    assert isinstance(result.exception, WorkError) and report.findings[0].what in str(result.exception)
    assert '"event": "deal"' in result.output or '"event":"deal"' in result.output


@pytest.mark.parametrize(
    "body",
    [
        """
        @dataclass
        class Mine(Strategy):
            def play(self, view):
                view.memory[0] += 1
                return moves.nth_choice(view, moves.below(view, moves.choices(view)))
        """,
        """
        class Mine(Strategy):
            compiled = False
            def __init__(self):
                self.turns = []
            def observe(self, view, event):
                self.turns.append(event.seat)
            def play(self, view):
                self.turns.append(view.me)
                legal = legal_moves(view)
                return legal[sum(self.turns) % len(legal)]
        """,
    ],
)
def test_honest_bots_pass(tmp_path: Path, body: str) -> None:
    report = checked(tmp_path, body)
    assert report.passed, "\n".join(report_lines(report))
    asked = {outcome.check: outcome.asked for outcome in report.outcomes}
    assert asked["legal"] > 100 and asked["again"] > 100 and asked["hidden"] > 20 and asked["order"] > 100
    assert (asked["plain"] > 20) == (report.kind == "compiled")


def test_check_strategy_takes_a_class_an_instance_and_a_spec() -> None:
    report = check_strategy(LowGroup)
    assert report.bot == "LowGroup" and report.kind == "compiled" and report.tables == len([*all_trials()])
    assert report.speed["barajamos"] > 100_000
    assert check_strategy("hold:near=2", matches=1).passed


def test_check_strategy_fails_with_the_position() -> None:
    class Nobody(LowGroup):
        compiled = False

        def play(self, view: Any) -> int:
            return 61

    with pytest.raises(AssertionError, match=r"returned an illegal move: 61.*(?s:.)*view: \{"):
        check_strategy(Nobody)


def test_every_table_and_number_of_players_is_tried() -> None:
    shipped = [
        (each.rules.name.partition("+")[0], each.players)
        for each in all_trials()
        if each.rules.name.partition("+")[2] in ("match_hands", "match_points,match_hands", "")
    ]
    for name, players in [("barajamos", {3, 4, 5, 6}), ("naipera", {3, 4, 5, 6}), ("presidente-casa", {4})]:
        assert {number for table, number in shipped if table == name} >= players
    assert max(each.players for each in all_trials()) == 7


def test_the_first_bot_works(tmp_path: Path) -> None:
    spec = write_bot(tmp_path / "my_first_bot.py")
    assert spec.endswith("my_first_bot.py:MyFirstBot")
    text = (tmp_path / "my_first_bot.py").read_text()
    assert len(text.splitlines()) <= 45 and max(map(len, text.splitlines())) <= 110 + len(str(tmp_path))
    report = check_strategy(spec)
    assert report.kind == "compiled"
    with pytest.raises(PresiError, match="is there already; it was left as it is"):
        write_bot(tmp_path / "my_first_bot.py")
    assert (tmp_path / "my_first_bot.py").read_text() == text


@pytest.mark.parametrize("name", ["my bot.py", "bot.txt", "2nd.py", "none/bot.py", ".py"])
def test_a_bot_file_needs_a_name(tmp_path: Path, name: str) -> None:
    with pytest.raises(PresiError, match=r"named like my_bot\.py|there is no folder"):
        write_bot(tmp_path / name)


def test_the_commands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    runner = CliRunner()
    made = runner.invoke(cli, ["new-bot", "mine.py"])
    assert made.exit_code == 0 and "presi check mine.py:Mine" in made.output
    passed = runner.invoke(cli, ["check", "mine.py:Mine", "--table", "naipera", "--matches", "1"])
    assert passed.exit_code == 0, passed.output
    assert "makes only legal moves" in passed.output and "decisions a second" in passed.output
    told = runner.invoke(cli, ["check", "mine.py:Mine", "lowest", "--table", "naipera", "--json"])
    assert [report["passed"] for report in json.loads(told.stdout)] == [True, True]
    Path("mine.py").write_text(HEAD + textwrap.dedent(CHEATS["legal"]))
    refused = runner.invoke(cli, ["check", "mine.py:Mine", "--players", "3"])
    assert isinstance(refused.exception, WorkError) and "failed the check: Mine" in str(refused.exception)
    assert "FAILED: makes only legal moves" in refused.output
    bad = runner.invoke(cli, ["check", "mine.py:Mine", "--matches", "0"])
    assert isinstance(bad.exception, PresiError) and "matches 0" in str(bad.exception)


def test_the_words_the_docs_name_are_there() -> None:
    """A word of ``moves`` or a field of the view that docs/bots.md lists exists."""
    text = (Path(__file__).parents[1] / "docs" / "bots.md").read_text(encoding="utf-8")
    rows = [line for line in text.splitlines() if line.startswith("| `")]
    words = [name for row in rows for name in re.findall(r"`([a-z_]+)\(", row)]
    fields = [
        name
        for row in rows
        if "(" not in row.split("|")[1]
        for name in re.findall(r"`([a-z_]+)", row.split("|")[1])
    ]
    assert len(words) > 20 and len(fields) > 30
    assert [name for name in words if not hasattr(moves, name)] == []
    assert [name for name in fields if name not in (VIEW.names or ())] == []
