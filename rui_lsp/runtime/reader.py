"""A reader for pygls' message loop, which goes on after malformed headers."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable

MAX_BODY = 256 * 1024 * 1024
"""Bytes of the longest message; a longer one is taken for a mistake in its header."""

_MAX_HEADER = 8192
_KEPT = 64  # bytes of a header that is too long: the next header may begin in them

# Anywhere in the line: after a body that is longer than announced, the next header is found.
_LENGTH = re.compile(rb"content-length:[ \t]*(\d{1,18})[ \t]*\r?\n", re.IGNORECASE)


class MessageReader:
    """Gives pygls' `run_async` well-formed headers only.

    Args:
        stream: what the client sends.
        on_error: called for every malformed header.
    """

    def __init__(self, stream: asyncio.StreamReader, on_error: Callable[[Exception], object]) -> None:
        self._stream = stream
        self._on_error = on_error
        self._is_in_header = False

    async def readline(self) -> bytes:
        """The next line of a header: ``Content-Length``, then an empty line; ``b""`` at the end of the input."""
        if self._is_in_header:
            self._is_in_header = False
            return b"\r\n"
        try:
            length = await self._read_length()
            while length is None:
                length = await self._read_length()
        except asyncio.IncompleteReadError:
            return b""
        self._is_in_header = True
        return b"Content-Length: %d\r\n" % length

    async def readexactly(self, n: int) -> bytes:
        """A body; ``b""`` if the input ends within it."""
        try:
            return await self._stream.readexactly(n)
        except asyncio.IncompleteReadError:
            return b""

    async def _read_length(self) -> int | None:
        """Read a header; return the length of its body, or None if it is malformed."""
        header = b""
        line = b""
        while line not in {b"\r\n", b"\n"} or not header:
            line = await self._read_line()
            header += line
            if len(header) > _MAX_HEADER:
                self._on_error(ValueError("a header without an end"))
                header = header[-_KEPT:]
        lengths = [int(digits) for digits in _LENGTH.findall(header)]
        if not lengths:
            self._on_error(ValueError("a header without Content-Length"))
            return None
        if not 0 < lengths[-1] <= MAX_BODY:
            self._on_error(ValueError(f"a Content-Length of {lengths[-1]}"))
            return None
        return lengths[-1]

    async def _read_line(self) -> bytes:
        try:
            return await self._stream.readuntil(b"\n")
        except asyncio.LimitOverrunError as overrun:
            return await self._stream.readexactly(overrun.consumed)
