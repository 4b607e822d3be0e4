"""One connection to PostgreSQL, with limits on the server's side.

No statement is cancelled from this side. A cancelled wait for a synchronous standby is a local commit: the statement
then succeeds without the standby. Instead the server ends statements and waits for locks, which it does not do to a
commit, and a connection without an answer is only dropped if nothing can be acknowledged through it any more.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress

import asyncpg

from rui_api.store.postgres import statements
from rui_api.store.postgres.errors import ERRORS
from rui_api.store.postgres.hosts import Host


class Session:
    """A connection and its server.

    Args:
        connection: the connection.
        host: the server in the URL.
        timeout: seconds for a statement and for a lock.
        is_pooled: whether a pooler may give each transaction another connection to the server, so that settings are
            made in each transaction and no statement is prepared.

    Attributes:
        identity: differs after a restart, and between the servers that a proxy connects to.
    """

    def __init__(self, connection: asyncpg.Connection, host: Host, timeout: float, *, is_pooled: bool) -> None:
        self.connection = connection
        self.host = host
        self.identity = ""
        self.is_pooled = is_pooled
        self._limits = statements.limits(timeout, is_local=is_pooled)

    async def start(self) -> None:
        """Make the settings of the session."""
        if not self.is_pooled:
            await self.connection.execute(self._limits)
        with suppress(*ERRORS):  # other products with PostgreSQL's protocol have no such function
            self.identity = await self.connection.fetchval(statements.SERVER_START)

    @asynccontextmanager
    async def settled(self) -> AsyncIterator[asyncpg.Connection]:
        """Enter a context in which the limits apply to the connection: a transaction, if there is a pooler."""
        if not self.is_pooled:
            yield self.connection
            return
        async with self.connection.transaction():
            await self.connection.execute(self._limits)
            yield self.connection

    @contextmanager
    def dropped_after(self, seconds: float) -> Iterator[None]:
        """Drop the connection if the block takes longer. For reads and for what is repeated in any case."""
        is_late = False

        def drop() -> None:
            nonlocal is_late
            is_late = True
            self.connection.terminate()

        handle = asyncio.get_running_loop().call_later(seconds, drop)
        try:
            yield
        except ERRORS as error:
            if is_late:
                raise TimeoutError from error
            raise
        finally:
            handle.cancel()
