"""Ids of requests: the X-Request-ID of the client if it is valid, else a generated one."""

from __future__ import annotations

import re
from collections.abc import Iterable
from contextvars import ContextVar
from itertools import count
from secrets import token_hex

HEADER = b"x-request-id"

current: ContextVar[bytes] = ContextVar("request_id", default=b"")
"""The id of the current request, for log records."""

_VALID = re.compile(rb"[A-Za-z0-9][A-Za-z0-9._:/+=@~-]{0,99}")


class RequestIds:
    """Generates ids: a random prefix per process and a number."""

    def __init__(self) -> None:
        self._prefix = token_hex(8).encode()
        self._numbers = count()

    def of(self, headers: Iterable[tuple[bytes, bytes]]) -> bytes:
        """Return the value of the only X-Request-ID header if it is valid, else a new id."""
        if HEADER in dict(headers):  # a dict is cheaper than a loop, and most requests do not have the header
            values = [value for name, value in headers if name == HEADER]
            if len(values) == 1 and _VALID.fullmatch(values[0]):
                return values[0]
        return b"%b-%06x" % (self._prefix, next(self._numbers))
