"""A thread that handles whatever waits when it is free, together.

Making a commit durable takes the disk some milliseconds, however much is in it. So specs that arrive meanwhile share
the next commit, and a single one does not wait for company. Reading gains, too: waking the event loop costs more than
the look-up.
"""

from __future__ import annotations

import asyncio
import threading
from contextlib import suppress
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Generic

from rui_api.store.base import StorageUnavailable
from rui_api.store.queue import Item, Job, Line, Result

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from rui_api.store.outage_log import Trouble

MAX_BATCH = 128
"""So many requests are enough to begin with, so that the first of them does not wait for ever."""


class BatchThread(Generic[Item, Result]):
    """The thread; it starts with the first request.

    Args:
        handle: what is done: items → a result for each. When it raises, that is what all of them get.
        trouble: is told how it went.
        kind: what the requests are called there, and in the thread's name.
        most: so many requests wait at most.
    """

    def __init__(
        self, handle: Callable[[Sequence[Item]], Sequence[Result]], trouble: Trouble, kind: str, most: int
    ) -> None:
        self._handle = handle
        self._trouble = trouble
        self._kind = kind
        self._jobs: SimpleQueue[list[Job[Item, Result]] | None] = SimpleQueue()
        self._thread: threading.Thread | None = None
        self._collected: dict[asyncio.AbstractEventLoop, list[Job[Item, Result]]] = {}
        self.line: Line[Item, Result] = Line(self._send, trouble, kind, most)

    def flush(self) -> None:
        """Hand over what was asked for in this event loop; to be called in it before `stop`."""
        self._hand_over(asyncio.get_running_loop())

    def stop(self) -> None:
        """Handle what waits, and end the thread; blocks until then."""
        if self._thread is not None:
            self._jobs.put(None)
            self._thread.join()

    def _send(self, job: Job[Item, Result]) -> None:
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, name=f"rui-store-{self._kind}", daemon=True)
            self._thread.start()
        # What comes in the same turn of the event loop is handed over together: waking a thread takes both long.
        collected = self._collected.get(job.loop)
        if collected is None:
            self._collected[job.loop] = [job]
            job.loop.call_soon(self._hand_over, job.loop)
        else:
            collected.append(job)

    def _hand_over(self, loop: asyncio.AbstractEventLoop) -> None:
        if jobs := self._collected.pop(loop, None):
            self._jobs.put(jobs)

    def _run(self) -> None:
        while batch := self._next_batch():
            wanted = [(job, item) for job in batch if (item := job.item) is not None]
            jobs, results, fault = [job for job, _ in wanted], [], None
            if wanted:
                try:
                    results = list(self._handle([item for _, item in wanted]))
                except Exception as error:  # whoever waits has to hear of it, and the thread goes on
                    fault = error
                if fault is None or isinstance(fault, StorageUnavailable):
                    self._trouble.report(self._kind, fault)
            self.line.handled(batch, done=bool(wanted) and fault is None)
            self._answer(jobs, results, fault)

    def _next_batch(self) -> list[Job[Item, Result]]:
        """All that waits, at least one job; nothing at the end."""
        batch: list[Job[Item, Result]] = []
        jobs = self._jobs.get()
        while jobs is not None:
            batch += jobs
            if len(batch) >= MAX_BATCH:
                return batch
            try:
                jobs = self._jobs.get_nowait()
            except Empty:
                return batch
        if batch:
            self._jobs.put(None)  # the end comes after this batch
        return batch

    def _answer(self, jobs: Sequence[Job[Item, Result]], results: Sequence[Result], fault: Exception | None) -> None:
        """Wake whoever waits, each event loop once."""
        for loop in {job.loop for job in jobs}:
            numbers = [number for number, job in enumerate(jobs) if job.loop is loop]
            there = [results[number] for number in numbers] if fault is None else []
            with suppress(RuntimeError):  # the loop is closed: nobody waits there any more
                loop.call_soon_threadsafe(self.line.settle, [jobs[number] for number in numbers], there, fault)
