"""A bot that searches a tree of what it can see."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from harness import moves
from harness.search.rollouts import LOWGROUP
from harness.search.state import copy_view
from harness.search.tree import search_tree
from harness.strategy import Strategy


@dataclass
class Ismcts(Strategy):
    """Searches one tree over guessed worlds, deeper where moves look good, and takes the most visited.

    Parameters
    ----------
    iterations : int
        Worlds guessed for a decision.
    explore : float
        Weight of trying moves seldom tried.
    temperature : float
        Of the choice, in shares of visits; 0: the best.
    """

    source: ClassVar[str] = "SO-ISMCTS (Cowling, Powley and Whitehouse 2012)"

    iterations: int = 1000
    explore: float = 0.7
    temperature: float = 0.0

    def play(self, view: Any) -> int:
        if view.size > 0 and moves.choices(view) == 0:
            return moves.PASS
        moves.random(view)
        tried, values = np.empty(moves.CHOICES, np.int64), np.empty(moves.CHOICES)
        number = search_tree(
            copy_view(view), self.iterations, self.explore, LOWGROUP, np.zeros(1), 0.0, tried, values
        )
        return tried[moves.choose(view, values, number, self.temperature)]
