"""Bots that look at who sits where: position and skipper."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from harness import moves
from harness.strategy import Strategy

from .keep import chain_play, whole_groups


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
    """Answers with an equal when that skips the player about to go out; else plays like chain.

    An equal is not worth it when it skips somebody far from going out whose answer would cost the player
    about to go out the trick. Where equals are forbidden it plays like chain.

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
    danger: int = 2

    def play(self, view: Any) -> int:
        answer = chain_play(view, self.breaks, self.few, self.near, self.top)
        if moves.leading(view) or not view.equal_skips or moves.goes_out(view) != moves.PASS:
            return answer
        equal = moves.move_of(view.size, view.rank)
        if (view.legal >> equal) & 1 == 0:
            return answer
        skipped = moves.next_to_act(view)
        if skipped < 0:
            return answer
        in_danger = view.left[skipped] <= self.danger
        if in_danger and (whole_groups(view) >> equal) & 1:
            return equal
        if answer == equal and moves.fewest_left(view) <= self.danger:
            # somebody else is the danger: above the equal, the one to be skipped may still help against him
            others = view.legal & whole_groups(view) & ~(1 << equal)
            if others != 0 and view.left[skipped] > view.left[view.me]:
                return moves.lowest(others)
        return answer
