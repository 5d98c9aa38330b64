"""Whole matches in compiled code: exchange, turns, points, standings, and the rows they leave."""

from __future__ import annotations

from typing import Any

from numpy import uintp

from ..compiling import compiled, compiled_inline
from ..moves import EVERY, FAULT, is_legal, lowest
from .call import call_bot
from .deal import (
    deal,
    deal_out,
    give_best,
    give_card,
    seat_of_place,
    shuffle,
    start_hand,
    start_match,
    swap_forced,
    worst_card,
)
from .records import MEMORY, SEATS
from .turn import face, forfeit, turn

# what a bot may be asked; columns of the table of addresses
PLAY, GIVE, START_MATCH, START_HAND, OBSERVE = range(5)

# how a block of matches ended
DONE, FAULTED = 0, 1
# what a report of a fault says, in this order
STATUS, MATCH, SEAT, MOVE, ASKED = range(5)

SINGLES = EVERY & 0xFFFF


@compiled
def ask_apart(view: Any, hidden: Any, seat: int, address: int, parameters: int, shown: Any) -> int:
    """Ask a bot that may write to what it is shown: it gets a copy, with its memory in it.

    Of what it writes only the stream and the memory are taken over; after a fault not even these, so that
    it can be asked again what went wrong.
    """
    for cell in range(MEMORY):
        view.memory[cell] = hidden.memory[seat, cell]
    shown[0] = view
    copy = shown[0]
    move = call_bot(address, parameters, copy)
    if move != FAULT:
        hidden.streams[seat] = copy.stream
        for cell in range(MEMORY):
            hidden.memory[seat, cell] = copy.memory[cell]
    return move


@compiled_inline
def ask(view: Any, hidden: Any, seat: int, address: int, parameters: int, shown: Any) -> int:
    """Show a seat its view and take its answer; its stream goes on from where it was left.

    Parameters
    ----------
    shown : VIEW[0] or VIEW[1]
        Room for the copy the bot is shown; empty where all bots are known to leave the view alone.
    """
    face(view, hidden, seat)
    if shown.shape[0] > 0:
        return ask_apart(view, hidden, seat, address, parameters, shown)
    move = call_bot(address, parameters, view)
    hidden.streams[uintp(seat)] = view.stream
    return move


@compiled
def tell(
    view: Any,
    hidden: Any,
    what: int,
    bots: Any,
    addresses: Any,
    parameters: Any,
    shown: Any,
) -> int:
    """Tell every seat whose bot wants to know that a match or hand began or a turn was taken.

    Returns
    -------
    int
        Bit per seat whose bot failed. All are told all the same.
    """
    failed = 0
    for seat in range(view.players):
        bot = bots[seat]
        if addresses[bot, what] != 0:
            answer = ask(view, hidden, seat, addresses[bot, what], parameters[bot], shown)
            if answer == FAULT:
                failed |= 1 << seat
    return failed


@compiled
def swap_cards(
    view: Any,
    hidden: Any,
    bots: Any,
    addresses: Any,
    parameters: Any,
    shown: Any,
    forfeits: bool,
    report: Any,
) -> int:
    """Do the exchange between the places of the hand before, asking the upper players where they choose.

    Returns
    -------
    int
        Bit per seat whose bot failed to give a card it holds. With `forfeits` its worst cards are given
        for it; without, nothing more happens, so that the state shows what was asked.
    """
    rules, players = view.rules, view.players
    failed = 0
    leader = view.seat
    for pair in range(2):
        cards = rules.exchange_first if pair == 0 else rules.exchange_second
        if cards == 0 or (pair == 1 and players < 4):
            continue
        upper = seat_of_place(view, 1 + pair)
        lower = seat_of_place(view, players - pair)
        hidden.partner[upper] = lower
        hidden.partner[lower] = upper
        if not rules.returns_choice:
            swap_forced(view, hidden, lower, upper, cards)
            continue
        give_best(view, hidden, lower, upper, cards)
        bot = bots[upper]
        view.seat = upper
        view.beats = SINGLES
        for given in range(cards):
            view.giving = cards - given
            move = FAULT
            if (failed >> upper) & 1 == 0:
                move = ask(view, hidden, upper, addresses[bot, GIVE], parameters[bot], shown)
                if move < 0 or not is_legal(view, move):
                    failed |= 1 << upper
                    report[SEAT], report[MOVE], report[ASKED] = upper, move, GIVE
                    if not forfeits:
                        return failed
            if (failed >> upper) & 1:
                move = worst_card(view, hidden.hands[upper], hidden.lone == upper)
            give_card(view, hidden, upper, lower, move)
        view.giving = 0
        view.beats = EVERY
    view.seat = leader
    return failed


