"""Whether the exact solver is right: endings with two players left, against brute force on the referee's hand.

``python -m tests.many_endings`` tries 10,000 endings of every table; the suite tries fewer.
"""

from __future__ import annotations

import copy
import time
from random import Random
from typing import Any

import click
import joblib
import numpy as np

from harness.cards import deck_cards, rank_of
from harness.engine.turn import face
from harness.hand import Hand
from harness.moves import CHOICES
from harness.search.endings import solve_choices
from harness.search.thinking import list_choices
from harness.tables import Table, table, table_names
from tests.many_matches import draw_table
from tests.reference.hand import Hand as SlowHand

POSITIONS = 100_000


def clone(hand: SlowHand) -> SlowHand:
    """Copy a referee's hand, quicker than `copy.deepcopy`."""
    other = copy.copy(hand)
    other._cards = [list(cards) for cards in hand._cards]
    other._places = list(hand._places)
    other._dead, other._passed = set(hand._dead), set(hand._passed)
    return other


def wins(hand: SlowHand, me: int, rival: int) -> bool:
    """Say by trying everything whether `me` runs out before the rival with best play of both."""
    if hand.over:
        places = hand.places()
        return places[me] < places[rival]
    mine = hand.turn == me
    for choice in hand.legal():
        after = clone(hand)
        after.play(choice)
        if wins(after, me, rival) == mine:
            return mine
    return not mine


def draw_ending(rules: Table, players: int, chance: Random, most: int) -> tuple[SlowHand, Hand] | None:
    """Deal a few cards of a few ranks and play at random until two are left; None if the hand ends before."""
    deck = deck_cards(rules.deck, rules.jokers)
    ranks = chance.sample(sorted({rank_of(card) for card in deck}), chance.randint(3, 8))
    cards = [card for card in deck if rank_of(card) in ranks or card == rules.lone_winner]
    chance.shuffle(cards)
    hands: list[list[str]] = []
    for _ in range(players):
        number = chance.randint(1, most)
        hands.append(cards[:number])
        del cards[:number]
    if not all(hands):
        return None
    before = None if chance.random() < 0.3 else chance.sample(range(1, players + 1), players)
    flipped = rules.revolution != "none" and chance.random() < 0.5
    leader = chance.randrange(players)
    slow = SlowHand(rules.to_json(), hands, leader, before, flipped)
    fast = Hand(rules, hands, leader, before, flipped)
    while sum(place == 0 for place in slow.places()) > 2:
        if slow.over:
            return None
        named = dict(zip(fast.legal_texts(), fast.legal(), strict=True))
        assert set(named) == slow.legal()
        # whoever passes seldom leaves fewer cards for the ending
        choice = chance.choice([text for text in named if text != "pass"] or ["pass"])
        if "pass" in named and chance.random() < 0.2:
            choice = "pass"
        slow.play(choice)
        fast.play(named[choice])
    return None if slow.over else (slow, fast)


def compare(slow: SlowHand, fast: Hand) -> bool:
    """Compare what the solver says of every choice with brute force.

    Returns
    -------
    bool
        Is there a choice that wins and one that loses?

    Raises
    ------
    AssertionError
        With the position, where they differ.
    """
    me = slow.turn
    assert me is not None
    (rival,) = (seat for seat, place in enumerate(slow.places()) if place == 0 and seat != me)
    view, hidden = fast._state[0].copy(), fast._state[1].copy()
    face(view[0], hidden[0], me)
    moves, values = np.zeros(CHOICES, np.int64), np.zeros(CHOICES)
    number = list_choices(view[0], moves)
    assert solve_choices(view, hidden, moves, number, POSITIONS, values)
    said = dict(zip(moves[:number].tolist(), values[:number].tolist(), strict=True))
    true = {}
    for move, text in zip(fast.legal(), fast.legal_texts(), strict=True):
        after = clone(slow)
        after.play(text)
        true[move] = 1.0 if wins(after, me, rival) else 0.0
    hands = [" ".join(slow.hand(seat)) for seat in range(fast.players)]
    assert said == true, f"{fast.table.to_json()}, {hands}, seat {me}, {slow.trick}, {slow.flipped}"
    return len(set(true.values())) == 2


def check_endings(rules: Table, players: int, number: int, seed: int, most: int = 4) -> int:
    """Check that many endings of a table.

    Returns
    -------
    int
        How many had a choice that wins and one that loses.
    """
    chance = Random(seed)
    telling = done = 0
    while done < number:
        ending = draw_ending(rules, players, chance, most)
        if ending is not None and len(ending[1].legal()) > 1:
            telling += compare(*ending)
            done += 1
    return telling


def all_tables(drawn: int) -> list[tuple[Table, int]]:
    """Give every shipped table with all its numbers of players, and some drawn at random."""
    shipped: list[tuple[Table, int]] = [
        (table(name), players)
        for name in table_names()
        for players in range(table(name).players[0], table(name).players[1] + 1)
    ]
    return shipped + [draw_table(Random(seed)) for seed in range(drawn)]


@click.command()
@click.option("--endings", default=10_000, show_default=True, help="Of every table.")
@click.option("--drawn", default=10, show_default=True, help="Tables of house rules beside the shipped ones.")
@click.option("--seed", default=0, show_default=True)
@click.option("--jobs", default=2, show_default=True)
def main(endings: int, drawn: int, seed: int, jobs: int) -> None:
    """Let brute force check the exact solver."""
    begin = time.monotonic()
    work: list[Any] = []
    tables = all_tables(drawn)
    for rules, players in tables:
        # the numbers of players of one table share its endings
        same = sum(other.name == rules.name for other, _ in tables) if rules.name != "drawn" else 1
        work.append(joblib.delayed(check_endings)(rules, players, -(-endings // same), seed))
    told = joblib.Parallel(jobs)(work)
    for (rules, players), telling in zip(tables, told, strict=True):
        click.echo(f"{rules.name}, {players} players: agreed; the choice matters in {telling}")
    click.echo(f"{time.monotonic() - begin:.0f} s")


if __name__ == "__main__":
    main()
