"""For the tests of one's own bots: ``check_strategy(MyBot)`` is the conformance check as one call."""

from __future__ import annotations

from typing import Any

from .kit.check import Report, check_bot, ready_for_check
from .kit.show import report_lines


def check_strategy(bot: Any, matches: int = 1, seed: int = 0) -> Report:
    """Put a bot through the conformance check, as ``presi check`` does.

    Parameters
    ----------
    bot : class, instance or str
        A bot's class, an instance with its parameters, or a bot spec.
    matches : int
        At each table; more find more.
    seed : int
        Of the matches.

    Returns
    -------
    Report
        What was checked, how often, and how fast the bot is.

    Raises
    ------
    AssertionError
        If it fails a check: with the match and the view that show it.
    PresiError
        If the bot cannot be used at all.
    """
    report = check_bot(ready_for_check(bot), matches, seed=seed)
    if not report.passed:
        raise AssertionError("\n".join(report_lines(report)))
    return report
