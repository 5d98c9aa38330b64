"""What a bot is shown depends on nothing it may not know.

A spy sits in every seat. Whenever its bot is asked or told something, the cards the others hold are dealt
anew among them, all else that is theirs is changed at random, and the view is made again: not a byte may
differ. So every kind of view is looked at: play, give, and the three a bot is told things by.
"""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import numpy as np
import pytest

from harness import moves
from harness.arena import Arena
from harness.bots.plain import PlainBot
from harness.bots.ready import ReadyBot
from harness.bots.spec import BotSpec
from harness.engine.records import VIEW
from harness.engine.turn import face
from harness.kit.redeal import redeal
from harness.notation import legal_moves
from harness.strategy import Strategy
from harness.tables import Table, table, table_names
from tests.many_matches import draw_table

HOUSE: list[tuple[Table, int]] = [
    *(
        (table(name), n)
        for name in table_names()
        for n in range(table(name).players[0], table(name).players[1] + 1)
    ),
    (table("barajamos", jokers=2, joker_role="wild", revolution="order_and_direction"), 5),
    (table("naipera", wild_rank="1", equal="forbidden", exchange_return="choice"), 4),
    *(draw_table(Random(seed)) for seed in range(20)),
]


class Watch:
    """Compares what is shown with what would be shown if the others held other cards."""

    def __init__(self, seed: int) -> None:
        self.rng = np.random.default_rng(seed)
        self.arena: Any = None
        self.seen: Counter[str] = Counter()
        self.hidden_cards = 0
        self.leaks: list[str] = []

    def __deepcopy__(self, memo: Any) -> Watch:
        return self

    def look(self, what: str, shown: Any) -> None:
        self.seen[what] += 1
        if what in ("play", "observe") and self.rng.random() > 0.3:
            return
        seat = int(shown.me)
        view, hidden = self.arena.view.copy(), self.arena.hidden.copy()
        self.hidden_cards += redeal(view[0], hidden[0], seat, self.rng)
        # the last seat's facts must not shine through either
        for name in ("hand", "legal", "given", "received", "stream"):
            view[0][name] = self.rng.integers(1 << 40)
        for name in ("me", "partner", "lone_mine"):
            view[0][name] = self.rng.integers(2)
        if view[0]["wild_slot"] >= 0:
            view[0]["legal_wild"] = self.rng.integers(1 << 40, size=3)
        face(view[0], hidden[0], seat)
        view[0]["memory"] = hidden[0]["memory"][seat]
        original = np.frombuffer(shown._record.tobytes(), VIEW)
        self.leaks += [
            f"{what}: {name}"
            for name in VIEW.names or ()
            if original[0][name].tobytes() != view[0][name].tobytes()
        ]
        if original.tobytes() != view.tobytes():
            self.leaks.append(what)


class Spy(Strategy):
    """Plays at random, fails now and then, keeps a memory, and has all it is shown looked at."""

    compiled = False

    def __init__(self, watch: Watch) -> None:
        self.watch = watch

    def play(self, view: Any) -> int:
        self.watch.look("play", view)
        view.memory[0] += 1
        if moves.random(view) < 0.004:
            return 61
        if view.size and moves.random(view) < 0.2:
            return moves.PASS
        legal = legal_moves(view)
        return legal[moves.below(view, len(legal))]

    def give(self, view: Any) -> int:
        self.watch.look("give", view)
        legal = legal_moves(view)
        return legal[moves.below(view, len(legal))]

    def start_match(self, view: Any) -> None:
        self.watch.look("start_match", view)

    def start_hand(self, view: Any) -> None:
        self.watch.look("start_hand", view)

    def observe(self, view: Any, event: Any) -> None:
        self.watch.look("observe", view)


def spied(rules: Table, players: int, seed: int) -> Watch:
    watch = Watch(seed)
    bot = PlainBot(Spy(watch))
    ready = ReadyBot(BotSpec("spy", "", ""), bot.addresses, np.zeros(1, np.int64), False, bot, "", None)
    watch.arena = Arena(rules, players, [ready], forfeits=True)
    codes = np.arange(3, dtype=np.uint64)
    block = watch.arena.play(codes, np.zeros((3, players), np.int32))
    assert bot.error is None, bot.error
    assert block.faults.sum() < 40
    return watch


@pytest.mark.parametrize(
    ("rules", "players"), HOUSE, ids=[f"{number}-{t.name}-{n}" for number, (t, n) in enumerate(HOUSE)]
)
def test_a_view_does_not_depend_on_cards_it_does_not_show(rules: Table, players: int) -> None:
    if rules.match_points is not None:
        rules = rules.change(match_hands=3)
    watch = spied(rules, players, seed=1)
    assert not watch.leaks
    assert watch.hidden_cards > 1000
    kinds = {"play", "start_match", "start_hand", "observe"}
    if (
        rules.exchange_return == "choice"
        and any(rules.exchange)
        and rules.match_hands
        and rules.match_hands > 1
    ):
        kinds |= {"give"} if rules.exchange[0] or players > 3 else set()
    assert set(watch.seen) == kinds


def test_the_watch_sees_a_leak(monkeypatch: pytest.MonkeyPatch) -> None:
    """A view that told where the lone winner is would be noticed."""
    honest = face

    def leaking(view: Any, hidden: Any, seat: int) -> None:
        honest(view, hidden, seat)
        view["spare"][0] = hidden["lone"]

    monkeypatch.setitem(globals(), "face", leaking)
    assert "play: spare" in spied(table("barajamos"), 4, seed=1).leaks
