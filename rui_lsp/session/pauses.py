"""When diagnostics are computed: after a pause since the last edit of the document."""

import asyncio
from asyncio import TimerHandle
from collections.abc import Callable

from rui_lsp.protocol.errors import ServerCancelledError
from rui_lsp.session.uris import UriDict


class Pauses:
    """Calls a function with the address of a document, and answers requests, when it has not changed for a while."""

    def __init__(self, on_pause: Callable[[str], None]) -> None:
        self._on_pause = on_pause
        self._timers: UriDict[TimerHandle] = UriDict()
        self._waiting: UriDict[asyncio.Future[None]] = UriDict()

    def restart(self, uri: str, seconds: float) -> None:
        """Note an edit: the pause ends when `seconds` pass without another."""
        self._cancel_timer(uri)
        self._timers[uri] = asyncio.get_running_loop().call_later(seconds, self.end, uri)

    def end(self, uri: str) -> None:
        self._cancel_timer(uri)
        self._on_pause(uri)
        future = self._waiting.pop(uri, None)
        if future is not None and not future.done():
            future.set_result(None)

    async def wait(self, uri: str) -> None:
        """Wait for the end of the pause of a document; return at once if there is none.

        Raises:
            ServerCancelledError: a later request waits in place of this one.
        """
        previous = self._waiting.pop(uri, None)
        if previous is not None and not previous.done():
            previous.set_exception(ServerCancelledError())
        if uri in self._timers:
            future = asyncio.get_running_loop().create_future()
            self._waiting[uri] = future
            await future

    def _cancel_timer(self, uri: str) -> None:
        timer = self._timers.pop(uri, None)
        if timer is not None:
            timer.cancel()
