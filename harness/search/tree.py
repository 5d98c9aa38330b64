"""A tree of what I can see, searched in guessed worlds: information set Monte Carlo tree search.

One tree for the player to move; each iteration guesses the hidden cards anew and walks down the moves that
are legal with them. A move's bonus counts how often it *could* have been chosen, not how often its parent was
visited (Cowling, Powley and Whitehouse 2012, "Information set Monte Carlo tree search", SO-ISMCTS).
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy import uintp

from ..compiling import compiled
from ..engine.records import HIDDEN, SEATS, TURNS, VIEW
from ..engine.turn import face, turn
from ..moves import CHOICES, below, log
from .linear import room_for_choices
from .rollouts import enter_world, play_out
from .state import fill_known
from .thinking import list_choices
from .worlds import deal_worlds
from .worth import fill_worth, room_for_worth, worth_of


@compiled
def search_tree(
    base: Any,
    iterations: int,
    explore: float,
    way: int,
    weights: Any,
    temperature: float,
    moves: Any,
    values: Any,
) -> int:
    """List the choices of the acting seat with how often the search chose them.

    Parameters
    ----------
    base : VIEW[1]
        The acting seat's view; its stream is used up.
    iterations : int
        Worlds guessed, each walked down once.
    explore : float
        Weight of the bonus for moves seldom tried.
    way, weights, temperature
        How hands are played out from a leaf (see `harness.search.rollouts`).
    moves, values : int64[CHOICES], float64[CHOICES]
        Filled in; values are shares of the visits, 0 to 1.

    Returns
    -------
    int
        Number of choices.
    """
    number = list_choices(base[0], moves)
    if number == 1:
        values[0] = 1.0
        return 1
    me, players = base[0].me, base[0].players
    known = np.zeros(1, HIDDEN)
    fill_known(base[0], known[0])
    view, hidden = np.empty(1, VIEW), np.empty(1, HIDDEN)
    hands, lones = np.zeros((iterations, SEATS), np.int64), np.zeros(iterations, np.int8)
    deal_worlds(base[0], hands, lones, iterations)
    room, worth_room = room_for_choices(), room_for_worth()
    ahead, totals, standings = worth_room
    may_end = fill_worth(base[0], ahead)
    options, untried = np.empty(CHOICES, np.int64), np.empty(CHOICES, np.int64)
    # a node stands for the move that led to it; node 0 is the root
    nodes = iterations + 1
    first_child, sibling = np.full(nodes, -1, np.int64), np.full(nodes, -1, np.int64)
    move_of_node, seat_of_node = np.zeros(nodes, np.int64), np.zeros(nodes, np.int64)
    visits, could, worth = np.zeros(nodes), np.zeros(nodes), np.zeros(nodes)
    path = np.zeros(TURNS, np.int64)
    rewards = np.zeros(SEATS)
    used = 1
    for iteration in range(iterations):
        enter_world(base, known, view, hidden, hands[iteration], lones[iteration], iteration)
        state, cards = view[0], hidden[0]
        node, depth, grown = 0, 0, False
        while state.seat >= 0 and not grown:
            seat = state.seat
            face(state, cards, seat)
            choices = list_choices(state, options)
            fresh, best, best_score = 0, -1, -1.0
            for index in range(choices):
                child = first_child[node]
                while child >= 0 and not (
                    move_of_node[child] == options[index] and seat_of_node[child] == seat
                ):
                    child = sibling[child]
                if child < 0:
                    untried[fresh] = options[index]
                    fresh += 1
                    continue
                could[child] += 1.0
                score = worth[child] / visits[child] + explore * math.sqrt(log(could[child]) / visits[child])
                if score > best_score:
                    best, best_score = child, score
            if fresh > 0:
                best = used
                used += 1
                move_of_node[best] = untried[below(state, fresh)]
                seat_of_node[best] = seat
                sibling[best] = first_child[node]
                first_child[node] = best
                could[best] = 1.0
                grown = True
            cards.streams[uintp(seat)] = state.stream
            turn(state, cards, move_of_node[best])
            path[depth] = best
            depth += 1
            node = best
        play_out(state, cards, way, weights, temperature, room)
        for seat in range(players):
            rewards[seat] = (players - state.puesto[seat]) / (players - 1)
        rewards[me] = worth_of(state, ahead, may_end, me, totals, standings)
        for step in range(depth):
            visits[path[step]] += 1.0
            worth[path[step]] += rewards[seat_of_node[path[step]]]
    for index in range(number):
        values[index] = 0.0
        child = first_child[0]
        while child >= 0:
            if move_of_node[child] == moves[index]:
                values[index] = visits[child] / iterations
            child = sibling[child]
    return number
