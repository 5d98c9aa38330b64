from __future__ import annotations

import json
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from numpy.typing import NDArray

from harness.analysis import Analysis
from harness.cards import deck_cards
from harness.errors import PresiError
from harness.replay.match import dealt_hands
from harness.request import make_request
from harness.summary import Summary
from harness.tables import table as table_of

POINTS = (2, 1, 0, 0, -1, -2, -3)
PER_HAND = ("hand_row", "hand", "leader", "turns", "puestos", "points")


@dataclass
class Rows:
    """What a summary reads of a batch."""

    hands: NDArray[Any]
    winner: NDArray[Any]
    standings: NDArray[Any]
    bots: NDArray[Any]
    faults: NDArray[Any]
    hand_row: NDArray[Any]
    hand: NDArray[Any]
    leader: NDArray[Any]
    turns: NDArray[Any]
    puestos: NDArray[Any]
    points: NDArray[Any]

    def part(self, start: int, stop: int) -> Rows:
        """Matches start to stop and their hands."""
        hands = (self.hand_row >= start) & (self.hand_row < stop)
        per_hand = set(PER_HAND)
        cut = {
            f.name: getattr(self, f.name)[hands if f.name in per_hand else slice(start, stop)]
            for f in fields(self)
        }
        cut["hand_row"] = cut["hand_row"] - start
        return Rows(**cut)


def make(matches: int, players: int, bots: int, seed: int = 0) -> Rows:
    rng = np.random.default_rng(seed)
    hands = rng.integers(1, 9, matches).astype(np.int16)
    row = np.repeat(np.arange(matches), hands)
    puestos = rng.permuted(np.tile(np.arange(1, players + 1, dtype=np.int8), (len(row), 1)), axis=1)
    points = np.array(POINTS[:players], np.int8)[puestos - 1]
    standings = rng.permuted(np.tile(np.arange(1, players + 1, dtype=np.int8), (matches, 1)), axis=1)
    return Rows(
        hands=hands,
        winner=standings.argmin(axis=1).astype(np.int8),
        standings=standings,
        bots=rng.integers(0, bots, (matches, players)).astype(np.int32),
        faults=(rng.random((matches, players)) < 0.1).astype(np.int16),
        hand_row=row,
        hand=(np.arange(len(row)) - (np.cumsum(hands) - hands)[row] + 1).astype(np.int16),
        leader=rng.integers(0, players, len(row)).astype(np.int8),
        turns=rng.integers(5, 90, len(row)).astype(np.int16),
        puestos=puestos,
        points=points,
    )


def tidy(rows: Rows, names: list[str], deck_size: int) -> tuple[pd.DataFrame, pd.DataFrame]:
    """The same as two long tables: one row per match and seat, one per hand and seat."""
    players = rows.bots.shape[1]
    match = pd.DataFrame(
        [
            (names[rows.bots[m, s]], "all", str(s), rows.standings[m, s], rows.winner[m] == s)
            for m in range(len(rows.bots))
            for s in range(players)
        ],
        columns=["bot", "all", "seat", "standing", "won"],
    )
    tidied = []
    for h, m in enumerate(rows.hand_row):
        cards = [0] * players
        for card in range(deck_size):
            cards[(rows.hand[h] - 1 + card) % players] += 1
        for s in range(players):
            role = "none" if rows.hand[h] == 1 else str(rows.puestos[h - 1, s])
            keys = (names[rows.bots[m, s]], "all", str(s), role, str(cards[s]))
            tidied.append((*keys, rows.puestos[h, s], rows.points[h, s], rows.leader[h] == s))
    columns = ["bot", "all", "seat", "role", "cards", "puesto", "points", "led"]
    return match, pd.DataFrame(tidied, columns=columns)


