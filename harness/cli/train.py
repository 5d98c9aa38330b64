"""The command that learns bots' weights."""

from __future__ import annotations

from pathlib import Path

import click

from ..errors import PresiError, near
from .options import CONTEXT, json_option, read_jobs, show_json


@click.command(context_settings=CONTEXT)
@click.argument("bot", metavar="linear|champion")
@click.option("--out", metavar="FILE.json", help="Where the weights go.  [default: BOT.json]")
@click.option("--steps", metavar="N", help="Length of the course.  [default: linear 1000, champion 150]")
@click.option("--seed", metavar="N", help="Everything random follows from it.  [default: 1]")
@click.option("--force", is_flag=True, help="Replace the file that is there.")
@click.option("--jobs", metavar="N", help="Worker processes (default: all cores); 4 at most are of use.")
@json_option
def train(
    bot: str,
    out: str | None,
    steps: str | None,
    seed: str | None,
    force: bool,
    jobs: str | None,
    as_json: bool,
) -> None:
    """Learn the weights of a bot, in minutes. Interrupted, the same command goes on.

    linear learns which moves win. champion's rollouts use linear's; by its own it explains what others
    played, so it learns which moves a strong player makes.

    \b
    Examples:
      presi train linear --out mine.json
      presi run --bots old@linear,new@linear:weights=mine.json,chain --out results/learned
    """
    from ..learning import COURSES, steps_done, train
    from ..request import read_whole
    from ..text import Progress

    if bot not in COURSES:
        raise PresiError(f"bot {bot!r} does not learn: {near(bot, COURSES)}")
    file = Path(out or f"{bot}.json")
    length = COURSES[bot].steps if steps is None else read_whole(steps, "steps")
    start = 1 if seed is None else read_whole(seed, "seed")
    if not 1 <= length <= 1_000_000:
        raise PresiError(f"steps {length}: allowed are 1 to 1_000_000")
    if not 0 <= start < 2**63:
        raise PresiError(f"seed {start}: allowed are 0 to 2^63 - 1")
    if not file.name.endswith(".json"):
        raise PresiError(f"out {file}: the name of the file must end in .json, as a parameter's file does")
    if file.exists() and not force:
        raise PresiError(f"{file} is there already: --force replaces it")
    if not file.parent.is_dir():
        raise PresiError(f"out {file}: there is no folder {file.parent}")
    progress = Progress(length, steps_done(file, bot, length, start), "steps")
    try:
        pupils = train(
            bot, file, length, start, read_jobs(jobs), lambda done: progress.add(done - progress.done)
        )
    except KeyboardInterrupt:
        click.echo("presi: interrupted; the same command goes on", err=True)
        raise
    finally:
        progress.close()
    field = "model" if bot == "champion" else "weights"
    decisions = [pupil.decisions for pupil in pupils]
    if as_json:
        show_json({"file": str(file), "steps": length, "seed": start, "decisions": decisions})
        return
    click.echo(f"wrote {file}, learned from {sum(decisions):,} decisions; play it as {bot}:{field}={file}")
