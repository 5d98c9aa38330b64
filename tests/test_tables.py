"""Tables: what ships, what may be changed, what is refused and how it is said."""

from __future__ import annotations

import copy
import json
import pickle
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.cards import DECKS, deck_cards, rank_of
from harness.errors import PresiError
from harness.tables import Table, TableError, parse_set, table, table_names
from harness.tables.validate import NULLABLE, RULE_FIELDS

# --- what ships -----------------------------------------------------------------------------------------


def test_the_shipped_tables() -> None:
    assert table_names() == (
        "barajamos",
        "presidente-clasico",
        "presidente-revolucion",
        "presidente-casa",
        "naipera",
    )
    barajamos = table("barajamos")
    assert barajamos.deck == "spanish48"
    assert (barajamos.players, barajamos.default_players) == ((3, 6), 3)
    assert barajamos.order == ("3", "4", "5", "6", "7", "8", "9", "10", "11", "12", "1", "2")
    assert (barajamos.lone_winner, barajamos.opening_card) == ("2o", "3o")
    assert (barajamos.match_points, barajamos.match_hands) == (11, None)
    assert barajamos.points == {n: (2, 1, *[0] * (n - 2)) for n in range(3, 7)}
    assert barajamos.titles[3] == ("presidente", "vicepresidente", "culo")
    assert barajamos.titles[6][2:4] == ("neutral", "neutral")
    naipera = table("naipera")
    assert naipera.points[6] == (2, 1, 0, 0, -1, -2) and naipera.points[3] == (2, 0, -2)
    assert naipera.titles[3] == ("president", "", "cul")
    assert (naipera.match_points, naipera.match_hands, naipera.lone_winner) == (None, 5, None)
    clasico, casa = table("presidente-clasico"), table("presidente-casa")
    assert clasico.players == (4, 4) and not clasico.pass_locks and clasico.exchange_return == "choice"
    assert clasico.change(revolution="order").to_json() == table("presidente-revolucion").to_json()
    changed = clasico.change(revolution="order", cut_rank="8", president_falls=True)
    assert changed.to_json() == casa.to_json() and changed.digest() == casa.digest()
    assert casa.name == "presidente-casa" and changed.name != casa.name


@pytest.mark.parametrize("name", table_names())
def test_shipped_tables_survive_every_way_out_and_in(name: str, tmp_path: Path) -> None:
    shipped = table(name)
    assert Table.from_dict(json.loads(json.dumps(shipped.to_json())), name=name) == shipped
    assert pickle.loads(pickle.dumps(shipped)) == shipped == copy.deepcopy(shipped)
    file = tmp_path / "any.toml"
    file.write_text(shipped.to_toml(), encoding="utf-8")
    assert table(file) == table(str(file)) == shipped
    assert hash(shipped) == hash(table(file))
    assert table(shipped) is shipped


def test_json_has_every_field_but_the_name() -> None:
    data = table("barajamos").to_json()
    assert tuple(data) == RULE_FIELDS and "name" not in data
    assert data["points"]["4"] == [2, 1, 0, 0] and data["wild_rank"] is None and data["players"] == [3, 6]


HOUSE: list[tuple[str, dict[str, Any]]] = [
    ("barajamos", {"deck": "spanish40"}),
    ("barajamos", {"order": ["4", "5", "6", "7", "8", "9", "10", "11", "12", "1", "3", "2"]}),
    ("naipera", {"order": ["2", "4", "5", "6", "7", "10", "11", "12", "3", "1"]}),
    ("barajamos", {"jokers": 2, "joker_role": "top"}),
    ("barajamos", {"jokers": 4, "joker_role": "wild"}),
    ("barajamos", {"wild_rank": "2", "lone_winner": None}),
    ("barajamos", {"revolution": "order"}),
    ("barajamos", {"revolution": "order_and_direction", "equal": "forbidden", "pass_locks": False}),
    ("naipera", {"exchange": [1, 0], "exchange_return": "choice", "later_leader": "president"}),
    ("naipera", {"cut_rank": "10", "president_falls": True, "out_closes_trick": True}),
    ("barajamos", {"jokers": 1, "joker_role": "top", "cut_rank": "JK"}),
    ("presidente-casa", {"match_points": 11}),
    (
        "barajamos",
        {
            "deck": "spanish40",
            "order": ["4", "5", "6", "7", "8", "9", "10", "11", "12", "1", "3", "2"],
            "jokers": 2,
            "joker_role": "wild",
            "revolution": "order",
            "match_hands": 7,
        },
    ),
]


