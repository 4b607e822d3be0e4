"""A client of the service that needs only the standard library. README.md has an example."""

import json
import random
import re
import ssl
import time
from collections.abc import Callable, Iterable
from http.client import HTTPException, HTTPResponse, IncompleteRead, InvalidURL
from typing import Any, NamedTuple, TypeVar
from urllib.error import URLError
from urllib.parse import quote, urlencode, urljoin, urlsplit
from urllib.request import HTTPErrorProcessor, ProxyHandler, Request, build_opener

from rui_common.json_values import as_list, as_object
from rui_common.redact import redact_userinfo
from rui_common.texts import no_document

MAX_RESPONSE_BYTES = 16 * 1024 * 1024  # maximum size of a response body. A service sends far smaller ones.

BACKOFF = 0.2  # seconds before the second attempt, which double for each further one
MAX_WAIT = 5.0  # the maximum of these

_BUSY = 503
_TOO_MANY = 429  # the status of a proxy with limits per client
_GATEWAY_ERRORS = (502, _BUSY, 504)  # a proxy has no response of the service, which may have received the request
_REDIRECTS = (301, 302, 303, 307, 308)
_REFUSALS = ("STORAGE_UNAVAILABLE", "OVERLOADED")  # error codes with which the service asks to send the request again
_NETWORK_LOGIN = 511  # the status of a network that needs a login (RFC 6585, section 6)
_REASONS = {
    408: "the request was too slow for a proxy",
    413: "the request is too large for a proxy",
    414: "the address is too long for a proxy",
    431: "the headers are too large for a proxy",
    # Those above 511 are of Cloudflare.
    **dict.fromkeys((*_GATEWAY_ERRORS, *range(520, 528), 530), "a proxy has no response of the service"),
}
"""What a status without an error code of the service says."""

_T = TypeVar("_T")
_JSON = "application/json"
_HEADER = re.compile(r"([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*([!-~\xa0-\xff]([ \t!-~\xa0-\xff]*[!-~\xa0-\xff])?)[ \t]*")
_OWN_HEADERS = frozenset(
    "accept connection content-length content-type expect host te trailer transfer-encoding upgrade".split()
)
_MIN_SECRET = 6  # characters of a word in a header's value that no message contains; shorter ones occur by chance
_BASE_URL = re.compile(r"https?://(\[[0-9a-f:.]+\]|[a-z0-9_.-]+)(:(?P<port>[0-9]{1,5}))?(/[!-~]*)?", re.IGNORECASE)


class ErrorItem(NamedTuple):
    """One item of ``errors[]`` (section 2.5), or of ``warnings[]``."""

    path: str
    code: str
    message: str
    hint: str


class FixItem(NamedTuple):
    """One item of ``fixed.applied[]``: the path and code of an error, and what its fix has done."""

    path: str
    code: str
    title: str


class FixedRui(NamedTuple):
    """An invalid RUI after all safe fixes.

    Attributes:
        rui: the fixed document. It is valid if `errors` is empty.
        applied: the first fixes.
        errors: the first errors that remain in it.
    """

    rui: dict[str, Any]
    applied: tuple[FixItem, ...]
    errors: tuple[ErrorItem, ...]


class Validation(NamedTuple):
    """The result of validating a RUI (section 4.1).

    Attributes:
        errors: empty if it is valid; one item with the code ``INVALID_JSON`` if the body is not JSON.
        truncated: whether there are more errors than `errors` contains.
        normalized_rui: the normal form of a valid RUI, else None.
        warnings: the first warnings, if the call requests them.
        fixed: the RUI after all safe fixes, if the call requests it; None if no fix is safe.
        fix_skipped: a sentence if the service had no time to fix it, else ``""``.
        kept: the number of nodes that are those of the base, if the call has one, else 0.
        changes: what changes for users since the base, as sentences.
    """

    valid: bool
    errors: tuple[ErrorItem, ...]
    truncated: bool
    normalized_rui: dict[str, Any] | None
    warnings: tuple[ErrorItem, ...] = ()
    fixed: FixedRui | None = None
    fix_skipped: str = ""
    kept: int = 0
    changes: tuple[str, ...] = ()


