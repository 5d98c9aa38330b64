"""Points per hand of each bot against the table's mean."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from harness.plots.style import (
    BAD,
    GOOD,
    LABEL,
    MARK,
    MINUS,
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
    """Draw how far each bot's points per hand lie from what an average seat gets.

    Parameters
    ----------
    data : PlotData

    Returns
    -------
    matplotlib.figure.Figure
    """
    summary = data.summary
    values = summary.per_bot()["points_per_hand"][data.order]
    hands = int(summary.hands.sum())
    mean = int(summary.points.sum()) / hands if hands else 0.0
    labels = short(data.bots)
    texts = ["no hands" if np.isnan(value) else _number(value) for value in values]
    right = 0.2 + max(widest(texts, LABEL), text_width("points", LABEL))
    mean_text = f"table's mean {_number(mean)}"
    page = Page(
        "Points each bot takes per hand",
        "Dot: the bot's average points for one hand; blue more than the table's mean, orange less. "
        "Strongest bots (by matches, not by points) first.",
        data.caption,
        width=5.4,
        height=len(labels) * row_height(len(labels)),
        left=widest(labels, LABEL) + 0.1,
        right=right,
        above=0.24,
    )
    axes = page.axes()
    page.rows(axes, labels, stripes=True)
    known = np.append(values[np.isfinite(values)], mean)
    # Never so close that noise would look like a difference.
    room = max(float(np.ptp(known)) * 0.06, 0.01)
    low, high = float(known.min()) - room, float(known.max()) + room
    axes.set_xlim(low, high)
    value_axis(axes, "average (points per hand)")
    axes.axvline(mean, color=MARK, linewidth=1.2, linestyle=(0, (4, 2)), zorder=1)
    top = page.bottom + page.body_height
    at = page.left + page.body_width * (mean - low) / (high - low)
    half = text_width(mean_text, LABEL) / 2
    at = min(max(at, page.left + half), page.left + page.body_width - half)
    page.text(at, top + 0.05, mean_text, ha="center", va="bottom", color=MARK)
    x = page.left + page.body_width + right
    page.text(x, top + 0.05, "points", ha="right", va="bottom", color=SOFT)
    for k, (value, text) in enumerate(zip(values, texts, strict=True)):
        page.text(x, top - page.body_height * (k + 0.5) / len(texts), text, ha="right", va="center_baseline")
        if np.isfinite(value):
            colour = GOOD if value >= mean else BAD
            axes.plot((mean, value), (k, k), color=colour, linewidth=2.2, alpha=0.55, solid_capstyle="butt")
            axes.plot((value,), (k,), marker="o", markersize=5.5, color=colour)
    return page.figure


def _number(value: float) -> str:
    """Write points with three decimals and a proper minus sign."""
    return f"{value:.3f}".replace("-", MINUS)
