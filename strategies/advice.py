"""A bot that does what the 52-card page advises, and nothing else."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from harness import moves
from harness.strategy import Strategy

from .keep import top_ranks, whole_answer, whole_groups
from .revolutionary import strength


@dataclass
class Advice(Strategy):
    """Plays by the advice people get: loose low singles first, twos and aces kept, groups for the end.

    A quartet with a weak hand makes a revolution; whoever has one or two cards is blocked; what is given
    back are the two loosest low cards, never out of a pair.

    Parameters
    ----------
    near : int
        A player with this many cards or fewer is blocked.
    late : int
        With this many groups or fewer the top ranks are played as well.
    """

    source: ClassVar[str] = "the strategy paragraph of the 52-card page"

    near: int = 2
    late: int = 4

    def play(self, view: Any) -> int:
        out = moves.goes_out(view)
        if out != moves.PASS:
            return out
        mine = whole_groups(view)
        number = moves.size_of_set(mine)
        blocks = moves.fewest_left(view) <= self.near
        top = top_ranks(view, 2)
        quartets = moves.sets_of(view.legal & mine, 4)
        if view.revolution > 0 and quartets != 0:
            quartet = moves.lowest(quartets)
            if strength(view, moves.take_cards(view.hand, moves.slot_of(quartet), 4)) < 0:
                return quartet
        if moves.leading(view):
            if blocks:
                sets = mine & ~moves.LANE & moves.EVERY
                if moves.fewest_left(view) == 2:
                    sets &= ~moves.sets_of(moves.EVERY, 2)
                if sets != 0:
                    return moves.lowest(sets)
                singles = moves.ranks(view.legal)
                if moves.fewest_left(view) == 1 and singles != 0:
                    return moves.highest(singles)
            loose = moves.ranks(mine & ~top)
            if loose != 0 and moves.slot_of(moves.lowest(loose)) < view.ladder // 2:
                return moves.lowest(loose)
            rest = mine & ~top & moves.EVERY
            if rest != 0:
                return moves.weakest_of(rest)
            return moves.weakest_of(mine & moves.EVERY) if mine & moves.EVERY else moves.LONE
        if blocks:  # as high as it goes
            if view.legal & moves.LONE_BIT:
                return moves.LONE
            return moves.highest(view.legal) if view.legal != 0 else moves.weakest(view)
        held = 0 if number <= self.late else top
        return whole_answer(view, mine & ~held)

    def give(self, view: Any) -> int:
        singles = view.legal & moves.EVERY
        loose = singles & moves.groups(view.hand)  # ranks held once
        return moves.lowest(loose) if loose != 0 else moves.weakest(view)
