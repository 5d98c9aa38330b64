"""What goes wrong and whose fault it is: the exceptions the command line turns into one clear line."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches
from typing import Any


class PresiError(ValueError):
    """The request is wrong: one line that says what, which value, and what is allowed or near."""


class WorkError(RuntimeError):
    """The request was right but the work failed (a bot misbehaved, a worker died, a file broke)."""


class BotFault(WorkError):
    """A bot raised or answered with something it may not play.

    Attributes
    ----------
    label, code, seat : str, str, int
    """

    def __init__(self, label: str, code: str, seat: int, what: str) -> None:
        super().__init__(f"bot {label!r} at seat {seat} of match {code} {what}")
        self.label, self.code, self.seat, self.what = label, code, seat, what

    def __reduce__(self) -> Any:
        return type(self), (self.label, self.code, self.seat, self.what)


def near(name: str, known: Iterable[str]) -> str:
    """Name what is close to an unknown name, or else everything there is.

    Parameters
    ----------
    name : str
        What was asked for.
    known : iterable of str
        What there is.

    Returns
    -------
    str
        A phrase that ends a sentence.

    Examples
    --------
    >>> near("chian", ["chain", "keep"])
    'did you mean chain?'
    >>> near("zzz", ["chain", "keep"])
    'there are chain, keep'
    """
    known = list(known)
    if not known:
        return "there is none"
    close = get_close_matches(name, known, n=2, cutoff=0.6)
    if close:
        return f"did you mean {' or '.join(close)}?"
    return f"there are {', '.join(known)}"
