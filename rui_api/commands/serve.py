"""``rui serve``: read the settings, listen, and run uvicorn until a signal."""

from __future__ import annotations

import gc
import logging
import multiprocessing
import os
import signal
import socket
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import partial
from ipaddress import IPv4Network, ip_network
from typing import Any

from rui_api.commands.listening import listening, url_of
from rui_api.config.loading import SettingsError, read_settings
from rui_api.config.options import Settings
from rui_api.store.base import StoreRefused
from rui_api.store.url import redact_password
from rui_common.redact import escape_control

START_SECONDS = 30
"""Maximum time until a worker that replaces another one accepts requests."""
STOP_SECONDS = 5
"""Maximum time to finish running requests after the signal to stop."""
MAX_HEAD_BYTES = 65_536
"""Bytes of the request line with the headers, of a trailer, and of the line of a chunk, until they are complete."""
SERVER_OPTIONS: dict[str, Any] = {
    "http": "h11",  # httptools does not read the body of a request that offers an upgrade
    "h11_max_incomplete_event_size": MAX_HEAD_BYTES,
    "ws": "none",
    "lifespan": "on",
    "log_config": None,
    "access_log": False,
    "server_header": False,
}
"""Options of uvicorn that are no settings."""
IGNORED_SIGNALS = ("SIGHUP", "SIGUSR1", "SIGUSR2")
"""Signals that end a process by default, and that operators and log rotation send to services (docs/operations.md)."""

log = logging.getLogger("rui_api")


def main(argv: Sequence[str] | None = None) -> int:
    """Run the service until SIGINT or SIGTERM, and return the exit code.

    It is 0 after a signal, and 2 if a setting is invalid or the port cannot be used, with one line on standard error.
    """
    log_format = "text"
    try:
        # uvicorn raises signals again after it has stopped.
        signal.signal(signal.SIGTERM, signal.default_int_handler)
        ignore_signals()
        settings = read_settings(sys.argv[1:] if argv is None else argv, os.environ)
        log_format = settings.log_format
        with listening(settings) as listener:
            return _serve(settings, listener)
    except (SettingsError, StoreRefused) as error:
        return _print_error(str(error), log_format)
    except ModuleNotFoundError as error:
        needed = "pip install 'rui-toolkit[api]'; for --otel on, 'rui-toolkit[api,otel]'"
        return _print_error(f"{error.name} is not installed: {needed}", log_format)
    except KeyboardInterrupt:
        return 0
    except SystemExit as exit_:  # --help
        return int(exit_.code or 0)


def _serve(settings: Settings, listener: socket.socket) -> int:
    # Imported here so that errors in the settings are reported quickly.
    import uvicorn  # noqa: PLC0415

    from rui_api.app import create_app  # noqa: F401, PLC0415  reports packages that are missing
    from rui_api.commands.workers import Workers  # noqa: PLC0415
    from rui_api.observability.logs import start_logging  # noqa: PLC0415
    from rui_api.observability.metrics import serving_metrics  # noqa: PLC0415
    from rui_api.store.factory import prepare_store  # noqa: PLC0415

    if settings.otel:
        import opentelemetry.exporter.otlp.proto.http.trace_exporter  # noqa: F401, PLC0415

    config = uvicorn.Config(
        partial(create_process_app, settings),
        factory=True,
        workers=settings.workers,
        **SERVER_OPTIONS,
        proxy_headers=bool(settings.trust_proxies),
        forwarded_allow_ips=_with_mapped(settings.trust_proxies),
        timeout_graceful_shutdown=STOP_SECONDS,
        timeout_worker_healthcheck=START_SECONDS,
        timeout_keep_alive=settings.keep_alive,
    )
    with ExitStack() as stack:
        if settings.metrics_port:
            try:
                stack.enter_context(serving_metrics(settings.host, settings.metrics_port))
            except OSError as error:
                raise SettingsError(f"cannot serve metrics on port {settings.metrics_port}: {error.strerror}") from None
        stack.callback(start_logging(settings.log_level, settings.log_format).stop)
        with _store_log_off():  # the error is logged below, or is the one line with exit code 2
            store_error = prepare_store(settings.store)
        banner = f"RUI service on {url_of(listener)}, specs in {redact_password(settings.store)}"
        limit = f"at most {settings.max_bytes:,} bytes" if settings.max_bytes else "without a limit of their size"
        log.info("%s, %s (--store-max-bytes)", banner, limit)
        if store_error is not None:
            log.error("store unavailable: %s; it is tried again with every request", store_error)
        print(banner, flush=True)  # noqa: T201
        stack.callback(log.info, "stopped")
        if settings.workers > 1:
            supervisor = Workers(config, sockets=[listener])  # it has handlers of its own: SIGHUP replaces workers
            _stop_on_sigquit()
            supervisor.run()
        else:
            _stop_on_sigquit()
            uvicorn.Server(config).run(sockets=[listener])
    return 0


