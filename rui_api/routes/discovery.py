"""What the service sends about itself: documentation (specification, section 4.5) as JSON and as pages, and its state.

The documentation changes only with a new version of the service, so each of its responses has an entity tag.
"""

from collections.abc import Callable
from functools import cache

from litestar import Response, route

from rui_api.contract.api_page import api_markdown
from rui_api.contract.compact_form import compact_payload
from rui_api.contract.docs_json import docs_payload, workflow
from rui_api.contract.endpoints import COMPACT, FULL, STRUCTURED, TEXT, UNKNOWN_FORM
from rui_api.contract.errors import BAD_REQUEST, NOT_FOUND
from rui_api.contract.llms_txt import llms_txt
from rui_api.http.errors import ServiceError
from rui_api.http.requests import GET, HttpRequest
from rui_api.http.responses import NO_STORE, conditional, to_json
from rui_api.openapi.document import openapi_document
from rui_api.routes.dependencies import Injected, Services, Site
from rui_api.routes.html import DOCS, host_of, page_response
from rui_common.describe import vocabulary_payload
from rui_common.describe.structured_schema import structured_schema
from rui_inspector.html import reference_pages as render

SCHEMAS: dict[str, Callable[[], object]] = {
    FULL: vocabulary_payload, COMPACT: compact_payload, STRUCTURED: structured_schema,
}  # fmt: skip


@route("/llms.txt", http_method=GET)
async def get_llms_txt(request: HttpRequest, site: Injected[Site]) -> Response[bytes]:
    """Send the entry page for agents, in the format of llmstxt.org."""
    return conditional(request, llms_txt(site.url).encode(), site.cache_control, TEXT)


@route("/api/docs", http_method=GET)
async def get_docs(request: HttpRequest, site: Injected[Site]) -> Response[bytes]:
    """Send workflow, endpoints and error catalogue."""
    return conditional(request, to_json(docs_payload(site.url)), site.cache_control)


@route("/api/schema", http_method=GET)
async def get_schema(request: HttpRequest, site: Injected[Site]) -> Response[bytes]:
    """Send the vocabulary in one of its forms."""
    if any(name != "form" for name in request.query_params):
        raise ServiceError(BAD_REQUEST, "There is no such parameter here, only form.")
    forms = request.query_params.getall("form", [FULL])
    if len(forms) > 1 or forms[0] not in SCHEMAS:
        raise ServiceError(BAD_REQUEST, UNKNOWN_FORM)
    return conditional(request, _schema(forms[0]), site.cache_control)


@route("/api/openapi.json", http_method=GET)
async def get_openapi(request: HttpRequest, site: Injected[Site]) -> Response[bytes]:
    """Send the OpenAPI document.

    Litestar would generate one of its handlers; this one comes from the contract.
    """
    return conditional(request, to_json(openapi_document(site.url)), site.cache_control)


@cache
def _schema(form: str) -> bytes:
    return to_json(SCHEMAS[form]())


@route(DOCS, http_method=GET)
async def get_documentation(request: HttpRequest, site: Injected[Site]) -> Response[bytes]:
    return page_response(request, site, render.overview_page(workflow(site.url), host_of(site)))


@route(DOCS + "/vocabulary", http_method=GET)
async def get_vocabulary_page(request: HttpRequest, site: Injected[Site]) -> Response[bytes]:
    return page_response(request, site, render.vocabulary_page(host_of(site)))


@route([DOCS + "/rules", DOCS + "/rules/{rule:str}"], http_method=GET)
async def get_rules_page(request: HttpRequest, site: Injected[Site]) -> Response[bytes]:
    """Send the list of the rules, or the page of a rule or of the rules with a code."""
    content = render.rules_page(host_of(site), request.path_params.get("rule", ""))
    if content is None:
        cause = f"All rules and codes are at {DOCS}/rules."
        raise ServiceError(NOT_FOUND, title="There is no such rule", cause=cause)
    return page_response(request, site, content)


@route(DOCS + "/api", http_method=GET)
async def get_api_page(request: HttpRequest, site: Injected[Site]) -> Response[bytes]:
    markdown = api_markdown(docs_payload(site.url))
    return page_response(request, site, render.api_page(markdown, host_of(site)))


@route("/api/health", http_method=GET)
async def get_health() -> Response[dict[str, str]]:
    """Send 200: the process responds, whether or not the store does."""
    return Response({"status": "ok"}, headers=NO_STORE)


@route("/api/ready", http_method=GET)
async def get_ready(services: Injected[Services]) -> Response[dict[str, str]]:
    """Send 200 if a spec could be stored now, else 503."""
    await services.store.ready()
    return Response({"status": "ready"}, headers=NO_STORE)
