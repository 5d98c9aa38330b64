"""Bots: found, checked, compiled, wrapped; the same in plain Python and compiled; faults named."""

from __future__ import annotations

import dataclasses
import textwrap
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from harness.arena import Arena
from harness.bots.plain import PlainBot
from harness.bots.ready import ReadyBot, make_ready
from harness.bots.spec import BotSpec, find_class, parse_spec, shipped, source_digest, sources
from harness.errors import BotFault, PresiError
from harness.tables import table, table_names

HEAD = """
from dataclasses import dataclass
from harness import moves
from harness.strategy import Strategy
"""


def bot_file(folder: Path, body: str, name: str = "mine.py") -> str:
    path = folder / name
    path.write_text(HEAD + textwrap.dedent(body))
    return str(path)


def wrapped(bot: ReadyBot) -> ReadyBot:
    """Give the same bot in plain Python."""
    plain = PlainBot(bot.instance)
    return dataclasses.replace(bot, addresses=plain.addresses, plain=plain, shipped=False)


def rows(
    bots: list[ReadyBot], name: str = "barajamos", players: int = 4, matches: int = 40, **more: Any
) -> Any:
    arena = Arena(table(name), players, bots, **more)
    seating = np.arange(players, dtype=np.int32) % len(bots)
    codes = np.arange(1, matches + 1, dtype=np.uint64) * np.uint64(7919)
    return arena.play(codes, np.tile(seating, (matches, 1)))


def same(a: Any, b: Any) -> bool:
    return all(np.array_equal(getattr(a, f.name), getattr(b, f.name)) for f in dataclasses.fields(a))


SEARCHING = {
    "montecarlo": "worlds=4",
    "champion": "worlds=4:guesses=2:positions=500",
    "oracle": "worlds=4:positions=500",
    "ismcts": "iterations=20",
}
"""Bots that think long, with budgets that do not."""


def quick(name: str) -> str:
    return f"{name}:{SEARCHING[name]}" if name in SEARCHING else name


@pytest.mark.parametrize("name", [*shipped()])
@pytest.mark.parametrize("rules", table_names())
def test_shipped_bots_play_alike_compiled_and_plain(name: str, rules: str) -> None:
    mine, other = make_ready(parse_spec(quick(name))), make_ready(parse_spec("random"))
    assert mine.plain is None, mine.why_plain
    matches = 2 if name in SEARCHING else 12
    assert same(
        rows([mine, other], rules, matches=matches),
        rows([wrapped(mine), wrapped(other)], rules, matches=matches),
    )


@pytest.mark.parametrize("name", [*shipped()])
@pytest.mark.parametrize(
    ("rules", "changes", "players"),
    [
        ("barajamos", {"jokers": 2, "joker_role": "wild", "exchange_return": "choice"}, 5),
        ("barajamos", {"jokers": 4, "joker_role": "top", "revolution": "order_and_direction"}, 6),
        ("naipera", {"wild_rank": "1", "revolution": "order"}, 3),
        ("presidente-casa", {"wild_rank": "2", "pass_locks": True}, 4),
    ],
)
def test_shipped_bots_play_legally_everywhere(
    name: str, rules: str, changes: dict[str, Any], players: int
) -> None:
    bots = [make_ready(parse_spec(quick(name))), make_ready(parse_spec("random"))]
    seating = np.arange(players, dtype=np.int32) % 2
    matches = 20 if name in SEARCHING else 200
    # an illegal move would end the block with a `BotFault`
    block = Arena(table(rules, **changes), players, bots).play(
        np.arange(matches, dtype=np.uint64), np.tile(seating, (matches, 1))
    )
    assert len(block.hands) == matches


def test_the_unknown_bot_has_a_near_name() -> None:
    with pytest.raises(PresiError, match=r"unknown bot 'chian'.*did you mean chain"):
        make_ready(parse_spec("chian"))


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("", "a spec is name"),
        ("@chain", "a label is written label@SPEC"),
        ("x@", "a label is written label@SPEC"),
        ("hold:near", "unknown bot|has no class|cannot import"),
        ("hold:neer=2", "unknown parameter 'neer'.*near"),
        ("hold:near=two", "near='two' must be a whole number"),
        ("hold:near=1:near=2", "given twice"),
        ("random:x=1", "it has none"),
        ("linear:weights=1/2", "weights has 2 numbers, needed are 168"),
        ("linear:weights=a/b", "must be numbers as 1/2/3, or a file of them as x.json"),
        ("linear:weights=nowhere.json", "weights: nowhere.json: No such file"),
        ("linear:weights=tests/cases/rules.json", r"rules.json: float\(\) argument must be"),
        ("nowhere.py:Bot", "cannot read nowhere.py"),
        ("harness.moves:Bot", "has no class 'Bot'"),
        ("no.such.module:Bot", "cannot import"),
    ],
)
def test_bad_specs_are_one_clear_line(spec: str, message: str) -> None:
    with pytest.raises(PresiError, match=message) as error:
        make_ready(parse_spec(spec))
    assert "\n" not in str(error.value)