@contextmanager
def _store_log_off() -> Iterator[None]:
    log_of_stores = logging.getLogger("rui_api.store")
    log_of_stores.setLevel(logging.CRITICAL)
    try:
        yield
    finally:
        log_of_stores.setLevel(logging.NOTSET)


def ignore_signals() -> None:
    """Ignore `IGNORED_SIGNALS`, in this process and in those that it starts."""
    for name in IGNORED_SIGNALS:
        if hasattr(signal, name):  # Windows has none of them
            signal.signal(getattr(signal, name), signal.SIG_IGN)


def _stop_on_sigquit() -> None:
    """Treat SIGQUIT as SIGTERM. By default it writes a core file, and uvicorn's supervisor ignores it."""
    if hasattr(signal, "SIGQUIT"):
        signal.signal(signal.SIGQUIT, lambda *_: signal.raise_signal(signal.SIGTERM))


def create_process_app(settings: Settings) -> Any:  # noqa: ANN401  the type of an ASGI application needs Litestar
    """Return the application of a process that serves requests, which is this process or a worker."""
    from rui_api.app import create_app  # noqa: PLC0415
    from rui_api.observability.logs import start_logging  # noqa: PLC0415
    from rui_api.observability.metrics import restore_folder  # noqa: PLC0415

    on_shutdown = []
    restore_folder()
    if multiprocessing.parent_process() is not None:
        ignore_signals()  # `systemctl kill` and a terminal send them to all processes
        on_shutdown = [start_logging(settings.log_level, settings.log_format).stop]
    tracer = None
    if settings.otel:
        from rui_api.observability.tracing import create_tracer  # noqa: PLC0415  an optional dependency

        tracer = create_tracer()
    app = create_app(settings, tracer=tracer, on_shutdown=on_shutdown)
    freeze_gc()
    return app


def _with_mapped(proxies: Sequence[str]) -> list[str]:
    """Return networks and the same as IPv4-mapped IPv6, which the clients of a socket for both have."""
    networks = [ip_network(proxy) for proxy in proxies if proxy != "*"]
    mapped = [f"::ffff:{one.network_address}/{one.prefixlen + 96}" for one in networks if isinstance(one, IPv4Network)]
    return [*proxies, *mapped]


def freeze_gc() -> None:
    """Exclude all current objects from garbage collection, and collect less often.

    The thresholds of the second and third generation stay low: with higher ones, reference cycles of many small
    requests made the process grow by megabytes per minute.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 4, 4)


def _print_error(message: str, log_format: str) -> int:
    line = f"rui serve: {escape_control(message)}"
    if log_format == "json":
        from rui_api.observability.logs import FIELDS, JsonFormatter  # noqa: PLC0415  msgspec may be missing

        record = {"name": "rui_api", "levelname": "ERROR", "msg": message, FIELDS: {}}
        line = JsonFormatter().format(logging.makeLogRecord(record))
    print(line, file=sys.stderr)  # noqa: T201
    return 2


if __name__ == "__main__":
    sys.exit(main())