class SavedSpec(NamedTuple):
    """A stored RUI (section 2.4).

    `view_url` is its page in the inspector; `warnings`, `kept` and `changes` are those of `Validation`.
    """

    spec_id: str
    url: str
    view_url: str
    created_at: str
    content_hash: str
    validation_version: str
    registry_version: str
    normalized_rui: dict[str, Any]
    warnings: tuple[ErrorItem, ...] = ()
    kept: int = 0
    changes: tuple[str, ...] = ()


class ServiceError(Exception):
    """A call has failed. The message is one line that can be shown to a user.

    `status` is the HTTP status, or 0 without a response; `code` an error code such as ``NOT_FOUND``, or ``""``.
    `needs_login` is true if a proxy in front of the service refuses the request, or redirects it to another page.
    `sent` is false if the service has not received the request. `may_be_stored` is true if a call of `Client.store`
    may have stored the spec all the same, so that another call may store it twice. The message says so.
    """

    def __init__(
        self, message: str, status: int = 0, code: str = "", *, needs_login: bool = False, sent: bool = True
    ) -> None:
        super().__init__(message)
        self.status = status
        self.code = code
        self.needs_login = needs_login
        self.sent = sent
        self.may_be_stored = False

    def __str__(self) -> str:
        message = super().__str__()
        return f"{message.removesuffix('.')}; the spec may be stored" if self.may_be_stored else message


class InvalidRuiError(ServiceError):
    """The service does not store an invalid RUI (section 4.2). `errors` and `truncated` are those of `Validation`."""

    def __init__(self, result: Validation) -> None:
        more = f" (and {len(result.errors) - 1} more)" if len(result.errors) > 1 else ""
        super().__init__(f"the service refuses the RUI: {result.errors[0].message}{more}")
        self.errors = result.errors
        self.truncated = result.truncated


class UnreachableError(ServiceError):
    """There was no complete response: connection refused, unknown host, broken connection, timeout."""


class InvalidAddressError(ServiceError, ValueError):
    """The address of the client is not that of a service."""


class _Response(NamedTuple):
    """An HTTP response."""

    status: int
    retry_after: float | None  # the seconds of ``Retry-After``, 0 if it cannot be read; None without
    location: str  # ``Location``, without what may be secret; ``""`` without
    body: dict[str, Any]  # the JSON object; an empty one if there is none

    @property
    def code(self) -> str:
        """The error code of the service; ``""`` if the response is not the service's."""
        return str(self.body.get("error", ""))

    @property
    def is_refusal(self) -> bool:
        """Whether the service has not stored the spec of the request. The status decides, before the code.

        Any proxy may answer with a code of the service. The service sends no ``Retry-After`` if it does not know.
        """
        if self.status == _BUSY:
            return self.code in _REFUSALS and self.retry_after is not None
        return self.status in (200, _NETWORK_LOGIN) or 300 <= self.status < 500


class _EveryStatus(HTTPErrorProcessor):
    """Returns responses of every status: redirects are not followed, and no status raises an exception."""

    def http_response(self, request: Request, response: HTTPResponse) -> HTTPResponse:  # noqa: ARG002
        return response

    https_response = http_response


