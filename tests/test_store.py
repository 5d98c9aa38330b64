from __future__ import annotations

import dataclasses
import functools
import itertools
import json
import os
import signal
import subprocess
import sys
import tracemalloc
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import harness
from harness.errors import PresiError, WorkError
from harness.schedule import Schedule
from harness.store import Batch, Run, RunFolder
from harness.store.batch import HAND_FIELDS, MATCH_FIELDS
from harness.store.parts import write_hands, write_matches

BOTS = ["keep", "chain", "random", "exec:node bot.js --x=1,2"]
POINTS = np.array([2, 1, 0, 0, 0, 0, 0], np.int8)
KINDS = {
    "match": np.int64, "code": np.uint64, "group": np.int64, "lineup": np.int32, "bots": np.int32,
    "hands": np.int16, "winner": np.int8, "totals": np.int16, "standings": np.int8, "faults": np.int16,
    "hand_row": np.int64, "hand_match": np.int64, "hand": np.int16, "leader": np.int8, "turns": np.int16,
    "puestos": np.int8, "points": np.int8,
}  # fmt: skip


def plan(players: int = 4, matches: int = 4_000) -> Schedule:
    return Schedule(BOTS, players, "all", "rotations", matches, 5)


def played(schedule: Schedule, start: int, stop: int) -> Batch:
    """Rows as a run makes them, drawn from the number of the match: to 11 points, the last one leads."""
    rows = schedule.matches(start, stop)
    m, n = rows.bots.shape
    rng = np.random.default_rng(int(rows.match[0]))
    hands: Any = rng.integers(6, 10, m).astype(np.int16)
    row = np.repeat(np.arange(m), hands)
    first = np.cumsum(hands, dtype=np.int64) - hands
    luck = rng.gumbel(size=(len(row), n)) + 0.4 * rows.bots[row]
    puestos = (np.argsort(np.argsort(luck, axis=1), axis=1) + 1).astype(np.int8)
    points = POINTS[puestos - 1]
    totals = np.add.reduceat(points.astype(np.int16), first, axis=0, dtype=np.int16)
    order = np.lexsort((puestos[first + hands - 1], -totals), axis=1)
    last = np.concatenate([[0], puestos[:-1].argmax(axis=1)])
    return Batch(
        **{name: getattr(rows, name) for name in ("match", "code", "group", "lineup", "bots")},
        hands=hands,
        winner=order[:, 0].astype(np.int8),
        totals=totals,
        standings=(np.argsort(order, axis=1) + 1).astype(np.int8),
        faults=(rng.random((m, n)) < 0.01).astype(np.int16),
        hand_row=row,
        hand_match=rows.match[row],
        hand=(np.arange(len(row)) - first[row] + 1).astype(np.int16),
        leader=last.astype(np.int8),
        turns=np.clip(rng.normal(45, 9, len(row)), 9, 400).astype(np.int16),
        puestos=puestos,
        points=points,
    )


def begin(folder: RunFolder) -> None:
    folder.begin(
        request={"matches": 4_000}, bots=[{"label": label} for label in BOTS], versions={"presi": "0"},
        seed=2**64 - 1, counts={"matches": 4_000},
    )  # fmt: skip


def write(folder: RunFolder, schedule: Schedule, parts: int) -> list[Batch]:
    """Write what is missing in so many parts."""
    cuts = np.linspace(folder.groups_done, schedule.total_groups, parts + 1).astype(int).tolist()
    batches = [played(schedule, start, stop) for start, stop in itertools.pairwise(cuts)]
    for batch in batches:
        folder.write_part(batch)
    return batches


def make(path: Path, schedule: Schedule | None = None, parts: int = 3) -> list[Batch]:
    """Leave a whole run folder."""
    schedule = schedule or plan()
    with RunFolder.create(path) as folder:
        begin(folder)
        folder.write_lineups(BOTS, schedule.lineups)
        batches = write(folder, schedule, parts)
        folder.update(state="done")
    return batches


