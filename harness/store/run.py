"""A run's results as pandas tables."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ..errors import PresiError
from .batch import MATCH_FIELDS, Batch
from .folder import RunFolder
from .parts import count_hands

if TYPE_CHECKING:
    import pandas as pd


class Run:
    """A run that was played, wholly or in part, as pandas tables.

    All rows of a table are in memory at once: about 60 bytes a match and 70 bytes a hand at four seats. For
    more than that, stream with ``run.folder.batches()``.

    Parameters
    ----------
    path : path
        The run folder.

    Attributes
    ----------
    folder : RunFolder
        For reading.

    Raises
    ------
    PresiError
        If it is no run folder, or a file is missing or damaged.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.folder = RunFolder.read(path)

    def __repr__(self) -> str:
        return f"<Run {self.path}: {self.folder.matches_done:,} matches, {self.info['state']}>"

    @property
    def path(self) -> Path:
        """The run folder."""
        return self.folder.path

    @property
    def info(self) -> dict[str, Any]:
        """What run.json says."""
        return self.folder.info

    @property
    def bots(self) -> list[str]:
        """Labels of the bots, by number."""
        return self.folder.labels

    def matches(self) -> pd.DataFrame:
        """Read one row per match.

        Returns
        -------
        pandas.DataFrame
            Columns match, code, group, lineup, hands, winner (seat), total_0, ..., standing_0, ...
            (1 = first), bot_0, ... (categories: the run's bots), faults, faults_0, ...; by seat from 0.

        Raises
        ------
        PresiError
            If nothing is complete yet, or a file is missing or damaged.
        """
        import pandas as pd

        batches = list(self._stream(MATCH_FIELDS))

        def joined(name: str) -> Any:
            return np.concatenate([getattr(batch, name) for batch in batches])

        columns = {name: joined(name) for name in ("match", "code", "group", "lineup", "hands", "winner")}
        for stem, name in (("total", "totals"), ("standing", "standings")):
            columns |= {f"{stem}_{seat}": column for seat, column in enumerate(joined(name).T)}
        for seat, numbers in enumerate(joined("bots").T):
            columns[f"bot_{seat}"] = pd.Categorical.from_codes(numbers, categories=pd.Index(self.bots))
        faults = joined("faults")
        columns["faults"] = faults.sum(axis=1).astype(np.int16)
        columns |= {f"faults_{seat}": column for seat, column in enumerate(faults.T)}
        return pd.DataFrame(columns)

    def hands(self) -> pd.DataFrame:
        """Read one row per hand and seat.

        Returns
        -------
        pandas.DataFrame
            Columns match, hand (from 1), seat, bot (categories: the run's bots), puesto (1 = first out),
            points, leader (bool: did this seat lead the hand?), turns (of the whole hand).

        Raises
        ------
        PresiError
            If nothing is complete yet, or a file is missing or damaged.
        """
        import pandas as pd

        fields = ("bots", "hand_row", "hand_match", "hand", "leader", "turns", "puestos", "points")
        total = sum(count_hands(part.hands) for part in self.folder.parts)
        columns: dict[str, Any] = {}
        start = 0
        for batch in self._stream(fields):  # filled part by part, or it would all be there twice
            h, n = batch.puestos.shape
            stop = start + h * n
            seat = np.arange(n, dtype=np.int8)
            filled = {
                "match": np.repeat(batch.hand_match, n),
                "hand": np.repeat(batch.hand, n),
                "seat": np.tile(seat, h),
                "bot": batch.bots.astype(np.min_scalar_type(-len(self.bots)))[batch.hand_row].ravel(),
                "puesto": batch.puestos.ravel(),
                "points": batch.points.ravel(),
                "leader": (batch.leader[:, None] == seat).ravel(),
                "turns": np.repeat(batch.turns, n),
            }
            for name, values in filled.items():
                if name not in columns:
                    columns[name] = np.empty(total * n, values.dtype)
                columns[name][start:stop] = values
            start = stop
        columns["bot"] = pd.Categorical.from_codes(columns["bot"], categories=pd.Index(self.bots))
        return pd.DataFrame(columns, copy=False)

    def ratings(self) -> pd.DataFrame:
        """Read ratings.csv: one row per bot, best first.

        Raises
        ------
        PresiError
            If the run has not been rated yet.
        """
        import pandas as pd

        file = self.path / "ratings.csv"
        text = {"bot": str, "flag": str}
        try:
            numbers = [name for name in pd.read_csv(file, nrows=0).columns if name not in text]
            # A bot may be called NA or 007.
            return pd.read_csv(
                file, dtype=text, keep_default_na=False, na_values={name: [""] for name in numbers}
            )
        except FileNotFoundError:
            raise PresiError(
                f"{file} is missing: the run has not been rated; presi resume finishes it"
            ) from None
        except (OSError, ValueError) as error:
            raise PresiError(f"{file} cannot be read: {error}") from None

    def pairs(self) -> pd.DataFrame:
        """Count for every two bots how often they met and how often the first finished ahead.

        Returns
        -------
        pandas.DataFrame
            Columns bot_a, bot_b, games, ahead: one row for each ordered pair of different bots that met.
            Two seats of a match that hold `a` and `b` are one game; `ahead` is the share of them, 0 to 1,
            in which `a` stood before `b`, ties half.

        Raises
        ------
        PresiError
            If nothing is complete yet, or a file is missing or damaged.
        """
        import pandas as pd

        size = len(self.bots)
        games, halves = np.zeros(size * size, np.int64), np.zeros(size * size, np.int64)
        for batch in self._stream(("bots", "standings")):
            for a in range(batch.bots.shape[1]):
                for b in range(batch.bots.shape[1]):
                    if a == b:
                        continue
                    pair = batch.bots[:, a] * np.intp(size) + batch.bots[:, b]
                    ahead = batch.standings[:, a] < batch.standings[:, b]
                    level = batch.standings[:, a] == batch.standings[:, b]
                    games += np.bincount(pair, minlength=size * size)
                    halves += 2 * np.bincount(pair[ahead], minlength=size * size)
                    halves += np.bincount(pair[level], minlength=size * size)
        first, second = np.divmod(np.arange(size * size), size)
        met = (games > 0) & (first != second)
        labels = np.array(self.bots, object)
        return pd.DataFrame(
            {
                "bot_a": labels[first[met]],
                "bot_b": labels[second[met]],
                "games": games[met],
                "ahead": halves[met] / (2 * games[met]),
            }
        )

    def _stream(self, fields: Iterable[str]) -> Iterable[Batch]:
        if not self.folder.matches_done:
            raise PresiError(f"{self.path}: no part of the run is complete yet")
        return self.folder.batches(fields)
