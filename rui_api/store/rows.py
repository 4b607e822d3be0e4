"""The form of specs in the rows of a table, which is the same in SQLite and PostgreSQL.

The last column contains the RUI as it is, or a marker of one byte and the rest in another form. JSON begins with no
marker, so rows of earlier versions are read as they are.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterable
from typing import NamedTuple

from rui_api.store.base import DeletedSpec, ReadResult, StorageUnavailable, StoredSpec
from rui_api.store.dictionary import DICTIONARY_1

AS_IS = b"\x00"
"""Marks bytes that would begin with a marker themselves."""
ZLIB = b"\x01"
"""Marks a zlib stream (RFC 1950) with `DICTIONARY_1`. Its checksum is verified when it is read."""

MIN_SIZE = 256
"""Bytes from which a RUI is compressed. Shorter ones are smaller than the rest of their rows."""
LEVEL = 3
"""Of zlib. At 3 KB, level 6 saves 40 bytes more and takes half as much time again."""


class _Window(NamedTuple):
    """The memory of a compressor, as zlib takes it. Clearing it takes longer than compressing a small spec."""

    bits: int
    level: int


_SMALL_WINDOW = _Window(13, 5)
_LARGE_WINDOW = _Window(15, 8)
_SMALL_SIZE = 6_000
"""Bytes that fit into the small window, with the dictionary."""


class Row(NamedTuple):
    """A row of the table of specs, with its columns in order. A tombstone has no content hash."""

    spec_id: str
    created_at: str
    content_hash: str
    validation_version: str
    registry_version: str
    content: bytes


def to_row(spec: StoredSpec | DeletedSpec | Row, *, is_compressed: bool) -> Row:
    """Return the row of a spec or of a tombstone.

    Args:
        spec: the content of the row, or a row of another store.
        is_compressed: whether every program that uses the store can read compressed specs.
    """
    if isinstance(spec, Row):
        return spec
    if isinstance(spec, DeletedSpec):
        # A JSON object, so that programs that know no tombstones send a response that clients can read.
        content = json.dumps({"deleted": spec.reason}, ensure_ascii=False).encode("utf-8", "replace")
        return Row(spec.spec_id, spec.deleted_at, "", "", "", content)
    return Row(*spec[:5], _pack(spec.rui, is_compressed=is_compressed))


def to_rows(specs: Iterable[StoredSpec | DeletedSpec | Row], *, is_compressed: bool) -> list[Row]:
    """Return the rows of specs. Takes 20 µs per spec of 3 KB if they are compressed."""
    return [to_row(spec, is_compressed=is_compressed) for spec in specs]


def from_row(row: Row) -> StoredSpec | DeletedSpec:
    """Return the spec or the tombstone in a row.

    Raises:
        StorageUnavailable: the row is corrupt.
    """
    try:
        if row.content_hash:
            return StoredSpec(*row[:5], _unpack(row.content))
        return DeletedSpec(row.spec_id, row.created_at, str(json.loads(row.content)["deleted"]))
    except (zlib.error, ValueError, LookupError, TypeError) as error:
        raise StorageUnavailable(f"the row of spec {row.spec_id} is corrupt: {error}") from error


def read_row(row: Row | None) -> ReadResult | StorageUnavailable:
    """Return what `from_row` does, or its error: a corrupt row must not fail the other requests of its batch."""
    try:
        return row and from_row(row)
    except StorageUnavailable as error:
        return error


def _pack(rui: bytes, *, is_compressed: bool) -> bytes:
    if is_compressed and len(rui) >= MIN_SIZE:
        window = _SMALL_WINDOW if len(rui) <= _SMALL_SIZE else _LARGE_WINDOW
        compressor = zlib.compressobj(LEVEL, zlib.DEFLATED, window.bits, window.level, zdict=DICTIONARY_1)
        packed = ZLIB + compressor.compress(rui) + compressor.flush()
        if len(packed) < len(rui):
            return packed
    if rui.startswith((AS_IS, ZLIB)):
        return AS_IS + rui
    return rui


def _unpack(content: bytes) -> bytes:
    marker = content[:1]
    if marker == ZLIB:
        decompressor = zlib.decompressobj(zdict=DICTIONARY_1)
        rui = decompressor.decompress(memoryview(content)[1:])
        if not decompressor.eof:
            raise ValueError("it ends too early")
        return rui
    if marker == AS_IS:
        return content[1:]
    return content
