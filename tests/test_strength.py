"""The report on the searching bots: a series of small runs, its text and files; shares with known answers."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from experiments.strength_results import clustered_means, share_closed

SERIES = """
[tournament]
table = "barajamos"
players = 3
lineups = "all"
matches = 24
seed = 4

[runs.field]
matches = 72
bots = ["chain", "lowest", "champion@champion:worlds=2", "oracle@oracle:worlds=2"]
oracle = true

[runs.few]
bots = ["champion@champion:worlds=2:guesses=1", "lowest"]

[runs.more]
bots = ["champion@champion:worlds=4:guesses=1", "lowest"]
"""


def call(module: str, *arguments: str, check: int = 0) -> str:
    command = [sys.executable, "-m", f"experiments.{module}", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == check, done.stderr
    return done.stdout + done.stderr


def test_a_series_and_what_it_says(tmp_path: Path) -> None:
    file, out = tmp_path / "series.toml", tmp_path / "out"
    file.write_text(SERIES)
    assert "no finished runs" in call("strength", str(tmp_path), check=2)
    call("series", str(file), "--out", str(out), "--jobs", "1", "--only", "few")
    rows = (out / "few" / "ratings.csv").read_bytes()
    said = call("series", str(file), "--out", str(out), "--jobs", "2")
    assert (out / "few" / "ratings.csv").read_bytes() == rows  # what was there is not played again
    assert sorted(pd.read_csv(out / "series.csv").run.unique()) == ["few", "field", "more"]
    assert "series.csv" in said
    said = call("strength", str(out))
    assert "champion:worlds=2:guesses=1" in said and "barajamos, by hand score" in said
    leads = pd.read_csv(out / "leads.csv")
    ratings = pd.read_csv(out / "more" / "ratings.csv")
    assert leads.worlds.tolist() == [2, 4]
    assert abs(leads.lead[1]) == pytest.approx(abs(ratings.lead_next[0]), rel=1e-5)
    scores = pd.read_csv(out / "scores.csv").set_index("bot")
    field = pd.read_csv(out / "field" / "ratings.csv").set_index("bot")
    assert scores.match.sort_index().to_numpy() == pytest.approx(
        field.score.sort_index().to_numpy(), rel=1e-5
    )
    puesto = 1 - (field.mean_puesto - 1) / 2
    assert scores.hand.sort_index().to_numpy() == pytest.approx(puesto.sort_index().to_numpy(), rel=1e-5)
    assert (scores[["match_half", "hand_half"]] > 0).all(axis=None)
    assert all((out / name).stat().st_size > 10_000 for name in ("worlds.png", "scores.png"))


def test_the_share_covers_the_true_one() -> None:
    """2,000 fields of 200 groups whose means are known: the interval holds the share in 95 of 100."""
    rng = np.random.default_rng(7)
    true, held = np.array([0.50, 0.53, 0.56]), 0
    for _ in range(2000):
        deal = rng.normal(0, 0.2, (200, 1))  # luck that all share, which must cancel
        means, cov = clustered_means(true + deal + rng.normal(0, 0.1, (200, 3)), np.ones((200, 3)))
        _, low, high = share_closed(means, cov, 0, 1, 2)
        held += low <= 0.5 <= high
    assert 0.93 < held / 2000 < 0.97


def test_no_share_of_no_way() -> None:
    cov = np.eye(3) * 0.01
    assert share_closed(np.array([0.5, 0.5, 0.5001]), cov, 0, 1, 2)[1:] == (-np.inf, np.inf)
    assert share_closed(np.array([0.6, 0.5, 0.1]), cov / 100, 0, 1, 2)[1:] == (-np.inf, np.inf)
