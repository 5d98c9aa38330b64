"""Matches as text: golden, from matches made by hand."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest

from harness.replay.text import render_text
from tests.small_matches import FRENCH, Events, french, spanish, start

FRENCH_TEXT = """\
P1 · presidente-casa+jokers,joker_role,revolution,match_hands · 4 players
  52 French cards and 2 jokers, wild; weakest to strongest 3 4 5 6 7 8 9 T J Q K A 2 JK; 3♣ leads hand
  1, then the last; no equals; one may play after a pass; four cards reverse the order and the
  direction; 8 cuts; the president goes out first or falls; exchange of 2 and 1, the upper gives what
  it likes back; points 3 2 1 0; 2 hands
  seat 0 keep
  seat 1 chain
  seat 2 montecarlo:worlds=64
  seat 3 random

Hand 1, first card to 0 keep
  0 keep              3♣ 4♣ 4♦ 4♥ JK1
  1 chain             8♦ 9♠
  2 montecarlo:worl…  5♥ 2♠
  3 random            6♣ 7♦
  trick 1   0 keep              4♣ 4♦ 4♥ + JK1  1 left · revolution: order reversed, direction too
            3 random            pass
            2 montecarlo:worl…  pass
            1 chain             pass
            won by 0 keep
  trick 2   0 keep              3♣            order reversed · out: 1st (Presidente)
            3 random            pass
            2 montecarlo:worl…  pass
            1 chain             pass
            won by 0 keep, 3 random leads next
  trick 3   3 random            7♦            1 left · order reversed
            2 montecarlo:worl…  5♥            1 left
            1 chain             pass
            3 random            pass
            won by 2 montecarlo:worlds=64
  trick 4   2 montecarlo:worl…  2♠            order reversed · out: 2nd (Vicepresidente)
            1 chain             8♦            1 left · cut
            won by 1 chain
  trick 5   1 chain             9♠            order reversed · out: 3rd (Ciudadano)

  puesto  title           seat  bot               points  total  cards left
  1st     Presidente         0  keep                   3      3
  2nd     Vicepresidente     2  montecarlo:worl…       2      2
  3rd     Ciudadano          1  chain                  1      1
  4th     Plebeyo            3  random                 0      0  6♣

Hand 2, first card to 1 chain
  0 keep              3♦ 3♥ A♣
  1 chain             3♠ 7♥ 7♠
  2 montecarlo:worl…  5♣ K♦ A♠
  3 random            5♦ 2♥ JK2
  3 random (Plebeyo) gives JK2, 2♥ to 0 keep (Presidente)
  0 keep (Presidente) gives 3♦, 3♥ to 3 random (Plebeyo)
  1 chain (Ciudadano) gives 7♠ to 2 montecarlo:worlds=64 (Vicepresidente)
  2 montecarlo:worlds=64 (Vicepresidente) gives 5♣ to 1 chain (Ciudadano)
  trick 1   3 random            3♦ 3♥         1 left
            0 keep              pass
            1 chain             forfeit: its bot failed, its cards are dead, 4th (Plebeyo)
            2 montecarlo:worl…  pass
            won by 3 random
  trick 2   3 random            5♦            out: 1st (Presidente) · 0 keep falls: 3rd (Ciudadano)

  puesto  title           seat  bot               points  total  cards left
  1st     Presidente         3  random                 3      3
  2nd     Vicepresidente     2  montecarlo:worl…       2      4  7♠ K♦ A♠
  3rd     Ciudadano          0  keep                   1      4  A♣ 2♥ JK2
  4th     Plebeyo            1  chain                  0      1  3♠ 5♣ 7♥

2 montecarlo:worlds=64 wins the match after 2 hands
  standing  seat  bot               points
  1st          2  montecarlo:worl…       4
  2nd          0  keep                   4
  3rd          3  random                 3
  4th          1  chain                  1
