"""The documentation for people, rendered from the sources of the JSON in `rui_api.routes.discovery`."""

from __future__ import annotations

from litestar import route

from rui_api.http.error_responses import not_found
from rui_api.http.etags import entity_tag
from rui_api.http.responses import Response
from rui_api.http.urls import base_url
from rui_api.routes import html as pages
from rui_api.routes.html import DOCS, AnyRequest
from rui_common.http_contract.docs_json import docs_payload
from rui_inspector.html import reference_pages as render


@route(DOCS, http_method=["GET", "HEAD"])
async def get_documentation(request: AnyRequest) -> Response:
    """Send the first page of the documentation."""
    content = render.overview_page(docs_payload(base_url(request)), pages.host_of(request))
    return await _cacheable(request, content)


@route(DOCS + "/vocabulary", http_method=["GET", "HEAD"])
async def get_vocabulary_page(request: AnyRequest) -> Response:
    """Send every shape and property as a page."""
    return await _cacheable(request, render.vocabulary_page(pages.host_of(request)))


@route(DOCS + "/rules", http_method=["GET", "HEAD"])
async def get_rules_page(request: AnyRequest) -> Response:
    """Send the list of the rules."""
    return await _cacheable(request, render.rules_page(pages.host_of(request)) or "")


@route(DOCS + "/rules/{rule:str}", http_method=["GET", "HEAD"])
async def get_rule_page(request: AnyRequest) -> Response:
    """Send the page of a rule, or of the rules with a code."""
    word = request.path_params["rule"]
    host = pages.host_of(request)
    content = render.rules_page(host, word)
    if content is not None:
        return await _cacheable(request, content)
    error = not_found()
    return pages.page(
        render.unknown_rule_page(word, host), status=error.status, headers=error.headers, codes=error.codes
    )


@route(DOCS + "/api", http_method=["GET", "HEAD"])
async def get_api_page(request: AnyRequest) -> Response:
    """Send the endpoints as a page."""
    return await _cacheable(request, render.api_page(docs_payload(base_url(request)), pages.host_of(request)))


async def _cacheable(request: AnyRequest, content: str) -> Response:
    async def create() -> Response:
        return response

    response = pages.page(content)
    return await pages.cached_response(request, entity_tag(response.content), create)
