"""Guessed hands that agree with everything a player knows.

Known are: how many cards everyone holds, what has been played, the own exchange (what was given away is with
the partner until it is played; a forced exchange proves that the lower player has nothing better than what he
gave, and the upper nothing worse), and where the lone winner cannot be. Among all hands that agree with this
each is as likely as another; how well they explain the plays seen is for `harness.search.likelihood`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy import int64, uint64

from ..compiling import compiled
from ..engine.deal import word_of_counts
from ..engine.records import CARDS
from ..moves import LONE, LONE_BIT, below, count, highest, lowest, ranks
from .state import played_by, unseen_cards


@compiled
def partner_bounds(view: Any, at_least: Any, at_most: Any) -> int:
    """Work out what the own exchange proves about the partner's cards.

    Parameters
    ----------
    at_least, at_most : int8[16]
        Cards of each slot in force, the lone winner not counted, that he must and may still hold; filled in.

    Returns
    -------
    int
        Does he hold the lone winner, if it has not been played? 1 yes, 0 no, -1 not known.
    """
    partner, ladder, lone_slot = view.partner, view.ladder, view.lone_slot
    played = played_by(view, partner)
    gave_lone = (view.given & LONE_BIT) != 0
    got_lone = (view.received & LONE_BIT) != 0
    upper = view.before[view.me] < view.before[partner]
    # strength in the normal order, which the exchange always uses, of the weakest and strongest card received
    got = ranks(view.received)
    if got_lone and count(view.received, lone_slot) == 1:
        got &= ~(1 << lone_slot)
    weakest, strongest = -1, -1
    if got != 0:
        weakest, strongest = lowest(got), highest(got)
        if view.flipped:
            weakest, strongest = ladder - 1 - strongest, ladder - 1 - weakest
    for slot in range(16):
        at_least[slot] = 0
        at_most[slot] = 4
    for slot in range(ladder):
        given, gone, back = count(view.given, slot), count(played, slot), 0
        if slot == lone_slot and gave_lone:
            given -= 1
            gone -= view.lone_played
        if not upper and view.rules.returns_choice:  # he got mine first, and may have given them back
            back = count(view.received, slot)
            if slot == lone_slot and got_lone:
                back -= 1
        kept = max(given - back - gone, 0)
        at_least[slot] = kept
        strength = ladder - 1 - slot if view.flipped else slot
        proven = upper and strength > weakest
        if not upper and not got_lone and not view.rules.returns_choice:
            proven = strength < strongest
        if got != 0 and proven:
            at_most[slot] = kept
    if gave_lone:
        return 1 if upper or not got_lone else 0
    if upper and got != 0 and not got_lone:
        return 0  # it would have come first
    return -1


@compiled
def deal_worlds(view: Any, hands: Any, lones: Any, number: int) -> int:
    """Deal the unseen cards to the others, again and again.

    Parameters
    ----------
    view : record of `VIEW`
        The acting seat's; chance is drawn from its stream.
    hands : int64[>= number, SEATS]
        Words in the order in force; filled in, the own hand too. Who is out holds nothing.
    lones : int8[>= number]
        Seat that holds the lone winner, -1 if nobody who is still in the hand.
    number : int

    Returns
    -------
    int
        Cards that are dead: held by nobody still in the hand.
    """
    cards = np.zeros(CARDS, np.int8)
    at_least = np.zeros(16, np.int8)
    at_most = np.zeros(16, np.int8)
    unseen = unseen_cards(view, cards)
    partner = view.partner
    bound = partner >= 0 and (view.alive >> partner) & 1 == 1 and (view.given != 0 or view.received != 0)
    partner_lone = partner_bounds(view, at_least, at_most) if bound else -1
    held = 0
    for seat in range(view.players):
        if seat != view.me:
            held += view.left[seat]
    for world in range(number):
        for seat in range(hands.shape[1]):
            hands[world, seat] = 0
        hands[world, view.me] = view.hand
        lones[world] = view.me if view.lone_mine else -1
        free = unseen
        if bound:
            free = _deal_partner(view, cards, unseen, at_least, at_most, partner_lone, hands, lones, world)
        for seat in range(view.players):
            if seat == view.me or (bound and seat == partner):
                continue
            counts = uint64(0)
            for _ in range(view.left[seat]):
                place = below(view, free)
                card = cards[place]
                free -= 1
                cards[place] = cards[free]
                cards[free] = card
                if card == LONE:
                    lones[world] = seat
                    card = view.lone_slot
                counts += uint64(1) << uint64(4 * card)
            hands[world, seat] = word_of_counts(counts)
    return unseen - held


@compiled
def _deal_partner(
    view: Any,
    cards: Any,
    unseen: int,
    at_least: Any,
    at_most: Any,
    partner_lone: int,
    hands: Any,
    lones: Any,
    world: int,
) -> int:
    """Deal the exchange partner's hand first, for about it something is proven; give the cards left."""
    partner = view.partner
    free = unseen
    counts = uint64(0)
    need = int64(view.left[partner])
    has = np.zeros(16, np.int8)
    # what he must hold, then what he may hold, then whatever there is should the bounds not leave enough
    for stage in range(3):
        place = 0
        while need > 0 and place < free:
            if stage > 0:  # in random order
                other = place + below(view, free - place)
                cards[place], cards[other] = cards[other], cards[place]
            card = int64(cards[place])
            if card == LONE:
                slot = int64(view.lone_slot)
                fits = partner_lone == 1 or stage == 2 or (stage == 1 and partner_lone < 0)
            else:
                slot = card
                fits = stage == 2 or has[slot] < (at_least[slot] if stage == 0 else at_most[slot])
            if not fits:
                place += 1
                continue
            if card == LONE:
                lones[world] = partner
            else:
                has[slot] += 1
            counts += uint64(1) << uint64(4 * slot)
            need -= 1
            free -= 1
            cards[place], cards[free] = cards[free], cards[place]
    hands[world, partner] = word_of_counts(counts)
    return free