"""

SPANISH_TEXT = """\
P1 · barajamos+wild_rank,match_hands · 3 players
  48 Spanish cards; weakest to strongest 3 4 5 6 7 8 9 10 11 12 1 2; 3 is wild; 3 oros leads hand 1,
  then the last; an equal skips a player; who passes is out of the trick; running out closes the
  trick; 2 oros alone wins at once; exchange of 2, the upper gives its worst back; points 2 1 0; 1
  hand
  o oros, c copas, e espadas, b bastos; 10 sota, 11 caballo, 12 rey
  seat 0 a
  seat 1 b
  seat 2 a

Hand 1, first card to 0 a
  0 a  4e 5o 5c 2o
  1 b  3b 5e 6o 11c 12b
  2 a  10e 1o 1c 2b
  trick 1   0 a  5 oros                3 left
                 choices: 4x1 5x1 5x2 2o
            1 b  5 espadas             4 left · 2 a is skipped
            0 a  pass
            won by 1 b
  trick 2   1 b  6 oros + 3 bastos     2 left
            2 a  1 oros·copas          2 left
            0 a  pass
            1 b  pass
            won by 2 a
  trick 3   2 a  2 bastos              1 left
            0 a  2 oros                2 left · wins at once
            won by 0 a
  trick 4   0 a  4 espadas             1 left
            1 b  11 copas              1 left
            2 a  pass
            0 a  pass
            won by 1 b
  trick 5   1 b  12 bastos             out: 1st
            won by 1 b, 2 a leads next
  trick 6   2 a  10 espadas            out: 2nd

  puesto  seat  bot  points  total  cards left
  1st        1  b         2      2
  2nd        2  a         1      1
  3rd        0  a         0      0  5c

1 b wins the match after 1 hand
  standing  seat  bot  points
  1st          1  b         2
  2nd          2  a         1
  3rd          0  a         0
"""


def test_text_of_a_french_match() -> None:
    assert "\n".join(render_text(french(), narrow=True)) + "\n" == FRENCH_TEXT


def test_text_of_a_spanish_match_with_choices() -> None:
    assert "\n".join(render_text(spanish(), legal=True, narrow=True)) + "\n" == SPANISH_TEXT


@pytest.mark.parametrize("events", [french(), spanish()], ids=["french", "spanish"])
def test_nothing_is_cut_or_wrapped_on_the_way_to_a_file(events: Events) -> None:
    """Where there is no terminal every line is whole, and says what the narrow one says."""
    text = "\n".join(render_text(events))
    assert "…" not in text
    for bot in events[0]["bots"]:
        assert f" {bot} " in text
    head, _ = text.split("\n  seat 0 ")
    assert all(line.count(";") == 0 or "points" in line or "sota" in line for line in head.splitlines()[1:])


@pytest.mark.parametrize("events", [french(), spanish()], ids=["french", "spanish"])
def test_colours_change_nothing_but_colours(events: Events) -> None:
    without, coloured = list(render_text(events)), list(render_text(events, colour=True))
    assert not any("\x1b" in line for line in without)
    assert any("\x1b[" in line for line in coloured)
    assert [re.sub(r"\x1b\[[0-9;]*m", "", line).rstrip() for line in coloured] == without


def test_text_comes_as_the_match_goes_and_keeps_the_last_turn_before_a_fault() -> None:
    read = 0

    def broken() -> Iterator[dict[str, Any]]:
        nonlocal read
        for event in french()[:3]:
            read += 1
            yield event
        raise RuntimeError("the bot at seat 3 failed")

    lines = render_text(broken())
    assert next(lines).startswith("P1 ")
    assert read == 1
    told: list[str] = []
    with pytest.raises(RuntimeError, match="seat 3"):
        told += lines  # as far as it gets
    assert told[-1].split()[:4] == ["trick", "1", "0", "keep"]


def test_a_label_cannot_speak_to_the_terminal() -> None:
    events = start(FRENCH, ["a\x1b[31m", "b\nc", "d", "e"], "3c", "4c", "5c", "6c")
    assert not re.search(r"[\x1b\n]", "".join(render_text(events)))
