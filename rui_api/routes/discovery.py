"""The documentation that the service serves (specification, section 4.5; docs/decisions.md, section 6).

All of it changes only with a new version of the service, so every response has an entity tag.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from litestar import Response, route

from rui_api.http.errors import ServiceError
from rui_api.http.responses import conditional, to_json
from rui_api.openapi.document import openapi_document
from rui_api.routes.dependencies import GET, AnyRequest, SiteDependency
from rui_common.describe import vocabulary_payload
from rui_common.describe.structured_schema import structured_schema
from rui_common.http_contract.compact_form import compact_payload
from rui_common.http_contract.docs_json import docs_payload
from rui_common.http_contract.endpoints import COMPACT, ENDPOINTS, FULL, STRUCTURED, TEXT, UNKNOWN_FORM
from rui_common.http_contract.errors import BAD_REQUEST
from rui_common.http_contract.llms_txt import llms_txt

SCHEMA = "/api/schema"
SCHEMAS: dict[str, Callable[[], object]] = {
    FULL: vocabulary_payload, COMPACT: compact_payload, STRUCTURED: structured_schema,
}  # fmt: skip
SCHEMA_PARAMETERS = [parameter.name for route in ENDPOINTS if route.path == SCHEMA for parameter in route.query]


@route("/llms.txt", http_method=GET)
async def get_llms_txt(request: AnyRequest, site: SiteDependency) -> Response[bytes]:
    """Send the entry page for agents, in the format of llmstxt.org."""
    return conditional(request, llms_txt(site.base_url).encode(), site.cache_control, TEXT)


@route("/api/docs", http_method=GET)
async def get_docs(request: AnyRequest, site: SiteDependency) -> Response[bytes]:
    """Send workflow, endpoints and error catalogue."""
    return conditional(request, to_json(docs_payload(site.base_url)), site.cache_control)


@route(SCHEMA, http_method=GET)
async def get_schema(request: AnyRequest, site: SiteDependency) -> Response[bytes]:
    """Send the vocabulary in one of its forms."""
    if any(name not in SCHEMA_PARAMETERS for name in request.query_params):
        raise ServiceError(BAD_REQUEST, f"There is no such parameter here, only {', '.join(SCHEMA_PARAMETERS)}.")
    form = request.query_params.get("form", FULL)
    if form not in SCHEMAS:
        raise ServiceError(BAD_REQUEST, UNKNOWN_FORM)
    return conditional(request, _schema(form), site.cache_control)


@route("/api/openapi.json", http_method=GET)
async def get_openapi(request: AnyRequest, site: SiteDependency) -> Response[bytes]:
    """Send the OpenAPI document.

    Litestar would generate one of its handlers; this one comes from the contract.
    """
    return conditional(request, to_json(openapi_document(site.base_url)), site.cache_control)


@cache
def _schema(form: str) -> bytes:
    return to_json(SCHEMAS[form]())
