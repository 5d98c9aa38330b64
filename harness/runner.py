"""Playing a tournament: units of whole groups on joblib's workers, one writer, parts in order.

What is played depends on the request alone; how it is cut into units and parts does not change a row.
"""

from __future__ import annotations

import ctypes
import itertools
import json
import os
import signal
import sys
import threading
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from .backends import LISTING, cluster
from .errors import BotFault, WorkError
from .request import Request

if TYPE_CHECKING:
    from .arena import Arena, Block
    from .store import Batch, RunFolder

PART_MATCHES = 131_072
"""Matches after which a part is written."""
PART_SECONDS = 30.0
"""A part is written after this time even if it is small, so that little is lost to a kill."""
UNIT_SECONDS = 0.25
"""What a unit should take: long enough that handing it out costs nothing, short enough to stop promptly."""
UNIT_MATCHES = 16_384
WINDOW_SECONDS = 24.0
"""Units handed out at once, in worker time: bounds what waits for the writer, should it fall behind."""
UNITS_AHEAD = 3
"""Units handed to each worker beyond what it has finished."""
ALONE_SECONDS = 1.5
"""Work that takes less is not worth starting workers for."""


@lru_cache(maxsize=2)
def _arena(request_text: str) -> tuple[Request, Arena]:
    """Build the arena of a request once in each process."""
    from .arena import Arena
    from .bots.ready import make_ready

    request = Request.from_json(json.loads(request_text))
    bots = [make_ready(spec) for spec in request.bots]
    return request, Arena(request.table, request.players, bots, request.on_fault == "forfeit")


def play_groups(request_text: str, start: int, stop: int, parent: int) -> tuple[float, Block | BotFault]:
    """Play some groups of a request; runs in a worker.

    Parameters
    ----------
    request_text : str
        The request as JSON.
    start, stop : int
        Groups, `stop` not included.
    parent : int
        Process that asks; a worker of it ends when it does, however it does. 0 for workers of others.

    Returns
    -------
    seconds : float
        Time the matches took.
    block : Block or BotFault
        The fault, if a bot failed and faults stop the run: returned, not raised, so that the parent can end
        the other workers' units in order.
    """
    if parent not in (0, os.getpid()):
        _end_with_parent()
    request, arena = _arena(request_text)
    matches = request.schedule.matches(start, stop)
    deals = {}
    if request.deals is not None:
        bounds = request.deals.bounds[request.luck(matches.group)]
        deals = {"deals": request.deals.records, "deal_bounds": bounds}
    begin = time.perf_counter()
    try:
        block: Block | BotFault = arena.play(matches.code, matches.bots, **deals)
    except BotFault as fault:
        block = fault
    return time.perf_counter() - begin, block


