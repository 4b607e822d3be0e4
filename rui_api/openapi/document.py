"""The service in OpenAPI 3.1, made from the table of endpoints and the vocabulary.

Paths, statuses, media types and examples stand in `rui_common.http_contract.endpoints`; here are the schemas of the
bodies, by the names that the examples have there. The tests hold every answer of theirs against this document.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from rui_api.http.urls import API
from rui_api.openapi.examples import example_components, failures, requests
from rui_common.describe import json_schema
from rui_common.http_contract.endpoints import (
    ANY_ENDPOINT,
    ENDPOINTS,
    HTML,
    JSON,
    MARKDOWN,
    OPTIONS,
    Endpoint,
    Parameter,
    ResponseSpec,
)
from rui_common.http_contract.example_bodies import response_examples
from rui_common.vocabulary.rui_0_1 import VERSION, VOCABULARY
from rui_common.vocabulary.rules import MAX_ERRORS, MESSAGES, RULES

if TYPE_CHECKING:
    Json = dict[str, object]

UUID_FORM = r"^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$"
PARAMETER = re.compile(r":(\w+)")
"""A parameter in a path: always the UUID of a spec."""
NOT_BY_ITSELF = (204, 404, 405)
"""Statuses of `ANY_ENDPOINT` that no other described operation gives: they are for OPTIONS, other paths and methods."""
AS_PAGES = (400, 500)
"""Statuses of `ANY_ENDPOINT` that are pages where people go, see `rui_api.routes.html.for_people`."""

SCHEMA_OF = {
    "valid": "Valid", "invalid": "Invalid", "noJson": "TransportFailure", "saved": "SavedSpec",
    "noSuchSpec": "NoSuchSpec", "noSuchShape": "NotFound", "noSuchForm": "BadRequest", "invalidSpecId": "InvalidSpecId",
    "storeDown": "StorageUnavailable",
    "badRequest": "BadRequest", "internalError": "InternalError",
    "overloaded": "Overloaded", "healthy": "Health", "ready": "Ready",
}  # fmt: skip
"""The schema of every body that the table of endpoints has an example of."""

HEADERS: dict[str, tuple[str, str]] = {
    "RequestId": ("X-Request-ID", "What the answer is called in the service's log: your own X-Request-ID, if sane."),
    "Location": ("Location", "Where to go on; of a stored spec, its `url`."),
    "EntityTag": ("ETag", "Names what `url`, or this address, answers: for If-None-Match."),
    "CacheControl": ("Cache-Control", "Keep it, and ask again with If-None-Match before you use it."),
    "Vary": ("Vary", "The header of the request that the answer depends on."),
    "RetryAfter": ("Retry-After", "Seconds after which to ask again."),
    "Allow": ("Allow", "The methods, with commas between them."),
}
"""Headers of answers, by the name of their component: what they are called, and what they say."""
SOMETIMES = ("CacheControl", "Vary")
"""Those that some answers of a status have, and others have not."""


def openapi_document(base_url: str) -> Json:
    """The description of the whole service.

    Args:
        base_url: how clients reach it, without a slash at its end.
    """
    paths: dict[str, Json] = {}
    for route in ENDPOINTS:
        item = paths.setdefault(PARAMETER.sub(r"{\1}", route.path), {})
        item[route.method.lower()] = _operation(route, base_url)
        if route.method == "GET":
            item["head"] = _head_of(_operation(route, base_url))
        names = PARAMETER.findall(route.path)
        options = _operation(Endpoint("OPTIONS", route.path, "The methods of this path.", OPTIONS), base_url)
        item["options"] = options
        if names:
            item["parameters"] = [_ID_PARAMETER | {"name": name} for name in names]
            options["parameters"] = [_ANYTHING | {"name": name} for name in names]
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "RUI Validation and Storage Service",
            "version": VERSION,
            "description": "Validates, normalizes and stores RUIs, and shows them to people. No authentication. "
            f"{' '.join(f'{a.status}: {a.when}' for a in ANY_ENDPOINT)} Outside of {API}, 404 and 405 are "
            "pages, too, if `Accept` asks for text/html rather than JSON.",
        },
        "servers": [{"url": base_url}],
        "paths": paths,
        "components": {
            "schemas": {**_bodies(), **_vocabulary()},
            "examples": example_components(),
            "headers": _header_components(),
        },
    }


_ID_PARAMETER: Json = {
    "name": "id", "in": "path", "required": True,
    "description": "The UUID of a stored spec, in its canonical form; capitals are allowed.",
    "schema": {"type": "string", "format": "uuid"},
}  # fmt: skip

_ANYTHING: Json = _ID_PARAMETER | {"description": "Anything: ids are not looked at.", "schema": {"type": "string"}}

_IF_NONE_MATCH: Json = {
    "name": "If-None-Match", "in": "header", "required": False,
    "description": "The `ETag` of the answer that you have.", "schema": {"type": "string"},
}  # fmt: skip

_LINKS: dict[str, Json] = {
    "spec": {"operationId": "getApiSpecsId", "parameters": {"id": "$response.body#/specId"}},
    "specIfChanged": {
        "operationId": "getApiSpecsId",
        "parameters": {"path.id": "$response.body#/specId", "header.If-None-Match": "$response.header.ETag"},
    },
    "specHeaders": {"operationId": "headApiSpecsId", "parameters": {"id": "$response.body#/specId"}},
    "page": {"operationId": "getSpecsId", "parameters": {"id": "$response.body#/specId"}},
}
"""Where a stored spec leads."""

_RUI: Json = {"schema": {"$ref": f"#/components/schemas/{VOCABULARY.root.name}"}, "examples": requests()}


def _query_parameter(parameter: Parameter) -> Json:
    described: Json = {
        "name": parameter.name, "in": "query", "required": parameter.required, "description": parameter.description,
    }  # fmt: skip
    if parameter.is_list:
        return described | {"schema": {"type": "array", "items": _text(parameter), "minItems": 1}, "explode": False}
    return described | {"schema": _text(parameter)}


def _text(parameter: Parameter) -> Json:
    """What a parameter may be: where any other value counts as none, those with a meaning are examples."""
    meant: Json = {"enum" if parameter.closed else "examples": list(parameter.values)} if parameter.values else {}
    return {"type": "string", **meant, **({"format": "uuid"} if parameter.is_id else {})}


def _form(route: Endpoint) -> Json:
    return {
        "type": "object",
        "properties": {field.name: {"description": field.description, **_text(field)} for field in route.fields},
        "additionalProperties": False,
    }


def _operation(route: Endpoint, base_url: str) -> Json:
    examples = response_examples(base_url)
    operation: Json = {"summary": route.summary, "operationId": _operation_id(route)}
    if route.method == "POST":
        operation["requestBody"] = {
            "required": True,
            "description": route.request,
            "content": {route.request_media_type: {"schema": _form(route)} if route.fields else _RUI},
        }
    parameters = [_query_parameter(parameter) for parameter in route.query]
    if any(answer.status == 304 for answer in route.responses):
        parameters.append(_IF_NONE_MATCH)
    if parameters:
        operation["parameters"] = parameters
    responses: dict[str, Json] = {}
    answers = _answers(route)
    for status in dict.fromkeys(answer.status for answer in answers):
        same = [answer for answer in answers if answer.status == status]
        responses[str(status)] = _response(route, same, examples)
    return operation | {"responses": responses}


def _answers(route: Endpoint) -> list[ResponseSpec]:
    """Its own, and those that any endpoint gives."""
    found = [*route.responses, *(answer for answer in ANY_ENDPOINT if answer.status not in NOT_BY_ITSELF)]
    pages = {answer.status for answer in route.responses if answer.media_type == HTML}
    if not route.path.startswith(API):
        words = "The same as a page, if `Accept` asks for text/html rather than JSON."
        found += [ResponseSpec(status, words, "page", media_type=HTML) for status in AS_PAGES if status not in pages]
    return found


def _header_components() -> dict[str, Json]:
    return {
        name: {"description": words, "required": name not in SOMETIMES, "schema": {"type": "string"}}
        for name, (_, words) in HEADERS.items()
    }


def _operation_id(route: Endpoint) -> str:
    words = [part.strip(":").partition(".")[0] for part in (route.path.strip("/") or "front").split("/")]
    return route.method.lower() + "".join(word.capitalize() for word in words)


def _response(route: Endpoint, answers: list[ResponseSpec], examples: dict[str, Json]) -> Json:
    """One status, which may stand for several bodies."""
    response: Json = {"description": " Or: ".join(answer.when for answer in answers)}
    response["headers"] = {
        HEADERS[name][0]: {"$ref": f"#/components/headers/{name}"} for name in _headers(route, answers)
    }
    content: dict[str, Json] = {}
    for media_type in dict.fromkeys(answer.media_type for answer in answers if answer.media_type):
        content[media_type.partition(";")[0]] = _content(
            media_type, [answer.example for answer in answers if answer.media_type == media_type], examples
        )
    if content:
        response["content"] = content
    return response | ({"links": _LINKS} if (route.method, answers[0].status) == ("POST", 201) else {})


def _headers(route: Endpoint, answers: list[ResponseSpec]) -> list[str]:
    """Which of `HEADERS` the answers of one status have."""
    status, media_types = answers[0].status, {answer.media_type for answer in answers}
    tagged = status in (200, 304) and any(answer.status == 304 for answer in route.responses)
    negotiated = tagged and {JSON, MARKDOWN} <= {answer.media_type for answer in route.responses}
    found = {
        "Location": status in (201, 303),
        "EntityTag": tagged or status == 201,
        "CacheControl": tagged or HTML in media_types,
        "Vary": negotiated or (HTML in media_types and status in (400, 500)),
        "RetryAfter": status == 503,
        "Allow": status == OPTIONS.status,
    }
    return ["RequestId", *(name for name, is_there in found.items() if is_there)]


def _content(media_type: str, names: list[str], examples: dict[str, Json]) -> Json:
    if media_type != JSON:
        return {"schema": {"type": "string"}}
    named = [*dict.fromkeys(name for name in names if name)]
    if not named:
        return {"schema": {"type": "object"}}
    schemas = [_ref(name) for name in dict.fromkeys(SCHEMA_OF[name] for name in named)]
    return {
        "schema": schemas[0] if len(schemas) == 1 else {"oneOf": schemas},
        "examples": {name: {"value": examples[name]} for name in named} | (failures() if "invalid" in named else {}),
    }


def _head_of(operation: Json) -> Json:
    """The same without bodies."""
    responses = operation["responses"]
    assert isinstance(responses, dict)  # noqa: S101
    return operation | {
        "summary": f"{operation['summary']} Headers only.",
        "operationId": f"head{str(operation['operationId']).removeprefix('get')}",
        "responses": {
            status: {name: part for name, part in response.items() if name != "content"}
            for status, response in responses.items()
        },
    }


def _bodies() -> dict[str, Json]:
    text: Json = {"type": "string"}
    versions: dict[str, Json] = {"validationVersion": text, "registryVersion": text}
    rui = _ref(VOCABULARY.root.name)
    item = _object(path=text, code={"enum": list(MESSAGES)}, message=text, hint=text)
    no_json: Json = {"allOf": [_ref("ErrorItem"), {"properties": {"path": _const(""), "code": _const(_R0)}}]}
    errors: Json = {"type": "array", "items": _ref("ErrorItem"), "minItems": 1, "maxItems": MAX_ERRORS}
    return {
        "ErrorItem": item,
        "Valid": _object(valid=_const(value=True), **versions, normalizedRui=rui),
        "Invalid": _object(valid=_const(value=False), **versions, errors=errors, truncated={"type": "boolean"}),
        "TransportFailure": _object(
            valid=_const(value=False), errors={"type": "array", "items": no_json, "minItems": 1, "maxItems": 1}
        ),
        "SavedSpec": _object(
            specId={"type": "string", "format": "uuid", "pattern": UUID_FORM},
            url={"type": "string", "format": "uri"},
            viewUrl={"type": "string", "format": "uri"},
            createdAt={"type": "string", "format": "date-time"},
            contentHash={"type": "string", "pattern": "^sha256:[0-9a-f]{64}$"},
            **versions,
            normalizedRui=rui,
        ),
        "NoSuchSpec": _object(error=_const("NOT_FOUND"), specId={"type": "string", "pattern": UUID_FORM}),
        "NotFound": _fault("NOT_FOUND"),
        "InvalidSpecId": _fault("INVALID_SPEC_ID"),
        "StorageUnavailable": _fault("STORAGE_UNAVAILABLE"),
        "BadRequest": _fault("BAD_REQUEST"),
        "InternalError": _fault("INTERNAL_ERROR"),
        "Overloaded": _fault("OVERLOADED"),
        "Health": _object(status=_const("ok")),
        "Ready": _object(status=_const("ready")),
    }


_R0 = RULES["R0"].code


def _object(**properties: Json) -> Json:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def _fault(error: str) -> Json:
    return _object(error=_const(error), message={"type": "string"})


def _const(value: object) -> Json:
    return {"const": value}


def _ref(name: str) -> Json:
    return {"$ref": f"#/components/schemas/{name}"}


def _vocabulary() -> dict[str, object]:
    """The definitions of the JSON Schema of a RUI, as components."""
    moved = _move(json_schema()["$defs"])
    assert isinstance(moved, dict)  # noqa: S101
    return moved


def _move(schema: object) -> object:
    if isinstance(schema, dict):
        return {
            name: value.replace("#/$defs/", "#/components/schemas/") if name == "$ref" else _move(value)
            for name, value in schema.items()
        }
    if isinstance(schema, list):
        return [_move(element) for element in schema]
    return schema
