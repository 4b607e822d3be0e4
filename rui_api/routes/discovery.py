"""What the service says about itself (specification, section 4.5; docs/decisions.md, section 6).

All of it changes with a new version of the service and not before: every answer has an `ETag`, and whoever has it
already is told so.
"""

from __future__ import annotations

from functools import cache
from hashlib import sha256

from litestar import route

from rui_api.http.error_responses import bad_request, not_found
from rui_api.http.negotiation import names_entity_tag, prefers_markdown
from rui_api.http.responses import Response, to_json
from rui_api.http.urls import base_url
from rui_api.openapi.document import openapi_document
from rui_api.routes.html import AnyRequest
from rui_common.describe import vocabulary_payload
from rui_common.http_contract.docs_json import docs_payload
from rui_common.http_contract.docs_page import docs_markdown
from rui_common.http_contract.endpoints import (
    COMPACT,
    ENDPOINTS,
    FORMS,
    FULL,
    JSON,
    MARKDOWN,
    TEXT,
)
from rui_common.http_contract.llms_txt import llms_txt
from rui_common.http_contract.schema_slices import (
    UNKNOWN_FORM,
    UnknownShapeError,
    compact_payload,
    compact_slice,
    slice_payload,
)

SCHEMA = "/api/schema"
SCHEMA_QUERY = [parameter.name for route in ENDPOINTS if route.path == SCHEMA for parameter in route.query]
"""The parameters that there are."""

CHECK_AGAIN = "no-cache"
"""A copy may be kept, and is asked about before it is used."""


@route("/llms.txt", http_method=["GET", "HEAD"])
async def introduce(request: AnyRequest) -> Response:
    """Where an agent begins."""
    return _tagged(request, llms_txt(base_url(request)).encode(), TEXT)


@route("/api/docs", http_method=["GET", "HEAD"])
async def describe_docs(request: AnyRequest) -> Response:
    """Workflow, endpoints and the catalogue of errors, as JSON, or as Markdown for whoever asks for that."""
    address = base_url(request)
    vary = {"vary": "Accept"}
    if prefers_markdown(", ".join(request.headers.getall("accept", []))):
        return _tagged(request, docs_markdown(address).encode(), MARKDOWN, vary)
    return _tagged(request, to_json(docs_payload(address)), JSON, vary)


@route(SCHEMA, http_method=["GET", "HEAD"])
async def describe_schema(request: AnyRequest) -> Response:
    """The vocabulary: all of it, in few words, or some shapes."""
    strange = [name for name in request.query_params if name not in SCHEMA_QUERY]
    if strange:
        return bad_request(f"There is no such parameter here; there are {', '.join(SCHEMA_QUERY)}.")
    wanted = tuple(name for value in request.query_params.getall("type", []) for name in value.split(","))
    form = request.query_params.get("form", FULL)
    if form not in FORMS:
        return bad_request(UNKNOWN_FORM)
    try:
        return _tagged(request, _part(wanted, form) if wanted else _vocabulary(form))
    except UnknownShapeError as unknown:
        return not_found(str(unknown))


@route("/api/openapi.json", http_method=["GET", "HEAD"])
async def openapi(request: AnyRequest) -> Response:
    """This service in OpenAPI 3.1."""
    return _tagged(request, to_json(openapi_document(base_url(request))))


def _tagged(
    request: AnyRequest, content: bytes, media_type: str = JSON, headers: dict[str, str] | None = None
) -> Response:
    """The answer with its strong entity tag, or 304 if the request names that."""
    tag = f'"{sha256(content).hexdigest()[:32]}"'
    headers = {**(headers or {}), "etag": tag, "cache-control": CHECK_AGAIN}
    if names_entity_tag(request.headers.getall("if-none-match", []), tag):
        return Response(status=304, headers=headers)
    return Response(content, media_type=media_type, headers=headers)


@cache
def _vocabulary(form: str) -> bytes:
    return to_json(compact_payload() if form == COMPACT else vocabulary_payload())


def _part(wanted: tuple[str, ...], form: str) -> bytes:
    return to_json(compact_slice(wanted) if form == COMPACT else slice_payload(wanted))
