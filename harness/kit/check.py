"""The conformance check: what a bot must do on every table, and the position that shows it does not."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Sequence
from random import Random
from typing import Any

import numpy as np

from ..arena import Arena
from ..bench import measure
from ..bots.plain import PlainBot
from ..bots.program import ProgramBot
from ..bots.ready import ReadyBot, make_ready
from ..bots.spec import BotSpec, parse_spec
from ..errors import BotFault
from ..streams import combine
from .trials import Trial, all_trials, trial
from .witness import TOO_SLOW, Finding, Inquiry, Witness

OTHERS = ("random", "lowgroup", "chain")
"""Who else sits at the table."""

CHECKS = {
    "legal": "makes only legal moves",
    "plain": "chooses alike compiled and in plain Python",
    "again": "says the same to the same view",
    "hidden": "does not depend on hidden cards",
    "view": "leaves the view alone",
    "order": "does not depend on the matches before",
}
"""What is checked, by name."""

SPEED_TABLES = ("barajamos", "presidente-casa")
SPEED_SECONDS = 0.5


@dataclasses.dataclass
class Outcome:
    """How a bot stood one check.

    Attributes
    ----------
    check : str
        A name of `CHECKS`.
    asked : int
        Comparisons made; for ``legal`` the bot's decisions. 0: it did not apply, see `note`.
    failed : int
        Tables at which it failed.
    note : str
        Why it did not apply, or was cut short.
    """

    check: str
    asked: int
    failed: int = 0
    note: str = ""


@dataclasses.dataclass
class Report:
    """What the conformance check says of a bot.

    Attributes
    ----------
    bot : str
        Its label.
    kind : str
        ``compiled``, ``plain Python`` (with why) or ``program``.
    tables, matches : int
        How many were played.
    outcomes : list of Outcome
        One for each of `CHECKS`.
    findings : list of Finding
        The first failure of each check at each table.
    speed : dict
        Decisions a second, by table, four seats of the bot.
    """

    bot: str
    kind: str
    tables: int
    matches: int
    outcomes: list[Outcome]
    findings: list[Finding]
    speed: dict[str, float]

    @property
    def passed(self) -> bool:
        """Say whether it passed every check."""
        return not self.findings

    def to_json(self) -> dict[str, Any]:
        """Give the report as plain data."""
        return {"passed": self.passed, **dataclasses.asdict(self)}


def check_bot(
    bot: ReadyBot,
    matches: int = 4,
    trials: Iterable[Trial] | None = None,
    seed: int = 0,
    share: float = 0.25,
    progress: Callable[[int], None] = lambda done: None,
) -> Report:
    """Put a bot through all checks.

    Parameters
    ----------
    bot : ReadyBot
    matches : int
        At each table.
    trials : iterable of Trial, optional
        The tables; all that `all_trials` gives, if not said.
    seed : int
        Of the matches, 0 to 2^64 - 1.
    share : float
        Part of the decisions asked again with other hidden cards and in plain Python.
    progress : callable
        Told how many more matches were played.

    Returns
    -------
    Report
    """
    inquiries: list[Inquiry] = []
    findings: list[Finding] = []
    codes = combine(np.full(matches, seed, np.uint64), np.arange(matches, dtype=np.uint64))
    others = [make_ready(parse_spec(name)) for name in OTHERS]
    for asked in all_trials() if trials is None else trials:
        inquiry = Inquiry(bot, asked, share)
        arena = Arena(asked.rules, asked.players, [_stand_in(inquiry), *others])
        inquiry.sit(arena)
        for code in codes.tolist():
            _play(inquiry, arena, code, _seats(code, arena.players))
            progress(1)
        inquiries.append(inquiry)
    for inquiry in reversed(inquiries):
        assert inquiry.arena is not None
        inquiry.sit(inquiry.arena)
        inquiry.thorough = False
        for code in reversed(codes.tolist()):
            _play(inquiry, inquiry.arena, code, _seats(code, inquiry.arena.players))
            progress(1)
    for inquiry in inquiries:
        findings += inquiry.findings
    speed = {} if any(finding.check == "legal" for finding in findings) else _speed(bot, findings)
    return Report(
        bot=bot.spec.label,
        kind=_kind(bot),
        tables=len(inquiries),
        matches=matches * len(inquiries),
        outcomes=[_outcome(bot, check, inquiries, findings) for check in CHECKS],
        findings=findings,
        speed=speed,
    )


def _stand_in(inquiry: Inquiry) -> ReadyBot:
    witness = PlainBot(Witness(inquiry))
    return dataclasses.replace(
        inquiry.bot,
        addresses=witness.addresses,
        parameters=np.zeros(1, np.int64),
        shipped=False,
        plain=witness,
        sees_all=False,
    )


def _seats(code: int, players: int) -> list[int]:
    """Draw who sits where: the bot (0) in one seat or more; the same code gives the same seats."""
    chance = Random(code)
    seating = [0] + [chance.choice([0, 1, 2, 3]) for _ in range(players - 1)]
    chance.shuffle(seating)
    return seating


def _play(inquiry: Inquiry, arena: Arena, code: int, seating: list[int]) -> None:
    """Play one match, and keep a fault of the bot as a finding."""
    specs = [inquiry.bot.spec.spec, *OTHERS]
    inquiry.start(code, [specs[number] for number in seating])
    try:
        arena.play(np.array([code], np.uint64), np.array([seating], np.int32))
    except BotFault as fault:
        if not inquiry.thorough:
            return
        record = arena.view.copy()
        record[0]["me"] = fault.seat
        inquiry.find("legal", record, fault.what.rpartition("; hand ")[0])


def _kind(bot: ReadyBot) -> str:
    if isinstance(bot.instance, ProgramBot):
        return "program"
    if bot.plain is None:
        return "compiled"
    return f"plain Python: {bot.why_plain}" if bot.why_plain else "plain Python"


def _outcome(bot: ReadyBot, check: str, inquiries: Sequence[Inquiry], findings: Sequence[Finding]) -> Outcome:
    counted = "view" if check == "legal" else check
    outcome = Outcome(
        check,
        asked=sum(inquiry.asked[counted] for inquiry in inquiries),
        failed=len({finding.table for finding in findings if finding.check == check}),
    )
    if isinstance(bot.instance, ProgramBot):
        if check in ("plain", "again", "hidden"):
            outcome.note = "a program is shown no more than the messages it gets, and asked once"
    elif check == "plain" and bot.plain is not None:
        outcome.note = "it is not compiled"
    elif check == "plain" and any(inquiry.too_slow >= TOO_SLOW for inquiry in inquiries):
        outcome.note = "cut short: answers took more than 2 s in plain Python"
    elif check == "hidden" and bot.sees_all:
        outcome.note = "it is meant to see all hands"
    elif outcome.asked == 0 and outcome.failed == 0:
        outcome.note = "nothing to compare"
    return outcome


def _speed(bot: ReadyBot, findings: list[Finding]) -> dict[str, float]:
    """Measure decisions a second, by table; it plays many matches, so it may find faults too."""
    speed = {}
    for name in SPEED_TABLES:
        asked = trial(name, 4, (), hands=1)
        try:
            speed[name] = measure(asked.rules, [bot] * 4, SPEED_SECONDS)["turns_per_s"]
        except BotFault as fault:
            inquiry = Inquiry(bot, asked, share=0.0)
            arena = Arena(asked.rules, 4, [_stand_in(inquiry)])
            inquiry.sit(arena)
            _play(inquiry, arena, int(fault.code[1:]), [0, 0, 0, 0])
            findings += inquiry.findings
    return speed


def ready_for_check(bot: Any) -> ReadyBot:
    """Make a bot ready from what there is of it: a spec, a class or an instance.

    Raises
    ------
    PresiError
        If there is no such bot, or reading its source shows that it breaks a rule.
    """
    if isinstance(bot, str):
        return make_ready(parse_spec(bot))
    instance = bot() if isinstance(bot, type) else bot
    cls = type(instance)
    target = f"{cls.__module__}:{cls.__qualname__}"
    return make_ready(BotSpec(cls.__name__, target, target), instance)
