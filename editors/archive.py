"""ZIP archives as small as Deflate allows, and the same on every machine.

`zipfile` compresses with whatever zlib the machine has: its bytes differ from one to the next, and are 4 % more.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Mapping

_LEVEL = 12
"""libdeflate's best."""

_VERSION, _UTF8, _DEFLATED, _STORED = 20, 1 << 11, 8, 0
_UNIX = 3 << 8
_DAY = 1 << 5 | 1
"""1 January 1980, where ZIP begins to count; midnight is 0."""

_MODE = 0o100644 << 16
"""A file that everybody may read and its owner may write."""

_LOCAL = struct.Struct("<4s5H3I2H")
_CENTRAL = struct.Struct("<4s6H3I5H2I")
_END = struct.Struct("<4s4H2IH")


def archive(content: Mapping[str, bytes]) -> bytes:
    """A ZIP archive.

    Args:
        content: every file by its name, in the order in which they are to stand.
    """
    parts, listed, position = [], [], 0
    for name, data in content.items():
        written, method = _compressed(data)
        encoded = name.encode()
        about = (_UTF8, method, 0, _DAY, zlib.crc32(data), len(written), len(data), len(encoded), 0)
        parts += [_LOCAL.pack(b"PK\3\4", _VERSION, *about), encoded, written]
        listed += [_CENTRAL.pack(b"PK\1\2", _UNIX | _VERSION, _VERSION, *about, 0, 0, 0, _MODE, position), encoded]
        position += _LOCAL.size + len(encoded) + len(written)
    directory = b"".join(listed)
    end = _END.pack(b"PK\5\6", 0, 0, len(content), len(content), len(directory), position, 0)
    return b"".join([*parts, directory, end])


def _compressed(data: bytes) -> tuple[bytes, int]:
    """The data as it is written, and ZIP's number of how that is: what gets no smaller stays as it is."""
    import deflate  # noqa: PLC0415  only who builds a package needs it

    smaller = bytes(deflate.deflate_compress(data, _LEVEL))
    return (smaller, _DEFLATED) if len(smaller) < len(data) else (data, _STORED)
