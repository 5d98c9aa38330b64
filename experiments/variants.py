"""What each house rule changes: plays every variant of a table with the same bots and codes, and compares.

    python -m experiments.variants experiments/house-rules.toml --out results/house-rules

Of the table as it is (``base``) and of each variant in the file (see `experiments.variants_file`) four runs
are played into OUT/NAME, ordinary run folders all of them; what is there already is not played again. The
codes are those of the base throughout, so changes are compared group by group.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NoReturn

import click

from experiments.runs import check_folder, end_as_presi, play
from experiments.variants_file import BASE, Runs, read_variants
from harness.request import Request


def each_run(plan: Mapping[str, Runs], out: Path) -> Iterator[tuple[Path, Request]]:
    """Name the folder of every run."""
    for variant, runs in plan.items():
        for name, request in runs.items():
            yield out / variant / name, request


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("experiment", metavar="EXPERIMENT.toml")
@click.option("--out", required=True, metavar="DIR", help="Folder of all runs and of what is found.")
@click.option("--matches", metavar="N", help="Play so many in every run, for a quick look.")
@click.option("--force", is_flag=True, help="Play everything anew.")
@click.option("--jobs", metavar="N", help="Worker processes (default: all cores).")
def variants(experiment: str, out: str, matches: str | None, force: bool, jobs: str | None) -> None:
    """Measure what each variant of a table changes; called again, it goes on where it was.

    Example: python -m experiments.variants experiments/house-rules.toml --out results/house-rules
    """
    from experiments.variants_picture import draw
    from experiments.variants_results import compare, text_of
    from harness.analysis import write_csv
    from harness.cli.options import read_jobs
    from harness.cli.tournament import check_bots
    from harness.plots.style import save
    from harness.text import Progress

    workers, folder = read_jobs(jobs), Path(out)
    plan = read_variants(experiment, matches)
    check_bots(plan[BASE]["tournament"])
    check_bots(plan[BASE]["mirror"])
    total = sum(request.schedule.total_matches for _, request in each_run(plan, folder))
    done = 0 if force else sum(check_folder(*run) for run in each_run(plan, folder))
    progress = Progress(total, done)
    try:
        for path, request in each_run(plan, folder):
            play(path, request, workers, force, progress.add)
    except KeyboardInterrupt:
        again = " without --force" if force else ""
        click.echo(f"variants: interrupted; the same command{again} goes on", err=True)
        raise
    finally:
        progress.close()
    rows = compare(plan, folder)

    import pandas as pd

    write_csv(folder / "variants.csv", pd.DataFrame(rows))
    save(draw(rows, plan[BASE]["tournament"], plan[BASE]["mirror"]), folder / "variants.png")
    click.echo(text_of(rows))
    click.echo(f"\nwrote {folder}: variants.csv, variants.png, and the runs of each variant")


def main() -> NoReturn:
    """Run the command with the exit codes of presi."""
    end_as_presi(variants, "variants")


if __name__ == "__main__":
    main()
