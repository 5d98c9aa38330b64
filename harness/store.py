"""The run folder: what a run leaves on disk, written so that a kill at any moment loses nothing whole.

Rows come in *parts*, each of whole groups and in match order: ``hands/part-00000.parquet`` and
``matches/part-00000.parquet``. Both are written under temporary names; the hands are renamed first, the
matches last, so a part is complete exactly when its matches file is there. What is left over from a kill
is dropped when the folder is next opened for writing.

Columns are those of the interface: see `MATCH_FIELDS`, `HAND_FIELDS`.
"""

from __future__ import annotations

import fcntl
import json
import os
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from .errors import PresiError

if TYPE_CHECKING:
    import pandas as pd

SCHEMA_VERSION = 1
_OWN = {"run.json", "lineups.csv", "matches", "hands", "ratings.csv", "summary.csv", "plots", "report.html", ".lock"}
"""What a run folder is made of; nothing else is ever deleted."""

Ints = NDArray[Any]


@dataclass(frozen=True)
class Batch:
    """The rows of some whole groups, `n` seats, `m` matches, `h` hands; all in match order.

    Attributes
    ----------
    match, group : int64[m]
    code : uint64[m]
    lineup : int32[m]
    bots : int32[m, n]
        Number of the bot in each seat.
    hands : int16[m]
        Hands the match took.
    winner : int8[m]
        Seat.
    totals : int16[m, n]
        Points at the end, by seat.
    standings : int8[m, n]
        1 = first, by seat.
    faults : int16[m, n]
        Faults by seat.
    hand_row : int64[h]
        Row of the hand's match in this batch.
    hand_match : int64[h]
        Its number.
    hand : int16[h]
        From 1.
    leader : int8[h]
        Seat that led the hand.
    turns : int16[h]
    puestos, points : int8[h, n]
        By seat; place 1 = first out.
    """

    match: Ints
    code: Ints
    group: Ints
    lineup: Ints
    bots: Ints
    hands: Ints
    winner: Ints
    totals: Ints
    standings: Ints
    faults: Ints
    hand_row: Ints
    hand_match: Ints
    hand: Ints
    leader: Ints
    turns: Ints
    puestos: Ints
    points: Ints


