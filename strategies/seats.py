"""Bots that look at who sits where: position and skipper."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from harness import moves
from harness.strategy import Strategy

from .keep import chain_play, top_ranks, whole_groups


def steps_to(view: Any, seat: int) -> int:
    """Count the players with cards from me to a seat, in the direction in force: 1 for the next one."""
    steps = 0
    other = view.me
    while True:
        other = (other + view.direction + view.players) % view.players
        if (view.alive >> other) & 1:
            steps += 1
        if other == seat:
            return steps


def acts_after(view: Any, seat: int) -> int:
    """Give the seat that the turn reaches after another one that is skipped; me, if nobody else can act."""
    able = view.alive
    if view.rules.pass_locks:
        able &= ~view.passed
    other = seat
    while True:
        other = (other + view.direction + view.players) % view.players
        if other == view.me or (able >> other) & 1:
            return other


def rivals_left(view: Any) -> int:
    """Count the others who still hold cards."""
    return moves.size_of_set(view.alive & ~(1 << view.me))


@dataclass
class Position(Strategy):
    """Fights for a trick that goes to a player soon after it; lets it go to the one just before it.

    After the one before it leads, it is the first to answer, with the most choice; after the one behind it
    leads, it is the last, when the trick is already dear.

    Parameters
    ----------
    breaks, few, near, top : int
        As in chain.
    fights : int
        So many groups more than `breaks` it breaks to take the trick from the next player.
    """

    source: ClassVar[str] = "play advice on the order round the table"

    breaks: int = 6
    few: int = 5
    near: int = 4
    top: int = 2
    fights: int = 3

    def play(self, view: Any) -> int:
        breaks, few, top = self.breaks, self.few, self.top
        if not moves.leading(view) and (view.alive >> view.owner) & 1 and rivals_left(view) > 1:
            steps = steps_to(view, view.owner)
            if steps == 1:
                breaks += self.fights
                top -= 1
            elif steps == rivals_left(view):
                breaks -= self.fights
        return chain_play(view, breaks, few, self.near, max(top, 0))


@dataclass
class Skipper(Strategy):
    """Answers with an equal to skip the player about to go out, or to win the trick; else plays like chain.

    Both are worth breaking a group. With one rival left in the trick an equal wins it. An equal that skips
    somebody else, so that the turn comes to the player about to go out, is avoided: the one to be skipped
    may still help against that player. Where equals are forbidden it plays like chain.

    Parameters
    ----------
    breaks, few, near, top : int
        As in chain.
    danger : int
        A player with this many cards or fewer is about to go out.
    """

    source: ClassVar[str] = "the equal rule of Barajamos and Naipera"

    breaks: int = 6
    few: int = 5
    near: int = 4
    top: int = 2
    danger: int = 1

    def play(self, view: Any) -> int:
        answer = chain_play(view, self.breaks, self.few, self.near, self.top)
        if moves.leading(view) or not view.equal_skips or moves.size_of(answer) == view.left[view.me]:
            return answer
        equal = moves.move_of(view.size, view.rank)
        skipped = moves.next_to_act(view)
        if skipped < 0 or (view.legal >> equal) & 1 == 0:
            return answer
        whole = (whole_groups(view) >> equal) & 1 == 1
        after = acts_after(view, skipped)
        if after == view.me:  # skipped over, the turn is mine again: the trick is won
            return equal if whole or answer == moves.PASS else answer
        if view.left[skipped] <= self.danger:
            return equal if answer == moves.PASS else answer
        if answer == equal and view.left[after] <= self.danger:
            higher = view.legal & whole_groups(view) & ~(1 << equal) & ~top_ranks(view, self.top)
            if higher != 0:
                return moves.lowest(higher)
        return answer
