"""The engine itself: what must hold in every state, what a view may show, what seeds must fix."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import numba
import numpy as np
import pytest

from harness import moves
from harness.arena import Arena
from harness.bots.plain import PlainView
from harness.bots.ready import make_ready
from harness.bots.spec import parse_spec
from harness.engine.deal import deal, shuffle, start_hand, start_match
from harness.engine.match import end_match, swap_cards
from harness.engine.records import RULES, TURNS, VIEW
from harness.engine.rules import new_state
from harness.engine.turn import face, flip, mirror, turn
from harness.tables import table, table_names
from tests.recorder import record_match, referee_match

SHIPPED = [
    (name, n) for name in table_names() for n in range(table(name).players[0], table(name).players[1] + 1)
]
FINE, CARDS_LOST, NO_CARDS, NO_CHOICE, TOO_LONG, WRONG_PLACES = range(6)


@numba.njit
def play_checked(
    view: Any, hidden: Any, players: int, hands: int, nothing: Any, nobody: Any, report: Any
) -> int:
    """Play random hands and look at every state; gives the first thing that is wrong, or FINE.

    ``report`` gets hands, matches, most turns of a hand, most hands of a match, sum of points.
    """
    rules = view.rules
    bots = np.zeros(7, np.int32)
    totals, standings = np.zeros(7, np.int16), np.zeros(7, np.int8)
    seed = np.uint64(0)
    while report[0] < hands:
        seed += np.uint64(1)
        start_match(view, hidden, players, seed)
        totals[:] = 0
        winner = -1
        while winner < 0:
            view.hand_number += 1
            start_hand(view, hidden)
            shuffle(hidden, rules.deck_size, seed, view.hand_number)
            deal(view, hidden)
            if view.hand_number > 1:
                # bots without a give: the worst cards are given for them, which is all that matters here
                swap_cards(view, hidden, bots, nothing, nothing[0], nobody, True, report[5:])
            while view.seat >= 0:
                seat = view.seat
                held = 0
                for other in range(players):
                    cards = moves.cards_in(hidden.hands[other])
                    if (view.alive >> other) & 1:
                        held += cards
                        if cards != view.left[other]:
                            return CARDS_LOST
                    elif view.left[other] != 0:
                        return CARDS_LOST
                    else:
                        held += cards
                if held + moves.cards_in(view.played) != rules.deck_size:
                    return CARDS_LOST
                if view.left[seat] == 0 or (view.alive >> seat) & 1 == 0:
                    return NO_CARDS
                face(view, hidden, seat)
                number = moves.choices(view)
                if view.size == 0:
                    if number == 0:
                        return NO_CHOICE
                    move = moves.nth_choice(view, moves.below(view, number))
                else:
                    index = moves.below(view, number + 1) - 1
                    move = moves.nth_choice(view, index) if index >= 0 else moves.PASS
                hidden.streams[seat] = view.stream
                turn(view, hidden, move)
                if view.turns > 400:
                    return TOO_LONG
            places, points = 0, 0
            for seat in range(players):
                places |= 1 << view.puesto[seat]
                points += rules.points[view.puesto[seat]]
                totals[seat] += rules.points[view.puesto[seat]]
            if places != (1 << (players + 1)) - 2:
                return WRONG_PLACES
            report[0] += 1
            report[2] = max(report[2], view.turns)
            report[4] += points
            winner = end_match(view, totals, standings)
            for seat in range(players):
                view.before[seat] = view.puesto[seat]
                view.points[seat] = totals[seat]
        report[1] += 1
        report[3] = max(report[3], view.hand_number)
    return FINE


@pytest.mark.parametrize(("name", "players"), SHIPPED)
def test_a_hundred_thousand_random_hands(name: str, players: int) -> None:
    rules = table(name, exchange_return="worst")  # chosen exchanges: tests/test_rules.py
    view, hidden = new_state(rules, players)
    report = np.zeros(10, np.int64)
    found = play_checked(
        view[0], hidden[0], players, 100_000, np.zeros((1, 5), np.int64), np.zeros(0, VIEW), report
    )
    assert found == FINE
    hands, _, turns, longest, points = report[:5].tolist()
    assert hands >= 100_000 and turns <= 400
    assert points == hands * sum(rules.points[players])
    assert sum(rules.points[players]) == {"b": 3, "p": 6, "n": 0}[name[0]]
    if name == "barajamos":
        assert longest <= 10 * players // 3 + 1
    else:
        assert longest == rules.match_hands


def test_no_hand_can_be_longer_than_its_record() -> None:
    """52 cards and four jokers, each played alone and passed by six others."""
    assert TURNS >= 56 * 7


# --- seeds ----------------------------------------------------------------------------------------------


def arena(bots: str, name: str = "barajamos", players: int = 4, **changes: Any) -> Arena:
    return Arena(table(name, **changes), players, [make_ready(parse_spec(bot)) for bot in bots.split(",")])


@pytest.mark.parametrize("bot", ["random", "chain"])
def test_mirror_every_rotation_of_one_policy_is_the_same_match(bot: str) -> None:
    """With the same bot in all seats labels do not matter, so each label scores exactly 1/n in each group."""
    place = arena(",".join(f"{label}@{bot}" for label in "abcd"))
    rotations = np.array([[(s + k) % 4 for s in range(4)] for k in range(4)], np.int32)
    for code in range(1, 40):
        block = place.play(np.full(4, code, np.uint64), rotations)
        assert (block.standings == block.standings[0]).all() and (block.totals == block.totals[0]).all()
        wins = np.bincount(rotations[np.arange(4), block.winner], minlength=4)
        assert wins.tolist() == [1, 1, 1, 1]


def test_the_shuffle_depends_on_deck_code_and_hand_alone() -> None:
    decks = []
    for name, changes in [
        ("barajamos", {}),
        ("barajamos", {"order": [*"456789", "10", "11", "12", "1", "2", "3"]}),
    ]:
        _, hidden = new_state(table(name, **changes), 4)
        shuffle(hidden[0], 48, np.uint64(77), 3)
        decks.append(hidden[0]["deck"][:48].tolist())
    assert decks[0] == decks[1] and sorted(decks[0]) == list(range(48))
    shuffle(hidden[0], 48, np.uint64(77), 4)
    assert hidden[0]["deck"][:48].tolist() != decks[0]


def test_shuffles_are_uniform() -> None:
    from scipy import stats

    _, hidden = new_state(table("naipera"), 4)
    where = np.zeros((40, 40), np.int64)
    for code in range(20_000):
        shuffle(hidden[0], 40, np.uint64(code), 1)
        where[np.arange(40), hidden[0]["deck"][:40]] += 1
    assert stats.chisquare(where.ravel()).pvalue > 1e-3


def test_dealing_starts_one_seat_further_each_hand() -> None:
    rules = table("barajamos")
    view, hidden = new_state(rules, 5)
    start_match(view[0], hidden[0], 5, np.uint64(9))
    for hand in range(1, 8):
        view[0]["hand_number"] = hand
        view[0]["before"][:5] = [2, 1, 3, 5, 4]
        start_hand(view[0], hidden[0])
        shuffle(hidden[0], 48, np.uint64(9), hand)
        deal(view[0], hidden[0])
        extra = [(hand - 1 + k) % 5 for k in range(3)]
        assert view[0]["left"][:5].tolist() == [10 if seat in extra else 9 for seat in range(5)]
        if hand > 1:
            assert view[0]["seat"] == 3


# --- what a view shows ----------------------------------------------------------------------------------


@pytest.mark.parametrize("word", [0, 1, moves.EVERY >> 2 & 0x0FFF_0FFF_0FFF_0FFF, moves.LONE_BIT | 5])
def test_mirroring_twice_changes_nothing(word: int) -> None:
    assert mirror(mirror(word, 13), 13) == word


def test_flipping_twice_changes_nothing() -> None:
    view, hidden = new_state(table("presidente-casa", jokers=2, joker_role="wild"), 4)
    start_match(view[0], hidden[0], 4, np.uint64(1))
    view[0]["hand_number"] = 1
    start_hand(view[0], hidden[0])
    shuffle(hidden[0], 54, np.uint64(1), 1)
    deal(view[0], hidden[0])
    before = view.tobytes(), hidden.tobytes()
    flip(view[0], hidden[0])
    assert view[0]["flipped"] and hidden.tobytes() != before[1]
    flip(view[0], hidden[0])
    assert (view.tobytes(), hidden.tobytes()) == before


def test_equal_positions_after_different_pasts_look_alike() -> None:
    """What is left over from an earlier hand once made equal positions look different."""
    views = []
    for past in (0, 1):
        view, hidden = new_state(table("presidente-casa"), 4)
        v, h = view[0], hidden[0]
        start_match(v, h, 4, np.uint64(1))
        v["hand_number"] = 1
        start_hand(v, h)
        shuffle(h, 52, np.uint64(1 + past), 1)
        deal(v, h)
        while v["seat"] >= 0:
            face(v, h, v["seat"])
            p = PlainView(v.copy())
            turn(v, h, moves.weakest(p) if past or not p.legal else moves.highest(p.legal))
        v["before"][:4] = [1, 2, 3, 4]
        v["hand_number"] = 2
        start_hand(v, h)
        shuffle(h, 52, np.uint64(5), 2)
        deal(v, h)
        h["streams"][:] = 0
        face(v, h, 0)
        views.append(view.tobytes())
    assert views[0] == views[1]


def test_views_have_no_padding() -> None:
    """Bytes of no field are copied with a view, and showed what an earlier match had left there."""
    for record in (VIEW, RULES):
        assert sum(record[name].itemsize for name in record.names or ()) == record.itemsize


# --- compiled code --------------------------------------------------------------------------------------

SCRIPT = """
import numpy as np
from harness.arena import Arena
from harness.bots.ready import make_ready
from harness.bots.spec import parse_spec
from harness.tables import table
arena = Arena(table("barajamos"), 4, [make_ready(parse_spec("lowgroup"))])
block = arena.play(np.arange(50, dtype=np.uint64), np.zeros((50, 4), np.int32))
print(block.turns.sum(), block.puestos.sum(axis=0).tolist())
"""


def run_script(package: Path, cache: Path) -> str:
    environment = {
        **os.environ,
        "PYTHONPATH": str(package),
        "PRESI_CACHE": str(cache),
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT],
        env=environment,
        cwd=package,
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout


def scratch_copy(folder: Path) -> Path:
    root = Path(__file__).parents[1]
    for name in ("harness", "strategies"):
        shutil.copytree(root / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    return folder


def test_an_edited_rule_is_a_new_rule(tmp_path: Path) -> None:
    """Numba's cache alone goes on with the old turn function; an edited one must change the next run."""
    package, cache = scratch_copy(tmp_path / "copy"), tmp_path / "cache"
    first = run_script(package, cache)
    assert run_script(package, cache) == first
    file = package / "harness/engine/turn.py"
    text = file.read_text()
    edited = re.sub(r"slot if view\.equal_skips else slot \+ 1", "slot + 1", text)
    assert edited != text
    file.write_text(edited)
    assert run_script(package, cache) != first
    file.write_text(text)
    assert run_script(package, cache) == first


def test_a_warm_cache_serves_an_installation_nobody_may_write_to(tmp_path: Path) -> None:
    package, cache = scratch_copy(tmp_path / "copy"), tmp_path / "cache"
    for path in [package, *package.rglob("*")]:
        path.chmod(0o555 if path.is_dir() else 0o444)
    try:
        first = run_script(package, cache)
        files = {path: path.stat().st_mtime_ns for path in cache.rglob("*.nbc")}
        assert files, "nothing was kept"
        assert run_script(package, cache) == first
        assert {path: path.stat().st_mtime_ns for path in cache.rglob("*.nbc")} == files, "compiled again"
        assert not list(package.rglob("__pycache__"))
    finally:
        for path in [package, *package.rglob("*")]:
            if path.is_dir():
                path.chmod(0o755)


def test_a_broken_rule_is_caught_by_the_referee() -> None:
    """The check of tests/test_rules.py can fail: the referee is given another table than the engine had."""
    rules = table("barajamos", match_hands=3)
    _, log = record_match(rules, 4, 11)
    referee_match(rules, 4, 11, log)
    with pytest.raises(AssertionError):
        referee_match(rules.change(equal="forbidden"), 4, 11, log)
