"""Learning weights: lessons in parallel, steps of Adam, kept on disk after each round.

Each kind of table (`harness.search.linear.kind_of`) has weights of its own and learns on tables of its own,
so the kinds are taught side by side and the result does not depend on the number of workers.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from .errors import PresiError
from .files import written_whole
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

SHARE = 0.35
"""Share of decisions that `linear` looks into."""
WORLDS = 32
"""Budget of the search that `champion` learns from."""
DECAY = 0.9
"""By how much the last step of Adam is shorter than the first."""


@dataclasses.dataclass(frozen=True)
class Course:
    """What can be learned.

    Attributes
    ----------
    about : str
        What it learns, for people.
    steps : int
        Usual number of steps.
    matches : int
        Of each table in a step.
    rate : float
        Length of a first step of Adam, in logits.
    round : int
        Steps between two states kept on disk.
    start : str
        Name of the weights it starts from; empty: from nothing.
    """

    about: str
    steps: int
    matches: int
    rate: float
    round: int
    start: str = ""


COURSES = {
    "linear": Course("which moves win, from rollouts of the true hands", 1000, 6, 0.15, 25),
    "champion": Course(
        "which moves strong players make, from matches of a search", 150, 1, 0.05, 5, "linear"
    ),
}
"""By the name of the bot whose weights they are."""


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


def teach(name: str, kind: int, pupil: Pupil, steps: int, until: int, seed: int) -> Pupil:
    """Take some more steps.

    Parameters
    ----------
    name : str
        Of the course.
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
    from .search.imitation import imitate
    from .search.lessons import learn
    from .search.linear import KINDS, NUMBER, load_weights

    course = COURSES[name]
    expert = np.array(load_weights(course.start)) if course.start else np.zeros(0)
    states = [
        (new_state(table(where, **changes), players), players) for where, changes, players in LESSONS[kind]
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
            numbers = np.arange(step * course.matches, (step + 1) * course.matches, dtype=np.uint64)
            codes = combine(start, numbers)
            if course.start:
                looked += imitate(view, hidden, players, codes, expert, WORLDS, weights, gradient)
            else:
                looked += learn(view, hidden, players, codes, weights, SHARE, gradient)
        slope = gradient[first : first + NUMBER] / max(looked, 1)
        mean = 0.9 * mean + 0.1 * slope
        square = 0.99 * square + 0.01 * slope**2
        length = course.rate * (1.0 - DECAY * step / steps)
        mine += length * (mean / (1.0 - 0.9**step)) / (np.sqrt(square / (1.0 - 0.99**step)) + 1e-8)
        decisions += looked
    return Pupil(mine.copy(), mean, square, until, decisions)


def train(
    name: str, out: Path, steps: int, seed: int, jobs: int, told: Callable[[int], None] | None = None
) -> list[Pupil]:
    """Learn a bot's weights and write them; goes on where an earlier call of the same was stopped.

    Parameters
    ----------
    name : str
        One of `COURSES`.
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

    course = COURSES[name]
    kept = state_file(out)
    pupils = _load(kept, name, steps, seed)
    with Parallel(n_jobs=min(jobs, KINDS)) as parallel:
        while pupils[0].step < steps:
            until = min(pupils[0].step + course.round, steps)
            pupils = parallel(
                delayed(teach)(name, kind, pupil, steps, until, seed) for kind, pupil in enumerate(pupils)
            )
            _save(kept, pupils, name, steps, seed)
            if told is not None:
                told(until)
    write_weights(out, name, pupils, steps, seed)
    kept.unlink()
    return pupils


def state_file(out: Path) -> Path:
    """Give the file that holds an unfinished course beside the weights it will write."""
    return out.with_name(out.name + ".state.npz")


def steps_done(out: Path, name: str, steps: int, seed: int) -> int:
    """Tell how far an earlier call came."""
    return _load(state_file(out), name, steps, seed)[0].step


def _load(kept: Path, name: str, steps: int, seed: int) -> list[Pupil]:
    from .search.linear import KINDS, NUMBER, load_weights

    if not kept.exists():
        start = load_weights(COURSES[name].start) if COURSES[name].start else (0.0,) * (KINDS * NUMBER)
        weights = np.array(start).reshape(KINDS, NUMBER)
        return [Pupil(weights[kind].copy(), np.zeros(NUMBER), np.zeros(NUMBER)) for kind in range(KINDS)]
    with np.load(kept) as state:
        was = (str(state["course"]), *state["request"].tolist())
        if was != (name, steps, seed, NUMBER):
            raise PresiError(
                f"{kept}: holds a course {was[0]!r} of {was[1]} steps with seed {was[2]}, "
                f"not {name!r} of {steps} with {seed}; finish that one, or delete the file"
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


def _save(kept: Path, pupils: list[Pupil], name: str, steps: int, seed: int) -> None:
    """Replace the state on disk in one go."""
    columns = {key: np.array([getattr(pupil, key) for pupil in pupils]) for key in vars(pupils[0])}
    request = np.array([steps, seed, len(pupils[0].weights)])
    with written_whole(kept) as fresh, fresh.open("wb") as file:
        np.savez(file, course=np.array(name), request=request, **columns)  # type: ignore[arg-type]


def write_weights(out: Path, name: str, pupils: list[Pupil], steps: int, seed: int) -> None:
    """Write weights as JSON, with how they were made."""
    from .search.linear import FEATURES

    data = {
        "made": {
            "by": f"presi train {name} --steps {steps} --seed {seed}",
            "decisions": [pupil.decisions for pupil in pupils],
            "tables": [
                [f"{where}{changes or ''} {players} players" for where, changes, players in lesson]
                for lesson in LESSONS
            ],
        },
        "kinds": [
            {
                feature: round(float(weight), 3)
                for feature, weight in zip(FEATURES, pupil.weights, strict=True)
            }
            for pupil in pupils
        ],
    }
    with written_whole(out) as file:
        file.write_text(json.dumps(data, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
