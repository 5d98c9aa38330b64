"""The command `presi`: parses, calls, prints. Everything heavy is imported where it is used."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

import click

from .errors import PresiError, WorkError

if TYPE_CHECKING:
    from .analysis import Analysis
    from .ratings.bradley_terry import BradleyTerry
    from .request import Request

F = TypeVar("F", bound=Callable[..., Any])

CONTEXT = {"help_option_names": ["-h", "--help"], "max_content_width": 100}


@click.group(context_settings=CONTEXT)
@click.version_option(package_name="presi-harness", prog_name="presi")
def cli() -> None:
    """Tournaments of bots for Presi (Presidente, el Culo): play, log, rate, draw.

    \b
    Example:
      presi run --bots keep,chain,random --matches 100_000 --out results/first
    """


# --- options --------------------------------------------------------------------------------------------


def table_options(function: F) -> F:
    """Add the options that choose and change a table."""
    for option in reversed(
        [
            click.option("--table", metavar="NAME|FILE.toml", help="The rules; see presi tables."),
            click.option(
                "--set",
                "settings",
                multiple=True,
                metavar="FIELD=VALUE",
                help="Change a rule, as --set equal=forbidden; may be repeated.",
            ),
            click.option("--players", metavar="N", help="Seats at the table (default: the table's own)."),
            click.option("--hands", metavar="N", help="Play matches of N hands."),
            click.option("--points", metavar="N", help="Play matches to N points."),
        ]
    ):
        function = option(function)
    return function


def bot_options(function: F) -> F:
    """Add the options that name bots."""
    for option in reversed(
        [
            click.option("--bot", "bot_list", multiple=True, metavar="SPEC", help="A bot; may be repeated."),
            click.option("--bots", "bot_line", metavar="A,B,C", help="Bots, with commas; see presi bots."),
        ]
    ):
        function = option(function)
    return function


def work_options(function: F) -> F:
    """Add the options that say how work is done."""
    for option in reversed(
        [
            click.option("--jobs", metavar="N", help="Worker processes (default: all cores)."),
            click.option(
                "--backend",
                type=click.Choice(["loky"]),
                default="loky",
                show_default=True,
                help="joblib backend.",
            ),
        ]
    ):
        function = option(function)
    return function


json_option = click.option("--json", "as_json", is_flag=True, help="Print results as JSON.")


def split_bots(line: str | None, listed: tuple[str, ...]) -> list[str] | None:
    """Put --bots and --bot together; None if neither was given."""
    names = [part.strip() for part in (line or "").split(",") if part.strip()]
    names += listed
    return names or None


def read_jobs(jobs: str | None) -> int:
    """Read --jobs."""
    from .request import read_whole
    from .runner import effective_jobs

    number = None if jobs is None else read_whole(jobs, "jobs")
    if number is not None and number < 1:
        raise PresiError(f"jobs {number}: allowed are 1 and more")
    return effective_jobs(number)


def read_settings(settings: tuple[str, ...]) -> list[dict[str, Any]]:
    """Read --set."""
    from .tables import parse_set

    return [parse_set(settings)] if settings else []


def show_json(value: Any) -> None:
    """Print a value as JSON."""
    import json

    click.echo(json.dumps(value, indent=2, ensure_ascii=False))


# --- run, resume, rank, plot ----------------------------------------------------------------------------


@cli.command(context_settings=CONTEXT)
@click.argument("experiment", required=False, metavar="[EXPERIMENT.toml]")
@table_options
@bot_options
@click.option("--matches", metavar="N", help="Total budget, rounded up to whole groups.  [default: 100_000]")
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
    lineups: str | None,
    seatings: str | None,
    seed: str | None,
    on_fault: str | None,
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
    from .request import make_request, read_experiment
    from .store import RunFolder

    options = {
        "table": table,
        "players": players,
        "bots": split_bots(bot_line, bot_list),
        "matches": matches,
        "lineups": lineups,
        "seatings": seatings,
        "seed": seed,
        "on_fault": on_fault,
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
    workers = read_jobs(jobs)
    check_bots(request)
    warning = request.schedule.warning()
    if warning:
        click.echo(f"presi: {warning}", err=True)
    with RunFolder.create(out, force=force) as folder:
        begin_run(folder, request)
        finish_run(folder, request, workers, backend, as_json)


@cli.command(context_settings=CONTEXT)
@click.argument("folder", metavar="DIR")
@work_options
@json_option
def resume(folder: str, jobs: str | None, backend: str, as_json: bool) -> None:
    """Finish an interrupted run: the rows are those of an undisturbed one.

    \b
    Example:
      presi resume results/quickstart
    """
    from .bots.spec import source_digest
    from .compiling import engine_digest
    from .store import RunFolder

    workers = read_jobs(jobs)
    with RunFolder.open(folder) as opened:
        info = opened.info
        request = request_of(opened)
        check_bots(request)
        for bot in info["bots"]:
            spec = next(spec for spec in request.bots if spec.label == bot["label"])
            if source_digest(spec) != bot["digest"]:
                raise PresiError(
                    f"bot {bot['label']!r} has changed since {folder} was begun: start a new run"
                )
        if (
            info["versions"]["engine"] != engine_digest()
            and opened.groups_done < request.schedule.total_groups
        ):
            raise PresiError(f"the rules engine has changed since {folder} was begun: start a new run")
        finish_run(opened, request, workers, backend, as_json)


def check_bots(request: Request) -> None:
    """Find, check and compile every bot before anything is written; say which ones run in plain Python."""
    from .bots.ready import make_ready

    for spec in request.bots:
        bot = make_ready(spec)
        if bot.why_plain:
            click.echo(
                f"presi: bot {spec.label!r} runs in plain Python, some 100 times slower: {bot.why_plain}",
                err=True,
            )


def begin_run(folder: Any, request: Request) -> None:
    """Write what is known before the first match: run.json and lineups.csv."""
    import platform

    import numba
    import numpy as np

    from . import __version__
    from .bots.spec import build, parameters_of, source_digest
    from .compiling import engine_digest

    bots = []
    for spec in request.bots:
        instance = build(spec)
        parameters = {name: getattr(instance, name) for name in parameters_of(type(instance))}
        bots.append(
            {"label": spec.label, "spec": spec.spec, "parameters": parameters, "digest": source_digest(spec)}
        )
    schedule = request.schedule
    folder.begin(
        request=request.to_json(),
        bots=bots,
        versions={
            "presi": __version__,
            "python": platform.python_version(),
            "numpy": np.__version__,
            "numba": numba.__version__,
            "engine": engine_digest(),
        },
        seed=request.seed,
        counts={
            "lineups": len(schedule.lineups),
            "groups": schedule.total_groups,
            "matches": schedule.total_matches,
            "groups_done": 0,
            "matches_done": 0,
        },
    )
    folder.write_lineups(request.labels, schedule.lineups)


def finish_run(folder: Any, request: Request, jobs: int, backend: str, as_json: bool) -> None:
    """Play what is missing, then rate and draw; leave a folder that says how far it is."""
    import time

    from .analysis import Analysis, analyse, draw, write_tables
    from .runner import Runner
    from .text import Progress, duration

    schedule = request.schedule
    analysis = analyse(folder, request) if folder.groups_done else Analysis(request)
    before = folder.matches_done
    if not as_json:
        say(describe(request))
    progress = Progress(schedule.total_matches, before)
    finished, begin = False, time.monotonic()
    try:
        Runner(request, folder, jobs, backend, analysis.add, progress.add).play()
        finished = True
    except KeyboardInterrupt:
        progress.close()
        click.echo(
            f"presi: interrupted after {folder.matches_done:,} of {schedule.total_matches:,} matches; "
            f"go on with: presi resume {folder.path}",
            err=True,
        )
        raise
    finally:
        progress.close()
        folder.update(
            state="running" if finished else "interrupted",
            counts={
                **folder.info["counts"],
                "groups_done": folder.groups_done,
                "matches_done": folder.matches_done,
            },
            faults=analysis.faults_per_bot(),
        )
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


def say(text: str) -> None:
    """Print a line while work goes on; a reader of the pipe who has gone is no reason to stop working."""
    try:
        click.echo(text)
    except BrokenPipeError:
        sys.stdout = open(os.devnull, "w")  # noqa: SIM115


def describe(request: Request) -> str:
    """Say in one line what is played."""
    schedule = request.schedule
    return (
        f"{request.table.name}, {request.players} players: {len(request.bots)} bots in "
        f"{len(schedule.lineups):,} lineups, {schedule.total_matches:,} matches in "
        f"{schedule.total_groups:,} groups ({request.seatings}), seed {request.seed}"
    )


def rating_text(frame: Any) -> str:
    """Write the ratings as a table, best first."""
    from .text import text_table

    heads = [
        "bot",
        "Elo",
        "95 % interval",
        "lead on next",
        "sure",
        "score",
        "wins",
        "puesto",
        "points/hand",
        "seats",
    ]
    rows = []
    for row in frame.to_dict("records"):
        last = row["los_next"] != row["los_next"]
        half = (row["lead_high"] - row["lead_low"]) / 2
        rows.append(
            [
                row["bot"],
                f"{row['elo']:+.1f}",
                f"{row['elo_low']:+.1f} .. {row['elo_high']:+.1f}",
                "" if last else f"{row['lead_next']:.1f} ± {half:.1f}",
                "" if last else f"{100 * row['los_next']:.1f}%" if row["los_next"] < 0.9995 else ">99.9%",
                f"{row['score']:.3f}",
                f"{100 * row['win_rate']:.1f}%",
                f"{row['mean_puesto']:.3f}",
                f"{row['points_per_hand']:+.3f}",
                f"{row['matches']:,}",
            ]
        )
    if any(frame["flag"].astype(bool)):
        heads.append("note")
        for line, flag in zip(rows, frame["flag"], strict=True):
            line.append(flag)
    return text_table(heads, rows)


def notes(analysis: Analysis, rating: BradleyTerry, frame: Any) -> None:
    """Say in sentences what a reader of the table should not miss."""
    best, second = frame["bot"][0], frame["bot"][1]
    first = frame.iloc[0]
    share = 100 * rating.share(best, second)
    met = "" if share != share else f"; it finished ahead of it in {share:.1f} % of the matches they shared"
    if first["lead_low"] > 0:
        lead = f"{first['lead_next']:.1f} Elo (95 %: {first['lead_low']:.1f} to {first['lead_high']:.1f})"
        click.echo(f"\n{best} is best, {lead} ahead of {second}{met}")
    else:
        click.echo(f"\n{best} and {second} cannot be told apart by these matches{met}")
    misfit = rating.worst_misfit()
    if misfit is not None:
        a, b, seen, said = misfit
        click.echo(
            f"one number does not tell all: {a} finished ahead of {b} in {100 * seen:.1f} %, "
            f"where the ratings say {100 * said:.1f} % (see pairs.png)"
        )
    if analysis.request.lineups.startswith("gauntlet"):
        click.echo(
            "in a gauntlet bots meet different company: compare Elo, not score, wins, puesto or points"
        )
    for bot, number in analysis.faults_per_bot().items():
        hands = int(analysis.summary.hands[analysis.request.labels.index(bot)].sum())
        click.echo(f"{bot} forfeited {number:,} of its {hands:,} hands")


def show_result(frame: Any, analysis: Analysis, path: Path) -> None:
    """Print a run's result as JSON."""
    from .analysis import records

    show_json(
        {
            "folder": str(path),
            "table": analysis.request.table.name,
            "players": analysis.request.players,
            "matches": analysis.summary.match_count,
            "groups": analysis.tally.group_count,
            "hands": analysis.summary.hand_count,
            "ratings": records(frame),
            "faults": analysis.faults_per_bot(),
        }
    )


