"""Requests answered where their last byte arrives: no task, no coroutine, no messages.

Validating waits for nothing, and a task with all the coroutines in it costs as much as validating a small RUI. Storing
and fetching wait for the store; it says when it is done, and then the answer is given. So the protocol asks here first.
Only requests are taken that nothing is odd about; with all others nothing has happened yet, and they go the way of
ASGI, where the same is answered.
"""

from __future__ import annotations

from time import perf_counter
from typing import TYPE_CHECKING

from rui_api.http.request_body import PLAINLY_JSON
from rui_api.http.request_record import RequestRecord
from rui_api.http.responses import Reply
from rui_api.http.urls import canonical_spec_id, names_a_host
from rui_api.observability.request_id import current
from rui_api.routes.specs import SPECS, VALIDATE, judged, to_store
from rui_api.store.base import StorageUnavailable

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, TypeAlias

    from litestar.types import HTTPScope

    from rui_api.http.response_headers import CommonHeaders
    from rui_api.observability.middleware import Observer
    from rui_api.routes.specs import Specs
    from rui_api.store.queue import Then
    from rui_api.store.queued_store import LinedStore

    Say: TypeAlias = Callable[[int, bytes, bytes], bool]
    Faults: TypeAlias = Callable[[HTTPScope, Exception], Reply]

STORED = f"{SPECS}/"


class AtOnce:
    """Answers whole requests.

    Args:
        specs: the endpoints.
        store: where specs are kept; None if it is one that only tasks can wait for.
        faults: what is answered to exceptions.
        common: the headers that every answer has.
        observer: who sees the requests that go the way of ASGI; it keeps what is to be known of these as well.
    """

    def __init__(
        self, specs: Specs, store: LinedStore | None, faults: Faults, common: CommonHeaders, observer: Observer
    ) -> None:
        self._specs = specs
        self._store = store
        self._faults = faults
        self._common = common
        self._observer = observer

    def __call__(self, scope: HTTPScope, body: bytes | bytearray, say: Say) -> bool:
        """Answer a request, now or when the store is done, if it is one of those.

        Args:
            scope: the request, as ASGI has it.
            body: all of it, and no longer than it may be.
            say: see `rui_api.server.request_cycle.Cycle.answer`.
        """
        path, method = scope["path"], scope["method"]
        if method == "POST" and (path == VALIDATE or (path == SPECS and self._store is not None)):
            return bool(body) and _is_plain(scope) and self._take(scope, body, say, keep=path == SPECS)
        if method == "GET" and path.startswith(STORED):
            return is_sound(scope) and self._fetch(scope, path[len(STORED) :], say)
        return False

    def _take(self, scope: HTTPScope, body: bytes | bytearray, say: Say, *, keep: bool) -> bool:
        """Check a RUI, and store it if it is to be kept."""
        begun = perf_counter()
        try:
            outcome = to_store(body) if keep else judged(body)
        except Exception:
            return False
        record = RequestRecord(self._observer.ids.of(scope["headers"]))
        record.received = len(body)
        if isinstance(outcome, Reply):
            if not say_all(scope, outcome, say, self._common, record):
                return False
            self._observer.keep(scope, record, perf_counter() - begun)
            return True
        assert self._store is not None  # noqa: S101  for the type checker
        spec, put = outcome, self._store.begin_put
        self._wait(scope, say, record, begun, lambda then: put(spec, then), lambda _: self._specs.created(scope, spec))
        return True

    def _fetch(self, scope: HTTPScope, spec_id: str, say: Say) -> bool:
        canonical = canonical_spec_id(spec_id)
        if canonical is None or self._store is None:
            return False
        begun, get, found = perf_counter(), self._store.begin_get, self._specs.found
        record = RequestRecord(self._observer.ids.of(scope["headers"]))
        self._wait(
            scope, say, record, begun, lambda then: get(canonical, then), lambda spec: found(scope, canonical, spec)
        )
        return True

    def _wait(
        self, scope: HTTPScope, say: Say, record: RequestRecord, begun: float,
        ask: Callable[[Then[Any]], None], reply_to: Callable[[Any], Reply],
    ) -> None:  # fmt: skip
        """Ask the store, and answer when it is done."""

        def then(result: object, fault: Exception | None) -> None:
            counts.running -= 1
            try:
                reply = reply_to(result) if fault is None else self._fault(scope, record, fault)
            except Exception as error:
                reply = self._fault(scope, record, error)
            # What is not said now never is: nothing was written since the request began, so the client must be gone.
            if not say_all(scope, reply, say, self._common, record):
                _note(record, reply)
            self._observer.keep(scope, record, perf_counter() - begun)

        counts = self._observer.counts
        counts.running += 1
        try:
            ask(then)
        except StorageUnavailable as fault:
            then(None, fault)

    def _fault(self, scope: HTTPScope, record: RequestRecord, fault: Exception) -> Reply:
        current.set(record.request_id)  # for what is logged about it
        return self._faults(scope, fault)


def say_all(scope: HTTPScope, reply: Reply, say: Say, common: CommonHeaders, record: RequestRecord) -> bool:
    """Give the protocol a whole answer, with what is otherwise added on the way; whether it took it."""
    lines = b"%b%bx-request-id: %b\r\n" % (reply.lines, common.lines_of(scope["headers"]), record.request_id)
    if not say(reply.status, lines, reply.content):
        return False
    _note(record, reply)
    return True


def _note(record: RequestRecord, reply: Reply) -> None:
    record.status, record.sent, record.codes = reply.status, len(reply.content), reply.codes


def _is_plain(scope: HTTPScope) -> bool:
    """Whether there is one Host, which is one, one Content-Type, JSON, and no coding."""
    hosts = types = 0
    for name, value in scope["headers"]:
        if name == b"host":
            hosts += names_a_host(value) or 2
        elif name == b"content-type":
            types += 1 if value in PLAINLY_JSON else 2
        elif name == b"content-encoding":
            return False
    return hosts == types == 1 and not scope.get("root_path")


def is_sound(scope: HTTPScope) -> bool:
    """Whether there is one `Host`, and it is a host: of others, Litestar has its own opinion."""
    hosts = [value for name, value in scope["headers"] if name == b"host"]
    return len(hosts) == 1 and names_a_host(hosts[0]) and not scope.get("root_path")
