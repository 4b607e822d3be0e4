"""The documentation that the service serves (specification, section 4.5; docs/decisions.md, section 6).

All of it changes only with a new version of the service, so every response has an entity tag.
"""

from __future__ import annotations

from functools import cache

from litestar import Response, route

from rui_api.http.errors import bad_request, not_found
from rui_api.http.requests import prefers
from rui_api.http.responses import conditional, to_json
from rui_api.openapi.document import openapi_document
from rui_api.routes.dependencies import GET, AnyRequest, SiteDependency
from rui_common.describe import vocabulary_payload
from rui_common.describe.structured_schema import structured_schema
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
)
from rui_common.http_contract.llms_txt import llms_txt
from rui_common.http_contract.schema_slices import (
    STRUCTURED_SLICE,
    UNKNOWN_FORM,
    UnknownShapeError,
    compact_payload,
    compact_slice,
    slice_payload,
)

SCHEMA = "/api/schema"
SCHEMA_PARAMETERS = [parameter.name for route in ENDPOINTS if route.path == SCHEMA for parameter in route.query]


@route("/llms.txt", http_method=GET)
async def get_llms_txt(request: AnyRequest, site: SiteDependency) -> Response[bytes]:
    """Send the entry page for agents, in the format of llmstxt.org."""
    return conditional(request, llms_txt(site.base_url).encode(), site.cache_control, TEXT)


@route("/api/docs", http_method=GET)
async def get_docs(request: AnyRequest, site: SiteDependency) -> Response[bytes]:
    """Send workflow, endpoints and error catalogue as JSON, or as Markdown if Accept prefers that."""
    content = to_json(docs_payload(site.base_url))
    media_type = JSON
    if prefers(request, "text/markdown"):
        content = docs_markdown(site.base_url).encode()
        media_type = MARKDOWN
    return conditional(request, content, site.cache_control, media_type, {"vary": "Accept"})


@route(SCHEMA, http_method=GET)
async def get_schema(request: AnyRequest, site: SiteDependency) -> Response[bytes]:
    """Send the vocabulary: all of it or some shapes in the full or the compact form, or its structured form."""
    if any(name not in SCHEMA_PARAMETERS for name in request.query_params):
        raise bad_request(f"There is no such parameter here; there are {', '.join(SCHEMA_PARAMETERS)}.")
    names = tuple(name for value in request.query_params.getall("type", []) for name in value.split(","))
    form = request.query_params.get("form", FULL)
    if form not in FORMS:
        raise bad_request(UNKNOWN_FORM)
    if names and form == STRUCTURED:
        raise not_found(STRUCTURED_SLICE)
    try:
        content = _schema_slice(names, form) if names else _whole_schema(form)
    except UnknownShapeError as error:
        raise not_found(str(error)) from None
    return conditional(request, content, site.cache_control)


@route("/api/openapi.json", http_method=GET)
async def get_openapi(request: AnyRequest, site: SiteDependency) -> Response[bytes]:
    """Send the OpenAPI document.

    Litestar would generate one of its handlers; this one comes from the contract, with an example for every rule.
    """
    return conditional(request, to_json(openapi_document(site.base_url)), site.cache_control)


@cache
def _whole_schema(form: str) -> bytes:
    if form == COMPACT:
        return to_json(compact_payload())
    if form == STRUCTURED:
        return to_json(structured_schema())
    return to_json(vocabulary_payload())


def _schema_slice(names: tuple[str, ...], form: str) -> bytes:
    return to_json(compact_slice(names) if form == COMPACT else slice_payload(names))
