"""An engine with one rule changed is caught by the referee, and is seen to be the changed one that ran."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

Rules = dict[str, Any]

ROOT = Path(__file__).parents[1]

SCRIPT = """
import json, sys
import numpy as np
import harness
from harness.arena import Arena
from harness.bots.ready import make_ready
from harness.bots.spec import parse_spec
from harness.tables import table
from tests.many_matches import check_table

print(harness.__file__)
for changes in json.loads(sys.argv[1]):
    rules = table("barajamos", **changes)
    arena = Arena(rules, 4, [make_ready(parse_spec("random"))])
    block = arena.play(np.arange(300, dtype=np.uint64), np.zeros((300, 4), np.int32))
    rows = [int(block.turns.sum()), block.winner.tolist()]
    try:
        check_table(1, 40, rules, 4)
    except (AssertionError, harness.errors.WorkError) as error:
        print(json.dumps([rows, "caught: " + str(error)[-200:]]))
    else:
        print(json.dumps([rows, "not caught"]))
"""

MUTANTS: dict[str, tuple[str, str, str, Rules]] = {
    "an equal skips who has passed": (
        "engine/turn.py",
        "        able = view.alive & ~view.passed if view.rules.pass_locks else view.alive\n        skipped",
        "        able = view.alive\n        skipped",
        {},
    ),
    "going out does not end the trick": (
        "engine/turn.py",
        "        closes |= view.rules.out_closes\n",
        "",
        {},
    ),
    "three cards are a revolution": (
        "engine/turn.py",
        "        if size == 4 and view.revolution:",
        "        if size >= 3 and view.revolution:",
        {"revolution": "order"},
    ),
    "the president falls one too late": (
        "engine/turn.py",
        "        if hidden.next_place == 1 and view.rules.president_falls",
        "        if hidden.next_place == 2 and view.rules.president_falls",
        {"president_falls": True},
    ),
    "the last always leads": (
        "engine/deal.py",
        "1 if view.rules.president_leads else view.players",
        "view.players",
        {"later_leader": "president"},
    ),
    "who has most points wins": (
        "engine/match.py",
        "(winner < 0 or view.puesto[seat] < view.puesto[winner])",
        "(winner < 0 or totals[seat] > totals[winner])",
        {"match_points": 3},
    ),
    "the worst card is the second worst": (
        "engine/deal.py",
        "    return lowest(plain) if plain else LONE\n",
        "    return lowest(plain & (plain - 1)) if plain & (plain - 1) else LONE\n",
        {"lone_winner": None},
    ),
}


def run(package: Path, cache: Path, rules: list[Rules]) -> list[Any]:
    environment = {
        **os.environ,
        "PYTHONPATH": f"{package}{os.pathsep}{ROOT}",
        "PRESI_CACHE": str(cache),
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, json.dumps(rules)],
        env=environment,
        cwd=package,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    where, *results = done.stdout.splitlines()
    assert where == str(package / "harness/__init__.py"), "another engine ran"
    return [json.loads(line) for line in results]


def copy(package: Path) -> Path:
    for folder in ("harness", "strategies"):
        shutil.copytree(ROOT / folder, package / folder, ignore=shutil.ignore_patterns("__pycache__"))
    return package


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What the engine as it is makes of every mutant's table, and the cache it left."""
    cache = tmp_path_factory.mktemp("cache")
    results = run(copy(tmp_path_factory.mktemp("sound")), cache, [mutant[3] for mutant in MUTANTS.values()])
    return {"cache": cache, **dict(zip(MUTANTS, results, strict=True))}


@pytest.mark.xdist_group("mutants")
@pytest.mark.parametrize("name", MUTANTS)
def test_a_changed_rule_is_caught(tmp_path: Path, sound: dict[str, Any], name: str) -> None:
    file, old, new, rules = MUTANTS[name]
    package = copy(tmp_path / "copy")
    source = package / "harness" / file
    text = source.read_text()
    assert text.count(old) == 1
    source.write_text(text.replace(old, new))
    [(rows, verdict)] = run(package, sound["cache"], [rules])
    before, fine = sound[name]
    assert rows != before, "the change changed nothing: compiled code of before ran"
    assert fine == "not caught"
    assert verdict.startswith("caught: ")
