"""From a bot's class to addresses the engine can call."""

from __future__ import annotations

import dataclasses
import types as pytypes
import warnings
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numba
import numpy as np
from numba.core import types
from numba.core.errors import NumbaWarning

from ..compiling import cache_folder, caching_in, digest_of
from ..engine.records import VIEW
from ..errors import PresiError
from ..strategy import Strategy
from .check import refuse_bad_habits, writes_to_self
from .plain import PlainBot
from .spec import BotSpec, build, parameters_of, sources

VIEW_TYPE = numba.from_dtype(VIEW)


@dataclasses.dataclass
class ReadyBot:
    """A bot the engine can call; it owns what its addresses point to.

    Attributes
    ----------
    spec : BotSpec
    addresses : list of int
        For play, give, start of match, start of hand, observe (0: none).
    parameters : ndarray
        One record of the bot's parameters.
    shipped : bool
        Does it come with the harness? Others are shown a copy of the view, so that nothing they write reaches
        the game: what they do cannot all be seen by reading their source.
    plain : PlainBot or None
        Set for a bot that runs in plain Python.
    why_plain : str
        Why it is not compiled, where it was meant to be.
    sees_all : bool
        Is it told where the hidden state lies?
    instance : object
        The bot itself, to be asked in plain Python what it says to a view.
    """

    spec: BotSpec
    addresses: list[int]
    parameters: np.ndarray
    shipped: bool
    plain: PlainBot | None
    why_plain: str
    instance: Any
    sees_all: bool = False
    owned: tuple[Any, ...] = ()


def parameter_record(instance: Any) -> np.ndarray:
    """Lay a bot's parameters out as one record that compiled code can read.

    Raises
    ------
    TypeError
        If one of them is no number, bool or tuple of numbers.
    """
    fields: list[Any] = []
    values: list[Any] = []
    for name in parameters_of(type(instance)):
        value = getattr(instance, name)
        if isinstance(value, bool):
            fields.append((name, np.bool_))
        elif isinstance(value, int):
            fields.append((name, np.int64))
        elif isinstance(value, float):
            fields.append((name, np.float64))
        elif isinstance(value, tuple) and value:
            array = np.array(value)
            if array.dtype not in (np.int64, np.float64):
                raise TypeError(f"parameter {name} is no tuple of numbers")
            fields.append((name, array.dtype, array.shape))
        else:
            raise TypeError(f"parameter {name} is a {type(value).__name__}")
        values.append(value)
    if getattr(type(instance), "sees_all", False):
        fields.append(("hidden_at", np.int64))
        values.append(0)
    if not fields:
        fields, values = [("none", np.int64)], [0]
    return np.array([tuple(values)], np.dtype(fields, align=True))


@cache
def _methods(cls: Any, parameters: np.dtype[Any], folder: Path, careful: bool) -> tuple[Any, Any]:
    """Compile a class's `play` and `give`, once for all bots of the class.

    Bots that differ in the values of their parameters alone share one function, which also lets the
    processor guess better where the engine's next call goes.
    """
    give = getattr(cls, "give", Strategy.give)
    return _compile(cls.play, parameters, folder, careful), _compile(give, parameters, folder, careful)


def _compile(method: Callable[..., Any], parameters: np.dtype[Any], folder: Path, careful: bool) -> Any:
    """Compile one method for the engine's signature; helpers of the same module are compiled with it."""
    with caching_in(folder), warnings.catch_warnings():
        warnings.simplefilter("ignore", NumbaWarning)
        # a bot file that is gone (its text is in run.json) has nowhere to keep compiled code
        kept = Path(method.__code__.co_filename).is_file()
        options = {"cache": kept, "nogil": True, **({"boundscheck": True} if careful else {})}
        function = _with_compiled_helpers(method, careful, {})
        arguments = (numba.from_dtype(parameters), VIEW_TYPE)
        free = numba.njit(arguments, **options)(function)
        result = free.nopython_signatures[0].return_type
        if result == numba.int64:
            return free
        inner = getattr(result, "type", result)  # of a result that may be None
        if not isinstance(inner, types.Integer):
            raise PresiError(f"{method.__qualname__} returns {result}, which is no move")
        return numba.njit(numba.int64(*arguments), **options)(function)


