"""The commands for people who write bots: new-bot, check."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from ..errors import PresiError, WorkError
from .options import CONTEXT, json_option, read_settings, show_json, table_options

if TYPE_CHECKING:
    from ..kit.trials import Trial


@click.command("new-bot", context_settings=CONTEXT)
@click.argument("file", metavar="FILE.py")
def new_bot(file: str) -> None:
    """Write a bot to start from: one screen, commented, ready to play.

    \b
    Example:
      presi new-bot my_bot.py
    """
    from ..kit.starting import write_bot

    spec = write_bot(Path(file))
    label = spec.rpartition(":")[2]
    click.echo(f"wrote {file}: the bot {label}. Now")
    click.echo(f"  presi run --players 4 --bots {spec},lowgroup,keep,chain --out results/{label}")
    click.echo(f"  presi check {spec}")


@click.command(context_settings=CONTEXT)
@click.argument("bots", metavar="BOT...", nargs=-1, required=True)
@table_options
@click.option("--matches", metavar="N", help="At each table.  [default: 4]")
@click.option("--seed", metavar="N", help="Of the matches.  [default: 0]")
@json_option
def check(
    bots: tuple[str, ...],
    table: str | None,
    settings: tuple[str, ...],
    players: str | None,
    hands: str | None,
    points: str | None,
    matches: str | None,
    seed: str | None,
    as_json: bool,
) -> None:
    """Check that bots keep the rules of the house, and show the position where one does not.

    On every shipped table with every number of players and on house rules (or on the one table asked for): a
    bot makes only legal moves, says the same to the same view, compiled and in plain Python, whatever the
    others hold and whatever was played before, and leaves the view alone. Its speed is measured too.

    Exit code 1 if a bot failed a check.

    \b
    Examples:
      presi check my_bot.py:MyBot
      presi check chain "exec:node bot.js" --matches 2
      presi check my_bot.py:MyBot --table naipera --players 5 --set wild_rank=1
    """
    from ..bots.ready import make_ready
    from ..bots.spec import parse_spec
    from ..kit.check import check_bot
    from ..kit.show import report_lines
    from ..kit.trials import all_trials
    from ..request import read_whole
    from ..text import Progress

    number = 4 if matches is None else read_whole(matches, "matches")
    start = 0 if seed is None else read_whole(seed, "seed")
    if not 1 <= number <= 10_000:
        raise PresiError(f"matches {number}: allowed are 1 to 10_000 at each table")
    if not 0 <= start < 2**64:
        raise PresiError(f"seed {start}: allowed are 0 to 2^64 - 1")
    if any(value is not None for value in (table, players, hands, points)) or settings:
        trials = [_asked_for(table, settings, players, hands, points)]
    else:
        trials = list(all_trials())
    ready = [make_ready(parse_spec(name)) for name in bots]
    progress = Progress(2 * number * len(trials) * len(ready))
    reports = []
    try:
        for bot in ready:
            reports.append(check_bot(bot, number, trials, start, progress=progress.add))
            if not as_json:
                progress.clear()
                click.echo("\n".join(report_lines(reports[-1])) + ("\n" if bot is not ready[-1] else ""))
    finally:
        progress.close()
    if as_json:
        show_json([report.to_json() for report in reports])
    failed = [report.bot for report in reports if not report.passed]
    if failed:
        raise WorkError(f"failed the check: {', '.join(failed)}")


def _asked_for(
    name: str | None, settings: tuple[str, ...], players: str | None, hands: str | None, points: str | None
) -> Trial:
    """Make the trial of the one table the options name."""
    from ..kit.trials import Trial
    from ..request import read_rules

    fields = {"table": name, "players": players, "hands": hands, "points": points}
    given = {field: value for field, value in fields.items() if value is not None}
    rules, number = read_rules(given, read_settings(settings))
    options = [word for field, value in given.items() for word in (f"--{field}", value)]
    options += [word for setting in settings for word in ("--set", f"'{setting}'")]
    return Trial(rules, number, tuple(options))
