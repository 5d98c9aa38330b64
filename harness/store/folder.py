"""The folder around a run's parts: who may write to it, what is complete, and run.json."""

from __future__ import annotations

import contextlib
import csv
import io
import json
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any

from numpy.typing import NDArray

from ..errors import PresiError, WorkError
from ..files import written_whole
from .batch import Batch, check_fields
from .contents import FOLDERS, is_own, is_run, is_temporary, own_files, part_numbers
from .lock import Lock
from .parts import Part, part_name, read_batch, read_part, write_hands, write_matches

SCHEMA = 1
"""Version of run.json and of the columns."""
STATES = ("running", "interrupted", "done")


class RunFolder:
    """A run folder: made by `create`, gone on with by `open`, or only looked at by `read`.

    What is opened for writing is locked until it is closed, best by ``with``; the system lets go of the lock
    however the process ends.

    Attributes
    ----------
    path : Path
    info : dict
        What run.json says: ``schema``, ``request``, ``bots``, ``versions``, ``seed``, ``counts``, ``state``
        (running, interrupted or done), ``faults``.
    parts : list of Part
        The complete ones, in order.
    dropped : list of Path
        Leftovers of a killed process that `open` has deleted.

    Examples
    --------
    >>> import tempfile
    >>> place = tempfile.TemporaryDirectory()
    >>> with RunFolder.create(place.name) as folder:
    ...     folder.begin(request={}, bots=[{"label": "keep"}], versions={}, seed=1, counts={})
    ...     folder.update(state="done")
    >>> RunFolder.read(place.name).info["state"]
    'done'
    >>> place.cleanup()
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.info: dict[str, Any] = {}
        self.dropped: list[Path] = []
        self.parts: list[Part] = []
        self._lock: Lock | None = None

    # --- opening and closing ----------------------------------------------------------------------------

    @classmethod
    def create(cls, path: str | os.PathLike[str], force: bool = False) -> RunFolder:
        """Make a run folder and lock it.

        Parameters
        ----------
        path : path
            Made if it is not there, parents too.
        force : bool
            Delete the run that is there. Files that no run leaves stay where they are.

        Raises
        ------
        PresiError
            If the folder is not empty and `force` is not given; if it does not look like a run folder; if
            another process is writing to it; if it cannot be made.
        """
        folder = cls(Path(path))
        try:
            folder.path.mkdir(parents=True, exist_ok=True)
            folder._check_replaceable(force)
            folder._lock = Lock(folder.path / ".lock")
            try:
                folder._check_replaceable(force)  # once more, now that nobody else can fill it
                for file in own_files(folder.path):
                    file.unlink()
            except BaseException:
                folder.close()
                raise
        except OSError as error:
            raise PresiError(f"out {path}: {_why(error)}") from None
        return folder

    @classmethod
    def open(cls, path: str | os.PathLike[str]) -> RunFolder:
        """Open a run folder to go on with it and lock it; leftovers of a killed process are deleted.

        Raises
        ------
        PresiError
            If it is no run folder, if a file is missing or damaged, or another process is writing to it.
        """
        folder = cls(Path(path))
        folder._read_info()
        try:
            folder._lock = Lock(folder.path / ".lock")
            try:
                folder._read_info()
                folder._drop_leftovers()
                folder._find_parts()
            except BaseException:
                folder.close()
                raise
        except OSError as error:
            raise PresiError(f"{path}: {_why(error)}") from None
        return folder

    @classmethod
    def read(cls, path: str | os.PathLike[str]) -> RunFolder:
        """Open a run folder for reading only, also while a run is writing to it: what is complete so far.

        Raises
        ------
        PresiError
            If it is no run folder, or a file is missing or damaged.
        """
        folder = cls(Path(path))
        folder._read_info()
        folder._find_parts()
        return folder

    def close(self) -> None:
        """Let others write to the folder."""
        if self._lock is not None:
            self._lock.release()
            self._lock = None

    def __enter__(self) -> RunFolder:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    # --- what is there ----------------------------------------------------------------------------------

    @property
    def matches_done(self) -> int:
        """Matches in complete parts: those numbered from 0 up to this."""
        return self.parts[-1].end_match if self.parts else 0

    @property
    def groups_done(self) -> int:
        """Groups in complete parts: those numbered from 0 up to this."""
        return self.parts[-1].end_group if self.parts else 0

    @property
    def labels(self) -> list[str]:
        """The run's bots, by number."""
        return [bot["label"] for bot in self.info["bots"]]

    # --- writing ----------------------------------------------------------------------------------------

    def begin(
        self,
        *,
        request: Mapping[str, Any],
        bots: Sequence[Mapping[str, Any]],
        versions: Mapping[str, Any] | None = None,
        seed: int = 0,
        counts: Mapping[str, Any] | None = None,
    ) -> None:
        """Write run.json for a run that begins, and make the folders for its parts.

        Parameters
        ----------
        request, versions, counts : mapping
            Anything that JSON can hold.
        bots : sequence of mapping
            One for each bot, in the order of their numbers, each with its ``label``.
        seed : int
            Of the run.

        Raises
        ------
        WorkError
            If it cannot be written.
        """
        self.info = {
            "schema": SCHEMA,
            "request": dict(request),
            "bots": [dict(bot) for bot in bots],
            "versions": dict(versions or {}),
            "seed": seed,
            "counts": dict(counts or {}),
            "state": "running",
            "faults": {},
        }
        self.update()
        with _working(self.path):
            for name in ("matches", "hands"):
                (self.path / name).mkdir(exist_ok=True)

    def update(self, **changes: Any) -> None:
        """Change some of run.json, as a whole or not at all.

        Raises
        ------
        ValueError
            For a state that is none.
        WorkError
            If it cannot be written.
        """
        info = self.info | changes
        if info["state"] not in STATES:
            raise ValueError(f"state {info['state']!r}: allowed are {', '.join(STATES)}")
        text = json.dumps(info, indent=2, ensure_ascii=False)
        self._replace("run.json", text + "\n")
        self.info = info

    def write_lineups(self, labels: Sequence[str], lineups: NDArray[Any]) -> None:
        """Write lineups.csv: the number of each lineup and its bots (their order there means nothing).

        Parameters
        ----------
        labels : sequence of str
            The bots, by number.
        lineups : int[L, n]
            As `Schedule.lineups` has them.

        Raises
        ------
        WorkError
            If it cannot be written.
        """
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(["lineup", *(f"bot_{place}" for place in range(lineups.shape[1]))])
        writer.writerows(
            [number, *(labels[bot] for bot in row)] for number, row in enumerate(lineups.tolist())
        )
        self._replace("lineups.csv", text.getvalue())

    def write_part(self, batch: Batch) -> None:
        """Append the next part. It is complete, and counted, when this returns; else it is not there at all.

        Matches that are in complete parts already are left out, so that a caller that was interrupted
        before it took note of a part may just go on with what it has.

        Parameters
        ----------
        batch : Batch
            Whole groups with all fields, that begin no later than the next match; not kept.

        Raises
        ------
        ValueError
            If it leaves a gap, begins within a group, or its hands do not belong to its matches.
        WorkError
            If it cannot be written.
        """
        if not len(batch.match) or batch.match[-1] < self.matches_done:
            return
        if int(batch.hands.sum(dtype="int64")) != len(batch.hand):
            raise ValueError(f"{len(batch.hand)} hands do not belong to these matches")
        known = self.matches_done - int(batch.match[0])
        if known:
            batch = batch.cut(max(known, 0), len(batch.match))
        first = int(batch.match[0])
        if (first, int(batch.group[0])) != (self.matches_done, self.groups_done):
            raise ValueError(
                f"the next part begins with match {self.matches_done} and group {self.groups_done}, "
                f"not {first} and {int(batch.group[0])}"
            )
        name = part_name(len(self.parts))
        matches, hands = self.path / "matches" / name, self.path / "hands" / name
        temporary = {file: file.with_name(f".{name}.tmp") for file in (hands, matches)}
        with _working(self.path):
            try:
                write_hands(temporary[hands], batch)
                write_matches(temporary[matches], batch, self.labels)
                # There already only if an earlier call was cut short between its last two lines.
                matches.unlink(missing_ok=True)
                os.replace(temporary[hands], hands)
                os.replace(temporary[matches], matches)
            except BaseException:
                for file in temporary.values():
                    file.unlink(missing_ok=True)
                raise
        self.parts.append(Part(matches, hands, first, int(batch.match[-1]) + 1, int(batch.group[-1]) + 1))

    def _replace(self, name: str, text: str) -> None:
        """Write a file as a whole or not at all."""
        with _working(self.path), written_whole(self.path / name) as file:
            file.write_text(text, encoding="utf-8")

    # --- reading ----------------------------------------------------------------------------------------

    def batches(self, fields: Iterable[str] | None = None) -> Iterator[Batch]:
        """Read the complete parts one by one, in match order; each holds whole groups.

        Parameters
        ----------
        fields : iterable of str, optional
            Fields of `Batch` that are needed; all if not said. The fewer, the faster.

        Raises
        ------
        PresiError
            If a file is missing or damaged.
        ValueError
            If a batch has no such field.
        """
        asked = check_fields(fields)
        return (read_batch(part, self.labels, asked) for part in self.parts)

    def find(self, match: int) -> Batch:
        """Read one match with its hands; only the part it is in is looked at.

        Parameters
        ----------
        match : int
            Its number.

        Raises
        ------
        PresiError
            If it is not there, or a file is missing or damaged.
        """
        for part in self.parts:
            if part.first_match <= match < part.end_match:
                row = match - part.first_match
                return read_batch(part, self.labels, check_fields(None)).cut(row, row + 1)
        there = f"there are 0 to {self.matches_done - 1}" if self.parts else "there are none yet"
        raise PresiError(f"{self.path}: no match {match}; {there}")

    # --- how it is done ---------------------------------------------------------------------------------

    def _check_replaceable(self, force: bool) -> None:
        """Refuse a folder that is not empty, or with `force` one that is no run folder."""
        present = sorted(entry.name for entry in self.path.iterdir() if entry.name != ".lock")
        if not present:
            return
        if not force:
            raise PresiError(f"out {self.path}: the folder is not empty; --force replaces the run in it")
        for name in FOLDERS:
            if (self.path / name).is_symlink():
                raise PresiError(f"out {self.path}: {name} is a link; --force deletes nothing behind links")
        foreign = [name for name in present if not is_own(self.path / name)]
        # A run that was killed before it wrote run.json has left nothing but its own files.
        if foreign and not is_run(self.path):
            raise PresiError(
                f"out {self.path}: --force replaces the run in a folder, and this is no run folder: "
                f"it has no run.json but {foreign[0]!r}, which no run leaves"
            )

    def _read_info(self) -> None:
        file = self.path / "run.json"
        try:
            info = json.loads(file.read_text(encoding="utf-8"))
        except (FileNotFoundError, NotADirectoryError):
            what = "it has no run.json" if self.path.is_dir() else "there is no such folder"
            raise PresiError(f"{self.path} is no run folder: {what}") from None
        except OSError as error:
            raise PresiError(f"{file} cannot be read: {_why(error)}") from None
        except ValueError as error:
            raise PresiError(f"{file} is damaged: {error}") from None
        if not isinstance(info, dict) or "schema" not in info:
            raise PresiError(f"{self.path} is no run folder: its run.json has no schema")
        if info["schema"] != SCHEMA:
            raise PresiError(f"{file}: schema {info['schema']!r}; this version reads {SCHEMA}")
        self.info = info

    def _find_parts(self) -> None:
        """Find the complete parts and see that they follow each other without a gap."""
        numbers = part_numbers(self.path / "matches")
        self.parts = []
        for number in range(len(numbers)):
            name = part_name(number)
            if number not in numbers:
                raise PresiError(f"{self.path / 'matches' / name} is missing")
            part = read_part(self.path / "matches" / name, self.path / "hands" / name)
            if part.first_match != self.matches_done:
                raise PresiError(
                    f"{part.matches} is damaged: it begins with match {part.first_match}, "
                    f"the part before it ends before {self.matches_done}"
                )
            self.parts.append(part)

    def _drop_leftovers(self) -> None:
        """Delete what a killed process was writing: temporary files, and hands whose matches never came."""
        for name in ("matches", "hands"):
            (self.path / name).mkdir(exist_ok=True)
        left = [file for file in own_files(self.path) if is_temporary(file)]
        after = max(part_numbers(self.path / "matches"), default=-1)
        for number in part_numbers(self.path / "hands"):
            if number > after:
                left.append(self.path / "hands" / part_name(number))
        for file in left:
            file.unlink()
        self.dropped = left


@contextlib.contextmanager
def _working(path: Path) -> Iterator[None]:
    """Turn the system's refusal to write into a failure of the work that names the file."""
    try:
        yield
    except OSError as error:
        raise WorkError(f"{error.filename or path}: cannot be written: {_why(error)}") from error


def _why(error: OSError) -> str:
    return error.strerror or str(error)
