"""Options that several commands share, and how their values are read."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

from ..backends import BACKENDS
from ..errors import PresiError

F = TypeVar("F", bound=Callable[..., Any])

CONTEXT = {"help_option_names": ["-h", "--help"], "max_content_width": 100}


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
                type=click.Choice(list(BACKENDS)),
                default="loky",
                show_default=True,
                help="Where workers come from; see docs/setup.md.",
            ),
        ]
    ):
        function = option(function)
    return function


deals_option = click.option(
    "--deals", metavar="FILE", help="Play the deals of a file: JSON Lines, one hand a line."
)
json_option = click.option("--json", "as_json", is_flag=True, help="Print results as JSON.")


def split_bots(line: str | None, listed: tuple[str, ...]) -> list[str] | None:
    """Put --bots and --bot together; None if neither was given."""
    names = [part.strip() for part in (line or "").split(",") if part.strip()]
    names += listed
    return names or None


def read_jobs(jobs: str | None) -> int:
    """Read --jobs."""
    from ..request import read_whole
    from ..runner import effective_jobs

    number = None if jobs is None else read_whole(jobs, "jobs")
    if number is not None and number < 1:
        raise PresiError(f"jobs {number}: allowed are 1 and more")
    return effective_jobs(number)


def read_settings(settings: tuple[str, ...]) -> list[dict[str, Any]]:
    """Read --set."""
    from ..tables import parse_set

    return [parse_set(settings)] if settings else []


def show_json(value: Any) -> None:
    """Print a value as JSON."""
    import json

    click.echo(json.dumps(value, indent=2, ensure_ascii=False))
