"""What the end of a hand is worth: the standing of the match it leads to, one rival at a time.

The score of a match is the mean over the rivals of "finished ahead of him" (place score). After a hand the
points are known; what the hands to come add to the difference to a rival is taken as normal, with a mean that
his and one's own place in this hand bring (the first gets better cards, the last leads) and a spread that
grows with the hands to come. Where the match may end with this hand the engine's own rule says how.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..compiling import compiled
from ..engine.match import end_match
from ..engine.records import SEATS
from ..moves import exp

# Fitted to matches of good bots on the shipped tables: log loss within 0.02 of a fit to each table alone.
FIRST, LAST, SECOND, SECOND_LAST, FALLING = 0.13, -0.11, 0.14, -0.2, -0.25
"""What a place brings in the next hand, as a change of the mean place score (1 first, 0 last).

The first and the last for each card exchanged between them (the last leads, which makes up for some of it),
the second and the second-last likewise, and a president who may fall."""
DRIFT, REPEAT, EARLY, LATE = (1.25, 1.9), (0.4, 0.15), (1.6, 7.0), (3.6, 4.2)
"""For matches of so many hands, and of so many points.

How far that moves the difference in points, how much of it the hand after next repeats, and how much wider
than independent hands the difference spreads, with one hand to come and with many. (A match to points ends
sooner or later than expected, which spreads it too.)"""


@compiled
def normal_below(x: float) -> float:
    """Give the chance that a standard normal is below x, within 1e-7 (Abramowitz and Stegun 26.2.17)."""
    t = 1.0 / (1.0 + 0.2316419 * abs(x))
    tail = t * (0.319381530 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))))
    tail *= 0.3989422804014327 * exp(-0.5 * x * x)
    return 1.0 - tail if x >= 0 else tail


@compiled
def fill_worth(view: Any, ahead: Any) -> bool:
    """Work out, for each rival and each pair of places, the chance to finish the match ahead of him.

    Parameters
    ----------
    ahead : float64[SEATS, SEATS + 1, SEATS + 1]
        By rival's seat, own place, his place; filled in.

    Returns
    -------
    bool
        May the match end with this hand? The engine's rule must then be asked.
    """
    rules, players, me = view.rules, view.players, view.me
    mean, square, slope, width = 0.0, 0.0, 0.0, 0.0
    for place in range(1, players + 1):
        mean += rules.points[place] / players
    for place in range(1, players + 1):
        over = (players - place) / (players - 1) - 0.5
        square += (rules.points[place] - mean) ** 2 / players
        slope += (rules.points[place] - mean) * over  # points for each step of place score
        width += over * over
    slope /= width
    brings = np.zeros(SEATS + 1)
    brings[1] += FIRST * rules.exchange_first
    brings[players] += LAST * rules.exchange_first
    if players >= 4:
        brings[2] += SECOND * rules.exchange_second
        brings[players - 1] += SECOND_LAST * rules.exchange_second
    if rules.president_falls:
        brings[1] += FALLING
    best = view.points[0]
    for seat in range(players):
        best = max(best, view.points[seat])
    race = 1 if rules.match_points > 0 else 0
    if race == 1:
        may_end = best + rules.points[1] >= rules.match_points
        # the leader's points after this hand are taken as one more mean hand
        to_come = max((rules.match_points - best - mean) / (mean + 0.5 * math.sqrt(square)), 1.0)
    else:
        may_end = view.hand_number >= rules.match_hands
        to_come = float(rules.match_hands - view.hand_number)
    drift, repeat = DRIFT[race], REPEAT[race]
    total, step = 0.0, 1.0
    for _ in range(int(to_come)):
        total += step
        step *= repeat
    drift *= slope * total
    wider = EARLY[race] + (LATE[race] - EARLY[race]) * (1.0 - 1.0 / max(to_come, 1.0))
    spread = math.sqrt(2.0 * square * to_come * wider)
    for rival in range(players):
        for mine in range(1, players + 1):
            for his in range(1, players + 1):
                gap = float(view.points[me] - view.points[rival] + rules.points[mine] - rules.points[his])
                if to_come < 0.5:
                    ahead[rival, mine, his] = 1.0 if gap > 0 or (gap == 0 and mine < his) else 0.0
                else:
                    ahead[rival, mine, his] = normal_below(
                        (gap + drift * (brings[mine] - brings[his])) / spread
                    )
    return may_end


@compiled
def worth_of(view: Any, ahead: Any, may_end: bool, me: int, totals: Any, standings: Any) -> float:
    """Say what the end of a hand is worth to a seat: the expected score of the match, 0 to 1.

    Parameters
    ----------
    view : record of `VIEW`
        The hand is over; ``view.points`` are those before it.
    ahead, may_end
        As `fill_worth` gives them.
    totals, standings : int16[SEATS], int8[SEATS]
        Room to work in.
    """
    players = view.players
    if may_end:
        for seat in range(players):
            totals[seat] = view.points[seat] + view.rules.points[view.puesto[seat]]
        if end_match(view, totals, standings) >= 0:
            return (players - standings[me]) / (players - 1)
    mine = view.puesto[me]
    total = 0.0
    for rival in range(players):
        if rival != me:
            total += ahead[rival, mine, view.puesto[rival]]
    return total / (players - 1)


@compiled
def room_for_worth() -> Any:
    """Make room for what `fill_worth` and `worth_of` need.

    Returns
    -------
    ahead, totals, standings
    """
    return (
        np.zeros((SEATS, SEATS + 1, SEATS + 1)),
        np.zeros(SEATS, np.int16),
        np.zeros(SEATS, np.int8),
    )
