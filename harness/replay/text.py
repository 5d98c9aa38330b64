"""A match as lines for a terminal."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import click

from ..text import text_table
from .course import Course
from .words import FORFEIT, Line, Words, cut_apart, joined, ordinal, plain

_NAME, _WIDE = 16, 100
_TRICK = 10  # width of the column "trick 12"

_STYLES: dict[str, dict[str, Any]] = {
    "diamonds": {"fg": "red"},
    "hearts": {"fg": "red"},
    "clubs": {"fg": "green"},
    "spades": {"fg": "blue"},
    "oros": {"fg": "yellow"},
    "copas": {"fg": "red"},
    "espadas": {"fg": "blue"},
    "bastos": {"fg": "green"},
    "joker": {"fg": "magenta"},
    "bot": {"fg": "cyan"},
    "title": {"italic": True},
    "quiet": {"dim": True},
    "alarm": {"fg": "magenta", "bold": True},
    "strong": {"bold": True},
}


def render_text(
    events: Iterable[dict[str, Any]], colour: bool = False, legal: bool = False, narrow: bool = False
) -> Iterator[str]:
    """Tell a match in lines, each as soon as it is complete.

    Parameters
    ----------
    events : iterable of dict
        From ``match`` on; may end anywhere. Read one by one.
    colour : bool
        Use ANSI escape codes.
    legal : bool
        Behind each turn show all choices there were, where the events tell them.
    narrow : bool
        Is it for a terminal's width: long names cut, long lines wrapped?

    Yields
    ------
    str
        Lines without their ends.

    Examples
    --------
    >>> from harness.tables import table
    >>> rules = table("presidente-clasico").to_json()
    >>> hands = [["3c", "Ts"], ["4d"], ["5h"], ["6s"]]
    >>> lines = render_text(
    ...     [
    ...         {"event": "match", "code": "P1", "rules": "mine", "table": rules, "bots": list("abcd")},
    ...         {"event": "deal", "hand": 1, "first_seat": 0, "hands": hands},
    ...         {"event": "play", "seat": 0, "cards": ["3c"]},
    ...     ]
    ... )
    >>> next(lines)
    'P1 · mine · 4 players'
    >>> list(lines)[-1]
    '  trick 1   0 a  3♣            1 left'
    """
    teller = _Teller(legal, narrow)
    try:
        for event in events:
            for line in teller.tell(event):
                yield _dress(line, colour)
    except Exception:
        # A bot that fails ends the match in the middle: what it last saw is what people want to see.
        for line in teller.complete():
            yield _dress(line, colour)
        raise
    for line in teller.complete():
        yield _dress(line, colour)


def _dress(line: Line, colour: bool) -> str:
    if not colour:
        return plain(line).rstrip()
    return "".join(click.style(text, **_STYLES[kind]) if kind else text for text, kind in line)


def _padded(line: Line, width: int) -> Line:
    return [*line, (" " * max(2, width - len(plain(line))), "")]


class _Teller:
    """Turns events into lines. A turn's line waits for what the turn causes: a skip, somebody out."""

    def __init__(self, legal: bool, narrow: bool) -> None:
        self._legal, self._narrow = legal, narrow
        self._turn: Line | None = None  # waits
        self._remarks: list[Line] = []  # to be put behind it
        self._choices: Line = []  # and under it
        self._number, self._opens = 0, True  # of the trick; is the next turn its first?

    def tell(self, event: dict[str, Any]) -> Iterator[Line]:
        """Give the lines that the next event makes complete."""
        if event["event"] == "match":
            self._words = Words(event)
            self._course = Course(self._words)
            self._names = cut_apart(self._words.bots, _NAME) if self._narrow else self._words.bots
            self._column = 4 + max(map(len, self._names))
            yield from self._head()
            return
        self._course.follow(event)
        if event["event"] in ("out", "fall", "skip"):
            self._remarks.append(self._caused(event))
            return
        yield from self.complete()
        match event["event"]:
            case "play" | "pass" | "forfeit":
                self._take_turn(event)
            case "trick":
                yield self._won(event)
            case "deal":
                yield from self._deal(event)
            case "exchange":
                yield self._exchange(event)
            case "hand_end":
                yield from self._hand_end(event)
            case "match_end":
                yield from self._match_end(event)

    def complete(self) -> Iterator[Line]:
        """Give the line that waits, if one does."""
        if self._turn is not None:
            yield self._turn + joined(self._remarks, " · ")
            if self._choices:
                yield self._choices
        self._turn, self._remarks, self._choices = None, [], []

    # --- the frame --------------------------------------------------------------------------------------

    def _head(self) -> Iterator[Line]:
        words = self._words
        yield [(f"{words.code} · {words.rules_name} · {words.players} players", "strong")]
        for text in filter(None, ("; ".join(words.rules()), words.legend())):
            for line in textwrap.wrap(text, _WIDE, break_on_hyphens=False) if self._narrow else [text]:
                yield [("  ", ""), (line, "quiet")]
        for seat, label in enumerate(words.bots):
            yield [("  seat ", ""), (f"{seat} ", "quiet"), (label, "bot")]

    def _deal(self, event: dict[str, Any]) -> Iterator[Line]:
        self._number, self._opens = 0, True
        yield []
        head: Line = [(f"Hand {event['hand']}", "strong")]
        if event["first_seat"] is not None:  # else dealt elsewhere
            head += [(", first card to ", "quiet"), *self._words.seat(event["first_seat"])]
        yield head
        for seat, cards in enumerate(event["hands"]):
            yield [("  ", ""), *self._name(seat), *self._words.hand(cards)]

    def _exchange(self, event: dict[str, Any]) -> Line:
        words, before = self._words, self._course.before
        cards = joined(map(words.card, event["cards"]), ", ")
        giver, taker = (
            [*words.seat(seat), *words.titled(before[seat])] for seat in (event["from"], event["to"])
        )
        return [("  ", ""), *giver, (" gives ", ""), *cards, (" to ", ""), *taker]

    def _hand_end(self, event: dict[str, Any]) -> Iterator[Line]:
        words, cards = self._words, self._course.cards
        rows = [
            [
                ordinal(place),
                words.title(place),
                seat,
                self._names[seat],
                event["points"][seat],
                event["totals"][seat],
                plain(words.hand(cards[seat])),
            ]
            for place, seat in sorted((place, seat) for seat, place in enumerate(event["puestos"]))
        ]
        yield []
        yield from _table(["puesto", "title", "seat", "bot", "points", "total", "cards left"], rows)

    def _match_end(self, event: dict[str, Any]) -> Iterator[Line]:
        words, hands = self._words, self._course.hand
        over = f" wins the match after {hands} hand{'s' if hands > 1 else ''}"
        rows = [
            [ordinal(standing), seat, self._names[seat], self._course.totals[seat]]
            for standing, seat in sorted((place, seat) for seat, place in enumerate(event["standings"]))
        ]
        yield []
        yield [*words.seat(event["winner"]), (over, "strong")]
        yield from _table(["standing", "seat", "bot", "points"], rows)

    # --- turns ------------------------------------------------------------------------------------------

    def _take_turn(self, event: dict[str, Any]) -> None:
        words, seat = self._words, event["seat"]
        if self._opens:
            self._number += 1
        trick = f"trick {self._number}" if self._opens else ""
        self._opens = False
        match event["event"]:
            case "play":
                what = _padded(words.play(event["cards"]), 14 if words.french else 22)
                left = len(self._course.cards[seat])
                if left:  # else it is out, which comes as a remark
                    self._remarks.append([(f"{left} left", "quiet")])
                remarks = self._course.remarks
                if self._course.led and self._course.flipped and not remarks:
                    remarks = ["order reversed"]  # said again in every trick: it changes what is strong
                self._remarks += [[(remark, "alarm")] for remark in remarks]
            case "pass":
                what = [("pass", "quiet")]
            case _:
                what = [("forfeit: ", "alarm"), (f"{FORFEIT}, ", ""), *words.place(event["puesto"])]
        self._turn = [(f"  {trick:<{_TRICK}}", "quiet"), *self._name(seat), *what]
        if self._legal and "legal" in event:
            choices = " ".join(event["legal"])
            self._choices = [(f"{'':{2 + _TRICK + self._column}}choices: {choices}", "quiet")]

    def _caused(self, event: dict[str, Any]) -> Line:
        """Tell what a turn brought about."""
        words, seat = self._words, event["seat"]
        if event["event"] == "skip":
            return [*words.seat(seat), (" is skipped", "")]
        place = words.place(self._course.places[seat])
        if event["event"] == "out":
            return [("out: ", ""), *place]
        return [*words.seat(seat), (" falls: ", "alarm"), *place]

    def _won(self, event: dict[str, Any]) -> Line:
        self._opens = True
        line = [(f"{'':{2 + _TRICK}}", ""), ("won by ", "quiet"), *self._words.seat(event["winner"])]
        if event["leader"] != event["winner"]:
            line += [(", ", ""), *self._words.seat(event["leader"]), (" leads next", "quiet")]
        return line

    def _name(self, seat: int) -> Line:
        return _padded([(f"{seat} ", "quiet"), (self._names[seat], "bot")], self._column)


def _table(heads: Sequence[str], rows: Sequence[Sequence[Any]]) -> Iterator[Line]:
    """Lay out a table, without columns in which nothing stands."""
    used = [column for column in range(len(heads)) if any(str(row[column]) for row in rows)]
    text = text_table([heads[i] for i in used], [[row[i] for i in used] for row in rows])
    head, *lines = text.splitlines()
    yield [("  ", ""), (head, "quiet")]
    yield from ([("  ", ""), (line, "")] for line in lines)
