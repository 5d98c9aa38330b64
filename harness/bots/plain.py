"""Bots in plain Python behind the same address a compiled bot has."""

from __future__ import annotations

import copy
import ctypes
import traceback
from collections.abc import Callable
from typing import Any

import numpy as np

from ..engine.records import MEMORY, SEATS, VIEW
from ..moves import FAULT
from ..strategy import Strategy, Turn

_CALLBACK = ctypes.CFUNCTYPE(
    ctypes.c_int32, ctypes.POINTER(ctypes.c_int64), ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p
)
"""What `harness.engine.call` calls: where the answer goes, unused, unused, the view; gives back a status."""

_GOLDEN = 0x9E3779B97F4A7C15
_MASK64 = (1 << 64) - 1


class PlainView:
    """A read-only copy of a view with plain Python values; arrays are tuples, ``memory`` is a list."""

    __slots__ = ("_draws", "_memory", "_record", "_values")

    def __init__(self, record: np.void) -> None:
        put = object.__setattr__
        put(self, "_record", record)
        put(self, "_values", {})
        put(self, "_memory", None)
        put(self, "_draws", None)

    def __getattr__(self, name: str) -> Any:
        values = self._values
        if name in values:
            return values[name]
        if name == "stream":
            return int(self._record["stream"]) if self._draws is None else self._draws
        if name == "memory":
            if self._memory is None:
                object.__setattr__(self, "_memory", self._record["memory"].tolist())
            return self._memory
        try:
            value = self._record[name]
        except ValueError:
            raise AttributeError(
                f"the view has no {name!r}; it has {', '.join(self._record.dtype.names)}"
            ) from None
        if isinstance(value, np.void):
            value = PlainView(value)
        elif isinstance(value, np.ndarray):
            value = tuple(value.tolist())
        else:
            value = value.item()
        values[name] = value
        return value

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(f"the view is read-only ({name} cannot be set); view.memory[...] may be written")

    def advance_stream(self) -> int:
        """Draw the next 64 bits of the seat's stream, as compiled code does."""
        state = (self.stream + _GOLDEN) & _MASK64
        object.__setattr__(self, "_draws", state)
        z: int = ((state ^ (state >> 30)) * 0xBF58476D1CE4E5B9) & _MASK64
        z = (z ^ (z >> 27)) * 0x94D049BB133111EB & _MASK64
        return z ^ (z >> 31)

    def write_back(self, record: np.void) -> None:
        """Write what a bot may change, its memory and the state of its stream, to the engine's view."""
        if self._draws is not None:
            record["stream"] = self._draws
        if self._memory is not None:
            if len(self._memory) != MEMORY:
                raise ValueError(f"view.memory holds {MEMORY} numbers, not {len(self._memory)}")
            record["memory"] = self._memory


class PlainBot:
    """Calls a bot's methods from the engine and keeps the exception of a failed call.

    Parameters
    ----------
    prototype : Strategy
        An instance with its parameters; each seat of each match gets a copy of it.

    Attributes
    ----------
    addresses : list of int
        For play, give, start of match, start of hand and observe; 0 where the bot has no such method.
    error : str or None
        What the last failed call raised, with the line of the bot's file.
    interrupted : bool
        Did Ctrl-C (or an exit) come while the bot was thinking? It cannot pass through compiled code.
    """

    def __init__(self, prototype: Any) -> None:
        self.prototype = prototype
        self.error: str | None = None
        self.interrupted = False
        self._seats: list[Any] = [None] * SEATS
        self._views: dict[int, np.void] = {}
        self._callbacks = [
            _CALLBACK(self._guard(self._play)),
            _CALLBACK(self._guard(self._give)),
            _CALLBACK(self._guard(self._start_match)),
        ]
        self.addresses = [ctypes.cast(callback, ctypes.c_void_p).value or 0 for callback in self._callbacks]
        for name, method in (("start_hand", self._start_hand), ("observe", self._observe)):
            if callable(getattr(prototype, name, None)):
                callback = _CALLBACK(self._guard(method))
                self._callbacks.append(callback)
                self.addresses.append(ctypes.cast(callback, ctypes.c_void_p).value or 0)
            else:
                self.addresses.append(0)

    def _guard(self, method: Callable[[PlainView], Any]) -> Callable[..., int]:
        def call(answer: Any, _raised: Any, _parameters: Any, address: int) -> int:
            answer[0] = FAULT  # should even this function fail, ctypes would report success
            try:
                record = self._view_at(address)
                view = PlainView(record.copy())
                result = method(view)
                view.write_back(record)
                if isinstance(result, bool | np.bool_) or not isinstance(result, int | np.integer):
                    raise TypeError(f"returned {result!r}, which is no move")
                if not -(2**31) <= result < 2**31:
                    raise ValueError(f"returned {result}, which is no move")
                answer[0] = int(result)
                return 0
            except BaseException as error:  # nothing may pass through compiled code, not even Ctrl-C
                self.interrupted |= isinstance(error, KeyboardInterrupt | SystemExit)
                self.error = describe(error)
                return 1

        return call

    def _view_at(self, address: int) -> np.void:
        if address not in self._views:
            memory = (ctypes.c_char * VIEW.itemsize).from_address(address)
            record = np.frombuffer(memory, VIEW)[0]  # type: ignore[call-overload]
            self._views = {address: record}
        return self._views[address]

    def _play(self, view: PlainView) -> Any:
        return self._seats[view.me].play(view)

    def _give(self, view: PlainView) -> Any:
        bot = self._seats[view.me]
        return bot.give(view) if hasattr(bot, "give") else Strategy.give(bot, view)

    def _start_match(self, view: PlainView) -> int:
        self._seats[view.me] = None  # never the instance of an earlier match
        bot = copy.deepcopy(self.prototype)
        self._seats[view.me] = bot
        if callable(getattr(bot, "start_match", None)):
            bot.start_match(view)
        return 0

    def _start_hand(self, view: PlainView) -> int:
        self._seats[view.me].start_hand(view)
        return 0

    def _observe(self, view: PlainView) -> int:
        last = view.turns - 1
        self._seats[view.me].observe(view, Turn(view.turn_seat[last], view.turn_move[last]))
        return 0


def describe(error: BaseException) -> str:
    """Say what a bot raised and where in its own file, without a traceback."""
    frames = [
        frame
        for frame in traceback.extract_tb(error.__traceback__)
        if not any(folder in frame.filename for folder in ("harness/bots/p", "harness/kit/"))
    ]
    where = f" (line {frames[-1].lineno} in {frames[-1].name})" if frames else ""
    try:
        text = " ".join(str(error).split())
    except Exception:  # an exception of the bot's own that cannot even be written
        text = "(cannot be written)"
    return f"{type(error).__name__}: {text}{where}"
