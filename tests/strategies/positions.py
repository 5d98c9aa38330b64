"""Asking a bot in a position: hands and what was played so far as card text, the answer as text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from harness.bots.ready import make_ready
from harness.bots.spec import parse_spec
from harness.engine.turn import face
from harness.hand import Hand
from harness.notation import move_text, parse_move
from harness.positions import read_hands
from harness.refusals import read_choice
from harness.tables import table

SINGLES = 0x3FFF


def position(
    name: str,
    hands: Sequence[str],
    played: Sequence[str] = (),
    leader: int = 0,
    flipped: bool = False,
    **changes: Any,
) -> Hand:
    """Set up a table with changes, the hands as they were, and play what was played since the lead."""
    rules = table(name, **changes)
    hand = Hand(rules, read_hands(rules, hands), leader, flipped=flipped)
    for choice in played:
        move, cards = read_choice(hand, choice)
        assert move in hand.legal(), f"{choice} of {hand.legal_texts()}"
        hand.play(move, cards)
    return hand


def asked(spec: str, hand: Hand, method: str) -> str:
    """Ask a bot in plain Python and compiled, which must say the same."""
    bot = make_ready(parse_spec(spec))
    assert bot.plain is None, bot.why_plain
    parameters = bot.parameters
    if bot.sees_all:
        bot.instance.hidden_at = hand._state[1].ctypes.data
        parameters = parameters.copy()
        parameters["hidden_at"] = bot.instance.hidden_at
    view = hand.view()
    said = getattr(bot.instance, method)(view)
    state = hand._state[0].copy()
    face(state[0], hand._hidden, int(state[0]["seat"]))
    compiled = bot.owned[0 if method == "play" else 1](parameters[0], state[0])
    assert compiled == said
    return move_text(hand.table, said, hand.flipped)


def choice(spec: str, name: str, hands: Sequence[str], *played: str, leader: int = 0, **changes: Any) -> str:
    """Ask a bot for the choice of the seat to act: as `legal` names it, checked to be legal."""
    hand = position(name, hands, played, leader, **changes)
    text = asked(spec, hand, "play")
    assert parse_move(hand.table, text, hand.flipped) in hand.legal(), f"{text} of {hand.legal_texts()}"
    return text


def gifts(spec: str, name: str, hands: Sequence[str], cards: int, **changes: Any) -> list[str]:
    """Ask a bot for the cards that seat 0, the president, gives back to seat 1, who was last and gave his best.

    The hands are those after seat 1 gave; he gave what seat 0 holds strongest.
    """
    rules = table(name, **changes)
    held = [list(cards_of) for cards_of in read_hands(rules, hands)]
    before = [1, len(held), *range(2, len(held))]
    given: list[str] = []
    for number in range(cards, 0, -1):
        hand = Hand(rules, held, 0, before)
        view, hidden = hand._view, hand._hidden
        view["giving"], view["beats"] = number, SINGLES
        hidden["partner"][:2] = [1, 0]
        received = sorted(held[0], key=lambda card: hand.word([card]))[len(held[0]) - cards :]
        hidden["received"][0] = hidden["given"][1] = hand.word(received)
        hidden["given"][0] = hidden["received"][1] = hand.word(held[1][len(held[1]) - len(given) :])
        text = asked(spec, hand, "give")
        move = parse_move(hand.table, text)
        assert move is not None
        card = hand.cards_of(move)[0]
        held[0].remove(card)
        held[1].append(card)
        given.append(text)
    return given
