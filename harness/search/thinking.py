"""Choosing a move by trying: sure wins first, then exact endings, then rollouts in guessed worlds."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..compiling import compiled
from ..engine.records import HIDDEN, SEATS, VIEW
from ..moves import (
    PASS,
    choices,
    nth_choice,
    random,
    sure_move,
)
from .endings import solve_choices
from .likelihood import resample, weigh_worlds
from .linear import room_for_choices
from .rollouts import try_move
from .state import fill_known
from .worlds import deal_worlds
from .worth import fill_worth, room_for_worth

BATCH = 16
"""Worlds tried between two looks at which moves are out of the running."""


@compiled
def list_choices(view: Any, moves: Any) -> int:
    """List the choices of the acting seat, the pass first where it is allowed.

    Parameters
    ----------
    moves : int64[CHOICES]
        Filled in.

    Returns
    -------
    int
        How many.
    """
    number = 0
    if view.size > 0:
        moves[0] = PASS
        number = 1
    for index in range(choices(view)):
        moves[number] = nth_choice(view, index)
        number += 1
    return number


@compiled
def try_moves(
    base: Any,
    base_hidden: Any,
    moves: Any,
    values: Any,
    number: int,
    hands: Any,
    lones: Any,
    order: Any,
    way: int,
    weights: Any,
    temperature: float,
    margin: float,
) -> int:
    """Value moves by rollouts, all moves in the same worlds with the same chance.

    Parameters
    ----------
    base, base_hidden : VIEW[1], HIDDEN[1]
        What I know.
    moves, values : int64[], float64[]
        The first `number` count; values (0 to 1, the expected score of the match) are filled in.
    hands, lones : int64[w, SEATS], int8[w]
        Worlds.
    order : int64[k]
        Numbers of the worlds to try, in this order.
    way, weights, temperature
        How hands are played out.
    margin : float
        After each batch a move is given up that is worse than the best by this many standard errors of the
        difference; 0 gives none up.

    Returns
    -------
    int
        Rollouts played.
    """
    view, hidden = np.empty(1, VIEW), np.empty(1, HIDDEN)
    room, worth_room = room_for_choices(), room_for_worth()
    may_end = fill_worth(base[0], worth_room[0])
    worlds = order.shape[0]
    results = np.zeros((number, worlds))
    open_moves = np.ones(number, np.bool_)
    tried = np.zeros(number, np.int64)
    rollouts = 0
    for index in range(number):
        values[index] = 0.0
    for start in range(0, worlds, BATCH):
        stop = min(start + BATCH, worlds)
        for step in range(start, stop):
            world = order[step]
            for index in range(number):
                if open_moves[index]:
                    result = try_move(
                        base, base_hidden, view, hidden, hands[world], lones[world], step, moves[index],
                        way, weights, temperature, room, worth_room, may_end,
                    )  # fmt: skip
                    results[index, step] = result
                    values[index] += result
                    tried[index] += 1
                    rollouts += 1
        if margin > 0.0 and stop < worlds:
            _give_up(values, results, number, stop, margin, open_moves)
    for index in range(number):
        values[index] /= tried[index]
    return rollouts


@compiled
def _give_up(values: Any, results: Any, number: int, tried: int, margin: float, open_moves: Any) -> None:
    """Give moves up that are worse than the best by more than chance explains, pair by pair."""
    best = -1
    for index in range(number):
        if open_moves[index] and (best < 0 or values[index] > values[best]):
            best = index
    for index in range(number):
        if not open_moves[index] or index == best:
            continue
        gap = (values[best] - values[index]) / tried
        square = 0.0
        for step in range(tried):
            square += (results[best, step] - results[index, step] - gap) ** 2
        if gap > margin * math.sqrt(square / (tried * (tried - 1))) and gap > 0.0:
            open_moves[index] = False


@compiled
def players_left(view: Any) -> int:
    """Count the players that still hold cards."""
    number = 0
    for seat in range(view.players):
        number += (view.alive >> seat) & 1
    return number


@compiled
def think(
    base: Any,
    true: Any,
    worlds: int,
    guesses: int,
    belief: float,
    way: int,
    weights: Any,
    model: Any,
    temperature: float,
    margin: float,
    positions: int,
    moves: Any,
    values: Any,
) -> int:
    """List the choices of the acting seat with what they are worth.

    Parameters
    ----------
    base : VIEW[1]
        The acting seat's view; its stream is used up.
    true : HIDDEN[0] or HIDDEN[1]
        For the oracle alone: the hands as they are, instead of guesses.
    worlds : int
        Worlds each move is tried in.
    guesses : int
        Worlds dealt for each one that is used: the likelier ones are used. 1: all are.
    belief : float
        How much the plays seen count in that.
    way, weights, temperature
        How hands are played out (see `harness.search.rollouts`).
    model : float64[]
        Weights of the judge by which the plays seen are explained.
    margin : float
        See `try_moves`.
    positions : int
        Budget of the exact search once two players are left; 0: none.
    moves, values : int64[CHOICES], float64[CHOICES]
        Filled in.

    Returns
    -------
    int
        Number of choices.
    """
    view = base[0]
    number = list_choices(view, moves)
    if number == 1:
        values[0] = 0.0
        return 1
    if positions > 0:
        sure = sure_move(view)
        if sure != PASS:
            for index in range(number):
                values[index] = 1.0 if moves[index] == sure else 0.0
            return number
    known = np.zeros(1, HIDDEN)
    fill_known(view, known[0])
    exact = true.shape[0] > 0
    many = 1 if exact else worlds * guesses
    hands, lones = np.zeros((many, SEATS), np.int64), np.zeros(many, np.int8)
    if exact:
        for seat in range(view.players):
            hands[0, seat] = true[0].hands[seat]
        lones[0] = true[0].lone
        dead = 0
    else:
        dead = deal_worlds(view, hands, lones, many)
    if positions > 0 and dead == 0 and players_left(view) == 2:
        for seat in range(view.players):
            known[0].hands[seat] = hands[0, seat]
        known[0].lone = lones[0]
        if solve_choices(base, known, moves, number, positions, values):
            return number
    order = np.zeros(worlds, np.int64)
    if not exact:
        if guesses > 1:
            logs = np.zeros(many)
            weigh_worlds(base, hands, lones, many, model, belief, logs)
            resample(logs, many, worlds, random(view), order)
            for index in range(worlds - 1, 0, -1):  # neighbours may be the same world: mix
                other = int(random(view) * (index + 1))
                order[index], order[other] = order[other], order[index]
        else:
            for index in range(worlds):
                order[index] = index
    try_moves(base, known, moves, values, number, hands, lones, order, way, weights, temperature, margin)
    return number
