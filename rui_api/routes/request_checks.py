"""Checks of every request before its handler: the path, the Host, and the web page that sends it.

The allowed origins may call the API; pages of the service alone may use its forms and the editor. Litestar's
`AllowedHostsConfig` compares hosts with their ports, and its response is not that of the contract.
"""

import re
from collections.abc import Sequence
from urllib.parse import unquote, urlsplit

from litestar.datastructures import Headers
from litestar.enums import ScopeType
from litestar.types import ASGIApp, HTTPScope, Receive, Scope, Send

from rui_api.config.options import Settings
from rui_api.contract.endpoints import API_PREFIX, ENDPOINTS
from rui_api.contract.errors import BAD_REQUEST, FORBIDDEN, NOT_FOUND
from rui_api.http.errors import ServiceError
from rui_api.http.hosts import is_host
from rui_api.routes.inspector import PATH
from rui_common.suggest import nearest

PROBES = ("/api/health", "/api/ready")  # paths that accept every Host: Kubernetes asks by address


def is_exact(scope: HTTPScope) -> bool:
    """Return whether a request has the path of a route, and no other spelling of it.

    The router accepts //api//specs/ and api/specs as /api/specs, and has changed the path in the scope. Only pages of
    specs may end in a slash.
    """
    path = scope["path"]
    exact = unquote(scope["raw_path"].decode("latin-1"))
    has_slash_at_end = exact.endswith("/") and path != "/" and not path.startswith(PATH)
    return exact.startswith("/") and "//" not in exact and not has_slash_at_end


def not_found(path: str) -> str:
    """Return the message about an address that does not exist, with the one of an endpoint that is probably meant."""
    name = nearest(path.rstrip("/"), [endpoint.path for endpoint in ENDPOINTS if ":" not in endpoint.path])
    if name is None:
        return NOT_FOUND.message
    return f"{NOT_FOUND.message} Did you mean {name}?"


class RequestChecks:
    """The checks of all requests, with the base URL, hosts and origins in the settings."""

    def __init__(self, settings: Settings) -> None:
        self._origins = settings.allow_origins
        self._hosts = settings.allow_hosts
        self._own_host = urlsplit(settings.base_url).netloc.lower()

    def middleware(self, app: ASGIApp) -> ASGIApp:
        """Return the application with these checks, which raise a `ServiceError`.

        It is no guard: Litestar copies the handler for each call of one, which takes longer than the checks.
        """

        async def handle(scope: Scope, receive: Receive, send: Send) -> None:
            if scope["type"] == ScopeType.HTTP:
                self._check(scope)
            await app(scope, receive, send)

        return handle

    def _check(self, scope: HTTPScope) -> None:
        path = scope["path"]
        if not is_exact(scope):
            raise ServiceError(NOT_FOUND, not_found(path))
        headers = Headers.from_scope(scope)
        if not self._is_allowed_host(path, headers.getall("host", [])):
            raise ServiceError(BAD_REQUEST, "The Host of the request is the name of no host.")
        if scope["method"] == "POST" and not path.startswith(API_PREFIX):
            if not self._is_own(headers):
                message = (
                    "Only pages of this service may send this. Programs use POST /api/validate and POST /api/specs."
                )
                raise ServiceError(FORBIDDEN, message)
            return
        if "*" in self._origins or scope["method"] == "OPTIONS":  # a preflight gets a response without a permission
            return
        origin = headers.get("origin")
        if origin is not None and origin not in self._origins and not self._is_own(headers):
            raise ServiceError(FORBIDDEN)

    def _is_allowed_host(self, path: str, hosts: Sequence[str]) -> bool:
        if len(hosts) > 1 or (hosts and hosts[0] and not is_host(hosts[0])):
            return False
        if "*" in self._hosts or path in PROBES:
            return True
        host = ""
        if hosts:
            host = hosts[0].lower()
        return re.sub(r":[0-9]*$", "", host) in self._hosts

    def _is_own(self, headers: Headers) -> bool:
        """Return whether a request comes from a page of the service, or from no page.

        Browsers send Sec-Fetch-Site to HTTPS and to their own machine, and Origin with forms and scripts. Programs send
        neither.
        """
        site = headers.get("sec-fetch-site")
        if site is not None:
            return site in ("same-origin", "none")  # the second one for what a person opens without a page
        origin = headers.get("origin")
        if origin is None:
            return True
        scheme, _, host = origin.lower().partition("://")
        own_hosts = {headers.get("host", "").lower(), self._own_host} - {""}
        return scheme in ("http", "https") and host in own_hosts
