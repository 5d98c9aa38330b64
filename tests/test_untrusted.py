"""Bots that break rules in ways reading their source does not show: nothing of it may reach other games.

Each test is a fault that was once found.
"""

from __future__ import annotations

import importlib
import sys
from pathlib import Path

import numpy as np
import pytest

from harness.arena import Arena
from harness.bots.ready import ReadyBot, make_ready
from harness.bots.spec import parse_spec, source_digest
from harness.errors import BotFault, PresiError
from harness.request import make_request, read_whole
from harness.tables import table
from tests.test_bots import bot_file, rows, same


def one_by_one(bots: list[ReadyBot], matches: int, forfeits: bool) -> bool:
    """See that a block of matches has the rows its matches have when each is played alone."""
    seating = np.arange(4, dtype=np.int32) % len(bots)
    codes = np.arange(1, matches + 1, dtype=np.uint64)
    whole = Arena(table("barajamos"), 4, bots, forfeits).play(codes, np.tile(seating, (matches, 1)))
    alone = [
        Arena(table("barajamos"), 4, bots, forfeits).play(codes[[m]], seating[None, :])
        for m in range(matches)
    ]
    return all(
        np.array_equal(getattr(whole, name), np.concatenate([getattr(block, name) for block in alone]))
        for name in ("hands", "totals", "standings", "faults", "turns", "puestos")
    )


def test_a_failing_start_of_match_is_nobody_elses_fault(tmp_path: Path) -> None:
    """Later seats once kept their instances of an earlier match, and were blamed for it."""
    path = bot_file(
        tmp_path,
        """
        class Bad(Strategy):
            compiled = False
            def start_match(self, view):
                assert view.hand % 3
            def play(self, view):
                return moves.weakest(view)

        class Good(Strategy):
            compiled = False
            def __init__(self):
                self.turns = 0
            def start_match(self, view):
                self.began = True
            def play(self, view):
                assert self.began and self.turns <= view.turns + 400 * (view.hand_number - 1)
                self.turns += 1
                return moves.weakest(view)
        """,
    )
    bad, good = (make_ready(parse_spec(f"{path}:{name}")) for name in ("Bad", "Good"))
    block = rows([bad, good, good, good], forfeits=True)
    assert block.faults[:, 0].any() and not block.faults[:, 1:].any()
    assert one_by_one([bad, good], 15, forfeits=True)


@pytest.mark.parametrize("how", ["helper", "nested"])
def test_memory_used_out_of_sight_is_still_a_seats_own(tmp_path: Path, how: str) -> None:
    (tmp_path / f"presi_bump_{how}.py").write_text(
        "from harness import moves\n@moves.helper\ndef bump(view):\n    view.memory[0] += 1\n"
    )
    importlib.invalidate_caches()
    path = bot_file(
        tmp_path,
        f"""
        from presi_bump_{how} import bump
        class Mine(Strategy):
            def play(self, view):
                bump(view)
                if view.memory[0] % 3 == 0 and view.legal:
                    return moves.highest(view.legal)
                return moves.weakest(view)
        """,
    )
    bot = make_ready(parse_spec(f"{path}:Mine"))
    assert bot.plain is None, bot.why_plain
    assert one_by_one([bot], 8, forfeits=False)


@pytest.mark.parametrize(
    "trick",
    [
        "v.passed = v.alive & ~(1 << v.me)",
        "v.legal = -1",
        "v.points[v.me] = 100",
        "v.rules.match_points = 1",
        "v.alive = 1 << v.me",
    ],
)
def test_writing_to_the_view_by_a_trick_changes_nothing(tmp_path: Path, trick: str) -> None:
    path = bot_file(
        tmp_path,
        f"""
        def change(v):
            {trick}
        class Cheat(Strategy):
            def play(self, view):
                move = moves.weakest(view)
                change(view)
                return move
        """,
    )
    cheat, lowest, chance = (make_ready(parse_spec(spec)) for spec in (f"{path}:Cheat", "lowest", "random"))
    assert cheat.plain is None, cheat.why_plain
    assert same(rows([cheat, chance]), rows([lowest, chance]))


def test_an_edited_constant_of_a_neighbour_is_another_bot(tmp_path: Path) -> None:
    body = """
        from presi_limit import LIMIT
        class Mine(Strategy):
            def play(self, view):
                if view.size > 0 and view.left[view.me] > LIMIT:
                    return moves.PASS
                return moves.weakest(view)
        """
    path = bot_file(tmp_path, body)
    digests, played = [], []
    for limit in (3, 100):
        (tmp_path / "presi_limit.py").write_text(f"LIMIT = {limit}\n# {'x' * limit}\n")
        importlib.invalidate_caches()
        for name in ("presi_limit", *[name for name in sys.modules if name.startswith("presi_bot_")]):
            sys.modules.pop(name, None)
        from harness.bots import spec

        spec._module_of_file.cache_clear()
        bot = make_ready(parse_spec(f"{path}:Mine"))
        assert bot.plain is None, bot.why_plain
        digests.append(source_digest(bot.spec))
        played.append(rows([bot, make_ready(parse_spec("random"))]))
    assert digests[0] != digests[1]
    assert not same(*played)


