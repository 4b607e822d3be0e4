"""HTTP/1.1: reads requests within the limits and starts the application when a request is complete.

`docs/http-server.md` explains the whole package.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

import httptools

from rui_api.http.error_responses import overloaded
from rui_api.http.response_headers import CommonHeaders
from rui_api.server.closing_protocol import ClosingProtocol, Phase
from rui_api.server.connection_registry import ConnectionRegistry
from rui_api.server.head_validation import (
    PROBES,
    Target,
    head_without_upgrade,
    parse_target,
    validate_allowed_host,
    validate_head,
)
from rui_api.server.limits import Limits
from rui_api.server.protocol_errors import ProtocolError, from_parser_error, invalid_request
from rui_api.server.uvicorn_classes import RequestCycle

CONTINUE = b"HTTP/1.1 100 Continue\r\n\r\n"


class HttpProtocol(ClosingProtocol):
    """One connection. `create_protocol` returns the subclass for a server.

    Attributes:
        allowed_hosts: the hosts in lower case that requests may be for; empty means any.
    """

    allowed_hosts: frozenset[bytes]

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Wait for the first request, or reject the connection if there are too many."""
        super().connection_made(transport)
        if self.registry.can_accept(len(self.connections)):
            self._timeouts.set_read_deadline(self.limits.headers_seconds)
        elif len(self.connections) > 2 * self.limits.connections:
            transport.abort()
        else:
            self._reject(ProtocolError(overloaded()))

    def data_received(self, data: bytes) -> None:
        """Parse data of the client."""
        if self._phase is Phase.LINGERING or self._final_response:
            self._discard(len(data))
            return
        try:
            self._feed(data)
        except httptools.HttpParserError as error:
            self._reject(from_parser_error(error))
            return
        if self._phase is not Phase.IDLE:
            self._on_partial_request(len(data))

    def _feed(self, data: bytes) -> None:
        while True:
            try:
                self.parser.feed_data(data)
                return
            except httptools.HttpParserUpgrade as upgrade:
                # No other protocol is supported: parse the request again without the header. The parser has skipped
                # the body, and would take it for the next request.
                head = head_without_upgrade(self._method, self.url, self.headers)
                data = head + data[upgrade.args[0] :]
                self.reset_parser()

    def _on_partial_request(self, size: int) -> None:
        """Apply the limits to a request of which more data has arrived."""
        if self._received == 0:
            self._begin_partial_request()
        self._received += size
        if self._phase is Phase.DISCARDING:
            self._discard(0)
        elif self._phase is Phase.HEAD:
            if self._received > self.limits.head_bytes:
                self._reject(self._head_too_long())
            else:
                self.registry.update_upload(self, self._received)
        elif self._received > self.limits.wire_bytes:
            self._reject(invalid_request("The chunks of the body add too many bytes to it."))
        else:
            self.registry.update_upload(self, len(self._body))

    def _begin_partial_request(self) -> None:
        seconds = self.limits.body_seconds
        if self._phase is Phase.HEAD:
            seconds = self.limits.headers_seconds
        if self._is_draining:
            seconds = min(seconds, self.limits.grace_seconds)
        self._timeouts.set_read_deadline(seconds)
        self.registry.mark_busy(self)
        if self._begun is None:
            self._begun = self.loop.time()

    def _head_too_long(self) -> ProtocolError:
        return invalid_request(f"The head of a request has at most {self.limits.head_bytes} bytes.")

    def on_message_begin(self) -> None:
        """Parser callback: the first byte of a request."""
        super().on_message_begin()
        self._phase = Phase.HEAD
        self._received = 0
        self._head_size = 0
        self._body_length = 0
        self._begun = None

    def on_url(self, url: bytes) -> None:
        """Parser callback: a part of the target."""
        super().on_url(url)
        limit = self.limits.target_bytes
        if len(self.url) > limit:
            raise invalid_request(f"The address in the request line has at most {limit} bytes.")

    def on_header(self, name: bytes, value: bytes) -> None:
        """Parser callback: a header line, or a trailer line, which is ignored."""
        self._head_size += len(name) + len(value) + 4
        if self._head_size > self.limits.head_bytes:
            raise self._head_too_long()
        if self._phase is not Phase.HEAD:
            return
        name = name.lower()
        if name == b"content-length":
            self._body_length = int(value)
        elif name == b"transfer-encoding":
            self._body_length = 1  # at least
        elif name == b"expect":
            self.expect_100_continue = value.lower() == b"100-continue"
        self.headers.append((name, value))

    def on_headers_complete(self) -> None:
        """Parser callback: validate the head and wait for the body."""
        method = self.parser.get_method()
        version = self.parser.get_http_version()
        if len(self.headers) > self.limits.head_lines:
            raise invalid_request(f"A request has at most {self.limits.head_lines} header lines.")
        validate_head(method, version, self.headers)
        if self.parser.should_upgrade():
            self._method = method
            return
        target = parse_target(self.url)
        if target.host is not None:
            self.headers[:] = [(b"host", target.host), *(pair for pair in self.headers if pair[0] != b"host")]
        if self.allowed_hosts and target.path not in PROBES:
            validate_allowed_host(self.headers, self.allowed_hosts)
        self._fill_scope(method, version, target)
        keep_alive = version == "1.1" and self.parser.should_keep_alive() and not self._is_draining
        self.cycle: RequestCycle = self.create_cycle(self._writer, keep_alive=keep_alive)
        self._received = 0
        self._max_body_bytes = target.max_body_bytes
        if self._body_length > self._max_body_bytes:
            self._start_incomplete_request()
            return
        self._phase = Phase.BODY
        if self.expect_100_continue and self._body_length and version == "1.1" and self._current is None:
            self.transport.write(CONTINUE)

    def _fill_scope(self, method: bytes, version: str, target: Target) -> None:
        scope = self.scope
        scope["method"] = method.decode("ascii")
        scope["http_version"] = version
        scope["path"] = self.root_path + target.path
        scope["raw_path"] = self.root_path.encode("ascii") + target.raw_path
        scope["query_string"] = target.query

    def on_body(self, body: bytes) -> None:
        """Parser callback: a part of the body."""
        if self._phase is not Phase.BODY:
            return
        if not self._body:
            self._body = body
        elif isinstance(self._body, bytes):
            self._body = bytearray(self._body + body)
        else:
            self._body += body
        if len(self._body) > self._max_body_bytes:
            self._start_incomplete_request()

    def on_message_complete(self) -> None:
        """Parser callback: the request is complete."""
        if self._phase is Phase.HEAD:  # an Upgrade: `_feed` parses the request again
            return
        phase = self._phase
        self._phase = Phase.IDLE
        if phase is Phase.BODY:
            if self._received:
                self.registry.end_upload(self)
                self._timeouts.clear_read_deadline()
            self._start_request()

    def _on_incomplete_body(self) -> None:
        try:
            self._start_incomplete_request()
        except ProtocolError as error:
            self._reject(error)

    def _start_incomplete_request(self) -> None:
        """Start the application with the part of the body that was read; its response is an error."""
        self.registry.end_upload(self)
        self._phase = Phase.DISCARDING
        self._timeouts.clear_read_deadline()
        self.cycle.is_complete = False
        self.cycle.keep_alive = False
        self._start_request()

    def _start_request(self) -> None:
        self.cycle.content = self._body
        self._body = b""
        self._start_or_enqueue(self.cycle)

    def _start_or_enqueue(self, cycle: RequestCycle) -> None:
        """Start the application, or enqueue the request while another one of the connection is running.

        Raises:
            ProtocolError: the service is overloaded.
        """
        if self._current is not None:
            if not self._pipeline.add(cycle):
                raise ProtocolError(overloaded())
            self.flow.pause_reading()
            return
        if self._phase is Phase.IDLE:
            self._timeouts.clear_read_deadline()
        self.registry.mark_busy(self)
        size = len(cycle.content or b"")
        if not self.registry.reserve(size):
            raise ProtocolError(overloaded())
        cycle.size = size
        self._current = cycle
        self.start_task(cycle)

    def on_response_complete(self) -> None:
        """Callback of the request cycle: the response is written."""
        self.server_state.total_requests += 1
        if self._current is not None:
            self.registry.release(self._current.size)
            self._current = None
        if self.transport.is_closing() or self._phase is Phase.LINGERING:
            return
        if self._pipeline:
            try:
                self._start_or_enqueue(self._pipeline.pop())
            except ProtocolError as error:
                self._reject(error)
        elif self._final_response:
            self._send_final_response()
        else:
            self.flow.resume_reading()
            if self._phase is Phase.IDLE:
                self._wait_for_next_request()

    def _wait_for_next_request(self) -> None:
        if self._has_eof:
            self._close()
            return
        self.registry.mark_idle(self)
        if self._is_draining:
            self._timeouts.set_read_deadline(self.limits.drain_seconds)
        else:
            self._timeouts.set_read_deadline(self.limits.idle_seconds)


def create_protocol(limits: Limits, allowed_origins: Sequence[str], allowed_hosts: Sequence[str]) -> type[HttpProtocol]:
    """Return the protocol class for one server, whose connections share a registry.

    Args:
        limits: the limits of the process.
        allowed_origins: see `rui_api.http.response_headers.CommonHeaders`.
        allowed_hosts: the hosts in lower case, without ports, that requests may be for; ``*`` means all.
    """
    hosts = () if "*" in allowed_hosts else allowed_hosts
    attributes: dict[str, Any] = {
        "registry": ConnectionRegistry(limits),
        "common_headers": CommonHeaders(allowed_origins),
        "allowed_hosts": frozenset(host.encode() for host in hosts),
    }
    return type("ServerProtocol", (HttpProtocol,), attributes)
