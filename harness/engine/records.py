"""The state of a match: what everyone may know in one record, everything else in another.

`VIEW` is the public state, and what a bot is shown: before a decision the engine writes the acting seat's
own facts into it. `HIDDEN` is given to no bot. Both are NumPy structured types, so a copy of a view filled
with guessed hands is itself a state the engine can play on.

Sets of cards are words as `harness.moves` explains them: signed 64-bit integers whose top bit is never
set. Slots are in force: a revolution mirrors the words. Seats are 0 to ``players - 1``.
"""

from __future__ import annotations

import numpy as np

SEATS = 7
"""Most players a table may have."""
TURNS = 400
"""Most turns of a hand: at most 56 plays, each followed by at most 6 passes, is 392."""
CARDS = 56
"""Most cards of a deck: 52 and four jokers."""
MEMORY = 16
"""Numbers a compiled bot may keep during a match."""

# No record has padding: bytes that belong to no field would be copied with a view and could show what they
# must not. `spare` fields fill the gaps and stay zero.

RULES = np.dtype(
    [
        ("deck", "i8"),  # all cards as a word, order not reversed
        ("counts_of_card", "u8", (CARDS,)),  # by card number: 1 << 4 * slot
        ("deck_size", "i2"),
        ("opening_card", "i2"),  # card number
        ("lone_card", "i2"),  # card number or -1
        ("match_points", "i2"),  # 0: none
        ("match_hands", "i2"),  # 0: none
        ("points", "i2", (SEATS + 1,)),  # by place, [0] unused
        ("ladder", "i1"),  # number of slots: ranks, and one for jokers
        ("lone_slot", "i1"),  # slot or -1, as all that follow
        ("wild_slot", "i1"),
        ("joker_slot", "i1"),
        ("cut_slot", "i1"),
        ("exchange_first", "i1"),  # cards between last and first
        ("exchange_second", "i1"),  # cards between second-last and second
        ("president_leads", "?"),
        ("returns_choice", "?"),
        ("pass_locks", "?"),
        ("out_closes", "?"),
        ("president_falls", "?"),
        ("spare", "i1", (2,)),
    ],
    align=True,
)

VIEW = np.dtype(
    [
        # the acting seat's own facts
        ("hand", "i8"),  # own cards
        ("legal", "i8"),  # legal moves without wild cards, the lone winner's bit included, the pass not
        ("legal_wild", "i8", (3,)),  # legal moves with 1, 2, 3 wild cards (bit = the move less 64 * wilds)
        ("stream", "u8"),  # own random stream; use moves.random and kin
        ("given", "i8"),  # cards given away in this hand's exchange (with LONE_BIT for the lone winner)
        ("received", "i8"),  # cards received in it
        # the table
        ("beats", "i8"),  # every move without wild cards that would beat the table, EVERY when leading
        ("played", "i8"),  # all cards played in this hand
        ("deck", "i8"),  # all cards
        ("hand_number", "i2"),  # from 1
        ("turns", "i2"),  # taken in this hand
        ("points", "i2", (SEATS,)),  # of the match, before this hand, by seat
        ("me", "i1"),  # own seat
        ("partner", "i1"),  # seat of the own exchange's other side, -1: none
        ("giving", "i1"),  # cards still to give back while `give` is asked, else 0
        ("lone_mine", "?"),  # do I hold the lone winner?
        ("seat", "i1"),  # whose turn it is: in a decision, mine; -1: the hand is over
        ("size", "i1"),  # cards to match; 0: the table is empty, one leads
        ("rank", "i1"),  # slot to beat, -1 when leading
        ("owner", "i1"),  # seat of the last play of this trick, -1 when leading
        ("direction", "i1"),  # +1 or -1
        ("flipped", "?"),  # is the order reversed?
        ("lone_played", "?"),  # has the lone winner been played in this hand?
        ("alive", "u1"),  # bit per seat: still holds cards and counts
        ("passed", "u1"),  # bit per seat: passed in this trick (since its own last play)
        ("players", "i1"),
        ("left", "i1", (SEATS,)),  # cards held, by seat; 0 for who is out or dead
        ("puesto", "i1", (SEATS,)),  # places of this hand by seat, 0: not known yet
        ("before", "i1", (SEATS,)),  # places of the hand before by seat, 0 in hand 1
        # the table's rules; slots here are in force, as the cards are
        ("ladder", "i1"),  # number of slots
        ("lone_slot", "i1"),  # rank of the lone winner's card, -1: none
        ("wild_slot", "i1"),  # cards that may be wild, -1: none
        ("joker_slot", "i1"),  # -1: none
        ("cut_slot", "i1"),  # -1: none
        ("revolution", "i1"),  # 0 none, 1 order, 2 order and direction
        ("equal_skips", "?"),  # may a reply equal the table (and skip a player)?
        ("spare", "i1", (4,)),
        ("rules", RULES),
        ("memory", "i8", (MEMORY,)),  # own, zeroed at the start of each match
        # plays of this hand in order; moves with slots of the order *not* reversed
        ("turn_move", "i2", (TURNS,)),
        ("turn_seat", "i1", (TURNS,)),
    ],
    align=True,
)

HIDDEN = np.dtype(
    [
        ("hands", "i8", (SEATS,)),
        ("streams", "u8", (SEATS,)),
        ("code", "u8"),
        ("given", "i8", (SEATS,)),
        ("received", "i8", (SEATS,)),
        ("partner", "i1", (SEATS,)),
        ("lone", "i1"),  # seat that holds the lone winner, -1: nobody
        ("next_place", "i1"),  # place of the next to run out
        ("last_place", "i1"),  # place of the next to drop out
        # what the last turn caused; only set, never cleared, by the turn function
        ("skipped", "i1"),  # seat
        ("fallen", "i1"),  # seat
        ("trick_winner", "i1"),  # seat
        ("memory", "i8", (SEATS, MEMORY)),
        ("deck", "u1", (CARDS,)),  # the shuffled deck, card numbers
    ],
    align=True,
)

TRACE = np.dtype(
    [
        ("given", "i8", (SEATS,)),  # cards given away in the exchange, by seat, order not reversed
        ("leader", "i1"),  # seat; -1 if the hand did not get so far
        ("turns", "i2"),
        # as the view has them
        ("turn_move", "i2", (TURNS,)),
        ("turn_seat", "i1", (TURNS,)),
    ],
    align=True,
)
"""What happened in one hand: with its deal, enough to play it again."""

DEAL = np.dtype([("seat_of_card", "i1", (CARDS,)), ("leader", "i1")])
"""A deal made elsewhere: who gets each card (by card number), and who leads (-1: as the rules say)."""
