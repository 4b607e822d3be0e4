"""Log records and their formats: JSON for programs, text for terminals."""

from __future__ import annotations

import logging
import traceback
from collections.abc import Sequence
from functools import lru_cache
from time import gmtime, localtime, strftime, time
from typing import NamedTuple

import msgspec

from rui_api.observability.request_id import current
from rui_common.redact import escape_control

MAX_PATH = 300
MAX_CLIENT = 60
"""Characters. Addresses are shorter, but a trusted proxy may pass on any text of a client."""


class RequestLogRecord(NamedTuple):
    """A finished request. The thread of the log turns it into a line.

    Attributes:
        time: Unix time of the end of the response.
        request_id: the X-Request-ID.
        method: HTTP method.
        path: path without query string.
        route: route, or an empty string if the HTTP server refused the request.
        status: HTTP status.
        codes: error codes in the response.
        seconds: duration, if known.
        received: bytes of the body.
        sent: bytes of the response's body.
        client: address and port, if known.
        spec_id: the id of the spec that the request stored, or an empty string.
        size: bytes of its normal form.
    """

    time: float
    request_id: bytes
    method: str
    path: str
    route: str
    status: int
    codes: Sequence[str]
    seconds: float | None
    received: int
    sent: int
    client: tuple[str, int] | None
    spec_id: str = ""
    size: int = 0


class RequestLine(msgspec.Struct, omit_defaults=True, gc=False):
    """A line about a request. It contains neither bodies nor query strings."""

    time: str
    level: str
    event: str
    id: str
    method: str
    path: str
    route: str
    status: int
    ms: float | msgspec.UnsetType
    received: int
    sent: int
    client: str = ""
    code: str = ""
    codes: list[str] = []  # msgspec copies it
    spec_id: str = msgspec.field(default="", name="specId")
    size: int = 0


class EventLine(msgspec.Struct, omit_defaults=True, gc=False):
    """Any other line."""

    time: str
    level: str
    event: str
    logger: str
    id: str = ""
    traceback: str = ""


Line = RequestLine | EventLine


def request_line(record: RequestLogRecord) -> RequestLine:
    """Return the line about a request."""
    line = RequestLine(
        time=timestamp(record.time),
        level=_level(record.status),
        event="request",
        id=record.request_id.decode(),
        method=record.method[:20],
        path=record.path[:MAX_PATH],
        route=record.route,
        status=record.status,
        ms=msgspec.UNSET if record.seconds is None else round(record.seconds * 1000, 3),
        received=record.received,
        sent=record.sent,
    )
    if record.spec_id:
        line.spec_id = record.spec_id
        line.size = record.size
    if record.client:
        line.client = record.client[0][:MAX_CLIENT]
    if record.codes:
        line.code = record.codes[0]
        distinct = list(dict.fromkeys(record.codes))
        if len(distinct) > 1:
            line.codes = distinct
    return line


def _level(status: int) -> str:
    if status == 503:
        return "warning"
    return "error" if status >= 500 else "info"


def event_line(record: logging.LogRecord) -> EventLine:
    """Return the line of a record of `logging`. Must be called in the context that logged it."""
    return EventLine(
        time=timestamp(record.created),
        level=record.levelname.lower(),
        event=record.getMessage(),
        logger=record.name,
        id=current.get().decode(),
        traceback="".join(traceback.format_exception(*record.exc_info)) if record.exc_info else "",
    )


def dropped_line(number: int) -> EventLine:
    """Return the line that reports dropped lines."""
    return EventLine(timestamp(time()), "warning", f"{number} lines are missing here", "rui_api.log")


to_json = msgspec.json.Encoder().encode


def to_text(line: Line) -> bytes:
    """Format a line for a terminal, with control characters escaped."""
    if isinstance(line, RequestLine):
        duration = "" if isinstance(line.ms, msgspec.UnsetType) else f"{line.ms:g} ms"
        text = " ".join(filter(None, (line.method, line.path, str(line.status), line.code, line.spec_id, duration)))
        text += f", {line.received} B in, {line.sent} B out, {line.client}"
    else:
        text = f"{line.logger}: {line.event}"
    if line.id:
        text += f" [{line.id}]"
    rows = [f"{strftime('%H:%M:%S', localtime())} {line.level:7} {escape_control(text)}"]
    if isinstance(line, EventLine):
        rows += [f"    {escape_control(row)}" for row in line.traceback.splitlines()]
    return "\n".join(rows).encode("utf-8", "replace")


def timestamp(seconds: float) -> str:
    """Format a Unix time such as ``2026-01-31T09:15:00.123Z``."""
    whole = int(seconds)
    return f"{_format_second(whole)}.{int((seconds - whole) * 1000):03}Z"


@lru_cache(maxsize=1)
def _format_second(second: int) -> str:
    return strftime("%Y-%m-%dT%H:%M:%S", gmtime(second))
