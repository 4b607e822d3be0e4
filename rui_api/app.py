"""The application: endpoints, what every answer has, and how faults are answered."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any

from litestar import Litestar, Request
from litestar.datastructures import State
from litestar.exceptions import HTTPException

from rui_api.http import responses as replies
from rui_api.http.request_body import InvalidBody
from rui_api.http.response_headers import CommonHeaders, headers_hook
from rui_api.http.urls import names_a_host
from rui_api.observability.counters import Counts
from rui_api.observability.middleware import Observer, Routes
from rui_api.observability.worker_metrics import Sources
from rui_api.routes import ENDPOINTS, METRICS
from rui_api.routes.html import for_people
from rui_api.routes.inline import AtOnce
from rui_api.routes.shortcut import FrontDoor
from rui_api.routes.specs import Specs
from rui_api.store.base import StorageUnavailable
from rui_api.store.factory import open_store
from rui_api.store.queued_store import LinedStore
from rui_common.http_contract.endpoints import BAD_REQUEST, FAULTS, METHOD_NOT_ALLOWED, NOT_FOUND

if TYPE_CHECKING:
    from rui_api.config.options import Settings
    from rui_api.store.base import Store

    AnyRequest = Request[Any, Any, Any]

log = logging.getLogger("rui_api")


def create_app(settings: Settings, store: Store | None = None, sources: Sources | None = None) -> Litestar:
    """The service as an ASGI application.

    Args:
        settings: of these only what belongs to the application counts: not host, port and proxies.
        store: where specs are kept; without it, the one that `settings` names. It is closed on shutdown.
        sources: where the numbers and the log of this process are.

    Raises:
        ValueError: `settings` name no store that there is.
    """
    store = store or open_store(settings.store, queue=settings.store_queue)
    sources = sources or Sources(Counts())
    if sources.tracer is not None:
        from rui_api.observability.tracing import TracedStore  # noqa: PLC0415  it needs packages of its own

        store = TracedStore(store, sources.tracer)
    sources.store = store

    async def close_store() -> None:
        await store.close()

    answers: dict[type[Exception], Any] = {
        InvalidBody: answer_invalid_body,
        StorageUnavailable: answer_storage_unavailable,
        HTTPException: answer_http_exception,
        Exception: answer_internal_error,
    }
    specs = Specs(settings, store)
    app = Litestar(
        route_handlers=[*ENDPOINTS, *(METRICS if settings.metrics == "on" else ())],
        state=State({"settings": settings, "store": store, "specs": specs, "sources": sources}),
        exception_handlers=answers,  # type: ignore[arg-type]  # a Reply is all of a response that is asked of it
        before_send=[headers_hook(settings.allowed_origins)],
        on_shutdown=[close_store],
        # Litestar's own answers to these are not those of the specification.
        openapi_config=None,
        request_max_body_size=None,
        logging_config=None,
        # Set, so that no environment variable turns them on: they show stack traces.
        debug=False,
        pdb_on_exception=False,
    )
    _open_doors(app, specs, store, answers, sources)
    return app


def _open_doors(
    app: Litestar, specs: Specs, store: Store, answers: dict[type[Exception], Any], sources: Sources
) -> None:
    """The shorter ways to what is asked for most; and let every request be seen that is answered, on whatever way."""

    def faults(scope: Any, fault: Exception) -> replies.Reply:  # noqa: ANN401  an HTTP request of any framework
        scope["app"] = scope["litestar_app"] = app
        answer = next(answer for kind, answer in answers.items() if isinstance(fault, kind))
        reply: replies.Reply = answer(Request(scope), fault)
        return reply

    common = CommonHeaders(app.state.settings.allowed_origins)
    door = FrontDoor(specs, faults, common, app.asgi_handler)
    routes = Routes(route.path_format for route in app.routes)
    app.asgi_handler = observer = Observer(door, routes, sources.counts, sources.log)
    lined = store if isinstance(store, LinedStore) else None
    app.state.at_once = AtOnce(specs, lined, faults, common, observer)
    if sources.tracer is not None:
        from rui_api.observability.tracing import Traced  # noqa: PLC0415  it needs packages of its own

        app.asgi_handler = Traced(observer, routes, sources.tracer)
        app.state.at_once = None  # every request shall have its span


def answer_invalid_body(_: AnyRequest, fault: InvalidBody) -> replies.Reply:
    """400 `INVALID_JSON`."""
    return replies.transport_failure(fault.why, close=fault.unread)


def answer_storage_unavailable(request: AnyRequest, _: StorageUnavailable) -> replies.Reply:
    """503. What happened stands in the log already, see `rui_api.store`."""
    return replies.storage_unavailable(request.app.state.settings.retry_after)


def answer_http_exception(request: AnyRequest, fault: HTTPException) -> replies.Reply:
    """What Litestar refuses itself; as a page, if it was a person who asked."""
    return for_people(request, _refusal(request, fault))


def _refusal(request: AnyRequest, fault: HTTPException) -> replies.Reply:
    """Paths and methods that there are not, requests that make no sense."""
    if fault.status_code == 404:
        return replies.fault(404, NOT_FOUND, FAULTS[NOT_FOUND])
    if fault.status_code == 405:
        # From a set, in whatever order that has in this process.
        allowed = ", ".join(sorted((fault.headers or {}).get("allow", "").split(", ")))
        message = FAULTS[METHOD_NOT_ALLOWED].format(method=request.method)
        return replies.fault(405, METHOD_NOT_ALLOWED, message, {"allow": allowed})
    if fault.status_code < 500:
        is_host = all(names_a_host(value) for name, value in request.scope["headers"] if name == b"host")
        message = FAULTS[BAD_REQUEST] if is_host else "The Host of the request is the name of no host."
        return replies.fault(400, BAD_REQUEST, message)
    return _failure(request, fault)


def answer_internal_error(request: AnyRequest, fault: Exception) -> replies.Reply:
    """500, with the stack trace in the log and nothing of it in the answer."""
    return for_people(request, _failure(request, fault))


def _failure(request: AnyRequest, fault: Exception) -> replies.Reply:
    log.error("%s %s failed", request.method, request.scope["path"], exc_info=fault)
    return replies.internal_error()
