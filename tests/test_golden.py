"""Whole matches pinned as text, and a frozen bot's actions as a hash: any change of play shows here.

After a wanted change of the rules or the shuffle: `python -m tests.test_golden` writes them anew.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from harness.arena import Arena
from harness.bots.ready import make_ready
from harness.bots.spec import parse_spec
from harness.engine.records import TRACE
from harness.replay.match import match_events
from harness.tables import Table, table

FOLDER = Path(__file__).parent / "golden"
FROZEN = f"{Path(__file__).parent / 'frozen_bot.py'}:Frozen"

TABLES: dict[str, tuple[Table, int]] = {
    "barajamos-3": (table("barajamos"), 3),
    "barajamos-4": (table("barajamos"), 4),
    "barajamos-6": (table("barajamos"), 6),
    "presidente-clasico-4": (table("presidente-clasico"), 4),
    "presidente-revolucion-4": (table("presidente-revolucion"), 4),
    "presidente-casa-4": (table("presidente-casa"), 4),
    "naipera-3": (table("naipera"), 3),
    "naipera-4": (table("naipera"), 4),
    "naipera-5": (table("naipera"), 5),
    "house-wild-jokers-5": (
        table("barajamos", jokers=2, joker_role="wild", revolution="order_and_direction", cut_rank="8"),
        5,
    ),
    "house-twos-wild-4": (table("naipera", wild_rank="2", exchange_return="choice", president_falls=True), 4),
}
CODES = (7, 1151739204, 2**64 - 1)


def arena_of(name: str) -> Arena:
    rules, players = TABLES[name]
    return Arena(rules, players, [make_ready(parse_spec(FROZEN))])


def short(event: dict[str, Any]) -> str:
    """Write an event in a few characters."""
    kind = event["event"]
    if kind == "match":
        return f"match {event['code']} {event['rules']}"
    if kind == "deal":
        return f"deal {event['hand']} | " + " | ".join(" ".join(cards) for cards in event["hands"])
    if kind == "exchange":
        return f"{event['from']} > {event['to']}: {' '.join(event['cards'])}"
    if kind == "play":
        return f"{event['seat']}: {' '.join(event['cards'])}"
    if kind == "pass":
        return f"{event['seat']}: -"
    if kind == "out":
        return f"out {event['seat']} {event['puesto']}"
    if kind == "trick":
        return f"trick {event['winner']} {event['leader']}"
    return " ".join([kind, *(json.dumps(value) for key, value in event.items() if key != "event")])


def text_of(name: str) -> str:
    arena = arena_of(name)
    lines = []
    for code in CODES:
        lines += [short(event) for event in match_events(arena, code, [0] * TABLES[name][1])]
    return "\n".join(lines) + "\n"


def hash_of(name: str) -> str:
    """Hash every action of the frozen bot in 500 matches."""
    rules, players = TABLES[name]
    trace = np.zeros(500 * rules.max_hands(players), TRACE)
    codes = np.arange(500, dtype=np.uint64)
    block = arena_of(name).play(codes, np.zeros((500, players), np.int32), trace=trace)
    digest = hashlib.sha256()
    for row in trace[: len(block.turns)]:
        digest.update(row["turn_seat"][: row["turns"]].astype("<i1").tobytes())
        digest.update(row["turn_move"][: row["turns"]].astype("<i2").tobytes())
        digest.update(row["given"].astype("<i8").tobytes())
    return digest.hexdigest()


@pytest.mark.parametrize("name", TABLES)
def test_pinned_matches(name: str) -> None:
    assert text_of(name) == (FOLDER / f"{name}.txt").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", TABLES)
def test_a_frozen_bot_acts_as_ever(name: str) -> None:
    pinned = json.loads((FOLDER / "actions.json").read_text(encoding="utf-8"))
    assert hash_of(name) == pinned[name]


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for each in TABLES:
        (FOLDER / f"{each}.txt").write_text(text_of(each), encoding="utf-8")
    hashes = {each: hash_of(each) for each in TABLES}
    (FOLDER / "actions.json").write_text(json.dumps(hashes, indent=1) + "\n", encoding="utf-8")
