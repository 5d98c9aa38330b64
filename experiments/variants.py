"""What each house rule changes: plays every variant of a table with the same bots and codes, and compares.

    python -m experiments.variants experiments/house-rules.toml --out results/house-rules

Of the table as it is (``base``) and of each variant in the file (see `experiments.variants_file`) four runs
are played into OUT/NAME, ordinary run folders all of them; what is there already is not played again. The
codes are those of the base throughout, so changes are compared group by group.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import NoReturn

import click

from experiments.variants_file import BASE, Runs, read_variants
from harness.errors import PresiError, WorkError
from harness.request import Request


def each_run(plan: Mapping[str, Runs], out: Path) -> Iterator[tuple[Path, Request]]:
    """Name the folder of every run."""
    for variant, runs in plan.items():
        for name, request in runs.items():
            yield out / variant / name, request


def check_folder(path: Path, request: Request) -> int:
    """See that a run that is there is this one, and give how many of its matches are done.

    Raises
    ------
    PresiError
        If it is another run, or was begun with other bots or another engine.
    """
    from harness.store import RunFolder
    from harness.tournament import check_bots_unchanged, engine_changed

    if not (path / "run.json").exists():
        return 0
    folder, then = RunFolder.read(path), "--force plays everything anew"
    if folder.info["request"] != json.loads(json.dumps(request.to_json())):
        raise PresiError(f"{path} holds another run than the file asks for: {then}")
    check_bots_unchanged(folder, request, then)
    # Even if it is finished: else the rules' own changes would pass for a variant's.
    if engine_changed(folder):
        raise PresiError(f"the rules engine has changed since {path} was begun: {then}")
    return folder.matches_done


def play(path: Path, request: Request, jobs: int, force: bool, on_progress: Callable[[int], None]) -> None:
    """Play a run, or what it lacks, and rate it."""
    from harness.analysis import write_tables
    from harness.store import RunFolder
    from harness.tournament import begin_run, play_run

    new = force or not (path / "run.json").exists()
    with RunFolder.create(path, force=force) if new else RunFolder.open(path) as folder:
        if new:
            begin_run(folder, request)
        elif folder.info["state"] == "done":
            return
        write_tables(path, play_run(folder, request, jobs, "loky", on_progress))
        folder.update(state="done")


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
    try:
        variants(standalone_mode=False)
        code = 0
    except click.ClickException as error:
        error.show()
        code = 2
    except (PresiError, WorkError, OSError) as error:
        click.echo(f"variants: {error}", err=True)
        code = 2 if isinstance(error, PresiError) else 1
    except (KeyboardInterrupt, click.Abort):
        code = 130
    sys.exit(code)


if __name__ == "__main__":
    main()
