"""The comparison of two stored specs."""

from __future__ import annotations

import json
import re
from functools import partial

from litestar import Response, route
from litestar.response import Redirect

from rui_api.http.requests import canonical_spec_id
from rui_api.routes.dependencies import (
    GET,
    AnyRequest,
    PlaygroundDependency,
    Site,
    SiteDependency,
    StoreDependency,
)
from rui_api.routes.html import host_of, page_response
from rui_api.routes.inspector import PATH, get_spec, header_fields, invalid_id_page
from rui_api.routes.playground import run_task
from rui_api.store.base import StoredSpec
from rui_inspector.html.comparison import ComparedDocument, comparison_page


@route(PATH + "{spec_id:str}/compare", http_method=GET)
async def find_comparison(request: AnyRequest, site: SiteDependency) -> Redirect:
    """Redirect from the form, which has the other id as a parameter, to the URL of the comparison."""
    spec_id = request.path_params["spec_id"]
    # The parameter may be the address of a page: the last segment of its path is the id.
    path = re.split("[?#]", request.query_params.get("with", ""), maxsplit=1)[0]
    other_id = path.strip().rstrip("/").rpartition("/")[2]
    if canonical_spec_id(spec_id) is None or canonical_spec_id(other_id) is None:
        raise invalid_id_page()
    return Redirect(f"{site.base_path}{PATH}{spec_id}/compare/{other_id}", status_code=303)


@route(PATH + "{spec_id:str}/compare/{other_id:str}", http_method=GET)
async def compare_specs(
    request: AnyRequest, site: SiteDependency, store: StoreDependency, playground: PlaygroundDependency
) -> Response[bytes]:
    """Send the differences of two specs."""
    ids = [request.path_params[name] for name in ("spec_id", "other_id")]
    if not all(canonical_spec_id(spec_id) for spec_id in ids):
        raise invalid_id_page()
    before, after = [await get_spec(store, spec_id) for spec_id in ids]
    swap_url = f"{site.base_path}{PATH}{after.spec_id}/compare/{before.spec_id}"
    task = partial(comparison_page, _compared(site, before), _compared(site, after), host_of(site), swap_url=swap_url)
    return page_response(request, site, await run_task(request, playground, task))


def _compared(site: Site, spec: StoredSpec) -> ComparedDocument:
    url = f"{site.base_path}{PATH}{spec.spec_id}"
    return ComparedDocument(json.loads(spec.rui), spec.spec_id, url, header_fields(spec))
