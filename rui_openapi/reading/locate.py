"""The place of a value in the text of a description, JSON or YAML."""

from __future__ import annotations

from typing import Any, NamedTuple

from rui_common.syntax.line_index import Encoding, LineIndex
from rui_common.syntax.reader import skip_space
from rui_common.syntax.spans import Span
from rui_common.syntax.tree import Member
from rui_openapi.reading.files import is_yaml, read_data

Pointer = tuple[str | int, ...]
Position = tuple[int, int]


class FileRange(NamedTuple):
    """A range of a file; lines and characters start at 0.

    Attributes:
        path: the path of the file.
        start: the start of the value, with its key.
        end: its end.
        name_start: the start of its key, or of the value without one.
        name_end: the end of that.
    """

    path: str
    start: Position
    end: Position
    name_start: Position
    name_end: Position


class _Place(NamedTuple):
    full: Span
    name: Span


def pointer_to(root: object, wanted: object) -> Pointer | None:
    """Return the path of an object within a value; None if it is not there. Equal objects are others."""
    pending: list[tuple[Any, Any]] = [(root, ())]
    seen: set[int] = set()
    while pending:
        value, link = pending.pop()
        if value is wanted:
            return _unlinked(link)
        if id(value) in seen:
            continue
        seen.add(id(value))
        if isinstance(value, dict):
            pending += [(inner, (link, name)) for name, inner in reversed(value.items()) if _is_container(inner)]
        elif isinstance(value, list):
            pending += [(inner, (link, index)) for index, inner in enumerate(value) if _is_container(inner)]
    return None


def _is_container(value: object) -> bool:
    return isinstance(value, dict | list)


def _unlinked(link: Any) -> Pointer:  # noqa: ANN401  nested pairs
    steps: list[str | int] = []
    while link:
        link, step = link
        steps.append(step)
    return tuple(reversed(steps))


def range_in(path: str, pointer: Pointer, encoding: Encoding) -> FileRange | None:
    """Return the range of a value in a file; None if it is no longer there.

    Raises:
        OpenApiError: the file cannot be read.
    """
    data = read_data(path)
    text = data.decode("utf-8-sig", "replace")
    find = _place_in_json
    if is_yaml(path, data):
        find = _place_in_yaml
    place = find(text, pointer)
    if place is None:
        return None

    def position(offset: int) -> Position:
        return _position(text, offset, encoding)

    full, name = place
    return FileRange(path, position(full.start), position(full.end), position(name.start), position(name.end))


def _position(text: str, offset: int, encoding: Encoding) -> Position:
    """Return the position of an offset. A `LineIndex` of 10 MB takes half a second, this takes milliseconds."""
    start = max(text.rfind("\n", 0, offset), text.rfind("\r", 0, offset)) + 1
    line = text.count("\n", 0, start) + text.count("\r", 0, start) - text.count("\r\n", 0, start)
    return line, LineIndex(text[start:offset]).position(offset - start, encoding)[1]


def _place_in_json(text: str, pointer: Pointer) -> _Place | None:
    """Return the place in a text that is known to be JSON; `read` would check 10 MB once more."""
    try:
        member = Member(text, "", None, skip_space(text, 0).end())
        for step in pointer:
            members = member.members()
            inner = None
            if members is not None:
                inner = members.get(step, unique=True)
            if inner is None:
                return None
            member = inner
        span = member.span
    except (ValueError, StopIteration):  # the file has changed
        return None
    if span is None:
        return None
    name = member.key_span or Span(span.start, span.start + 1)
    return _Place(Span(min(name.start, span.start), span.end), name)


def _place_in_yaml(text: str, pointer: Pointer) -> _Place | None:
    from rui_openapi.reading.yaml_places import find_place  # noqa: PLC0415  PyYAML may be missing

    found = find_place(text, pointer)
    if found is None:
        return None
    return _Place(*found)
