"""What waits for a store: so much at most, and so long at most.

A store that hangs must not make the service hang, nor grow. So what waits is counted, in requests and in bytes, and
beyond that everything is refused at once. Who waited too long is told so; what it asked for is dropped if it has not
begun yet. Its place in the line is free again only when the store has come to it: what was dropped is a little memory,
too.

A store that is only slow, on a busy machine, is not down: as long as it gets something done, those behind that wait.
"""

from __future__ import annotations

import asyncio
import logging
import threading
from dataclasses import dataclass
from functools import partial
from time import perf_counter
from typing import TYPE_CHECKING, Generic, TypeVar

from rui_api.store.base import StorageUnavailable
from rui_api.store.stats import OperationStats

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import TypeAlias

    from rui_api.store.outage_log import Trouble

log = logging.getLogger("rui_api.store")

PATIENCE = 1.5
"""Seconds in which a store has to get something done, or who waits is told: a client hears of it within two."""
LONGEST = 5.0
"""Seconds until a request is given up, whatever gets done meanwhile: more waits than the store can do."""
WATCH_INTERVAL = 0.1
"""Seconds between two looks for requests that waited too long; a timer for each would cost as much as storing."""
STALL = 3 * WATCH_INTERVAL
"""Seconds that may pass between two looks; if it was more, this process was kept from running, and the store, too."""
MAX_WAITING = 2_000
MAX_WAITING_BYTES = 32 << 20

Item = TypeVar("Item")
Result = TypeVar("Result")

if TYPE_CHECKING:
    Then: TypeAlias = Callable[[Result | None, Exception | None], None]
    """Hears what came of a request: its result, or a fault. It must not raise."""


@dataclass(slots=True, eq=False)
class Job(Generic[Item, Result]):
    """A request that waits.

    Attributes:
        item: what is asked for; None once nobody wants it any more.
        size: the bytes that it holds.
        loop: the event loop in which somebody waits.
        then: is told there what came of it; None once nobody waits.
        stats: where it counts once it is over.
        begun: when that was.
        since: when that was, by the clock of those who look for who waits too long.
    """

    item: Item | None
    size: int
    loop: asyncio.AbstractEventLoop
    then: Then[Result] | None
    stats: OperationStats
    begun: float
    since: float = 0.0


class Overdue(StorageUnavailable):
    """The store did not answer in time."""


class _Watch(Generic[Item, Result]):
    """Gives up what waits too long, in one event loop.

    It has a clock of its own: time in which this process was kept from running does not count, for the store was, too.

    Args:
        line: where they wait.
        loop: the event loop.
    """

    def __init__(self, line: Line[Item, Result], loop: asyncio.AbstractEventLoop) -> None:
        self._line = line
        self._loop = loop
        self._begun: dict[Job[Item, Result], None] = {}  # the oldest is the first
        self._timer: asyncio.TimerHandle | None = None
        self._looked = self._now = self._moved = 0.0
        self._progress = line.progress

    def begin(self, job: Job[Item, Result]) -> None:
        """It waits from now on."""
        job.since = self._now
        self._begun[job] = None
        if self._timer is None:
            self._looked = perf_counter()
            self._timer = self._loop.call_later(WATCH_INTERVAL, self._look)

    def end(self, job: Job[Item, Result]) -> None:
        """It waits no more."""
        del self._begun[job]

    def _look(self) -> None:
        looked, self._looked = self._looked, perf_counter()
        self._now += min(self._looked - looked, STALL)
        if self._progress != self._line.progress:
            self._progress, self._moved = self._line.progress, self._now
        most = PATIENCE if self._now - self._moved >= PATIENCE else LONGEST
        for job in list(self._begun):
            waited = self._now - job.since
            if waited < most:
                break
            self._line.give_up(job, f"no answer within {waited:.1f} s")
        self._timer = self._loop.call_later(WATCH_INTERVAL, self._look) if self._begun else None