def request_of(folder: Any) -> Request:
    """Read the request out of a run folder's run.json."""
    from .request import Request

    try:
        request = Request.from_json(folder.info["request"])
        if [bot["label"] for bot in folder.info["bots"]] != request.labels:
            raise KeyError("bots")
        return request
    except PresiError:
        raise
    except Exception as error:
        raise PresiError(f"{folder.path / 'run.json'} is damaged: {type(error).__name__}: {error}") from None


def read_run(folder: str) -> tuple[Any, Analysis]:
    """Read a run's logs."""
    from .analysis import analyse
    from .store import RunFolder

    opened = RunFolder.read(folder)
    if not opened.matches_done:
        raise PresiError(f"{folder}: no part of it is complete yet")
    state = opened.info["state"]
    if state != "done":
        click.echo(f"presi: {folder} is {state}: {opened.matches_done:,} matches so far", err=True)
    return opened, analyse(opened, request_of(opened))


@cli.command(context_settings=CONTEXT)
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


@cli.command(context_settings=CONTEXT)
@click.argument("folder", metavar="DIR")
@json_option
def plot(folder: str, as_json: bool) -> None:
    """Draw a run's pictures anew from its logs.

    \b
    Example:
      presi plot results/quickstart
    """
    from .analysis import draw

    opened, analysis = read_run(folder)
    rating = analysis.rate()
    paths = [str(path) for path in draw(opened.path, analysis, rating, analysis.rating_table(rating))]
    if as_json:
        show_json(paths)
    else:
        click.echo("\n".join(paths))


