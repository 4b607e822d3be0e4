"""The component schemas of the OpenAPI document: bodies of responses, and the vocabulary."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rui_common.describe import json_schema
from rui_common.vocabulary.rui_0_1 import VOCABULARY
from rui_common.vocabulary.rules import MAX_ERRORS, MESSAGES, RULES

if TYPE_CHECKING:
    Json = dict[str, object]

UUID_PATTERN = r"^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$"
_R0 = RULES["R0"].code


def schema_components() -> dict[str, object]:
    """Return all schemas by name."""
    return {**_bodies(), **_vocabulary()}


def schema_ref(name: str) -> Json:
    """Return a reference to a schema."""
    return {"$ref": f"#/components/schemas/{name}"}


def _bodies() -> dict[str, Json]:
    text: Json = {"type": "string"}
    versions: dict[str, Json] = {"validationVersion": text, "registryVersion": text}
    rui = schema_ref(VOCABULARY.root.name)
    item = _object(path=text, code={"enum": list(MESSAGES)}, message=text, hint=text)
    invalid_json: Json = {"allOf": [schema_ref("ErrorItem"), {"properties": {"path": _const(""), "code": _const(_R0)}}]}
    errors: Json = {"type": "array", "items": schema_ref("ErrorItem"), "minItems": 1, "maxItems": MAX_ERRORS}
    return {
        "ErrorItem": item,
        "Valid": _object(valid=_const(value=True), **versions, normalizedRui=rui),
        "Invalid": _object(valid=_const(value=False), **versions, errors=errors, truncated={"type": "boolean"}),
        "TransportFailure": _object(
            valid=_const(value=False), errors={"type": "array", "items": invalid_json, "minItems": 1, "maxItems": 1}
        ),
        "SavedSpec": _object(
            specId={"type": "string", "format": "uuid", "pattern": UUID_PATTERN},
            url={"type": "string", "format": "uri"},
            viewUrl={"type": "string", "format": "uri"},
            createdAt={"type": "string", "format": "date-time"},
            contentHash={"type": "string", "pattern": "^sha256:[0-9a-f]{64}$"},
            **versions,
            normalizedRui=rui,
        ),
        "NoSuchSpec": _object(error=_const("NOT_FOUND"), specId={"type": "string", "pattern": UUID_PATTERN}),
        "NotFound": _error("NOT_FOUND"),
        "InvalidSpecId": _error("INVALID_SPEC_ID"),
        "StorageUnavailable": _error("STORAGE_UNAVAILABLE"),
        "BadRequest": _error("BAD_REQUEST"),
        "InternalError": _error("INTERNAL_ERROR"),
        "Overloaded": _error("OVERLOADED"),
        "Health": _object(status=_const("ok")),
        "Ready": _object(status=_const("ready")),
    }


def _object(**properties: Json) -> Json:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def _error(error: str) -> Json:
    return _object(error=_const(error), message={"type": "string"})


def _const(value: object) -> Json:
    return {"const": value}


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
