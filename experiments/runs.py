"""Playing many runs into one folder: what is there already is not played again."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NoReturn

import click

from harness.errors import PresiError, WorkError
from harness.request import Request


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


def end_as_presi(command: click.Command, name: str) -> NoReturn:
    """Run a command; every way it can end has the exit code it has with presi."""
    try:
        command(standalone_mode=False)
        code = 0
    except click.ClickException as error:
        error.show()
        code = 2
    except (PresiError, WorkError, OSError) as error:
        click.echo(f"{name}: {error}", err=True)
        code = 2 if isinstance(error, PresiError) else 1
    except (KeyboardInterrupt, click.Abort):
        code = 130
    sys.exit(code)
