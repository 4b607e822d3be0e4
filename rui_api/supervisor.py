"""The supervisor of ``--workers N``: starts worker processes that share one listening socket, and replaces them.

It replaces a worker that dies. On SIGHUP it replaces all workers one after the other, each when its successor accepts
requests; if the terminal was closed, SIGHUP stops the service. Workers stop when the supervisor dies.
"""

from __future__ import annotations

import logging
import multiprocessing
import os
import signal
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection, wait
from time import monotonic, sleep
from typing import NamedTuple

from rui_api.config.options import Settings
from rui_api.observability.telemetry import Telemetry
from rui_api.observability.worker_metrics import WorkerMetrics
from rui_api.process import create_telemetry, run
from rui_api.server.shutdown import Terminal, drain

log = logging.getLogger("rui_api")

START_SECONDS = 30.0
"""Time that a worker may take until it accepts requests."""
MIN_LIFETIME = 1.0
"""A worker that lived shorter (in seconds) is replaced after a pause of this length."""
POLL_SECONDS = 0.05
STOP_MARGIN = 3.0
"""Seconds that a worker may take to stop, in addition to the timeout of its requests."""


class WorkerConfig(NamedTuple):
    """The arguments of every worker.

    Attributes:
        settings: the settings.
        listener: the listening socket.
        metrics_folder: see `rui_api.observability.worker_metrics.WorkerMetrics`.
    """

    settings: Settings
    listener: socket.socket
    metrics_folder: str


class Worker:
    """A worker process."""

    def __init__(self, number: int, config: WorkerConfig) -> None:
        context = multiprocessing.get_context("spawn")
        self.number = number
        self.started_at = monotonic()
        self._pipe, child_end = context.Pipe()
        self.process = context.Process(target=_work, args=(config, number, child_end), name=f"rui-worker-{number}")
        with _ignore_sigint():
            self.process.start()
        child_end.close()

    def is_ready(self, timeout: float) -> bool:
        """Wait until the worker accepts requests; return False after `timeout` seconds or if it ends."""
        with suppress(EOFError, OSError):
            return self._pipe.poll(timeout) and bool(self._pipe.recv_bytes())
        return False

    def drain(self) -> None:
        """Let the probes of its readiness fail."""
        if self.process.pid is not None and self.process.is_alive():
            os.kill(self.process.pid, signal.SIGUSR1)

    def stop(self, timeout: float) -> None:
        """Stop the worker; kill it after `timeout` seconds."""
        self.process.terminate()
        self.process.join(timeout)
        if self.process.is_alive():
            log.error("worker %d did not stop and is killed", self.number)
            self.process.kill()
            self.process.join()


class Supervisor:
    """All worker processes."""

    def __init__(self, settings: Settings, listener: socket.socket, metrics_folder: str) -> None:
        self._config = WorkerConfig(settings, listener, metrics_folder)
        self._stop_timeout = settings.stop_timeout + STOP_MARGIN
        self._signals: list[int] = []
        self._wakeup_read, self._wakeup_write = os.pipe()
        self._workers: list[Worker] = []
        self._terminal = Terminal()

    def run(self, on_start: Callable[[], None]) -> int:
        """Start the workers and supervise them until SIGINT or SIGTERM.

        Args:
            on_start: called when all workers accept requests.

        Returns:
            The exit code: 0 after a signal, 1 if a worker could not be started.
        """
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, self._on_signal)
        self._workers = [Worker(number, self._config) for number in range(self._config.settings.workers)]
        if not all(worker.is_ready(START_SECONDS) for worker in self._workers):
            if not self._is_stopping():
                log.error("a worker could not be started")
            self._stop_all()
            return 0 if self._is_stopping() else 1
        on_start()
        while not self._is_stopping():
            wait([self._wakeup_read, *(worker.process.sentinel for worker in self._workers)])
            self._replace_dead()
            if signal.SIGHUP in self._signals:
                self._signals.remove(signal.SIGHUP)
                os.read(self._wakeup_read, 1)
                self._replace_all()
        self._drain()
        self._stop_all()
        return 0

    def _drain(self) -> None:
        """Let the probes of all workers fail, and wait until the platform sends no more requests.

        A second signal, or SIGINT, ends the wait.
        """
        seconds = self._config.settings.drain_seconds
        if not seconds or signal.SIGINT in self._signals:
            return
        log.info("stopping in %d s", seconds)
        for worker in self._workers:
            worker.drain()
        received = len(self._signals)
        deadline = monotonic() + seconds
        while monotonic() < deadline and len(self._signals) == received:
            sleep(POLL_SECONDS)

    def _on_signal(self, number: int, _: object) -> None:
        if number == signal.SIGHUP and self._terminal.is_closed():
            number = signal.SIGTERM
        self._signals.append(number)
        os.write(self._wakeup_write, b"!")

    def _is_stopping(self) -> bool:
        return signal.SIGINT in self._signals or signal.SIGTERM in self._signals

    def _replace_dead(self) -> None:
        for index, worker in enumerate(self._workers):
            if worker.process.is_alive() or self._is_stopping():
                continue
            log.error("worker %d ended with code %s and is replaced", worker.number, worker.process.exitcode)
            if monotonic() - worker.started_at < MIN_LIFETIME:
                sleep(MIN_LIFETIME)
            self._workers[index] = Worker(worker.number, self._config)

    def _replace_all(self) -> None:
        for index, worker in enumerate(self._workers):
            if self._is_stopping():
                return
            successor = Worker(worker.number, self._config)
            if not successor.is_ready(START_SECONDS):
                log.error("the successor of worker %d does not serve; the others stay", worker.number)
                successor.stop(0)
                return
            self._workers[index] = successor
            worker.stop(self._stop_timeout)
        log.info("all workers are replaced")

    def _stop_all(self) -> None:
        drain(self._config.listener)
        for worker in self._workers:
            worker.process.terminate()
        deadline = monotonic() + self._stop_timeout
        for worker in self._workers:
            worker.stop(max(0.0, deadline - monotonic()))


@contextmanager
def _ignore_sigint() -> Iterator[None]:
    """Block SIGINT, also in processes that are started: it must not interrupt their imports."""
    resource_tracker.ensure_running()  # otherwise it starts with the first process, and unblocks the signal
    previous = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, previous)


def _exit(*_: object) -> None:
    raise SystemExit(0)


def _render_metrics(telemetry: Telemetry) -> bytes:
    from rui_api.observability.prometheus import exposition, process_registry  # noqa: PLC0415  slow to load

    return exposition(process_registry(telemetry))


def _work(config: WorkerConfig, number: int, pipe: Connection[bytes, bytes]) -> None:
    signal.signal(signal.SIGINT, _exit)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGINT])
    telemetry = create_telemetry(config.settings)
    telemetry.workers = WorkerMetrics(config.metrics_folder)
    telemetry.workers.publish(str(number), partial(_render_metrics, telemetry))
    signal.signal(signal.SIGHUP, signal.SIG_IGN)  # a closed terminal sends it to all processes

    def drain(*_: object) -> None:
        telemetry.is_draining = True

    signal.signal(signal.SIGUSR1, drain)

    def stop_with_supervisor() -> None:
        with suppress(EOFError, OSError):
            pipe.recv_bytes()
        os.kill(os.getpid(), signal.SIGTERM)

    def on_start() -> None:
        pipe.send_bytes(b"started")
        threading.Thread(target=stop_with_supervisor, name="rui-parent", daemon=True).start()

    run(config.settings, config.listener, telemetry, on_start, is_shared=True)
    if telemetry.log is not None:
        telemetry.log.close()
