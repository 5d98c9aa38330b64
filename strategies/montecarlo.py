"""Bots that try every move in guessed worlds: montecarlo, and champion, which guesses and plays better."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from harness import moves
from harness.engine.records import HIDDEN
from harness.search.giving import try_gifts
from harness.search.linear import load_weights
from harness.search.rollouts import LINEAR, LOWGROUP
from harness.search.state import copy_view, true_hidden
from harness.search.thinking import think
from harness.strategy import Strategy

WEIGHTS = load_weights("linear")
MODEL = load_weights("champion")


@dataclass
class MonteCarlo(Strategy):
    """Tries every move in guessed worlds, plays each hand out by simple rules, and takes the best on average.

    Parameters
    ----------
    worlds : int
        Guessed for a decision.
    temperature : float
        Of the choice, in match score; 0: the best.
    """

    source: ClassVar[str] = "flat Monte Carlo over determinizations (Ginsberg's GIB, 2001)"

    worlds: int = 64
    temperature: float = 0.0

    def play(self, view: Any) -> int:
        if view.size > 0 and moves.choices(view) == 0:
            return moves.PASS
        moves.random(view)
        tried, values = np.empty(moves.CHOICES, np.int64), np.empty(moves.CHOICES)
        number = think(
            copy_view(view), np.zeros(0, HIDDEN), self.worlds, 1, 0.0, LOWGROUP, np.zeros(1), np.zeros(1),
            0.0, 0.0, 0, tried, values,
        )  # fmt: skip
        return tried[moves.choose(view, values, number, self.temperature)]

    def give(self, view: Any) -> int:
        moves.random(view)
        tried, values = np.empty(moves.CHOICES, np.int64), np.empty(moves.CHOICES)
        number = try_gifts(
            copy_view(view), np.zeros(0, HIDDEN), self.worlds, LOWGROUP, np.zeros(1), 0.0, tried, values
        )
        return tried[moves.choose(view, values, number, self.temperature)]


@dataclass
class Champion(Strategy):
    """Tries moves in worlds that explain the plays seen, played out by good players; endings exactly.

    Parameters
    ----------
    worlds : int
        Tried for a decision.
    guesses : int
        Worlds dealt for each one tried; those that explain the plays seen better are taken.
    belief : float
        How much the plays seen count.
    margin : float
        Moves are given up that are this many standard errors worse than the best.
    soft : float
        Temperature of the players in the rollouts.
    positions : int
        Budget of the exact search once two players are left.
    temperature : float
        Of the choice, in match score; 0: the best.
    weights : tuple of float
        Of the judge by which hands are played out.
    model : tuple of float
        Of the judge by which the plays seen are explained.
    """

    source: ClassVar[str] = (
        "determinization with policy rollouts and inference (Long et al. 2010; Skat and Big Two programs)"
    )

    worlds: int = 96
    guesses: int = 4
    belief: float = 0.5
    margin: float = 2.5
    soft: float = 0.7
    positions: int = 20000
    temperature: float = 0.0
    weights: tuple[float, ...] = WEIGHTS
    model: tuple[float, ...] = MODEL

    def play(self, view: Any) -> int:
        if view.size > 0 and moves.choices(view) == 0:
            return moves.PASS
        moves.random(view)
        tried, values = np.empty(moves.CHOICES, np.int64), np.empty(moves.CHOICES)
        number = think(
            copy_view(view), np.zeros(0, HIDDEN), self.worlds, self.guesses, self.belief, LINEAR,
            np.asarray(self.weights), np.asarray(self.model), self.soft, self.margin, self.positions,
            tried, values,
        )  # fmt: skip
        return tried[moves.choose(view, values, number, self.temperature)]

    def give(self, view: Any) -> int:
        moves.random(view)
        tried, values = np.empty(moves.CHOICES, np.int64), np.empty(moves.CHOICES)
        number = try_gifts(
            copy_view(view), np.zeros(0, HIDDEN), self.worlds, LINEAR, np.asarray(self.weights), self.soft,
            tried, values,
        )  # fmt: skip
        return tried[moves.choose(view, values, number, self.temperature)]


@dataclass
class Oracle(Strategy):
    """Champion's own search on the true hands: no player, but the ceiling to measure players against.

    Parameters
    ----------
    worlds : int
        Rollouts of each move; the cards are always the true ones.
    margin, soft, positions, temperature, weights
        As in champion.
    """

    source: ClassVar[str] = "champion"
    sees_all: ClassVar[bool] = True

    worlds: int = 96
    margin: float = 2.5
    soft: float = 0.7
    positions: int = 20000
    temperature: float = 0.0
    weights: tuple[float, ...] = WEIGHTS

    def play(self, view: Any) -> int:
        if view.size > 0 and moves.choices(view) == 0:
            return moves.PASS
        moves.random(view)
        tried, values = np.empty(moves.CHOICES, np.int64), np.empty(moves.CHOICES)
        number = think(
            copy_view(view), true_hidden(self.hidden_at), self.worlds, 1, 0.0, LINEAR,
            np.asarray(self.weights), np.zeros(1), self.soft, self.margin, self.positions, tried, values,
        )  # fmt: skip
        return tried[moves.choose(view, values, number, self.temperature)]

    def give(self, view: Any) -> int:
        moves.random(view)
        tried, values = np.empty(moves.CHOICES, np.int64), np.empty(moves.CHOICES)
        number = try_gifts(
            copy_view(view), true_hidden(self.hidden_at), self.worlds, LINEAR, np.asarray(self.weights),
            self.soft, tried, values,
        )  # fmt: skip
        return tried[moves.choose(view, values, number, self.temperature)]
