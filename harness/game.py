"""One hand by hand: from any position, with choices as people write them."""

from __future__ import annotations

from collections.abc import Sequence

from .hand import Event, Hand
from .moves import is_legal
from .positions import read_hands, read_places, read_seat
from .refusals import IllegalMove, read_choice, why_not
from .tables import Table, TableError
from .tables import table as find_table


class Game:
    """A hand of Presi from a given position, played choice by choice.

    It drives the same turn function as tournaments do.

    Parameters
    ----------
    table : str or Table
        A name, a file, or a `Table`.
    hands : sequence of (str or sequence of str)
        The cards of every seat: any of the deck, each once, at least one a seat.
    leader : int
        Seat to open.
    previous : sequence of int, optional
        Places of the hand before, by seat: says who is president; no exchange happens.
    flipped : bool
        Is the order reversed at the start (and the direction, where the table turns it)?

    Raises
    ------
    TableError
        Naming what of the table or the position is impossible, and what is allowed.

    Examples
    --------
    >>> game = Game("barajamos", hands=["3o 5c 5e", "7o 7c 2o", "9c 9e"], leader=0)
    >>> game.turn, game.legal()
    (0, ['3x1', '5x1', '5x2'])
    >>> game.play("5c 5e")
    [{'event': 'play', 'seat': 0, 'cards': ['5c', '5e']}]
    >>> game.trick, game.turn, game.legal()
    (('5', 2), 1, ['7x2', '2o', 'pass'])
    >>> game.play("7o")
    Traceback (most recent call last):
    ...
    harness.refusals.IllegalMove: 7o: one card on a pair
    >>> game.play("2o")
    [{'event': 'play', 'seat': 1, 'cards': ['2o']}, {'event': 'trick', 'winner': 1, 'leader': 1}]
    """

    def __init__(
        self,
        table: str | Table,
        hands: Sequence[str | Sequence[str]],
        leader: int = 0,
        previous: Sequence[int] | None = None,
        flipped: bool = False,
    ) -> None:
        rules = find_table(table)
        cards = read_hands(rules, hands)
        leader = read_seat(leader, len(cards), "leader")
        before = None if previous is None else read_places(previous, len(cards))
        if flipped not in (True, False):
            raise TableError("flipped", flipped, "true or false")
        if flipped and rules.revolution == "none":
            raise TableError("flipped", True, "false", why=f"{rules.name} has no revolution")
        self._hand = Hand(rules, cards, leader, before, bool(flipped))
        self.table = rules
        """The rules in force."""

    @property
    def players(self) -> int:
        """Number of seats."""
        return self._hand.players

    @property
    def turn(self) -> int | None:
        """Seat to act; None when the hand is over."""
        return self._hand.turn

    @property
    def over(self) -> bool:
        """Whether the hand has ended."""
        return self._hand.turn is None

    @property
    def trick(self) -> tuple[str, int] | None:
        """Rank and number of cards to beat; None when the table is empty."""
        return self._hand.trick

    @property
    def flipped(self) -> bool:
        """Whether the order is reversed."""
        return self._hand.flipped

    @property
    def direction(self) -> int:
        """+1 while the turn goes to the next higher seat, -1 while it goes back."""
        return self._hand.direction

    def places(self) -> list[int]:
        """Give the places by seat, 0 where not yet known."""
        return self._hand.places

    def hand(self, seat: int) -> list[str]:
        """Give the cards a seat holds.

        Raises
        ------
        TableError
            If there is no such seat.
        """
        return list(self._hand.cards[read_seat(seat, self.players, "seat")])

    def legal(self) -> list[str]:
        """List every distinct choice of the seat to act; empty when the hand is over."""
        return self._hand.legal_texts()

    def play(self, choice: str | Sequence[str]) -> list[Event]:
        """Let the seat to act make a choice.

        Parameters
        ----------
        choice : str or sequence of str
            Cards, or a choice as `legal` names it, or ``pass``.

        Returns
        -------
        list of dict
            The events it caused, as a match's JSON Lines have them. The ``totals`` of ``hand_end`` are this
            hand's points.

        Raises
        ------
        IllegalMove
            With the reason; nothing has changed.
        """
        hand = self._hand
        if hand.turn is None:
            raise IllegalMove(choice, "the hand is over")
        move, cards = read_choice(hand, choice)
        view = hand.view()
        if not is_legal(view, move):
            raise IllegalMove(choice, why_not(hand, view, move))
        return hand.play(move, cards)
