"""A bot that does what the 52-card page advises, and nothing else."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from harness import moves
from harness.strategy import Strategy

from .keep import top_ranks, whole_answer, whole_groups
from .revolutionary import gain_of


def threatens(view: Any, near: int) -> bool:
    """Tell whether one with `near` cards or fewer has the trick or is the next who could answer."""
    after = moves.next_to_act(view)
    return 0 < view.left[view.owner] <= near or (after >= 0 and view.left[after] <= near)


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
    breaks : int
        With this many groups or fewer it breaks them.
    """

    source: ClassVar[str] = "the strategy paragraph of the 52-card page"

    near: int = 2
    late: int = 4
    breaks: int = 6

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
            if gain_of(view, quartet) > 0:
                return quartet
            if mine & ~quartets != 0:  # a strong hand keeps the order
                mine &= ~quartets
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
        if blocks and threatens(view, self.near):  # as high as it goes
            whole = view.legal & mine
            if whole != 0:
                return moves.highest(whole)
            return moves.highest(view.legal) if view.legal != 0 else moves.weakest(view)
        held = 0 if number <= self.late else top
        answer = whole_answer(view, mine & ~held)
        if answer == moves.PASS and number <= self.breaks and view.size < 4:
            return moves.weakest(view)
        return answer

    def give(self, view: Any) -> int:
        singles = view.legal & moves.LANE & ~top_ranks(view, 2)
        loose = singles & moves.groups(view.hand)  # ranks held once
        if loose != 0:
            return moves.lowest(loose)
        threes = singles & (view.hand >> 32)  # ranks that are still a pair without one card
        return moves.lowest(threes) if threes != 0 else moves.weakest(view)