class Line(Generic[Item, Result]):
    """The line of waiting requests, seen from its end.

    Args:
        send: takes a job to where it is handled. Whoever handles it says so with `handled`, and then `settle`.
        trouble: is told when somebody waited in vain.
        kind: what the requests are called there.
        most: so many wait at most.

    Attributes:
        stats: the numbers of this line, and of what is asked in it.
        progress: so often the store did what was asked of it.
    """

    def __init__(
        self, send: Callable[[Job[Item, Result]], None], trouble: Trouble, kind: str, most: int = MAX_WAITING
    ) -> None:
        self.stats = OperationStats()
        self.progress = 0
        self._send = send
        self._trouble = trouble
        self._kind = kind
        self._most = most
        self._lock = threading.Lock()
        self._watches: dict[asyncio.AbstractEventLoop, _Watch[Item, Result]] = {}

    def begin(
        self, item: Item, size: int, then: Then[Result], stats: OperationStats | None = None
    ) -> Job[Item, Result]:
        """Ask for what comes of `item`, which holds `size` bytes; `then` is told, later, in this event loop.

        Args:
            item: what is asked for.
            size: its bytes.
            then: is told.
            stats: where it counts once it is over, if not with all the others.

        Raises:
            StorageUnavailable: too much waits already. `then` is not told.
        """
        line, stats = self.stats, stats or self.stats
        with self._lock:
            if line.waiting >= self._most or line.waiting_bytes + size > MAX_WAITING_BYTES:
                stats.refused += 1
                stats.failed += 1
                raise self._trouble.overload(line.waiting)
            line.waiting += 1
            line.waiting_bytes += size
        loop = asyncio.get_running_loop()
        watch = self._watches.get(loop)
        if watch is None:
            watch = self._watches[loop] = _Watch(self, loop)
        job: Job[Item, Result] = Job(item, size, loop, then, stats, perf_counter())
        self._send(job)
        watch.begin(job)
        return job

    async def submit(self, item: Item, size: int = 0, stats: OperationStats | None = None) -> Result:
        """What comes of `item`, which holds `size` bytes; see `begin`.

        Raises:
            StorageUnavailable: nothing does, or too late, or too much waits already.
        """
        done: asyncio.Future[Result] = asyncio.get_running_loop().create_future()
        job = self.begin(item, size, partial(_resolve, done), stats)
        try:
            return await done
        finally:
            if job.then is not None:  # whoever asked was cancelled
                self._end(job, failed=True)

    def give_up(self, job: Job[Item, Result], why: str) -> None:
        """Tell whoever waits that it was in vain. To be called in its event loop."""
        fault, then = Overdue(why), job.then
        self._end(job, failed=True)
        self._trouble.report(self._kind, fault)
        _tell(then, None, fault)

    def handled(self, jobs: Sequence[Job[Item, Result]], *, done: bool) -> None:
        """These wait no more. May be called from any thread.

        Args:
            jobs: all that were taken together.
            done: whether the store did what they asked for.
        """
        with self._lock:
            self.progress += done
            self.stats.batches += 1
            self.stats.waiting -= len(jobs)
            self.stats.waiting_bytes -= sum([job.size for job in jobs])

    def settle(self, jobs: Sequence[Job[Item, Result]], results: Sequence[Result], fault: Exception | None) -> None:
        """Tell whoever waits: each its result, or all a fault. To be called in their event loop."""
        for number, job in enumerate(jobs):
            then = job.then
            if then is None:  # nobody waits any more
                continue
            self._end(job, failed=fault is not None)
            _tell(then, results[number] if fault is None else None, fault)

    def _end(self, job: Job[Item, Result], *, failed: bool) -> None:
        job.item = job.then = None
        self._watches[job.loop].end(job)
        stats = job.stats
        if failed:
            stats.failed += 1
        else:
            stats.done += 1
        stats.observe(perf_counter() - job.begun)


def _tell(then: Then[Result] | None, result: Result | None, fault: Exception | None) -> None:
    if then is not None:
        try:
            then(result, fault)
        except Exception:  # the others have to hear of theirs
            log.exception("what came of a request could not be told")


def _resolve(done: asyncio.Future[Result], result: Result | None, fault: Exception | None) -> None:
    if done.done():
        return
    if fault is None:
        done.set_result(result)  # type: ignore[arg-type]  # None only where that is the result
    elif isinstance(fault, StorageUnavailable):
        done.set_exception(type(fault)(str(fault)))  # one for each who raises it
    else:
        done.set_exception(fault)
