"""Which match is meant: one of a run folder, or one by its code and bots."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ..errors import PresiError, WorkError
from ..hand import Event

if TYPE_CHECKING:
    from ..bots.spec import BotSpec
    from ..deals import Deals
    from ..store import RunFolder
    from ..tables import Table

_CODE = re.compile(r"[Pp]?(\d+)")


def parse_code(text: str) -> int | None:
    """Read a match code, as ``P1151739204``; None if the text is none.

    Raises
    ------
    PresiError
        If it has more than 64 bits.

    Examples
    --------
    >>> parse_code("P1151739204"), parse_code("results/quickstart")
    (1151739204, None)
    """
    match = _CODE.fullmatch(text)
    if match is None:
        return None
    code = int(match[1])
    if code >= 2**64:
        raise PresiError(f"match code {text}: allowed are P0 to P{2**64 - 1}")
    return code


def match_of_code(
    rules: Table,
    bots: Sequence[BotSpec],
    code: int,
    legal: bool = False,
    forfeits: bool = False,
    deals: Deals | None = None,
    number: int = 0,
) -> Iterator[Event]:
    """Play a match by its code and tell it.

    Parameters
    ----------
    rules : Table
    bots : sequence of BotSpec
        One for each seat.
    code : int
    legal : bool
        Tell all choices there were, too.
    forfeits : bool
        Does a bot's fault take it out of the hand (else the match ends there)?
    deals : Deals, optional
        Deals made elsewhere, of which this is match `number`.

    Yields
    ------
    dict
        See `harness.replay.match.match_events`.
    """
    from ..arena import Arena
    from ..bots.ready import make_ready
    from .match import match_events

    arena = Arena(rules, len(bots), [make_ready(spec) for spec in bots], forfeits)
    yield from match_events(arena, code, range(len(bots)), legal, deals, number)


def match_of_run(folder: RunFolder, number: int, legal: bool = False) -> Iterator[Event]:
    """Play a match of a run again and tell it; at its end it is compared with its row in the log.

    Parameters
    ----------
    folder : RunFolder
    number : int
        Of the match.
    legal : bool
        Tell all choices there were, too.

    Yields
    ------
    dict
        See `harness.replay.match.match_events`.

    Raises
    ------
    PresiError
        If the run has no such match, or its bots are no longer what they were.
    WorkError
        If the match comes out otherwise than its row says.
    """
    from ..arena import Arena
    from ..bots.ready import make_ready
    from ..tournament import check_bots_unchanged, engine_changed, request_of
    from .match import match_events

    row = folder.find(number)
    request = request_of(folder)
    check_bots_unchanged(folder, request, "the match cannot be played as it was")
    seating = row.bots[0].tolist()
    used = sorted(set(seating))  # the others of the field need not be made ready
    arena = Arena(
        request.table,
        request.players,
        [make_ready(request.bots[bot]) for bot in used],
        request.on_fault == "forfeit",
    )
    points: list[list[int]] = []
    puestos: list[list[int]] = []
    seats = [used.index(bot) for bot in seating]
    luck = int(request.luck(row.group[0]))
    for event in match_events(arena, int(row.code[0]), seats, legal, request.deals, luck):
        if event["event"] == "hand_end":
            points.append(event["points"])
            puestos.append(event["puestos"])
        yield event
    same = (
        np.array_equal(row.puestos, np.array(puestos))
        and np.array_equal(row.points, np.array(points))
        and row.standings[0].tolist() == event["standings"]
        and int(row.winner[0]) == event["winner"]
    )
    if not same:
        why = "the log was changed, or a bot does not always play alike"
        if engine_changed(folder):
            why = "the rules engine has changed since it was played"
        raise WorkError(f"match {number} comes out otherwise than its row in {folder.path} says: {why}")


def first_event(events: Iterator[Event]) -> tuple[Event, Iterator[Event]]:
    """Take the first event off, so that what is wrong with a request shows before anything is printed."""
    first = next(events)

    def rest() -> Iterator[Any]:
        yield first
        yield from events

    return first, rest()