@pytest.mark.parametrize(("name", "changes"), HOUSE)
def test_house_variants(name: str, changes: dict[str, Any]) -> None:
    changed = table(name, **changes)
    assert changed.name == f"{name}+{','.join(changes)}"
    assert set(changed.order) == set(DECKS[changed.deck].ranks)
    assert changed.digest() != table(name).digest()


# --- changes --------------------------------------------------------------------------------------------


def test_another_deck_drops_the_ranks_it_lacks() -> None:
    assert table("barajamos", deck="spanish40").order == ("3", "4", "5", "6", "7", "10", "11", "12", "1", "2")
    with pytest.raises(TableError, match=r"^order = .*8, 9 of spanish48 missing"):
        table("naipera", deck="spanish48")
    with pytest.raises(TableError, match=r"^order = .*of french52 missing"):
        table("barajamos", deck="french52")


def test_match_points_and_hands_empty_each_other() -> None:
    hands = table("barajamos", match_hands=7)
    assert (hands.match_points, hands.match_hands, hands.name) == (None, 7, "barajamos+match_hands")
    points = hands.change(match_points=11)
    assert points == table("barajamos")
    assert table("barajamos", match_hands=7, match_points=None).digest() == hands.digest()
    with pytest.raises(TableError, match="only one of the two"):
        table("barajamos", match_hands=7, match_points=5)
    with pytest.raises(TableError, match="a match must end"):
        table("barajamos", match_points=None)


def test_names_tell_what_differs_from_the_first_table() -> None:
    start = table("barajamos")
    one = start.change(equal="forbidden", pass_locks=True)
    assert one.name == "barajamos+equal"
    two = one.change(jokers=2, joker_role="wild")
    assert two.name == "barajamos+equal,jokers,joker_role"
    assert two.change(jokers=0).name == "barajamos+equal"
    assert two.change(equal="skip", jokers=0) == start
    assert start.change() == start
    # Also when all that is left of a table is its text.
    read = Table.from_dict(two.to_json(), name=two.name)
    assert read.change(equal="skip").name == "barajamos+jokers,joker_role"
    assert pickle.loads(pickle.dumps(two)).change(equal="skip").name == "barajamos+jokers,joker_role"


def test_points_and_titles_change_for_the_players_named() -> None:
    changed = table("barajamos", **parse_set(["points=3:2,1,0;4:3,1,0,0", "titles=3:a,,c"]))
    assert changed.points[4] == (3, 1, 0, 0) and changed.points[5] == (2, 1, 0, 0, 0)
    assert changed.titles[3] == ("a", "", "c") and changed.titles[4] == table("barajamos").titles[4]


def test_other_numbers_of_players() -> None:
    narrow = table("barajamos", players=[4, 5])
    assert (narrow.default_players, set(narrow.points), set(narrow.titles)) == (4, {4, 5}, {4, 5})
    with pytest.raises(TableError, match=r"^points = .*missing for 7 players"):
        table("barajamos", players=[3, 7])
    wide = table("presidente-clasico", players=[3, 5], points={3: [2, 1, 0], 5: [4, 3, 2, 1, 0]})
    assert wide.titles[5] == ("",) * 5 and wide.default_players == 4
    with pytest.raises(TableError, match="missing for 3, 5 players"):
        table("presidente-clasico", players=[3, 5])
    with pytest.raises(TableError, match=r"given for 7 players"):
        table("barajamos", points={7: [1] * 7})


def test_changes_leave_the_table_alone() -> None:
    start = table("barajamos")
    before = start.to_json()
    start.change(points={3: [5, 1, 0]}, players=[3, 4])
    assert table("barajamos").to_json() == before


def test_digest_is_of_the_rules_alone() -> None:
    start = table("barajamos")
    other = Table.from_dict({**start.to_json(), "titles": {}}, name="mine")
    assert other.digest() == start.digest() and re.fullmatch("[0-9a-f]{64}", start.digest())
    digests = {table(name).digest() for name in table_names()} | {table(n, **c).digest() for n, c in HOUSE}
    assert len(digests) == len(table_names()) + len(HOUSE)


