"""A thread that handles all waiting requests as one batch.

A commit of any size takes the disk some milliseconds. So specs that arrive meanwhile share the next commit, and a
single spec is committed at once. Batches speed up reading, too: waking the event loop costs more than the look-up.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Sequence
from queue import Empty, SimpleQueue
from typing import Generic

from rui_api.store.outage_log import OutageLog
from rui_api.store.queue import Item, PendingRequest, RequestQueue, Result

MAX_BATCH = 128
"""Number of requests that end the collection of a batch, which bounds the latency of the first one."""


class BatchThread(Generic[Item, Result]):
    """The thread and its queue. It starts with the first request.

    Args:
        handle: returns a result per item. If it raises, all requests of the batch fail.
        outages: log of failures.
        operation: name of the operation for the log and the thread.
        max_waiting: maximum number of waiting requests.
    """

    def __init__(
        self,
        handle: Callable[[Sequence[Item]], Sequence[Result]],
        outages: OutageLog,
        operation: str,
        max_waiting: int,
    ) -> None:
        self.queue: RequestQueue[Item, Result] = RequestQueue(self._send, outages, operation, max_waiting)
        self._handle = handle
        self._operation = operation
        self._inbox: SimpleQueue[list[PendingRequest[Item, Result]] | None] = SimpleQueue()
        self._thread: threading.Thread | None = None
        self._unsent: dict[asyncio.AbstractEventLoop, list[PendingRequest[Item, Result]]] = {}

    def flush(self, loop: asyncio.AbstractEventLoop) -> None:
        """Pass the requests of `loop` to the thread. Must be called in that loop."""
        requests = self._unsent.pop(loop, None)
        if requests:
            self._inbox.put(requests)

    def stop(self) -> None:
        """Handle the waiting requests and end the thread. Blocks until then."""
        if self._thread is not None:
            self._inbox.put(None)
            self._thread.join()

    def _send(self, request: PendingRequest[Item, Result]) -> None:
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, name=f"rui-store-{self._operation}", daemon=True)
            self._thread.start()
        # Requests of one iteration of the event loop are passed together, because waking a thread is slow.
        unsent = self._unsent.get(request.loop)
        if unsent is None:
            self._unsent[request.loop] = [request]
            request.loop.call_soon(self.flush, request.loop)
        else:
            unsent.append(request)

    def _run(self) -> None:
        while batch := self._next_batch():
            items = {request: item for request in batch if (item := request.item) is not None}
            results: dict[PendingRequest[Item, Result], Result] = {}
            error = None
            if items:
                try:
                    results = dict(zip(items, self._handle(list(items.values())), strict=True))
                except Exception as caught:  # the callers get it, and the thread goes on
                    error = caught
            self.queue.finish(batch, results, error)

    def _next_batch(self) -> list[PendingRequest[Item, Result]]:
        """Wait for a request and return all that are waiting. An empty list means stop."""
        batch: list[PendingRequest[Item, Result]] = []
        requests = self._inbox.get()
        while requests is not None:
            batch += requests
            if len(batch) >= MAX_BATCH:
                return batch
            try:
                requests = self._inbox.get_nowait()
            except Empty:
                return batch
        if batch:
            self._inbox.put(None)  # stop after this batch
        return batch