@cache
def _end_with_parent() -> None:
    """Have the system end this worker if its parent is killed; where it cannot, loky does so in time."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG


def effective_jobs(jobs: int | None) -> int:
    """Give the number of workers: all cores this process may use, if not said."""
    if jobs is not None:
        return max(1, jobs)
    from joblib import cpu_count

    return int(cpu_count())


class Runner:
    """Plays what is left of a run.

    Parameters
    ----------
    request : Request
    folder : RunFolder
        Open for writing; the groups it already holds are not played again.
    jobs : int
        Worker processes; 1 plays in this process.
    backend : str
        One of `harness.backends.BACKENDS`.
    on_part : callable
        Called with each `Batch` once it is written.
    on_progress : callable
        Called with the number of matches just played.
    """

    def __init__(
        self,
        request: Request,
        folder: RunFolder,
        jobs: int,
        backend: str,
        on_part: Callable[[Batch], None],
        on_progress: Callable[[int], None],
    ) -> None:
        self.request, self.folder, self.jobs, self.backend = request, folder, jobs, backend
        self.on_part, self.on_progress = on_part, on_progress
        self.schedule = request.schedule
        self._text = json.dumps(request.to_json())
        self._blocks: list[Block] = []
        self._first = self._next = folder.groups_done
        self._since = time.monotonic()
        self._seconds_a_match = 1e-3
        self._fault: BotFault | None = None
        self._stopping: Callable[[], bool] = lambda: False

    def play(self) -> None:
        """Play all groups that are missing and write them; on any exception what is whole is written too.

        Raises
        ------
        BotFault
            If a bot failed and faults stop the run: the first in the order of matches.
        KeyboardInterrupt
        """
        with _Interrupt() as interrupt:
            self._stopping = lambda: interrupt.asked or self._fault is not None
            try:
                for block in self._played():
                    self._blocks.append(block)
                    self._next += self._groups_of(len(block.hands))
                    self.on_progress(len(block.hands))
                    waiting = self.schedule.first_match(self._next) - self.schedule.first_match(self._first)
                    if waiting >= PART_MATCHES or time.monotonic() - self._since > PART_SECONDS:
                        self._write(whole_parts=True)
            finally:
                if not interrupt.impatient:
                    self._write()
        if self._fault is not None:
            raise self._fault
        if interrupt.asked:
            raise KeyboardInterrupt

    def _groups_of(self, matches: int) -> int:
        """Count the groups in the next so many matches."""
        end = self.schedule.first_match(self._next) + matches
        if end == self.schedule.total_matches:
            return self.schedule.total_groups - self._next
        return self.schedule.group_of_match(end) - self._next

    def _unit(self) -> int:
        """Say how many matches a unit should have, by the speed seen so far."""
        return max(1, min(UNIT_MATCHES, int(UNIT_SECONDS / self._seconds_a_match)))

    def _cut(self, start: int, matches: int) -> int:
        """Give the group to stop at so that about so many matches are played from `start`."""
        end = self.schedule.first_match(start) + matches
        if end >= self.schedule.total_matches:
            return self.schedule.total_groups
        return max(start + 1, self.schedule.group_of_match(end))

    def _played(self) -> Iterator[Block]:
        """Give blocks in order: some alone, to learn how long a match takes, the rest on workers."""
        position, total = self._next, self.schedule.total_groups
        matches, known = 1, False
        while position < total and not self._stopping():
            left = self.schedule.total_matches - self.schedule.first_match(position)
            if self.jobs > 1 and known and left * self._seconds_a_match > ALONE_SECONDS:
                yield from self._shared(position)
                return
            stop = self._cut(position, min(matches, self._unit()))
            seconds, block = play_groups(self._text, position, stop, os.getpid())
            if isinstance(block, BotFault):
                self._fault = block
                return
            if matches > 1 or seconds > 1:  # the first call also loads compiled code
                self._seconds_a_match = seconds / len(block.hands)
                known = matches >= 64 or seconds > 0.1
            yield block
            position = stop
            matches *= 16

    def _shared(self, position: int) -> Iterator[Block]:
        """Play the rest on worker processes, a window of units at a time.

        To stop, no further units are handed out and the few that are under way are waited for.
        """
        import joblib
        from joblib.externals.loky.process_executor import TerminatedWorkerError

        total = self.schedule.total_groups
        parallel = None
        # only loky's workers are children of this process
        parent = os.getpid() if self.backend == "loky" else 0
        with ExitStack() as stack:
            while position < total and not self._stopping():
                units: list[tuple[int, int]] = []
                number = max(2 * self.jobs, int(WINDOW_SECONDS / UNIT_SECONDS))
                if self.backend in LISTING:  # nothing is heard of a window before its end
                    number = 4 * self.jobs
                while position < total and len(units) < number:
                    stop = self._cut(position, self._unit())
                    units.append((position, stop))
                    position = stop
                wanted = itertools.takewhile(lambda _: not self._stopping(), units)
                try:
                    with _deaf():  # workers begin here
                        parallel = parallel or self._workers(stack)
                        results = parallel(
                            joblib.delayed(play_groups)(self._text, *unit, parent) for unit in wanted
                        )
                    for seconds, block in results:
                        if isinstance(block, BotFault):
                            self._fault = self._fault or block
                        elif self._fault is None:
                            self._learn(seconds, len(block.hands))
                            yield block
                except TerminatedWorkerError as error:
                    text = "a worker process died: a bot ended it, or the machine ran out of memory"
                    raise WorkError(
                        f"{text} (matches from {self.schedule.first_match(self._next):,} on)"
                    ) from error

    def _workers(self, stack: ExitStack) -> Any:
        """Begin the workers; they end with the stack."""
        import joblib

        stack.enter_context(cluster(self.backend, self.jobs))
        parallel = joblib.Parallel(
            n_jobs=self.jobs,
            return_as="list" if self.backend in LISTING else "generator",
            batch_size=1,
            pre_dispatch=f"{UNITS_AHEAD} * n_jobs",
        )
        return stack.enter_context(parallel)

    def _learn(self, seconds: float, matches: int) -> None:
        """Take the time of a unit into account for the size of the next ones."""
        self._seconds_a_match = 0.5 * self._seconds_a_match + 0.5 * seconds / max(1, matches)

    def _write(self, whole_parts: bool = False) -> None:
        """Write what waits as a part.

        Parts of a fast run all end at the same places, however its units were cut: at multiples of
        `PART_MATCHES`, so that two runs leave the same files.
        """
        if not self._blocks:
            return
        stop = self._next
        if whole_parts:
            end = self.schedule.first_match(self._next) // PART_MATCHES * PART_MATCHES
            boundary = self.schedule.group_of_match(end) if end else 0
            if boundary > self._first:
                stop = boundary
        matches = self.schedule.matches(self._first, stop)
        fields = _joined(self._blocks)
        taken = len(matches.match)
        hands = int(fields["hands"][:taken].sum(dtype=np.int64))
        batch = _batch(matches, fields, taken, hands)
        self.folder.write_part(batch)
        self.on_part(batch)
        self._blocks = _rest(fields, taken, hands)
        self._first = stop
        self._since = time.monotonic()


@contextmanager
def _deaf() -> Iterator[None]:
    """Ignore Ctrl-C and SIGTERM for the moment in which workers begin: they inherit that, as they should.

    A terminal sends Ctrl-C to all of a run's processes; what to do about it is the parent's business.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {number: signal.signal(number, signal.SIG_IGN) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


class _Interrupt:
    """Holds Ctrl-C (or SIGTERM) back until blocks are taken in, so that none is written twice or by half.

    A second Ctrl-C does not wait (`impatient`): what is not yet written is then left to `presi resume`.
    """

    def __init__(self) -> None:
        self.asked = self.impatient = False
        self._before: dict[signal.Signals, Any] = {}

    def __enter__(self) -> _Interrupt:
        if threading.current_thread() is threading.main_thread():
            for number in (signal.SIGINT, signal.SIGTERM):
                self._before[number] = signal.signal(number, self._note)
        return self

    def __exit__(self, *_: object) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)

    def _note(self, number: int, frame: Any) -> None:
        if self.asked:
            self.impatient = True
            # what joblib's threads say of being torn down is of no use to anybody
            threading.excepthook = lambda _: None
            warnings.simplefilter("ignore")
            raise KeyboardInterrupt
        self.asked = True


