"""Bots that lead what they hold most of."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from harness import moves
from harness.strategy import Strategy

from .keep import hold_play, top_ranks, whole_groups


@dataclass
class Modal(Strategy):
    """Leads the set size of which it holds most groups, the weakest of them; answers as hold does.

    Who answers must have the same size: the sizes one holds most of are those one can come back with. Of
    sizes of which it holds as many the bigger one is led; the ranks that hold keeps back do not count.

    Parameters
    ----------
    breaks, few, near, top : int
        As in hold.
    """

    source: ClassVar[str] = "contest programs of Daihinmin (UECda)"

    breaks: int = 6
    few: int = 4
    near: int = 4
    top: int = 2

    def play(self, view: Any) -> int:
        out = moves.goes_out(view)
        if out != moves.PASS or not moves.leading(view) or moves.fewest_left(view) == 1:
            return hold_play(view, self.breaks, self.few, self.near, self.top)
        mine = whole_groups(view) & moves.EVERY
        free = mine & ~top_ranks(view, self.top)
        if moves.size_of_set(mine) > self.few and free != 0:
            mine = free
        most, best = 0, moves.PASS
        for size in range(1, 5):
            sets = moves.sets_of(mine, size)
            if sets != 0 and moves.size_of_set(sets) >= most:
                most = moves.size_of_set(sets)
                best = moves.lowest(sets)
        return best if best != moves.PASS else moves.LONE
