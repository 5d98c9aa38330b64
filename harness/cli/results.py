"""What a tournament's result looks like in a terminal, and as JSON."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from .options import show_json

if TYPE_CHECKING:
    from ..analysis import Analysis
    from ..ratings.rating import Rating
    from ..request import Request


def say(text: str) -> None:
    """Print a line while work goes on; a reader of the pipe who has gone is no reason to stop working."""
    try:
        click.echo(text)
    except BrokenPipeError:
        sys.stdout = open(os.devnull, "w")  # noqa: SIM115


def describe(request: Request) -> str:
    """Say in one line what is played."""
    schedule = request.schedule
    return (
        f"{request.table.name}, {request.players} players: {len(request.bots)} bots in "
        f"{len(schedule.lineups):,} lineups, {schedule.total_matches:,} matches in "
        f"{schedule.total_groups:,} groups ({request.seatings}), seed {request.seed}"
    )


def rating_text(frame: Any) -> str:
    """Write the ratings as a table, best first."""
    from ..text import text_table

    heads = [
        "bot",
        "Elo",
        "95 % interval",
        "lead on next",
        "sure",
        "score",
        "wins",
        "puesto",
        "points/hand",
        "seats",
    ]
    rows = []
    for row in frame.to_dict("records"):
        last = row["los_next"] != row["los_next"]
        half = (row["lead_high"] - row["lead_low"]) / 2
        rows.append(
            [
                row["bot"],
                f"{row['elo']:+.1f}",
                f"{row['elo_low']:+.1f} .. {row['elo_high']:+.1f}",
                "" if last else f"{row['lead_next']:.1f} ± {half:.1f}",
                "" if last else f"{100 * row['los_next']:.1f}%" if row["los_next"] < 0.9995 else ">99.9%",
                f"{row['score']:.3f}",
                f"{100 * row['win_rate']:.1f}%",
                f"{row['mean_puesto']:.3f}",
                f"{row['points_per_hand']:+.3f}",
                f"{row['matches']:,}",
            ]
        )
    if any(frame["flag"].astype(bool)):
        heads.append("note")
        for line, flag in zip(rows, frame["flag"], strict=True):
            line.append(flag)
    return text_table(heads, rows)


def notes(analysis: Analysis, rating: Rating, frame: Any) -> None:
    """Say in sentences what a reader of the table should not miss."""
    best, second = frame["bot"][0], frame["bot"][1]
    first = frame.iloc[0]
    share = 100 * rating.share(best, second)
    met = "" if share != share else f"; it finished ahead of it in {share:.1f} % of the matches they shared"
    if first["lead_low"] > 0:
        lead = f"{first['lead_next']:.1f} Elo (95 %: {first['lead_low']:.1f} to {first['lead_high']:.1f})"
        click.echo(f"\n{best} is best, {lead} ahead of {second}{met}")
    else:
        click.echo(f"\n{best} and {second} cannot be told apart by these matches{met}")
    misfit = rating.worst_misfit()
    if misfit is not None:
        a, b, seen, said = misfit
        click.echo(
            f"one number does not tell all: {a} finished ahead of {b} in {100 * seen:.1f} %, "
            f"where the ratings say {100 * said:.1f} % (see pairs.png)"
        )
    if analysis.request.lineups.startswith("gauntlet"):
        click.echo(
            "in a gauntlet bots meet different company: compare Elo, not score, wins, puesto or points"
        )
    for bot, number in analysis.faults_per_bot().items():
        hands = int(analysis.summary.hands[analysis.request.labels.index(bot)].sum())
        click.echo(f"{bot} forfeited {number:,} of its {hands:,} hands")


def show_result(frame: Any, analysis: Analysis, path: Path) -> None:
    """Print a run's result as JSON."""
    from ..analysis import records

    show_json(
        {
            "folder": str(path),
            "table": analysis.request.table.name,
            "players": analysis.request.players,
            "matches": analysis.summary.match_count,
            "groups": analysis.tally.group_count,
            "hands": analysis.summary.hand_count,
            "ratings": records(frame),
            "faults": analysis.faults_per_bot(),
        }
    )
