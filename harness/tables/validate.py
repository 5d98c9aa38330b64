"""What a table may say: first every field alone (`normal`), then the fields together (`check`)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from ..cards import DECKS, JOKER, MAX_JOKERS, deck_cards, rank_of
from ..errors import PresiError, near

MIN_PLAYERS, MAX_PLAYERS = 3, 7
INT8, INT16 = (-128, 127), 32767


class TableError(PresiError):
    """A field of a table (or a position on it) is impossible.

    Parameters
    ----------
    field : str
        What is wrong, as a table names it.
    value : object
        What was given.
    allowed : str
        What may be given instead, in words.
    why : str
        What is wrong, where the allowed values alone do not say.
    hint : str
        What is near, if anything.
    """

    def __init__(self, field: str, value: object, allowed: str, why: str = "", hint: str = "") -> None:
        self.field, self.value, self.allowed, self.why, self.hint = field, value, allowed, why, hint
        parts = [part for part in (why, f"allowed: {allowed}" if allowed else "", hint) if part]
        super().__init__(f"{field} = {shown(value)}: {'; '.join(parts)}")

    def __reduce__(self) -> tuple[Any, ...]:
        """Tell pickle how to make the error again."""
        # Exceptions are pickled by their message alone, but this one is made from five things.
        return type(self), (self.field, self.value, self.allowed, self.why, self.hint)


def shown(value: object) -> str:
    """Write a value on one line, as `--set` would take it.

    Examples
    --------
    >>> shown({3: (2, 1, 0)}), shown(("3", "4")), shown(None), shown(True)
    ('3:2,1,0', '3,4', 'nothing', 'true')
    """
    if value is None or (isinstance(value, str | list | tuple | Mapping) and not value):
        return "nothing"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, Mapping):
        text = ";".join(f"{key}:{shown(entry)}" for key, entry in value.items())
    elif isinstance(value, list | tuple):
        text = ",".join(str(entry) for entry in value)
    else:
        text = str(value)
    text = text if text.isprintable() else ascii(text)
    # both ends of what is too long: the end is what tells paths apart
    return text if len(text) <= 200 else f"{text[:100]} ... {text[-90:]}"


def hint_for(value: object, known: Iterable[str]) -> str:
    """Give "did you mean ...?" if a known word is close, else nothing. Capitals do not matter.

    Examples
    --------
    >>> hint_for("EQAUL", ["equal", "deck"]), hint_for("zzz", ["equal", "deck"])
    ('did you mean equal?', '')
    """
    known = list(known)
    for word in known:
        if str(value).lower() == word.lower() and value != word:
            return f"did you mean {word}?"
    for text in (str(value), str(value).lower()):
        hint = near(text, known)
        if hint.startswith("did you mean"):
            return hint
    return ""


# --- one field alone ------------------------------------------------------------------------------------


def _choice(*known: str) -> Callable[[str, object], str]:
    def normal_choice(field: str, value: object) -> str:
        if isinstance(value, str) and value in known:
            return value
        raise TableError(field, value, ", ".join(known), hint=hint_for(value, known))

    return normal_choice


def _whole(low: int, high: int) -> Callable[[str, object], int]:
    def normal_whole(field: str, value: object) -> int:
        # A bool is an int to Python, but `jokers = true` is a slip.
        if isinstance(value, int) and not isinstance(value, bool) and low <= value <= high:
            return value
        raise TableError(field, value, f"a whole number from {low} to {high}")

    return normal_whole


def _yes_no(field: str, value: object) -> bool:
    if isinstance(value, bool):
        return value
    raise TableError(field, value, "true, false")


def _word(field: str, value: object, what: str) -> str:
    """Take text, or a whole number where ranks are written as numbers in a file."""
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    if isinstance(value, str) and value:
        return value
    raise TableError(field, value, what)


def _rank(field: str, value: object) -> str:
    return _word(field, value, "a rank of the deck")


def _card(field: str, value: object) -> str:
    if isinstance(value, str) and value:
        return value
    raise TableError(field, value, "a card of the deck, as 3o")


def _nullable(inner: Callable[[str, object], Any]) -> Callable[[str, object], Any]:
    def normal_nullable(field: str, value: object) -> Any:
        if value is None or value == "":
            return None
        try:
            return inner(field, value)
        except TableError as error:
            raise TableError(field, value, f"{error.allowed}, or nothing", error.why, error.hint) from None

    return normal_nullable


_Pair = tuple[int, int]
_NUMBERS = tuple(str(number) for number in range(MIN_PLAYERS, MAX_PLAYERS + 1))


def _pair(low: _Pair, high: _Pair, words: str) -> Callable[[str, object], _Pair]:
    def normal_pair(field: str, value: object) -> _Pair:
        if isinstance(value, list | tuple) and len(value) == 2:
            a, b = value
            whole = all(isinstance(x, int) and not isinstance(x, bool) for x in (a, b))
            if whole and low[0] <= a <= high[0] and low[1] <= b <= high[1]:
                return a, b
        raise TableError(field, value, words)

    return normal_pair


def _order(field: str, value: object) -> tuple[str, ...]:
    what = "every rank of the deck once, weakest first"
    if not isinstance(value, list | tuple):
        raise TableError(field, value, what)
    return tuple(_word(field, entry, what) for entry in value)


def _by_players(entry_ok: Callable[[object], bool], what: str) -> Callable[[str, object], dict[int, Any]]:
    def normal_by_players(field: str, value: object) -> dict[int, Any]:
        example = f"for each number of players, by place, {what}"
        if not isinstance(value, Mapping):
            raise TableError(field, value, example)
        result: dict[int, Any] = {}
        for key, entries in value.items():
            text = str(key)
            if text not in _NUMBERS:
                numbers = f"{MIN_PLAYERS} to {MAX_PLAYERS} players"
                raise TableError(field, value, numbers, why=f"{text!r} is no number of players")
            number = int(text)
            if number in result:
                raise TableError(field, value, example, why=f"{number} players are named twice")
            if not isinstance(entries, list | tuple) or len(entries) != number:
                count = len(entries) if isinstance(entries, list | tuple) else "no list"
                why = f"{number} players have {count} instead of {number} of them"
                raise TableError(field, value, example, why=why)
            for entry in entries:
                if not entry_ok(entry):
                    raise TableError(field, value, example, why=f"{entry!r} is not one of them")
            result[number] = tuple(entries)
        return dict(sorted(result.items()))

    return normal_by_players


def _is_point(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and INT8[0] <= value <= INT8[1]


def _is_title(value: object) -> bool:
    return isinstance(value, str) and value.isprintable()


def _name(field: str, value: object) -> str:
    if isinstance(value, str) and value.strip() and value.isprintable():
        return value
    raise TableError(field, value, "a name on one line")


_PLAYERS = f"two numbers, least and most, within {MIN_PLAYERS} to {MAX_PLAYERS}"

NORMAL: dict[str, Callable[[str, object], Any]] = {
    "name": _name,
    "deck": _choice(*DECKS),
    "players": _pair((MIN_PLAYERS, MIN_PLAYERS), (MAX_PLAYERS, MAX_PLAYERS), _PLAYERS),
    "default_players": _whole(MIN_PLAYERS, MAX_PLAYERS),
    "order": _order,
    "jokers": _whole(0, MAX_JOKERS),
    "joker_role": _choice("none", "top", "wild"),
    "wild_rank": _nullable(_rank),
    "opening_card": _card,
    "later_leader": _choice("last", "president"),
    "equal": _choice("skip", "forbidden"),
    "pass_locks": _yes_no,
    "out_closes_trick": _yes_no,
    "lone_winner": _nullable(_card),
    "revolution": _choice("none", "order", "order_and_direction"),
    "cut_rank": _nullable(_rank),
    "president_falls": _yes_no,
    "exchange": _pair((0, 0), (2, 1), "two numbers: 0 to 2, and 0 or 1"),
    "exchange_return": _choice("worst", "choice"),
    "points": _by_players(_is_point, f"as many whole numbers from {INT8[0]} to {INT8[1]} as players"),
    "match_points": _nullable(_whole(1, INT16)),
    "match_hands": _nullable(_whole(1, INT16)),
    "titles": _by_players(_is_title, "as many texts on one line as players"),
}
"""How each field alone is checked and brought to its type; the keys are a table's fields in order."""

