"""A view as plain data with cards and moves as text: what programs in other languages are shown."""

from __future__ import annotations

from typing import Any

from ..engine.rules import ladder_of
from ..moves import EVERY, FORFEIT, LONE_BIT, count, take_cards
from ..notation import legal_texts, move_text
from ..tables import Table


def ranks_of(table: Table, word: int, flipped: bool, lone: bool) -> list[str]:
    """Write a word of cards as ranks, weakest in the normal order first; the lone winner as its card.

    Examples
    --------
    >>> from harness.tables import table
    >>> ranks_of(table("barajamos"), 1 << 2 | 1 << 18, False, False)
    ['5', '5']
    """
    ladder = ladder_of(table)
    last = len(ladder) - 1
    lone_at = ladder.index(table.lone_winner[:-1]) if lone and table.lone_winner else -1
    if lone_at >= 0:
        word = take_cards(word & EVERY, last - lone_at if flipped else lone_at, 1)
    names: list[str] = []
    for at, rank in enumerate(ladder):
        names += [rank] * count(word, last - at if flipped else at)
    if lone_at >= 0 and table.lone_winner:
        names.append(table.lone_winner)
    return names


def seats_in(mask: int, players: int) -> list[int]:
    """List the seats whose bits are set."""
    return [seat for seat in range(players) if mask >> seat & 1]


def view_data(table: Table, view: Any) -> dict[str, Any]:
    """Write everything a view shows as plain data (``docs/exec-bots.md`` explains the fields)."""
    players, flipped = view.players, view.flipped
    ladder = ladder_of(table)

    def rank(slot: int) -> str:
        return ladder[len(ladder) - 1 - slot if flipped else slot]

    plays: list[list[Any]] = [
        [view.turn_seat[turn], "forfeit" if move == FORFEIT else move_text(table, move)]
        for turn, move in enumerate(view.turn_move[: view.turns])
    ]
    return {
        "seat": view.me,
        "players": players,
        "hand_number": view.hand_number,
        "hand": ranks_of(table, view.hand, flipped, view.lone_mine),
        "legal": legal_texts(table, view),
        "trick": {"rank": rank(view.rank), "size": view.size, "seat": view.owner} if view.size else None,
        "left": list(view.left[:players]),
        "passed": seats_in(view.passed, players),
        "places": list(view.puesto[:players]),
        "flipped": flipped,
        "direction": view.direction,
        "played": ranks_of(table, view.played, flipped, view.lone_played),
        "plays": plays,
        "before": list(view.before[:players]),
        "points": list(view.points[:players]),
        "exchange": {
            "with": view.partner,
            "gave": ranks_of(table, view.given, flipped, bool(view.given & LONE_BIT)),
            "got": ranks_of(table, view.received, flipped, bool(view.received & LONE_BIT)),
        }
        if view.partner >= 0
        else None,
    }
