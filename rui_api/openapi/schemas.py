"""The component schemas of the OpenAPI document: bodies of responses, and the vocabulary."""

from __future__ import annotations

from rui_common.describe import json_schema
from rui_common.http_contract.bodies import BODIES

Json = dict[str, object]


def schema_components() -> dict[str, object]:
    """Return all schemas by name."""
    return {**{body.name: body.schema for body in BODIES}, **_vocabulary()}


def _vocabulary() -> dict[str, object]:
    """Return the definitions of the JSON Schema of a RUI as components."""
    definitions = _with_component_refs(json_schema()["$defs"])
    assert isinstance(definitions, dict)  # noqa: S101
    return definitions


def _with_component_refs(schema: object) -> object:
    if isinstance(schema, dict):
        return {
            name: value.replace("#/$defs/", "#/components/schemas/") if name == "$ref" else _with_component_refs(value)
            for name, value in schema.items()
        }
    if isinstance(schema, list):
        return [_with_component_refs(element) for element in schema]
    return schema