@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_no_match_has_more_hands_than_the_bound(players: int) -> None:
    barajamos = table("barajamos")
    # The slowest match: points go round as evenly as they can.
    totals, hands = [0] * players, 0
    while max(totals) < 11:
        order = sorted(range(players), key=totals.__getitem__)
        for seat, points in zip(order, barajamos.points[players], strict=True):
            totals[seat] += points
        hands += 1
    assert hands <= barajamos.max_hands(players)
    assert table("naipera").max_hands(players) == 5
    with pytest.raises(TableError, match="3 to 6"):
        barajamos.max_hands(7)


def test_every_deal_has_cards_enough_for_the_exchange() -> None:
    # Why no rule ties the exchange to the deal: the smallest hand is five cards, the largest exchange two.
    assert min(len(deck_cards(deck)) // 7 for deck in DECKS) == 5


# --- what is refused ------------------------------------------------------------------------------------

TWO_JOKERS = {"jokers": 2, "joker_role": "top"}

REFUSED: list[tuple[str, dict[str, Any], str, list[str]]] = [
    # One field alone.
    ("barajamos", {"equal": "forbiden"}, "equal", ["forbiden", "skip, forbidden", "did you mean forbidden?"]),
    ("barajamos", {"deck": "spanish50"}, "deck", ["spanish50", "french52", "did you mean spanish"]),
    ("barajamos", {"revolution": True}, "revolution", ["true", "order_and_direction"]),
    ("barajamos", {"later_leader": "first"}, "later_leader", ["first", "last, president"]),
    ("barajamos", {"exchange_return": "best"}, "exchange_return", ["best", "worst, choice"]),
    ("barajamos", {"pass_locks": "yes"}, "pass_locks", ["yes", "true, false"]),
    ("barajamos", {"pass_locks": 1}, "pass_locks", ["1", "true, false"]),
    ("barajamos", {"jokers": 5}, "jokers", ["5", "0 to 4"]),
    ("barajamos", {"jokers": True}, "jokers", ["true", "0 to 4"]),
    ("barajamos", {"jokers": -1}, "jokers", ["-1", "0 to 4"]),
    ("barajamos", {"exchange": [3, 1]}, "exchange", ["3,1", "0 to 2"]),
    ("barajamos", {"exchange": [2, 2]}, "exchange", ["2,2", "0 or 1"]),
    ("barajamos", {"exchange": [2]}, "exchange", ["2", "two numbers"]),
    ("barajamos", {"players": [2, 6]}, "players", ["2,6", "3 to 7"]),
    ("barajamos", {"players": [3, 8]}, "players", ["3,8", "3 to 7"]),
    ("barajamos", {"players": 4}, "players", ["4", "two numbers"]),
    ("barajamos", {"default_players": 2}, "default_players", ["2", "3 to 7"]),
    ("barajamos", {"match_points": 0}, "match_points", ["0", "1 to 32767", "or nothing"]),
    ("barajamos", {"match_hands": 32768}, "match_hands", ["32768", "1 to 32767"]),
    ("barajamos", {"match_hands": 2.5}, "match_hands", ["2.5", "whole"]),
    ("barajamos", {"points": {3: [2, 1]}}, "points", ["3:2,1", "3 players have 2 instead of 3"]),
    ("barajamos", {"points": {3: [128, 1, 0]}}, "points", ["128", "-128 to 127"]),
    ("barajamos", {"points": {3: [-129, 1, 0]}}, "points", ["-129", "-128 to 127"]),
    ("barajamos", {"points": {3: [1.0, 1, 0]}}, "points", ["1.0", "whole"]),
    ("barajamos", {"points": {2: [1, 0]}}, "points", ["'2'", "3 to 7 players"]),
    ("barajamos", {"points": {"x": [1, 0]}}, "points", ["'x'", "3 to 7 players"]),
    ("barajamos", {"points": {3: [2, 1, 0], "3": [2, 1, 0]}}, "points", ["3 players are named twice"]),
    ("barajamos", {"points": [2, 1, 0]}, "points", ["2,1,0", "for each number of players"]),
    ("barajamos", {"titles": {3: ["a", "b"]}}, "titles", ["3 players have 2 instead of 3"]),
    ("barajamos", {"titles": {3: ["a", "b", 5]}}, "titles", ["5", "texts"]),
    ("barajamos", {"titles": {3: ["a", "b", "c\nd"]}}, "titles", ["on one line"]),
    ("barajamos", {"order": "3,4"}, "order", ["3,4", "weakest first"]),
    # Fields that do not go together.
    ("barajamos", {"order": ["3", "4", "2"]}, "order", ["missing", "5, 6, 7, 8, 9, 10, 11, 12"]),
    ("barajamos", {"order": [3, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 1, 2]}, "order", ["3 more than once"]),
    ("barajamos", {"order": [3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 1, "A"]}, "order", ["spanish48 has no A"]),
    (
        "barajamos",
        {"order": [3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 1, 2, "JK"]},
        "order",
        ["jokers need no place"],
    ),
    ("barajamos", {"jokers": 2}, "joker_role", ["none", "top, wild", "2 jokers"]),
    ("barajamos", {"joker_role": "wild"}, "joker_role", ["wild", "no jokers", "allowed: none"]),
    ("barajamos", {"wild_rank": "JK", **TWO_JOKERS}, "wild_rank", ["JK", "joker_role = wild"]),
    ("barajamos", {"wild_rank": "T"}, "wild_rank", ["T", "no such rank", "1, 2, 3", "or nothing"]),
    (
        "barajamos",
        {"wild_rank": "5", "jokers": 1, "joker_role": "wild"},
        "wild_rank",
        ["not together with joker_role = wild"],
    ),
    ("presidente-clasico", {"wild_rank": "q"}, "wild_rank", ["q", "no such rank", "did you mean Q?"]),
    ("presidente-clasico", {"cut_rank": "t"}, "cut_rank", ["t", "no such rank", "did you mean T?"]),
    ("barajamos", {"cut_rank": "x", **TWO_JOKERS}, "cut_rank", ["11, 12, JK, or nothing"]),
    ("barajamos", {"opening_card": "3O"}, "opening_card", ["3O", "not in the deck", "did you mean 3o?"]),
    ("barajamos", {"opening_card": "JK9", **TWO_JOKERS}, "opening_card", ["or JK1 to JK2"]),
    ("barajamos", {"order": []}, "order", ["order = nothing", "missing"]),
    ("barajamos", {"wild_rank": "2"}, "lone_winner", ["2o", "2 is the wild_rank", "nothing"]),
    (
        "barajamos",
        {"lone_winner": "2d"},
        "lone_winner",
        ["2d", "not in the deck", "did you mean 2o or 2c or 2e or 2b?"],
    ),
    ("barajamos", {"lone_winner": "JK1"}, "lone_winner", ["JK1", "not in the deck"]),
    (
        "barajamos",
        {"lone_winner": "JK1", "jokers": 1, "joker_role": "wild"},
        "lone_winner",
        ["JK1", "jokers are wild"],
    ),
    ("barajamos", {"opening_card": "3c3"}, "opening_card", ["3c3", "not in the deck", "did you mean 3c?"]),
    ("barajamos", {"opening_card": ""}, "opening_card", ["nothing", "a card"]),
    ("barajamos", {"opening_card": None}, "opening_card", ["nothing", "a card"]),
    ("naipera", {"opening_card": "8o"}, "opening_card", ["8o", "spanish40"]),
    ("naipera", {"cut_rank": "8"}, "cut_rank", ["8", "no such rank", "7, 10"]),
    ("naipera", {"cut_rank": "JK"}, "cut_rank", ["JK", "there are no jokers"]),
    ("barajamos", {"deck": "spanish40", "cut_rank": "8"}, "cut_rank", ["8", "spanish40"]),
    ("barajamos", {"players": [5, 4]}, "players", ["5,4", "the least is more than the most"]),
    ("barajamos", {"default_players": 7}, "default_players", ["7", "3 to 6"]),
    ("barajamos", {"players": [3, 4], "default_players": 5}, "default_players", ["5", "3 to 4"]),
    ("naipera", {"match_points": 10}, "match_points", ["10", "negative in part", "match_hands instead"]),
    ("barajamos", {"points": {5: [0] * 5}}, "match_points", ["5 players", "all zero"]),
    ("barajamos", {"match_points": 32767}, "match_points", ["32767", "beyond"]),
    ("naipera", {"match_hands": 20000}, "match_hands", ["20000", "1 to 16383"]),
    # No field at all.
    ("barajamos", {"eqal": "skip"}, "field", ["eqal", "no such field", "did you mean equal?"]),
    ("barajamos", {"zzz": 1}, "field", ["zzz", "opening_card"]),
    ("barajamos", {"name": "x"}, "field", ["name", "follows from its changes"]),
]


@pytest.mark.parametrize(("name", "changes", "field", "named"), REFUSED)
def test_refused(name: str, changes: dict[str, Any], field: str, named: list[str]) -> None:
    with pytest.raises(TableError) as caught:
        table(name, **changes)
    error = caught.value
    assert isinstance(error, PresiError) and error.field == field
    assert str(error).startswith(f"{field} = ") and error.allowed
    for words in named:
        assert words in str(error)
    assert "\n" not in str(error)
    again = pickle.loads(pickle.dumps(error))
    assert (str(again), again.field, again.allowed) == (str(error), error.field, error.allowed)


def test_an_impossible_table_cannot_be_made_by_hand() -> None:
    fields = {**table("barajamos").__dict__}
    fields.pop("_started_from", None)
    assert Table(**fields) == table("barajamos")
    with pytest.raises(TableError, match=r"^jokers = 9"):
        Table(**{**fields, "jokers": 9})
    with pytest.raises(TableError, match=r"^name = nothing"):
        Table(**{**fields, "name": ""})


def test_from_dict() -> None:
    data = table("naipera").to_json()
    for field in (*NULLABLE, "titles", "default_players"):
        if data[field] is None or field in ("titles", "default_players"):
            del data[field]
    short = Table.from_dict(data)
    assert short.digest() == table("naipera").digest()
    assert short.name == "custom" and short.titles[3] == ("", "", "")
    del data["order"], data["equal"]
    with pytest.raises(TableError, match=r"^order = nothing: missing; also missing: equal"):
        Table.from_dict(data)
    with pytest.raises(TableError, match="did you mean titles"):
        Table.from_dict({**table("naipera").to_json(), "title": {}})


# --- text -----------------------------------------------------------------------------------------------


def test_parse_set() -> None:
    assert parse_set([]) == {}
    assert parse_set(
        [
            "order=3,4, 5",
            "wild_rank=",
            "match_points=7",
            "pass_locks=No",
            "president_falls=true",
            "players=3,4",
            "exchange=1,0",
            "points=3:2,1,-1; 4:3,1,0,0",
            "titles=3:el presi,,culo",
            "cut_rank = 8",
        ]
    ) == {
        "order": ("3", "4", "5"),
        "wild_rank": None,
        "match_points": 7,
        "pass_locks": False,
        "president_falls": True,
        "players": (3, 4),
        "exchange": (1, 0),
        "points": {3: (2, 1, -1), 4: (3, 1, 0, 0)},
        "titles": {3: ("el presi", "", "culo")},
        "cut_rank": "8",
    }


@pytest.mark.parametrize(
    ("settings", "named"),
    [
        (["equal"], ["set = equal", "field=value"]),
        (["eqaul=skip"], ["eqaul", "did you mean equal?"]),
        (["=skip"], ["no such field"]),
        (["name=x"], ["follows from its changes"]),
        (["jokers=two"], ["jokers = two", "0 to 4"]),
        (["jokers="], ["jokers = nothing", "0 to 4"]),
        (["deck="], ["deck = nothing", "spanish40"]),
        (["pass_locks=maybe"], ["maybe", "true, false"]),
        (["equal=skip", "equal=forbidden"], ["equal", "set twice"]),
        (["points=2,1,0"], ["points = 2,1,0", "3:2,1,0"]),
        (["points="], ["points", "3:2,1,0"]),
        (["points=3:2,1,x"], ["'x'", "whole numbers"]),
        (["points=3:2,1,0;3:1,1,0"], ["3 players twice"]),
        (["points=9:1"], ["'9'"]),
        (["exchange=2"], ["two numbers"]),
        (["match_hands=1e5"], ["100000", "whole"]),
        (["match_hands=1e-3"], ["1e-3", "whole"]),
        (["match_hands=1e999"], ["1e999", "whole"]),
        (["match_hands=1.5"], ["1.5", "whole"]),
        (["points=" + "9" * 5000 + ":1"], ["no number of players"]),
        (["exchange="], ["exchange = nothing", "two numbers"]),
        (["EQUAL=skip"], ["did you mean equal?"]),
        (["equal=SKIP"], ["did you mean skip?"]),
    ],
)
def test_parse_set_refuses(settings: list[str], named: list[str]) -> None:
    with pytest.raises(TableError) as error:
        parse_set(settings)
    for words in named:
        assert words in str(error.value)


# --- files ----------------------------------------------------------------------------------------------


def test_a_file_with_a_base(tmp_path: Path) -> None:
    home = tmp_path / "home.toml"
    home.write_text(
        'base = "barajamos"\nequal = "forbidden"\nlone_winner = ""\nwild_rank = 2\n[points]\n3 = [3,1,0]\n'
    )
    mine = table(home)
    assert mine.name == "home" and mine.equal == "forbidden" and mine.wild_rank == "2"
    assert mine.lone_winner is None and mine.points[3] == (3, 1, 0) and mine.points[4] == (2, 1, 0, 0)
    assert mine.change(jokers=1, joker_role="top").name == "home+jokers,joker_role"
    (tmp_path / "deeper").mkdir()
    other = tmp_path / "deeper" / "other.toml"
    other.write_text('base = "../home.toml"\nname = "Más allá"\nequal = "skip"\n', encoding="utf-8")
    assert table(other).name == "Más allá" and table(other).wild_rank == "2"


def test_bases_are_seen_from_their_own_folder_and_marks_do_not_matter(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    # The extension may be anything where the text is plainly a path; some editors begin files with a mark.
    (tmp_path / "sub" / "home").write_text('base = "naipera"\njokers = 1\njoker_role = "top"\n')
    mine = tmp_path / "mine.toml"
    mine.write_text('base = "sub/home"\nequal = "forbidden"\n', encoding="utf-8-sig")
    assert table(mine).jokers == 1 and table(mine).equal == "forbidden" and table(mine).name == "mine"


def test_a_name_that_is_not_true_is_not_believed(tmp_path: Path) -> None:
    mine = tmp_path / "mine.toml"
    mine.write_text('base = "barajamos"\nname = "barajamos+equal"\nequal = "forbidden"\ncut_rank = "8"\n')
    # Taken at its word, equal changed back would make it `barajamos`, in which eights do not cut.
    assert table(mine, equal="skip").name == "barajamos+equal+equal"
    mine.write_text(table("barajamos", equal="forbidden", cut_rank="8").to_toml())
    assert table(mine, equal="skip").name == "barajamos+cut_rank"


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ('base = "barajamo"', ["table = barajamo", "in bad.toml", "did you mean barajamos?"]),
        ('base = "barajamos"\nequl = "skip"', ["equl", "in bad.toml", "did you mean equal?"]),
        ('base = "barajamos"\nequal = "ship"', ["equal = ship", "in bad.toml", "did you mean skip?"]),
        ('base = "bad.toml"', ["ring"]),
        ('base = "gone.toml"', ["gone.toml", "No such file"]),
        ("base = 3", ["base = 3"]),
        ("jokers = " + "9" * 5000, ["bad.toml", "not TOML", "too long"]),
        ("jokers = " + "[" * 5000, ["bad.toml", "not TOML", "too deep"]),
        ('base = "barajamos"\nplayers = [3, 7]', ["points", "in bad.toml", "missing for 7 players"]),
        ('equal = "skip"', ["deck = nothing", "missing", "base"]),
        ("equal = skip", ["bad.toml", "not TOML", "line 1"]),
        ('base = "barajamos"\nname = "naipera"', ["name = naipera", "a name of its own"]),
    ],
)
def test_bad_files(tmp_path: Path, text: str, named: list[str]) -> None:
    file = tmp_path / "bad.toml"
    file.write_text(text)
    with pytest.raises(TableError) as error:
        table(file)
    for words in named:
        assert words in str(error.value)
    assert "\n" not in str(error.value)


