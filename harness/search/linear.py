"""A judge of moves: features of a move in a view, weighed and added.

Features are numbers of about -1 to 1. Weights come in four sets, for what tables reward differs: with or
without equals that skip, with or without a revolution. The features are those that public play advice and the
programs of a Daihinmin contest (UECda) name; the weights are learned (`harness.learning`).
"""

from __future__ import annotations

import json
from importlib import resources
from typing import Any

import numpy as np

from ..compiling import compiled, compiled_inline
from ..engine.turn import mirror
from ..moves import (
    CHOICES,
    COLUMN,
    EVERY,
    LANE,
    LONE,
    PASS,
    count,
    groups,
    highest,
    lone_unseen,
    lowest,
    plain_cards,
    sets_of,
    sets_with_wilds,
    size_of_set,
    unseen,
)

FEATURES = (
    "pass",
    "pass, a rival has one or two cards",
    "pass, the next has one or two cards",
    "pass, the trick's owner is nearly out",
    "pass, early",
    "lead: size",
    "answer: size",
    "lead: strength",
    "answer: strength",
    "answer: strength squared",
    "answer: strength, early",
    "lead: strength, early",
    "breaks a group",
    "breaks a top group",
    "a group less",
    "nothing unseen answers it",
    "nothing unseen answers it, groups left",
    "kinds of answers unseen",
    "goes out",
    "one group left, and the trick is won",
    "one group left",
    "losers left",
    "bosses left",
    "single led against a last card: strength",
    "led bigger than the smallest hand",
    "equal: how nearly out the skipped is",
    "equal",
    "lone winner",
    "lone winner, groups left",
    "cuts",
    "flips: strength gained",
    "wild cards used",
    "answer: ranks jumped",
    "answer: strength, the next has one or two cards",
    "strength, a rival has one or two cards",
    "answer: one of the two top ranks, many groups left",
    "few cards left: strength",
    "top but for the lone winner",
    "answer: share of the others who may still answer",
    "answer: strength, share of the others who may still answer",
    "pass, bosses held",
    "lead: strength, groups left",
)
"""What each feature means."""
NUMBER = len(FEATURES)
assert NUMBER % 2 == 0  # they are added in pairs
KINDS = 4
"""Sets of weights: 1 added where equals skip, 2 where there is a revolution."""


@compiled_inline
def kind_of(view: Any) -> int:
    """Give the number of the set of weights that belongs to a table."""
    return (1 if view.equal_skips else 0) + (2 if view.revolution > 0 else 0)


@compiled
def hand_strength(word: int, ladder: int) -> float:
    """Give the mean strength of a hand's cards, 0 to 1."""
    total, cards = 0, 0
    for lane in range(4):
        rest = (word >> (16 * lane)) & 0x3FFF
        while rest != 0:
            total += lowest(rest)
            cards += 1
            rest &= rest - 1
    return total / (cards * (ladder - 1)) if cards > 0 else 0.5


