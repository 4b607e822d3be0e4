"""Bounded queue of the requests to a store, with timeouts.

A store that hangs must neither block nor grow the service. The queue is limited by requests and by bytes; it refuses
further requests at once. A request that waits too long fails with `StoreTimeout`, and the worker skips it unless it has
begun already. Its slot becomes free when the worker reaches it, because even a skipped request uses memory.

A slow store on a busy machine is not down: while it makes progress, requests wait up to `MAX_WAIT` seconds.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from time import perf_counter
from typing import Generic, TypeVar

from rui_api.store.base import StorageUnavailable
from rui_api.store.outage_log import OutageLog
from rui_api.store.stats import OperationStats

STALL_TIMEOUT = 1.5
"""Seconds that a request waits if the store finishes nothing in this time. Clients are answered within two seconds."""
MAX_WAIT = 5.0
"""Seconds that a request waits if the store makes progress."""
CHECK_INTERVAL = 0.1
"""Seconds between two checks for timeouts. A timer per request would cost as much as storing."""
MAX_PAUSE = 3 * CHECK_INTERVAL
"""Seconds that count at most between two checks. A longer pause means that this process, and its store, did not run."""
MAX_WAITING = 2_000
MAX_WAITING_BYTES = 32 << 20

Item = TypeVar("Item")
Result = TypeVar("Result")


class StoreTimeout(StorageUnavailable):
    """The store did not answer in time."""


@dataclass(slots=True, eq=False)
class PendingRequest(Generic[Item, Result]):
    """A request in the queue.

    Attributes:
        item: the argument of the request, or None if its caller has given up.
        size: the bytes that `item` holds.
        future: the outcome.
        loop: the event loop of the caller.
        queued_at: time by the clock of `_TimeoutWatch`.
    """

    item: Item | None
    size: int
    future: asyncio.Future[Result]
    loop: asyncio.AbstractEventLoop
    queued_at: float = 0.0


class _TimeoutWatch(Generic[Item, Result]):
    """Fails the requests of one event loop that wait too long.

    Its clock leaves out the time in which the process did not run, since the store did not run either.
    """

    def __init__(self, queue: RequestQueue[Item, Result], loop: asyncio.AbstractEventLoop) -> None:
        self._queue = queue
        self._loop = loop
        self._requests: dict[PendingRequest[Item, Result], None] = {}  # oldest first
        self._is_running = False
        self._last_check = 0.0
        self._now = 0.0
        self._progress = queue.progress
        self._last_progress = 0.0

    def add(self, request: PendingRequest[Item, Result]) -> None:
        request.queued_at = self._now
        self._requests[request] = None
        if not self._is_running:
            self._is_running = True
            self._last_check = perf_counter()
            self._loop.call_later(CHECK_INTERVAL, self._check)

    def remove(self, request: PendingRequest[Item, Result]) -> None:
        del self._requests[request]

    def _check(self) -> None:
        now = perf_counter()
        self._now += min(now - self._last_check, MAX_PAUSE)
        self._last_check = now
        if self._progress != self._queue.progress:
            self._progress = self._queue.progress
            self._last_progress = self._now
        is_stalled = self._now - self._last_progress >= STALL_TIMEOUT
        limit = STALL_TIMEOUT if is_stalled else MAX_WAIT
        for request in self._requests:
            if self._now - request.queued_at < limit:
                break
            self._queue.time_out(request, limit)
        self._is_running = bool(self._requests)
        if self._is_running:
            self._loop.call_later(CHECK_INTERVAL, self._check)


class RequestQueue(Generic[Item, Result]):
    """The requests of one operation, from the caller's side.

    Args:
        send: passes a request to the worker, which calls `finish` for it. Called in the caller's event loop.
        outages: log of failures.
        operation: name of the operation for `outages`.
        max_waiting: maximum number of waiting requests.

    Attributes:
        stats: counters of the operation.
        progress: number of batches that the store has handled without an error.
    """

    def __init__(
        self,
        send: Callable[[PendingRequest[Item, Result]], None],
        outages: OutageLog,
        operation: str,
        max_waiting: int = MAX_WAITING,
    ) -> None:
        self.stats = OperationStats()
        self.progress = 0
        self._send = send
        self._outages = outages
        self._operation = operation
        self._max_waiting = max_waiting
        self._lock = threading.Lock()
        self._watches: dict[asyncio.AbstractEventLoop, _TimeoutWatch[Item, Result]] = {}

    async def submit(self, item: Item, size: int = 0, stats: OperationStats | None = None) -> Result:
        """Send `item`, which holds `size` bytes, to the store and return its result.

        Args:
            item: the argument.
            size: its size in bytes.
            stats: counters of the outcome, if not those of the queue.

        Raises:
            StorageUnavailable: the queue is full, or the store failed or did not answer in time.
        """
        stats = stats or self.stats
        self._reserve(size, stats)
        loop = asyncio.get_running_loop()
        watch = self._watches.get(loop)
        if watch is None:
            watch = self._watches[loop] = _TimeoutWatch(self, loop)
        request: PendingRequest[Item, Result] = PendingRequest(item, size, loop.create_future(), loop)
        started = perf_counter()
        self._send(request)
        watch.add(request)
        try:
            result = await request.future
        except BaseException:
            stats.failed += 1
            raise
        else:
            stats.done += 1
            return result
        finally:
            request.item = None
            watch.remove(request)
            stats.seconds.observe(perf_counter() - started)

    def time_out(self, request: PendingRequest[Item, Result], limit: float) -> None:
        """Fail a request that has waited for `limit` seconds. Must be called in its event loop."""
        if not request.future.done():
            error = StoreTimeout(f"no answer within {limit:.1f} s")
            self._outages.report(self._operation, error)
            request.future.set_exception(error)

    def finish(
        self,
        batch: Sequence[PendingRequest[Item, Result]],
        results: Mapping[PendingRequest[Item, Result], Result],
        error: Exception | None,
    ) -> None:
        """Resolve the requests of a batch. Thread-safe.

        Args:
            batch: all requests that left the queue, including those whose callers have given up.
            results: results by request; empty if `error` is set.
            error: the error of the whole batch, or None.
        """
        if isinstance(error, StorageUnavailable):
            self._outages.report(self._operation, error)
        elif results:
            self._outages.report(self._operation, None)
        self.count_batch(batch, is_progress=bool(results))
        for loop in {request.loop for request in batch}:
            own = [request for request in batch if request.loop is loop]
            try:
                loop.call_soon_threadsafe(_resolve, own, results, error)
            except RuntimeError:  # the loop is closed, and its callers are gone
                continue

    def count_batch(self, batch: Sequence[PendingRequest[Item, Result]], *, is_progress: bool) -> None:
        """Free the slots of a batch. Thread-safe."""
        with self._lock:
            if is_progress:
                self.progress += 1
            self.stats.batches += 1
            self.stats.waiting -= len(batch)
            self.stats.waiting_bytes -= sum([request.size for request in batch])

    def _reserve(self, size: int, stats: OperationStats) -> None:
        with self._lock:
            waiting = self.stats.waiting
            if waiting >= self._max_waiting or self.stats.waiting_bytes + size > MAX_WAITING_BYTES:
                stats.refused += 1
                stats.failed += 1
                raise self._outages.overload(waiting)
            self.stats.waiting += 1
            self.stats.waiting_bytes += size


def _resolve(
    requests: Sequence[PendingRequest[Item, Result]],
    results: Mapping[PendingRequest[Item, Result], Result],
    error: Exception | None,
) -> None:
    for request in requests:
        if request.future.done():
            continue
        if request in results:
            request.future.set_result(results[request])
        elif isinstance(error, StorageUnavailable):
            # Each caller raises an instance of its own: a raised exception keeps its traceback.
            request.future.set_exception(type(error)(str(error)))
        elif error is not None:
            request.future.set_exception(error)
