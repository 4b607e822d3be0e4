"""The OpenAPI 3.1 document of the service, generated from the table of endpoints and the vocabulary.

Paths, statuses, media types and examples are in `rui_api.contract.endpoints`; the schemas of
the bodies in `rui_api.contract.bodies`. The tests compare every response of theirs with this document.
"""

import json
from collections.abc import Mapping, Sequence

from rui_api.contract.bodies import schema_ref
from rui_api.contract.endpoints import (
    ANY_ENDPOINT,
    API_PREFIX,
    BODIES,
    ENDPOINTS,
    ERROR_PAGES,
    JSON,
    OF_PROXIES,
    Endpoint,
    ResponseSpec,
)
from rui_api.contract.example_bodies import response_examples
from rui_common.describe import json_schema
from rui_common.describe.examples import full_example, minimal_example
from rui_common.json_values import JsonObject
from rui_common.version import RUI_VERSION

TEXT: JsonObject = {"type": "string"}
UNUSED_STATUSES = (204, 404, 405)
"""Statuses of `ANY_ENDPOINT` that described operations do not have: those of OPTIONS, other paths and other methods."""
COMMON = [response for response in ANY_ENDPOINT if response.status not in UNUSED_STATUSES]
"""Responses of every described operation."""
COMMON_PAGES = [response for response in ERROR_PAGES if response.status not in UNUSED_STATUSES]
"""Further ones of operations outside of the API, see `rui_api.routes.html.error_page`."""

HEADERS = {
    "X-Request-ID": "The id of the request in the service's log: your X-Request-ID, if valid.",
    "Location": "The `url` of the stored spec.",
    "ETag": "Identifies the content at `url`, or at this path: for If-None-Match.",
    "Retry-After": "Seconds after which to try again.",
}
"""Response headers and their meaning."""

_SPEC_ID: JsonObject = {"type": "string", "format": "uuid"}
_ID: JsonObject = {
    "name": "id",
    "in": "path",
    "required": True,
    "description": "The UUID of a stored spec, in its canonical form; capitals are allowed.",
    "schema": _SPEC_ID,
}
_RUI: JsonObject = {
    # Any object: the endpoints are there to say what is wrong with one that is no RUI, or is a part of a new version.
    "schema": {"type": "object", "description": "A RUI, valid or not. The schema RUI describes a valid one."},
    "examples": {"minimal": {"value": minimal_example()}, "full": {"value": full_example()}},
}


def openapi_document(base_url: str) -> JsonObject:
    """Return the description of the whole service, whose base URL has no slash at the end."""
    examples = response_examples(base_url)
    paths: dict[str, JsonObject] = {}
    for endpoint in ENDPOINTS:
        item = paths.setdefault(endpoint.path.replace(":id", "{id}"), {})
        item[endpoint.method.lower()] = _operation(endpoint, examples)
    general_errors = " ".join(f"{response.status}: {response.when}" for response in (*ANY_ENDPOINT, *OF_PROXIES))
    shapes = json.dumps(json_schema()["$defs"]).replace('"#/$defs/', '"#/components/schemas/')
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "RUI Validation and Storage Service",
            "version": RUI_VERSION,
            "description": "Validates, normalizes and stores RUIs, and shows them to people. No authentication. "
            f"{general_errors} "
            f"Outside of {API_PREFIX}, errors are pages if `Accept` prefers text/html to JSON, as in browsers.",
        },
        "servers": [{"url": base_url}],
        "paths": paths,
        "components": {"schemas": {**{body.name: body.schema for body in BODIES}, **json.loads(shapes)}},
    }


def _operation(endpoint: Endpoint, examples: Mapping[str, JsonObject]) -> JsonObject:
    by_status: dict[int, list[ResponseSpec]] = {}
    common = COMMON if endpoint.path.startswith(API_PREFIX) else [*COMMON, *COMMON_PAGES]
    for response in (*endpoint.responses, *common, *OF_PROXIES):
        by_status.setdefault(response.status, []).append(response)
    parameters: list[JsonObject] = [
        {
            "name": parameter.name,
            "in": "query",
            "description": parameter.description,
            "schema": {**TEXT, "enum": list(parameter.values)} if parameter.values else _SPEC_ID,
        }
        for parameter in endpoint.query
    ]
    if ":id" in endpoint.path:
        parameters.append(_ID)
    has_etag = 304 in by_status
    if has_etag:
        description = "The `ETag` of the response that you have."
        parameters.append({"name": "If-None-Match", "in": "header", "description": description, "schema": TEXT})
    words = [word.strip(":").partition(".")[0].capitalize() for word in endpoint.path.split("/")]
    operation: JsonObject = {
        "operationId": endpoint.method.lower() + "".join(words),
        "summary": endpoint.summary,
        "parameters": parameters,
        "responses": {
            str(status): {
                "description": " Or: ".join(dict.fromkeys(response.when for response in responses)),
                "headers": _headers(status, responses, has_etag=has_etag),
                "content": _contents(responses, examples),
            }
            for status, responses in by_status.items()
        },
    }
    if endpoint.method == "POST":
        operation["requestBody"] = {"required": True, "description": endpoint.request, "content": {JSON: _RUI}}
    return operation


def _headers(status: int, responses: Sequence[ResponseSpec], *, has_etag: bool) -> JsonObject:
    """Return the descriptions of the headers in `HEADERS` that responses of a status have."""
    names = ["X-Request-ID"]
    if status == 201:
        names.append("Location")
    if status == 201 or (has_etag and status in (200, 304)):
        names.append("ETag")
    waits = {response.has_retry_after for response in responses if not isinstance(response.body, str)}
    if True in waits:
        names.append("Retry-After")
    optional = {"Retry-After"} if False in waits else set()
    return {name: {"description": HEADERS[name], "required": name not in optional, "schema": TEXT} for name in names}


def _contents(responses: Sequence[ResponseSpec], examples: Mapping[str, JsonObject]) -> JsonObject:
    """Return the bodies of a status by their media types."""
    by_type: dict[str, list[ResponseSpec]] = {}
    for response in responses:
        if response.media_type:
            by_type.setdefault(response.media_type, []).append(response)
    return {name.partition(";")[0]: _content(name, described, examples) for name, described in by_type.items()}


def _content(media_type: str, responses: Sequence[ResponseSpec], examples: Mapping[str, JsonObject]) -> JsonObject:
    if media_type != JSON:
        return {"schema": TEXT}
    names = dict.fromkeys(response.body.name for response in responses if not isinstance(response.body, str))
    if not names:
        return {"schema": {"type": "object"}}
    schemas = [schema_ref(name) for name in names]
    values = {name: {"value": examples[name]} for name in names}
    return {"schema": schemas[0] if len(schemas) == 1 else {"oneOf": schemas}, "examples": values}
