"""The schedule: what is promised of groups, seatings, codes and prefixes."""

from __future__ import annotations

import itertools
import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from harness.errors import PresiError
from harness.schedule import Matches, Schedule

FIVE = ["lowest", "keep", "hold", "chain", "random"]


def whole(schedule: Schedule) -> Matches:
    return schedule.matches(0, schedule.total_groups)


@st.composite
def requests(draw: st.DrawFn) -> tuple[list[str], int, str, str, int, int]:
    bots = FIVE[: draw(st.integers(2, 5))]
    players = draw(st.integers(3, 5))
    kinds = ["all", f"gauntlet:{bots[0]}"] + (["each"] if len(bots) >= players else [])
    seatings = draw(st.sampled_from(["rotations", "permutations", "random"]))
    return bots, players, draw(st.sampled_from(kinds)), seatings, draw(st.integers(1, 400)), draw(st.integers(0, 99))


@settings(max_examples=60, deadline=None)
@given(requests())
def test_matches_are_whole_groups_of_their_lineups(request: tuple[list[str], int, str, str, int, int]) -> None:
    schedule = Schedule(*request)
    played = whole(schedule)
    budget = request[4]
    assert len(played.match) == schedule.total_matches >= budget
    assert schedule.first_match(schedule.total_groups - 1) < budget
    assert played.match.tolist() == list(range(schedule.total_matches))
    assert np.array_equal(np.sort(played.bots, axis=1), schedule.lineups[played.lineup])
    for group in range(schedule.total_groups):
        rows = played.group == group
        first = schedule.first_match(group)
        assert played.match[rows].tolist() == list(range(first, first + rows.sum()))
        assert schedule.group_of_match(first) == schedule.group_of_match(first + int(rows.sum()) - 1) == group
        assert len(set(played.code[rows])) == len(set(played.lineup[rows])) == 1
        if request[3] == "permutations":
            seatings = {tuple(row) for row in played.bots[rows].tolist()}
            assert len(seatings) == rows.sum()
            assert seatings == set(itertools.permutations(schedule.lineups[played.lineup[rows][0]].tolist()))
        if request[3] == "rotations":
            lines = played.bots[rows].tolist()
            assert lines == [lines[0][k:] + lines[0][:k] for k in range(request[1])]


@settings(max_examples=40, deadline=None)
@given(requests(), st.integers(1, 300), st.data())
def test_a_longer_run_begins_like_a_shorter_one(
    request: tuple[list[str], int, str, str, int, int], more: int, data: st.DataObject
) -> None:
    short = Schedule(*request)
    long = Schedule(*request[:4], request[4] + more, request[5])
    start = data.draw(st.integers(0, short.total_groups - 1))
    a, b = short.matches(start, short.total_groups), long.matches(start, short.total_groups)
    for name in ("match", "code", "group", "lineup", "bots"):
        assert np.array_equal(getattr(a, name), getattr(b, name))


def test_every_prefix_samples_all_lineups_evenly() -> None:
    schedule = Schedule(FIVE, 4, "all", "rotations", 20_000, 1)
    lineups = schedule.groups(0, schedule.total_groups).lineup
    number = len(schedule.lineups)
    assert number == math.comb(8, 4) - 5
    for end in range(1, len(lineups) + 1, 37):
        counts = np.bincount(lineups[:end], minlength=number)
        assert counts.max() - counts.min() <= 1
    assert not np.array_equal(lineups[:number], lineups[number : 2 * number])


def test_lineups_are_those_asked_for() -> None:
    assert len(Schedule(FIVE, 4, "each", "random", 9, 0).lineups) == 5
    gauntlet = Schedule(FIVE, 4, "gauntlet:hold", "random", 9, 0).lineups
    assert len(gauntlet) == math.comb(6, 3)
    assert ((gauntlet == 2).sum(axis=1) == 1).all()
    assert Schedule(["a", "b"], 3, "all", "random", 9, 0).lineups.tolist() == [[0, 0, 1], [0, 1, 1]]


def test_adding_a_bot_leaves_the_old_codes_alone() -> None:
    def codes(bots: list[str]) -> dict[tuple[str, ...], int]:
        schedule = Schedule(bots, 3, "all", "random", 1000, 5)
        first = schedule.groups(0, len(schedule.lineups))
        names = [tuple(sorted(bots[bot] for bot in schedule.lineups[lineup])) for lineup in first.lineup]
        return dict(zip(names, first.code.tolist(), strict=True))

    few, many = codes(["keep", "chain"]), codes(["another", "chain", "keep"])
    assert all(many[lineup] == code for lineup, code in few.items())


