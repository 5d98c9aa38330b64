"""Many matches of many tables, engine against referee: `python -m tests.many_matches --matches 20000 --tables 250`.

Each table is drawn at random, each match is played by the engine, told with all legal choices, and checked
event by event by the referee, which knows the rules and nothing of the engine.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from random import Random
from typing import Any

import click
import joblib
import numpy as np

from harness import moves
from harness.arena import Arena
from harness.bots.plain import PlainBot
from harness.bots.ready import ReadyBot, make_ready
from harness.bots.spec import BotSpec, parse_spec
from harness.cards import DECKS
from harness.replay.match import match_events
from harness.strategy import Strategy
from harness.tables import Table, table
from tests.reference.trace import Disagreement, check_trace

BOTS = ("random", "chain", "highest", "bigfirst")


@dataclass
class Slips(Strategy):
    """Plays a random legal move, most cards first half of the time, and now and then something impossible."""

    compiled = False
    slips: float = 0.01

    def play(self, view: Any) -> int:
        if moves.random(view) < self.slips:
            return 61
        if view.size and moves.random(view) < 0.2:
            return moves.PASS
        if moves.random(view) < 0.5 and view.legal:
            return int(moves.highest(view.legal))
        from harness.notation import legal_moves

        legal = legal_moves(view)
        return legal[moves.below(view, len(legal))]


@dataclass
class Startles(Slips):
    """Fails now and then while it is told what happened, whosever turn it is."""

    def observe(self, view: Any, event: Any) -> None:
        if moves.random(view) < self.slips:
            raise RuntimeError("startled")


def plain(bot: Strategy, label: str) -> ReadyBot:
    """Make a bot ready without a file of its own."""
    called = PlainBot(bot)
    return ReadyBot(BotSpec(label, "", ""), called.addresses, np.zeros(1, np.int64), False, called, "", None)


def draw_table(chance: Random) -> tuple[Table, int]:
    """Draw a table, every field free, and a number of players; matches are short."""
    deck = chance.choice(sorted(DECKS))
    players = chance.randint(3, 7)
    ranks, suits = DECKS[deck].ranks, DECKS[deck].suits
    cards = [rank + suit for rank in ranks for suit in suits]
    jokers = chance.choice([0, 0, 1, 2, 3, 4])
    role = chance.choice(["top", "wild"]) if jokers else "none"
    wild = None if role == "wild" else chance.choice([None, None, *ranks])
    lone = chance.choice([None, *chance.sample([card for card in cards if card[:-1] != wild], 3)])
    by_points = chance.random() < 0.5
    points = sorted((chance.randint(0, 3) for _ in range(players)), reverse=True)
    points[0] = max(1, points[0])
    others = {n: [1] + [0] * (n - 1) for n in range(3, 8)}
    fields: dict[str, Any] = {
        "deck": deck,
        "players": [3, 7],
        "default_players": players,
        "order": chance.sample(ranks, len(ranks)),
        "jokers": jokers,
        "joker_role": role,
        "wild_rank": wild,
        "opening_card": chance.choice(cards),
        "later_leader": chance.choice(["last", "president"]),
        "equal": chance.choice(["skip", "forbidden"]),
        "pass_locks": chance.random() < 0.5,
        "out_closes_trick": chance.random() < 0.5,
        "lone_winner": lone,
        "revolution": chance.choice(["none", "order", "order_and_direction"]),
        "cut_rank": chance.choice([None, *ranks[:4]]),
        "president_falls": chance.random() < 0.5,
        "exchange": [chance.randint(0, 2), chance.randint(0, 1)],
        "exchange_return": chance.choice(["worst", "choice"]),
        "points": {**others, players: points},
        "match_points": chance.randint(1, 5) if by_points else None,
        "match_hands": None if by_points else chance.randint(1, 3),
        "titles": {},
    }
    return Table.from_dict(fields, name="drawn"), players


def check_table(seed: int, matches: int, rules: Table | None = None, players: int = 4) -> tuple[int, int]:
    """Check some matches of one table, drawn from a seed if none is given.

    Returns
    -------
    matches, events : int

    Raises
    ------
    Disagreement
        With the table, the code and the bots that show it.
    """
    chance = Random(seed)
    if rules is None:
        rules, players = draw_table(chance)
    bots = [make_ready(parse_spec(name)) for name in BOTS] + [
        plain(Slips(), "slips"),
        plain(Startles(), "startles"),
    ]
    arena = Arena(rules, players, bots, forfeits=True)
    events = 0
    for _ in range(matches):
        code, seating = chance.getrandbits(64), [chance.randrange(len(bots)) for _ in range(players)]
        told = list(match_events(arena, code, seating, legal=True))
        try:
            check_trace(told)
        except Disagreement as error:
            raise AssertionError(f"P{code}, bots {told[0]['bots']}, {rules.to_json()}: {error}") from error
        events += len(told)
    return matches, events


SHIPPED = ("barajamos", "presidente-clasico", "presidente-revolucion", "presidente-casa", "naipera")


@click.command()
@click.option("--matches", default=20_000, show_default=True)
@click.option("--tables", default=250, show_default=True, help="Drawn ones; the shipped ones come on top.")
@click.option("--seed", default=0, show_default=True)
@click.option("--jobs", default=2, show_default=True)
def main(matches: int, tables: int, seed: int, jobs: int) -> None:
    """Let the referee check what the engine plays."""
    begin = time.monotonic()
    shipped = [
        (table(name), n)
        for name in SHIPPED
        for n in range(table(name).players[0], table(name).players[1] + 1)
    ]
    each = -(-matches // (tables + len(shipped)))
    work = [joblib.delayed(check_table)(seed * 1_000_003 + number, each) for number in range(tables)]
    work += [joblib.delayed(check_table)(seed + 1, each, rules, players) for rules, players in shipped]
    played = joblib.Parallel(jobs)(work)
    total, events = (sum(column) for column in zip(*played, strict=True))
    click.echo(
        f"{total:,} matches on {tables} drawn and {len(shipped)} shipped tables (with their numbers of players), "
        f"{events:,} events: the referee agrees with all; {time.monotonic() - begin:.0f} s"
    )


if __name__ == "__main__":
    main()
