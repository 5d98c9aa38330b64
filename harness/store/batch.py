"""The rows of some matches as NumPy arrays: what is written to a run folder, and what is read from it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

MATCH_FIELDS = (
    "match", "code", "group", "lineup", "bots", "hands", "winner", "totals", "standings", "faults",
)  # fmt: skip
HAND_FIELDS = ("hand_row", "hand_match", "hand", "leader", "turns", "puestos", "points")


@dataclass(frozen=True, eq=False, repr=False)
class Batch:
    """The rows of some whole groups: `m` matches, `h` hands, `n` seats; all in match order.

    A batch that was read holds only the fields that were asked for; the others raise `AttributeError`.

    Attributes
    ----------
    match : int64[m]
        Numbers, ascending by one.
    code : uint64[m]
        Match code, without its ``P``.
    group : int64[m]
        Ascending; matches of one group share a code and a lineup.
    lineup : int32[m]
        Row of lineups.csv.
    bots : int32[m, n]
        Number of the bot in each seat, in the order of the run's bots.
    hands : int16[m]
        Hands each match took.
    winner : int8[m]
        Seat.
    totals : int16[m, n]
        Points at the end, by seat.
    standings : int8[m, n]
        By seat; 1 = first.
    faults : int16[m, n]
        Faults by seat.
    hand_row : int64[h]
        Row of each hand's match in this batch, so that the bots of a hand are ``bots[hand_row]``.
    hand_match : int64[h]
        Number of its match.
    hand : int16[h]
        Number of the hand in its match, from 1.
    leader : int8[h]
        Seat that led.
    turns : int16[h]
        Plays and passes.
    puestos : int8[h, n]
        Places by seat; 1 = first out.
    points : int8[h, n]
        By seat.
    """

    match: NDArray[np.int64]
    code: NDArray[np.uint64]
    group: NDArray[np.int64]
    lineup: NDArray[np.int32]
    bots: NDArray[np.int32]
    hands: NDArray[np.int16]
    winner: NDArray[np.int8]
    totals: NDArray[np.int16]
    standings: NDArray[np.int8]
    faults: NDArray[np.int16]
    hand_row: NDArray[np.int64]
    hand_match: NDArray[np.int64]
    hand: NDArray[np.int16]
    leader: NDArray[np.int8]
    turns: NDArray[np.int16]
    puestos: NDArray[np.int8]
    points: NDArray[np.int8]

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            if name in MATCH_FIELDS or name in HAND_FIELDS:
                raise AttributeError(f"this batch was read without {name!r}: ask for it in batches()")
            raise AttributeError(f"a batch has no field {name!r}")

    def __repr__(self) -> str:
        have = vars(self)
        sizes = ", ".join(
            f"{name}{list(have[name].shape)}" for name in (*MATCH_FIELDS, *HAND_FIELDS) if name in have
        )
        return f"<Batch {sizes}>"

    @classmethod
    def of(cls, **fields: NDArray[Any]) -> Batch:
        """Make a batch of some of the fields only."""
        batch = object.__new__(cls)
        vars(batch).update(fields)
        return batch

    def cut(self, start: int, stop: int) -> Batch:
        """Give some of the matches with their hands, as a batch that shares this one's memory.

        Parameters
        ----------
        start, stop : int
            Rows of matches, 0 <= start <= stop <= m.
        """
        have = vars(self)
        first, last = np.searchsorted(self.hand_row, [start, stop])
        fields = {name: have[name][start:stop] for name in MATCH_FIELDS if name in have}
        fields |= {name: have[name][first:last] for name in HAND_FIELDS if name in have}
        fields["hand_row"] = fields["hand_row"] - start
        return Batch.of(**fields)


def check_fields(fields: Iterable[str] | None) -> set[str]:
    """Give the fields asked for as a set; all of them for None.

    Raises
    ------
    ValueError
        If a batch has no such field.
    """
    every = {*MATCH_FIELDS, *HAND_FIELDS}
    asked = every if fields is None else set(fields)
    if asked - every:
        raise ValueError(f"a batch has no fields {sorted(asked - every)}")
    return asked
