"""What waits for a store: so much at most, and so long at most.

A store that hangs must not make the service hang, nor grow. So what waits is counted, in requests and in bytes, and
beyond that everything is refused at once. Who waited too long is told so; what it asked for is dropped if it has not
begun yet. Its place in the line is free again only when the store has come to it: what was dropped is a little memory,
too.
"""

from __future__ import annotations

import asyncio
import threading
from dataclasses import dataclass
from time import perf_counter
from typing import TYPE_CHECKING, Generic, TypeVar

from rui_api.store.protocol import StorageUnavailable
from rui_api.store.stats import OperationStats

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from rui_api.store.trouble import Trouble

PATIENCE = 1.5
"""Seconds until a request is given up: a client hears of it within two."""
WATCH_INTERVAL = 0.1
"""Seconds between two looks for requests that waited too long; a timer for each would cost as much as storing."""
MAX_WAITING = 2_000
MAX_WAITING_BYTES = 32 << 20

Item = TypeVar("Item")
Result = TypeVar("Result")


@dataclass(slots=True, eq=False)
class Job(Generic[Item, Result]):
    """A request that waits.

    Attributes:
        item: what is asked for; None once nobody wants it any more.
        size: the bytes that it holds.
        done: who waits.
        loop: where.
    """

    item: Item | None
    size: int
    done: asyncio.Future[Result]
    loop: asyncio.AbstractEventLoop


class Overdue(StorageUnavailable):
    """The store did not answer in time."""


class _Watch(Generic[Item, Result]):
    """Gives up what waits too long, in one event loop."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._begun: dict[Job[Item, Result], float] = {}  # the oldest is the first
        self._timer: asyncio.TimerHandle | None = None

    def begin(self, job: Job[Item, Result], now: float) -> None:
        """It waits from now on."""
        self._begun[job] = now
        if self._timer is None:
            self._timer = self._loop.call_later(WATCH_INTERVAL, self._look)

    def end(self, job: Job[Item, Result]) -> None:
        """It waits no more."""
        del self._begun[job]

    def _look(self) -> None:
        overdue = perf_counter() - PATIENCE
        for job, begun in self._begun.items():
            if begun > overdue:
                break
            if not job.done.done():
                job.done.set_exception(Overdue(f"no answer within {PATIENCE} s"))
        self._timer = self._loop.call_later(WATCH_INTERVAL, self._look) if self._begun else None


class Line(Generic[Item, Result]):
    """The line of waiting requests, seen from its end.

    Args:
        send: takes a job to where it is handled. Whoever handles it says so with `handled`.
        trouble: is told when somebody waited in vain.
        kind: what the requests are called there.
        most: so many wait at most.
    """

    def __init__(
        self, send: Callable[[Job[Item, Result]], None], trouble: Trouble, kind: str, most: int = MAX_WAITING
    ) -> None:
        self.stats = OperationStats()
        self._send = send
        self._trouble = trouble
        self._kind = kind
        self._most = most
        self._lock = threading.Lock()
        self._watches: dict[asyncio.AbstractEventLoop, _Watch[Item, Result]] = {}

    async def submit(self, item: Item, size: int = 0) -> Result:
        """What comes of `item`, which holds `size` bytes.

        Raises:
            StorageUnavailable: nothing does, or too late, or too much waits already.
        """
        stats = self.stats
        with self._lock:
            if stats.waiting >= self._most or stats.waiting_bytes + size > MAX_WAITING_BYTES:
                stats.refused += 1
                stats.failed += 1
                raise self._trouble.overload(stats.waiting)
            stats.waiting += 1
            stats.waiting_bytes += size
        loop = asyncio.get_running_loop()
        watch = self._watches.get(loop)
        if watch is None:
            watch = self._watches[loop] = _Watch(loop)
        job: Job[Item, Result] = Job(item, size, loop.create_future(), loop)
        begun = perf_counter()
        self._send(job)
        watch.begin(job, begun)
        try:
            result = await job.done
        except Overdue as fault:
            stats.failed += 1
            self._trouble.report(self._kind, fault)
            raise
        except BaseException:
            stats.failed += 1
            raise
        finally:
            job.item = None
            watch.end(job)
            stats.observe(perf_counter() - begun)
        stats.done += 1
        return result

    def handled(self, jobs: Sequence[Job[Item, Result]]) -> None:
        """These wait no more. May be called from any thread."""
        with self._lock:
            self.stats.batches += 1
            self.stats.waiting -= len(jobs)
            self.stats.waiting_bytes -= sum(job.size for job in jobs)


def settle(jobs: Sequence[Job[Item, Result]], results: Sequence[Result], fault: Exception | None) -> None:
    """Wake whoever waits, each with its result, or all with a fault. To be called in their event loop."""
    for number, job in enumerate(jobs):
        if job.done.done():  # nobody waits any more
            continue
        if fault is None:
            job.done.set_result(results[number])
        elif isinstance(fault, StorageUnavailable):
            job.done.set_exception(type(fault)(str(fault)))
        else:
            job.done.set_exception(fault)
