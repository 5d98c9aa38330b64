"""One hand, played step by step on lists of cards."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from .cards import JOKER, as_cards, ladder, laid_out, rank_of, whole_deck

Event = dict[str, Any]

_NAME = re.compile(r"(?P<rank>[0-9A-Z]+)x(?P<size>[0-9])(?:w(?P<wilds>[1-9]))?")


class Refused(Exception):
    """An impossible play; the hand is as it was before.

    Attributes
    ----------
    reason : str
        Why, in words for a person.
    """

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class Choice(NamedTuple):
    """What a play amounts to, whichever suits it is made of."""

    rank: str
    size: int
    wilds: int = 0
    lone: str | None = None

    @property
    def name(self) -> str:
        """The choice as lists of legal choices call it."""
        if self.lone is not None:
            return self.lone
        return f"{self.rank}x{self.size}" + (f"w{self.wilds}" if self.wilds else "")


class Hand:
    """One hand from a given position.

    Parameters
    ----------
    table : mapping
        Every field of the table; `points` by number of players as text.
    hands : sequence of (str or sequence of str)
        The cards of every seat, as `"3o 5c"` or `["3o", "5c"]`; no seat without cards.
    leader : int
        The seat that opens.
    previous : sequence of int, optional
        Places of the hand before, by seat. Without them there is no president who could fall.
    flipped : bool, optional
        Start with the order reversed, and the direction too where a revolution turns it.

    Attributes
    ----------
    turn : int or None
        The seat to act; None once the hand is over.
    over : bool
        Has the hand ended?
    flipped : bool
        Is the order reversed?

    Raises
    ------
    ValueError
        If the position is impossible.

    Examples
    --------
    >>> from tests.reference.tables import make_table
    >>> hand = Hand(make_table("barajamos"), ["3o 5c 5e", "7o 7c 2o", "9c 9e"], leader=0)
    >>> sorted(hand.legal())
    ['3x1', '5x1', '5x2']
    >>> hand.play("5x2")
    [{'event': 'play', 'seat': 0, 'cards': ['5c', '5e']}]
    >>> hand.trick, hand.turn
    (('5', 2), 1)
    """

    def __init__(
        self,
        table: Mapping[str, Any],
        hands: Sequence[str | Sequence[str]],
        leader: int,
        previous: Sequence[int] | None = None,
        flipped: bool = False,
    ) -> None:
        self.table = table
        self.players = len(hands)
        self._cards = [as_cards(cards) for cards in hands]
        self._check_position(leader, previous, flipped)
        self._ladder = ladder(table)
        self._lone: str | None = table["lone_winner"]
        self._places = [0] * self.players
        self._dead: set[int] = set()
        self._president = None if previous is None else list(previous).index(1)
        self.flipped = flipped
        self._direction = -1 if flipped and table["revolution"] == "order_and_direction" else 1
        self.over = False
        self.turn: int | None = leader
        # The trick: what lies there, whose it is, who has passed in it.
        self._top: Choice | None = None
        self._owner: int | None = None
        self._passed: set[int] = set()

    def _check_position(self, leader: int, previous: Sequence[int] | None, flipped: bool) -> None:
        everything = [card for cards in self._cards for card in cards]
        strangers = [card for card in everything if card not in whole_deck(self.table)]
        if strangers:
            raise ValueError(f"hands: {strangers[0]} is not in the deck")
        if len(set(everything)) != len(everything):
            raise ValueError("hands: a card is there twice")
        if not all(self._cards):
            raise ValueError("hands: every seat holds at least one card")
        if leader not in range(self.players):
            raise ValueError(f"leader: there is no seat {leader}")
        if previous is not None and sorted(previous) != list(range(1, self.players + 1)):
            raise ValueError(f"previous: {list(previous)} does not give each place once")
        if flipped and self.table["revolution"] == "none":
            raise ValueError("flipped: this table has no revolution")
        if str(self.players) not in self.table["points"]:
            raise ValueError(f"points: none for {self.players} players")

    # --- what can be seen -------------------------------------------------------------------------------

    @property
    def trick(self) -> tuple[str, int] | None:
        """Rank and number of cards to beat, None where a trick is yet to be opened."""
        return None if self._top is None else (self._top.rank, self._top.size)

    def hand(self, seat: int) -> list[str]:
        """List the cards a seat holds, dead ones included."""
        return list(self._cards[seat])

    def places(self) -> list[int]:
        """List the places by seat, 0 where not yet known."""
        return list(self._places)

    def legal(self) -> set[str]:
        """Name every distinct choice of the seat to act; empty once the hand is over."""
        if self.turn is None:
            return set()
        mine = self._cards[self.turn]
        names = set() if self._top is None else {"pass"}
        for rank in {rank_of(card) for card in mine}:
            naturals = [card for card in mine if rank_of(card) == rank]
            wilds = [card for card in mine if self._stands_for(card, rank)]
            for natural in range(1, len(naturals) + 1):
                for wild in range(len(wilds) + 1):
                    choice = Choice(rank, natural + wild, wild)
                    only_the_lone = choice.size == 1 and naturals == [self._lone]
                    if choice.size <= 4 and not only_the_lone and self._objection(choice) is None:
                        names.add(choice.name)
        if self._lone is not None and self._lone in mine:
            names.add(self._lone)
        return names

    # --- what can be done -------------------------------------------------------------------------------

    def play(self, choice: str | Iterable[str]) -> list[Event]:
        """Let the seat to act play or pass.

        Parameters
        ----------
        choice : str or iterable of str
            `"pass"`, a choice as `legal` names it (it takes the lowest suits, the lone winner last), or the
            cards themselves.

        Returns
        -------
        list of dict
            The events this caused, the play or pass itself first. Of `hand_end`, `totals` are the points
            of this hand alone.

        Raises
        ------
        Refused
            If the play is impossible. Nothing has changed then.
        """
        if self.turn is None:
            raise Refused("the hand is over")
        if choice == "pass":
            return self._pass()
        cards = self._cards_for(choice) if isinstance(choice, str) else list(choice)
        what = self._read(cards)
        objection = self._objection(what)
        if objection is not None:
            raise Refused(objection)
        return self._put_down(self.turn, cards, what)

    def forfeit(self, seat: int) -> list[Event]:
        """Take a seat out of the hand: dead cards, and the last place still free.

        A bot may fail when it is not its turn, too: while it is told what another one did.

        Raises
        ------
        Refused
            If that seat holds no cards that could die.
        """
        if self.turn is None:
            raise Refused("the hand is over")
        if not self._holds_cards(seat):
            raise Refused(f"seat {seat} holds no cards")
        self._bury(seat)
        events: list[Event] = [{"event": "forfeit", "seat": seat, "puesto": self._places[seat]}]
        if self._hand_ends():
            return events + self._end_hand()
        if seat != self.turn:
            return events
        if self._owner is None:
            self.turn = self._next_with_cards(seat)
            return events
        return events + self._turn_goes_on_from(seat)

    # --- reading a play ---------------------------------------------------------------------------------

    def _stands_for(self, card: str, rank: str) -> bool:
        """Say whether this card can stand in for another rank, namely this one."""
        if rank_of(card) == rank or rank == JOKER:
            return False
        if rank_of(card) == JOKER:
            return bool(self.table["joker_role"] == "wild")
        return bool(rank_of(card) == self.table["wild_rank"] and rank != self.table["wild_rank"])

    def _cards_for(self, text: str) -> list[str]:
        """Pick the cards of the seat to act that a name of a choice, or a list of cards, means."""
        assert self.turn is not None
        named = _NAME.fullmatch(text.strip())
        if named is None:
            return text.split()
        rank, size, wild = named["rank"], int(named["size"]), int(named["wilds"] or 0)
        mine = laid_out(self.table, self._cards[self.turn])
        naturals = [card for card in mine if rank_of(card) == rank]
        wilds = [card for card in mine if self._stands_for(card, rank)]
        if size == 1 and naturals == [self._lone]:
            raise Refused(f"no plain {rank}: {self._lone} alone is a choice of its own")
        if not 1 <= size - wild <= len(naturals) or wild > len(wilds):
            raise Refused(f"not in hand: {text.strip()}")
        return naturals[: size - wild] + wilds[:wild]

    def _read(self, cards: Sequence[str]) -> Choice:
        """Understand cards of the seat to act as one play, whether or not it beats the table."""
        assert self.turn is not None
        mine = self._cards[self.turn]
        if not cards:
            raise Refused("no cards")
        for card in cards:
            if card not in mine:
                raise Refused(f"not in hand: {card}")
        if len(set(cards)) != len(cards):
            raise Refused("a card is named twice")
        if len(cards) > 4:
            raise Refused("more than four cards")
        if list(cards) == [self._lone]:
            return Choice(rank_of(cards[0]), 1, 0, self._lone)
        # One rank alone is natural throughout, were it all jokers or all of the wild rank. Else somebody
        # stands in, and what is left must be one rank.
        for rank in sorted({rank_of(card) for card in cards}):
            wilds = [card for card in cards if self._stands_for(card, rank)]
            naturals = [card for card in cards if rank_of(card) == rank]
            if len(naturals) + len(wilds) == len(cards):
                self._spare_the_lone_winner(naturals)
                return Choice(rank, len(cards), len(wilds))
        raise Refused("cards of different ranks")

    def _spare_the_lone_winner(self, naturals: Sequence[str]) -> None:
        assert self.turn is not None
        if self._lone is None or self._lone not in naturals:
            return
        for card in self._cards[self.turn]:
            if rank_of(card) == rank_of(self._lone) and card not in naturals:
                raise Refused(f"{self._lone} goes into a set only when it must, and {card} would do")

    def _strength(self, rank: str) -> int:
        step = self._ladder.index(rank)
        return -step if self.flipped else step

    def _objection(self, choice: Choice) -> str | None:
        """Say why a choice does not answer what lies on the table; None if it does."""
        if self._top is None or choice.lone is not None:
            return None
        if choice.size != self._top.size:
            return f"{choice.size} cards on {self._top.size}"
        difference = self._strength(choice.rank) - self._strength(self._top.rank)
        if difference > 0 or (difference == 0 and self.table["equal"] == "skip"):
            return None
        return f"needs {'lower' if self.flipped else 'more'} than {self._top.rank}"

    # --- the rules of a turn ----------------------------------------------------------------------------

    def _pass(self) -> list[Event]:
        assert self.turn is not None
        if self._top is None:
            raise Refused("the leader may not pass")
        seat = self.turn
        self._passed.add(seat)
        return [{"event": "pass", "seat": seat}, *self._turn_goes_on_from(seat)]

    def _put_down(self, seat: int, cards: Sequence[str], what: Choice) -> list[Event]:
        events: list[Event] = [{"event": "play", "seat": seat, "cards": list(cards)}]
        equal = what.lone is None and self._top is not None and what.rank == self._top.rank
        for card in cards:
            self._cards[seat].remove(card)
        self._top, self._owner = what, seat
        # The revolution comes before everything: skip, next turn and next leader follow the new direction.
        if what.size == 4 and self.table["revolution"] != "none":
            self.flipped = not self.flipped
            if self.table["revolution"] == "order_and_direction":
                self._direction = -self._direction
        ran_out = not self._cards[seat]
        if ran_out:
            events += self._out(seat)
            if self._hand_ends():
                return events + self._end_hand()
        if (
            what.lone is not None
            or what.rank == self.table["cut_rank"]
            or (ran_out and self.table["out_closes_trick"])
        ):
            return events + self._end_trick()
        if equal:
            skipped = next((other for other in self._others_from(seat) if self._could_act(other)), None)
            if skipped is not None:
                return [*events, {"event": "skip", "seat": skipped}, *self._turn_goes_on_from(skipped)]
        return events + self._turn_goes_on_from(seat)

    def _out(self, seat: int) -> list[Event]:
        """Give a seat that ran out the best place still free; last hand's president may fall over it."""
        place = self._free_places()[0]
        self._places[seat] = place
        events: list[Event] = [{"event": "out", "seat": seat, "puesto": place}]
        president = self._president
        if (
            self.table["president_falls"]
            and place == 1
            and president is not None
            and self._places[president] == 0  # neither he himself who ran out, nor gone by forfeit
        ):
            self._bury(president)
            events.append({"event": "fall", "seat": president})
        return events

    def _bury(self, seat: int) -> None:
        """Make a seat's cards dead; it takes the last place still free."""
        self._dead.add(seat)
        self._places[seat] = self._free_places()[-1]

    def _free_places(self) -> list[int]:
        return [place for place in range(1, self.players + 1) if place not in self._places]

    # --- whose turn -------------------------------------------------------------------------------------

    def _others_from(self, seat: int) -> list[int]:
        """List all other seats in the direction in force, the next one first."""
        return [(seat + step * self._direction) % self.players for step in range(1, self.players)]

    def _holds_cards(self, seat: int) -> bool:
        return bool(self._cards[seat]) and seat not in self._dead

    def _could_act(self, seat: int) -> bool:
        locked = self.table["pass_locks"] and seat in self._passed
        return self._holds_cards(seat) and not locked

    def _next_with_cards(self, seat: int) -> int:
        return next(other for other in self._others_from(seat) if self._holds_cards(other))

    def _turn_goes_on_from(self, seat: int) -> list[Event]:
        """Move the turn to the next seat that may act, or end the trick at the seat of the last play."""
        for other in self._others_from(seat):
            if other == self._owner:
                return self._end_trick()
            if self._could_act(other):
                self.turn = other
                return []
        # All the way round: the seat is the owner's own.
        return self._end_trick()

    def _end_trick(self) -> list[Event]:
        assert self._owner is not None
        winner = self._owner
        leader = winner if self._holds_cards(winner) else self._next_with_cards(winner)
        self._top, self._owner, self._passed = None, None, set()
        self.turn = leader
        return [{"event": "trick", "winner": winner, "leader": leader}]

    def _hand_ends(self) -> bool:
        return sum(self._holds_cards(seat) for seat in range(self.players)) <= 1

    def _end_hand(self) -> list[Event]:
        for seat in range(self.players):
            if self._places[seat] == 0:
                self._places[seat] = self._free_places()[0]
        points = [self.table["points"][str(self.players)][place - 1] for place in self._places]
        self._top, self._owner, self.turn, self.over = None, None, None, True
        return [{"event": "hand_end", "puestos": self.places(), "points": points, "totals": list(points)}]
