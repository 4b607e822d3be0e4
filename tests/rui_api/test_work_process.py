"""The playground process: its limits, its turns, its end and its next start."""

import asyncio
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path
from typing import NamedTuple

import pytest

from rui_api import work_process
from rui_api.contract.errors import BAD_REQUEST, OVERLOADED
from rui_api.http.errors import ServiceError
from rui_api.playground.answers import answer_editor
from rui_api.work_process import WorkProcess
from rui_common import task_process

PATIENT = 180.0
CHECK = partial(answer_editor, "check", "{}", (0, 0), (0, 0))


@pytest.fixture(autouse=True)
def _patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Give tasks and the start time on a busy machine. Tests of the limits set them."""
    monkeypatch.setattr(work_process, "MAX_SECONDS", PATIENT)
    monkeypatch.setattr(task_process, "MAX_START_SECONDS", PATIENT)


class Wait(NamedTuple):
    """A task that makes `begun`, and ends when that file is gone."""

    begun: Path

    def __call__(self) -> bytes:
        self.begun.touch()
        while self.begun.exists():
            time.sleep(0.01)
        return b"done"


class Touch(NamedTuple):
    """A value that makes a file when it is read, as a module of a task is imported."""

    path: Path

    def __reduce__(self) -> tuple[object, ...]:
        return Path.touch, (self.path,)


def end() -> bytes:
    os._exit(1)


def hang(_: object) -> None:
    time.sleep(PATIENT)


def fail() -> bytes:
    raise KeyError("reason")


def with_worker(scenario: Callable[[WorkProcess], Awaitable[None]]) -> None:
    async def main() -> None:
        worker = WorkProcess("test")
        try:
            await scenario(worker)
        finally:
            worker.close()

    asyncio.run(main())


async def check_works(worker: WorkProcess) -> None:
    assert json.loads(await worker.run(CHECK, ""))["errors"] > 0


async def wait_until(true: Callable[[], bool]) -> None:
    async with asyncio.timeout(PATIENT):
        while not true():
            await asyncio.sleep(0.01)


async def wait_until_ended(pid: int) -> None:
    with pytest.raises(ProcessLookupError):
        await wait_until(lambda: os.kill(pid, 0) is not None)


def test_the_time_of_a_task_does_not_begin_before_its_modules_are_imported(tmp_path: Path) -> None:
    """On a busy machine, their import takes longer than a task may."""

    async def scenario(worker: WorkProcess) -> None:
        with pytest.raises(TimeoutError):
            await worker.process.run(partial(hang, Touch(tmp_path / "imported")), 0)
        assert (tmp_path / "imported").exists()

    with_worker(scenario)


def test_it_starts_again_after_its_end() -> None:
    async def scenario(worker: WorkProcess) -> None:
        await check_works(worker)
        os.kill(worker.process.pid, signal.SIGKILL)
        await wait_until_ended(worker.process.pid)
        await check_works(worker)
        with pytest.raises(ServiceError, match=OVERLOADED.code):
            await worker.run(end, "")
        await check_works(worker)
        with pytest.raises(KeyError, match="reason"):
            await worker.run(fail, "")
        await check_works(worker)

    with_worker(scenario)


def test_a_task_that_takes_too_long_is_ended(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    async def scenario(worker: WorkProcess) -> None:
        await check_works(worker)
        pid = worker.process.pid
        monkeypatch.setattr(work_process, "MAX_SECONDS", 0.2)
        with pytest.raises(ServiceError, match=BAD_REQUEST.code):
            await worker.run(Wait(tmp_path / "begun"), "")
        await wait_until_ended(pid)
        monkeypatch.setattr(work_process, "MAX_SECONDS", PATIENT)
        await check_works(worker)

    with_worker(scenario)


def test_it_ends_when_the_service_is_killed() -> None:
    code = """if True:
        import asyncio
        from functools import partial
        from rui_common.task_process import TaskProcess

        async def run():
            process = TaskProcess()
            await process.run(partial(bool), 180)
            print(process.pid, flush=True)
            await asyncio.sleep(3600)

        if __name__ == "__main__":
            asyncio.run(run())
    """
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
    with subprocess.Popen([sys.executable, "-c", code], text=True, **pipes) as service:
        assert service.stdout is not None
        pid = int(service.stdout.readline())
        assert Path(f"/proc/{pid}/exe").exists()
        service.kill()
    asyncio.run(wait_until(lambda: not Path(f"/proc/{pid}/exe").exists()))


def test_it_ends_when_it_is_idle_and_when_the_service_ends(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    async def scenario(worker: WorkProcess) -> None:
        monkeypatch.setattr(task_process, "IDLE_SECONDS", 0.05)
        await check_works(worker)
        idle = worker.process.pid
        await wait_until_ended(idle)
        monkeypatch.setattr(task_process, "IDLE_SECONDS", PATIENT)
        waiting = asyncio.create_task(worker.run(Wait(tmp_path / "begun"), ""))
        await wait_until((tmp_path / "begun").exists)
        pid = worker.process.pid
        assert pid != idle
        next_one = asyncio.create_task(worker.run(partial(Path.touch, tmp_path / "next"), ""))
        await asyncio.sleep(0)
        work = worker._work
        worker.close()
        await wait_until_ended(pid)
        with pytest.raises(asyncio.CancelledError):
            await waiting
        await asyncio.wait([work])
        next_one.cancel()
        assert not (tmp_path / "next").exists()

    with_worker(scenario)


def test_waiting_tasks_are_limited_and_leave_the_queue(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(work_process, "MAX_WAITING", 2)
    monkeypatch.setattr(work_process, "MAX_WAITING_OF_CLIENT", 1)

    async def scenario(worker: WorkProcess) -> None:
        running = asyncio.create_task(worker.run(Wait(tmp_path / "begun"), "a"))
        await wait_until((tmp_path / "begun").exists)
        dropped, kept = (asyncio.create_task(worker.run(CHECK, client)) for client in "bc")
        await asyncio.sleep(0)
        for client in "bd":
            with pytest.raises(ServiceError, match=OVERLOADED.code):
                await worker.run(CHECK, client)
        dropped.cancel()
        running.cancel()  # it runs on, and its answer goes nowhere
        (tmp_path / "begun").unlink()
        results = await asyncio.gather(running, dropped, kept, return_exceptions=True)
        assert [type(result) for result in results] == [asyncio.CancelledError, asyncio.CancelledError, bytes]

    with_worker(scenario)


def test_a_process_that_cannot_be_started(monkeypatch: pytest.MonkeyPatch) -> None:
    async def scenario(worker: WorkProcess) -> None:
        monkeypatch.setattr(task_process, "MAX_START_SECONDS", 0)
        with pytest.raises(ServiceError, match=OVERLOADED.code):
            await worker.run(CHECK, "")

    with_worker(scenario)


@pytest.mark.parametrize(("clients", "order"), [
    ("aab", "aba"), ("aaabbbc", "abcabab"), ("abab", "abab"), ("aaaa", "aaaa"),
])  # fmt: skip
def test_the_client_that_used_least_time_is_next(monkeypatch: pytest.MonkeyPatch, clients: str, order: str) -> None:
    served = []

    async def main() -> None:
        worker = WorkProcess("test")

        async def run(request: work_process._Request) -> bytes:
            served.append(request.client)
            worker._used[request.client] += 1
            return b""

        monkeypatch.setattr(worker, "_run", run)
        await asyncio.gather(*(worker.run(CHECK, client) for client in clients))
        assert not worker._used, "without waiting tasks, use is forgotten"

    asyncio.run(main())
    assert "".join(served) == order
