"""Bots that are programs: the messages, faults of every kind, and nothing left behind."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from harness.arena import Arena
from harness.bots.ready import make_ready
from harness.bots.spec import parse_spec, source_digest
from harness.errors import BotFault, PresiError
from harness.tables import table, table_names

EXAMPLES = Path(__file__).parents[1] / "docs" / "examples"
PYTHON = f"{sys.executable} {EXAMPLES / 'bot.py'}"

HEAD = """
import json, sys, time, os
def say(answer):
    print(json.dumps(answer), flush=True)
for line in sys.stdin:
    request = json.loads(line)
    if request["type"] == "hello":
        say({"type": "ready", "protocol": 1})
        continue
"""


def arena(command: str, name: str = "barajamos", players: int = 3, forfeits: bool = False) -> Arena:
    bots = [make_ready(parse_spec(spec)) for spec in (f"it@exec:{command}", "lowest")]
    return Arena(table(name), players, bots, forfeits)


def play(where: Arena, matches: int = 2) -> np.ndarray:
    codes = np.arange(matches, dtype=np.uint64)
    seating = np.tile(np.arange(where.players, dtype=np.int32) % 2, (matches, 1))
    try:
        return where.play(codes, seating).faults
    finally:
        where.bots[0].plain.prototype.program.end()  # type: ignore[union-attr]


def program(folder: Path, body: str) -> str:
    path = folder / "bot.py"
    path.write_text(HEAD + "\n".join("    " + line for line in body.strip().splitlines()) + "\n")
    return f"{sys.executable} {path}"


@pytest.mark.parametrize("rules", table_names())
def test_the_python_example_plays_every_table(rules: str) -> None:
    assert not play(arena(PYTHON, rules, 4)).any()


@pytest.mark.skipif(
    shutil.which("node") is None, reason="the JavaScript example is run where there is node, as on CI"
)
@pytest.mark.parametrize("rules", ["barajamos", "presidente-casa"])
def test_the_javascript_example_plays_as_the_python_one(rules: str) -> None:
    codes = np.arange(2, dtype=np.uint64)
    seating = np.tile(np.arange(4, dtype=np.int32) % 2, (2, 1))
    blocks = [
        arena(command, rules, 4).play(codes, seating) for command in (PYTHON, f"node {EXAMPLES / 'bot.js'}")
    ]
    assert np.array_equal(blocks[0].puestos, blocks[1].puestos)


def test_what_a_program_is_shown(tmp_path: Path) -> None:
    log = tmp_path / "log"
    command = program(
        tmp_path,
        f"""
open({str(log)!r}, "a").write(line)
if request["type"] == "bye":
    break
say({{"move": request["legal"][0]}})
""",
    )
    play(arena(command, players=3), 1)
    requests = [json.loads(line) for line in log.read_text().splitlines()]
    assert requests[-1] == {"type": "bye"}
    asked = [request for request in requests if request["type"] == "play"]
    first = asked[0]
    assert len(first["hand"]) == 16 and first["hand_number"] == 1 and first["exchange"] is None
    for request in asked:
        seat = request["seat"]
        assert len(request["hand"]) == request["left"][seat]
        assert ("pass" in request["legal"]) == (request["trick"] is not None)
        shown = len(request["played"]) + sum(request["left"])
        assert shown == 48
        assert 0 <= request["random"] < 1
    later = [request for request in asked if request["hand_number"] == 2 and request["exchange"]]
    assert later and all(len(request["exchange"]["gave"]) == 2 for request in later)
    assert len({(request["game"], request["seat"]) for request in asked}) == len({r["seat"] for r in asked})


def test_the_hello_names_the_table(tmp_path: Path) -> None:
    path = tmp_path / "bot.py"
    path.write_text(
        "import json, sys\nhello = json.loads(sys.stdin.readline())\n"
        "sys.stderr.write(hello['rules'] + ' ' + hello['table']['equal'] + ' ' + str(hello['players']) + '\\n')\n"
        "sys.exit(3)\n"
    )
    with pytest.raises(BotFault, match=r"bot 'it' at seat . of match P0 .*exit code 3: 'barajamos skip 3'"):
        play(arena(f"{sys.executable} {path}"))


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("sys.exit(7)", "exit code 7"),
        ("raise KeyError('lost')", "exit code 1: \"KeyError: 'lost'\""),
        ("os.kill(os.getpid(), 9)", "signal 9"),
        ("time.sleep(60)", r"no answer in 0\.3 s"),
        ("print('what?', flush=True)", "answered 'what\\?', which is no JSON object"),
        ("say({'move': 7})", "which names no move"),
        ("say({'move': '1x9'})", "which names no move"),
        ("say({'move': '9x4'})", "illegal move: 9x4"),
        ("say([1])", "no JSON object"),
        ("print('x' * 100_000, flush=True)", "more than 65536 bytes"),
        ("os.close(1); time.sleep(60)", "closed its output|no answer"),
    ],
)
def test_a_fault_names_the_program(tmp_path: Path, body: str, message: str) -> None:
    command = program(tmp_path, body)
    where = arena(command)
    where.bots[0].plain.prototype.program.seconds = 0.3  # type: ignore[union-attr]
    with pytest.raises(BotFault, match=message) as fault:
        play(where)
    assert "bot 'it' at seat" in str(fault.value) and "of match P" in str(fault.value)


def test_a_late_program_is_started_anew_and_the_match_goes_on(tmp_path: Path) -> None:
    command = program(
        tmp_path,
        """
