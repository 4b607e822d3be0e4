"""Helpers of all pages: URLs, entity tags, assets and error pages."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from litestar import Request

import rui_inspector
from rui_api.http.caching import REVALIDATE
from rui_api.http.compression import compressed_response, negotiated_response
from rui_api.http.etags import entity_tag
from rui_api.http.negotiation import HTML as HTML_TYPE
from rui_api.http.negotiation import prefers
from rui_api.http.response_headers import PAGES
from rui_api.http.responses import Response, to_json
from rui_api.http.urls import base_url
from rui_api.work_thread import WorkThread
from rui_common.http_contract.endpoints import API_PREFIX, HTML
from rui_common.version import TOOL_VERSION
from rui_inspector.html import pages as render

# Litestar evaluates the annotations of handlers, so this name exists at run time.
AnyRequest = Request[Any, Any, Any]

PAGE_HEADERS = {name.decode(): value.decode() for name, value in PAGES}

DOCS = "/docs"
"""Path of the documentation for people."""

ASSETS = {f"/{asset.name}": asset for asset in (*render.assets(), *render.playground_assets())}
"""The files that pages load, by path."""

FINGERPRINT = sha256(b"".join(asset.content for asset in ASSETS.values())).hexdigest()[:16]
"""Changes with any of these files: a module loads others from its own folder."""

ASSET_FOLDER = "/assets/"
"""Path of the folder that has a folder named `FINGERPRINT` with the assets. Caches may keep what is in it."""


def _hash_sources() -> str:
    root = Path(rui_inspector.__file__).parent
    files = [path for path in sorted(root.rglob("*.[phjcs]*")) if path.is_file()]
    return sha256(b"".join(path.read_bytes() for path in files)).hexdigest()


SOURCES_HASH = _hash_sources()
"""Changes with the code, the templates and the assets of the inspector: part of the entity tags of pages."""


class ErrorText(NamedTuple):
    """The text of an error page.

    Attributes:
        title: the error.
        cause: what happened.
        action: what the reader can do.
    """

    title: str
    cause: str
    action: str


ERROR_TEXTS = {
    400: ErrorText(
        "The request cannot be understood",
        "This request is not valid HTTP.",
        "Load the address again; if it was written by hand, check it.",
    ),
    404: ErrorText(
        "There is no page at this address",
        "No page of this service has this address.",
        "Check that it was copied whole. A spec is at /specs/ and its id.",
    ),
    405: ErrorText(
        "This page cannot be used like that",
        "The address is right, but it does not take this kind of request.",
        "Go to the front page, and from there.",
    ),
    410: ErrorText(
        "This spec was deleted",
        "The operator of this service deleted it.",
        "Ask the operator of this service for the reason. A document can be stored again, under a new address.",
    ),
    500: ErrorText(
        "Something broke on our side",
        "The service failed at this; the fault is not in your request.",
        "Load the page again. If that does not help, tell the operator of this service when it happened.",
    ),
    503: ErrorText(
        "The store does not answer",
        "What is stored cannot be read or added to at the moment.",
        "Load this page again in some seconds. Checking documents works meanwhile.",
    ),
}
"""The default text of error pages, by status."""


def host_of(request: AnyRequest, *, path: str = "") -> render.Host:
    """Return the URLs that pages link to.

    They have no host: a page may be loaded by another name than the configured one, and its policy is 'self'.

    Args:
        request: the request.
        path: the path of the page, if it can be searched.
    """
    base = base_path(request)
    folder = f"{base}{ASSET_FOLDER}{FINGERPRINT}/"
    css, js, icon = (folder + asset.name for asset in render.assets())
    return render.Host(
        stylesheet=css,
        script=js,
        icon=icon,
        assets=folder,
        home=f"{base}/",
        address=f"{base}{path}" if path else "",
        action=f"{base}/",
        docs=base + DOCS,
    )


def base_path(request: AnyRequest) -> str:
    """Return the path of the base URL, without a slash at the end."""
    return urlsplit(base_url(request)).path


def page(
    content: str | bytes, *, status: int = 200, headers: Mapping[str, str] | None = None, codes: Sequence[str] = ()
) -> Response:
    """Return a page as a response."""
    return Response(
        content.encode("utf-8", "replace") if isinstance(content, str) else content,
        status=status,
        media_type=HTML,
        headers={"cache-control": REVALIDATE, **PAGE_HEADERS, **(headers or {})},
        codes=codes,
    )


def page_tag(request: AnyRequest, content_key: Sequence[str]) -> str:
    """Return the entity tag of a page.

    Args:
        request: the request; its base URL and its query are part of the entity tag.
        content_key: strings that determine the rest of the page.
    """
    query = request.scope["query_string"].decode("latin-1")
    return entity_tag(to_json((TOOL_VERSION, SOURCES_HASH, base_url(request), query, *content_key)))


async def cached_response(request: AnyRequest, etag: str, create: Callable[[], Awaitable[Response]]) -> Response:
    """Return a response with an entity tag, compressed if the request prefers that, or 304 without creating it."""
    state = request.app.state
    return await negotiated_response(
        request.scope, etag, state.cache_control, create, state.compressed_responses, state.work_thread
    )


async def compressed(request: AnyRequest, response: Response) -> Response:
    """Return a response without an entity tag, compressed if the request prefers that."""
    thread: WorkThread = request.app.state.work_thread
    return await thread.run_if_large(lambda: compressed_response(request.scope, response), len(response.content))


def error_page(request: AnyRequest, error: Response, text: ErrorText | None = None) -> Response:
    """Render an error response of the API as a page; status, headers and codes stay.

    Args:
        request: the request.
        error: a response of `rui_api.http.error_responses`.
        text: the text of the page, by default that of the status in `ERROR_TEXTS`.
    """
    title, cause, action = text or ERROR_TEXTS[error.status]
    content = render.error_page(title, cause, action, host_of(request), status=error.status)
    return page(content, status=error.status, headers=error.headers, codes=error.codes)


def as_html_error(request: AnyRequest, error: Response, text: ErrorText | None = None) -> Response:
    """Render an error as a page, see `error_page`, if the path is outside of the API and Accept prefers HTML."""
    if request.scope["path"].startswith(API_PREFIX):
        return error
    accept = ", ".join(request.headers.getall("accept", []))
    response = error_page(request, error, text) if prefers(accept, HTML_TYPE) else error
    response.headers = {**response.headers, "vary": "Accept"}
    return response
