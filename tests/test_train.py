"""`presi train`: weights that say how they were made, the same for any number of workers, interrupted or not."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path

import numpy as np
import pytest

from harness import learning
from harness.bots.spec import build, parse_spec
from harness.errors import PresiError
from harness.search.linear import FEATURES, KINDS, NUMBER, load_weights, weights_of


@pytest.mark.parametrize("name", ["linear", "champion"])
def test_a_course_is_the_same_in_pieces_and_with_more_workers(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(learning, "WORLDS", 1)  # of this process, so champion has one worker
    short = dataclasses.replace(learning.COURSES[name], round=1)
    monkeypatch.setitem(learning.COURSES, name, short)
    whole, pieces = tmp_path / "whole.json", tmp_path / "pieces.json"
    learning.train(name, whole, 2, 5, 1)

    class StopError(Exception):
        pass

    def stop(_: int) -> None:
        raise StopError

    with pytest.raises(StopError):
        learning.train(name, pieces, 2, 5, 1, stop)
    assert not pieces.exists()
    assert learning.steps_done(pieces, name, 2, 5) == 1
    with pytest.raises(PresiError, match=r"of 2 steps with seed 5, not .* of 3 with 5"):
        learning.train(name, pieces, 3, 5, 1)
    learning.train(name, pieces, 2, 5, 2 if name == "linear" else 1)
    assert whole.read_text() == pieces.read_text()
    assert not list(tmp_path.glob("*.npz"))
    made = json.loads(whole.read_text())["made"]
    assert made["by"] == f"presi train {name} --steps 2 --seed 5"
    assert all(number > 50 for number in made["decisions"])


def test_weights_are_played_from_a_file(tmp_path: Path) -> None:
    pupils = [
        learning.Pupil(np.full(NUMBER, kind + 0.5), np.zeros(NUMBER), np.zeros(NUMBER))
        for kind in range(KINDS)
    ]
    learning.write_weights(tmp_path / "mine.json", "linear", pupils, 1, 1)
    bot = build(parse_spec(f"linear:weights={tmp_path / 'mine.json'}"))
    assert bot.weights == tuple(kind + 0.5 for kind in range(KINDS) for _ in range(NUMBER))


def test_weights_of_another_shape_are_refused() -> None:
    with pytest.raises(ValueError, match="no feature 'luck'"):
        weights_of({"kinds": [{"luck": 1.0}] * KINDS})
    with pytest.raises(ValueError, match=f'must hold "kinds", {KINDS} sets'):
        weights_of({"kinds": [{}]})


@pytest.mark.parametrize("name", ["linear", "champion"])
def test_shipped_weights_name_every_feature_and_how_they_were_made(name: str) -> None:
    text = (Path(learning.__file__).parent.parent / "strategies" / "weights" / f"{name}.json").read_text()
    data = json.loads(text)
    assert data["made"]["by"].startswith(f"presi train {name} ")
    assert all(list(kind) == list(FEATURES) for kind in data["kinds"])
    assert len(load_weights(name)) == KINDS * NUMBER
