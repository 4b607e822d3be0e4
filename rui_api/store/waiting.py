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
        job: Job[Item, Result] = Job(item, size, loop.create_future(), loop)
        begun = perf_counter()
        self._send(job)
        try:
            async with asyncio.timeout(PATIENCE):
                result = await job.done
        except TimeoutError:
            stats.failed += 1
            fault = StorageUnavailable(f"no answer within {PATIENCE} s")
            self._trouble.report(self._kind, fault)
            raise fault from None
        except BaseException:
            stats.failed += 1
            raise
        finally:
            job.item = None
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
