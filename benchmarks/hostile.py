"""Hostile texts: everything that is done with a text takes linear time, and other clients do not wait.

`tests/inputs/hostile_times.py` describes the measurement. `--texts 5000` takes half an hour.
"""

from __future__ import annotations

import argparse
import json
import logging
import multiprocessing
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import httpx

from benchmarks import Row
from rui_common.describe import minimal_example
from tests.inputs.hostile_texts import patterns
from tests.inputs.hostile_times import LARGE_EACH, MAX_SECONDS, SIZES, entries_for, judge, measure, shown
from tests.inputs.sample import sample_text
from tests.rui_api.live import AS_SHIPPED, JSON, process

if TYPE_CHECKING:
    from multiprocessing.synchronize import Event

TEXTS = 200
SHOWN = 5


def rows(options: list[str]) -> Iterator[Row]:
    """Print the entries that fail; yield their number, the slowest entries, and the delays of other clients."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks hostile")
    parser.add_argument("--texts", type=int, default=TEXTS)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--entries", default="", help="part of the names of the entries to measure; all by default")
    parser.add_argument("--first", type=int, default=0, help="number of the first text")
    arguments = parser.parse_args(options)
    logging.disable(logging.CRITICAL)  # the language server logs the texts that it does not format
    failures = 0
    slowest: dict[str, tuple[float, int]] = {}
    for number, pattern in enumerate(patterns(arguments.texts, arguments.seed)):
        if number < arguments.first:
            continue
        entries = [entry for entry in entries_for(number) if arguments.entries in entry]
        times = measure(pattern, entries, SIZES, is_large=number % LARGE_EACH == 0)
        for failure in judge(times):
            failures += 1
            print(f"  text {number}: {failure}\n    {shown(pattern)}", flush=True)
        for entry, seconds in times.items():
            slowest[entry] = max(slowest.get(entry, (0.0, 0)), (max(seconds.values()), number))
    yield Row(f"{arguments.texts:,} texts, seed {arguments.seed}: entries that are too slow", failures, 0)
    for entry, (seconds, number) in sorted(slowest.items(), key=lambda item: -item[1][0])[:SHOWN]:
        yield Row(f"slowest: {entry}, seconds of CPU", seconds, MAX_SECONDS, detail=f"text {number}")
    yield from _others()


# Other clients ------------------------------------------------------------------------------------------------------

SECONDS = 20
CLIENTS = 10
PAUSE = 0.02
MAX_HEALTH = 100.0
"""Maximum milliseconds until `/api/health` answers."""

MAX_CHECK = 6_500.0
"""Maximum milliseconds until the playground of another client has its diagnostics: a task of 5 s, and a start."""

BODIES = (
    "[" + '“>"children":[' * 380,
    "{" + "\n" * 80_000 + "}",
    sample_text(250_000).replace(":", "", 1),
    json.dumps({"pages": [{"id": f"p{number}", "ids": number} for number in range(8000)]}),
)


def _others() -> Iterator[Row]:
    """Measure the requests of one client while `CLIENTS` others send the worst texts, each from its own address."""
    context = multiprocessing.get_context("spawn")
    stop = context.Event()
    with (
        tempfile.TemporaryDirectory() as folder,
        process("--store", f"sqlite:///{folder}/rui.db", program=AS_SHIPPED) as (_, service),
    ):
        path = f"/specs/{service.store(json.loads(sample_text(250_000)))['specId']}"
        hostile = context.Process(target=_be_hostile, args=(service.url, path, stop))
        hostile.start()
        try:
            with _client(service.url, CLIENTS) as client:
                time.sleep(2)
                health = _milliseconds(lambda: client.get("/api/health"))
                document = json.dumps(minimal_example())
                checks = _milliseconds(lambda: client.post("/playground/check", content=document))
        finally:
            stop.set()
            hostile.terminate()
    detail = f"median {health[len(health) // 2]:.0f} ms"
    yield Row(f"/api/health beside {CLIENTS} hostile clients, slowest ms", health[-1], MAX_HEALTH, detail=detail)
    detail = f"median {checks[len(checks) // 2]:.0f} ms"
    yield Row(f"playground beside {CLIENTS} hostile clients, slowest ms", checks[-1], MAX_CHECK, detail=detail)


def _client(url: str, number: int) -> httpx.Client:
    transport = httpx.HTTPTransport(local_address=f"127.0.0.{number + 2}")
    return httpx.Client(base_url=url, transport=transport, timeout=None)


def _be_hostile(url: str, path: str, stop: Event) -> None:
    """Send the worst texts from several addresses until `stop` is set; runs in a process of its own."""

    def work(number: int) -> None:
        with _client(url, number) as client:
            sends: tuple[Callable[[str], object], ...] = (
                lambda text: client.post("/", data={"rui": text, "do": "check"}),
                lambda text: client.post("/playground/fix-all", content=text.encode()),
                lambda text: client.post("/api/validate", content=text.encode(), headers=JSON),
                lambda text: client.get(f"{path}?q={text[0]}"),
            )
            for count in range(1_000_000):
                if stop.is_set():
                    return
                sends[number % len(sends)](BODIES[count % len(BODIES)])
                time.sleep(PAUSE)  # these clients share the processors with the service

    threads = [threading.Thread(target=work, args=(number,)) for number in range(CLIENTS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def _milliseconds(send: Callable[[], httpx.Response]) -> list[float]:
    """Return the sorted milliseconds of requests one after the other; each has to succeed."""
    times = []
    end = time.perf_counter() + SECONDS
    while time.perf_counter() < end:
        start = time.perf_counter()
        answer = send()
        times.append((time.perf_counter() - start) * 1e3)
        assert answer.status_code == 200, f"{answer.request.url} was answered with {answer.status_code}"
        time.sleep(PAUSE)
    return sorted(times)
