"""Open the store that a URL names."""

from __future__ import annotations

import asyncio

from rui_api.store.availability import DEADLINE, MAX_WAITING
from rui_api.store.base import StorageUnavailable, Store, StoreRefused
from rui_api.store.url import check_store, is_postgres, sqlite_path

PREPARE_DEADLINE = 5.0
"""Seconds for the first connection and the schema. The service does not answer yet."""


def open_store(
    url: str,
    *,
    max_waiting: int = MAX_WAITING,
    max_bytes: int = 0,
    deadline: float = DEADLINE,
    create: bool = True,
) -> Store:
    """Return the store that `url` names. It connects on first use.

    Args:
        url: the store.
        max_waiting: maximum number of waiting requests that write, and of those that read.
        max_bytes: maximum size of the file, or of the table with its indexes; 0 means none.
        deadline: seconds that a request waits.
        create: whether a missing store is created.

    Raises:
        ValueError: `url` is not usable; the message is for the operator.
    """
    check_store(url)
    if is_postgres(url):
        from rui_api.store.postgres import PostgresStore  # noqa: PLC0415  asyncpg is an optional package

        return PostgresStore(url, max_waiting=max_waiting, max_bytes=max_bytes, deadline=deadline, create=create)
    from rui_api.store.sqlite import SqliteStore  # noqa: PLC0415  not needed with PostgreSQL

    return SqliteStore(sqlite_path(url), max_waiting=max_waiting, max_bytes=max_bytes, deadline=deadline, create=create)


def prepare_store(url: str) -> StorageUnavailable | None:
    """Create a store if it is missing, and bring its schema up to date; return the reason if it is unavailable.

    This is done again on first use, so a store that is unavailable now does not prevent the start of the service.

    Raises:
        ValueError: `url` is not usable.
        StoreRefused: the database belongs to another program or to a later version.
    """

    async def prepare() -> None:
        store = open_store(url, deadline=PREPARE_DEADLINE)
        try:
            await store.open()
        finally:
            await store.close()

    try:
        asyncio.run(prepare())
    except StoreRefused:
        raise
    except StorageUnavailable as error:
        return error
    return None