def same(ours: Batch, theirs: Batch) -> bool:
    return all(
        np.array_equal(getattr(ours, field.name), getattr(theirs, field.name))
        for field in dataclasses.fields(Batch)
    )


def files(path: Path) -> list[str]:
    return sorted(str(file.relative_to(path)) for file in path.rglob("*") if file.is_file())


# --- round trips --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", [3, 4, 7])
def test_what_is_written_is_read_back(tmp_path: Path, players: int) -> None:
    schedule = plan(players)
    written = make(tmp_path / "run", schedule)
    folder = RunFolder.read(tmp_path / "run")
    assert (folder.matches_done, folder.groups_done) == (schedule.total_matches, schedule.total_groups)
    read = list(folder.batches())
    assert len(read) == 3 and all(map(same, read, written))
    for name, kind in KINDS.items():
        array = getattr(read[0], name)
        assert array.dtype == kind == getattr(written[0], name).dtype
        assert array.flags.c_contiguous and array.flags.writeable


def test_columns_are_those_of_the_interface(tmp_path: Path) -> None:
    make(tmp_path, plan(3))
    hands = pq.read_schema(tmp_path / "hands/part-00000.parquet")
    assert [(field.name, str(field.type)) for field in hands] == [
        ("match", "int64"), ("hand", "int16"), ("leader", "int8"), ("turns", "int16"),
        ("puesto_0", "int8"), ("puesto_1", "int8"), ("puesto_2", "int8"),
        ("points_0", "int8"), ("points_1", "int8"), ("points_2", "int8"),
    ]  # fmt: skip
    matches = pq.read_schema(tmp_path / "matches/part-00000.parquet")
    assert [(field.name, str(field.type).split("<")[0]) for field in matches] == [
        ("match", "int64"), ("code", "uint64"), ("group", "int64"), ("lineup", "int32"), ("hands", "int16"),
        ("winner", "int8"), ("total_0", "int16"), ("total_1", "int16"), ("total_2", "int16"),
        ("standing_0", "int8"), ("standing_1", "int8"), ("standing_2", "int8"),
        ("bot_0", "dictionary"), ("bot_1", "dictionary"), ("bot_2", "dictionary"),
        ("faults", "int16"), ("faults_0", "int16"), ("faults_1", "int16"), ("faults_2", "int16"),
    ]  # fmt: skip
    assert matches.field("bot_0").type.value_type == pa.string()


def test_pandas_reads_the_parts_as_they_are(tmp_path: Path) -> None:
    batches = make(tmp_path, plan())
    matches = pd.read_parquet(tmp_path / "matches")
    assert matches["code"].tolist() == [code for batch in batches for code in batch.code.tolist()]
    names = [BOTS[bot] for batch in batches for bot in batch.bots[:, 2]]
    assert matches["bot_2"].astype(str).tolist() == names
    assert len(pd.read_parquet(tmp_path / "hands")) == matches["hands"].sum()


def test_hundreds_of_bots_and_any_label(tmp_path: Path) -> None:
    labels = [f"bot {number} ñ,\"'" for number in range(300)]
    schedule = Schedule(labels, 3, "gauntlet:" + labels[299], "rotations", 3_000, 1)
    batch = played(schedule, 0, schedule.total_groups)
    with RunFolder.create(tmp_path) as folder:
        folder.begin(request={}, bots=[{"label": label} for label in labels])
        folder.write_part(batch)
        folder.write_lineups(labels, schedule.lineups[:5])
    (back,) = RunFolder.read(tmp_path).batches(["bots"])
    assert np.array_equal(back.bots, batch.bots)
    lineups = pd.read_csv(tmp_path / "lineups.csv")
    assert lineups["bot_2"].tolist() == [labels[bot] for bot in schedule.lineups[:5, 2]]


@pytest.mark.parametrize("name", [*MATCH_FIELDS, *HAND_FIELDS])
def test_only_what_is_asked_for_is_read(tmp_path: Path, name: str) -> None:
    written = make(tmp_path)
    for batch, whole in zip(RunFolder.read(tmp_path).batches([name]), written, strict=True):
        assert np.array_equal(getattr(batch, name), getattr(whole, name))
        for other in {*KINDS} - {name}:
            with pytest.raises(AttributeError, match=f"without '{other}'"):
                getattr(batch, other)
        assert name in repr(batch)


