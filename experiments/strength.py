"""Says what the runs of strength.toml show: who leads whom, how near the ceiling, what worlds bring.

python -m experiments.strength results/strength
"""

from __future__ import annotations

from math import isfinite
from pathlib import Path
from typing import Any, NoReturn

import click

from experiments.runs import end_as_presi


def text_of_leads(rows: list[dict[str, Any]]) -> str:
    """Set out who leads whom by how much."""
    from harness.text import text_table

    return text_table(
        ["table", "bot", "over", "lead", "95 % interval", "groups", "decided"],
        [
            [
                row["table"],
                row["bot"],
                row["other"],
                f"{row['lead']:+.1f}",
                f"{row['low']:+.1f} .. {row['high']:+.1f}",
                f"{row['groups']:,}",
                "yes" if row["low"] > 0 or row["high"] < 0 else "no",
            ]
            for row in rows
        ],
    )


def text_of_scores(rows: list[dict[str, Any]]) -> str:
    """Set out a field's place scores."""
    from harness.text import text_table

    return text_table(
        ["table", "bot", "match score", "hand score", "groups"],
        [
            [
                row["table"],
                row["bot"],
                f"{row['match']:.3f} ± {row['match_half']:.3f}",
                f"{row['hand']:.3f} ± {row['hand_half']:.3f}",
                f"{row['groups']:,}",
            ]
            for row in rows
        ],
    )


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("folder", metavar="DIR")
def strength(folder: str) -> None:
    """Set the runs of a series out: leads, place scores, the share of the way to the oracle, pictures.

    Example: python -m experiments.strength results/strength
    """
    import pandas as pd

    from experiments import strength_pictures as pictures
    from experiments.strength_results import Z, leads, place_scores, read_runs, share_closed
    from harness.analysis import write_csv
    from harness.plots.style import save

    path = Path(folder)
    runs = read_runs(path)
    written = []
    rows = leads(runs)
    if rows:
        click.echo(text_of_leads(rows))
        write_csv(path / "leads.csv", pd.DataFrame(rows))
        written.append("leads.csv")
    curve = sorted((row for row in rows if row["worlds"] is not None), key=lambda row: int(row["worlds"]))
    if len(curve) > 1:
        save(pictures.draw_worlds(curve), path / "worlds.png")
        written.append("worlds.png")
    fields = [place_scores(run) for run in runs if len(run.request.bots) > 2]
    rows = [
        {
            "table": field.run.request.table.name,
            "bot": bot,
            "match": field.match[k],
            "match_half": Z * field.match_cov[k, k] ** 0.5,
            "hand": field.hand[k],
            "hand_half": Z * field.hand_cov[k, k] ** 0.5,
            "groups": field.groups,
        }
        for field in fields
        for k, bot in enumerate(field.run.request.labels)
    ]
    if rows:
        click.echo("\n" + text_of_scores(rows))
        write_csv(path / "scores.csv", pd.DataFrame(rows))
        save(pictures.draw_scores(rows), path / "scores.png")
        written += ["scores.csv", "scores.png"]
    for field in fields:
        labels = field.run.request.labels
        if {"chain", "champion", "oracle"} <= set(labels):
            at = [labels.index(bot) for bot in ("chain", "champion", "oracle")]
            for title, means, cov in (
                ("match", field.match, field.match_cov),
                ("hand", field.hand, field.hand_cov),
            ):
                share, low, high = share_closed(means, cov, *at)
                click.echo(
                    f"{field.run.request.table.name}, by {title} score: "
                    + (
                        f"champion goes {share:.0%} of the way from chain to oracle "
                        f"(95 % interval {low:.0%} .. {high:.0%})"
                        if isfinite(low)
                        else "oracle is not clearly above chain, so there is no way to measure champion on"
                    )
                )
    click.echo(f"\nwrote {path}: {', '.join(written)}")


def main() -> NoReturn:
    """Run the command with the exit codes of presi."""
    end_as_presi(strength, "strength")


if __name__ == "__main__":
    main()