class RunFolder:
    """A run folder, open for writing (`create`, `open`) or reading (`read`).

    Attributes
    ----------
    path : Path
    info : dict
        What run.json says.
    groups_done, matches_done : int
        In complete parts.
    """

    def __init__(self, path: Path, info: dict[str, Any]) -> None:
        self.path, self.info = path, info
        self.groups_done = self.matches_done = 0
        self._lock: Any = None

    # --- opening ----------------------------------------------------------------------------------------

    @classmethod
    def create(cls, path: str | os.PathLike[str], force: bool = False) -> RunFolder:
        """Make a run folder, or with `force` empty one that is there.

        Raises
        ------
        PresiError
            If the folder is not empty and `force` is not given, or holds what no run leaves, or another
            process writes to it.
        """
        folder = Path(path)
        try:
            folder.mkdir(parents=True, exist_ok=True)
            present = sorted(entry.name for entry in folder.iterdir() if entry.name != ".lock")
        except OSError as error:
            raise PresiError(f"out {path}: {error.strerror}") from None
        if present and not force:
            raise PresiError(f"out {path}: the folder is not empty; --force replaces the run in it")
        foreign = [name for name in present if name not in _OWN and not name.endswith(".tmp")]
        # a run killed at its very start has no run.json yet
        if foreign or (set(present) - {"matches", "hands"} and "run.json" not in present):
            what = f"holds {foreign[0]!r}, which no run leaves" if foreign else "has no run.json"
            raise PresiError(f"out {path}: the folder {what}; --force replaces run folders only")
        made = cls(folder, {})
        made._take_lock()
        # run.json goes first: whatever is left if this is cut short no longer looks like a run
        for name in sorted(present, key=lambda name: name != "run.json"):
            entry = folder / name
            if entry.is_dir() and not entry.is_symlink():
                shutil.rmtree(entry)
            else:
                entry.unlink()
        for name in ("matches", "hands"):
            (folder / name).mkdir()
        return made

    @classmethod
    def open(cls, path: str | os.PathLike[str]) -> RunFolder:
        """Open a run folder to go on with it; what an interrupted write left over is dropped.

        Raises
        ------
        PresiError
            If it is no run folder, or another process writes to it.
        """
        folder = cls(Path(path), _read_info(Path(path)))
        folder._take_lock()
        folder._drop_leftovers()
        folder._count()
        return folder

    @classmethod
    def read(cls, path: str | os.PathLike[str]) -> RunFolder:
        """Open a run folder for reading only.

        Raises
        ------
        PresiError
            If it is no run folder.
        """
        folder = cls(Path(path), _read_info(Path(path)))
        folder._count()
        return folder

    def __enter__(self) -> RunFolder:
        return self

    def __exit__(self, *_: object) -> None:
        if self._lock is not None:
            self._lock.close()
            self._lock = None

    def _take_lock(self) -> None:
        """Keep other processes from writing; the system lets go of it however this process ends."""
        try:
            self._lock = (self.path / ".lock").open("w")
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise PresiError(f"{self.path}: another presi is writing to this folder") from None
        except OSError as error:
            raise PresiError(f"{self.path}: {error.strerror}") from None

    def _drop_leftovers(self) -> None:
        for kind in ("matches", "hands"):
            (self.path / kind).mkdir(exist_ok=True)
            for file in (self.path / kind).glob("*.tmp"):
                file.unlink()
        whole = {file.name for file in (self.path / "matches").glob("part-*.parquet")}
        for file in (self.path / "hands").glob("part-*.parquet"):
            if file.name not in whole:
                file.unlink()

    def _parts(self) -> list[Path]:
        """List the complete parts' matches files, and see that none is missing between them."""
        parts = sorted((self.path / "matches").glob("part-*.parquet"))
        for number, file in enumerate(parts):
            if file.name != _part_name(number):
                raise PresiError(f"{self.path}: matches/{_part_name(number)} is missing")
        return parts

    def _count(self) -> None:
        parts = self._parts()
        self.matches_done = sum(_metadata(file).num_rows for file in parts)
        self.groups_done = 0
        if parts:
            last = _metadata(parts[-1])
            column = last.schema.names.index("group")
            self.groups_done = int(last.row_group(last.num_row_groups - 1).column(column).statistics.max) + 1

    # --- writing ----------------------------------------------------------------------------------------

    def begin(self, **info: Any) -> None:
        """Write run.json for a run that begins."""
        self.info = {"schema": SCHEMA_VERSION, **info, "state": "running", "faults": {}}
        self._write_info()

    def update(self, **info: Any) -> None:
        """Change some of run.json."""
        self.info.update(info)
        self._write_info()

    def _write_info(self) -> None:
        text = json.dumps(self.info, indent=1, ensure_ascii=False)
        _replace(self.path / "run.json", (text + "\n").encode())

    def write_lineups(self, labels: Sequence[str], lineups: Ints) -> None:
        """Write lineups.csv: number, and the bots in each lineup."""
        import csv
        import io

        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(["lineup", *(f"bot_{seat}" for seat in range(lineups.shape[1]))])
        writer.writerows([number, *(labels[bot] for bot in row)] for number, row in enumerate(lineups.tolist()))
        _replace(self.path / "lineups.csv", text.getvalue().encode())

    def write_part(self, batch: Batch) -> None:
        """Append the next part."""
        name = _part_name(len(list((self.path / "matches").glob("part-*.parquet"))))
        labels = pa.array([bot["label"] for bot in self.info["bots"]], pa.string())
        for kind, table in (("hands", hand_table(batch)), ("matches", match_table(batch, labels))):
            temporary = self.path / kind / f"{name}.tmp"
            plain = [field.name for field in table.schema if field.name in ("match", "code", "group")]
            pq.write_table(
                table,
                temporary,
                compression="zstd",
                compression_level=3,
                row_group_size=1 << 20,
                use_dictionary=[field for field in table.schema.names if field not in plain],
                column_encoding={
                    field: "PLAIN" if field == "code" else "DELTA_BINARY_PACKED" for field in plain
                },
                write_statistics=["match", "group"] if kind == "matches" else ["match"],
            )
            os.replace(temporary, self.path / kind / name)
        self.matches_done += len(batch.match)
        self.groups_done = int(batch.group[-1]) + 1

    # --- reading ----------------------------------------------------------------------------------------

    def batches(self) -> Iterator[Batch]:
        """Read the complete parts one by one.

        Raises
        ------
        PresiError
            If a file is missing or cannot be read.
        """
        labels = [bot["label"] for bot in self.info["bots"]]
        for file in self._parts():
            yield read_batch(file, self.path / "hands" / file.name, labels)


