"""What a run folder is made of, so that nothing else is ever deleted."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path

from .parts import PART

FILES = ("run.json", "lineups.csv", "ratings.csv", "summary.csv", "report.html", "deals.jsonl")
FOLDERS = {"matches": PART, "hands": PART, "plots": re.compile(r"[^.].*\.png")}
"""What a run folder is made of, and the names of the files in its folders; nothing else is ever deleted."""

_TEMPORARY = re.compile(r"\.?(?P<name>.+?)(\.\d+)?\.tmp")  # .NAME.tmp or .NAME.PROCESS.tmp


def part_numbers(folder: Path) -> set[int]:
    """Give the numbers of the parts in a folder; none if it is not there."""
    try:
        found = [PART.fullmatch(entry.name) for entry in folder.iterdir()]
    except FileNotFoundError:
        return set()
    return {int(match[1]) for match in found if match}


def own_files(path: Path) -> list[Path]:
    """List the files of a run folder that a run may have made, run.json first.

    If their deletion is cut short, then what is left does not look like a run any more.
    """
    files = [path / "run.json"] if (path / "run.json").exists() else []
    files += [entry for entry in path.iterdir() if _is_own_file(entry, FILES) and entry not in files]
    for name, pattern in FOLDERS.items():
        folder = path / name
        if folder.is_dir() and not folder.is_symlink():
            files += [entry for entry in folder.iterdir() if _is_own_file(entry, pattern)]
    return files


def is_own(entry: Path) -> bool:
    """Say whether something in a folder is of the kind a run leaves, with all that is in it."""
    if entry.name in FOLDERS and entry.is_dir() and not entry.is_symlink():
        return all(_is_own_file(file, FOLDERS[entry.name]) for file in entry.iterdir())
    return _is_own_file(entry, FILES)


def _is_own_file(entry: Path, names: Sequence[str] | re.Pattern[str]) -> bool:
    temporary = _TEMPORARY.fullmatch(entry.name)
    name = temporary["name"] if temporary else entry.name
    known = bool(names.fullmatch(name)) if isinstance(names, re.Pattern) else name in names
    return known and not entry.is_dir()


def is_run(path: Path) -> bool:
    """Say whether a folder has a run.json of this harness, of whatever version."""
    try:
        info = json.loads((path / "run.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return False
    return isinstance(info, dict) and {"schema", "request", "bots", "state"} <= set(info)


def is_temporary(file: Path) -> bool:
    """Say whether a file is what a write that was cut short leaves."""
    return bool(_TEMPORARY.fullmatch(file.name))
