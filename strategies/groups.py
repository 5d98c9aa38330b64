"""Bots that lead whole groups and think no further."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from harness import moves
from harness.strategy import Strategy


@dataclass
class LowGroup(Strategy):
    """Leads all its cards of the weakest rank; answers with the weakest it can, breaking groups."""

    def play(self, view: Any) -> int:
        if moves.leading(view):
            return moves.weakest_lead(view)
        return moves.weakest(view)


@dataclass
class BigFirst(Strategy):
    """Leads its largest group, the weakest of those; answers with the weakest it can, breaking groups."""

    def play(self, view: Any) -> int:
        if moves.leading(view):
            for size in range(4, 0, -1):
                sets = moves.sets_of(moves.groups(view.legal), size)
                if sets != 0:
                    return moves.lowest(sets)
        return moves.weakest(view)
