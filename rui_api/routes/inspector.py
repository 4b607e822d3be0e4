"""The page of a stored spec (specification, section 4.4), the comparison of two, and the files that pages need."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING
from urllib.parse import quote

from litestar import route

from rui_api.http.error_responses import invalid_spec_id, spec_not_found, storage_unavailable
from rui_api.http.negotiation import names_entity_tag
from rui_api.http.responses import Response
from rui_api.http.urls import canonical_spec_id
from rui_api.routes import html as pages
from rui_api.routes.html import AnyRequest, ErrorText
from rui_api.routes.specs import SPECS
from rui_api.store.base import StorageUnavailable
from rui_inspector.html import pages as render

if TYPE_CHECKING:
    from rui_api.store.base import Store, StoredSpec

PATH = "/specs/"
SHORT_HASH = len("sha256:") + 12
"""Characters of a content hash that are enough to tell two apart by eye."""


@route(PATH + "{spec_id:str}", http_method=["GET", "HEAD"])
async def show_spec(request: AnyRequest) -> Response:
    """The inspector, or a page that says why there is nothing to inspect."""
    spec = await _stored(request, request.path_params["spec_id"])
    if isinstance(spec, Response):
        return spec
    address = f"{PATH}{spec.spec_id}"
    prefix = pages.prefix_of(request)
    parameters = request.query_params
    return pages.unless_known(request, _made_of(spec), lambda: render.spec_page(
        json.loads(spec.rui),
        pages.host_of(request, address=address),
        fields=_header_fields(spec),
        json_url=f"{prefix}{SPECS}/{spec.spec_id}",
        compare_url=f"{prefix}{address}/compare",
        query=render.Query(parameters.get("q", ""), parameters.get("open", "")),
    ))  # fmt: skip


@route(PATH + "{spec_id:str}/compare", http_method=["GET", "HEAD"])
async def to_comparison(request: AnyRequest) -> Response:
    """From the form, which has the other id as a parameter, to the address of the comparison."""
    spec_id, other = request.path_params["spec_id"], request.query_params.get("with", "").strip()
    # People paste addresses as well as ids.
    other = other.rstrip("/").rpartition("/")[2]
    if canonical_spec_id(spec_id) is None or canonical_spec_id(other) is None:
        return _no_id(request)
    location = f"{pages.prefix_of(request)}{PATH}{quote(spec_id)}/compare/{quote(other)}"
    return Response(status=303, headers={"location": location})


@route(PATH + "{spec_id:str}/compare/{other_id:str}", http_method=["GET", "HEAD"])
async def compare_specs(request: AnyRequest) -> Response:
    """What another spec has more, less, changed and elsewhere, by the ids of the nodes."""
    ids = [request.path_params[name] for name in ("spec_id", "other_id")]
    if not all(canonical_spec_id(spec_id) for spec_id in ids):
        return _no_id(request)
    sides, made_of = [], []
    for spec_id in ids:
        spec = await _stored(request, spec_id)
        if isinstance(spec, Response):
            return spec
        url = f"{pages.prefix_of(request)}{PATH}{spec.spec_id}"
        fields = [field for field in _header_fields(spec) if field.name != "Spec"]
        made_of += _made_of(spec)
        sides.append(render.ComparedDocument(json.loads(spec.rui), spec.spec_id, url, fields))
    return pages.unless_known(
        request, made_of, lambda: render.comparison_page(sides[0], sides[1], pages.host_of(request))
    )


@route(list(pages.ASSETS), http_method=["GET", "HEAD"])
async def asset(request: AnyRequest) -> Response:
    """Stylesheet, script and icon of all pages."""
    path = "/" + request.scope["path"].rpartition("/")[2]
    tag, found = pages.TAGS[path], pages.ASSETS[path]
    headers = {"etag": tag, "cache-control": "no-cache"}
    if names_entity_tag(request.headers.getall("if-none-match", []), tag):
        return Response(status=304, headers=headers)
    return Response(found.content, media_type=found.media_type, headers=headers)


async def _stored(request: AnyRequest, spec_id: str) -> StoredSpec | Response:
    """A stored spec, or a page that says why there is none."""
    canonical = canonical_spec_id(spec_id)
    if canonical is None:
        return _no_id(request)
    store: Store = request.app.state.store
    try:
        spec = await store.get(canonical)
    except StorageUnavailable:
        error = storage_unavailable(request.app.state.settings.retry_after)
        cause = f"The spec {canonical} may well be there, but it cannot be read at the moment."
        return pages.error_page(request, error, pages.ERROR_TEXTS[503]._replace(cause=cause))
    if spec is not None:
        return spec
    text = ErrorText(
        "There is no such spec",
        f"Nothing is stored here under {canonical}.",
        "Check the id, and that this is the service that the spec was stored in.",
    )
    return pages.error_page(request, spec_not_found(canonical), text)


def _no_id(request: AnyRequest) -> Response:
    text = ErrorText(
        "This address holds no spec id",
        "The id of a spec is a UUID, such as 4be0643f-1d98-473b-97cd-ca98a65347dd.",
        "Check that the address was copied whole, with nothing added at its end.",
    )
    return pages.error_page(request, invalid_spec_id(), text)


def _made_of(spec: StoredSpec) -> list[str]:
    return [spec.spec_id, spec.created_at, spec.content_hash, spec.validation_version, spec.registry_version]


def _header_fields(spec: StoredSpec) -> list[render.HeaderField]:
    return [
        render.HeaderField("Spec", spec.spec_id),
        render.HeaderField("Stored", spec.created_at, pages.when(spec.created_at), "time"),
        render.HeaderField("Content hash", spec.content_hash, spec.content_hash[:SHORT_HASH]),
        render.HeaderField("Validated by", spec.validation_version, form="text"),
        render.HeaderField("Vocabulary", spec.registry_version, form="text"),
    ]
