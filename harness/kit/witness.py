"""A stand-in that sits in a bot's seat, passes everything on to it, and asks it more than the game does.

At each decision the bot's answer counts in the game. Beside it the bot is asked again: with the same view,
with the view of another deal that it may not tell from this one, and in plain Python. What differs is kept as
a finding, with the match and the view that show it.
"""

from __future__ import annotations

import copy
import dataclasses
import shlex
import time
from collections import Counter
from typing import Any

import numpy as np

from ..arena import Arena
from ..bots.plain import PlainView, describe
from ..bots.program import ProgramBot
from ..bots.ready import ReadyBot
from ..bots.shown import view_data
from ..engine.records import VIEW
from ..notation import move_text
from ..strategy import Strategy
from .redeal import redeal
from .trials import Trial

PLAIN_SECONDS = 2.0
"""A compiled bot's answer in plain Python, where it may be some 100 times slower, should not take longer."""
TOO_SLOW = 3
"""After so many answers at a table that took longer, plain Python is not asked any more there."""

FREE = ("stream", "memory")
"""What of a view a bot changes rightly."""


@dataclasses.dataclass
class Finding:
    """What a check found, and where.

    Attributes
    ----------
    check : str
        Name of the check.
    what : str
        What the bot did, in one line.
    table, code, replay : str
        The table, the match code, and the command that shows the match.
    seat, hand, turn : int
    view : dict
        As an exec bot would be shown it (``docs/exec-bots.md``).
    """

    check: str
    what: str
    table: str
    code: str
    seat: int
    hand: int
    turn: int
    replay: str
    view: dict[str, Any]


class Answer:
    """What a bot said to a view, and what it left behind.

    Attributes
    ----------
    move : int or None
        None if it failed.
    error : Exception or None
        What it raised.
    left : bytes
        Its memory and the state of its stream after the answer.
    spoilt : list of str
        Fields of the view it wrote to and may not.
    """

    def __init__(
        self, move: int | None, error: Exception | None, before: np.ndarray, after: np.ndarray
    ) -> None:
        self.move, self.error = move, error
        self.left = b"".join(after[0][name].tobytes() for name in FREE)
        self.spoilt = [
            name
            for name in VIEW.names or ()
            if name not in FREE and before[0][name].tobytes() != after[0][name].tobytes()
        ]

    def same(self, other: Answer) -> bool:
        """Tell whether another answer is this one, memory and drawn numbers included."""
        return self.move == other.move and self.left == other.left


