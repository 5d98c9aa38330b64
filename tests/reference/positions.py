"""Helpers for tests that play positions by hand."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from .hand import Event, Hand, Refused


def split(*hands: str) -> list[list[str]]:
    """Turn hands written as text into lists of cards."""
    return [cards.split() for cards in hands]


def state(hand: Hand) -> dict[str, Any]:
    """Copy everything a hand knows."""
    return copy.deepcopy(vars(hand))


def refuse(hand: Hand, choice: str) -> str:
    """Check that a play is refused without a trace, and return the reason."""
    before = state(hand)
    with pytest.raises(Refused) as refusal:
        hand.play(choice)
    assert state(hand) == before
    assert refusal.value.reason
    return refusal.value.reason


def go(hand: Hand, *steps: str) -> list[Event]:
    """Play steps such as `"1 5c 5e"` or `"0 pass"`; return the events of the last without its play."""
    events: list[Event] = []
    for step in steps:
        seat, choice = step.split(maxsplit=1)
        assert hand.turn == int(seat), step
        events = hand.forfeit(int(seat)) if choice == "forfeit" else hand.play(choice)
        assert events[0]["seat"] == int(seat)
    return events[1:]


def out(seat: int, puesto: int) -> Event:
    """Write an `out` event."""
    return {"event": "out", "seat": seat, "puesto": puesto}


def skip(seat: int) -> Event:
    """Write a `skip` event."""
    return {"event": "skip", "seat": seat}


def fall(seat: int) -> Event:
    """Write a `fall` event."""
    return {"event": "fall", "seat": seat}


def trick(winner: int, leader: int) -> Event:
    """Write a `trick` event."""
    return {"event": "trick", "winner": winner, "leader": leader}