# --- what there is --------------------------------------------------------------------------------------


@cli.command(context_settings=CONTEXT)
@json_option
def bots(as_json: bool) -> None:
    """List the bots that come with the harness.

    \b
    Example:
      presi bots
    """
    from .bots.spec import parameters_of, shipped
    from .text import text_table

    rows: list[dict[str, Any]] = []
    for name, cls in shipped().items():
        idea = (cls.__doc__ or "").strip().splitlines()[0]
        parameters = {key: default for key, (_, default) in parameters_of(cls).items()}
        rows.append({"name": name, "parameters": parameters, "idea": idea, "source": cls.source})
    if as_json:
        show_json(rows)
        return
    lines = [
        [row["name"], " ".join(f"{k}={v}" for k, v in row["parameters"].items()), row["idea"]] for row in rows
    ]
    click.echo(text_table(["bot", "parameters", "idea"], lines))
    click.echo("\nparameters: --bot hold:near=3; a bot of your own: --bot path/to/file.py:Class")


@cli.command(context_settings=CONTEXT)
@click.argument("name", required=False)
@click.option(
    "--set", "settings", multiple=True, metavar="FIELD=VALUE", help="Change a rule before printing."
)
@json_option
def tables(name: str | None, settings: tuple[str, ...], as_json: bool) -> None:
    """List the tables, or print one as TOML.

    \b
    Examples:
      presi tables
      presi tables barajamos --set deck=spanish40 > my_table.toml
    """
    from .tables import parse_set, table, table_names
    from .text import text_table

    if name is None:
        if settings:
            raise PresiError("set: name the table to change, as presi tables barajamos --set equal=forbidden")
        known = [table(each) for each in table_names()]
        if as_json:
            show_json([{"name": each.name, **each.to_json()} for each in known])
            return
        rows = [
            [
                each.name,
                each.deck,
                "-".join(str(n) for n in dict.fromkeys(each.players)),
                each.default_players,
                f"{each.match_points} points" if each.match_points else f"{each.match_hands} hands",
            ]
            for each in known
        ]
        click.echo(text_table(["table", "deck", "players", "default", "match"], rows))
        return
    found = table(name, **(parse_set(settings) if settings else {}))
    if as_json:
        show_json({"name": found.name, **found.to_json()})
    else:
        click.echo(found.to_toml().rstrip())


