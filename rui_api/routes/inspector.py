"""The page of a stored spec (specification, section 4.4), and the assets of pages."""

from __future__ import annotations

import json
from datetime import datetime
from typing import NamedTuple
from urllib.parse import quote

from litestar import route

from rui_api.http.caching import asset_cache_control
from rui_api.http.compression import negotiated_response
from rui_api.http.error_responses import (
    invalid_spec_id,
    not_found,
    spec_deleted,
    spec_not_found,
    storage_unavailable,
)
from rui_api.http.etags import entity_tag
from rui_api.http.responses import Response
from rui_api.http.urls import canonical_spec_id
from rui_api.routes import html as pages
from rui_api.routes.html import AnyRequest, ErrorText
from rui_api.routes.specs import SPECS
from rui_api.store.base import DeletedSpec, StorageUnavailable, Store, StoredSpec
from rui_api.work_thread import WorkThread
from rui_common.editing.formatter import format_document
from rui_common.syntax.document import read
from rui_common.version import TOOL_VERSION
from rui_common.vocabulary.queries import path_with_role
from rui_common.vocabulary.rui_0_1 import VOCABULARY
from rui_common.vocabulary.rules import MAX_BODY_BYTES
from rui_common.vocabulary.schema import REPLACES
from rui_inspector.html import pages as render
from rui_inspector.html.comparison import changes_since

PATH = "/specs/"
REPLACES_PATH = path_with_role(VOCABULARY, REPLACES)
HASH_LENGTH = len("sha256:") + 12
"""Characters of a content hash that the page shows."""


class ReplacedSpec(NamedTuple):
    """The spec that another one replaces.

    Attributes:
        name: its id, as the document has it.
        spec: the spec, or None.
        problem: why there is none, in a sentence, or ``""``.
    """

    name: str
    spec: StoredSpec | None
    problem: str


@route(PATH + "{spec_id:str}", http_method=["GET", "HEAD"])
async def show_spec(request: AnyRequest) -> Response:
    """Send the page of a spec."""
    spec = await get_spec(request, request.path_params["spec_id"])
    if isinstance(spec, Response):
        return spec
    path = f"{PATH}{spec.spec_id}"
    base_path = pages.base_path(request)
    parameters = request.query_params

    replaced = await find_replaced_spec(request.app.state.store, spec)
    query = render.Query(parameters.get("q", ""), opens_all=parameters.get("open") == "all")
    host = pages.host_of(request, path=path)

    def create() -> Response:
        document = json.loads(spec.rui)
        page = render.spec_page(
            document,
            host,
            fields=header_fields(spec),
            json_url=f"{base_path}{SPECS}/{spec.spec_id}",
            compare_url=f"{base_path}{path}/compare",
            copy_url=f"{base_path}/?copy={spec.spec_id}",
            download_url=f"{base_path}{path}/rui.json",
            query=query,
            replaced=_changes(replaced, spec, document, base_path) if replaced is not None else None,
        )
        return pages.page(page)

    thread: WorkThread = request.app.state.work_thread
    key = content_key(spec)
    size = len(spec.rui)
    if replaced is not None:
        key.append(replaced.problem)
        size += len(replaced.spec.rui) if replaced.spec is not None else 0
    etag = pages.page_tag(request, key)
    return await pages.cached_response(request, etag, lambda: thread.run_if_large(create, size))


@route(PATH + "{spec_id:str}/rui.json", http_method=["GET", "HEAD"])
async def download_spec(request: AnyRequest) -> Response:
    """Send the document of a spec as a file, in the layout of `rui format`."""
    spec = await get_spec(request, request.path_params["spec_id"])
    if isinstance(spec, Response):
        return spec

    def create() -> Response:
        text = document_text(spec.rui)
        name = render.file_name(json.loads(spec.rui))
        # RFC 6266: a name in ASCII, and the name itself.
        disposition = f"attachment; filename=\"app.rui.json\"; filename*=UTF-8''{quote(name)}"
        headers = {"content-disposition": disposition, **pages.PAGE_HEADERS}
        return Response(text.encode(), headers=headers)

    thread: WorkThread = request.app.state.work_thread
    etag = entity_tag(spec.rui + TOOL_VERSION.encode())
    return await pages.cached_response(request, etag, lambda: thread.run_if_large(create, len(spec.rui)))


@route([*pages.ASSETS, pages.ASSET_FOLDER + "{fingerprint:str}/{name:str}"], http_method=["GET", "HEAD"])
async def get_asset(request: AnyRequest) -> Response:
    """Send stylesheet, script or icon of the pages.

    During an upgrade, a page of another version may ask for its own fingerprint. It gets the file of this version,
    which no cache may keep under that URL.
    """
    asset = pages.ASSETS.get("/" + request.scope["path"].rpartition("/")[2])
    if asset is None:
        return pages.as_html_error(request, not_found())

    async def create() -> Response:
        return Response(asset.content, media_type=asset.media_type)

    is_current = request.path_params.get("fingerprint") == pages.FINGERPRINT
    return await negotiated_response(
        request.scope,
        entity_tag(asset.content),
        asset_cache_control(request.app.state.settings.base_url, is_current=is_current),
        create,
        request.app.state.compressed_responses,
        request.app.state.work_thread,
    )


