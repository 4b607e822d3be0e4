"""Checks of every request before the router: its path, its Host, and the web page that sends it.

The allowed origins may call the API; pages of the service alone may use its forms and the editor.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from urllib.parse import urlsplit

from litestar import Litestar, Request
from litestar.enums import ScopeType
from litestar.exceptions import NotFoundException
from litestar.types import Receive, Scope, Send

from rui_api.config.options import Settings
from rui_api.http.error_responses import bad_request, forbidden
from rui_api.http.responses import Response
from rui_api.http.urls import canonical_spec_id, is_exact_path
from rui_api.routes.errors import on_http_exception
from rui_api.routes.html import ErrorText, as_html_error
from rui_api.routes.inspector import PATH
from rui_common.http_contract.endpoints import API_PREFIX

OWN_SITES = (b"same-origin", b"none")
"""Values of Sec-Fetch-Site for pages of the service, and for what a person opens without a page."""

FOREIGN_FORM = "Only pages of this service may send this. Programs use POST /api/validate and POST /api/specs."
FOREIGN_TEXT = ErrorText(
    "Another site sent this form",
    "The forms of this service accept what its own pages send.",
    "Copy the document into the text box of the front page.",
)


WRONG_HOST = "The Host of the request is the name of no host."


PROBES = ("/api/health", "/api/ready", "/api/ready/validation")
"""Paths that accept every Host: Kubernetes asks by address."""


class RequestChecks:
    """ASGI middleware that answers requests that must not reach the router.

    Args:
        app: the application for the other requests.
        settings: the settings with base URL, allowed hosts and origins.
    """

    def __init__(self, app: Litestar, settings: Settings) -> None:
        self._app = app
        self._allowed = {origin.encode() for origin in settings.allowed_origins}
        self._hosts = {*settings.allowed_hosts}
        self._own_host = urlsplit(settings.base_url).netloc.lower()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle a request."""
        if scope["type"] != ScopeType.HTTP:
            await self._app(scope, receive, send)
            return
        scope["litestar_app"] = self._app  # for error pages, which need the settings
        await (self._refusal(scope) or self._app)(scope, receive, send)

    def _refusal(self, scope: Scope) -> Response | None:
        hosts = [value for name, value in scope["headers"] if name == b"host"]
        if len(hosts) > 1 or not self._is_allowed_host(scope["path"], hosts):
            return as_html_error(Request(scope), bad_request(WRONG_HOST))
        # The router would accept //api//specs/ as /api/specs.
        if not is_exact_path(scope["path"]):
            spec_id = canonical_spec_id(scope["path"].removeprefix(PATH).removesuffix("/"))
            if spec_id is not None and scope["path"].startswith(PATH):
                return Response(status=308, headers={"location": f"../{spec_id}"})
            return on_http_exception(Request(scope), NotFoundException())
        return self._foreign_page(scope)

    def _is_allowed_host(self, path: str, hosts: Sequence[bytes]) -> bool:
        if "*" in self._hosts or path in PROBES:
            return True
        host = hosts[0].decode("latin-1").lower() if hosts else ""
        return re.sub(r":[0-9]*$", "", host) in self._hosts

    def _foreign_page(self, scope: Scope) -> Response | None:
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
