"""How fast engine and bots are here."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

import numpy as np

from .arena import Arena
from .bots.ready import ReadyBot
from .streams import combine
from .tables import Table

_MATCHES = 4096


def measure(table: Table, seats: Sequence[ReadyBot], seconds: float, seed: int = 0) -> dict[str, Any]:
    """Play matches of the same bots in the same seats for some time, in this process, without logs.

    Parameters
    ----------
    table : Table
    seats : sequence of ReadyBot
        One for each seat.
    seconds : float
        Time to play for, compiling not counted.
    seed : int

    Returns
    -------
    dict
        ``ns_per_turn``, ``turns_per_s``, ``matches_per_s``, ``turns_per_hand``, ``hands_per_match``,
        ``matches``, ``turns``, ``seconds``.
    """
    arena = Arena(table, len(seats), seats)
    seating = np.arange(len(seats), dtype=np.int32)
    arena.play(np.zeros(1, np.uint64), seating[None])  # the first call loads compiled code
    matches = turns = hands = 0
    size, spent = 1, 0.0
    while spent < seconds:
        numbers = np.arange(matches, matches + size, dtype=np.uint64)
        codes = combine(np.full(size, seed, np.uint64), numbers)
        begin = time.perf_counter()
        block = arena.play(codes, np.tile(seating, (size, 1)))
        took = time.perf_counter() - begin
        spent += took
        matches += size
        turns += int(block.turns.sum(dtype=np.int64))
        hands += len(block.turns)
        if took < 0.1:
            size = min(2 * size, _MATCHES)
    return {
        "ns_per_turn": spent / turns * 1e9,
        "turns_per_s": turns / spent,
        "matches_per_s": matches / spent,
        "turns_per_hand": turns / hands,
        "hands_per_match": hands / matches,
        "matches": matches,
        "turns": turns,
        "seconds": spent,
    }
