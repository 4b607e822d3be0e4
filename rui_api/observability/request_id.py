"""Ids of requests: the client's own if it is sane, else one of ours. It stands in the answer and in the log."""

from __future__ import annotations

import re
from contextvars import ContextVar
from itertools import count
from secrets import token_hex
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

HEADER = b"x-request-id"

current: ContextVar[bytes] = ContextVar("request_id", default=b"")
"""The id of the request that is being answered, for whatever is logged meanwhile."""

_SANE = re.compile(rb"[A-Za-z0-9][A-Za-z0-9._:/+=@~-]{0,99}")


class RequestIds:
    """Makes ids: random for the process, and counted within it."""

    def __init__(self) -> None:
        self._prefix = token_hex(8).encode()
        self._numbers = count()

    def of(self, headers: Iterable[tuple[bytes, bytes]]) -> bytes:
        """The one `X-Request-ID` of a request, or a new id."""
        given = None
        for name, value in headers:
            if name == HEADER:
                given = value if given is None else b""  # two are none
        if given is not None and _SANE.fullmatch(given):
            return given
        return b"%b-%06x" % (self._prefix, next(self._numbers))
