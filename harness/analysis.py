"""From rows to answers: ratings, summary and pictures of a run, streamed over its parts."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from .cards import deck_cards
from .files import written_whole
from .ratings.tally import Tally
from .request import Request
from .summary import Summary

if TYPE_CHECKING:
    import pandas as pd

    from .ratings.rating import Rating
    from .store import Batch, RunFolder

RATING_COLUMNS = [
    "bot",
    "elo",
    "elo_low",
    "elo_high",
    "score",
    "win_rate",
    "mean_puesto",
    "points_per_hand",
    "matches",
    "groups",
    "los_next",
    "lead_next",
    "lead_low",
    "lead_high",
    "flag",
]
"""Columns of ratings.csv, in order."""


class Analysis:
    """Sums over a run from which all its tables and pictures are made; memory does not grow with the run.

    Parameters
    ----------
    request : Request
        Of the run.
    """

    def __init__(self, request: Request) -> None:
        self.request = request
        self.tally = Tally(request.labels)
        # deals made elsewhere give whom they like how many cards
        deck = deck_cards(request.table.deck, request.table.jokers) if request.deals is None else ()
        self.summary = Summary(request.labels, request.players, deck_size=len(deck) or None)
        self._round: list[Batch] = []

    def add(self, batch: Batch) -> None:
        """Take the rows of a part in."""
        self.summary.add(batch)
        if self.request.deals is None:
            self.tally.add(batch.group, batch.lineup, batch.bots, batch.standings, batch.winner)
            return
        # All lineups play the same deals, so a round shares its luck; its end may be in a later part.
        self._round.append(batch)
        lineups = len(self.request.schedule.lineups)
        if int(batch.group[-1]) % lineups == lineups - 1:
            self._close_rounds()

    def _close_rounds(self) -> None:
        """Tally the batches that wait for the end of a round."""
        if self._round:
            columns = [
                np.concatenate([getattr(batch, name) for batch in self._round])
                for name in ("group", "lineup", "bots", "standings", "winner")
            ]
            self._round = []
            self.tally.add(self.request.luck(columns[0]), *columns[1:])

    def faults_per_bot(self) -> dict[str, int]:
        """Count the faults of each bot that had any."""
        return {bot: int(n) for bot, n in zip(self.request.labels, self.summary.bot_faults, strict=True) if n}

    def rate(self) -> Rating:
        """Fit the ratings.

        Raises
        ------
        PresiError
            If there are no matches, or groups of bots that never met.
        """
        from .ratings.bradley_terry import fit

        self._close_rounds()
        return fit(self.tally)

    def rating_table(self, rating: Rating) -> pd.DataFrame:
        """Give the ratings as ratings.csv has them, best first."""
        frame = rating.table.copy()
        means = self.summary.per_bot()
        place = {bot: index for index, bot in enumerate(self.request.labels)}
        order = [place[bot] for bot in frame["bot"]]
        for name in ("mean_puesto", "points_per_hand"):
            frame[name] = means[name][order]
        # how far ahead of the next bot, with an interval of its own: those of the ratings hold the
        # uncertainty of the pool's mean as well, and overlap although the order is certain
        bots = frame["bot"].tolist()
        leads = [rating.lead(a, b) for a, b in pairwise(bots)]
        leads.append((np.nan, np.nan, np.nan))
        frame[["lead_next", "lead_low", "lead_high"]] = np.array(leads)
        return frame[RATING_COLUMNS]


def write_tables(folder: Path, analysis: Analysis) -> tuple[Rating, pd.DataFrame]:
    """Rate a run and write ratings.csv and summary.csv, each as a whole."""
    rating = analysis.rate()
    frame = analysis.rating_table(rating)
    write_csv(folder / "ratings.csv", frame)
    write_csv(folder / "summary.csv", analysis.summary.table())
    return rating, frame


def write_csv(path: Path, frame: pd.DataFrame) -> None:
    """Write a table with six significant digits, replacing the file as a whole."""
    with written_whole(path) as file:
        frame.to_csv(file, index=False, float_format="%.6g")


def draw(folder: Path, analysis: Analysis, rating: Rating, frame: pd.DataFrame) -> list[Path]:
    """Draw the pictures of a run into its ``plots`` folder."""
    from .plots import PlotData, draw_all, rating_rows

    request, summary = analysis.request, analysis.summary
    data = PlotData(
        table=request.table.name,
        players=request.players,
        matches=summary.match_count,
        groups=analysis.tally.group_count,
        hands=summary.hand_count,
        ratings=rating_rows(frame),
        games=np.asarray(rating.games),
        ahead=np.asarray(rating.ahead),
        summary=summary,
        titles=request.table.titles.get(request.players, ()),
        seed=request.seed,
    )
    return draw_all(folder / "plots", data)


def analyse(folder: RunFolder, request: Request) -> Analysis:
    """Read all complete parts of a run folder."""
    analysis = Analysis(request)
    for batch in folder.batches():
        analysis.add(batch)
    return analysis


def records(frame: pd.DataFrame) -> list[dict[str, Any]]:
    """Give a table as JSON-ready rows; what is not a number becomes null."""
    rows = []
    for row in frame.to_dict("records"):
        rows.append(
            {str(k): (None if isinstance(v, float) and not np.isfinite(v) else v) for k, v in row.items()}
        )
    return rows