class Client:
    """A client of one service. It keeps no connection open and may be used from several threads.

    A call is retried if the connection could not be made, as the service has not seen the request, and after 503 of
    the service or 429. `validate` and `fetch` are also retried if the connection breaks, and after 502, 503 and 504 of
    a proxy. `store` is not, because each store makes a new spec and this one may exist already.
    """

    def __init__(
        self, base_url: str, *, timeout: float = 30.0, retries: int = 3, user_agent: str = "rui-client"
    ) -> None:
        """Configure the client; no request is sent yet.

        Args:
            base_url: the address of the service, http or https, with or without a path.
            timeout: seconds of silence of the service, and of all attempts and the delays between them.
            retries: maximum number of retries of a call.
            user_agent: the ``User-Agent`` header.

        Raises:
            InvalidAddressError: `base_url` is not the address of a service. It is a ValueError, too.
        """
        self.base_url = base_url.strip().rstrip("/")
        match = _BASE_URL.fullmatch(self.base_url)
        if match is None or not 0 < int(match["port"] or 80) < 65536 or "?" in base_url or "#" in base_url:
            advice = "" if "://" in base_url else "; http:// or https:// is missing"
            raise InvalidAddressError(
                "the address of a service is like https://rui.example.org, without user, query or fragment, "
                f"not {redact_userinfo(base_url)!r:.200}{advice}",
                sent=False,
            )
        self._timeout = timeout
        self._retries = retries
        self._headers = {"Accept": _JSON, "Content-Type": _JSON, "User-Agent": user_agent}
        self._secrets: list[str] = []
        is_local = urlsplit(self.base_url).hostname in ("localhost", "127.0.0.1", "::1")
        proxies = ProxyHandler({} if is_local else None)  # None means those of the environment
        self._opener = build_opener(_EveryStatus, proxies)

    def add_headers(self, lines: Iterable[str]) -> None:
        """Add headers to each request, such as ``Authorization: Bearer …`` for a proxy that needs a login.

        No message contains their values.

        Raises:
            ValueError: a header cannot be sent. The message is one line.
        """
        for name, value in map(_parse_header, lines):
            self._headers[name] = value
            self._secrets += [word for word in (value, *value.split()) if len(word) >= _MIN_SECRET]
        self._secrets.sort(key=len, reverse=True)

    def validate(
        self, rui: bytes | str | dict[str, Any], *, warnings: bool = False, fix: bool = False, base: str = ""
    ) -> Validation:
        """Validate a RUI, as JSON or as a dictionary (section 4.1). An invalid RUI is a result, not an exception.

        Args:
            rui: the RUI.
            warnings: whether to return warnings.
            fix: whether to return an invalid RUI after all safe fixes.
            base: the id of the stored spec of which it is a new version. A node of the RUI that has an id alone stands
                for that of the base, and a property of the root that is absent is that of the base.

        Raises:
            ServiceError: the service has not validated it.
            ValueError, TypeError: the dictionary cannot be written as JSON, or it is no RUI of these types.
        """
        return self._call("/api/validate" + _query(base, warnings=warnings, fix=fix), _validation, _body(rui))

    def store(self, rui: bytes | str | dict[str, Any], *, warnings: bool = False, base: str = "") -> SavedSpec:
        """Store a RUI, as JSON or as a dictionary, under a new id (section 4.2).

        Args:
            rui: the RUI.
            warnings: whether to return warnings.
            base: the id of the stored spec of which it is a new version; see `validate`.

        Raises:
            InvalidRuiError: the RUI is invalid and was not stored.
            ServiceError: the RUI was not stored for another reason, or it is unknown whether it was.
            ValueError, TypeError: the dictionary cannot be written as JSON, or it is no RUI of these types.
        """
        return self._call("/api/specs" + _query(base, warnings=warnings), _stored, _body(rui), stores=True)

    def fetch(self, spec_id: str) -> SavedSpec:
        """Fetch a stored spec (section 4.3).

        Raises:
            ServiceError: the call failed. Its `code` is ``NOT_FOUND`` or ``GONE`` if there is no spec of this id.
        """
        return self._call(f"/api/specs/{quote(spec_id, safe='')}", _saved_spec)

    def _call(
        self, path: str, read: Callable[[_Response], _T | None], body: bytes | None = None, *, stores: bool = False
    ) -> _T:
        """Send a request, a POST if it has a body, with retries. Return what `read` finds in the response.

        Raises:
            ServiceError: there was no response, or `read` finds nothing in the last one, or `read` raises it.
        """
        deadline = time.monotonic() + self._timeout
        attempt = 0
        while True:
            delay = min(MAX_WAIT, BACKOFF * 2**attempt) * random.uniform(0.5, 1.5)  # noqa: S311  no secret
            try:
                response = self._send(path, body, deadline - time.monotonic())
            except ServiceError as no_response:
                error = no_response
                error.may_be_stored = stores and error.sent
                is_temporary = isinstance(error, UnreachableError)
            else:
                if (result := read(response)) is not None:
                    return result
                may_be_stored = stores and not response.is_refusal
                error = self._failure(response, path, may_be_stored=may_be_stored)
                is_temporary = response.status in (_TOO_MANY, *_GATEWAY_ERRORS)
                delay = max(delay, response.retry_after or 0)
            may_retry = is_temporary and not error.may_be_stored and attempt < self._retries
            if not may_retry or time.monotonic() + delay >= deadline:
                raise error from None
            time.sleep(delay)
            attempt += 1

    def _send(self, path: str, body: bytes | None, timeout: float) -> _Response:
        """Send a request and return the response with any status.

        Raises:
            ServiceError: there was no complete response, or it is not HTTP, or it is too large.
        """
        request = Request(self.base_url + path, body, self._headers)  # noqa: S310  the scheme is checked
        try:
            with self._opener.open(request, timeout=max(timeout, 0.001)) as response:
                data = response.read(MAX_RESPONSE_BYTES + 1)
                if response.length and len(data) <= MAX_RESPONSE_BYTES:
                    raise IncompleteRead(data, response.length)
        except (OSError, HTTPException, ValueError) as error:
            raise _connection_error(error, self.base_url) from None
        if len(data) > MAX_RESPONSE_BYTES:
            message = f"the response of {self.base_url} is larger than {MAX_RESPONSE_BYTES} bytes"
            raise ServiceError(message, response.status)
        location = _location(request, response.headers.get("Location", ""))
        return _Response(response.status, _seconds(response.headers.get("Retry-After")), location, _json_object(data))

    def _failure(self, response: _Response, path: str, *, may_be_stored: bool) -> ServiceError:
        """Return the exception for a response that is not the expected one."""
        status, code, location = response.status, response.code, response.location
        details = " ".join(str(response.body.get("message", "")).split())
        needs_login = False
        if status == _TOO_MANY:
            reason = f"or a proxy in front of it receives too many requests: {details}".removesuffix(": ")
        elif status == _BUSY and not may_be_stored:
            reason = f"is not available now: {details}".removesuffix(": ")
        elif status in _REDIRECTS and location.endswith(path):
            reason = f"redirects with {status}: the address of the service is {location.removesuffix(path)}"
        elif status in _REDIRECTS:
            needs_login = True
            reason = f"redirects with {status} to {location}; it may need a login"
        elif status in (401, 407, _NETWORK_LOGIN) or (status == 403 and not code):
            needs_login = True
            reason = f"responds with {status}: it needs a login"
        elif code:
            reason = f"responds with {status} {code}: {details}".removesuffix(": ")
        elif status >= 500:
            reason = f"responds with {status}: {_REASONS.get(status, 'the service or a proxy has failed')}"
        else:
            reason = f"responds with {status}: {_REASONS.get(status, 'it is no RUI service; check the address')}"
        for secret in self._secrets:
            reason = reason.replace(secret, "***")
        error = ServiceError(f"{self.base_url} {reason}", status, code, needs_login=needs_login)
        error.may_be_stored = may_be_stored
        return error


