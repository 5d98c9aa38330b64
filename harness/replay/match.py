"""A match told as events: the arena plays it as any other, then its turns are gone through once more."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ..arena import Arena, Block
from ..cards import deck_cards
from ..engine.deal import shuffle
from ..engine.records import TRACE
from ..engine.rules import ladder_of, new_state
from ..errors import BotFault, WorkError
from ..hand import Event, Hand
from ..moves import FORFEIT, LONE
from ..swaps import swap
from ..tables import Table

if TYPE_CHECKING:
    from ..deals import Deals


def match_events(
    arena: Arena,
    code: int,
    seating: Sequence[int],
    legal: bool = False,
    deals: Deals | None = None,
    number: int = 0,
) -> Iterator[Event]:
    """Play one match and tell it event by event.

    Parameters
    ----------
    arena : Arena
    code : int
        Match code, without its ``P``.
    seating : sequence of int
        Number of the arena's bot in each seat.
    legal : bool
        Tell with each play and pass what else could have been chosen.
    deals : Deals, optional
        Deals made elsewhere, of which the match has those of their match `number`.

    Yields
    ------
    dict
        As one line of a match as JSON Lines; first ``match``, last ``match_end``.

    Raises
    ------
    BotFault
        After all that happened before it, if a bot failed and the arena's faults are not forfeits.
    """
    table, players = arena.table, arena.players
    trace = np.zeros(table.max_hands(players), TRACE)
    block, fault = _play(arena, code, seating, trace, deals, number)
    yield {
        "event": "match",
        "code": f"P{code}",
        "rules": table.name,
        "table": table.to_json(),
        "bots": [arena.bots[bot].spec.label for bot in seating],
    }
    before: list[int] | None = None
    totals = [0] * players
    for index, record in enumerate(trace):
        if record["leader"] < 0:
            break
        hands = deals.hands(number, index) if deals is not None else None
        first: int | None = index % players
        if hands is None:
            hands = dealt_hands(table, players, code, index + 1)
        else:
            first = first_dealt([len(held) for held in hands])
        yield {"event": "deal", "hand": index + 1, "first_seat": first, "hands": hands}
        if record["turns"] < 0:  # a bot failed to give a card
            break
        if before is not None:
            hands, swaps = swap(table, hands, before, record["given"].tolist())
            yield from swaps
        hand = Hand(table, hands, int(record["leader"]), before, totals=totals)
        yield from _hand_events(hand, record, legal)
        before, totals = hand.places, hand.totals
        if block is not None:
            _compare(block, index, before, int(record["turns"]))
    if fault is not None:
        raise fault
    assert block is not None
    yield {"event": "match_end", "winner": int(block.winner[0]), "standings": block.standings[0].tolist()}


def first_dealt(sizes: Sequence[int]) -> int | None:
    """Tell from the sizes of hands who got the first card; None where they do not tell.

    Examples
    --------
    >>> first_dealt([9, 8, 8, 9]), first_dealt([8, 8]), first_dealt([9, 8, 9, 8])
    (3, None, None)
    """
    players, most = len(sizes), max(sizes)
    for seat in range(players):
        more = sizes.count(most) % players
        if more and all(sizes[(seat + step) % players] == most for step in range(more)):
            return seat
    return None


def dealt_hands(table: Table, players: int, code: int, number: int) -> list[list[str]]:
    """Deal a hand as the match code says.

    Parameters
    ----------
    number : int
        Of the hand, from 1.

    Returns
    -------
    list of list of str
        The cards by seat, in the order in which they were dealt.
    """
    cards = deck_cards(table.deck, table.jokers)
    _, hidden = new_state(table, players)
    shuffle(hidden[0], len(cards), np.uint64(code), number)
    hands: list[list[str]] = [[] for _ in range(players)]
    for position, card in enumerate(hidden[0]["deck"][: len(cards)].tolist()):
        hands[(number - 1 + position) % players].append(cards[card])
    return hands


def _play(
    arena: Arena, code: int, seating: Sequence[int], trace: np.ndarray, deals: Deals | None, number: int
) -> tuple[Block | None, BotFault | None]:
    """Play the match; give its rows, or the fault that ended it."""
    codes, seatings = np.array([code], np.uint64), np.array([seating], np.int32)
    given: dict[str, Any] = {}
    if deals is not None:
        given = {"deals": deals.records, "deal_bounds": deals.bounds[[number]]}
    try:
        return arena.play(codes, seatings, trace=trace, **given), None
    except BotFault as fault:
        return None, fault


def _hand_events(hand: Hand, record: Any, legal: bool) -> Iterator[Event]:
    """Go through the turns of a hand."""
    ladder = len(ladder_of(hand.table))
    turns = int(record["turns"])
    seats, moves = record["turn_seat"][:turns].tolist(), record["turn_move"][:turns].tolist()
    for seat, move in zip(seats, moves, strict=True):
        if move == FORFEIT:
            yield from hand.forfeit(seat)
            continue
        if hand.flipped and move >= 0 and move != LONE:
            move += ladder - 1 - 2 * (move & 15)
        choices = hand.legal_texts() if legal else None
        first, *others = hand.play(move)
        if choices is not None:
            first["legal"] = choices
        yield first
        yield from others


def _compare(block: Block, index: int, places: list[int], turns: int) -> None:
    """Make sure that what is told is what was played."""
    if block.puestos[index].tolist() != places or int(block.turns[index]) != turns:
        raise WorkError(
            f"hand {index + 1} was told otherwise than it was played: please report this fault of the harness"
        )
