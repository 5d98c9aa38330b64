"""One hand by hand: positions, refusals, and every random position against the referee."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import harness
from harness.tables import table
from tests.reference.hand import Hand as RefereeHand
from tests.reference.hand import Refused
from tests.reference.random_tables import tables

CASES = [
    case
    for path in sorted((Path(__file__).parent / "cases").glob("*.json"))
    for case in json.loads(path.read_text())
]


def state(game: harness.Game) -> Any:
    hands = [game.hand(seat) for seat in range(game.players)]
    return hands, game.turn, game.trick, game.places(), game.flipped, game.direction, game.legal()


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_cases(case: dict[str, Any]) -> None:
    game = harness.Game(
        harness.table(case["table"], **case["set"]),
        hands=case["hands"],
        leader=case["leader"],
        previous=case["previous"],
        flipped=case.get("start_flipped", False),
    )
    for what, *rest in case["steps"]:
        if what == "play":
            assert game.turn == rest[0]
            game.play(rest[1])
        elif what == "no":
            assert game.turn == rest[0]
            before = state(game)
            with pytest.raises(harness.IllegalMove) as refusal:
                game.play(rest[1])
            assert refusal.value.reason
            if len(rest) > 2:
                assert rest[2] in refusal.value.reason
            assert state(game) == before
        elif what == "turn":
            assert game.turn == rest[0]
        elif what == "trick":
            assert game.trick == (None if rest[0] is None else tuple(rest[0]))
        elif what == "legal":
            assert set(game.legal()) == set(rest[0])
        elif what == "places":
            assert game.places() == rest[0]
        elif what == "over":
            assert game.over is rest[0]
        elif what == "flipped":
            assert game.flipped is rest[0]
        else:
            raise AssertionError(f"a step nobody knows: {what}")


def referee_table(rules: dict[str, Any], players: int) -> harness.Table:
    """Make the engine's table of one the referee's strategies drew."""
    points = {n: list(range(n - 1, -1, -1)) for n in range(3, 8)}
    points[players] = rules["points"][str(players)]
    fields = {**rules, "points": points, "default_players": players}
    if rules["match_points"] is not None:
        fields["points"] = {n: [max(0, p) for p in row] for n, row in points.items()}
    return table("barajamos").from_dict({**fields, "titles": {}}, name="drawn")


@st.composite
def positions(
    draw: st.DrawFn,
) -> tuple[dict[str, Any], harness.Table, list[list[str]], int, list[int] | None, bool]:
    """Draw a table and a position on it: some cards of the deck, a leader, places before."""
    rules, players = draw(tables())
    ours = referee_table(rules, players)
    from harness.cards import deck_cards

    deck = draw(st.permutations(deck_cards(ours.deck, ours.jokers)))
    sizes = draw(st.lists(st.integers(1, len(deck) // players), min_size=players, max_size=players))
    hands, at = [], 0
    for size in sizes:
        hands.append(list(deck[at : at + size]))
        at += size
    before = draw(st.none() | st.permutations(range(1, players + 1)))
    flipped = rules["revolution"] != "none" and draw(st.booleans())
    return (
        rules,
        ours,
        hands,
        draw(st.integers(0, players - 1)),
        None if before is None else list(before),
        flipped,
    )


@settings(max_examples=250, deadline=None)
@given(positions(), st.randoms(use_true_random=False))
def test_every_position_goes_on_as_the_referee_says(position: Any, chance: Any) -> None:
    """Legal lists, events and refusals agree, choice by choice, whether named by cards or as legal names it."""
    rules, ours, hands, leader, before, flipped = position
    game = harness.Game(ours, hands, leader, before, flipped)
    referee = RefereeHand(rules, hands, leader, before, flipped)
    while not referee.over:
        assert game.turn == referee.turn
        legal = sorted(referee.legal())
        assert sorted(game.legal()) == legal
        assert (game.trick, game.flipped, game.places()) == (referee.trick, referee.flipped, referee.places())
        wrong = " ".join(
            chance.sample(
                game.hand(game.turn or 0), min(len(game.hand(game.turn or 0)), chance.randint(1, 4))
            )
        )
        try:
            copy.deepcopy(referee).play(wrong)
        except Refused:
            before_state = state(game)
            with pytest.raises(harness.IllegalMove):
                game.play(wrong)
            assert state(game) == before_state
        else:
            events = game.play(wrong)
            theirs = referee.play(wrong)
            assert without_totals(events) == without_totals(theirs)
            continue
        choice = chance.choice(legal)
        assert without_suits(game.play(choice)) == without_suits(referee.play(choice))
        for seat in range(game.players):  # suits may be chosen otherwise, so make them agree again
            assert sorted(game.hand(seat)) == sorted(referee.hand(seat))
    assert game.over and game.trick is None and game.legal() == []
    with pytest.raises(harness.IllegalMove, match="the hand is over"):
        game.play("pass")


def without_totals(events: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [{k: v for k, v in event.items() if k not in ("totals", "cards", "legal")} for event in events]


without_suits = without_totals
