"""What is logged, as lines: JSON for programs, text for people."""

from __future__ import annotations

import logging
import traceback
from collections.abc import Sequence
from time import gmtime, localtime, strftime, time
from typing import TYPE_CHECKING

import msgspec

from rui_api.observability.request_id import current
from rui_common.redact import escape_control

if TYPE_CHECKING:
    from collections.abc import Callable

Noted = tuple[float, bytes, str, str, str, int, Sequence[str], float | None, int, int, tuple[str, int] | None]
"""A request: time, id, method, path, route, status, codes, seconds if known, bytes received, bytes sent, client."""

LONGEST_PATH = 300
LONGEST_CLIENT = 60
"""Characters; an address has fewer, but a proxy that is trusted may be told anything."""
REQUEST = "request"


class RequestLine(msgspec.Struct, omit_defaults=True, gc=False):
    """A request. Bodies and query strings are not in it."""

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


class EventLine(msgspec.Struct, omit_defaults=True, gc=False):
    """Anything else."""

    time: str
    level: str
    event: str
    logger: str
    id: str = ""
    traceback: str = ""


Line = RequestLine | EventLine


def request_line(noted: Noted) -> RequestLine:
    """The line of a request."""
    moment, request_id, method, path, route, status, codes, seconds, received, sent, client = noted
    level = "error" if status >= 500 and status != 503 else "warning" if status == 503 else "info"
    ms = msgspec.UNSET if seconds is None else round(seconds * 1000, 3)
    return RequestLine(
        timestamp(moment), level, REQUEST, request_id.decode(), method[:20], path[:LONGEST_PATH], route, status,
        ms, received, sent, client[0][:LONGEST_CLIENT] if client else "",
        codes[0] if codes else "",
        list(dict.fromkeys(codes)) if len(set(codes)) > 1 else [],
    )  # fmt: skip


def event_line(record: logging.LogRecord) -> EventLine:
    """The line of what some part of the service logged. To be called where it was."""
    trace = "".join(traceback.format_exception(*record.exc_info)) if record.exc_info else ""
    return EventLine(
        timestamp(record.created), record.levelname.lower(), record.getMessage(), record.name,
        current.get().decode(), trace,
    )  # fmt: skip


def own_line(level: str, event: str) -> EventLine:
    """A line of the log about itself."""
    return EventLine(timestamp(time()), level, event, "rui_api.log")


_json = msgspec.json.Encoder().encode
to_json: Callable[[Line], bytes] = _json


def to_text(line: Line) -> bytes:
    """A line for people; what came from clients cannot take their terminal over."""
    clock = strftime("%H:%M:%S", localtime())
    if isinstance(line, RequestLine):
        duration = "" if isinstance(line.ms, msgspec.UnsetType) else f"{line.ms:g} ms"
        said = " ".join(filter(None, (line.method, line.path, str(line.status), line.code, duration)))
        said += f", {line.received} B in, {line.sent} B out, {line.client} [{line.id}]"
    else:
        said = f"{line.logger}: {line.event}" + (f" [{line.id}]" if line.id else "")
    text = f"{clock} {line.level:7} {escape_control(said)}"
    if isinstance(line, EventLine) and line.traceback:
        text += "\n" + "\n".join(f"    {escape_control(row)}" for row in line.traceback.splitlines())
    return text.encode("utf-8", "replace")


def timestamp(moment: float, _known: list[tuple[int, str]] = [(-1, "")]) -> str:  # noqa: B006  the last second is kept
    """Such as ``2026-01-31T09:15:00.123Z``."""
    second = int(moment)
    if second != _known[0][0]:
        _known[0] = (second, strftime("%Y-%m-%dT%H:%M:%S", gmtime(second)))
    return f"{_known[0][1]}.{int((moment - second) * 1000):03}Z"
