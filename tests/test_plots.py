from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pandas as pd
import pytest
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle
from matplotlib.text import Text
from matplotlib.transforms import Bbox

from harness.plots import NAMES, PlotData, RatingRow, draw, draw_all, rating_rows
from harness.summary import Summary

TITLES = ("presidente", "vicepresidente", "viceculo", "culo")


def make(bots: int, players: int, long: bool = False, matches: int = 400) -> PlotData:
    """Something to draw: the higher a bot's index the stronger, so that sorting shows."""
    rng = np.random.default_rng(bots * 10 + players)
    names = [f"bot{k}" + (":hold=2:alpha=0.25:mode=$careful$_x" if long else "") for k in range(bots)]
    seats = rng.integers(0, bots, (matches, players))
    row = np.repeat(np.arange(matches), 3)

    def places(strength: Any) -> Any:
        return (np.argsort(np.argsort(-strength - rng.gumbel(size=strength.shape)))) + 1

    puestos, standings = places(seats[row] * 0.05), places(seats * 0.1)
    points = np.array([2, 1, *[0] * (players - 2)])[puestos - 1]
    totals = np.zeros((matches, players), int)
    np.add.at(totals, row, points)
    summary = Summary(names, players)
    summary.add(
        SimpleNamespace(
            hands=np.full(matches, 3),
            winner=standings.argmin(axis=1),
            totals=totals,
            standings=standings,
            bots=seats,
            faults=np.zeros(matches, int),
            hand_row=row,
            hand=np.tile(np.arange(1, 4), matches),
            leader=np.zeros(len(row), int),
            turns=np.full(len(row), 40),
            puestos=puestos,
            points=points,
        )
    )
    games, ahead = np.zeros((bots, bots)), np.zeros((bots, bots))
    for i in range(players):
        for j in range(players):
            np.add.at(games, (seats[:, i], seats[:, j]), i != j)
            np.add.at(ahead, (seats[:, i], seats[:, j]), standings[:, i] < standings[:, j])
    elos = {name: 20.0 * (k - (bots - 1) / 2) for k, name in enumerate(names)}
    rows = [RatingRow(name, elos[name], elos[name] - 9, elos[name] + 11) for name in reversed(names)]
    titles = TITLES if players == 4 else ()
    return PlotData("barajamos", players, matches, 100, 3 * matches, rows, games, ahead, summary, titles, 7)


def texts(figure: Figure) -> list[Text]:
    figure.canvas.draw()
    return [text for text in figure.findobj(Text) if isinstance(text, Text) and text.get_text().strip()]


def words(figure: Figure) -> str:
    return " ".join(text.get_text() for text in texts(figure)).replace("\u00a0", " ")


def png_size(path: Path) -> tuple[int, int]:
    data = path.read_bytes()
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    assert data[-8:-4] == b"IEND"
    assert not {b"tEXt", b"tIME", b"iTXt"} & {data[k : k + 4] for k in range(8, 200)}
    return int.from_bytes(data[16:20]), int.from_bytes(data[20:24])


def test_files(tmp_path: Path) -> None:
    data = make(5, 4)
    paths = draw_all(tmp_path / "plots", data)
    assert [path.name for path in paths] == [f"{name}.png" for name in NAMES]
    assert sorted(path.name for path in (tmp_path / "plots").iterdir()) == sorted(p.name for p in paths)
    for path in paths:
        width, height = png_size(path)
        assert 600 < width < 1600
        assert 250 < height < 1200
        assert path.stat().st_size > 10_000


def test_same_data_same_bytes(tmp_path: Path) -> None:
    first = [path.read_bytes() for path in draw_all(tmp_path, make(4, 3))]
    assert [path.read_bytes() for path in draw_all(tmp_path, make(4, 3))] == first


UNITS = {
    "ratings": ["rating (Elo)", "95 % interval", "0 is the average"],
    "pairs": ["row finishes ahead of column (% of matches)"],
    "places": ["share of the bot's hands (%)", "1 presidente", "4 culo"],
    "transitions": ["before ↓  now →", "4 culo", "hand 1", "1/4 = 25 %"],
    "points": ["average (points per hand)", "table's mean 0.750"],
    "seats": ["matches won, of those played from that seat (%)", "1/4 = 25.0 %", "seat 0", "seat 3"],
}


@pytest.mark.parametrize("name", NAMES)
def test_says_what_is_seen(name: str) -> None:
    found = words(draw(name, make(6, 4)))
    for part in [*UNITS[name], *(f"bot{k}" for k in range(6))]:
        assert part in found
    assert "barajamos · 4 players · 400 matches in 100 deal groups · 1,200 hands · seed 7" in found


def test_lines_for_equals_and_mean() -> None:
    def verticals(figure: Figure, number: int) -> list[float]:
        lines = figure.axes[number].get_lines()
        return [float(x[0]) for x in (np.asarray(line.get_xdata()) for line in lines) if x[0] == x[-1]]

    seats = draw("seats", make(3, 4))
    assert len(seats.axes) == 5
    assert all(verticals(seats, k) == [25.0] for k in range(5))
    assert 0.75 in verticals(draw("points", make(3, 4)), 0)


