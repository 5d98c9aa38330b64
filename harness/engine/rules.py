"""A table as the numbers the compiled engine reads: every field at run time, nothing compiled in."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..cards import deck_cards, rank_of
from ..moves import add_cards
from ..tables import Table
from .records import HIDDEN, SEATS, VIEW

_REVOLUTIONS = ("none", "order", "order_and_direction")


def ladder_of(table: Table) -> tuple[str, ...]:
    """Give the ranks of a table in order of strength, jokers included: the names of the slots."""
    return (*table.order, "JK") if table.jokers else table.order


def fill_rules(view: Any, table: Table, players: int) -> None:
    """Write a table into the rules of a state.

    Parameters
    ----------
    view : record of `VIEW`
        Changed in place; the rest of it is left alone but for the two rules that lie outside ``rules``.
    table : Table
        A valid one.
    players : int
        Seats in use, which fixes the points.
    """
    rules = view["rules"]
    cards = deck_cards(table.deck, table.jokers)
    ladder = ladder_of(table)
    slots = [ladder.index(rank_of(card)) for card in cards]
    deck = 0
    for rank in slots:
        deck = add_cards(deck, rank, 1)

    def slot(rank: str | None) -> int:
        return ladder.index(rank) if rank is not None else -1

    rules["deck"] = deck
    rules["counts_of_card"][: len(cards)] = [1 << 4 * number for number in slots]
    rules["deck_size"] = len(cards)
    rules["opening_card"] = cards.index(table.opening_card)
    rules["lone_card"] = cards.index(table.lone_winner) if table.lone_winner else -1
    rules["match_points"] = table.match_points or 0
    rules["match_hands"] = table.match_hands or 0
    points = table.points[players]
    rules["points"][1 : 1 + len(points)] = points
    rules["ladder"] = len(ladder)
    rules["lone_slot"] = slot(rank_of(table.lone_winner)) if table.lone_winner else -1
    rules["joker_slot"] = slot("JK") if table.jokers else -1
    rules["wild_slot"] = slot("JK" if table.joker_role == "wild" else table.wild_rank)
    rules["cut_slot"] = slot(table.cut_rank)
    rules["exchange_first"], rules["exchange_second"] = table.exchange
    rules["president_leads"] = table.later_leader == "president"
    rules["returns_choice"] = table.exchange_return == "choice"
    rules["pass_locks"] = table.pass_locks
    rules["out_closes"] = table.out_closes_trick
    rules["president_falls"] = table.president_falls
    view["revolution"] = _REVOLUTIONS.index(table.revolution)
    view["equal_skips"] = table.equal == "skip"


def new_state(table: Table, players: int) -> tuple[np.ndarray, np.ndarray]:
    """Make a blank state for a table.

    Returns
    -------
    view, hidden : ndarray
        Arrays of one record each, of `VIEW` and `HIDDEN`. Hold on to the arrays as long as compiled code
        uses their records: a record does not keep its array alive there.
    """
    assert len(table.order) <= 13 and players <= SEATS
    view = np.zeros(1, VIEW)
    hidden = np.zeros(1, HIDDEN)
    fill_rules(view[0], table, players)
    view[0]["seat"] = -1
    return view, hidden