class Inquiry:
    """Asks one bot at one table, and remembers what it said.

    Parameters
    ----------
    bot : ReadyBot
    trial : Trial
    share : float
        Part of the decisions at which it is also asked with other hidden cards and in plain Python.

    Attributes
    ----------
    said : dict
        Moves by (code, seat, hand, turn, cards still to give); filled in the first pass, compared with after.
    asked : Counter
        Comparisons made, by check.
    findings : list of Finding
        Only the first of each check.
    thorough : bool
        Is this the first pass?
    """

    def __init__(self, bot: ReadyBot, trial: Trial, share: float) -> None:
        self.bot, self.trial, self.share = bot, trial, share
        self.said: dict[tuple[int, ...], int] = {}
        self.asked: Counter[str] = Counter()
        self.findings: list[Finding] = []
        self.thorough = True
        self.arena: Arena | None = None
        self.names: list[str] = []
        self.code = 0
        self.too_slow = 0
        self.rng = np.random.default_rng(0)

    def sit(self, arena: Arena) -> None:
        """Learn which arena the bot plays in: hidden cards lie there, and are changed to see who looks."""
        self.arena = arena
        self.parameters = self.bot.parameters.copy()
        if self.bot.sees_all:
            self.parameters["hidden_at"] = arena.hidden.ctypes.data
            self.bot.instance.hidden_at = arena.hidden.ctypes.data
        if isinstance(self.bot.instance, ProgramBot):
            self.bot.instance.sit(arena.table, arena.players)

    def start(self, code: int, names: list[str]) -> None:
        """Begin a match: its code, and the spec in each seat."""
        self.code, self.names = code, names
        self.rng = np.random.default_rng(code)

    def decide(self, own: Any, view: PlainView, what: str) -> int:
        """Give the bot's answer to a view, and look at it from all sides.

        Parameters
        ----------
        own : Strategy
            The seat's own instance, for a bot in plain Python.
        view : PlainView
        what : {"play", "give"}
        """
        key = (self.code, view.me, view.hand_number, view.turns, view.giving)
        before = np.zeros(1, VIEW)
        before[0] = view._record
        twin = self._twin(own) if self.thorough else None
        answer = self._ask(own, before, what, take=view)
        if answer.error is not None:
            raise answer.error
        assert answer.move is not None
        if not self.thorough:
            self._compare_with_first_pass(key, before, answer)
            return answer.move
        self.said[key] = answer.move
        self.asked["view"] += 1
        if answer.spoilt:
            self.find("view", before, f"it wrote to view.{answer.spoilt[0]}")
        if self.bot.plain is None or twin is not None:
            self._ask_again(twin, before, what, answer)
        return answer.move

    def _twin(self, own: Any) -> Any:
        """Copy the seat's instance as it is before an answer, to be asked the same; None if it cannot be."""
        if self.bot.plain is None or isinstance(self.bot.instance, ProgramBot):
            return None
        try:
            return copy.deepcopy(own)
        except Exception:  # it holds what cannot be copied; the other order of matches still looks at it
            return None

    def _ask(self, own: Any, before: np.ndarray, what: str, take: PlainView | None = None) -> Answer:
        """Ask for an answer to a copy of a view.

        With `take`, memory and stream are left in that view as the game has to find them.
        """
        if self.bot.plain is not None:
            return self._ask_plain(own, before, what, take)
        after = before.copy()
        move, error = None, None
        try:
            move = int(self.bot.owned[what == "give"](self.parameters[0], after[0]))
        except Exception as raised:
            plain = self._ask_plain(self.bot.instance, before, what)
            error = plain.error or raised  # plain Python knows the line
        if take is not None:
            object.__setattr__(take, "_memory", after[0]["memory"].tolist())
            object.__setattr__(take, "_draws", int(after[0]["stream"]))
        return Answer(move, error, before, after)

    def _ask_plain(self, own: Any, before: np.ndarray, what: str, take: PlainView | None = None) -> Answer:
        after = before.copy()
        shown = PlainView(after[0]) if take is None else take
        move, error = None, None
        try:
            give = getattr(own, "give", None) or (lambda view: Strategy.give(own, view))
            result = own.play(shown) if what == "play" else give(shown)
            if isinstance(result, bool | np.bool_) or not isinstance(result, int | np.integer):
                raise TypeError(f"returned {result!r}, which is no move")
            if take is not None:
                after[0] = take._record
            shown.write_back(after[0])
            move = int(result)
        except Exception as raised:
            error = raised
        return Answer(move, error, before, after)

    def _ask_again(self, twin: Any, before: np.ndarray, what: str, answer: Answer) -> None:
        again = self._ask(self._copy(twin), before, what)
        self.asked["again"] += 1
        if not answer.same(again):
            self.find("again", before, f"asked twice with the same view, it {self._unlike(answer, again)}")
            return
        if self.rng.random() >= self.share:
            return
        if not self.bot.sees_all:
            self._ask_with_other_cards(twin, before, what, answer)
        if self.bot.plain is None and self.too_slow < TOO_SLOW:
            self._ask_in_plain_python(before, what, answer)

    def _copy(self, twin: Any) -> Any:
        return None if twin is None else copy.deepcopy(twin)

    def _ask_with_other_cards(self, twin: Any, before: np.ndarray, what: str, answer: Answer) -> None:
        """Put other cards in the other hands, in the very place where the game keeps them, and ask."""
        assert self.arena is not None
        hidden = self.arena.hidden
        kept = hidden.copy()
        redeal(before[0], hidden[0], int(before[0]["me"]), self.rng)
        try:
            other = self._ask(self._copy(twin), before, what)
        finally:
            hidden[:] = kept
        self.asked["hidden"] += 1
        if not answer.same(other):
            self.find("hidden", before, f"with other cards in other hands it {self._unlike(answer, other)}")

    def _ask_in_plain_python(self, before: np.ndarray, what: str, answer: Answer) -> None:
        begin = time.monotonic()
        plain = self._ask_plain(self.bot.instance, before, what)
        self.too_slow += time.monotonic() - begin > PLAIN_SECONDS
        self.asked["plain"] += 1
        if not answer.same(plain):
            self.find("plain", before, f"in plain Python it {self._unlike(answer, plain)}")

    def _compare_with_first_pass(self, key: tuple[int, ...], before: np.ndarray, answer: Answer) -> None:
        if key not in self.said:
            return  # an earlier difference led the match elsewhere, and is told already
        self.asked["order"] += 1
        if answer.move != self.said[key]:
            first = Answer(self.said[key], None, before, before)
            self.find(
                "order",
                before,
                f"with the matches played in another order it {self._unlike(first, answer)}",
            )

    def _unlike(self, one: Answer, other: Answer) -> str:
        """Say how another answer differs from the one that counted."""
        if other.error is not None:
            return f"failed: {describe(other.error)}"
        if one.move == other.move:
            return "left other numbers in view.memory, or drew other random numbers"
        return f"chose {self._text(other.move)} instead of {self._text(one.move)}"

    def _text(self, move: int | None) -> str:
        assert move is not None
        return f"{move_text(self.trial.rules, move, self._flipped)} ({move})"

    @property
    def _flipped(self) -> bool:
        assert self.arena is not None
        return bool(self.arena.view[0]["flipped"])

    def _command(self) -> str:
        """Write the command that shows the match."""
        bots = [f"--bot {shlex.quote(name)}" for name in self.names]
        return " ".join(["presi replay", f"P{self.code}", *self.trial.options, *bots])

    def find(self, check: str, record: np.ndarray, what: str) -> None:
        """Keep the first finding of each check."""
        if any(finding.check == check for finding in self.findings):
            return
        view = PlainView(record[0].copy())
        self.findings.append(
            Finding(
                check=check,
                what=what,
                table=self.trial.title,
                code=f"P{self.code}",
                seat=view.me,
                hand=view.hand_number,
                turn=view.turns + 1,
                replay=self._command(),
                view=view_data(self.trial.rules, view),
            )
        )