@compiled
def describe_moves(view: Any, moves: Any, features: Any) -> int:
    """List the choices of the acting seat with their features.

    Parameters
    ----------
    view : record of `VIEW`
        As the acting seat is shown it.
    moves : int64[CHOICES]
        The choices; the pass, where it is allowed, is the first. Filled in.
    features : float64[CHOICES, NUMBER]
        Filled in.

    Returns
    -------
    int
        Number of choices.
    """
    me = view.me
    ladder = view.ladder
    top_slot = ladder - 1
    left = view.left[me]
    plain = plain_cards(view)
    mine = groups(plain)
    held_lone = view.lone_mine
    before = size_of_set(mine) + (1 if held_lone else 0)
    answers = sets_with_wilds(view, unseen(view))
    lone_out = lone_unseen(view)
    # for each size the lowest slot that nothing unseen answers
    safe0 = _safe_from(view, answers, 1)
    safe1 = _safe_from(view, answers, 2)
    safe2 = _safe_from(view, answers, 3)
    safe3 = _safe_from(view, answers, 4)
    boss = (
        (mine & ((LANE << safe0) & LANE))
        | (mine & (((LANE << safe1) & LANE) << 16))
        | (mine & (((LANE << safe2) & LANE) << 32))
        | (mine & (((LANE << safe3) & LANE) << 48))
    )
    if view.cut_slot >= 0:
        boss |= mine & (COLUMN << view.cut_slot)
    if view.revolution > 0:  # quartets turn the order (as in `moves.bosses`)
        boss &= ~(LANE << 48)
    fewest = 99
    for seat in range(view.players):
        if seat != me and (view.alive >> seat) & 1:
            fewest = min(fewest, view.left[seat])
    able = view.alive & ~view.passed if view.rules.pass_locks else view.alive
    able &= ~(1 << me)
    leads = view.size == 0
    following = 99
    skip_target = -1
    if able != 0:
        # who would be skipped: the owner too, if he has cards left, for an equal takes the trick over
        skip_target = me
        while (able >> skip_target) & 1 == 0:
            skip_target = (skip_target + view.direction + view.players) % view.players
        following = view.left[skip_target]
    owner_left = view.left[view.owner] if view.owner >= 0 else 9
    rivals = size_of_set(able)
    open_share = rivals / (view.players - 1)
    early = min(left * view.players / view.rules.deck_size, 1.0)
    near = 1.0 if fewest <= 2 else 0.0
    next_near = 1.0 if following <= 2 else 0.0

    number = 0
    if not leads:
        row = features[0]
        for index in range(NUMBER):
            row[index] = 0.0
        row[0] = 1.0
        row[1] = near
        row[2] = next_near
        row[3] = 1.0 / (1.0 + owner_left)
        row[4] = early
        row[20] = 1.0 if before == 1 else 0.0
        losers = before - size_of_set(boss) - (1 if held_lone else 0)
        row[21] = losers / 8.0
        row[22] = (before - losers) / 4.0
        row[40] = (before - losers) / 4.0
        moves[0] = PASS
        number = 1

    for wilds in range(4):
        word = view.legal
        if wilds > 0:
            if view.wild_slot < 0:
                break
            word = view.legal_wild[wilds - 1]
        while word != 0:
            bit = lowest(word)
            word &= word - 1
            move = 64 * wilds + bit
            row = features[number]
            moves[number] = move
            number += 1
            for index in range(NUMBER):
                row[index] = 0.0
            lone = bit == LONE
            slot = top_slot if lone else bit & 15
            size = 1 if lone else (bit >> 4) + 1
            naturals = size - wilds
            strength = slot / top_slot
            groups_after = before
            boss_after = size_of_set(boss) + (1 if held_lone else 0)
            breaks = False
            if lone:
                groups_after -= 1
                boss_after -= 1
                row[27] = 1.0
            else:
                column = COLUMN << slot
                held = count(plain, slot)
                was_boss = 1 if (boss & column) != 0 else 0
                if held <= naturals:
                    groups_after -= 1
                    boss_after -= was_boss
                    if held < naturals:  # the lone winner goes along
                        groups_after -= 1
                        boss_after -= 1
                else:
                    breaks = True
                    rest = held - naturals
                    safe = safe0 if rest == 1 else (safe1 if rest == 2 else safe2)
                    boss_after += (1 if slot >= safe else 0) - was_boss
                if wilds > 0:
                    held_wilds = count(plain, view.wild_slot)
                    if held_wilds <= wilds:
                        groups_after -= 1
                    row[31] = wilds / 2.0
            after = float(groups_after)
            safe = safe0 if size == 1 else (safe1 if size == 2 else (safe2 if size == 3 else safe3))
            cuts = slot == view.cut_slot and not lone
            flips = size == 4 and view.revolution > 0
            top = slot >= safe and not flips
            # an equal skips the only one who could still answer
            closes = rivals == 1 and slot == view.rank and not leads
            wins = lone or cuts or closes or (top and not lone_out)
            losers_after = max(groups_after - boss_after, 0)
            if leads:
                row[5] = size / 4.0
                row[7] = strength
                row[11] = strength * early
                row[41] = strength * after / 8.0
                if fewest == 1 and size == 1:
                    row[23] = strength
                if size > fewest:
                    row[24] = 1.0
            else:
                row[6] = size / 4.0
                row[8] = strength
                row[9] = strength * strength
                row[10] = strength * early
                if not lone:
                    row[32] = (slot - view.rank) / top_slot
                row[33] = strength * next_near
                row[38] = open_share
                row[39] = open_share * strength
                if slot >= top_slot - 1 and groups_after > 4:
                    row[35] = 1.0
                if slot == view.rank and not lone:
                    row[26] = 1.0
                    if skip_target >= 0:
                        row[25] = 1.0 / view.left[skip_target]
            if breaks:
                row[12] = 1.0
                if strength > 0.75:
                    row[13] = 1.0
            row[14] = (before - groups_after) * 0.5
            if wins:
                row[15] = 1.0
                row[16] = after / 8.0
            elif top:
                row[37] = 1.0
            else:
                kinds = sets_of(answers, size) >> (16 * (size - 1))
                first = slot if view.equal_skips else slot + 1
                row[17] = size_of_set(kinds & (LANE << first)) / top_slot
            if size == left:
                row[18] = 1.0
            elif groups_after == 1:
                row[19 if wins else 20] = 1.0
            row[21] = losers_after / 8.0
            row[22] = boss_after / 4.0
            if lone:
                row[28] = after / 8.0
            if cuts:
                row[29] = 1.0
            if flips:
                rest_hand = view.hand & ~(COLUMN << slot)
                now = hand_strength(rest_hand, ladder)
                row[30] = hand_strength(mirror(rest_hand & EVERY, ladder), ladder) - now
            row[34] = strength * near
            if left - size <= 4:
                row[36] = strength
    return number


