"""Deals made elsewhere: read, refused, played by tournaments and replays alike."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

import harness
from harness.analysis import Analysis
from harness.arena import Arena
from harness.bots.ready import make_ready
from harness.bots.spec import parse_spec
from harness.cli import cli
from harness.deals import read_deals
from harness.errors import PresiError
from harness.replay.match import dealt_hands, match_events
from harness.tables import table


def write(path: Path, hands: list[list[list[str]]], **more: Any) -> Path:
    path.write_text("".join(json.dumps({"hands": each, **more}) + "\n" for each in hands))
    return path


def deals_of(name: str, players: int, code: int, hands: int) -> list[list[list[str]]]:
    return [dealt_hands(table(name), players, code, number) for number in range(1, hands + 1)]


@pytest.mark.parametrize(("name", "players"), [("barajamos", 5), ("presidente-clasico", 4), ("naipera", 6)])
def test_a_codes_own_deals_from_a_file_are_the_same_match(tmp_path: Path, name: str, players: int) -> None:
    """Also beyond the file's end, where the code's shuffles go on."""
    rules = table(name)
    arena = Arena(rules, players, [make_ready(parse_spec(bot)) for bot in ("chain", "random")])
    seating = [seat % 2 for seat in range(players)]
    expected = [event for event in match_events(arena, 5, seating) if event["event"] != "deal"]
    for hands in (1, 3):
        file = write(tmp_path / f"{hands}.jsonl", deals_of(name, players, 5, hands))
        deals = read_deals(file, rules, players)
        told = list(match_events(arena, 5, seating, deals=deals))
        assert [event for event in told if event["event"] != "deal"] == expected
        dealt = [event["hands"] for event in told if event["event"] == "deal"]
        assert [sorted(held) for held in dealt[0]] == [
            sorted(held) for held in deals_of(name, players, 5, 1)[0]
        ]


def test_the_files_leader_leads(tmp_path: Path) -> None:
    rules = table("barajamos")
    arena = Arena(rules, 3, [make_ready(parse_spec("keep"))])
    for leader in range(3):
        file = write(tmp_path / "deals.jsonl", deals_of("barajamos", 3, 9, 2), leader=leader)
        block = arena.play(
            np.array([1], np.uint64), np.zeros((1, 3), np.int32), *of(read_deals(file, rules, 3))
        )
        assert block.leader[:2].tolist() == [leader, leader]


def of(deals: Any) -> tuple[Any, Any]:
    return deals.records, deals.bounds


def test_matches_of_a_file_are_told_apart_and_come_back(tmp_path: Path) -> None:
    rules = table("naipera")
    lines: list[dict[str, Any]] = [{"match": "a", "hands": deals_of("naipera", 4, 1, 1)[0]}]
    lines += [{"match": "b", "hands": hands, "leader": 2} for hands in deals_of("naipera", 4, 2, 2)]
    file = tmp_path / "deals.jsonl"
    file.write_text("\n".join(json.dumps(line) for line in lines) + "\n\n")
    deals = read_deals(file, rules, 4)
    assert deals.bounds.tolist() == [[0, 1], [1, 3]]
    assert deals.records["leader"].tolist() == [-1, 2, 2]
    assert deals.hands(0, 1) is None
    deals.write(tmp_path / "copy.jsonl")
    assert read_deals(tmp_path / "copy.jsonl", rules, 4).digest == deals.digest


GOOD = deals_of("barajamos", 3, 1, 1)[0]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("[1", "line 1: not JSON"),
        ("[1]", "line 1: each line is an object"),
        ('{"hands": 3}', "line 1: each line is an object"),
        (json.dumps({"hands": GOOD[:2]}), "2 of them for 3 seats"),
        (json.dumps({"hands": GOOD, "lead": 1}), "lead: unknown"),
        (json.dumps({"hands": GOOD, "leader": 3}), "leader 3: allowed are seats 0 to 2"),
        (json.dumps({"hands": GOOD, "leader": True}), "leader True: allowed"),
        (json.dumps({"hands": [GOOD[0], GOOD[1], [*GOOD[2][:-1], GOOD[0][0]]]}), "is there twice"),
        (json.dumps({"hands": [GOOD[0], GOOD[1], GOOD[2][:-1]]}), "is missing; all 48 cards are dealt"),
        (json.dumps({"hands": [GOOD[0], GOOD[1], [*GOOD[2][:-1], "Ts"]]}), "'Ts' is no card of spanish48"),
        (
            json.dumps({"hands": [GOOD[0][:-1], [*GOOD[1], GOOD[0][-1]], GOOD[2]]}),
            "differ by one card at most",
        ),
        (json.dumps({"hands": [GOOD[0], GOOD[1], 3]}), "hands: 3 for seat 2: cards are text"),
        (json.dumps({"hands": [GOOD[0], GOOD[1], [3, 4]]}), "for seat 2: cards are text, or a list of texts"),
        (
            "\n".join(json.dumps({"match": match, "hands": GOOD}) for match in ("a", 1, "a")),
            'line 3: match "a" again; the hands of a match stand together, in order',
        ),
        ("\n", "no deals in it"),
    ],
)
def test_impossible_deals_are_refused_with_their_line(tmp_path: Path, line: str, message: str) -> None:
    file = tmp_path / "deals.jsonl"
    file.write_text(line + "\n")
    with pytest.raises(PresiError, match=message) as refusal:
        read_deals(file, table("barajamos"), 3)
    assert "\n" not in str(refusal.value) and str(file) in str(refusal.value)


def invoke(*arguments: object) -> Any:
    return CliRunner().invoke(cli, [str(argument) for argument in arguments], catch_exceptions=True)


def test_a_tournament_on_real_deals(tmp_path: Path) -> None:
    """Every lineup plays every match of the file; resume and replay know the deals; errors cluster by deal."""
    lines: list[dict[str, Any]] = [
        {"match": code, "hands": hands, "leader": 1}
        for code in range(12)
        for hands in deals_of("barajamos", 3, code, 3)
    ]
    file = tmp_path / "deals.jsonl"
    file.write_text("".join(json.dumps(line) + "\n" for line in lines))
    out = tmp_path / "run"
    result = invoke(
        "run", "--bots", "keep,chain,random", "--deals", file, "--jobs", 1, "--out", out, "--json"
    )
    assert result.exit_code == 0, result.output
    file.unlink()  # the run has its own copy
    run = harness.Run(out)
    matches = run.matches()
    lineups = int(matches["lineup"].max()) + 1
    assert lineups == 7 and len(matches) == 12 * 7 * 3
    hands = run.hands()
    assert set(hands[(hands["hand"] <= 3) & hands["leader"]]["seat"]) == {1}
    request = json.loads((out / "run.json").read_text())["request"]
    assert request["deals"]["matches"] == 12

    from harness.tournament import request_of

    analysis = Analysis(request_of(run.folder))
    for batch in run.folder.batches():
        for start in range(0, len(batch.match), 6):  # parts may end anywhere between groups
            analysis.add(batch.cut(start, start + 6))
    rating = analysis.rate()
    assert analysis.tally.group_count == rating.clusters == 12
    whole = Analysis(request_of(run.folder))
    for batch in run.folder.batches():
        whole.add(batch)
    assert whole.rate().table.equals(rating.table)
    seen = invoke("rank", out, "--json")
    assert json.loads(seen.output)["ratings"][0]["bot"] in ("keep", "chain")

    told = invoke("replay", out, "--match", 100, "--format", "jsonl")
    assert told.exit_code == 0, told.output
    dealt = [json.loads(line) for line in told.output.splitlines() if '"deal"' in line]
    number = int(matches["group"][100]) // lineups
    assert [sorted(cards) for cards in dealt[0]["hands"]] == [sorted(c) for c in lines[3 * number]["hands"]]

    (out / "deals.jsonl").write_text((out / "deals.jsonl").read_text().replace('"leader": 1', '"leader": 0'))
    changed = invoke("replay", out, "--match", 100)
    assert isinstance(changed.exception, PresiError) and "changed" in str(changed.exception)


def test_deals_and_matches_do_not_go_together(tmp_path: Path) -> None:
    file = write(tmp_path / "deals.jsonl", deals_of("barajamos", 3, 1, 2))
    both = invoke("run", "--bots", "keep,chain", "--deals", file, "--matches", 5, "--out", tmp_path / "run")
    assert isinstance(both.exception, PresiError) and "leave matches out" in str(both.exception)
    assert not (tmp_path / "run").exists()
