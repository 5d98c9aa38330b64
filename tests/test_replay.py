"""Matches told as events: against the referee, against the log, by the command."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

import harness
from harness.arena import Arena
from harness.bots.ready import make_ready
from harness.bots.spec import parse_spec
from harness.cli import cli
from harness.errors import BotFault, PresiError, WorkError
from harness.replay.match import match_events
from harness.tables import Table, table, table_names
from tests.many_matches import check_table
from tests.reference.trace import check_trace

SHIPPED = [
    (name, n) for name in table_names() for n in range(table(name).players[0], table(name).players[1] + 1)
]
HOUSE: list[tuple[Table, int]] = [
    *((table(name), n) for name, n in SHIPPED),
    (table("barajamos", jokers=2, joker_role="wild", revolution="order_and_direction"), 5),
    (table("naipera", wild_rank="1", equal="forbidden", exchange_return="choice"), 4),
    (
        table(
            "presidente-casa",
            jokers=3,
            joker_role="top",
            players=[3, 7],
            points={n: list(range(n, 0, -1)) for n in range(3, 8)},
        ),
        7,
    ),
]


@pytest.mark.parametrize(("rules", "players"), HOUSE, ids=[f"{t.name}-{n}" for t, n in HOUSE])
def test_the_referee_agrees_with_every_event(rules: Table, players: int) -> None:
    bots = [make_ready(parse_spec(name)) for name in ("random", "chain", "highest", "lowgroup")]
    arena = Arena(rules, players, bots)
    for code in range(20):
        seating = [(code + seat) % 4 for seat in range(players)]
        events = list(match_events(arena, code, seating, legal=True))
        told = check_trace(events)
        block = arena.play(np.array([code], np.uint64), np.array([seating], np.int32))
        assert told.puestos == block.puestos.tolist()
        assert told.points == block.points.tolist()
        assert told.leaders == block.leader.tolist()
        assert told.turns == block.turns.tolist()
        assert told.totals == block.totals[0].tolist()
        assert (told.winner, told.standings) == (block.winner[0], block.standings[0].tolist())
        plays = [event for event in events if event["event"] in ("play", "pass")]
        assert all(event["legal"] for event in plays)


@pytest.mark.parametrize("seed", range(12))
def test_the_referee_agrees_on_drawn_tables_with_forfeits(seed: int) -> None:
    """A small share of `python -m tests.many_matches`."""
    for table_seed in range(5 * seed, 5 * seed + 5):
        check_table(1000 + table_seed, 4)


# --- the command ----------------------------------------------------------------------------------------

FIELD = ["--bots", "keep,chain,random,highest", "--players", 4, "--jobs", 1]


def invoke(*arguments: object) -> Any:
    return CliRunner().invoke(cli, [str(argument) for argument in arguments])


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("runs") / "run"
    result = invoke("run", *FIELD, "--matches", 3000, "--seed", 3, "--out", out, "--json")
    assert result.exit_code == 0, result.output
    return out


def test_a_match_of_a_run_is_the_one_in_the_log(played: Path) -> None:
    run = harness.Run(played)
    matches, hands = run.matches(), run.hands()
    for number in (0, 1, 1234, len(matches) - 1):
        result = invoke("replay", played, "--match", number, "--format", "jsonl", "--legal")
        assert result.exit_code == 0, result.output
        told = check_trace(result.output)
        row, rows = matches.loc[number], hands[hands["match"] == number]
        events = [json.loads(line) for line in result.output.splitlines()]
        assert events[0]["code"] == f"P{row['code']}"
        assert events[0]["bots"] == [row[f"bot_{seat}"] for seat in range(4)]
        assert told.puestos == rows["puesto"].to_numpy().reshape(-1, 4).tolist()
        assert told.points == rows["points"].to_numpy().reshape(-1, 4).tolist()
        assert told.standings == [row[f"standing_{seat}"] for seat in range(4)]
        alone = invoke(
            "replay", events[0]["code"], "--bots", ",".join(events[0]["bots"]), "--format", "jsonl", "--legal"
        )
        assert alone.output == result.output, "the code and the bots in their seats are the whole match"


def test_a_log_that_was_changed_is_noticed(played: Path, tmp_path: Path) -> None:
    shutil.copytree(played, tmp_path / "run")
    info = json.loads((tmp_path / "run/run.json").read_text())
    info["versions"]["engine"] = "another"
    (tmp_path / "run/run.json").write_text(json.dumps(info))
    fine = invoke("replay", tmp_path / "run", "--match", 5, "--format", "jsonl")
    assert fine.exit_code == 0, "an engine that plays as before may replay"
    info["bots"][0]["digest"] = "another"
    (tmp_path / "run/run.json").write_text(json.dumps(info))
    refused = invoke("replay", tmp_path / "run", "--match", 5)
    assert isinstance(refused.exception, PresiError) and "'keep' has changed" in str(refused.exception)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["P7"], "bots: name one for each seat"),
        (["P7", "--bots", "keep", "--match", 3], "match: a code names the match"),
        (["P99999999999999999999", "--bots", "keep"], "allowed are P0 to P18446744073709551615"),
        (["P7", "--bots", "keep,chian,hold"], "did you mean chain or champion?"),
        (["P7", "--bots", "keep,chain,hold,keep,hold", "--players", 4], "5 bots for 4 seats"),
        (["P7", "--bots", "keep,chain", "--players", 4], "2 bots for 4 seats; name one for each seat"),
        (["P7", "--bots", "keep"], "1 bot for 3 seats; name one for each seat"),
        (["nowhere"], "nowhere"),
        (["RUN"], "match: which one of 3,"),
        (["RUN", "--match", "three"], "match 'three': must be a whole number"),
        (["RUN", "--match", 99999], "no match 99999; there are 0 to"),
        (["RUN", "--match", -1], "no match -1; there are 0 to"),
        (["RUN", "--match", 1, "--bots", "keep"], "bots: a match of a run has its own"),
        (["RUN", "--match", 1, "--out", "."], "out .: Is a directory"),
        (["RUN", "--match", 1, "--out", "/nowhere/x.html"], "out /nowhere/x.html: No such file or directory"),
    ],
)
def test_bad_requests(played: Path, arguments: list[object], message: str) -> None:
    arguments = [played if argument == "RUN" else argument for argument in arguments]
    result = invoke("replay", *arguments)
    assert isinstance(result.exception, PresiError) and message in str(result.exception)
    assert not result.stdout


def test_a_fault_is_told_up_to_where_it_happens(tmp_path: Path) -> None:
    """Without forfeits the events end with the bot's error; with them the hand goes on without it."""
    bot = tmp_path / "late.py"
    bot.write_text(
        "from harness import moves\nfrom harness.strategy import Strategy\n\n\n"
        "class Late(Strategy):\n    compiled = False\n\n"
        "    def play(self, view):\n"
        "        if view.hand_number == 2 and view.left[view.me] < 9:\n            return 61\n"
        "        return moves.weakest(view)\n"
    )
    bots = ["--bots", f"keep,late@{bot}:Late,chain", "--format", "jsonl"]
    stopped = invoke("replay", "P3", *bots)
    assert isinstance(stopped.exception, BotFault) and "'late' at seat 1 of match P3" in str(
        stopped.exception
    )
    lines = [json.loads(line) for line in stopped.stdout.splitlines()]
    assert [event["hand"] for event in lines if event["event"] == "deal"] == [1, 2]
    assert lines[-1]["event"] in ("play", "pass", "trick", "skip", "out")
    through = invoke("replay", "P3", *bots, "--on-fault", "forfeit")
    assert through.exit_code == 0, through.output
    assert check_trace(through.stdout).forfeits == [1]
    assert through.stdout.startswith(stopped.stdout)
    for style in ("html", "text"):
        page = tmp_path / f"match.{style}"
        again = invoke("replay", "P3", *bots[:2], "--format", style, "--out", page)
        assert isinstance(again.exception, BotFault)
        assert "Hand 2" in page.read_text(), "what the bot last saw is written"
    assert sorted(path.name for path in tmp_path.iterdir() if path.name != "__pycache__") == [
        "late.py",
        "match.html",
        "match.text",
    ]