def test_specs_have_labels_and_parameters() -> None:
    assert parse_spec("easy@hold:near=1:few=3") == BotSpec(
        "easy", "hold:near=1:few=3", "hold", (("near", "1"), ("few", "3"))
    )
    assert make_ready(parse_spec("hold:near=1")).instance.near == 1
    assert source_digest(parse_spec("hold:near=1")) != source_digest(parse_spec("hold"))
    assert source_digest(parse_spec("x@hold")) == source_digest(parse_spec("hold"))


def test_a_file_of_ones_own_is_compiled_with_its_helpers(tmp_path: Path) -> None:
    path = bot_file(
        tmp_path,
        """
        def weakest(view):
            return moves.weakest(view)

        @dataclass
        class Mine(Strategy):
            '''As lowest.'''
            def play(self, view):
                return weakest(view)
        """,
    )
    mine, lowest, chance = (make_ready(parse_spec(spec)) for spec in (f"{path}:Mine", "lowest", "random"))
    assert mine.plain is None, mine.why_plain
    assert mine.spec.label == "Mine"
    assert same(rows([mine, chance]), rows([lowest, chance]))


def test_an_edited_bot_file_is_another_bot(tmp_path: Path) -> None:
    body = """
        class Mine(Strategy):
            def play(self, view):
                return moves.{}(view.legal) if view.legal else moves.PASS
        """
    chance = make_ready(parse_spec("random"))
    before = rows([make_ready(parse_spec(bot_file(tmp_path, body.format("lowest")) + ":Mine")), chance])
    after = rows([make_ready(parse_spec(bot_file(tmp_path, body.format("highest")) + ":Mine")), chance])
    assert not same(before, after)


def test_an_edited_neighbour_of_a_bot_file_counts_too(tmp_path: Path) -> None:
    """The compiled code of a bot once outlived an edit of a module it imports."""
    import importlib
    import sys

    results = []
    for word in ("lowest", "highest"):
        (tmp_path / "presi_neighbour.py").write_text(
            f"from harness import moves\n@moves.helper\ndef pick(view):\n"
            f"    return moves.{word}(view.legal) if view.legal else moves.PASS\n"
        )
        sys.modules.pop("presi_neighbour", None)
        importlib.invalidate_caches()
        body = f"""
        from presi_neighbour import pick
        # {word}
        class Mine(Strategy):
            def play(self, view):
                return pick(view)
        """
        bot = make_ready(parse_spec(bot_file(tmp_path, body) + ":Mine"))
        assert bot.plain is None, bot.why_plain
        results.append(rows([bot, make_ready(parse_spec("random"))]))
    assert not same(*results)


@pytest.mark.parametrize(
    "line", ["from .words import pick", "from . import words; pick = words.pick", "from .inner import pick"]
)
def test_an_edited_neighbour_in_a_package_counts_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, line: str
) -> None:
    """Relative imports once did not: skipper went on with an older keep."""
    import importlib
    import sys

    package = tmp_path / "presi_package"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "inner").mkdir()
    (package / "inner" / "__init__.py").write_text("from ..words import pick\n")  # called as the one above
    body = "class Mine(Strategy):\n    def play(self, view):\n        return pick(view)\n"
    (package / "bot.py").write_text(f"{HEAD}{line}\n\n{body}")
    monkeypatch.syspath_prepend(str(tmp_path))
    results, digests = [], []
    for word in ("lowest", "highest"):
        (package / "words.py").write_text(
            f"from harness import moves\n@moves.helper\ndef pick(view):\n"
            f"    return moves.{word}(view.legal) if view.legal else moves.PASS\n"
        )
        for name in [name for name in sys.modules if name.startswith("presi_package")]:
            del sys.modules[name]
        importlib.invalidate_caches()
        spec = parse_spec("presi_package.bot:Mine")
        digests.append(source_digest(spec))
        bot = make_ready(spec)
        assert bot.plain is None, bot.why_plain
        results.append(rows([bot, make_ready(parse_spec("random"))]))
    assert digests[0] != digests[1] and not same(*results)