@pytest.mark.parametrize("answer", ["moves.weakest(view) / 1", "view.size == 0", "view.hand > 0"])
def test_a_compiled_bot_must_return_a_move(tmp_path: Path, answer: str) -> None:
    """A float was once cut to a whole number, and a bool taken for move 0 or 1."""
    text = f"class Mine(Strategy):\n    def play(self, view):\n        return {answer}\n"
    with pytest.raises(PresiError, match="which is no move"):
        make_ready(parse_spec(bot_file(tmp_path, text) + ":Mine"))


def test_a_fault_is_explained_by_the_view_that_caused_it(tmp_path: Path) -> None:
    """Asked again with the stream one draw further, the bot once did not fail."""
    path = bot_file(
        tmp_path,
        """
        class Mine(Strategy):
            def play(self, view):
                return moves.weakest(view) // min(moves.below(view, 5), 1)
        """,
    )
    with pytest.raises(BotFault, match="ZeroDivisionError"):
        rows([make_ready(parse_spec(f"{path}:Mine"))])


def test_state_on_self_is_kept_out_of_compiled_code(tmp_path: Path) -> None:
    path = bot_file(
        tmp_path,
        """
        @dataclass
        class Mine(Strategy):
            count: int = 0
            def play(self, view):
                self.count += 1
                return moves.weakest(view) if self.count % 2 else moves.weakest(view)
        """,
    )
    bot = make_ready(parse_spec(f"{path}:Mine"))
    assert bot.plain is not None and "keeps something on self" in bot.why_plain
    assert one_by_one([bot], 4, forfeits=False)


def test_a_frozen_plain_bot_needs_no_give(tmp_path: Path) -> None:
    text = "@dataclass(frozen=True)\nclass Mine:\n    compiled = False\n    x: int = 1\n"
    text += "    def play(self, view):\n        return moves.weakest(view)\n"
    bot = make_ready(parse_spec(bot_file(tmp_path, text) + ":Mine"))
    assert same(
        rows([bot], "presidente-clasico"), rows([make_ready(parse_spec("lowest"))], "presidente-clasico")
    )


def test_an_exception_that_cannot_be_written_is_a_fault(tmp_path: Path) -> None:
    path = bot_file(
        tmp_path,
        """
        class Odd(Exception):
            def __str__(self):
                raise RuntimeError
        class Mine(Strategy):
            compiled = False
            def play(self, view):
                raise Odd
        """,
    )
    with pytest.raises(BotFault, match=r"Odd: .cannot be written."):
        rows([make_ready(parse_spec(f"{path}:Mine"))])


@pytest.mark.parametrize(
    ("top", "message"),
    [
        ("import sys\nsys.exit(0)\n", "SystemExit"),
        ("raise ValueError('one\\ntwo')\n", "ValueError: one two"),
        (
            "@dataclass\nclass Mine(Strategy):\n    x: object = print\n    def play(self, v): return 0\n",
            "parameter 'x'",
        ),
        (
            "@dataclass\nclass Mine(Strategy):\n    x: 'No' = 3\n    def play(self, v): return 0\n",
            "cannot be read",
        ),
        ("x = 3\n", "has no class 'Mine'; there is none"),
    ],
)
def test_odd_bot_files_are_refused_in_one_line(tmp_path: Path, top: str, message: str) -> None:
    path = tmp_path / "odd.py"
    head = (
        "from dataclasses import dataclass\nfrom harness.strategy import Strategy\n"
        if "Strategy" in top
        else ""
    )
    path.write_text(head + top)
    with pytest.raises(PresiError, match=message) as error:
        make_ready(parse_spec(f"{path}:Mine"))
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("value", [1.5, [1], True, {"a": 1}, "1.5", None, float("inf")])
def test_only_whole_numbers_are_whole(value: object) -> None:
    with pytest.raises(PresiError, match="must be a whole number"):
        read_whole(value, "seed")  # type: ignore[arg-type]
    assert read_whole(3.0, "seed") == 3


def test_one_length_of_a_match_is_enough() -> None:
    bots = {"bots": ["keep", "chain"]}
    with pytest.raises(PresiError, match="one length"):
        make_request({}, {**bots, "hands": 3}, [{"match_points": 20}])
    assert make_request({}, bots, [{"match_points": 20}]).table.match_points == 20
