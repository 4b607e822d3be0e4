"""How long a request waits for a store: while it gets something done, and not much longer."""

import asyncio
import time
from collections.abc import Callable

import pytest

from rui_api.store import waiting
from rui_api.store.protocol import StorageUnavailable
from rui_api.store.trouble import Trouble
from rui_api.store.waiting import MOST_LOOKS, PATIENT_LOOKS, Line

ENDED = 20


def looks_until_given_up(handle: Callable[[Line[str, None], int], object]) -> int:
    """So often was looked for a request that nobody handles; `handle` is what the store does after each look."""

    async def scenario() -> int:
        line: Line[str, None] = Line(lambda _: None, Trouble(), "write")
        told: list[Exception | None] = []
        line.begin("asked", 0, lambda _, fault: told.append(fault))
        (watch,) = line._watches.values()
        while not told:
            handle(line, watch._looks)
            await asyncio.sleep(0)
        assert isinstance(told[0], StorageUnavailable)
        assert (line.stats.done, line.stats.failed) == (0, 1)
        return watch._looks

    return asyncio.run(scenario())


@pytest.mark.parametrize(("handle", "looks"), [
    (lambda line, look: None, PATIENT_LOOKS),
    (lambda line, look: line.handled([], done=False), PATIENT_LOOKS),
    (lambda line, look: line.handled([], done=True), MOST_LOOKS),
    (lambda line, look: line.handled([], done=look < ENDED), ENDED + PATIENT_LOOKS),
], ids=["nothing is done", "all that is done fails", "much is done", "nothing is done any more"])  # fmt: skip
def test_patience_with_a_store(handle, looks: int, monkeypatch) -> None:
    monkeypatch.setattr(waiting, "WATCH_INTERVAL", 0)
    assert looks_until_given_up(handle) == looks


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
    monkeypatch.setattr(waiting, "WATCH_INTERVAL", waiting.WATCH_INTERVAL / 1000)

    async def scenario() -> None:
        jobs: list[waiting.Job[str, int]] = []
        line: Line[str, int] = Line(jobs.append, Trouble(), "write")
        told: list[object] = []
        line.begin("asked", 0, lambda *outcome: told.append(outcome))
        await asyncio.sleep(0)
        time.sleep(MOST_LOOKS * waiting.WATCH_INTERVAL * 2)
        await asyncio.sleep(0)
        line.settle(jobs, [1], None)
        assert told == [(1, None)]

    asyncio.run(scenario())
