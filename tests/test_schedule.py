from __future__ import annotations

import itertools
from collections import Counter
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.stats import chisquare

from harness.errors import PresiError
from harness.schedule import MOST_LINEUPS, SEATINGS, Matches, Schedule

NAMES = ["keep", "chain", "lowest", "random", "hold", "bigfirst", "lowgroup"]
FIELDS = ("match", "code", "group", "lineup", "bots")


def make(
    bots: int | list[str] = 4,
    players: int = 3,
    lineups: str = "all",
    seatings: str = "rotations",
    matches: int = 500,
    seed: int = 7,
) -> Schedule:
    labels = NAMES[:bots] if isinstance(bots, int) else bots
    return Schedule(labels, players, lineups, seatings, matches, seed)


def everything(schedule: Schedule) -> Matches:
    return schedule.matches(0, schedule.total_groups)


@st.composite
def schedules(draw: Any) -> Schedule:
    """Any small schedule."""
    bots = draw(st.integers(2, 6))
    players = draw(st.integers(2, 4))
    kinds = ["all", f"gauntlet:{NAMES[draw(st.integers(0, bots - 1))]}"] + ["each"] * (bots >= players)
    return make(
        bots,
        players,
        draw(st.sampled_from(kinds)),
        draw(st.sampled_from(SEATINGS)),
        draw(st.integers(1, 2_000)),
        draw(st.integers(0, 2**64 - 1)),
    )


# --- lineups ------------------------------------------------------------------------------------------------


def test_lineups_are_what_their_names_say() -> None:
    both = [(0, 0, 1), (0, 1, 1)]
    assert list(map(tuple, make(2, 3, "all").lineups.tolist())) == both
    assert list(map(tuple, make(3, 3, "each").lineups.tolist())) == [(0, 1, 2)]
    assert list(map(tuple, make(3, 3, "gauntlet:chain").lineups.tolist())) == [
        (0, 0, 1),
        (0, 1, 2),
        (1, 2, 2),
    ]
    everyone = make(5, 4, "all").lineups
    assert len(everyone) == 70 - 5 and len(set(map(tuple, everyone.tolist()))) == 65
    assert everyone.dtype == np.int32 and (np.diff(everyone, axis=1) >= 0).all()


def test_thousands_of_lineups_are_no_trouble() -> None:
    schedule = make([f"bot{k}" for k in range(20)], 4, matches=100_000)
    assert len(schedule.lineups) == 8_855 - 20
    assert schedule.total_matches == 100_000
    assert len(np.unique(everything(schedule).lineup)) == 8_835


@settings(max_examples=100, deadline=None)
@given(schedules())
def test_every_match_seats_its_lineup(schedule: Schedule) -> None:
    rows = everything(schedule)
    assert (np.sort(rows.bots, axis=1) == schedule.lineups[rows.lineup]).all()
    assert (schedule.lineups[:, 0] != schedule.lineups[:, -1]).all()
    kinds = {name: getattr(rows, name).dtype for name in FIELDS}
    assert kinds == {
        "match": np.int64,
        "code": np.uint64,
        "group": np.int64,
        "lineup": np.int32,
        "bots": np.int32,
    }


# --- numbers, ranges, prefixes ------------------------------------------------------------------------------


@settings(max_examples=100, deadline=None)
@given(schedules(), st.data())
def test_ranges_fit_together(schedule: Schedule, data: Any) -> None:
    rows = everything(schedule)
    assert rows.match.tolist() == list(range(schedule.total_matches))
    assert rows.group[0] == 0 and rows.group[-1] == schedule.total_groups - 1
    start = data.draw(st.integers(0, schedule.total_groups))
    stop = data.draw(st.integers(start, schedule.total_groups))
    part, groups = schedule.matches(start, stop), schedule.groups(start, stop)
    first, end = schedule.match_range(start, stop)
    for name in FIELDS:
        assert np.array_equal(getattr(part, name), getattr(rows, name)[first:end])
    assert groups.first_match.tolist() == [schedule.first_match(group) for group in range(start, stop)]
    assert np.array_equal(np.repeat(groups.code, groups.size), part.code)
    assert np.array_equal(np.repeat(groups.lineup, groups.size), part.lineup)
    match = data.draw(st.integers(0, schedule.total_matches - 1))
    assert schedule.group_of_match(match) == rows.group[match]
    assert schedule.group_of_match(schedule.total_matches) == schedule.total_groups


