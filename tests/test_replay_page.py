"""Matches as pages: whole, on their own, and followed by the script that is in them."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from html.parser import HTMLParser
from pathlib import Path
from random import Random
from typing import Any

import pytest

from harness.replay.course import Course
from harness.replay.page import render_page
from harness.replay.words import Words
from harness.tables import Table, table, table_names
from tests.reference.cards import whole_deck
from tests.reference.match import simulate_match
from tests.small_matches import Events, french, spanish

EVIL = ["</script><b>", "a&b <!--", '"quo\'te"', "${x} {{ 7 * 7 }}", "keep", "keep", "chain"]
NODE = shutil.which("node")


def random_match(rules: Table, players: int, seed: int, faults: float = 0.0) -> Events:
    """Let the referee play a match of players without a plan."""
    luck, fields = Random(seed), rules.to_json()

    def shuffle(hand: int) -> list[str]:
        deck = sorted(whole_deck(fields))
        Random(f"{seed} {hand}").shuffle(deck)
        return deck

    def choose(seat: int, legal: set[str], hand: Any) -> str:
        return "forfeit" if luck.random() < faults else luck.choice(sorted(legal))

    def give(seat: int, cards: list[str]) -> str:
        return luck.choice(cards)

    return simulate_match(fields, players, shuffle, choose, give, f"P{seed}", rules.name, EVIL[:players])


WILD = table(
    "presidente-casa",
    jokers=4,
    joker_role="wild",
    revolution="order_and_direction",
    equal="skip",
    players=[3, 7],
    points={players: list(range(players - 2, -2, -1)) for players in range(3, 8)},
)
LONE = table("barajamos", wild_rank="5", match_points=6, revolution="order")
MATCHES = {
    **{name: random_match(table(name), table(name).players[1], 1) for name in table_names()},
    **{f"wild-{players}": random_match(WILD, players, players, 0.02) for players in (3, 5, 7)},
    "lone": random_match(LONE, 4, 2),
    "french": french(),
    "spanish": spanish(),
    "broken off": french()[:5],
    "only begun": french()[:1],
}
VOID = {"meta", "input"}


class Page(HTMLParser):
    """Checks that every element ends where it should; keeps texts and addresses."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.data: dict[str, str] = {}  # by element, the last one's text
        self.tags: list[str] = []
        self.entries: list[str] = []
        self.players: list[str] = []
        self.within: list[str] = []
        self.feed(html)
        self.close()
        assert not self.open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        for name, value in attrs:
            assert name not in ("src", "href", "srcset", "action"), f"{tag} asks for {value}"
        kind = dict(attrs).get("class") or ""
        if tag == "li" and kind.startswith("is-"):
            self.entries.append("")
        if tag == "ol":
            self.within.append(kind)
        if tag == "li" and self.within[-1:] == ["players"]:
            self.players.append("")
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag
        if tag == "ol":
            self.within.pop()

    def handle_data(self, data: str) -> None:
        self.data[self.open[-1] if self.open else ""] = data
        if "li" in self.open and self.within[-1:] == ["log"]:
            self.entries[-1] += data
        elif "li" in self.open and self.within[-1:] == ["players"]:
            self.players[-1] += data


@pytest.mark.parametrize("name", MATCHES)
def test_a_page_is_whole_and_needs_no_other(name: str) -> None:
    events = MATCHES[name]
    html = render_page(events)
    page = Page(html)
    assert page.players == events[0]["bots"]
    assert len(page.entries) == len(events)
    assert page.tags.count("script") == 2
    assert "b" not in page.tags  # as one label would have it
    assert not re.search(r"https?:|//[a-z]|url\(|@import", re.sub(r"(?m)^\s*// .*|[;{] // .*", "", html))
    match = json.loads(re.findall(r'id="match">(.*)</script>', html)[0])
    assert match["events"] == events


def test_a_page_marks_what_turns_the_game() -> None:
    log = Page(render_page(french())).entries
    assert log[2] == "0 keep leads 4♣ 4♦ 4♥ + JK1, revolution: order reversed, direction too"
    assert "1 chain plays 8♦, cut" in log
    assert "0 keep falls: 3rd (Ciudadano)" in log
    assert log[-2].startswith("Hand 2 is over: 1st (Presidente) 3 random +3 = 3; 2nd")
    assert "0 a plays 2 oros, wins at once" in Page(render_page(spanish())).entries


def run_node(script: Path, *arguments: str) -> Any:
    assert NODE is not None
    done = subprocess.run(
        [NODE, str(script), *arguments], capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.skipif(NODE is None, reason="the page's script is run where there is node, as on CI")
@pytest.mark.parametrize("name", MATCHES)
def test_the_script_of_a_page_shows_the_match(name: str, tmp_path: Path) -> None:
    events = MATCHES[name]
    (tmp_path / "page.html").write_text(render_page(events), encoding="utf-8")
    told = run_node(Path(__file__).with_name("browser.js"), str(tmp_path / "page.html"))
    words = Words(events[0])
    course = Course(words)
    hands, tricks = [0], [0]
    for number, (event, shown) in enumerate(zip(events, told["shown"], strict=True)):
        course.follow(event)
        assert shown["cards"] == [len(cards) for cards in course.cards]
        assert shown["reversed"] == course.flipped
        assert shown["arrow"] == ("↺" if course.turned else "↻")
        # exactly one of the choices there were is shown as the one taken
        assert len(shown["chosen"]) == ("legal" in event), event
        if event["event"] == "deal":
            hands.append(number)
        if event["event"] == "deal" or (event["event"] == "play" and course.led):
            tricks.append(number)
    end = len(events) - 1
    assert told["walked"]["hands"] == [*hands, *[end] * (hands[-1] != end)]
    assert told["walked"]["tricks"] == [*tricks, *[end] * (tricks[-1] != end)]
    assert told["walked"]["end"] == end
    assert told["walked"]["played"] > 0 or end == 0
    points = [int(text.split("= ")[-1].split()[0]) for text in told["last"]["points"]]
    assert points == course.totals
    if end:
        assert told["last"]["note"]