def match_table(batch: Batch, labels: pa.Array) -> pa.Table:
    """Lay a batch's matches out as columns."""
    n = batch.bots.shape[1]
    columns: dict[str, Any] = {
        "match": batch.match,
        "code": batch.code,
        "group": batch.group,
        "lineup": batch.lineup,
        "hands": batch.hands,
        "winner": batch.winner,
    }
    for seat in range(n):
        columns[f"total_{seat}"] = batch.totals[:, seat]
    for seat in range(n):
        columns[f"standing_{seat}"] = batch.standings[:, seat]
    number = pa.int8() if len(labels) < 128 else pa.int16()
    for seat in range(n):
        indices = pa.array(batch.bots[:, seat], number)
        columns[f"bot_{seat}"] = pa.DictionaryArray.from_arrays(indices, labels)
    columns["faults"] = batch.faults.sum(axis=1).astype(np.int16)
    for seat in range(n):
        columns[f"faults_{seat}"] = batch.faults[:, seat]
    return pa.table(columns)


def hand_table(batch: Batch) -> pa.Table:
    """Lay a batch's hands out as columns."""
    n = batch.bots.shape[1]
    columns: dict[str, Any] = {
        "match": batch.hand_match,
        "hand": batch.hand,
        "leader": batch.leader,
        "turns": batch.turns,
    }
    for seat in range(n):
        columns[f"puesto_{seat}"] = batch.puestos[:, seat]
    for seat in range(n):
        columns[f"points_{seat}"] = batch.points[:, seat]
    return pa.table(columns)


def read_batch(matches: Path, hands: Path, labels: Sequence[str]) -> Batch:
    """Read one part.

    Raises
    ------
    PresiError
        If a file is missing or cannot be read.
    """
    match, hand = _read_table(matches), _read_table(hands)
    n = sum(name.startswith("standing_") for name in match.schema.names)

    def seats(table: pa.Table, name: str, kind: Any) -> Ints:
        return np.stack([table[f"{name}_{seat}"].to_numpy() for seat in range(n)], axis=1).astype(kind, copy=False)

    hands_of = match["hands"].to_numpy()
    return Batch(
        match=match["match"].to_numpy(),
        code=match["code"].to_numpy(),
        group=match["group"].to_numpy(),
        lineup=match["lineup"].to_numpy(),
        bots=np.stack([_bot_numbers(match[f"bot_{seat}"], labels) for seat in range(n)], axis=1),
        hands=hands_of,
        winner=match["winner"].to_numpy(),
        totals=seats(match, "total", np.int16),
        standings=seats(match, "standing", np.int8),
        faults=seats(match, "faults", np.int16),
        hand_row=np.repeat(np.arange(len(hands_of)), hands_of),
        hand_match=hand["match"].to_numpy(),
        hand=hand["hand"].to_numpy(),
        leader=hand["leader"].to_numpy(),
        turns=hand["turns"].to_numpy(),
        puestos=seats(hand, "puesto", np.int8),
        points=seats(hand, "points", np.int8),
    )


def _bot_numbers(column: pa.ChunkedArray, labels: Sequence[str]) -> NDArray[np.int32]:
    """Turn a column of labels into numbers of the run's bots, whatever order its dictionary has."""
    place = {label: number for number, label in enumerate(labels)}
    chunks = []
    for chunk in column.chunks:
        numbers = np.array([place[label] for label in chunk.dictionary.to_pylist()], np.int32)
        chunks.append(numbers[chunk.indices.to_numpy()])
    return np.concatenate(chunks) if chunks else np.zeros(0, np.int32)


def _read_table(file: Path) -> pa.Table:
    try:
        return pq.read_table(file, memory_map=True)
    except FileNotFoundError:
        raise PresiError(f"{file} is missing") from None
    except (pa.ArrowException, OSError) as error:
        raise PresiError(f"{file} cannot be read: {str(error).splitlines()[0]}") from None


