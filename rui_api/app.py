"""The application: Litestar with all endpoints, inside the middleware that handles every request."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from litestar import Litestar
from litestar.datastructures import State
from litestar.di import Provide
from litestar.types import ASGIApp

from rui_api.config.options import Settings
from rui_api.http.caching import cache_control
from rui_api.http.compression import CompressedResponses
from rui_api.http.limits import BODY_SECONDS, MAX_REQUESTS, RequestLimits
from rui_api.http.response_headers import CommonHeaders
from rui_api.observability.middleware import RequestObserver, RouteNames
from rui_api.playground.worker import PlaygroundWorker
from rui_api.routes import ROUTE_HANDLERS
from rui_api.routes.errors import EXCEPTION_HANDLERS
from rui_api.routes.request_checks import RequestChecks
from rui_api.store.base import Store
from rui_api.store.factory import open_store
from rui_api.work_thread import WorkThread


def create_app(
    settings: Settings,
    store: Store | None = None,
    *,
    tracer: Any = None,  # noqa: ANN401  an optional dependency
    on_shutdown: Sequence[Callable[[], None]] = (),
    max_requests: int = MAX_REQUESTS,
    body_seconds: float = BODY_SECONDS,
) -> ASGIApp:
    """Create the service as an ASGI application: the router inside the middleware.

    Args:
        settings: the settings; host, port, proxies and workers are those of the server and not used here.
        store: see `create_router`.
        tracer: a tracer of OpenTelemetry, or None.
        on_shutdown: see `create_router`.
        max_requests: maximum number of requests at the same time.
        body_seconds: maximum time for a body.

    Raises:
        ValueError: the store URL in `settings` is invalid.
    """
    router = create_router(settings, store, on_shutdown)
    handler: ASGIApp = RequestChecks(router, settings)
    handler = RequestLimits(handler, max_requests, body_seconds)
    routes = RouteNames(route.path_format for route in router.routes)
    return RequestObserver(handler, CommonHeaders(settings.allowed_origins), routes, tracer)


def create_router(
    settings: Settings, store: Store | None = None, on_shutdown: Sequence[Callable[[], None]] = ()
) -> Litestar:
    """Create the application with all endpoints.

    Args:
        settings: the settings.
        store: the store of the specs, by default the one in `settings`. It is closed on shutdown.
        on_shutdown: functions that are called at the end.
    """
    store = store or _open(settings)
    work_thread = WorkThread()
    playground = PlaygroundWorker()
    return Litestar(
        route_handlers=ROUTE_HANDLERS,
        dependencies={
            "store": Provide(lambda: store, sync_to_thread=False),
            "work_thread": Provide(lambda: work_thread, sync_to_thread=False),
        },
        state=State(
            {
                "settings": settings,
                "store": store,
                "cache_control": cache_control(settings.base_url, settings.cache_max_age),
                "compressed_responses": CompressedResponses(),
                "playground": playground,
                "work_thread": work_thread,
            }
        ),
        exception_handlers=EXCEPTION_HANDLERS,  # type: ignore[arg-type]  # `Response` has the one method that is called
        on_shutdown=[store.close, playground.close, work_thread.close, *on_shutdown],
        # The contract has its own OpenAPI document, body limit and log.
        openapi_config=None,
        request_max_body_size=None,
        logging_config=None,
        # Environment variables could turn these on; they show stack traces.
        debug=False,
        pdb_on_exception=False,
    )


def _open(settings: Settings) -> Store:
    return open_store(settings.store, max_waiting=settings.store_queue, max_bytes=settings.max_bytes)
