"""Store URL → store."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING

from rui_api.store.base import StorageUnavailable, StoreRefused
from rui_api.store.queue import MAX_WAITING
from rui_api.store.url import check_store, is_postgres, sqlite_path

if TYPE_CHECKING:
    from rui_api.store.base import Store


def open_store(url: str, *, queue: int = MAX_WAITING) -> Store:
    """The store that `url` names. It is not reached for before it is first used.

    Args:
        url: the store.
        queue: so many requests of each sort wait for it at most; more are refused.

    Raises:
        ValueError: `url` names no store that there is; the message is for the operator.
    """
    check_store(url)
    # Each loads its driver, and nobody has both.
    if is_postgres(url):
        from rui_api.store.postgres.store import PostgresStore  # noqa: PLC0415

        return PostgresStore(url, queue=queue)
    from rui_api.store.sqlite.store import SqliteStore  # noqa: PLC0415

    return SqliteStore(sqlite_path(url), queue=queue)


def migrate_store(url: str) -> StorageUnavailable | None:
    """Bring the schema of a store to the version of this program, before it is used.

    A store that does not answer now is migrated when it does: then it is no reason not to start.

    Returns:
        Why it does not answer now, or None.

    Raises:
        ValueError: `url` names no store that there is.
        StoreRefused: it is the store of another program, or of a later version; only an operator can help.
    """

    async def reach() -> None:
        store = open_store(url)
        try:
            await store.ready()
        finally:
            await store.close()

    log = logging.getLogger("rui_api.store")
    silent, log.disabled = log.disabled, True  # there is no log yet: the caller is told
    try:
        asyncio.run(reach())
    except StoreRefused:
        raise
    except StorageUnavailable as fault:
        return fault
    finally:
        log.disabled = silent
    return None
