"""A bot that counts the turns its hand will take."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from harness import moves
from harness.strategy import Strategy

WAYS = ((1, 0, 0, 0), (2, 1, 0, 0), (3, 3, 1, 0), (4, 6, 4, 1))
"""In how many ways 1 to 4 cards (columns) are chosen among 1 to 4 (rows)."""


@moves.helper
def together(view: Any, seats: int) -> tuple[float, float, float, float]:
    """Give the chance that 1, 2, 3, 4 given unseen cards are all held by one of some seats.

    Parameters
    ----------
    seats : int
        Bit per seat, of those who hold cards.
    """
    unseen = 0.0
    for seat in range(view.players):
        if seat != view.me and (view.alive >> seat) & 1:
            unseen += view.left[seat]
    one = two = three = four = 0.0
    for seat in range(view.players):
        if (seats >> seat) & 1:
            share = view.left[seat] / unseen
            one += share
            two += share * share
            three += share * share * share
            four += share * share * share * share
    return one, two, three, four


@moves.helper
def beaten(
    view: Any, answers: int, chances: tuple[float, float, float, float], slot: int, size: int, willing: float
) -> float:
    """Guess the chance that somebody answers a set of `size` cards.

    Parameters
    ----------
    answers : int
        Sets that the unseen cards can make.
    chances : tuple of float
        As `together` gives them for those who could answer.
    willing : float
        Chance that who holds an answer gives it.
    """
    if slot == view.cut_slot:
        return 0.0
    first = slot if view.equal_skips else slot + 1
    above = (moves.LANE << first) & 0x3FFF
    none = 1.0
    for cards in range(size, 5):  # ranks of which so many cards are unseen
        lane = answers >> (16 * (cards - 1))
        exactly = lane & above if cards == 4 else lane & ~(lane >> 16) & above
        if exactly != 0:
            apart = 1.0
            for _ in range(WAYS[cards - 1][size - 1]):
                apart *= 1.0 - chances[size - 1]
            for _ in range(moves.size_of_set(exactly)):
                none *= 1.0 - willing * (1.0 - apart)
    return 1.0 - none


@moves.helper
def turns_of(
    view: Any,
    answers: int,
    chances: tuple[float, float, float, float],
    slot: int,
    size: int,
    strong: float,
    willing: float,
) -> float:
    """Count the turns a group takes: 1 if it is sure to be beaten, less for what it can answer itself.

    Nothing, if there are no cards of that rank.
    """
    if size == 0:
        return 0.0
    return beaten(view, answers, chances, slot, size, willing) - strong * slot / view.ladder


@dataclass
class Decomp(Strategy):
    """Takes the move after which its hand needs the fewest turns: losers less what wins tricks back.

    A group that will be beaten costs a turn of its own: somebody else has the lead then. One that wins its
    trick costs none. Strong groups are also shed in answers to others, and win a lead for a weak one.

    Parameters
    ----------
    strong : float
        Turns that a group of the top rank saves; less for lower ranks.
    lead : float
        Turns that winning this trick is worth.
    pace : float
        Turns that a pass costs against one rival; less against more.
    near : float
        Turns that a pass costs when somebody has one card left; less while all have more.
    broken : float
        Turns that it costs to break a group.
    willing : float
        Chance that who can answer a set does.
    temperature : float
        Of the choice, in turns; 0: the best.
    """

    source: ClassVar[str] = "hand decomposition of Dou Dizhu and Big Two programs"

    strong: float = 1.13
    lead: float = 0.68
    pace: float = 0.36
    near: float = 0.54
    broken: float = 0.71
    willing: float = 0.2
    temperature: float = 0.0

    def play(self, view: Any) -> int:
        sure = moves.sure_move(view)
        if sure != moves.PASS:
            return sure
        tried, values = np.empty(moves.CHOICES, np.int64), np.empty(moves.CHOICES)
        strong, willing = self.strong, self.willing
        answers = moves.sets_with_wilds(view, moves.unseen(view))
        plain = moves.plain_cards(view)
        rivals = view.alive & ~(1 << view.me)
        later = together(view, rivals)
        now = together(view, rivals & ~view.passed) if view.rules.pass_locks else later
        fewest = moves.fewest_left(view)
        number = 0
        if not moves.leading(view):
            tried[0] = moves.PASS
            values[0] = -self.pace / moves.size_of_set(rivals) - self.near / fewest
            number = 1
        # the turns of the groups a move does not touch are the same for all moves: only the others count
        for index in range(moves.choices(view)):
            move = moves.nth_choice(view, index)
            size, slot, wilds = moves.size_of(move), moves.slot_of(move), moves.wilds_of(move)
            tried[number] = move
            if size == view.left[view.me]:
                values[number] = 100.0
            elif move == moves.LONE:
                values[number] = self.lead - strong
            else:
                risk = beaten(view, answers, now, slot, size, willing)
                held = moves.count(plain, slot)
                rest = max(held - (size - wilds), 0)
                value = self.lead * (1.0 - risk)
                value += turns_of(view, answers, later, slot, held, strong, willing)
                value -= turns_of(view, answers, later, slot, rest, strong, willing)
                if wilds > 0:
                    held_wild = moves.count(plain, view.wild_slot)
                    rest_wild = max(held_wild - wilds, 0)
                    value += turns_of(view, answers, later, view.wild_slot, held_wild, strong, willing)
                    value -= turns_of(view, answers, later, view.wild_slot, rest_wild, strong, willing)
                if rest > 0:
                    value -= self.broken
                if size - wilds > held:  # the lone winner among the cards
                    value -= strong
                if fewest <= 2 and size <= fewest:
                    value -= self.near / fewest * risk
                values[number] = value
            number += 1
        return tried[moves.choose(view, values, number, self.temperature)]

    def give(self, view: Any) -> int:
        answers = moves.sets_with_wilds(view, moves.unseen(view))
        plain = moves.plain_cards(view)
        later = together(view, view.alive & ~(1 << view.me))
        best, most = moves.weakest(view), -99.0
        rest = view.legal & 0x3FFF
        while rest != 0:
            slot = moves.lowest(rest)
            rest &= rest - 1
            held = moves.count(plain, slot)
            saved = turns_of(view, answers, later, slot, held, self.strong, self.willing)
            saved -= turns_of(view, answers, later, slot, max(held - 1, 0), self.strong, self.willing)
            if held > 1:
                saved -= self.broken
            if saved > most + 1e-9:
                best, most = slot, saved
        return best