def test_files_called_alike_all_count(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = tmp_path / "presi_alike"
    for folder in (package, package / "inner"):
        folder.mkdir()
        (folder / "__init__.py").write_text("from .bot import Mine\n" if folder is package else "BIG = 3\n")
    (package / "bot.py").write_text(
        f"{HEAD}from .inner import BIG\nclass Mine(Strategy):\n    def play(self, view):\n        return BIG\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    spec = parse_spec("presi_alike.bot:Mine")
    assert "BIG = 3\n" in {text.decode() for text in sources(spec, find_class(spec)).values()}
    (package / "bot.py").write_text((package / "bot.py").read_text() + "import presi_alike\n")
    texts = [text.decode() for text in sources(spec, find_class(spec)).values()]
    assert "BIG = 3\n" in texts and "from .bot import Mine\n" in texts


def test_the_sources_of_a_shipped_bot_are_all_there() -> None:
    """What a bot calls from the file beside it belongs to it."""
    spec = parse_spec("skipper")
    assert {"seats.py", "keep.py"} <= set(sources(spec, find_class(spec)))


def test_what_cannot_be_compiled_runs_in_plain_python(tmp_path: Path) -> None:
    path = bot_file(
        tmp_path,
        """
        class Mine(Strategy):
            def play(self, view):
                return int(f"{moves.weakest(view):d}")
        """,
    )
    bot, chance = make_ready(parse_spec(f"{path}:Mine")), make_ready(parse_spec("random"))
    assert bot.plain is not None and bot.why_plain
    assert same(rows([bot, chance]), rows([make_ready(parse_spec("lowest")), chance]))


def test_plain_bots_keep_state_for_one_match_only(tmp_path: Path) -> None:
    path = bot_file(
        tmp_path,
        """
        class Mine(Strategy):
            compiled = False
            def __init__(self):
                self.seen = []
                self.hands = self.heard = 0
            def start_match(self, view):
                assert self.seen == [] and view.hand_number == 1 and view.turns == 0
            def start_hand(self, view):
                self.hands += 1
                assert self.hands == view.hand_number
            def observe(self, view, event):
                self.heard += 1
                assert event.seat == view.turn_seat[view.turns - 1]
            def play(self, view):
                self.seen.append(view.turns)
                assert view.me == view.seat
                return moves.weakest(view)
        """,
    )
    bot = make_ready(parse_spec(f"{path}:Mine"))
    assert same(rows([bot]), rows([make_ready(parse_spec("lowest"))]))


def test_memory_is_a_seats_own_and_starts_empty(tmp_path: Path) -> None:
    body = """
        class Mine(Strategy):
            compiled = {}
            def play(self, view):
                if view.memory[1] != 0 and view.memory[1] != view.me + 1:
                    return 99
                if view.hand_number == 1 and view.turns < 4 and view.memory[0] > 1:
                    return 99
                view.memory[0] += 1
                view.memory[1] = view.me + 1
                if view.memory[0] % 3 == 0:
                    return moves.highest(view.legal) if view.legal else moves.PASS
                return moves.weakest(view)
        """
    fast = make_ready(parse_spec(bot_file(tmp_path, body.format(True), "fast.py") + ":Mine"))
    slow = make_ready(parse_spec(bot_file(tmp_path, body.format(False), "slow.py") + ":Mine"))
    assert fast.plain is None and slow.plain is not None
    assert same(rows([fast]), rows([slow]))


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("view.hand = 0", "it changes the view"),
        ("view.left[0] = 3", "it changes the view"),
        ("view.hand += 1", "it changes the view"),
        ("view.memory = view.memory", "it changes the view"),
        ("others = view.left; others[1] = 0", "it changes the view"),
        ("x = random.random()", "chance from random"),
        ("x = np.random.rand()", r"chance from numpy\.random"),
        ("global count; count = 1", "global state"),
        ("x = view.hands", "the view has no 'hands'; did you mean hand"),
        ("x = moves.lowset(view)", "moves has no 'lowset'; did you mean lowest"),
    ],
)
def test_bad_habits_are_refused_with_their_line(tmp_path: Path, line: str, message: str) -> None:
    body = f"""
        import random
        import numpy as np
        count = 0
        class Mine(Strategy):
            def play(self, view):
                {line}
                return moves.weakest(view)
        """
    with pytest.raises(PresiError, match=rf"'Mine', line 11: .*{message}"):
        make_ready(parse_spec(bot_file(tmp_path, body) + ":Mine"))


