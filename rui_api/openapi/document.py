"""The OpenAPI 3.1 document of the service, generated from the table of endpoints and the vocabulary.

Paths, statuses, media types and examples are in `rui_common.http_contract.endpoints`; the schemas of
the bodies in `rui_common.http_contract.bodies`. The tests compare every response of theirs with this document.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from rui_common.describe import json_schema
from rui_common.describe.examples import full_example, minimal_example
from rui_common.http_contract.bodies import BODIES, schema_ref
from rui_common.http_contract.endpoints import (
    ANY_ENDPOINT,
    API_PREFIX,
    ENDPOINTS,
    ERROR_PAGES,
    HTML,
    JSON,
    Endpoint,
    Parameter,
    ResponseSpec,
)
from rui_common.http_contract.example_bodies import response_examples
from rui_common.vocabulary.rui_0_1 import VERSION, VOCABULARY

Json = dict[str, object]

UNUSED_STATUSES = (204, 404, 405)
"""Statuses of `ANY_ENDPOINT` that described operations do not have: those of OPTIONS, other paths and other methods."""
PAGE_STATUSES = tuple(response.status for response in ERROR_PAGES if response.status not in UNUSED_STATUSES)
"""Statuses of described operations that are pages outside of the API, see `rui_api.routes.html.as_html_error`."""


HEADERS = {
    "X-Request-ID": "The id of the request in the service's log: your X-Request-ID, if valid.",
    "Location": "The URL to go to; of a stored spec, its `url`.",
    "ETag": "Identifies the content at `url`, or at this path: for If-None-Match.",
    "Retry-After": "Seconds after which to try again.",
}
"""Response headers and their meaning."""

_ID_PARAMETER: Json = {
    "name": "id",
    "in": "path",
    "required": True,
    "description": "The UUID of a stored spec, in its canonical form; capitals are allowed.",
    "schema": {"type": "string", "format": "uuid"},
}

_IF_NONE_MATCH: Json = {
    "name": "If-None-Match",
    "in": "header",
    "required": False,
    "description": "The `ETag` of the response that you have.",
    "schema": {"type": "string"},
}

_LINKS: dict[str, Json] = {
    "spec": {"operationId": "getApiSpecsId", "parameters": {"id": "$response.body#/specId"}},
    "specIfChanged": {
        "operationId": "getApiSpecsId",
        "parameters": {"path.id": "$response.body#/specId", "header.If-None-Match": "$response.header.ETag"},
    },
    "page": {"operationId": "getSpecsId", "parameters": {"id": "$response.body#/specId"}},
}
"""Operations on a stored spec."""

_RUI: Json = {
    "schema": schema_ref(VOCABULARY.root.name),
    "examples": {"minimal": {"value": minimal_example()}, "full": {"value": full_example()}},
}


def openapi_document(base_url: str) -> Json:
    """Return the description of the whole service, whose base URL has no slash at the end."""
    paths: dict[str, Json] = {}
    for endpoint in ENDPOINTS:
        item = paths.setdefault(endpoint.path.replace(":id", "{id}"), {})
        item[endpoint.method.lower()] = _operation(endpoint, base_url)
        if ":id" in endpoint.path:
            item["parameters"] = [_ID_PARAMETER]
    general_errors = " ".join(f"{response.status}: {response.when}" for response in ANY_ENDPOINT)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "RUI Validation and Storage Service",
            "version": VERSION,
            "description": "Validates, normalizes and stores RUIs, and shows them to people. No authentication. "
            f"{general_errors} "
            f"Outside of {API_PREFIX}, errors are pages if `Accept` prefers text/html to JSON, as in browsers.",
        },
        "servers": [{"url": base_url}],
        "paths": paths,
        "components": {"schemas": {**{body.name: body.schema for body in BODIES}, **_vocabulary_schemas()}},
    }


def _vocabulary_schemas() -> Json:
    """Return the definitions of the JSON Schema of a RUI as components."""
    text = json.dumps(json_schema()["$defs"]).replace('"#/$defs/', '"#/components/schemas/')
    schemas: Json = json.loads(text)
    return schemas


def _operation(endpoint: Endpoint, base_url: str) -> Json:
    operation: Json = {"summary": endpoint.summary, "operationId": _operation_id(endpoint)}
    if endpoint.method == "POST":
        operation["requestBody"] = {
            "required": True,
            "description": endpoint.request,
            "content": {JSON: _RUI},
        }
    parameters = [_query_parameter(parameter) for parameter in endpoint.query]
    if _has_not_modified(endpoint):
        parameters.append(_IF_NONE_MATCH)
    if parameters:
        operation["parameters"] = parameters
    examples = response_examples(base_url)
    by_status: dict[int, list[ResponseSpec]] = {}
    for response in _responses_of(endpoint):
        by_status.setdefault(response.status, []).append(response)
    operation["responses"] = {
        str(status): _response(endpoint, responses, examples) for status, responses in by_status.items()
    }
    return operation


def _operation_id(endpoint: Endpoint) -> str:
    words = [part.strip(":").partition(".")[0] for part in endpoint.path.split("/")]
    return endpoint.method.lower() + "".join(word.capitalize() for word in words)


def _query_parameter(parameter: Parameter) -> Json:
    return {
        "name": parameter.name,
        "in": "query",
        "required": False,
        "description": parameter.description,
        "schema": {"type": "string", "enum": list(parameter.values)},
    }


def _has_not_modified(endpoint: Endpoint) -> bool:
    return any(response.status == 304 for response in endpoint.responses)


def _responses_of(endpoint: Endpoint) -> list[ResponseSpec]:
    """Return the responses of an endpoint, including those of any endpoint."""
    responses = [*endpoint.responses]
    responses += [response for response in ANY_ENDPOINT if response.status not in UNUSED_STATUSES]
    if not endpoint.path.startswith(API_PREFIX):
        pages = {response.status for response in endpoint.responses if response.media_type == HTML}
        responses += [
            response for response in ERROR_PAGES if response.status in PAGE_STATUSES and response.status not in pages
        ]
    return responses


def _response(endpoint: Endpoint, responses: Sequence[ResponseSpec], examples: Mapping[str, Json]) -> Json:
    """Return the description of one status, which may have several bodies."""
    description: Json = {"description": " Or: ".join(response.when for response in responses)}
    description["headers"] = {
        name: {"description": HEADERS[name], "required": True, "schema": {"type": "string"}}
        for name in _header_names(endpoint, responses[0].status)
    }
    content: dict[str, Json] = {}
    for media_type in dict.fromkeys(response.media_type for response in responses if response.media_type):
        with_type = [response for response in responses if response.media_type == media_type]
        content[media_type.partition(";")[0]] = _content(media_type, with_type, examples)
    if content:
        description["content"] = content
    if endpoint.method == "POST" and responses[0].status == 201:
        description["links"] = _LINKS
    return description


def _header_names(endpoint: Endpoint, status: int) -> list[str]:
    """Return the headers in `HEADERS` that responses of a status have."""
    has_etag = status == 201 or (status in (200, 304) and _has_not_modified(endpoint))
    conditions = {
        "X-Request-ID": True, "Location": status == 201, "ETag": has_etag, "Retry-After": status == 503,
    }  # fmt: skip
    return [name for name, is_present in conditions.items() if is_present]


def _content(media_type: str, responses: Sequence[ResponseSpec], examples: Mapping[str, Json]) -> Json:
    if media_type != JSON:
        return {"schema": {"type": "string"}}
    names = dict.fromkeys(response.body.name for response in responses if not isinstance(response.body, str))
    if not names:
        return {"schema": {"type": "object"}}
    schemas = [schema_ref(name) for name in names]
    values = {name: {"value": examples[name]} for name in names}
    return {"schema": schemas[0] if len(schemas) == 1 else {"oneOf": schemas}, "examples": values}