def _query(base: str, **flags: bool) -> str:
    """Return a query with the flags that are set and the base, ``""`` if there is none of these."""
    parameters = dict.fromkeys((name for name, is_set in flags.items() if is_set), "true")
    if base:
        parameters["base"] = base
    return f"?{urlencode(parameters)}" if parameters else ""


def _seconds(retry_after: str | None) -> float | None:
    """Return the seconds of ``Retry-After``, 0 for a date or another text; None without this header."""
    if retry_after is None:
        return None
    text = retry_after.strip()
    return float(text) if text.isascii() and text.isdecimal() and len(text) < 10 else 0.0


def _stored(response: _Response) -> SavedSpec | None:
    """Return the stored spec; None if the response has none.

    Raises:
        InvalidRuiError: the response has the errors of an invalid RUI.
    """
    result = _validation(response)
    if result is not None and result.errors:
        raise InvalidRuiError(result)
    return _saved_spec(response)


def _saved_spec(response: _Response) -> SavedSpec | None:
    """Return the spec in a response; None if it has none."""
    body = response.body
    fields = {re.sub("[A-Z]", lambda capital: f"_{capital[0].lower()}", name): body[name] for name in body}
    # Callers open the page in a browser: other schemes would be a risk.
    is_page = str(fields.get("view_url")).startswith(("http://", "https://"))
    names = [name for name in SavedSpec._fields if name not in SavedSpec._field_defaults]
    if response.status not in {200, 201} or not is_page or not set(names) <= fields.keys():
        return None
    spec = SavedSpec(*(fields[name] for name in names))._replace(warnings=_items(body.get("warnings")))
    return spec._replace(kept=_kept(body), changes=_changes(body))


