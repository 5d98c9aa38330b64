"""Guessed worlds: they agree with all that is known, never rule the truth out, and weigh as they should."""

from __future__ import annotations

from collections import Counter
from itertools import product
from math import comb, exp, prod
from random import Random
from typing import Any

import numpy as np
import pytest

from harness import moves
from harness.arena import Arena
from harness.bots.plain import PlainBot
from harness.bots.ready import ReadyBot
from harness.bots.spec import BotSpec
from harness.engine.records import SEATS
from harness.notation import legal_moves
from harness.search.likelihood import exchange_weight, resample, weigh_worlds
from harness.search.linear import load_weights
from harness.search.state import copy_view
from harness.search.worlds import deal_worlds, partner_bounds
from harness.strategy import Strategy
from harness.tables import Table, table, table_names
from tests.many_matches import draw_table
from tests.strategies.positions import position

TABLES: list[tuple[Table, int]] = [
    *((table(name), n) for name in table_names() for n in {*table(name).players}),
    (table("barajamos", jokers=2, joker_role="wild", revolution="order_and_direction"), 5),
    (table("presidente-casa", exchange_return="choice", equal="skip"), 4),
    *(draw_table(Random(seed)) for seed in range(12)),
]
WORLDS = 12


class Guesser(Strategy):
    """Plays at random, and in every few decisions guesses worlds and holds them against the truth."""

    compiled = False

    def __init__(self) -> None:
        self.arena: Any = None
        self.looked: Counter[str] = Counter()

    def __deepcopy__(self, memo: Any) -> Guesser:
        return self

    def play(self, view: Any) -> int:
        if moves.random(view) < 0.15:
            self.look(view, "play")
        if view.size and moves.random(view) < 0.2:
            return moves.PASS
        legal = legal_moves(view)
        return legal[moves.below(view, len(legal))]

    def give(self, view: Any) -> int:
        self.look(view, "give")
        legal = legal_moves(view)
        return legal[moves.below(view, len(legal))]

    def look(self, view: Any, what: str) -> None:
        self.looked[what] += 1
        base, truth = copy_view(view), self.arena.hidden[0]
        state = base[0]
        me, ladder = int(state["me"]), int(state["ladder"])
        hands, lones = np.full((WORLDS, SEATS), -1, np.int64), np.full(WORLDS, 9, np.int8)
        dead = deal_worlds(state, hands, lones, WORLDS)
        held = [moves.cards_in(int(word)) for word in hands[0]]
        all_cards = moves.cards_in(int(state["deck"]))
        assert sum(held) + dead + moves.cards_in(int(state["played"])) == all_cards
        self.looked["dead"] += dead > 0
        bounds = self.bounds(state, truth)
        for world in range(WORLDS):
            words = [int(word) for word in hands[world]]
            assert words[me] == int(state["hand"])
            for seat in range(int(state["players"])):
                if seat != me:
                    assert moves.cards_in(words[seat]) == int(state["left"][seat])
            for slot in range(ladder):
                used = sum(moves.count(word, slot) for word in words) + moves.count(
                    int(state["played"]), slot
                )
                assert used <= moves.count(int(state["deck"]), slot)
                assert used == moves.count(int(state["deck"]), slot) or dead
            lone = int(lones[world])
            assert (lone == me) == bool(state["lone_mine"])
            if lone >= 0:
                assert not state["lone_played"]
                assert moves.count(words[lone], int(state["lone_slot"]))
            elif state["lone_slot"] >= 0 and not dead:
                assert state["lone_played"]
            if bounds:
                partner, at_least, at_most, has_lone = bounds
                for slot in range(ladder):
                    number = moves.count(words[partner], slot)
                    number -= lone == partner and slot == int(state["lone_slot"])
                    assert at_least[slot] <= number <= at_most[slot]
                if has_lone >= 0 and not state["lone_played"]:
                    assert (lone == partner) == bool(has_lone)

    def bounds(self, state: Any, truth: Any) -> tuple[int, list[int], list[int], int] | None:
        """Work out what the exchange proves, which must hold of the true hand."""
        partner = int(state["partner"])
        if partner < 0 or not (int(state["alive"]) >> partner) & 1:
            return None
        if not (state["given"] or state["received"]):
            return None
        at_least, at_most = np.zeros(16, np.int8), np.zeros(16, np.int8)
        has_lone = int(partner_bounds(state, at_least, at_most))
        word, slot_of_lone = int(truth["hands"][partner]), int(state["lone_slot"])
        for slot in range(int(state["ladder"])):
            number = moves.count(word, slot) - (truth["lone"] == partner and slot == slot_of_lone)
            assert at_least[slot] <= number <= at_most[slot], (slot, number, at_least, at_most)
            self.looked["proven"] += at_most[slot] < 4
        if has_lone >= 0 and not state["lone_played"]:
            assert (truth["lone"] == partner) == bool(has_lone)
            self.looked["lone proven"] += 1
        return partner, at_least.tolist(), at_most.tolist(), has_lone


