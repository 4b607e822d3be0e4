"""The page of a stored spec (specification, section 4.4), its error pages and its stylesheet."""

from __future__ import annotations

import json
from hashlib import sha256
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from litestar import route

from rui_api.address import base_url, canonical_spec_id
from rui_api.negotiation import names_entity_tag
from rui_api.replies import RETRY_AFTER, Reply
from rui_api.routes.specs import AnyRequest
from rui_api.store.protocol import StorageUnavailable, Store
from rui_common.describe.contracts import HTML
from rui_inspector import render

if TYPE_CHECKING:
    from rui_api.store.protocol import StoredSpec

STYLESHEET_PATH = "/inspector.css"
STYLESHEET = render.stylesheet()
STYLESHEET_TAG = f'"{sha256(STYLESHEET).hexdigest()[:32]}"'


@route("/specs/{spec_id:str}", http_method=["GET", "HEAD"])
async def show_spec(request: AnyRequest) -> Reply:
    """The inspector, or a page that says why there is nothing to inspect."""
    address = base_url(request)
    canonical = canonical_spec_id(request.path_params["spec_id"])
    if canonical is None:
        return _problem(address, 400, "This address holds no spec id",
                        "The id of a spec is a UUID, such as 4be0643f-1d98-473b-97cd-ca98a65347dd.",
                        "Check that the address was copied whole, with nothing added at its end.")  # fmt: skip
    store: Store = request.app.state.store
    try:
        spec = await store.get(canonical)
    except StorageUnavailable:
        return _problem(address, 503, "The store does not answer",
                        "The spec may well be there, but it cannot be read at the moment.",
                        f"Load this page again in some seconds. (Asked for: {canonical})",
                        {"retry-after": RETRY_AFTER})  # fmt: skip
    if spec is None:
        return _problem(address, 404, "There is no such spec",
                        f"Nothing is stored here under {canonical}.",
                        "Check the id, and that this is the service that the spec was stored in.")  # fmt: skip
    return _page(spec, address)


@route(STYLESHEET_PATH, http_method=["GET", "HEAD"])
async def stylesheet(request: AnyRequest) -> Reply:
    """The one stylesheet of all pages."""
    headers = {"etag": STYLESHEET_TAG, "cache-control": "no-cache"}
    if names_entity_tag(request.headers.getall("if-none-match", []), STYLESHEET_TAG):
        return Reply(status=304, headers=headers)
    return Reply(STYLESHEET, media_type="text/css; charset=utf-8", headers=headers)


def _page(spec: StoredSpec, address: str) -> Reply:
    facts = [
        render.Fact("Spec", spec.spec_id),
        render.Fact("Stored", spec.created_at),
        render.Fact("Content hash", spec.content_hash),
        render.Fact("Validated by", spec.validation_version),
        render.Fact("Vocabulary", spec.registry_version),
    ]
    page = render.spec_page(
        json.loads(spec.rui),
        facts=facts,
        json_url=f"{address}/api/specs/{spec.spec_id}",
        stylesheet=_stylesheet_url(address),
    )
    return Reply(page.encode(), media_type=HTML, headers={"cache-control": "no-cache"})


def _problem(
    address: str, status: int, title: str, what: str, help_: str, headers: dict[str, str] | None = None
) -> Reply:
    page = render.problem_page(title, what, help_, status=status, stylesheet=_stylesheet_url(address))
    return Reply(page.encode(), status=status, media_type=HTML, headers=headers)


def _stylesheet_url(address: str) -> str:
    """Without the host: the page may be seen under another name than the configured one, its policy says 'self'."""
    return urlsplit(address).path + STYLESHEET_PATH
