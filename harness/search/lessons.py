"""Learning the judge's weights from rollouts of the true hands.

The judge plays whole matches against itself, choosing by chance in proportion to exp(value). At some of its
decisions every choice is tried: the hand is played out from there, with the cards as they really lie and the
same chance for each choice. Over many deals the true cards are a fair sample of what the player may expect,
so the mean worth of a choice is what it is worth to him, and the gradient of the expected worth is the sum
over choices of probability, worth above the mean, and features: a policy gradient (Sutton et al. 2000) over
all actions, with none of the noise of sampling one.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy import uint64, uintp

from ..compiling import compiled
from ..engine.deal import (
    deal,
    give_best,
    give_card,
    seat_of_place,
    shuffle,
    start_hand,
    start_match,
    swap_forced,
    worst_card,
)
from ..engine.match import end_match
from ..engine.records import HIDDEN, SEATS, VIEW
from ..engine.turn import face, turn
from ..moves import exp, random
from ..streams import combine
from .linear import NUMBER, judge, kind_of, room_for_choices
from .rollouts import LINEAR, play_out, soft_move
from .worth import fill_worth, room_for_worth, worth_of


@compiled
def swap_simply(view: Any, hidden: Any) -> None:
    """Do the exchange; who may choose gives its worst cards."""
    rules, players = view.rules, view.players
    for pair in range(2):
        cards = rules.exchange_first if pair == 0 else rules.exchange_second
        if cards == 0 or (pair == 1 and players < 4):
            continue
        upper, lower = seat_of_place(view, 1 + pair), seat_of_place(view, players - pair)
        hidden.partner[upper] = lower
        hidden.partner[lower] = upper
        if not rules.returns_choice:
            swap_forced(view, hidden, lower, upper, cards)
            continue
        give_best(view, hidden, lower, upper, cards)
        for _ in range(cards):
            give_card(view, hidden, upper, lower, worst_card(view, hidden.hands[upper], hidden.lone == upper))


@compiled
def learn(
    view: Any,
    hidden: Any,
    players: int,
    codes: Any,
    weights: Any,
    share: float,
    gradient: Any,
) -> int:
    """Play matches and add up the gradient of the expected worth.

    Parameters
    ----------
    view, hidden : VIEW[1], HIDDEN[1]
        A state whose ``view.rules`` hold the table.
    players : int
    codes : uint64[m]
        One code a match.
    weights : float64[KINDS * NUMBER]
        How everybody plays.
    share : float
        Of decisions that are looked into.
    gradient : float64[KINDS * NUMBER]
        Added to.

    Returns
    -------
    int
        Decisions looked into.
    """
    trial, trial_hidden = np.empty(1, VIEW), np.empty(1, HIDDEN)
    room, trial_room, worth_room = room_for_choices(), room_for_choices(), room_for_worth()
    moves, features, values = room
    ahead, trial_totals, trial_standings = worth_room
    totals, standings = np.zeros(SEATS, np.int16), np.zeros(SEATS, np.int8)
    worths, chances = np.zeros(moves.shape[0]), np.zeros(moves.shape[0])
    mean_features = np.zeros(NUMBER)
    looked = 0
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
                number = judge(state, weights, moves, features, values)
                if number > 1 and random(state) < share:
                    looked += 1
                    top = values[0]
                    for index in range(1, number):
                        top = max(top, values[index])
                    total = 0.0
                    for index in range(number):
                        chances[index] = exp(values[index] - top)
                        total += chances[index]
                    known.streams[uintp(seat)] = state.stream
                    may_end = fill_worth(state, ahead)
                    mean = 0.0
                    for index in range(number):
                        chances[index] /= total
                        trial[0] = state
                        trial_hidden[0] = known
                        for other in range(players):  # chance of its own, the same for every choice
                            trial_hidden[0].streams[other] = combine(
                                known.streams[uintp(other)], uint64(state.turns)
                            )
                        turn(trial[0], trial_hidden[0], moves[index])
                        play_out(trial[0], trial_hidden[0], LINEAR, weights, 1.0, trial_room)
                        worths[index] = worth_of(
                            trial[0], ahead, may_end, seat, trial_totals, trial_standings
                        )
                        mean += chances[index] * worths[index]
                    for feature in range(NUMBER):
                        mean_features[feature] = 0.0
                    for index in range(number):
                        for feature in range(NUMBER):
                            mean_features[feature] += chances[index] * features[index, feature]
                    for index in range(number):
                        gain = chances[index] * (worths[index] - mean)
                        for feature in range(NUMBER):
                            gradient[first + feature] += gain * (
                                features[index, feature] - mean_features[feature]
                            )
                move = soft_move(state, moves, values, number, 1.0)
                known.streams[uintp(seat)] = state.stream
                turn(state, known, move)
            for seat in range(players):
                totals[seat] += state.rules.points[state.puesto[seat]]
            winner = end_match(state, totals, standings)
            for seat in range(players):
                state.before[seat] = state.puesto[seat]
                state.points[seat] = totals[seat]
    return looked
