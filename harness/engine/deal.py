"""Everything before the first turn of a hand: shuffle, deal, exchange, who leads."""

from __future__ import annotations

from typing import Any

from numpy import int64, uint64, uintp

from ..compiling import compiled
from ..moves import EVERY, LONE, LONE_BIT, PASS, add_cards, count, highest, lowest, ranks, take_cards
from ..streams import GOLDEN, combine, mix
from .records import MEMORY

ONE = uint64(1)
BOT_STREAMS = uint64(1 << 32)
"""Added to a seat's number when its stream is hashed, so that no stream is also a shuffle."""


@compiled
def seat_stream(code: Any, seat: int) -> Any:
    """Start the random stream of a bot: a one-way hash, so that no bot can compute the code from it."""
    start = combine(code, uint64(seat) + BOT_STREAMS)
    return mix(start) ^ start


@compiled
def shuffle(hidden: Any, deck_size: int, code: Any, hand_number: int) -> None:
    """Order the deck from the code and the number of the hand alone (Fisher and Yates, downwards)."""
    deck = hidden.deck
    for card in range(deck_size):
        deck[uintp(card)] = card
    state = combine(code, uint64(hand_number))
    last = uint64(deck_size - 1)
    while last > uint64(0):
        # one hash gives the numbers of two swaps, 32 bits each
        state += GOLDEN
        bits = mix(state)
        other = ((bits >> uint64(32)) * (last + ONE)) >> uint64(32)
        card = deck[other]
        deck[other] = deck[last]
        deck[last] = card
        last -= ONE
        if last > uint64(0):
            other = ((bits & uint64(0xFFFFFFFF)) * (last + ONE)) >> uint64(32)
            card = deck[other]
            deck[other] = deck[last]
            deck[last] = card
            last -= ONE


@compiled
def squeeze(bits: Any) -> Any:
    """Move every fourth bit of 64 together into 16."""
    bits = bits & uint64(0x1111111111111111)
    bits = (bits | bits >> uint64(3)) & uint64(0x0303030303030303)
    bits = (bits | bits >> uint64(6)) & uint64(0x000F000F000F000F)
    bits = (bits | bits >> uint64(12)) & uint64(0x000000FF000000FF)
    return (bits | bits >> uint64(24)) & uint64(0xFFFF)


@compiled
def word_of_counts(counts: Any) -> int:
    """Turn counts of 0 to 4 cards, four bits a slot, into a word.

    Counting cards by addition and converting once is several times quicker than adding them to a word.
    """
    ones, twos, fours = counts, counts >> uint64(1), counts >> uint64(2)
    word = squeeze(ones | twos | fours)
    word |= squeeze(twos | fours) << uint64(16)
    word |= squeeze((ones & twos) | fours) << uint64(32)
    word |= squeeze(fours) << uint64(48)
    return int64(word)  # type: ignore[return-value]


@compiled
def start_match(view: Any, hidden: Any, players: int, code: Any) -> None:
    """Set a state up for a new match on the table in ``view.rules``."""
    rules = view.rules
    view.players = players
    view.ladder = rules.ladder
    view.hand_number = 0
    hidden.code = code
    for seat in range(players):
        view.before[seat] = 0
        view.points[seat] = 0
        hidden.streams[seat] = seat_stream(code, seat)
        for cell in range(MEMORY):
            hidden.memory[seat, cell] = 0


@compiled
def start_hand(view: Any, hidden: Any) -> None:
    """Clear the table for the next hand; no cards are dealt yet.

    The hand's record is wiped as far as it was written: what is left over from an earlier hand would
    make equal positions look different.
    """
    rules = view.rules
    for past in range(view.turns):
        view.turn_seat[past] = 0
        view.turn_move[past] = 0
    view.turns = 0
    view.size = 0
    view.rank = -1
    view.owner = -1
    view.direction = 1
    view.flipped = False
    view.lone_played = False
    view.passed = 0
    view.giving = 0
    view.beats = EVERY
    view.played = 0
    view.deck = rules.deck
    view.lone_slot = rules.lone_slot
    view.wild_slot = rules.wild_slot
    view.joker_slot = rules.joker_slot
    view.cut_slot = rules.cut_slot
    view.alive = (1 << view.players) - 1
    for seat in range(view.players):
        view.puesto[seat] = 0
        hidden.hands[seat] = 0
        hidden.given[seat] = 0
        hidden.received[seat] = 0
        hidden.partner[seat] = -1
    hidden.lone = -1
    hidden.next_place = 1
    hidden.last_place = view.players


