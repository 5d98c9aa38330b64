"""What goes wrong and whose fault it is: the exceptions the command line turns into one clear line."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches


class PresiError(ValueError):
    """The request is wrong: one line that says what, which value, and what is allowed or near."""


class WorkError(RuntimeError):
    """The request was right but the work failed (a bot misbehaved, a worker died, a file broke)."""


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
    close = get_close_matches(name, known, n=2, cutoff=0.6)
    if close:
        return f"did you mean {' or '.join(close)}?"
    return f"there are {', '.join(known)}"
