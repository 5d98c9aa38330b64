"""A bot that never changes, whatever becomes of the shipped ones: its actions are pinned in test_golden."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from harness import moves
from harness.strategy import Strategy


@dataclass
class Frozen(Strategy):
    """Low cards first, twos and wild cards rarely, a chance move now and then."""

    chance: float = 0.15

    def play(self, view: Any) -> int:
        if moves.random(view) < self.chance:
            number = moves.below(view, moves.size_of_set(view.legal) + 1)
            word = view.legal
            for _ in range(number):
                word &= word - 1
            if word != 0:
                return moves.lowest(word)
            if view.size > 0:
                return moves.PASS
        if view.legal != 0:
            return moves.lowest(view.legal)
        if view.wild_slot >= 0:
            for wilds in range(1, 4):
                if view.legal_wild[wilds - 1] != 0:
                    return moves.lowest(view.legal_wild[wilds - 1]) + 64 * wilds
        return moves.PASS

    def give(self, view: Any) -> int:
        if moves.random(view) < 0.5:
            return moves.highest(view.legal)
        return moves.lowest(view.legal)
