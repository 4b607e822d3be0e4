"""Specs and stores for tests."""

import asyncio
import uuid
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

from rui_api.store.availability import StoreOptions
from rui_api.store.base import Store, StoredSpec
from rui_api.store.factory import open_store
from tests.rui_api.live import PATIENT

Result = TypeVar("Result")


def spec(rui: bytes = b"{}") -> StoredSpec:
    return StoredSpec(str(uuid.uuid4()), "2026-01-31T09:15:00.123Z", "sha256:0", "0.1", "0.1", rui)


def with_store(url: str, scenario: Callable[[Store], Awaitable[Result]], **options: Any) -> Result:
    """Run a scenario with a store that answers late instead of not at all on a busy machine, and close it."""

    async def run() -> Result:
        store = open_store(url, StoreOptions(**{"deadline": PATIENT, **options}))
        try:
            return await scenario(store)
        finally:
            await store.close()

    return asyncio.run(run())
