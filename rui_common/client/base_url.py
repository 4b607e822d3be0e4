"""Where the service is: its base URL, and the proxy on the way to it."""

from __future__ import annotations

import os
from dataclasses import dataclass
from urllib.parse import SplitResult, unquote, urlsplit

from rui_common.redact import redact_userinfo

_NO_HOST = set(' "<>\\^`{|}')
_PORTS = {"http": 80, "https": 443}
LOOPBACK = {"localhost", "127.0.0.1", "::1"}
"""Hosts that no proxy can lead to."""


@dataclass(frozen=True, slots=True)
class Proxy:
    """An HTTP proxy: its host and port, and the credentials for it as ``user:password``, or ``""``."""

    host: str
    port: int
    credentials: str


@dataclass(frozen=True, slots=True)
class Address:
    """The base URL of a service.

    Attributes:
        url: the URL, without a slash at its end.
        scheme: ``http`` or ``https``.
        host: a name or an IP address, without brackets.
        port: the port.
        path: what comes before every path of the service: ``""`` or ``/rui``.
    """

    url: str
    scheme: str
    host: str
    port: int
    path: str

    def proxy(self) -> Proxy | None:
        """The proxy that the environment names for this address (``http_proxy``, ``https_proxy``, ``no_proxy``).

        There is none to this machine itself, whatever the environment says.

        Raises:
            ValueError: what it names is no HTTP proxy.
        """
        if self.host in LOOPBACK or not any(name.lower().endswith("_proxy") for name in os.environ):
            return None
        import urllib.request  # noqa: PLC0415  slow

        proxies = urllib.request.getproxies_environment()
        text = proxies.get(self.scheme) or proxies.get("all")
        bypass = urllib.request.proxy_bypass_environment  # type: ignore[attr-defined]
        if not text or bypass(f"{self.host}:{self.port}", proxies):
            return None
        parts = _split(text if "://" in text else f"http://{text}")
        if parts is None or parts.scheme != "http":
            raise ValueError("the proxy that the environment names is no http:// address")
        credentials = parts.netloc.rpartition("@")[0]
        return Proxy(str(parts.hostname), parts.port or _PORTS["http"], unquote(credentials))


def read_address(base_url: str) -> Address:
    """The address that a base URL means.

    Args:
        base_url: such as ``https://rui.example.org`` or ``http://127.0.0.1:8000/rui/``.

    Raises:
        ValueError: it is no http or https URL, or has credentials, a query or a fragment; the message is one line.
    """
    text = base_url.strip()
    parts = _split(text)
    if parts is None or "?" in text or "#" in text or "@" in parts.netloc:
        raise ValueError(
            "the address of a service is like https://rui.example.org, without user, query or fragment, "
            f"not {redact_userinfo(base_url)!r:.200}"
        )
    return Address(
        text.rstrip("/"), parts.scheme, str(parts.hostname), parts.port or _PORTS[parts.scheme], parts.path.rstrip("/")
    )


def _split(text: str) -> SplitResult | None:
    """The parts of an http or https URL, or None."""
    if not text.isprintable() or not text.isascii() or _NO_HOST & set(text):
        return None
    try:
        parts = urlsplit(text)
        usable = parts.scheme in _PORTS and parts.hostname and parts.port != 0
    except ValueError:
        return None
    return parts if usable else None
