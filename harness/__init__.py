"""The tournament harness for Presi (Presidente, el Culo): play, log, rate and draw matches of bots.

Names are loaded when they are first used, so that importing the package costs nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # for editors and type checkers
    from .game import Game
    from .refusals import IllegalMove
    from .store import Run
    from .strategy import Strategy
    from .swaps import exchange
    from .tables import Table, TableError, table, table_names

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
