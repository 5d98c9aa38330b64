"""Words for a match as people read it: cards, players, places, rules.

What is said is a `Line` of pieces, each a text and what it is (a suit, a title, …): a terminal makes colours
of that, a page makes classes, and neither can mistake a bot's label for its own signs.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ..cards import JOKER, rank_of, suit_of

Piece = tuple[str, str]
"""A text and its kind: a suit, ``joker``, ``bot``, ``title``, ``quiet``, ``alarm``, ``strong`` or nothing."""

Line = list[Piece]
"""What is said in one go."""

FRENCH = {"c": ("♣", "clubs"), "d": ("♦", "diamonds"), "h": ("♥", "hearts"), "s": ("♠", "spades")}
"""Sign and name of the French suits by letter."""

SPANISH = {"o": "oros", "c": "copas", "e": "espadas", "b": "bastos"}
"""Names of the Spanish suits by letter."""

FORFEIT = "its bot failed, its cards are dead"
"""What a forfeit is."""

_DECKS = {
    "spanish48": "48 Spanish cards",
    "spanish40": "40 Spanish cards (no 8 and 9)",
    "french52": "52 French cards",
}


def ordinal(number: int) -> str:
    """Write a place.

    Examples
    --------
    >>> [ordinal(place) for place in (1, 2, 3, 4, 7)]
    ['1st', '2nd', '3rd', '4th', '7th']
    """
    return f"{number}{ {1: 'st', 2: 'nd', 3: 'rd'}.get(number, 'th') }"


def plain(line: Iterable[Piece]) -> str:
    """Give a line as text alone.

    Examples
    --------
    >>> plain([("5♣", "clubs"), (" led", "")])
    '5♣ led'
    """
    return "".join(text for text, _ in line)


def joined(lines: Iterable[Line], between: str) -> Line:
    """Put lines one behind the other.

    Examples
    --------
    >>> joined([[("a", "bot")], [("b", "")]], ", ")
    [('a', 'bot'), (', ', ''), ('b', '')]
    """
    whole: Line = []
    for line in lines:
        whole += ([(between, "")] if whole else []) + line
    return whole


def printable(text: str) -> str:
    r"""Put a mark for every character that a terminal would obey instead of showing it.

    Examples
    --------
    >>> printable("red\x1b[31m")
    'red�[31m'
    """
    return "".join(letter if letter.isprintable() else "�" for letter in text)


def cut(text: str, width: int) -> str:
    """Shorten a text to a width, with a mark that something is missing.

    Examples
    --------
    >>> cut("montecarlo:worlds=64", 16), cut("keep", 16)
    ('montecarlo:worl…', 'keep')
    """
    return text if len(text) <= width else text[: width - 1] + "…"


def cut_apart(texts: Sequence[str], width: int) -> list[str]:
    """Shorten texts to a width, or to the least width at which different ones stay different.

    Examples
    --------
    >>> cut_apart(["champion:worlds=64", "champion:worlds=128", "keep"], 8)
    ['champion:worlds=64', 'champion:worlds=1…', 'keep']
    """
    while len({cut(text, width) for text in texts}) < len(set(texts)):
        width += 1
    return [cut(text, width) for text in texts]


class Words:
    """How this match's cards, players and places are called.

    Parameters
    ----------
    match : mapping
        The event ``match``.

    Attributes
    ----------
    table : mapping
        Every field of the table.
    bots : list of str
        Labels by seat, fit to be printed.
    titles : list of str
        By place from 1 on; empty where a place has none.
    """

    def __init__(self, match: Mapping[str, Any]) -> None:
        self.table: Mapping[str, Any] = match["table"]
        self.code, self.rules_name = printable(match["code"]), printable(match["rules"])
        self.bots = [printable(label) for label in match["bots"]]
        self.players = len(self.bots)
        titles = self.table.get("titles") or {}  # no part of the rules, so they may be missing
        given = titles.get(str(self.players)) or ()
        self.titles = [printable(title) for title in given] or [""] * self.players
        self.french = self.table["deck"] == "french52"
        self.wild: str | None = JOKER if self.table["joker_role"] == "wild" else self.table.get("wild_rank")

    # --- cards ------------------------------------------------------------------------------------------

    def strength(self, card: str) -> tuple[int, str]:
        """Give what cards are sorted by, weakest first in the normal order; the lone winner is best."""
        order = list(self.table["order"])
        if card == self.table["lone_winner"]:
            return len(order) + 1, ""
        if rank_of(card) == JOKER:
            return len(order), card
        suits = "".join(FRENCH if self.french else SPANISH)
        return order.index(rank_of(card)), str(suits.index(suit_of(card)))

    def kind(self, card: str) -> str:
        """Give the kind of a card's piece: the name of its suit, or ``joker``."""
        suit = suit_of(card)
        if not suit:
            return "joker"
        return FRENCH[suit][1] if self.french else SPANISH[suit]

    def short(self, card: str) -> Piece:
        """Give a card as short as may be: ``5♣``, ``12b``, ``JK1``."""
        suit = suit_of(card)
        return (rank_of(card) + FRENCH[suit][0] if suit and self.french else card), self.kind(card)

    def card(self, card: str) -> Line:
        """Give a card with its suit: ``5♣``, ``12 bastos``, ``JK1``."""
        if self.french or not suit_of(card):
            return [self.short(card)]
        return [(f"{rank_of(card)} {self.kind(card)}", self.kind(card))]

    def hand(self, cards: Iterable[str]) -> Line:
        """Give cards held, weakest first."""
        return joined([[self.short(card)] for card in sorted(cards, key=self.strength)], " ")

    def play(self, cards: Sequence[str]) -> Line:
        """Give a play: the cards of its rank, then those that stand in: ``9♣ + JK1``, ``5 oros·bastos``."""
        rank = self.rank_played(cards)
        by_strength = sorted(cards, key=self.strength)
        naturals = [card for card in by_strength if rank_of(card) == rank]
        wilds = [[("+ ", ""), *self.card(card)] for card in by_strength if rank_of(card) != rank]
        if self.french or rank == JOKER:
            return joined([*map(self.card, naturals), *wilds], " ")
        suits: list[Line] = [[(self.kind(card), self.kind(card))] for card in naturals]
        return joined([[(f"{rank} ", ""), *joined(suits, "·")], *wilds], " ")

    def rank_played(self, cards: Sequence[str]) -> str:
        """Tell the rank a play has: that of the cards that are not wild, if there are any."""
        ranks = [rank_of(card) for card in cards]
        return next((rank for rank in ranks if rank != self.wild), ranks[0])

    # --- players and places -----------------------------------------------------------------------------

    def seat(self, seat: int) -> Line:
        """Give a seat and who sits there."""
        return [(f"{seat} ", "quiet"), (self.bots[seat], "bot")]

    def title(self, place: int) -> str:
        """Give the title of a place; nothing where there is none."""
        return self.titles[place - 1] if 0 < place <= len(self.titles) else ""

    def place(self, place: int) -> Line:
        """Give a place and its title: ``2nd (vicepresidente)``."""
        return [(ordinal(place), "strong"), *self.titled(place)]

    def titled(self, place: int) -> Line:
        """Give the title of a place to be put behind something; nothing where there is none."""
        title = self.title(place)
        return [(" (", ""), (title, "title"), (")", "")] if title else []

    # --- rules ------------------------------------------------------------------------------------------

    def rules(self) -> list[str]:
        """Tell the rules of the table in a few words each."""
        table = self.table
        jokers, points = table["jokers"], table["points"].get(str(self.players), ())
        up, second = table["exchange"]
        swapped = f"{up} and {second}" if self.players > 3 and second else f"{up}"
        back = "gives what it likes back" if table["exchange_return"] == "choice" else "gives its worst back"
        order = "four cards reverse the order"
        lines = {
            _DECKS[table["deck"]] + (f" and {jokers} jokers, {table['joker_role']}" if jokers else ""): True,
            f"weakest to strongest {' '.join(table['order'])}" + (f" {JOKER}" if jokers else ""): True,
            f"{table['wild_rank']} is wild": table["wild_rank"],
            f"{plain(self.card(table['opening_card']))} leads hand 1, then the {table['later_leader']}": True,
            "an equal skips a player" if table["equal"] == "skip" else "no equals": True,
            "who passes is out of the trick" if table["pass_locks"] else "one may play after a pass": True,
            "running out closes the trick": table["out_closes_trick"],
            f"{plain(self.card(table['lone_winner'] or JOKER))} alone wins at once": table["lone_winner"],
            order: table["revolution"] == "order",
            f"{order} and the direction": table["revolution"] == "order_and_direction",
            f"{table['cut_rank']} cuts": table["cut_rank"],
            "the president goes out first or falls": table["president_falls"],
            f"exchange of {swapped}, the upper {back}": up or (second and self.players > 3),
            f"points {' '.join(map(str, points))}": True,
            f"until {table['match_points']} points": table["match_points"],
            f"{table['match_hands']} hand{'s' if table['match_hands'] != 1 else ''}": table["match_hands"],
        }
        return [line for line, holds in lines.items() if holds]

    def legend(self) -> str:
        """Say what the letters of short Spanish cards mean; nothing for French ones."""
        if self.french:
            return ""
        suits = ", ".join(f"{letter} {name}" for letter, name in SPANISH.items())
        return f"{suits}; 10 sota, 11 caballo, 12 rey"
