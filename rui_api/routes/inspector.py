"""The pages of stored specs (specification, section 4.4) and of their comparisons, and their documents as files."""

import json
from datetime import datetime
from functools import partial
from typing import Any
from urllib.parse import quote

from litestar import Response, post, route
from litestar.params import FromPath
from litestar.response import Redirect

from rui_api.contract.endpoints import JSON
from rui_api.contract.errors import BAD_REQUEST
from rui_api.http.bodies import receive_body
from rui_api.http.errors import ServiceError
from rui_api.http.requests import GET, HttpRequest
from rui_api.http.responses import NO_STORE, PAGE_HEADERS, conditional
from rui_api.playground.notes import answer_notes
from rui_api.routes.dependencies import Injected, Services, Site
from rui_api.routes.html import host_of, page, page_response
from rui_api.routes.specs import fetch_spec, invalid_spec_id
from rui_api.routes.tasks import run_task
from rui_api.store.base import StorageUnavailable, Store, StoredSpec
from rui_common.editing.formatter import format_document
from rui_common.spec_ids import canonical_spec_id, spec_id_of
from rui_common.syntax.document import read
from rui_common.validation.analysis import Analysis
from rui_common.versions.replaced import REPLACES_PATH
from rui_common.vocabulary.rules import MAX_BODY_BYTES
from rui_inspector.html import pages as render
from rui_inspector.html.comparison import ComparedDocument, changes_since, comparison_page

PATH = "/specs/"
MAX_VERSIONS = 10
"""Number of earlier versions that the page of a spec lists."""


@route(PATH + "{spec_id:str}", http_method=GET)
async def show_spec(
    request: HttpRequest, services: Injected[Services], site: Injected[Site], spec_id: FromPath[str]
) -> Response[bytes]:
    spec = await fetch_spec(services.store, spec_id)
    parameters = request.query_params
    query = render.Query(parameters.get("q", ""), opens_all=parameters.get("open") == "all")
    return page_response(request, site, await _spec_page(services, site, spec, query=query))


async def _spec_page(services: Services, site: Site, spec: StoredSpec, **options: Any) -> str:  # noqa: ANN401
    """Return the page of a spec, with options of `rui_inspector.html.pages.spec_page`."""
    replaced = await _replaced_spec(services.store, spec)
    versions = []
    size = len(spec.rui)
    if isinstance(replaced, StoredSpec):
        versions = await _versions(services.store, spec, replaced)
        size += sum(len(version.rui) for version in versions)
    else:
        options["unavailable"] = replaced

    def create() -> str:
        document = json.loads(spec.rui)
        if isinstance(replaced, StoredSpec):
            before = ComparedDocument(json.loads(replaced.rui), _shown(site, replaced))
            options["changes"] = changes_since(before, document)
        options["versions"] = [_shown(site, version) for version in versions]
        options["earlier"] = [(_shown(site, version), json.loads(version.rui)) for version in versions[1:]]
        return render.spec_page(document, host_of(site), _shown(site, spec), **options)

    return await services.work_thread.run_if_large(create, size)


async def _versions(store: Store, spec: StoredSpec, replaced: StoredSpec) -> list[StoredSpec]:
    """Return the spec that a spec replaces, the one that this replaces, and so on; at most `MAX_VERSIONS`."""
    versions = [replaced]
    while len(versions) < MAX_VERSIONS:
        before = await _replaced_spec(store, versions[-1])
        known = {version.spec_id for version in (spec, *versions)}
        if not isinstance(before, StoredSpec) or before.spec_id in known:
            break
        versions.append(before)
    return versions


@route(PATH + "{spec_id:str}/rui.json", http_method=GET)
async def download_spec(
    request: HttpRequest, services: Injected[Services], site: Injected[Site], spec_id: FromPath[str]
) -> Response[bytes]:
    """Send the document of a spec as a file, in the layout of `rui format`."""
    spec = await fetch_spec(services.store, spec_id)
    text = await services.work_thread.run_if_large(partial(document_text, spec), len(spec.rui))
    # RFC 6266: a name in ASCII, and the name itself.
    name = quote(render.download_name(json.loads(spec.rui)))
    headers = {"content-disposition": f"attachment; filename=\"app.rui.json\"; filename*=UTF-8''{name}", **PAGE_HEADERS}
    return conditional(request, text.encode(), site.cache_control, headers=headers)


