"""The comparison of a stored spec with another one, or with a document that is sent in a form."""

from __future__ import annotations

import re
from functools import partial

from litestar import HttpMethod, Response, route
from litestar.response import Redirect

from rui_api.http.bodies import read_form
from rui_api.http.errors import InvalidBody
from rui_api.http.requests import canonical_spec_id
from rui_api.playground.tasks import Side, compare
from rui_api.playground.worker import PlaygroundWorker
from rui_api.routes.dependencies import (
    GET,
    AnyRequest,
    PlaygroundDependency,
    Site,
    SiteDependency,
    StoreDependency,
)
from rui_api.routes.html import host_of, page, page_response
from rui_api.routes.inspector import PATH, get_spec, header_fields, invalid_id_page
from rui_api.routes.playground import run_task
from rui_api.store.base import Store, StoredSpec

SENT_NAME = "The document that was sent"


@route(PATH + "{spec_id:str}/compare", http_method=[*GET, HttpMethod.POST])
async def compare_with(
    request: AnyRequest, site: SiteDependency, store: StoreDependency, playground: PlaygroundDependency
) -> Response[bytes] | Redirect:
    """Handle the forms of a spec's page. One handler, so that Litestar lists all methods for OPTIONS."""
    if request.method == "POST":
        return await _compare_with_document(request, site, store, playground)
    return _find_comparison(request, site)


def _find_comparison(request: AnyRequest, site: Site) -> Redirect:
    """Redirect from the form, which has the other id as a parameter, to the URL of the comparison."""
    spec_id = request.path_params["spec_id"]
    # The parameter may be the address of a page: the last segment of its path is the id.
    path = re.split("[?#]", request.query_params.get("with", ""), maxsplit=1)[0]
    other_id = path.strip().rstrip("/").rpartition("/")[2]
    if canonical_spec_id(spec_id) is None or canonical_spec_id(other_id) is None:
        raise invalid_id_page()
    return Redirect(f"{site.base_path}{PATH}{spec_id}/compare/{other_id}", status_code=303)


async def _compare_with_document(
    request: AnyRequest, site: Site, store: Store, playground: PlaygroundWorker
) -> Response[bytes]:
    """Compare a spec with a document in a form, which is not stored and may be invalid."""
    try:
        form = await read_form(request)
        spec = await get_spec(store, request.path_params["spec_id"])
        if not form.rui.strip():
            raise InvalidBody("The form has no document.")
    except InvalidBody as error:
        cause = f"{error.cause} Go back, and paste a document or choose a file."
        raise error.as_page(cause, "No document to compare with") from None
    task = partial(compare, _side_of(site, spec), Side(form.rui, SENT_NAME, is_sent=True), host_of(site))
    return page(await run_task(request, playground, task))


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
    task = partial(compare, _side_of(site, before), _side_of(site, after), host_of(site), swap_url)
    return page_response(request, site, await run_task(request, playground, task))


def _side_of(site: Site, spec: StoredSpec) -> Side:
    url = f"{site.base_path}{PATH}{spec.spec_id}"
    fields = [field for field in header_fields(spec) if field.name != "Spec"]
    return Side(spec.rui, spec.spec_id, url, fields)
