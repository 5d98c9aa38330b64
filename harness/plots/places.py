"""Where each bot finishes its hands."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from matplotlib.patches import Rectangle

from harness.plots.numbers import put_numbers
from harness.plots.style import (
    LABEL,
    PERCENT,
    RAMP,
    Page,
    contrast,
    row_height,
    short,
    text_width,
    value_axis,
    widest,
)

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from harness.plots.data import PlotData

_SWATCH, _GAP = 0.2, 0.28


def draw(data: PlotData) -> Figure:
    """Draw one stacked bar per bot: the share of its hands that ended in each place.

    Parameters
    ----------
    data : PlotData

    Returns
    -------
    matplotlib.figure.Figure
    """
    n = data.players
    counts = data.summary.puestos.sum(axis=1)[data.order].astype(float)
    hands = counts.sum(axis=1, keepdims=True)
    share = np.divide(100 * counts, hands, out=np.zeros_like(counts), where=hands > 0)
    labels = short(data.bots)
    names = [data.title_of(place) for place in range(1, n + 1)]
    legend = sum(_SWATCH + 0.06 + text_width(name, LABEL) + _GAP for name in names)
    left = widest(labels, LABEL) + 0.1
    page = Page(
        "Where each bot finishes its hands",
        f"Share of a bot's hands that ended in each place (puesto), in{PERCENT}. A table of equals would "
        f"give every place {100 / n:.3g}{PERCENT}. Strongest bots first.",
        data.caption,
        width=max(6.4, legend - left),
        height=len(labels) * row_height(len(labels)),
        left=left,
        right=0.1,
        above=0.4,
    )
    axes = page.axes()
    page.rows(axes, labels)
    axes.set_xlim(0, 100)
    value_axis(axes, "share of the bot's hands (%)", whole=True)
    colours = [RAMP(1 - place / (n - 1)) for place in range(n)]
    rows, starts = np.arange(len(labels)), np.cumsum(share, axis=1) - share
    for place, colour in enumerate(colours):
        axes.barh(
            rows,
            share[:, place],
            left=starts[:, place],
            height=0.78,
            color=colour,
            edgecolor="white",
            linewidth=0.8,
        )
        # Numbers only where the bar is wide enough for one.
        wide = np.flatnonzero(share[:, place] / 100 * page.body_width > text_width("00", LABEL) + 0.08)
        middles = starts[wide, place] + share[wide, place] / 2
        texts = [f"{value:.0f}" for value in share[wide, place]]
        put_numbers(axes, list(middles), list(wide), texts, LABEL, [contrast(colour[:3])] * len(wide))
    # The legend starts at the margin: there is more room for it than above the bars alone.
    x = max(page.left, 0.0) if legend <= page.body_width else page.left - left
    y = page.bottom + page.body_height + 0.18
    for name, colour in zip(names, colours, strict=True):
        page.figure.add_artist(
            Rectangle(
                (x / page.width, (y - 0.06) / page.height),
                _SWATCH / page.width,
                0.13 / page.height,
                facecolor=colour,
                edgecolor="#999999",
                linewidth=0.5,
            )
        )
        page.text(x + _SWATCH + 0.06, y, name, va="center_baseline")
        x += _SWATCH + 0.06 + text_width(name, LABEL) + _GAP
    return page.figure