NULLABLE = ("wild_rank", "lone_winner", "cut_rank", "match_points", "match_hands")
"""Fields that may be empty."""

RULE_FIELDS = tuple(field for field in NORMAL if field != "name")
"""Every field a change may name."""


def known_field(field: str) -> str:
    """Give back the name of a field that changes may set.

    Raises
    ------
    TableError
        If a table has no such field: by name, with what is near.
    """
    if field in RULE_FIELDS:
        return field
    why = "a table's name follows from its changes" if field == "name" else "a table has no such field"
    raise TableError("field", field, ", ".join(RULE_FIELDS), why=why, hint=hint_for(field, RULE_FIELDS))


def normal(field: str, value: object) -> Any:
    """Check one field alone and bring it to its type: lists become tuples, empty text nothing.

    Raises
    ------
    TableError
        If the field, whatever the others say, can never have that value.
    """
    return NORMAL[field](field, value)


# --- the fields together --------------------------------------------------------------------------------


def check(values: Mapping[str, Any]) -> None:
    """Check that the fields of a table go together.

    Parameters
    ----------
    values : mapping
        Every field, each as `normal` gives it.

    Raises
    ------
    TableError
        With the field that is best mended.
    """
    _check_cards(values)
    _check_players(values)
    _check_match(values)