def test_matches_can_be_read_without_any_hands_file(tmp_path: Path) -> None:
    make(tmp_path)
    folder = RunFolder.read(tmp_path)
    for file in (tmp_path / "hands").iterdir():
        file.unlink()
    assert sum(len(batch.group) for batch in folder.batches(["group", "standings", "hands"])) == 4_000
    with pytest.raises(PresiError, match=r"hands/part-00000.parquet is missing"):
        list(folder.batches(["puestos"]))


def test_a_field_that_is_none_is_refused_at_once(tmp_path: Path) -> None:
    make(tmp_path)
    with pytest.raises(ValueError, match=r"no fields .'place'"):
        RunFolder.read(tmp_path).batches(["place"])
    with pytest.raises(AttributeError, match="no field 'place'"):
        _ = next(RunFolder.read(tmp_path).batches()).place  # type: ignore[attr-defined]


def test_one_match_is_found_with_its_hands(tmp_path: Path) -> None:
    written = make(tmp_path)
    folder = RunFolder.read(tmp_path)
    for part in written:
        for row in (0, 17, len(part.match) - 1):
            found, number = folder.find(int(part.match[row])), part.match[row]
            mine = part.hand_row == row
            assert found.match.tolist() == [number] and np.array_equal(found.bots, part.bots[row : row + 1])
            assert np.array_equal(found.puestos, part.puestos[mine])
            assert found.hand.tolist() == list(range(1, found.hands[0] + 1))
            assert set(found.hand_match) == {number} and set(found.hand_row) == {0}
    for number in (-1, 4_000):
        with pytest.raises(PresiError, match=f"no match {number}; there are 0 to 3999"):
            folder.find(number)


# --- sizes, times, memory -----------------------------------------------------------------------------------


def test_rows_are_small(tmp_path: Path) -> None:
    schedule = plan(matches=60_000)
    make(tmp_path, schedule, 1)
    sizes = {kind: (tmp_path / kind / "part-00000.parquet") for kind in ("hands", "matches")}
    per_row = {kind: file.stat().st_size / pq.read_metadata(file).num_rows for kind, file in sizes.items()}
    assert per_row["hands"] < 3.7
    assert per_row["matches"] < 10


def test_rows_are_large_groups_with_the_range_of_their_matches(tmp_path: Path) -> None:
    make(tmp_path, plan(matches=20_000), 1)
    footer = pq.read_metadata(tmp_path / "hands/part-00000.parquet")
    assert footer.num_row_groups == 1
    assert footer.row_group(0).column(0).statistics.max == 19_999
    assert "DELTA_BINARY_PACKED" in footer.row_group(0).column(0).encodings


def test_the_same_rows_give_the_same_bytes(tmp_path: Path) -> None:
    make(tmp_path / "a")
    make(tmp_path / "b")
    assert files(tmp_path / "a") == files(tmp_path / "b")
    for name in files(tmp_path / "a"):
        assert (tmp_path / "a" / name).read_bytes() == (tmp_path / "b" / name).read_bytes()


def test_reading_holds_one_part_at_a_time(tmp_path: Path) -> None:
    def peak(path: Path) -> int:
        folder = RunFolder.read(path)
        tracemalloc.start()
        before = pa.total_allocated_bytes()
        arrow = 0
        for _ in folder.batches():
            arrow = max(arrow, pa.total_allocated_bytes() - before)
        most = tracemalloc.get_traced_memory()[1] + arrow
        tracemalloc.stop()
        return most

    make(tmp_path / "short", plan(matches=15_000), 3)
    make(tmp_path / "long", plan(matches=75_000), 15)
    assert peak(tmp_path / "long") < 2 * peak(tmp_path / "short")  # five times the rows


# --- being killed -------------------------------------------------------------------------------------------


