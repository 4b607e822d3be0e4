"""The connections of the service: HTTP/1.1 of uvicorn, with an end for each client that does nothing more."""

import asyncio
from typing import NamedTuple

from uvicorn.config import Config
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.server import ServerState

from rui_api.contract.endpoints import API_PREFIX

LAST_REQUEST_SECONDS = 0.5  # how long an open connection waits for a request when the service ends
CLIENT = "rui.client"  # key of the `ClientState` of a connection in the state of the ASGI scopes of its requests
_CLOSE = (b"connection", b"close")


class ClientState:
    """Whether the connection of a client has ended. It has no reference to the connection, which would be a cycle."""

    has_left = False


class _Progress(NamedTuple):
    """The progress of a connection. A client is idle if the service waits for it and the progress does not change."""

    responses: int  # number of complete responses
    is_answering: bool  # whether the service is answering a request
    unread: int  # bytes of responses that wait until the client reads

    @property
    def is_clients_turn(self) -> bool:
        """Whether the service waits for the client: for a request, or until it reads."""
        return self.unread > 0 or not self.is_answering


class Connection(H11Protocol):
    """A connection, which uvicorn closes `timeout_keep_alive` seconds after a response if no byte has followed.

    uvicorn waits without an end for a request whose head never arrives whole, and for a client that does not read. So
    this class compares what the client has done with what it had done as many seconds before.
    """

    def __init__(
        self,
        config: Config,
        server_state: ServerState,
        app_state: dict[str, object],
        _loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        self._client = ClientState()
        super().__init__(config, server_state, {**app_state, CLIENT: self._client}, _loop)
        self._responses = 0
        self._progress = _Progress(0, is_answering=False, unread=0)
        self._check: asyncio.TimerHandle | None = None
        self._last_request: asyncio.TimerHandle | None = None
        self._is_half_closed = False
        self._is_ending = False  # whether the service ends

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._check_later()

    def connection_lost(self, exc: Exception | None) -> None:
        """End the timers. uvicorn leaves its own one to run after an error, and with it all objects of a connection."""
        self._client.has_left = True
        super().connection_lost(exc)
        for timer in (self._check, self._last_request, self.timeout_keep_alive_task):
            if timer is not None:
                timer.cancel()
        self._check = self._last_request = self.timeout_keep_alive_task = None

    def shutdown(self) -> None:
        """Answer the request that runs, or that arrives at once, with ``Connection: close``; then close the connection.

        uvicorn closes connections without a request at once, and what a client or proxy has just sent has no answer.
        """
        self._is_ending = True
        if _CLOSE not in self.server_state.default_headers:  # the headers of all responses
            self.server_state.default_headers = [*self.server_state.default_headers, _CLOSE]
        if not self._is_answering:
            self._last_request = self.loop.call_later(LAST_REQUEST_SECONDS, self._end_without_request)
            return
        self.cycle.default_headers = self.server_state.default_headers
        super().shutdown()

    def _end_without_request(self) -> None:
        if not self._is_answering:
            super().shutdown()

    def eof_received(self) -> bool:  # type: ignore[override]  # uvicorn always closes
        """Return whether the connection stays open for writing: a client may close its side after a request.

        A page that leaves closes its connection, too. So only the API goes on: a task of the editor is cancelled.
        """
        is_whole = self._is_answering and not self.cycle.more_body
        self._is_half_closed = is_whole and self.scope["path"].startswith(API_PREFIX)
        return self._is_half_closed

    def on_response_complete(self) -> None:
        super().on_response_complete()
        self._responses += 1
        if (self._is_half_closed or self._is_ending) and not self._is_answering:  # no request has arrived before
            self.transport.close()

    @property
    def _is_answering(self) -> bool:
        return self.cycle is not None and not self.cycle.response_complete

    def _check_later(self) -> None:
        self._check = self.loop.call_later(self.timeout_keep_alive, self._end_if_idle)

    def _end_if_idle(self) -> None:
        """End the connection if its client has done nothing since the last call. What it did not read is lost."""
        before = self._progress
        unread = self.transport.get_write_buffer_size()
        self._progress = _Progress(self._responses, self._is_answering, unread)
        if self._progress == before and self._progress.is_clients_turn:
            self.transport.abort()
            return
        self._check_later()
