"""Decks and the text of cards: `3o`, `12b`, `Ts`, `JK1`.

A card's **id** is its index in `deck_cards`: rank by rank in the deck's own order, suit by suit, then the
jokers. A shuffle is a permutation of these ids.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from .errors import PresiError, near

MAX_JOKERS = 4
"""Most jokers a deck can have."""

JOKER = "JK"
"""The rank of every joker."""


@dataclass(frozen=True)
class Deck:
    """The cards of a pack, jokers left out.

    Attributes
    ----------
    name : str
    ranks : tuple of str
        In the deck's own order, which says nothing about strength (see `Table.order`).
    suits : tuple of str
        One letter each, lowest first where a rule asks for a suit.
    """

    name: str
    ranks: tuple[str, ...]
    suits: tuple[str, ...]


_OROS = ("o", "c", "e", "b")

DECKS: dict[str, Deck] = {
    deck.name: deck
    for deck in (
        Deck("spanish48", tuple(map(str, range(1, 13))), _OROS),
        Deck("spanish40", tuple(str(rank) for rank in range(1, 13) if rank not in (8, 9)), _OROS),
        Deck("french52", tuple("A23456789TJQK"), ("c", "d", "h", "s")),
    )
}
"""Every deck by name."""


@cache
def deck_cards(deck: str, jokers: int = 0) -> tuple[str, ...]:
    """List every card of a deck; the index of a card is its id.

    Parameters
    ----------
    deck : str
        A name in `DECKS`.
    jokers : int
        0 to 4.

    Returns
    -------
    tuple of str
        ``4 * len(ranks) + jokers`` cards: id = 4 * rank index + suit index, then ``JK1`` and on.

    Raises
    ------
    PresiError
        If there is no such deck, or the number of jokers is out of range.

    Examples
    --------
    >>> deck_cards("spanish40", 1)[:5], deck_cards("spanish40", 1)[-1]
    (('1o', '1c', '1e', '1b', '2o'), 'JK1')
    """
    if deck not in DECKS:
        raise PresiError(f"no deck {deck!r}: {near(deck, DECKS)}")
    if not 0 <= jokers <= MAX_JOKERS:
        raise PresiError(f"{jokers} jokers: allowed are 0 to {MAX_JOKERS}")
    ranks, suits = DECKS[deck].ranks, DECKS[deck].suits
    plain = tuple(rank + suit for rank in ranks for suit in suits)
    return plain + tuple(f"{JOKER}{number}" for number in range(1, jokers + 1))


def rank_of(card: str) -> str:
    """Give the rank of a card, ``JK`` for jokers. Does not check that there is such a card.

    Examples
    --------
    >>> rank_of("12b"), rank_of("Ts"), rank_of("JK2")
    ('12', 'T', 'JK')
    """
    return JOKER if card.startswith(JOKER) else card[:-1]


def suit_of(card: str) -> str:
    """Give the suit of a card, ``""`` for jokers. Does not check that there is such a card.

    Examples
    --------
    >>> suit_of("12b"), suit_of("JK2")
    ('b', '')
    """
    return "" if card.startswith(JOKER) else card[-1]


@cache
def _spellings(deck: str | None, jokers: int) -> dict[str, str]:
    """Map the lower-case text of every card to the card."""
    decks = DECKS if deck is None else (deck,)
    return {card.lower(): card for name in decks for card in deck_cards(name, jokers)}


def parse_cards(text: str, deck: str | None = None, jokers: int = MAX_JOKERS) -> list[str]:
    """Read cards as people write them: parted by blanks or commas, in capitals or not.

    Parameters
    ----------
    text : str
    deck : str, optional
        Only cards of this deck are taken; without it, cards of any deck.
    jokers : int
        How many jokers the deck has.

    Returns
    -------
    list of str
        In the order written; the same card twice is left for the caller to judge.

    Raises
    ------
    PresiError
        If some word is no card, or there is no such deck.

    Examples
    --------
    >>> parse_cards("5o, 5c jk1 ts")
    ['5o', '5c', 'JK1', 'Ts']
    """
    known = _spellings(deck, jokers)
    cards = []
    for word in text.replace(",", " ").split():
        card = known.get(word.lower())
        if card is None:
            where = f"of {deck}" if deck else "of any deck"
            shape = "write a rank and a suit letter, as 3o, 12b, Ts, or JK1"
            if deck:
                ranks, suits = " ".join(DECKS[deck].ranks), " ".join(DECKS[deck].suits)
                joker = f", or {JOKER}1 to {JOKER}{jokers}" if jokers else ""
                shape = f"a card is a rank ({ranks}) and a suit ({suits}){joker}"
            raise PresiError(f"{word!r} is no card {where}: {shape}")
        cards.append(card)
    return cards
