"""The run folder: round trips, kills, refusals, size."""

from __future__ import annotations

import dataclasses
import os
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest

from harness.bots.ready import make_ready
from harness.errors import PresiError
from harness.request import Request, make_request
from harness.runner import Runner
from harness.store import Batch, Run, RunFolder

INFO = {"request": {}, "bots": [{"label": name} for name in ("lowgroup", "random", "keep")], "counts": {}}


def request(matches: int = 4_000) -> Request:
    return make_request({}, {"bots": ["lowgroup", "random", "keep"], "players": 4, "matches": matches, "seed": 5})


def play(folder: RunFolder, asked: Request) -> list[Batch]:
    for spec in asked.bots:
        make_ready(spec)
    batches: list[Batch] = []
    Runner(asked, folder, 1, "loky", batches.append, lambda n: None).play()
    return batches


def equal(a: Batch, b: Batch) -> bool:
    return all(np.array_equal(getattr(a, f.name), getattr(b, f.name)) for f in dataclasses.fields(Batch))


def test_what_is_written_is_read_back(tmp_path: Path) -> None:
    with RunFolder.create(tmp_path / "run") as folder:
        folder.begin(**INFO)
        written = play(folder, request())
    read = RunFolder.read(tmp_path / "run")
    assert read.matches_done == 4_000 and read.groups_done == 1_000
    (back,) = read.batches()
    assert equal(back, written[0])
    for name in ("match", "code", "group", "lineup", "bots", "hand_match", "puestos"):
        assert getattr(back, name).dtype == getattr(written[0], name).dtype


def test_columns_and_types_are_those_of_the_interface(tmp_path: Path) -> None:
    with RunFolder.create(tmp_path / "run") as folder:
        folder.begin(**INFO)
        play(folder, request(400))
    hands = pq.read_schema(tmp_path / "run/hands/part-00000.parquet")
    assert [(f.name, str(f.type)) for f in hands] == [
        ("match", "int64"), ("hand", "int16"), ("leader", "int8"), ("turns", "int16"),
        *((f"puesto_{seat}", "int8") for seat in range(4)), *((f"points_{seat}", "int8") for seat in range(4)),
    ]  # fmt: skip
    matches = pq.read_schema(tmp_path / "run/matches/part-00000.parquet")
    types = {f.name: str(f.type) for f in matches}
    assert types["match"] == types["group"] == "int64" and types["code"] == "uint64" and types["lineup"] == "int32"
    assert types["hands"] == types["total_3"] == types["faults"] == "int16"
    assert types["winner"] == types["standing_0"] == "int8"
    assert types["bot_0"].startswith("dictionary<values=string")


def test_hands_take_less_than_four_bytes(tmp_path: Path) -> None:
    with RunFolder.create(tmp_path / "run") as folder:
        folder.begin(**INFO)
        play(folder, request(40_000))
    file = tmp_path / "run/hands/part-00000.parquet"
    assert file.stat().st_size / pq.read_metadata(file).num_rows < 4


def test_leftovers_of_a_kill_are_dropped(tmp_path: Path) -> None:
    path = tmp_path / "run"
    with RunFolder.create(path) as folder:
        folder.begin(**INFO)
        play(folder, request(400))
    for left in ("hands/part-00001.parquet", "hands/part-00001.parquet.tmp", "matches/part-00001.parquet.tmp"):
        (path / left).write_bytes(b"half a fi")
    assert RunFolder.read(path).matches_done == 400
    assert len(list(RunFolder.read(path).batches())) == 1
    with RunFolder.open(path) as folder:
        assert folder.groups_done == 100
    assert sorted(file.name for file in path.glob("*/*")) == ["part-00000.parquet"] * 2


def test_a_folder_that_is_not_empty_is_refused(tmp_path: Path) -> None:
    (tmp_path / "run").mkdir()
    (tmp_path / "run/notes.txt").write_text("mine")
    with pytest.raises(PresiError, match="not empty"):
        RunFolder.create(tmp_path / "run")
    with pytest.raises(PresiError, match=r"'notes.txt', which no run leaves"):
        RunFolder.create(tmp_path / "run", force=True)
    assert (tmp_path / "run/notes.txt").read_text() == "mine"


def test_force_replaces_a_run_only(tmp_path: Path) -> None:
    path = tmp_path / "run"
    with RunFolder.create(path) as folder:
        folder.begin(**INFO)
        play(folder, request(400))
    with RunFolder.create(path, force=True) as folder:
        assert sorted(entry.name for entry in path.iterdir()) == [".lock", "hands", "matches"]
    with RunFolder.create(path, force=True):  # killed before run.json was written
        pass


def test_a_file_in_the_way_is_named(tmp_path: Path) -> None:
    (tmp_path / "run").write_text("")
    with pytest.raises(PresiError, match="out .*run: "):
        RunFolder.create(tmp_path / "run")


def test_two_writers_are_one_too_many(tmp_path: Path) -> None:
    with (
        RunFolder.create(tmp_path / "run"),
        pytest.raises(PresiError, match="another presi is writing"),
    ):
        RunFolder.create(tmp_path / "run", force=True)


@pytest.mark.parametrize("kind", ["matches", "hands"])
def test_a_broken_part_is_named(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "run"
    with RunFolder.create(path) as folder:
        folder.begin(**INFO)
        play(folder, request(400))
    file = path / kind / "part-00000.parquet"
    file.write_bytes(file.read_bytes()[:-40])
    with pytest.raises(PresiError, match=f"{kind}/part-00000.parquet cannot be read") as error:
        list(RunFolder.read(path).batches())
    assert "\n" not in str(error.value)
    os.rename(file, path / kind / "part-00001.parquet")
    with pytest.raises(PresiError, match=r"part-00000.parquet.* missing"):
        list(RunFolder.read(path).batches())


def test_no_run_folder(tmp_path: Path) -> None:
    with pytest.raises(PresiError, match="no run folder: it is not there"):
        RunFolder.read(tmp_path / "nowhere")
    with pytest.raises(PresiError, match=r"has no run.json"):
        Run(tmp_path)
    (tmp_path / "run.json").write_text("{")
    with pytest.raises(PresiError, match=r"run.json cannot be read"):
        Run(tmp_path)


def test_tidy_hands(tmp_path: Path) -> None:
    with RunFolder.create(tmp_path / "run") as folder:
        folder.begin(**INFO)
        play(folder, request(400))
    run = Run(tmp_path / "run")
    hands, matches = run.hands(), run.matches()
    assert len(matches) == 400 and len(hands) == 4 * matches["hands"].sum()
    assert set(hands.columns) == {"match", "hand", "seat", "bot", "puesto", "points", "led", "turns"}
    assert (hands.groupby(["match", "hand"])["points"].sum() == 3).all()
    assert (hands.groupby(["match", "hand"])["puesto"].sum() == 10).all()
    assert (hands.groupby(["match", "hand"])["led"].sum() == 1).all()
    totals = hands.groupby(["match", "seat"])["points"].sum().unstack()
    assert (totals.to_numpy() == matches[[f"total_{seat}" for seat in range(4)]].to_numpy()).all()
