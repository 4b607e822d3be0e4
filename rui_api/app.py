"""The application: Litestar with all endpoints, inside the middleware that handles every request."""

from __future__ import annotations

from litestar import Litestar
from litestar.datastructures import State
from litestar.types import ASGIApp

from rui_api.config.options import Settings
from rui_api.http.caching import cache_control
from rui_api.http.compression import CompressedResponses
from rui_api.http.response_headers import CommonHeaders
from rui_api.observability.middleware import RequestObserver, RouteNames
from rui_api.observability.telemetry import Telemetry
from rui_api.playground.worker import PlaygroundWorker
from rui_api.routes import METRICS, ROUTE_HANDLERS
from rui_api.routes.errors import EXCEPTION_HANDLERS
from rui_api.routes.origins import OriginCheck
from rui_api.routes.shortcut import Shortcut
from rui_api.routes.specs import SpecEndpoints
from rui_api.store.base import Store
from rui_api.store.factory import open_store
from rui_api.work_thread import WorkThread


def create_app(settings: Settings, store: Store | None = None, telemetry: Telemetry | None = None) -> Litestar:
    """Create the service as an ASGI application.

    Args:
        settings: the settings; host, port, proxies and limits are those of the server and not used here.
        store: the store of the specs, by default the one in `settings`. It is closed on shutdown.
        telemetry: the counters and the log of this process.

    Raises:
        ValueError: the store URL in `settings` is invalid.
    """
    telemetry = telemetry or Telemetry()
    store = _decorated(store or _open(settings), telemetry)
    cache_control_ = cache_control(settings.base_url, settings.cache_max_age)
    work_thread = WorkThread()
    specs = SpecEndpoints(settings.base_url, store, cache_control_, work_thread)
    route_handlers = [*specs.handlers(), *ROUTE_HANDLERS]
    if settings.metrics == "on":
        route_handlers.append(METRICS)
    playground = PlaygroundWorker()
    app = Litestar(
        route_handlers=route_handlers,
        state=State(
            {
                "settings": settings,
                "store": store,
                "telemetry": telemetry,
                "cache_control": cache_control_,
                "compressed_responses": CompressedResponses(),
                "playground": playground,
                "work_thread": work_thread,
            }
        ),
        exception_handlers=EXCEPTION_HANDLERS,  # type: ignore[arg-type]  # `Response` has the one method that is called
        on_shutdown=[store.close, playground.close, work_thread.close],
        # The contract has its own OpenAPI document, body limit and log.
        openapi_config=None,
        request_max_body_size=None,
        logging_config=None,
        # Environment variables could turn these on; they show stack traces.
        debug=False,
        pdb_on_exception=False,
    )
    _add_middleware(app, specs, settings, telemetry)
    return app


def _open(settings: Settings) -> Store:
    return open_store(settings.store, max_waiting=settings.store_queue, max_bytes=settings.max_bytes)


def _decorated(store: Store, telemetry: Telemetry) -> Store:
    """Return a store with traces, if there is a tracer."""
    if telemetry.tracer is not None:
        from rui_api.observability.tracing import TracedStore  # noqa: PLC0415  an optional dependency

        store = TracedStore(store, telemetry.tracer)
    return store


def _add_middleware(app: Litestar, specs: SpecEndpoints, settings: Settings, telemetry: Telemetry) -> None:
    """Put the middleware around Litestar's router; `Litestar(middleware=...)` would not handle 404 and 405."""
    routes = RouteNames(route.path_format for route in app.routes)
    handler: ASGIApp = Shortcut(app.asgi_handler, specs)
    handler = OriginCheck(handler, settings.allowed_origins, settings.base_url)
    common_headers = CommonHeaders(settings.allowed_origins)
    handler = RequestObserver(handler, common_headers, routes, telemetry.counters, telemetry.log)
    if telemetry.tracer is not None:
        from rui_api.observability.tracing import TracingMiddleware  # noqa: PLC0415  an optional dependency

        handler = TracingMiddleware(handler, routes, telemetry.tracer)
    app.asgi_handler = handler
