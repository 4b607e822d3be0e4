"""The comparison of a stored spec with another one, or with a document that is sent in a form."""

from __future__ import annotations

import re
from urllib.parse import quote

from litestar import route

from rui_api.http.error_responses import bad_request
from rui_api.http.form_data import read_form
from rui_api.http.request_body import InvalidBody
from rui_api.http.responses import Response
from rui_api.http.urls import canonical_spec_id
from rui_api.playground.tasks import ComparisonTask, Side
from rui_api.routes import html as pages
from rui_api.routes.html import AnyRequest, ErrorText
from rui_api.routes.inspector import PATH, content_key, get_spec, header_fields, invalid_id_page
from rui_api.routes.tasks import run_task
from rui_api.store.base import StoredSpec

SENT_NAME = "The document that was sent"


@route(PATH + "{spec_id:str}/compare", http_method=["GET", "HEAD", "POST"])
async def compare_with(request: AnyRequest) -> Response:
    """Handle the forms of a spec's page. One handler, so that Litestar lists all methods for OPTIONS."""
    if request.method == "POST":
        return await _compare_with_document(request)
    return _redirect(request)


def _redirect(request: AnyRequest) -> Response:
    """Redirect from the form, which has the other id as a parameter, to the URL of the comparison."""
    spec_id = request.path_params["spec_id"]
    # The parameter may be the address of a page: the last segment of its path is the id.
    path = re.split("[?#]", request.query_params.get("with", ""), maxsplit=1)[0]
    other_id = path.strip().rstrip("/").rpartition("/")[2]
    if canonical_spec_id(spec_id) is None or canonical_spec_id(other_id) is None:
        return invalid_id_page(request)
    location = f"{pages.base_path(request)}{PATH}{quote(spec_id)}/compare/{quote(other_id)}"
    return Response(status=303, headers={"location": location})


async def _compare_with_document(request: AnyRequest) -> Response:
    """Compare a spec with a document in a form, which is not stored and may be invalid."""
    try:
        form = await read_form(request.scope, request.receive, request.app.state.work_thread)
    except InvalidBody as error:
        return _form_error(request, error.reason, is_incomplete=error.is_incomplete)
    spec = await get_spec(request, request.path_params["spec_id"])
    if isinstance(spec, Response):
        return spec
    if not form.rui.strip():
        return _form_error(request, "The form has no document.")
    sent = Side(form.rui, SENT_NAME, is_sent=True)
    task = ComparisonTask(_side_of(request, spec), sent, pages.host_of(request))
    return pages.page(await run_task(request, task))


def _form_error(request: AnyRequest, reason: str, *, is_incomplete: bool = False) -> Response:
    error = bad_request(reason)
    if is_incomplete:
        error.headers = {**error.headers, "connection": "close"}
    text = ErrorText("No document to compare with", reason, "Go back, and paste a document or choose a file.")
    return pages.error_page(request, error, text)


@route(PATH + "{spec_id:str}/compare/{other_id:str}", http_method=["GET", "HEAD"])
async def compare_specs(request: AnyRequest) -> Response:
    """Send the differences of two specs."""
    ids = [request.path_params[name] for name in ("spec_id", "other_id")]
    if not all(canonical_spec_id(spec_id) for spec_id in ids):
        return invalid_id_page(request)
    specs = []
    for spec_id in ids:
        spec = await get_spec(request, spec_id)
        if isinstance(spec, Response):
            return spec
        specs.append(spec)
    before, after = specs
    swap_url = f"{pages.base_path(request)}{PATH}{after.spec_id}/compare/{before.spec_id}"

    async def create() -> Response:
        sides = _side_of(request, before), _side_of(request, after)
        return pages.page(await run_task(request, ComparisonTask(*sides, pages.host_of(request), swap_url)))

    etag = pages.page_tag(request, [*content_key(before), *content_key(after)])
    return await pages.cached_response(request, etag, create)


def _side_of(request: AnyRequest, spec: StoredSpec) -> Side:
    url = f"{pages.base_path(request)}{PATH}{spec.spec_id}"
    fields = [field for field in header_fields(spec) if field.name != "Spec"]
    return Side(spec.rui, spec.spec_id, url, fields)
