"""Waiting time of a request for a store: `STALL_TIMEOUT` without progress, `MAX_WAIT` with it."""

import asyncio
from collections.abc import Callable

import pytest

from rui_api.store import queue as queue_module
from rui_api.store.base import StorageUnavailable
from rui_api.store.outage_log import OutageLog
from rui_api.store.queue import MAX_WAIT, STALL_TIMEOUT, PendingRequest, RequestQueue

STEP = 0.125
"""Seconds between two checks by the clock of the tests; an exact float."""
ENDED = 2.5


@pytest.fixture
def clock(monkeypatch) -> list[float]:
    """A clock that the test moves, and a check for timeouts in every iteration of the event loop."""
    times = [100.0]
    monkeypatch.setattr(queue_module, "perf_counter", lambda: times[0])
    monkeypatch.setattr(queue_module, "CHECK_INTERVAL", 0)
    return times


def seconds_until_timeout(handle: Callable[[RequestQueue[str, None], float], object], clock: list[float]) -> float:
    """Return the waiting time of a request that no worker handles; `handle` runs as the store before each check."""

    async def scenario() -> float:
        queue: RequestQueue[str, None] = RequestQueue(lambda _: None, OutageLog(), "write")
        task = asyncio.create_task(queue.submit("item"))
        await asyncio.sleep(0)
        begun = clock[0]
        while not queue.stats.failed:
            clock[0] += STEP
            now = clock[0]
            handle(queue, now - begun)
            await asyncio.sleep(0)
            await asyncio.sleep(0)
            ended = now - begun
        with pytest.raises(StorageUnavailable):
            await task
        assert (queue.stats.done, queue.stats.failed) == (0, 1)
        return ended

    return asyncio.run(scenario())


@pytest.mark.parametrize(("handle", "seconds"), [
    (lambda queue, now: None, STALL_TIMEOUT),
    (lambda queue, now: queue.count_batch([], is_progress=False), STALL_TIMEOUT),
    (lambda queue, now: queue.count_batch([], is_progress=True), MAX_WAIT),
    (lambda queue, now: queue.count_batch([], is_progress=now <= ENDED), ENDED + STALL_TIMEOUT),
], ids=["nothing is done", "all that is done fails", "much is done", "nothing is done any more"])  # fmt: skip
def test_timeouts(handle, seconds: float, clock: list[float]) -> None:
    assert seconds_until_timeout(handle, clock) == seconds


def test_time_in_which_the_process_did_not_run_does_not_count(clock: list[float]) -> None:
    """A suspended process also suspends its store."""

    async def scenario() -> None:
        requests: list[PendingRequest[str, int]] = []
        queue: RequestQueue[str, int] = RequestQueue(requests.append, OutageLog(), "write")
        task = asyncio.create_task(queue.submit("item"))
        for _ in range(4):
            await asyncio.sleep(0)
            clock[0] += 2 * MAX_WAIT
        queue.finish(requests, {requests[0]: 1}, None)
        assert await task == 1

    asyncio.run(scenario())
