"""Connections without an answer: whether to wait on, or to give them up.

A commit that waits for a synchronous standby looks like a server that is gone. In the first case giving up would leave
a process of the server waiting, and the next attempt another one, until it has none left. So a connection is only given
up if a new one shows that another server has taken over, or that the server has nothing to do for the old one.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress

from rui_api.store.base import StorageUnavailable
from rui_api.store.outage_log import OutageLog
from rui_api.store.postgres import statements
from rui_api.store.postgres.connection import Sessions
from rui_api.store.postgres.errors import ERRORS
from rui_api.store.postgres.session import Session

HANG_TIMEOUT = 1.25
"""Seconds after which a connection hangs: more than the server takes for a statement or a lock."""
PROBE_INTERVAL = 0.5


class HungSessions:
    """The sessions that have not answered for `HANG_TIMEOUT`.

    Args:
        sessions: opens the session that asks the server.
        outages: log of failures.
        make_room: closes an idle session, and returns whether there was one. Called if no more may be opened.
    """

    def __init__(self, sessions: Sessions, outages: OutageLog, make_room: Callable[[], bool]) -> None:
        self._sessions = sessions
        self._outages = outages
        self._make_room = make_room
        self._hung: list[Session] = []
        self._task: asyncio.Task[None] | None = None

    @contextmanager
    def watch(self, session: Session) -> Iterator[None]:
        """Drop `session` while the block runs if it hangs and has to be given up."""
        handle = asyncio.get_running_loop().call_later(HANG_TIMEOUT, self._add, session)
        try:
            yield
        finally:
            handle.cancel()
            if session in self._hung:
                self._hung.remove(session)

    async def stop(self) -> None:
        """Ask no more."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    def _add(self, session: Session) -> None:
        self._hung.append(session)
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._run())

    async def _run(self) -> None:
        while self._hung:
            if not self._sessions.is_exhausted or self._make_room():
                with suppress(StorageUnavailable, *ERRORS):
                    await self._ask()
            await asyncio.sleep(PROBE_INTERVAL)

    async def _ask(self) -> None:
        probe = await self._sessions.probe(avoid=self._hung[0].host)
        try:
            elsewhere = [session for session in self._hung if not _is_same_server(session, probe)]
            there = [session for session in self._hung if session not in elsewhere]
            if there and not probe.is_pooled:
                elsewhere += await self._find_forgotten(there, probe)
            for session in elsewhere:
                session.connection.terminate()  # A task that waits for it gets an error and repeats its work.
        finally:
            await self._sessions.close(probe)

    async def _find_forgotten(self, sessions: Sequence[Session], probe: Session) -> list[Session]:
        """Return the sessions that are idle on the server: its answer or the statement was lost."""
        pids = {session.connection.get_server_pid(): session for session in sessions}
        with probe.dropped_after(HANG_TIMEOUT):
            records = await probe.connection.fetch(statements.WAITING, [str(pid) for pid in pids])
        if any(event == "SyncRep" for _, event in records):
            self._outages.explain("PostgreSQL: commits wait for the synchronous standby")
        active = {pid for pid, _ in records}
        return [session for pid, session in pids.items() if pid not in active]


def _is_same_server(old: Session, new: Session) -> bool:
    if old.identity and new.identity:
        return old.identity == new.identity
    return old.host == new.host
