"""Requests that wait for a thread, which handles all of them at once.

A commit of any size takes the disk some milliseconds. So specs that arrive meanwhile share the next commit, and a
single spec is committed at once. Batches speed up reading, too: waking the event loop costs more than the look-up.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Generic, TypeVar

from rui_api.store.availability import RequestQueue, StoreOptions
from rui_api.store.base import StorageUnavailable

MAX_BATCH = 128
"""Number of requests in a batch. Bounds the latency of the first one."""

Item = TypeVar("Item")
Result = TypeVar("Result")


class Batches(Generic[Item, Result]):
    """A thread and the requests that wait for it. For one event loop.

    Args:
        handle: returns a result per item. It runs in the thread; if it raises, all requests of the batch fail.
        operation: for the log, such as ``storing``.
        options: the options of the store.
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
                raise StorageUnavailable(f"no answer within {self._deadline} s") from None
            finally:
                if request in self._requests:  # the thread hangs in an earlier batch
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
                        future.set_exception(_copy(error))
        self._task = None


def _copy(error: Exception) -> Exception:
    """Return an error for one caller: a raised exception keeps its traceback."""
    if isinstance(error, StorageUnavailable):
        return type(error)(str(error))
    return error
