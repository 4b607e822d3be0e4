"""`--workers N`: processes that take connections from one socket, and one that looks after them.

A worker that dies is replaced. SIGHUP replaces all, one after the other, each only when its successor takes requests;
when it says that the terminal is gone, they stop.
When the process that looks after them dies, they stop too.
"""

from __future__ import annotations

import logging
import multiprocessing
import os
import signal
import threading
from contextlib import contextmanager, suppress
from functools import partial
from multiprocessing import resource_tracker
from multiprocessing.connection import wait
from time import monotonic, sleep
from typing import TYPE_CHECKING

from rui_api.observability.worker_metrics import WorkerMetrics
from rui_api.process import create_telemetry, run
from rui_api.server.shutdown import Terminal, drain

if TYPE_CHECKING:
    import socket
    from collections.abc import Callable, Iterator
    from multiprocessing.connection import Connection

    from rui_api.config.options import Settings
    from rui_api.observability.telemetry import Telemetry

log = logging.getLogger("rui_api")

STARTING = 30.0
"""Seconds that a worker may take until it serves."""
SHORTEST_LIFE = 1.0
"""Seconds; a worker that lived shorter is replaced only after as long again."""
EXTRA = 3.0
"""Seconds that a worker may take to stop, beyond those that its requests have."""


class Worker:
    """One process.

    Args:
        number: its number, from 0 on.
        arguments: of `_work`, the last two aside.
    """

    def __init__(self, number: int, arguments: tuple[Settings, socket.socket, str]) -> None:
        context = multiprocessing.get_context("spawn")
        self.number = number
        self.begun = monotonic()
        self._line, other = context.Pipe()
        self.process = context.Process(target=_work, args=(*arguments, number, other), name=f"rui-worker-{number}")
        with _without_keyboard():
            self.process.start()
        other.close()

    def serves(self, patience: float) -> bool:
        """Whether it takes requests within so many seconds."""
        with suppress(EOFError, OSError):
            return self._line.poll(patience) and bool(self._line.recv_bytes())
        return False

    def stop(self, patience: float) -> None:
        """Have it finish what it does, and wait for that."""
        self.process.terminate()
        self.process.join(patience)
        if self.process.is_alive():
            log.error("worker %d did not stop and is killed", self.number)
            self.process.kill()
            self.process.join()


class Workers:
    """All of them.

    Args:
        settings: what the operator set.
        listener: the socket that all take connections from.
        folder: where they tell their numbers, see `rui_api.observability.worker_metrics.WorkerMetrics`.
    """

    def __init__(self, settings: Settings, listener: socket.socket, folder: str) -> None:
        self._arguments = (settings, listener, folder)
        self._listener = listener
        self._patience = settings.stop_timeout + EXTRA
        self._signals: list[int] = []
        self._woken, self._wake = os.pipe()
        self._workers: list[Worker] = []
        self._count = settings.workers
        self._terminal = Terminal()

    def run(self, started: Callable[[], None]) -> int:
        """Start them and look after them until SIGINT or SIGTERM.

        Args:
            started: called once all take requests.

        Returns:
            The exit code: 0 after a signal, 1 when they could not be started.
        """
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, self._note)
        self._workers = [Worker(number, self._arguments) for number in range(self._count)]
        if not all(worker.serves(STARTING) for worker in self._workers):
            if not self._stopped():
                log.error("a worker could not be started")
            self._stop_all()
            return 0 if self._stopped() else 1
        started()
        while not self._stopped():
            wait([self._woken, *(worker.process.sentinel for worker in self._workers)])
            self._replace_dead()
            if signal.SIGHUP in self._signals:
                self._signals.remove(signal.SIGHUP)
                os.read(self._woken, 1)
                self._replace_all()
        self._stop_all()
        return 0

    def _note(self, number: int, _: object) -> None:
        self._signals.append(signal.SIGTERM if number == signal.SIGHUP and self._terminal.is_gone() else number)
        os.write(self._wake, b"!")

    def _stopped(self) -> bool:
        return signal.SIGINT in self._signals or signal.SIGTERM in self._signals

    def _replace_dead(self) -> None:
        for index, worker in enumerate(self._workers):
            if worker.process.is_alive() or self._stopped():
                continue
            log.error("worker %d ended with code %s and is replaced", worker.number, worker.process.exitcode)
            if monotonic() - worker.begun < SHORTEST_LIFE:
                sleep(SHORTEST_LIFE)
            self._workers[index] = Worker(worker.number, self._arguments)

    def _replace_all(self) -> None:
        for index, worker in enumerate(self._workers):
            if self._stopped():
                return
            successor = Worker(worker.number, self._arguments)
            if not successor.serves(STARTING):
                log.error("the successor of worker %d does not serve; the others stay", worker.number)
                successor.stop(0)
                return
            self._workers[index] = successor
            worker.stop(self._patience)
        log.info("all workers are replaced")

    def _stop_all(self) -> None:
        drain(self._listener)
        for worker in self._workers:
            worker.process.terminate()
        deadline = monotonic() + self._patience
        for worker in self._workers:
            worker.stop(max(0.0, deadline - monotonic()))


@contextmanager
def _without_keyboard() -> Iterator[None]:
    """SIGINT waits meanwhile, in processes that are started, too: it must not break off loading what they need."""
    resource_tracker.ensure_running()  # else it is started with the first process, and lets the signal in again
    before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _end(*_: object) -> None:
    raise SystemExit(0)


def _render_metrics(telemetry: Telemetry) -> bytes:
    from rui_api.observability.prometheus import exposition, process_registry  # noqa: PLC0415  slow to load

    return exposition(process_registry(telemetry))


def _work(
    settings: Settings, listener: socket.socket, folder: str, number: int, line: Connection[bytes, bytes]
) -> None:
    """What a worker does."""
    signal.signal(signal.SIGINT, _end)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGINT])
    telemetry = create_telemetry(settings)
    telemetry.workers = WorkerMetrics(folder)
    telemetry.workers.publish(str(number), partial(_render_metrics, telemetry))
    signal.signal(signal.SIGHUP, signal.SIG_IGN)  # a terminal that is closed sends it to all

    def wait_for_end() -> None:
        with suppress(EOFError, OSError):
            line.recv_bytes()
        os.kill(os.getpid(), signal.SIGTERM)

    def started() -> None:
        line.send_bytes(b"started")
        threading.Thread(target=wait_for_end, name="rui-parent", daemon=True).start()

    run(settings, listener, telemetry, started, shared=True)
    if telemetry.log is not None:
        telemetry.log.close()
