"""Matches won from each seat."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from matplotlib.ticker import MaxNLocator

from harness.plots.numbers import put_numbers
from harness.plots.style import (
    ABSENT,
    GOOD,
    INK,
    LABEL,
    MARK,
    PERCENT,
    SMALL,
    Page,
    row_height,
    short,
    text_width,
    value_axis,
    widest,
)

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from harness.plots.data import PlotData

_ALL = "#5a6b7b"


def draw(data: PlotData) -> Figure:
    """Draw one panel for all seats and one per seat, with the share 1/n that equals would win.

    Parameters
    ----------
    data : PlotData

    Returns
    -------
    matplotlib.figure.Figure
    """
    n, summary = data.players, data.summary
    wins, matches = summary.wins[data.order], summary.matches[data.order]
    wins = np.column_stack([wins.sum(axis=1), wins])
    matches = np.column_stack([matches.sum(axis=1), matches])
    share = np.full(wins.shape, np.nan)
    np.divide(100 * wins, matches, out=share, where=matches > 0)
    labels = short(data.bots)
    null = 100 / n
    panel, gap = (1.25, 0.2) if n <= 5 else (1.05, 0.18)
    page = Page(
        "Matches each bot wins, from all seats and from each",
        "Bars of equal length across a row: the seat does not matter to that bot. Dashed: "
        f"1/{n}\u00a0=\u00a0{null:.1f}{PERCENT}, what each would win among equals. Seat 0 is dealt the first "
        "card of a match; the turn goes 0, 1, 2 …",
        data.caption,
        width=(n + 1) * panel + n * gap,
        height=len(labels) * row_height(len(labels)),
        left=widest(labels, LABEL) + 0.1,
        right=0.1,
        above=0.26,
    )
    panel = (page.body_width - n * gap) / (n + 1)
    longest = max(float(np.nanmax(share, initial=0.0)), null)
    # Room behind the longest bar for the numbers, so that they never lie on the dashed line.
    limit = longest * panel / (panel - text_width("100.0" if longest > 99.9 else "00.0", SMALL) - 0.12)
    top = page.bottom + page.body_height
    rows = np.arange(len(labels))
    ticks = [tick for tick in MaxNLocator(3, integer=True).tick_values(0, longest) if tick <= longest]
    for column in range(n + 1):
        x = column * (panel + gap)
        axes = page.axes(x, panel)
        if column:
            axes.set_ylim(len(labels) - 0.5, -0.5)
        else:
            page.rows(axes, labels)
        axes.set_xlim(0, limit)
        value_axis(axes, "")
        axes.set_xticks(ticks)
        axes.barh(rows, np.nan_to_num(share[:, column]), height=0.7, color=GOOD if column else _ALL)
        axes.axvline(null, color=MARK, linewidth=1.2, linestyle=(0, (4, 2)), label=f"1/{n}")
        texts = [ABSENT if np.isnan(value) else f"{value:.1f}" for value in share[:, column]]
        put_numbers(axes, [limit] * len(rows), list(rows), texts, SMALL, [INK] * len(rows), align=1.0)
        name = f"seat {column - 1}" if column else "all seats"
        page.text(page.left + x, top + 0.05, name, va="bottom", fontweight="bold", color=INK)
    page.text(
        page.left + page.body_width / 2,
        page.bottom - 0.33,
        "matches won, of those played from that seat (%)",
        ha="center",
        va="top",
    )
    return page.figure