@settings(max_examples=50, deadline=None)
@given(schedules(), st.integers(1, 3_000))
def test_a_longer_run_begins_with_the_shorter_one(schedule: Schedule, more: int) -> None:
    lineups = "all" if len(schedule.bots) < schedule.players else "each"
    short, long = (
        Schedule(schedule.bots, schedule.players, lineups, schedule.seatings, matches, schedule.seed)
        for matches in (schedule.total_matches, schedule.total_matches + more)
    )
    ours, theirs = everything(short), everything(long)
    for name in FIELDS:
        assert np.array_equal(getattr(ours, name), getattr(theirs, name)[: short.total_matches])


@settings(max_examples=100, deadline=None)
@given(schedules(), st.integers(1, 2_000))
def test_the_budget_is_rounded_up_to_whole_groups(schedule: Schedule, matches: int) -> None:
    rounded = Schedule(schedule.bots, schedule.players, "all", schedule.seatings, matches, schedule.seed)
    last = rounded.groups(rounded.total_groups - 1, rounded.total_groups)
    assert rounded.total_matches - int(last.size[0]) < matches <= rounded.total_matches


def test_beyond_the_total_there_is_what_a_longer_run_plays() -> None:
    short, long = make(matches=10), make(matches=1_000)
    assert np.array_equal(short.matches(50, 60).bots, long.matches(50, 60).bots)


def test_calls_in_any_order_give_the_same() -> None:
    for seatings in SEATINGS:
        kept, fresh = make(6, 4, seatings=seatings), make(6, 4, seatings=seatings)
        for group in (250, 3, 130, 2_000, 131, 0):
            kept.matches(group, group + 7)
            kept.first_match(group + 1)
        assert np.array_equal(everything(kept).bots, everything(fresh).bots)


# --- codes --------------------------------------------------------------------------------------------------


@settings(max_examples=50, deadline=None)
@given(schedules())
def test_a_code_belongs_to_one_group(schedule: Schedule) -> None:
    rows = everything(schedule)
    pairs = set(zip(rows.code.tolist(), rows.group.tolist(), strict=True))
    assert len(pairs) == schedule.total_groups == len({code for code, _ in pairs})


def test_neighbouring_seeds_share_no_code_and_no_order() -> None:
    codes: list[NDArray[np.uint64]] = []
    orders = []
    for seed in (0, 1, 2, 3, 2**63, 2**64 - 2, 2**64 - 1):
        groups = make(5, 4, matches=40_000, seed=seed).groups(0, 10_000)
        codes.append(groups.code)
        orders.append(tuple(groups.lineup[:20].tolist()))
    assert len(np.unique(np.concatenate(codes))) == sum(map(len, codes))
    assert len(set(orders)) == len(orders)


def games(schedule: Schedule, rounds: int, among: set[str]) -> set[tuple[Any, ...]]:
    """All matches of some rounds whose bots are all among these: code and labels by seat, as a set."""
    rows = schedule.matches(0, rounds * len(schedule.lineups))
    return {
        (int(code), *(schedule.bots[bot] for bot in bots))
        for code, bots in zip(rows.code, rows.bots.tolist(), strict=True)
        if {schedule.bots[bot] for bot in bots} <= among
    }


@pytest.mark.parametrize("seatings", SEATINGS)
def test_the_field_and_its_order_change_no_game(seatings: str) -> None:
    old = NAMES[:3]
    field = make(old, 4, seatings=seatings)
    alone = games(field, 3, set(old))
    assert alone == games(make(old[::-1], 4, seatings=seatings), 3, set(old))
    assert alone == games(make(["new", *old], 4, seatings=seatings), 3, set(old))
    assert alone == games(make([old[2], "a", old[0], "zz", old[1]], 4, seatings=seatings), 3, set(old))
    assert alone != games(
        make(["keep", "chain", "Lowest"], 4, seatings=seatings), 3, {"keep", "chain", "Lowest"}
    )
    gauntlet = make(old, 4, "gauntlet:keep", seatings=seatings)
    assert games(gauntlet, 3, set(old)) < alone


