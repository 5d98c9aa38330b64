"""What a bot's source must not do, found by reading it before the first match."""

from __future__ import annotations

import ast
import inspect
import random
import sys
import sysconfig
import textwrap
import types
from collections.abc import Callable
from pathlib import Path
from typing import Any

from .. import moves
from ..engine.records import VIEW
from ..errors import PresiError, near

_STDLIB = Path(sysconfig.get_paths()["stdlib"])
_VIEW = tuple(name for name in VIEW.names or () if name != "spare")
_FORBIDDEN_MODULES = {"random", "secrets", "numpy.random", "time", "uuid"}


def functions_of(cls: type) -> list[Callable[..., Any]]:
    """List a bot's decision methods and every function of its own modules they reach by name."""
    found: list[Callable[..., Any]] = []
    waiting = [vars(base)[n] for n in ("play", "give") for base in cls.__mro__ if n in vars(base)]
    while waiting:
        function = waiting.pop()
        if not isinstance(function, types.FunctionType) or function in found:
            continue
        found.append(function)
        for name in function.__code__.co_names:
            other = function.__globals__.get(name)
            if isinstance(other, types.FunctionType) and other.__module__ == function.__module__:
                waiting.append(other)
    return found


def imported_files(text: str, package: str, seen: set[Path]) -> None:
    """Add the files of all modules a source imports, and those import, to a set.

    Of what is installed as a package (and so has a version of its own) and of the harness nothing is added.
    Whole modules count, not names: a constant is compiled in as well as a function.

    Parameters
    ----------
    text : str
        The source.
    package : str
        What its relative imports start from; empty where it is in no package.
    seen : set of Path
        Added to.
    """
    try:
        tree = ast.parse(text)
    except SyntaxError:
        return
    names: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            above = package.split(".")[: len(package.split(".")) + 1 - node.level] if node.level else []
            home = ".".join([*above, *([node.module] if node.module else [])])
            names |= {home, *(f"{home}.{alias.name}" for alias in node.names)}
    for name in names:
        module = sys.modules.get(name)
        path = Path(getattr(module, "__file__", None) or "")
        if path.suffix == ".py" and path not in seen and not _is_installed(path):
            seen.add(path)
            imported_files(path.read_text(encoding="utf-8"), getattr(module, "__package__", None) or "", seen)


def _is_installed(file: Path) -> bool:
    if not file.is_file() or file.is_relative_to(Path(__file__).parents[1]):
        return True
    return "site-packages" in file.parts or _STDLIB in file.parents


def writes_to_self(cls: type) -> bool:
    """Tell whether a decision method assigns to anything of ``self``, which no compiled bot can."""
    for function in functions_of(cls):
        tree = _tree_of(function)
        arguments = list(inspect.signature(function).parameters)
        if tree is None or function.__name__ not in ("play", "give") or not arguments:
            continue
        for node in ast.walk(tree):
            if (
                isinstance(node, ast.Attribute | ast.Subscript)
                and isinstance(node.ctx, ast.Store | ast.Del)
                and _path(node)[0] == arguments[0]
            ):
                return True
    return False


def _tree_of(function: Callable[..., Any]) -> ast.AST | None:
    """Parse a function's source; None where it has none, as at a prompt."""
    try:
        return ast.parse(textwrap.dedent("".join(inspect.getsourcelines(function)[0])))
    except (OSError, TypeError, SyntaxError):
        return None


def _path(node: ast.AST) -> tuple[str, list[str]]:
    """Give the name at the root of ``a.b[c].d`` and the attributes passed on the way."""
    attributes: list[str] = []
    while isinstance(node, ast.Attribute | ast.Subscript):
        if isinstance(node, ast.Attribute):
            attributes.insert(0, node.attr)
        node = node.value
    return (node.id if isinstance(node, ast.Name) else ""), attributes


