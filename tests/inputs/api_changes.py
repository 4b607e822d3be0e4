"""Two versions of a description, of which one lacks something.

What `rui impact` says is compared with what `rui check --openapi` says of the new description, and not of the old one.
"""

import json
from collections.abc import Callable, Iterator
from copy import deepcopy
from pathlib import Path
from random import Random
from typing import Any

from rui_common.syntax.document import read
from rui_common.validation.analysis import Analysis
from rui_openapi.comparison.check import api_diagnostics
from rui_openapi.description.api import Api, read_api
from rui_openapi.impact import Impact
from tests.inputs.api_samples import document_of, samples

GITHUB: dict[str, Any] = json.loads((Path(__file__).parent / "github-openapi.json").read_text())

Schema = dict[str, Any]


def schemas_in(value: object) -> Iterator[Schema]:
    """Yield the schemas of objects in a description."""
    if isinstance(value, dict):
        if isinstance(value.get("properties"), dict):
            yield value
        for inner in value.values():
            yield from schemas_in(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from schemas_in(inner)


def _property(chance: Random, description: Schema, fits: Callable[[Schema], object] = bool) -> tuple[Schema, str]:
    """Return a random property that fits: the properties around it, and its name."""
    found = [
        (schema["properties"], name)
        for schema in schemas_in(description)
        for name, inner in schema["properties"].items()
        if isinstance(inner, dict) and fits(inner)
    ]
    return chance.choice(found)


def _response(chance: Random, description: Schema) -> Schema:
    """Return the JSON body of a random successful response."""
    bodies = [
        response["content"]["application/json"]
        for item in description["paths"].values()
        for status, response in item.get("get", {}).get("responses", {}).items()
        if status.startswith("2") and "application/json" in response.get("content", {})
    ]
    return chance.choice(bodies)


def remove_operation(chance: Random, description: Schema) -> None:
    del description["paths"][chance.choice([*description["paths"]])]


def rename_operation(chance: Random, description: Schema) -> None:
    path = chance.choice([*description["paths"]])
    description["paths"][path.replace("/repos/", "/repositories/")] = description["paths"].pop(path)


def remove_method(chance: Random, description: Schema) -> None:
    description["paths"][chance.choice([*description["paths"]])].pop("get", None)


def remove_property(chance: Random, description: Schema) -> None:
    properties, name = _property(chance, description)
    del properties[name]


def rename_property(chance: Random, description: Schema) -> None:
    properties, name = _property(chance, description)
    properties[f"{name}_new"] = properties.pop(name)


def make_object(chance: Random, description: Schema) -> None:
    properties, name = _property(chance, description)
    properties[name] = {"type": "object", "properties": {"value": properties[name]}}


def make_text(chance: Random, description: Schema) -> None:
    properties, name = _property(chance, description, lambda inner: inner.get("type") in ("integer", "array", "object"))
    properties[name] = {"type": "string", "format": "uri"}


def wrap_response(chance: Random, description: Schema) -> None:
    body = _response(chance, description)
    body["schema"] = {"type": "object", "properties": {"data": body["schema"]}}


def empty_response(chance: Random, description: Schema) -> None:
    _response(chance, description)["schema"] = {"type": "object", "properties": {}, "additionalProperties": False}


def list_response(chance: Random, description: Schema) -> None:
    body = _response(chance, description)
    body["schema"] = {"type": "array", "items": body["schema"]}


EDITS = (
    remove_operation, rename_operation, remove_method, remove_property, rename_property, make_object, make_text,
    wrap_response, empty_response, list_response,
)  # fmt: skip


def changed(seed: int, edits: int = 4) -> Schema:
    """Return GitHub's description after some random edits."""
    chance = Random(seed)
    description = deepcopy(GITHUB)
    for _ in range(edits):
        chance.choice(EDITS)(chance, description)
    return description


def documents(api: Api, seed: int, count: int = 3) -> Iterator[tuple[str, Analysis]]:
    """Yield documents that read random parts of an API, each with its name."""
    chance = Random(seed)
    for number in range(count):
        document = document_of([sample.block() for sample in samples(api, chance, 8)])
        yield f"app-{number}", Analysis(read(json.dumps(document)))


def api_in(folder: Path, name: str, description: Schema) -> Api:
    file = folder / name
    file.write_text(json.dumps(description))
    return read_api(str(file))


def check(folder: Path, old: Schema, new: Schema, seed: int) -> int:
    """Check what breaks in some documents. Return how much does."""
    before, after = api_in(folder, "old.json", old), api_in(folder, "new.json", new)
    impact = Impact(before, after)
    expected = set()
    reads: set[str] = set()
    for name, analysis in documents(before, seed):
        impact.add(name, analysis)
        known = {(found.path, found.code) for found in api_diagnostics(analysis, before)}
        reported = {(found.path, found.code) for found in api_diagnostics(analysis, after)}
        expected |= {(name, *found) for found in reported - known}
        value: Any = analysis.document.value
        reads |= {block["binding"]["path"] for block in value["pages"][0]["children"][0]["children"]}
    places = [place for broken in impact.breaks for place in broken.places]
    found = [(place.document, place.diagnostic.path, place.diagnostic.code) for place in places]
    assert len(found) == len({*found}), f"seed {seed}: something is said twice"
    assert {*found} == expected, f"seed {seed}"
    assert impact.broken == len({place.document for place in places}), f"seed {seed}"
    gone = {path for path in before.operations if path not in after.operations}
    assert {*impact.removed} == gone, f"seed {seed}"
    templates = {operation.path for operation in map(before.operation, reads) if operation is not None}
    assert {*impact.unread} == gone - templates, f"seed {seed}"
    return len(found)