def test_no_such_table(tmp_path: Path) -> None:
    with pytest.raises(TableError, match=r"^table = barajmos: no such table.*did you mean barajamos\?"):
        table("barajmos")
    with pytest.raises(TableError, match=r"did you mean barajamos\?"):
        table("BARAJAMOS")
    for nonsense in (3, None, "a\0.toml"):
        with pytest.raises(TableError, match=r"no such table; allowed: barajamos"):
            table(nonsense)  # type: ignore[arg-type]
    with pytest.raises(TableError, match="barajamos, presidente-clasico"):
        table("")
    with pytest.raises(TableError, match="No such file"):
        table("nowhere/x.toml")
    with pytest.raises(TableError, match="table = "):
        table(tmp_path)
    (tmp_path / "latin.toml").write_bytes(b'name = "\xe1"')
    with pytest.raises(TableError, match="UTF-8"):
        table(tmp_path / "latin.toml")


# --- any table ------------------------------------------------------------------------------------------

TITLE = st.text(st.characters(exclude_categories=["C", "Z"]) | st.just(" "), max_size=8)


@st.composite
def any_table(draw: st.DrawFn) -> Table:
    """Draw any possible table."""
    deck = draw(st.sampled_from(sorted(DECKS)))
    ranks = DECKS[deck].ranks
    least = draw(st.integers(3, 7))
    most = draw(st.integers(least, 7))
    jokers = draw(st.integers(0, 4))
    role = draw(st.sampled_from(["top", "wild"])) if jokers else "none"
    wild = draw(st.none() | st.sampled_from(ranks)) if role != "wild" else None
    cards = deck_cards(deck, jokers)
    barred = {wild, "JK" if role == "wild" else None}
    lone = draw(st.none() | st.sampled_from([card for card in cards if rank_of(card) not in barred]))
    by_points = draw(st.booleans())
    point = st.integers(0 if by_points else -128, 127)
    points = {n: draw(st.lists(point, min_size=n, max_size=n)) for n in range(least, most + 1)}
    if by_points:
        for row in points.values():
            row[0] = max(row[0], 1)
    titled = draw(st.sets(st.integers(least, most)))
    return Table(
        name=draw(TITLE.filter(str.strip)),
        deck=deck,
        players=(least, most),
        default_players=draw(st.integers(least, most)),
        order=tuple(draw(st.permutations(ranks))),
        jokers=jokers,
        joker_role=role,
        wild_rank=wild,
        opening_card=draw(st.sampled_from(cards)),
        later_leader=draw(st.sampled_from(["last", "president"])),
        equal=draw(st.sampled_from(["skip", "forbidden"])),
        pass_locks=draw(st.booleans()),
        out_closes_trick=draw(st.booleans()),
        lone_winner=lone,
        revolution=draw(st.sampled_from(["none", "order", "order_and_direction"])),
        cut_rank=draw(st.none() | st.sampled_from([*ranks, *(["JK"] if jokers else [])])),
        president_falls=draw(st.booleans()),
        exchange=(draw(st.integers(0, 2)), draw(st.integers(0, 1))),
        exchange_return=draw(st.sampled_from(["worst", "choice"])),
        points={number: tuple(row) for number, row in points.items()},
        match_points=draw(st.integers(1, 4000)) if by_points else None,
        match_hands=None if by_points else draw(st.integers(1, 255)),
        titles={n: tuple(draw(st.lists(TITLE, min_size=n, max_size=n))) for n in titled},
    )


