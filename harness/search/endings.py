"""Exact play once two players are left: nothing is hidden then, for what is not mine and not played is his.

Who of the two runs out first is all that is open, so a position is won or lost. It is searched to the end
with the engine's own turn function; positions met before are remembered by a hash of all that matters.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy import uint64

from ..compiling import compiled
from ..engine.records import HIDDEN, VIEW
from ..engine.turn import face, turn
from ..moves import PASS, lowest
from ..streams import combine

DEPTH = 120
"""Most turns of an ending: each of at most 56 cards, each followed by a pass."""
LOST, WON, UNKNOWN = 0, 1, 2
SLOTS = 1 << 14
"""Positions remembered."""


@compiled
def key_of(view: Any, hidden: Any) -> Any:
    """Hash what decides an ending: hands, trick, order, and whose turn it is."""
    key = uint64(view.seat + 8 * view.size + 64 * (view.rank + 1) + 1024 * (view.owner + 1))
    key += uint64(view.passed) << uint64(20)
    key += uint64(hidden.lone + 1) << uint64(30)
    key += uint64(view.flipped) << uint64(36)
    for seat in range(view.players):
        if (view.alive >> seat) & 1:
            key = combine(key, uint64(hidden.hands[seat]))
    return key | uint64(2)  # never 0 or 1: these mean an empty place


@compiled
def solve(views: Any, hiddens: Any, me: int, keys: Any, results: Any, budget: Any) -> int:
    """Find out whether `me` runs out first with best play of both.

    Depth first with a stack of its own: Numba cannot keep functions that call themselves on disk.

    Parameters
    ----------
    views, hiddens : VIEW[DEPTH], HIDDEN[DEPTH]
        The position lies at 0; the rest is room for the stack.
    me : int
        Seat.
    keys, results : uint64[SLOTS], int8[SLOTS]
        Positions met.
    budget : int64[1]
        Positions that may still be looked at; counted down.

    Returns
    -------
    int
        `LOST`, `WON`, or `UNKNOWN` when the budget ran out.
    """
    depths = views.shape[0]
    words = np.zeros(depths, np.int64)  # moves still to try
    kinds = np.zeros(depths, np.int64)  # 0 to 3: with so many wild cards; 4: the pass
    found = np.zeros(depths, np.int64)
    marks = np.zeros(depths, np.uint64)
    depth, value, going_up = 0, UNKNOWN, False
    while True:
        view, hidden = views[depth], hiddens[depth]
        if not going_up:
            value = _value_at_once(view, hidden, me, keys, results)
            if value < 0 and (budget[0] <= 0 or depth + 1 >= depths):
                value = UNKNOWN
            going_up = value >= 0
            if not going_up:
                budget[0] -= 1
                face(view, hidden, view.seat)
                marks[depth] = key_of(view, hidden)
                words[depth], kinds[depth] = view.legal, 0
                found[depth] = LOST if view.seat == me else WON
        if going_up:
            if depth == 0:
                return value
            depth -= 1
            going_up = False
            view, hidden = views[depth], hiddens[depth]
            if value == (WON if view.seat == me else LOST):  # as good as can be: nothing more to try here
                found[depth], words[depth], kinds[depth] = value, 0, 5
            elif value == UNKNOWN:
                found[depth] = UNKNOWN
        while words[depth] == 0 and kinds[depth] < 4:
            kinds[depth] += 1
            if kinds[depth] == 4:
                words[depth] = 1 if view.size > 0 else 0
            elif view.wild_slot >= 0:
                words[depth] = view.legal_wild[kinds[depth] - 1]
        if words[depth] == 0:
            value, going_up = found[depth], True
            if value != UNKNOWN:
                place = marks[depth] & uint64(SLOTS - 1)
                keys[place], results[place] = marks[depth], value
            continue
        move = PASS if kinds[depth] == 4 else 64 * kinds[depth] + lowest(words[depth])
        words[depth] &= words[depth] - 1
        depth += 1
        views[depth] = view
        hiddens[depth] = hidden
        turn(views[depth], hiddens[depth], move)


@compiled
def _value_at_once(view: Any, hidden: Any, me: int, keys: Any, results: Any) -> int:
    """Give the value of a position that is over or was met before; -1 for another."""
    if view.seat < 0:
        return WON if hidden.hands[me] == 0 else LOST  # who loses is left with cards
    key = key_of(view, hidden)
    place = key & uint64(SLOTS - 1)
    return results[place] if keys[place] == key else -1


@compiled
def solve_choices(view: Any, hidden: Any, moves: Any, number: int, positions: int, values: Any) -> bool:
    """Say of each choice of the acting seat whether it wins the ending.

    Parameters
    ----------
    view, hidden : VIEW[1], HIDDEN[1]
        A whole state with two players left.
    moves : int64[]
        The first `number` count.
    positions : int
        Budget of positions looked at.
    values : float64[]
        1 for a choice that wins, else 0; filled in.

    Returns
    -------
    bool
        Was everything found out within the budget?
    """
    views, hiddens = np.empty(DEPTH, VIEW), np.empty(DEPTH, HIDDEN)
    keys, results = np.zeros(SLOTS, np.uint64), np.zeros(SLOTS, np.int8)
    budget = np.zeros(1, np.int64)
    budget[0] = positions
    me = view[0].seat
    won, known = False, True
    for index in range(number):
        views[0] = view[0]
        hiddens[0] = hidden[0]
        turn(views[0], hiddens[0], moves[index])
        found = solve(views, hiddens, me, keys, results, budget)
        values[index] = 1.0 if found == WON else 0.0
        won |= found == WON
        known &= found != UNKNOWN
    return known or won
