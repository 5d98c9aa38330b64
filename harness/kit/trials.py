"""The tables a bot has to stand: every shipped one with every number of players, and house rules."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator

from ..tables import Table, parse_set, table, table_names

HANDS = 3
"""Hands of a match: enough for an exchange both ways and a second one."""

_HOUSE = (
    ("barajamos", 4, ("equal=forbidden", "pass_locks=false", "lone_winner=")),
    ("barajamos", 5, ("jokers=2", "joker_role=wild", "exchange_return=choice")),
    ("barajamos", 6, ("jokers=4", "joker_role=top", "revolution=order_and_direction")),
    ("barajamos", 7, ("players=7,7", "points=7:3,2,1,0,0,0,0", "revolution=order", "cut_rank=7")),
    ("naipera", 3, ("wild_rank=1", "revolution=order")),
    ("naipera", 4, ("deck=spanish48", "order=3,4,5,6,7,8,9,10,11,12,1,2", "later_leader=president")),
    ("naipera", 6, ("jokers=3", "joker_role=wild", "revolution=order", "exchange_return=choice")),
    ("presidente-clasico", 3, ("players=3,3", "points=3:2,1,0", "jokers=4", "joker_role=wild")),
    ("presidente-casa", 4, ("wild_rank=2", "pass_locks=true")),
    ("presidente-casa", 7, ("players=7,7", "points=7:4,3,2,1,0,0,0", "equal=skip", "lone_winner=2c")),
)


@dataclasses.dataclass(frozen=True)
class Trial:
    """A table to try a bot at.

    Attributes
    ----------
    rules : Table
        With matches of `HANDS` hands, unless the table was asked for.
    players : int
    options : tuple of str
        The command line's options that give this table.
    """

    rules: Table
    players: int
    options: tuple[str, ...]

    @property
    def title(self) -> str:
        """Name and number of players, as ``barajamos, 4 players``."""
        return f"{self.rules.name.partition('+match')[0]}, {self.players} players"


def all_trials() -> Iterator[Trial]:
    """Give every shipped table with every number of players, then tables of house rules.

    Examples
    --------
    >>> trials = list(all_trials())
    >>> len(trials), trials[0].title
    (21, 'barajamos, 3 players')
    >>> " ".join(trials[-2].options)
    '--table presidente-casa --set wild_rank=2 --set pass_locks=true --players 4 --hands 3'
    """
    for name in table_names():
        low, high = table(name).players
        for players in range(low, high + 1):
            yield trial(name, players, ())
    for name, players, settings in _HOUSE:
        yield trial(name, players, settings)


def trial(name: str, players: int, settings: tuple[str, ...], hands: int = HANDS) -> Trial:
    """Make a trial of a table with some rules changed."""
    rules = table(name, **parse_set(settings)).change(match_hands=hands)
    options = ["--table", name]
    for setting in settings:
        options += ["--set", setting]
    return Trial(rules, players, (*options, "--players", str(players), "--hands", str(hands)))
