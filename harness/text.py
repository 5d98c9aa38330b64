"""Tables and progress as people read them in a terminal, a pipe or a log."""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from typing import Any


def text_table(heads: Sequence[str], rows: Sequence[Sequence[Any]]) -> str:
    """Lay rows out in columns, numbers to the right; never cut or wrapped.

    Examples
    --------
    >>> print(text_table(["bot", "elo"], [["keep", "12"], ["chain", "-3"]]))
    bot    elo
    keep    12
    chain   -3
    """
    cells = [[str(cell) for cell in row] for row in rows]
    widths = [max(len(line[i]) for line in [list(heads), *cells]) for i in range(len(heads))]
    left = [not all(_is_number(row[i]) for row in cells) for i in range(len(heads))]
    lines = []
    for line in [list(heads), *cells]:
        parts = [
            cell.ljust(width) if to_left else cell.rjust(width)
            for cell, width, to_left in zip(line, widths, left, strict=True)
        ]
        lines.append("  ".join(parts).rstrip())
    return "\n".join(lines)


def _is_number(cell: str) -> bool:
    return cell in ("", "-") or cell.strip("+-").replace(",", "").replace("%", "").replace(".", "").isdigit()


def duration(seconds: float) -> str:
    """Write a time as people say it.

    Examples
    --------
    >>> duration(8.24), duration(185), duration(7300)
    ('8.2 s', '3 min 05 s', '2 h 01 min')
    """
    if seconds < 60:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(int(seconds), 60)
    if minutes < 60:
        return f"{minutes} min {rest:02d} s"
    return f"{minutes // 60} h {minutes % 60:02d} min"


class Progress:
    """A progress bar with rate and time left on stderr; plain lines when that is no terminal.

    Parameters
    ----------
    total : int
        Units of work in all.
    done : int
        Of them done before.
    unit : str
        What is counted.
    every : float
        Seconds between plain lines.
    """

    def __init__(self, total: int, done: int = 0, unit: str = "matches", every: float = 10.0) -> None:
        self.total, self.done, self.unit, self.every = total, done, unit, every
        self._first, self._begin, self._said = done, time.monotonic(), time.monotonic()
        self._counting = False
        self._bar: Any = None
        if sys.stderr.isatty():
            from tqdm import tqdm

            self._bar = tqdm(
                total=total,
                initial=done,
                unit=f" {unit}",
                unit_scale=True,
                file=sys.stderr,
                leave=False,
                dynamic_ncols=True,
                smoothing=0.1,
            )

    def add(self, number: int) -> None:
        """Count more work as done."""
        if not self._counting:  # what came before the first work is loading, and no measure of the rate
            self._counting, self._begin, self._said = True, time.monotonic(), time.monotonic()
            self._first += number
        self.done += number
        if self._bar is not None:
            self._bar.update(number)
            return
        now = time.monotonic()
        if now - self._said >= self.every:
            self._said = now
            rate = (self.done - self._first) / max(now - self._begin, 1e-9)
            left = duration((self.total - self.done) / rate) if rate else "?"
            share = 100 * self.done / max(self.total, 1)
            print(
                f"{self.done:,} of {self.total:,} {self.unit} ({share:.0f} %), {rate:,.0f}/s, {left} left",
                file=sys.stderr,
                flush=True,
            )

    def clear(self) -> None:
        """Make room for lines of results above the bar."""
        if self._bar is not None:
            self._bar.clear()

    def close(self) -> None:
        """Take the bar away."""
        if self._bar is not None:
            self._bar.close()
