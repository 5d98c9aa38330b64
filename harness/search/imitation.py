"""Learning a judge that chooses as a search does: a half of expert iteration (Anthony, Tian and Barber 2017).

The search plays whole matches against itself and says at every decision what each choice is worth. The judge
learns to choose in proportion to exp(worth / `SHARP`), by the gradient of the cross-entropy. So it models
strong players, their passes too: by it guessed worlds are weighed, and hands are played out.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy import uintp

from ..compiling import compiled
from ..engine.deal import deal, shuffle, start_hand, start_match
from ..engine.match import end_match
from ..engine.records import HIDDEN, SEATS, VIEW
from ..engine.turn import face, turn
from ..moves import CHOICES, exp, random
from .lessons import swap_simply
from .linear import NUMBER, judge, kind_of, room_for_choices
from .rollouts import LINEAR
from .thinking import think

SHARP = 0.02
"""Temperature of the chances that are learned, in match score: what the search itself cannot tell apart."""
SOFT = 0.7
"""Temperature of the players in the search's rollouts."""


@compiled
def imitate(
    view: Any,
    hidden: Any,
    players: int,
    codes: Any,
    expert: Any,
    worlds: int,
    weights: Any,
    gradient: Any,
) -> int:
    """Play matches by search and add up the gradient of how well the judge foretells the choices.

    Parameters
    ----------
    view, hidden : VIEW[1], HIDDEN[1]
        A state whose ``view.rules`` hold the table.
    players : int
    codes : uint64[m]
        One code a match.
    expert : float64[KINDS * NUMBER]
        Judge of the search's rollouts.
    worlds : int
        Budget of the search.
    weights : float64[KINDS * NUMBER]
        Of the judge that learns.
    gradient : float64[KINDS * NUMBER]
        Added to.

    Returns
    -------
    int
        Decisions seen that had a choice.
    """
    base, nobody = np.empty(1, VIEW), np.empty(0, HIDDEN)
    tried, worths, wanted = np.empty(CHOICES, np.int64), np.empty(CHOICES), np.empty(CHOICES)
    moves, features, values = room_for_choices()
    totals, standings = np.zeros(SEATS, np.int16), np.zeros(SEATS, np.int8)
    seen = 0
    state, known = view[0], hidden[0]
    first = kind_of(state) * NUMBER
    for match in range(codes.shape[0]):
        code = codes[match]
        start_match(state, known, players, code)
        for seat in range(players):
            totals[seat] = 0
        winner = -1
        while winner < 0:
            state.hand_number += 1
            start_hand(state, known)
            shuffle(known, state.rules.deck_size, code, state.hand_number)
            deal(state, known)
            if state.hand_number > 1:
                leader = state.seat
                swap_simply(state, known)
                state.seat = leader
            while state.seat >= 0:
                seat = state.seat
                face(state, known, seat)
                random(state)
                base[0] = state
                number = think(
                    base, nobody, worlds, 1, 0.0, LINEAR, expert, expert, SOFT, 0.0, 2000, tried, worths
                )
                best = 0
                for index in range(1, number):
                    if worths[index] > worths[best]:
                        best = index
                if number > 1:
                    seen += 1
                    judge(state, weights, moves, features, values)  # lists the choices in the same order
                    top = values[0]
                    for index in range(1, number):
                        top = max(top, values[index])
                    total, total_wanted = 0.0, 0.0
                    for index in range(number):
                        values[index] = exp(values[index] - top)
                        total += values[index]
                        wanted[index] = exp((worths[index] - worths[best]) / SHARP)
                        total_wanted += wanted[index]
                    for index in range(number):
                        gain = wanted[index] / total_wanted - values[index] / total
                        for feature in range(NUMBER):
                            gradient[first + feature] += gain * features[index, feature]
                known.streams[uintp(seat)] = state.stream
                turn(state, known, tried[best])
            for seat in range(players):
                totals[seat] += state.rules.points[state.puesto[seat]]
            winner = end_match(state, totals, standings)
            for seat in range(players):
                state.before[seat] = state.puesto[seat]
                state.points[seat] = totals[seat]
    return seen