@settings(max_examples=150, deadline=None)
@given(any_table())
def test_any_table_survives_every_way_out_and_in(made: Table) -> None:
    import tomllib

    assert Table.from_dict(json.loads(json.dumps(made.to_json())), name=made.name) == made
    assert Table.from_dict(tomllib.loads(made.to_toml())) == made
    assert pickle.loads(pickle.dumps(made)) == made
    again = Table.from_dict(made.to_json(), name="x")
    assert again.digest() == made.digest()
    assert all(1 <= made.max_hands(n) <= 32767 for n in made.points)


@settings(max_examples=100, deadline=None)
@given(any_table(), st.sampled_from(table_names()))
def test_any_table_can_be_reached_by_set(made: Table, start: str) -> None:
    def text(value: Any) -> str:
        if isinstance(value, dict):
            return ";".join(f"{key}:{text(row)}" for key, row in value.items())
        if isinstance(value, list):
            return ",".join(map(str, value))
        return "" if value is None else str(value)

    given = {key: value for key, value in made.to_json().items() if key != "titles"}
    changed = table(start, **parse_set([f"{key}={text(value)}" for key, value in given.items()]))
    assert changed.digest() == made.digest()
    assert changed.rank_count == len(DECKS[made.deck].ranks) + (made.jokers > 0)
    # And back to the start, by name too.
    back = changed.change(**table(start).to_json())
    assert back == table(start)


def test_imports_nothing_heavy() -> None:
    code = (
        "import sys, harness.tables as t; t.table('naipera').to_toml(); "
        "print([m for m in ('numpy', 'pandas', 'numba', 'scipy', 'matplotlib') if m in sys.modules])"
    )
    root = Path(__file__).parent.parent
    done = subprocess.run([sys.executable, "-c", code], cwd=root, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
