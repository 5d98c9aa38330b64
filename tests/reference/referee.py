"""The referee: the rules of the game in plain Python, for comparing an engine with.

Hand
    One hand from any position, played step by step; `Refused` for impossible plays.
check_trace
    Replays the JSON Lines of one match; `Disagreement` at the first event that violates the rules,
    `Played` (leaders, turns, places, points, totals, standings, winner) if there is none.
simulate_match
    Plays one match on given decks and writes its events.
deal, exchange, leader_of, result
    The parts between the hands, one by one.
"""

from __future__ import annotations

from .cards import rank_of, whole_deck
from .hand import Choice, Hand, Refused
from .match import deal, exchange, leader_of, result, simulate_match
from .trace import Disagreement, Played, check_trace

__all__ = [
    "Choice",
    "Disagreement",
    "Hand",
    "Played",
    "Refused",
    "check_trace",
    "deal",
    "exchange",
    "leader_of",
    "rank_of",
    "result",
    "simulate_match",
    "whole_deck",
]
