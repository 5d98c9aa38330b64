"""Bots that turn the order round when that helps them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from harness import moves
from harness.strategy import Strategy

from .keep import chain_play, whole_groups


@moves.helper
def strength(view: Any, word: int) -> float:
    """Value a hand by its groups: how far their ranks are above the middle, big groups counting more."""
    total = 0.0
    rest = moves.groups(word)
    while rest != 0:
        group = moves.lowest(rest)
        rest &= rest - 1
        total += (moves.slot_of(group) - 0.5 * (view.ladder - 1)) * (1.0 + 0.25 * (moves.size_of(group) - 1))
    return total


@moves.helper
def gain_of(view: Any, quartet: int) -> float:
    """Count by how many ranks, summed over groups, the rest of the hand gains if a quartet is played."""
    wilds = moves.wilds_of(quartet)
    rest = moves.take_cards(view.hand, moves.slot_of(quartet), 4 - wilds)
    if wilds > 0:
        rest = moves.take_cards(rest, view.wild_slot, wilds)
    return -2.0 * strength(view, rest)  # reversed, what was above the middle is as far below it


@dataclass
class Revolutionary(Strategy):
    """Plays four of a kind when its other cards are worth more in the reversed order, and keeps them if not.

    Cards of the cut rank get it the lead: where chain would pass it answers with them, breaking their group
    if it must. Else it plays like chain.

    Parameters
    ----------
    breaks, few, near, top : int
        As in chain.
    gain : float
        Ranks (summed over groups) the hand must gain to flip the order.
    loss : float
        If it would lose more than so many it plays something else.
    """

    source: ClassVar[str] = "play advice of the 52-card page"

    breaks: int = 6
    few: int = 5
    near: int = 4
    top: int = 2
    gain: float = 2.0
    loss: float = 10.0

    def play(self, view: Any) -> int:
        answer = chain_play(view, self.breaks, self.few, self.near, self.top)
        if moves.size_of(answer) == view.left[view.me]:
            return answer
        if view.revolution > 0:
            for wilds in range(4 if view.wild_slot >= 0 else 1):
                quartets = moves.sets_of(view.legal if wilds == 0 else view.legal_wild[wilds - 1], 4)
                while quartets != 0:
                    quartet = 64 * wilds + moves.lowest(quartets)
                    quartets &= quartets - 1
                    if gain_of(view, quartet) >= self.gain:
                        return quartet
            if moves.size_of(answer) == 4 and gain_of(view, answer) < -self.loss:
                others = view.legal & whole_groups(view) & moves.EVERY & ~moves.sets_of(moves.EVERY, 4)
                if others != 0 or not moves.leading(view):
                    answer = moves.weakest_of(others)
        if answer == moves.PASS and view.cut_slot >= 0:
            return moves.lowest(view.legal & (moves.COLUMN << view.cut_slot))  # no eights: a pass
        return answer
