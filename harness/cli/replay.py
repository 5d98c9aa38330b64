"""The command that shows one match: replay."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from ..errors import BotFault, PresiError
from ..files import written_whole
from .options import (
    CONTEXT,
    bot_options,
    deals_option,
    json_option,
    read_settings,
    split_bots,
    table_options,
)


@click.command(context_settings=CONTEXT)
@click.argument("what", metavar="DIR|CODE")
@click.option("--match", "number", metavar="N", help="Number of the match in the run DIR, or in --deals.")
@bot_options
@table_options
@click.option(
    "--format",
    "style",
    type=click.Choice(["text", "jsonl", "html"]),
    default="text",
    show_default=True,
    help="For people, for programs, for a browser.",
)
@json_option
@click.option("--legal", is_flag=True, help="Show with each turn all choices there were.")
@click.option(
    "--on-fault", type=click.Choice(["stop", "forfeit"]), help="What a bot's fault does.  [default: stop]"
)
@deals_option
@click.option("--out", metavar="FILE", help="Write there instead of to the terminal.")
def replay(
    what: str,
    number: str | None,
    bot_list: tuple[str, ...],
    bot_line: str | None,
    table: str | None,
    settings: tuple[str, ...],
    players: str | None,
    hands: str | None,
    points: str | None,
    style: str,
    as_json: bool,
    legal: bool,
    on_fault: str | None,
    deals: str | None,
    out: str | None,
) -> None:
    """Show one match: of a run by its number, or any by its code and the bots in their seats.

    \b
    Examples:
      presi replay results/quickstart --match 123
      presi replay P1151739204 --table presidente-casa --bots chain,keep,hold,random
      presi replay P7 --bots keep,chain,hold --format jsonl --legal
      presi replay results/quickstart --match 5 --format html --out match.html
    """
    from ..replay.find import first_event, match_of_code, match_of_run, parse_code
    from ..request import make_seats, read_whole

    names = split_bots(bot_line, bot_list)
    code = None if Path(what).is_dir() else parse_code(what)
    if code is None:
        from ..store import RunFolder

        given = {"bots": names, "table": table, "set": settings, "players": players}
        given |= {"hands": hands, "points": points, "on-fault": on_fault, "deals": deals}
        for option, value in given.items():
            if value:
                raise PresiError(f"{option}: a match of a run has its own; give it with a code, as P7")
        folder = RunFolder.read(what)
        if number is None:
            raise PresiError(f"match: which one of {folder.matches_done:,}? as --match 0")
        events = match_of_run(folder, read_whole(number, "match"), legal)
    else:
        if number is not None and deals is None:
            raise PresiError("match: a code names the match; --match goes with a run folder")
        if not names:
            raise PresiError("bots: name one for each seat, as --bots keep,chain,hold")
        options = {"table": table, "players": players, "hands": hands, "points": points, "bots": names}
        rules, specs = make_seats(options, read_settings(settings))
        real, which = None, 0
        if deals is not None:
            from ..deals import read_deals

            real, which = read_deals(deals, rules, len(specs)), read_whole(number or 0, "match")
            if not 0 <= which < real.matches:
                raise PresiError(f"match {which}: {deals} holds matches 0 to {real.matches - 1}")
        events = match_of_code(rules, specs, code, legal, on_fault == "forfeit", real, which)
    _, events = first_event(events)
    style = "jsonl" if as_json else style
    terminal = out is None and sys.stdout.isatty()
    lines = _lines(events, style, legal, terminal and _colours_wanted(), narrow=terminal)
    if out is not None:
        _write(Path(out), lines)
        return
    for line in lines:
        click.echo(line, color=True)  # colours were decided above


def _colours_wanted() -> bool:
    """Say whether a terminal is to show colours: unless the user wants none, or it has none."""
    return not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def _write(path: Path, lines: Iterator[str]) -> None:
    """Write a file at one go; if a bot fails in the match, with what came before."""
    fault: BotFault | None = None
    told: list[str] = []
    try:
        told.extend(lines)
    except BotFault as error:
        fault = error
    try:
        with written_whole(path) as file:
            file.write_text("".join(f"{line}\n" for line in told), encoding="utf-8")
    except OSError as error:
        raise PresiError(f"out {path}: {error.strerror}") from None
    if fault is not None:
        raise fault


def _lines(
    events: Iterator[dict[str, Any]], style: str, legal: bool, colours: bool, narrow: bool
) -> Iterator[str]:
    if style == "jsonl":
        for event in events:
            yield json.dumps(event, separators=(",", ":"), ensure_ascii=False)
    elif style == "html":
        from ..replay.page import render_page

        told: list[dict[str, Any]] = []
        fault: BotFault | None = None
        try:
            told.extend(events)
        except BotFault as error:
            fault = error
        yield render_page(told)  # what a bot that failed last saw is what people want to see
        if fault is not None:
            raise fault
    else:
        from ..replay.text import render_text

        yield from render_text(events, colour=colours, legal=legal, narrow=narrow)