if request["hand_number"] == 2:
    time.sleep(60)
say({"move": request["legal"][0]})
""",
    )
    where = arena(command, forfeits=True)
    where.bots[0].plain.prototype.program.seconds = 0.3  # type: ignore[union-attr]
    faults = play(where, 1)
    assert faults[0, 0] == 1 and not faults[0, 1]


def test_no_process_is_left(tmp_path: Path) -> None:
    """Not even of a program that ignores goodbyes and starts another one."""
    pids = tmp_path / "pids"
    command = program(
        tmp_path,
        f"""
if not os.path.exists({str(pids)!r}):
    child = os.spawnlp(os.P_NOWAIT, "sleep", "sleep", "300")
    open({str(pids)!r}, "w").write(f"{{os.getpid()}} {{child}}")
if request["type"] == "bye":
    time.sleep(300)
say({{"move": request["legal"][0]}})
""",
    )
    play(arena(command), 1)
    for pid in map(int, pids.read_text().split()):
        assert not _alive(pid)


@pytest.mark.skipif(
    sys.platform != "linux", reason="only Linux (as on CI) ends a program with its parent, by prctl"
)
def test_no_process_outlives_a_killed_run(tmp_path: Path) -> None:
    pid = tmp_path / "pid"
    command = program(
        tmp_path,
        f"""
open({str(pid)!r}, "w").write(str(os.getpid()))
time.sleep(300)
""",
    )
    run = subprocess.Popen(
        [sys.executable, "-m", "harness.cli", "run", "--bot", f"it@exec:{command}", "--bots", "lowest,keep", "--players",
         "3", "--matches", "30", "--seconds", "60", "--jobs", "1", "--out", str(tmp_path / "out")],
        cwd=Path(__file__).parents[1],
        stderr=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
    )  # fmt: skip
    until = time.monotonic() + 60
    while not (pid.exists() and pid.read_text()) and time.monotonic() < until:
        time.sleep(0.05)
    run.kill()
    run.wait()
    time.sleep(0.5)
    assert not _alive(int(pid.read_text()))


def _alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
        state = Path(f"/proc/{pid}/stat")
        return not state.exists() or state.read_text().split()[2] != "Z"
    except OSError:
        return False


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("exec:", "name the program"),
        ("exec:no-such-program x", "no program 'no-such-program'"),
        ("exec:'open", "No closing quotation"),
    ],
)
def test_bad_commands_are_refused(spec: str, message: str) -> None:
    with pytest.raises(PresiError, match=message):
        parse_spec(spec)


def test_an_edited_program_is_another_bot(tmp_path: Path) -> None:
    spec = parse_spec("exec:" + program(tmp_path, "say({'move': 'pass'})"))
    before = source_digest(spec)
    program(tmp_path, "say({'move': request['legal'][0]})")
    assert source_digest(spec) != before
