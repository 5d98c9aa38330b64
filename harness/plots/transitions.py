"""Where each bot goes from each place it had in the hand before."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from matplotlib.collections import PolyCollection

from harness.plots.numbers import put_numbers
from harness.plots.style import (
    ABSENT,
    INK,
    LABEL,
    MINUS,
    PERCENT,
    RAMP,
    SMALL,
    SOFT,
    Page,
    contrast,
    short,
    text_width,
    widest,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from numpy.typing import NDArray

    from harness.plots.data import PlotData

    Floats = NDArray[np.float64]

# Inches: a cell, the strip before hand 1, the head of a panel (the bot's name and the numbers of the
# columns), the least room for points, what is free between panels, and the page's width.
_WIDE, _HIGH, _STRIP, _HEAD, _POINTS = 0.42, 0.27, 0.07, 0.46, 0.57
_GAP_X, _GAP_Y, _WIDE_PAGE = 0.35, 0.22, 12.0
_CORNER, _NO_ROLE = "before ↓  now →", "hand 1"


def draw(data: PlotData) -> Figure:
    """Draw one heat map per bot: place before by place now, in per cent, and the points of each row.

    Parameters
    ----------
    data : PlotData

    Returns
    -------
    matplotlib.figure.Figure
    """
    n, labels = data.players, short(data.bots)
    share, points = _rows(data)
    names = [*(data.title_of(place) for place in range(1, n + 1)), _NO_ROLE]
    left = max(widest(names, LABEL), text_width(_CORNER, SMALL)) + 0.1
    numbers = [ABSENT if np.isnan(value) else f"{value:.2f}".replace("-", MINUS) for value in points.ravel()]
    panel = n * _WIDE + max(widest(numbers, LABEL) + 0.12, _POINTS)
    titles = max(text_width(label, LABEL, "bold") for label in labels)
    pitch = max(panel, titles) + _GAP_X
    height = _HEAD + (n + 1) * _HIGH + _STRIP
    # Very many bots are rather set out in a square than in an endless strip.
    square = int((len(labels) * (height + _GAP_Y) / pitch) ** 0.5)
    across, down = _grid(len(labels), max(int((_WIDE_PAGE - left + _GAP_X) / pitch), square, 1))
    page = Page(
        "Where each bot goes from each place",
        "Row: the bot's place in the hand before, its role in this one; column: its place in this one, "
        f"in{PERCENT} of the row's hands: blue more than 1/{n}\u00a0=\u00a0{100 / n:.3g}{PERCENT}, orange "
        "less. Beside each row the points per hand. In hand 1 of a match nobody has a role. Strongest bots "
        "first.",
        data.caption,
        width=across * pitch - _GAP_X,
        height=down * (height + _GAP_Y) - _GAP_Y,
        left=left,
        below=0.1,
    )
    axes = page.axes()
    axes.xaxis.set_visible(False)
    axes.set_xlim(0, page.body_width)
    axes.set_ylim(page.body_height, 0)
    corners = np.array(
        [(k % across * pitch, k // across * (height + _GAP_Y)) for k in range(len(labels))], np.float64
    )
    _cells(axes, corners, share)
    _points(axes, corners + np.array([panel, 0.0]), numbers)
    for (x, y), label in zip(corners, labels, strict=True):
        _head(page, x, y, panel, label, n)
    for line in range(down):
        _side(page, line * (height + _GAP_Y), names)
    return page.figure


def _rows(data: PlotData) -> tuple[Floats, Floats]:
    """Give shares in per cent, shape (bots, n + 1, n), and points, (bots, n + 1); hand 1 comes last."""
    counts = np.roll(data.summary.transitions[data.order], -1, axis=1)
    points = np.roll(data.summary.by_role()["points_per_hand"][data.order], -1, axis=1)
    hands = counts.sum(axis=2, keepdims=True)
    share = np.full(counts.shape, np.nan)
    np.divide(100 * counts, hands, out=share, where=hands > 0)
    return share, points


def _grid(count: int, most: int) -> tuple[int, int]:
    """Set panels out in lines of at most so many, all about as long; gives columns and lines.

    Examples
    --------
    >>> _grid(5, 4), _grid(3, 4), _grid(3, 1)
    ((3, 2), (3, 1), (1, 3))
    """
    down = -(-count // most)
    return -(-count // down), down


def _tops(n: int) -> Floats:
    """Upper ends of a panel's rows below its corner: n places and, a strip lower, hand 1."""
    tops = _HEAD + _HIGH * np.arange(n + 1, dtype=np.float64)
    tops[n] += _STRIP
    return tops


