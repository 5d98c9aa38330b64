"""How often each bot finishes ahead of each other one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from harness.plots.numbers import put_numbers
from harness.plots.style import ABSENT, INK, LABEL, PERCENT, RAMP, SMALL, SOFT, Page, contrast, short, widest

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from numpy.typing import NDArray

    from harness.plots.data import PlotData

# More bots than this leave no room for a number in each cell.
_ANNOTATED = 45


def draw(data: PlotData) -> Figure:
    """Draw a heat map: row ahead of column in per cent, white at 50, blank where two never met.

    Parameters
    ----------
    data : PlotData

    Returns
    -------
    matplotlib.figure.Figure
    """
    order, count = data.order, len(data.order)
    games = np.asarray(data.games, float)[np.ix_(order, order)]
    share = np.full(games.shape, np.nan)
    np.divide(100 * np.asarray(data.ahead, float)[np.ix_(order, order)], games, out=share, where=games > 0)
    np.fill_diagonal(share, np.nan)
    labels = short(data.bots)
    cell = 0.85 if count <= 4 else 0.5 if count <= 12 else 0.36 if count <= 24 else 0.3
    level = all(width <= cell * 0.9 for width in (widest([label], SMALL) for label in labels))
    above = 0.2 if level else widest(labels, LABEL) + 0.12
    left = widest(labels, LABEL) + 0.1
    note = (
        f"Share of the matches both played in which the row's bot finished ahead of the column's, in"
        f"{PERCENT}: blue more than half, orange less. Strongest bots first."
    )
    if count > 1 and bool((games + np.eye(count) == 0).any()):
        note += f" {ABSENT}: never met."
    page = Page(
        "Who finishes ahead of whom",
        note,
        data.caption,
        width=count * cell,
        height=count * cell,
        left=left,
        above=above,
        below=0.62,
    )
    # The body may be wider than the cells (there is a least width of pages): cells keep their size.
    axes = page.axes(width=count * cell)
    page.rows(axes, labels)
    spread = _spread(share)
    axes.set_xlim(-0.5, count - 0.5)
    axes.xaxis.set_visible(False)
    edges = np.arange(count + 1) - 0.5
    mesh = axes.pcolormesh(
        edges,
        edges,
        np.ma.masked_invalid(share),
        cmap=RAMP,
        vmin=50 - spread,
        vmax=50 + spread,
        edgecolors="white",
        linewidth=1.0,
    )
    top = page.bottom + page.body_height
    for k, label in enumerate(labels):
        x = page.left + (k + 0.5) * cell
        if level:
            page.text(x, top + 0.06, label, ha="center", va="bottom", fontsize=SMALL)
        else:
            page.text(x, top + 0.08, label, ha="center", va="bottom", rotation=90)
    if count <= _ANNOTATED:
        _annotate(axes, share, spread)
    width = min(3.2, page.body_width)
    bar = page.figure.add_axes(
        (page.left / page.width, (page.bottom - 0.22) / page.height, width / page.width, 0.1 / page.height)
    )
    scale = page.figure.colorbar(mesh, cax=bar, orientation="horizontal")
    scale.outline.set_visible(False)
    bar.set_xticks([50 - spread, 50, 50 + spread])
    bar.tick_params(labelsize=SMALL, length=0, pad=3, colors=INK)
    bar.set_xlabel("row finishes ahead of column (% of matches)", fontsize=SMALL, color=INK, labelpad=2)
    return page.figure


def _spread(share: NDArray[np.float64]) -> float:
    """How far the colours reach from 50 to either side: wide enough for all, in steps of five."""
    known = share[np.isfinite(share)]
    if not len(known):
        return 50.0
    return float(np.clip(np.ceil(np.abs(known - 50).max() / 5) * 5, 5, 50))


def _annotate(axes: Axes, share: NDArray[np.float64], spread: float) -> None:
    """Write the share into each cell."""
    count = len(share)
    size = LABEL if count <= 12 else SMALL if count <= 24 else 7.0
    rows, columns = np.nonzero(~np.eye(count, dtype=bool))
    values = share[rows, columns]
    shades = RAMP((values - 50 + spread) / (2 * spread))
    texts = [ABSENT if np.isnan(value) else f"{value:.{1 if count <= 12 else 0}f}" for value in values]
    inks = [
        SOFT if np.isnan(value) else contrast(shade[:3]) for value, shade in zip(values, shades, strict=True)
    ]
    put_numbers(axes, list(columns), list(rows), texts, size, inks)
