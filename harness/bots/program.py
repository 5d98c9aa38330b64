"""Bots that are programs of their own: JSON Lines over stdin and stdout, one answer to each request.

``docs/exec-bots.md`` has the messages in full. One program serves all seats of its bot in one worker process.
It is started when it is first needed, has to say hello in `HELLO_SECONDS`, and is asked to leave at the end.
A program that is late, dies or answers nonsense is ended, and started anew should it be asked again.
"""

from __future__ import annotations

import atexit
import contextlib
import json
import os
import selectors
import shlex
import signal
import subprocess
import sys
import tempfile
import time
import weakref
from typing import Any, ClassVar

from .. import moves
from ..errors import PresiError
from ..notation import parse_move
from ..strategy import Strategy
from ..tables import Table
from .shown import view_data

PROTOCOL = 1
HELLO_SECONDS = 10.0
"""Time a program has to start and say that it is ready."""
LEAVE_SECONDS = 1.0
"""Time it has to end after being told goodbye."""
LINE = 1 << 16
"""Longest answer, in bytes."""

_running: weakref.WeakSet[Program] = weakref.WeakSet()


class Program:
    """A bot's process.

    Parameters
    ----------
    command : str
        As a shell would split it; no shell is run.
    seconds : float
        Time for an answer.
    """

    def __init__(self, command: str, seconds: float) -> None:
        self.words = shlex.split(command)
        self.seconds = seconds
        self.table: Table | None = None
        self.players = 0
        self._process: subprocess.Popen[bytes] | None = None
        self._said: Any = None
        self._buffer = b""

    def ask(self, message: dict[str, Any]) -> dict[str, Any]:
        """Send a request and wait for its answer.

        Raises
        ------
        RuntimeError, TimeoutError, ValueError
            If the program died, was late, or answered what is no JSON object. It is ended then.
        """
        try:
            if self._process is None:
                self._start()
            return self._exchange(message, self.seconds)
        except BaseException:
            self.end(at_once=True)
            raise

    def _start(self) -> None:
        assert self.table is not None
        self._said = tempfile.TemporaryFile()  # noqa: SIM115 - closed in end
        self._buffer = b""
        try:
            self._process = subprocess.Popen(
                self.words,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._said,
                start_new_session=True,  # Ctrl-C is for the harness, which then says goodbye
                preexec_fn=_die_with_parent if sys.platform == "linux" else None,
            )
        except OSError as error:
            raise RuntimeError(f"{self.words[0]} cannot be started: {error.strerror}") from None
        _running.add(self)
        hello = {
            "type": "hello",
            "protocol": PROTOCOL,
            "rules": self.table.name,
            "table": self.table.to_json(),
            "players": self.players,
            "seconds": self.seconds,
        }
        answer = self._exchange(hello, HELLO_SECONDS)
        if answer.get("type") != "ready" or answer.get("protocol") != PROTOCOL:
            raise ValueError(
                f"answered hello with {_short(json.dumps(answer))}; "
                f'expected {{"type": "ready", "protocol": {PROTOCOL}}}'
            )

    def _exchange(self, message: dict[str, Any], seconds: float) -> dict[str, Any]:
        process = self._process
        assert process is not None and process.stdin is not None
        try:
            process.stdin.write(json.dumps(message, separators=(",", ":")).encode() + b"\n")
            process.stdin.flush()
        except OSError:
            raise RuntimeError(self._death()) from None
        line = self._read_line(seconds)
        try:
            answer = json.loads(line)
        except ValueError:
            answer = None
        if not isinstance(answer, dict):
            raise ValueError(f"answered {_short(line.decode(errors='replace'))}, which is no JSON object")
        return answer

    def _read_line(self, seconds: float) -> bytes:
        process = self._process
        assert process is not None and process.stdout is not None
        until = time.monotonic() + seconds
        with selectors.DefaultSelector() as selector:
            selector.register(process.stdout, selectors.EVENT_READ)
            while b"\n" not in self._buffer:
                rest = until - time.monotonic()
                if rest <= 0 or not selector.select(rest):
                    raise TimeoutError(f"no answer in {seconds:g} s")
                read = os.read(process.stdout.fileno(), LINE)
                if not read:
                    raise RuntimeError(self._death())
                self._buffer += read
                if len(self._buffer) > LINE:
                    raise ValueError(f"answered more than {LINE} bytes")
        line, _, self._buffer = self._buffer.partition(b"\n")
        return line

    def _death(self) -> str:
        """Say how the program ended, with the last line it wrote to stderr."""
        process = self._process
        assert process is not None
        try:
            code = process.wait(LEAVE_SECONDS)
        except subprocess.TimeoutExpired:
            return "it closed its output"
        how = f"exit code {code}" if code >= 0 else f"signal {-code}"
        self._said.seek(0)
        lines = [line for line in self._said.read().decode(errors="replace").splitlines() if line.strip()]
        return f"it ended with {how}" + (f": {_short(lines[-1].strip())}" if lines else "")

    def end(self, at_once: bool = False) -> None:
        """Say goodbye and see to it that the process, and all it started, is gone."""
        process, self._process = self._process, None
        if process is None:
            return
        with contextlib.suppress(OSError):
            assert process.stdin is not None
            if not at_once:
                process.stdin.write(b'{"type":"bye"}\n')
            process.stdin.close()
        if not at_once:
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(LEAVE_SECONDS)
        with contextlib.suppress(OSError):
            os.killpg(process.pid, signal.SIGKILL)
        with contextlib.suppress(OSError):
            assert process.stdout is not None
            process.stdout.close()
        process.wait()
        self._said.close()


