"""The header part of messages, as LSP clients write it."""

from __future__ import annotations

import re
from asyncio import IncompleteReadError, StreamReader

from rui_lsp.protocol.log import logger

MAX_MESSAGE = 1 << 30
"""Maximum number of bytes of a message, and of a line of its header."""

# Not anchored at the start: after a header without a length, the next header follows the skipped content in one line.
_CONTENT_LENGTH = re.compile(rb"content-length[ \t]*:[ \t]*(\d+)[ \t]*\r?\n", re.IGNORECASE)
_MAX_DIGITS = 10


class MessageTooLongError(Exception):
    """A header announces more than `MAX_MESSAGE` bytes."""


async def read_content(reader: StreamReader) -> bytes | None:
    """Return the content of the next message, or None at the end of the input.

    A header without a valid ``Content-Length`` is logged, and its content is skipped. Other header fields are ignored.

    Raises:
        MessageTooLongError: the message is too long.
    """
    while True:
        length: int | None = None
        line_count = 0
        while (line := await reader.readline()).strip():
            line_count += 1
            found = _CONTENT_LENGTH.search(line)
            if found is not None:
                length = _length(found[1])
        if length is not None and line:
            break
        if line_count:
            logger.warning("skipped a message: its header has no valid Content-Length")
        if not line:
            return None
    try:
        return await reader.readexactly(length)
    except IncompleteReadError as error:
        logger.warning("the input ends after %d of %d bytes of a message", len(error.partial), length)
        return None


def _length(digits: bytes) -> int:
    if len(digits) > _MAX_DIGITS or int(digits) > MAX_MESSAGE:
        raise MessageTooLongError(f"a message is longer than {MAX_MESSAGE:,} bytes")
    return int(digits)
