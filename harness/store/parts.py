"""One part of a run as two Parquet files: how rows become columns and back.

Match numbers and groups ascend, so they are kept as differences (``DELTA_BINARY_PACKED``, next to nothing);
so are points and turns, whose small numbers pack well that way and faster than by a dictionary. Codes are
random bits, kept as they are, and the compressor folds the repeats within a group. All other columns hold
few different values and are kept as numbers of a dictionary. At four seats that is 3.3 bytes and 0.13
microseconds a hand (3.7 bytes where all four places score differently), and 7.8 bytes and 0.26 microseconds
a match. A dictionary for points would save 0.4 bytes a hand and cost 0.015 microseconds; one for match
numbers costs 1.3 bytes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from ..errors import PresiError
from .batch import HAND_FIELDS, Batch

PART = re.compile(r"part-(\d{5,})\.parquet")
"""Names of parts; the number counts from 0."""
ROW_GROUP = 1 << 20
"""Rows that are compressed as one: large enough to hold the hands of a usual part."""

_PER_SEAT = {
    "bots": "bot",
    "totals": "total",
    "standings": "standing",
    "faults": "faults",
    "puestos": "puesto",
    "points": "points",
}
"""Fields of a batch that are kept as one column a seat, and how those are called: ``bot_0`` and so on."""
_ASCENDING = ("match", "group")
_DIFFERENCES = re.compile(r"match|group|turns|points_\d")
_AS_THEY_ARE = "code"


@dataclass(frozen=True)
class Part:
    """What is known of a complete part without reading its rows.

    Attributes
    ----------
    matches, hands : Path
        The two files.
    first_match, end_match : int
        Numbers of the first match and of the one after the last.
    end_group : int
        Number of the group after the last.
    """

    matches: Path
    hands: Path
    first_match: int
    end_match: int
    end_group: int


def part_name(number: int) -> str:
    """Name the files of a part.

    >>> part_name(7)
    'part-00007.parquet'
    """
    return f"part-{number:05d}.parquet"


# --- writing ------------------------------------------------------------------------------------------------


def write_matches(file: Path, batch: Batch, labels: Sequence[str]) -> None:
    """Write a batch's matches with the labels of its bots.

    Raises
    ------
    OSError
        If the file cannot be written.
    """
    names = pa.array(labels, pa.string())
    number = pa.int8() if len(labels) < 128 else pa.int16() if len(labels) < 32_768 else pa.int32()
    columns: dict[str, Any] = {
        "match": pa.array(batch.match, pa.int64()),
        "code": pa.array(batch.code, pa.uint64()),
        "group": pa.array(batch.group, pa.int64()),
        "lineup": pa.array(batch.lineup, pa.int32()),
        "hands": pa.array(batch.hands, pa.int16()),
        "winner": pa.array(batch.winner, pa.int8()),
        **_by_seat("total", batch.totals, pa.int16()),
        **_by_seat("standing", batch.standings, pa.int8()),
    }
    for name, numbers in _by_seat("bot", batch.bots, number).items():
        columns[name] = pa.DictionaryArray.from_arrays(numbers, names)
    columns["faults"] = pa.array(batch.faults.sum(axis=1), pa.int16())
    columns |= _by_seat("faults", batch.faults, pa.int16())
    _write(file, pa.table(columns))


def write_hands(file: Path, batch: Batch) -> None:
    """Write a batch's hands.

    Raises
    ------
    OSError
        If the file cannot be written.
    """
    columns: dict[str, Any] = {
        "match": pa.array(batch.hand_match, pa.int64()),
        "hand": pa.array(batch.hand, pa.int16()),
        "leader": pa.array(batch.leader, pa.int8()),
        "turns": pa.array(batch.turns, pa.int16()),
        **_by_seat("puesto", batch.puestos, pa.int8()),
        **_by_seat("points", batch.points, pa.int8()),
    }
    _write(file, pa.table(columns))


def _by_seat(name: str, values: NDArray[Any], kind: Any) -> dict[str, Any]:
    """Make one column of each seat: one copy of all of them at once, none by Arrow."""
    return {
        f"{name}_{seat}": pa.array(column, kind) for seat, column in enumerate(np.ascontiguousarray(values.T))
    }


def _write(file: Path, table: Any) -> None:
    names = table.schema.names
    differences = [name for name in names if _DIFFERENCES.fullmatch(name)]
    pq.write_table(
        table,
        file,
        row_group_size=ROW_GROUP,
        compression="zstd",
        compression_level=3,
        use_dictionary=[name for name in names if name not in differences and name != _AS_THEY_ARE],
        column_encoding=dict.fromkeys(differences, "DELTA_BINARY_PACKED"),
        # by these a part says what it holds, and a match is found
        write_statistics=[name for name in names if name in _ASCENDING],
    )


# --- reading ------------------------------------------------------------------------------------------------


def read_part(matches: Path, hands: Path) -> Part:
    """Read what a part holds from the ends of its two files; its rows are not read.

    Raises
    ------
    PresiError
        If a file is missing or damaged, or the two do not belong together.
    """
    footer = _open(matches).metadata
    first, last = _range(matches, footer, "match")
    if last - first + 1 != footer.num_rows:
        raise PresiError(f"{matches} is damaged: {footer.num_rows} rows for the matches {first} to {last}")
    if _range(hands, _open(hands).metadata, "match") != (first, last):
        raise PresiError(f"{hands} is damaged: its hands are not those of the matches {first} to {last}")
    return Part(matches, hands, first, last + 1, _range(matches, footer, "group")[1] + 1)


def count_hands(hands: Path) -> int:
    """Count the rows of a hands file without reading them.

    Raises
    ------
    PresiError
        If the file is missing or damaged.
    """
    return int(_open(hands).metadata.num_rows)


def read_batch(part: Part, labels: Sequence[str], fields: set[str]) -> Batch:
    """Read some fields of a part.

    Parameters
    ----------
    part : Part
        Which one.
    labels : sequence of str
        The run's bots, by number.
    fields : set of str
        Fields of `Batch`.

    Raises
    ------
    PresiError
        If a file is missing or damaged.
    """
    found: dict[str, NDArray[Any]] = {}
    needs_hands = fields & set(HAND_FIELDS)
    wanted = (fields - needs_hands) | ({"hands"} if needs_hands else set())
    if "hand_match" in fields:
        wanted.add("match")
    found |= dict(_read(part.matches, wanted, labels))
    if needs_hands:
        row = np.repeat(np.arange(len(found["hands"])), found["hands"])
        if count_hands(part.hands) != len(row):
            raise PresiError(f"{part.hands} is damaged: its hands are not as many as {part.matches} says")
        found["hand_row"] = row
        if "hand_match" in fields:
            found["hand_match"] = found["match"][row]
        found |= dict(_read(part.hands, needs_hands - {"hand_row", "hand_match"}, labels))
    return Batch.of(**{name: array for name, array in found.items() if name in fields})


def _read(file: Path, fields: set[str], labels: Sequence[str]) -> Iterator[tuple[str, NDArray[Any]]]:
    """Read the columns of some fields as arrays of their own."""
    if not fields:
        return
    opened = _open(file)
    present = opened.schema_arrow.names
    columns: dict[str, list[str]] = {}
    for name in fields:
        stem = _PER_SEAT.get(name)
        columns[name] = [name]
        if stem is not None:
            columns[name] = [f"{stem}_{seat}" for seat in range(len(present)) if f"{stem}_{seat}" in present]
        if not columns[name] or not set(columns[name]) <= set(present):
            raise PresiError(f"{file} is damaged: it has no column {stem + '_0' if stem else name}")
    try:
        table = opened.read([column for each in columns.values() for column in each])
    except (pa.ArrowException, OSError) as error:
        raise _damaged(file, error) from None
    for name, each in columns.items():
        if name == "bots":
            yield name, _seats([_bot_numbers(file, table[column], labels) for column in each])
        elif name in _PER_SEAT:
            yield name, _seats([table[column].to_numpy() for column in each])
        else:
            yield name, table[name].combine_chunks().to_numpy(zero_copy_only=False, writable=True)


def _seats(columns: list[NDArray[Any]]) -> NDArray[Any]:
    """Put the columns of the seats side by side."""
    table = np.empty((len(columns[0]), len(columns)), columns[0].dtype)
    for seat, column in enumerate(columns):
        table[:, seat] = column
    return table


def _bot_numbers(file: Path, column: Any, labels: Sequence[str]) -> NDArray[np.int32]:
    """Turn labels into numbers of the run's bots, whatever dictionary the file has."""
    numbers = {label: number for number, label in enumerate(labels)}
    chunks = [np.zeros(0, np.int32)]
    for chunk in column.chunks:
        names = chunk.dictionary.to_pylist()
        unknown = [name for name in names if name not in numbers]
        if unknown:
            raise PresiError(f"{file} is damaged: bot {unknown[0]!r} is not in run.json")
        chunks.append(np.array([numbers[name] for name in names], np.int32)[chunk.indices.to_numpy()])
    return np.concatenate(chunks)


def _range(file: Path, footer: Any, column: str) -> tuple[int, int]:
    """Give the least and the greatest value of a column, as the end of the file has them."""
    names = [footer.schema.column(place).name for place in range(footer.num_columns)]
    if column in names:
        place = names.index(column)
        groups = [footer.row_group(number).column(place) for number in range(footer.num_row_groups)]
        if groups and all(group.is_stats_set and group.statistics.has_min_max for group in groups):
            ranges = [group.statistics for group in groups]
            return min(int(each.min) for each in ranges), max(int(each.max) for each in ranges)
    raise PresiError(f"{file} is damaged: it does not say which values of {column!r} it holds")


def _open(file: Path) -> Any:
    try:
        return pq.ParquetFile(file, memory_map=True)
    except FileNotFoundError:
        raise PresiError(f"{file} is missing") from None
    except (pa.ArrowException, OSError) as error:
        raise _damaged(file, error) from None


def _damaged(file: Path, error: Exception) -> PresiError:
    return PresiError(f"{file} cannot be read: {' '.join(str(error).split())}")
