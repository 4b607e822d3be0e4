"""The end of a connection: responses of the protocol, lingering close, unread responses and shutdown."""

from __future__ import annotations

import asyncio
from enum import Enum, auto
from http import HTTPStatus

from rui_api.http.error_responses import overloaded, stopping
from rui_api.http.response_headers import CommonHeaders
from rui_api.observability.request_id import HEADER
from rui_api.server.connection_registry import ConnectionRegistry, Pipeline
from rui_api.server.head_validation import unmapped_address
from rui_api.server.protocol_errors import ProtocolError, invalid_request
from rui_api.server.timeouts import Timeouts
from rui_api.server.uvicorn_classes import ConnectionBase, RequestCycle, ResponseWriter


class Phase(Enum):
    """The part of a request that the connection is receiving."""

    IDLE = auto()
    """Nothing: between two requests."""
    HEAD = auto()
    BODY = auto()
    DISCARDING = auto()
    """The rest of a body that is too long or too late; the application is sending the error."""
    LINGERING = auto()
    """Data after the last response, which is discarded."""


class ClosingProtocol(ConnectionBase):
    """Base of `rui_api.server.http_protocol.HttpProtocol`: everything that ends a connection.

    Attributes:
        registry: the registry of the process.
        common_headers: computes the headers of responses.
    """

    registry: ConnectionRegistry
    common_headers: CommonHeaders

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Initialise the state of the connection."""
        super().connection_made(transport)
        self.client = unmapped_address(self.client)
        self.limits = self.registry.limits
        self._phase = Phase.IDLE
        self._timeouts = Timeouts(self.loop, self._on_read_timeout, transport.abort)
        self._writer = ResponseWriter(transport, self._close_after_response)
        self._current: RequestCycle | None = None
        self._pipeline = Pipeline(self.registry)
        self._final_response = b""
        self._is_draining = False
        self._has_eof = False
        self._received = 0
        self._body: bytes | bytearray = b""
        self._begun: float | None = None
        # uvicorn sets these with the first byte of a request; an error may come before.
        self.url = b""
        self.headers = []

    def connection_lost(self, exc: Exception | None) -> None:
        """Release everything that the connection has reserved."""
        self._timeouts.cancel()
        if self._phase is Phase.LINGERING:
            self.registry.lingering -= 1
        self.registry.remove(self)
        if self._current is not None:
            self.registry.release(self._current.size)
            self._current.disconnected = True
            self._current.message_event.set()
            self._current = None
        self._pipeline.clear()
        super().connection_lost(exc)

    def eof_received(self) -> bool:  # type: ignore[override]
        """The client sends no more data; complete requests get their responses."""
        self._has_eof = True
        if self._phase is Phase.BODY:
            self._on_incomplete_body()
        elif self._phase is Phase.HEAD:
            self._reject(invalid_request("The head of the request is cut off."))
        if self._current is None:
            self._close()
        elif not self.cycle.response_started:
            self.cycle.keep_alive = False
        return True

    def shutdown(self) -> None:
        """The server stops: finish requests that have begun, and close after their responses."""
        self._is_draining = True
        if self._current is not None:
            if not self.cycle.response_started:
                self.cycle.keep_alive = False
        elif self._phase is Phase.IDLE:
            self._timeouts.set_read_deadline(self.limits.drain_seconds)
        elif self._phase is not Phase.LINGERING:
            self._timeouts.set_read_deadline(self.limits.grace_seconds)

    def pause_writing(self) -> None:
        """The client reads more slowly than responses are written."""
        super().pause_writing()
        self._timeouts.set_write_deadline(self.limits.write_seconds)
        self.registry.mark_unread(self, self.transport.get_write_buffer_size())

    def resume_writing(self) -> None:
        """The client has read most of the pending data."""
        super().resume_writing()
        self.registry.mark_read(self)
        # The transport does not report when the data left in a closing connection has been sent.
        if not self.transport.is_closing():
            self._timeouts.clear_write_deadline()

    def abort_upload(self) -> None:
        """See `rui_api.server.connection_registry.Connection`."""
        self._reject(ProtocolError(overloaded()))

    def close_idle(self) -> None:
        """See `rui_api.server.connection_registry.Connection`."""
        self._close()

    def drop_response(self) -> None:
        """See `rui_api.server.connection_registry.Connection`."""
        self.transport.abort()

    def _on_read_timeout(self) -> None:
        if self._phase is Phase.BODY and not self._is_draining:
            self._on_incomplete_body()
        elif self._phase in (Phase.HEAD, Phase.BODY):
            if self._is_draining:
                self._reject(ProtocolError(stopping()))
            else:
                seconds = self.limits.headers_seconds
                self._reject(invalid_request(f"The head of a request has to be there within {seconds:g} seconds."))
        else:
            self.registry.mark_busy(self)
            self._close()

    def _on_incomplete_body(self) -> None:
        """The rest of the body does not come: start the application, which sends the error."""
        raise NotImplementedError

    def _reject(self, error: ProtocolError) -> None:
        """Send the response to a protocol error after those that are due, then close."""
        if self._final_response:
            return
        response = error.response
        method = self.parser.get_method().decode() if self.url else ""  # the parser knows it once it has a target
        body = b"" if method == "HEAD" else response.content
        request_id = self.registry.request_ids.of(self.headers)
        headers = [
            *self.server_state.default_headers,
            *self.common_headers.for_request(self.headers),
            (HEADER, request_id),
            *response.raw_headers,
            (b"connection", b"close"),
        ]
        lines = b"".join([b"%b: %b\r\n" % header for header in headers])
        phrase = HTTPStatus(response.status).phrase.encode()
        self._final_response = b"HTTP/1.1 %d %b\r\n%b\r\n%b" % (response.status, phrase, lines, body)
        seconds = None if self._begun is None else self.loop.time() - self._begun
        request = (request_id, method, self.url)
        self.registry.record_error(response, self.client, request, (len(self._body), len(body)), seconds)
        self.registry.end_upload(self)
        self.registry.mark_busy(self)
        self._body = b""
        self._timeouts.clear_read_deadline()
        if self._current is None:
            self._send_final_response()

    def _send_final_response(self) -> None:
        self.transport.write(self._final_response)
        self._linger()

    def _linger(self) -> None:
        """Lingering close: closing while the client sends would reset the connection and destroy the response."""
        if self._has_eof or self._phase is Phase.LINGERING:
            self._close()
            return
        self._phase = Phase.LINGERING
        self.registry.lingering += 1
        self._pipeline.clear()
        self._timeouts.set_read_deadline(self.limits.linger_seconds)
        self.flow.resume_reading()
        if self.transport.can_write_eof() and not self.transport.is_closing():
            self.transport.write_eof()

    def _discard(self, size: int) -> None:
        """Count data that is not used; stop reading when it is too much."""
        self._received += size
        if self._received > self.limits.wire_bytes:
            self.flow.pause_reading()

    def _close_after_response(self) -> None:
        if self._phase is Phase.DISCARDING:
            self._linger()
        else:
            self._close()

    def _close(self) -> None:
        """Close when all data is sent; the write timeout applies."""
        if not self.transport.is_closing():
            self.transport.close()
        self._timeouts.clear_read_deadline()
        self._timeouts.set_write_deadline(self.limits.write_seconds)