def _check_cards(v: Mapping[str, Any]) -> None:
    deck, order, jokers = DECKS[v["deck"]], v["order"], v["jokers"]
    ranks = ", ".join(deck.ranks)
    foreign = [rank for rank in order if rank not in deck.ranks]
    twice = [rank for rank in dict.fromkeys(order) if order.count(rank) > 1]
    absent = [rank for rank in deck.ranks if rank not in order]
    why = ""
    if JOKER in foreign:
        why = "jokers need no place in it, they are above all or wild"
    elif foreign:
        why = f"{deck.name} has no {', '.join(dict.fromkeys(foreign))}"
    elif twice:
        why = f"{', '.join(twice)} more than once"
    elif absent:
        why = f"{', '.join(absent)} of {deck.name} missing"
    if why:
        raise TableError("order", order, f"each of {ranks} once, weakest first", why=why)

    role = v["joker_role"]
    if jokers and role == "none":
        raise TableError("joker_role", role, "top, wild", why=f"{jokers} jokers need a role")
    if not jokers and role != "none":
        why = f"there are no jokers to be {role} (jokers = 1 to {MAX_JOKERS} puts them in)"
        raise TableError("joker_role", role, "none", why=why)

    wild = v["wild_rank"]
    if wild is not None:
        if wild not in deck.ranks:
            why = "jokers are wild by joker_role = wild" if wild == JOKER else f"{deck.name} has no such rank"
            hint = hint_for(wild, deck.ranks)
            raise TableError("wild_rank", wild, f"{ranks}, or nothing", why=why, hint=hint)
        if role == "wild":
            raise TableError("wild_rank", wild, "nothing", why="not together with joker_role = wild")
    cut = v["cut_rank"]
    # A play of jokers alone is of rank JK, so they may cut, as long as there are any.
    may_cut = (*deck.ranks, JOKER) if jokers else deck.ranks
    if cut is not None and cut not in may_cut:
        why = "there are no jokers" if cut == JOKER else f"{deck.name} has no such rank"
        allowed = f"{', '.join(may_cut)}, or nothing"
        raise TableError("cut_rank", cut, allowed, why=why, hint=hint_for(cut, may_cut))

    cards = deck_cards(deck.name, jokers)
    words = f"a card of {deck.name}: {ranks} with {', '.join(deck.suits)}"
    if jokers:
        words += f", or {cards[-1]}" if jokers == 1 else f", or {JOKER}1 to {cards[-1]}"
    for field in ("opening_card", "lone_winner"):
        card = v[field]
        if card is not None and card not in cards:
            allowed = words if field == "opening_card" else f"{words}, or nothing"
            same = [known for known in cards if rank_of(known) == rank_of(card)]
            hint = hint_for(card, cards)
            if same and card.lower() not in map(str.lower, cards):
                hint = f"did you mean {' or '.join(same)}?"
            raise TableError(field, card, allowed, why="not in the deck", hint=hint)
    lone = v["lone_winner"]
    if lone is not None:
        if rank_of(lone) == wild:
            why = f"{wild} is the wild_rank"
            raise TableError("lone_winner", lone, "a card of another rank, or nothing", why=why)
        if rank_of(lone) == JOKER and role == "wild":
            raise TableError("lone_winner", lone, "a card of another rank, or nothing", why="jokers are wild")


