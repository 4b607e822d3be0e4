"""One HTTP request and its answer, by a deadline, whatever the other side does.

Every request has a connection of its own: nothing is shared between threads, and no connection can have gone stale.
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

    from rui_common.client.base_url import Address

MAX_ANSWER = 16 * 1024 * 1024
"""Bytes of a body that are read at most; no answer of a service comes near."""

NO_TLS = ("WRONG_VERSION_NUMBER", "RECORD_LAYER_FAILURE", "PACKET_LENGTH_TOO_LONG", "UNKNOWN_PROTOCOL")
"""What versions of OpenSSL say when something else is spoken."""

_SHORTEST = 0.001  # seconds; no timeout at all would mean never to block


@dataclass(frozen=True, slots=True)
class Call:
    """What is asked of the service: a method, a path of its own such as ``/api/specs``, headers, a body."""

    method: str
    path: str
    headers: Mapping[str, str]
    body: bytes | None = None


def exchange(
    address: Address, call: Call, deadline: float, connect_timeout: float, context: ssl.SSLContext | None
) -> RawResponse:
    """Send one request and take its answer, of whatever status. No redirect is followed.

    Args:
        address: the service.
        call: the request.
        deadline: when it has to be over, on the clock of `time.monotonic`. Only looking a name up cannot be held
            to it, as the operating system does that.
        connect_timeout: seconds for the connection to be made, TLS and proxy included.
        context: how https is spoken.

    Raises:
        UnreachableError: there was no whole answer.
        UnexpectedResponseError: it is no HTTP, or has no end.
    """
    try:
        proxy = address.proxy()
    except ValueError as error:
        raise UnreachableError(f"cannot reach {address.url}: {error}", sent=False, may_pass=False) from None
    timeout = max(_SHORTEST, min(connect_timeout, deadline - time.monotonic()))
    where = (address.host, address.port) if proxy is None else (proxy.host, proxy.port)
    target, headers = f"{address.path}{call.path}", dict(call.headers)
    secret = {} if proxy is None or not proxy.credentials else {"Proxy-Authorization": _basic(proxy.credentials)}
    connection: HTTPConnection
    if address.scheme == "https":
        connection = _TlsConnection(*where, timeout=timeout, context=context)
        if proxy is not None:
            connection.set_tunnel(address.host, address.port, secret)
    else:
        connection = _PlainConnection(*where, timeout=timeout)
        if proxy is not None:
            target, headers = f"{address.url}{call.path}", {**headers, **secret}
    connection.response_class = partial(_Response, deadline=deadline)  # type: ignore[assignment]
    try:
        _connect(connection, address.url)
        return _ask(connection, Call(call.method, target, headers, call.body), deadline, address.url)
    finally:
        connection.close()


class _PlainConnection(HTTPConnection):
    """http."""


class _TlsConnection(HTTPSConnection):
    """https."""


class _Response(HTTPResponse):
    """A response that has to be read by a deadline, byte by byte if need be."""

    def __init__(self, sock: socket, debuglevel: int = 0, method: str | None = None, *, deadline: float) -> None:
        super().__init__(sock, debuglevel, method)
        self.fp.close()
        self.fp = io.BufferedReader(_Reader(sock, deadline))


class _Reader(io.RawIOBase):
    """Reads a socket, and waits for no byte longer than there is time for all of them."""

    def __init__(self, sock: socket, deadline: float) -> None:
        self._sock = sock
        self._deadline = deadline
        self._raw = sock.makefile("rb", buffering=0)

    def readable(self) -> bool:
        """It is."""
        return True

    def readinto(self, buffer: memoryview) -> int | None:  # type: ignore[override]
        """Read what is there, or wait for something."""
        self._sock.settimeout(_left(self._deadline))
        return self._raw.readinto(buffer)

    def close(self) -> None:
        """Let go of the socket."""
        self._raw.close()
        super().close()


def _left(deadline: float) -> float:
    """The seconds until a deadline.

    Raises:
        TimeoutError: there are none.
    """
    left = deadline - time.monotonic()
    if left <= 0:
        raise TimeoutError("timed out")
    return left


def _connect(connection: HTTPConnection, url: str) -> None:
    try:
        connection.connect()
    except TimeoutError:
        raise ServiceTimeoutError(f"{url} does not accept a connection in time", sent=False) from None
    except ssl.SSLError as error:
        reason = getattr(error, "verify_message", "") or error.reason or "no TLS"
        if error.reason in NO_TLS:
            text = f"{url} does not speak TLS; is its address one with http://?"
            raise UnreachableError(text, sent=False, may_pass=False) from None
        raise UnreachableError(f"{url} cannot be trusted: {reason}", sent=False, may_pass=False) from None
    except (OSError, HTTPException, UnicodeError) as error:
        unknown = isinstance(error, gaierror) and error.errno == EAI_NONAME
        raise UnreachableError(f"cannot reach {url}: {_reason(error)}", sent=False, may_pass=not unknown) from None


def _ask(connection: HTTPConnection, call: Call, deadline: float, url: str) -> RawResponse:
    try:
        _send(connection, call, deadline)
        with connection.getresponse() as response:
            body = response.read(MAX_ANSWER + 1)
            if response.length and len(body) <= MAX_ANSWER:
                raise IncompleteRead(body, response.length)
    except TimeoutError:
        raise ServiceTimeoutError(f"{url} does not answer in time", sent=True) from None
    except (OSError, IncompleteRead) as error:  # A connection that is closed instead of answered is among these.
        reason = (
            "it closed the connection" if isinstance(error, RemoteDisconnected | IncompleteRead) else _reason(error)
        )
        raise UnreachableError(f"no answer from {url}: {reason}", sent=True) from None
    except (HTTPException, ValueError) as error:
        raise UnexpectedResponseError(f"{url} does not speak HTTP ({type(error).__name__})", 0) from None
    if len(body) > MAX_ANSWER:
        raise UnexpectedResponseError(f"the response of {url} is larger than {MAX_ANSWER} bytes", response.status)
    return RawResponse(response.status, {name.lower(): value for name, value in response.getheaders()}, body)


def _send(connection: HTTPConnection, call: Call, deadline: float) -> None:
    if connection.sock is not None:
        connection.sock.settimeout(_left(deadline))
    with suppress(BrokenPipeError, ConnectionResetError):  # Who refuses a body half-way has answered already.
        connection.request(call.method, call.path, call.body, dict(call.headers))


def _basic(credentials: str) -> str:
    return f"Basic {base64.b64encode(credentials.encode()).decode()}"


def _reason(error: BaseException) -> str:
    """Why, in a few words that begin with a small letter."""
    text = getattr(error, "strerror", None) or str(error) or type(error).__name__
    return text[:1].lower() + text[1:]
