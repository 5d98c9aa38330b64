"""The swap of cards before a hand, with real cards.

Which ranks go is the engine's decision; which suits of them is decided here: on French
decks the highest suit goes up, everything else is the lowest suit first, jokers by number.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from .cards import JOKER, deck_cards, rank_of
from .engine.deal import give_best, give_card, swap_forced, worst_card
from .engine.rules import ladder_of, new_state
from .hand import Event
from .moves import LONE_BIT, add_cards, count
from .positions import cards_text, read_cards, read_hands, read_places, read_seat
from .tables import Table, TableError
from .tables import table as find_table

Returns = Mapping[int, str | Sequence[str]] | Sequence[str | Sequence[str] | None]


def pairs(table: Table, before: Sequence[int]) -> list[tuple[int, int, int]]:
    """List who swaps: upper seat, lower seat and how many cards, first pair first.

    Parameters
    ----------
    before : sequence of int
        Places of the hand before, by seat.
    """
    players = len(before)
    swaps = []
    for pair, cards in enumerate(table.exchange):
        if cards and (pair == 0 or players >= 4):
            swaps.append((list(before).index(1 + pair), list(before).index(players - pair), cards))
    return swaps


def given_cards(table: Table, word: int, held: Sequence[str], upwards: bool) -> list[str]:
    """Choose the cards that a word of given cards stands for.

    Parameters
    ----------
    word : int
        Cards given, with `LONE_BIT` for the lone winner.
    held : sequence of str
        What the giver holds.
    upwards : bool
        Do they go to the upper player?
    """
    ids = {card: number for number, card in enumerate(deck_cards(table.deck, table.jokers))}
    chosen = []
    lone = table.lone_winner if word & LONE_BIT else None
    if lone:
        chosen.append(lone)
    for slot, rank in enumerate(ladder_of(table)):
        number = count(word & ~LONE_BIT, slot) - (1 if lone and rank_of(lone) == rank else 0)
        same = [card for card in held if rank_of(card) == rank and card != table.lone_winner]
        from_the_top = upwards and table.deck == "french52" and rank != JOKER
        chosen += sorted(same, key=ids.__getitem__, reverse=from_the_top)[:number]
    return chosen


def swap(
    table: Table,
    hands: Sequence[Sequence[str]],
    before: Sequence[int],
    given: Sequence[int],
    named: Mapping[int, Sequence[str]] | None = None,
) -> tuple[list[list[str]], list[Event]]:
    """Carry out an exchange of which the ranks are known.

    Parameters
    ----------
    hands : sequence of sequence of str
        As dealt.
    before : sequence of int
        Places of the hand before, by seat.
    given : sequence of int
        Word of the cards each seat gave.
    named : mapping, optional
        By seat, cards somebody chose by name.

    Returns
    -------
    hands : list of list of str
        Afterwards.
    events : list of dict
        One per direction: last to first, first to last, then the second pair.
    """
    after = [list(held) for held in hands]
    events: list[Event] = []
    for upper, lower, _ in pairs(table, before):
        up = given_cards(table, given[lower], after[lower], upwards=True)
        for card in up:
            after[lower].remove(card)
        holds = after[upper] + (up if table.exchange_return == "choice" else [])
        down = list(named[upper]) if named and upper in named else None
        if down is None:
            down = given_cards(table, given[upper], holds, upwards=False)
        after[upper] = [card for card in after[upper] + up if card not in down]
        after[lower] += down
        events.append({"event": "exchange", "from": lower, "to": upper, "cards": up})
        events.append({"event": "exchange", "from": upper, "to": lower, "cards": down})
    return after, events


def exchange(
    table: str | Table,
    hands: Sequence[str | Sequence[str]],
    previous: Sequence[int],
    returns: Returns | None = None,
) -> tuple[list[list[str]], list[Event]]:
    """Swap cards between the places of the hand before.

    Parameters
    ----------
    table : str or Table
    hands : sequence of (str or sequence of str)
        The cards dealt to every seat: any cards of the deck, each once.
    previous : sequence of int
        Places of the hand before, by seat.
    returns : mapping or sequence, optional
        By seat, the cards an upper player gives back where the table lets it choose (any it then holds,
        those just received included); whoever is not named gives its worst.

    Returns
    -------
    hands : list of list of str
        The cards after the exchange.
    events : list of dict
        One per direction, in order; none where no cards are swapped.

    Raises
    ------
    TableError
        Naming what is impossible and what is allowed.

    Examples
    --------
    >>> hands, events = exchange("barajamos", ["3o 5c 7e", "2o 1c 4b", "9o 9c 9e"], previous=[1, 3, 2])
    >>> hands[0], hands[1]
    (['7e', '2o', '1c'], ['4b', '3o', '5c'])
    >>> events[0]
    {'event': 'exchange', 'from': 1, 'to': 0, 'cards': ['2o', '1c']}
    """
    rules = find_table(table)
    dealt = read_hands(rules, hands)
    before = read_places(previous, len(dealt))
    swaps = pairs(rules, before)
    for upper, lower, cards in swaps:
        for seat in (upper, lower):
            if len(dealt[seat]) < cards:
                raise TableError(
                    "hands", dealt[seat], f"at least {cards} cards for seat {seat}, which swaps {cards}"
                )
    wishes = _wishes(rules, returns, swaps, len(dealt))

    state = new_state(rules, len(dealt))  # the arrays must outlive the records
    view, hidden = state[0][0], state[1][0]
    ladder = ladder_of(rules)
    hidden["lone"] = -1
    for seat, held in enumerate(dealt):
        word = 0
        for card in held:
            word = add_cards(word, ladder.index(rank_of(card)), 1)
        hidden["hands"][seat], view["left"][seat] = word, len(held)
        if rules.lone_winner in held:
            hidden["lone"] = seat
    view["lone_slot"] = view["rules"]["lone_slot"]

    named: dict[int, list[str]] = {}
    for upper, lower, cards in swaps:
        if rules.exchange_return == "worst":
            swap_forced(view, hidden, lower, upper, cards)
            continue
        give_best(view, hidden, lower, upper, cards)
        up = given_cards(rules, int(hidden["given"][lower]), dealt[lower], upwards=True)
        if upper in wishes:
            named[upper] = _check_wish(rules, upper, wishes[upper], dealt[upper] + up, cards)
            continue
        for _ in range(cards):
            give_card(
                view, hidden, upper, lower, worst_card(view, hidden["hands"][upper], hidden["lone"] == upper)
            )
    return swap(rules, dealt, before, [int(word) for word in hidden["given"]], named)


def _wishes(
    table: Table, returns: Returns | None, swaps: Sequence[tuple[int, int, int]], players: int
) -> dict[int, Any]:
    """Read who wants to give back what; None stands for no wish."""
    if returns is None:
        return {}
    if isinstance(returns, str) or not isinstance(returns, Mapping | Sequence):
        raise TableError("returns", returns, 'cards by seat, as {0: "3c"}')
    if not isinstance(returns, Mapping) and len(returns) > players:
        raise TableError("returns", f"{len(returns)} seats", f"at most {players}")
    items = returns.items() if isinstance(returns, Mapping) else enumerate(returns)
    wishes = {read_seat(seat, players, "returns"): cards for seat, cards in items if cards is not None}
    if wishes and table.exchange_return != "choice":
        raise TableError(
            "returns", next(iter(wishes.values())), "nothing", why=f"{table.name} lets nobody choose"
        )
    upper = [seat for seat, _, _ in swaps]
    for seat in wishes:
        if seat not in upper:
            allowed = ", ".join(f"seat {one}" for one in upper) or "nobody"
            raise TableError("returns", f"seat {seat}", allowed, why="only upper players of a pair give back")
    return wishes


def _check_wish(
    table: Table, seat: int, wish: str | Sequence[str], holds: Sequence[str], cards: int
) -> list[str]:
    chosen = read_cards(table, wish, "returns")
    if not chosen:
        raise TableError("returns", cards_text(wish), f"{cards} cards of seat {seat}, or None for its worst")
    for card in chosen:
        if card not in holds:
            raise TableError("returns", card, " ".join(holds), why=f"seat {seat} does not hold it")
    if len(chosen) != cards or len(set(chosen)) != cards:
        raise TableError("returns", chosen, f"{cards} different cards of seat {seat}")
    return chosen
