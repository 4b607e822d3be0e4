"""What the pages of the service have in common: where things are, how faults look to a person, files they need."""

from __future__ import annotations

from datetime import datetime
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import rui_inspector
from rui_api.http.negotiation import HTML as HTML_TYPE
from rui_api.http.negotiation import names_entity_tag, prefers
from rui_api.http.responses import Reply, to_json
from rui_api.http.urls import API, base_url
from rui_common.http_contract.endpoints import HTML, NOT_FOUND, STORAGE_UNAVAILABLE
from rui_common.version import TOOL_VERSION
from rui_inspector.html import pages as render

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any

    from litestar import Request

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

WORDS = {
    400: ("The request cannot be understood", "Something about this request makes no sense as HTTP.",
          "Load the address again; if it was written by hand, check it."),
    404: ("There is nothing at this address", "No page of this service has this address.",
          "Check that it was copied whole. A spec is at /specs/ and its id."),
    405: ("This page cannot be used like that", "The address is right, but it does not take this kind of request.",
          "Go to the front page, and from there."),
    500: ("Something broke on our side", "The service failed at this; the fault is not in your request.",
          "Load the page again. If that does not help, tell whoever runs this service when it happened."),
    503: ("The store does not answer", "What is stored cannot be read or added to at the moment.",
          "Load this page again in some seconds. Checking documents works meanwhile."),
}  # fmt: skip
"""What a person is told about a status: what it is, what happened, what to do."""


CODES: dict[int, tuple[str, ...]] = {404: (NOT_FOUND,), 503: (STORAGE_UNAVAILABLE,)}
"""What the API calls what pages say; it is counted alike."""


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
) -> Reply:
    """A page as an answer."""
    return Reply(
        content.encode("utf-8", "replace"), status=status, media_type=HTML,
        headers={"cache-control": "no-cache", **(headers or {})}, codes=codes,
    )  # fmt: skip


def unless_known(request: AnyRequest, made_of: Sequence[str], render_page: Callable[[], str]) -> Reply:
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
        return Reply(status=304, headers=headers)
    return page(render_page(), headers=headers)


def problem(
    request: AnyRequest,
    status: int,
    words: tuple[str, str, str] | None = None,
    headers: Mapping[str, str] | None = None,
    codes: Sequence[str] = (),
) -> Reply:
    """A page that says what happened and what to do.

    Args:
        request: the request that is answered.
        status: the HTTP status.
        words: title, what happened, what to do; without them, what `WORDS` says about the status.
        headers: further headers of the answer.
        codes: those that the API has for what is said; without them, what `CODES` says about the status.
    """
    title, what, help_ = words or WORDS[status]
    content = render.error_page(title, what, help_, host_of(request), status=status)
    more = {"retry-after": str(request.app.state.settings.retry_after)} if status == 503 else {}
    return page(content, status=status, headers={**more, **(headers or {})}, codes=codes or CODES.get(status, ()))


def for_people(request: AnyRequest, reply: Reply) -> Reply:
    """A fault as a page, if a person seems to have asked: outside of the API, with an Accept that names HTML."""
    accept = ", ".join(request.headers.getall("accept", []))
    if reply.status not in WORDS or request.scope["path"].startswith(API) or not prefers(accept, HTML_TYPE):
        return reply
    kept = {name.decode(): value.decode() for name, value in reply.headers if not name.startswith(b"content-")}
    return problem(request, reply.status, headers={**kept, "vary": "Accept"}, codes=reply.codes)


def when(created_at: str) -> str:
    """A time such as ``2026-01-31T09:15:00.123Z`` for people."""
    time = datetime.fromisoformat(created_at)
    return f"{time.day} {time:%B %Y, %H:%M} UTC"