def _validation(response: _Response) -> Validation | None:
    """Return the result in a response with status 200 or 400; None if it has none."""
    body = response.body
    errors = _items(body.get("errors"))
    warnings = _items(body.get("warnings"))
    rui = body.get("normalizedRui")
    if response.status == 200 and body.get("valid") is True and isinstance(rui, dict):
        return Validation(True, (), False, rui, warnings, kept=_kept(body), changes=_changes(body))
    if response.status in {200, 400} and body.get("valid") is False and errors:
        skipped = str(body.get("fixSkipped", ""))
        truncated = body.get("truncated") is True
        return Validation(False, errors, truncated, None, warnings, _fixed(body), skipped, _kept(body))
    return None


def _fixed(body: dict[str, Any]) -> FixedRui | None:
    """Return the fixed document in a response; None if it has none."""
    fixed = as_object(body.get("fixed"))
    rui = fixed.get("rui")
    if not isinstance(rui, dict):
        return None
    items = [as_object(item) for item in as_list(fixed.get("applied"))]
    applied = tuple(FixItem(*(str(item.get(name, "")) for name in FixItem._fields)) for item in items)
    return FixedRui(rui, applied, _items(fixed.get("errors")))


def _kept(body: dict[str, Any]) -> int:
    kept = body.get("kept")
    return kept if isinstance(kept, int) else 0


def _changes(body: dict[str, Any]) -> tuple[str, ...]:
    return tuple(map(str, as_list(body.get("changes"))))


def _items(value: object) -> tuple[ErrorItem, ...]:
    items = [as_object(item) for item in as_list(value)]
    return tuple(ErrorItem(*(str(item.get(name, "")) for name in ErrorItem._fields)) for item in items)


def _connection_error(error: Exception, url: str) -> ServiceError:
    """Return the exception for a request without a response. urllib raises URLError before it receives one."""
    reason = error.reason if isinstance(error, URLError) else error
    details = getattr(reason, "strerror", None) or str(reason) or type(reason).__name__
    if isinstance(error, URLError):
        if isinstance(reason, ssl.SSLCertVerificationError):
            return ServiceError(f"{url} cannot be trusted: {reason.verify_message}", sent=False)
        if isinstance(reason, ssl.SSLError):
            return ServiceError(f"{url} does not speak TLS (should the address begin with http://?)", sent=False)
        return UnreachableError(f"cannot reach {url}: {details}", sent=False)
    if isinstance(error, TimeoutError):
        return UnreachableError(f"{url} does not respond in time")
    if isinstance(error, OSError | IncompleteRead):
        return UnreachableError(f"no response from {url}: {details}")
    sent = isinstance(error, HTTPException) and not isinstance(error, InvalidURL)
    return ServiceError(f"{url} does not speak HTTP ({type(error).__name__})", sent=sent)


def _parse_header(line: str) -> tuple[str, str]:
    """Return the name and the value of a header. No message contains the value."""
    match = _HEADER.fullmatch(line.strip())
    if match is None:
        raise ValueError("a header is like 'Authorization: Bearer TOKEN', in one line of Latin-1 characters")
    if match[1].lower() in _OWN_HEADERS:
        raise ValueError(f"the header {match[1]} is the client's own")
    return match[1], match[2]


def _location(request: Request, header: str) -> str:
    """Return the URL to which a response redirects, without what may be secret: user, query and fragment."""
    try:
        url = urljoin(request.full_url, header) if header else ""
    except ValueError:
        url = header
    return redact_userinfo(" ".join(re.split("[?#]", url, maxsplit=1)[0].split()))[:200]


def _body(rui: bytes | str | dict[str, Any]) -> bytes:
    if isinstance(rui, dict):
        rui = json.dumps(rui, ensure_ascii=False, allow_nan=False)
    if isinstance(rui, str):
        rui = rui.encode("utf-8", "surrogatepass")
    if not isinstance(rui, bytes | bytearray):
        raise no_document(rui, "a dict, str or bytes")
    return rui


def _json_object(body: bytes) -> dict[str, Any]:
    try:
        value = json.loads(body)
    except (ValueError, RecursionError):
        return {}
    return as_object(value)
