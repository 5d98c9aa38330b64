"""One style for all pictures: colours, measured text, and a page laid out in inches so nothing is ever cut.

Sizes follow from the text itself (measured before the figure is made) and from the number of bots, which
is both quicker and more certain than matplotlib's layout engines.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg, RendererAgg
from matplotlib.colors import LinearSegmentedColormap
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties
from matplotlib.patches import Rectangle
from matplotlib.text import Text
from matplotlib.ticker import MaxNLocator

from ..files import written_whole

DPI = 120
INK, SOFT, FAINT = "#222222", "#666666", "#dddddd"
# Blue against orange stays apart for every common kind of colour blindness, in lightness as in hue.
GOOD, BAD, MARK = "#1f6fb0", "#d9730d", "#444444"
RAMP = LinearSegmentedColormap.from_list(
    "presi", ["#8f4300", "#d9730d", "#f5c089", "#eeeeea", "#a4cbe8", "#2f7fbf", "#0b3f73"]
)
TITLE, NOTE, LABEL, SMALL = 14.0, 9.5, 9.0, 8.0
# Keeps a number and its unit on one line.
PERCENT = "\u00a0%"
MINUS, ABSENT = "\u2212", "\u2013"
MARGIN = 0.3
ROW = 0.3
_LONGEST = 46


@cache
def _renderer() -> RendererAgg:
    """Something to measure with before there is a figure."""
    return RendererAgg(8, 8, DPI)  # type: ignore[no-untyped-call]


@lru_cache(maxsize=4096)
def text_width(text: str, size: float, weight: str = "normal") -> float:
    """Width of one line of text in inches."""
    font = FontProperties(size=size, weight=weight)
    extent = _renderer().get_text_width_height_descent(text, font, ismath=False)  # type: ignore[no-untyped-call]
    return float(extent[0]) / DPI


def widest(texts: Sequence[str], size: float) -> float:
    """Width in inches of the widest of some lines of text."""
    return max((text_width(text, size) for text in texts), default=0.0)


def wrap(text: str, size: float, width: float, weight: str = "normal") -> list[str]:
    """Break text at plain spaces into lines no wider than so many inches (a longer word stays whole)."""
    # Word by word rather than line by line: words recur, and measuring is what costs.
    lines: list[str] = []
    used, space = 0.0, text_width(" ", size, weight)
    for word in text.split(" "):
        wide = text_width(word, size, weight)
        if lines and used + space + wide <= width:
            lines[-1] += f" {word}"
            used += space + wide
        else:
            lines.append(word)
            used = wide
    return lines


def short(labels: Sequence[str]) -> list[str]:
    """Shorten very long labels in the middle, where they differ least, but keep them apart.

    Examples
    --------
    >>> short(["keep", "exec:" + "x" * 80 + ".js"])[1]
    'exec:xxxxxxxxxxxxxxxxx…xxxxxxxxxxxxxxxxxxxx.js'
    """
    half = _LONGEST // 2
    flat = [" ".join(label.split()) for label in labels]
    cut = [label if len(label) <= _LONGEST else f"{label[: half - 1]}…{label[-half:]}" for label in flat]
    return [label if cut.count(label) == 1 else f"{label} ({k + 1})" for k, label in enumerate(cut)]


def put(axes: Axes | Figure, x: float, y: float, text: str, **style: Any) -> Text:
    """Put text as it is: a $ in a bot's label is no formula."""
    style.setdefault("fontsize", LABEL)
    style.setdefault("color", INK)
    return axes.text(x, y, text, parse_math=False, **style)