def refuse_bad_habits(label: str, cls: type) -> None:
    """Refuse a bot that writes to the view, draws chance from elsewhere or keeps global state.

    Raises
    ------
    PresiError
        Naming the bot, the file's line and what to do instead.
    """
    for function in functions_of(cls):
        if (function.__module__ or "").startswith("harness."):
            continue
        tree = _tree_of(function)
        if tree is not None:
            _Reader(label, function, inspect.getsourcelines(function)[1]).visit(tree)


class _Reader(ast.NodeVisitor):
    """Walks one function's source."""

    def __init__(self, label: str, function: Callable[..., Any], start: int) -> None:
        self.label = label
        self.start = start
        self.globals: dict[str, Any] = getattr(function, "__globals__", {})
        self.view = "view"
        arguments = list(inspect.signature(function).parameters)
        if function.__name__ in ("play", "give") and len(arguments) > 1:
            self.view = arguments[1]
        self.views = {self.view}
        """Names that stand for the view or for a part of it."""

    def fail(self, node: ast.AST, what: str) -> None:
        line = self.start + getattr(node, "lineno", 1) - 1
        raise PresiError(f"bot {self.label!r}, line {line}: {what}")

    def _target(self, node: ast.AST) -> None:
        if isinstance(node, ast.Tuple | ast.List):
            for part in node.elts:
                self._target(part)
        elif isinstance(node, ast.Attribute | ast.Subscript):
            root, attributes = _path(node)
            inside_memory = attributes[:1] == ["memory"] and isinstance(node, ast.Subscript)
            if root in self.views and not inside_memory:
                self.fail(node, "it changes the view; only view.memory[...] may be written")

    def visit_Assign(self, node: ast.Assign) -> None:
        for target in node.targets:
            self._target(target)
            if isinstance(target, ast.Name):
                root, attributes = _path(node.value)
                if root in self.views and attributes[:1] != ["memory"]:
                    self.views.add(target.id)  # another name for a part of the view
        self.generic_visit(node)

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        self._target(node.target)
        self.generic_visit(node)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        self._target(node.target)
        self.generic_visit(node)

    def visit_Delete(self, node: ast.Delete) -> None:
        for target in node.targets:
            self._target(target)

    def visit_Global(self, node: ast.Global) -> None:
        self.fail(
            node, f"it keeps global state ({', '.join(node.names)}); use view.memory or, uncompiled, self"
        )

    def visit_Attribute(self, node: ast.Attribute) -> None:
        root, attributes = _path(node)
        if root == self.view and attributes and attributes[0] not in _VIEW:
            self.fail(node, f"the view has no {attributes[0]!r}; {near(attributes[0], _VIEW)}")
        thing = self.globals.get(root)
        for attribute in attributes:
            if not isinstance(thing, types.ModuleType):
                break
            if not hasattr(thing, attribute) and thing.__name__ == moves.__name__:
                words = [word for word in vars(moves) if not word.startswith("_")]
                self.fail(node, f"moves has no {attribute!r}; {near(attribute, words)}")
            thing = getattr(thing, attribute, None)
            self._chance(node, thing)
        self.generic_visit(node)

    def visit_Import(self, node: ast.Import) -> None:
        self.fail(node, "it imports inside a decision; import at the top of the file")

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        self.fail(node, "it imports inside a decision; import at the top of the file")

    def visit_Name(self, node: ast.Name) -> None:
        self._chance(node, self.globals.get(node.id))

    def _chance(self, node: ast.AST, thing: Any) -> None:
        module = thing.__name__ if isinstance(thing, types.ModuleType) else getattr(thing, "__module__", None)
        owner = getattr(thing, "__self__", None)
        kind = type(thing).__module__
        if (
            module in _FORBIDDEN_MODULES
            or str(module).startswith("numpy.random")
            or kind.startswith("numpy.random")
            or isinstance(owner, random.Random)
        ):
            self.fail(
                node, f"chance from {module or 'random'}; use moves.random(view) or moves.below(view, n)"
            )
