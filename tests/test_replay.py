"""Matches told as events: against the referee, against the log, as golden text."""

from __future__ import annotations

import numpy as np
import pytest

from harness.arena import Arena
from harness.bots.ready import make_ready
from harness.bots.spec import parse_spec
from harness.replay.match import match_events
from harness.tables import Table, table, table_names
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
