"""A watch of file descriptors: without a free one, uvloop closes new connections without a word."""

from __future__ import annotations

import asyncio
import logging
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

CHECK_SECONDS = 1.0
REMINDER_SECONDS = 60.0

log = logging.getLogger("rui_api")


@asynccontextmanager
async def watching_descriptors(_: object) -> AsyncIterator[None]:
    """Log once a minute while no file descriptor is free."""
    task = asyncio.create_task(_watch())
    try:
        yield
    finally:
        task.cancel()


async def _watch() -> None:
    while True:
        await asyncio.sleep(CHECK_SECONDS)
        try:
            os.close(os.open(os.devnull, os.O_RDONLY))
        except OSError as error:
            log.error("new connections are closed: %s; raise LimitNOFILE or ulimit -n", error.strerror)
            await asyncio.sleep(REMINDER_SECONDS - CHECK_SECONDS)
