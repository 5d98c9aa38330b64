"""Yardsticks: bots without an idea of the game."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from harness import moves
from harness.strategy import Strategy


@dataclass
class Random(Strategy):
    """Plays any legal move, the pass among them, each as likely."""

    def play(self, view: Any) -> int:
        number = moves.choices(view)
        if moves.leading(view):
            return moves.nth_choice(view, moves.below(view, number))
        index = moves.below(view, number + 1) - 1
        return moves.nth_choice(view, index) if index >= 0 else moves.PASS

    def give(self, view: Any) -> int:
        return moves.nth_choice(view, moves.below(view, moves.choices(view)))


@dataclass
class Highest(Strategy):
    """Plays the strongest cards it can, as many of them as it can, and never passes."""

    def play(self, view: Any) -> int:
        if view.legal & moves.LONE_BIT:
            return moves.LONE
        best = moves.PASS
        strength = -1
        for wilds in range(4):
            word = view.legal
            if wilds > 0:
                if view.wild_slot < 0:
                    break
                word = view.legal_wild[wilds - 1]
            for size in range(1, 5):
                move = moves.highest(moves.sets_of(word, size))
                if move >= 0 and 8 * moves.slot_of(move) + size > strength:
                    strength = 8 * moves.slot_of(move) + size
                    best = 64 * wilds + move
        return best


@dataclass
class Lowest(Strategy):
    """Plays the weakest card it can, alone where it leads, and never passes."""

    def play(self, view: Any) -> int:
        return moves.weakest(view)
