"""A bot that counts the turns its hand will take."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from harness import moves
from harness.strategy import Strategy


def beaten(view: Any, answers: int, slot: int, size: int, single: float, more: float) -> float:
    """Guess the chance that somebody answers a set, from the sets that unseen cards could make.

    Parameters
    ----------
    answers : int
        Sets of the unseen cards.
    single, more : float
        Chance that one rank that beats a single, or a bigger set, is not played against it.
    """
    kinds = moves.sets_of(answers, size) >> (16 * (size - 1))
    first = slot if view.equal_skips else slot + 1
    above = moves.size_of_set(kinds & (moves.LANE << first) & moves.LANE)
    if above == 0:
        return 0.0
    # each further rank that could answer makes it less likely that none does
    alone = single if size == 1 else more
    none = 1.0
    for _ in range(above):
        none *= alone
    return 1.0 - none


def turns_needed(view: Any, answers: int, word: int, control: float, single: float, more: float) -> float:
    """Count the turns a hand will take: one for each group, less what strong groups win back.

    A group that is likely to win its trick costs no turn of its own and gives the lead for another.

    Parameters
    ----------
    word : int
        Cards, the lone winner not among them.
    control : float
        What a sure winner takes off.
    """
    total = 0.0
    rest = moves.groups(word)
    while rest != 0:
        group = moves.lowest(rest)
        rest &= rest - 1
        risk = beaten(view, answers, moves.slot_of(group), moves.size_of(group), single, more)
        if moves.slot_of(group) == view.cut_slot:
            risk = 0.0
        total += 1.0 - (1.0 + control) * (1.0 - risk)
    return total


@dataclass
class Decomp(Strategy):
    """Takes the move after which its hand needs the fewest turns: losers less what wins tricks back.

    Parameters
    ----------
    control : float
        Turns a group that nobody can beat takes off, beside its own.
    lead : float
        Turns that winning this trick is worth.
    spent : float
        Turns that a card of the top rank is worth beyond what is counted, less for lower ones.
    block : float
        Turns that a pass costs when somebody is nearly out.
    single, more : float
        Chance that nobody holds (and plays) one of the ranks that beat a single, or a bigger set.
    temperature : float
        Of the choice, in turns; 0: the best.
    """

    source: ClassVar[str] = "hand decomposition of Dou Dizhu and Big Two programs"

    control: float = 0.03
    lead: float = 0.92
    spent: float = 0.58
    block: float = 0.6
    single: float = 0.75
    more: float = 0.95
    temperature: float = 0.0

    def play(self, view: Any) -> int:
        sure = moves.sure_move(view)
        if sure != moves.PASS:
            return sure
        tried, values = np.empty(moves.CHOICES, np.int64), np.empty(moves.CHOICES)
        answers = moves.sets_with_wilds(view, moves.unseen(view))
        plain = moves.plain_cards(view)
        lone_worth = 1.0 + self.control if view.lone_mine else 0.0
        number = 0
        if not moves.leading(view):
            tried[0] = moves.PASS
            near = 1.0 if moves.fewest_left(view) <= 2 else 0.0
            values[0] = (
                lone_worth
                - turns_needed(view, answers, plain, self.control, self.single, self.more)
                - self.block * near
            )
            number = 1
        left = view.left[view.me]
        for index in range(moves.choices(view)):
            move = moves.nth_choice(view, index)
            size = moves.size_of(move)
            tried[number] = move
            if size == left:
                values[number] = 100.0
            elif move == moves.LONE:
                values[number] = self.lead - turns_needed(
                    view, answers, plain, self.control, self.single, self.more
                )
            else:
                slot, wilds = moves.slot_of(move), moves.wilds_of(move)
                held = moves.count(plain, slot)
                naturals = size - wilds
                rest = moves.take_cards(plain, slot, min(naturals, held))
                worth = lone_worth if naturals <= held else 0.0
                if wilds > 0:
                    rest = moves.take_cards(
                        rest, view.wild_slot, min(wilds, moves.count(rest, view.wild_slot))
                    )
                risk = beaten(view, answers, slot, size, self.single, self.more)
                if slot == view.cut_slot:
                    risk = 0.0
                values[number] = (
                    worth
                    - turns_needed(view, answers, rest, self.control, self.single, self.more)
                    + self.lead * (1.0 - risk)
                    - self.spent * slot / view.ladder
                )
            number += 1
        return tried[moves.choose(view, values, number, self.temperature)]

    def give(self, view: Any) -> int:
        answers = moves.sets_with_wilds(view, moves.unseen(view))
        plain = moves.plain_cards(view)
        best, fewest = moves.weakest(view), 99.0
        rest = view.legal & 0x3FFF
        while rest != 0:
            slot = moves.lowest(rest)
            rest &= rest - 1
            turns = turns_needed(
                view, answers, moves.take_cards(plain, slot, 1), self.control, self.single, self.more
            )
            if turns < fewest - 1e-9:
                best, fewest = slot, turns
        return best
