"""Replays the written trace of a match and finds the first event that breaks a rule."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from .cards import JOKER, rank_of, whole_deck
from .hand import Event, Hand, Refused
from .match import best_cards, leader_of, pairs, result, worst_cards

FIELDS = (
    "deck",
    "players",
    "order",
    "jokers",
    "joker_role",
    "wild_rank",
    "opening_card",
    "later_leader",
    "equal",
    "pass_locks",
    "out_closes_trick",
    "lone_winner",
    "revolution",
    "cut_rank",
    "president_falls",
    "exchange",
    "exchange_return",
    "points",
    "match_points",
    "match_hands",
)


class Disagreement(Exception):
    """A trace and the rules differ.

    Attributes
    ----------
    number : int
        The event at fault, 1 for the first of the trace (one past the last if the trace ends too early).
    expected, found : str
        What the rules want there, and what is there.
    """

    def __init__(self, number: int, expected: str, found: str) -> None:
        super().__init__(f"event {number}: expected {expected}, found {found}")
        self.number, self.expected, self.found = number, expected, found


@dataclass
class Played:
    """What a trace that obeys the rules says, hand by hand; lists of seats are by seat.

    `turns` counts plays and passes of each hand; `forfeits` the seats that forfeited, in order.
    """

    hands: int = 0
    leaders: list[int] = field(default_factory=list)
    turns: list[int] = field(default_factory=list)
    puestos: list[list[int]] = field(default_factory=list)
    points: list[list[int]] = field(default_factory=list)
    forfeits: list[int] = field(default_factory=list)
    totals: list[int] = field(default_factory=list)
    standings: list[int] = field(default_factory=list)
    winner: int = -1


def _text(value: Any) -> str:
    return json.dumps(value, default=repr)


class _Reader:
    """Hands out the events of a trace one by one and remembers where it is."""

    def __init__(self, source: str | Iterable[str | Event]) -> None:
        items = source.splitlines() if isinstance(source, str) else list(source)
        self.items = [item for item in items if not (isinstance(item, str) and not item.strip())]
        self.number = 0

    def wrong(self, expected: str, found: Any) -> Disagreement:
        return Disagreement(self.number, expected, found if isinstance(found, str) else _text(found))

    def take(self, expected: str, *kinds: str) -> Event:
        """Read the next event, which must be one of these kinds."""
        self.number += 1
        if self.number > len(self.items):
            raise self.wrong(expected, "the end of the trace")
        item: Any = self.items[self.number - 1]
        if isinstance(item, str):
            try:
                item = json.loads(item)
            except ValueError:
                raise self.wrong(expected, f"a line that is not JSON: {item[:80]}") from None
        if not isinstance(item, Mapping) or item.get("event") not in kinds:
            raise self.wrong(expected, item)
        return dict(item)

    def take_exactly(self, event: Event) -> None:
        """Read the next event, of which every field is known."""
        found = self.take(_text(event), event["event"])
        for name, value in event.items():
            self.same(f"{name} {_text(value)} in {event['event']}", value, found.get(name))

    def same(self, expected: str, value: Any, found: Any) -> None:
        # Compared as JSON text, so that true is not 1 and a tuple is a list.
        if _text(value) != _text(found):
            raise self.wrong(expected, found)

    def cards(self, what: str, found: Any) -> list[str]:
        if not isinstance(found, list | tuple) or not all(isinstance(card, str) for card in found):
            raise self.wrong(f"{what}: a list of cards", found)
        return list(found)


def check_trace(lines_or_events: str | Iterable[str | Event], n_hands: int | None = None) -> Played:
    """Replay one whole match and compare every event with the rules.

    Parameters
    ----------
    lines_or_events : str or iterable of (str or dict)
        The trace from `match` to `match_end`: one text, its lines, or the events themselves. Fields the
        rules do not know are let through, events they do not know are not.
    n_hands : int, optional
        How many hands the match must have had, where that is known from elsewhere.

    Returns
    -------
    Played
        What happened, for comparing with other records of the match.

    Raises
    ------
    Disagreement
        At the first event that violates the rules.
    """
    reader = _Reader(lines_or_events)
    table, players = _check_match(reader)
    played = Played(totals=[0] * players)
    places: list[int] | None = None
    while True:
        played.hands += 1
        hands = _check_deal(reader, table, players, played.hands)
        if places is not None:
            _check_exchange(reader, table, hands, places)
        places = _check_hand(reader, table, hands, places, played)
        end = result(table, played.totals, places, played.hands)
        if n_hands is not None and (played.hands > n_hands or (end and played.hands < n_hands)):
            raise reader.wrong(f"a match of {n_hands} hands", f"the end of hand {played.hands}")
        if end is not None:
            played.winner, played.standings = end
            reader.take_exactly({"event": "match_end", "winner": end[0], "standings": end[1]})
            break
    if len(reader.items) > reader.number:
        reader.number += 1
        raise reader.wrong("the end of the trace", reader.items[reader.number - 1])
    return played


def _check_match(reader: _Reader) -> tuple[dict[str, Any], int]:
    event = reader.take("the match", "match")
    table, bots = event.get("table"), event.get("bots")
    if not isinstance(table, Mapping):
        raise reader.wrong("a table", table)
    for name in FIELDS:
        if name not in table:
            raise reader.wrong(f"a table with the field {name}", sorted(table))
    if not isinstance(bots, list | tuple):
        raise reader.wrong("bots by seat", bots)
    low, high = table["players"]
    if not low <= len(bots) <= high:
        raise reader.wrong(f"{low} to {high} players", bots)
    points = table["points"].get(str(len(bots)))
    if points is None or len(points) != len(bots):
        raise reader.wrong(f"points for each of {len(bots)} places", points)
    if (table["match_points"] is None) == (table["match_hands"] is None):
        raise reader.wrong("one of match_points and match_hands", dict(table))
    code = event.get("code")
    if code is not None and not (
        isinstance(code, str) and re.fullmatch(r"P[0-9]+", code) and int(code[1:]) < 2**64
    ):
        raise reader.wrong("a match code of up to 64 bits", code)
    return dict(table), len(bots)


def _check_deal(reader: _Reader, table: Mapping[str, Any], players: int, number: int) -> list[list[str]]:
    event = reader.take(f"the deal of hand {number}", "deal")
    first = (number - 1) % players
    reader.same(f"hand {number}", number, event.get("hand"))
    reader.same(f"first_seat {first}", first, event.get("first_seat"))
    found = event.get("hands")
    if not isinstance(found, list | tuple) or len(found) != players:
        raise reader.wrong(f"{players} hands", found)
    hands = [reader.cards(f"hand of seat {seat}", cards) for seat, cards in enumerate(found)]
    deck = whole_deck(table)
    if Counter(card for cards in hands for card in cards) != Counter(deck):
        raise reader.wrong("every card of the deck once", hands)
    for seat, cards in enumerate(hands):
        turn = (seat - first) % players
        size = len(range(turn, len(deck), players))
        if len(cards) != size:
            raise reader.wrong(f"{size} cards for seat {seat}", cards)
    return hands


def _check_exchange(
    reader: _Reader, table: Mapping[str, Any], hands: list[list[str]], places: Sequence[int]
) -> None:
    """Check the swaps and carry them out on `hands`."""
    for lower, upper, count in pairs(table, places):
        up = best_cards(table, hands[lower], count)
        down = worst_cards(table, hands[upper], count)
        given = _check_gift(reader, lower, upper, count, hands[lower])
        # Which suit goes up is free on Spanish decks, so only what the cards are worth is compared there.
        if sorted(_up_key(table, card) for card in given) != sorted(_up_key(table, card) for card in up):
            raise reader.wrong(f"the best cards {up}", given)
        holds = [*hands[upper], *given] if table["exchange_return"] == "choice" else hands[upper]
        back = _check_gift(reader, upper, lower, count, holds)
        if table["exchange_return"] == "worst" and sorted(back) != sorted(down):
            raise reader.wrong(f"the worst cards {down}", back)
        hands[lower] = [card for card in hands[lower] if card not in given] + back
        hands[upper] = [card for card in [*hands[upper], *given] if card not in back]


def _up_key(table: Mapping[str, Any], card: str) -> str:
    free = table["deck"] != "french52" and card != table["lone_winner"] and rank_of(card) != JOKER
    return rank_of(card) if free else card


def _check_gift(reader: _Reader, giver: int, taker: int, count: int, holds: Sequence[str]) -> list[str]:
    what = f"an exchange of {count} from seat {giver} to seat {taker}"
    event = reader.take(what, "exchange")
    reader.same(what, [giver, taker], [event.get("from"), event.get("to")])
    cards = reader.cards(what, event.get("cards"))
    if len(cards) != count or len(set(cards)) != count or not set(cards) <= set(holds):
        raise reader.wrong(f"{what} out of {list(holds)}", cards)
    return cards


def _check_hand(
    reader: _Reader,
    table: Mapping[str, Any],
    hands: Sequence[Sequence[str]],
    places: Sequence[int] | None,
    played: Played,
) -> list[int]:
    """Replay one hand, add it to what was played, and return its places."""
    hand = Hand(table, hands, leader_of(table, hands, places), places)
    assert hand.turn is not None
    played.leaders.append(hand.turn)
    played.turns.append(0)
    while hand.turn is not None:
        for caused in _check_turn(reader, hand, played):
            if caused["event"] == "hand_end":
                played.totals = [a + b for a, b in zip(played.totals, caused["points"], strict=True)]
                caused = {**caused, "totals": list(played.totals)}
                played.points.append(caused["points"])
                played.puestos.append(caused["puestos"])
            reader.take_exactly(caused)
    return hand.places()


def _check_turn(reader: _Reader, hand: Hand, played: Played) -> list[Event]:
    """Replay one play, pass or forfeit; return the events it must have caused."""
    verb = "leads" if hand.trick is None else "acts"
    expected = f"that seat {hand.turn} {verb}"
    event = reader.take(expected, "play", "pass", "forfeit")
    if event["event"] == "forfeit":
        seats = [_text(seat) for seat in range(hand.players)]
        if _text(event.get("seat")) not in seats:
            raise reader.wrong(expected, event)
        try:
            first, *caused = hand.forfeit(event["seat"])
        except Refused as refusal:
            raise reader.wrong(f"a forfeit of who holds cards ({refusal.reason})", event) from None
        reader.same(f"puesto {first['puesto']}", first["puesto"], event.get("puesto"))
        played.forfeits.append(event["seat"])
        return caused
    if _text(event.get("seat")) != _text(hand.turn):
        raise reader.wrong(expected, event)
    if event.get("legal") is not None:
        _check_legal(reader, hand, event["legal"])
    choice: str | list[str] = "pass"
    if event["event"] == "play":
        choice = reader.cards("a play", event.get("cards"))
    try:
        _, *caused = hand.play(choice)
    except Refused as refusal:
        raise reader.wrong(f"a legal play ({refusal.reason})", event) from None
    played.turns[-1] += 1
    return caused


def _check_legal(reader: _Reader, hand: Hand, found: Any) -> None:
    wanted = sorted(hand.legal())
    if not isinstance(found, list | tuple) or sorted(map(str, found)) != wanted:
        raise reader.wrong(f"the legal choices {wanted}", found)
