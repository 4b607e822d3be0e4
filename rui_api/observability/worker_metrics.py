"""All numbers of one process at one moment, as JSON: what `rui_api.observability.prometheus` makes metrics of.

Numbers of several workers are not added up: each worker's stand beside the others', with its number as a label, so
that a worker that was started again is one counter that began anew, which Prometheus knows how to read.
"""

from __future__ import annotations

import json
import os
import threading
from contextlib import suppress
from multiprocessing.connection import Client, Connection, Listener
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rui_common.version import TOOL_VERSION

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from rui_api.observability.counters import Counts, Histogram
    from rui_api.observability.log_writer import Log
    from rui_api.store.base import Store
    from rui_api.store.stats import OperationStats

Snapshot = dict[str, Any]
PATIENCE = 1.0
"""Seconds that a worker has to tell its numbers; one that does not is left out."""


class Sources:
    """Where the numbers of a process are.

    Attributes:
        counts: of requests.
        worker: which of the workers this is; "" when there is one process.
        store: the store, which counts what it is asked.
        log: the log, which counts what it drops.
        connections: tells how many there are now.
        refused: tells how often the protocol itself refused a request, by code.
        exchange: how to reach the other workers, if there are any.
        tracer: of OpenTelemetry, if spans are wanted.
    """

    def __init__(self, counts: Counts) -> None:
        self.counts = counts
        self.worker = ""
        self.store: Store | None = None
        self.log: Log | None = None
        self.connections: Callable[[], int] = lambda: 0
        self.refused: Callable[[], Mapping[str, int]] = dict
        self.exchange: Exchange | None = None
        self.tracer: Any = None

    def exposition(self) -> bytes:
        """The numbers of all workers, in Prometheus's text format. It may take `PATIENCE` for each."""
        from rui_api.observability.prometheus import exposition  # noqa: PLC0415  not before somebody asks

        return exposition(self.snapshots())

    def snapshots(self) -> list[Snapshot]:
        """The numbers of all processes that serve."""
        return [self.snapshot()] if self.exchange is None else self.exchange.ask()

    def snapshot(self) -> Snapshot:
        """The numbers now."""
        counts = self.counts
        store = None if self.store is None else self.store.stats()
        return {
            "worker": self.worker,
            "version": TOOL_VERSION,
            "requests": [
                [*key, _histogram(one.seconds), _histogram(one.received), _histogram(one.sent)]
                for key, one in list(counts.requests.items())
            ],
            "codes": dict(counts.codes),
            "refused": dict(self.refused()),
            "running": counts.running,
            "connections": self.connections(),
            "dropped": 0 if self.log is None else self.log.dropped,
            "store": {}
            if store is None
            else {
                "put": {**_operation(store.put), **_line(store.put)},
                "get": {**_operation(store.get), **_line(store.get)},
                "ready": _operation(store.ready),
            },
            "process": _process(),
        }


def _histogram(histogram: Histogram) -> list[Any]:
    return [list(histogram.buckets), histogram.total]


def _operation(stats: OperationStats) -> dict[str, Any]:
    return {
        "done": stats.done, "failed": stats.failed, "refused": stats.refused,
        "seconds": [list(stats.seconds.buckets), stats.seconds.total],
    }  # fmt: skip


def _line(stats: OperationStats) -> dict[str, int]:
    return {"waiting": stats.waiting, "waiting_bytes": stats.waiting_bytes, "batches": stats.batches}


def _process() -> list[list[Any]]:
    """Memory, time and files of this process, in Prometheus's own names."""
    from prometheus_client import ProcessCollector  # noqa: PLC0415  not before somebody asks

    collector: Any = ProcessCollector(registry=None)
    return [[family.name, family.type, family.documentation, family.samples[0].value] for family in collector.collect()]


class Exchange:
    """Where the workers of one service tell each other their numbers: sockets in a folder of their own.

    Args:
        folder: the folder, which nobody else may enter.
    """

    def __init__(self, folder: str) -> None:
        self._folder = Path(folder)

    def tell(self, sources: Sources) -> None:
        """Have a thread tell the numbers of this process to whoever asks, from now on."""
        path = self._folder / f"{sources.worker}-{os.getpid()}"
        listener = Listener(str(path), "AF_UNIX")
        threading.Thread(target=_tell, args=(listener, sources), name="rui-numbers", daemon=True).start()

    def ask(self) -> list[Snapshot]:
        """The numbers of all workers that are there."""
        found = [_ask(path) for path in sorted(self._folder.iterdir())]
        return [snapshot for snapshot in found if snapshot is not None]


def _tell(listener: Listener, sources: Sources) -> None:
    while True:
        with suppress(OSError, EOFError), listener.accept() as connection:
            connection.send_bytes(json.dumps(sources.snapshot()).encode())


def _ask(path: Path) -> Snapshot | None:
    try:
        connection: Connection[Any, Any]
        with Client(str(path), "AF_UNIX") as connection:
            if connection.poll(PATIENCE):
                snapshot: Snapshot = json.loads(connection.recv_bytes())
                return snapshot
    except ConnectionRefusedError:  # that worker is gone
        path.unlink(missing_ok=True)
    except (OSError, EOFError):
        pass
    return None