def _metadata(file: Path) -> Any:
    try:
        return pq.read_metadata(file)
    except (pa.ArrowException, OSError) as error:
        raise PresiError(f"{file} cannot be read: {str(error).splitlines()[0]}") from None


def _part_name(number: int) -> str:
    return f"part-{number:05d}.parquet"


def _read_info(path: Path) -> dict[str, Any]:
    try:
        info = json.loads((path / "run.json").read_text(encoding="utf-8"))
    except FileNotFoundError:
        what = "has no run.json" if path.is_dir() else "is not there"
        raise PresiError(f"{path} is no run folder: it {what}") from None
    except (OSError, ValueError) as error:
        raise PresiError(f"{path / 'run.json'} cannot be read: {error}") from None
    if not isinstance(info, dict) or info.get("schema") != SCHEMA_VERSION:
        raise PresiError(f"{path / 'run.json'}: schema is not {SCHEMA_VERSION}, the one this version reads")
    return info


def _replace(path: Path, content: bytes) -> None:
    """Write a file as a whole or not at all."""
    temporary = path.with_name(f"{path.name}.tmp")
    temporary.write_bytes(content)
    os.replace(temporary, path)


class Run:
    """A run's results as pandas tables.

    Parameters
    ----------
    path : path
        Of the run folder.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.folder = RunFolder.read(path)

    @property
    def info(self) -> dict[str, Any]:
        """What run.json says."""
        return self.folder.info

    def matches(self) -> pd.DataFrame:
        """Give one row per match, with the columns of the log."""
        return self._read("matches")

    def hands(self) -> pd.DataFrame:
        """Give one row per hand and seat.

        Returns
        -------
        pandas.DataFrame
            Columns match, hand, seat, bot, puesto, points, led, turns.
        """
        import pandas as pd

        labels = np.array([bot["label"] for bot in self.info["bots"]], object)
        frames = []
        for batch in self.folder.batches():
            h, n = batch.puestos.shape
            seat = np.tile(np.arange(n, dtype=np.int8), h)
            bots = batch.bots[batch.hand_row].ravel()
            frames.append(
                pd.DataFrame(
                    {
                        "match": np.repeat(batch.hand_match, n),
                        "hand": np.repeat(batch.hand, n),
                        "seat": seat,
                        "bot": pd.Categorical.from_codes(bots, categories=labels),
                        "puesto": batch.puestos.ravel(),
                        "points": batch.points.ravel(),
                        "led": seat == np.repeat(batch.leader, n),
                        "turns": np.repeat(batch.turns, n),
                    }
                )
            )
        return pd.concat(frames, ignore_index=True) if frames else pd.DataFrame()

    def ratings(self) -> pd.DataFrame:
        """Give ratings.csv.

        Raises
        ------
        PresiError
            If the run has not been rated.
        """
        import pandas as pd

        try:
            return pd.read_csv(self.folder.path / "ratings.csv", keep_default_na=True)
        except FileNotFoundError:
            raise PresiError(f"{self.folder.path}: no ratings.csv; presi resume finishes the run") from None

    def pairs(self) -> pd.DataFrame:
        """Give for each ordered pair of bots how often they met and how often the first was ahead.

        Returns
        -------
        pandas.DataFrame
            Columns bot, other, games, ahead (share, 0 to 1).
        """
        import pandas as pd

        from .ratings.bradley_terry import fit
        from .ratings.tally import Tally

        labels = [bot["label"] for bot in self.info["bots"]]
        tally = Tally(labels)
        for batch in self.folder.batches():
            tally.add(batch.group, batch.lineup, batch.bots, batch.standings, batch.winner)
        rating = fit(tally)
        rows = [
            (a, b, int(rating.games[i, j]), float(rating.ahead[i, j] / rating.games[i, j]))
            for i, a in enumerate(labels)
            for j, b in enumerate(labels)
            if i != j and rating.games[i, j]
        ]
        return pd.DataFrame(rows, columns=["bot", "other", "games", "ahead"])

    def _read(self, kind: str) -> pd.DataFrame:
        import pandas as pd

        frames = [_read_table(file).to_pandas() for file in self.folder._parts()]
        assert kind == "matches"
        return pd.concat(frames, ignore_index=True) if frames else pd.DataFrame()