@pytest.mark.parametrize(("players", "bots", "deck_size"), [(3, 2, 40), (4, 3, 40), (7, 5, 54)])
def test_table_agrees_with_counting_row_by_row(players: int, bots: int, deck_size: int) -> None:
    names = [f"bot{k}" for k in range(bots)]
    rows = make(120, players, bots, seed=players)
    summary = Summary(names, players, deck_size)
    summary.add(rows)
    table = summary.table()
    assert list(table.columns[:3]) == ["bot", "by", "value"]
    columns = list(table.columns)[3:]
    found = {(row["bot"], row["by"], row["value"]): row for row in table.to_dict("records")}
    assert len(found) == len(table)
    match, hand = tidy(rows, names, deck_size)
    expected_keys = [("all", "all")]
    expected_keys += [("seat", str(seat)) for seat in range(players)]
    expected_keys += [("role", role) for role in ["none", *map(str, range(1, players + 1))]]
    expected_keys += [("cards", cards) for cards in sorted(hand.cards.unique(), key=int)]
    assert list(found) == [(name, by, value) for name in names for by, value in expected_keys]
    for name, by, value in found:
        hands = hand[(hand.bot == name) & (hand[by] == value)]
        of_hands = {
            "hands": len(hands),
            "mean_puesto": hands.puesto.mean(),
            "points_per_hand": hands.points.mean(),
            "lead_share": hands.led.mean(),
            "points_per_hand_led": hands.points[hands.led].mean(),
        } | {f"puesto_{k}": (hands.puesto == k).mean() for k in range(1, players + 1)}
        if by in ("all", "seat"):
            mine = match[(match.bot == name) & (match[by] == value)]
            of_matches: dict[str, Any] = {
                "matches": len(mine),
                "wins": mine.won.sum(),
                "win_rate": mine.won.mean(),
                "mean_standing": mine.standing.mean(),
            }
        else:
            of_matches = dict.fromkeys(("matches", "wins", "win_rate", "mean_standing"), np.nan)
        got, expected = found[name, by, value], of_matches | of_hands
        assert columns == list(expected)
        for column, answer in expected.items():
            if np.isnan(answer):
                assert pd.isna(got[column]), (name, by, value, column)
            else:
                assert got[column] == pytest.approx(answer), (name, by, value, column)
    assert (summary.match_count, summary.hand_count) == (len(rows.hands), len(rows.hand_row))
    assert summary.turn_count == rows.turns.sum()
    for bot in range(len(summary.bots)):
        assert summary.bot_faults[bot] == rows.faults[rows.bots == bot].sum()
    assert summary.turns.tolist() == np.bincount(rows.turns).tolist()
    assert summary.match_hands.tolist() == np.bincount(rows.hands).tolist()


def by_hand(bots: list[list[int]], hands: list[int], leader: list[int], puestos: list[list[int]]) -> Rows:
    """Matches of three seats, the hands of one after those of the other; points are 2, 1, 0."""
    places = np.array(puestos, np.int8)
    return Rows(
        hands=np.array(hands, np.int16),
        winner=np.zeros(len(hands), np.int8),
        standings=np.tile(np.array([1, 2, 3], np.int8), (len(hands), 1)),
        bots=np.array(bots, np.int32),
        faults=np.zeros((len(hands), 3), np.int16),
        hand_row=np.repeat(np.arange(len(hands)), hands),
        hand=np.concatenate([np.arange(1, count + 1) for count in hands]).astype(np.int16),
        leader=np.array(leader, np.int8),
        turns=np.full(len(puestos), 20, np.int16),
        puestos=places,
        points=(3 - places).astype(np.int8),
    )


# Two matches of three hands and of one, played by a, a, b and by b, a, a.
HANDS = by_hand(
    bots=[[0, 0, 1], [1, 0, 0]],
    hands=[3, 1],
    leader=[0, 2, 1, 1],
    puestos=[[1, 2, 3], [2, 1, 3], [1, 3, 2], [3, 1, 2]],
)


