"""Validation of request heads that the HTTP parser accepts (RFC 9112)."""

from __future__ import annotations

import re
import urllib.parse
from collections.abc import Collection
from functools import lru_cache
from typing import Any

import httptools

from rui_api.http.form_data import MAX_FORM_BYTES
from rui_api.server.protocol_errors import invalid_request
from rui_common.vocabulary.rules import MAX_BODY_BYTES

Header = tuple[bytes, bytes]

VERSIONS = ("1.1", "1.0")
MAX_CACHED_TARGET = 32
IPV4_MAPPED = "::ffff:"
SCHEMES = (b"http", b"https")
PROBES = ("/api/health", "/api/ready", "/api/ready/validation")
"""Paths that a platform asks for by the address of a container, for any Host."""

FORM_PATHS = re.compile(r"/|/specs/[^/]*/compare|/playground/[^/]*")
"""Paths of forms and of the editor, whose limit is `MAX_FORM_BYTES` and not `MAX_BODY_BYTES`."""


def unmapped_address(client: tuple[str, int] | None) -> tuple[str, int] | None:
    """Return a client's address with an IPv4-mapped IPv6 address as IPv4."""
    if client is None or not client[0].startswith(IPV4_MAPPED):
        return client
    return client[0].removeprefix(IPV4_MAPPED), client[1]


class Target:
    """A parsed request target.

    Attributes:
        max_body_bytes: limit of the body at this path.
        path: the decoded path.
        raw_path: the path as it was sent.
        query: the query string.
        host: host and port of an absolute target, which replace the Host header, or None.
    """

    __slots__ = ("host", "max_body_bytes", "path", "query", "raw_path")

    def __init__(self, target: bytes) -> None:
        try:
            url: Any = httptools.parse_url(target)  # every attribute may be None, contrary to the type stubs
        except httptools.HttpParserInvalidURLError:
            raise invalid_request("The address in the request line cannot be read.") from None
        if url.schema is not None and (url.schema.lower() not in SCHEMES or url.userinfo is not None or not url.host):
            raise invalid_request("The address in the request line is not one of this service.")
        self.raw_path: bytes = url.path or b"/"
        self.query: bytes = url.query or b""
        self.path: str = urllib.parse.unquote(self.raw_path.decode("ascii"))
        self.max_body_bytes = MAX_BODY_BYTES
        if FORM_PATHS.fullmatch(self.path):
            self.max_body_bytes = MAX_FORM_BYTES
        self.host: bytes | None = None
        if url.schema is not None:
            self.host = _authority(url.host, url.port)


def parse_target(target: bytes) -> Target:
    """Parse a request target. Short targets are cached."""
    if len(target) <= MAX_CACHED_TARGET:
        return _parse_cached(target)
    return Target(target)


@lru_cache(64)
def _parse_cached(target: bytes) -> Target:
    return Target(target)


def _authority(host: bytes, port: int | None) -> bytes:
    if b":" in host:
        host = b"[%b]" % host
    return host if port is None else b"%b:%d" % (host, port)


def validate_head(method: bytes, version: str, headers: Collection[Header]) -> None:
    """Reject heads that are invalid, or that other HTTP software could interpret differently.

    The names of `headers` are in lower case.

    Raises:
        ProtocolError: the head is rejected.
    """
    if version not in VERSIONS:
        raise invalid_request("This service speaks HTTP/1.1.")
    if method == b"CONNECT":
        raise invalid_request("This service is no proxy: it does not take CONNECT.")
    hosts = 0
    codings = 0
    for name, value in headers:
        if name == b"host":
            hosts += 1
        elif name == b"transfer-encoding":
            codings += 1
            if version == "1.0" or codings > 1 or value.strip().lower() != b"chunked":
                raise invalid_request("The only Transfer-Encoding that this service takes is chunked, in HTTP/1.1.")
    if hosts > 1 or (hosts == 0 and version == "1.1"):
        raise invalid_request("A request has one Host.")


def validate_allowed_host(headers: Collection[Header], allowed: Collection[bytes]) -> None:
    """Reject a request whose Host is not in `allowed`: names in lower case, without ports."""
    if not any(name == b"host" and _host_name(value) in allowed for name, value in headers):
        raise invalid_request("The service is not known under this Host.")


def _host_name(host: bytes) -> bytes:
    """Return a Host in lower case without its port; it may be an IPv6 address in brackets."""
    host = host.strip().lower()
    name, colon, port = host.rpartition(b":")
    return name if colon and port.isdigit() else host


def head_without_upgrade(method: bytes, target: bytes, headers: Collection[Header]) -> bytes:
    """Return the head of a request without its Upgrade header."""
    lines = b"".join(b"%b: %b\r\n" % (name, value) for name, value in headers if name != b"upgrade")
    return b"%b %b HTTP/1.1\r\n%b\r\n" % (method, target, lines)
