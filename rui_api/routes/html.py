"""What the pages of the service have in common: where things are, how faults look to a person, files they need."""

from __future__ import annotations

from datetime import datetime
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import urlsplit

from litestar import Request

import rui_inspector
from rui_api.http.negotiation import HTML as HTML_TYPE
from rui_api.http.negotiation import names_entity_tag, prefers
from rui_api.http.responses import Response, to_json
from rui_api.http.urls import API, base_url
from rui_common.http_contract.endpoints import HTML
from rui_common.version import TOOL_VERSION
from rui_inspector.html import pages as render

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

# Litestar evaluates the annotations of handlers, so this name exists at run time.
AnyRequest = Request[Any, Any, Any]

ASSETS = {f"/{asset.name}": asset for asset in render.assets()}
"""The files that pages need, by their path."""
TAGS = {path: f'"{sha256(asset.content).hexdigest()[:32]}"' for path, asset in ASSETS.items()}

LOOK = sha256(
    b"".join(
        path.read_bytes() for path in sorted(Path(rui_inspector.__file__).parent.rglob("*.[phjcs]*")) if path.is_file()
    )
).hexdigest()
"""Changes with everything that pages are made by."""


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
        "Something about this request makes no sense as HTTP.",
        "Load the address again; if it was written by hand, check it.",
    ),
    404: ErrorText(
        "There is nothing at this address",
        "No page of this service has this address.",
        "Check that it was copied whole. A spec is at /specs/ and its id.",
    ),
    405: ErrorText(
        "This page cannot be used like that",
        "The address is right, but it does not take this kind of request.",
        "Go to the front page, and from there.",
    ),
    500: ErrorText(
        "Something broke on our side",
        "The service failed at this; the fault is not in your request.",
        "Load the page again. If that does not help, tell whoever runs this service when it happened.",
    ),
    503: ErrorText(
        "The store does not answer",
        "What is stored cannot be read or added to at the moment.",
        "Load this page again in some seconds. Checking documents works meanwhile.",
    ),
}
"""The default text of error pages, by status."""


def host_of(request: AnyRequest, *, address: str = "") -> render.Host:
    """Where the pages of this service are shown.

    Addresses are without the host: a page may be seen under another name than the configured one, and its policy
    says 'self'.

    Args:
        request: the request that is answered.
        address: the path of the page, if it can be searched.
    """
    base = prefix_of(request)
    css, js, icon = (base + path for path in ASSETS)
    return render.Host(
        stylesheet=css, script=js, icon=icon, home=f"{base}/", address=address and base + address, action=f"{base}/"
    )


def prefix_of(request: AnyRequest) -> str:
    """The path that the service is reached at, without a slash at its end."""
    return urlsplit(base_url(request)).path


def page(
    content: str, *, status: int = 200, headers: Mapping[str, str] | None = None, codes: Sequence[str] = ()
) -> Response:
    """A page as an answer."""
    return Response(
        content.encode("utf-8", "replace"), status=status, media_type=HTML,
        headers={"cache-control": "no-cache", **(headers or {})}, codes=codes,
    )  # fmt: skip


def unless_known(request: AnyRequest, made_of: Sequence[str], render_page: Callable[[], str]) -> Response:
    """A page that never changes by itself, with a strong entity tag; 304, and no rendering, for whoever has it.

    Args:
        request: the request that is answered; its base URL and its query belong to what the page is made of.
        made_of: all else that is on the page.
        render_page: makes it.
    """
    query = request.scope["query_string"].decode("latin-1")
    parts = (TOOL_VERSION, LOOK, base_url(request), query, *made_of)
    tag = f'"{sha256(to_json(parts)).hexdigest()[:32]}"'
    headers = {"etag": tag, "cache-control": "no-cache"}
    if names_entity_tag(request.headers.getall("if-none-match", []), tag):
        return Response(status=304, headers=headers)
    return page(render_page(), headers=headers)


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


def as_html_error(request: AnyRequest, error: Response) -> Response:
    """Render an error as a page if the path is outside of the API and Accept prefers HTML."""
    accept = ", ".join(request.headers.getall("accept", []))
    if request.scope["path"].startswith(API) or not prefers(accept, HTML_TYPE):
        return error
    html = error_page(request, error)
    html.headers = {**html.headers, "vary": "Accept"}
    return html


def when(created_at: str) -> str:
    """A time such as ``2026-01-31T09:15:00.123Z`` for people."""
    time = datetime.fromisoformat(created_at)
    return f"{time.day} {time:%B %Y, %H:%M} UTC"
