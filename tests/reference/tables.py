"""The five shipped tables typed from the rule book, independent of the harness."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .cards import RANKS

BARAJAMOS: dict[str, Any] = {
    "deck": "spanish48",
    "players": [3, 6],
    "order": ["3", "4", "5", "6", "7", "8", "9", "10", "11", "12", "1", "2"],
    "jokers": 0,
    "joker_role": "none",
    "wild_rank": None,
    "opening_card": "3o",
    "later_leader": "last",
    "equal": "skip",
    "pass_locks": True,
    "out_closes_trick": True,
    "lone_winner": "2o",
    "revolution": "none",
    "cut_rank": None,
    "president_falls": False,
    "exchange": [2, 1],
    "exchange_return": "worst",
    "points": {"3": [2, 1, 0], "4": [2, 1, 0, 0], "5": [2, 1, 0, 0, 0], "6": [2, 1, 0, 0, 0, 0]},
    "match_points": 11,
    "match_hands": None,
}

PRESIDENTE_CLASICO: dict[str, Any] = {
    "deck": "french52",
    "players": [4, 4],
    "order": ["3", "4", "5", "6", "7", "8", "9", "T", "J", "Q", "K", "A", "2"],
    "jokers": 0,
    "joker_role": "none",
    "wild_rank": None,
    "opening_card": "3c",
    "later_leader": "last",
    "equal": "forbidden",
    "pass_locks": False,
    "out_closes_trick": False,
    "lone_winner": None,
    "revolution": "none",
    "cut_rank": None,
    "president_falls": False,
    "exchange": [2, 1],
    "exchange_return": "choice",
    "points": {"4": [3, 2, 1, 0]},
    "match_points": None,
    "match_hands": 5,
}

PRESIDENTE_REVOLUCION: dict[str, Any] = {**PRESIDENTE_CLASICO, "revolution": "order"}

PRESIDENTE_CASA: dict[str, Any] = {**PRESIDENTE_REVOLUCION, "cut_rank": "8", "president_falls": True}

NAIPERA: dict[str, Any] = {
    "deck": "spanish40",
    "players": [3, 6],
    "order": ["2", "3", "4", "5", "6", "7", "10", "11", "12", "1"],
    "jokers": 0,
    "joker_role": "none",
    "wild_rank": None,
    "opening_card": "2o",
    "later_leader": "last",
    "equal": "skip",
    "pass_locks": True,
    "out_closes_trick": False,
    "lone_winner": None,
    "revolution": "none",
    "cut_rank": None,
    "president_falls": False,
    "exchange": [2, 1],
    "exchange_return": "worst",
    "points": {
        "3": [2, 0, -2],
        "4": [2, 1, -1, -2],
        "5": [2, 1, 0, -1, -2],
        "6": [2, 1, 0, 0, -1, -2],
    },
    "match_points": None,
    "match_hands": 5,
}

TABLES: dict[str, dict[str, Any]] = {
    "barajamos": BARAJAMOS,
    "presidente-clasico": PRESIDENTE_CLASICO,
    "presidente-revolucion": PRESIDENTE_REVOLUCION,
    "presidente-casa": PRESIDENTE_CASA,
    "naipera": NAIPERA,
}


def make_table(name: str, changes: Mapping[str, Any] | None = None, **more: Any) -> dict[str, Any]:
    """Make a table from a shipped one and the fields that differ.

    >>> make_table("barajamos", deck="spanish40")["order"]
    ['3', '4', '5', '6', '7', '10', '11', '12', '1', '2']
    """
    wanted = {**(changes or {}), **more}
    table = {**TABLES[name], **wanted}
    table["order"] = [rank for rank in table["order"] if rank in RANKS[table["deck"]]]
    if "match_points" in wanted:
        table["match_hands"] = None
    elif "match_hands" in wanted:
        table["match_points"] = None
    return table
