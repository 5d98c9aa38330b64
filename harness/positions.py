"""Reading positions that people write: hands, places, seats."""

from __future__ import annotations

import operator
from collections.abc import Iterable, Sequence

from .cards import parse_cards
from .errors import PresiError
from .tables import Table, TableError


def cards_text(cards: object) -> str | None:
    """Put cards given as text or as a list into one text; None if they are neither."""
    if isinstance(cards, str):
        return cards
    if isinstance(cards, Sequence) and all(isinstance(card, str) for card in cards):
        return " ".join(cards)
    return None


def read_cards(table: Table, cards: object, field: str) -> list[str]:
    """Read cards of a table's deck, as text or as a list.

    Raises
    ------
    TableError
        If a word is no card of the deck.
    """
    text = cards_text(cards)
    if text is None:
        raise TableError(field, cards, 'cards as text, as "3o 5c", or a list of them')
    try:
        return parse_cards(text, table.deck, table.jokers)
    except PresiError as error:
        raise TableError(field, text, "", why=str(error)) from None


def read_hands(table: Table, hands: object) -> list[list[str]]:
    """Read the cards of every seat: any of the deck, each once, at least one a seat.

    Raises
    ------
    TableError
        Naming what is wrong with which seat.
    """
    least, most = table.players
    if isinstance(hands, str) or not isinstance(hands, Sequence):
        raise TableError("hands", hands, "a list of hands, one for each seat")
    if not least <= len(hands) <= most:
        raise TableError("hands", f"{len(hands)} seats", f"{least} to {most} at {table.name}")
    read = [read_cards(table, held, "hands") for held in hands]
    owner: dict[str, int] = {}
    for seat, held in enumerate(read):
        if not held:
            raise TableError("hands", None, "at least one card a seat", why=f"seat {seat} has no cards")
        for card in held:
            if card in owner:
                where = f"seat {seat}" if owner[card] == seat else f"seats {owner[card]} and {seat}"
                raise TableError("hands", card, "each card once", why=f"it is there twice, with {where}")
            owner[card] = seat
    return read


def whole(value: object) -> int | None:
    """Give a whole number of whatever type as an int; None for anything else, bools too."""
    if isinstance(value, bool):
        return None
    try:
        return operator.index(value)  # type: ignore[arg-type]
    except TypeError:
        return None


def read_places(places: object, players: int) -> list[int]:
    """Read the places of a hand, by seat.

    Raises
    ------
    TableError
        If they are not 1 to the number of players, each once.
    """
    given = list(places) if isinstance(places, Iterable) and not isinstance(places, str) else places
    read = [whole(place) or 0 for place in given] if isinstance(given, list) else []
    if sorted(read) != list(range(1, players + 1)):
        order = ", ".join(map(str, range(1, players + 1)))
        raise TableError("previous", given, f"the places {order}, one for each seat")
    return read


def read_seat(seat: object, players: int, field: str) -> int:
    """Read a seat.

    Raises
    ------
    TableError
    """
    number = whole(seat)
    if number is None or not 0 <= number < players:
        raise TableError(field, seat, f"a seat, 0 to {players - 1}")
    return number
