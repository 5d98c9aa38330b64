"""Bots that keep their groups whole: keep, hold and chain, each one thought on from the one before.

The defaults are the best of a few dozen tried on the shipped tables at four seats against lowgroup, bigfirst
and chain. Keeping groups whole for longer (smaller `breaks`) costs them all more turns than it saves. To lead
the highest single against a player with one card, as people are told to, does not pay: it spends a strong
card on what the others gain from as well (6 Elo lost with three Barajamos seats, 26 with six of La Naipera).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from harness import moves
from harness.strategy import Strategy


@moves.helper
def whole_groups(view: Any) -> int:
    """Give the own groups as moves, the lone winner as one of its own."""
    mine = moves.groups(moves.plain_cards(view))
    if view.lone_mine:
        mine |= moves.LONE_BIT
    return mine


@moves.helper
def keep_lead(view: Any) -> int:
    """Lead the weakest group, the lone winner kept out of it."""
    group = moves.weakest_group(moves.plain_cards(view))
    return group if group >= 0 else moves.LONE


@moves.helper
def whole_answer(view: Any, mine: int) -> int:
    """Give the weakest legal move that is one of the given groups, or a pass."""
    word = view.legal & mine
    return moves.lowest(word) if word != 0 else moves.PASS


@moves.helper
def top_ranks(view: Any, number: int) -> int:
    """Give every move of the `number` strongest ranks and the lone winner."""
    first = max(view.ladder - number, 0)
    lane = (moves.LANE << first) & 0x3FFF
    return moves.COLUMN * lane | moves.LONE_BIT


@dataclass
class Keep(Strategy):
    """Leads its weakest group; answers only with a whole group, and breaks groups only near the end.

    Parameters
    ----------
    breaks : int
        With this many groups or fewer it breaks them.
    """

    breaks: int = 6

    def play(self, view: Any) -> int:
        out = moves.goes_out(view)
        if out != moves.PASS:
            return out
        mine = whole_groups(view)
        if moves.leading(view):
            return keep_lead(view)
        answer = whole_answer(view, mine)
        if answer == moves.PASS and moves.size_of_set(mine) <= self.breaks:
            return moves.weakest(view)
        return answer


@moves.helper
def hold_play(view: Any, breaks: int, few: int, near: int, top: int) -> int:
    """Play as `Hold` does."""
    out = moves.goes_out(view)
    if out != moves.PASS:
        return out
    mine = whole_groups(view)
    number = moves.size_of_set(mine)
    fewest = moves.fewest_left(view)
    held = 0 if number <= few or fewest <= near else top_ranks(view, top)
    if moves.leading(view):
        if fewest == 1:  # whoever has one card cannot answer a set
            sets = mine & ~moves.LANE & moves.EVERY
            if sets != 0:
                return moves.lowest(sets)
        return keep_lead(view)
    answer = whole_answer(view, mine & ~held)
    if answer == moves.PASS and number <= breaks:
        return moves.weakest(view)
    return answer


@dataclass
class Hold(Strategy):
    """Keeps groups whole and holds its two top ranks (and the lone winner) back until it matters.

    It matters when few groups are left or somebody is nearly out. Against a player with one card it leads
    sets; it goes out on the spot when it can.

    Parameters
    ----------
    breaks : int
        With this many groups or fewer it breaks them.
    few : int
        With this many groups or fewer nothing is held back.
    near : int
        Nor when another player has this many cards or fewer.
    top : int
        Number of ranks held back.
    """

    breaks: int = 6
    few: int = 4
    near: int = 4
    top: int = 2

    def play(self, view: Any) -> int:
        return hold_play(view, self.breaks, self.few, self.near, self.top)


@moves.helper
def chain_play(view: Any, breaks: int, few: int, near: int, top: int) -> int:
    """Play as `Chain` does."""
    mine = whole_groups(view)
    bosses = moves.bosses(view, moves.unseen(view))
    losers = moves.size_of_set(mine & ~bosses)
    if losers <= 1:
        word = view.legal & bosses
        if word != 0:
            return moves.lowest(word)
    return hold_play(view, breaks, few, near, top)


@dataclass
class Chain(Strategy):
    """Plays like hold, but counts: with at most one group that can be beaten, the others go first.

    A boss is a group that no set of cards the others may hold can answer. With bosses and at most one
    loser the hand is won: bosses in any order, the loser last.

    Parameters
    ----------
    breaks, few, near, top : int
        As in hold.
    """

    breaks: int = 6
    few: int = 5
    near: int = 4
    top: int = 2

    def play(self, view: Any) -> int:
        return chain_play(view, self.breaks, self.few, self.near, self.top)
