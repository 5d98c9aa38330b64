"""The plain referee on random tables: playouts, and traces of matches good and spoilt."""

from __future__ import annotations

import copy
import itertools
import json
from collections import Counter
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.reference.random_tables import random_chooser, random_match, tables
from tests.reference.referee import Disagreement, Hand, Refused, check_trace, deal, rank_of, whole_deck
from tests.reference.tables import TABLES, make_table


def brute_force(hand: Hand) -> set[str]:
    """Find the legal choices by trying every set of cards there is."""
    assert hand.turn is not None
    cards = hand.hand(hand.turn)
    names = set()
    for size in range(1, 5):
        for chosen in itertools.combinations(cards, size):
            trial = copy.deepcopy(hand)
            try:
                trial.play(chosen)
            except Refused:
                continue
            kinds = Counter(rank_of(card) for card in chosen)
            wild = {"JK"} if hand.table["joker_role"] == "wild" else {hand.table["wild_rank"]}
            naturals = [rank for rank in kinds if rank not in wild] or list(kinds)
            wilds = sum(count for rank, count in kinds.items() if rank != naturals[0])
            name = f"{naturals[0]}x{size}" + (f"w{wilds}" if wilds else "")
            names.add(chosen[0] if chosen == (hand.table["lone_winner"],) else name)
    try:
        copy.deepcopy(hand).play("pass")
        names.add("pass")
    except Refused:
        pass
    return names


@given(tables(), st.integers(0, 2**32))
@settings(max_examples=40, deadline=None)
def test_legal_names_exactly_what_is_accepted(drawn: tuple[dict[str, Any], int], seed: int) -> None:
    table, players = drawn
    rng = Random(seed)
    # Few ranks, so that sets, equals and wild cards meet.
    ranks = {*rng.sample(table["order"], players), table["wild_rank"], "JK"}
    ranks.add((table["lone_winner"] or " ")[:-1])
    deck = [card for card in whole_deck(table) if rank_of(card) in ranks]
    rng.shuffle(deck)
    hands = [deck[seat::players][:7] for seat in range(players)]
    hand = Hand(table, hands, 0, flipped=table["revolution"] != "none" and rng.random() < 0.5)
    choose = random_chooser(rng, big=0.3)
    for _ in range(4):
        if hand.turn is not None:
            legal = hand.legal()
            assert legal == brute_force(hand)
            assert legal
            hand.play(choose(hand.turn, legal, hand))


@given(tables(), st.integers(0, 2**32), st.sampled_from([0.0, 0.02]))
@settings(deadline=None)
def test_random_playouts_end_and_lose_nothing(
    drawn: tuple[dict[str, Any], int], seed: int, forfeiting: float
) -> None:
    table, players = drawn
    rng = Random(seed)
    deck = whole_deck(table)
    rng.shuffle(deck)
    _, hands = deal(table, players, 1, deck)
    previous = rng.choice([None, rng.sample(range(1, players + 1), players)])
    hand = Hand(table, hands, rng.randrange(players), previous)
    choose = random_chooser(rng, rng.choice([0.0, 0.3, 0.9]), forfeiting)
    seen: list[dict[str, Any]] = []
    while hand.turn is not None:
        assert len(seen) < 5000
        seat = hand.turn
        choice = choose(seat, hand.legal(), hand)
        seen += hand.forfeit(seat) if choice == "forfeit" else hand.play(choice)
    played = [card for event in seen if event["event"] == "play" for card in event["cards"]]
    left = [card for seat in range(players) for card in hand.hand(seat)]
    assert Counter(played + left) == Counter(deck)
    assert sorted(hand.places()) == list(range(1, players + 1))
    given_out = [event["puesto"] for event in seen if "puesto" in event]
    assert len(set(given_out)) == len(given_out)
    assert seen[-1]["event"] == "hand_end" and seen[-1]["puestos"] == hand.places()


@given(tables(), st.integers(0, 2**32), st.sampled_from([0.0, 0.02]))
@settings(deadline=None)
def test_a_trace_is_accepted(drawn: tuple[dict[str, Any], int], seed: int, forfeiting: float) -> None:
    events = random_match(*drawn, seed, forfeiting)
    lines = [json.dumps(event) for event in events]
    played = check_trace(lines)
    assert check_trace("\n".join(lines) + "\n", n_hands=played.hands) == played
    assert check_trace(events) == played
    assert (played.winner, played.standings) == (events[-1]["winner"], events[-1]["standings"])
    assert played.standings[played.winner] == 1
    assert sorted(played.standings) == list(range(1, drawn[1] + 1))
    assert sum(played.turns) == sum(event["event"] in ("play", "pass") for event in events)
    assert [sum(column) for column in zip(*played.points, strict=True)] == played.totals
    for wrong in (played.hands + 1, played.hands - 1):
        with pytest.raises(Disagreement):
            check_trace(events, n_hands=wrong)
    for event in events:
        event.pop("legal", None)
    assert check_trace(events) == played


def wrong_number(event: dict[str, Any], name: str, rng: Random) -> None:
    """Change a number of an event, or one of a list of numbers."""
    step = rng.choice([-2, -1, 1, 2])
    if isinstance(event[name], list):
        event[name][rng.randrange(len(event[name]))] += step
    else:
        event[name] += step


