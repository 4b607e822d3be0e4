"""The definition of a part of a request: the operation, or the schema of a value, in the text of a description."""

from typing import NamedTuple

from rui_common.syntax.document import read
from rui_common.syntax.line_index import Encoding, LineIndex
from rui_common.syntax.paths import Path, value_at
from rui_common.validation.analysis import Analysis
from rui_common.vocabulary.schema import Role
from rui_openapi.bindings import block_at
from rui_openapi.description.api import Api
from rui_openapi.description.schemas import Facts
from rui_openapi.reading.files import is_yaml, read_data
from rui_openapi.reading.references import Located

Pointer = tuple[str | int, ...]


class FileRange(NamedTuple):
    """A range of a file; lines and characters start at 0."""

    path: str
    start: tuple[int, int]
    end: tuple[int, int]


class Target(NamedTuple):
    """The definition that is meant: a value of the response, a property of the rows, or without both the operation."""

    endpoint: str
    select: str = ""
    field: str = ""


def target_at(analysis: Analysis, path: Path) -> Target | None:
    """Return what of a description the text at a path names, or None."""
    block = block_at(analysis, path)
    text = value_at(analysis.document.value, path)
    if block is None or not isinstance(text, str):
        return None
    targets: dict[Role | None, Target] = {
        Role.ENDPOINT: Target(block.endpoint.value),
        Role.SELECT: Target(block.endpoint.value, text),
        Role.FIELD: Target(block.endpoint.value, block.select.value, text),
    }
    return targets.get(block.role_of(path))


def definition_of(api: Api, target: Target, encoding: Encoding) -> FileRange | None:
    """Return the range of a target in the files of a description; None if it does not have it.

    Raises:
        OpenApiError: a file cannot be used.
    """
    operation = api.operation(target.endpoint)
    if operation is None:
        return None
    if not target.select and not target.field:
        path = api.references.path
        item = ("paths", operation.path)
        return _range_in(path, (*item, "get"), encoding) or _range_in(path, item, encoding)
    facts = api.response(operation)
    located = _schema_at(api, facts, target.select)
    if target.field:
        facts = api.value(facts, target.select) or facts
        located = _schema_at(api, api.row(facts), target.field)
    if located is None or not isinstance(located.value, dict):  # `true` is not one of the objects of the file
        return None
    pointer = _pointer_to(api.references.value_of(located.base), located.value)
    if pointer is None:
        return None
    return _range_in(located.base, pointer, encoding)


def _schema_at(api: Api, facts: Facts, path: str) -> Located | None:
    """Return the schema of the value that a path leads to, as it is written where the property is listed."""
    if path in facts.properties:
        return facts.properties[path][0]
    owner_path, _, name = path.rpartition(".")
    owner = api.value(facts, owner_path)
    if owner is None:
        return None
    return next(iter(owner.properties.get(name) or owner.items or owner.others), None)


def _pointer_to(root: object, wanted: object) -> Pointer | None:
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


def _range_in(path: str, pointer: Pointer, encoding: Encoding) -> FileRange | None:
    """Return the range of the key of a value in a file, or of an element; None if it is no longer there.

    Raises:
        OpenApiError: the file cannot be read.
    """
    data = read_data(path)
    if is_yaml(path, data):
        from rui_openapi.reading.yaml_text import find_place  # PyYAML may be missing

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
