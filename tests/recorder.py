"""A bot that plays at random and writes down what it was asked, so that the referee can check the engine.

The engine plays a match with it; then the referee of `tests.reference`, which knows nothing of the engine,
plays the same match with the same decks and choices and must agree about every list of legal choices,
every place, point and standing.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from harness import moves
from harness.arena import Arena
from harness.bots.plain import PlainBot
from harness.bots.ready import ReadyBot
from harness.bots.spec import BotSpec
from harness.cards import deck_cards, rank_of, suit_of
from harness.engine.deal import shuffle
from harness.engine.rules import new_state
from harness.notation import legal_moves, legal_texts, move_text
from harness.strategy import Strategy
from harness.tables import Table
from tests.reference.match import simulate_match

GIVEN, PLAYED = "give", "play"


class Log(list[Any]):
    """A list that instances share: copies of a bot write to the same one."""

    def __deepcopy__(self, memo: Any) -> Log:
        return self


@dataclass
class Recorder(Strategy):
    """Plays any legal choice; sometimes, if asked to, something impossible."""

    compiled = False
    table: Any = None
    log: Any = field(default_factory=Log)
    faults: float = 0.0
    passes: float = 0.3

    def play(self, view: Any) -> int:
        legal = legal_moves(view)
        texts = legal_texts(self.table, view)
        if self.faults and moves.random(view) < self.faults:
            self.log.append((PLAYED, view.me, set(texts), "forfeit"))
            return 61
        if view.size and moves.random(view) < self.passes:
            move = moves.PASS
        else:
            move = legal[moves.below(view, len(legal))]
        self.log.append((PLAYED, view.me, set(texts), move_text(self.table, move, view.flipped)))
        return move

    def give(self, view: Any) -> int:
        legal = legal_moves(view)
        move = legal[moves.below(view, len(legal))]
        self.log.append((GIVEN, view.me, set(), move_text(self.table, move, view.flipped)))
        return move


def deck_order(table: Table, code: int, hand: int) -> list[str]:
    """Give the shuffled deck of a hand as cards."""
    _, hidden = new_state(table, table.default_players)
    cards = deck_cards(table.deck, table.jokers)
    shuffle(hidden[0], len(cards), np.uint64(code), hand)
    return [cards[number] for number in hidden[0]["deck"][: len(cards)]]


def record_match(table: Table, players: int, code: int, faults: float = 0.0) -> tuple[Any, Log]:
    """Let the engine play a match of recorders.

    Returns
    -------
    block : Block
        The rows of this one match.
    log : Log
        (what was asked, seat, legal choices, choice) in order.
    """
    log = Log()
    bot = PlainBot(Recorder(table, log, faults))
    ready = ReadyBot(BotSpec("recorder", "", ""), bot.addresses, np.zeros(1, np.int64), False, bot, "", None)
    arena = Arena(table, players, [ready], forfeits=faults > 0)
    return arena.play(np.array([code], np.uint64), np.zeros((1, players), np.int32)), log


def referee_match(table: Table, players: int, code: int, log: Log) -> list[dict[str, Any]]:
    """Let the referee play the match a log tells of; fails where it disagrees with a legal list."""
    waiting = iter(log)

    def choose(seat: int, legal: set[str], hand: Any) -> str:
        asked, who, offered, choice = next(waiting)
        assert (asked, who) == (PLAYED, seat), (
            f"the engine asked seat {who} to {asked}, not seat {seat} to play"
        )
        assert offered == legal, f"seat {seat}: engine {sorted(offered)}, referee {sorted(legal)}"
        return str(choice)

    def give(seat: int, cards: list[str]) -> str:
        asked, who, _, choice = next(waiting)
        assert (asked, who) == (GIVEN, seat)
        if choice == table.lone_winner:
            return str(choice)
        rank = choice.split("x")[0]
        same = [card for card in cards if rank_of(card) == rank and card != table.lone_winner]
        return min(same, key=suit_of)

    rules = table.to_json()
    events = simulate_match(rules, players, lambda hand: deck_order(table, code, hand), choose, give)
    assert next(waiting, None) is None, "the engine went on after the referee's match had ended"
    return events


def check_match(table: Table, players: int, code: int, faults: float = 0.0) -> Any:
    """Play one match with the engine and the referee and compare everything; give the engine's rows."""
    block, log = record_match(table, players, code, faults)
    events = referee_match(table, players, code, log)
    ends = [event for event in events if event["event"] == "hand_end"]
    last = events[-1]
    assert block.hands[0] == len(ends)
    assert block.puestos.tolist() == [end["puestos"] for end in ends]
    assert block.points.tolist() == [end["points"] for end in ends]
    assert block.totals[0].tolist() == ends[-1]["totals"]
    assert block.winner[0] == last["winner"]
    assert block.standings[0].tolist() == last["standings"]
    turns, leaders = [], []
    for event in events:
        if event["event"] == "deal":
            turns.append(0)
        elif event["event"] in ("play", "pass", "forfeit"):
            if not turns[-1]:
                leaders.append(event["seat"])
            turns[-1] += 1
    assert block.turns.tolist() == turns
    assert block.leader.tolist() == leaders
    return block
