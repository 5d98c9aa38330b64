"""Sums and orders of columns of whole numbers, exact: what counting millions of matches is made of."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from harness.errors import PresiError

Ints = NDArray[Any]
Counts = NDArray[np.int64]
Floats = NDArray[np.float64]

LARGEST = 2**53
"""The largest number up to which floats hold every whole one: sums are kept below it."""


def upper(n: int) -> list[tuple[int, int]]:
    """Cells of the upper triangle of a matrix, with the diagonal."""
    return [(a, b) for a in range(n) for b in range(a, n)]


def group_starts(group: Ints) -> NDArray[np.intp]:
    """Rows where another group begins."""
    return np.flatnonzero(boundaries(group))


def boundaries(*columns: Ints) -> NDArray[np.bool_]:
    """Whether each row differs from the one before; the first does."""
    new = np.ones(len(columns[0]), np.bool_)
    new[1:] = False
    for column in columns:
        new[1:] |= column[1:] != column[:-1]
    return new


def sort_columns(keys: Ints) -> None:
    """Sort each column of a matrix with few rows, in place."""
    n, m = keys.shape
    if n > 10:
        keys.sort(axis=0)
        return
    low = np.empty(m, keys.dtype)
    for last in range(n - 1, 0, -1):
        for at in range(last):
            np.minimum(keys[at], keys[at + 1], out=low)
            np.maximum(keys[at], keys[at + 1], out=keys[at + 1])
            keys[at] = low


def group_sums(values: Ints, starts: Ints, sizes: Ints) -> Counts:
    """Sum each row of a matrix by group."""
    size = int(sizes[0])
    if size <= 32 and (sizes == size).all():
        total = values[:, ::size].astype(np.int64)
        for at in range(1, size):
            total += values[:, at::size]
        return total
    return np.asarray(np.add.reduceat(values, starts, axis=1, dtype=np.int64))


def sorting(key: Counts) -> NDArray[np.intp]:
    """Order that sorts whole numbers; by radix where they span little."""
    low, high = int(key.min()), int(key.max())
    return np.argsort((key - low).astype(np.uint16) if high - low < 65_536 else key, kind="stable")


def count_below(cells: Ints, weight: Counts | None, size: int) -> Counts:
    """Count whole numbers below a size, exactly."""
    if weight is None:
        return np.bincount(cells, minlength=size).astype(np.int64, copy=False)
    if int(weight.sum()) > LARGEST:
        raise PresiError(f"{int(weight.sum()):,} matches: too many to count exactly")
    return np.rint(np.bincount(cells, weights=weight, minlength=size)).astype(np.int64)


def product(a: Counts | None, b: Counts | None) -> Counts | None:
    """Multiply, None being all ones."""
    if a is None or b is None:
        return b if a is None else a
    return np.asarray(a * b, np.int64)


def longer(array: Counts, rows: int) -> Counts:
    """Copy an array with more rows, zero where new."""
    longer = np.zeros((rows, *array.shape[1:]), array.dtype)
    longer[: len(array)] = array
    return longer


def ratio(total: Floats, count: Counts) -> Floats:
    """Divide; NaN where there is nothing to divide by."""
    return np.asarray(np.divide(total, count, out=np.full(len(total), np.nan), where=count > 0))
