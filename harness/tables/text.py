"""Tables as text: `--set field=value`, TOML written, TOML files read."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .validate import NORMAL, NULLABLE, TableError, known_field, normal

if TYPE_CHECKING:
    from .table import Table

_YES_NO = {"true": True, "yes": True, "on": True, "false": False, "no": False, "off": False}

_COMMENTS = {
    "deck": "spanish48, spanish40, french52",
    "players": "fewest and most, within 3 to 7",
    "order": "weakest first",
    "jokers": "0 to 4",
    "joker_role": "none (exactly when there are none), top, wild",
    "wild_rank": 'a rank whose cards also stand for any other; "" = none',
    "opening_card": "its holder leads hand 1",
    "later_leader": "last, president: who leads the later hands",
    "equal": "skip, forbidden: may a reply equal the table (and skip a player)?",
    "pass_locks": "does a pass keep you out until the trick ends?",
    "out_closes_trick": "does the play that empties a hand end the trick?",
    "lone_winner": 'the card that alone wins any trick; "" = none',
    "revolution": "none, order, order_and_direction: what four cards reverse",
    "cut_rank": 'a play of that rank ends the trick; "" = none',
    "president_falls": "must the president run out first, or be last?",
    "exchange": "cards last with first (0 to 2), second-last with second (0, 1)",
    "exchange_return": "worst, choice: what the upper player gives back",
    "match_points": "play until someone has so many points",
    "match_hands": "play so many hands",
}


def _whole(text: str) -> int | str:
    """Read a whole number, as 1000, 1_000 or 1e3; what is none stays text, for the field's check to name."""
    digits, e, zeros = text.lower().partition("e")
    try:
        # More than two digits of zeros are beyond every field, and could be beyond the memory.
        return int(digits) * 10 ** int(zeros) if e and zeros.isdecimal() and len(zeros) < 3 else int(text)
    except ValueError:
        return text


def _list(text: str) -> list[str]:
    return [part.strip() for part in text.split(",")] if text.strip() else []


def _by_players(field: str, text: str) -> dict[str, list[Any]]:
    result: dict[str, list[Any]] = {}
    for part in filter(None, (part.strip() for part in text.split(";"))):
        number, colon, row = part.partition(":")
        number = number.strip()
        if not colon:
            raise TableError(field, text, "players:list;players:list, as 3:2,1,0;4:3,1,0,0")
        if number in result:
            raise TableError(field, text, "each number of players once", why=f"{number} players twice")
        cells = [cell.strip() for cell in row.split(",")]
        result[number] = [_whole(cell) for cell in cells] if field == "points" else cells
    if not result:
        raise TableError(field, text, "players:list;players:list, as 3:2,1,0;4:3,1,0,0")
    return result


def _read(field: str, text: str) -> Any:
    if text == "" and field in NULLABLE:
        return None
    if field in ("points", "titles"):
        return _by_players(field, text)
    if field in ("players", "exchange"):
        return [_whole(part) for part in _list(text)]
    if field == "order":
        return _list(text)
    if field in ("jokers", "default_players", "match_points", "match_hands"):
        return _whole(text)
    if field in ("pass_locks", "out_closes_trick", "president_falls"):
        return _YES_NO.get(text.lower(), text)
    return text


def parse_set(settings: Iterable[str]) -> dict[str, Any]:
    """Read changes of a table as the command line takes them.

    Parameters
    ----------
    settings : iterable of str
        ``field=value``: lists with commas, nothing = null, ``points`` and ``titles`` as
        ``3:2,1,0;4:3,1,0,0``, yes and no as true/false, yes/no or on/off.

    Returns
    -------
    dict
        Changes for `Table.change`, each checked alone, in the order given.

    Raises
    ------
    TableError
        If there is no ``=``, a field is unknown or given twice, or its value can never be right.

    Examples
    --------
    >>> parse_set(["equal=forbidden", "wild_rank=", "exchange=1,0", "points=3:2,1,0"])
    {'equal': 'forbidden', 'wild_rank': None, 'exchange': (1, 0), 'points': {3: (2, 1, 0)}}
    """
    changes: dict[str, Any] = {}
    for setting in settings:
        field, equals, text = setting.partition("=")
        if not equals:
            raise TableError("set", setting, "field=value, as equal=forbidden")
        field = known_field(field.strip())
        if field in changes:
            raise TableError(field, text.strip(), "each field once", why="set twice")
        changes[field] = normal(field, _read(field, text.strip()))
    return changes


# --- TOML -----------------------------------------------------------------------------------------------


def _toml(value: Any) -> str:
    import json

    if value is None:
        return '""'
    if isinstance(value, tuple):
        return f"[{', '.join(map(_toml, value))}]"
    # Names, ranks and titles are printable, and JSON and TOML write printable text alike.
    return json.dumps(value, ensure_ascii=False)


def to_toml(table: Table) -> str:
    """Write a table as TOML, every field with its meaning. See `Table.to_toml`."""
    lines = []
    for field in NORMAL:
        value = getattr(table, field)
        if field in ("points", "titles") or (value is None and field.startswith("match_")):
            continue
        line = f"{field} = {_toml(value)}"
        lines.append(f"{line:<32}  # {_COMMENTS[field]}" if field in _COMMENTS else line)
    for field in ("points", "titles"):
        lines += ["", f"[{field}]  # by number of players, by place"]
        lines += [f"{number} = {_toml(row)}" for number, row in getattr(table, field).items()]
    return "\n".join(lines) + "\n"


def read_toml(text: str, where: str) -> dict[str, Any]:
    """Read TOML; a mistake in it is the user's.

    Parameters
    ----------
    text : str
    where : str
        The file, for the message.

    Raises
    ------
    TableError
        With the line and column.
    """
    import tomllib

    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise TableError("table", where, "", why=f"not TOML: {error}") from None
    except (ValueError, RecursionError):
        # What Python itself will not read: numbers of thousands of digits, lists in lists in lists ...
        raise TableError("table", where, "", why="not TOML: a number too long or lists too deep") from None


def read_file(path: Path) -> str:
    """Read a table's file, or say in one line why not."""
    try:
        return path.read_text(encoding="utf-8-sig")  # some editors begin a file with a mark
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) and error.strerror else "not text in UTF-8"
        raise TableError("table", str(path), "a TOML file", why=why) from None
