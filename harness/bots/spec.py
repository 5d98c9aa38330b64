"""Finding a bot by its spec.

A spec is ``name``, ``name:key=value:key=value``, ``path/to/file.py:Class[:key=value...]``,
``package.module:Class[:key=value...]`` or ``exec:COMMAND LINE``; ``label@SPEC`` gives it a name of its own.
"""

from __future__ import annotations

import dataclasses
import hashlib
import importlib
import json
import pkgutil
import shlex
import sys
import traceback
import types
from functools import cache
from pathlib import Path
from typing import Any, get_type_hints

from ..errors import PresiError, near
from ..strategy import Strategy

PROGRAM_SECONDS = 1.0
"""Time a program has for an answer, if nothing else is said."""


@dataclasses.dataclass(frozen=True)
class BotSpec:
    """A bot as it was asked for; picklable, so that worker processes can find the same one.

    Attributes
    ----------
    label : str
        Its name in results.
    spec : str
        The spec without the label.
    target : str
        What names the class: ``name``, ``file.py:Class`` or ``module:Class``; or ``exec:COMMAND LINE``.
    params : tuple of (str, str)
        Parameters as written.
    source : str or None
        The text of a bot file as it was when the spec was read: later edits do not change a running match.
    """

    label: str
    spec: str
    target: str
    params: tuple[tuple[str, str], ...] = ()
    source: str | None = None


def parse_spec(text: str) -> BotSpec:
    """Read a bot spec; the class is not looked for yet, but a bot file is read.

    Raises
    ------
    PresiError
        If the text is no spec, or its file cannot be read.

    Examples
    --------
    >>> parse_spec("easy@hold:keep=1").label
    'easy'
    >>> parse_spec("hold:keep=1").params
    (('keep', '1'),)
    """
    label, at, spec = text.strip().partition("@")
    if not at or label.startswith("exec:"):
        at, label, spec = "", "", text.strip()
    elif not label or not spec:
        raise PresiError(f"bot {text!r}: a label is written label@SPEC, as in easy@hold")
    if spec.startswith("exec:"):
        from .program import check_command

        check_command(label or spec, spec[5:])
        return BotSpec(label or spec, spec, spec)
    parts = spec.split(":")
    names = [part for part in parts if "=" not in part]
    if not spec or names != parts[: len(names)] or len(names) > 2 or not all(names):
        raise PresiError(
            f"bot {text!r}: a spec is name, name:key=value, path/to/file.py:Class or package.module:Class"
        )
    params = []
    for part in parts[len(names) :]:
        key, _, value = part.partition("=")
        params.append((key.strip(), value.strip()))
    source = None
    if names[0].endswith(".py"):
        if len(names) != 2:
            raise PresiError(f"bot {text!r}: name the class too, as {names[0]}:{_classes_in(names[0])}")
        source = _read(names[0], text)
    target = ":".join(names)
    shown = ":".join([names[-1], *parts[len(names) :]])
    return BotSpec(label or shown, spec, target, tuple(params), source)


def _read(path: str, text: str) -> str:
    try:
        return Path(path).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "not UTF-8 text"
        raise PresiError(f"bot {text!r}: cannot read {path}: {reason}") from None


def _classes_in(path: str) -> str:
    """Guess the class meant in a file by its text alone."""
    try:
        lines = Path(path).read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError):
        return "Class"
    found = [line[6:].split("(")[0].split(":")[0].strip() for line in lines if line.startswith("class ")]
    return found[-1] if found else "Class"


@cache
def shipped() -> dict[str, type[Strategy]]:
    """Give the bots that come with the harness, by name (the class's name in lower case)."""
    import strategies

    found = {}
    for info in pkgutil.iter_modules(strategies.__path__):
        module = importlib.import_module(f"strategies.{info.name}")
        for thing in vars(module).values():
            if (
                isinstance(thing, type)
                and issubclass(thing, Strategy)
                and thing.__module__ == module.__name__
                and not thing.__name__.startswith("_")
            ):
                found[thing.__name__.lower()] = thing
    return dict(sorted(found.items()))