@compiled
def deal(view: Any, hidden: Any) -> None:
    """Deal the shuffled deck one by one, starting one seat further each hand, and name who leads.

    In hand 1 the holder of the opening card leads, later the last or the president of the hand before.
    """
    rules = view.rules
    players = view.players
    size = uint64(rules.deck_size)
    step = uint64(players)
    deck, counts_of_card = hidden.deck, rules.counts_of_card
    opening, lone = rules.opening_card, rules.lone_card
    seat = (view.hand_number - 1) % players
    view.seat = 0
    for first in range(players):
        counts = uint64(0)
        cards = 0
        index = uint64(first)
        while index < size:
            card = deck[index]
            counts += counts_of_card[card]
            cards += 1
            if card == opening:
                view.seat = seat
            if card == lone:
                hidden.lone = seat
            index += step
        hidden.hands[uintp(seat)] = word_of_counts(counts)
        view.left[uintp(seat)] = cards
        seat = seat + 1 if seat + 1 < players else 0
    if view.hand_number > 1:
        view.seat = later_leader(view)


@compiled
def later_leader(view: Any) -> int:
    """Give the seat that leads a hand that is not the first, by the places of the hand before."""
    return seat_of_place(view, 1 if view.rules.president_leads else view.players)


@compiled
def deal_out(view: Any, hidden: Any, given: Any) -> None:
    """Deal a hand as it was dealt elsewhere.

    Parameters
    ----------
    given : record of `DEAL`
        Who gets each card, and who leads.
    """
    rules = view.rules
    for seat in range(view.players):
        hidden.hands[seat] = 0
        view.left[seat] = 0
    view.seat = 0
    for seat in range(view.players):
        counts = uint64(0)
        for card in range(rules.deck_size):
            if given.seat_of_card[card] == seat:
                counts += rules.counts_of_card[card]
                view.left[seat] += 1
                if card == rules.opening_card:
                    view.seat = seat
                if card == rules.lone_card:
                    hidden.lone = seat
        hidden.hands[seat] = word_of_counts(counts)
    if view.hand_number > 1:
        view.seat = later_leader(view)
    if given.leader >= 0:
        view.seat = given.leader


@compiled
def seat_of_place(view: Any, place: int) -> int:
    """Give the seat that had a place in the hand before."""
    for seat in range(view.players):
        if view.before[seat] == place:
            return seat
    return -1


@compiled
def give_card(view: Any, hidden: Any, giver: int, taker: int, move: int) -> None:
    """Move one card from hand to hand and into both sides' memory of the exchange.

    Parameters
    ----------
    move : int
        A single card as a move; `LONE` for the lone winner.
    """
    slot = move
    bits_given, bits_received = hidden.given[giver], hidden.received[taker]
    if move == LONE:
        slot = view.lone_slot
        hidden.lone = taker
        bits_given |= LONE_BIT
        bits_received |= LONE_BIT
    hidden.hands[giver] = take_cards(hidden.hands[giver], slot, 1)
    hidden.hands[taker] = add_cards(hidden.hands[taker], slot, 1)
    hidden.given[giver] = add_cards(bits_given, slot, 1)
    hidden.received[taker] = add_cards(bits_received, slot, 1)
    view.left[giver] -= 1
    view.left[taker] += 1


@compiled
def best_card(view: Any, hand: int, lone_mine: bool) -> int:
    """Give the best card of a hand as a move: the lone winner, then jokers, then the order of ranks."""
    return LONE if lone_mine else highest(ranks(hand))


@compiled
def worst_card(view: Any, hand: int, lone_mine: bool) -> int:
    """Give the worst card of a hand as a move; the lone winner only if nothing else is left."""
    plain = ranks(hand)
    if lone_mine and count(hand, view.lone_slot) == 1:
        plain &= ~(1 << view.lone_slot)
    return lowest(plain) if plain else LONE


@compiled
def give_best(view: Any, hidden: Any, giver: int, taker: int, cards: int) -> None:
    """Let the lower player of a pair hand up its best cards."""
    for _ in range(cards):
        give_card(view, hidden, giver, taker, best_card(view, hidden.hands[giver], hidden.lone == giver))


@compiled
def swap_forced(view: Any, hidden: Any, lower: int, upper: int, cards: int) -> None:
    """Swap the lower player's best cards for the upper's worst, both chosen from the dealt hands."""
    dealt, mine = hidden.hands[upper], hidden.lone == upper
    first, second = PASS, PASS
    for index in range(cards):
        move = worst_card(view, dealt, mine)
        if index == 0:
            first = move
        else:
            second = move
        if move == LONE:
            mine = False
        dealt = take_cards(dealt, view.lone_slot if move == LONE else move, 1)
    give_best(view, hidden, lower, upper, cards)
    if first != PASS:
        give_card(view, hidden, upper, lower, first)
    if second != PASS:
        give_card(view, hidden, upper, lower, second)