def test_leftovers_of_a_kill_are_dropped(tmp_path: Path) -> None:
    schedule = plan()
    with RunFolder.create(tmp_path) as folder:
        begin(folder)
        folder.write_part(played(schedule, 0, 400))
    left = [
        "hands/part-00001.parquet", "hands/.part-00001.parquet.tmp", "matches/.part-00001.parquet.tmp",
        "matches/part-00001.parquet.tmp", ".run.json.tmp", ".ratings.csv.tmp", "plots/.pairs.png.77.tmp",
    ]  # fmt: skip
    (tmp_path / "plots").mkdir()
    for name in [*left, "plots/mine.tmp", "notes.tmp"]:
        (tmp_path / name).write_bytes(b"half a fi")
    looked_at = RunFolder.read(tmp_path)
    assert looked_at.matches_done == 1_600 and len(list(looked_at.batches())) == 1
    assert set(left) <= set(files(tmp_path)) and not looked_at.dropped
    with RunFolder.open(tmp_path) as folder:
        assert (folder.matches_done, folder.groups_done) == (1_600, 400)
        assert {str(file.relative_to(tmp_path)) for file in folder.dropped} == set(left)
        write(folder, schedule, 2)
    rest = [
        "hands/part-00000.parquet",
        "matches/part-00000.parquet",
        "notes.tmp",
        "plots/mine.tmp",
        "run.json",
    ]
    assert sorted(set(files(tmp_path)) & {*left, *rest}) == sorted(["hands/part-00001.parquet", *rest])
    assert RunFolder.read(tmp_path).matches_done == 4_000


@pytest.mark.parametrize("killed_at", range(4))
def test_a_part_is_there_wholly_or_not_at_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, killed_at: int
) -> None:
    """Cut the writing short at each of its four steps, with and without the tidying up afterwards."""
    schedule = plan()
    steps = [0]

    def counted(original: Any) -> Any:
        def step(*args: Any) -> None:
            steps[0] += 1
            if steps[0] > killed_at:
                raise KeyboardInterrupt
            original(*args)

        return step

    with RunFolder.create(tmp_path) as folder:
        begin(folder)
        folder.write_part(played(schedule, 0, 400))
        with monkeypatch.context() as patch:
            patch.setattr("harness.store.folder.write_hands", counted(write_hands))
            patch.setattr("harness.store.folder.write_matches", counted(write_matches))
            patch.setattr(os, "replace", counted(os.replace))
            if killed_at % 2:
                patch.setattr(Path, "unlink", lambda *_args, **_more: None)  # a kill tidies nothing up
            with pytest.raises(KeyboardInterrupt):
                folder.write_part(played(schedule, 400, 700))
        assert folder.matches_done == 1_600
    assert RunFolder.read(tmp_path).matches_done == 1_600
    with RunFolder.open(tmp_path) as folder:
        assert folder.groups_done == 400
        write(folder, schedule, 1)
    make(tmp_path / "other", schedule, 1)
    ours = RunFolder.read(tmp_path).batches(KINDS)
    (whole,) = RunFolder.read(tmp_path / "other").batches()
    codes = np.concatenate([batch.code for batch in ours])
    assert np.array_equal(codes, whole.code)


def test_a_part_cut_short_after_its_last_step_may_be_written_again(tmp_path: Path) -> None:
    schedule = plan()
    with RunFolder.create(tmp_path) as folder:
        begin(folder)
        folder.write_part(played(schedule, 0, 400))
        folder.parts.pop()  # as if interrupted before it was counted
        folder.write_part(played(schedule, 0, 500))
    assert RunFolder.read(tmp_path).matches_done == 2_000


