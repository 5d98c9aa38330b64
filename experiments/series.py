"""Plays a series of tournaments, each a run folder of its own, and sets their ratings side by side.

    python -m experiments.series experiments/field.toml --out results/field

The file has a ``[tournament]`` as an experiment file has, and ``[runs.NAME]`` with the fields in which NAME
differs. Interrupted, the same command goes on; what is there already is not played again.
"""

from __future__ import annotations

import dataclasses
import re
import tomllib
from pathlib import Path
from typing import Any, NoReturn

import click

from experiments.runs import check_folder, end_as_presi, play
from harness.errors import PresiError, near
from harness.request import Request, make_request


def read_series(path: str, matches: str | None = None) -> dict[str, Request]:
    """Read a file of runs.

    Parameters
    ----------
    path : str
    matches : str, optional
        Plays so many in every run, whatever the file says.

    Raises
    ------
    PresiError
        If the file cannot be read, or asks for something unknown or impossible.
    """
    try:
        data = tomllib.loads(Path(path).read_text(encoding="utf-8"))
    except OSError as error:
        raise PresiError(f"experiment {path}: {error.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise PresiError(f"experiment {path}: {error}") from None
    for name in data:
        if name not in ("tournament", "runs"):
            raise PresiError(
                f"experiment {path}: unknown section {name!r}; {near(name, ['tournament', 'runs'])}"
            )
    runs = data.get("runs", {})
    if not isinstance(runs, dict) or not runs:
        raise PresiError(f"experiment {path}: has no runs; write [runs.NAME] and what is its own")
    known = [*(field.name for field in dataclasses.fields(Request)), "hands", "points", "set"]
    requests = {}
    for name, own in runs.items():
        if not re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", name):
            raise PresiError(f"run {name!r}: a name has small letters and digits joined by -")
        if not isinstance(own, dict):
            raise PresiError(f"run {name!r}: must be a section, [runs.{name}]")
        fields = {**data.get("tournament", {}), **own}
        for field in fields:
            if field not in known:
                raise PresiError(f"run {name!r}: unknown field {field!r}; {near(field, known)}")
        try:
            requests[name] = make_request(fields, {"matches": matches})
        except PresiError as error:
            raise PresiError(f"run {name!r}: {error}") from None
    return requests


def rows_of(name: str, path: Path) -> list[dict[str, Any]]:
    """Give the ratings of a finished run, with its name."""
    import pandas as pd

    frame = pd.read_csv(path / "ratings.csv")
    return [
        {"run": name, **{str(key): value for key, value in row.items()}} for row in frame.to_dict("records")
    ]


def text_of(rows: list[dict[str, Any]]) -> str:
    """Set the ratings of all runs out for people."""
    from harness.text import text_table

    lines = []
    for before, row in zip([None, *rows], rows, strict=False):
        new = before is None or before["run"] != row["run"]
        lead = ""
        if row["lead_next"] == row["lead_next"]:
            lead = f"{row['lead_next']:.1f} ± {(row['lead_high'] - row['lead_low']) / 2:.1f}"
        lines.append(
            [
                row["run"] if new else "",
                row["bot"],
                f"{row['elo']:+.1f}",
                f"{row['elo_low']:+.1f} .. {row['elo_high']:+.1f}",
                lead,
                f"{row['score']:.3f}",
                f"{row['groups']:,}",
            ]
        )
    return text_table(["run", "bot", "Elo", "95 % interval", "lead on next", "score", "groups"], lines)


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("experiment", metavar="EXPERIMENT.toml")
@click.option("--out", required=True, metavar="DIR", help="Folder of all runs and of what is found.")
@click.option("--matches", metavar="N", help="Play so many in every run, for a quick look.")
@click.option("--only", metavar="A,B", help="Play only these runs now; the table shows all that are done.")
@click.option("--force", is_flag=True, help="Play everything anew.")
@click.option("--jobs", metavar="N", help="Worker processes (default: all cores).")
def series(
    experiment: str, out: str, matches: str | None, only: str | None, force: bool, jobs: str | None
) -> None:
    """Play a series of tournaments; called again, it goes on where it was.

    Example: python -m experiments.series experiments/field.toml --out results/field
    """
    import pandas as pd

    from harness.analysis import write_csv
    from harness.cli.options import read_jobs
    from harness.cli.tournament import check_bots
    from harness.store import RunFolder
    from harness.text import Progress

    workers, folder = read_jobs(jobs), Path(out)
    requests = read_series(experiment, matches)
    wanted = [part.strip() for part in only.split(",")] if only else [*requests]
    for name in wanted:
        if name not in requests:
            raise PresiError(f"only: unknown run {name!r}; {near(name, requests)}")
    for name in wanted:
        check_bots(requests[name])
    total = sum(requests[name].schedule.total_matches for name in wanted)
    done = 0 if force else sum(check_folder(folder / name, requests[name]) for name in wanted)
    progress = Progress(total, done)
    try:
        for name in wanted:
            play(folder / name, requests[name], workers, force, progress.add)
    except KeyboardInterrupt:
        again = " without --force" if force else ""
        click.echo(f"series: interrupted; the same command{again} goes on", err=True)
        raise
    finally:
        progress.close()
    rows: list[dict[str, Any]] = []
    for name in requests:
        path = folder / name
        if (path / "run.json").exists() and RunFolder.read(path).info["state"] == "done":
            rows += rows_of(name, path)
    write_csv(folder / "series.csv", pd.DataFrame(rows))
    click.echo(text_of(rows))
    click.echo(f"\nwrote {folder}: series.csv, and the runs")


def main() -> NoReturn:
    """Run the command with the exit codes of presi."""
    end_as_presi(series, "series")


if __name__ == "__main__":
    main()
