"""Playing a hand to its end from a guessed world, by a simple way of play."""

from __future__ import annotations

from typing import Any

from numpy import uint64, uintp

from ..compiling import compiled, compiled_inline
from ..engine.turn import face, turn
from ..moves import exp, random, weakest, weakest_lead
from ..streams import GOLDEN, mix
from .linear import judge
from .worth import worth_of

LOWGROUP, LINEAR = 0, 1
"""Ways of play: the weakest group and the weakest answer; or the linear judge, by chance."""


@compiled
def soft_move(view: Any, moves: Any, values: Any, number: int, temperature: float) -> int:
    """Draw a move in proportion to exp(value / temperature); the values are used up.

    The best value is taken where the temperature is 0.
    """
    best = 0
    for index in range(1, number):
        if values[index] > values[best]:
            best = index
    if number == 1 or temperature <= 0.0:
        return moves[best]
    top = values[best]
    total = 0.0
    for index in range(number):
        values[index] = exp((values[index] - top) / temperature)
        total += values[index]
    point = random(view) * total
    for index in range(number):
        point -= values[index]
        if point < 0.0:
            return moves[index]
    return moves[best]


@compiled
def play_out(view: Any, hidden: Any, way: int, weights: Any, temperature: float, room: Any) -> None:
    """Play a hand from where it stands to its end.

    Parameters
    ----------
    view, hidden : records
        A whole state; changed.
    way : int
        `LOWGROUP` or `LINEAR`.
    weights : float64[]
        Of the linear judge.
    temperature : float
        Of the linear judge's choices.
    room : tuple of arrays
        As `harness.search.linear.room_for_choices` makes it.
    """
    moves, features, values = room
    if way == LOWGROUP:
        while view.seat >= 0:
            face(view, hidden, view.seat)
            turn(view, hidden, weakest_lead(view) if view.size == 0 else weakest(view))
        return
    while view.seat >= 0:
        seat = view.seat
        face(view, hidden, seat)
        number = judge(view, weights, moves, features, values)
        move = soft_move(view, moves, values, number, temperature)
        hidden.streams[uintp(seat)] = view.stream
        turn(view, hidden, move)


@compiled_inline
def enter_world(
    base: Any, base_hidden: Any, view: Any, hidden: Any, hands: Any, lone: int, number: int
) -> None:
    """Set a state up as one guessed world, its chance fixed by the world's number alone.

    So every move is tried against the same cards and the same chance.
    """
    view[0] = base[0]
    hidden[0] = base_hidden[0]
    state, known = view[0], hidden[0]
    for seat in range(state.players):
        known.hands[uintp(seat)] = hands[uintp(seat)]
        known.streams[uintp(seat)] = mix(state.stream + uint64(8 * number + seat) * GOLDEN)
    known.lone = lone


@compiled
def try_move(
    base: Any,
    base_hidden: Any,
    view: Any,
    hidden: Any,
    hands: Any,
    lone: int,
    number: int,
    move: int,
    way: int,
    weights: Any,
    temperature: float,
    room: Any,
    worth_room: Any,
    may_end: bool,
) -> float:
    """Play a move in one guessed world and then to the end of the hand; say what that is worth to me.

    Parameters
    ----------
    base, base_hidden : VIEW[1], HIDDEN[1]
        What I know.
    view, hidden : VIEW[1], HIDDEN[1]
        Room for the state.
    hands, lone, number
        The world, and its number.
    """
    ahead, totals, standings = worth_room
    enter_world(base, base_hidden, view, hidden, hands, lone, number)
    state, known = view[0], hidden[0]
    me = state.me
    turn(state, known, move)
    play_out(state, known, way, weights, temperature, room)
    return worth_of(state, ahead, may_end, me, totals, standings)
