"""What a bot is: a class with a `play` method.

    @dataclass
    class Lowest(Strategy):
        '''Sheds the weakest card it can.'''

        def play(self, view):
            return moves.weakest(view)

`play` gets the acting seat's view (`harness.engine.records.VIEW` lists its fields) and returns a move out
of ``view.legal`` (or ``view.legal_wild``), or `moves.PASS` when there is something to answer. It is compiled
when that is possible; what Numba cannot compile runs in plain Python. Parameters are dataclass fields:
whole numbers, floats, bools, or tuples of numbers. The rules a bot has to keep:

- it changes nothing of the view but ``view.memory`` (16 whole numbers, zeroed at the start of a match);
- chance comes from `moves.random` and `moves.below` alone;
- it keeps no state anywhere else, but that a plain Python bot may keep some on ``self``: every seat of
  every match starts with a fresh instance;
- it comes to an end: nothing stops a bot of this process that loops for ever.

Optional methods: `give` where the table lets the upper player choose what to give back; and, in plain
Python only, `start_match(view)`, `start_hand(view)` and `observe(view, event)`, told of each turn as a
`Turn`.
"""

from __future__ import annotations

from typing import Any, ClassVar, NamedTuple

from . import moves


class Turn(NamedTuple):
    """One turn as `Strategy.observe` is told of it: who, and which move (slots as in the view's record)."""

    seat: int
    move: int


class Strategy:
    """Base of all bots; its docstring's first line is the idea that `presi bots` shows."""

    compiled: ClassVar[bool] = True
    """False keeps the class in plain Python."""
    source: ClassVar[str] = ""
    """Where the idea is from."""
    sees_all: ClassVar[bool] = False
    """Is it shown all hands? Only bots that come with the harness may be, and only where it is asked for."""
    hidden_at: ClassVar[int] = 0
    """Where the engine's hidden state lies, filled in for a bot that sees all."""

    def play(self, view: Any) -> int:
        """Choose a legal move, or `moves.PASS`."""
        raise TypeError(f"{type(self).__name__} has no play method")

    def give(self, view: Any) -> int:
        """Choose one card to give back, as a single move of ``view.legal``: the weakest, if not overridden.

        Asked once for each of the ``view.giving`` cards still to give.
        """
        move: int = moves.weakest(view)
        return move
