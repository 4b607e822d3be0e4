"""The base URL of the service, Host headers, and spec ids in paths (docs/decisions.md, section 6)."""

from __future__ import annotations

import re
from functools import lru_cache
from ipaddress import IPv6Address
from typing import Any

from litestar import Request
from litestar.types import Scope

_HOST = re.compile(r"(?:[A-Za-z0-9](?:[A-Za-z0-9._-]{0,252})|\[([0-9A-Fa-f:.]{2,45})\])(?::([0-9]{1,5}))?")
_MAX_PORT = 65_535
_SPEC_ID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}", re.ASCII | re.IGNORECASE)


def base_url(request: Request[Any, Any, Any]) -> str:
    """Return `base_url_of` for a request of Litestar."""
    return base_url_of(request.scope, request.app.state.settings.base_url)


def base_url_of(scope: Scope, configured: str) -> str:
    """Return the configured base URL, or scheme and host of the request; without a slash at the end.

    If the Host header is invalid, the host is the address that received the request.

    Args:
        scope: the ASGI scope of the request.
        configured: the base URL of the settings, or ``""``.
    """
    if configured:
        return configured
    for name, value in scope["headers"]:
        if name == b"host":
            return _url(scope["scheme"], value, scope["server"])
    return _url(scope["scheme"], b"", scope["server"])


@lru_cache(64)
def is_valid_host(value: bytes) -> bool:
    """Return whether a Host header is a host name or an IP address, with or without a port."""
    match = _HOST.fullmatch(value.decode("latin-1"))
    if match is None:
        return False
    address, port = match.groups()
    return int(port or 0) <= _MAX_PORT and (address is None or _is_ipv6(address))


def _is_ipv6(text: str) -> bool:
    try:
        IPv6Address(text)
    except ValueError:
        return False
    return True


@lru_cache(64)
def _url(scheme: str, host: bytes, server: tuple[str, int | None] | None) -> str:
    if scheme != "https":
        scheme = "http"
    if is_valid_host(host):
        return f"{scheme}://{host.decode('latin-1')}"
    name, port = server or ("localhost", None)
    if ":" in name:
        name = f"[{name}]"
    if port is None:
        return f"{scheme}://{name}"
    return f"{scheme}://{name}:{port}"


def is_exact_path(path: str) -> bool:
    """Return whether a path has no empty segment: neither two slashes in a row nor one at the end."""
    return "//" not in path and (path == "/" or not path.endswith("/"))


def canonical_spec_id(text: str) -> str | None:
    """Return a UUID in lower case, or None if `text` is not a UUID in its canonical form."""
    return text.lower() if _SPEC_ID.fullmatch(text) else None