def test_roles_by_hand() -> None:
    summary = Summary(["a", "b"], 3)
    summary.add(HANDS)
    # a: first hands 1, 2 and 1, 2; then 1 -> 2 and 2 -> 1 (hand 2), 2 -> 1 and 1 -> 3 (hand 3).
    assert summary.transitions[0].tolist() == [[2, 2, 0], [0, 1, 1], [2, 0, 0], [0, 0, 0]]
    # b: first hands 3 and 3; then 3 -> 3 and 3 -> 2. That match 2 follows match 1 gives it no role.
    assert summary.transitions[1].tolist() == [[0, 0, 2], [0, 0, 0], [0, 0, 0], [0, 1, 1]]
    nan = np.nan
    np.testing.assert_equal(
        summary.transition_matrix("a"), [[0.0, 0.5, 0.5], [1.0, 0.0, 0.0], [nan, nan, nan]]
    )
    np.testing.assert_equal(
        summary.transition_matrix("b"), [[nan, nan, nan], [nan, nan, nan], [0.0, 0.5, 0.5]]
    )
    means = summary.by_role()
    np.testing.assert_equal(means["mean_puesto"], [[1.5, 2.5, 1.0, nan], [3.0, nan, nan, 2.5]])
    np.testing.assert_equal(means["points_per_hand"], [[1.5, 0.5, 2.0, nan], [0.0, nan, nan, 0.5]])
    table = summary.table()
    led = table[(table.bot == "a") & (table.by == "role")].set_index("value")
    # a led two of its four first hands and came first, and one of two as president and came last.
    np.testing.assert_equal(led["lead_share"].to_list(), [0.5, 0.5, 0.0, nan])
    np.testing.assert_equal(led["points_per_hand_led"].to_list(), [2.0, 0.0, nan, nan])
    assert set(table.by) == {"all", "seat", "role"}  # how many cards are dealt was not said


def test_cards_by_hand() -> None:
    summary = Summary(["a", "b"], 3, deck_size=10)
    summary.add(HANDS)
    # One card is left over: seat 0 gets it in hand 1, seat 1 in hand 2, seat 2 in hand 3.
    assert summary.cards == [3, 4]
    assert summary.dealt[0].tolist() == [[2, 3, 1], [2, 0, 0]]
    assert summary.dealt[1].tolist() == [[0, 0, 2], [0, 1, 1]]
    even = Summary(["a", "b"], 3, deck_size=9)
    even.add(HANDS)
    assert even.cards == [3]
    assert even.dealt.tolist() == [[[4, 3, 1]], [[0, 1, 3]]]
    assert even.table().query("by == 'cards'")["value"].tolist() == ["3", "3"]
    unknown = Summary(["a", "b"], 3)
    unknown.add(HANDS)
    assert (unknown.cards, unknown.dealt.shape) == ([], (2, 0, 3))


@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_cards_are_those_the_engine_deals(players: int) -> None:
    rules = table_of("barajamos", jokers=2, joker_role="top")
    size = len(deck_cards(rules.deck, rules.jokers))
    dealt = [[len(hand) for hand in dealt_hands(rules, players, 7, number)] for number in range(1, 9)]
    names = [f"seat {seat}" for seat in range(players)]
    # One match of eight hands, with a bot of its own in each seat and always the same places.
    rows = make(1, players, 1)
    for name in PER_HAND:
        setattr(rows, name, np.repeat(getattr(rows, name)[:1], 8, axis=0))
    rows.hands, rows.hand = np.array([8]), np.arange(1, 9)
    rows.bots = np.arange(players)[None]
    summary = Summary(names, players, size)
    summary.add(rows)
    counted = [[row.count(cards) for cards in summary.cards] for row in map(list, zip(*dealt, strict=True))]
    assert summary.dealt.sum(axis=2).tolist() == counted


def sums(summary: Summary) -> dict[str, Any]:
    return {
        name: value.tolist() if isinstance(value, np.ndarray) else value
        for name, value in vars(summary).items()
    }


@pytest.mark.parametrize("cuts", [(), (1,), (7, 7, 300, 999), tuple(range(0, 1000, 50))])
def test_cuts_change_nothing(cuts: tuple[int, ...]) -> None:
    rows = make(1000, 4, 6)
    whole, parts, other = (Summary(list("abcdef"), 4, deck_size=54) for _ in range(3))
    whole.add(rows)
    for k, (start, stop) in enumerate(zip((0, *cuts), (*cuts, 1000), strict=True)):
        (parts if k % 2 else other).add(rows.part(start, stop))
    parts.merge(other)
    assert sums(parts) == sums(whole)


