"""Hands and moves as bits, and the words bots are written in.

A **word** is a set of cards or moves in one integer of 64 bits: four lanes of 16 bits, one bit for each
*slot*. A slot is a rank in order of strength, 0 the weakest *in force* (after a revolution the engine
mirrors every word, so that "lowest" still means weakest). Bit ``slot`` of lane ``k`` is set when there
are at least ``k + 1`` cards of that rank:

    three fives and a seven (slots 2 and 4 of barajamos):

    lane 3  ................
    lane 2  ..5.............
    lane 1  ..5.............
    lane 0  ..5.7...........

So the word of a hand is at once the set of its legal leads: bit ``16 * (size - 1) + slot`` *is* the move
"``size`` cards of that rank". Replies are one lane of it, cut below the rank to beat.

A **move** is the number of such a bit, 0 to 61; with ``w`` wild cards among the cards it is that number
plus ``64 * w``. `PASS` is -1, and `LONE` (62, above every other bit) plays the lone winner alone. No word
ever has bit 63, so plain signed integers hold them all and Python's ``&``, ``|``, ``^``, ``<<`` and ``>>``
mean the same in compiled and in plain bots.

Every function works in compiled bots and in plain Python alike.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic, overload, register_jitable

from .streams import GOLDEN, mix

PASS = -1
"""The move that plays nothing."""
FORFEIT = -2
"""In a hand's record: a bot failed and is out of the hand. Never a bot's own move."""
LONE = 62
"""The move that plays the lone winner alone."""
FAULT = -(1 << 40)
"""What a failed call of a bot comes back as; never a move."""
LONE_BIT = 1 << LONE
CHOICES = 128
"""More than the legal moves there can be, the pass included: room for lists of them."""
LANE = 0xFFFF
"""All slots of one lane."""
COLUMN = 0x0001_0001_0001_0001
"""Slot 0 of all four lanes."""
EVERY = 0x3FFF_3FFF_3FFF_3FFF
"""Every move without wild cards and without the lone winner."""


helper = register_jitable
"""Decorator for a function of one's own that compiled bots of other modules call."""


# --- bits -----------------------------------------------------------------------------------------------


def _bits_intrinsic(name: str, flag: bool) -> Any:
    """Make a compiled function of one 64-bit word out of an LLVM bit instruction."""

    @intrinsic  # type: ignore[untyped-decorator]
    def function(typing_context: Any, word: Any) -> Any:
        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            bits = ir.IntType(64)
            arguments = [args[0], ir.Constant(ir.IntType(1), 0)] if flag else [args[0]]
            kinds = [bits, ir.IntType(1)] if flag else [bits]
            function = builder.module.declare_intrinsic(name, [bits], ir.FunctionType(bits, kinds))
            return builder.call(function, arguments)

        return types.int64(types.int64), codegen

    return function


_ctpop = _bits_intrinsic("llvm.ctpop", False)
_cttz = _bits_intrinsic("llvm.cttz", True)
_ctlz = _bits_intrinsic("llvm.ctlz", True)


def size_of_set(word: int) -> int:
    """Count the bits of a word: how many moves, or how many cards, it holds.

    Examples
    --------
    >>> size_of_set(0b10110)
    3
    """
    return int(word).bit_count()


def lowest(word: int) -> int:
    """Give the lowest move of a word: the smallest size, then the weakest rank; -1 if it is empty.

    The lone winner comes after everything else.

    Examples
    --------
    >>> lowest(0b10110)
    1
    >>> lowest(0)
    -1
    """
    word = int(word)
    return (word & -word).bit_length() - 1


def highest(word: int) -> int:
    """Give the highest move of a word: the lone winner, else the biggest size, then the strongest rank.

    Returns -1 if the word is empty.

    Examples
    --------
    >>> highest(0b10110)
    4
    """
    return int(word).bit_length() - 1