@pytest.mark.parametrize(
    ("rules", "players"), TABLES, ids=[f"{number}-{t.name}-{n}" for number, (t, n) in enumerate(TABLES)]
)
def test_worlds_agree_with_what_is_known_and_the_truth_is_possible(rules: Table, players: int) -> None:
    if rules.match_points is not None:
        rules = rules.change(match_hands=4)
    guesser = Guesser()
    bot = PlainBot(guesser)
    ready = ReadyBot(BotSpec("guesser", "", ""), bot.addresses, np.zeros(1, np.int64), False, bot, "", None)
    guesser.arena = Arena(rules, players, [ready])
    guesser.arena.play(np.arange(6, dtype=np.uint64), np.zeros((6, players), np.int32))
    assert bot.error is None, bot.error
    assert guesser.looked["play"] > 50
    if any(rules.exchange) and rules.match_hands and rules.match_hands > 2 and rules.exchange[0]:
        assert guesser.looked["proven"] > 10
    if rules.name == "presidente-casa":
        assert guesser.looked["dead"]


def test_who_got_his_ace_back_knows_nothing_of_another() -> None:
    """Where the upper chooses what he gives back it may be the card just received: guessed worlds once
    insisted that he still held it (presidente-clasico, hand 3 of P1)."""
    hand = position("presidente-clasico", ["3c 5d 9h", "4c 8s 9d", "3d 6c", "4d 6s"], leader=0)
    view = hand._view
    view["hand_number"], view["me"], view["partner"] = 2, 0, 1
    view["before"][:4] = [4, 1, 2, 3]
    ace = moves.add_cards(0, 11, 1)
    view["given"], view["received"] = moves.add_cards(ace, 10, 1), moves.add_cards(ace, 0, 1)
    at_least, at_most = np.zeros(16, np.int8), np.zeros(16, np.int8)
    partner_bounds(view, at_least, at_most)
    assert at_least.tolist()[10:12] == [1, 0]
    # where he must give his worst, both at once, an ace that came back was his own
    view["rules"]["returns_choice"] = False
    partner_bounds(view, at_least, at_most)
    assert at_least.tolist()[10:12] == [1, 1]


RANKS, COPIES, HELD = 5, 4, 5


def hands_of(size: int) -> list[tuple[int, ...]]:
    return [counts for counts in product(range(COPIES + 1), repeat=RANKS) if sum(counts) == size]


def word_of(counts: tuple[int, ...]) -> int:
    word = 0
    for slot, number in enumerate(counts):
        word = moves.add_cards(word, slot, number)
    return word


def swapping(ladder: int, returns_choice: bool) -> Any:
    """Give a view whose rules swap like this."""
    view = position("barajamos", ["3c", "4c", "5c"])._state[0].copy()
    view["ladder"], view["rules"]["returns_choice"] = ladder, returns_choice
    return view[0]


