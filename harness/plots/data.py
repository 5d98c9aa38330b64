"""What the pictures show, as plain data; needs no matplotlib."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from harness.summary import Summary

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class RatingRow:
    """One bot's rating.

    Parameters
    ----------
    bot : str
        Label.
    elo, elo_low, elo_high : float
        Rating and its 95 % interval; NaN or infinite where there is none.
    flag : str
        A remark drawn beside the value, such as "always ahead".
    """

    bot: str
    elo: float
    elo_low: float
    elo_high: float
    flag: str = ""


@dataclass(frozen=True)
class PlotData:
    """Everything the six pictures need.

    Parameters
    ----------
    table : str
        Name of the table in force, as ``barajamos+jokers``.
    players : int
        Seats, n.
    matches, groups, hands : int
        How many were played.
    ratings : sequence of RatingRow
        Best first; every picture keeps this order.
    games : ndarray, shape (bots, bots)
        How often the bots met, in the order of ``summary.bots``.
    ahead : ndarray, shape (bots, bots)
        How often the row's bot finished ahead of the column's, ties half.
    summary : Summary
        Sums per bot, seat and role.
    titles : sequence of str
        What the table calls the places, first to last; empty or missing ones become "puesto k".
    seed : int or None
        Of the run; None where there is no single one.
    """

    table: str
    players: int
    matches: int
    groups: int
    hands: int
    ratings: Sequence[RatingRow]
    games: NDArray[Any]
    ahead: NDArray[Any]
    summary: Summary
    titles: Sequence[str] = field(default=())
    seed: int | None = None

    @property
    def bots(self) -> list[str]:
        """Labels, best first; a bot without a rating comes last."""
        rated = [row.bot for row in self.ratings]
        known = set(rated)
        return rated + [bot for bot in self.summary.bots if bot not in known]

    @property
    def order(self) -> NDArray[np.intp]:
        """Index into the summary's and the matrices' order for each of `bots`."""
        where = {bot: index for index, bot in enumerate(self.summary.bots)}
        return np.array([where[bot] for bot in self.bots], np.intp)

    def title_of(self, place: int) -> str:
        """Call place k (1 = first) as the table does.

        Examples
        --------
        >>> summary = Summary(["a", "b"], 3)
        >>> data = PlotData("naipera", 3, 0, 0, 0, [], summary.wins, summary.wins, summary, ("president", ""))
        >>> [data.title_of(k) for k in (1, 2, 3)]
        ['1 president', 'puesto 2', 'puesto 3']
        """
        title = self.titles[place - 1] if place <= len(self.titles) else ""
        return f"{place} {title}" if title else f"puesto {place}"

    @property
    def caption(self) -> str:
        """One line on where the numbers come from."""
        parts = [
            self.table,
            f"{self.players} players",
            f"{self.matches:,} matches in {self.groups:,} deal groups",
            f"{self.hands:,} hands",
        ]
        if self.seed is not None:
            parts.append(f"seed {self.seed}")
        return " · ".join(parts)


def rating_rows(frame: pd.DataFrame) -> list[RatingRow]:
    """Take rating rows from a table of ratings.

    Parameters
    ----------
    frame : pandas.DataFrame
        Columns ``bot``, ``elo``, ``elo_low``, ``elo_high`` and perhaps ``flag``, best first.

    Returns
    -------
    list of RatingRow
    """
    flags = frame["flag"] if "flag" in frame else [""] * len(frame)
    columns = (frame["bot"], frame["elo"], frame["elo_low"], frame["elo_high"], flags)
    return [
        RatingRow(str(bot), float(elo), float(low), float(high), flag if isinstance(flag, str) else "")
        for bot, elo, low, high, flag in zip(*columns, strict=True)
    ]
