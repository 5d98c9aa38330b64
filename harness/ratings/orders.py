"""Results from anywhere: tables of finishing orders such as ``a>b>c``, turned into a tally."""

from __future__ import annotations

from dataclasses import dataclass
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


@dataclass(frozen=True, eq=False)
class Orders:
    """A table of finishing orders, read.

    Attributes
    ----------
    bots : list of str
        In alphabetical order.
    grouped : bool
        Whether rows say what shares luck. If not, every row is a group of its own, and its `count` says how
        many independent groups like it there were.
    parts : list of Part
        One for each number of seats, fewest first; winner -1 where the first place was shared.
    """

    bots: list[str]
    grouped: bool
    parts: list[Part]

    def tally(self) -> Tally:
        """Collect the orders."""
        tally = Tally(self.bots)
        # Groups with matches of several sizes cannot be laid out as one batch.
        across = _several([part.group for part in self.parts])
        joined: list[Part] = []
        for part in self.parts:
            spread = np.isin(part.group, across)
            whole = part.rows(np.flatnonzero(~spread))
            hint = np.zeros(len(whole.group), np.int32)
            if self.grouped:
                tally.add(whole.group, hint, whole.bots, whole.standings, whole.winner, count=whole.count)
            else:
                tally.add(whole.group, hint, whole.bots, whole.standings, whole.winner, times=whole.count)
            joined.append(part.rows(np.flatnonzero(spread)))
        tally.add_joined(joined)
        return tally


def tally_orders(results: pd.DataFrame) -> Tally:
    """Collect a table of finishing orders; as `read_orders`, then `Orders.tally`.

    Examples
    --------
    >>> import pandas as pd
    >>> tally = tally_orders(pd.DataFrame({"order": ["a>b>c", "b>a=c"], "count": [3, 2]}))
    >>> tally.bots, tally.match_count, tally.ahead[0].tolist()
    (['a', 'b', 'c'], 5, [0.0, 3.0, 4.0])
    """
    return read_orders(results).tally()


def read_orders(results: pd.DataFrame) -> Orders:
    """Read a table of finishing orders.

    Parameters
    ----------
    results : pandas.DataFrame
        One row per match, or per ``count`` equal ones. ``order``: names from first to last (see
        `parse_order`). ``group``, optional: rows with the same value share luck, and `count` says how often
        the order happened within the group; without this column every match is independent of the others
        and `count` says how many such matches there were. ``count``, optional: whole numbers, 0 or more.

    Returns
    -------
    Orders

    Raises
    ------
    PresiError
        If a column is missing, an order cannot be read, or a value is not what its column holds; the message
        names column and row (0 = first).
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
    seats = np.array([len(names) for names, _ in orders])[which]
    parts: list[Part] = []
    for n in sorted(set(seats.tolist())):
        seat_bots = np.zeros((len(orders), n), np.int32)
        standings = np.zeros((len(orders), n), np.int32)
        winner = np.full(len(orders), -1, np.int64)
        for at, (names, places) in enumerate(orders):
            if len(names) == n:
                seat_bots[at] = [place[name] for name in names]
                standings[at] = places
                if places[1] > 1:
                    winner[at] = 0
        rows = np.flatnonzero(seats == n)
        what = which[rows]
        parts.append(Part(group[rows], seat_bots[what], standings[what], winner[what], count[keep[rows]]))
    return Orders(bots, grouped, parts)


def _several(groups: list[NDArray[Any]]) -> NDArray[Any]:
    """List the groups that stand in more than one of the lists."""
    each = np.concatenate([np.unique(group) for group in groups])
    numbers, times = np.unique(each, return_counts=True)
    return np.asarray(numbers[times > 1])


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
