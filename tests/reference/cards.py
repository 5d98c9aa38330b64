"""Cards as text: what a deck holds and in which order things are counted out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

JOKER = "JK"

RANKS = {
    "spanish48": ["1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12"],
    "spanish40": ["1", "2", "3", "4", "5", "6", "7", "10", "11", "12"],
    "french52": ["A", "2", "3", "4", "5", "6", "7", "8", "9", "T", "J", "Q", "K"],
}
SUITS = {"spanish48": "oceb", "spanish40": "oceb", "french52": "cdhs"}


def rank_of(card: str) -> str:
    """Say the rank of a card, `JK` for a joker.

    >>> rank_of("12b"), rank_of("Jc"), rank_of("JK2")
    ('12', 'J', 'JK')
    """
    return JOKER if card.startswith(JOKER) else card[:-1]


def suit_number(card: str, deck: str) -> int:
    """Count the suits (or the numbered jokers) from the lowest, 0, up."""
    return int(card[2:]) - 1 if card.startswith(JOKER) else SUITS[deck].index(card[-1])


def whole_deck(table: Mapping[str, Any]) -> list[str]:
    """List every card of the table's deck, its jokers included."""
    plain = [rank + suit for rank in RANKS[table["deck"]] for suit in SUITS[table["deck"]]]
    return plain + [f"{JOKER}{number}" for number in range(1, table["jokers"] + 1)]


def ladder(table: Mapping[str, Any]) -> list[str]:
    """List the ranks from the weakest to the strongest, the joker above all."""
    return [*table["order"], JOKER]


def laid_out(table: Mapping[str, Any], cards: Iterable[str]) -> list[str]:
    """Sort cards by rank, then lowest suit first; the lone winner comes last of its rank.

    The front of such a list is what a player puts down who does not say which suits.
    """
    steps = ladder(table)
    return sorted(
        cards,
        key=lambda card: (
            steps.index(rank_of(card)),
            card == table["lone_winner"],
            suit_number(card, table["deck"]),
        ),
    )


def as_cards(cards: str | Iterable[str]) -> list[str]:
    """Turn `"3o 5c"` or a list of cards into a list of cards."""
    return cards.split() if isinstance(cards, str) else list(cards)