@cli.command(context_settings=CONTEXT)
@table_options
@bot_options
@click.option(
    "--seconds",
    default=3.0,
    show_default=True,
    type=click.FloatRange(0.01, 3600),
    help="Time to measure for.",
)
@click.option("--seed", metavar="N", help="Of the matches played.  [default: 0]")
@json_option
def bench(
    table: str | None,
    settings: tuple[str, ...],
    players: str | None,
    hands: str | None,
    points: str | None,
    bot_list: tuple[str, ...],
    bot_line: str | None,
    seconds: float,
    seed: str | None,
    as_json: bool,
) -> None:
    """Measure turns per second of engine and bots on one core, without logs; one bot a seat.

    \b
    Example:
      presi bench --table barajamos --bots lowgroup,random,lowgroup,random
    """
    from .bench import measure
    from .request import make_seats, read_whole

    names = split_bots(bot_line, bot_list) or ["lowgroup", "random"]
    rules, specs = make_seats(
        {"table": table, "players": players, "hands": hands, "points": points, "bots": names},
        read_settings(settings),
    )
    number = read_whole(seed or 0, "seed")
    if not 0 <= number < 2**64:
        raise PresiError(f"seed {number}: allowed are 0 to 2^64 - 1")
    result = measure(rules, specs, seconds, number)
    if as_json:
        show_json(result)
        return
    click.echo(
        f"{result['ns_per_turn']:.1f} ns/turn  {result['turns_per_s'] / 1e6:.2f} M turns/s  "
        f"{result['matches_per_s']:,.0f} matches/s  {result['turns_per_hand']:.1f} turns/hand  "
        f"{result['hands_per_match']:.1f} hands/match"
    )


# --- the door -------------------------------------------------------------------------------------------


def main() -> NoReturn:
    """Run the command; every way it can end has its exit code."""
    try:
        # not cli.main: it turns a closed pipe into a failure of its own
        with cli.make_context("presi", sys.argv[1:]) as context:
            cli.invoke(context)
        code = 0
    except click.exceptions.Exit as error:
        code = error.exit_code
    except click.ClickException as error:
        error.show()
        code = 2
    except PresiError as error:
        click.echo(f"presi: {error}", err=True)
        code = 2
    except WorkError as error:
        click.echo(f"presi: {error}", err=True)
        code = 1
    except (KeyboardInterrupt, click.Abort):
        code = 130
    except OSError as error:
        if error.errno == errno.EPIPE:  # the reader of a pipe had enough
            os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
            code = 0
        else:
            click.echo(f"presi: {' '.join(str(error).split())}", err=True)
            code = 1
    sys.exit(code)


if __name__ == "__main__":
    main()
