"""Numbers of the searching bots: leads between two, and place scores of one field up to the oracle."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from harness.analysis import Analysis, analyse
from harness.errors import PresiError
from harness.request import Request
from harness.store import RunFolder
from harness.tournament import request_of

Floats = NDArray[np.float64]
Z = 1.959964
"""Half of a 95 % interval in standard errors; the fields have hundreds of groups."""


@dataclass(frozen=True)
class Played:
    """A finished run: its name, what was asked, its folder and the sums over its matches."""

    name: str
    request: Request
    folder: RunFolder
    sums: Analysis

    @property
    def worlds(self) -> int | None:
        """How many worlds its first bot was told to try; None if it was not told."""
        told = dict(self.request.bots[0].params).get("worlds")
        return None if told is None else int(told)


def read_runs(folder: Path) -> list[Played]:
    """Read all finished runs in a folder, in the order of their names.

    Raises
    ------
    PresiError
        If there are none.
    """
    runs = []
    for path in sorted(folder.glob("*/run.json")):
        run = RunFolder.read(path.parent)
        if run.info["state"] == "done":
            request = request_of(run)
            runs.append(Played(path.parent.name, request, run, analyse(run, request)))
    if not runs:
        raise PresiError(f"{folder}: no finished runs; python -m experiments.series plays them")
    return runs


def leads(runs: list[Played]) -> list[dict[str, Any]]:
    """Give the first bot's lead on the second, in Elo with its 95 % interval, of every run of two bots."""
    rows = []
    for run in runs:
        if len(run.request.bots) != 2:
            continue
        lead, low, high = run.sums.rate().lead(*run.request.labels)
        rows.append(
            {
                "run": run.name,
                "table": run.request.table.name,
                "bot": run.request.bots[0].spec,
                "other": run.request.bots[1].spec,
                "worlds": run.worlds,
                "groups": run.sums.tally.group_count,
                "lead": lead,
                "low": low,
                "high": high,
            }
        )
    return rows


@dataclass(frozen=True)
class Scores:
    """Mean place scores of one field, 1 always first, 0 always last.

    Attributes
    ----------
    run : Played
    match, hand : float64[bots]
        By place in the match and by puesto in the hands.
    match_cov, hand_cov : float64[bots, bots]
        Their covariances, groups of matches on the same deals as the unit.
    groups : int
    """

    run: Played
    match: Floats
    hand: Floats
    match_cov: Floats
    hand_cov: Floats
    groups: int


def place_scores(run: Played) -> Scores:
    """Work out the place scores of a field."""
    players, bots = run.request.players, len(run.request.bots)
    groups = run.sums.tally.group_count
    # points and number of places, by group and bot; groups are numbered from 0 without gaps
    match, hand = np.zeros((2, groups, bots)), np.zeros((2, groups, bots))
    for batch in run.folder.batches(("group", "bots", "standings", "hand_row", "puestos")):
        seats = (np.repeat(batch.group, players), batch.bots.ravel())
        np.add.at(match[0], seats, (players - batch.standings.ravel()) / (players - 1))
        np.add.at(match[1], seats, 1.0)
        seats = (np.repeat(batch.group[batch.hand_row], players), batch.bots[batch.hand_row].ravel())
        np.add.at(hand[0], seats, (players - batch.puestos.ravel()) / (players - 1))
        np.add.at(hand[1], seats, 1.0)
    (by_match, match_cov), (by_hand, hand_cov) = clustered_means(*match), clustered_means(*hand)
    return Scores(run, by_match, by_hand, match_cov, hand_cov, groups)


def clustered_means(points: Floats, places: Floats) -> tuple[Floats, Floats]:
    """Give means and their covariance where the rows are independent and what is in a row is not.

    Parameters
    ----------
    points, places : float64[groups, bots]
        Sums and numbers of what is averaged.

    Returns
    -------
    means : float64[bots]
    cov : float64[bots, bots]
        By the delta method for ratios, with C / (C - 1) for C groups.

    Examples
    --------
    >>> import numpy as np
    >>> means, cov = clustered_means(np.array([[1.0, 0.0], [2.0, 1.0]]), np.full((2, 2), 2.0))
    >>> means.tolist(), cov.tolist()
    ([0.75, 0.25], [[0.0625, 0.0625], [0.0625, 0.0625]])
    """
    groups = len(points)
    total = places.sum(axis=0)
    means = points.sum(axis=0) / total
    off = (points - means * places) / total
    return means, groups / (groups - 1) * off.T @ off


def share_closed(means: Floats, cov: Floats, low: int, at: int, high: int) -> tuple[float, float, float]:
    """Say which share of the way from one bot's mean to another's a third has gone.

    Parameters
    ----------
    means, cov : float64[bots], float64[bots, bots]
    low, at, high : int
        Numbers of the bots: 0 is the share of low, 1 that of high.

    Returns
    -------
    tuple of float
        The share, and its 95 % interval (Fieller's: every share that the means do not contradict);
        infinite ends where low and high themselves are not told apart.

    Examples
    --------
    >>> import numpy as np
    >>> [round(end, 3) for end in share_closed(np.array([0.4, 0.5, 0.6]), np.eye(3) * 1e-4, 0, 1, 2)]
    [0.5, 0.373, 0.627]
    """
    top, way = np.zeros(len(means)), np.zeros(len(means))
    top[[low, at]] += [-1.0, 1.0]
    way[[low, high]] += [-1.0, 1.0]
    a, b = float(top @ means), float(way @ means)
    va, vb, vab = float(top @ cov @ top), float(way @ cov @ way), float(top @ cov @ way)
    # shares s with (a - s b)^2 <= z^2 Var(a - s b)
    square, half, rest = b * b - Z * Z * vb, a * b - Z * Z * vab, a * a - Z * Z * va
    if b <= 0 or square <= 0:
        return a / b, -np.inf, np.inf
    width = float(np.sqrt(half * half - square * rest))
    return a / b, (half - width) / square, (half + width) / square
