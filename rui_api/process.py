"""One process that serves: uvicorn with our protocol, the application, and whatever watches them."""

from __future__ import annotations

import gc
import logging
import os
import signal
import threading
from math import ceil
from typing import TYPE_CHECKING, Any

import uvicorn

from rui_api.app import create_app
from rui_api.observability.log_writer import STANDARD_ERROR, LogHandler, LogWriter
from rui_api.observability.telemetry import Telemetry
from rui_api.server.http_protocol import create_protocol
from rui_api.server.limits import Limits, raise_file_limit
from rui_api.server.shutdown import Terminal, stop_accepting
from rui_api.store.url import redact_password

if TYPE_CHECKING:
    import socket
    from collections.abc import Callable

    from rui_api.config.options import Settings

log = logging.getLogger("rui_api")


def run(
    settings: Settings,
    listener: socket.socket,
    telemetry: Telemetry,
    started: Callable[[], None],
    *,
    shared: bool = False,
) -> None:
    """Serve until SIGINT or SIGTERM; then finish what has begun.

    Args:
        settings: what the operator set.
        listener: the socket to take connections from.
        telemetry: its counters and log; further sources are added.
        started: called once requests are taken.
        shared: whether other processes have the same listener, and go on.
    """
    raise_file_limit(settings.max_connections)
    traces = _trace(settings, telemetry)
    config = _config(settings, telemetry)

    class Server(uvicorn.Server):
        async def serve(self, sockets: list[socket.socket] | None = None) -> None:
            if not self.should_exit:  # else a signal was faster than the event loop
                await super().serve(sockets)

        async def startup(self, sockets: list[socket.socket] | None = None) -> None:
            await super().startup(sockets)
            if self.started:
                settle()
                started()

        async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
            if not shared:
                await stop_accepting(sockets or [])
            await super().shutdown(sockets)
            if self.force_exit:  # a second SIGINT ends waiting for requests; the store is closed all the same
                await self.lifespan.shutdown()

    server = Server(config)
    telemetry.connections = lambda: len(server.server_state.connections)
    if threading.current_thread() is threading.main_thread():
        _mind_signals(server, shared=shared)
    try:
        server.run(sockets=[listener])
    finally:
        if traces is not None:
            traces.shutdown()


def _mind_signals(server: uvicorn.Server, *, shared: bool) -> None:
    # uvicorn takes them while its event loop runs. The same before: to raise something between the making of its
    # coroutine and the loop would leave that unawaited. And behind: it is done then, and raises them once more.
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, server.handle_exit)
    hangup = getattr(signal, "SIGHUP", None)  # not everywhere
    if shared or hangup is None or signal.getsignal(hangup) == signal.SIG_IGN:  # as nohup sets it
        return
    terminal = Terminal()

    def hung_up(*_: object) -> None:
        """Stop when the terminal was closed; else nothing has to be done, for log files are taken up by themselves."""
        if terminal.is_gone():
            server.handle_exit(signal.SIGTERM, None)

    signal.signal(hangup, hung_up)


def _trace(settings: Settings, telemetry: Telemetry) -> Any:  # noqa: ANN401  of a package that may be missing
    if not settings.tracing:
        return None
    from rui_api.observability.tracing import create_tracer_provider  # noqa: PLC0415

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
    """Return the counters and the log of this process, and send all records of `logging` to that log.

    Raises:
        OSError: the log file cannot be opened.
    """
    telemetry = Telemetry()
    level = logging.getLevelNamesMapping()[settings.log_level.upper()]
    telemetry.log = LogWriter(settings.log_file, form_of(settings), level)
    root = logging.getLogger()
    root.handlers = [LogHandler(telemetry.log)]
    # What others have to say below a warning is of interest to those who look for faults.
    root.setLevel(level if level == logging.DEBUG else max(level, logging.WARNING))
    log.setLevel(level)
    logging.captureWarnings(capture=True)
    return telemetry


def form_of(settings: Settings) -> str:
    """How lines are written: ``json`` or ``text``."""
    if settings.log_format != "auto":
        return settings.log_format
    return "text" if not settings.log_file and os.isatty(STANDARD_ERROR) else "json"


def welcome(address: str, settings: Settings) -> str:
    """What is said once requests are taken."""
    return f"RUI service on {address}, specs in {redact_password(settings.store)}"


def settle() -> None:
    """Let the garbage collector pass over what stays for good, and look less often for what a large body leaves.

    What such a body took is kept for the next one. The collector must not look so seldom that what is left in circles
    by many small requests adds up: the second and third number say how long what it has seen alive before may wait,
    and with larger ones the process grew by megabytes a minute.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 4, 4)
