"""Reading and checking positions that people write: hands, places."""

from __future__ import annotations

from collections.abc import Sequence

from .cards import parse_cards
from .errors import PresiError
from .tables import Table, TableError


def read_cards(table: Table, cards: str | Sequence[str], field: str) -> list[str]:
    """Read cards of a table's deck, as text or as a list.

    Raises
    ------
    TableError
        If a word is no card of the deck.
    """
    text = cards if isinstance(cards, str) else " ".join(map(str, cards))
    try:
        return parse_cards(text, table.deck, table.jokers)
    except PresiError as error:
        raise TableError(field, text, "", why=str(error)) from None


def check_hands(table: Table, hands: Sequence[str | Sequence[str]]) -> list[list[str]]:
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


def check_places(table: Table, places: Sequence[int], players: int) -> list[int]:
    """Read the places of a hand, by seat.

    Raises
    ------
    TableError
        If they are not 1 to the number of players, each once.
    """
    try:
        read = [int(place) for place in places]
    except (TypeError, ValueError):
        read = []
    if sorted(read) != list(range(1, players + 1)):
        order = ", ".join(map(str, range(1, players + 1)))
        given = list(places) if isinstance(places, Sequence) else places
        raise TableError("previous", given, f"the places {order}, one for each seat")
    return read


def check_seat(seat: object, players: int, field: str) -> int:
    """Read a seat.

    Raises
    ------
    TableError
    """
    if isinstance(seat, bool) or not isinstance(seat, int) or not 0 <= seat < players:
        raise TableError(field, seat, f"a seat, 0 to {players - 1}")
    return seat
