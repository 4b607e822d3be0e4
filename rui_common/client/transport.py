"""One HTTP request and its response, within a deadline that covers every byte.

Every request has a connection of its own, so threads share no state and no connection can be stale.
"""

from __future__ import annotations

import base64
import io
import ssl
import time
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection, IncompleteRead, RemoteDisconnected
from socket import EAI_NONAME, gaierror
from typing import TYPE_CHECKING

from rui_common.client.errors import ServiceTimeoutError, UnexpectedResponseError, UnreachableError
from rui_common.client.models import RawResponse

if TYPE_CHECKING:
    from collections.abc import Mapping
    from socket import socket

    from rui_common.client.base_url import Address, Proxy

MAX_RESPONSE_BYTES = 16 * 1024 * 1024
"""Maximum size of a response body; the largest body of a service is far smaller."""

NO_TLS = ("WRONG_VERSION_NUMBER", "RECORD_LAYER_FAILURE", "PACKET_LENGTH_TOO_LONG", "UNKNOWN_PROTOCOL")
"""Reasons that versions of OpenSSL give if the server does not speak TLS."""

_MIN_TIMEOUT = 0.001
"""Seconds. A timeout of 0 would make the socket non-blocking."""


@dataclass(frozen=True, slots=True)
class Request:
    """A request: method, path such as ``/api/specs``, headers, body."""

    method: str
    path: str
    headers: Mapping[str, str]
    body: bytes | None = None


def send_request(
    address: Address, request: Request, deadline: float, connect_timeout: float, context: ssl.SSLContext | None
) -> RawResponse:
    """Send one request and return the response, whatever its status. Redirects are not followed.

    Args:
        address: the service.
        request: the request, with a path below `address`.
        deadline: when the response must be complete, on the clock of `time.monotonic`. It does not limit the lookup
            of the host name, which the operating system does.
        connect_timeout: seconds for making the connection, including TLS and proxy.
        context: the TLS settings for https.

    Raises:
        UnreachableError: there was no complete response.
        UnexpectedResponseError: the response is not HTTP, or is too large.
    """
    try:
        proxy = address.proxy()
    except ValueError as error:
        raise UnreachableError(f"cannot reach {address.url}: {error}", sent=False, may_pass=False) from None
    timeout = max(_MIN_TIMEOUT, min(connect_timeout, deadline - time.monotonic()))
    connection = _new_connection(address, proxy, timeout, context)
    connection.response_class = partial(_Response, deadline=deadline)  # type: ignore[assignment]
    target = f"{address.path}{request.path}"
    headers = dict(request.headers)
    if proxy is not None and address.scheme == "http":
        target = f"{address.url}{request.path}"
        headers |= _proxy_headers(proxy)
    try:
        _connect(connection, address.url)
        return _exchange(connection, Request(request.method, target, headers, request.body), deadline, address.url)
    finally:
        connection.close()


def _new_connection(
    address: Address, proxy: Proxy | None, timeout: float, context: ssl.SSLContext | None
) -> HTTPConnection:
    server = proxy or address
    if address.scheme == "http":
        return HTTPConnection(server.host, server.port, timeout=timeout)
    connection = HTTPSConnection(server.host, server.port, timeout=timeout, context=context)
    if proxy is not None:
        connection.set_tunnel(address.host, address.port, _proxy_headers(proxy))
    return connection


def _proxy_headers(proxy: Proxy) -> dict[str, str]:
    if not proxy.credentials:
        return {}
    token = base64.b64encode(proxy.credentials.encode()).decode()
    return {"Proxy-Authorization": f"Basic {token}"}


class _Response(HTTPResponse):
    """A response with one deadline for all of its bytes."""

    def __init__(self, sock: socket, debuglevel: int = 0, method: str | None = None, *, deadline: float) -> None:
        super().__init__(sock, debuglevel, method)
        self.fp.close()
        self.fp = io.BufferedReader(_Reader(sock, deadline))


class _Reader(io.RawIOBase):
    """A socket whose timeout is set to the remaining time before every read."""

    def __init__(self, sock: socket, deadline: float) -> None:
        self._sock = sock
        self._deadline = deadline
        self._raw = sock.makefile("rb", buffering=0)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int | None:  # type: ignore[override]
        self._sock.settimeout(_remaining_seconds(self._deadline))
        return self._raw.readinto(buffer)

    def close(self) -> None:
        self._raw.close()
        super().close()


def _remaining_seconds(deadline: float) -> float:
    """The seconds until a deadline.

    Raises:
        TimeoutError: the deadline has passed.
    """
    seconds = deadline - time.monotonic()
    if seconds <= 0:
        raise TimeoutError("timed out")
    return seconds


def _connect(connection: HTTPConnection, url: str) -> None:
    try:
        connection.connect()
    except TimeoutError:
        raise ServiceTimeoutError(f"{url} does not accept a connection in time", sent=False) from None
    except ssl.SSLError as error:
        if error.reason in NO_TLS:
            text = f"{url} does not speak TLS; should the address begin with http://?"
        else:
            reason = getattr(error, "verify_message", "") or error.reason or "no TLS"
            text = f"{url} cannot be trusted: {reason}"
        raise UnreachableError(text, sent=False, may_pass=False) from None
    except (OSError, HTTPException, UnicodeError) as error:
        is_unknown_host = isinstance(error, gaierror) and error.errno == EAI_NONAME
        text = f"cannot reach {url}: {_reason(error)}"
        raise UnreachableError(text, sent=False, may_pass=not is_unknown_host) from None


def _exchange(connection: HTTPConnection, request: Request, deadline: float, url: str) -> RawResponse:
    try:
        _send(connection, request, deadline)
        with connection.getresponse() as response:
            body = response.read(MAX_RESPONSE_BYTES + 1)
            if response.length and len(body) <= MAX_RESPONSE_BYTES:
                raise IncompleteRead(body, response.length)
    except TimeoutError:
        raise ServiceTimeoutError(f"{url} does not respond in time", sent=True) from None
    except (RemoteDisconnected, IncompleteRead):
        raise UnreachableError(f"no response from {url}: it closed the connection", sent=True) from None
    except OSError as error:
        raise UnreachableError(f"no response from {url}: {_reason(error)}", sent=True) from None
    except (HTTPException, ValueError) as error:
        raise UnexpectedResponseError(f"{url} does not speak HTTP ({type(error).__name__})", 0) from None
    if len(body) > MAX_RESPONSE_BYTES:
        text = f"the response of {url} is larger than {MAX_RESPONSE_BYTES} bytes"
        raise UnexpectedResponseError(text, response.status)
    return RawResponse(response.status, {name.lower(): value for name, value in response.getheaders()}, body)


def _send(connection: HTTPConnection, request: Request, deadline: float) -> None:
    if connection.sock is not None:
        connection.sock.settimeout(_remaining_seconds(deadline))
    # A server that refuses a body before reading all of it has already sent its response.
    with suppress(BrokenPipeError, ConnectionResetError):
        connection.request(request.method, request.path, request.body, dict(request.headers))


def _reason(error: BaseException) -> str:
    text = getattr(error, "strerror", None) or str(error) or type(error).__name__
    return text[:1].lower() + text[1:]
