"""The client: the calls of the service, with retries."""

from __future__ import annotations

import json
import random
import ssl
import time
from collections.abc import Callable
from urllib.parse import quote
from urllib.request import Request

from rui_common.client.results import (
    UNAVAILABLE_STATUSES,
    Json,
    RawResponse,
    SavedSpec,
    ServiceError,
    UnavailableError,
    UnreachableError,
    Validation,
    failure,
    saved_spec,
    validation,
)
from rui_common.client.transport import check_base_url, new_opener, send_request
from rui_common.http_contract.endpoints import JSON

Rui = bytes | str | Json

_MAX_WAIT = 5.0
"""Maximum seconds between two attempts, unless the service requests more."""

_DAY = 86_400


class Client:
    """A client of one service. It keeps no connection open and may be used from several threads.

    Failed calls are retried if that is harmless and may help:

    - The connection could not be made: every call is retried, as the service has not seen the request.
    - Status 503, or 429 of a proxy: every call is retried. A store that gets 503 was not stored as far as the service
      knows. If its database has kept the document after all, that is a spec with an unknown address, which is harmless.
    - The connection breaks before the response is complete: `validate` and the calls that fetch are retried. `store`
      is not, because each store makes a new spec and this one may exist already; `UnreachableError.sent` is set.

    The delay is `backoff` seconds, doubled for each attempt and varied at random, so that clients do not return at the
    same time. It is at least ``Retry-After`` if the timeout leaves room for that.
    """

    def __init__(
        self,
        base_url: str,
        *,
        timeout: float = 30.0,
        retries: int = 3,
        backoff: float = 0.2,
        tls: ssl.SSLContext | None = None,
        user_agent: str = "rui-client",
        on_wait: Callable[[ServiceError, float], object] | None = None,
    ) -> None:
        """Configure the client; no request is sent yet.

        Args:
            base_url: the address of the service, http or https, with or without a path.
            timeout: seconds for a call, including all attempts and delays; at most a day.
            retries: maximum number of retries of a call.
            backoff: seconds before the second attempt; at most a day.
            tls: the TLS settings; by default those of the machine.
            user_agent: the ``User-Agent`` header.
            on_wait: called before each delay with the error and the seconds until the next attempt, in the thread of
                the call.

        Raises:
            ValueError: `base_url` is not the address of a service, or a number is out of bounds.
        """
        self.base_url = check_base_url(base_url)
        if not 0 < timeout <= _DAY:
            raise ValueError(f"timeout must be a number of seconds, more than 0 and at most {_DAY}, not {timeout!r}")
        if not 0 <= backoff <= _DAY:
            raise ValueError(f"backoff must be a number of seconds from 0 to {_DAY}, not {backoff!r}")
        if retries < 0:
            raise ValueError(f"retries must be an integer of at least 0, not {retries!r}")
        self._timeout = timeout
        self._retries = retries
        self._backoff = backoff
        self._opener = new_opener(self.base_url, tls)
        self._user_agent = user_agent
        self._on_wait = on_wait

    def validate(self, rui: Rui) -> Validation:
        """Validate a RUI (``POST /api/validate``, section 4.1). An invalid RUI is a result, not an exception.

        Args:
            rui: JSON text, or a dictionary to be written as JSON.

        Raises:
            ServiceError: the service has not validated it.
            ValueError, TypeError: the dictionary cannot be written as JSON.
        """
        return validation(self._call("/api/validate", _body(rui)), self.base_url)

    def store(self, rui: Rui) -> SavedSpec:
        """Store a RUI under a new id (``POST /api/specs``, section 4.2).

        If the connection breaks after the request was sent, the request is not repeated; see the class.

        Args:
            rui: JSON text, or a dictionary to be written as JSON.

        Raises:
            InvalidRuiError: the RUI is invalid and was not stored.
            UnavailableError: the service or its store is down.
            ServiceError: the RUI was not stored for another reason, or it is unknown whether it was.
            ValueError, TypeError: the dictionary cannot be written as JSON.
        """
        try:
            return saved_spec(self._call("/api/specs", _body(rui), is_idempotent=False), self.base_url)
        except UnreachableError as error:
            if error.sent:
                error.args = (f"{error}; whether the RUI is stored is not known",)
            raise

    def fetch(self, spec_id: str) -> SavedSpec:
        """Fetch a stored spec (``GET /api/specs/:id``, section 4.3).

        Raises:
            NotFoundError: no spec has this id.
            ResponseError: with the code ``INVALID_SPEC_ID``: the id is not a UUID.
            ServiceError: the call failed for another reason.
        """
        return saved_spec(self._call(f"/api/specs/{quote(spec_id, safe='')}"), self.base_url)

    def vocabulary(self) -> Json:
        """Fetch the vocabulary: shapes, rules, limits, JSON Schema (``GET /api/schema``, section 4.5).

        Raises:
            ServiceError: the call failed.
        """
        return self._object("/api/schema")

    def docs(self) -> Json:
        """Fetch the workflow, the endpoints and the catalogue of errors (``GET /api/docs``, section 4.5).

        Raises:
            ServiceError: the call failed.
        """
        return self._object("/api/docs")

    def _object(self, path: str) -> Json:
        response = self._call(path)
        body = response.json()
        if response.status != 200 or not body:
            raise failure(response, self.base_url)
        return body

    def _call(self, path: str, body: bytes | None = None, *, is_idempotent: bool = True) -> RawResponse:
        """Send a request, a POST if it has a body, and return the response; with retries."""
        headers = {"Accept": JSON, "Content-Type": JSON, "User-Agent": self._user_agent}
        deadline = time.monotonic() + self._timeout
        for attempt in range(self._retries + 1):
            request = Request(self.base_url + path, body, headers)  # noqa: S310  the scheme is checked
            try:
                response = send_request(self._opener, request, deadline - time.monotonic(), self.base_url)
            except UnreachableError as error:
                may_retry = error.may_pass and (is_idempotent or not error.sent)
                if not may_retry or not self._wait(attempt, error, deadline):
                    raise
                continue
            if response.status not in UNAVAILABLE_STATUSES:
                return response
            if not self._wait(attempt, failure(response, self.base_url), deadline):
                return response
        raise AssertionError("there is no delay after the last attempt")

    def _wait(self, attempt: int, error: ServiceError, deadline: float) -> bool:
        """Wait before the next attempt. Return False, without waiting, if there is none or no time for it."""
        if attempt >= self._retries:
            return False
        jitter = random.uniform(0.5, 1.5)  # noqa: S311  no secret
        seconds = min(_MAX_WAIT, self._backoff * 2**attempt) * jitter
        if isinstance(error, UnavailableError):
            seconds = max(error.retry_after or 0.0, seconds)
        if time.monotonic() + seconds >= deadline:
            return False
        if self._on_wait is not None:
            self._on_wait(error, seconds)
        time.sleep(seconds)
        return True


def _body(rui: Rui) -> bytes:
    if isinstance(rui, dict):
        rui = json.dumps(rui, ensure_ascii=False, allow_nan=False)
    if isinstance(rui, str):
        rui = rui.encode("utf-8", "surrogatepass")
    return rui
