"""Why a choice cannot be played, in words for people."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .cards import JOKER, parse_cards, rank_of
from .engine.rules import ladder_of
from .errors import PresiError
from .hand import Hand
from .moves import LONE, PASS, count, size_of, slot_of, wilds_of
from .notation import CHOICE, make_move, parse_move
from .positions import cards_text

_CARDS = ("no card", "one card", "two cards", "three cards", "four cards")
_ON = ("", "a single card", "a pair", "three of a kind", "four of a kind")


class IllegalMove(PresiError):
    """A choice that cannot be played; the hand is as it was before.

    Attributes
    ----------
    choice : str
        What was asked for.
    reason : str
        Why not, as "three cards on a pair".
    """

    def __init__(self, choice: object, reason: str) -> None:
        text = cards_text(choice)
        self.choice = repr(choice) if text is None else text or "nothing"
        self.reason = reason
        super().__init__(f"{self.choice}: {reason}")

    def __reduce__(self) -> Any:
        """Tell pickle how to make the error again."""
        return type(self), (self.choice, self.reason)


def read_choice(hand: Hand, choice: str | Sequence[str]) -> tuple[int, list[str] | None]:
    """Read a choice of the seat to act: cards, or a move as legal lists name it.

    Returns
    -------
    move : int
        Not yet known to be legal.
    cards : list of str or None
        The cards named; None where the text names a move only.

    Raises
    ------
    IllegalMove
        If it names cards that are not held, or that make no move.
    """
    if isinstance(choice, str):
        move = parse_move(hand.table, choice, hand.flipped)
        if move is not None:
            return move, None
        shape = CHOICE.fullmatch(choice.strip().upper())
        if shape is not None:
            raise IllegalMove(choice, _no_move(hand, *shape.groups()))
    table, text = hand.table, cards_text(choice)
    if text is None:
        raise IllegalMove(choice, "a choice is text, as 5x2 or 5o 5c or pass, or a list of cards")
    try:
        cards = parse_cards(text, table.deck, table.jokers)
    except PresiError as error:
        raise IllegalMove(choice, f"no choice and no cards: {error}") from None
    if not cards:
        raise IllegalMove(choice, "name some cards, or pass")
    assert hand.turn is not None
    held = hand.cards[hand.turn]
    for card in cards:
        if card not in held:
            raise IllegalMove(choice, f"{card} is not in hand")
        if cards.count(card) > 1:
            raise IllegalMove(choice, f"{card} is named twice")
    return _move_of_cards(hand, choice, cards, held), cards


def _no_move(hand: Hand, rank: str, size: str, wilds: str | None) -> str:
    """Say why a text that looks like a choice is no move of any hand at this table."""
    table = hand.table
    if rank == JOKER and not table.jokers:
        return f"{table.name} is played without jokers"
    if rank not in ladder_of(table):
        return f"{rank} is no rank of {table.name}: {' '.join(ladder_of(table))}"
    if not 1 <= int(size) <= 4:
        return f"{int(size)} cards: one to four may be played"
    return f"{int(wilds or 0)} wild of {_CARDS[int(size)]}: at least one card is natural"


def _move_of_cards(hand: Hand, choice: str | Sequence[str], cards: list[str], held: list[str]) -> int:
    """Find the move that cards of a hand make."""
    table = hand.table
    lone, wild = table.lone_winner, JOKER if table.joker_role == "wild" else table.wild_rank
    if cards == [lone]:
        return LONE
    if len(cards) > 4:
        raise IllegalMove(choice, f"{len(cards)} cards: at most four may be played")
    naturals = [card for card in cards if rank_of(card) != wild] or cards
    wilds = len(cards) - len(naturals)
    rank = rank_of(naturals[0])
    for card in naturals:
        if rank_of(card) != rank:
            raise IllegalMove(choice, f"{naturals[0]} and {card} are not of one rank")
    if wilds and rank == JOKER:
        raise IllegalMove(choice, "wild cards do not stand for jokers")
    if lone in cards:
        plain = [card for card in held if rank_of(card) == rank and card != lone]
        if len(plain) >= len(naturals):
            instead = " ".join(plain[: len(naturals)])
            raise IllegalMove(
                choice,
                f"{lone} wins alone and stays in hand while plain cards suffice: play {instead}",
            )
    order = [*table.order, JOKER] if table.jokers else list(table.order)
    return make_move(order.index(rank), len(cards), wilds, len(order), hand.flipped)


def why_not(hand: Hand, view: Any, move: int) -> str:
    """Say why a move is not legal for the seat to act.

    Parameters
    ----------
    view : PlainView
        What the seat is shown.
    move : int
        One that is not legal.
    """
    if move == PASS:
        return "the leader may not pass"
    if move == LONE:
        return "not in hand"
    missing = _missing(hand, view, move)
    if missing:
        return missing
    size = size_of(move)
    if view.size and size != view.size:
        return f"{_CARDS[size]} on {_ON[view.size]}"
    if view.size and (slot_of(move) < view.rank or (slot_of(move) == view.rank and not view.equal_skips)):
        assert hand.trick is not None
        rank, word = hand.trick[0], "lower" if hand.flipped else "more"
        return f"needs {word} than {rank}" + (", or an equal" if view.equal_skips else "")
    return f"not one of {', '.join(hand.legal_texts())}"


def _missing(hand: Hand, view: Any, move: int) -> str:
    """Say which cards of a move are not there; empty if all are."""
    slot, wilds = slot_of(move), wilds_of(move)
    naturals = size_of(move) - wilds
    if wilds and view.wild_slot < 0:
        return f"{hand.table.name} has no wild cards"
    if wilds and slot in (view.wild_slot, view.joker_slot):
        return "wild cards do not stand for their own kind"
    if count(view.hand, slot) < naturals or (wilds and count(view.hand, view.wild_slot) < wilds):
        return "not in hand"
    if (
        naturals == 1
        and not wilds
        and view.lone_mine
        and slot == view.lone_slot
        and count(view.hand, slot) == 1
    ):
        lone = hand.table.lone_winner
        return f"not in hand: the only one is {lone}, which wins alone: play {lone}"
    return ""