def test_values_are_those_of_the_data() -> None:
    data = make(3, 4)
    # Best first: bot2, bot1, bot0.
    bars = [patch for patch in draw("seats", data).axes[0].patches if isinstance(patch, Rectangle)]
    expected = 100 * data.summary.per_bot()["win_rate"][::-1]
    assert [bar.get_width() for bar in bars] == pytest.approx(expected.tolist())
    mesh = draw("pairs", data).axes[0].collections[0].get_array()
    assert mesh is not None
    assert bool(np.ma.getmaskarray(mesh)[0, 0])
    assert float(mesh[0, 2]) == pytest.approx(100 * data.ahead[2, 0] / data.games[2, 0])
    assert float(mesh[0, 2] + mesh[2, 0]) == pytest.approx(100)
    cells = draw("transitions", data).axes[0].collections[0].get_array()
    assert cells is not None
    shares = np.asarray(cells).reshape(3, 5, 4)
    for panel, bot in enumerate(["bot2", "bot1", "bot0"]):
        np.testing.assert_allclose(shares[panel, :4], 100 * data.summary.transition_matrix(bot))
    np.testing.assert_allclose(shares.sum(axis=2), 100)
    ratings = words(draw("ratings", data))
    assert "+20 " in ratings
    assert "+11 … +31" in ratings


def test_titles_fall_back() -> None:
    found = words(draw("places", replace(make(3, 3), titles=("president", ""))))
    for title in ("1 president", "puesto 2", "puesto 3"):
        assert title in found


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(("bots", "players", "long"), [(2, 3, False), (8, 4, True), (40, 7, True)])
def test_no_text_is_cut_or_overlaps(name: str, bots: int, players: int, long: bool) -> None:
    figure = draw(name, make(bots, players, long))
    page = figure.bbox
    boxes: list[tuple[str, Bbox]] = []
    found, idle = texts(figure), idle_ticks(figure)
    for text in found:
        if not text.get_visible() or id(text) in idle:
            continue
        box = text.get_window_extent()
        assert box.x0 >= page.x0 and box.x1 <= page.x1, text
        assert box.y0 >= page.y0 and box.y1 <= page.y1, text
        boxes.append((text.get_text(), box))
    assert len(boxes) > bots
    for (first, a), (second, b) in combinations(boxes, 2):
        # Boxes hold room for ascenders and descenders that digits and most words do not use.
        width, height = min(a.x1, b.x1) - max(a.x0, b.x0), min(a.y1, b.y1) - max(a.y0, b.y0)
        assert width <= 1 or height <= 4, f"{first!r} on {second!r}"


def idle_ticks(figure: Figure) -> set[int]:
    """Tick labels that exist but are not drawn: outside the axes' limits, or of an axis not shown."""
    idle: set[int] = set()
    for axes in figure.axes:
        low, high = axes.get_xlim()
        for axis in (axes.xaxis, axes.yaxis):
            for tick in [*axis.majorTicks, *axis.minorTicks]:
                if axis is axes.yaxis or not low - 1e-9 <= tick.get_loc() <= high + 1e-9:
                    idle |= {id(tick.label1), id(tick.label2)}
    return idle


@pytest.mark.filterwarnings("error")
def test_odd_ratings_and_empty_data_do_not_crash(tmp_path: Path) -> None:
    data = make(4, 4)
    nan, inf = float("nan"), float("inf")
    rows = [
        RatingRow("bot3", 500.0, 140.0, inf, "always ahead"),
        RatingRow("bot1", 10.0, nan, nan),
        RatingRow("bot0", -510.0, -inf, inf),
        RatingRow("bot2", nan, nan, nan),
    ]
    games = data.games.copy()
    games[0, 1] = games[1, 0] = 0
    odd = replace(data, ratings=rows, games=games, seed=None)
    draw_all(tmp_path, odd)
    found = words(draw("ratings", odd))
    for part in ("always ahead", "no interval", "+140 … +∞"):
        assert part in found
    assert "seed" not in found
    assert "never met" in words(draw("pairs", odd))
    draw_all(tmp_path, make(1, 3))
    nobody = np.zeros((2, 2))
    empty = PlotData("t", 5, 0, 0, 0, [], nobody, nobody, Summary(["a", "b"], 5))
    draw_all(tmp_path, empty)
    draw_all(tmp_path, replace(empty, ratings=[RatingRow("b", nan, nan, nan)]))
    assert replace(empty, ratings=[RatingRow("b", nan, nan, nan)]).bots == ["b", "a"]


def test_very_long_names_stay_apart() -> None:
    from harness.plots.style import short

    labels = ["exec:" + "x" * 60 + f"{k}" + "y" * 60 for k in range(3)]
    assert len(set(short(labels))) == 3
    assert max(map(len, short(labels))) <= 50


def test_rating_rows_from_a_table() -> None:
    frame = pd.DataFrame({"bot": ["a", "b"], "elo": [1, -1], "elo_low": [0, -2.0], "elo_high": [2, np.nan]})
    rows = rating_rows(frame)
    assert rows[0] == RatingRow("a", 1.0, 0.0, 2.0)
    frame["flag"] = pd.Series(["never ahead", np.nan], dtype=object)
    assert [row.flag for row in rating_rows(frame)] == ["never ahead", ""]


def test_loads_matplotlib_only_to_draw_and_never_pyplot(tmp_path: Path) -> None:
    code = """if True:
        import sys, numpy as np
        from harness.plots import PlotData, draw_all
        from harness.summary import Summary
        assert "matplotlib" not in sys.modules and "pandas" not in sys.modules
        none = np.zeros((1, 1))
        draw_all(sys.argv[1], PlotData("t", 3, 0, 0, 0, [], none, none, Summary(["a"], 3)))
        assert "matplotlib.pyplot" not in sys.modules
    """
    subprocess.run([sys.executable, "-c", code, str(tmp_path)], check=True, cwd=Path(__file__).parents[1])
