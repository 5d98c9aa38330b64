"""Tables: the rules as data, five of them shipped; any other is a change or a TOML file.

>>> from harness.tables import table
>>> table("barajamos", jokers=2, joker_role="wild").name
'barajamos+jokers,joker_role'
"""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path
from typing import Any

from .table import Table
from .text import parse_set, read_file, read_toml
from .validate import TableError, hint_for

__all__ = ["Table", "TableError", "parse_set", "table", "table_names"]

_SHIPPED = ("barajamos", "presidente-clasico", "presidente-revolucion", "presidente-casa", "naipera")


def table_names() -> tuple[str, ...]:
    """Name the shipped tables.

    Examples
    --------
    >>> table_names()[0]
    'barajamos'
    """
    return _SHIPPED


def table(which: str | os.PathLike[str] | Table, **changes: Any) -> Table:
    """Give a table by name, from a file, or as it is; changed or not.

    Parameters
    ----------
    which : str, path or Table
        A name in `table_names`, or a TOML file: text is taken for a file if it ends in ``.toml`` or has a
        directory in it. A file has either every field, or a `base` (a name or a file, seen from its own
        folder) and changes; its name is its `name` or the file's.
    **changes
        See `Table.change`.

    Returns
    -------
    Table

    Raises
    ------
    TableError
        If there is no such table, or it is impossible.

    Examples
    --------
    >>> table("naipera").default_players
    4
    """
    found = which if isinstance(which, Table) else _find(which, ())
    return found.change(**changes) if changes else found


def _find(which: str | os.PathLike[str], above: tuple[Path, ...]) -> Table:
    if isinstance(which, str) and not _is_file(which):
        if which not in _SHIPPED:
            allowed = f"{', '.join(_SHIPPED)}, or a TOML file"
            raise TableError("table", which, allowed, why="no such table", hint=hint_for(which, _SHIPPED))
        return _shipped(which)
    if not isinstance(which, str | os.PathLike) or "\0" in os.fspath(which):
        raise TableError("table", which, f"{', '.join(_SHIPPED)}, or a TOML file", why="no such table")
    path = Path(which).expanduser().resolve()
    if path in above:
        raise TableError("base", str(which), "a table that stands on its own", why="its bases form a ring")
    data = read_toml(read_file(path), str(which))
    try:
        made = _make(data, path.stem, path.parent, (*above, path))
    except TableError as error:
        where = f"in {path.name}" + (f", {error.why}" if error.why else "")
        raise TableError(error.field, error.value, error.allowed, where, error.hint) from None
    if made.name in _SHIPPED and made.digest() != _shipped(made.name).digest():
        why = f"{path.name} has other rules than the shipped table of that name"
        raise TableError("name", made.name, "a name of its own", why=why)
    return made


def _is_file(text: str) -> bool:
    """Tell the path of a file from the name of a table."""
    return text.endswith(".toml") or bool(set(text) & {"/", os.sep})


@cache
def _shipped(name: str) -> Table:
    from importlib.resources import files

    text = files(__name__).joinpath("data", f"{name}.toml").read_text(encoding="utf-8")
    return _make(read_toml(text, name), name, Path(), ())


def _make(data: dict[str, Any], stem: str, folder: Path, above: tuple[Path, ...]) -> Table:
    """Make a table from what its file says."""
    name = data.pop("name", stem)
    base = data.pop("base", None)
    if base is None:
        return Table.from_dict(data, name=name)
    if not isinstance(base, str):
        raise TableError("base", base, f"{', '.join(_SHIPPED)}, or a TOML file")
    start = folder / Path(base).expanduser() if _is_file(base) else base
    changed = _find(start, above).change(**data)
    # Through plain data, so that the name is checked and later changes are named after this table.
    return Table.from_dict(changed.to_json(), name=name)
