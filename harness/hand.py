"""One hand in play with real cards: the engine's state, and who holds which suits.

The engine knows ranks, not suits: which of several equal cards leaves a hand never matters to the rules.
Here it does matter, to people: cards go lowest suit first, and the lone winner only when it must.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from .bots.plain import PlainView
from .cards import JOKER, deck_cards, rank_of
from .engine.deal import start_hand, start_match
from .engine.rules import ladder_of, new_state
from .engine.turn import face, flip, forfeit, turn
from .moves import LONE, PASS, add_cards, size_of, slot_of, wilds_of
from .notation import legal_moves, move_text
from .tables import Table

Event = dict[str, Any]
"""One line of a match as JSON Lines."""


class Hand:
    """A hand from a given position on; drives the engine's own turn function.

    Parameters
    ----------
    table : Table
    cards : sequence of sequence of str
        The cards of every seat.
    leader : int
        Seat to open.
    before : sequence of int, optional
        Places of the hand before, by seat; None in hand 1.
    flipped : bool
        Does it begin with the order (and the direction, where the table turns it) reversed?
    totals : sequence of int, optional
        Points by seat before this hand; all 0 if left out.

    Attributes
    ----------
    table : Table
    players : int
    cards : list of list of str
        What each seat holds now; the cards of who fell or forfeited stay there, dead.
    totals : list of int
        Points by seat, this hand's included once it is over.
    """

    def __init__(
        self,
        table: Table,
        cards: Sequence[Sequence[str]],
        leader: int,
        before: Sequence[int] | None = None,
        flipped: bool = False,
        totals: Sequence[int] | None = None,
    ) -> None:
        self.table, self.players = table, len(cards)
        self.cards = [list(held) for held in cards]
        self.totals = list(totals) if totals is not None else [0] * self.players
        self._ids = {card: number for number, card in enumerate(deck_cards(table.deck, table.jokers))}
        self._ladder = ladder_of(table)
        self._wild = JOKER if table.joker_role == "wild" else table.wild_rank
        self._state = new_state(table, self.players)  # holds the arrays the records live in
        self._view, self._hidden = self._state[0][0], self._state[1][0]
        self._set_up(leader, before, flipped)

    def _set_up(self, leader: int, before: Sequence[int] | None, flipped: bool) -> None:
        view, hidden = self._view, self._hidden
        start_match(view, hidden, self.players, np.uint64(0))
        view["hand_number"] = 1 if before is None else 2
        start_hand(view, hidden)
        for seat, held in enumerate(self.cards):
            word = self.word(held)
            hidden["hands"][seat] = word
            view["left"][seat] = len(held)
            view["points"][seat] = self.totals[seat]
            if before is not None:
                view["before"][seat] = before[seat]
            if self.table.lone_winner in held:
                hidden["lone"] = seat
        # what nobody holds has been played, for all that anyone may know
        counts = [4 if rank != JOKER else self.table.jokers for rank in self._ladder]
        held_by_all = [rank_of(card) for held in self.cards for card in held]
        missing = 0
        for slot, rank in enumerate(self._ladder):
            missing = add_cards(missing, slot, counts[slot] - held_by_all.count(rank))
        view["played"] = missing
        view["lone_played"] = self.table.lone_winner is not None and hidden["lone"] < 0
        view["seat"] = leader
        if flipped:
            flip(view, hidden)
            if self.table.revolution == "order_and_direction":
                view["direction"] = -1

    def word(self, cards: Sequence[str]) -> int:
        """Put cards into a word, the order not reversed."""
        word = 0
        for card in cards:
            word = add_cards(word, self._ladder.index(rank_of(card)), 1)
        return int(word)

    # --- what is to be seen -----------------------------------------------------------------------------

    @property
    def turn(self) -> int | None:
        """Seat to act; None when the hand is over."""
        seat = int(self._view["seat"])
        return seat if seat >= 0 else None

    @property
    def flipped(self) -> bool:
        """Whether the order is reversed."""
        return bool(self._view["flipped"])

    @property
    def direction(self) -> int:
        """+1 while the turn goes to the next higher seat, -1 while it goes back."""
        return int(self._view["direction"])

    @property
    def trick(self) -> tuple[str, int] | None:
        """Rank and number of cards on the table; None if it is empty."""
        size = int(self._view["size"])
        return (self._rank(int(self._view["rank"])), size) if size else None

    @property
    def places(self) -> list[int]:
        """Places by seat, 0 where not yet known."""
        return [int(place) for place in self._view["puesto"][: self.players]]

    @property
    def leading(self) -> bool:
        """Whether the table is empty, so that the seat to act may not pass."""
        return int(self._view["size"]) == 0

    def view(self) -> PlainView:
        """Give a copy of the view of the seat to act."""
        face(self._view, self._hidden, int(self._view["seat"]))
        return PlainView(self._view.copy())

    def legal(self) -> list[int]:
        """List the legal moves of the seat to act; none when the hand is over."""
        return [] if self.turn is None else legal_moves(self.view())

    def legal_texts(self) -> list[str]:
        """List the legal moves of the seat to act as text."""
        return [move_text(self.table, move, self.flipped) for move in self.legal()]

    def _rank(self, slot: int) -> str:
        return self._ladder[len(self._ladder) - 1 - slot if self.flipped else slot]

    # --- what is done -----------------------------------------------------------------------------------

    def cards_of(self, move: int) -> list[str]:
        """Choose the cards that a legal move of the seat to act takes out of its hand."""
        held = self.cards[int(self._view["seat"])]
        lone = self.table.lone_winner
        if move == PASS:
            return []
        if move == LONE:
            assert lone is not None
            return [lone]
        rank, wilds = self._rank(slot_of(move)), wilds_of(move)

        def lowest(rank: str | None, number: int) -> list[str]:
            same = [card for card in held if rank_of(card) == rank]
            return sorted(same, key=lambda card: (card == lone, self._ids[card]))[:number]

        return lowest(rank, size_of(move) - wilds) + (lowest(self._wild, wilds) if wilds else [])

    def play(self, move: int, cards: Sequence[str] | None = None) -> list[Event]:
        """Let the seat to act play a legal move, or pass.

        Parameters
        ----------
        move : int
            A legal one; not checked.
        cards : sequence of str, optional
            The cards it is made of; chosen here if left out.

        Returns
        -------
        list of dict
            What it caused, from ``play`` or ``pass`` on.
        """
        seat = int(self._view["seat"])
        played = self.cards_of(move) if cards is None else list(cards)
        out_before = self.places[seat]
        self._clear_marks()
        turn(self._view, self._hidden, move)
        if move == PASS:
            events: list[Event] = [{"event": "pass", "seat": seat}]
        else:
            for card in played:
                self.cards[seat].remove(card)
            events = [{"event": "play", "seat": seat, "cards": played}]
            # the last seat of a hand gets its place too, but holds cards still
            if not self.cards[seat] and not out_before:
                events.append({"event": "out", "seat": seat, "puesto": self.places[seat]})
        if self._hidden["fallen"] >= 0:
            events.append({"event": "fall", "seat": int(self._hidden["fallen"])})
        if self._hidden["skipped"] >= 0:
            events.append({"event": "skip", "seat": int(self._hidden["skipped"])})
        return events + self._endings()

    def forfeit(self, seat: int) -> list[Event]:
        """Take a seat out of the hand whose bot failed; its cards are dead."""
        self._clear_marks()
        forfeit(self._view, self._hidden, seat)
        return [{"event": "forfeit", "seat": seat, "puesto": self.places[seat]}, *self._endings()]

    def _clear_marks(self) -> None:
        for name in ("skipped", "fallen", "trick_winner"):
            self._hidden[name] = -1

    def _endings(self) -> list[Event]:
        """Tell the end of the trick or of the hand, if the last turn brought it."""
        if self.turn is None:
            puestos = self.places
            points = [self.table.points[self.players][place - 1] for place in puestos]
            self.totals = [total + won for total, won in zip(self.totals, points, strict=True)]
            return [{"event": "hand_end", "puestos": puestos, "points": points, "totals": list(self.totals)}]
        if self._hidden["trick_winner"] >= 0:
            return [{"event": "trick", "winner": int(self._hidden["trick_winner"]), "leader": self.turn}]
        return []