@route(PATH + "{spec_id:str}/compare", http_method=GET)
async def find_comparison(
    request: HttpRequest, services: Injected[Services], site: Injected[Site], spec_id: FromPath[str]
) -> Redirect | Response[bytes]:
    """Redirect from the form, which has the other id as a parameter, to the URL of the comparison.

    If there is no such spec, the page with the form is sent again, with the input and the reason.
    """
    spec = await fetch_spec(services.store, spec_id)
    text = request.query_params.get("with", "")
    other_id = spec_id_of(text)
    if other_id is None:
        comparison = render.ComparisonForm(text, "This is neither the id of a spec nor an address that ends with one.")
        return page(await _spec_page(services, site, spec, comparison=comparison), status=400)
    try:
        await fetch_spec(services.store, other_id)
    except ServiceError as error:
        if error.status not in (404, 410):  # it is not stored, or no longer
            raise
        comparison = render.ComparisonForm(text, error.cause)
        return page(await _spec_page(services, site, spec, comparison=comparison), status=error.status)
    return Redirect(f"{_shown(site, spec).url}/compare/{other_id}", status_code=303)


@route(PATH + "{spec_id:str}/compare/{other_id:str}", http_method=GET)
async def compare_specs(
    request: HttpRequest,
    services: Injected[Services],
    site: Injected[Site],
    spec_id: FromPath[str],
    other_id: FromPath[str],
) -> Response[bytes]:
    """Send the differences of two specs."""
    if not canonical_spec_id(spec_id) or not canonical_spec_id(other_id):
        raise invalid_spec_id()
    specs = [await fetch_spec(services.store, id_) for id_ in (spec_id, other_id)]
    before, after = [ComparedDocument(json.loads(spec.rui), _shown(site, spec)) for spec in _in_order(*specs)]
    task = partial(comparison_page, before, after, host_of(site))
    return page_response(request, site, await run_task(request, services.playground, task))


@post(PATH + "{spec_id:str}/compare/{other_id:str}/notes", status_code=200)
async def answer_notes_on_older(
    request: HttpRequest, services: Injected[Services], spec_id: FromPath[str], other_id: FromPath[str]
) -> Response[bytes]:
    """Send what the newer of two specs did about the notes that a browser has on the older one.

    It belongs to the script of the pages, and is no part of the API. The body is that of `answer_notes`. Nothing of it
    is stored or logged.
    """
    if not canonical_spec_id(spec_id) or not canonical_spec_id(other_id):
        raise invalid_spec_id()
    body = await receive_body(request)
    specs = [await fetch_spec(services.store, id_) for id_ in (spec_id, other_id)]
    before, after = _in_order(*specs)
    answer = await run_task(request, services.playground, partial(answer_notes, before.rui, after.rui, body))
    if answer.problem:
        raise ServiceError(BAD_REQUEST, answer.problem)
    return Response(answer.json.encode(), media_type=JSON, headers=NO_STORE)


def _in_order(spec: StoredSpec, other: StoredSpec) -> tuple[StoredSpec, StoredSpec]:
    """Return two specs: first the one that the other replaces, else the older one."""
    if _replaced_id(spec) == other.spec_id:
        return other, spec
    if _replaced_id(other) == spec.spec_id:
        return spec, other
    before, after = sorted((spec, other), key=lambda version: datetime.fromisoformat(version.created_at))
    return before, after


def _replaced_value(spec: StoredSpec) -> object:
    """Return what a spec has as the id of the spec that it replaces; None without one."""
    outer, name = REPLACES_PATH
    if f'"{name}"'.encode() not in spec.rui:
        return None
    return json.loads(spec.rui)[outer].get(name)


def _replaced_id(spec: StoredSpec) -> str | None:
    value = _replaced_value(spec)
    if not isinstance(value, str):
        return None
    return canonical_spec_id(value)


async def _replaced_spec(store: Store, spec: StoredSpec) -> StoredSpec | render.Unavailable | None:
    """Return the spec that another one replaces, or why there is none to show; None if it replaces none."""
    value = _replaced_value(spec)
    if value is None:
        return None
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    spec_id = canonical_spec_id(text)
    if spec_id is None:
        return render.Unavailable(text, "this is no id of a spec.")
    try:
        found = await store.fetch(spec_id)
    except StorageUnavailable:
        return render.Unavailable(text, "this spec cannot be read at the moment.")
    if found is None:
        return render.Unavailable(text, "there is no such spec here.")
    if found.is_deleted:
        return render.Unavailable(text, "the operator of this service deleted this spec.")
    return found


def _shown(site: Site, spec: StoredSpec) -> render.Spec:
    """Return what pages show of a spec."""
    return render.Spec(spec.spec_id, f"{site.path}{PATH}{spec.spec_id}", spec.created_at, spec.content_hash)


def new_version_text(spec: StoredSpec) -> str:
    """Return the document of a spec as the text of a new version, which names the spec that it replaces."""
    outer, name = REPLACES_PATH
    document = json.loads(spec.rui)
    document[outer] = {**document[outer], name: spec.spec_id}
    return document_text(spec._replace(rui=json.dumps(document, ensure_ascii=False).encode()))


def document_text(spec: StoredSpec) -> str:
    """Return the document of a spec in the layout of `rui format`; on one line if that exceeds the limit."""
    text = format_document(Analysis(read(spec.rui)))
    if len(text.encode()) > MAX_BODY_BYTES:
        return spec.rui.decode()
    return text
