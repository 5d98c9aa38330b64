"""The course of a match: what is known after each event, which no single event says."""

from __future__ import annotations

from typing import Any

from .words import Words


class Course:
    """Follows a match event by event.

    Parameters
    ----------
    words : Words
        Of the match.

    Attributes
    ----------
    hand : int
        Number of the hand.
    cards : list of list of str
        What each seat holds, dead cards included.
    places, before : list of int
        Places by seat in this hand and in the one before, 0 where there is none (yet).
    totals : list of int
        Points by seat.
    flipped, turned : bool
        Is the order reversed, is the direction?
    led : bool
        Was the last play a lead?
    remarks : list of str
        What the last play did besides: what every player at the table would call out.

    Examples
    --------
    >>> from harness.tables import table
    >>> rules = table("presidente-revolucion").to_json()
    >>> match = {"event": "match", "code": "P1", "rules": "x", "table": rules, "bots": list("abcd")}
    >>> course = Course(Words(match))
    >>> hands = [["4c", "4d", "4h", "4s", "5c"], ["6c"], ["7c"], ["8c"]]
    >>> course.follow({"event": "deal", "hand": 1, "first_seat": 0, "hands": hands})
    >>> course.follow({"event": "play", "seat": 0, "cards": ["4c", "4d", "4h", "4s"]})
    >>> course.cards[0], course.led, course.remarks
    (['5c'], True, ['revolution: order reversed'])
    """

    def __init__(self, words: Words) -> None:
        self._words, nobody = words, [0] * words.players
        self.hand = 0
        self.cards: list[list[str]] = [[] for _ in nobody]
        self.places, self.before, self.totals = list(nobody), list(nobody), list(nobody)
        self.flipped = self.turned = self.led = False
        self.remarks: list[str] = []
        self._empty = True  # does nothing lie on the table?

    def follow(self, event: dict[str, Any]) -> None:
        """Take the next event in. An unknown kind changes nothing."""
        self.remarks = []
        match event["event"]:
            case "deal":
                self.hand = event["hand"]
                self.cards = [list(cards) for cards in event["hands"]]
                self.before, self.places = self.places, [0] * self._words.players
                self.flipped = self.turned = False
                self._empty = True
            case "exchange":
                for card in event["cards"]:
                    self.cards[event["from"]].remove(card)
                    self.cards[event["to"]].append(card)
            case "play":
                self._play(event["seat"], event["cards"])
            case "out" | "forfeit":
                self.places[event["seat"]] = event["puesto"]
            case "fall":
                free = [place for place in range(1, self._words.players + 1) if place not in self.places]
                self.places[event["seat"]] = free[-1]
            case "trick":
                self._empty = True
            case "hand_end":
                self.places, self.totals = list(event["puestos"]), list(event["totals"])

    def _play(self, seat: int, cards: list[str]) -> None:
        table = self._words.table
        for card in cards:
            self.cards[seat].remove(card)
        self.led, self._empty = self._empty, False
        if len(cards) == 4 and table["revolution"] != "none":
            self.flipped = not self.flipped
            self.remarks.append(f"revolution: order {'reversed' if self.flipped else 'back to normal'}")
            if table["revolution"] == "order_and_direction":
                self.turned = not self.turned
                self.remarks[-1] += ", direction too"
        if list(cards) == [table["lone_winner"]]:
            self.remarks.append("wins at once")
        elif self._words.rank_played(cards) == table["cut_rank"]:
            self.remarks.append("cut")