def _check_players(v: Mapping[str, Any]) -> None:
    least, most = v["players"]
    if least > most:
        raise TableError("players", v["players"], _PLAYERS, why="the least is more than the most")
    if not least <= v["default_players"] <= most:
        raise TableError("default_players", v["default_players"], f"{least} to {most}, as players says")
    numbers = range(least, most + 1)
    for field in ("points", "titles"):
        missing = [number for number in numbers if number not in v[field]]
        if missing:
            why = f"missing for {', '.join(map(str, missing))} players"
            raise TableError(field, v[field], f"a list for each of {least} to {most} players", why=why)
        surplus = [number for number in v[field] if number not in numbers]
        if surplus:
            why = f"given for {', '.join(map(str, surplus))} players, who are not allowed"
            raise TableError(field, v[field], f"{least} to {most} players, as players says", why=why)


def _check_match(v: Mapping[str, Any]) -> None:
    goal, hands, points = v["match_points"], v["match_hands"], v["points"]
    if goal is not None and hands is not None:
        why = f"match_points is {goal}, and only one of the two ends a match"
        raise TableError("match_hands", hands, "nothing", why=why)
    if goal is None and hands is None:
        allowed = f"one of match_points and match_hands, 1 to {INT16}"
        raise TableError("match_points", None, allowed, why="a match must end")
    for number, by_place in points.items():
        if goal is not None:
            if min(by_place) < 0 or not any(by_place):
                bad = "all zero" if not any(by_place) else "negative in part"
                why = f"the points of {number} players are {bad} ({shown(by_place)})"
                allowed = "match_hands instead, or points that are never negative and not all zero"
                raise TableError("match_points", goal, allowed, why=why)
            # Hands and totals are logged in 16 bits.
            if goal - 1 + max(by_place) > INT16 or most_hands(number, by_place, goal) > INT16:
                why = f"a match of {number} players could go beyond {INT16} hands or points"
                raise TableError("match_points", goal, "fewer points, or more points a hand", why=why)
        elif hands * max(map(abs, by_place)) > INT16:
            most = INT16 // max(map(abs, by_place))
            why = f"totals of {number} players could go beyond {INT16}"
            raise TableError("match_hands", hands, f"1 to {most}", why=why)


def most_hands(players: int, by_place: Iterable[int], goal: int) -> int:
    """Bound the hands until someone of `players` has `goal` points.

    While nobody has, all totals together are at most ``players * (goal - 1)``, and each hand adds the sum
    of its points.

    Examples
    --------
    >>> most_hands(4, (2, 1, 0, 0), 11)
    14
    """
    return players * (goal - 1) // sum(by_place) + 1
