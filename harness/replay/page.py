"""A match as one HTML page that needs nothing else: the table from above, and what happened beside it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

from .course import Course
from .words import FORFEIT, Line, Words, joined

Entry = dict[str, Any]
"""An entry of the page's log: ``event`` (its kind) and ``line`` (its pieces)."""


def render_page(events: Iterable[dict[str, Any]]) -> str:
    """Show a match as a page.

    Parameters
    ----------
    events : iterable of dict
        From ``match`` on; may end anywhere. With ``legal`` in them the page shows the choices, too.

    Returns
    -------
    str
        HTML with styles, script and events in it; it asks no network for anything.

    Examples
    --------
    >>> from harness.tables import table
    >>> rules = table("naipera").to_json()
    >>> match = {"event": "match", "code": "P1", "rules": "naipera", "table": rules}
    >>> page = render_page([match | {"bots": ["keep", "<i>", "chain"]}])
    >>> page.startswith("<!doctype html>"), "<i>" in page, "&lt;i&gt;" in page
    (True, False, True)
    """
    from importlib.resources import files

    from jinja2 import Environment, StrictUndefined
    from markupsafe import Markup

    events = list(events)
    words = Words(events[0])
    parts = files(__package__).joinpath("pages")

    def part(name: str) -> str:
        return parts.joinpath(name).read_text(encoding="utf-8")

    jinja = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    data = {
        "events": events,
        "bots": words.bots,
        "titles": words.titles,
        "wild": words.wild,
        "choices": any("legal" in event for event in events),
    }
    return jinja.from_string(part("page.html")).render(
        words=words,
        rules=words.rules(),
        log=list(_log(words, events)),
        style=Markup(part("page.css")),
        script=Markup(part("course.js") + part("page.js")),
        data=Markup(_embedded(data)),
    )


def _embedded(data: Any) -> str:
    """Write data as JSON that can stand in a script element: nothing in it can end that."""
    text = json.dumps(data, separators=(",", ":"), ensure_ascii=True)
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def _log(words: Words, events: Iterable[dict[str, Any]]) -> Iterator[Entry]:
    """Tell every event in a sentence."""
    course = Course(words)
    for event in events:
        course.follow(event)
        yield {"event": event["event"], "line": _sentence(words, course, event)}


def _sentence(words: Words, course: Course, event: dict[str, Any]) -> Line:
    seat = words.seat(event["seat"]) if "seat" in event else []
    match event["event"]:
        case "match":
            return [(f"{words.code}: {words.rules_name}, {words.players} players", "strong")]
        case "deal":
            head: Line = [(f"Hand {event['hand']}", "strong")]
            if event["first_seat"] is None:  # dealt elsewhere
                return head
            return [*head, (", first card to ", ""), *words.seat(event["first_seat"])]
        case "exchange":
            giver, taker = (
                [*words.seat(event[end]), *words.titled(course.before[event[end]])] for end in ("from", "to")
            )
            cards = joined(map(words.card, event["cards"]), ", ")
            return [*giver, (" gives ", ""), *cards, (" to ", ""), *taker]
        case "play":
            verb = " leads " if course.led else " plays "
            remarks: list[Line] = [[(remark, "alarm")] for remark in course.remarks]
            return joined([[*seat, (verb, ""), *words.play(event["cards"])], *remarks], ", ")
        case "pass":
            return [*seat, (" passes", "quiet")]
        case "skip":
            return [*seat, (" is skipped", "")]
        case "out":
            return [*seat, (" is out: ", ""), *words.place(event["puesto"])]
        case "fall":
            return [*seat, (" falls: ", "alarm"), *words.place(course.places[event["seat"]])]
        case "forfeit":
            return [*seat, (" forfeits", "alarm"), (f" ({FORFEIT}): ", ""), *words.place(event["puesto"])]
        case "trick":
            won: Line = [*words.seat(event["winner"]), (" wins the trick", "")]
            if event["leader"] == event["winner"]:
                return won
            return [*won, (", ", ""), *words.seat(event["leader"]), (" leads next", "")]
        case "hand_end":
            return [(f"Hand {course.hand} is over: ", "strong"), *_results(words, event)]
        case "match_end":
            return [*words.seat(event["winner"]), (" wins the match", "strong")]
        case other:
            return [(str(other), "quiet")]


def _results(words: Words, event: dict[str, Any]) -> Line:
    by_place = sorted(range(words.players), key=lambda seat: int(event["puestos"][seat]))
    results: list[Line] = []
    for seat in by_place:
        points = f" {event['points'][seat]:+d} = {event['totals'][seat]}"
        results.append([*words.place(event["puestos"][seat]), (" ", ""), *words.seat(seat), (points, "")])
    return joined(results, "; ")
