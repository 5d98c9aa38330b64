"""Deals made elsewhere: read from a file, one hand a line, for matches on a site's real cards.

    {"hands": [["3o", "5c"], ["4b", "7e"]], "leader": 0}

(Shortened.) ``hands`` are the cards by seat as dealt, before any exchange; ``leader`` is the seat that led,
as the rules say if left out. The lines are the hands of one match in order; where a file holds several
matches, each line says which by ``"match": ANYTHING``, and a new value begins the next match. A match that
needs more hands than it has lines goes on with deals shuffled from its code.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .cards import deck_cards, parse_cards
from .engine.records import DEAL
from .errors import PresiError
from .positions import cards_text
from .tables import Table

_SHAPE = 'each line is an object as {"hands": [["3o", ...], ...], "leader": 0}'


@dataclass(frozen=True, eq=False)
class Deals:
    """The deals of some matches at one table.

    Attributes
    ----------
    path : Path
        The file they were read from.
    digest : str
        SHA-256 of the deals in hexadecimal, however the file writes them.
    players : int
    records : DEAL[d]
        All hands in order.
    bounds : int64[m, 2]
        Each match's first record, and the one after its last.
    cards : tuple of str
        The deck, by card number.
    """

    path: Path
    digest: str
    players: int
    records: np.ndarray
    bounds: NDArray[np.int64]
    cards: tuple[str, ...]

    @property
    def matches(self) -> int:
        """How many matches the file holds."""
        return len(self.bounds)

    def to_json(self) -> dict[str, Any]:
        """Say where the deals are and which they are."""
        return {"path": str(self.path), "digest": self.digest, "matches": self.matches}

    def write(self, file: Path) -> None:
        """Write the deals as `read_deals` reads them."""
        lines = []
        for match in range(self.matches):
            for index in range(int(self.bounds[match, 1] - self.bounds[match, 0])):
                leader = int(self.records[self.bounds[match, 0] + index]["leader"])
                deal: dict[str, Any] = {"match": match, "hands": self.hands(match, index)}
                if leader >= 0:
                    deal["leader"] = leader
                lines.append(json.dumps(deal) + "\n")
        file.write_text("".join(lines), encoding="utf-8")

    def hands(self, match: int, index: int) -> list[list[str]] | None:
        """Give the cards by seat of a hand, from 0; None beyond the last that was dealt elsewhere."""
        at = int(self.bounds[match, 0]) + index
        if at >= self.bounds[match, 1]:
            return None
        seats = self.records[at]["seat_of_card"]
        return [
            [card for card, owner in zip(self.cards, seats, strict=False) if owner == seat]
            for seat in range(self.players)
        ]


def read_deals(path: str | os.PathLike[str], table: Table, players: int) -> Deals:
    """Read a file of deals.

    Parameters
    ----------
    path : path
    table : Table
        Whose deck they are of.
    players : int
        Seats.

    Returns
    -------
    Deals

    Raises
    ------
    PresiError
        Naming file, line, field, value and what is allowed.
    """
    file = Path(path)
    try:
        text = file.read_text(encoding="utf-8")
    except OSError as error:
        raise PresiError(f"deals {file}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise PresiError(f"deals {file}: not a text file in UTF-8") from None
    cards = deck_cards(table.deck, table.jokers)
    records: list[tuple[Any, int]] = []
    bounds: list[list[int]] = []
    last: object = None
    seen: set[str] = set()
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip():
            continue
        try:
            deal = _read_line(line, table, players, cards)
        except PresiError as error:
            raise PresiError(f"deals {file}, line {number}: {error}") from None
        if not bounds or deal["match"] != last:
            name = json.dumps(deal["match"])
            if name in seen:
                raise PresiError(
                    f"deals {file}, line {number}: match {name} again; "
                    "the hands of a match stand together, in order"
                )
            seen.add(name)
            bounds.append([len(records), len(records)])
        last = deal["match"]
        records.append((deal["seats"], deal["leader"]))
        bounds[-1][1] = len(records)
    if not records:
        raise PresiError(f"deals {file}: no deals in it; {_SHAPE}")
    array = np.zeros(len(records), DEAL)
    for row, (seats, leader) in zip(array, records, strict=True):
        row["seat_of_card"] = -1
        row["seat_of_card"][: len(cards)] = seats
        row["leader"] = leader
    limits = np.array(bounds, np.int64)
    digest = hashlib.sha256(array.tobytes() + limits.tobytes()).hexdigest()
    return Deals(file.resolve(), digest, players, array, limits, cards)


def _read_line(line: str, table: Table, players: int, cards: tuple[str, ...]) -> dict[str, Any]:
    """Read one hand."""
    try:
        deal = json.loads(line)
    except ValueError as error:
        raise PresiError(f"not JSON: {error}") from None
    if not isinstance(deal, dict) or not isinstance(deal.get("hands"), list):
        raise PresiError(_SHAPE)
    unknown = set(deal) - {"hands", "leader", "match"}
    if unknown:
        raise PresiError(f"{sorted(unknown)[0]}: unknown; allowed are hands, leader, match")
    hands = deal["hands"]
    if len(hands) != players:
        raise PresiError(f"hands: {len(hands)} of them for {players} seats")
    seats = [-1] * len(cards)
    for seat, held in enumerate(hands):
        words = cards_text(held)
        if words is None:
            raise PresiError(f"hands: {json.dumps(held)} for seat {seat}: cards are text, or a list of texts")
        for card in parse_cards(words, table.deck, table.jokers):
            at = cards.index(card)
            if seats[at] >= 0:
                raise PresiError(f"hands: {card} is there twice")
            seats[at] = seat
    if -1 in seats:
        raise PresiError(f"hands: {cards[seats.index(-1)]} is missing; all {len(cards)} cards are dealt")
    sizes = Counter(seats)
    if max(sizes.values()) - min(sizes[seat] for seat in range(players)) > 1:
        dealt = ", ".join(str(sizes[seat]) for seat in range(players))
        raise PresiError(f"hands of {dealt} cards: dealt one by one, they differ by one card at most")
    leader = deal.get("leader")
    if leader is not None and (
        isinstance(leader, bool) or not isinstance(leader, int) or not 0 <= leader < players
    ):
        raise PresiError(f"leader {leader!r}: allowed are seats 0 to {players - 1}")
    return {"match": deal.get("match"), "seats": seats, "leader": -1 if leader is None else leader}