class Page:
    """A figure with title, a note on how to read it, room for axes, and a caption.

    Parameters
    ----------
    title, note, caption : str
        Wrapped to the page's width.
    width, height : float
        Of the body (where the axes go), inches.
    left, right, above, below : float
        Room around the body for labels, values, a legend and the axis, inches.
    """

    def __init__(
        self,
        title: str,
        note: str,
        caption: str,
        width: float,
        height: float,
        left: float,
        right: float = 0.0,
        above: float = 0.0,
        below: float = 0.5,
    ) -> None:
        # A word that cannot be wrapped (a table's name with many changes) widens the page.
        self.width = max(left + width + right, 6.2, widest(caption.split(" "), SMALL)) + 2 * MARGIN
        self.body_width = self.width - 2 * MARGIN - left - right
        self.body_height = height
        inner = self.width - 2 * MARGIN
        blocks = [
            (wrap(title, TITLE, inner, "bold"), TITLE, "bold", INK),
            (wrap(note, NOTE, inner), NOTE, "normal", SOFT),
        ]
        foot = wrap(caption, SMALL, inner)
        foot_height = len(foot) * _line(SMALL)
        head_height = sum(len(lines) * _line(size) for lines, size, _, _ in blocks) + 0.15
        self.height = MARGIN + head_height + above + height + below + 0.12 + foot_height + MARGIN * 0.7
        self.left = MARGIN + left
        self.bottom = MARGIN * 0.7 + foot_height + 0.12 + below
        self.figure = Figure(figsize=(self.width, self.height), dpi=DPI, facecolor="white")
        FigureCanvasAgg(self.figure)
        top = self.height - MARGIN * 0.8
        for lines, size, weight, colour in blocks:
            for line in lines:
                self.text(MARGIN, top, line, fontsize=size, fontweight=weight, color=colour, va="top")
                top -= _line(size)
        for k, line in enumerate(reversed(foot)):
            self.text(MARGIN, MARGIN * 0.7 + k * _line(SMALL), line, fontsize=SMALL, color=SOFT, va="bottom")

    def text(self, x: float, y: float, text: str, **style: Any) -> Text:
        """Put text at a point given in inches from the page's lower left corner."""
        return put(self.figure, x / self.width, y / self.height, text, **style)

    def axes(self, x: float = 0.0, width: float | None = None) -> Axes:
        """Make bare axes of the body's height, x and width in inches from the body's left edge."""
        width = self.body_width if width is None else width
        axes = self.figure.add_axes(
            (
                (self.left + x) / self.width,
                self.bottom / self.height,
                width / self.width,
                self.body_height / self.height,
            )
        )
        axes.spines[:].set_visible(False)
        axes.yaxis.set_visible(False)
        axes.set_facecolor("none")
        return axes

    def rows(self, axes: Axes, labels: Sequence[str], stripes: bool = False) -> None:
        """Write one label per row left of the body, row 0 on top, and set the axes' rows accordingly.

        With stripes every second row is shaded over the whole page, to lead the eye from label to value.
        """
        count = len(labels)
        for k in range(1, count if stripes else 0, 2):
            low = self.bottom + self.body_height * (1 - (k + 1) / count)
            self.figure.add_artist(
                Rectangle(
                    ((MARGIN - 0.08) / self.width, low / self.height),
                    (self.width - 2 * MARGIN + 0.16) / self.width,
                    self.body_height / count / self.height,
                    facecolor="#f5f5f3",
                    zorder=-1,
                )
            )
        axes.set_ylim(max(count, 1) - 0.5, -0.5)
        for k, label in enumerate(labels):
            y = self.bottom + self.body_height * (1 - (k + 0.5) / count)
            self.text(self.left - 0.1, y, label, ha="right", va="center_baseline")


def value_axis(axes: Axes, label: str, ticks: int = 6, whole: bool = False) -> None:
    """Dress the horizontal axis of values: few ticks, faint lines, a label with its unit."""
    axes.xaxis.set_major_locator(MaxNLocator(ticks, integer=whole, steps=[1, 2, 2.5, 5, 10]))
    axes.tick_params(axis="x", labelsize=SMALL, colors=SOFT, length=0, pad=4)
    axes.grid(axis="x", color=FAINT, linewidth=0.8)
    axes.set_axisbelow(True)
    axes.set_xlabel(label, fontsize=LABEL, color=INK, labelpad=4)


def row_height(count: int) -> float:
    """Height of one bot's row in inches: airy for few bots, tight but never overlapping for many."""
    return ROW if count <= 20 else 0.23


def contrast(colour: Any) -> str:
    """Ink that can be read on a colour (by its relative luminance)."""
    from matplotlib.colors import to_rgb

    return "white" if float(np.dot(to_rgb(colour), (0.299, 0.587, 0.114))) < 0.5 else INK


def save(figure: Figure, path: Path) -> Path:
    """Write a PNG as a whole: nobody ever sees half a picture, and equal figures give equal bytes."""
    with written_whole(path) as file:
        # Without "Software" the bytes do not name the version of matplotlib that wrote them.
        # Level 3 takes two thirds of the usual time for 4 % more bytes.
        figure.savefig(
            file, format="png", dpi=DPI, metadata={"Software": None}, pil_kwargs={"compress_level": 3}
        )
    return path


def _line(size: float) -> float:
    """Height of a line of text in inches."""
    return size * 1.45 / 72
