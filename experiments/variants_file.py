"""Files of variants: a tournament, and the house rules whose effect on it is asked for.

Such a file has the ``[tournament]`` of an experiment file, a ``[mirror]`` (which bot, how many matches), and
``[variants.NAME]`` with the fields of the table that NAME changes. Four runs follow from each variant:

- ``tournament``: the bots against each other. From it come the length of a hand and the spread of ratings.
- ``mirror``: the same bot in every seat, two hands a match, so that only cards and places tell players apart.
- ``other-leader``: the mirror, but with the other of last and president leading.
- ``no-exchange``: the mirror, but without an exchange.
"""

from __future__ import annotations

import dataclasses
import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from harness.errors import PresiError, near
from harness.request import Request, make_request, read_whole

BASE = "base"
MIRROR_MATCHES = 200_000
SECTIONS = ("tournament", "mirror", "variants")

Runs = dict[str, Request]


def read_variants(path: str, matches: str | None = None) -> dict[str, Runs]:
    """Read a file of variants.

    Parameters
    ----------
    path : str
        Bots and tables that are files are named as seen from the current folder.
    matches : str, optional
        Plays so many in every run, whatever the file says.

    Returns
    -------
    dict of str to dict of str to Request
        By variant, the base first, then by run.

    Raises
    ------
    PresiError
        If the file cannot be read, or asks for something unknown or impossible: with the variant's name, the
        field, its value and what is allowed.
    """
    try:
        data = tomllib.loads(Path(path).read_text(encoding="utf-8"))
    except OSError as error:
        raise PresiError(f"experiment {path}: {error.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise PresiError(f"experiment {path}: {error}") from None
    _check_names(path, "section", data, SECTIONS)
    tournament, mirror, variants = (data.get(name, {}) for name in SECTIONS)
    for name, section in zip(SECTIONS, (tournament, mirror, variants), strict=True):
        if not isinstance(section, dict):
            raise PresiError(f"experiment {path}: {name} must be a section, [{name}]")
    fields = [field.name for field in dataclasses.fields(Request)]
    _check_names(path, "field", tournament, [*fields, "hands", "points", "set"])
    _check_names(path, "field of [mirror]:", mirror, ["bot", "matches"])
    if "deals" in tournament:
        raise PresiError(
            f"experiment {path}: deals: variants may change the deck, so their cards are shuffled"
        )
    if not variants:
        raise PresiError(f"experiment {path}: has no variants; write [variants.NAME] and what it changes")
    mirror_matches = read_whole(matches or mirror.get("matches", MIRROR_MATCHES), "mirror.matches")
    base = make_request(tournament, {"matches": matches})
    bot = str(mirror.get("bot", base.bots[-1].spec))
    plan = {BASE: _runs(base, bot, mirror_matches)}
    for name, changes in variants.items():
        if name == BASE or not re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", name):
            allowed = f"small letters and digits joined by -, but not {BASE}"
            raise PresiError(f"variant {name!r}: a name has {allowed}")
        if not isinstance(changes, dict):
            raise PresiError(f"variant {name!r}: must be a section, [variants.{name}]")
        try:
            request = make_request(tournament, {"matches": matches}, [changes])
        except PresiError as error:
            raise PresiError(f"variant {name!r}: {error}") from None
        if request.table.digest() == base.table.digest():
            raise PresiError(f"variant {name!r}: changes nothing of {base.table.name}")
        plan[name] = _runs(request, bot, mirror_matches)
    return plan


def _check_names(path: str, what: str, given: Mapping[str, Any], known: list[str] | tuple[str, ...]) -> None:
    for name in given:
        if name not in known:
            raise PresiError(f"experiment {path}: unknown {what} {name!r}; {near(name, known)}")


def _runs(request: Request, bot: str, matches: int) -> Runs:
    """Give the four runs of one table."""
    from harness.bots.spec import parse_spec

    spec = parse_spec(bot)
    # Equal bots that think alike play alike from every seat: another deal says more than another seating.
    mirror = dataclasses.replace(
        request,
        table=request.table.change(match_hands=2),
        bots=tuple(dataclasses.replace(spec, label=f"mirror-{k + 1}") for k in range(request.players)),
        lineups="each",
        seatings="random",
        matches=matches,
    )
    other = "president" if request.table.later_leader == "last" else "last"
    return {
        "tournament": request,
        "mirror": mirror,
        "other-leader": dataclasses.replace(mirror, table=mirror.table.change(later_leader=other)),
        "no-exchange": dataclasses.replace(mirror, table=mirror.table.change(exchange=(0, 0))),
    }
