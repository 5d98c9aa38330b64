"""The tournament harness for Presi (Presidente, el Culo): play, log, rate and draw matches of bots.

Names are loaded when they are first used, so that importing the package costs nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

__version__ = "0.1.0"

_HOMES = {
    "Game": "harness.game",
    "IllegalMove": "harness.refusals",
    "Run": "harness.store",
    "Strategy": "harness.strategy",
    "Table": "harness.tables",
    "TableError": "harness.tables",
    "exchange": "harness.swaps",
    "table": "harness.tables",
    "table_names": "harness.tables",
}
__all__ = [
    "Game",
    "IllegalMove",
    "Run",
    "Strategy",
    "Table",
    "TableError",
    "__version__",
    "exchange",
    "table",
    "table_names",
]


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        return getattr(import_module(_HOMES[name]), name)
    raise AttributeError(f"module 'harness' has no attribute {name!r}")
