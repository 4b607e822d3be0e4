"""One serving process: uvicorn with our protocol and the application."""

from __future__ import annotations

import gc
import logging
import os
import signal
import socket
import threading
from collections.abc import Callable
from math import ceil
from time import monotonic
from types import FrameType
from typing import Any

import uvicorn

from rui_api.app import create_app
from rui_api.config.options import Settings
from rui_api.observability.log_writer import STANDARD_ERROR, LogHandler, LogWriter
from rui_api.observability.telemetry import Telemetry
from rui_api.server.http_protocol import create_protocol
from rui_api.server.limits import Limits, raise_file_limit
from rui_api.server.shutdown import Terminal, stop_accepting

log = logging.getLogger("rui_api")


class _Server(uvicorn.Server):
    """A server that stops accepting connections without resetting any.

    Args:
        config: the configuration of uvicorn.
        on_start: called when the server accepts requests.
        drain: called for SIGTERM; returns the seconds until the server stops.
        is_shared: whether other processes accept connections of the same socket, and continue to.
    """

    def __init__(
        self, config: uvicorn.Config, on_start: Callable[[], None], drain: Callable[[], float], *, is_shared: bool
    ) -> None:
        super().__init__(config)
        self._on_start = on_start
        self._drain = drain
        self._stop_at: float | None = None
        self._is_shared = is_shared

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Stop; at the first SIGTERM, only when the time to drain is over."""
        seconds = 0.0
        if sig == signal.SIGTERM and self.started and self._stop_at is None:
            seconds = self._drain()
        if seconds:
            self._stop_at = monotonic() + seconds
        else:
            super().handle_exit(sig, frame)

    async def on_tick(self, counter: int) -> bool:
        if self._stop_at is not None and monotonic() >= self._stop_at:
            self.should_exit = True
        return await super().on_tick(counter)

    async def serve(self, sockets: list[socket.socket] | None = None) -> None:
        if not self.should_exit:  # a signal may arrive before the event loop runs
            await super().serve(sockets)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            freeze_gc()
            self._on_start()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        if not self._is_shared:
            await stop_accepting(sockets or [])
        await super().shutdown(sockets)
        if self.force_exit:  # a second SIGINT skips this in uvicorn, but the store has to be closed
            await self.lifespan.shutdown()


def run(
    settings: Settings, listener: socket.socket, telemetry: Telemetry, on_start: Callable[[], None], *,
    is_shared: bool = False,
) -> None:  # fmt: skip
    """Serve until SIGINT or SIGTERM, then finish the requests that have begun.

    Args:
        settings: the settings.
        listener: the listening socket.
        telemetry: the counters and the log of this process; store, connections and tracer are added to it.
        on_start: called when the process accepts requests.
        is_shared: whether other processes accept connections of the same socket, and continue to.
    """
    raise_file_limit(settings.max_connections)
    provider = _start_tracing(settings, telemetry)

    def drain() -> float:
        if is_shared:  # the supervisor waits for all workers together
            return 0.0
        telemetry.is_draining = True
        if settings.drain_seconds:
            log.info("stopping in %d s", settings.drain_seconds)
        return settings.drain_seconds

    server = _Server(_config(settings, telemetry), on_start, drain, is_shared=is_shared)
    telemetry.connections = lambda: len(server.server_state.connections)
    if threading.current_thread() is threading.main_thread():
        _handle_signals(server, is_shared=is_shared)
    try:
        server.run(sockets=[listener])
    finally:
        if provider is not None:
            provider.shutdown()


def _handle_signals(server: uvicorn.Server, *, is_shared: bool) -> None:
    # uvicorn handles signals while its event loop runs, and raises them again afterwards. These handlers apply before
    # and after that.
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, server.handle_exit)
    hangup = getattr(signal, "SIGHUP", None)  # not on Windows
    if is_shared or hangup is None or signal.getsignal(hangup) == signal.SIG_IGN:  # ignored under nohup
        return
    terminal = Terminal()

    def on_hangup(*_: object) -> None:
        """Stop if the terminal was closed. Otherwise ignore the signal: the log reopens its file by itself."""
        if terminal.is_closed():
            server.handle_exit(signal.SIGTERM, None)

    signal.signal(hangup, on_hangup)


def _start_tracing(settings: Settings, telemetry: Telemetry) -> Any:  # noqa: ANN401  a type of an optional dependency
    if not settings.tracing:
        return None
    from rui_api.observability.tracing import create_tracer_provider  # noqa: PLC0415  an optional dependency

    traces = create_tracer_provider()
    telemetry.tracer = traces.get_tracer("rui_api")
    return traces


def limits_from(settings: Settings) -> Limits:
    """Return the limits that the settings give."""
    return Limits(
        headers_seconds=settings.headers_timeout,
        body_seconds=settings.body_timeout,
        idle_seconds=settings.idle_timeout,
        write_seconds=settings.write_timeout,
        connections=settings.max_connections,
        drain_seconds=min(Limits.drain_seconds, settings.stop_timeout / 10),
        grace_seconds=min(Limits.grace_seconds, settings.stop_timeout / 2),
    )


def _config(settings: Settings, telemetry: Telemetry) -> uvicorn.Config:
    protocol = create_protocol(limits_from(settings), settings.allowed_origins, settings.allowed_hosts)
    telemetry.refused = lambda: protocol.registry.errors
    if telemetry.log is not None:
        protocol.registry.log_request = telemetry.log.log_request
    return uvicorn.Config(
        create_app(settings, telemetry=telemetry),
        http=protocol,
        ws="none",
        lifespan="on",
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=bool(settings.trusted_proxies),
        forwarded_allow_ips=list(settings.trusted_proxies),
        timeout_graceful_shutdown=ceil(settings.stop_timeout),
    )


def create_telemetry(settings: Settings) -> Telemetry:
    """Create the counters and the log of this process, and send everything that is logged to that log.

    Raises:
        OSError: the log file cannot be opened.
    """
    telemetry = Telemetry()
    level = logging.getLevelNamesMapping()[settings.log_level.upper()]
    telemetry.log = LogWriter(settings.log_file, _log_format(settings), level)
    root = logging.getLogger()
    root.handlers = [LogHandler(telemetry.log)]
    # Libraries log warnings and errors, unless the level is debug.
    root.setLevel(level if level == logging.DEBUG else max(level, logging.WARNING))
    log.setLevel(level)
    logging.captureWarnings(capture=True)
    return telemetry


def _log_format(settings: Settings) -> str:
    if settings.log_format != "auto":
        return settings.log_format
    if not settings.log_file and os.isatty(STANDARD_ERROR):
        return "text"
    return "json"


def freeze_gc() -> None:
    """Exclude all current objects from garbage collection, and collect less often.

    The thresholds of the second and third generation stay low: with higher ones, reference cycles of many small
    requests made the process grow by megabytes per minute.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 4, 4)
