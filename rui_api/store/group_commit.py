"""One thread that writes: whatever waits when it is free is stored in one transaction.

Making a commit durable takes the disk some milliseconds, however much is in it. So specs that arrive meanwhile share
the next commit, and a single one does not wait for company.
"""

from __future__ import annotations

import asyncio
import threading
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING

from rui_api.store.protocol import StorageUnavailable

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from rui_api.store.database import Connection
    from rui_api.store.protocol import StoredSpec

MAX_BATCH = 256
"""Specs in one transaction, so that the first of them does not wait for ever."""


@dataclass(frozen=True, slots=True)
class Job:
    """A spec to store, or None to ask whether one could be, and who waits for it."""

    spec: StoredSpec | None
    done: asyncio.Future[None]
    loop: asyncio.AbstractEventLoop


class GroupCommit:
    """The writer thread; it starts with the first job.

    Args:
        connect: opens a connection, or raises `StorageUnavailable`; called by the thread, again after every failure.
        report: told of every batch how it went: None, or what was wrong.
    """

    def __init__(self, connect: Callable[[], Connection], report: Callable[[StorageUnavailable | None], None]) -> None:
        self._connect = connect
        self._report = report
        self._jobs: SimpleQueue[Job | None] = SimpleQueue()
        self._thread: threading.Thread | None = None
        self._connection: Connection | None = None

    async def submit(self, spec: StoredSpec | None) -> None:
        """Return when `spec` is durably stored; of None, when one could be.

        Raises:
            StorageUnavailable: it is not stored.
        """
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, name="rui-store-writer", daemon=True)
            self._thread.start()
        loop = asyncio.get_running_loop()
        job = Job(spec, loop.create_future(), loop)
        self._jobs.put(job)
        await job.done

    def stop(self) -> None:
        """Store what waits, and end the thread; blocks until then."""
        if self._thread is not None:
            self._jobs.put(None)
            self._thread.join()

    def _run(self) -> None:
        while batch := self._next_batch():
            try:
                self._store([job.spec for job in batch if job.spec is not None])
                fault: Exception | None = None
            except Exception as error:  # whoever waits has to hear of it, and the thread goes on
                fault = error
                self._disconnect()
            if fault is None or isinstance(fault, StorageUnavailable):
                self._report(fault)
            _answer(batch, fault)
        self._disconnect()

    def _next_batch(self) -> list[Job]:
        """All that waits, at least one job; nothing at the end."""
        batch: list[Job] = []
        job = self._jobs.get()
        while job is not None:
            batch.append(job)
            if len(batch) == MAX_BATCH:
                return batch
            try:
                job = self._jobs.get_nowait()
            except Empty:
                return batch
        if batch:
            self._jobs.put(None)  # the end comes after this batch
        return batch

    def _store(self, specs: Sequence[StoredSpec]) -> None:
        if self._connection is None:
            self._connection = self._connect()
        self._connection.insert(specs)

    def _disconnect(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None


def _answer(batch: Sequence[Job], fault: Exception | None) -> None:
    """Wake whoever waits, each event loop once."""
    for loop in {job.loop for job in batch}:
        jobs = [job for job in batch if job.loop is loop]
        if not loop.is_closed():
            loop.call_soon_threadsafe(_settle, jobs, fault)


def _settle(jobs: Sequence[Job], fault: Exception | None) -> None:
    for job in jobs:
        if job.done.done():  # nobody waits any more
            continue
        if fault is None:
            job.done.set_result(None)
        elif isinstance(fault, StorageUnavailable):
            job.done.set_exception(StorageUnavailable(str(fault)))
        else:
            job.done.set_exception(fault)
