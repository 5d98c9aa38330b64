"""The picture of what variants change: one panel a measure, a dot and a 95 % interval a variant."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from harness.plots.style import (
    BAD,
    GOOD,
    LABEL,
    MARK,
    MINUS,
    NOTE,
    PERCENT,
    SOFT,
    Page,
    row_height,
    text_width,
    value_axis,
    widest,
)

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from harness.request import Request

PANEL, GAP = 1.75, 0.75
PANELS = {
    "turns": ("Length of a hand", "turns", 1),
    "leading": ("Worth of leading", "places gained", 2),
    "exchange": ("Worth of the exchange", "places of gap", 2),
    "spread": ("Spread of ratings", "Elo", 0),
}
"""Of each measure: title, unit, decimals written."""


def draw(rows: list[dict[str, Any]], played: Request, mirror: Request) -> Figure:
    """Draw all measures side by side, a row each variant, the base on top with a line down from it.

    Parameters
    ----------
    rows : list of dict
        As `experiments.variants.compare` gives them.
    played, mirror : Request
        The base's tournament and its mirror, for the caption.
    """
    labels = [row["variant"] for row in rows]
    note = (
        f"Dot: value; line: its 95{PERCENT} interval (often narrower than the dot). Dashed: the rules as "
        "they are; blue is more and orange less than these, beyond chance; grey could be chance. Beside each "
        "dot: the change."
    )
    caption = (
        f"{played.table.name}, {played.players} players. Length and spread: {', '.join(played.labels)}, "
        f"{played.schedule.total_matches:,} matches each. Leading and exchange: {mirror.bots[0].spec} in "
        f"every seat, {mirror.schedule.total_matches:,} matches of two hands each. Seed {played.seed}."
    )
    room = max(text_width(f"{MINUS}88.88", LABEL), 0.3)
    page = Page(
        f"What house rules change at {played.table.name}",
        note,
        caption,
        width=len(PANELS) * (PANEL + room) + (len(PANELS) - 1) * (GAP - room),
        height=len(rows) * row_height(len(rows)),
        left=widest(labels, LABEL) + 0.1,
        right=room,
        above=0.3,
    )
    for k, (name, (title, unit, decimals)) in enumerate(PANELS.items()):
        axes = page.axes(k * (PANEL + GAP), PANEL)
        if k == 0:
            page.rows(axes, labels, stripes=True)
        axes.set_ylim(len(rows) - 0.5, -0.5)
        ends = [row[f"{name}_{end}"] for row in rows for end in ("low", "high")]
        space = max((max(ends) - min(ends)) * 0.06, 1e-6)
        axes.set_xlim(min(ends) - space, max(ends) + space)
        value_axis(axes, unit, ticks=3)
        axes.axvline(rows[0][name], color=MARK, linewidth=1.0, linestyle=(0, (3, 3)), zorder=1)
        x = page.left + k * (PANEL + GAP)
        page.text(
            x, page.bottom + page.body_height + 0.06, title, va="bottom", fontsize=NOTE, fontweight="bold"
        )
        for y, row in enumerate(rows):
            low, high = row[f"{name}_change_low"], row[f"{name}_change_high"]
            colour = MARK if y == 0 else GOOD if low > 0 else BAD if high < 0 else "#999999"
            axes.plot(
                (row[f"{name}_low"], row[f"{name}_high"]), (y, y), color=colour, linewidth=2.2, alpha=0.6
            )
            axes.plot((row[name],), (y,), marker="o", markersize=5, color=colour, zorder=3)
            page.text(
                x + PANEL + 0.08,
                page.bottom + page.body_height * (1 - (y + 0.5) / len(rows)),
                _change(row[f"{name}_change"], decimals) if y else "change",
                va="center_baseline",
                color=SOFT if y == 0 or low <= 0 <= high else colour,
            )
    return page.figure


def _change(value: float, decimals: int) -> str:
    """Write a change with its sign, none where it rounds to nothing."""
    text = f"{value:+.{decimals}f}"
    return text.lstrip("+-") if float(text) == 0 else text.replace("-", MINUS)
