"""What the runs of variants say: every measure, its change against the base, and both as text."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from experiments.variants_file import BASE, Runs

if TYPE_CHECKING:
    from harness.effects import Estimate

MEASURES = {
    "turns": ("turns a hand", 2),
    "leading": ("leading, places", 3),
    "exchange": ("exchange, places", 3),
    "spread": ("spread, Elo", 1),
}
"""What is measured: a name for people, and how many decimals they see."""


def measure(folder: Path, runs: Runs) -> tuple[dict[str, Estimate], float]:
    """Compute all measures of a variant from its logs, and how many hands a match of its tournament takes."""
    from harness import effects
    from harness.analysis import analyse
    from harness.store import RunFolder

    opened = {name: RunFolder.read(folder / name) for name in runs}
    gaps = {
        name: effects.gap_of_ends(run.batches(effects.ENDS_FIELDS), run.groups_done)
        for name, run in opened.items()
        if name != "tournament"
    }
    ends = gaps["mirror"], gaps["other-leader"]
    last, president = ends if runs["mirror"].table.later_leader == "last" else ends[::-1]
    played = opened["tournament"]
    analysis = analyse(played, runs["tournament"])
    groups = played.groups_done
    return {
        "turns": effects.turns_per_hand(played.batches(effects.LENGTH_FIELDS), groups),
        "leading": effects.worth_of_leading(last, president),
        "exchange": gaps["mirror"] - gaps["no-exchange"],
        "spread": effects.rating_spread(analysis.rate(), played.batches(effects.SPREAD_FIELDS), groups),
    }, analysis.summary.hand_count / analysis.summary.match_count


def compare(plan: Mapping[str, Runs], out: Path) -> list[dict[str, Any]]:
    """Measure all variants and their changes against the base: one row each, as variants.csv has them."""
    rows: list[dict[str, Any]] = []
    base: dict[str, Estimate] = {}
    for variant, runs in plan.items():
        found, hands = measure(out / variant, runs)
        base = base or found
        request = runs["tournament"]
        row: dict[str, Any] = {
            "variant": variant,
            "rules": request.table.name,
            "matches": request.schedule.total_matches,
            "hands_per_match": hands,
        }
        for name, value in found.items():
            change = value - base[name]
            for key, estimate in ((name, value), (f"{name}_change", change)):
                row[key] = estimate.value
                row[f"{key}_low"], row[f"{key}_high"] = estimate.interval()
        rows.append(row)
    return rows


def text_of(rows: list[dict[str, Any]]) -> str:
    """Lay the rows out for people: each value with half its 95 % interval, and the same of its change."""
    from harness.text import text_table

    heads, lines = ["variant"], [[row["variant"]] for row in rows]
    for name, (label, decimals) in MEASURES.items():
        heads += [label, "change"]
        for line, row in zip(lines, rows, strict=True):
            for key, sign in ((name, ""), (f"{name}_change", "+")):
                half = (row[f"{key}_high"] - row[f"{key}_low"]) / 2
                cell = f"{row[key]:{sign}.{decimals}f} ± {half:.{decimals}f}"
                line.append(cell if row["variant"] != BASE or not sign else "")
    return text_table(heads, lines)
