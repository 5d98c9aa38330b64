"""Results from anywhere: tables of finishing orders such as ``a>b>c``, turned into a tally."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from harness.errors import PresiError, near
from harness.ratings.tally import Part, Tally

if TYPE_CHECKING:
    import pandas as pd

COLUMNS = ("group", "order", "count")
"""Columns that a table of results may have; others are left alone."""


def parse_order(text: str) -> tuple[list[str], list[int]]:
    """Read one finishing order.

    Parameters
    ----------
    text : str
        Names from first to last with ``>`` between them, ``=`` between those who tie. A name may stand
        twice: a bot in two seats.

    Returns
    -------
    names : list of str
    standings : list of int
        1 = first; who ties shares the better one.

    Raises
    ------
    PresiError
        If a name is missing or there are fewer than two.

    Examples
    --------
    >>> parse_order("a = b > c")
    (['a', 'b', 'c'], [1, 1, 3])
    """
    names: list[str] = []
    standings: list[int] = []
    for level in text.split(">"):
        standing = len(names) + 1
        for name in level.split("="):
            if not name.strip():
                raise PresiError(f"order {text!r}: a name is missing; allowed are names as in a>b>c or a=b>c")
            names.append(name.strip())
            standings.append(standing)
    if len(names) < 2:
        raise PresiError(f"order {text!r}: one name only; allowed are two or more, as in a>b>c or a=b>c")
    return names, standings


def tally_orders(results: pd.DataFrame) -> Tally:
    """Collect a table of finishing orders.

    Parameters
    ----------
    results : pandas.DataFrame
        One row per match, or per ``count`` equal ones. ``order``: names from first to last (see
        `parse_order`). ``group``, optional: rows with the same value share luck, and `count` says how often
        the order happened within the group; without this column every match is independent of the others
        and `count` says how many such matches there were. ``count``, optional: whole numbers, 0 or more.

    Returns
    -------
    Tally
        Its bots in alphabetical order.

    Raises
    ------
    PresiError
        If a column is missing, an order cannot be read, or a value is not what its column holds; the message
        names column and row (0 = first).

    Examples
    --------
    >>> import pandas as pd
    >>> tally = tally_orders(pd.DataFrame({"order": ["a>b>c", "b>a=c"], "count": [3, 2]}))
    >>> tally.bots, tally.match_count, tally.ahead[0].tolist()
    (['a', 'b', 'c'], 5, [0.0, 3.0, 4.0])
    """
    import pandas as pd

    columns = [str(name) for name in results.columns]
    if "order" not in columns:
        close = f"; {near('order', columns)}" if columns else ""
        raise PresiError(f"results without a column 'order': allowed are group, order, count{close}")
    grouped = "group" in columns
    count = _whole(results["count"]) if "count" in columns else np.ones(len(results), np.int64)
    keep = np.flatnonzero(count > 0)
    if not len(keep):
        raise PresiError("results without a match: there is nothing to rate")
    which, texts = pd.factorize(_present(results["order"], keep))
    orders = [parse_order(str(text)) for text in texts]
    bots = sorted({name for names, _ in orders for name in names})
    place = {name: at for at, name in enumerate(bots)}
    if grouped:
        group = pd.factorize(_present(results["group"], keep))[0].astype(np.int64)
    else:
        group = np.arange(len(keep), dtype=np.int64)
    tally = Tally(bots)
    seats = np.array([len(names) for names, _ in orders])[which]
    # Groups with matches of several sizes cannot be laid out as one batch.
    joined = _several(group, seats)
    parts: list[Part] = []
    for n in sorted(set(seats.tolist())):
        wanted = [at for at, (names, _) in enumerate(orders) if len(names) == n]
        seat_bots = np.zeros((len(orders), n), np.int32)
        standings = np.zeros((len(orders), n), np.int32)
        winner = np.full(len(orders), -1, np.int64)
        for at in wanted:
            seat_bots[at] = [place[name] for name in orders[at][0]]
            standings[at] = orders[at][1]
            if standings[at, 1] > 1:
                winner[at] = 0
        for apart in (False, True):
            rows = np.flatnonzero((seats == n) & (joined == apart))
            what, number = which[rows], count[keep[rows]]
            part = Part(group[rows], seat_bots[what], standings[what], winner[what], number)
            if apart:
                parts.append(part)
            elif grouped:
                hint = np.zeros(len(rows), np.int32)
                tally.add(part.group, hint, part.bots, part.standings, part.winner, count=number)
            else:
                # The same order is the same lineup.
                tally.add(part.group, what, part.bots, part.standings, part.winner, times=number)
    tally.add_joined(parts)
    return tally


def _several(group: NDArray[np.int64], seats: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Whether each match belongs to a group that has matches of several numbers of seats."""
    size = int(group.max()) + 1
    fewest, most = np.full(size, np.iinfo(np.int64).max), np.zeros(size, np.int64)
    np.minimum.at(fewest, group, seats)
    np.maximum.at(most, group, seats)
    return np.asarray((fewest != most)[group], np.bool_)


def _present(column: Any, keep: NDArray[np.intp]) -> Any:
    """Give the wanted rows of a column, none of them empty."""
    wanted = column.iloc[keep]
    missing = np.flatnonzero(wanted.isna().to_numpy())
    if len(missing):
        raise PresiError(f"column {column.name!r}, row {int(keep[missing[0]])}: the value is missing")
    return wanted


def _whole(column: Any) -> NDArray[np.int64]:
    """Read a column of counts."""
    import pandas as pd

    numbers = pd.to_numeric(column, errors="coerce").to_numpy(np.float64, na_value=np.nan)
    wrong = np.flatnonzero(~((numbers >= 0) & (numbers == np.floor(numbers)) & (numbers < 2**53)))
    if len(wrong):
        at = int(wrong[0])
        raise PresiError(f"count {column.iloc[at]!r} in row {at}: allowed are whole numbers from 0 on")
    return np.asarray(numbers, np.int64)
