"""The commands that play, rate and draw tournaments: run, resume, rank, plot."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from ..backends import check_backend
from ..errors import PresiError
from .options import (
    CONTEXT,
    bot_options,
    deals_option,
    json_option,
    read_jobs,
    read_settings,
    show_json,
    split_bots,
    table_options,
    work_options,
)
from .results import describe, notes, rating_text, say, show_result

if TYPE_CHECKING:
    from ..analysis import Analysis
    from ..request import Request
    from ..store import RunFolder


@click.command(context_settings=CONTEXT)
@click.argument("experiment", required=False, metavar="[EXPERIMENT.toml]")
@table_options
@bot_options
@click.option("--matches", metavar="N", help="Total budget, rounded up to whole groups.  [default: 100_000]")
@deals_option
@click.option("--lineups", metavar="all|each|gauntlet:BOT", help="Who meets whom.  [default: all]")
@click.option(
    "--seatings",
    metavar="rotations|permutations|random",
    help="How a deal is replayed.  [default: rotations]",
)
@click.option("--seed", metavar="N", help="Everything random follows from it.  [default: 0]")
@click.option(
    "--on-fault", type=click.Choice(["stop", "forfeit"]), help="What a bot's fault does.  [default: stop]"
)
@click.option("--seconds", metavar="S", help="Time an exec: bot has for an answer.  [default: 1]")
@click.option("--oracle", is_flag=True, help="Let bots take part that see all hands.")
@click.option("--out", metavar="DIR", help="The run folder to make.  [required]")
@click.option("--force", is_flag=True, help="Replace the run that is in --out.")
@work_options
@json_option
def run(
    experiment: str | None,
    table: str | None,
    settings: tuple[str, ...],
    players: str | None,
    hands: str | None,
    points: str | None,
    bot_list: tuple[str, ...],
    bot_line: str | None,
    matches: str | None,
    deals: str | None,
    lineups: str | None,
    seatings: str | None,
    seed: str | None,
    on_fault: str | None,
    seconds: str | None,
    oracle: bool,
    out: str | None,
    force: bool,
    jobs: str | None,
    backend: str,
    as_json: bool,
) -> None:
    """Play a tournament, log it, rate it, draw it. Options override the experiment file.

    \b
    Examples:
      presi run experiments/quickstart.toml --out results/quickstart
      presi run --table naipera --bots keep,chain,my_bot.py:MyBot --matches 1e6 --out results/mine
      presi run --players 4 --set "points=4:5,3,1,0" --bots keep,hold --out results/points
    """
    from ..request import make_request, read_experiment
    from ..store import RunFolder
    from ..tournament import begin_run, request_of

    options = {
        "table": table,
        "players": players,
        "bots": split_bots(bot_line, bot_list),
        "matches": matches,
        "deals": deals,
        "lineups": lineups,
        "seatings": seatings,
        "seed": seed,
        "on_fault": on_fault,
        "oracle": oracle or None,
        "seconds": seconds,
        "hands": hands,
        "points": points,
    }
    base = read_experiment(experiment) if experiment else {}
    changes = read_settings(settings)
    if (
        hands is not None
        or points is not None
        or any({"match_hands", "match_points"} & set(c) for c in changes)
    ):
        for name in ("hands", "points"):  # the file's length of a match is overridden
            base.pop(name, None)
    request = make_request(base, options, changes)
    if not out:
        raise PresiError("out: name the folder of the run, as --out results/first")
    workers, backend = read_jobs(jobs), check_backend(backend)
    check_bots(request)
    warning = request.schedule.warning()
    if warning:
        click.echo(f"presi: {warning}", err=True)
    with RunFolder.create(out, force=force) as folder:
        begin_run(folder, request)
        if request.deals is not None:
            request = request_of(folder)  # which reads the folder's own copy, as everybody does from now on
        finish_run(folder, request, workers, backend, as_json)


@click.command(context_settings=CONTEXT)
@click.argument("folder", metavar="DIR")
@work_options
@json_option
def resume(folder: str, jobs: str | None, backend: str, as_json: bool) -> None:
    """Finish an interrupted run: the rows are those of an undisturbed one.

    \b
    Example:
      presi resume results/quickstart
    """
    from ..store import RunFolder
    from ..tournament import check_bots_unchanged, engine_changed, request_of

    workers, backend = read_jobs(jobs), check_backend(backend)
    with RunFolder.open(folder) as opened:
        request = request_of(opened)
        check_bots(request)
        check_bots_unchanged(opened, request)
        if engine_changed(opened) and opened.groups_done < request.schedule.total_groups:
            raise PresiError(f"the rules engine has changed since {folder} was begun: start a new run")
        finish_run(opened, request, workers, backend, as_json)


def check_bots(request: Request) -> None:
    """Find, check and compile every bot before anything is written; say which ones run in plain Python."""
    from ..bots.ready import make_ready

    for spec in request.bots:
        bot = make_ready(spec)
        if bot.sees_all and not request.oracle:
            raise PresiError(
                f"bot {spec.label!r} sees all hands: it is a ceiling, not a player; to play it all the same "
                "say --oracle (or oracle = true in the experiment)"
            )
        if bot.why_plain:
            click.echo(
                f"presi: bot {spec.label!r} runs in plain Python, some 100 times slower: {bot.why_plain}",
                err=True,
            )


def finish_run(folder: RunFolder, request: Request, jobs: int, backend: str, as_json: bool) -> None:
    """Play what is missing, then rate and draw; leave a folder that says how far it is."""
    import time

    from ..analysis import draw, write_tables
    from ..text import Progress, duration
    from ..tournament import play_run

    before, total = folder.matches_done, request.schedule.total_matches
    if not as_json:
        say(describe(request))
    progress = Progress(total, before)
    begin = time.monotonic()
    try:
        analysis = play_run(folder, request, jobs, backend, progress.add)
    except KeyboardInterrupt:
        progress.close()
        click.echo(
            f"presi: interrupted after {folder.matches_done:,} of {total:,} matches; "
            f"go on with: presi resume {folder.path}",
            err=True,
        )
        raise
    finally:
        progress.close()
    seconds = time.monotonic() - begin
    rating, frame = write_tables(folder.path, analysis)
    draw(folder.path, analysis, rating, frame)
    folder.update(state="done")
    if as_json:
        show_result(frame, analysis, folder.path)
        return
    click.echo(rating_text(frame))
    notes(analysis, rating, frame)
    played = folder.matches_done - before
    rate = f" ({played / seconds:,.0f} matches/s)" if played and seconds > 0 else ""
    click.echo(f"\n{played:,} matches played in {duration(seconds)}{rate}")
    click.echo(
        f"wrote {folder.path}: ratings.csv, summary.csv, plots/, matches/, hands/, lineups.csv, run.json"
    )


def read_run(folder: str) -> tuple[RunFolder, Analysis]:
    """Read a run's logs."""
    from ..analysis import analyse
    from ..store import RunFolder
    from ..tournament import request_of

    opened = RunFolder.read(folder)
    if not opened.matches_done:
        raise PresiError(f"{folder}: no part of it is complete yet")
    state = opened.info["state"]
    if state != "done":
        click.echo(f"presi: {folder} is {state}: {opened.matches_done:,} matches so far", err=True)
    return opened, analyse(opened, request_of(opened))


@click.command(context_settings=CONTEXT)
@click.argument("folders", metavar="DIR", nargs=-1, required=True)
@json_option
def rank(folders: tuple[str, ...], as_json: bool) -> None:
    """Rate a run from its logs alone and print the table.

    \b
    Example:
      presi rank results/quickstart
    """
    if len(folders) > 1:
        raise PresiError(f"rank takes one run folder, not {len(folders)}")
    opened, analysis = read_run(folders[0])
    rating = analysis.rate()
    frame = analysis.rating_table(rating)
    if as_json:
        show_result(frame, analysis, opened.path)
        return
    click.echo(f"{describe(analysis.request)}\n{rating_text(frame)}")
    notes(analysis, rating, frame)


@click.command(context_settings=CONTEXT)
@click.argument("folder", metavar="DIR")
@json_option
def plot(folder: str, as_json: bool) -> None:
    """Draw a run's pictures anew from its logs.

    \b
    Example:
      presi plot results/quickstart
    """
    from ..analysis import draw

    opened, analysis = read_run(folder)
    rating = analysis.rate()
    paths = [str(path) for path in draw(opened.path, analysis, rating, analysis.rating_table(rating))]
    if as_json:
        show_json(paths)
    else:
        click.echo("\n".join(paths))
