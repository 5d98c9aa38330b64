"""Hypothesis strategies for whole tables, and players without a plan: to try two readings of the rules on."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

from hypothesis import strategies as st

from .cards import RANKS, SUITS, whole_deck
from .hand import Event, Hand
from .match import simulate_match


@st.composite
def tables(draw: st.DrawFn) -> tuple[dict[str, Any], int]:
    """Draw a table with every field free, and a number of players for it.

    Matches are short: at most 3 hands, or few points.
    """
    deck = draw(st.sampled_from(sorted(RANKS)))
    players = draw(st.integers(3, 7))
    ranks = RANKS[deck]
    cards = [rank + suit for rank in ranks for suit in SUITS[deck]]
    jokers = draw(st.integers(0, 4))
    role = draw(st.sampled_from(["top", "wild"])) if jokers else "none"
    wild_rank = None if role == "wild" else draw(st.none() | st.sampled_from(ranks))
    may_be_lone = [card for card in cards if card[:-1] != wild_rank]
    by_points = draw(st.booleans())
    points = sorted(draw(st.lists(st.integers(0, 3), min_size=players, max_size=players)), reverse=True)
    if by_points:
        points[0] = max(1, points[0])  # somebody has to get there
    else:
        points = [value - 1 for value in points]
    table = {
        "deck": deck,
        "players": [3, 7],
        "order": draw(st.permutations(ranks)),
        "jokers": jokers,
        "joker_role": role,
        "wild_rank": wild_rank,
        "opening_card": draw(st.sampled_from(cards)),
        "later_leader": draw(st.sampled_from(["last", "president"])),
        "equal": draw(st.sampled_from(["skip", "forbidden"])),
        "pass_locks": draw(st.booleans()),
        "out_closes_trick": draw(st.booleans()),
        "lone_winner": draw(st.none() | st.sampled_from(may_be_lone)),
        "revolution": draw(st.sampled_from(["none", "order", "order_and_direction"])),
        "cut_rank": draw(st.none() | st.sampled_from(ranks)),
        "president_falls": draw(st.booleans()),
        "exchange": [draw(st.integers(0, 2)), draw(st.integers(0, 1))],
        "exchange_return": draw(st.sampled_from(["worst", "choice"])),
        "points": {str(players): points},
        "match_points": draw(st.integers(1, 5)) if by_points else None,
        "match_hands": None if by_points else draw(st.integers(1, 3)),
    }
    return table, players


def random_chooser(
    rng: Random, passing: float = 0.2, forfeiting: float = 0.0, big: float = 0.5
) -> Callable[[int, set[str], Hand], str]:
    """Make a `choose` that takes any legal choice; `big` is how often it insists on the most cards it can."""

    def choose(seat: int, legal: set[str], hand: Hand) -> str:
        if rng.random() < forfeiting:
            return "forfeit"
        plays = sorted(legal - {"pass"})
        if not plays or ("pass" in legal and rng.random() < passing):
            return "pass"
        if rng.random() < big:
            size = max(_size(name) for name in plays)
            plays = [name for name in plays if _size(name) == size]
        return rng.choice(plays)

    return choose


def _size(name: str) -> int:
    return int(name.partition("x")[2].partition("w")[0]) if "x" in name else 1


def random_match(table: dict[str, Any], players: int, seed: int, forfeiting: float = 0.0) -> list[Event]:
    """Play a match of random plays on random deals."""
    rng = Random(seed)

    def shuffles(number: int) -> list[str]:
        deck = whole_deck(table)
        rng.shuffle(deck)
        return deck

    def give(seat: int, cards: list[str]) -> str:
        return rng.choice(cards)

    passing = rng.choice([0.0, 0.2, 0.6])
    return simulate_match(table, players, shuffles, random_chooser(rng, passing, forfeiting), give)
