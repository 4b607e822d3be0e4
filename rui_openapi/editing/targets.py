"""The definition of a part of a request: the operation, or the schema of a value, in the text of a description."""

from __future__ import annotations

from typing import NamedTuple

from rui_common.syntax.document import Document
from rui_common.syntax.line_index import Encoding
from rui_common.syntax.paths import Path, value_at
from rui_common.vocabulary.schema import ENDPOINT, FIELD, SELECT
from rui_openapi.bindings import block_at
from rui_openapi.description.api import Api, load_api
from rui_openapi.description.schemas import Facts
from rui_openapi.reading.locate import FileRange, pointer_to, range_in
from rui_openapi.reading.references import Located


class Target(NamedTuple):
    """What is defined: a value of the response, a property of the rows, or without both the operation."""

    endpoint: str
    select: str = ""
    field: str = ""


def target_at(document: Document, path: Path) -> Target | None:
    """Return what of a description the text at a path names, or None."""
    block = block_at(document.value, path)
    text = value_at(document.value, path)
    if block is None or not isinstance(text, str):
        return None
    targets = {
        ENDPOINT: Target(block.endpoint.value),
        SELECT: Target(block.endpoint.value, text),
        FIELD: Target(block.endpoint.value, block.select.value, text),
    }
    return targets.get(block.role_of(path))


def definition_of(path: str, target: Target, encoding: Encoding) -> FileRange | None:
    """Return the range of a target in the files of a description; None if it does not have it.

    Raises:
        OpenApiError: a file cannot be used.
    """
    api = load_api(path)
    operation = api.operation(target.endpoint)
    if operation is None:
        return None
    if not target.select and not target.field:
        item = ("paths", operation.path)
        return range_in(path, (*item, "get"), encoding) or range_in(path, item, encoding)
    facts = api.response(operation)
    located = _schema_at(api, facts, target.select)
    if target.field:
        facts = api.value(facts, target.select) or facts
        located = _schema_at(api, api.row(facts), target.field)
    pointer = None if located is None else pointer_to(api.references.value_of(located.base), located.value)
    if located is None or pointer is None:
        return None
    return range_in(located.base, pointer, encoding)


def _schema_at(api: Api, facts: Facts, path: str) -> Located | None:
    """Return the schema of the value that a path leads to, as it is written where the property is listed."""
    if path in facts.properties:
        return facts.properties[path][0]
    owner_path, _, name = path.rpartition(".")
    owner = api.value(facts, owner_path)
    if owner is None:
        return None
    return next(iter(owner.properties.get(name) or owner.items or owner.others), None)