def test_a_part_written_again_is_never_two_halves(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The hands of the second time must not stand beside the matches of the first."""
    replace = os.replace

    def killed(source: Path, target: Path) -> None:
        if target.parent.name == "matches":
            raise KeyboardInterrupt
        replace(source, target)

    with RunFolder.create(tmp_path) as folder:
        begin(folder)
        folder.write_part(played(plan(), 0, 400))
        folder.parts.pop()
        monkeypatch.setattr(os, "replace", killed)
        with pytest.raises(KeyboardInterrupt):
            folder.write_part(played(plan(), 0, 500))
    monkeypatch.undo()
    with RunFolder.open(tmp_path) as folder:
        assert folder.matches_done == 0


def test_a_full_disk_leaves_nothing_half_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(file: Path, *_: Any) -> None:
        file.write_bytes(b"half a fi")
        raise OSError(28, "No space left on device", str(file))

    with RunFolder.create(tmp_path) as folder:
        begin(folder)
        before = files(tmp_path)
        monkeypatch.setattr("harness.store.folder.write_matches", full)
        with pytest.raises(
            WorkError, match=r"part-00000.parquet.* cannot be written: No space left on device"
        ):
            folder.write_part(played(plan(), 0, 10))
        assert files(tmp_path) == before and folder.matches_done == 0


def test_parts_go_on_where_the_last_one_ended(tmp_path: Path) -> None:
    schedule = plan()
    with RunFolder.create(tmp_path) as folder:
        begin(folder)
        folder.write_part(played(schedule, 0, 10))
        with pytest.raises(ValueError, match="begins with match 40 and group 10, not 44 and 11"):
            folder.write_part(played(schedule, 11, 20))
        batch = played(schedule, 10, 20)
        with pytest.raises(ValueError, match="do not belong"):
            folder.write_part(dataclasses.replace(batch, hands=batch.hands + np.int16(1)))
        with pytest.raises(ValueError, match="begins with match 40 and group 10, not 40 and 9"):
            folder.write_part(dataclasses.replace(batch, group=batch.group - 1))
        folder.write_part(batch)
        folder.write_part(Batch.of(match=np.zeros(0, np.int64)))  # nothing to write
        assert folder.groups_done == 20 and len(folder.parts) == 2


def test_matches_that_are_there_are_not_written_again(tmp_path: Path) -> None:
    """What a caller does that was interrupted before it took note of a part."""
    schedule = plan()
    with RunFolder.create(tmp_path) as folder:
        begin(folder)
        folder.write_part(played(schedule, 0, 10))
        whole = played(schedule, 0, 25)
        for _ in range(2):
            folder.write_part(whole)
            folder.write_part(played(schedule, 3, 9))
        assert [part.first_match for part in folder.parts] == [0, 40]
    first, second = RunFolder.read(tmp_path).batches()
    assert same(second, whole.cut(40, 100))
    assert np.array_equal(np.concatenate([first.match, second.match]), whole.match)


# --- one writer ---------------------------------------------------------------------------------------------

HOLD = """
import sys, time
from harness.store import RunFolder
folder = getattr(RunFolder, sys.argv[2])(sys.argv[1])
print("locked", flush=True)
time.sleep(60)
"""


def test_two_processes_do_not_write_to_one_folder(tmp_path: Path) -> None:
    make(tmp_path)
    holder = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(tmp_path), "open"],
        stdout=subprocess.PIPE,
        cwd=Path(__file__).parent.parent,
    )
    try:
        assert holder.stdout and holder.stdout.readline() == b"locked\n"
        for attempt in (RunFolder.open, functools.partial(RunFolder.create, force=True)):
            with pytest.raises(PresiError, match=rf"another presi \(process {holder.pid}\) is writing"):
                attempt(tmp_path)
        assert RunFolder.read(tmp_path).matches_done == 4_000
    finally:
        holder.send_signal(signal.SIGKILL)
        holder.wait()
        if holder.stdout:
            holder.stdout.close()
    with RunFolder.open(tmp_path) as folder:  # the dead hold no locks
        assert folder.matches_done == 4_000
    assert ".lock" not in files(tmp_path)


def test_one_process_locks_itself_out_too(tmp_path: Path) -> None:
    with RunFolder.create(tmp_path / "run") as folder:
        begin(folder)
        with pytest.raises(PresiError, match="is writing to this folder"):
            RunFolder.open(tmp_path / "run")
    RunFolder.open(tmp_path / "run").close()


def test_a_refusal_lets_go_of_the_lock(tmp_path: Path) -> None:
    make(tmp_path)
    (tmp_path / "hands/part-00001.parquet").unlink()
    for _ in range(2):
        with pytest.raises(PresiError, match=r"part-00001.parquet is missing"):
            RunFolder.open(tmp_path)


# --- what may be replaced -----------------------------------------------------------------------------------


def test_a_folder_that_is_not_empty_is_refused(tmp_path: Path) -> None:
    make(tmp_path)
    before = files(tmp_path)
    with pytest.raises(PresiError, match="not empty; --force"):
        RunFolder.create(tmp_path)
    assert files(tmp_path) == before


def test_force_deletes_a_run_and_nothing_else(tmp_path: Path) -> None:
    make(tmp_path)
    (tmp_path / "plots").mkdir()
    (tmp_path / "deep").mkdir()
    kept = ["notes.txt", "matches/mine.parquet", "plots/raw.svg", "deep/run.json", "lineups.csv.bak"]
    for name in [*kept, "ratings.csv", "summary.csv", "report.html", "plots/pairs.png", ".run.json.tmp"]:
        (tmp_path / name).write_text("x")
    with RunFolder.create(tmp_path, force=True) as folder:
        assert files(tmp_path) == sorted([*kept, ".lock"])
        begin(folder)
        assert folder.matches_done == 0
    assert RunFolder.read(tmp_path).matches_done == 0


@pytest.mark.parametrize("name", ["notes.txt", ".bashrc", "matches/mine.txt", "run.json"])
def test_force_refuses_what_is_no_run_folder(tmp_path: Path, name: str) -> None:
    """A home folder, say; also one with a run.json of another program."""
    (tmp_path / name).parent.mkdir(exist_ok=True)
    (tmp_path / name).write_text("{}")
    (tmp_path / "thesis").mkdir()
    (tmp_path / "ratings.csv").write_text("mine")
    before = files(tmp_path)
    with pytest.raises(PresiError, match=r"this is no run folder: .* which no run leaves"):
        RunFolder.create(tmp_path, force=True)
    assert files(tmp_path) == before


def test_force_follows_no_links(tmp_path: Path) -> None:
    make(tmp_path / "run")
    (tmp_path / "run/hands").rename(tmp_path / "elsewhere")
    (tmp_path / "run/hands").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(PresiError, match="hands is a link"):
        RunFolder.create(tmp_path / "run", force=True)
    assert len(files(tmp_path / "elsewhere")) == 3


def test_force_takes_what_a_run_killed_at_its_start_left(tmp_path: Path) -> None:
    (tmp_path / "matches").mkdir()
    for name in (".run.json.tmp", "lineups.csv", ".lock"):
        (tmp_path / name).write_text("")
    with RunFolder.create(tmp_path, force=True) as folder:
        begin(folder)
    (tmp_path / "new").mkdir()
    (tmp_path / "new/.lock").write_text("77\n")
    with RunFolder.create(tmp_path / "new") as folder:
        begin(folder)


def test_a_place_that_cannot_be_a_folder_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    for path in (tmp_path / "file", tmp_path / "file/run"):
        with pytest.raises(PresiError, match=f"out {path}: "):
            RunFolder.create(path)
    with RunFolder.create(tmp_path / "a/b/c") as folder:
        begin(folder)


# --- run.json -----------------------------------------------------------------------------------------------


def test_run_json_says_it_all(tmp_path: Path) -> None:
    with RunFolder.create(tmp_path) as folder:
        begin(folder)
        assert json.loads((tmp_path / "run.json").read_text())["state"] == "running"
        folder.update(state="interrupted", faults={"ñandú": 3})
        with pytest.raises(ValueError, match="running, interrupted, done"):
            folder.update(state="over")
    info = json.loads((tmp_path / "run.json").read_text(encoding="utf-8"))
    assert info == RunFolder.read(tmp_path).info == folder.info
    assert info == {
        "schema": 1, "request": {"matches": 4_000}, "bots": [{"label": label} for label in BOTS],
        "versions": {"presi": "0"}, "seed": 2**64 - 1, "counts": {"matches": 4_000}, "state": "interrupted",
        "faults": {"ñandú": 3},
    }  # fmt: skip
    assert files(tmp_path) == ["run.json"]


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (None, "is no run folder: it has no run.json"),
        ("{", "run.json is damaged"),
        ("[1]", "its run.json has no schema"),
        ('{"schema": 2}', "run.json: schema 2; this version reads 1"),
    ],
)
def test_what_is_no_run_folder_is_named(tmp_path: Path, content: str | None, words: str) -> None:
    if content is not None:
        (tmp_path / "run.json").write_text(content)
    for attempt in (RunFolder.read, RunFolder.open, Run):
        with pytest.raises(PresiError, match=words) as caught:
            attempt(tmp_path)
        assert str(tmp_path) in str(caught.value)
    with pytest.raises(PresiError, match="no such folder"):
        Run(tmp_path / "nowhere")


# --- damage -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["matches", "hands"])
@pytest.mark.parametrize("cut", [0, 3, -40, -1])
def test_a_damaged_end_is_named(tmp_path: Path, kind: str, cut: int) -> None:
    make(tmp_path)
    file = tmp_path / kind / "part-00001.parquet"
    file.write_bytes(file.read_bytes()[:cut])
    for attempt in (RunFolder.read, RunFolder.open):
        with pytest.raises(PresiError, match=f"{kind}/part-00001.parquet cannot be read") as caught:
            attempt(tmp_path)
        assert "\n" not in str(caught.value)


def test_a_damaged_middle_is_named(tmp_path: Path) -> None:
    make(tmp_path)
    file = tmp_path / "hands/part-00001.parquet"
    content = bytearray(file.read_bytes())
    content[4 : len(content) // 2] = bytes(len(content) // 2 - 4)
    file.write_bytes(content)
    with pytest.raises(PresiError, match=r"hands/part-00001.parquet cannot be read"):
        list(RunFolder.read(tmp_path).batches())


@pytest.mark.parametrize("kind", ["matches", "hands"])
def test_a_missing_part_is_named(tmp_path: Path, kind: str) -> None:
    make(tmp_path)
    (tmp_path / kind / "part-00001.parquet").unlink()
    with pytest.raises(PresiError, match=f"{kind}/part-00001.parquet is missing"):
        RunFolder.read(tmp_path)


def test_parts_that_do_not_belong_together_are_named(tmp_path: Path) -> None:
    make(tmp_path)
    first, second = (tmp_path / "hands" / f"part-0000{number}.parquet" for number in (0, 1))
    content = first.read_bytes()
    second.write_bytes(content)
    with pytest.raises(PresiError, match=r"hands/part-00001.parquet is damaged"):
        RunFolder.read(tmp_path)
    (tmp_path / "matches/part-00001.parquet").write_bytes(
        (tmp_path / "matches/part-00000.parquet").read_bytes()
    )
    with pytest.raises(PresiError, match=r"matches/part-00001.parquet is damaged: it begins with match 0"):
        RunFolder.read(tmp_path)


def test_foreign_columns_are_named(tmp_path: Path) -> None:
    make(tmp_path, parts=1)
    info = json.loads((tmp_path / "run.json").read_text())
    info["bots"][1]["label"] = "other"
    (tmp_path / "run.json").write_text(json.dumps(info))
    with pytest.raises(PresiError, match=r"bot 'chain' is not in run.json"):
        list(RunFolder.read(tmp_path).batches(["bots"]))
    file = tmp_path / "hands/part-00000.parquet"
    pq.write_table(pq.read_table(file).drop_columns(["turns"]), file)
    with pytest.raises(PresiError, match=r"part-00000.parquet is damaged: it has no column turns"):
        list(RunFolder.read(tmp_path).batches(["turns"]))
    pq.write_table(pa.table({"x": [1]}), file)
    with pytest.raises(PresiError, match=r"hands/part-00000.parquet is damaged: .*'match'"):
        RunFolder.read(tmp_path)


# --- Run ----------------------------------------------------------------------------------------------------


def test_matches_as_pandas(tmp_path: Path) -> None:
    batches = make(tmp_path)
    run = harness.Run(tmp_path)
    table = run.matches()
    assert list(table.columns) == pq.read_schema(tmp_path / "matches/part-00000.parquet").names
    raw = pd.read_parquet(tmp_path / "matches")
    for name in table.columns:
        assert table[name].astype(str).tolist() == raw[name].astype(str).tolist()
        if not name.startswith("bot_"):
            assert table[name].dtype == raw[name].dtype
    assert list(table["bot_0"].cat.categories) == BOTS == run.bots
    assert table["faults"].sum() == sum(batch.faults.sum() for batch in batches)


def test_hands_as_pandas(tmp_path: Path) -> None:
    batches = make(tmp_path)
    run = harness.Run(tmp_path)
    table, matches = run.hands(), run.matches()
    assert list(table.columns) == ["match", "hand", "seat", "bot", "puesto", "points", "leader", "turns"]
    assert len(table) == 4 * matches["hands"].sum() and table["leader"].dtype == bool
    totals = table.groupby(["match", "seat"])["points"].sum().unstack().to_numpy()
    assert np.array_equal(totals, matches[[f"total_{seat}" for seat in range(4)]].to_numpy())
    bots = np.stack([matches[f"bot_{seat}"].to_numpy() for seat in range(4)], axis=1)
    assert np.array_equal(table["bot"].to_numpy(), bots[table["match"], table["seat"]])
    assert table["puesto"].tolist() == [p for batch in batches for p in batch.puestos.ravel().tolist()]
    led = table[table["leader"]]
    assert led["seat"].tolist() == [seat for batch in batches for seat in batch.leader.tolist()]
    assert led["turns"].tolist() == [turns for batch in batches for turns in batch.turns.tolist()]


def test_pairs_count_every_two_seats(tmp_path: Path) -> None:
    batches = make(tmp_path, plan(3, 300))
    expected: dict[tuple[str, str], list[float]] = {}
    for batch in batches:
        for bots, standings in zip(batch.bots.tolist(), batch.standings.tolist(), strict=True):
            for a in range(3):
                for b in range(3):
                    if bots[a] != bots[b]:
                        games = expected.setdefault((BOTS[bots[a]], BOTS[bots[b]]), [])
                        games.append(float(standings[a] < standings[b]))
    pairs = Run(tmp_path).pairs()
    assert {(row.bot_a, row.bot_b) for row in pairs.itertuples()} == set(expected)
    for row in pairs.to_dict("records"):
        games = expected[row["bot_a"], row["bot_b"]]
        assert row["games"] == len(games) and row["ahead"] == pytest.approx(np.mean(games))


def test_ratings_are_read_as_they_were_written(tmp_path: Path) -> None:
    make(tmp_path)
    with pytest.raises(PresiError, match=r"ratings.csv is missing: the run has not been rated"):
        Run(tmp_path).ratings()
    (tmp_path / "ratings.csv").write_text(
        "bot,elo,elo_low,los_next,flag\nNA,12.5,-inf,0.9,\n007,-3,,,never ahead\n"
    )
    ratings = Run(tmp_path).ratings()
    assert ratings["bot"].tolist() == ["NA", "007"] and ratings["flag"].tolist() == ["", "never ahead"]
    assert ratings["elo"].tolist() == [12.5, -3] and np.isneginf(ratings["elo_low"][0])
    assert np.isnan(ratings["los_next"][1])
    (tmp_path / "ratings.csv").write_text("")
    with pytest.raises(PresiError, match=r"ratings.csv cannot be read"):
        Run(tmp_path).ratings()


def test_a_run_without_rows_says_so(tmp_path: Path) -> None:
    with RunFolder.create(tmp_path) as folder:
        begin(folder)
    run = Run(tmp_path)
    for attempt in (run.matches, run.hands, run.pairs):
        with pytest.raises(PresiError, match="no part of the run is complete yet"):
            attempt()
    with pytest.raises(PresiError, match="no match 0; there are none yet"):
        run.folder.find(0)
    assert "0 matches, running" in repr(run)
