"""A bot's view as a state to play on: copies in arrays, which stay alive as long as they are named.

A search bot calls `copy_view` in its `play`, gets an array of one `VIEW` record, and hands arrays, never
records, to the compiled functions of this package: a record does not keep its array alive in compiled code.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic, overload

from ..compiling import compiled
from ..engine.records import HIDDEN, SEATS, VIEW
from ..moves import LONE, add_cards, count


def copy_view(view: Any) -> Any:
    """Copy a bot's view into an array of its own.

    Returns
    -------
    VIEW[1]
    """
    array = np.zeros(1, VIEW)
    array[0] = view._record
    array[0]["stream"] = view.stream
    return array


@overload(copy_view)
def _copy_view(view: Any) -> Any:
    def implementation(view: Any) -> Any:
        array = np.zeros(1, VIEW)
        array[0] = view
        return array

    return implementation


def record_of(view: Any) -> Any:
    """Give a view as a record that compiled functions take; to be read, not changed."""
    return copy_view(view)[0]


@overload(record_of)
def _record_of(view: Any) -> Any:
    def implementation(view: Any) -> Any:
        return view

    return implementation


@intrinsic  # type: ignore[untyped-decorator]
def _pointer_to(typing_context: Any, address: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.inttoptr(args[0], ir.IntType(8).as_pointer())

    return types.voidptr(types.int64), codegen


def true_hidden(address: int) -> Any:
    """Copy the engine's own hidden state: for the oracle alone, whose parameters tell where it lies.

    Returns
    -------
    HIDDEN[1]
    """
    import ctypes

    array = np.zeros(1, HIDDEN)
    array[0] = np.frombuffer((ctypes.c_char * HIDDEN.itemsize).from_address(address), HIDDEN)[0]  # type: ignore[call-overload]
    return array


@overload(true_hidden)
def _true_hidden(address: Any) -> Any:
    from numba import carray

    def implementation(address: Any) -> Any:
        array = np.zeros(1, HIDDEN)
        array[0] = carray(_pointer_to(address), (1,), HIDDEN)[0]
        return array

    return implementation


@compiled
def fill_known(view: Any, hidden: Any) -> None:
    """Write what the acting seat knows for certain into a hidden state; other hands stay empty.

    The places already taken, and which are free, follow from the view.
    """
    players = view.players
    for seat in range(SEATS):
        hidden.hands[seat] = 0
        hidden.given[seat] = 0
        hidden.received[seat] = 0
        hidden.partner[seat] = -1
    hidden.hands[view.me] = view.hand
    hidden.given[view.me] = view.given
    hidden.received[view.me] = view.received
    hidden.partner[view.me] = view.partner
    hidden.lone = view.me if view.lone_mine else -1
    # places are taken from the top by who runs out and from the bottom by who drops out
    taken = 0
    for seat in range(players):
        if view.puesto[seat] > 0:
            taken |= 1 << view.puesto[seat]
    first = 1
    while (taken >> first) & 1:
        first += 1
    last = players
    while last > first and (taken >> last) & 1:
        last -= 1
    hidden.next_place = first
    hidden.last_place = last


@compiled
def unseen_cards(view: Any, cards: Any) -> int:
    """List the cards that are neither mine nor played, as slots; the lone winner as `LONE`.

    Parameters
    ----------
    cards : int8[>= 56]
        Filled in.

    Returns
    -------
    int
        How many.
    """
    number = 0
    for slot in range(view.ladder):
        here = count(view.deck, slot) - count(view.hand, slot) - count(view.played, slot)
        for _ in range(here):
            cards[number] = slot
            number += 1
        if slot == view.lone_slot and not view.lone_mine and not view.lone_played and here > 0:
            cards[number - 1] = LONE
    return number


@compiled
def played_by(view: Any, seat: int) -> int:
    """Give the cards a seat has played in this hand, as a word in the order in force.

    Wild cards count as what they are. The lone winner counts as a card of its rank.
    """
    counts = np.zeros(16, np.int64)
    for turn in range(view.turns):
        if view.turn_seat[turn] != seat:
            continue
        move = view.turn_move[turn]
        if move < 0:
            continue
        if move == LONE:
            slot = view.rules.lone_slot
            counts[slot] += 1
            continue
        wilds = move >> 6
        counts[move & 15] += ((move >> 4) & 3) + 1 - wilds
        if wilds:
            counts[view.rules.wild_slot] += wilds
    word = 0
    for slot in range(view.ladder):
        if counts[slot] > 0:
            word = add_cards(word, view.ladder - 1 - slot if view.flipped else slot, counts[slot])
    return word
