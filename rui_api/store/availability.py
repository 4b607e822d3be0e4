"""Requests that wait for the database: a limit of their number and time, a log of outages, and batches for a thread.

A commit of any size takes the disk some milliseconds. So specs that arrive meanwhile share the next commit, and a
single spec is committed at once. Batches speed up reading, too: waking the event loop costs more than the look-up.
"""

import asyncio
import logging
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from time import monotonic
from typing import Generic, NamedTuple, TypeVar

from rui_api.store.base import OutcomeUnknown, StorageUnavailable, StoreFull
from rui_common.vocabulary.rules import MAX_BODY_BYTES

log = logging.getLogger("rui_api.store")
log.addHandler(logging.NullHandler())  # commands, which configure no log, print each error themselves

RESERVED = 2 * MAX_BODY_BYTES  # bytes that stay free, so that a full store refuses all specs and not only large ones
MAX_WAITING_BYTES = 32 << 20  # Bytes of the specs that wait. Bounds memory while the database hangs.
MAX_BATCH = 128  # Number of requests in a batch. Bounds the latency of the first one.
REMINDER_INTERVAL = 60.0  # seconds between two lines about the same reason
QUIET_INTERVAL = 1.0  # Seconds without a failure after which an outage is over. Every second request may fail.

Item = TypeVar("Item")
Result = TypeVar("Result")


class StoreOptions(NamedTuple):
    """How a store works."""

    max_waiting: int = 2_000  # maximum number of waiting requests that write, and of those that read
    max_bytes: int = 0  # maximum size of the file, or of the table with its indexes; 0 means none
    deadline: float = 1.5  # seconds that a request waits. Clients are answered within two seconds.
    create: bool = True  # whether a missing store is created

    def check_room(self, used: int, size: int = 0) -> None:
        """Raise `StoreFull` if a store that uses so many bytes has no room for a number of further ones."""
        if self.max_bytes and used + max(size, RESERVED) > self.max_bytes:
            raise StoreFull(f"the store is full: it uses {used:,} bytes, --store-max-bytes is {self.max_bytes:,}")


class RequestQueue:
    """The requests of one sort that wait for a database, and the log of its outages. A sort is such as ``storing``."""

    def __init__(self, operation: str, limit: int) -> None:
        self._operation = operation
        self._limit = limit
        self._number = 0
        self._bytes = 0
        self._logged_at: dict[str, float] = {}
        self._failed_at = 0.0

    @contextmanager
    def add(self, size: int) -> Iterator[None]:
        """Count a request of `size` bytes in a `with` block, and log its outcome.

        A reason is logged when it is new, and again every minute; then the end of the outage.

        Raises:
            StorageUnavailable: too many requests wait already.
        """
        try:
            if self._number >= self._limit or self._bytes + size > MAX_WAITING_BYTES:
                raise StorageUnavailable("too many requests wait for the store")
            self._number += 1
            self._bytes += size
            try:
                yield
            finally:
                self._number -= 1
                self._bytes -= size
        except StorageUnavailable as error:
            self._note_failure(str(error))
            raise
        if self._logged_at and monotonic() - self._failed_at >= QUIET_INTERVAL:
            self._logged_at.clear()
            log.warning("store answers again: %s", self._operation)

    def _note_failure(self, reason: str) -> None:
        now = self._failed_at = monotonic()
        if now - self._logged_at.get(reason, -REMINDER_INTERVAL) >= REMINDER_INTERVAL:
            self._logged_at[reason] = now
            log.error("store unavailable: %s: %s", self._operation, reason)


class Batches(Generic[Item, Result]):
    """A thread and the requests that wait for it, for one event loop.

    `handle` returns a result per item. It runs in the thread; if it raises, all requests of the batch fail.
    """

    def __init__(
        self, handle: Callable[[Sequence[Item]], Sequence[Result]], operation: str, options: StoreOptions
    ) -> None:
        self._handle = handle
        self._queue = RequestQueue(operation, options.max_waiting)
        self._deadline = options.deadline
        self._requests: deque[tuple[Item, asyncio.Future[Result]]] = deque()
        self._thread = ThreadPoolExecutor(1, thread_name_prefix=f"rui-{operation}")
        self._task: asyncio.Task[None] | None = None

    async def submit(self, item: Item, size: int = 0) -> Result:
        """Return the result for `item`, which has `size` bytes.

        Raises:
            StorageUnavailable: too many requests wait, or the store failed or did not answer in time.
        """
        with self._queue.add(size):
            future: asyncio.Future[Result] = asyncio.get_running_loop().create_future()
            request = item, future
            self._requests.append(request)
            if self._task is None:
                self._task = asyncio.create_task(self._run())
            try:
                async with asyncio.timeout(self._deadline):
                    return await future
            except TimeoutError:
                is_waiting = request in self._requests  # the thread hangs in an earlier batch
                kind = StorageUnavailable if is_waiting else OutcomeUnknown
                raise kind(f"no answer within {self._deadline} s") from None
            finally:
                if request in self._requests:
                    self._requests.remove(request)

    async def close(self) -> None:
        """Handle the waiting requests and end the thread."""
        if self._task is not None:
            await asyncio.wait([self._task], timeout=self._deadline)
        self._thread.shutdown(wait=False)

    async def _run(self) -> None:
        loop = asyncio.get_running_loop()
        while self._requests:
            batch = [self._requests.popleft() for _ in range(min(len(self._requests), MAX_BATCH))]
            try:
                results = await loop.run_in_executor(self._thread, self._handle, [item for item, _ in batch])
                for (_, future), result in zip(batch, results, strict=True):
                    if not future.done():
                        future.set_result(result)
            except Exception as error:
                for _, future in batch:
                    if not future.done():
                        future.set_exception(error)
        self._task = None