def test_codes_and_seats_are_pinned() -> None:
    """They are part of the interface: what a code and a seed stand for may never change."""
    rows = make(["keep", "chain", "random"], 3, "all", "rotations", 6, 42).matches(0, 2)
    assert rows.code[::3].tolist() == [15825171598118746056, 1847145989789137432]
    assert rows.bots.tolist() == [[2, 0, 2], [0, 2, 2], [2, 2, 0], [1, 1, 0], [1, 0, 1], [0, 1, 1]]


# --- seatings -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6, 7])
def test_rotations_give_every_bot_every_seat_equally(players: int) -> None:
    schedule = make(2, players, matches=400)
    rows = everything(schedule)
    for start in range(0, schedule.total_matches, players):
        group = rows.bots[start : start + players]
        for turn in range(players):
            assert np.array_equal(np.roll(group[0], -turn), group[turn])


@pytest.mark.parametrize("seatings", ["rotations", "permutations"])
@pytest.mark.parametrize("players", [3, 4])
def test_every_group_balances_the_seats_exactly(seatings: str, players: int) -> None:
    schedule = make(4, players, seatings=seatings, matches=3_000)
    rows = everything(schedule)
    groups = schedule.groups(0, schedule.total_groups)
    for first, size in zip(groups.first_match.tolist(), groups.size.tolist(), strict=True):
        seats = rows.bots[first : first + size]
        for bot in range(4):
            counts = (seats == bot).sum(axis=0)
            assert (counts == counts[0]).all()


def test_permutations_are_all_distinct_seatings() -> None:
    schedule = make(3, 4, seatings="permutations", matches=1_000)
    rows = everything(schedule)
    groups = schedule.groups(0, schedule.total_groups)
    for lineup, first, size in zip(groups.lineup, groups.first_match, groups.size, strict=True):
        seatings = list(map(tuple, rows.bots[first : first + size].tolist()))
        wanted = set(itertools.permutations(schedule.lineups[lineup].tolist()))
        assert len(seatings) == len(wanted) and set(seatings) == wanted


def test_cyclic_orders_are_uniform() -> None:
    schedule = make(4, 4, "each", matches=4 * 60_000)
    order = everything(schedule).bots[::4]
    start = order.argmin(axis=1)
    turned = np.take_along_axis(order, (start[:, None] + np.arange(4)) % 4, axis=1)
    counts = Counter(map(tuple, turned.tolist()))
    assert len(counts) == 6
    assert chisquare(list(counts.values())).pvalue > 1e-3


@pytest.mark.parametrize("players", [3, 5])
def test_random_seatings_are_uniform(players: int) -> None:
    schedule = make(players, players, "each", "random", matches=60_000)
    counts = Counter(map(tuple, everything(schedule).bots.tolist()))
    assert len(counts) == {3: 6, 5: 120}[players]
    assert chisquare(list(counts.values())).pvalue > 1e-3


def test_the_seating_does_not_follow_from_the_code_alone_in_any_plain_way() -> None:
    """Neither a code's low nor its high bits tell the order, or decks and seats would go together."""
    rows = make(3, 3, "each", "random", matches=60_000).matches(0, 60_000)
    order = rows.bots[:, 0] * 3 + rows.bots[:, 1]
    for bits in (rows.code & np.uint64(7), rows.code >> np.uint64(61)):
        table = np.histogram2d(order.astype(float), bits.astype(float), bins=(9, 8))[0]
        assert chisquare(table[table > 0]).pvalue > 1e-3


def test_rotations_and_permutations_agree_on_who_sits_behind_whom() -> None:
    """Match-weighted, lineup by lineup: how often each bot has each other right behind it."""
    shares = {}
    for seatings, rounds in (("rotations", 6_000), ("permutations", 1)):
        schedule = make(3, 4, seatings=seatings)
        rows = schedule.matches(0, rounds * len(schedule.lineups))
        behind = rows.bots * 3 + np.roll(rows.bots, -1, axis=1)
        for lineup in range(len(schedule.lineups)):
            counts = np.bincount(behind[rows.lineup == lineup].ravel(), minlength=9)
            shares[seatings, lineup] = counts / counts.sum()
    for lineup in range(12):
        # 6,000 drawn orders: 0.02 is over six standard errors
        assert np.abs(shares["rotations", lineup] - shares["permutations", lineup]).max() < 0.02


# --- balance of prefixes ------------------------------------------------------------------------------------


