"""What requests contain: base URL, hosts, ids of specs, and preferred media types (docs/decisions.md, section 6)."""

import re
from typing import Any
from urllib.parse import unquote

from litestar import HttpMethod, Request
from litestar.datastructures import Headers
from litestar.types import HTTPScope, Receive, Scope

from rui_api.contract.endpoints import JSON, NEITHER_TRUE_NOR_FALSE, TRUE_OR_FALSE
from rui_api.contract.errors import BAD_REQUEST
from rui_api.http.errors import ServiceError
from rui_api.http.hosts import is_host

HttpRequest = Request[Any, Any, Any]
GET = [HttpMethod.GET, HttpMethod.HEAD]  # methods of everything that can be read

_ABSOLUTE = re.compile(rb"https?://([^/]+)(/.*)?", re.IGNORECASE)


def origin_form(scope: HTTPScope) -> HTTPScope:
    """Return the scope of a request whose target is an absolute URL as that of its path (RFC 9112, section 3.2.2).

    The host of the URL replaces the Host header. Another target, such as ``*``, leads to 404.
    """
    match = _ABSOLUTE.fullmatch(scope["raw_path"])
    if match is None:
        return scope
    raw_path = match[2] or b"/"
    headers = [(b"host", match[1]), *(header for header in scope["headers"] if header[0] != b"host")]
    return {**scope, "raw_path": raw_path, "path": unquote(raw_path.decode("ascii")), "headers": headers}


def base_url_of(scope: Scope, configured: str) -> str:
    """Return the configured base URL, or scheme and host of the request; without a slash at the end.

    Without a Host header, the host is the address that received the request.
    """
    if configured:
        return configured
    scheme = "https" if scope["scheme"] == "https" else "http"
    host = Headers.from_scope(scope).get("host", "")
    if is_host(host):
        return f"{scheme}://{host}"
    address, port = scope["server"] or ("localhost", None)
    if ":" in address:
        address = f"[{address}]"
    if port:
        address += f":{port}"
    return f"{scheme}://{address}"


async def disconnected(receive: Receive) -> None:
    """Return when the connection is closed."""
    while (await receive())["type"] != "http.disconnect":
        pass


def is_set(request: HttpRequest, name: str) -> bool:
    """Return whether a parameter of the query is true; without it, it is not. Raises `ServiceError` if wrong."""
    if not request.scope["query_string"]:  # as in most requests: reading parameters takes longer
        return False
    values = request.query_params.getall(name, [])
    if not values:
        return False
    if len(values) > 1 or values[0] not in TRUE_OR_FALSE:
        raise ServiceError(BAD_REQUEST, NEITHER_TRUE_NOR_FALSE.format(name=name))
    return bool(values[0] == TRUE_OR_FALSE[0])


def prefers(request: HttpRequest, media_type: str) -> bool:
    """Return whether the Accept header prefers `media_type`, with or without a charset, to JSON."""
    name = media_type.partition(";")[0]
    try:
        return request.accept.best_match([JSON, name]) == name
    except OverflowError:  # Litestar converts q=inf
        return False
