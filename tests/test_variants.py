"""Experiments on house rules: the measures, and the command that plays, goes on and refuses."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pandas as pd
import pytest

from experiments.variants_file import read_variants
from harness import effects
from harness.errors import PresiError
from harness.ratings import Tally, fit

ROOT = Path(__file__).parents[1]
FILE = """
[tournament]
table = "barajamos"
players = 4
bots = ["lowest", "keep", "random"]
matches = 400
seed = 3
[mirror]
bot = "keep"
matches = 300
[variants.forbidden]
equal = "forbidden"
[variants.no-exchange]
exchange = [0, 0]
"""


def variants(file: Path, out: Path, *more: str, check: int = 0) -> str:
    """Run the command; give what it wrote, errors too."""
    command = [sys.executable, "-m", "experiments.variants", str(file), "--out", str(out), *more]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, capture_output=True, text=True, env=environment, timeout=300)
    assert done.returncode == check, f"exit {done.returncode}\n{done.stdout}\n{done.stderr}"
    assert "Traceback" not in done.stderr
    return done.stdout + done.stderr


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "rules.toml"
    path.write_text(FILE)
    return path


@pytest.fixture(scope="module")
def reference(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("reference")
    (folder / "rules.toml").write_text(FILE)
    variants(folder / "rules.toml", folder / "out", "--jobs", "1")
    return folder / "out"


def stamps(out: Path) -> dict[Path, int]:
    return {part.relative_to(out): part.stat().st_mtime_ns for part in out.rglob("part-*.parquet")}


def test_what_it_leaves(reference: Path) -> None:
    table = pd.read_csv(reference / "variants.csv").set_index("variant")
    assert table.index.tolist() == ["base", "forbidden", "no-exchange"]
    assert table.rules.tolist() == ["barajamos", "barajamos+equal", "barajamos+exchange"]
    assert (reference / "variants.png").stat().st_size > 10_000
    assert not table.filter(like="_change").loc["base"].to_numpy().any()
    # without an exchange it is worth nothing, exactly; with one the president gains for certain
    assert not table[["exchange", "exchange_low", "exchange_high"]].loc["no-exchange"].to_numpy().any()
    assert table.exchange_low["base"] > 0.5 and table.exchange_change_high["no-exchange"] < -0.5
    for name in ("turns", "leading", "exchange", "spread"):
        assert (table[f"{name}_low"] <= table[name]).all() and (table[name] <= table[f"{name}_high"]).all()
    # the measures are those of the folders it leaves
    run = pd.read_csv(reference / "base/tournament/ratings.csv")
    assert table.spread["base"] == pytest.approx(run.elo.std(ddof=0), rel=1e-4)


def test_it_goes_on_and_gives_the_same_numbers(reference: Path, file: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    variants(file, out, "--jobs", "2")
    expected = (reference / "variants.csv").read_text()
    assert (out / "variants.csv").read_text() == expected
    before = stamps(out)
    # one run lost, another as a kill leaves it: begun, without a part
    shutil.rmtree(out / "forbidden/mirror")
    for part in (out / "base/tournament").rglob("part-*.parquet"):
        part.unlink()
    info = out / "base/tournament/run.json"
    info.write_text(info.read_text().replace('"state": "done"', '"state": "interrupted"'))
    (out / "variants.csv").unlink()
    variants(file, out)
    assert (out / "variants.csv").read_text() == expected
    after = stamps(out)
    again = {path for path in before if after[path] != before[path]}
    assert {path.parts[:2] for path in again} == {("forbidden", "mirror"), ("base", "tournament")}
    # the runs there are of another request: refused before anything is played, unless told to
    assert "another run than the file asks for" in variants(file, out, "--matches", "200", check=2)
    assert stamps(out) == after
    variants(file, out, "--matches", "200", "--force")
    assert pd.read_csv(out / "variants.csv").matches.tolist() == [200, 200, 200]


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ('"forbidden"\n', '"maybe"\n', ["variant 'forbidden'", "equal = maybe", "skip, forbidden"]),
        ('equal = "', 'eqaul = "', ["variant 'forbidden'", "eqaul", "did you mean equal?"]),
        ('equal = "forbidden"', 'equal = "skip"', ["variant 'forbidden'", "changes nothing of barajamos"]),
        ('equal = "forbidden"', 'wild_rank = "2"', ["variant 'forbidden'", "lone_winner = 2o"]),
        ("[variants.forbidden]", "[variants.base]", ["variant 'base'", "small letters"]),
        ('[variants.forbidden]\nequal = "forbidden"', 'variants.forbidden = "x"', ["mirror", "variants"]),
        ("[mirror]", "[miror]", ["unknown section 'miror'", "did you mean mirror?"]),
        ('bot = "keep"', 'bots = "keep"', ["[mirror]", "'bots'", "did you mean bot?"]),
        ("seed = 3", 'seed = 3\ndeals = "x.jsonl"', ["deals: variants may change the deck"]),
        ("seed = 3", "sede = 3", ["unknown field 'sede'", "did you mean seed?"]),
    ],
)
def test_a_bad_file_is_refused(file: Path, old: str, new: str, words: list[str]) -> None:
    assert old in FILE
    file.write_text(FILE.replace(old, new))
    with pytest.raises(PresiError) as refusal:
        read_variants(str(file))
    assert "\n" not in str(refusal.value)
    assert all(word in str(refusal.value) for word in words), refusal.value


def test_a_bad_variant_ends_with_2_and_plays_nothing(file: Path, tmp_path: Path) -> None:
    file.write_text(FILE + '[variants.worse]\ncut_rank = "13"\n')
    text = variants(file, tmp_path / "out", check=2)
    assert "variant 'worse': cut_rank = 13" in text and len(text.splitlines()) == 1
    assert not (tmp_path / "out").exists()
    file.write_text(FILE.replace('bot = "keep"', 'bot = "kep"'))
    assert "did you mean keep?" in variants(file, tmp_path / "out", check=2)
    assert "matches 'few'" in variants(file, tmp_path / "out", "--matches", "few", check=2)
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    "path", sorted((ROOT / "experiments").glob("house-rules*.toml")), ids=lambda p: p.stem
)
def test_the_files_that_ship_are_right(path: Path) -> None:
    plan = read_variants(str(path))
    base = plan.pop("base")
    codes = base["tournament"].schedule.groups(0, 50).code, base["mirror"].schedule.groups(0, 50).code
    for runs in plan.values():
        # changes are compared group by group
        assert (runs["tournament"].schedule.groups(0, 50).code == codes[0]).all()
        for name in ("mirror", "other-leader", "no-exchange"):
            assert (runs[name].schedule.groups(0, 50).code == codes[1]).all()
        assert {runs[n].table.later_leader for n in ("mirror", "other-leader")} == {"last", "president"}


# --- the measures on made-up rows -----------------------------------------------------------------------


def made(groups: int, hands: int, rng: np.random.Generator, **fields: Any) -> SimpleNamespace:
    """Two matches a group of so many hands each, at four seats."""
    matches = 2 * groups
    rows = np.arange(matches)
    return SimpleNamespace(
        group=rows // 2,
        hand_row=np.repeat(rows, hands),
        hand=np.tile(np.arange(1, hands + 1), matches),
        turns=rng.integers(20, 60, matches * hands),
        puestos=rng.permuted(np.tile(np.arange(1, 5), (matches * hands, 1)), axis=1).astype(np.int8),
        **fields,
    )


def test_gap_and_length_by_hand() -> None:
    batch: Any = made(6, 3, np.random.default_rng(1))
    gaps, turns = np.zeros(6), np.zeros(6)
    for row in range(len(batch.hand)):
        group = batch.group[batch.hand_row[row]]
        turns[group] += batch.turns[row]
        if batch.hand[row] > 1:
            before, now = list(batch.puestos[row - 1]), batch.puestos[row]
            gaps[group] += int(now[before.index(4)]) - int(now[before.index(1)])
    gap = effects.gap_of_ends([batch], 6)
    length = effects.turns_per_hand([batch], 6)
    # every group has as many hands: the textbook's mean and standard error
    for found, each in ((gap, gaps / 4), (length, turns / 6)):
        assert found.value == pytest.approx(each.mean())
        assert found.se == pytest.approx(each.std(ddof=1) / np.sqrt(6))
        assert found.pulls.sum() == pytest.approx(0)
    # t quantile with 5 degrees of freedom
    assert gap.half_width() == pytest.approx(2.570582 * gap.se, rel=1e-6)


def test_leading_has_its_sign_and_size() -> None:
    # the leader finishes first, the other of the two ends third
    puestos = {"last": [[1, 2, 3, 4], [3, 2, 4, 1]], "president": [[1, 2, 3, 4], [1, 2, 4, 3]]}
    found = {}
    for leader, places in puestos.items():
        batch: Any = SimpleNamespace(
            group=np.arange(3),
            hand_row=np.repeat(np.arange(3), 2),
            hand=np.tile([1, 2], 3),
            puestos=np.tile(np.array(places, np.int8), (3, 1)),
        )
        found[leader] = effects.gap_of_ends([batch], 3)
    assert (found["last"].value, found["president"].value) == (-2, 2)
    assert effects.worth_of_leading(found["last"], found["president"]).value == 2


def test_spread_has_the_errors_of_the_ratings() -> None:
    rng = np.random.default_rng(5)
    groups, strength = 400, np.array([0.0, 0.5, 1.5])
    lineup = np.repeat(rng.integers(0, 3, (groups, 4)), 2, axis=0)
    lineup[:, :3] = [0, 1, 2]
    luck = strength[lineup] + rng.gumbel(size=(2 * groups, 4))
    standings = ((-luck).argsort(axis=1).argsort(axis=1) + 1).astype(np.int8)
    group = np.arange(2 * groups) // 2
    tally = Tally(["a", "b", "c"])
    tally.add(group, group.astype(np.int32), lineup.astype(np.int32), standings, standings.argmin(axis=1))
    rating = fit(tally)
    halves: list[Any] = [
        SimpleNamespace(group=group[part], bots=lineup[part], standings=standings[part])
        for part in (slice(0, 300), slice(300, None))
    ]
    spread = effects.rating_spread(rating, halves, groups)
    assert spread.value == pytest.approx(rating.elo.std())
    # the derivative of a standard deviation, and the covariance the ratings have
    slope = (rating.theta - rating.theta.mean()) / (3 * rating.theta.std())
    assert spread.se == pytest.approx(np.sqrt(slope @ rating.cov @ slope) * 400 / np.log(10), rel=1e-9)
    assert spread.pulls.sum() == pytest.approx(0, abs=1e-6)


def test_what_cannot_be_measured_is_said() -> None:
    batch: Any = made(3, 1, np.random.default_rng(2))
    with pytest.raises(PresiError, match="nothing to measure"):
        effects.gap_of_ends([batch], 3)
    length = effects.turns_per_hand([batch], 3)
    with pytest.raises(PresiError, match="3 and 2 groups"):
        length - effects.Estimate(1.0, np.zeros(2))
    assert np.isnan(effects.Estimate(1.0, np.zeros(1)).interval()).all()
