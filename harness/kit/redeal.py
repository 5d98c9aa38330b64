"""Dealing anew what a seat cannot know, to see whether anything it is shown or says depends on it."""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import moves


def redeal(view: Any, hidden: Any, seat: int, rng: np.random.Generator) -> int:
    """Deal the cards the other seats hold anew among them, and change all else that is theirs.

    Parameters
    ----------
    view : record of `VIEW`
        Only read.
    hidden : record of `HIDDEN`
        Changed in place.
    seat : int
        Whose own facts stay.
    rng : Generator

    Returns
    -------
    int
        How many cards were dealt anew.
    """
    others = [s for s in range(view["players"]) if s != seat and moves.cards_in(int(hidden["hands"][s]))]
    cards = [
        (slot, s)
        for s in others
        for slot in range(view["ladder"])
        for _ in range(moves.count(int(hidden["hands"][s]), slot))
    ]
    slots = rng.permutation([slot for slot, _ in cards])
    for s in others:
        hidden["hands"][s] = 0
    for slot, (_, s) in zip(slots.tolist(), cards, strict=True):
        hidden["hands"][s] = moves.add_cards(int(hidden["hands"][s]), slot, 1)
    for s in range(view["players"]):
        if s != seat:
            hidden["streams"][s] = rng.integers(1 << 60)
            hidden["given"][s] = hidden["received"][s] = rng.integers(1 << 40)
            hidden["memory"][s] = rng.integers(1 << 40)
            hidden["partner"][s] = rng.integers(view["players"])
    if hidden["lone"] >= 0 and hidden["lone"] != seat and others:
        holders = [s for s in others if moves.count(int(hidden["hands"][s]), int(view["lone_slot"]))]
        hidden["lone"] = rng.choice(holders)
    hidden["code"] = rng.integers(1 << 60)
    hidden["deck"] = rng.integers(0, 48, hidden["deck"].shape)
    return len(cards)