@pytest.mark.parametrize("cards", [1, 2])
@pytest.mark.parametrize("returns", [False, True])
def test_exchanges_of_others_weigh_as_counted(cards: int, returns: bool) -> None:
    """All deals of a small deck to two players, and which hands they end with: the weight is that count.

    Exactly so where cards go one way (`returns` False); where they go both ways but for rare hands in which
    the two gifts meet.
    """

    def deals(upper: tuple[int, ...], lower: tuple[int, ...]) -> int:
        pairs = zip(upper, lower, strict=True)
        return prod(comb(COPIES, a) * comb(COPIES - a, b) for a, b in pairs)

    ends: Counter[tuple[tuple[int, ...], tuple[int, ...]]] = Counter()
    for upper, lower in product(hands_of(HELD), hands_of(HELD)):
        if not (ways := deals(upper, lower)):
            continue
        up = [slot for slot in range(RANKS) for _ in range(lower[slot])][-cards:]
        down = [slot for slot in range(RANKS) for _ in range(upper[slot])][:cards] if returns else []
        after = [list(upper), list(lower)]
        for slot in up:
            after[0][slot] += 1
            after[1][slot] -= 1
        for slot in down:
            after[0][slot] -= 1
            after[1][slot] += 1
        ends[tuple(after[0]), tuple(after[1])] += ways
    view = swapping(RANKS, not returns)
    exact = near = 0
    for (upper, lower), ways in ends.items():
        weight = exp(exchange_weight(view, word_of(upper), word_of(lower), False, cards))
        ratio = weight * deals(upper, lower) / ways
        exact += ways if abs(ratio - 1) < 1e-9 else 0
        near += ways if 0.5 < ratio < 1.5 else 0
    total = sum(ends.values())
    assert near / total > 0.99
    assert exact == total if not returns else exact / total > 0.25


def test_an_exchange_that_cannot_have_been_weighs_little() -> None:
    view = swapping(12, True)
    high, low = word_of((0, 0, 0, 2, 2)), word_of((2, 2, 0, 0, 0))
    assert exchange_weight(view, high, low, False, 1) > 0
    assert exchange_weight(view, low, high, False, 1) == exchange_weight(view, high, low, True, 1) == -8.0


def test_worlds_are_taken_in_proportion_to_their_likelihood() -> None:
    likely = np.array([1.0, 0.0, 5.0, 2.0, 0.5, 1.5])
    for point in (0.0, 0.3, 0.999):
        chosen = np.zeros(20, np.int64)
        with np.errstate(divide="ignore"):
            resample(np.log(likely) - 700.0, 6, 20, point, chosen)
        taken = np.bincount(chosen, minlength=6)
        assert (np.abs(taken - 20 * likely / likely.sum()) <= 1).all() and (np.diff(chosen) >= 0).all()
    chosen = np.zeros(4, np.int64)
    resample(np.array([-3.0, -3.0]), 2, 4, 0.5, chosen)
    assert chosen.tolist() == [0, 0, 1, 1]


def weighed(hand: Any, worlds: list[dict[int, str]], belief: float = 1.0) -> list[float]:
    """Weigh worlds in which the others hold these cards."""
    hand.view()
    state = hand._state[0]
    hands, lones = np.zeros((len(worlds), SEATS), np.int64), np.full(len(worlds), -1, np.int8)
    for number, world in enumerate(worlds):
        hands[number, hand.turn] = state[0]["hand"]
        for seat, cards in world.items():
            hands[number, seat] = hand.word(cards.split())
            if hand.table.lone_winner in cards.split():
                lones[number] = seat
    logs = np.zeros(len(worlds))
    weigh_worlds(state, hands, lones, len(worlds), np.array(load_weights("champion")), belief, logs)
    return [float(value) for value in logs]


def test_who_passed_hardly_holds_what_would_have_been_played() -> None:
    """Seat 1 passed on a single 5: that it holds a 6 and a 9 is less likely than a 3 and a 4."""
    hand = position("barajamos", ["5c 7c 10c", "3e 4e", "6e 7e 9e", "6o 9o"], ["5c", "pass"])
    worlds = [{0: "7c 10c", 1: "3e 4e", 3: "6o 9o"}, {0: "7c 10c", 1: "6o 9o", 3: "3e 4e"}]
    low, high = weighed(hand, worlds)
    assert high < low - 0.5
    assert weighed(hand, worlds, belief=0.5) == pytest.approx([low / 2, high / 2])
    assert weighed(hand, worlds, belief=0.0) == [0.0, 0.0]
