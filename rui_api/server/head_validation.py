"""Is this a request, as far as its head tells? What the HTTP parser lets through is judged here (RFC 9112)."""

from __future__ import annotations

import urllib.parse
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import httptools

from rui_api.http.form_data import MAX_FORM_BYTES
from rui_api.server.protocol_errors import nonsense
from rui_common.vocabulary.rules import MAX_BODY_BYTES

if TYPE_CHECKING:
    from collections.abc import Collection

    Header = tuple[bytes, bytes]

VERSIONS = ("1.1", "1.0")
COMMON_BYTES = 32
MAPPED = "::ffff:"
SCHEMES = (b"http", b"https")
BODY_BYTES = {"/": MAX_FORM_BYTES}
"""How long a body may be at an address where it may be longer than elsewhere."""


def plain_address(client: tuple[str, int] | None) -> tuple[str, int] | None:
    """A client's address; one of IPv4 as such, when the service listens on IPv6 for both."""
    if client is None or not client[0].startswith(MAPPED):
        return client
    return client[0].removeprefix(MAPPED), client[1]


class Target:
    """Where a request wants to go.

    Attributes:
        body_bytes: how many bytes are taken there.
        path: decoded.
        raw_path: as it was sent.
        query: what follows the question mark.
        host: the host and port in the address, which then counts instead of the Host header, or None.
    """

    __slots__ = ("body_bytes", "host", "path", "query", "raw_path")

    def __init__(self, target: bytes) -> None:
        try:
            url: Any = httptools.parse_url(target)  # any part may be missing, whatever its types say
        except httptools.HttpParserInvalidURLError:
            raise nonsense("The address in the request line cannot be read.") from None
        if url.schema is not None and (url.schema.lower() not in SCHEMES or url.userinfo is not None or not url.host):
            raise nonsense("The address in the request line is not one of this service.")
        self.raw_path: bytes = url.path or b"/"
        self.query: bytes = url.query or b""
        path = self.raw_path.decode("ascii")
        self.path: str = urllib.parse.unquote(path) if "%" in path else path
        self.body_bytes = BODY_BYTES.get(self.path, MAX_BODY_BYTES)
        self.host: bytes | None = None if url.schema is None else _authority(url.host, url.port)


def target_of(address: bytes) -> Target:
    """The target of a request line; of short ones, those that come again and again are kept."""
    return _common_target(address) if len(address) <= COMMON_BYTES else Target(address)


@lru_cache(64)
def _common_target(address: bytes) -> Target:
    return Target(address)


def _authority(host: bytes, port: int | None) -> bytes:
    host = b"[%b]" % host if b":" in host else host
    return host if port is None else b"%b:%d" % (host, port)


def judge(method: bytes, version: str, headers: Collection[Header]) -> None:
    """Refuse what makes no sense, or means different things to different programs.

    Args:
        method: as it was sent.
        version: of HTTP.
        headers: names in lower case.

    Raises:
        Refusal: the request is not to be answered by anybody else.
    """
    if version not in VERSIONS:
        raise nonsense("This service speaks HTTP/1.1.")
    if method == b"CONNECT":
        raise nonsense("This service is no proxy: it does not take CONNECT.")
    hosts = codings = 0
    for name, value in headers:
        if name == b"host":
            hosts += 1
        elif name == b"transfer-encoding":
            codings += 1
            if version == "1.0" or codings > 1 or value.strip().lower() != b"chunked":
                raise nonsense("The only Transfer-Encoding that this service takes is chunked, in HTTP/1.1.")
    if hosts > 1 or (hosts == 0 and version == "1.1"):
        raise nonsense("A request has one Host.")


def judge_host(headers: Collection[Header], allowed: Collection[bytes]) -> None:
    """Refuse a request to a host that is not one of `allowed`, which are in lower case and without a port."""
    if not any(name == b"host" and name_of(value) in allowed for name, value in headers):
        raise nonsense("The service is not known under this Host.")


def name_of(host: bytes) -> bytes:
    """A Host in lower case and without its port; it may be an IPv6 address in brackets."""
    name, colon, port = host.strip().lower().rpartition(b":")
    return name if colon and port.isdigit() else host.strip().lower()


def without_upgrade(method: bytes, target: bytes, headers: Collection[Header]) -> bytes:
    """The head of a request of HTTP/1.1, as it would be if the client had not offered another protocol."""
    kept = b"".join(b"%b: %b\r\n" % (name, value) for name, value in headers if name != b"upgrade")
    return b"%b %b HTTP/1.1\r\n%b\r\n" % (method, target, kept)
