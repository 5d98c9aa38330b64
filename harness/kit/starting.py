"""A first bot, as a file to start from."""

from __future__ import annotations

import keyword
from importlib.resources import files
from pathlib import Path

from ..errors import PresiError


def class_name(path: Path) -> str:
    """Make the name of a bot's class from the name of its file.

    Raises
    ------
    PresiError
        If no class can be called so.

    Examples
    --------
    >>> class_name(Path("bots/my_first-bot.py"))
    'MyFirstBot'
    """
    words = path.stem.replace("-", "_").split("_")
    name = "".join(word[:1].upper() + word[1:] for word in words)
    if path.suffix != ".py" or not name.isidentifier() or keyword.iskeyword(name):
        raise PresiError(f"{path}: a bot's file is named like my_bot.py, of letters, digits and _")
    return name


def write_bot(path: Path) -> str:
    """Write a commented bot that works, to be changed into one of one's own.

    Returns
    -------
    str
        The bot's spec.

    Raises
    ------
    PresiError
        If the file is there already, its folder is not, or its name is none for a bot.
    """
    name = class_name(path)
    if not path.parent.is_dir():
        raise PresiError(f"{path}: there is no folder {path.parent}")
    text = files(__package__).joinpath("bot.txt").read_text(encoding="utf-8")
    text = text.replace("FILE", str(path)).replace("CLASS", name)
    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(text)
    except FileExistsError:
        raise PresiError(f"{path} is there already; it was left as it is") from None
    return f"{path}:{name}"
