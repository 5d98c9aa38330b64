"""Many small numbers at once: one collection of glyph outlines instead of a text object per cell.

A heat map of 40 bots has 1,560 numbers; as text objects they would take over a second.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import PathCollection
from matplotlib.font_manager import FontProperties
from matplotlib.path import Path
from matplotlib.textpath import TextPath
from matplotlib.transforms import Affine2D

_UNIT = 100.0


def put_numbers(
    axes: Axes,
    x: Sequence[float],
    y: Sequence[float],
    texts: Sequence[str],
    size: float,
    colours: Sequence[Any],
    align: float = 0.5,
) -> None:
    """Write short texts at points of the axes, each centred vertically.

    Parameters
    ----------
    axes : Axes
    x, y : sequence of float
        Points in the axes' data units.
    texts : sequence of str
        Digits and the like, as long as `x`; no kerning is applied.
    size : float
        In points.
    colours : sequence of colours
        One per text.
    align : float
        Which part of the text lies on x: 0 its left end, 0.5 its middle, 1 its right end.
    """
    if not texts:
        return
    scale = size / _UNIT * axes.figure.dpi / 72
    collection = PathCollection(
        [_outline(text, align) for text in texts],
        offsets=np.column_stack([x, y]),
        offset_transform=axes.transData,
        facecolors=list(colours),
        linewidths=0,
        clip_on=False,
        zorder=4,
    )
    collection.set_transform(Affine2D().scale(scale))
    axes.add_collection(collection, autolim=False)


@lru_cache(maxsize=4096)
def _outline(text: str, align: float) -> Path:
    """Outline of a whole text at the size of 100 points, shifted so that its anchor is the origin."""
    ends = np.cumsum([_glyph(character)[1] for character in text])
    vertices, codes = [], []
    for character, end in zip(text, ends, strict=True):
        path, advance = _glyph(character)
        vertices.append(path.vertices + np.array([end - advance - align * ends[-1], -_height() / 2]))
        codes.append(path.codes)
    return Path(np.concatenate(vertices), np.concatenate(codes))


@cache
def _glyph(character: str) -> tuple[Any, float]:
    """Outline of one character and how far it moves the next one."""
    font = FontProperties()
    path = TextPath((0, 0), character, size=_UNIT, prop=font)
    twice = TextPath((0, 0), character * 2, size=_UNIT, prop=font)
    return path, float(twice.vertices[:, 0].max() - path.vertices[:, 0].max())


@cache
def _height() -> float:
    """Height of a digit."""
    return float(_glyph("1")[0].vertices[:, 1].max())
