"""What is asked of a tournament: read from an experiment file and options, checked, and written down."""

from __future__ import annotations

import dataclasses
import tomllib
from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .errors import PresiError, near
from .tables import Table, table

if TYPE_CHECKING:
    from .bots.spec import BotSpec
    from .deals import Deals
    from .schedule import Schedule

_KNOWN = {
    "table",
    "players",
    "bots",
    "lineups",
    "seatings",
    "matches",
    "deals",
    "seed",
    "hands",
    "points",
    "on_fault",
    "oracle",
    "seconds",
    "set",
}
DEFAULT_MATCHES = 100_000
FAULTS = ("stop", "forfeit")


@dataclasses.dataclass(frozen=True)
class Request:
    """A whole tournament; everything that its rows depend on, and nothing else.

    Attributes
    ----------
    table : Table
    players : int
        Seats at the table.
    bots : tuple of BotSpec
    lineups, seatings : str
        As `harness.schedule.Schedule` takes them.
    matches : int
        Total budget, rounded up to whole groups.
    seed : int
        0 to 2**64 - 1.
    on_fault : str
        ``stop`` or ``forfeit``.
    deals : Deals or None
        Deals made elsewhere: every lineup then plays every match of them, which is how many matches there
        are; round r of the schedule plays match r.
    oracle : bool
        May bots take part that see all hands? Whoever is rated beside one is rated against a ceiling.
    """

    table: Table
    players: int
    bots: tuple[BotSpec, ...]
    lineups: str = "all"
    seatings: str = "rotations"
    matches: int = DEFAULT_MATCHES
    seed: int = 0
    on_fault: str = "stop"
    deals: Deals | None = None
    oracle: bool = False

    def __post_init__(self) -> None:
        if self.on_fault not in FAULTS:
            raise PresiError(f"on_fault {self.on_fault!r}: allowed are {', '.join(FAULTS)}")
        if not 0 <= self.seed < 2**64:
            raise PresiError(f"seed {self.seed}: allowed are 0 to 2^64 - 1")
        if self.deals is not None:
            object.__setattr__(self, "matches", self.deals.matches * self._schedule(1).round_matches)
        _ = self.schedule  # refuses what cannot be scheduled

    @cached_property
    def schedule(self) -> Schedule:
        """The schedule of the request."""
        return self._schedule(self.matches)

    def _schedule(self, matches: int) -> Schedule:
        from .schedule import Schedule

        return Schedule(self.labels, self.players, self.lineups, self.seatings, matches, self.seed)

    def luck(self, group: Any) -> Any:
        """Give what the groups of an array share their luck with: nobody else, or all who play one deal."""
        return group if self.deals is None else group // len(self.schedule.lineups)

    @property
    def labels(self) -> list[str]:
        """Names of the bots in results."""
        return [bot.label for bot in self.bots]

    def to_json(self) -> dict[str, Any]:
        """Write the request as plain data that `from_json` reads."""
        return {
            "table": {"name": self.table.name, **self.table.to_json()},
            "players": self.players,
            "bots": [dataclasses.asdict(bot) for bot in self.bots],
            "lineups": self.lineups,
            "seatings": self.seatings,
            "matches": self.matches,
            "seed": self.seed,
            "on_fault": self.on_fault,
            **({"deals": self.deals.to_json()} if self.deals is not None else {}),
            **({"oracle": True} if self.oracle else {}),
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Request:
        """Read what `to_json` wrote."""
        from .bots.spec import BotSpec

        fields = dict(data)
        deals = fields.pop("deals", None)
        rules = dict(fields["table"])
        fields["table"] = Table.from_dict({k: v for k, v in rules.items() if k != "name"}, name=rules["name"])
        fields["bots"] = tuple(
            BotSpec(**{**bot, "params": tuple((key, value) for key, value in bot["params"])})
            for bot in fields["bots"]
        )
        if deals is not None:
            from .deals import read_deals

            fields["deals"] = read_deals(deals["path"], fields["table"], fields["players"])
            if fields["deals"].digest != deals["digest"]:
                raise PresiError(f"deals {deals['path']}: they have changed since the run was begun")
        return cls(**fields)


def read_whole(text: str | int | float, what: str) -> int:
    """Read a whole number as people write it: ``1000``, ``1_000_000`` or ``1e6``.

    Raises
    ------
    PresiError
        If it is none.

    Examples
    --------
    >>> read_whole("1e6", "matches"), read_whole("1_000", "matches")
    (1000000, 1000)
    """
    if isinstance(text, bool) or not isinstance(text, int | float | str):
        raise PresiError(f"{what} {text!r}: must be a whole number")
    if not isinstance(text, float):
        try:
            return int(text)
        except ValueError:
            pass
    try:
        number = float(text)
        if number == int(number):
            return int(number)
    except (ValueError, OverflowError):
        pass
    raise PresiError(f"{what} {text!r}: must be a whole number, as 1000, 1_000 or 1e6")


def read_seconds(text: object) -> float:
    """Read a time limit.

    Raises
    ------
    PresiError
        If it is no number of seconds from 0.01 to 3600.
    """
    try:
        seconds = float(text)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        seconds = 0.0
    if not 0.01 <= seconds <= 3600:
        raise PresiError(f"seconds {text!r}: allowed are 0.01 to 3600")
    return seconds


def read_flag(value: object, what: str) -> bool:
    """Read a field that is true or false.

    Raises
    ------
    PresiError
        If it is neither.
    """
    if isinstance(value, bool):
        return value
    raise PresiError(f"{what} {value!r}: must be true or false")


def read_experiment(path: str) -> dict[str, Any]:
    """Read the ``[tournament]`` of an experiment file.

    Paths in it are taken from the file's own folder where they exist there, else from the current folder.

    Raises
    ------
    PresiError
        If the file cannot be read, is no TOML, or has an unknown key (with the nearest known one).
    """
    try:
        data = tomllib.loads(Path(path).read_text(encoding="utf-8"))
    except OSError as error:
        raise PresiError(f"experiment {path}: {error.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise PresiError(f"experiment {path}: {error}") from None
    for key in data:
        if key != "tournament":
            raise PresiError(f"experiment {path}: unknown section {key!r}; there is [tournament]")
    tournament = data.get("tournament")
    if not isinstance(tournament, dict):
        raise PresiError(f"experiment {path}: has no [tournament] section")
    for key in tournament:
        if key not in _KNOWN:
            raise PresiError(f"experiment {path}: unknown field {key!r}; {near(key, sorted(_KNOWN))}")
    bots = tournament.get("bots", [])
    if not isinstance(bots, list) or not all(isinstance(bot, str) for bot in bots):
        raise PresiError(f'experiment {path}: bots must be a list of specs, as ["keep", "chain"]')
    if not isinstance(tournament.get("set", {}), dict):
        raise PresiError(f"experiment {path}: set must be a section of its own, [tournament.set]")
    folder = Path(path).parent
    tournament["bots"] = [_beside(folder, bot) for bot in bots]
    if "deals" in tournament and (folder / str(tournament["deals"])).is_file():
        tournament["deals"] = str(folder / str(tournament["deals"]))
    if str(tournament.get("table", "")).endswith(".toml"):
        tournament["table"] = _beside(folder, str(tournament["table"]))
    return tournament


def _beside(folder: Path, text: str) -> str:
    """Put the experiment's folder before a path that exists there."""
    label, at, spec = text.rpartition("@")
    name, colon, rest = spec.partition(":")
    if name.endswith((".py", ".toml")) and (folder / name).is_file():
        return f"{label}{at}{folder / name}{colon}{rest}"
    return text


def read_rules(fields: Mapping[str, Any], settings: Sequence[Mapping[str, Any]]) -> tuple[Table, int]:
    """Give the table in force and the number of players."""
    changes: dict[str, Any] = dict(fields.get("set", {}))
    for setting in settings:
        changes.update(setting)
    hands, points = fields.get("hands"), fields.get("points")
    lengths = [
        f"set {name}" for setting in settings for name in setting if name in ("match_hands", "match_points")
    ]
    if lengths and (hands is not None or points is not None):
        raise PresiError(f"hands, points and {lengths[0]}: a match has one length, name one of them")
    if hands is not None and points is not None:
        raise PresiError("hands and points: a match is played for one of them, not both")
    if hands is not None:
        changes["match_hands"] = read_whole(hands, "hands")
        changes.pop("match_points", None)
    if points is not None:
        changes["match_points"] = read_whole(points, "points")
        changes.pop("match_hands", None)
    rules = table(str(fields.get("table", "barajamos")), **changes)
    players = read_whole(fields.get("players", rules.default_players), "players")
    low, high = rules.players
    if not low <= players <= high:
        allowed = f"{low} to {high}" if low < high else f"exactly {low}"
        raise PresiError(f"players {players}: {rules.name} is for {allowed}")
    return rules, players


def make_seats(
    options: Mapping[str, Any], settings: Sequence[Mapping[str, Any]] = (), repeat: bool = False
) -> tuple[Table, list[BotSpec]]:
    """Read a table and one bot for each seat.

    Parameters
    ----------
    options : mapping
        Fields as of an experiment; None where not given. Without ``players`` the bots say how many.
    settings : sequence of mapping
        Changes of the table, later ones override.
    repeat : bool
        Are fewer bots than seats repeated round the table (else refused)?

    Raises
    ------
    PresiError
        Naming the field, its value and what is allowed.
    """
    from .bots.spec import parse_spec

    fields = {key: value for key, value in options.items() if value is not None}
    names = list(fields["bots"])
    rules, players = read_rules(fields, settings)
    low, high = rules.players
    if "players" not in fields and low <= len(names) <= high:
        players = len(names)
    if len(names) > players or (len(names) < players and not repeat):
        bots = f"{len(names)} bot" + ("s" if len(names) > 1 else "")
        raise PresiError(f"bots: {bots} for {players} seats; name one for each seat")
    return rules, [parse_spec(names[seat % len(names)]) for seat in range(players)]


def make_request(
    experiment: Mapping[str, Any],
    options: Mapping[str, Any],
    settings: Sequence[Mapping[str, Any]] = (),
) -> Request:
    """Put an experiment and the options that override it together.

    Parameters
    ----------
    experiment : mapping
        As `read_experiment` gives it; may be empty.
    options : mapping
        The same fields; None where not given.
    settings : sequence of mapping
        Changes of the table, later ones override.

    Raises
    ------
    PresiError
        Naming the field, its value and what is allowed.
    """
    from .bots.spec import parse_spec

    given = {key: value for key, value in options.items() if value is not None}
    for one, other in (("deals", "matches"), ("matches", "deals")):
        if one in given and other not in given:
            experiment = {key: value for key, value in experiment.items() if key != other}
    fields = {**experiment, **given}
    if "deals" in fields and "matches" in fields:
        raise PresiError("matches and deals: every lineup plays every match of the file; leave matches out")
    rules, players = read_rules(fields, settings)
    specs = fields.get("bots") or []
    if not specs:
        raise PresiError("bots: name at least two, as --bots keep,chain; presi bots lists what there is")
    deals = None
    if "deals" in fields:
        from .deals import read_deals

        deals = read_deals(str(fields["deals"]), rules, players)
    bots = [parse_spec(spec) for spec in specs]
    if "seconds" in fields:
        seconds = read_seconds(fields["seconds"])
        bots = [
            dataclasses.replace(bot, params=(("seconds", str(seconds)),))
            if bot.target.startswith("exec:")
            else bot
            for bot in bots
        ]
    return Request(
        table=rules,
        players=players,
        bots=tuple(bots),
        lineups=str(fields.get("lineups", "all")),
        seatings=str(fields.get("seatings", "rotations")),
        matches=read_whole(fields.get("matches", DEFAULT_MATCHES), "matches"),
        seed=read_whole(fields.get("seed", 0), "seed"),
        on_fault=str(fields.get("on_fault", "stop")),
        deals=deals,
        oracle=read_flag(fields.get("oracle", False), "oracle"),
    )