@overload(size_of_set)
def _size_of_set(word: Any) -> Any:
    def implementation(word: Any) -> Any:
        return _ctpop(word)

    return implementation


@overload(lowest)
def _lowest(word: Any) -> Any:
    def implementation(word: Any) -> Any:
        return _cttz(word) if word != 0 else -1

    return implementation


@overload(highest)
def _highest(word: Any) -> Any:
    def implementation(word: Any) -> Any:
        return 63 - _ctlz(word)

    return implementation


# --- moves ----------------------------------------------------------------------------------------------


@register_jitable
def move_of(size: int, slot: int, wilds: int = 0) -> int:
    """Give the move that plays `size` cards (1 to 4), `wilds` of them wild, as the rank of a slot.

    Examples
    --------
    >>> move_of(2, 5)
    21
    """
    return 64 * wilds + 16 * (size - 1) + slot


@register_jitable
def size_of(move: int) -> int:
    """Give how many cards a move plays; 0 for a pass.

    Examples
    --------
    >>> size_of(move_of(3, 7)), size_of(LONE), size_of(PASS)
    (3, 1, 0)
    """
    if move < 0:
        return 0
    if move == LONE:
        return 1
    return ((move >> 4) & 3) + 1


@register_jitable
def slot_of(move: int) -> int:
    """Give the slot (rank) a move plays; 14, above every rank, for the lone winner alone.

    Examples
    --------
    >>> slot_of(move_of(3, 7)), slot_of(LONE)
    (7, 14)
    """
    return move & 15


@register_jitable
def wilds_of(move: int) -> int:
    """Give how many wild cards a move plays, 0 to 3.

    Examples
    --------
    >>> wilds_of(move_of(3, 7, 2)), wilds_of(LONE)
    (2, 0)
    """
    return move >> 6 if move >= 0 else 0


# --- sets of cards --------------------------------------------------------------------------------------


@register_jitable
def count(word: int, slot: int) -> int:
    """Count the cards of one rank, 0 to 4.

    Examples
    --------
    >>> count(add_cards(0, 5, 3), 5)
    3
    """
    return size_of_set(word & (COLUMN << slot))


@register_jitable
def cards_in(word: int) -> int:
    """Count all cards of a hand."""
    return size_of_set(word & EVERY)


@register_jitable
def add_cards(word: int, slot: int, cards: int) -> int:
    """Put `cards` more cards of one rank into a word: at most four of a rank in all."""
    column = COLUMN << slot
    half = 8 * cards  # twice half the lanes: shifting by 64 at once is undefined in compiled code
    return (word & ~column) | (((word & column) << half << half | ~(-1 << half << half)) & column)


@register_jitable
def take_cards(word: int, slot: int, cards: int) -> int:
    """Take `cards` cards of one rank out of a word that has as many."""
    column = COLUMN << slot
    half = 8 * cards
    return (word & ~column) | ((word & column) >> half >> half) & column


@register_jitable
def without(word: int, gone: int) -> int:
    """Take the cards of one word out of another, rank by rank; never below none.

    The lone winner's bit stays as it was in `word`.

    Examples
    --------
    >>> left = without(add_cards(0, 5, 4), add_cards(0, 5, 3))
    >>> left == add_cards(0, 5, 1)
    True
    """
    # lane k of the rest is set where, for some number j, at least k + j cards are here and at most j are gone
    word_cards = word & EVERY
    rest = word & LONE_BIT
    for lane in range(4):
        gone_more = ((gone >> (16 * lane)) & 0x3FFF) * COLUMN
        rest |= (word_cards >> (16 * lane)) & ~gone_more
    return rest


@register_jitable
def groups(word: int) -> int:
    """Give the moves that play *all* cards one has of a rank: one bit for each rank held.

    Examples
    --------
    >>> hand = add_cards(add_cards(0, 2, 3), 4, 1)
    >>> groups(hand) == 1 << move_of(3, 2) | 1 << move_of(1, 4)
    True
    """
    return word & ~(word >> 16) & EVERY


