"""One turn: the only code that knows how a hand of Presi goes on.

Tournaments, search, replays and single hands all drive these functions. A state is a pair of records,
``view`` and ``hidden`` (see `harness.engine.records`).

Seats index arrays as ``uintp``: a signed index would be tested for being negative each time, which costs
a tenth of a turn.
"""

from __future__ import annotations

from typing import Any

from numpy import uintp

from ..compiling import compiled, compiled_inline
from ..moves import COLUMN, EVERY, FORFEIT, LANE, LONE, LONE_BIT, add_cards, count, take_cards


@compiled
def mirror(word: int, ladder: int) -> int:
    """Turn a word's ranks round within its lanes; the lone winner's bit stays."""
    result = word & LONE_BIT
    for slot in range(ladder):
        result |= ((word >> slot) & COLUMN) << (ladder - 1 - slot)
    return result


@compiled
def mirror_slot(slot: int, ladder: int) -> int:
    """Turn one slot round; -1 (none) stays."""
    return ladder - 1 - slot if slot >= 0 else -1


@compiled
def flip(view: Any, hidden: Any) -> None:
    """Reverse the order of ranks: every word and slot of the state is mirrored."""
    ladder = view.ladder
    view.flipped = not view.flipped
    for seat in range(view.players):
        hidden.hands[seat] = mirror(hidden.hands[seat], ladder)
        hidden.given[seat] = mirror(hidden.given[seat], ladder)
        hidden.received[seat] = mirror(hidden.received[seat], ladder)
    view.played = mirror(view.played, ladder)
    view.deck = mirror(view.deck, ladder)
    view.lone_slot = mirror_slot(view.lone_slot, ladder)
    view.wild_slot = mirror_slot(view.wild_slot, ladder)
    view.joker_slot = mirror_slot(view.joker_slot, ladder)
    view.cut_slot = mirror_slot(view.cut_slot, ladder)


@compiled_inline
def face(view: Any, hidden: Any, seat: int) -> None:
    """Write one seat's own facts into the view: its cards, what it may play if it is to act, its exchange."""
    own = uintp(seat)
    hand = hidden.hands[own]
    legal = hand & view.beats
    mine = hidden.lone == seat
    if mine:
        # alone it is the lone winner, not a plain card of its rank
        if count(hand, view.lone_slot) == 1:
            legal &= ~(1 << view.lone_slot)
        legal |= LONE_BIT
    if view.wild_slot >= 0:
        naturals = hand & ~(COLUMN << view.wild_slot)
        if view.joker_slot >= 0:
            naturals &= ~(COLUMN << view.joker_slot)
        held = count(hand, view.wild_slot)
        for wilds in range(1, 4):
            view.legal_wild[wilds - 1] = (naturals << (16 * wilds)) & view.beats if wilds <= held else 0
    view.me = seat
    view.hand = hand
    view.legal = legal
    view.lone_mine = mine
    view.stream = hidden.streams[own]
    view.given = hidden.given[own]
    view.received = hidden.received[own]
    view.partner = hidden.partner[own]


@compiled
def next_alive(view: Any, seat: int) -> int:
    """Give the next seat, in the direction in force, that has cards."""
    while True:
        seat += view.direction
        if seat == view.players:
            seat = 0
        elif seat < 0:
            seat = view.players - 1
        if (view.alive >> seat) & 1:
            return seat


@compiled_inline
def next_actor(view: Any, seat: int, able: int) -> int:
    """Give the next seat that may act in the trick (a bit of `able`), or the trick's owner if he is first."""
    while True:
        seat += view.direction
        if seat == view.players:
            seat = 0
        elif seat < 0:
            seat = view.players - 1
        if seat == view.owner or (able >> seat) & 1:
            return seat


@compiled_inline
def clear_trick(view: Any, hidden: Any, winner: int) -> None:
    """End the trick: the winner leads, or the next seat with cards if he has none."""
    hidden.trick_winner = winner
    view.size = 0
    view.rank = -1
    view.owner = -1
    view.passed = 0
    view.beats = EVERY
    view.seat = winner if (view.alive >> winner) & 1 else next_alive(view, winner)


@compiled_inline
def pass_turn_on(view: Any, hidden: Any, seat: int) -> None:
    """Give the turn to the next seat that may act in the trick; end it if that is its owner."""
    able = view.alive & ~view.passed if view.rules.pass_locks else view.alive
    seat = next_actor(view, seat, able)
    if seat == view.owner:
        clear_trick(view, hidden, seat)
    else:
        view.seat = seat


