from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

import numpy as np
import pandas as pd
import pytest
from numpy.typing import NDArray

from harness.errors import PresiError
from harness.summary import Summary

POINTS = (2, 1, 0, 0, -1, -2, -3)


@dataclass
class Rows:
    """What a summary reads of a batch."""

    hands: NDArray[Any]
    winner: NDArray[Any]
    totals: NDArray[Any]
    standings: NDArray[Any]
    bots: NDArray[Any]
    faults: NDArray[Any]
    hand_row: NDArray[Any]
    leader: NDArray[Any]
    turns: NDArray[Any]
    puestos: NDArray[Any]
    points: NDArray[Any]

    def part(self, start: int, stop: int) -> Rows:
        """Matches start to stop and their hands."""
        hands = (self.hand_row >= start) & (self.hand_row < stop)
        per_hand = {"hand_row", "leader", "turns", "puestos", "points"}
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
    totals = np.zeros((matches, players), np.int16)
    np.add.at(totals, row, points)
    standings = rng.permuted(np.tile(np.arange(1, players + 1, dtype=np.int8), (matches, 1)), axis=1)
    return Rows(
        hands=hands,
        winner=standings.argmin(axis=1).astype(np.int8),
        totals=totals,
        standings=standings,
        bots=rng.integers(0, bots, (matches, players)).astype(np.int32),
        faults=(rng.random((matches, players)) < 0.1).astype(np.int16),
        hand_row=row,
        leader=rng.integers(0, players, len(row)).astype(np.int8),
        turns=rng.integers(5, 90, len(row)).astype(np.int16),
        puestos=puestos,
        points=points,
    )


def tidy(rows: Rows, names: list[str]) -> tuple[pd.DataFrame, pd.DataFrame]:
    """The same as two long tables: one row per match and seat, one per hand and seat."""
    players = rows.bots.shape[1]
    match = pd.DataFrame(
        [
            (names[rows.bots[m, s]], s, rows.standings[m, s], rows.winner[m] == s)
            for m in range(len(rows.bots))
            for s in range(players)
        ],
        columns=["bot", "seat", "standing", "won"],
    )
    hand = pd.DataFrame(
        [
            (names[rows.bots[m, s]], s, rows.puestos[h, s], rows.points[h, s], rows.leader[h] == s)
            for h, m in enumerate(rows.hand_row)
            for s in range(players)
        ],
        columns=["bot", "seat", "puesto", "points", "led"],
    )
    return match, hand


@pytest.mark.parametrize(("players", "bots"), [(3, 2), (4, 3), (7, 5)])
def test_table_agrees_with_counting_row_by_row(players: int, bots: int) -> None:
    names = [f"bot{k}" for k in range(bots)]
    rows = make(120, players, bots, seed=players)
    summary = Summary(names, players)
    summary.add(rows)
    table = summary.table()
    columns = list(table.columns)[2:]
    found = {(row["bot"], row["seat"]): row for row in table.to_dict("records")}
    assert len(table) == bots * (players + 1)
    match, hand = tidy(rows, names)
    for name in names:
        for seat in ["all", *map(str, range(players))]:
            mine = match[(match.bot == name) & ((seat == "all") | (match.seat.astype(str) == seat))]
            hands = hand[(hand.bot == name) & ((seat == "all") | (hand.seat.astype(str) == seat))]
            got = found[name, seat]
            expected = {
                "matches": len(mine),
                "wins": mine.won.sum(),
                "win_rate": mine.won.mean(),
                "mean_standing": mine.standing.mean(),
                "hands": len(hands),
                "mean_puesto": hands.puesto.mean(),
                "points_per_hand": hands.points.mean(),
                "lead_share": hands.led.mean(),
                "points_per_hand_led": hands.points[hands.led].mean(),
            } | {f"puesto_{k}": (hands.puesto == k).mean() for k in range(1, players + 1)}
            assert columns == list(expected)
            for column, value in expected.items():
                assert got[column] == pytest.approx(value, nan_ok=True), (name, seat, column)
    assert (summary.match_count, summary.hand_count) == (len(rows.hands), len(rows.hand_row))
    assert summary.turn_count == rows.turns.sum()
    for bot in range(len(summary.bots)):
        assert summary.bot_faults[bot] == rows.faults[rows.bots == bot].sum()
    assert summary.turns.tolist() == np.bincount(rows.turns).tolist()
    assert summary.match_hands.tolist() == np.bincount(rows.hands).tolist()


def sums(summary: Summary) -> dict[str, Any]:
    return {
        name: value.tolist() if isinstance(value, np.ndarray) else value
        for name, value in vars(summary).items()
    }


@pytest.mark.parametrize("cuts", [(), (1,), (7, 7, 300, 999), tuple(range(0, 1000, 50))])
def test_cuts_change_nothing(cuts: tuple[int, ...]) -> None:
    rows = make(1000, 4, 6)
    whole, parts, other = (Summary(list("abcdef"), 4) for _ in range(3))
    whole.add(rows)
    for k, (start, stop) in enumerate(zip((0, *cuts), (*cuts, 1000), strict=True)):
        (parts if k % 2 else other).add(rows.part(start, stop))
    parts.merge(other)
    assert sums(parts) == sums(whole)


def test_hands_may_come_in_any_order_and_steps_leave_no_seam(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = make(500, 5, 4)
    whole, mixed = Summary(list("abcd"), 5), Summary(list("abcd"), 5)
    whole.add(rows)
    order = np.random.default_rng(1).permutation(len(rows.hand_row))
    for name in ("hand_row", "leader", "turns", "puestos", "points"):
        setattr(rows, name, getattr(rows, name)[order])
    monkeypatch.setattr("harness.summary._STEP", 64)
    mixed.add(rows)
    assert sums(whole) == sums(mixed)


def test_per_bot_and_a_bot_that_never_played() -> None:
    rows = make(200, 4, 2)
    summary = Summary(["a", "b", "idle"], 4)
    summary.add(rows)
    means = summary.per_bot()
    table = summary.table().query("seat == 'all'")
    for name in ("mean_puesto", "points_per_hand", "win_rate"):
        np.testing.assert_allclose(means[name], table[name].to_numpy())
        assert np.isnan(means[name][2])
    assert table.matches.tolist()[2] == 0


def test_nothing_played() -> None:
    summary = Summary(["a"], 3)
    summary.add(make(0, 3, 1))
    assert (summary.match_count, summary.hand_count, summary.turn_count) == (0, 0, 0)
    assert summary.table().shape == (4, 14)


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
