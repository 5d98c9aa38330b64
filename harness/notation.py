"""Where a move becomes text and text a move: `5x2`, `7x3w1`, `JKx2`, `2o`, `pass`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from .engine.rules import ladder_of
from .moves import LONE, LONE_BIT, PASS, size_of, slot_of, wilds_of

if TYPE_CHECKING:
    from .tables import Table


def move_text(table: Table, move: int, flipped: bool = False) -> str:
    """Write a move as `legal` lists name it.

    Parameters
    ----------
    table : Table
    move : int
    flipped : bool
        Are slots those of the reversed order?

    Returns
    -------
    str
        ``pass``, ``RANKxCOUNT``, ``RANKxCOUNTwW`` with wild cards, or the lone winner's card. Anything
        that is no move at all is written as the number it is.
    """
    if move == PASS:
        return "pass"
    if move == LONE and table.lone_winner:
        return table.lone_winner
    ladder = ladder_of(table)
    slot = slot_of(move)
    if not 0 <= move < 256 or slot >= len(ladder):
        return str(move)
    rank = ladder[len(ladder) - 1 - slot if flipped else slot]
    wilds = f"w{wilds_of(move)}" if wilds_of(move) else ""
    return f"{rank}x{size_of(move)}{wilds}"


CHOICE = re.compile(r"([0-9A-Z]+)X([0-9]{1,3})(?:W([0-9]{1,3}))?")
"""What a choice of cards looks like, in capitals."""


def parse_move(table: Table, text: str, flipped: bool = False) -> int | None:
    """Read a move as `move_text` writes it; capitals do not matter.

    Returns
    -------
    int or None
        None if the text is no move of any hand on this table.

    Examples
    --------
    >>> from harness.tables import table
    >>> parse_move(table("barajamos"), "5x2"), parse_move(table("barajamos"), "2o")
    (18, 62)
    >>> parse_move(table("barajamos"), "5x9")
    """
    word = text.strip().upper()
    if word == "PASS":
        return PASS
    if table.lone_winner and word == table.lone_winner.upper():
        return LONE
    match = CHOICE.fullmatch(word)
    ladder = ladder_of(table)
    if match is None or match[1] not in ladder:
        return None
    size, wilds = int(match[2]), int(match[3] or 0)
    if not 1 <= size <= 4 or wilds >= size:
        return None
    return make_move(ladder.index(match[1]), size, wilds, len(ladder), flipped)


def make_move(slot: int, size: int, wilds: int, ladder: int, flipped: bool) -> int:
    """Put a move together; the slot is that of the order not reversed."""
    slot = ladder - 1 - slot if flipped else slot
    return 64 * wilds + 16 * (size - 1) + slot


def word_moves(word: int, wilds: int = 0) -> list[int]:
    """List the moves of a word, in order of their numbers."""
    word = int(word)
    return [64 * wilds + bit for bit in range(63) if word >> bit & 1]


def legal_moves(view: Any) -> list[int]:
    """List all legal moves of the seat a view is shown to, the pass last."""
    moves = [move for move in word_moves(view.legal) if move != LONE]
    if view.wild_slot >= 0:
        for wilds in range(1, 4):
            moves += word_moves(view.legal_wild[wilds - 1], wilds)
    if int(view.legal) & LONE_BIT:
        moves.append(LONE)
    if view.size > 0:
        moves.append(PASS)
    return moves


def legal_texts(table: Table, view: Any) -> list[str]:
    """List all legal moves of the seat a view is shown to, as text."""
    return [move_text(table, move, bool(view.flipped)) for move in legal_moves(view)]