_BY_MATCH = ("hands", "winner", "totals", "standings", "faults")
_BY_HAND = ("leader", "turns", "puestos", "points")


def _joined(blocks: list[Block]) -> dict[str, np.ndarray]:
    return {
        name: np.concatenate([getattr(block, name) for block in blocks]) for name in (*_BY_MATCH, *_BY_HAND)
    }


def _rest(fields: dict[str, np.ndarray], matches: int, hands: int) -> list[Block]:
    """Keep the rows after those that were written."""
    from .arena import Block

    if len(fields["hands"]) == matches:
        return []
    by_match = {name: fields[name][matches:].copy() for name in _BY_MATCH}
    return [Block(**by_match, **{name: fields[name][hands:].copy() for name in _BY_HAND})]


def _batch(matches: Any, fields: dict[str, np.ndarray], taken: int, hands: int) -> Batch:
    from .store import Batch

    row = np.repeat(np.arange(taken), fields["hands"][:taken])
    starts = np.cumsum(fields["hands"][:taken], dtype=np.int64) - fields["hands"][:taken]
    return Batch(
        match=matches.match,
        code=matches.code,
        group=matches.group,
        lineup=matches.lineup,
        bots=matches.bots,
        hands=fields["hands"][:taken],
        winner=fields["winner"][:taken],
        totals=fields["totals"][:taken],
        standings=fields["standings"][:taken],
        faults=fields["faults"][:taken],
        hand_row=row,
        hand_match=matches.match[row],
        hand=(np.arange(hands) - starts[row] + 1).astype(np.int16),
        leader=fields["leader"][:hands],
        turns=fields["turns"][:hands],
        puestos=fields["puestos"][:hands],
        points=fields["points"][:hands],
    )
