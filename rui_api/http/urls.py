"""The address that the service is reached at, and the ids in its paths (docs/decisions.md, section 6)."""

from __future__ import annotations

import re
from functools import lru_cache
from ipaddress import IPv6Address
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from litestar import Request
    from litestar.types import Scope

API = "/api/"
"""Prefix of the paths whose errors are answered as JSON."""

_HOST = re.compile(r"(?:[A-Za-z0-9](?:[A-Za-z0-9._-]{0,252})|\[([0-9A-Fa-f:.]{2,45})\])(?::([0-9]{1,5}))?")
_LAST_PORT = 65_535
_SPEC_ID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}", re.ASCII | re.IGNORECASE)


def base_url(request: Request[Any, Any, Any]) -> str:
    """`address_of` a request."""
    return address_of(request.scope, request.app.state.settings.base_url)


def address_of(scope: Scope, configured: str) -> str:
    """The configured base URL, or else scheme and host of the request; without a slash at its end.

    A Host header that names no host does not get into any address: then it is where the request arrived.

    Args:
        scope: the request, as ASGI has it.
        configured: the base URL that the operator set, or ``""``.
    """
    if configured:
        return configured
    host = next((value for name, value in scope["headers"] if name == b"host"), b"")
    return _address(scope["scheme"], host, scope["server"])


@lru_cache(64)
def names_a_host(value: bytes) -> bool:
    """Whether the value of a Host header is a name or an address, with or without a port."""
    match = _HOST.fullmatch(value.decode("latin-1"))
    if match is None:
        return False
    address, port = match.groups()
    return int(port or 0) <= _LAST_PORT and (address is None or _is_ipv6(address))


def _is_ipv6(text: str) -> bool:
    try:
        IPv6Address(text)
    except ValueError:
        return False
    return True


@lru_cache(64)
def _address(scheme: str, given: bytes, server: tuple[str, int | None] | None) -> str:
    host = given.decode("latin-1")
    if not names_a_host(given):
        name, port = server or ("localhost", None)
        name = f"[{name}]" if ":" in name else name
        host = name if port is None else f"{name}:{port}"
    return f"{'https' if scheme == 'https' else 'http'}://{host}"


def canonical_spec_id(text: str) -> str | None:
    """A UUID in its canonical 8-4-4-4-12 form, in lower case, or None if `text` is not of that form."""
    return text.lower() if _SPEC_ID.fullmatch(text) else None
