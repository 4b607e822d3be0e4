"""The base URL of a service, and the proxy on the way to it."""

from __future__ import annotations

import os
from dataclasses import dataclass
from urllib.parse import SplitResult, unquote, urlsplit

from rui_common.redact import redact_userinfo

_NOT_IN_HOST = set(' "<>\\^`{|}')
_PORTS = {"http": 80, "https": 443}
LOOPBACK = {"localhost", "127.0.0.1", "::1"}
"""Hosts for which proxies are ignored."""


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
        url: the URL without a slash at its end.
        scheme: ``http`` or ``https``.
        host: a name or an IP address without brackets.
        port: the port.
        path: prefix of every path of the service: ``""`` or such as ``/rui``.
    """

    url: str
    scheme: str
    host: str
    port: int
    path: str

    def proxy(self) -> Proxy | None:
        """The proxy that the environment configures for this address (``http_proxy``, ``https_proxy``, ``no_proxy``).

        Returns:
            None if there is none, and for addresses of this machine.

        Raises:
            ValueError: the configured address is not that of an HTTP proxy.
        """
        if self.host in LOOPBACK or not any(name.lower().endswith("_proxy") for name in os.environ):
            return None
        import urllib.request  # noqa: PLC0415  slow

        proxies = urllib.request.getproxies_environment()
        text = proxies.get(self.scheme) or proxies.get("all")
        bypass = urllib.request.proxy_bypass_environment  # type: ignore[attr-defined]
        if not text or bypass(f"{self.host}:{self.port}", proxies):
            return None
        if "://" not in text:
            text = f"http://{text}"
        parts = _split(text)
        if parts is None or parts.scheme != "http":
            raise ValueError("the proxy in the environment is not an http:// address")
        credentials = parts.netloc.rpartition("@")[0]
        return Proxy(str(parts.hostname), parts.port or _PORTS["http"], unquote(credentials))


def read_address(base_url: str) -> Address:
    """Parse a base URL.

    Args:
        base_url: such as ``https://rui.example.org`` or ``http://127.0.0.1:8000/rui/``.

    Raises:
        ValueError: it is not an http or https URL, or has credentials, a query or a fragment. The message is one line.
    """
    text = base_url.strip()
    parts = _split(text)
    if parts is None or "?" in text or "#" in text or "@" in parts.netloc:
        raise ValueError(
            "the address of a service is like https://rui.example.org, without user, query or fragment, "
            f"not {redact_userinfo(base_url)!r:.200}"
        )
    port = parts.port or _PORTS[parts.scheme]
    return Address(text.rstrip("/"), parts.scheme, str(parts.hostname), port, parts.path.rstrip("/"))


def _split(text: str) -> SplitResult | None:
    """The parts of an http or https URL; None if it is not one."""
    if not text.isprintable() or not text.isascii() or _NOT_IN_HOST & set(text):
        return None
    try:
        parts = urlsplit(text)
        is_usable = parts.scheme in _PORTS and parts.hostname and parts.port != 0
    except ValueError:
        return None
    return parts if is_usable else None