@settings(max_examples=100, deadline=None)
@given(schedules(), st.data())
def test_every_prefix_is_balanced(schedule: Schedule, data: Any) -> None:
    stop = data.draw(st.integers(0, schedule.total_groups))
    counts = np.bincount(schedule.groups(0, stop).lineup, minlength=len(schedule.lineups))
    assert counts.max() - counts.min() <= 1


def test_rounds_are_shuffled_evenly() -> None:
    schedule = make(3, 3, matches=1)
    size = len(schedule.lineups)
    first = schedule.groups(0, size * 20_000).lineup.reshape(-1, size)
    for position in (0, size // 2, size - 1):
        assert chisquare(np.bincount(first[:, position], minlength=size)).pvalue > 1e-3
    follows = first[:, 0] * size + first[:, 1]
    counts = np.bincount(follows, minlength=size * size).reshape(size, size)
    assert (np.diag(counts) == 0).all()
    assert chisquare(counts[~np.eye(size, dtype=bool)]).pvalue > 1e-3


# --- linked? ------------------------------------------------------------------------------------------------


def linked(schedule: Schedule, groups: int) -> bool:
    """The slow plain way: spread from bot 0."""
    lineups = [set(schedule.lineups[lineup].tolist()) for lineup in schedule.groups(0, groups).lineup]
    reached = {0}
    while more := [bots for bots in lineups if bots & reached and not bots <= reached]:
        reached |= set.union(*more)
    return len(reached) == len(schedule.bots)


@settings(max_examples=100, deadline=None)
@given(schedules())
def test_linking_groups_are_the_fewest_that_link(schedule: Schedule) -> None:
    assert linked(schedule, schedule.linking_groups)
    assert not linked(schedule, schedule.linking_groups - 1)
    assert schedule.connected() == linked(schedule, schedule.total_groups) == (schedule.warning() is None)


def test_a_run_too_small_says_what_would_be_enough() -> None:
    schedule = make(7, 3, matches=6)
    text = schedule.warning()
    enough = schedule.first_match(schedule.linking_groups)
    assert text is not None and f"{enough:,} matches are enough" in text and "6 matches are too few" in text
    assert make(7, 3, matches=enough).warning() is None
    assert make(7, 3, matches=enough - 3).warning() is not None


# --- refusals -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"bots": ["keep"]}, ["at least two", "1"]),
        ({"bots": ["keep", "chain", "keep"]}, ["'keep' is named twice", "other@keep"]),
        ({"bots": 2, "players": 3, "lineups": "each"}, ["2 bots", "3 seats", "all"]),
        ({"lineups": "gauntlet:chian"}, ["'chian'", "did you mean chain?"]),
        ({"lineups": "gauntlet:"}, ["''", "there are keep, chain"]),
        ({"lineups": "gauntlet"}, ["''", "there are keep, chain"]),
        ({"lineups": "al"}, ["'al'", "all"]),
        ({"seatings": "rotation"}, ["'rotation'", "rotations"]),
        ({"seatings": "x"}, ["'x'", "rotations, permutations, random"]),
        ({"matches": 0}, ["matches 0", "1 to"]),
        ({"matches": 10**30}, ["allowed are 1 to"]),
        ({"seed": -1}, ["seed -1", "2^64 - 1"]),
        ({"seed": 2**64}, ["2^64 - 1"]),
        ({"players": 8}, ["players 8", "2 to 7"]),
        ({"players": 1}, ["players 1"]),
    ],
)
def test_what_is_wrong_is_named(changes: dict[str, Any], words: list[str]) -> None:
    with pytest.raises(PresiError) as caught:
        make(**changes)
    for word in words:
        assert word in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(("lineups", "advice"), [("all", "gauntlet:BOT or each"), ("each", "gauntlet:BOT")])
def test_absurd_numbers_of_lineups_are_refused_at_once(lineups: str, advice: str) -> None:
    with pytest.raises(PresiError, match=f"allowed are {MOST_LINEUPS:,}; use {advice}"):
        make([f"bot{k}" for k in range(200)], 7, lineups)


def test_labels_of_any_kind() -> None:
    odd = ["exec:node bot.js --x=1,2", "ñandú@keep", "", " "]
    assert len(everything(make(odd, 3, matches=30)).match) == 30
