"""Specs and stores for tests."""

import asyncio
import sqlite3
import uuid
from collections.abc import Awaitable, Callable
from contextlib import closing
from typing import Any, TypeVar

from rui_api.store.availability import StoreOptions
from rui_api.store.base import Store, StoredSpec
from rui_api.store.factory import open_store
from tests.rui_api.postgres import Postgres

Result = TypeVar("Result")


def spec(rui: bytes = b"{}") -> StoredSpec:
    return StoredSpec(str(uuid.uuid4()), "2026-01-31T09:15:00.123Z", "sha256:0", "0.1", "0.1", rui)


def with_store(url: str, scenario: Callable[[Store], Awaitable[Result]], **options: Any) -> Result:
    """Run a scenario with a store, and close it."""

    async def run() -> Result:
        store = open_store(url, StoreOptions(**options))
        try:
            return await scenario(store)
        finally:
            await store.close()

    return asyncio.run(run())


def execute(url: str, statement: str, postgres: Callable[[], Postgres]) -> None:
    """Run SQL without the store's code."""
    if url.startswith("sqlite"):
        with closing(sqlite3.connect(url.removeprefix("sqlite:///"), isolation_level=None)) as connection:
            connection.execute(statement.replace("rui_", ""))
    else:
        postgres().execute(statement, url=url)
