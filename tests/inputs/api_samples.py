"""Bindings sampled from an OpenAPI description, and the same with one misspelt name."""

import json
import random
import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from rui_common.problems.operations import RenameName, SetValue
from rui_common.validation.diagnostics import Diagnostic
from rui_common.vocabulary.rui_0_1 import VALUE_PATH_PATTERN
from rui_openapi.description.api import Api
from rui_openapi.description.operations import Operation
from rui_openapi.description.schemas import Facts

MIN_LENGTH = 4
"""Length from which a name is misspelt."""

MAX_COLUMNS = 4
MAX_TRIES = 50


class Sample(NamedTuple):
    """A binding whose names exist."""

    path: str
    select: str | None
    columns: tuple[str, ...]

    def block(self) -> dict[str, object]:
        """Return a block with the binding: a Table if it has columns, else a Metric."""
        binding = {"type": "read", "method": "GET", "path": self.path}
        if self.select is not None:
            binding["valuePath"] = self.select
        if not self.columns:
            return {"id": "block", "type": "Metric", "label": "Value", "binding": binding}
        columns = [{"key": column} for column in self.columns]
        return {"id": "block", "type": "Table", "binding": binding, "columns": columns}


def document_of(blocks: list[dict[str, object]]) -> dict[str, object]:
    """Return a document with these blocks."""
    numbered = [{**block, "id": f"block-{number}"} for number, block in enumerate(blocks)]
    section = {"id": "main", "type": "Section", "direction": "stack", "children": numbered}
    page = {"id": "home", "type": "Page", "title": "Home", "children": [section]}
    return {"version": "0.1", "meta": {}, "navigation": {"items": [{"pageId": "home"}]}, "pages": [page]}


def samples(api: Api, chance: random.Random, count: int) -> list[Sample]:
    """Return up to `count` bindings for random operations with a known response."""
    operations = [operation for operation in api.operations.values() if not api.response(operation).is_unknown]
    found: list[Sample] = []
    for _ in range(count * MAX_TRIES):
        if len(found) == count or not operations:
            break
        operation = chance.choice(operations)
        candidates = list(_candidates(api, operation, chance))
        if candidates:
            found.append(chance.choice(candidates))
    return found


def _candidates(api: Api, operation: Operation, chance: random.Random) -> Iterator[Sample]:
    path = re.sub(r"\{[^}]*\}", "7", operation.path)
    if api.operation(path) is not operation:
        return
    root = api.response(operation)
    yield from _tables(api, path, None, root, chance)
    for select, facts in api.values_in(root):
        if not re.fullmatch(VALUE_PATH_PATTERN, select):
            continue
        if facts.may_be_scalar and not facts.is_unknown:
            yield Sample(path, select, ())
        yield from _tables(api, path, select, facts, chance)


def _tables(api: Api, path: str, select: str | None, facts: Facts, chance: random.Random) -> Iterator[Sample]:
    if not facts.may_be_list or facts.is_unknown:
        return
    names = sorted(api.row(facts).properties)
    if names:
        yield Sample(path, select, tuple(chance.sample(names, min(len(names), MAX_COLUMNS))))


def misspell(api: Api, sample: Sample, chance: random.Random) -> tuple[Sample, str] | None:
    """Return a sample with one wrong letter, and the text before, or None if all names are too short.

    The wrong name is no other name of the description.
    """
    parts = [sample.path.split("/"), sample.select.split(".") if sample.select else [], list(sample.columns)]
    choices = [
        (where, index)
        for where, names in enumerate(parts)
        for index, name in enumerate(names)
        if len(name) >= MIN_LENGTH and name.isidentifier()
    ]
    if not choices:
        return None
    where, index = chance.choice(choices)
    name = parts[where][index]
    known = _names(api, sample)
    wrong = misspelt(name, chance)
    while wrong in known:
        wrong = misspelt(name, chance)
    parts[where][index] = wrong
    path, select, columns = parts
    before = (sample.path, sample.select or "", name)[where]
    return Sample("/".join(path), ".".join(select) or None, tuple(columns)), before


def _names(api: Api, sample: Sample) -> set[str]:
    """Return the names of the response and of all paths."""
    response = api.response(api.operation(sample.path))
    names = {segment for path in api.operations for segment in path.split("/")}
    place = api.value(response, sample.select or "")
    row = {} if place is None else api.row(place).properties
    return {*names, *row, *(path.rpartition(".")[2] for path, _ in api.values_in(response))}


def misspelt(name: str, chance: random.Random) -> str:
    """Return a name with one letter left out, doubled or replaced, or two of them swapped."""
    wrong = name
    while wrong == name:
        index = chance.randrange(1, len(name) - 1)
        wrong = chance.choice((
            name[:index] + name[index + 1 :], name[:index] + name[index] + name[index:],
            name[:index] + chance.choice("aeinorst") + name[index + 1 :],
            name[:index] + name[index + 1] + name[index] + name[index + 2 :],
        ))  # fmt: skip
    return wrong


def suggested_texts(diagnostic: Diagnostic) -> list[str]:
    """Return the texts that a diagnostic suggests in place of the marked one."""
    assert diagnostic.finding is not None
    operations = [operation for suggestion in diagnostic.finding.suggestions() for operation in suggestion.operations]
    return [str(operation[1]) for operation in operations if isinstance(operation, SetValue | RenameName)]


def description(operations: int) -> dict[str, Any]:
    """Return a description with envelopes, references, alternatives and parameters."""
    paths: dict[str, object] = {}
    schemas: dict[str, object] = {}
    for number in range(operations):
        name = f"Thing{number}"
        row: dict[str, object] = {
            f"field{index}": {"type": ("string", "integer", "boolean")[index % 3]} for index in range(12)
        }
        row["parent"] = {"oneOf": [{"$ref": f"#/components/schemas/Thing{number // 2}"}, {"type": "null"}]}
        schemas[name] = {"allOf": [{"type": "object", "properties": row}, {"properties": {"note": {"type": "string"}}}]}
        items = {"type": "array", "items": {"$ref": f"#/components/schemas/{name}"}}
        envelope = {"type": "object", "properties": {"items": items, "total": {"type": "integer"}}}
        responses = {"200": {"description": "The data.", "content": {"application/json": {"schema": envelope}}}}
        parameter = {"name": "id", "in": "path", "required": True, "schema": {"type": "integer"}}
        paths[f"/group{number % 40}/{{id}}/things{number}"] = {
            "parameters": [parameter],
            "get": {"summary": f"List things {number}", "responses": responses},
        }
    info = {"title": "Things", "version": "1"}
    return {"openapi": "3.1.0", "info": info, "paths": paths, "components": {"schemas": schemas}}


def _scalars(value: object) -> Iterator[str]:
    """The scalars in a value, as texts."""
    if isinstance(value, dict | list):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from _scalars(inner)
    else:
        yield value if isinstance(value, str) else json.dumps(value)


def own_examples(value: object) -> Iterator[str]:
    """The scalars in all examples and enums of a description."""
    if isinstance(value, dict):
        for name, inner in value.items():
            if name in {"example", "examples", "enum", "const"}:
                yield from _scalars(inner)
            else:
                yield from own_examples(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from own_examples(inner)