def _with_compiled_helpers(function: Callable[..., Any], careful: bool, done: dict[Any, Any]) -> Any:
    """Give the function with the plain functions of its module that it names replaced by compiled ones.

    So a bot's author writes ordinary functions and need not know how they are compiled.
    """
    assert isinstance(function, pytypes.FunctionType)
    names = dict(function.__globals__)
    for name in function.__code__.co_names:
        other = names.get(name)
        if isinstance(other, pytypes.FunctionType) and other.__module__ == function.__module__:
            if other not in done:
                done[other] = None  # a function that calls itself is left as it is
                inner = _with_compiled_helpers(other, careful, done)
                done[other] = numba.njit(inner, **({"boundscheck": True} if careful else {}))
            if done[other] is not None:
                names[name] = done[other]
    copy = pytypes.FunctionType(
        function.__code__, names, function.__name__, function.__defaults__, function.__closure__
    )
    copy.__qualname__ = function.__qualname__
    copy.__module__ = function.__module__
    return copy


def address_of(dispatcher: Any) -> int:
    """Give the address of a compiled function's only version, in the convention `call_bot` uses."""
    result = dispatcher.overloads[dispatcher.signatures[0]]
    address = result.library.get_pointer_to_function(result.fndesc.llvm_func_name)
    if not address:
        raise RuntimeError(f"no compiled code for {dispatcher.py_func.__qualname__}")
    return int(address)


def make_ready(spec: BotSpec, instance: Any = None) -> ReadyBot:
    """Build, check and compile (or wrap) the bot a spec names.

    Parameters
    ----------
    spec : BotSpec
    instance : Strategy, optional
        A bot that is there already; the spec then only says what to call it.

    Raises
    ------
    PresiError
        If there is no such bot, or it breaks a rule that reading its source shows.
    """
    if instance is None:
        instance = build(spec)
    cls = type(instance)
    if spec.target.startswith("exec:"):
        return _plain(spec, instance, "")
    refuse_bad_habits(spec.label, cls)
    shipped = cls.__module__.startswith("strategies.")
    sees_all = bool(getattr(cls, "sees_all", False))
    if sees_all and not shipped:
        raise PresiError(f"bot {spec.label!r}: sees_all is for bots that come with the harness")
    if not getattr(cls, "compiled", True):
        return _plain(spec, instance, "")
    try:
        for hook in ("start_match", "start_hand", "observe"):
            if callable(getattr(cls, hook, None)):
                raise TypeError(f"it has {hook}, which only plain Python can be told")
        record = parameter_record(instance)
        if writes_to_self(cls):
            raise TypeError("it keeps something on self, which only plain Python can")
        kind = "shipped" if shipped else "own"
        folder = cache_folder(f"bots-{kind}-{digest_of(sources(spec, cls))}")
        owned = _methods(cls, record.dtype, folder, not shipped)  # type: ignore[arg-type]
    except PresiError:
        raise
    except Exception as error:  # whatever the compiler does not like, plain Python may
        return _plain(spec, instance, _first_line(error))
    return ReadyBot(
        spec=spec,
        addresses=[*(address_of(dispatcher) for dispatcher in owned), 0, 0, 0],
        parameters=record,
        shipped=shipped,
        plain=None,
        why_plain="",
        instance=instance,
        sees_all=sees_all,
        owned=owned,
    )


def _plain(spec: BotSpec, instance: Any, why: str) -> ReadyBot:
    bot = PlainBot(instance)
    return ReadyBot(spec, bot.addresses, np.zeros(1, np.int64), False, bot, why, instance)


def _first_line(error: BaseException) -> str:
    """Give the line of a compiler's message that says most, and the line of the file it is about."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    told = [line for line in lines if not line.startswith(("Failed in", "During", "File ", "There are"))]
    text = (told or lines or [type(error).__name__])[0]
    if "No conversion from none" in text:
        text = "it returns nothing on some way through"
    line = getattr(getattr(error, "loc", None), "line", None)
    return f"{text} (line {line})" if line else text
