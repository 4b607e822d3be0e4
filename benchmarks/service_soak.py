"""Memory and failures of the service under load for several minutes: `python -m benchmarks service_soak --minutes 10`.

Three kinds of clients validate, store and retrieve: busy ones, ones with pauses, and ones that connect for each
request. Another client sends the hostile requests of the tests, and stalls. Linux reports the resident memory.
"""

from __future__ import annotations

import argparse
import itertools
import socket
import statistics
import subprocess
import tempfile
import threading
import time
from collections.abc import Sequence

from benchmarks.memory import megabytes
from tests.rui_api.live import Service, process
from tests.rui_api.probes import PROBES
from tests.rui_api.restarts import Load

MINUTES = 10.0
FLAT = 5.0
"""Maximum growth in megabytes from the second fifth of the time to the last. In the first, caches are filled."""

CLIENTS = 4


class Hostile(threading.Thread):
    """A client that sends one probe after the other, with a short timeout for the response."""

    def __init__(self, service: Service) -> None:
        super().__init__()
        self.sent = 0
        self.stop = threading.Event()
        self._port = service.port

    def run(self) -> None:
        """Send probes until `stop` is set."""
        for request, _ in itertools.cycle(PROBES.values()):
            if self.stop.is_set():
                return
            try:
                with socket.create_connection(("127.0.0.1", self._port), timeout=0.05) as connection:
                    connection.sendall(request)
                    connection.recv(65_536)
            except OSError:
                pass
            self.sent += 1


def main(options: Sequence[str] = ()) -> bool:
    """Run for the given time. Print the memory every half minute, and return whether the limits are kept."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks service_soak")
    parser.add_argument("--minutes", type=float, default=MINUTES)
    minutes = parser.parse_args(list(options)).minutes
    with (
        tempfile.TemporaryDirectory() as folder,
        process("--store", f"sqlite:///{folder}/rui.db", "--log-level", "info", stderr=subprocess.DEVNULL) as (
            child,
            service,
        ),
    ):
        service.client.event_hooks = {}
        hostile = Hostile(service)
        port = service.port
        with Load(port, CLIENTS) as busy, Load(port, CLIENTS, pause=0.1) as calm, Load(port, 1, keep=False) as fresh:
            loads = (busy, calm, fresh)
            hostile.start()
            try:
                memory = _watch(child.pid, minutes * 60, loads)
            finally:
                hostile.stop.set()
                hostile.join()
        return _judge(memory, loads, hostile.sent, minutes)


def _watch(pid: int, seconds: float, loads: Sequence[Load]) -> list[float]:
    """Return the memory in megabytes, measured once per second."""
    memory: list[float] = []
    print(f"\nthe service at load, {seconds / 60:g} minutes\n  {'seconds':>9}{'MB':>8}{'answers':>10}{'failed':>8}")
    began = time.monotonic()
    while (passed := time.monotonic() - began) < seconds:
        memory.append(megabytes(pid))
        if len(memory) % 30 == 1:
            answers, failed = sum(load.answers.total() for load in loads), sum(len(load.failures) for load in loads)
            print(f"  {passed:9.0f}{memory[-1]:8.1f}{answers:10}{failed:8}", flush=True)
        time.sleep(1)
    return memory


def _judge(memory: list[float], loads: Sequence[Load], probes: int, minutes: float) -> bool:
    fifth = max(1, len(memory) // 5)
    growth = statistics.median(memory[-fifth:]) - statistics.median(memory[fifth : 2 * fifth])
    answers, failures = sum(load.answers.total() for load in loads), [text for load in loads for text in load.failures]
    kept = growth <= FLAT and not failures
    print(f"  {answers} answers ({answers / minutes / 60:.0f} a second), {probes} probes, {len(failures)} failures")
    for failure in failures[:5]:
        print(f"    {failure}")
    print(f"  memory from the second fifth of the time to the last: {growth:+.1f} MB, limit {FLAT:+.1f} MB")
    print(f"  {'ok' if kept else 'MISSED'}")
    return kept