@register_jitable
def sets_of(word: int, size: int) -> int:
    """Give the moves of a word that play `size` cards."""
    return word & (LANE << (16 * (size - 1))) & EVERY


@register_jitable
def ranks(word: int) -> int:
    """Give the slots of the ranks held, as bits of one lane."""
    return word & 0x3FFF


@register_jitable
def weakest_group(word: int) -> int:
    """Give the move that plays the whole group of the weakest rank held; -1 for an empty word."""
    if ranks(word) == 0:
        return -1
    slot = lowest(ranks(word))
    return move_of(count(word, slot), slot)


@register_jitable
def weakest_of(word: int) -> int:
    """Give the move of the weakest rank in a set of moves, the smallest of that rank; -1 if it is empty.

    Examples
    --------
    >>> weakest_of(1 << move_of(1, 7) | 1 << move_of(3, 2)) == move_of(3, 2)
    True
    """
    lane = (word | word >> 16 | word >> 32 | word >> 48) & 0x3FFF
    if lane == 0:
        return -1
    return lowest(word & (COLUMN << lowest(lane)))


@register_jitable
def strongest_group(word: int) -> int:
    """Give the move that plays the whole group of the strongest rank held; -1 for an empty word."""
    if ranks(word) == 0:
        return -1
    slot = highest(ranks(word))
    return move_of(count(word, slot), slot)


# --- the view -------------------------------------------------------------------------------------------


@register_jitable
def leading(view: Any) -> bool:
    """Tell whether the table is empty, so that one leads (and may not pass)."""
    return view.size == 0


@register_jitable
def is_legal(view: Any, move: int) -> bool:
    """Tell whether a move may be played now, passes included."""
    if move == PASS:
        return view.size > 0
    if move < 0 or move > 255:
        return False
    if move < 64:
        return (view.legal >> move) & 1 == 1
    return (view.legal_wild[(move >> 6) - 1] >> (move & 63)) & 1 == 1


@register_jitable
def choices(view: Any) -> int:
    """Count the legal moves, with wild cards, without the pass."""
    number = size_of_set(view.legal)
    if view.wild_slot >= 0:
        for wilds in range(3):
            number += size_of_set(view.legal_wild[wilds])
    return number


@register_jitable
def nth_choice(view: Any, index: int) -> int:
    """Give the legal move with number `index`, 0 to ``choices(view) - 1``: naturals, then by wild cards.

    Any other number is the pass.
    """
    if index < 0 or index >= choices(view):
        return PASS
    word = view.legal
    wilds = 0
    while index >= size_of_set(word):
        index -= size_of_set(word)
        word = view.legal_wild[wilds]
        wilds += 1
    for _ in range(index):
        word &= word - 1
    return 64 * wilds + lowest(word)


@register_jitable
def weakest(view: Any) -> int:
    """Give the weakest legal move: as few wild cards as can be, the smallest size, the weakest rank.

    `PASS` where nothing can be played.
    """
    if view.legal != 0:
        return lowest(view.legal)
    if view.wild_slot >= 0:
        for wilds in range(3):
            if view.legal_wild[wilds] != 0:
                return 64 * (wilds + 1) + lowest(view.legal_wild[wilds])
    return PASS


@register_jitable
def weakest_lead(view: Any) -> int:
    """Give the lead of all cards of the weakest rank; the lone winner if one holds nothing else."""
    group = weakest_group(view.legal)
    return group if group >= 0 else LONE


@register_jitable
def plain_cards(view: Any) -> int:
    """Give the own hand without the lone winner: the cards that make groups."""
    if view.lone_mine:
        return take_cards(view.hand, view.lone_slot, 1)
    return view.hand


