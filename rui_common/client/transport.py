"""One HTTP request and its response, within a timeout for all of it."""

from __future__ import annotations

import re
import ssl
import threading
from concurrent.futures import Future
from http.client import HTTPException, HTTPResponse, IncompleteRead
from urllib.error import URLError
from urllib.parse import urlsplit
from urllib.request import HTTPErrorProcessor, HTTPSHandler, OpenerDirector, ProxyHandler, Request, build_opener

from rui_common.client.results import (
    RawResponse,
    ServiceError,
    ServiceTimeoutError,
    UnexpectedResponseError,
    UnreachableError,
)
from rui_common.redact import redact_userinfo

MAX_RESPONSE_BYTES = 16 * 1024 * 1024
"""Maximum size of a response body; the largest body of a service is far smaller."""

_HOST = r"(\[[0-9a-f:.]+\]|[a-z0-9_-]{1,63}(\.[a-z0-9_-]{1,63})*)"
_BASE_URL = re.compile(rf"https?://{_HOST}(:(?P<port>[0-9]{{1,5}}))?(/[!-~]*)?", re.IGNORECASE)
_LOOPBACK = ("localhost", "127.0.0.1", "::1")
"""Hosts for which the proxies of the environment are ignored."""
_NO_TLS = ("WRONG_VERSION_NUMBER", "RECORD_LAYER_FAILURE", "PACKET_LENGTH_TOO_LONG", "UNKNOWN_PROTOCOL")
"""Reasons that versions of OpenSSL give if the server does not speak TLS."""


def check_base_url(base_url: str) -> str:
    """The address of a service without a slash at its end.

    Raises:
        ValueError: it is not an http or https URL, or has credentials, a query or a fragment. The message is one line.
    """
    url = base_url.strip()
    match = _BASE_URL.fullmatch(url)
    if match is None or not 0 < int(match["port"] or 80) < 65536 or "?" in url or "#" in url:
        raise ValueError(
            "the address of a service is like https://rui.example.org, without user, query or fragment, "
            f"not {redact_userinfo(base_url)!r:.200}"
        )
    return url.rstrip("/")


class _EveryStatus(HTTPErrorProcessor):
    """Returns responses of every status: redirects are not followed, and no status raises an exception."""

    def http_response(self, request: Request, response: HTTPResponse) -> HTTPResponse:  # noqa: ARG002
        return response

    https_response = http_response


def new_opener(base_url: str, tls: ssl.SSLContext | None) -> OpenerDirector:
    """The opener for requests to one service, with the proxies of the environment."""
    proxies: dict[str, str] | None = {} if urlsplit(base_url).hostname in _LOOPBACK else None
    return build_opener(_EveryStatus, HTTPSHandler(context=tls), ProxyHandler(proxies))


def send_request(opener: OpenerDirector, request: Request, timeout: float, base_url: str) -> RawResponse:
    """Send a request and return the response, whatever its status.

    A thread sends it, because the timeout of `urllib` is one for each read, and does not cover the host lookup.

    Raises:
        UnreachableError: there was no complete response within `timeout` seconds.
        UnexpectedResponseError: the response is not HTTP, or is too large.
    """
    future: Future[RawResponse] = Future()

    def work() -> None:
        try:
            future.set_result(_exchange(opener, request, timeout))
        except Exception as error:  # The caller raises it.
            future.set_exception(error)

    threading.Thread(target=work, daemon=True).start()
    try:
        response = future.result(timeout)
    except URLError as error:
        raise _connection_error(error.reason, base_url) from None
    except TimeoutError:
        raise ServiceTimeoutError(f"{base_url} does not respond in time", sent=True) from None
    except (ConnectionError, IncompleteRead):
        raise UnreachableError(f"no response from {base_url}: it closed the connection", sent=True) from None
    except OSError as error:
        raise UnreachableError(f"no response from {base_url}: {_reason(error)}", sent=True) from None
    except (HTTPException, ValueError) as error:
        text = f"{base_url} does not speak HTTP ({type(error).__name__})"
        raise UnexpectedResponseError(text, RawResponse(0, {}, b"")) from None
    if len(response.body) > MAX_RESPONSE_BYTES:
        text = f"the response of {base_url} is larger than {MAX_RESPONSE_BYTES} bytes"
        raise UnexpectedResponseError(text, RawResponse(response.status, {}, b""))
    return response


def _exchange(opener: OpenerDirector, request: Request, timeout: float) -> RawResponse:
    with opener.open(request, timeout=timeout) as response:
        body = response.read(MAX_RESPONSE_BYTES + 1)
        if response.length and len(body) <= MAX_RESPONSE_BYTES:
            raise IncompleteRead(body, response.length)
        headers = {name.lower(): value for name, value in response.headers.items()}
        return RawResponse(response.status, headers, body)


def _connection_error(reason: object, url: str) -> ServiceError:
    """The exception for a failure before the response: `urllib` does not tell whether the request was being sent."""
    if isinstance(reason, TimeoutError):
        return ServiceTimeoutError(f"{url} does not respond in time", sent=True)
    if isinstance(reason, ConnectionResetError | ConnectionAbortedError | BrokenPipeError):
        return UnreachableError(f"no response from {url}: it closed the connection", sent=True)
    if not isinstance(reason, ssl.SSLError):
        return UnreachableError(f"cannot reach {url}: {_reason(reason)}", sent=False)
    if reason.reason in _NO_TLS:
        text = f"{url} does not speak TLS; should the address begin with http://?"
    else:
        text = f"{url} cannot be trusted: {getattr(reason, 'verify_message', '') or reason.reason or 'no TLS'}"
    return UnreachableError(text, sent=False, may_pass=False)


def _reason(error: object) -> str:
    text = getattr(error, "strerror", None) or str(error) or type(error).__name__
    return text[:1].lower() + text[1:]
