"""Which web pages may send requests: for the API the allowed origins, for forms and the editor those of the service."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from urllib.parse import urlsplit

from litestar import Request
from litestar.types import ASGIApp, Receive, Scope, Send

from rui_api.http.error_responses import forbidden
from rui_api.http.responses import Response
from rui_api.routes.html import ErrorText, as_html_error
from rui_common.http_contract.endpoints import API_PREFIX

OWN_SITES = (b"same-origin", b"none")
"""Values of Sec-Fetch-Site for pages of the service, and for what a person opens without a page."""

FOREIGN_FORM = "Only pages of this service may send this. Programs use POST /api/validate and POST /api/specs."
FOREIGN_TEXT = ErrorText(
    "Another site sent this form",
    "The forms of this service accept what its own pages send.",
    "Copy the document into the text box of the front page.",
)


class OriginCheck:
    """ASGI middleware that answers 403 to requests of pages that may not send them.

    Args:
        app: the ASGI application for the other requests.
        allowed_origins: the origins whose pages may call the API; ``*`` means all.
        base_url: the configured base URL, or ``""``.
    """

    def __init__(self, app: ASGIApp, allowed_origins: Sequence[str], base_url: str) -> None:
        self._app = app
        self._allowed = {origin.encode() for origin in allowed_origins}
        self._own_host = urlsplit(base_url).netloc.lower()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle a request."""
        await (self._refusal(scope) or self._app)(scope, receive, send)

    def _refusal(self, scope: Scope) -> Response | None:
        method = scope["method"]  # type: ignore[typeddict-item]  # HTTP only
        if method == "POST" and not scope["path"].startswith(API_PREFIX):
            if self._is_own(dict(scope["headers"])):
                return None
            return as_html_error(Request(scope), forbidden(FOREIGN_FORM), FOREIGN_TEXT)
        if b"*" in self._allowed or method == "OPTIONS":  # a preflight gets a response without a permission
            return None
        headers = dict(scope["headers"])
        origin = headers.get(b"origin")
        if origin is None or origin in self._allowed or self._is_own(headers):
            return None
        return forbidden()

    def _is_own(self, headers: Mapping[bytes, bytes]) -> bool:
        """Return whether a request comes from a page of the service, or from no page.

        Browsers send Sec-Fetch-Site to HTTPS and to their own machine, and Origin with forms and scripts. Programs send
        neither.
        """
        site = headers.get(b"sec-fetch-site")
        if site is not None:
            return site in OWN_SITES
        origin = headers.get(b"origin")
        if origin is None:
            return True
        scheme, _, host = origin.decode("latin-1").lower().partition("://")
        own_hosts = {headers.get(b"host", b"").decode("latin-1").lower(), self._own_host} - {""}
        return scheme in ("http", "https") and host in own_hosts
