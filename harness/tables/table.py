"""`Table`: a set of rules as data."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ..cards import DECKS
from .validate import (
    NORMAL,
    NULLABLE,
    RULE_FIELDS,
    TableError,
    check,
    known_field,
    most_hands,
    normal,
)


@dataclass(frozen=True)
class Table:
    """The rules of one game. An impossible table cannot be made: making one checks it.

    Lists may be given where tuples stand, and empty text where None stands.

    Attributes
    ----------
    name : str
        What logs and pages call it; `change` gives ``barajamos+equal,jokers``.
    deck : str
        A name in `harness.cards.DECKS`.
    players : tuple of int
        Fewest and most, within 3 to 7.
    default_players : int
    order : tuple of str
        Every rank of the deck once, weakest first; jokers are not in it.
    jokers : int
        0 to 4.
    joker_role : str
        ``none`` (exactly when there are none), ``top`` (a rank of their own above all) or ``wild``.
    wild_rank : str or None
        Its cards also stand for any rank.
    opening_card : str
        Its holder leads hand 1.
    later_leader : str
        ``last`` or ``president``: who leads the later hands.
    equal : str
        ``skip`` or ``forbidden``: may a reply equal the value on the table?
    pass_locks : bool
        Does a pass keep one out until the trick ends?
    out_closes_trick : bool
        Does the play that empties a hand end the trick at once?
    lone_winner : str or None
        The card that, played alone, wins any trick at once.
    revolution : str
        ``none``, ``order`` or ``order_and_direction``: what four cards reverse.
    cut_rank : str or None
        Any play of that rank ends the trick at once.
    president_falls : bool
        Must the last hand's president run out first, or become last?
    exchange : tuple of int
        Cards swapped last with first (0 to 2), and second-last with second (0 or 1).
    exchange_return : str
        ``worst`` or ``choice``: what the upper player gives back.
    points : dict of int to tuple of int
        By number of players, by place; -128 to 127.
    match_points, match_hands : int or None
        Exactly one of them: play until someone has that many points, or that many hands. Up to 32767.
    titles : dict of int to tuple of str
        By number of players, by place; empty text where a place has none. No part of the rules.

    Raises
    ------
    TableError
        Names the field, its value and what is allowed.
    """

    name: str
    deck: str
    players: tuple[int, int]
    default_players: int
    order: tuple[str, ...]
    jokers: int
    joker_role: str
    wild_rank: str | None
    opening_card: str
    later_leader: str
    equal: str
    pass_locks: bool
    out_closes_trick: bool
    lone_winner: str | None
    revolution: str
    cut_rank: str | None
    president_falls: bool
    exchange: tuple[int, int]
    exchange_return: str
    points: dict[int, tuple[int, ...]] = field(hash=False)
    match_points: int | None
    match_hands: int | None
    titles: dict[int, tuple[str, ...]] = field(hash=False)

    def __post_init__(self) -> None:
        """Bring every field to its type and check the whole."""
        values = {key: normal(key, getattr(self, key)) for key in NORMAL}
        least, most = values["players"]
        for number in range(least, most + 1):
            values["titles"].setdefault(number, ("",) * number)
        values["titles"] = dict(sorted(values["titles"].items()))
        check(values)
        for key, value in values.items():
            object.__setattr__(self, key, value)

    # --- changes ----------------------------------------------------------------------------------------

    def change(self, **fields: Any) -> Table:
        """Give the same table with some fields changed.

        Some changes bring others along, unless those are given as well: another deck drops the ranks it
        lacks from `order`; ``match_points`` empties ``match_hands`` and the other way round; no jokers have
        no role; other `players` pull `default_players` within them. `points` and `titles` change only for
        the numbers of players they name; those of numbers no longer allowed are dropped.

        Parameters
        ----------
        **fields
            Any fields but the name. The new name is that of the table first started from, a plus and the
            fields given that differ from it.

        Returns
        -------
        Table

        Raises
        ------
        TableError
            If a field is unknown, or the changed table impossible.

        Examples
        --------
        >>> from harness.tables import table
        >>> changed = table("barajamos").change(deck="spanish40", equal="forbidden")
        >>> changed.name, changed.order[4:6]
        ('barajamos+deck,equal', ('7', '10'))
        >>> changed.change(deck="spanish48", order=table("barajamos").order).name
        'barajamos+equal'
        """
        given = {key: normal(known_field(key), value) for key, value in fields.items()}
        new = {key: getattr(self, key) for key in NORMAL} | given
        if new["deck"] != self.deck:
            lost = set(DECKS[self.deck].ranks) - set(DECKS[new["deck"]].ranks)
            new["order"] = tuple(rank for rank in new["order"] if rank not in lost)
        if new["jokers"] == 0 and "joker_role" not in given:
            new["joker_role"] = "none"
        for one, other in (("match_points", "match_hands"), ("match_hands", "match_points")):
            if given.get(one) is not None and other not in given:
                new[other] = None
        least, most = new["players"]
        if "default_players" not in given and least <= most:
            new["default_players"] = min(max(self.default_players, least), most)
        for key in ("points", "titles"):
            kept = {number: row for number, row in getattr(self, key).items() if least <= number <= most}
            new[key] = kept | given.get(key, {})
        changed = Table(**new)
        base = self._base()
        named = dict.fromkeys((*self._named(), *given))
        differ = [key for key in named if getattr(changed, key) != getattr(base, key)]
        object.__setattr__(changed, "name", f"{base.name}+{','.join(differ)}" if differ else base.name)
        # Not a field: it is no rule and says nothing about equality, it only lets names stay short.
        object.__setattr__(changed, "_started_from", base)
        return changed

    def _named(self) -> list[str]:
        """List the changed fields the name tells of."""
        return [key for key in self.name.partition("+")[2].split(",") if key in RULE_FIELDS]

    def _base(self) -> Table:
        """Give the table whose name the changes are added to."""
        base = self.__dict__.get("_started_from")
        if isinstance(base, Table):
            return base
        from . import table, table_names

        stem = self.name.partition("+")[0]
        if stem == self.name or stem not in table_names():
            return self
        # A changed table read from a log or a file knows where it started from by its name alone, and
        # a file may say any name: it is believed if those changes do make this table.
        start = table(stem)
        try:
            told = start.change(**{key: getattr(self, key) for key in self._named()})
        except TableError:
            return self
        return start if told.digest() == self.digest() else self

    # --- what it looks like -----------------------------------------------------------------------------

    def to_json(self) -> dict[str, Any]:
        """Give every field but the name as plain data, ready for `json`.

        Returns
        -------
        dict
            Tuples as lists; numbers of players as text, as JSON wants keys.
        """
        return {key: _plain(getattr(self, key)) for key in RULE_FIELDS}

    def to_toml(self) -> str:
        """Write the table as a file `table` reads back: every field, its name included.

        What TOML cannot say, nothing, is empty text.
        """
        from .text import to_toml

        return to_toml(self)

    @classmethod
    def from_dict(cls, data: Mapping[str, Any], name: str | None = None) -> Table:
        """Make a table from plain data as `to_json` or a file gives it.

        Parameters
        ----------
        data : mapping
            Every field. Those that may be empty may be missing, so may `titles` and `default_players`
            (then 4 if allowed, else the nearest).
        name : str, optional
            Wins over a `name` in `data`; without either it is ``custom``.

        Returns
        -------
        Table

        Raises
        ------
        TableError
            If a field is unknown, missing or impossible.
        """
        values: dict[str, Any] = dict.fromkeys(NULLABLE) | {"titles": {}, "name": "custom"}
        for key, value in data.items():
            values[key if key == "name" else known_field(key)] = value
        if name is not None:
            values["name"] = name
        if "players" in values:
            least, most = values["players"] = normal("players", values["players"])
            values.setdefault("default_players", min(max(4, least), most))
        missing = [key for key in NORMAL if key not in values]
        if missing:
            also = f"; also missing: {', '.join(missing[1:])}" if missing[1:] else ""
            why = f"missing{also}"
            raise TableError(missing[0], None, "every field, or base = a table to start from", why=why)
        return cls(**values)

    def digest(self) -> str:
        """Give the SHA-256 of the rules in hexadecimal: of all fields but the name and the titles."""
        import hashlib

        rules = self.to_json()
        del rules["titles"]
        text = json.dumps(rules, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
        return hashlib.sha256(text.encode("ascii")).hexdigest()

    @property
    def rank_count(self) -> int:
        """How many steps the ladder of strength has: the ranks of `order`, and one for jokers if any.

        Examples
        --------
        >>> from harness.tables import table
        >>> table("naipera").rank_count, table("naipera", jokers=2, joker_role="wild").rank_count
        (10, 11)
        """
        return len(self.order) + (1 if self.jokers else 0)

    def max_hands(self, players: int) -> int:
        """Give a number of hands no match of so many players goes beyond.

        Raises
        ------
        TableError
            If the table is not for so many players.

        Examples
        --------
        >>> from harness.tables import table
        >>> table("barajamos").max_hands(4), table("naipera").max_hands(4)
        (14, 5)
        """
        if players not in self.points:
            least, most = self.players
            raise TableError("players", players, f"{least} to {most}", why=f"{self.name} is not for so many")
        if self.match_points is None:
            assert self.match_hands is not None
            return self.match_hands
        return most_hands(players, self.points[players], self.match_points)


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {str(key): _plain(entry) for key, entry in value.items()}
    return list(value) if isinstance(value, tuple) else value
