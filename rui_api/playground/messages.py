"""Messages between the service and its playground process: bytes with their length in front."""

from __future__ import annotations

import struct
from typing import IO

_LENGTH = struct.Struct("<Q")


def write_message(pipe: IO[bytes], content: bytes) -> None:
    """Write a message to an unbuffered pipe."""
    remaining = memoryview(_LENGTH.pack(len(content)) + content)
    while remaining:
        remaining = remaining[pipe.write(remaining) :]


def read_message(pipe: IO[bytes]) -> bytes:
    """Read a message.

    Raises:
        EOFError: the other side has ended.
    """
    (size,) = _LENGTH.unpack(_read_exactly(pipe, _LENGTH.size))
    return _read_exactly(pipe, size)


def _read_exactly(pipe: IO[bytes], size: int) -> bytes:
    parts = []
    while size:
        part = pipe.read(min(size, 1 << 20))
        if not part:
            raise EOFError
        parts.append(part)
        size -= len(part)
    return b"".join(parts)
