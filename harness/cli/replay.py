"""The command that shows one match: replay."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from ..errors import PresiError
from .options import CONTEXT, bot_options, deals_option, read_settings, split_bots, table_options


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
    if out is None:
        for line in _lines(events, style, legal, _colours()):
            click.echo(line, color=True)  # colours were decided above
        return
    try:
        with open(out, "w", encoding="utf-8") as file:
            file.writelines(f"{line}\n" for line in _lines(events, style, legal, False))
    except OSError as error:
        raise PresiError(f"out {out}: {error.strerror}") from None


def _colours() -> bool:
    """Say whether to print in colours: to a terminal, unless the user wants none."""
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def _lines(events: Iterator[dict[str, Any]], style: str, legal: bool, colours: bool) -> Iterator[str]:
    if style == "jsonl":
        for event in events:
            yield json.dumps(event, separators=(",", ":"), ensure_ascii=False)
    elif style == "html":
        from ..replay.page import render_page

        yield render_page(events)
    else:
        from ..replay.text import render_text

        yield from render_text(events, colour=colours, legal=legal)
