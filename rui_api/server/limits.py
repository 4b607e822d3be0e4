"""Limits of one process: time, bytes and connections."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.util import find_spec

from rui_common.vocabulary.rules import MAX_BODY_BYTES

OTHER_FILES = 200
"""Open files besides connections: stores, logs, the process's own sockets."""


@dataclass(frozen=True)
class Limits:
    """Limits of one process.

    Attributes:
        headers_seconds: from the first byte of a request, or from connecting, until its headers are complete.
        body_seconds: from then until its body is complete.
        idle_seconds: between two requests.
        write_seconds: how long a client may not read any data of a response.
        linger_seconds: how long data is still read after the last response, so that a reset does not destroy it.
        drain_seconds: during shutdown, how long an idle connection may still begin a request.
        grace_seconds: during shutdown, how long a request may still be arriving.
        target_bytes: length of the target in the request line.
        head_bytes: length of all header lines with the request line.
        head_lines: number of header lines.
        connections: number of connections.
        waiting_bytes: bytes of all requests that have no response yet.
        unread_bytes: bytes of all responses that clients have not read.
        pipelined: requests that wait for another one of the same connection.
        pipelined_total: the same of all connections together.
    """

    headers_seconds: float = 20.0
    body_seconds: float = 30.0
    idle_seconds: float = 75.0
    write_seconds: float = 30.0
    linger_seconds: float = 2.0
    drain_seconds: float = 0.5
    grace_seconds: float = 3.0
    target_bytes: int = 8_192
    head_bytes: int = 65_536
    head_lines: int = 100
    connections: int = 2_000
    waiting_bytes: int = 67_108_864
    unread_bytes: int = 67_108_864
    pipelined: int = 32
    pipelined_total: int = 4_096

    @property
    def wire_bytes(self) -> int:
        """Bytes of one body on the wire: chunked encoding adds to those of the body."""
        return 8 * MAX_BODY_BYTES


def raise_file_limit(connections: int) -> None:
    """Raise the soft limit of open files (often 1,024) so that this number of connections fits."""
    if find_spec("resource") is None:  # Windows has no such limit
        return
    import resource  # noqa: PLC0415

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    needed = 2 * connections + OTHER_FILES
    if soft == resource.RLIM_INFINITY or soft >= needed:
        return
    if hard != resource.RLIM_INFINITY:
        needed = min(needed, hard)
    resource.setrlimit(resource.RLIMIT_NOFILE, (needed, hard))
