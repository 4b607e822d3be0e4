"""A thread for work that would hold up the event loop, and with it every other request."""

import asyncio
import gc
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from rui_api.contract.errors import OVERLOADED
from rui_api.http.errors import ServiceError

Result = TypeVar("Result")

MAX_WAITING = 32  # Maximum number of calls that run or wait. The slowest take 0.1 s each.
LARGE = 16 << 10  # bytes of a document from which work on it takes more than a few milliseconds


class WorkThread:
    """One thread with a bounded queue."""

    def __init__(self) -> None:
        self._executor = ThreadPoolExecutor(1, "rui-work")
        self._waiting = 0

    async def run_if_large(self, work: Callable[[], Result], size: int) -> Result:
        """Return `work()`, from the thread if a document has many bytes. Raises `ServiceError` if its queue is full."""
        if size < LARGE:
            return work()
        if self._waiting >= MAX_WAITING:
            raise ServiceError(OVERLOADED)
        self._waiting += 1
        # The nodes of a document refer to each other, and hold its texts. Without this, a hundred documents with few
        # objects, but 256 KB each, are in memory until the next collection.
        gc.collect(1)
        try:
            return await asyncio.get_running_loop().run_in_executor(self._executor, work)
        finally:
            self._waiting -= 1

    def close(self) -> None:
        """Drop what waits."""
        self._executor.shutdown(wait=False, cancel_futures=True)
