"""Health and checks of one client while others send the worst texts: `python -m benchmarks hostile_service`.

Ten clients send forms, requests of the editor, large bodies and pages of large specs all the time, each from an address
of its own (127.0.0.2 and so on, so it needs Linux). Part of `make bench-api`.
"""

from __future__ import annotations

import json
import multiprocessing
import tempfile
import threading
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

import httpx

from benchmarks.sample import sample_text
from rui_common.describe import minimal_example
from tests.rui_api.live import JSON, process

if TYPE_CHECKING:
    from multiprocessing.synchronize import Event

SECONDS = 20
CLIENTS = 10
MAX_HEALTH = 100.0
"""Maximum milliseconds until `/api/health` answers."""

MAX_CHECK = 6_500.0
"""Maximum milliseconds until the editor of another client has its diagnostics: 5 s of a task that runs, and a start."""

PAUSE = 0.02
TEXTS = (
    "[" + '“>"children":[' * 380,
    "{" + "\n" * 80_000 + "}",
    sample_text(250_000).replace(":", "", 1),
    json.dumps({"pages": [{"id": f"p{number}", "ids": number} for number in range(8000)]}),
)

Send = Callable[[httpx.Client, str], object]


def _check(client: httpx.Client, text: str) -> None:
    client.post("/", data={"rui": text, "do": "check"})


def _fix(client: httpx.Client, text: str) -> None:
    client.post("/playground/fix-all", content=text.encode())


def _validate(client: httpx.Client, text: str) -> None:
    client.post("/api/validate", content=text.encode(), headers=JSON)


def _page(client: httpx.Client, text: str) -> None:
    client.get(f"/specs/{client.headers['x-spec']}?q={text[0]}&open=all&screens=all&json=all")


SENDS: tuple[Send, ...] = (_check, _fix, _validate, _page, _fix)


def _client(url: str, number: int) -> httpx.Client:
    transport = httpx.HTTPTransport(local_address=f"127.0.0.{number + 2}")
    return httpx.Client(base_url=url, transport=transport, timeout=None)


def _be_hostile(url: str, spec_id: str, stop: Event) -> None:
    """Send the worst texts from several addresses until `stop` is set; runs in a process of its own."""

    def work(number: int) -> None:
        with _client(url, number) as client:
            client.headers["x-spec"] = spec_id
            for count in range(1_000_000):
                if stop.is_set():
                    return
                SENDS[number % len(SENDS)](client, TEXTS[count % len(TEXTS)])
                time.sleep(PAUSE)  # these clients share the processors with the service

    threads = [threading.Thread(target=work, args=(number,)) for number in range(CLIENTS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def _times(send: Callable[[], httpx.Response]) -> list[float]:
    """Return the milliseconds of requests one after the other; each has to succeed."""
    times = []
    end = time.perf_counter() + SECONDS
    while time.perf_counter() < end:
        start = time.perf_counter()
        answer = send()
        times.append((time.perf_counter() - start) * 1e3)
        if answer.status_code != 200:
            raise AssertionError(f"{answer.request.url} was answered with {answer.status_code}")
        time.sleep(PAUSE)
    return sorted(times)


def _verdict(name: str, times: list[float], limit: float) -> bool:
    kept = times[-1] <= limit
    middle = times[len(times) // 2]
    print(f"  {name:16}{times[-1]:8.0f} ms  limit {limit:.0f}  {'ok' if kept else 'MISSED'}"
          f"  the slowest of {len(times)}, median {middle:.0f}")  # fmt: skip
    return kept


def main() -> bool:
    """Print how long others wait; return whether all are within the limits."""
    context = multiprocessing.get_context("spawn")
    stop = context.Event()
    print(f"\nOne client while {CLIENTS} hostile ones send the worst texts")
    with tempfile.TemporaryDirectory() as folder, process("--store", f"sqlite:///{folder}/rui.db") as (_, service):
        spec_id = service.store(json.loads(sample_text(250_000)))["specId"]
        hostile = context.Process(target=_be_hostile, args=(service.url, spec_id, stop))
        hostile.start()
        try:
            with _client(service.url, CLIENTS) as client:
                time.sleep(2)
                health = _times(lambda: client.get("/api/health"))
                document = json.dumps(minimal_example())
                checks = _times(lambda: client.post("/playground/check", content=document))
        finally:
            stop.set()
            hostile.terminate()
    kept = _verdict("/api/health", health, MAX_HEALTH)
    return _verdict("a check", checks, MAX_CHECK) and kept