@compiled
def drop_all(view: Any, hidden: Any, failed: int, faults: Any) -> None:
    """Count a fault of every seat in a bit set, and take those still in the hand out of it."""
    for seat in range(view.players):
        if (failed >> seat) & 1:
            faults[seat] += 1
            if view.seat >= 0 and (view.alive >> seat) & 1:
                forfeit(view, hidden, seat)


@compiled
def end_match(view: Any, totals: Any, standings: Any) -> int:
    """Tell whether the match is over after this hand; if so fill in the standings.

    With ``match_points`` the best placed of those who reached them wins, even with fewer points; all else
    goes by points, then by the better place in the last hand (the rules' end and standings).

    Parameters
    ----------
    totals : int16[players]
        Points by seat, this hand's included.
    standings : int8[players]
        Filled in.

    Returns
    -------
    int
        The winner's seat, -1 while the match goes on.
    """
    rules, players = view.rules, view.players
    winner = -1
    if rules.match_points > 0:
        for seat in range(players):
            if totals[seat] >= rules.match_points and (winner < 0 or view.puesto[seat] < view.puesto[winner]):
                winner = seat
        if winner < 0:
            return -1
    elif view.hand_number < rules.match_hands:
        return -1
    for seat in range(players):
        standing = 1
        for rival in range(players):
            if rival == seat:
                continue
            ahead = totals[rival] > totals[seat] or (
                totals[rival] == totals[seat] and view.puesto[rival] < view.puesto[seat]
            )
            if rival == winner:
                ahead = True
            elif seat == winner:
                ahead = False
            if ahead:
                standing += 1
        standings[seat] = standing
    if winner < 0:
        for seat in range(players):
            if standings[seat] == 1:
                winner = seat
    return winner


@compiled
def keep_exchange(hidden: Any, trace: Any, leader: int) -> None:
    """Write down who gave what before the first turn of a hand, and who leads it."""
    trace.leader = leader
    for seat in range(SEATS):
        trace.given[seat] = hidden.given[seat]


@compiled
def keep_turns(view: Any, trace: Any) -> None:
    """Write down the turns of a hand."""
    trace.turns = view.turns
    for number in range(view.turns):
        trace.turn_seat[number] = view.turn_seat[number]
        trace.turn_move[number] = view.turn_move[number]


