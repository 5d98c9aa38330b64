"""Bots that weigh features of every move; the weights are learned."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from harness import moves
from harness.search.linear import judge, load_weights, room_for_choices
from harness.search.state import record_of
from harness.strategy import Strategy

WEIGHTS = load_weights("linear")


@dataclass
class Linear(Strategy):
    """Weighs what every move costs and brings, and plays the best; the weights are learned.

    Parameters
    ----------
    temperature : float
        Of the choice: a move worth this much less is 2.7 times rarer; 0: the best. At 1 it plays as it
        learned.
    weights : tuple of float
        For each kind of table, for each feature.
    """

    source: ClassVar[str] = "linear policies of Big Two programs; policy gradient over all actions"

    temperature: float = 0.0
    weights: tuple[float, ...] = WEIGHTS

    def play(self, view: Any) -> int:
        room = room_for_choices()
        number = judge(record_of(view), np.asarray(self.weights), room[0], room[1], room[2])
        return room[0][moves.choose(view, room[2], number, self.temperature)]
