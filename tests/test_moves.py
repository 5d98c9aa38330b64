"""The vocabulary of moves: in plain Python against counts of cards, and compiled code against plain."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numba
import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness import moves

hands = st.lists(st.integers(0, 4), min_size=14, max_size=14)


def word_of(counts: list[int]) -> int:
    word = 0
    for slot, number in enumerate(counts):
        word = moves.add_cards(word, slot, number)
    return word


@given(hands)
def test_words_count_cards(counts: list[int]) -> None:
    word = word_of(counts)
    assert [moves.count(word, slot) for slot in range(14)] == counts
    assert moves.cards_in(word) == sum(counts)
    assert 0 <= word < 2**62
    legal = {moves.move_of(size, slot) for slot, n in enumerate(counts) for size in range(1, n + 1)}
    assert {bit for bit in range(64) if word >> bit & 1} == legal


@given(hands, st.integers(0, 13), st.data())
def test_taking_undoes_adding(counts: list[int], slot: int, data: st.DataObject) -> None:
    word = word_of(counts)
    number = data.draw(st.integers(0, counts[slot]))
    taken = moves.take_cards(word, slot, number)
    assert moves.count(taken, slot) == counts[slot] - number
    assert moves.add_cards(taken, slot, number) == word


@given(hands)
def test_groups_are_whole_ranks(counts: list[int]) -> None:
    word = word_of(counts)
    groups = {moves.move_of(n, slot) for slot, n in enumerate(counts) if n}
    assert {bit for bit in range(64) if moves.groups(word) >> bit & 1} == groups
    if any(counts):
        weakest = next(slot for slot, n in enumerate(counts) if n)
        assert moves.weakest_group(word) == moves.move_of(counts[weakest], weakest)
        strongest = max(slot for slot, n in enumerate(counts) if n)
        assert moves.strongest_group(word) == moves.move_of(counts[strongest], strongest)
    else:
        assert moves.weakest_group(word) == moves.strongest_group(word) == -1


@given(st.integers(1, 4), st.integers(0, 13), st.integers(0, 3))
def test_moves_read_back(size: int, slot: int, wilds: int) -> None:
    move = moves.move_of(size, slot, wilds)
    assert (moves.size_of(move), moves.slot_of(move), moves.wilds_of(move)) == (size, slot, wilds)


def test_the_lone_winner_is_above_all() -> None:
    assert moves.lowest(moves.LONE_BIT | 1 << 61) == 61
    assert moves.highest(moves.LONE_BIT | 1 << 61) == moves.LONE
    assert (moves.size_of(moves.LONE), moves.slot_of(moves.LONE), moves.wilds_of(moves.LONE)) == (1, 14, 0)
    assert moves.size_of(moves.PASS) == 0


FUNCTIONS = [
    "size_of_set",
    "lowest",
    "highest",
    "groups",
    "ranks",
    "cards_in",
    "weakest_group",
    "strongest_group",
]


@pytest.mark.parametrize("name", FUNCTIONS)
def test_compiled_as_in_plain_python(name: str) -> None:
    function = getattr(moves, name)
    compiled = numba.njit(function) if name not in ("size_of_set", "lowest", "highest") else _wrapped(name)
    words = [0, 1, 1 << 61, moves.EVERY, moves.LONE_BIT, 0x0001_0001_0001_0001]
    words += [word_of([(seed * 7 + slot * 3) % 5 for slot in range(14)]) for seed in range(40)]
    for word in words:
        assert compiled(word) == function(word), (name, hex(word))


def _wrapped(name: str) -> Any:
    scope: dict[str, object] = {"moves": moves}
    exec(f"def call(word):\n    return moves.{name}(word)", scope)
    return numba.njit(scope["call"])


@pytest.mark.parametrize("number", [0, 1, 2, 3, 4])
def test_compiled_shifts_of_a_whole_column(number: int) -> None:
    """Shifting by 64 bits at once is undefined in compiled code: four cards once stayed in the hand."""
    take = numba.njit(lambda word, n: moves.take_cards(word, 3, n))
    add = numba.njit(lambda word, n: moves.add_cards(word, 3, n))
    full = moves.add_cards(0, 3, 4)
    assert take(full, number) == moves.take_cards(full, 3, number)
    assert add(0, number) == moves.add_cards(0, 3, number)
    assert moves.count(moves.take_cards(full, 3, number), 3) == 4 - number


def test_a_choice_out_of_range_is_the_pass() -> None:
    """Compiled and plain Python once gave different rubbish."""
    view = SimpleNamespace(legal=0b101, wild_slot=-1)
    assert [moves.nth_choice(view, index) for index in (-1, 0, 1, 2)] == [moves.PASS, 0, 2, moves.PASS]