@compiled_inline
def _safe_from(view: Any, answers: int, size: int) -> int:
    """Give the lowest slot whose sets of a size no given set answers."""
    top = highest(sets_of(answers, size) >> (16 * (size - 1)))
    return max(top + 1 if view.equal_skips else top, 0)


@compiled
def judge(view: Any, weights: Any, moves: Any, features: Any, values: Any) -> int:
    """List the choices of the acting seat with their values.

    Parameters
    ----------
    weights : float64[KINDS * NUMBER]
    moves, features : as for `describe_moves`
    values : float64[CHOICES]
        Filled in.

    Returns
    -------
    int
        Number of choices.
    """
    number = describe_moves(view, moves, features)
    first = kind_of(view) * NUMBER
    for index in range(number):
        row = features[index]
        even, odd = 0.0, 0.0  # two sums, so that one addition need not wait for the other
        for feature in range(0, NUMBER, 2):
            even += row[feature] * weights[first + feature]
            odd += row[feature + 1] * weights[first + feature + 1]
        values[index] = even + odd
    return number


@compiled
def room_for_choices() -> Any:
    """Make room for what `judge` needs.

    Returns
    -------
    moves, features, values
    """
    return np.empty(CHOICES, np.int64), np.empty((CHOICES, NUMBER)), np.empty(CHOICES)


def load_weights(name: str) -> tuple[float, ...]:
    """Read a bot's weights that come with the harness.

    Parameters
    ----------
    name : str
        Of a file in ``strategies/weights``, without ``.json``.

    Returns
    -------
    tuple of float
        As `weights_of` gives them.
    """
    text = resources.files("strategies").joinpath("weights", f"{name}.json").read_text(encoding="utf-8")
    return weights_of(json.loads(text))


def weights_of(data: Any) -> tuple[float, ...]:
    """Lay the weights of a file that `harness.learning` wrote out in a row.

    Returns
    -------
    tuple of float
        ``KINDS * NUMBER``; a feature the file does not name weighs nothing.

    Raises
    ------
    ValueError
        If it is no such file, or names a feature there is not.
    """
    kinds = data.get("kinds") if isinstance(data, dict) else None
    if (
        not isinstance(kinds, list)
        or len(kinds) != KINDS
        or not all(isinstance(kind, dict) for kind in kinds)
    ):
        raise ValueError(f'no weights: it must hold "kinds", {KINDS} sets of them')
    for feature in {feature for kind in kinds for feature in kind} - {*FEATURES}:
        raise ValueError(f"there is no feature {feature!r}")
    return tuple(float(kinds[kind].get(feature, 0.0)) for kind in range(KINDS) for feature in FEATURES)