def spoil(events: list[dict[str, Any]], rng: Random) -> int:
    """Break a good trace in one place; return the number of the event that is wrong then."""
    # any seat may forfeit at any time, so what is missing just before a forfeit is missed later, or never
    places = [at for at in range(len(events)) if (events[at + 1 :] or [{}])[0].get("event") != "forfeit"]
    at = rng.choice(places)
    event = events[at]
    ways = ["drop", "double", "invent"]
    if at + 1 < len(events):
        ways.append("swap")
    numbers = {"seat", "puesto", "winner", "leader", "first_seat", "hand", "from", "to"}
    numbers |= {"puestos", "points", "totals", "standings"}
    numbers &= set(event) - ({"seat"} if event["event"] == "forfeit" else set())
    ways += ["number"] * 3 * bool(numbers)
    if "legal" in event:
        ways += ["less legal", "more legal"] * 2
    if event["event"] == "play":
        ways += ["other card", "more cards", "pass instead"]
    if event["event"] == "exchange":
        ways += ["other exchange"]
    if event["event"] == "deal":
        ways += ["uneven deal", "card twice"] * 3
    way = rng.choice(ways)
    if way == "drop":
        del events[at]
    elif way == "double":
        events.insert(at, copy.deepcopy(event))
        return at + 2
    elif way == "invent":
        events.insert(at, {"event": rng.choice(["skip", "trick", "fall", "out", "shuffle"]), "seat": -1})
    elif way == "swap":
        events[at], events[at + 1] = events[at + 1], events[at]
    elif way == "number":
        wrong_number(event, rng.choice(sorted(numbers)), rng)
    elif way == "less legal":
        event["legal"].remove(rng.choice(event["legal"]))
    elif way == "more legal":
        event["legal"].append(rng.choice(["pass", "3x4", "2o", "JKx1", "5x4w3", *event["legal"]]))
    elif way == "other card":
        event["cards"][0] = "JK9"
    elif way == "more cards":
        event["cards"].append(event["cards"][0])
    elif way == "pass instead":
        event["cards"] = []
    elif way == "other exchange":
        event["cards"] = [*event["cards"][1:], "JK9"]
    elif way == "uneven deal":
        taker, giver = rng.sample(range(len(event["hands"])), 2)
        for _ in range(2):  # one card could be dealt from another seat
            event["hands"][taker].append(event["hands"][giver].pop())
    elif way == "card twice":
        event["hands"][0][0] = event["hands"][1][0]
    return at + 1


@given(tables(), st.integers(0, 2**32), st.sampled_from([0.0, 0.02]))
@settings(max_examples=60, deadline=None)
def test_a_spoilt_trace_is_found_out_where_it_is_wrong(
    drawn: tuple[dict[str, Any], int], seed: int, forfeiting: float
) -> None:
    good = random_match(*drawn, seed, forfeiting)
    rng = Random(seed)
    for _ in range(10):
        bad = copy.deepcopy(good)
        number = spoil(bad, rng)
        with pytest.raises(Disagreement) as disagreement:
            check_trace(bad)
        assert disagreement.value.number == number
        assert disagreement.value.expected and disagreement.value.found


@pytest.mark.parametrize(
    "line",
    ["", "{", "[]", '{"event": "match"}', '{"event": "match", "table": {}, "bots": []}', '{"event": "deal"}'],
)
def test_what_is_no_trace_at_all(line: str) -> None:
    with pytest.raises(Disagreement) as disagreement:
        check_trace(line)
    assert disagreement.value.number == 1


@pytest.mark.parametrize("code", ["P18446744073709551616", "1", "Px", 7])
def test_impossible_match_codes(code: Any) -> None:
    events = random_match(TABLES["naipera"], 4, 1)
    events[0]["code"] = code
    with pytest.raises(Disagreement):
        check_trace(events)


def with_exchange(name: str, **change: Any) -> tuple[list[dict[str, Any]], int]:
    """Play a match of two hands; return it and the index of the first exchange."""
    table = make_table(name, match_hands=2, **change)
    for seed in itertools.count():
        events = random_match(table, 4, seed)
        at = next(index for index, event in enumerate(events) if event["event"] == "exchange")
        lower, given_up = events[at]["from"], events[at]["cards"]
        dealt = next(event for event in events[at::-1] if event["event"] == "deal")["hands"][lower]
        first = given_up[-1]
        others = [card for card in dealt if card not in given_up and rank_of(card) == rank_of(first)]
        if others and first != "2o":
            events[at]["cards"] = [*given_up[:-1], others[0]]
            return events, at
    raise AssertionError


def test_which_suit_goes_up_is_free_on_spanish_decks() -> None:
    events, at = with_exchange("barajamos", later_leader="president")
    try:
        check_trace(events)
    except Disagreement as disagreement:  # later plays may miss the card; the exchange itself is fine
        assert disagreement.number > at + 1


def test_which_suit_goes_up_is_fixed_on_the_french_deck() -> None:
    events, at = with_exchange("presidente-clasico")
    with pytest.raises(Disagreement) as disagreement:
        check_trace(events)
    assert disagreement.value.number == at + 1


def find_worst_swap(seed: int) -> tuple[list[dict[str, Any]], int | None]:
    """Play a match in which the president's gift can be of another suit, and change it."""
    events = random_match(make_table("barajamos", match_hands=2), 4, seed)
    at = 1 + next(index for index, event in enumerate(events) if event["event"] == "exchange")
    deal_of_it = next(event for event in events[at::-1] if event["event"] == "deal")
    back = events[at]["cards"]
    same = [
        card
        for card in deal_of_it["hands"][events[at]["from"]]
        if card not in back and rank_of(card) == rank_of(back[-1])
    ]
    if not same:
        return events, None
    events[at]["cards"] = [*back[:-1], same[0]]
    return events, at


def test_worst_is_the_lowest_suit_on_every_deck() -> None:
    tries = map(find_worst_swap, itertools.count())
    events, at = next((trace, index) for trace, index in tries if index is not None)
    with pytest.raises(Disagreement) as disagreement:
        check_trace(events)
    assert disagreement.value.number == at + 1
