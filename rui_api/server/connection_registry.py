"""The connections of one process: back pressure over all of them together, and the errors that they answered."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable
from time import time
from typing import Protocol

from rui_api.http.responses import Response
from rui_api.observability.log_records import RequestLogRecord
from rui_api.observability.request_id import RequestIds
from rui_api.server.limits import Limits
from rui_api.server.protocol_errors import CODES
from rui_api.server.uvicorn_classes import RequestCycle
from rui_common.redact import redact_all_userinfo


class Connection(Protocol):
    """A connection as the registry uses it."""

    def abort_upload(self) -> None:
        """Abort the upload in progress: the memory limit is reached."""

    def close_idle(self) -> None:
        """Close this idle connection: the connection limit is reached."""

    def drop_response(self) -> None:
        """Abort the connection: it has not read its response, and the memory limit is reached."""


class ConnectionRegistry:
    """The state that all connections of one process share.

    Attributes:
        limits: the limits of the process.
        errors: number of responses of the protocol, by error code.
        log_request: writes a log record of such a response; None without a log.
        request_ids: creates the ids of such responses.
        lingering: connections that have had their last response; they do not count as connections.
        pipelined: requests that wait for another one of their connection.
    """

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.errors: Counter[str] = Counter(dict.fromkeys(CODES, 0))
        self.log_request: Callable[[RequestLogRecord], None] | None = None
        self.request_ids = RequestIds()
        self.lingering = 0
        self.pipelined = 0
        self._uploads: dict[Connection, int] = {}
        self._idle: dict[Connection, None] = {}
        self._waiting_bytes = 0
        self._unread: dict[Connection, int] = {}
        self._unread_bytes = 0

    def can_accept(self, connections: int) -> bool:
        """Return whether this number of connections is allowed; closes the longest idle one to make it so."""
        if connections - self.lingering <= self.limits.connections:
            return True
        if not self._idle:
            return False
        longest = next(iter(self._idle))
        self.mark_busy(longest)
        longest.close_idle()
        return True

    def mark_idle(self, connection: Connection) -> None:
        """The connection has no request: it may be closed to make room."""
        self._idle[connection] = None

    def mark_busy(self, connection: Connection) -> None:
        """The connection has a request, or is closed: it is no longer a candidate for closing."""
        self._idle.pop(connection, None)

    def remove(self, connection: Connection) -> None:
        """Forget a closed connection."""
        self.end_upload(connection)
        self.mark_read(connection)
        self.mark_busy(connection)

    def update_upload(self, connection: Connection, size: int) -> None:
        """Set the number of bytes of an incomplete request.

        Above the limit the oldest uploads are aborted: they are the slowest.
        """
        self._waiting_bytes += size - self._uploads.get(connection, 0)
        self._uploads[connection] = size
        self._abort_uploads()

    def end_upload(self, connection: Connection) -> None:
        """The request of the connection is complete or aborted."""
        self._waiting_bytes -= self._uploads.pop(connection, 0)

    def reserve(self, size: int) -> bool:
        """Reserve memory for a complete request until `release`; return False if the limit is reached."""
        self._waiting_bytes += size
        if self._abort_uploads():
            return True
        self._waiting_bytes -= size
        return False

    def release(self, size: int) -> None:
        """The response to a request of this size is sent."""
        self._waiting_bytes -= size

    def _abort_uploads(self) -> bool:
        while self._waiting_bytes > self.limits.waiting_bytes and self._uploads:
            slowest = next(iter(self._uploads))
            self.end_upload(slowest)
            slowest.abort_upload()
        return self._waiting_bytes <= self.limits.waiting_bytes

    def mark_unread(self, connection: Connection, size: int) -> None:
        """Set the number of bytes that a client has not read; above the limit the oldest responses are dropped."""
        self._unread_bytes += size - self._unread.get(connection, 0)
        self._unread[connection] = size
        while self._unread_bytes > self.limits.unread_bytes:
            slowest = next(iter(self._unread))
            self.mark_read(slowest)
            slowest.drop_response()

    def mark_read(self, connection: Connection) -> None:
        """The client has read its responses."""
        self._unread_bytes -= self._unread.pop(connection, 0)

    def record_error(
        self, response: Response, client: tuple[str, int] | None, request: tuple[bytes, str, bytes],
        sizes: tuple[int, int], seconds: float | None,
    ) -> None:  # fmt: skip
        """Count and log a response of the protocol.

        Args:
            response: the response.
            client: address and port.
            request: id, method and target, as far as they are known.
            sizes: bytes received of the body, and bytes of the response's body.
            seconds: duration since the first byte, or None if it was not measured.
        """
        self.errors.update(response.codes)
        if self.log_request is not None:
            request_id, method, target = request
            path = redact_all_userinfo(target.partition(b"?")[0].decode("latin-1"))
            codes = tuple(response.codes)
            self.log_request(
                RequestLogRecord(time(), request_id, method, path, "", response.status, codes, seconds, *sizes, client)
            )


class Pipeline:
    """The requests of one connection that wait for another one; the registry limits them over all connections."""

    __slots__ = ("_cycles", "_registry")

    def __init__(self, registry: ConnectionRegistry) -> None:
        self._registry = registry
        self._cycles: deque[RequestCycle] = deque()

    def __bool__(self) -> bool:
        return bool(self._cycles)

    def add(self, cycle: RequestCycle) -> bool:
        """Append a request; return False if a limit is reached."""
        limits = self._registry.limits
        if len(self._cycles) >= limits.pipelined or self._registry.pipelined >= limits.pipelined_total:
            return False
        self._cycles.append(cycle)
        self._registry.pipelined += 1
        return True

    def pop(self) -> RequestCycle:
        """Remove and return the oldest request."""
        self._registry.pipelined -= 1
        return self._cycles.popleft()

    def clear(self) -> None:
        """Remove all requests."""
        self._registry.pipelined -= len(self._cycles)
        self._cycles.clear()
