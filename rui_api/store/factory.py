"""Open the store that a URL names."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import NamedTuple

from rui_api.store.availability import StoreOptions
from rui_api.store.base import StorageUnavailable, Store, StoreRefused
from rui_api.store.sqlite import SqliteStore
from rui_api.store.url import check_store, is_postgres, is_read_only, sqlite_path

PREPARE_SECONDS = 5.0  # maximum time of a request to the store at the start of the service: no client waits yet


def open_store(url: str, options: StoreOptions) -> Store:
    """Return the store that `url` names. It connects on first use.

    Raises:
        ValueError: `url` is not usable; the message is for the operator.
    """
    check_store(url)
    if is_postgres(url):
        from rui_api.store.postgres import PostgresStore  # asyncpg is an optional package

        return PostgresStore(url, options)
    return SqliteStore(sqlite_path(url), options, is_read_only=is_read_only(url))


@asynccontextmanager
async def opened_store(url: str, options: StoreOptions) -> AsyncIterator[Store]:
    """Connect to a store, and close it at the end. See `open_store` and `Store.open` for errors."""
    store = open_store(url, options)
    try:
        await store.open()
        yield store
    finally:
        await store.close()


class Prepared(NamedTuple):
    """The state of a store at the start of the service."""

    error: StorageUnavailable | None  # the reason if it is unavailable
    warnings: Sequence[str] = ()  # see `Store.open`


def prepare_store(url: str) -> Prepared:
    """Create a store if it is missing, and bring its schema up to date.

    This is done again on first use, so a store that is unavailable now does not prevent the start of the service.

    Raises:
        ValueError: `url` is not usable.
        StoreRefused: the database belongs to another program or to a later version.
    """

    async def prepare() -> Prepared:
        store = open_store(url, StoreOptions(deadline=PREPARE_SECONDS))
        try:
            return Prepared(None, await store.open())
        finally:
            await store.close()

    try:
        return asyncio.run(prepare())
    except StoreRefused:
        raise
    except StorageUnavailable as error:
        return Prepared(error)
