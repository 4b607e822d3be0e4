"""uvicorn's HTTP protocol with patience that ends: requests whose headers do not arrive are given up.

uvicorn itself waits for ever for the headers of a request, and keeps any amount of them. (Bodies have their limits
in `rui_api.body`.)
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

if TYPE_CHECKING:
    import asyncio

HEADERS_TIMEOUT = 20.0
"""Seconds from the beginning of a connection, or of a later request, until its headers are complete."""

MAX_HEADER_BYTES = 65_536


class PatientProtocol(HttpToolsProtocol):
    """One connection. uvicorn's own timer, for keeping it alive between requests, goes on as it is."""

    _headers_timer: asyncio.TimerHandle | None = None
    _header_bytes = 0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Wait for the first request."""
        super().connection_made(transport)
        self._expect_headers()

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait no longer."""
        self._expect_no_headers()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Take what came, unless it makes the headers too many."""
        if self._headers_timer is not None:
            self._header_bytes += len(data)
        super().data_received(data)
        if self._headers_timer is not None and self._header_bytes > MAX_HEADER_BYTES:
            self.send_400_response("The headers are too long.")

    def on_message_begin(self) -> None:
        """The first byte of a request."""
        super().on_message_begin()
        if self._headers_timer is None:
            self._expect_headers()

    def on_headers_complete(self) -> None:
        """The headers are there."""
        self._expect_no_headers()
        super().on_headers_complete()

    def _expect_headers(self) -> None:
        self._header_bytes = 0
        self._headers_timer = self.loop.call_later(HEADERS_TIMEOUT, self._give_up)

    def _expect_no_headers(self) -> None:
        if self._headers_timer is not None:
            self._headers_timer.cancel()
            self._headers_timer = None

    def _give_up(self) -> None:
        self._headers_timer = None
        if not self.transport.is_closing():
            self.transport.close()
