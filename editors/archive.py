"""Writes ZIP archives that are byte-identical on every machine.

`zipfile` compresses with the zlib of the machine, so its output differs between machines. It is also 4 % larger.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Mapping

_LEVEL = 12
"""libdeflate's highest level."""

_VERSION = 20
_UTF8 = 1 << 11
_DEFLATED = 8
_STORED = 0
_UNIX = 3 << 8
_DATE = 1 << 5 | 1
"""1 January 1980, the first date of ZIP. The time is 0, midnight."""

_MODE = 0o100644 << 16
"""A regular file: readable by everyone, writable by its owner."""

_LOCAL = struct.Struct("<4s5H3I2H")
_CENTRAL = struct.Struct("<4s6H3I5H2I")
_END = struct.Struct("<4s4H2IH")


def zip_archive(content: Mapping[str, bytes]) -> bytes:
    """Return a ZIP archive.

    Args:
        content: the files by name, in the order of the archive.
    """
    parts = []
    directory = b""
    position = 0
    for name, data in content.items():
        compressed, method = _compress(data)
        encoded = name.encode()
        header = (_UTF8, method, 0, _DATE, zlib.crc32(data), len(compressed), len(data), len(encoded), 0)
        parts += [_LOCAL.pack(b"PK\3\4", _VERSION, *header), encoded, compressed]
        directory += _CENTRAL.pack(b"PK\1\2", _UNIX | _VERSION, _VERSION, *header, 0, 0, 0, _MODE, position) + encoded
        position += _LOCAL.size + len(encoded) + len(compressed)
    end = _END.pack(b"PK\5\6", 0, 0, len(content), len(content), len(directory), position, 0)
    return b"".join([*parts, directory, end])


def _compress(data: bytes) -> tuple[bytes, int]:
    """Return the data for the archive and its compression method. Incompressible data is stored."""
    import deflate  # noqa: PLC0415  only needed to build packages

    compressed = bytes(deflate.deflate_compress(data, _LEVEL))
    if len(compressed) < len(data):
        return compressed, _DEFLATED
    return data, _STORED
