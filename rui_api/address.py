"""The address that the service is reached at, and the ids in its paths (docs/decisions.md, section 6)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from litestar import Request

_HOST = re.compile(r"(?:[A-Za-z0-9](?:[A-Za-z0-9._-]{0,252})|\[[0-9A-Fa-f:.]{2,45}\])(?::[0-9]{1,5})?")
_SPEC_ID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}", re.ASCII | re.IGNORECASE)


def base_url(request: Request[Any, Any, Any]) -> str:
    """The configured base URL, or else scheme and host of the request; without a slash at its end.

    A Host header that names no host does not get into any address: then it is where the request arrived.
    """
    configured: str = request.app.state.settings.base_url
    if configured:
        return configured
    scheme = "https" if request.scope["scheme"] == "https" else "http"
    host = request.headers.get("host", "")
    if not _HOST.fullmatch(host):
        name, port = request.scope["server"] or ("localhost", None)
        name = f"[{name}]" if ":" in name else name
        host = name if port is None else f"{name}:{port}"
    return f"{scheme}://{host}"


def canonical_spec_id(text: str) -> str | None:
    """A UUID in its canonical 8-4-4-4-12 form, in lower case, or None if `text` is not of that form."""
    return text.lower() if _SPEC_ID.fullmatch(text) else None