def find_class(spec: BotSpec) -> type[Strategy]:
    """Find the class a spec names.

    Raises
    ------
    PresiError
        If there is none (with the nearest name), or its file does not run (with the line).
    """
    name, colon, class_name = spec.target.partition(":")
    if not colon:
        known = shipped()
        if name not in known:
            raise PresiError(f"unknown bot {name!r}: {near(name, known)}")
        return known[name]
    if spec.source is not None:
        module = _module_of_file(name, spec.source)
    else:
        try:
            module = importlib.import_module(name)
        except (Exception, SystemExit) as error:
            text = " ".join(str(error).split())
            raise PresiError(f"bot {spec.spec!r}: cannot import {name!r}: {text}") from None
    found = getattr(module, class_name, None)
    if not isinstance(found, type):
        classes = [
            key
            for key, value in vars(module).items()
            if isinstance(value, type) and value.__module__ == module.__name__
        ]
        raise PresiError(
            f"bot {spec.spec!r}: {name} has no class {class_name!r}; {near(class_name, classes)}"
        )
    if not callable(getattr(found, "play", None)) or getattr(found, "play", None) is Strategy.play:
        raise PresiError(f"bot {spec.spec!r}: class {class_name} has no play(self, view) method")
    return found


@cache
def _module_of_file(path: str, source: str) -> types.ModuleType:
    """Run a bot file's text as a module of its own."""
    digest = hashlib.sha256(source.encode()).hexdigest()[:16]
    module = types.ModuleType(f"presi_bot_{digest}")
    module.__file__ = str(Path(path).resolve())
    folder = str(Path(path).resolve().parent)
    if folder not in sys.path:  # so that a bot file may import its neighbours
        sys.path.append(folder)
    sys.modules[module.__name__] = module  # dataclasses look their module up
    try:
        exec(compile(source, module.__file__, "exec"), module.__dict__)
    except SyntaxError as error:
        raise PresiError(f"bot file {path}, line {error.lineno or 1}: {error.msg}") from None
    except (Exception, SystemExit) as error:
        frames = [f for f in traceback.extract_tb(error.__traceback__) if f.filename == module.__file__]
        line = f", line {frames[-1].lineno}" if frames else ""
        text = " ".join(str(error).split())
        raise PresiError(f"bot file {path}{line}: {type(error).__name__}: {text}") from None
    return module


def parameters_of(cls: type) -> dict[str, tuple[type, Any]]:
    """Give the parameters of a bot: name -> (type, default), in order.

    Raises
    ------
    PresiError
        If a parameter has no default, or is not a number, a bool or a tuple of numbers.
    """
    if not dataclasses.is_dataclass(cls):
        return {}
    try:
        hints = get_type_hints(cls)
    except Exception as error:
        raise PresiError(f"bot {cls.__name__}: a parameter's type cannot be read: {error}") from None
    result: dict[str, tuple[type, Any]] = {}
    for field in dataclasses.fields(cls):
        default = field.default
        if default is dataclasses.MISSING:
            if field.default_factory is dataclasses.MISSING:
                raise PresiError(f"bot {cls.__name__}: parameter {field.name!r} has no default value")
            default = field.default_factory()
        numbers = default if isinstance(default, tuple) and default else (default,)
        if not all(isinstance(number, int | float) and abs(number) < 2**63 for number in numbers):
            raise PresiError(
                f"bot {cls.__name__}: parameter {field.name!r} is {default!r}; "
                "allowed are whole numbers, floats, bools and tuples of numbers"
            )
        kind = hints.get(field.name, type(default))
        if kind not in (int, float, bool):
            kind = type(default)
        if kind is int and isinstance(default, float):
            kind = float
        result[field.name] = (kind, default)
    return result


def read_parameter(spec: BotSpec, name: str, kind: type, default: Any, text: str) -> Any:
    """Read one parameter's text as the type its default has."""
    try:
        if kind is bool:
            return {"true": True, "1": True, "yes": True, "false": False, "0": False, "no": False}[
                text.lower()
            ]
        if kind is int:
            number = float(text.replace("_", "")) if "e" in text.lower() else int(text.replace("_", ""))
            if number != int(number) or not -(2**63) <= number < 2**63:
                raise ValueError
            return int(number)
        if kind is float:
            return float(text)
        if kind is tuple and not text.endswith(".json"):
            numbers = tuple(
                float(part) if "." in part or "e" in part else int(part) for part in text.split("/")
            )
    except (ValueError, KeyError, OverflowError):
        allowed = {bool: "true or false", int: "a whole number", float: "a number"}
        wanted = allowed.get(kind, "numbers as 1/2/3, or a file of them as x.json")
        raise PresiError(f"bot {spec.label!r}: parameter {name}={text!r} must be {wanted}") from None
    if kind is not tuple:
        raise PresiError(f"bot {spec.label!r}: parameter {name} cannot be set from text")
    if text.endswith(".json"):
        numbers = _numbers_in(spec, name, text)
    if len(numbers) != len(default):  # compiled code would read past the end
        raise PresiError(
            f"bot {spec.label!r}: parameter {name} has {len(numbers)} numbers, needed are {len(default)}"
        )
    return numbers


