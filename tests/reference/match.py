"""What goes on between hands (deal, exchange, result), and a whole match played out."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from .cards import JOKER, ladder, laid_out, rank_of, suit_number, whole_deck
from .hand import Event, Hand

Table = Mapping[str, Any]
Give = Callable[[int, list[str]], str]


def deal(table: Table, players: int, number: int, deck: Sequence[str]) -> tuple[int, list[list[str]]]:
    """Deal a shuffled deck one by one.

    Parameters
    ----------
    table : mapping
        The table.
    players : int
        How many sit there.
    number : int
        The hand of the match, 1 for the first.
    deck : sequence of str
        Every card of the deck, the first to be dealt first.

    Returns
    -------
    first_seat : int
        Who got the first card.
    hands : list of list of str
        The cards by seat.

    Raises
    ------
    ValueError
        If the deck is not the table's.
    """
    if sorted(deck) != sorted(whole_deck(table)):
        raise ValueError("the deck does not hold every card once")
    first = (number - 1) % players
    hands: list[list[str]] = [[] for _ in range(players)]
    for position, card in enumerate(deck):
        hands[(first + position) % players].append(card)
    return first, hands


def leader_of(table: Table, hands: Sequence[Sequence[str]], places: Sequence[int] | None) -> int:
    """Say who leads: the holder of the opening card in hand 1, later by the places of the hand before."""
    if places is None:
        return [table["opening_card"] in cards for cards in hands].index(True)
    return list(places).index(1 if table["later_leader"] == "president" else len(places))


def pairs(table: Table, places: Sequence[int]) -> list[tuple[int, int, int]]:
    """List who swaps with whom: lower seat, upper seat, number of cards (never 0)."""
    seat_of = {place: seat for seat, place in enumerate(places)}
    last = len(places)
    swaps = [(seat_of[last], seat_of[1], table["exchange"][0])]
    if last >= 4:
        swaps.append((seat_of[last - 1], seat_of[2], table["exchange"][1]))
    return [swap for swap in swaps if swap[2] > 0]


def worth(table: Table, card: str) -> int:
    """Rate a card for the exchange: the order in its normal direction, jokers, then the lone winner."""
    steps = ladder(table)
    return len(steps) if card == table["lone_winner"] else steps.index(rank_of(card))


def best_cards(table: Table, cards: Sequence[str], count: int) -> list[str]:
    """Pick what a lower player gives up: jokers by number, French suits from the top, Spanish from below."""

    def key(card: str) -> tuple[int, int]:
        suit = suit_number(card, table["deck"])
        from_the_top = table["deck"] == "french52" and rank_of(card) != JOKER
        return -worth(table, card), -suit if from_the_top else suit

    return sorted(cards, key=key)[:count]


def worst_cards(table: Table, cards: Sequence[str], count: int) -> list[str]:
    """Pick what an upper player gives back under `worst`: the lowest suit (or joker) among equals."""
    return sorted(cards, key=lambda card: (worth(table, card), suit_number(card, table["deck"])))[:count]


def exchange(
    table: Table, hands: Sequence[Sequence[str]], places: Sequence[int], give: Give | None = None
) -> tuple[list[list[str]], list[Event]]:
    """Swap cards between the pairs of the hand before.

    Parameters
    ----------
    table : mapping
        The table.
    hands : sequence of sequence of str
        The cards dealt, by seat.
    places : sequence of int
        Places of the hand before, by seat.
    give : callable, optional
        `give(seat, cards)` names one card to give back; called once per card, with the cards the upper
        player holds then. Used where `exchange_return` is `choice`.

    Returns
    -------
    hands : list of list of str
        The cards after the exchange.
    events : list of dict
        One event per direction, in order.

    Raises
    ------
    ValueError
        If `give` is missing or names a card that is not there.
    """
    after = [list(cards) for cards in hands]
    events: list[Event] = []
    for lower, upper, count in pairs(table, places):
        up = best_cards(table, after[lower], count)
        down = worst_cards(table, after[upper], count)
        for card in up:
            after[lower].remove(card)
        if table["exchange_return"] == "worst":
            for card in down:
                after[upper].remove(card)
            after[upper] += up
        else:
            after[upper] += up
            down = []
            for _ in range(count):
                if give is None:
                    raise ValueError("this table lets the upper player choose: give is needed")
                card = give(upper, laid_out(table, after[upper]))
                if card not in after[upper]:
                    raise ValueError(f"seat {upper} gives {card}, which it does not hold")
                after[upper].remove(card)
                down.append(card)
        after[lower] += down
        events.append({"event": "exchange", "from": lower, "to": upper, "cards": up})
        events.append({"event": "exchange", "from": upper, "to": lower, "cards": down})
    return after, events


def result(
    table: Table, totals: Sequence[int], places: Sequence[int], hands_played: int
) -> tuple[int, list[int]] | None:
    """Judge a match after a hand.

    Parameters
    ----------
    table : mapping
        The table.
    totals, places : sequence of int
        Points so far and places in the hand just ended, by seat.
    hands_played : int
        Hands so far, that one included.

    Returns
    -------
    (winner, standings) or None
        The winning seat and the standings by seat (1 = first); None while the match goes on.
    """
    seats = range(len(totals))
    by_points = sorted(seats, key=lambda seat: (-totals[seat], places[seat]))
    if table["match_hands"] is not None:
        if hands_played < table["match_hands"]:
            return None
        winner = by_points[0]
    else:
        reached = [seat for seat in seats if totals[seat] >= table["match_points"]]
        if not reached:
            return None
        winner = min(reached, key=lambda seat: places[seat])
    ranking = [winner] + [seat for seat in by_points if seat != winner]
    return winner, [ranking.index(seat) + 1 for seat in seats]


def simulate_match(
    table: Table,
    n: int,
    shuffle: Callable[[int], Sequence[str]],
    choose: Callable[[int, set[str], Hand], str],
    give: Give | None = None,
    code: str = "P0",
    rules: str = "table",
    bots: Sequence[str] | None = None,
) -> list[Event]:
    """Play one match and write it down.

    Parameters
    ----------
    table : mapping
        Every field of the table.
    n : int
        Number of players.
    shuffle : callable
        `shuffle(h)` gives the deck of hand *h* (from 1) in the order it is dealt.
    choose : callable
        `choose(seat, legal, hand)` names one of the legal choices, or `"forfeit"`. `hand` is the `Hand` in
        play: to look at, not to touch.
    give : callable, optional
        See `exchange`.
    code, rules, bots : optional
        What the first event calls the match, its table and its players.

    Returns
    -------
    list of dict
        The events from `match` to `match_end`, every play and pass with its `legal` choices.

    Raises
    ------
    ValueError
        If a deck or a card given is impossible.
    Refused
        If a choice is.
    """
    names = [f"seat{seat}" for seat in range(n)] if bots is None else list(bots)
    events: list[Event] = [
        {"event": "match", "code": code, "rules": rules, "table": dict(table), "bots": names}
    ]
    totals, places, number = [0] * n, None, 0
    while True:
        number += 1
        first, hands = deal(table, n, number, shuffle(number))
        dealt = [list(cards) for cards in hands]
        events.append({"event": "deal", "hand": number, "first_seat": first, "hands": dealt})
        if places is not None:
            hands, swaps = exchange(table, hands, places, give)
            events += swaps
        hand = Hand(table, hands, leader_of(table, hands, places), places)
        while hand.turn is not None:
            seat, legal = hand.turn, hand.legal()
            choice = choose(seat, set(legal), hand)
            caused = hand.forfeit(seat) if choice == "forfeit" else hand.play(choice)
            if choice != "forfeit":
                caused[0]["legal"] = sorted(legal)
            events += caused
        places = hand.places()
        totals = [total + won for total, won in zip(totals, events[-1]["points"], strict=True)]
        events[-1]["totals"] = list(totals)
        end = result(table, totals, places, number)
        if end is not None:
            events.append({"event": "match_end", "winner": end[0], "standings": end[1]})
            return events