async def get_spec(request: AnyRequest, spec_id: str) -> StoredSpec | Response:
    """Return a stored spec, or the error page for its id."""
    canonical = canonical_spec_id(spec_id)
    if canonical is None:
        return invalid_id_page(request)
    store: Store = request.app.state.store
    try:
        spec = await store.fetch(canonical)
    except StorageUnavailable:
        error = storage_unavailable()
        cause = f"The spec {canonical} may well be there, but it cannot be read at the moment."
        return pages.error_page(request, error, pages.ERROR_TEXTS[503]._replace(cause=cause))
    if isinstance(spec, DeletedSpec):
        cause = f"The operator of this service deleted the spec {canonical}. Its id is not used again."
        return pages.error_page(request, spec_deleted(canonical), pages.ERROR_TEXTS[410]._replace(cause=cause))
    if spec is not None:
        return spec
    text = ErrorText(
        "There is no such spec",
        f"Nothing is stored here under {canonical}.",
        "Check the id, and that this is the service that the spec was stored in.",
    )
    return pages.error_page(request, spec_not_found(canonical), text)


async def find_replaced_spec(store: Store, spec: StoredSpec) -> ReplacedSpec | None:
    """Return the spec that another one replaces, or why there is none to show; None if it replaces none."""
    outer, name = REPLACES_PATH
    if f'"{name}"'.encode() not in spec.rui:
        return None
    value = json.loads(spec.rui)[outer].get(name)
    if value is None:
        return None
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    spec_id = canonical_spec_id(text)
    if spec_id is None:
        return ReplacedSpec(text, None, "this is no id of a spec.")
    try:
        found = await store.fetch(spec_id)
    except StorageUnavailable:
        return ReplacedSpec(text, None, "this spec cannot be read at the moment.")
    if isinstance(found, StoredSpec):
        return ReplacedSpec(text, found, "")
    problem = "there is no such spec here." if found is None else "the operator of this service deleted this spec."
    return ReplacedSpec(text, None, problem)


def _changes(replaced: ReplacedSpec, spec: StoredSpec, document: object, base_path: str) -> render.Replaced:
    """Return a replaced spec, with what changed since, for the page of the spec that replaces it."""
    before = replaced.spec
    if before is None:
        return render.Replaced(replaced.name, replaced.problem)
    url = f"{base_path}{PATH}{before.spec_id}"
    compare_url = f"{url}/compare/{spec.spec_id}"
    changes = changes_since(json.loads(before.rui), document, url, f"{base_path}{PATH}{spec.spec_id}")
    return render.Replaced(
        replaced.name, "", changes, url, compare_url, before.created_at, time_text(before.created_at)
    )


def document_text(rui: bytes) -> str:
    """Return a stored document in the layout of `rui format`; on one line if that exceeds the limit of a document."""
    text = format_document(read(rui))
    if len(text.encode()) > MAX_BODY_BYTES:
        return rui.decode()
    return text


def invalid_id_page(request: AnyRequest) -> Response:
    """Return the error page for an id that is no UUID."""
    text = ErrorText(
        "This address holds no spec id",
        "The id of a spec is a UUID, such as 4be0643f-1d98-473b-97cd-ca98a65347dd.",
        "Check that the address was copied whole, with nothing added at its end.",
    )
    return pages.error_page(request, invalid_spec_id(), text)


def content_key(spec: StoredSpec) -> list[str]:
    """Return strings that determine the pages of a spec."""
    return [spec.spec_id, spec.created_at, spec.content_hash, spec.validation_version, spec.registry_version]


def time_text(time: str) -> str:
    """Return a time of ISO 8601 for people, such as ``31 January 2026, 09:15 UTC``."""
    created = datetime.fromisoformat(time)
    return f"{created.day} {created:%B %Y, %H:%M} UTC"


def header_fields(spec: StoredSpec) -> list[render.HeaderField]:
    """Return the properties of a spec for the header of a page."""
    fields = [
        render.HeaderField("Spec", spec.spec_id),
        render.HeaderField("Stored", spec.created_at, time_text(spec.created_at), "time"),
        render.HeaderField("Content hash", spec.content_hash, spec.content_hash[:HASH_LENGTH]),
    ]
    # The document has a version, too: others are shown only if they differ.
    versions = {"Validated by": spec.validation_version, "Vocabulary": spec.registry_version}
    document_version = json.loads(spec.rui).get("version")
    return fields + [
        render.HeaderField(name, version, form="text")
        for name, version in versions.items()
        if version != document_version
    ]