def _numbers_in(spec: BotSpec, name: str, path: str) -> tuple[float, ...]:
    """Read a parameter of many numbers from a file: a JSON list, or weights as `presi train` writes them."""
    from ..search.linear import weights_of

    try:
        data = json.loads(Path(path).read_text(encoding="utf-8"))
        return tuple(float(number) for number in data) if isinstance(data, list) else weights_of(data)
    except OSError as error:
        reason = error.strerror or "cannot be read"
    except (ValueError, TypeError) as error:
        reason = " ".join(str(error).split())
    raise PresiError(f"bot {spec.label!r}: parameter {name}: {path}: {reason}") from None


def build(spec: BotSpec) -> Any:
    """Make an instance of a bot with its parameters.

    Raises
    ------
    PresiError
        If the class or a parameter is not there or not of the right kind.
    """
    if spec.target.startswith("exec:"):
        from .program import ProgramBot

        seconds = dict(spec.params).get("seconds", str(PROGRAM_SECONDS))
        return ProgramBot(spec.target[5:], read_parameter(spec, "seconds", float, PROGRAM_SECONDS, seconds))
    cls = find_class(spec)
    known = parameters_of(cls)
    values = {}
    for name, text in spec.params:
        if name not in known:
            hint = near(name, known) if known else "it has none"
            raise PresiError(f"bot {spec.label!r}: unknown parameter {name!r}; {hint}")
        if name in values:
            raise PresiError(f"bot {spec.label!r}: parameter {name!r} is given twice")
        values[name] = read_parameter(spec, name, *known[name], text)
    try:
        return cls(**values)
    except PresiError:
        raise
    except Exception as error:
        raise PresiError(f"bot {spec.label!r}: {type(error).__name__}: {error}") from None


def sources(spec: BotSpec, cls: type) -> dict[str, bytes]:
    """Give the sources a bot's code is made of, by name: its classes' files and all they import.

    The bot file itself counts as its text was when the spec was read. What is installed as a package and the
    harness's own modules are left out (they have versions of their own), the shipped bots' files are not.
    """
    from .check import imported_files

    named: Path | None = None
    found: dict[str, bytes] = {}
    if spec.target.startswith("exec:"):  # the command, and the files it names
        found["command"] = spec.target.encode()
        for word in shlex.split(spec.target[5:]):
            if Path(word).is_file() and Path(word).stat().st_size < 10_000_000:
                found[word] = Path(word).read_bytes()
        return found
    files: set[Path] = set()
    if spec.source is not None:
        named = Path(
            sys.modules[_module_of_file(spec.target.rsplit(":", 1)[0], spec.source).__name__].__file__ or ""
        )
        found[named.name] = spec.source.encode()
        imported_files(spec.source, "", files)
    for base in cls.__mro__:
        module = sys.modules.get(base.__module__)
        file = getattr(module, "__file__", None)
        if file and base is not object and base.__module__ != Strategy.__module__ and Path(file) != named:
            files.add(Path(file))
            imported_files(
                Path(file).read_text(encoding="utf-8"), getattr(module, "__package__", "") or "", files
            )
    for path in sorted(files - {named}):
        name = path.name
        while name in found:  # files of several folders may be called alike, and all count
            name += "+"
        found[name] = path.read_bytes()
    return found


def source_digest(spec: BotSpec) -> str:
    """Digest a bot's source and parameters, to tell whether two runs had the same bot.

    Returns
    -------
    str
        16 hexadecimal digits.
    """
    sha = hashlib.sha256()
    instance = build(spec)
    for name, text in sources(spec, type(instance)).items():
        sha.update(f"\0{name}\0{len(text)}\0".encode() + text)
    for name in parameters_of(type(instance)):
        sha.update(f"\0{name}={getattr(instance, name)!r}".encode())
    return sha.hexdigest()[:16]