def test_a_fault_in_a_gift_is_told_up_to_its_deal(tmp_path: Path) -> None:
    bot = tmp_path / "mean.py"
    bot.write_text(
        "from harness import moves\nfrom harness.strategy import Strategy\n\n\n"
        "class Mean(Strategy):\n    compiled = False\n\n"
        "    def play(self, view):\n        return moves.weakest(view)\n\n"
        "    def give(self, view):\n        return 61\n"
    )
    bots = ["--table", "presidente-clasico", "--bots", ",".join([f"{bot}:Mean"] * 4), "--format", "jsonl"]
    stopped = invoke("replay", "P3", *bots)
    assert isinstance(stopped.exception, BotFault) and "match P3" in str(stopped.exception)
    lines = [json.loads(line) for line in stopped.stdout.splitlines()]
    assert [lines[-1]["event"], lines[-1]["hand"]] == ["deal", 2]
    assert check_trace(invoke("replay", "P3", *bots, "--on-fault", "forfeit").stdout).forfeits


def test_a_table_made_wider_seats_the_bots_named() -> None:
    """The changes of the table count before the number of bots is compared with its seats."""
    wide = [
        "--set",
        "players=3,7",
        "--set",
        "points=3:2,1,0;4:2,1,0,0;5:2,1,0,0,0;6:2,1,0,0,0,0;7:2,1,0,0,0,0,0",
    ]
    result = invoke("replay", "P7", *wide, "--bots", ",".join(["keep"] * 7), "--json")
    assert result.exit_code == 0, result.output
    assert len(json.loads(result.output.splitlines()[0])["bots"]) == 7


def test_a_changed_row_of_the_log_is_noticed(played: Path, tmp_path: Path) -> None:
    """A row that tells of other places than the match has is an error of the log, named."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    shutil.copytree(played, tmp_path / "run")
    part = sorted((tmp_path / "run/hands").glob("*.parquet"))[0]
    rows = pq.read_table(part)
    first, second = rows["puesto_0"].to_pylist(), rows["puesto_1"].to_pylist()
    first[0], second[0] = second[0], first[0]
    for name, column in (("puesto_0", first), ("puesto_1", second)):
        at = rows.schema.get_field_index(name)
        rows = rows.set_column(at, rows.schema.field(at), pa.array(column, rows.schema.field(at).type))
    pq.write_table(rows, part)
    result = invoke("replay", tmp_path / "run", "--match", 0)
    assert isinstance(result.exception, WorkError)
    assert "match 0 comes out otherwise than its row in" in str(result.exception)