def test_a_syntax_error_is_named_with_its_line(tmp_path: Path) -> None:
    path = bot_file(tmp_path, "class Mine(Strategy):\n    def play(self, view)\n        return 0\n")
    with pytest.raises(PresiError, match=r"mine\.py, line 6: expected ':'"):
        make_ready(parse_spec(f"{path}:Mine"))


def test_an_error_while_loading_is_named_with_its_line(tmp_path: Path) -> None:
    path = bot_file(tmp_path, "\nx = 1 / 0\n")
    with pytest.raises(PresiError, match=r"mine\.py, line 6: ZeroDivisionError"):
        make_ready(parse_spec(f"{path}:Mine"))


@pytest.mark.parametrize("compiled", [True, False])
@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("return 99", r"returned an illegal move: \S+ \(99\); legal was 3x1"),
        ("return moves.PASS", r"returned an illegal move: pass \(-1\)"),
        ("return 7 // (view.turns - view.turns)", "failed in play: ZeroDivisionError.*line 7 in play"),
        ("return view.left[view.turns + 7]", "failed in play: IndexError"),
    ],
)
def test_a_fault_names_bot_code_seat_and_what_was_legal(
    tmp_path: Path, body: str, message: str, compiled: bool
) -> None:
    text = f"class Mine(Strategy):\n    compiled = {compiled}\n    def play(self, view):\n        {body}\n"
    path = bot_file(tmp_path, "\n" + text)
    bots = [make_ready(parse_spec(f"{path}:Mine"))]
    assert (bots[0].plain is None) == compiled
    with pytest.raises(BotFault, match=message.replace("line 7", r"line \d+")) as error:
        rows(bots)
    assert error.value.label == "Mine" and error.value.code == "P7919" and 0 <= error.value.seat < 4
    assert "\n" not in str(error.value)
    block = rows(bots, forfeits=True)
    assert (block.faults.sum(axis=1) == 3 * block.hands).all()


@pytest.mark.parametrize("answer", ["None", "'pass'", "1.5", "True", "2**70"])
def test_rubbish_from_a_plain_bot_is_a_fault(tmp_path: Path, answer: str) -> None:
    text = (
        f"class Mine(Strategy):\n    compiled = False\n    def play(self, view):\n        return {answer}\n"
    )
    with pytest.raises(BotFault, match="which is no move"):
        rows([make_ready(parse_spec(bot_file(tmp_path, text) + ":Mine"))])


@pytest.mark.parametrize(
    "line", ["view.hand = 3", "view.stream = 3", "view.memory.append(1)", "view.nothing"]
)
def test_plain_bots_cannot_change_the_view(tmp_path: Path, line: str) -> None:
    path = bot_file(
        tmp_path,
        f"""
        def change(v):
            {line.replace("view", "v")}
        class Mine(Strategy):
            compiled = False
            def play(self, view):
                change(view)
                return moves.weakest(view)
        """,
    )
    with pytest.raises(BotFault, match=r"read-only|holds 16 numbers|has no 'nothing'"):
        rows([make_ready(parse_spec(f"{path}:Mine"))])


def test_a_bad_gift_is_a_fault_too(tmp_path: Path) -> None:
    text = "class Mine(Strategy):\n    def play(self, view):\n        return moves.weakest(view)\n"
    text += "    def give(self, view):\n        return moves.PASS\n"
    bots = [make_ready(parse_spec(bot_file(tmp_path, text) + ":Mine"))]
    with pytest.raises(BotFault, match="returned an illegal move: pass"):
        rows(bots, "presidente-clasico")
    block = rows(bots, "presidente-clasico", forfeits=True)
    assert (block.faults.sum(axis=1) == 2 * (block.hands - 1)).all()


def test_a_stream_is_a_seats_own() -> None:
    """One bot drawing more numbers must not change what another one draws."""
    chance, lowest = make_ready(parse_spec("random")), make_ready(parse_spec("lowest"))
    first = rows([chance, lowest, lowest, lowest], matches=1)
    assert same(first, rows([chance, lowest, lowest, lowest], matches=1))