def _cells(axes: Axes, corners: Floats, share: Floats) -> None:
    """Draw the cells of all panels as one collection, and write the share into each."""
    n = share.shape[2]
    across, down = np.meshgrid(np.arange(n) * _WIDE, _tops(n))
    at = corners[:, None, None, :] + np.stack([across, down], axis=-1)
    box = np.array([(0, 0), (_WIDE, 0), (_WIDE, _HIGH), (0, _HIGH)])
    values, spread = share.ravel(), _spread(share)
    cells = PolyCollection(
        (at[..., None, :] + box).reshape(-1, 4, 2),
        array=np.ma.masked_invalid(values),
        cmap=RAMP,
        edgecolors="white",
        linewidths=1.0,
    )
    cells.set_clim(100 / n - spread, 100 / n + spread)
    axes.add_collection(cells, autolim=False)
    x, y = (at + np.array([_WIDE / 2, _HIGH / 2])).reshape(-1, 2).T
    shades = RAMP((values - 100 / n + spread) / (2 * spread))
    inks = [
        SOFT if np.isnan(value) else contrast(shade[:3]) for value, shade in zip(values, shades, strict=True)
    ]
    texts = [ABSENT if np.isnan(value) else f"{value:.0f}" for value in values]
    put_numbers(axes, list(x), list(y), texts, LABEL, inks)


def _points(axes: Axes, ends: Floats, numbers: list[str]) -> None:
    """Write the points of each row so that they end at the right of the panels."""
    rows = len(numbers) // len(ends)
    x = np.repeat(ends[:, 0], rows)
    y = (ends[:, 1:] + _tops(rows - 1) + _HIGH / 2).ravel()
    put_numbers(axes, list(x), list(y), numbers, LABEL, [INK] * len(numbers), align=1.0)


def _head(page: Page, x: float, y: float, panel: float, label: str, n: int) -> None:
    """Write the bot's name above its panel, and what the columns are."""
    x, top = page.left + x, page.bottom + page.body_height - y
    page.text(x, top, label, va="top", fontweight="bold")
    low = top - _HEAD + 0.05
    for place in range(n):
        page.text(x + (place + 0.5) * _WIDE, low, str(place + 1), ha="center", va="bottom", color=SOFT)
    _small(page, x + panel, low, "points")


def _side(page: Page, y: float, names: list[str]) -> None:
    """Write what the rows are, left of a line of panels."""
    x, top = page.left - 0.1, page.bottom + page.body_height - y
    _small(page, x, top - _HEAD + 0.05, _CORNER)
    for name, down in zip(names, _tops(len(names) - 1), strict=True):
        page.text(x, top - down - _HIGH / 2, name, ha="right", va="center_baseline")


def _small(page: Page, x: float, y: float, text: str) -> None:
    """Write a small remark that ends at a point."""
    page.text(x, y, text, ha="right", va="bottom", color=SOFT, fontsize=SMALL)


def _spread(share: Floats) -> float:
    """How far the colours reach from the share of equals to either side: enough for all, at least 5."""
    known = share[np.isfinite(share)]
    return max(float(np.abs(known - 100 / share.shape[2]).max(initial=0.0)), 5.0)
