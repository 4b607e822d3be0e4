"""The place of a value in the text of a description, JSON or YAML."""

from __future__ import annotations

from typing import NamedTuple

from rui_common.syntax.document import read
from rui_common.syntax.line_index import Encoding, LineIndex
from rui_openapi.reading.files import is_yaml, read_data

Pointer = tuple[str | int, ...]
Position = tuple[int, int]


class FileRange(NamedTuple):
    """A range of a file; lines and characters start at 0."""

    path: str
    start: Position
    end: Position


def pointer_to(root: object, wanted: object) -> Pointer | None:
    """Return the path of an object within a value; None if it is not there. Equal objects are others."""
    pending: list[tuple[object, Pointer]] = [(root, ())]
    seen: set[int] = set()
    while pending:
        value, pointer = pending.pop()
        if value is wanted:
            return pointer
        if id(value) in seen:
            continue
        seen.add(id(value))
        if isinstance(value, dict):
            pending += [(inner, (*pointer, name)) for name, inner in reversed(value.items())]
        elif isinstance(value, list):
            pending += [(inner, (*pointer, index)) for index, inner in enumerate(value)]
    return None


def range_in(path: str, pointer: Pointer, encoding: Encoding) -> FileRange | None:
    """Return the range of the key of a value in a file, or of an element; None if it is no longer there.

    Raises:
        OpenApiError: the file cannot be read.
    """
    data = read_data(path)
    if is_yaml(path, data):
        from rui_openapi.reading.yaml_text import find_place  # noqa: PLC0415  PyYAML may be missing

        text = data.decode("utf-8-sig", "replace")
        place = find_place(text, pointer)
        lines = LineIndex(text)
    else:
        document = read(data)
        member = document.find(pointer) if document.valid else None
        place = None if member is None else member.key_span or member.span
        lines = document.lines
    if place is None:
        return None
    return FileRange(path, lines.position(place.start, encoding), lines.position(place.end, encoding))
