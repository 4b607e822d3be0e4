"""How long a request waits for a store: while it gets something done, and not much longer."""

import asyncio
from collections.abc import Callable

import pytest

from rui_api.store import queue as waiting
from rui_api.store.base import StorageUnavailable
from rui_api.store.outage_log import Trouble
from rui_api.store.queue import LONGEST, PATIENCE, Line

STEP = 0.125
"""Seconds from one look to the next, as a clock of the tests says; a number that floats hold exactly."""
ENDED = 2.5


def seconds_until_given_up(handle: Callable[[Line[str, None], float], object], clock: list[float]) -> float:
    """How long a request waits that nobody handles; `handle` is what the store does before each look."""

    async def scenario() -> float:
        line: Line[str, None] = Line(lambda _: None, Trouble(), "write")
        told: list[Exception | None] = []
        line.begin("asked", 0, lambda _, fault: told.append(fault))
        await asyncio.sleep(0)
        begun = clock[0]
        while not told:
            clock[0] += STEP
            handle(line, clock[0] - begun)
            await asyncio.sleep(0)
        assert isinstance(told[0], StorageUnavailable)
        assert (line.stats.done, line.stats.failed) == (0, 1)
        return clock[0] - begun

    return asyncio.run(scenario())


@pytest.mark.parametrize(("handle", "seconds"), [
    (lambda line, now: None, PATIENCE),
    (lambda line, now: line.handled([], done=False), PATIENCE),
    (lambda line, now: line.handled([], done=True), LONGEST),
    (lambda line, now: line.handled([], done=now <= ENDED), ENDED + PATIENCE),
], ids=["nothing is done", "all that is done fails", "much is done", "nothing is done any more"])  # fmt: skip
def test_patience_with_a_store(handle, seconds: float, monkeypatch) -> None:
    clock = [100.0]
    monkeypatch.setattr(waiting, "perf_counter", lambda: clock[0])
    monkeypatch.setattr(waiting, "WATCH_INTERVAL", 0)
    assert seconds_until_given_up(handle, clock) == seconds


def test_nobody_else_suffers_from_who_cannot_be_told(caplog) -> None:
    async def scenario() -> None:
        jobs: list[waiting.Job[str, int]] = []
        line: Line[str, int] = Line(jobs.append, Trouble(), "read")
        told: list[int | None] = []
        line.begin("one", 0, lambda result, _: told.append(result // 0))
        line.begin("two", 0, lambda result, _: told.append(result))
        line.settle(jobs, [1, 2], None)
        assert told == [2]

    asyncio.run(scenario())
    assert "ZeroDivisionError" in caplog.text


def test_time_in_which_the_process_was_kept_from_running_does_not_count(monkeypatch) -> None:
    """The store did as little then as everything else."""
    clock = [100.0]
    monkeypatch.setattr(waiting, "perf_counter", lambda: clock[0])
    monkeypatch.setattr(waiting, "WATCH_INTERVAL", 0)

    async def scenario() -> None:
        jobs: list[waiting.Job[str, int]] = []
        line: Line[str, int] = Line(jobs.append, Trouble(), "write")
        told: list[object] = []
        line.begin("asked", 0, lambda *outcome: told.append(outcome))
        for _ in range(3):
            clock[0] += 2 * LONGEST
            await asyncio.sleep(0)
        line.settle(jobs, [1], None)
        assert told == [(1, None)]

    asyncio.run(scenario())
