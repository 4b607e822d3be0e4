"""The documentation that the service serves (specification, section 4.5; docs/decisions.md, section 6).

All of it changes only with a new version of the service, so every response has an entity tag.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from litestar import route

from rui_api.http.error_responses import bad_request
from rui_api.http.etags import conditional_response, entity_tag
from rui_api.http.negotiation import MARKDOWN as MARKDOWN_TYPE
from rui_api.http.negotiation import prefers
from rui_api.http.responses import Response, to_json
from rui_api.http.urls import base_url
from rui_api.openapi.document import openapi_document
from rui_api.routes.html import AnyRequest
from rui_common.describe import vocabulary_payload
from rui_common.describe.structured_schema import structured_schema
from rui_common.http_contract.compact_form import compact_payload
from rui_common.http_contract.docs_json import docs_payload
from rui_common.http_contract.docs_page import docs_markdown
from rui_common.http_contract.endpoints import (
    COMPACT,
    ENDPOINTS,
    FORMS,
    FULL,
    JSON,
    MARKDOWN,
    STRUCTURED,
    TEXT,
    UNKNOWN_FORM,
)
from rui_common.http_contract.llms_txt import llms_txt

SCHEMA = "/api/schema"
SCHEMA_PARAMETERS = [parameter.name for route in ENDPOINTS if route.path == SCHEMA for parameter in route.query]


@route("/llms.txt", http_method=["GET", "HEAD"])
async def get_llms_txt(request: AnyRequest) -> Response:
    """Send the entry page for agents, in the format of llmstxt.org."""
    return _cacheable(request, llms_txt(base_url(request)).encode(), TEXT)


@route("/api/docs", http_method=["GET", "HEAD"])
async def get_docs(request: AnyRequest) -> Response:
    """Send workflow, endpoints and error catalogue as JSON, or as Markdown if Accept prefers that."""
    url = base_url(request)
    vary = {"vary": "Accept"}
    if prefers(", ".join(request.headers.getall("accept", [])), MARKDOWN_TYPE):
        return _cacheable(request, docs_markdown(url).encode(), MARKDOWN, vary)
    return _cacheable(request, to_json(docs_payload(url)), JSON, vary)


@route(SCHEMA, http_method=["GET", "HEAD"])
async def get_schema(request: AnyRequest) -> Response:
    """Send the vocabulary in one of its forms."""
    if any(name not in SCHEMA_PARAMETERS for name in request.query_params):
        return bad_request(f"There is no such parameter here, only {', '.join(SCHEMA_PARAMETERS)}.")
    form = request.query_params.get("form", FULL)
    if form not in FORMS:
        return bad_request(UNKNOWN_FORM)
    return _cacheable(request, _schema(form))


@route("/api/openapi.json", http_method=["GET", "HEAD"])
async def get_openapi(request: AnyRequest) -> Response:
    """Send the OpenAPI document.

    Litestar would generate one of its handlers; this one comes from the contract, with an example for every rule.
    """
    return _cacheable(request, to_json(openapi_document(base_url(request))))


def _cacheable(
    request: AnyRequest, content: bytes, media_type: str = JSON, headers: Mapping[str, str] | None = None
) -> Response:
    def create() -> Response:
        return Response(content, media_type=media_type)

    response = conditional_response(request.scope, entity_tag(content), request.app.state.cache_control, create)
    response.headers = {**response.headers, **(headers or {})}
    return response


@cache
def _schema(form: str) -> bytes:
    if form == COMPACT:
        return to_json(compact_payload())
    if form == STRUCTURED:
        return to_json(structured_schema())
    return to_json(vocabulary_payload())
