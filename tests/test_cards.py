"""Decks, card text and ids."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.cards import DECKS, deck_cards, parse_cards, rank_of, suit_of
from harness.errors import PresiError


@pytest.mark.parametrize(("deck", "size"), [("spanish48", 48), ("spanish40", 40), ("french52", 52)])
@pytest.mark.parametrize("jokers", range(5))
def test_ids_are_rank_major_with_the_jokers_last(deck: str, size: int, jokers: int) -> None:
    cards = deck_cards(deck, jokers)
    assert len(cards) == len(set(cards)) == size + jokers
    for index, card in enumerate(cards[:size]):
        assert rank_of(card) == DECKS[deck].ranks[index // 4]
        assert suit_of(card) == DECKS[deck].suits[index % 4]
    assert cards[size:] == tuple(f"JK{number}" for number in range(1, jokers + 1))


def test_the_decks_are_those_of_the_rules() -> None:
    assert DECKS["spanish48"].ranks == tuple(str(rank) for rank in range(1, 13))
    assert DECKS["spanish40"].ranks == ("1", "2", "3", "4", "5", "6", "7", "10", "11", "12")
    assert DECKS["french52"].ranks == ("A", "2", "3", "4", "5", "6", "7", "8", "9", "T", "J", "Q", "K")
    assert DECKS["french52"].suits == ("c", "d", "h", "s")
    assert DECKS["spanish48"].suits == DECKS["spanish40"].suits == ("o", "c", "e", "b")


def test_rank_and_suit_of_jokers() -> None:
    assert (rank_of("JK3"), suit_of("JK3")) == ("JK", "")
    # A jack is no joker.
    assert (rank_of("Js"), suit_of("Js")) == ("J", "s")


@given(st.sampled_from(sorted(DECKS)), st.integers(0, 4), st.data())
def test_what_is_written_is_read(deck: str, jokers: int, data: st.DataObject) -> None:
    cards = data.draw(st.lists(st.sampled_from(deck_cards(deck, jokers))))
    joiner = data.draw(st.sampled_from([" ", ",", ", ", "\n"]))
    text = joiner.join(cards)
    assert parse_cards(text, deck, jokers) == cards
    assert parse_cards(text.upper(), deck, jokers) == cards
    assert parse_cards(text) == cards


@pytest.mark.parametrize(
    ("text", "deck", "jokers", "named"),
    [
        ("3o 13o", None, 4, ["'13o'", "any deck"]),
        ("8o", "spanish40", 0, ["'8o'", "spanish40", "1 2 3 4 5 6 7 10 11 12", "o c e b"]),
        ("3o", "french52", 0, ["'3o'", "french52"]),
        ("JK3", "spanish48", 2, ["'JK3'", "JK1 to JK2"]),
        ("JK1", "spanish48", 0, ["'JK1'"]),
        ("3", None, 4, ["'3'"]),
        ("3o", "spanish41", 0, ["spanish41", "spanish40"]),
    ],
)
def test_no_card(text: str, deck: str | None, jokers: int, named: list[str]) -> None:
    with pytest.raises(PresiError) as error:
        parse_cards(text, deck, jokers)
    for word in named:
        assert word in str(error.value)
    assert "\n" not in str(error.value)


def test_too_many_jokers() -> None:
    for jokers in (-1, 5):
        with pytest.raises(PresiError, match="0 to 4"):
            deck_cards("french52", jokers)
