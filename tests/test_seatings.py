"""Seatings in play: who sits behind whom matters, and rotations weigh it as permutations do."""

from __future__ import annotations

from itertools import combinations

import numpy as np

from harness.arena import Arena
from harness.bots.ready import make_ready
from harness.bots.spec import parse_spec
from harness.ratings import bradley_terry
from harness.ratings.rating import Rating
from harness.ratings.tally import Tally
from harness.schedule import Schedule
from harness.tables import table

FIELD = ["chain", "lowgroup", "lowest", "random"]


def rate(seatings: str, matches: int, seed: int) -> Rating:
    """Rate the field at one table of four, every lineup once the same four bots."""
    schedule = Schedule(FIELD, 4, "each", seatings, matches, seed)
    arena = Arena(table("barajamos"), 4, [make_ready(parse_spec(name)) for name in FIELD])
    played = schedule.matches(0, schedule.total_groups)
    block = arena.play(played.code, played.bots)
    tally = Tally(FIELD)
    tally.add(played.group, played.lineup, played.bots, block.standings, block.winner)
    return bradley_terry(tally)


def test_rotations_and_permutations_agree_within_their_errors() -> None:
    rotations, permutations = rate("rotations", 60_000, 1), rate("permutations", 60_000, 2)
    for a, b in combinations(FIELD, 2):
        i, j = FIELD.index(a), FIELD.index(b)
        difference = (rotations.elo[i] - rotations.elo[j]) - (permutations.elo[i] - permutations.elo[j])
        error = np.hypot(rotations.se_diff(a, b), permutations.se_diff(a, b))
        assert abs(difference) < 4 * error, (a, b, difference, error)


def test_order_round_the_table_matters_in_that_field() -> None:
    """So the agreement above is no accident: one fixed cyclic order gives quite other ratings."""
    arena = Arena(table("barajamos"), 4, [make_ready(parse_spec(name)) for name in FIELD])
    elo = []
    for order in ([0, 1, 2, 3], [0, 3, 2, 1]):
        group = np.repeat(np.arange(5_000), 4)
        bots = np.array([np.roll(order, turn) for turn in range(4)], np.int32)[np.tile(np.arange(4), 5_000)]
        block = arena.play(group.astype(np.uint64) + np.uint64(7), bots)
        tally = Tally(FIELD)
        tally.add(group, np.zeros(len(group), np.int32), bots, block.standings, block.winner)
        elo.append(bradley_terry(tally))
    gap = [fit.elo[0] - fit.elo[1] for fit in elo]
    assert abs(gap[0] - gap[1]) > 8 * max(fit.se_diff("chain", "lowgroup") for fit in elo), gap
