"""The engine against the referee: whole matches of every table, shipped ones and random house rules."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.tables import Table, TableError, table, table_names
from tests.recorder import check_match

SHIPPED = [
    (name, n) for name in table_names() for n in range(table(name).players[0], table(name).players[1] + 1)
]


@pytest.mark.parametrize(("name", "players"), SHIPPED)
def test_shipped_tables(name: str, players: int) -> None:
    for code in range(30):
        check_match(table(name), players, code)


@pytest.mark.parametrize(("name", "players"), SHIPPED)
def test_shipped_tables_with_forfeits(name: str, players: int) -> None:
    for code in range(10):
        check_match(table(name), players, 1000 + code, faults=0.05)


@st.composite
def house_rules(draw: st.DrawFn) -> tuple[Table, int]:
    """Draw a table of one's own and a number of players."""
    base = draw(st.sampled_from(table_names()))
    changes: dict[str, object] = {}
    players = draw(st.integers(3, 7))
    changes["players"] = [3, 7]
    points = {
        n: sorted(draw(st.lists(st.integers(0, 5), min_size=n, max_size=n)), reverse=True)
        for n in range(3, 8)
    }
    changes["points"] = {n: [max(p[0], 1), *p[1:]] for n, p in points.items()}
    if draw(st.booleans()):
        changes["match_hands"] = draw(st.integers(1, 4))
    else:
        changes["match_points"] = draw(st.integers(1, 12))
    french = table(base).deck == "french52"
    if not french and base == "barajamos":
        changes["deck"] = draw(st.sampled_from(["spanish40", "spanish48"]))
    jokers = draw(st.integers(0, 4))
    if jokers:
        changes["jokers"] = jokers
        changes["joker_role"] = draw(st.sampled_from(["top", "wild"]))
    lone = draw(st.sampled_from([None, "2s" if french else "2o", "5c", "7c"]))
    changes["lone_winner"] = lone
    if draw(st.booleans()) and changes.get("joker_role") != "wild":
        ranks = [rank for rank in table(base).order if rank not in "89"]
        wild = draw(st.sampled_from(ranks))
        if lone is None or lone[:-1] != wild:
            changes["wild_rank"] = wild
    changes["later_leader"] = draw(st.sampled_from(["last", "president"]))
    changes["equal"] = draw(st.sampled_from(["skip", "forbidden"]))
    for name in ("pass_locks", "out_closes_trick", "president_falls"):
        changes[name] = draw(st.booleans())
    changes["revolution"] = draw(st.sampled_from(["none", "order", "order_and_direction"]))
    changes["cut_rank"] = draw(st.sampled_from([None, "4", "7"]))
    changes["exchange"] = [draw(st.integers(0, 2)), draw(st.integers(0, 1))]
    changes["exchange_return"] = draw(st.sampled_from(["worst", "choice"]))
    try:
        return table(base, **changes), players
    except TableError as error:
        raise AssertionError(f"a table that should be possible: {changes}: {error}") from None


@settings(max_examples=150, deadline=None)
@given(house_rules(), st.integers(0, 2**64 - 1), st.sampled_from([0.0, 0.0, 0.03]))
def test_house_rules(rules: tuple[Table, int], code: int, faults: float) -> None:
    check_match(*rules, code=code, faults=faults)