def _die_with_parent() -> None:
    """Ask Linux to end this process when the one that started it dies, however that happens."""
    import ctypes

    ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG


@atexit.register
def _end_all() -> None:
    for program in list(_running):
        program.end()


def _short(text: str) -> str:
    return repr(text if len(text) <= 80 else text[:77] + "...")


class ProgramBot(Strategy):
    """Another program, asked over its stdin and stdout."""

    compiled: ClassVar[bool] = False

    def __init__(self, command: str, seconds: float) -> None:
        self.program = Program(command, seconds)
        self.game = ""

    def __deepcopy__(self, memo: Any) -> ProgramBot:
        """Give a seat of a new match a bot of its own on the same program."""
        bot = object.__new__(ProgramBot)
        bot.program, bot.game = self.program, ""
        return bot

    def sit(self, table: Table, players: int) -> None:
        """Be told the table; a program of another table is ended."""
        program = self.program
        if (program.table, program.players) != (table, players):
            program.end()
            program.table, program.players = table, players

    def start_match(self, view: Any) -> None:
        """Draw a name for this seat's match that tells nothing of its code."""
        self.game = f"{int(moves.random(view) * 2**53):014x}"

    def play(self, view: Any) -> int:
        """Ask for a move."""
        return self._ask("play", view)

    def give(self, view: Any) -> int:
        """Ask for a card to give back."""
        return self._ask("give", view)

    def _ask(self, what: str, view: Any) -> int:
        table = self.program.table
        assert table is not None
        message = {"type": what, "game": self.game, "random": moves.random(view), **view_data(table, view)}
        if what == "give":
            message["giving"] = view.giving
        answer = self.program.ask(message)
        text = answer.get("move")
        move = parse_move(table, text, view.flipped) if isinstance(text, str) else None
        if move is None:
            raise ValueError(f"answered {_short(json.dumps(answer))}, which names no move")
        return move


def check_command(label: str, command: str) -> None:
    """Refuse a command line that cannot be one.

    Raises
    ------
    PresiError
    """
    import shutil

    try:
        words = shlex.split(command)
    except ValueError as error:
        raise PresiError(f"bot {label!r}: {error}") from None
    if not words:
        raise PresiError(f"bot {label!r}: name the program, as exec:node bot.js")
    if shutil.which(words[0]) is None:
        raise PresiError(f"bot {label!r}: there is no program {words[0]!r}")
