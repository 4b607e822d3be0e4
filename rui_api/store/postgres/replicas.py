"""Reads from replicas, which may lag behind the primary server or be away."""

from __future__ import annotations

import asyncio

from rui_api.store.base import ReadResult, StorageUnavailable
from rui_api.store.outage_log import OutageLog
from rui_api.store.postgres.connection import Sessions, read
from rui_api.store.postgres.hung import HungSessions
from rui_api.store.postgres.options import PostgresOptions
from rui_api.store.postgres.pool import SessionPool
from rui_api.store.stats import OperationStats

ANSWER_TIMEOUT = 0.5
"""Seconds after which the primary is read."""
RETRY_INTERVAL = 1.0
"""Seconds between two attempts to use replicas that are away."""
NO_ID = "00000000-0000-0000-0000-000000000000"


class Replicas:
    """The servers that `PostgresOptions.read_url` names.

    Args:
        options: how PostgreSQL is used.
        max_waiting: maximum number of waiting requests.
    """

    def __init__(self, options: PostgresOptions, max_waiting: int) -> None:
        outages = OutageLog("replicas")
        sessions = Sessions(options.read_url, options.readers, is_pooled=not options.is_prepared, is_replica=True)
        self._hung = HungSessions(sessions, outages, self._make_room)
        self._pool: SessionPool[str, ReadResult | StorageUnavailable] = SessionPool(
            sessions, self._hung, options.readers, read, outages, "read", max_waiting
        )
        self._is_away = False
        self._next_trial = 0.0
        self._trial: asyncio.Task[None] | None = None

    @property
    def stats(self) -> OperationStats:
        """Counters of the requests that were sent to replicas."""
        return self._pool.queue.stats

    async def find(self, spec_id: str) -> ReadResult:
        """Return what a replica has, or None if it does not have the spec, has a corrupt one, or is away."""
        if self._is_away:
            self._try_again()
            return None
        try:
            async with asyncio.timeout(ANSWER_TIMEOUT):
                result = await self._pool.queue.submit(spec_id)
        except (StorageUnavailable, TimeoutError):
            self._is_away = True
            return None
        return None if isinstance(result, StorageUnavailable) else result

    async def close(self) -> None:
        if self._trial is not None:
            self._trial.cancel()
            await asyncio.gather(self._trial, return_exceptions=True)
        await self._pool.stop()
        await self._hung.stop()

    def _make_room(self) -> bool:
        return self._pool.release_idle()

    def _try_again(self) -> None:
        now = asyncio.get_running_loop().time()
        if now >= self._next_trial and (self._trial is None or self._trial.done()):
            self._next_trial = now + RETRY_INTERVAL
            self._trial = asyncio.create_task(self._read_any())

    async def _read_any(self) -> None:
        try:
            await self._pool.queue.submit(NO_ID)
        except StorageUnavailable:
            return
        self._is_away = False
