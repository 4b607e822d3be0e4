"""DATA: the JSON bodies of responses. Documentation and OpenAPI derive notation and schema from them."""

import json
from typing import NamedTuple

from rui_api.contract.errors import GONE, INVALID_JSON, NOT_FOUND, ErrorSpec
from rui_common.json_values import JsonObject
from rui_common.problems.lints import WARNINGS
from rui_common.versions.changes import MAX_LINES
from rui_common.vocabulary.rui_0_1 import VOCABULARY
from rui_common.vocabulary.rules import MAX_ERRORS, MAX_WARNINGS, MESSAGES

UUID_PATTERN = r"^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$"

SPEC_ID = "4be0643f-1d98-473b-97cd-ca98a65347dd"  # the id of the spec in examples


def schema_ref(name: str) -> JsonObject:
    """Return a reference to a component schema of the OpenAPI document."""
    return {"$ref": f"#/components/schemas/{name}"}


class FieldType(NamedTuple):
    """The type of a field: in the notation of the specification, and as JSON Schema; and whether it may be absent."""

    notation: str
    schema: JsonObject
    is_optional: bool = False


class Body:
    """An object of certain fields, in the notation of the specification and as JSON Schema.

    A later version may add fields, which clients that are generated from the schema have to ignore.
    """

    def __init__(self, name: str, example: JsonObject | None = None, /, **fields: FieldType) -> None:
        self.name = name  # the name of its schema
        # an example, or None if it depends on the service (see `rui_api.contract.example_bodies`)
        self.example = example
        listed = ", ".join(f"{field}{'?' * type_.is_optional}: {type_.notation}" for field, type_ in fields.items())
        self.notation = f"{{ {listed} }}"
        self.schema: JsonObject = {
            "type": "object",
            "properties": {field: type_.schema for field, type_ in fields.items()},
            "required": [field for field, type_ in fields.items() if not type_.is_optional],
        }


def text(**keywords: object) -> FieldType:
    """Return the type of strings with these keywords of JSON Schema."""
    return FieldType("string", {"type": "string", **keywords})


def literal(value: object) -> FieldType:
    """Return the type of a single value."""
    return FieldType(json.dumps(value), {"const": value})


def items(notation: str, schema: JsonObject, max_items: int, *, min_items: int = 1) -> FieldType:
    """Return the type of arrays of `min_items` to `max_items` elements."""
    return FieldType(notation, {"type": "array", "items": schema, "minItems": min_items, "maxItems": max_items})


def error_body(error: ErrorSpec) -> Body:
    """Return the body ``{error, message}``. Its schema has the name of the error: NotFound for NOT_FOUND."""
    example: JsonObject = {"error": error.code, "message": error.message.format(method="POST", id="1f0c5a6e-000001")}
    return Body(error.code.title().replace("_", ""), example, error=literal(error.code), message=text())


def _without_spec(name: str, error: ErrorSpec) -> Body:
    code = error.code
    return Body(name, {"error": code, "specId": SPEC_ID}, error=literal(code), specId=text(pattern=UUID_PATTERN))


def _status(name: str, status: str) -> Body:
    return Body(name, {"status": status}, status=literal(status))


_VERSIONS = {"validationVersion": text(), "registryVersion": text()}
RUI_SCHEMA = schema_ref(VOCABULARY.root.name)
_RUI = FieldType("object", RUI_SCHEMA)

ERROR_ITEM = Body(
    "ErrorItem", path=text(), code=FieldType("string", {"enum": list(MESSAGES)}), message=text(), hint=text()
)
_ITEM_OF_R0 = Body("", path=literal(""), code=literal(INVALID_JSON.code), message=text(), hint=text())
WARNING_ITEM = Body(
    "WarningItem",
    path=text(),
    code=FieldType("string", {"enum": [code for code, warning in WARNINGS.items() if warning.is_in_answers]}),
    message=text(),
    hint=text(),
)
_BOOLEAN = FieldType("boolean", {"type": "boolean"})
_WARNINGS = {
    "warnings": items(f"{WARNING_ITEM.name}[]", schema_ref(WARNING_ITEM.name), MAX_WARNINGS, min_items=0)._replace(
        is_optional=True
    ),
    "warningsTruncated": _BOOLEAN._replace(is_optional=True),
}
"""Fields of the responses to requests with ``?warnings=true``."""

FIX_SKIPPED = "The service had no time to fix the document. Without that, this answer is complete."

APPLIED_FIX = Body("AppliedFix", path=text(), code=FieldType("string", {"enum": list(MESSAGES)}), title=text())
FIXED = Body(
    "Fixed",
    rui=FieldType("object", {"type": "object"}),
    applied=items(f"{APPLIED_FIX.name}[]", schema_ref(APPLIED_FIX.name), MAX_ERRORS),
    errors=items(f"{ERROR_ITEM.name}[]", schema_ref(ERROR_ITEM.name), MAX_ERRORS, min_items=0),
)
_FIXES = {
    "fixed": FieldType(FIXED.notation, schema_ref(FIXED.name), is_optional=True),
    "fixSkipped": text()._replace(is_optional=True),
}
"""Fields of the responses to requests with ``?fix=true``."""

_KEPT = {"kept": FieldType("integer", {"type": "integer", "minimum": 0}, is_optional=True)}
_CHANGES = {
    **_KEPT,
    "changes": items("string[]", {"type": "string"}, MAX_LINES, min_items=0)._replace(is_optional=True),
}
"""Fields of the responses to requests with a base."""

VALID = Body("Valid", valid=literal(True), **_VERSIONS, normalizedRui=_RUI, **_WARNINGS, **_CHANGES)
INVALID = Body(
    "Invalid",
    valid=literal(False),
    **_VERSIONS,
    errors=items(f"{ERROR_ITEM.name}[]", schema_ref(ERROR_ITEM.name), MAX_ERRORS),
    truncated=_BOOLEAN,
    **_WARNINGS,
    **_KEPT,
    **_FIXES,
)
TRANSPORT_FAILURE = Body(
    "TransportFailure",
    valid=literal(False),
    errors=items(f"[{_ITEM_OF_R0.notation}]", _ITEM_OF_R0.schema, 1),
    **_FIXES,
)
SAVED_SPEC = Body(
    "SavedSpec",
    specId=text(format="uuid", pattern=UUID_PATTERN),
    url=text(format="uri"),
    viewUrl=text(format="uri"),
    createdAt=text(format="date-time"),
    contentHash=text(pattern="^sha256:[0-9a-f]{64}$"),
    **_VERSIONS,
    normalizedRui=_RUI,
    **_WARNINGS,
    **_CHANGES,
)
NO_SUCH_SPEC = _without_spec("NoSuchSpec", NOT_FOUND)
DELETED_SPEC = _without_spec("DeletedSpec", GONE)
HEALTHY = _status("Health", "ok")
READY = _status("Ready", "ready")
