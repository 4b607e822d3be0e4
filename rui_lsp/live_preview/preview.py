"""The preview of one document: its page, and the events for the browsers that show it."""

from __future__ import annotations

import asyncio
import json
import time
from asyncio import TimerHandle
from collections.abc import Awaitable, Callable
from contextlib import suppress

from rui_lsp.live_preview.http import Connection

MAX_DELAY = 1.0
"""Seconds without a change after which a page is announced at the latest."""

KEEP_ALIVE = 15.0
"""Seconds after which an event without data is sent."""


class Preview:
    """The preview of one document.

    Attributes:
        uri: the address of the document.
    """

    def __init__(self, uri: str, render: Callable[[], Awaitable[str]]) -> None:
        """Args: the address of the document, and a function that renders its current text."""
        self.uri = uri
        self._render = render
        self._lock = asyncio.Lock()
        self._version = 0
        self._page = ""
        self._page_version = -1
        self._render_seconds = 0.0
        self._announced = 0
        self._caret: int | None = None
        self._timer: TimerHandle | None = None
        self._waiting: set[asyncio.Event] = set()

    async def page(self) -> str:
        """The page of the current text. One text is rendered once, and one at a time."""
        async with self._lock:
            if self._page_version != self._version:
                version = self._version
                start = time.perf_counter()
                self._page = await self._render()
                self._render_seconds = time.perf_counter() - start
                self._page_version = version
            return self._page

    def text_changed(self) -> None:
        """Announce a change, after a pause: twice the time that the last page took."""
        self._version += 1
        self.stop()
        delay = min(MAX_DELAY, 2 * self._render_seconds)
        self._timer = asyncio.get_running_loop().call_later(delay, self._announce)

    def caret_moved(self, offset: int) -> None:
        """Announce the offset of the caret."""
        if offset == self._caret:
            return
        self._caret = offset
        self._wake()

    def stop(self) -> None:
        """Drop an announcement that is due."""
        if self._timer is not None:
            self._timer.cancel()

    def _announce(self) -> None:
        self._announced = self._version
        self._wake()

    def _wake(self) -> None:
        for event in self._waiting:
            event.set()

    async def send_events(self, connection: Connection) -> None:
        """Send events until the browser leaves. One that reads slowly gets only the last ones."""
        wake = asyncio.Event()
        self._waiting.add(wake)
        closed = asyncio.create_task(connection.wait_closed())
        closed.add_done_callback(lambda _: wake.set())
        try:
            connection.start_events()
            await self._send_new(connection, wake, closed)
        finally:
            self._waiting.discard(wake)
            closed.cancel()

    async def _send_new(self, connection: Connection, wake: asyncio.Event, closed: asyncio.Task[None]) -> None:
        announced = -1
        caret = None
        while not closed.done():
            wake.clear()
            if announced != self._announced:
                announced = self._announced
                await connection.send_event(json.dumps({"kind": "changed"}))
            if caret != self._caret:
                caret = self._caret
                await connection.send_event(json.dumps({"kind": "cursor", "offset": caret}))
            with suppress(TimeoutError):
                await asyncio.wait_for(wake.wait(), KEEP_ALIVE)
            if not wake.is_set():
                await connection.send_event("")