@compiled
def end_if_over(view: Any, hidden: Any) -> bool:
    """End the hand once at most one player holds cards: he takes the place that is left.

    Returns
    -------
    bool
        Is the hand over? ``view.seat`` is then -1 and the table is empty.
    """
    alive = view.alive
    if alive & (alive - 1):
        return False
    for seat in range(view.players):
        if view.puesto[seat] == 0:
            view.puesto[seat] = hidden.next_place
    view.size = 0
    view.rank = -1
    view.owner = -1
    view.seat = -1
    return True


@compiled
def drop(view: Any, hidden: Any, seat: int) -> None:
    """Take a seat out of the hand with its cards: they are dead, it gets the last place still free."""
    view.alive &= ~(1 << seat)
    view.left[seat] = 0
    view.puesto[seat] = hidden.last_place
    hidden.last_place -= 1


@compiled_inline
def note(view: Any, seat: int, move: int) -> None:
    """Write a move into the hand's record, its slot in the order that is not reversed."""
    if view.flipped and move >= 0 and move != LONE:
        move += view.ladder - 1 - 2 * (move & 15)
    turns = uintp(view.turns)
    view.turn_seat[turns] = seat
    view.turn_move[turns] = move
    view.turns += 1


@compiled_inline
def turn(view: Any, hidden: Any, move: int) -> None:
    """Let the seat to act play a legal move, or pass, and find who is next.

    Parameters
    ----------
    view, hidden : records
        The state, changed in place. ``view.seat`` is -1 afterwards if the hand is over.
    move : int
        `PASS` or a move out of ``view.legal`` or ``view.legal_wild``; not checked here.
    """
    seat = view.seat
    own = uintp(seat)
    note(view, seat, move)
    if move < 0:
        view.passed |= 1 << seat
        pass_turn_on(view, hidden, seat)
        return

    # the cards leave the hand
    size, slot, closes, equal = 1, move & 15, False, False
    if move == LONE:
        hidden.hands[own] = take_cards(hidden.hands[own], view.lone_slot, 1)
        view.played = add_cards(view.played, view.lone_slot, 1)
        hidden.lone = -1
        view.lone_played = True
        closes = True
    else:
        size = ((move >> 4) & 3) + 1
        wilds = move >> 6
        naturals = size - wilds
        hand = hidden.hands[own]
        if hidden.lone == seat and slot == view.lone_slot and count(hand, slot) == naturals:
            hidden.lone = -1
            view.lone_played = True
        hand = take_cards(hand, slot, naturals)
        view.played = add_cards(view.played, slot, naturals)
        if wilds:
            hand = take_cards(hand, view.wild_slot, wilds)
            view.played = add_cards(view.played, view.wild_slot, wilds)
        hidden.hands[own] = hand
        equal = view.size > 0 and slot == view.rank
        closes = slot == view.cut_slot
        if size == 4 and view.revolution:
            flip(view, hidden)
            slot = view.ladder - 1 - slot
            if view.revolution == 2:
                view.direction = -view.direction
    view.passed &= ~(1 << seat)

    # places
    left = view.left[own] - size
    view.left[own] = left
    if left == 0:
        view.alive &= ~(1 << seat)
        view.puesto[own] = hidden.next_place
        if hidden.next_place == 1 and view.rules.president_falls and view.hand_number > 1:
            fall(view, hidden, seat)
        hidden.next_place += 1
        closes |= view.rules.out_closes
        if end_if_over(view, hidden):
            return

    # who is next
    if closes:
        clear_trick(view, hidden, seat)
        return
    view.size = size
    view.rank = slot
    view.owner = seat
    lowest_answer = slot if view.equal_skips else slot + 1
    view.beats = ((LANE << lowest_answer) & 0x3FFF) << (16 * (size - 1))
    if equal:
        able = view.alive & ~view.passed if view.rules.pass_locks else view.alive
        skipped = next_actor(view, seat, able)
        if skipped != seat:
            hidden.skipped = skipped
            pass_turn_on(view, hidden, skipped)
        else:
            clear_trick(view, hidden, seat)
        return
    pass_turn_on(view, hidden, seat)


@compiled
def fall(view: Any, hidden: Any, first: int) -> None:
    """Let last hand's president drop to last if somebody else is first to run out."""
    for seat in range(view.players):
        if view.before[seat] == 1 and seat != first and (view.alive >> seat) & 1:
            drop(view, hidden, seat)
            hidden.fallen = seat


@compiled
def forfeit(view: Any, hidden: Any, seat: int) -> None:
    """Take a seat whose bot failed out of this hand: dead cards, the last place still free.

    Noted as `FORFEIT` in the hand's record. If it was to lead, the next seat with cards leads.
    """
    note(view, seat, FORFEIT)
    acting = view.seat == seat
    drop(view, hidden, seat)
    if end_if_over(view, hidden) or not acting:
        return
    if view.size == 0:
        view.seat = next_alive(view, seat)
    else:
        pass_turn_on(view, hidden, seat)
