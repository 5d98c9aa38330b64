"""The commands that show what there is and how fast it runs: bots, tables, bench."""

from __future__ import annotations

from typing import Any

import click

from ..errors import PresiError
from .options import CONTEXT, bot_options, json_option, read_settings, show_json, split_bots, table_options


@click.command(context_settings=CONTEXT)
@json_option
def bots(as_json: bool) -> None:
    """List the bots that come with the harness.

    \b
    Example:
      presi bots
    """
    from ..bots.spec import parameters_of, shipped
    from ..text import text_table

    rows: list[dict[str, Any]] = []
    for name, cls in shipped().items():
        idea = (cls.__doc__ or "").strip().splitlines()[0]
        parameters = {key: default for key, (_, default) in parameters_of(cls).items()}
        rows.append({"name": name, "parameters": parameters, "idea": idea, "source": cls.source})
    if as_json:
        show_json(rows)
        return
    lines = [
        [row["name"], " ".join(f"{k}={_short(v)}" for k, v in row["parameters"].items()), row["idea"]]
        for row in rows
    ]
    click.echo(text_table(["bot", "parameters", "idea"], lines))
    click.echo("\nparameters: --bot hold:near=3; a bot of your own: --bot path/to/file.py:Class")


def _short(value: Any) -> str:
    """Write a parameter's value; of many numbers, how many."""
    if isinstance(value, tuple):
        return ",".join(f"{number:g}" for number in value) if len(value) <= 4 else f"({len(value)} numbers)"
    return str(value)


@click.command(context_settings=CONTEXT)
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
    from ..tables import parse_set, table, table_names
    from ..text import text_table

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


@click.command(context_settings=CONTEXT)
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
    """Measure turns per second of engine and bots on one core, without logs.

    Fewer bots than seats are repeated round the table.

    \b
    Example:
      presi bench --table barajamos --bots lowgroup,random,lowgroup,random
    """
    from ..bench import measure
    from ..bots.ready import make_ready
    from ..request import make_seats, read_whole

    names = split_bots(bot_line, bot_list) or ["lowgroup", "random"]
    rules, specs = make_seats(
        {"table": table, "players": players, "hands": hands, "points": points, "bots": names},
        read_settings(settings),
        repeat=True,
    )
    number = read_whole(seed or 0, "seed")
    if not 0 <= number < 2**64:
        raise PresiError(f"seed {number}: allowed are 0 to 2^64 - 1")
    ready = {spec: make_ready(spec) for spec in specs}
    result = measure(rules, [ready[spec] for spec in specs], seconds, number)
    if as_json:
        show_json(result)
        return
    click.echo(
        f"{result['ns_per_turn']:.1f} ns/turn  {result['turns_per_s'] / 1e6:.2f} M turns/s  "
        f"{result['matches_per_s']:,.0f} matches/s  {result['turns_per_hand']:.1f} turns/hand  "
        f"{result['hands_per_match']:.1f} hands/match"
    )
