"""The compiled loop behind `harness.ratings.elo`."""

from __future__ import annotations

from typing import Any

import numpy as np

from harness.compiling import compiled


@compiled
def run_elo(bots: Any, standings: Any, order: Any, marks: Any, k: float, curve: Any) -> None:
    """Rate matches one after the other.

    Parameters
    ----------
    bots, standings : int32[m, n]
        By seat; bot -1 is an empty seat.
    order : int64[m]
        Matches in the order in which they count.
    marks : int64[p]
        Ascending: after how many matches the ratings are written down.
    k : float
        Elo points for each opponent.
    curve : float64[p, bots]
        Filled in.
    """
    number, seats = curve.shape[1], bots.shape[1]
    rating, change = np.zeros(number), np.zeros(number)
    mark = 0
    for done in range(order.shape[0] + 1):
        while mark < marks.shape[0] and marks[mark] == done:
            for bot in range(number):
                curve[mark, bot] = rating[bot]
            mark += 1
        if done == order.shape[0]:
            break
        row = order[done]
        for a in range(seats):
            first = bots[row, a]
            if first < 0:
                continue
            for b in range(a):
                second = bots[row, b]
                if second < 0 or second == first:
                    continue
                won = 0.5
                if standings[row, a] != standings[row, b]:
                    won = 1.0 if standings[row, a] < standings[row, b] else 0.0
                expected = 1.0 / (1.0 + 10.0 ** ((rating[second] - rating[first]) / 400.0))
                change[first] += k * (won - expected)
                change[second] -= k * (won - expected)
        for seat in range(seats):
            bot = bots[row, seat]
            if bot >= 0:
                rating[bot] += change[bot]
                change[bot] = 0.0
