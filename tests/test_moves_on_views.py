"""The words that look at a view: against counting with lists of cards, and compiled code against plain."""

from __future__ import annotations

import inspect
import math
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from random import Random
from types import SimpleNamespace
from typing import Any

import numba
import numpy as np
import pytest

from harness import moves
from harness.cards import JOKER, deck_cards, rank_of
from harness.engine.rules import ladder_of
from harness.engine.turn import face, turn
from harness.hand import Hand
from harness.tables import Table, table, table_names
from tests import test_moves
from tests.many_matches import draw_table
from tests.strategies.positions import position

TABLES: list[tuple[Table, int]] = [
    *((table(name), n) for name in table_names() for n in {*table(name).players}),
    (table("barajamos", jokers=2, joker_role="wild", revolution="order_and_direction"), 5),
    (table("naipera", wild_rank="1", equal="forbidden"), 4),
    *(draw_table(Random(seed)) for seed in range(16)),
]


def positions(rules: Table, players: int, seed: int, hands: int = 4) -> Iterator[Hand]:
    """Deal hands, some short, and play them at random to the end; give every position on the way."""
    chance = Random(seed)
    for _ in range(hands):
        deck = list(deck_cards(rules.deck, rules.jokers))
        chance.shuffle(deck)
        each = chance.choice([1, 3, 5, len(deck) // players])
        held = [deck[seat * each : (seat + 1) * each] for seat in range(players)]
        hand = Hand(rules, held, chance.randrange(players), flipped=chance.random() < 0.3)
        while hand.turn is not None:
            yield hand
            legal = hand.legal()
            hand.play(chance.choice(legal))


def everywhere(times: int = 1) -> Iterator[tuple[Hand, Any]]:
    """Give positions of all tables, with what the seat to act sees."""
    for number, (rules, players) in enumerate(TABLES * times):
        for hand in positions(rules, players, number):
            yield hand, hand.view()


ON_VIEWS: dict[str, Callable[[Any], Any]] = {
    name: getattr(moves, name)
    for name in (
        "leading", "choices", "weakest", "weakest_lead", "plain_cards", "goes_out", "unseen", "lone_unseen",
        "sure_move", "next_to_act", "fewest_left",
    )
} | {
    "is_legal": lambda view: moves.is_legal(view, view.left[0] * 7 - 1),
    "nth_choice": lambda view: moves.nth_choice(view, view.left[0]),
    "sets_with_wilds": lambda view: moves.sets_with_wilds(view, view.hand),
    "bosses": lambda view: moves.bosses(view, moves.unseen(view)),
    "without": lambda view: moves.without(view.deck, view.hand),
    "sets_of": lambda view: moves.sets_of(view.hand, view.left[1] % 4 + 1),
    "weakest_of": lambda view: moves.weakest_of(view.legal),
}  # fmt: skip


@pytest.mark.parametrize("name", ON_VIEWS)
def test_compiled_as_in_plain_python(name: str) -> None:
    function = ON_VIEWS[name]
    compiled = numba.njit(function)
    answers = set()
    for number, (hand, view) in enumerate(everywhere()):
        if number % 3:
            continue
        face(hand._view, hand._hidden, hand.turn)
        said = function(view)
        assert compiled(hand._state[0][0]) == said, (name, hand.table.name, hand.cards)
        answers.add(said)
    assert len(answers) > 1


def test_every_word_is_tested() -> None:
    """A new function of `moves` has to be named in a test of its own."""
    words = {
        name
        for name, value in vars(moves).items()
        if callable(value) and getattr(value, "__module__", "") == moves.__name__ and name[0] != "_"
    }
    text = "".join(inspect.getsource(module) for module in (sys.modules[__name__], test_moves))
    assert words > {"count", "bosses"}
    assert not {word for word in words if f"moves.{word}(" not in text and f'"{word}"' not in text}


# --- against lists of cards -----------------------------------------------------------------------------


class Cards:
    """What a seat knows, counted with lists: ranks from weak to strong, as the order is now."""

    def __init__(self, hand: Hand) -> None:
        self.table, self.me = hand.table, hand.turn
        self.ladder = list(ladder_of(hand.table))
        if hand.flipped:
            self.ladder.reverse()
        mine = hand.cards[int(hand.turn or 0)]
        self.lone = hand.table.lone_winner
        self.mine = self.counts(card for card in mine if card != self.lone)
        self.lone_mine = self.lone in mine
        others = [card for seat, held in enumerate(hand.cards) if seat != hand.turn for card in held]
        self.others = self.counts(others)
        self.lone_with_others = self.lone in others
        self.wild = JOKER if hand.table.joker_role == "wild" else hand.table.wild_rank

    def counts(self, cards: Any) -> Counter[int]:
        return Counter(self.ladder.index(rank_of(card)) for card in cards)

    def best(self, held: Counter[int], size: int) -> int:
        """Give the strongest rank of which some cards make a set of a size, wild cards used; -1: none."""
        wild = self.ladder.index(self.wild) if self.wild in self.ladder else -1
        joker = self.ladder.index(JOKER) if JOKER in self.ladder else -1
        best = -1
        for slot, number in held.items():
            if slot not in (wild, joker):
                number += min(held[wild], 3) if wild >= 0 else 0
            if number >= size:
                best = max(best, slot)
        return best


def test_unseen_is_what_the_others_hold() -> None:
    """Nothing is dead in these hands but what was played, or fell with a president."""
    for hand, view in everywhere():
        cards = Cards(hand)
        word = moves.unseen(view)
        assert {
            slot: moves.count(word, slot) for slot in range(14) if moves.count(word, slot)
        } == cards.others
        assert moves.lone_unseen(view) == cards.lone_with_others
        mine = moves.plain_cards(view)
        assert Counter({slot: moves.count(mine, slot) for slot in range(14)}) == cards.mine


def test_bosses_are_groups_that_no_set_beats() -> None:
    seen = Counter[str]()
    for hand, view in everywhere():
        cards = Cards(hand)
        expected = 0
        for slot, size in cards.mine.items():
            if hand.table.revolution != "none" and size == 4:
                continue
            best = cards.best(cards.others, size)
            beaten = best > slot or (best == slot and hand.table.equal == "skip") or cards.lone_with_others
            if not beaten or cards.ladder[slot] == hand.table.cut_rank:
                expected |= 1 << moves.move_of(size, slot)
        assert moves.bosses(view, moves.unseen(view)) & moves.EVERY == expected, (hand.cards, hand.table.name)
        seen["boss"] += expected != 0
    assert seen["boss"] > 100


def test_a_sure_move_wins_whatever_the_others_hold_and_do() -> None:
    """Led from, it is played to the end against others who answer at random: first out every time."""
    chance = Random(5)
    seen = 0
    for hand, view in everywhere(times=4):
        if not moves.leading(view) or moves.sure_move(view) == moves.PASS:
            continue
        if hand.table.president_falls or max(hand.places):  # who is first is plain to see
            continue
        seen += 1
        seat, flipped = hand.turn, hand.flipped
        again = Hand(hand.table, hand.cards, int(seat or 0), flipped=flipped)
        while not again.places[int(seat or 0)]:
            if again.turn != seat:
                again.play(chance.choice(again.legal()))
                continue
            now = again.view()
            move = moves.sure_move(now)
            if move == moves.PASS:  # not on turn to lead: somebody else's equal or cut stands
                move = moves.goes_out(now)
            assert move in again.legal()
            again.play(move)
        assert again.places[int(seat or 0)] == 1
    assert seen > 40


def test_who_goes_out_is_out() -> None:
    seen = 0
    for hand, view in everywhere():
        move = moves.goes_out(view)
        legal = hand.legal()
        sizes = [moves.size_of(choice) for choice in legal]
        if move == moves.PASS:
            assert view.left[view.me] not in sizes
        else:
            seen += 1
            assert move in legal and moves.size_of(move) == view.left[view.me]
    assert seen > 100


def test_the_weakest_choice_and_all_choices() -> None:
    for hand, view in everywhere():
        allowed = set(hand.legal())
        legal = [move for move in allowed if move != moves.PASS]
        assert moves.choices(view) == len(legal)
        assert sorted(moves.nth_choice(view, index) for index in range(len(legal))) == sorted(legal)
        weakest = min(legal, default=moves.PASS, key=lambda move: (move // 64, move % 64))
        assert moves.weakest(view) == weakest
        assert {move for move in range(-3, 260) if moves.is_legal(view, move)} == allowed
        if moves.leading(view):
            lead = moves.weakest_lead(view)
            slots = [slot for slot, number in Cards(hand).mine.items() if number]
            assert lead in allowed
            if slots:
                assert moves.slot_of(lead) == min(slots)
                assert moves.size_of(lead) == moves.count(view.hand, min(slots))
            else:
                assert lead == moves.LONE


def test_the_next_to_act_is_whom_the_engine_asks_next() -> None:
    """After a play that ends neither trick nor turn of others and skips nobody."""
    seen = 0
    for hand, view in everywhere():
        if hand.table.revolution == "order_and_direction":
            continue
        seat = hand.turn
        alive = [p for p in range(hand.players) if not hand.places[p] and p != seat]
        assert moves.fewest_left(view) == min(len(hand.cards[p]) for p in alive)
        expected = moves.next_to_act(view)
        before = list(hand.cards[int(seat or 0)])
        move = next((move for move in hand.legal() if moves.size_of(move) in range(1, len(before))), None)
        if move is None or moves.slot_of(move) == moves.slot_of(moves.LONE):
            continue
        again = np.copy(hand._state[0]), np.copy(hand._state[1])
        copied = SimpleNamespace(view=again[0][0], hidden=again[1][0])
        copied.hidden["trick_winner"] = copied.hidden["skipped"] = copied.hidden["fallen"] = -1
        turn(copied.view, copied.hidden, move)
        quiet = all(copied.hidden[name] < 0 for name in ("trick_winner", "skipped", "fallen"))
        if quiet and copied.view["seat"] >= 0:
            seen += 1
            assert copied.view["seat"] == expected
    assert seen > 200


# --- sets ------------------------------------------------------------------------------------------------


def drawn_word(chance: Random, top: int = 4) -> tuple[int, list[int]]:
    counts = [chance.randint(0, top) for _ in range(14)]
    word = 0
    for slot, number in enumerate(counts):
        word = moves.add_cards(word, slot, number)
    return word, counts


def test_cards_are_taken_rank_by_rank() -> None:
    chance = Random(1)
    for _ in range(200):
        word, counts = drawn_word(chance)
        gone, less = drawn_word(chance)
        left = moves.without(word | moves.LONE_BIT, gone)
        assert left & moves.LONE_BIT
        assert [moves.count(left, slot) for slot in range(14)] == [
            max(0, a - b) for a, b in zip(counts, less, strict=True)
        ]
        for size in range(1, 5):
            bits = {moves.move_of(size, slot) for slot, number in enumerate(counts) if number >= size}
            assert {bit for bit in range(64) if moves.sets_of(word, size) >> bit & 1} == bits


def test_the_weakest_of_a_set_of_moves() -> None:
    chance = Random(2)
    for _ in range(200):
        chosen = {chance.randrange(4) * 16 + chance.randrange(14) for _ in range(chance.randrange(6))}
        word = sum(1 << move for move in chosen)
        expected = min(chosen, default=-1, key=lambda move: (moves.slot_of(move), moves.size_of(move)))
        assert moves.weakest_of(word) == expected


def test_wild_cards_make_sets_bigger() -> None:
    hand = position("presidente-casa", ["3c 3d 2h 2s", "4c 4d 5d", "6c", "7c"], wild_rank="2")
    word = moves.sets_with_wilds(hand.view(), hand._view["hand"].item())
    sets = {(moves.size_of(bit), moves.slot_of(bit)) for bit in range(62) if word >> bit & 1}
    two = moves.slot_of(moves.highest(hand._view["hand"].item() & 0x3FFF))
    assert sets == {(1, 0), (2, 0), (3, 0), (4, 0), (1, two), (2, two)}


# --- chance ---------------------------------------------------------------------------------------------


class Stream:
    """As much of a view as chance needs: a stream of its own, and ``advance_stream``."""

    def __init__(self, seed: int) -> None:
        hand = position("barajamos", ["3c 4c", "5c", "6c"])
        hand._hidden["streams"][hand.turn] = seed
        self.record = hand._state[0]
        face(self.record[0], hand._hidden, hand.turn)
        self.hand, self.plain = hand, hand.view()


def test_chance_is_the_same_compiled_and_in_plain_python() -> None:
    def draw(view: Any) -> tuple[float, int, int]:
        return moves.random(view), moves.below(view, 7), moves.below(view, 1000)

    compiled = numba.njit(draw)
    stream = Stream(99)
    for _ in range(50):
        assert compiled(stream.record[0]) == draw(stream.plain)


def test_chance_is_even() -> None:
    view = Stream(4).plain
    numbers = [moves.random(view) for _ in range(4000)]
    assert min(numbers) >= 0 and max(numbers) < 1
    assert abs(np.mean(numbers) - 0.5) < 0.02 and abs(np.std(numbers) - math.sqrt(1 / 12)) < 0.01
    drawn = Counter(moves.below(view, 5) for _ in range(5000))
    assert set(drawn) == set(range(5)) and all(abs(number - 1000) < 120 for number in drawn.values())


def test_exp_and_log_are_exact() -> None:
    compiled_exp, compiled_log = numba.njit(lambda x: moves.exp(x)), numba.njit(lambda x: moves.log(x))
    for x in [*np.linspace(-60, 60, 301).tolist(), -699.9, 699.9, 0.0, 1e-9]:
        assert moves.exp(x) == compiled_exp(x) == pytest.approx(math.exp(x), rel=2e-15)
    for x in [*np.geomspace(1e-300, 1e300, 301).tolist(), 1.0, 0.5, 2.0]:
        assert moves.log(x) == compiled_log(x) == pytest.approx(math.log(x), rel=2e-15, abs=1e-15)
    assert moves.exp(-701.0) == 0.0 and moves.exp(800.0) == moves.exp(700.0)


def test_a_choice_follows_its_temperature() -> None:
    view = Stream(8).plain
    values = [0.0, 1.0, 0.5, 1.0]
    before = view.stream
    assert moves.choose(view, values, 4, 0.0) == 1
    assert view.stream == before, "no chance is drawn at temperature 0"
    drawn = Counter(moves.choose(view, values, 4, 0.5) for _ in range(6000))
    weights = [math.exp(value / 0.5) for value in values]
    for index, weight in enumerate(weights):
        assert drawn[index] / 6000 == pytest.approx(weight / sum(weights), abs=0.025)
    compiled = numba.njit(lambda view, values: moves.choose(view, values, 4, 0.5))
    stream = Stream(8)
    assert [compiled(stream.record[0], np.array(values)) for _ in range(40)] == [
        moves.choose(stream.plain, values, 4, 0.5) for _ in range(40)
    ]