def test_a_summary_of_nothing_adds_nothing() -> None:
    whole, empty, filled = (Summary(list("ab"), 4) for _ in range(3))
    whole.add(make(50, 4, 2))
    before = sums(whole)
    whole.merge(empty)
    assert sums(whole) == before
    filled.merge(whole)
    assert sums(filled) == before


def test_matches_may_come_in_any_order_and_steps_leave_no_seam(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = make(500, 5, 4)
    whole, mixed = (Summary(list("abcd"), 5, deck_size=48) for _ in range(2))
    whole.add(rows)
    # The hands of a match stay together, in order.
    order = np.argsort(np.random.default_rng(1).permutation(500)[rows.hand_row], kind="stable")
    for name in PER_HAND:
        setattr(rows, name, getattr(rows, name)[order])
    monkeypatch.setattr("harness.summary._STEP", 64)
    mixed.add(rows)
    assert sums(whole) == sums(mixed)


def test_per_bot_and_a_bot_that_never_played() -> None:
    rows = make(200, 4, 2)
    summary = Summary(["a", "b", "idle"], 4)
    summary.add(rows)
    means = summary.per_bot()
    table = summary.table().query("by == 'all'")
    for name in ("mean_puesto", "points_per_hand", "win_rate"):
        np.testing.assert_allclose(means[name], table[name].to_numpy())
        assert np.isnan(means[name][2])
    assert table.matches.tolist()[2] == 0


def test_nothing_played() -> None:
    summary = Summary(["a"], 3)
    summary.add(make(0, 3, 1))
    assert (summary.match_count, summary.hand_count, summary.turn_count) == (0, 0, 0)
    assert summary.table().shape == (1 + 3 + 4, 15)
    assert np.isnan(summary.transition_matrix("a")).all()


def test_matches_are_written_as_whole_numbers() -> None:
    summary = Summary(["a"], 3, deck_size=40)
    summary.standings[0, 0, 0] = 12_345_678
    text = summary.table().to_csv(index=False, float_format="%.6g").splitlines()
    assert text[1].startswith("a,all,all,12345678,0,0,1,0,")
    assert text[-1].startswith("a,cards,14,,,,,0,")


def test_refuses_what_does_not_fit() -> None:
    with pytest.raises(PresiError, match="at least one bot"):
        Summary([], 4)
    with pytest.raises(PresiError, match="players = 1"):
        Summary(["a"], 1)
    summary = Summary(["a", "b"], 4)
    with pytest.raises(PresiError, match="4 players"):
        summary.add(make(5, 3, 2))
    with pytest.raises(PresiError, match="bot index"):
        summary.add(make(50, 4, 3))
    with pytest.raises(PresiError, match="same bots"):
        summary.merge(Summary(["b", "a"], 4))
    with pytest.raises(PresiError, match="deck"):
        summary.merge(Summary(["a", "b"], 4, deck_size=54))
    with pytest.raises(PresiError, match="bot 'c'"):
        summary.transition_matrix("c")


@pytest.mark.parametrize("hand", [[2, 1, 3, 1], [2, 3, 4, 1], [1, 3, 2, 1], [1, 2, 2, 1]])
def test_refuses_hands_out_of_order(hand: list[int]) -> None:
    summary = Summary(["a", "b"], 3)
    with pytest.raises(PresiError, match="in the order they were played"):
        summary.add(replace(HANDS, hand=np.array(hand, np.int16)))
    assert summary.match_count == 0


def test_a_run_knows_its_cards_but_for_deals_made_elsewhere(tmp_path: Path) -> None:
    options = {"bots": ["keep", "chain"], "players": 5}
    assert Analysis(make_request({}, options)).summary.cards == [9, 10]
    file = tmp_path / "deals.jsonl"
    file.write_text(json.dumps({"hands": dealt_hands(table_of("barajamos"), 5, 7, 1), "leader": 0}))
    assert Analysis(make_request({}, {**options, "deals": str(file)})).summary.cards == []
