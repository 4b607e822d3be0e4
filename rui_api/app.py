"""The application: Litestar with all endpoints, inside the middleware that observes every request."""

import asyncio
import logging
import os
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from functools import partial

from litestar import Litestar, Router
from litestar.middleware import DefineMiddleware
from litestar.types import ASGIApp

from rui_api.config.options import Settings
from rui_api.http.compression import CONFIG, Compression
from rui_api.http.cors import CrossOrigin
from rui_api.http.limits import RequestLimits, UnreadBodies
from rui_api.observability.middleware import RequestObserver, create_series
from rui_api.routes import discovery, home, html, inspector, specs
from rui_api.routes.dependencies import Services, dependencies_of
from rui_api.routes.errors import send_error
from rui_api.routes.request_checks import RequestChecks
from rui_api.store.availability import StoreOptions
from rui_api.store.base import Store
from rui_api.store.factory import open_store
from rui_api.work_process import WorkProcess
from rui_api.work_thread import WorkThread

API = [
    specs.validate_rui, specs.create_spec, specs.get_stored_spec, discovery.get_llms_txt, discovery.get_docs,
    discovery.get_schema, discovery.get_openapi, discovery.get_health, discovery.get_ready,
]  # fmt: skip
PAGES = [
    home.home, home.answer_playground, inspector.show_spec, inspector.download_spec, inspector.compare_specs,
    inspector.answer_notes_on_older,
    inspector.find_comparison, html.get_asset, discovery.get_documentation, discovery.get_vocabulary_page,
    discovery.get_rules_page, discovery.get_api_page,
]  # fmt: skip

CHECK_SECONDS = 1.0
REMINDER_SECONDS = 60.0

log = logging.getLogger("rui_api")


def create_app(
    settings: Settings,
    store: Store | None = None,
    *,
    limits: RequestLimits | None = None,
    on_shutdown: Sequence[Callable[[], None]] = (),
) -> ASGIApp:
    """Create the service as an ASGI application.

    Args:
        settings: those of the server, such as host and workers, are not used here.
        store: by default the one in `settings`. It is closed on shutdown.
        limits: by default those of `RequestLimits`.
        on_shutdown: functions that are called at the end.

    Raises:
        ValueError: the store URL in `settings` is invalid.
    """
    store = store or open_store(settings.store, StoreOptions(max_bytes=settings.max_bytes))
    router = create_router(settings, store, limits or RequestLimits(), on_shutdown)
    create_series(router.routes)
    return RequestObserver(CrossOrigin(UnreadBodies(router), settings.allow_origins))


def create_router(
    settings: Settings, store: Store, limits: RequestLimits, on_shutdown: Sequence[Callable[[], None]] = ()
) -> Litestar:
    """Create Litestar's application with all endpoints; see `create_app`."""
    services = Services(settings, store, WorkThread(), WorkProcess("playground"), WorkProcess("fixes"))
    return Litestar(
        route_handlers=[
            *API,
            Router("/", route_handlers=PAGES, middleware=[DefineMiddleware(Compression, config=CONFIG)]),
        ],
        dependencies=dependencies_of(services),
        middleware=[limits.middleware, RequestChecks(settings).middleware],
        exception_handlers={Exception: partial(send_error, settings)},
        lifespan=[watching_descriptors],
        on_shutdown=[
            store.close,
            services.playground.close,
            services.fixes.close,
            services.work_thread.close,
            *on_shutdown,
        ],
        # The contract has its own OpenAPI document, body limit and log.
        openapi_config=None,
        request_max_body_size=None,
        logging_config=None,
        # Environment variables could turn these on; they show stack traces.
        debug=False,
        pdb_on_exception=False,
    )


@asynccontextmanager
async def watching_descriptors(_: object) -> AsyncIterator[None]:
    """Log once a minute while no file descriptor is free: uvloop closes new connections without a word."""
    task = asyncio.create_task(_watch())
    try:
        yield
    finally:
        task.cancel()


async def _watch() -> None:
    while True:
        await asyncio.sleep(CHECK_SECONDS)
        try:
            os.close(os.open(os.devnull, os.O_RDONLY))
        except OSError as error:
            log.error("new connections are closed: %s; raise LimitNOFILE or ulimit -n", error.strerror)
            await asyncio.sleep(REMINDER_SECONDS - CHECK_SECONDS)
