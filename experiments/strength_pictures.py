"""Pictures of the searching bots: strength against worlds tried, and place scores up to the oracle."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, Any

from matplotlib.ticker import MaxNLocator

from harness.plots.style import (
    FAINT,
    GOOD,
    INK,
    LABEL,
    MARK,
    PERCENT,
    SMALL,
    SOFT,
    Page,
    row_height,
    text_width,
    value_axis,
    widest,
)

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def draw_worlds(rows: list[dict[str, Any]]) -> Figure:
    """Draw the lead against the number of worlds tried for a decision.

    Parameters
    ----------
    rows : list of dict
        As `experiments.strength_results.leads` gives them, by ascending worlds, all against the same bot.
    """
    first = rows[0]
    bot = first["bot"].split(":")[0].split("@")[0]
    page = Page(
        f"What more worlds bring {bot}",
        f"Dot: its lead on {first['other']}; line: the 95{PERCENT} interval. All numbers of worlds play the "
        "same deals.",
        f"{first['table']}, {first['groups']:,} groups each, rotations.",
        width=5.8,
        height=2.8,
        left=0.75,
        right=0.2,
        below=0.55,
    )
    axes = page.axes()
    places = range(len(rows))
    value_axis(axes, "worlds tried for a decision")
    axes.set_xticks(list(places), [f"{row['worlds']:,}" for row in rows])
    axes.yaxis.set_visible(True)
    axes.yaxis.set_major_locator(MaxNLocator(6, steps=[1, 2, 2.5, 5, 10]))
    axes.tick_params(axis="y", labelsize=SMALL, colors=SOFT, length=0, pad=4)
    axes.grid(axis="x", visible=False)
    axes.grid(axis="y", color=FAINT, linewidth=0.8)
    axes.set_ylabel(f"lead on {first['other']} (Elo)", fontsize=LABEL, color=INK)
    axes.axhline(0.0, color=MARK, linewidth=1.0, linestyle=(0, (3, 3)), zorder=1)
    axes.plot(places, [row["lead"] for row in rows], color=GOOD, linewidth=1.2, alpha=0.5)
    for at, row in zip(places, rows, strict=True):
        axes.plot((at, at), (row["low"], row["high"]), color=GOOD, linewidth=2.2, alpha=0.6)
        axes.plot((at,), (row["lead"],), marker="o", markersize=5.5, color=GOOD, zorder=3)
    axes.set_xlim(-0.4, len(rows) - 0.6)
    return page.figure


def draw_scores(rows: list[dict[str, Any]]) -> Figure:
    """Draw the place scores of each table's field, side by side.

    Parameters
    ----------
    rows : list of dict
        As `experiments.strength` writes them to scores.csv: the same bots in the same order for each table.
    """
    tables = [(table, list(part)) for table, part in groupby(rows, key=lambda row: str(row["table"]))]
    labels = [row["bot"] for row in tables[0][1]]
    room, panel, gap = text_width("0.888", LABEL) + 0.15, 2.2, 0.35
    page = Page(
        "How near the ceiling",
        f"Dot: place score in hands, 1 always first and 0 always last; line: its 95{PERCENT} interval. The "
        "oracle is champion's own search on the true hands: no player, but the most that guessing hands "
        "could give it.",
        "All bots of a table in one field, four seats, every mixture, rotations; "
        + "; ".join(f"{table}: {part[0]['groups']:,} groups" for table, part in tables)
        + ".",
        width=len(tables) * (panel + room) + (len(tables) - 1) * gap,
        height=len(labels) * row_height(len(labels)),
        left=widest(labels, LABEL) + 0.1,
        above=0.3,
    )
    low = min(row["hand"] - row["hand_half"] for row in rows)
    high = max(row["hand"] + row["hand_half"] for row in rows)
    space = max((high - low) * 0.06, 0.01)
    for k, (table, part) in enumerate(tables):
        x = k * (panel + room + gap)
        axes = page.axes(x, panel)
        if k == 0:
            page.rows(axes, labels, stripes=True)
        axes.set_ylim(len(labels) - 0.5, -0.5)
        axes.set_xlim(low - space, high + space)
        value_axis(axes, "place score", ticks=4)
        top = page.bottom + page.body_height
        page.text(page.left + x, top + 0.06, table, va="bottom", fontweight="bold")
        for y, row in enumerate(part):
            colour = MARK if row["bot"] == "oracle" else GOOD
            ends = (row["hand"] - row["hand_half"], row["hand"] + row["hand_half"])
            axes.plot(ends, (y, y), color=colour, linewidth=2.2, alpha=0.6)
            axes.plot((row["hand"],), (y,), marker="o", markersize=5.5, color=colour, zorder=3)
            page.text(
                page.left + x + panel + room,
                top - page.body_height * (y + 0.5) / len(labels),
                f"{row['hand']:.3f}",
                ha="right",
                va="center_baseline",
            )
    return page.figure