@compiled
def play_matches(
    view: Any,
    hidden: Any,
    players: int,
    codes: Any,
    seatings: Any,
    deals: Any,
    deal_bounds: Any,
    addresses: Any,
    parameters: Any,
    shown: Any,
    forfeits: bool,
    match_hands: Any,
    match_winner: Any,
    match_totals: Any,
    match_standings: Any,
    match_faults: Any,
    hand_leader: Any,
    hand_turns: Any,
    hand_puestos: Any,
    hand_points: Any,
    trace: Any,
    report: Any,
) -> int:
    """Play whole matches one after the other and write their rows.

    Parameters
    ----------
    view, hidden : records
        A state whose ``view.rules`` hold the table; otherwise scratch.
    players : int
    codes : uint64[m]
        One code a match.
    seatings : int32[m, players]
        Number of the bot in each seat.
    deals : DEAL[d]
        Deals made elsewhere; empty where all are shuffled from the codes.
    deal_bounds : int64[m, 2]
        Each match's first of them, and the one after its last; hands beyond these are shuffled from its code.
    addresses : int64[bots, 5]
        Of the functions for `PLAY`, `GIVE`, `START_MATCH`, `START_HAND`, `OBSERVE`; 0 where there is none.
    parameters : int64[bots]
        Addresses of the bots' parameters.
    shown : VIEW[0] or VIEW[1]
        Empty where all bots are known to leave the view alone, else room for the copy they are shown.
    forfeits : bool
        Does a fault take the bot out of the hand (else the block ends with a report)?
    match_hands, match_winner, match_totals, match_standings, match_faults : arrays
        int16[m], int8[m], int16[m, players], int8[m, players], int16[m, players]; filled in.
    hand_leader, hand_turns, hand_puestos, hand_points : arrays
        int8[h], int16[h], int8[h, players], int8[h, players]; filled in, rows in order.
    trace : TRACE[h] or TRACE[0]
        What happened in each hand, turn by turn; filled in as far as the last hand came. Empty where that
        is not wanted.
    report : int64[5]
        `STATUS`, and of a fault the number of the `MATCH` in this block, `SEAT`, `MOVE` (`FAULT` if the
        bot raised) and what was `ASKED`.

    Returns
    -------
    int
        Number of hands played.
    """
    rules = view.rules
    # any bot that wants to hear of turns, or of a hand's start, makes all turns a little slower
    hears_hands, hears_turns = False, False
    for bot in range(addresses.shape[0]):
        hears_hands |= addresses[bot, START_HAND] != 0
        hears_turns |= addresses[bot, OBSERVE] != 0
    row = 0
    for match in range(codes.shape[0]):
        code = codes[match]
        bots = seatings[match]
        start_match(view, hidden, players, code)
        asked = PLAY
        totals = match_totals[match]
        for seat in range(players):
            totals[seat] = 0
        winner = -1
        while winner < 0:
            view.hand_number += 1
            start_hand(view, hidden)
            given = -1
            if deals.shape[0] > 0:
                given = deal_bounds[match, 0] + view.hand_number - 1
            if given >= 0 and given < deal_bounds[match, 1]:
                deal_out(view, hidden, deals[given])
            else:
                shuffle(hidden, rules.deck_size, code, view.hand_number)
                deal(view, hidden)
            out_at_once = 0
            if view.hand_number == 1:
                out_at_once = tell(view, hidden, START_MATCH, bots, addresses, parameters, shown)
                asked = START_MATCH
            else:
                out_at_once = swap_cards(view, hidden, bots, addresses, parameters, shown, forfeits, report)
                if out_at_once and not forfeits:
                    report[STATUS], report[MATCH] = FAULTED, match
                    if trace.shape[0] > 0:
                        keep_exchange(hidden, trace[row], view.seat)
                        trace[row].turns = -1
                    return row
            if hears_hands:
                failed = tell(view, hidden, START_HAND, bots, addresses, parameters, shown)
                if out_at_once == 0:
                    asked = START_HAND
                out_at_once |= failed
            hand_leader[row] = view.seat
            if trace.shape[0] > 0:
                keep_exchange(hidden, trace[row], view.seat)
            if out_at_once:
                if not forfeits:
                    report[STATUS], report[MATCH], report[SEAT] = FAULTED, match, lowest(out_at_once)
                    report[MOVE], report[ASKED] = FAULT, asked
                    return row
                drop_all(view, hidden, out_at_once, match_faults[match])

            while view.seat >= 0:
                seat = view.seat
                who = uintp(bots[uintp(seat)])
                move = ask(view, hidden, seat, addresses[who, PLAY], parameters[who], shown)
                if is_legal(view, move):
                    turn(view, hidden, move)
                else:
                    if not forfeits:
                        report[STATUS], report[MATCH], report[SEAT] = FAULTED, match, seat
                        report[MOVE], report[ASKED] = move, PLAY
                        if trace.shape[0] > 0:
                            keep_turns(view, trace[row])
                        return row
                    match_faults[match, seat] += 1
                    forfeit(view, hidden, seat)
                if hears_turns:
                    failed = tell(view, hidden, OBSERVE, bots, addresses, parameters, shown)
                    if failed:
                        if not forfeits:
                            report[STATUS], report[MATCH], report[SEAT] = FAULTED, match, lowest(failed)
                            report[MOVE], report[ASKED] = FAULT, OBSERVE
                            if trace.shape[0] > 0:
                                keep_turns(view, trace[row])
                            return row
                        drop_all(view, hidden, failed, match_faults[match])

            if trace.shape[0] > 0:
                keep_turns(view, trace[row])
            hand_turns[row] = view.turns
            for seat in range(players):
                place = view.puesto[seat]
                points = rules.points[place]
                hand_puestos[row, seat] = place
                hand_points[row, seat] = points
                totals[seat] += points
            row += 1
            winner = end_match(view, totals, match_standings[match])
            for seat in range(players):
                view.before[seat] = view.puesto[seat]
                view.points[seat] = totals[seat]
        match_hands[match] = view.hand_number
        match_winner[match] = winner
    return row
