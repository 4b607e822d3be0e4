"""The client: what a service can be asked, and when a question is asked again."""

from __future__ import annotations

import json
import random
import time
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from rui_common.client.base_url import read_address
from rui_common.client.errors import UnavailableError, UnreachableError
from rui_common.client.responses import failure, json_object, saved_spec, validation
from rui_common.client.transport import Call, exchange
from rui_common.http_contract.endpoints import JSON, MARKDOWN

if TYPE_CHECKING:
    import ssl
    from collections.abc import Callable

    from rui_common.client.errors import ServiceError
    from rui_common.client.models import RawResponse, SavedSpec, Validation

    Json = dict[str, Any]
    Rui = bytes | str | Json

_LONGEST_WAIT = 5.0  # seconds between two attempts, unless the service names a number
_DAY = 86_400


class Client:
    """One service. It keeps no connection open and may be used from several threads at once.

    What failed is tried again when that can do no harm and may do good:

    - nobody listens (refused, no route, no connection in time): the service never saw the request, so any request is
      tried again;
    - the service answers 503, which says to come back: any request is tried again. What answers 503 to a store has
      stored nothing that it knows of; should its database have kept the document all the same, that is a spec whose
      address nobody has, and no harm;
    - the connection breaks before the answer is there: validating and fetching are tried again, as they change
      nothing. A **store is not**: every store makes a new spec, and this one may have been made. The exception says so
      (`UnreachableError.sent`), and the caller, who knows whether a second spec would matter, decides.

    Between attempts it waits `backoff` seconds, then twice as long and so on, each time a random bit more or less, so
    that many clients do not come back at once; or what ``Retry-After`` asks for, if there is so much time.
    """

    def __init__(
        self,
        base_url: str,
        *,
        timeout: float = 30.0,
        connect_timeout: float = 5.0,
        retries: int = 3,
        backoff: float = 0.2,
        tls: ssl.SSLContext | None = None,
        user_agent: str = "rui-client",
        on_wait: Callable[[ServiceError, float], object] | None = None,
    ) -> None:
        """Get ready to ask; nothing is sent yet.

        Args:
            base_url: the address of the service, http or https, with or without a path.
            timeout: seconds that a call may take in all: attempts and waits between them; a day at most.
            connect_timeout: seconds that making a connection may take, each time; a day at most.
            retries: so many times a call is tried again at most.
            backoff: seconds before the second attempt; a day at most.
            tls: how https is spoken; by default as the machine is set up.
            user_agent: what to call ourselves.
            on_wait: called before each wait with what went wrong and the seconds until it is tried again, such as to
                tell whoever waits; in the thread of the call.

        Raises:
            ValueError: `base_url` is no address of a service, or a number is none or out of its bounds.
        """
        self._address = read_address(base_url)
        for name, seconds in (("timeout", timeout), ("connect_timeout", connect_timeout)):
            if not isinstance(seconds, int | float) or not 0 < seconds <= _DAY:
                raise ValueError(f"{name} is a number of seconds, more than 0 and at most {_DAY}, not {seconds!r}")
        if not isinstance(retries, int) or retries < 0:
            raise ValueError(f"retries is the number of times to try again, 0 or more, not {retries!r}")
        if not isinstance(backoff, int | float) or not 0 <= backoff <= _DAY:
            raise ValueError(f"backoff is a number of seconds, from 0 to {_DAY}, not {backoff!r}")
        self._timeout = timeout
        self._connect_timeout = connect_timeout
        self._retries = retries
        self._backoff = backoff
        self._tls = tls
        self._user_agent = user_agent
        self._on_wait = on_wait

    @property
    def base_url(self) -> str:
        """The address of the service, without a slash at its end."""
        return self._address.url

    def validate(self, rui: Rui) -> Validation:
        """Have a RUI checked (``POST /api/validate``, section 4.1). That it is invalid is a result and no exception.

        Args:
            rui: JSON text, or a dictionary to be written as JSON.

        Raises:
            ServiceError: there is no verdict.
            ValueError, TypeError: a dictionary that cannot be written as JSON.
        """
        return validation(self._ask(self._post("/api/validate", rui), is_safe=True), self.base_url)

    def store(self, rui: Rui) -> SavedSpec:
        """Have a RUI stored under a new id (``POST /api/specs``, section 4.2).

        When the connection breaks after the request was sent, it is not sent again; see the class.

        Args:
            rui: JSON text, or a dictionary to be written as JSON.

        Raises:
            InvalidRuiError: it is invalid, and not stored.
            UnavailableError: the service or its store is down.
            ServiceError: it is not stored for another reason, or that is not known.
            ValueError, TypeError: a dictionary that cannot be written as JSON.
        """
        try:
            return saved_spec(self._ask(self._post("/api/specs", rui), is_safe=False), self.base_url)
        except UnreachableError as error:
            if error.sent:
                error.args = (f"{error}; whether the RUI is stored is not known",)
            raise

    def fetch(self, spec_id: str) -> SavedSpec:
        """A stored spec (``GET /api/specs/:id``, section 4.3).

        Raises:
            NotFoundError: no spec has this id.
            ResponseError: with the code ``INVALID_SPEC_ID``: the id is no UUID.
            ServiceError: it cannot be had for another reason.
        """
        return saved_spec(self._get(f"/api/specs/{quote(spec_id, safe='')}"), self.base_url)

    def vocabulary(self) -> Json:
        """The vocabulary: shapes, rules, limits, JSON Schema (``GET /api/schema``, section 4.5).

        Raises:
            ServiceError: it cannot be had.
        """
        return self._object(self._get("/api/schema"))

    def docs(self) -> Json:
        """The workflow, the endpoints and the catalogue of errors (``GET /api/docs``, section 4.5).

        Raises:
            ServiceError: they cannot be had.
        """
        return self._object(self._get("/api/docs"))

    def docs_markdown(self) -> str:
        """The same as `docs`, for people.

        Raises:
            ServiceError: they cannot be had.
        """
        media_type = MARKDOWN.partition(";")[0]
        answer = self._get("/api/docs", accept=media_type)
        if answer.status != 200 or not answer.headers.get("content-type", "").startswith(media_type):
            raise failure(answer, self.base_url)
        return answer.body.decode("utf-8", "replace")

    def _object(self, answer: RawResponse) -> Json:
        body = json_object(answer)
        if answer.status != 200 or not body:
            raise failure(answer, self.base_url)
        return body

    def _get(self, path: str, accept: str = JSON) -> RawResponse:
        return self._ask(Call("GET", path, self._headers(accept)), is_safe=True)

    def _post(self, path: str, rui: Rui) -> Call:
        text = json.dumps(rui, ensure_ascii=False, allow_nan=False) if isinstance(rui, dict) else rui
        body = text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text
        return Call("POST", path, {**self._headers(JSON), "Content-Type": JSON}, body)

    def _headers(self, accept: str) -> dict[str, str]:
        return {"Accept": accept, "User-Agent": self._user_agent, "Connection": "close"}

    def _ask(self, call: Call, *, is_safe: bool) -> RawResponse:
        """The answer to a request, tried again while that is of use."""
        deadline = time.monotonic() + self._timeout
        for attempt in range(self._retries + 1):
            try:
                answer = exchange(self._address, call, deadline, self._connect_timeout, self._tls)
            except UnreachableError as error:
                again = error.may_pass and (is_safe or not error.sent)
                if not again or not self._wait(attempt, error, deadline):
                    raise
                continue
            if answer.status != 503 or not self._wait(attempt, failure(answer, self.base_url), deadline):
                return answer
        raise AssertionError("the last attempt waits for nothing")

    def _wait(self, attempt: int, error: ServiceError, deadline: float) -> bool:
        """Wait before the next attempt; whether there is one, and time for it."""
        if attempt >= self._retries:
            return False
        seconds = min(_LONGEST_WAIT, self._backoff * 2**attempt) * random.uniform(0.5, 1.5)  # noqa: S311  no secret
        if isinstance(error, UnavailableError):
            seconds = max(error.retry_after or 0.0, seconds)
        if time.monotonic() + seconds >= deadline:
            return False
        if self._on_wait is not None:
            self._on_wait(error, seconds)
        time.sleep(seconds)
        return True
