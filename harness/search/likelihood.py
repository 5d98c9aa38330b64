"""How well guessed hands explain what was seen: the exchanges of others, and every play and pass.

The plays are judged by the linear judge's chances (a soft model of a good player): each world's hand is
played again from its first turn with the moves that were made, and the chances of the others' moves are
multiplied.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy import uintp

from ..compiling import compiled
from ..engine.deal import seat_of_place, start_hand
from ..engine.records import HIDDEN, SEATS, VIEW
from ..engine.turn import face, forfeit, mirror, turn
from ..moves import EVERY, FORFEIT, LONE, add_cards, cards_in, count, exp, highest, log, lowest, ranks
from .linear import judge, room_for_choices
from .state import played_by

FLOOR = 0.02
"""Share of a decision's chance that is spread evenly: nobody plays just as the judge thinks."""
IMPOSSIBLE = -8.0
"""Logarithm of the weight of what cannot be, if the guess is right in all else."""


@compiled
def together(word: int, more: int, ladder: int) -> int:
    """Put two sets of cards together."""
    for slot in range(ladder):
        cards = count(more, slot)
        if cards > 0:
            word = add_cards(word, slot, cards)
    return word


@compiled
def log_ways(above: int, equal: int, held: int, cards: int) -> float:
    """Say in how many ways a hand can have got 1 or 2 cards, the other's best (logarithm).

    Every set of cards that may be the gift counts by the chance that it was just these: of equal cards any
    may go. So cards above all that the giver still has count fully, those equal to his best by their share.

    Parameters
    ----------
    above, equal : int
        Cards of the taker above and equal to the giver's best.
    held : int
        Cards of that rank the giver still has.
    cards : int
        Given.
    """
    ways = float(above) + equal / (held + 1.0)
    if cards == 2:
        ways = above * (above - 1) / 2.0 + above * equal / (held + 1.0)
        ways += equal * (equal - 1) / ((held + 1.0) * (held + 2.0))
    return log(ways) if ways > 0.0 else IMPOSSIBLE


@compiled
def exchange_weight(view: Any, upper: int, lower: int, lone_below: bool, cards: int) -> float:
    """Say in how many ways the hands after an exchange can have come from hands before it (logarithm).

    What went up is at least as good as all that the lower still has, what came down at most as good as all
    that the upper still has. Between them cards that went both ways are not looked for.

    Parameters
    ----------
    view : record
        Only for the ladder and what was to be given back.
    upper, lower : int
        Hands after the exchange, in the normal order.
    lone_below : bool
        Does the lower hold the lone winner, which would have gone up first?
    cards : int
        Exchanged.
    """
    if cards_in(lower) <= cards or cards_in(upper) <= cards:
        return 0.0
    if lone_below:
        return IMPOSSIBLE
    best, worst = highest(ranks(lower)), lowest(ranks(upper))
    above, below = 0, 0
    for slot in range(best + 1, view.ladder):
        above += count(upper, slot)
    weight = log_ways(above, count(upper, best), count(lower, best), cards)
    if not view.rules.returns_choice:
        for slot in range(worst):
            below += count(lower, slot)
        weight += log_ways(below, count(lower, worst), count(upper, worst), cards)
    return weight


@compiled
def weigh_worlds(
    base: Any, hands: Any, lones: Any, number: int, weights: Any, belief: float, logs: Any
) -> None:
    """Say how likely what was seen is in each world.

    Parameters
    ----------
    base : VIEW[1]
        What I know.
    hands, lones : int64[number, SEATS], int8[number]
        The worlds.
    weights : float64[]
        Of the linear judge.
    belief : float
        How much the plays count, 0 not at all, 1 as if everybody chose just as the judge does.
    logs : float64[number]
        Logarithms of likelihoods, up to a constant; filled in.
    """
    now = base[0]
    players, ladder, me, turns = now.players, now.ladder, now.me, now.turns
    played = np.zeros(SEATS, np.int64)
    for seat in range(players):
        word = played_by(now, seat)
        played[seat] = mirror(word, ladder) if now.flipped else word
    moves, features, values = room_for_choices()
    view, hidden = np.empty(1, VIEW), np.empty(1, HIDDEN)
    start, start_hidden = np.empty(1, VIEW), np.zeros(1, HIDDEN)
    start[0] = now
    start_hand(start[0], start_hidden[0])
    upper2, lower2 = seat_of_place(now, 2), seat_of_place(now, players - 1)
    upper1, lower1 = seat_of_place(now, 1), seat_of_place(now, players)
    swaps = now.hand_number > 1
    for world in range(number):
        view[0] = start[0]
        hidden[0] = start_hidden[0]
        state, known = view[0], hidden[0]
        for seat in range(players):
            word = hands[world, seat] & EVERY
            if now.flipped:
                word = mirror(word, ladder)
            word = together(word, played[seat], ladder)
            known.hands[uintp(seat)] = word
            state.left[uintp(seat)] = cards_in(word)
        known.lone = lones[world]
        if now.lone_played:
            for past in range(turns):
                if now.turn_move[past] == LONE:
                    known.lone = now.turn_seat[past]
        total = 0.0
        if swaps:
            if now.rules.exchange_first > 0 and me != upper1 and me != lower1:
                total += exchange_weight(
                    now,
                    known.hands[upper1],
                    known.hands[lower1],
                    known.lone == lower1,
                    now.rules.exchange_first,
                )
            if players >= 4 and now.rules.exchange_second > 0 and me != upper2 and me != lower2:
                total += exchange_weight(
                    now,
                    known.hands[upper2],
                    known.hands[lower2],
                    known.lone == lower2,
                    now.rules.exchange_second,
                )
        if belief > 0.0 and turns > 0:
            state.seat = now.turn_seat[0]
            for past in range(turns):
                move = now.turn_move[past]
                seat = now.turn_seat[past]
                if move == FORFEIT:
                    forfeit(state, known, seat)
                    continue
                if (
                    state.seat != seat
                ):  # a fallen president's cards are not known: his hand ends otherwise here
                    break
                if state.flipped and move >= 0 and move != LONE:
                    move += ladder - 1 - 2 * (move & 15)
                face(state, known, seat)
                if seat != me:
                    options = judge(state, weights, moves, features, values)
                    top, mine = values[0], -1
                    for index in range(options):
                        top = max(top, values[index])
                        if moves[index] == move:
                            mine = index
                    if mine >= 0 and options > 1:
                        sum_of = 0.0
                        for index in range(options):
                            sum_of += exp(values[index] - top)
                        chance = exp(values[mine] - top) / sum_of
                        total += belief * log((1.0 - FLOOR) * chance + FLOOR / options)
                    elif mine < 0:
                        total -= 4.0
                turn(state, known, move)
        logs[world] = total


@compiled
def resample(logs: Any, number: int, wanted: int, point: float, chosen: Any) -> None:
    """Choose worlds in proportion to their likelihoods, evenly spread (systematic resampling).

    Parameters
    ----------
    logs : float64[number]
        Logarithms of likelihoods; used up.
    point : float
        Of [0, 1), the one random number.
    chosen : int64[wanted]
        Numbers of worlds; filled in.
    """
    top = logs[0]
    for world in range(number):
        top = max(top, logs[world])
    total = 0.0
    for world in range(number):
        logs[world] = exp(logs[world] - top)
        total += logs[world]
    world, reached = 0, logs[0]
    for index in range(wanted):
        aim = (index + point) / wanted * total
        while reached < aim and world < number - 1:
            world += 1
            reached += logs[world]
        chosen[index] = world
