"""Ratings with their 95 % intervals, best first."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from harness.plots.style import (
    GOOD,
    LABEL,
    MARK,
    MINUS,
    PERCENT,
    SOFT,
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


def draw(data: PlotData) -> Figure:
    """Draw a dot and an interval per bot, with the figures written beside them.

    Parameters
    ----------
    data : PlotData

    Returns
    -------
    matplotlib.figure.Figure
    """
    rows = data.ratings
    labels = short([row.bot for row in rows])
    sharp = any(row.elo_high - row.elo_low < 10 for row in rows)
    elos = [_signed(row.elo, sharp) for row in rows]
    spans = [_span(row.elo_low, row.elo_high, sharp) + (f"  {row.flag}" if row.flag else "") for row in rows]
    elo_width = max(widest(elos, LABEL), text_width("Elo", LABEL))
    right = 0.2 + elo_width + 0.15 + max(widest(spans, LABEL), text_width(f"95{PERCENT} interval", LABEL))
    finite = [row.elo for row in rows if math.isfinite(row.elo)]
    centred = bool(finite) and abs(sum(finite)) < 0.5 * len(finite)
    note = (
        f"Dot: rating; line: its 95{PERCENT} interval. Further right is stronger: 100 Elo more means "
        f"finishing ahead of the other in 64{PERCENT} of matches, 200 Elo in 76{PERCENT}."
    )
    if centred:
        note += " 0 is the average of these bots."
    page = Page(
        "Strength of each bot, best first",
        note,
        data.caption,
        width=4.6,
        height=max(len(rows), 1) * row_height(len(rows)),
        left=widest(labels, LABEL) + 0.1,
        right=right,
        above=0.22,
    )
    axes = page.axes()
    page.rows(axes, labels, stripes=True)
    ends = [x for row in rows for x in (row.elo, row.elo_low, row.elo_high) if math.isfinite(x)] or [0.0]
    low, high = min(*ends, 0.0), max(*ends, 0.0)
    room = max((high - low) * 0.05, 1.0)
    axes.set_xlim(low - room, high + room)
    value_axis(axes, "rating (Elo)")
    axes.axvline(0, color=MARK, linewidth=1.0, zorder=1)
    for k, row in enumerate(rows):
        if not math.isfinite(row.elo):
            continue
        if not (math.isnan(row.elo_low) or math.isnan(row.elo_high)):
            # An end at infinity runs into the axes' edge.
            span = (max(row.elo_low, low - room), min(row.elo_high, high + room))
            axes.plot(span, (k, k), color=GOOD, linewidth=2.2, alpha=0.55, solid_capstyle="butt", zorder=2)
            for end, mark in zip(span, (row.elo_low, row.elo_high), strict=True):
                if math.isfinite(mark):
                    axes.plot((end, end), (k - 0.18, k + 0.18), color=GOOD, linewidth=1.2, zorder=2)
        axes.plot((row.elo,), (k,), marker="o", markersize=5.5, color=GOOD, zorder=3)
    _values(page, elos, spans, elo_width)
    return page.figure


def _values(page: Page, elos: list[str], spans: list[str], elo_width: float) -> None:
    """Write rating and interval in two columns right of the body."""
    x = page.left + page.body_width + 0.2 + elo_width
    top = page.bottom + page.body_height
    page.text(x, top + 0.05, "Elo", ha="right", va="bottom", color=SOFT)
    page.text(x + 0.15, top + 0.05, f"95{PERCENT} interval", va="bottom", color=SOFT)
    for k, (elo, span) in enumerate(zip(elos, spans, strict=True)):
        y = top - page.body_height * (k + 0.5) / len(elos)
        page.text(x, y, elo, ha="right", va="center_baseline", fontweight="bold")
        page.text(x + 0.15, y, span, va="center_baseline", color=SOFT)


def _signed(elo: float, sharp: bool) -> str:
    """Write a rating with its sign; a decimal only where some interval is so narrow that it means something.

    Examples
    --------
    >>> [_signed(x, True) for x in (12.34, 250.2, -0.04, float("nan"), float("inf"))]
    ['+12.3', '+250.2', '0.0', '?', '+∞']
    """
    if math.isnan(elo):
        return "?"
    if math.isinf(elo):
        return "+∞" if elo > 0 else f"{MINUS}∞"
    text = f"{elo:+.1f}" if sharp else f"{elo:+.0f}"
    return text.lstrip("+-") if float(text) == 0 else text.replace("-", MINUS)


def _span(low: float, high: float, sharp: bool) -> str:
    """Write an interval, or that there is none."""
    if math.isnan(low) or math.isnan(high):
        return "no interval"
    return f"{_signed(low, sharp)} … {_signed(high, sharp)}"