class Witness(Strategy):
    """Sits in a bot's seat for an inquiry."""

    compiled = False

    def __init__(self, inquiry: Inquiry) -> None:
        self.inquiry = inquiry
        self.own: Any = None

    def __deepcopy__(self, memo: Any) -> Witness:
        """Give a seat of a new match its own, with a fresh instance of the bot."""
        fresh = Witness(self.inquiry)
        if self.inquiry.bot.plain is not None:
            fresh.own = copy.deepcopy(self.inquiry.bot.instance)
        return fresh

    def _tell(self, what: str, *told: Any) -> None:
        method = getattr(self.own, what, None)
        if callable(method):
            method(*told)

    def start_match(self, view: Any) -> None:
        """Pass on that a match begins."""
        self._tell("start_match", view)

    def start_hand(self, view: Any) -> None:
        """Pass on that a hand begins."""
        self._tell("start_hand", view)

    def observe(self, view: Any, event: Any) -> None:
        """Pass on what another did."""
        self._tell("observe", view, event)

    def play(self, view: Any) -> int:
        """Pass on the question for a move."""
        return self.inquiry.decide(self.own, view, "play")

    def give(self, view: Any) -> int:
        """Pass on the question for a card to give back."""
        return self.inquiry.decide(self.own, view, "give")
