"""Open the store that a URL names."""

from __future__ import annotations

import asyncio
import logging

from rui_api.store.base import StorageUnavailable, Store, StoreRefused
from rui_api.store.bulk import open_bulk_store
from rui_api.store.capacity import UNLIMITED, Capacity, CapacityLimits
from rui_api.store.postgres.options import PostgresOptions
from rui_api.store.queue import MAX_WAITING
from rui_api.store.url import check_store, is_postgres, sqlite_path

POSTGRES_SECONDS = 10.0
"""How long a measurement of a database is used: it asks for the size of each file of the tables."""

DEFAULTS = PostgresOptions()


def open_store(
    url: str,
    *,
    max_waiting: int = MAX_WAITING,
    limits: CapacityLimits = UNLIMITED,
    postgres: PostgresOptions = DEFAULTS,
) -> Store:
    """Return the store that `url` names. It connects on first use.

    Args:
        url: the store.
        max_waiting: maximum number of waiting requests per operation.
        limits: limits of its size.
        postgres: how PostgreSQL is used, if `url` names a database of it.

    Raises:
        ValueError: `url` is not usable; the message is for the operator.
    """
    check_store(url)
    if is_postgres(url):
        from rui_api.store.postgres.store import PostgresStore  # noqa: PLC0415  asyncpg is an optional package

        database = PostgresStore(url, max_waiting=max_waiting, options=postgres)
        # The free space of its disk is not known, so it is not measured for the sake of that limit.
        database.capacity = Capacity(limits._replace(min_free=0), POSTGRES_SECONDS)
        return database
    from rui_api.store.sqlite.store import SqliteStore  # noqa: PLC0415  not needed with PostgreSQL

    store = SqliteStore(sqlite_path(url), max_waiting=max_waiting)
    store.capacity = Capacity(limits)
    return store


def migrate_store(url: str, postgres: PostgresOptions = DEFAULTS) -> StorageUnavailable | None:
    """Migrate the schema of a store to the version of this program.

    A store that is unavailable now is migrated on its first use, so this does not prevent the start of the service.

    Args:
        url: the store.
        postgres: how PostgreSQL is used.

    Returns:
        The reason why it is unavailable, or None.

    Raises:
        ValueError: `url` is not usable.
        StoreRefused: the database belongs to another program or to a later version.
    """

    async def connect() -> None:
        store = open_store(url, postgres=postgres)
        try:
            await store.ready()
        finally:
            await store.close()

    log = logging.getLogger("rui_api.store")
    was_disabled = log.disabled
    log.disabled = True  # logging is not configured yet; the caller reports the error
    try:
        asyncio.run(connect())
    except StoreRefused:
        raise
    except StorageUnavailable as error:
        return error
    finally:
        log.disabled = was_disabled
    return None


def count_pending_steps(url: str) -> int:
    """Return the number of steps of the schema that ``rui store migrate`` would take; 0 if the store is unavailable."""

    async def count() -> int:
        store = await open_bulk_store(url, create=False)
        try:
            return len(store.schema.pending(store.steps))
        finally:
            await store.close()

    try:
        return asyncio.run(count())
    except StorageUnavailable:
        return 0
