"""Learning weights: lessons in parallel, steps of Adam, kept on disk after each round.

Each kind of table (`harness.search.linear.kind_of`) has weights of its own and learns on tables of its own,
so the kinds are taught side by side and the result does not depend on the number of workers.
"""

from __future__ import annotations

import dataclasses
import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from .errors import PresiError
from .streams import combine
from .tables import table

LESSONS: tuple[tuple[tuple[str, dict[str, Any], int], ...], ...] = (
    (("presidente-clasico", {}, 4), ("barajamos", {"equal": "forbidden"}, 4)),
    (
        ("barajamos", {}, 3),
        ("barajamos", {}, 4),
        ("barajamos", {}, 6),
        ("naipera", {}, 3),
        ("naipera", {}, 4),
        ("naipera", {}, 6),
    ),
    (("presidente-revolucion", {}, 4), ("presidente-casa", {}, 4)),
    (
        ("barajamos", {"revolution": "order"}, 4),
        ("naipera", {"revolution": "order_and_direction", "jokers": 2, "joker_role": "wild"}, 4),
    ),
)
"""For each kind of table the tables it learns on: name, changes, players."""

MATCHES = 6
"""Matches of each table in a step."""
SHARE = 0.35
"""Share of decisions that are looked into."""
RATE, DECAY = 0.15, 0.9
"""Length of a first step of Adam, in logits; the last one is shorter by `DECAY`."""
ROUND = 25
"""Steps between two states kept on disk."""


@dataclasses.dataclass
class Pupil:
    """What has been learned of one kind of table, and how far it is.

    Attributes
    ----------
    weights, mean, square : float64[NUMBER]
        The weights, and Adam's running means of gradients and of their squares.
    step, decisions : int
        Taken, looked into.
    """

    weights: np.ndarray
    mean: np.ndarray
    square: np.ndarray
    step: int = 0
    decisions: int = 0


def teach(kind: int, pupil: Pupil, steps: int, until: int, seed: int) -> Pupil:
    """Take some more steps.

    Parameters
    ----------
    kind : int
        Of the tables.
    pupil : Pupil
        Not changed.
    steps : int
        Of the whole course: they get shorter towards its end.
    until : int
        Step to stop after.
    seed : int
    """
    from .engine.rules import new_state
    from .search.lessons import learn
    from .search.linear import KINDS, NUMBER

    states = [
        (new_state(table(name, **changes), players), players) for name, changes, players in LESSONS[kind]
    ]
    first = kind * NUMBER
    weights = np.zeros(KINDS * NUMBER)
    mine = weights[first : first + NUMBER]
    mine[:] = pupil.weights
    mean, square, decisions = pupil.mean.copy(), pupil.square.copy(), pupil.decisions
    for step in range(pupil.step + 1, until + 1):
        gradient = np.zeros(KINDS * NUMBER)
        looked = 0
        for lesson, ((view, hidden), players) in enumerate(states):
            start = combine(np.array([seed], np.uint64), np.array([kind * 64 + lesson], np.uint64))
            numbers = np.arange(step * MATCHES, (step + 1) * MATCHES, dtype=np.uint64)
            looked += learn(view, hidden, players, combine(start, numbers), weights, SHARE, gradient)
        slope = gradient[first : first + NUMBER] / max(looked, 1)
        mean = 0.9 * mean + 0.1 * slope
        square = 0.99 * square + 0.01 * slope**2
        length = RATE * (1.0 - DECAY * step / steps)
        mine += length * (mean / (1.0 - 0.9**step)) / (np.sqrt(square / (1.0 - 0.99**step)) + 1e-8)
        decisions += looked
    return Pupil(mine.copy(), mean, square, until, decisions)


def train_linear(
    out: Path, steps: int, seed: int, jobs: int, told: Callable[[int], None] | None = None
) -> list[Pupil]:
    """Learn the linear bot's weights and write them; goes on where an earlier call of the same was stopped.

    Parameters
    ----------
    out : Path
        JSON file of the weights; ``out.state.npz`` beside it holds the state until the end.
    steps : int
        Of the course.
    seed : int
    jobs : int
        Worker processes; the result does not depend on them.
    told : callable, optional
        Called with the number of steps done after each round.

    Raises
    ------
    PresiError
        If there is a state of another course beside the file.
    """
    from joblib import Parallel, delayed

    from .search.linear import KINDS

    kept = out.with_name(out.name + ".state.npz")
    pupils = _load(kept, steps, seed)
    with Parallel(n_jobs=min(jobs, KINDS)) as parallel:
        while pupils[0].step < steps:
            until = min(pupils[0].step + ROUND, steps)
            pupils = parallel(
                delayed(teach)(kind, pupil, steps, until, seed) for kind, pupil in enumerate(pupils)
            )
            _save(kept, pupils, steps, seed)
            if told is not None:
                told(until)
    write_weights(out, pupils, steps, seed)
    kept.unlink()
    return pupils


def _load(kept: Path, steps: int, seed: int) -> list[Pupil]:
    from .search.linear import KINDS, NUMBER

    if not kept.exists():
        return [Pupil(np.zeros(NUMBER), np.zeros(NUMBER), np.zeros(NUMBER)) for _ in range(KINDS)]
    with np.load(kept) as state:
        if state["request"].tolist() != [steps, seed, NUMBER]:
            was = state["request"].tolist()
            raise PresiError(
                f"{kept}: holds a course of {was[0]} steps with seed {was[1]}, not {steps} with {seed}; "
                "finish that one, or delete the file"
            )
        return [
            Pupil(
                state["weights"][kind],
                state["mean"][kind],
                state["square"][kind],
                int(state["step"][kind]),
                int(state["decisions"][kind]),
            )
            for kind in range(KINDS)
        ]


def _save(kept: Path, pupils: list[Pupil], steps: int, seed: int) -> None:
    """Replace the state on disk in one go."""
    fresh = kept.with_name(kept.name + ".tmp.npz")
    columns = {name: np.array([getattr(pupil, name) for pupil in pupils]) for name in vars(pupils[0])}
    np.savez(fresh, request=np.array([steps, seed, len(pupils[0].weights)]), **columns)  # type: ignore[arg-type]
    os.replace(fresh, kept)


def write_weights(out: Path, pupils: list[Pupil], steps: int, seed: int) -> None:
    """Write weights as JSON, with how they were made."""
    from .search.linear import FEATURES

    data = {
        "made": {
            "by": f"presi train linear --steps {steps} --seed {seed}",
            "decisions": [pupil.decisions for pupil in pupils],
            "tables": [
                [f"{name}{changes or ''} {players} players" for name, changes, players in lesson]
                for lesson in LESSONS
            ],
        },
        "kinds": [
            {name: round(float(weight), 3) for name, weight in zip(FEATURES, pupil.weights, strict=True)}
            for pupil in pupils
        ],
    }
    fresh = out.with_name(out.name + ".tmp")
    fresh.write_text(json.dumps(data, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    os.replace(fresh, out)