@register_jitable
def goes_out(view: Any) -> int:
    """Give a legal move that empties the hand, or `PASS` if there is none."""
    size = view.left[view.me]
    if size <= 4:
        word = sets_of(view.legal, size)
        if word != 0:
            return lowest(word)
        if size == 1 and view.legal & LONE_BIT:
            return LONE
        if view.wild_slot >= 0:
            for wilds in range(3):
                word = sets_of(view.legal_wild[wilds], size)
                if word != 0:
                    return 64 * (wilds + 1) + lowest(word)
    return PASS


@register_jitable
def unseen(view: Any) -> int:
    """Give the cards that others may hold, as far as play has shown: deck less own hand and cards played.

    The lone winner counts as a card of its rank. The exchange is not considered (see ``view.given``).
    """
    return without(without(view.deck, view.hand), view.played)


@register_jitable
def lone_unseen(view: Any) -> bool:
    """Tell whether somebody else may still hold the lone winner."""
    return view.lone_slot >= 0 and not view.lone_mine and not view.lone_played


@register_jitable
def sets_with_wilds(view: Any, cards: int) -> int:
    """Give every set that some cards can make, wild cards used as well: bits as natural moves have them."""
    sets = cards
    if view.wild_slot >= 0:
        naturals = cards & ~(COLUMN << view.wild_slot)
        if view.joker_slot >= 0:
            naturals &= ~(COLUMN << view.joker_slot)
        for wilds in range(1, min(count(cards, view.wild_slot), 3) + 1):
            sets |= (naturals << (16 * wilds)) & EVERY
    return sets


@register_jitable
def bosses(view: Any, others: int) -> int:
    """Give the groups of the own hand that no set of the cards `others` can legally beat.

    An equal counts as an answer where the table allows equals. A quartet on a table with a revolution is no
    boss, not even of the cut rank: it turns the order, and what was a boss beside it may be none any more.

    Parameters
    ----------
    view : view
    others : int
        Cards that others may hold, as `unseen` gives them.

    Returns
    -------
    int
        Word with one bit for each boss group of `plain_cards`; the lone winner's bit if one holds it.
    """
    result = view.legal & LONE_BIT
    mine = groups(plain_cards(view))
    if view.revolution != 0:
        mine &= ~(LANE << 48)
    if view.cut_slot >= 0:  # a cut ends the trick: nothing answers it
        result |= mine & (COLUMN << view.cut_slot)
    if lone_unseen(view):
        return result
    answers = sets_with_wilds(view, others)
    for size in range(1, 5):
        sets = sets_of(mine, size)
        if sets == 0:
            continue
        rivals = sets_of(answers, size) >> (16 * (size - 1))
        top = highest(rivals)
        first = top + 1 if view.equal_skips else top
        if first < 0:
            first = 0
        result |= sets & ((LANE << first) & LANE) << (16 * (size - 1))
    return result


@register_jitable
def sure_move(view: Any) -> int:
    """Give a move that begins a sure win: bosses one after the other, then the one group that is none.

    Returns
    -------
    int
        A legal move, or `PASS` if nothing is sure.
    """
    boss = bosses(view, unseen(view))
    mine = groups(plain_cards(view))
    if view.lone_mine:
        mine |= LONE_BIT
    if size_of_set(mine & ~boss) > 1:
        return PASS
    word = view.legal & boss
    return lowest(word) if word != 0 else PASS


@register_jitable
def next_to_act(view: Any) -> int:
    """Give the next seat, in the direction in force, that could still act in this trick; -1 if there is none.

    It is the one that an equal skips.
    """
    able = view.alive & ~(1 << view.me)
    if view.rules.pass_locks:
        able &= ~view.passed
    if able == 0:
        return -1
    seat = view.me
    while (able >> seat) & 1 == 0 or seat == view.me:
        seat = (seat + view.direction + view.players) % view.players
    return seat


@register_jitable
def fewest_left(view: Any) -> int:
    """Give the smallest number of cards another player still in the hand holds."""
    fewest = 99
    for seat in range(view.players):
        if seat != view.me and (view.alive >> seat) & 1 and view.left[seat] < fewest:
            fewest = view.left[seat]
    return fewest


