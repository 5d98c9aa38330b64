"""The six pictures of a run: ratings, pairs, places, transitions, points per hand, wins by seat.

Nothing of matplotlib is loaded before a picture is asked for, and no global state of it is touched.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from harness.plots.data import PlotData, RatingRow, rating_rows

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["NAMES", "PlotData", "RatingRow", "draw", "draw_all", "rating_rows"]

NAMES = ("ratings", "pairs", "places", "transitions", "points", "seats")


def draw(name: str, data: PlotData) -> Figure:
    """Draw one picture without saving it.

    Parameters
    ----------
    name : str
        One of `NAMES`.
    data : PlotData
        What to draw.

    Returns
    -------
    matplotlib.figure.Figure
        Its canvas is an Agg canvas.

    Raises
    ------
    KeyError
        For a name not in `NAMES`.
    """
    from harness.plots import pairs, places, points, ratings, seats, transitions

    drawers: dict[str, Callable[[PlotData], Figure]] = {
        "ratings": ratings.draw,
        "pairs": pairs.draw,
        "places": places.draw,
        "transitions": transitions.draw,
        "points": points.draw,
        "seats": seats.draw,
    }
    return drawers[name](data)


def draw_all(folder: str | os.PathLike[str], data: PlotData) -> list[Path]:
    """Draw all pictures into a folder, ``ratings.png`` and so on, each replaced as a whole.

    The same data give the same bytes.

    Parameters
    ----------
    folder : path
        Made when it does not exist.
    data : PlotData
        What to draw.

    Returns
    -------
    list of Path
        The files written, in the order of `NAMES`.
    """
    from harness.plots.style import save

    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    return [save(draw(name, data), folder / f"{name}.png") for name in NAMES]