def test_codes_differ_within_a_run_and_between_neighbouring_seeds() -> None:
    seen: set[int] = set()
    for seed in range(4):
        codes = Schedule(FIVE, 4, "all", "random", 20_000, seed).groups(0, 20_000).code
        assert len(set(codes.tolist())) == 20_000
        assert not seen & set(codes.tolist())
        seen |= set(codes.tolist())


def test_cyclic_orders_are_drawn_uniformly() -> None:
    schedule = Schedule(list("abcd"), 4, "each", "rotations", 48_000, 3)
    played = whole(schedule)
    first = played.bots[::4]
    cyclic = Counter(tuple(np.roll(row, -row.tolist().index(0)).tolist()) for row in first)
    assert len(cyclic) == 6
    assert stats.chisquare(list(cyclic.values())).pvalue > 1e-3


@pytest.mark.parametrize("lineups", ["all", "each"])
def test_rotations_weigh_neighbours_like_permutations(lineups: str) -> None:
    """Who sits behind whom matters; dropping rotations that look alike would change its weights."""

    def shares(seatings: str, matches: int) -> np.ndarray:
        played = whole(Schedule(list("abcd"), 4, lineups, seatings, matches, 2))
        behind = np.roll(played.bots, -1, axis=1)
        counts = np.bincount((4 * played.bots + behind).ravel(), minlength=16) / played.bots.size
        # every lineup as often: weigh matches by lineup
        weights = np.zeros(16)
        for lineup in np.unique(played.lineup):
            rows = played.lineup == lineup
            weights += np.bincount((4 * played.bots[rows] + behind[rows]).ravel(), minlength=16) / rows.sum()
        assert counts.sum() == pytest.approx(1)
        return weights / weights.sum()

    assert np.abs(shares("rotations", 120_000) - shares("permutations", 40_000)).max() < 3e-3


def test_each_bot_sits_in_every_seat_as_often() -> None:
    for seatings in ("rotations", "permutations"):
        played = whole(Schedule(FIVE, 4, "all", seatings, 5_000, 0))
        counts = [np.bincount(played.bots[:, seat], minlength=5) for seat in range(4)]
        assert all(np.array_equal(counts[0], count) for count in counts)


def test_a_run_too_small_to_link_all_bots_says_so() -> None:
    assert Schedule(FIVE, 4, "all", "rotations", 100_000, 0).warning() is None
    schedule = Schedule([f"b{n}" for n in range(12)], 3, "each", "rotations", 3, 0)
    warning = schedule.warning()
    assert warning and "3 matches leave 10 groups" in warning
    enough = int(warning.split("; ")[1].split()[0].replace(",", ""))
    assert Schedule(list(schedule.bots), 3, "each", "rotations", enough, 0).warning() is None
    assert Schedule(list(schedule.bots), 3, "each", "rotations", enough - 3, 0).warning() is not None


@pytest.mark.parametrize(
    ("bots", "players", "lineups", "seatings", "matches", "message"),
    [
        (["a"], 3, "all", "rotations", 1, "at least two"),
        (["a", "b", "a"], 3, "all", "rotations", 1, "'a' is named twice.*other@a"),
        (["a", "b"], 3, "each", "rotations", 1, "2 bots do not fill 3 seats"),
        (["keep", "chain"], 3, "gauntlet:kep", "rotations", 1, "no bot 'kep'.*did you mean keep"),
        (["a", "b"], 3, "some", "rotations", 1, "allowed are all, each, gauntlet:BOT"),
        (["a", "b"], 3, "all", "rotation", 1, "allowed are rotations, permutations, random"),
        (["a", "b"], 3, "all", "random", 0, "allowed are 1 and more"),
        ([str(n) for n in range(100)], 6, "all", "random", 9, "at most 2,000,000"),
    ],
)
def test_what_cannot_be_scheduled(
    bots: list[str], players: int, lineups: str, seatings: str, matches: int, message: str
) -> None:
    with pytest.raises(PresiError, match=message):
        Schedule(bots, players, lineups, seatings, matches, 0)