# --- chance ---------------------------------------------------------------------------------------------


def _advance(view: Any) -> Any:
    """Draw 64 random bits from the acting seat's own stream."""
    return view.advance_stream()


@overload(_advance)
def _advance_compiled(view: Any) -> Any:
    def implementation(view: Any) -> Any:
        view.stream = view.stream + GOLDEN
        return mix(view.stream)

    return implementation


def random(view: Any) -> float:
    """Draw a number from [0, 1) out of the seat's own stream (53 random bits)."""
    return (_advance(view) >> 11) * 2.0**-53


@overload(random)
def _random(view: Any) -> Any:
    def implementation(view: Any) -> Any:
        return np.float64(_advance(view) >> np.uint64(11)) * 2.0**-53

    return implementation


def below(view: Any, bound: int) -> int:
    """Draw a whole number from 0 to ``bound - 1`` out of the seat's own stream.

    Multiply and shift of 32 random bits: for bounds of a few hundred the bias is below one in ten million.
    """
    return ((_advance(view) >> 32) * bound) >> 32


@overload(below)
def _below(view: Any, bound: Any) -> Any:
    def implementation(view: Any, bound: Any) -> Any:
        return np.int64(((_advance(view) >> np.uint64(32)) * np.uint64(bound)) >> np.uint64(32))

    return implementation


@register_jitable
def exp(x: float) -> float:
    """Give e to the power x, the same bits on every processor: 0 below -700, and x above 700 counts as 700.

    The mathematical libraries of systems differ in the last bit, which would make the same bot choose
    otherwise elsewhere. Here it is a polynomial (Taylor, to the 13th power, error below 1e-15 of the value)
    after taking out a power of two.
    """
    if x < -700.0:
        return 0.0
    if x > 700.0:
        x = 700.0
    power = math.floor(x * 1.4426950408889634 + 0.5)
    # ln 2 in two parts, the first with few digits, so that nothing is lost
    rest = (x - power * 0.693145751953125) - power * 1.4286068203094172e-06
    term, total = 1.0, 1.0
    for n in range(1, 14):
        term = term * rest / n
        total = total + term
    return math.ldexp(total, power)


@register_jitable
def log(x: float) -> float:
    """Give the natural logarithm of a number above 0, the same bits on every processor (see `exp`).

    Examples
    --------
    >>> abs(log(exp(3.0)) - 3.0) < 1e-14
    True
    """
    part, power = math.frexp(x)
    if part < 0.7071067811865476:
        part, power = 2.0 * part, power - 1
    ratio = (part - 1.0) / (part + 1.0)
    square = ratio * ratio
    total = 0.0
    for n in range(23, 0, -2):
        total = total * square + 1.0 / n
    return 2.0 * ratio * total + power * 0.6931471805599453


@register_jitable
def choose(view: Any, values: Any, number: int, temperature: float) -> int:
    """Choose among values: the highest at temperature 0, else by chance, as exp(value / temperature).

    So a bot is weakened without silly play: what is much worse is hardly ever chosen, what is nearly as good
    often. Of equal values the first is the highest.

    Parameters
    ----------
    view : view
        Whose stream the chance comes from; at temperature 0 none is drawn.
    values : sequence of float
        The first `number` count.
    temperature : float
        In units of the values, from 0.

    Returns
    -------
    int
        Index of the value chosen.
    """
    best = 0
    for index in range(1, number):
        if values[index] > values[best]:
            best = index
    if temperature <= 0.0 or number < 2:
        return best
    total = 0.0
    for index in range(number):
        total += exp((values[index] - values[best]) / temperature)
    point = random(view) * total
    for index in range(number):
        point -= exp((values[index] - values[best]) / temperature)
        if point < 0.0:
            return index
    return best
