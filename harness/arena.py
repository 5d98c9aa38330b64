"""The arena: a table and bots in, rows of matches out. The door between Python and the compiled engine."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

import numpy as np

from .bots.plain import PlainView, describe
from .bots.program import ProgramBot
from .bots.ready import ReadyBot
from .engine.match import (
    ASKED,
    FAULTED,
    GIVE,
    MATCH,
    MOVE,
    OBSERVE,
    PLAY,
    SEAT,
    START_HAND,
    START_MATCH,
    STATUS,
    play_matches,
)
from .engine.records import DEAL, TRACE, VIEW
from .engine.rules import new_state
from .errors import BotFault
from .moves import FAULT
from .notation import legal_texts, move_text
from .tables import Table

_ASKED = {
    PLAY: "play",
    GIVE: "give",
    START_MATCH: "start_match",
    START_HAND: "start_hand",
    OBSERVE: "observe",
}


@dataclasses.dataclass
class Block:
    """Rows of some matches, in match order; `n` seats, `m` matches, `h` hands.

    Attributes
    ----------
    hands : int16[m]
        Hands each match took.
    winner : int8[m]
        Seat.
    totals : int16[m, n]
        Points at the end, by seat.
    standings : int8[m, n]
        1 = first, by seat.
    faults : int16[m, n]
        Faults by seat.
    leader : int8[h]
        Seat that led each hand.
    turns : int16[h]
    puestos, points : int8[h, n]
        By seat.
    """

    hands: np.ndarray
    winner: np.ndarray
    totals: np.ndarray
    standings: np.ndarray
    faults: np.ndarray
    leader: np.ndarray
    turns: np.ndarray
    puestos: np.ndarray
    points: np.ndarray


_NO_DEALS = np.zeros(0, DEAL)
_NO_TRACE = np.zeros(0, TRACE)


class Arena:
    """A table with bots, ready to play matches.

    Parameters
    ----------
    table : Table
    players : int
    bots : sequence of ReadyBot
        Seatings name them by their number here.
    forfeits : bool
        Does a bot's fault take it out of the hand (else the block ends with a `BotFault`)?
    """

    def __init__(self, table: Table, players: int, bots: Sequence[ReadyBot], forfeits: bool = False) -> None:
        self.table, self.players, self.bots, self.forfeits = table, players, list(bots), forfeits
        self.view, self.hidden = new_state(table, players)
        self._addresses = np.array([bot.addresses for bot in self.bots], np.int64)
        for bot in self.bots:
            if bot.plain is not None and isinstance(bot.plain.prototype, ProgramBot):
                bot.plain.prototype.sit(table, players)
        self._records = [self._parameters_of(bot) for bot in self.bots]
        self._parameters = np.array([record.ctypes.data for record in self._records], np.int64)
        self._shown = np.zeros(int(any(not bot.shipped for bot in self.bots)), VIEW)
        self._bound = table.max_hands(players)

    def _parameters_of(self, bot: ReadyBot) -> np.ndarray:
        """Give a bot's parameters; one that sees all is told where this arena's hidden state lies."""
        if not bot.sees_all:
            return bot.parameters
        record = bot.parameters.copy()
        record["hidden_at"] = self.hidden.ctypes.data
        if bot.plain is not None:
            bot.plain.prototype.hidden_at = self.hidden.ctypes.data
        return record

    def play(
        self,
        codes: np.ndarray,
        seatings: np.ndarray,
        deals: np.ndarray | None = None,
        deal_bounds: np.ndarray | None = None,
        trace: np.ndarray | None = None,
    ) -> Block:
        """Play one match for each code.

        Parameters
        ----------
        codes : uint64[m]
            Match codes.
        seatings : int32[m, n]
            Number of the bot in each seat.
        deals : DEAL[d], optional
            Deals made elsewhere (see `harness.deals`).
        deal_bounds : int64[m, 2], optional
            Each match's first of them, and the one after its last.
        trace : TRACE[m * max_hands], optional
            Filled in with what happened in each hand, also where a fault ends the block.

        Returns
        -------
        Block

        Raises
        ------
        BotFault
            If a bot failed and faults are not forfeits.
        """
        m, n = seatings.shape
        if (
            n != self.players
            or len(codes) != m
            or (m and not 0 <= seatings.min() <= seatings.max() < len(self.bots))
        ):
            raise ValueError(
                f"seatings of shape {seatings.shape} do not name one of {len(self.bots)} bots a seat"
            )
        rows = m * self._bound
        block = Block(
            hands=np.empty(m, np.int16),
            winner=np.empty(m, np.int8),
            totals=np.empty((m, n), np.int16),
            standings=np.empty((m, n), np.int8),
            faults=np.zeros((m, n), np.int16),
            leader=np.empty(rows, np.int8),
            turns=np.empty(rows, np.int16),
            puestos=np.empty((rows, n), np.int8),
            points=np.empty((rows, n), np.int8),
        )
        if trace is None:
            trace = _NO_TRACE
        elif len(trace) < rows:
            raise ValueError(f"a trace of {len(trace)} hands: {m} matches may need {rows}")
        if deals is None or deal_bounds is None:
            deals, deal_bounds = _NO_DEALS, np.zeros((m, 2), np.int64)
        elif deal_bounds.shape != (m, 2) or (
            m and not 0 <= deal_bounds.min() <= deal_bounds.max() <= len(deals)
        ):
            raise ValueError(f"deal_bounds of shape {deal_bounds.shape} do not fit {m} matches")
        trace["leader"] = -1
        report = np.zeros(5, np.int64)
        played = play_matches(
            self.view[0],
            self.hidden[0],
            n,
            np.ascontiguousarray(codes, np.uint64),
            np.ascontiguousarray(seatings, np.int32),
            deals,
            np.ascontiguousarray(deal_bounds, np.int64),
            self._addresses,
            self._parameters,
            self._shown,
            self.forfeits,
            block.hands,
            block.winner,
            block.totals,
            block.standings,
            block.faults,
            block.leader,
            block.turns,
            block.puestos,
            block.points,
            trace,
            report,
        )
        if any(bot.plain is not None and bot.plain.interrupted for bot in self.bots):
            raise KeyboardInterrupt
        if report[STATUS] == FAULTED:
            self._raise_fault(report, codes, seatings)
        for name in ("leader", "turns", "puestos", "points"):
            setattr(block, name, getattr(block, name)[:played])
        return block

    def _raise_fault(self, report: np.ndarray, codes: np.ndarray, seatings: np.ndarray) -> None:
        """Say which bot failed, where and how, from the state as the failed call left it."""
        match, seat, move, asked = (int(report[cell]) for cell in (MATCH, SEAT, MOVE, ASKED))
        bot = self.bots[int(seatings[match, seat])]
        view = PlainView(self.view[0].copy())
        if move == FAULT:
            what = f"failed in {_ASKED[asked]}: {self._reason(bot, asked)}"
        else:
            legal = ", ".join(legal_texts(self.table, view))
            text = move_text(self.table, move, view.flipped)
            what = f"returned an illegal move: {text} ({move}); legal was {legal}"
        what += f"; hand {view.hand_number}, turn {view.turns + 1}"
        raise BotFault(bot.spec.label, f"P{codes[match]}", seat, what)

    def _reason(self, bot: ReadyBot, asked: int) -> str:
        """Find what a bot raised: kept by a plain bot; a compiled one is asked again in plain Python."""
        if bot.plain is not None:
            return bot.plain.error or "unknown"
        try:
            getattr(bot.instance, "give" if asked == GIVE else "play")(PlainView(self.view[0].copy()))
        except Exception as error:
            return describe(error)
        return "its compiled code raised an exception"
