"""The documentation for people, rendered from the sources of the JSON in `rui_api.routes.discovery`."""

from __future__ import annotations

from litestar import Response, route

from rui_api.http.errors import ServiceError
from rui_api.routes.dependencies import GET, AnyRequest, SiteDependency
from rui_api.routes.html import DOCS, host_of, page_response
from rui_common.http_contract.docs_json import docs_payload
from rui_common.http_contract.errors import NOT_FOUND
from rui_inspector.html import reference_pages as render


@route(DOCS, http_method=GET)
async def get_documentation(request: AnyRequest, site: SiteDependency) -> Response[bytes]:
    """Send the first page of the documentation."""
    return page_response(request, site, render.overview_page(docs_payload(site.base_url), host_of(site)))


@route(DOCS + "/vocabulary", http_method=GET)
async def get_vocabulary_page(request: AnyRequest, site: SiteDependency) -> Response[bytes]:
    """Send every shape and property as a page."""
    return page_response(request, site, render.vocabulary_page(host_of(site)))


@route([DOCS + "/rules", DOCS + "/rules/{rule:str}"], http_method=GET)
async def get_rules_page(request: AnyRequest, site: SiteDependency) -> Response[bytes]:
    """Send the list of the rules, or the page of a rule or of the rules with a code."""
    content = render.rules_page(host_of(site), request.path_params.get("rule", ""))
    if content is None:
        raise ServiceError(NOT_FOUND).as_page(f"All rules and codes are at {DOCS}/rules.", "There is no such rule")
    return page_response(request, site, content)


@route(DOCS + "/api", http_method=GET)
async def get_api_page(request: AnyRequest, site: SiteDependency) -> Response[bytes]:
    """Send the endpoints as a page."""
    return page_response(request, site, render.api_page(docs_payload(site.base_url), host_of(site)))
