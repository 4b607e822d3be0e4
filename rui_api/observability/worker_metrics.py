"""Exchange of metrics between the workers of a service, over Unix sockets in a private folder.

prometheus_client's multiprocess mode adds the counters of all workers up, has no metrics of processes, and writes to a
mapped file for every request. Here a worker renders its metrics only when they are scraped.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from contextlib import suppress
from multiprocessing.connection import Client, Connection, Listener
from pathlib import Path
from typing import Any

TIMEOUT = 1.0
"""Seconds to wait for the metrics of a worker. Those of a slower one are left out."""


class WorkerMetrics:
    """The metrics of all workers, in Prometheus's text format.

    Args:
        folder: accessible to the user of the service only.
    """

    def __init__(self, folder: str) -> None:
        self._folder = Path(folder)

    def publish(self, worker: str, render: Callable[[], bytes]) -> None:
        """Serve `render()` to all workers from now on, in a thread.

        Args:
            worker: the number of this worker.
            render: returns the metrics of this process.
        """
        listener = Listener(str(self._folder / f"{worker}-{os.getpid()}"), "AF_UNIX")
        threading.Thread(target=_serve, args=(listener, render), name="rui-worker-metrics", daemon=True).start()

    def collect(self) -> list[tuple[str, str]]:
        """Return (number of the worker, its metrics) for all workers."""
        metrics = []
        for path in sorted(self._folder.iterdir()):
            text = _fetch(path)
            if text:
                metrics.append((path.name.partition("-")[0], text.decode()))
        return metrics


def _serve(listener: Listener, render: Callable[[], bytes]) -> None:
    while True:
        with suppress(OSError, EOFError), listener.accept() as connection:
            connection.send_bytes(render())


def _fetch(path: Path) -> bytes:
    connection: Connection[Any, Any]
    try:
        with Client(str(path), "AF_UNIX") as connection:
            if connection.poll(TIMEOUT):
                return connection.recv_bytes()
    except ConnectionRefusedError:  # the worker has ended
        path.unlink(missing_ok=True)
    except (OSError, EOFError):
        pass
    return b""
