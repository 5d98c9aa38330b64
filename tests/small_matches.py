"""Two short matches made by hand, with every kind of event in them, for tests of how matches are shown."""

from __future__ import annotations

from typing import Any

from harness.tables import Table, table

Events = list[dict[str, Any]]


def start(rules: Table, bots: list[str], *hands: str) -> Events:
    return [
        {"event": "match", "code": "P1", "rules": rules.name, "table": rules.to_json(), "bots": bots},
        deal(1, *hands),
    ]


def deal(number: int, *hands: str) -> dict[str, Any]:
    cards = [hand.split() for hand in hands]
    return {"event": "deal", "hand": number, "first_seat": (number - 1) % len(hands), "hands": cards}


def play(seat: int, cards: str, legal: str = "") -> dict[str, Any]:
    event = {"event": "play", "seat": seat, "cards": cards.split()}
    return event | ({"legal": legal.split()} if legal else {})


def of(kind: str, seat: int, **more: int) -> dict[str, Any]:
    return {"event": kind, "seat": seat, **more}


def trick(winner: int, leader: int) -> dict[str, Any]:
    return {"event": "trick", "winner": winner, "leader": leader}


def swap(giver: int, taker: int, cards: str) -> dict[str, Any]:
    return {"event": "exchange", "from": giver, "to": taker, "cards": cards.split()}


FRENCH = table(
    "presidente-casa", jokers=2, joker_role="wild", revolution="order_and_direction", match_hands=2
)


def french() -> Events:
    """Two short hands with a revolution, cuts, jokers that stand in, a fall and a forfeit."""
    hands = ["4c JK1 4h 3c 4d", "9s 8d", "5h 2s", "7d 6c"]
    return [
        *start(FRENCH, ["keep", "chain", "montecarlo:worlds=64", "random"], *hands),
        play(0, "4c 4d 4h JK1", "3x1 4x1 4x2 4x3 JKx1 3x2w1 4x2w1 4x3w1 4x4w1"),
        *[of("pass", seat) for seat in (3, 2, 1)],
        trick(0, 0),
        play(0, "3c"),
        of("out", 0, puesto=1),
        *[of("pass", seat) for seat in (3, 2, 1)],
        trick(0, 3),
        play(3, "7d"),
        play(2, "5h"),
        of("pass", 1),
        of("pass", 3),
        trick(2, 2),
        play(2, "2s"),
        of("out", 2, puesto=2),
        play(1, "8d"),
        trick(1, 1),
        play(1, "9s"),
        of("out", 1, puesto=3),
        {"event": "hand_end", "puestos": [1, 3, 2, 4], "points": [3, 1, 2, 0], "totals": [3, 1, 2, 0]},
        deal(2, "3d 3h Ac", "7s 7h 3s", "As 5c Kd", "2h JK2 5d"),
        swap(3, 0, "JK2 2h"),
        swap(0, 3, "3d 3h"),
        swap(1, 2, "7s"),
        swap(2, 1, "5c"),
        play(3, "3d 3h"),
        of("pass", 0),
        of("forfeit", 1, puesto=4),
        of("pass", 2),
        trick(3, 3),
        play(3, "5d"),
        of("out", 3, puesto=1),
        of("fall", 0),
        {"event": "hand_end", "puestos": [3, 4, 2, 1], "points": [1, 0, 2, 3], "totals": [4, 1, 4, 3]},
        {"event": "match_end", "winner": 2, "standings": [2, 4, 1, 3]},
    ]


def spanish() -> Events:
    """One hand with a skip, the lone winner alone and in a set, and no titles."""
    rules = table("barajamos", wild_rank="3", match_hands=1)
    hands = ["5o 5c 2o 4e", "12b 11c 5e 6o 3b", "2b 1o 1c 10e"]
    events = start(rules, ["a", "b", "a"], *hands)
    del events[0]["table"]["titles"]
    return [
        *events,
        play(0, "5o", "4x1 5x1 5x2 2o"),
        play(1, "5e"),
        of("skip", 2),
        of("pass", 0),
        trick(1, 1),
        play(1, "3b 6o"),
        play(2, "1c 1o"),
        of("pass", 0),
        of("pass", 1),
        trick(2, 2),
        play(2, "2b"),
        play(0, "2o"),
        trick(0, 0),
        play(0, "4e"),
        play(1, "11c"),
        of("pass", 2),
        of("pass", 0),
        trick(1, 1),
        play(1, "12b"),
        of("out", 1, puesto=1),
        trick(1, 2),
        play(2, "10e"),
        of("out", 2, puesto=2),
        {"event": "hand_end", "puestos": [3, 1, 2], "points": [0, 2, 1], "totals": [0, 2, 1]},
        {"event": "match_end", "winner": 1, "standings": [3, 1, 2]},
    ]
