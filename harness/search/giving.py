"""Choosing the card to give back by trying each one in guessed worlds."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..compiling import compiled
from ..engine.deal import give_best, give_card, later_leader, seat_of_place, worst_card
from ..engine.records import HIDDEN, SEATS, VIEW
from ..moves import EVERY, lowest
from .linear import room_for_choices
from .rollouts import enter_world, play_out
from .state import fill_known
from .worlds import deal_worlds
from .worth import fill_worth, room_for_worth, worth_of


@compiled
def give_worst(view: Any, hidden: Any, giver: int, taker: int, cards: int) -> None:
    """Give a hand's worst cards."""
    for _ in range(cards):
        worst = worst_card(view, hidden.hands[giver], hidden.lone == giver)
        give_card(view, hidden, giver, taker, worst)


@compiled
def try_gifts(
    base: Any, true: Any, worlds: int, way: int, weights: Any, temperature: float, gifts: Any, values: Any
) -> int:
    """List the cards that may be given back with what each is worth: the hand is then played out.

    What is left of the exchange goes by the worst cards.

    Parameters
    ----------
    base : VIEW[1]
        The giving seat's view; its stream is used up.
    true : HIDDEN[0] or HIDDEN[1]
        For the oracle alone: the hands as they are, instead of guesses.
    worlds : int
        Guessed; every card is tried in each.
    way, weights, temperature
        How hands are played out (see `harness.search.rollouts`).
    gifts, values : int64[CHOICES], float64[CHOICES]
        Single cards as moves, and the expected score of the match; filled in.

    Returns
    -------
    int
        Number of different cards.
    """
    me_now = base[0]
    me, partner, players, rules = me_now.me, me_now.partner, me_now.players, me_now.rules
    number = 0
    rest = me_now.legal
    while rest != 0:
        gifts[number] = lowest(rest)
        values[number] = 0.0
        rest &= rest - 1
        number += 1
    if number == 1:
        return 1
    known = np.zeros(1, HIDDEN)
    fill_known(me_now, known[0])
    known[0].partner[partner] = me
    hands, lones = np.zeros((worlds, SEATS), np.int64), np.zeros(worlds, np.int8)
    if true.shape[0] > 0:
        for world in range(worlds):
            for seat in range(players):
                hands[world, seat] = true[0].hands[seat]
            lones[world] = true[0].lone
    else:
        deal_worlds(me_now, hands, lones, worlds)
    view, hidden = np.empty(1, VIEW), np.empty(1, HIDDEN)
    room, worth_room = room_for_choices(), room_for_worth()
    ahead, totals, standings = worth_room
    may_end = fill_worth(me_now, ahead)
    first = me_now.before[me] == 1
    for world in range(worlds):
        for index in range(number):
            enter_world(base, known, view, hidden, hands[world], lones[world], world)
            state, all_hands = view[0], hidden[0]
            give_card(state, all_hands, me, partner, gifts[index])
            give_worst(state, all_hands, me, partner, state.giving - 1)
            if first and players >= 4 and rules.exchange_second > 0:  # the others swap after the first pair
                upper, lower = seat_of_place(state, 2), seat_of_place(state, players - 1)
                give_best(state, all_hands, lower, upper, rules.exchange_second)
                give_worst(state, all_hands, upper, lower, rules.exchange_second)
            state.giving = 0
            state.beats = EVERY
            state.seat = later_leader(state)
            play_out(state, all_hands, way, weights, temperature, room)
            values[index] += worth_of(state, ahead, may_end, me, totals, standings) / worlds
    return number
