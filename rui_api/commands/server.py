"""The server of ``rui serve``: uvicorn with one process or several, the log, and the metrics."""

import gc
import logging
import multiprocessing
import os
import signal
import socket
import sys
import threading
from collections.abc import Sequence
from contextlib import ExitStack
from functools import partial
from io import TextIOWrapper
from ipaddress import IPv4Network, ip_network
from typing import Any

import uvicorn
from litestar.types import ASGIApp
from uvicorn.supervisors import Multiprocess

from rui_api.app import create_app
from rui_api.commands.listening import AddressError, url_of
from rui_api.commands.signals import ignore_signals, stop_on_sigquit
from rui_api.config.options import Settings
from rui_api.http.connection import Connection
from rui_api.observability.logs import start_logging
from rui_api.observability.metrics import restore_folder, serving_metrics
from rui_api.store.factory import prepare_store
from rui_api.store.url import redact_password
from rui_common.redact import escape_control

STOP_SECONDS = 5  # maximum time to finish running requests after the signal to stop
START_SECONDS = 30
"""Maximum time until a worker that replaces another one accepts requests; later, the other one is kept."""
MAX_HEAD_BYTES = 65_536
"""Bytes of the request line with the headers, of a trailer, and of the line of a chunk, until they are complete."""
SERVER_OPTIONS: dict[str, Any] = {
    "http": Connection,  # with h11: httptools does not read the body of a request that offers an upgrade
    "h11_max_incomplete_event_size": MAX_HEAD_BYTES,
    "ws": "none",
    "lifespan": "on",
    "log_config": None,
    "access_log": False,
    "server_header": False,
}
"""Options of uvicorn that are no settings."""

log = logging.getLogger("rui_api")


def run(settings: Settings, listener: socket.socket) -> None:
    """Serve until a signal.

    Raises:
        AddressError: the port of the metrics cannot be used.
        StoreRefused: the database belongs to another program or to a later version of this one.
    """
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
                place = f"--metrics-port {settings.metrics_port}"
                raise AddressError(
                    f"cannot serve metrics on {place}: {error.strerror}; choose another port, or RUI_METRICS_PORT"
                ) from None
        prepared = prepare_store(settings.store)  # before the log, which would have a second line about the error
        stack.callback(start_logging(settings.log_level, settings.log_format).stop)
        banner = f"RUI service on {url_of(listener)}, specs in {redact_password(settings.store)}"
        limit = "without a limit of their size"
        if settings.max_bytes:
            limit = f"at most {settings.max_bytes:,} bytes"
        log.info("%s, %s (--store-max-bytes)", banner, limit)
        if prepared.error is not None:
            log.error("store unavailable: %s; it is tried again with every request", prepared.error)
        for warning in prepared.warnings:
            log.warning("%s", warning)
        _print_banner(banner)
        stack.callback(log.info, "stopped")
        if settings.workers > 1:
            supervisor = Workers(config, sockets=[listener])  # it has handlers of its own: SIGHUP replaces workers
            stop_on_sigquit()
            supervisor.run()
        else:
            stop_on_sigquit()
            uvicorn.Server(config).run(sockets=[listener])


def _print_banner(banner: str) -> None:
    """Print where the service is. It runs also if nobody can read that: on a full disk, or a pipe that is closed."""
    if isinstance(sys.stdout, TextIOWrapper):  # its encoding may lack characters of the path of the store
        sys.stdout.reconfigure(errors="backslashreplace")
    try:
        print(escape_control(banner), flush=True)  # noqa: T201
    except OSError as error:
        sys.stdout = open(os.devnull, "w")  # noqa: PTH123, SIM115  what is left in the old one fails at its end again
        log.warning("standard output cannot be written: %s", error.strerror)


def create_process_app(settings: Settings) -> ASGIApp:
    """Return the application of a process that serves requests, which is this process or a worker."""
    on_shutdown = []
    restore_folder()
    if multiprocessing.parent_process() is not None:
        threading.Thread(target=_stop_with_supervisor, daemon=True).start()
        ignore_signals()  # `systemctl kill` and a terminal send them to all processes
        on_shutdown = [start_logging(settings.log_level, settings.log_format).stop]
    app = create_app(settings, on_shutdown=on_shutdown)
    freeze_gc()
    return app


def _stop_with_supervisor() -> None:
    """Stop this worker when its supervisor was killed: nobody else stops it, and it keeps the port."""
    if (supervisor := multiprocessing.parent_process()) is not None:
        supervisor.join()
    os.kill(os.getpid(), signal.SIGTERM)


def freeze_gc() -> None:
    """Exclude all current objects from garbage collection, and collect less often.

    The thresholds of the second and third generation stay low: with higher ones, reference cycles of many small
    requests made the process grow by megabytes per minute.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 4, 4)


def _with_mapped(proxies: Sequence[str]) -> list[str]:
    """Return networks and the same as IPv4-mapped IPv6, which the clients of a socket for both have."""
    networks = [ip_network(proxy) for proxy in proxies if proxy != "*"]
    mapped = [
        f"::ffff:{network.network_address}/{network.prefixlen + 96}"
        for network in networks
        if isinstance(network, IPv4Network)
    ]
    return [*proxies, *mapped]


class Workers(Multiprocess):
    """Runs workers, and replaces those that ended. uvicorn logs them as information, without their exit code."""

    def handle_hup(self) -> None:
        """Replace the workers, unless a signal that waits for it does the same, or ends the service."""
        if {signal.SIGHUP, signal.SIGINT, signal.SIGTERM}.isdisjoint(self.signal_queue):
            super().handle_hup()

    def init_processes(self) -> None:
        super().init_processes()
        self._close_ends()

    def terminate_all(self) -> None:
        """Stop the workers. New connections are refused, as without workers: here they would wait for nobody."""
        for listener in self.sockets:
            listener.close()
        super().terminate_all()

    def keep_subprocess_alive(self) -> None:
        """Replace workers that ended or do not answer, and log how they ended."""
        if {signal.SIGINT, signal.SIGTERM} & {*self.signal_queue}:
            return  # the service ends: a signal to all processes has ended the workers, too
        self._close_ends()
        before = list(self.processes)
        super().keep_subprocess_alive()
        for process in before:
            if process not in self.processes:
                log.error("worker %s ended with %s and is replaced", process.pid, shown_exit(process.exitcode))

    def _close_ends(self) -> None:
        """Close the workers' ends of their pipes here: else the end of one does not end the wait for its answer."""
        for process in self.processes:
            process.child_conn.close()


def shown_exit(code: int | None) -> str:
    """Return the name of the signal that ended a process, such as ``SIGKILL (-9)``, or its exit code."""
    if code is not None and code < 0:
        names = {number.value: number.name for number in signal.Signals}
        return f"{names.get(-code, 'a signal')} ({code})"
    return f"exit code {code}"
