"""`--workers N`: several processes with one address."""

import json
import os
import shutil
import signal
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event

import httpx
import pytest
from uvicorn.supervisors import Multiprocess

from rui_api.commands.server import Workers, shown_exit
from rui_common.describe import minimal_example
from tests.rui_api.live import PATIENT, ignores_signals, process, wait_until, workers
from tests.rui_api.metrics import numbers
from tests.rui_api.postgres import Postgres
from tests.support.ports import free_port


def started(pid: int) -> set[int]:
    """Return the workers of a service that do not only start."""
    return {*filter(ignores_signals, workers(pid))}


def test_workers(postgres: Postgres, tmp_path: Path) -> None:
    """They share address, store and metrics. A dead one is replaced, and SIGHUP replaces all."""
    port = free_port()
    options = ("--workers", "2", "--metrics-port", str(port), "--store", postgres.new_database())
    logging = ("--log-format", "json", "--log-level", "error")
    with process(*options, *logging, env={**os.environ, "TMPDIR": str(tmp_path)}) as (child, service):
        stored = [
            httpx.post(f"{service.url}/api/specs", json=minimal_example(), timeout=PATIENT).json() for _ in range(20)
        ]
        for saved in stored:
            assert httpx.get(saved["url"], timeout=PATIENT).json() == saved
        assert numbers(port)("rui_requests_total", route="/api/specs", status="201") == 20
        check_killed_workers(child)
        assert httpx.get(f"{service.url}/api/ready", timeout=PATIENT).status_code == 200
        folder = check_a_removed_folder(child, port, tmp_path)
        assert httpx.post(f"{service.url}/api/validate", json=minimal_example(), timeout=PATIENT).status_code == 200
        assert numbers(port)("rui_validations_total", result="valid") == 1
        child.send_signal(signal.SIGINT)
        _, err = child.communicate(timeout=PATIENT)
    assert (child.returncode, err) == (0, "")
    assert not folder.exists()


def check_killed_workers(child: subprocess.Popen[str]) -> None:
    """The log names the signal, as the system does not: it kills processes for lack of memory."""
    wait_until(lambda: len(started(child.pid)) == 2, "both workers run")
    for number in (signal.SIGKILL, signal.SIGSEGV):
        killed = min(workers(child.pid))
        if number == signal.SIGKILL:
            os.kill(killed, signal.SIGSTOP)
            time.sleep(2)  # The supervisor asks it every half second, and waits for its answer.
        os.kill(killed, number)
        wait_until(lambda killed=killed: len(started(child.pid) - {killed}) == 2, "it is replaced")
        line = json.loads(child.stderr.readline())
        assert (line["level"], line["event"]) == (
            "error", f"worker {killed} ended with {number.name} ({-number}) and is replaced"
        )  # fmt: skip


def check_a_removed_folder(child: subprocess.Popen[str], port: int, temporary: Path) -> Path:
    """SIGHUP makes the folder of the metrics again; until then, Prometheus gets 503."""
    (folder,) = temporary.glob("rui-metrics-*")
    kinds = {path.stem.rpartition("_")[0] for path in folder.iterdir()}
    wait_until(
        lambda: all((folder / f"{kind}_{pid}.db").exists() for kind in kinds for pid in workers(child.pid)),
        "both workers have opened their files",
    )
    shutil.rmtree(folder)
    assert httpx.get(f"http://127.0.0.1:{port}/metrics", timeout=PATIENT).status_code == 503
    first = workers(child.pid)
    child.send_signal(signal.SIGHUP)
    wait_until(lambda: len(workers(child.pid)) == 2 and not first & workers(child.pid), "both are replaced")
    return folder


def test_signals_to_all_processes(postgres: Postgres) -> None:
    """A terminal and `systemctl kill` send a signal to the workers, too; a service with workers answers and stops."""
    arguments = ("--workers", "2", "--store", postgres.new_database(), "--log-level", "info")
    with process(*arguments, start_new_session=True, stderr=subprocess.DEVNULL) as (child, service):
        assert service.client.post("/playground/check", content=b"{}").status_code == 200
        # One that still starts has the system's handlers, and is ended and replaced.
        wait_until(lambda: len(started(child.pid)) == 2, "both workers have started")
        first = workers(child.pid)
        for number in (signal.SIGUSR1, signal.SIGUSR2, signal.SIGWINCH, signal.SIGPIPE):
            os.killpg(child.pid, number)
            assert httpx.get(f"{service.url}/api/health", timeout=PATIENT).status_code == 200, number
        assert workers(child.pid) == first, "they were not ended"
        os.killpg(child.pid, signal.SIGHUP)
        wait_until(lambda: len(workers(child.pid)) == 2 and not first & workers(child.pid), "both are replaced")
        for _ in range(3):
            child.send_signal(signal.SIGHUP)  # also while workers are being replaced
            assert httpx.get(f"{service.url}/api/health", timeout=PATIENT).status_code == 200
        child.send_signal(signal.SIGQUIT)
        child.send_signal(signal.SIGHUP)
        assert child.wait(PATIENT) == 0


def test_a_service_that_is_killed(postgres: Postgres) -> None:
    """Its workers end, so that the next service gets the port."""
    options = ("--workers", "2", "--store", postgres.new_database(), "--log-level", "error")
    with process(*options) as (child, service):
        wait_until(lambda: len(started(child.pid)) == 2, "both workers run")
        child.kill()
        _, err = child.communicate(timeout=PATIENT)  # until the last process has closed standard error
        assert err == ""
        with process(*options, "--port", str(service.client.base_url.port)) as (_, again):
            assert again.client.get("/api/ready").status_code == 200


HUP, INT, TERM = signal.SIGHUP, signal.SIGINT, signal.SIGTERM


@pytest.mark.parametrize(("signals", "restarts"), [
    ([HUP], 1), ([HUP, HUP, HUP], 1), ([HUP, HUP, TERM], 0), ([HUP, INT], 0), ([TERM], 0), ([signal.SIGWINCH, HUP], 1),
])  # fmt: skip
def test_the_workers_are_replaced_once_for_signals_that_wait(
    monkeypatch: pytest.MonkeyPatch, signals: list[signal.Signals], restarts: int
) -> None:
    """Each replacement takes seconds, and the service ends after them."""
    supervisor = object.__new__(Workers)
    supervisor.signal_queue = [*signals]
    supervisor.should_exit = Event()
    replaced: list[int] = []
    monkeypatch.setattr(supervisor, "restart_all", lambda: replaced.append(1))
    supervisor.handle_signals()
    assert len(replaced) == restarts
    assert supervisor.should_exit.is_set() == bool({INT, TERM} & {*signals})


@pytest.mark.parametrize(("signals", "asked"), [([], 1), ([HUP], 1), ([TERM], 0), ([HUP, INT], 0)])
def test_no_worker_is_replaced_before_the_end(
    monkeypatch: pytest.MonkeyPatch, signals: list[signal.Signals], asked: int
) -> None:
    """A terminal sends a signal to all processes, and it waits while the workers are replaced after SIGHUP."""
    supervisor = object.__new__(Workers)
    supervisor.signal_queue = [*signals]
    supervisor.processes = []
    looked: list[int] = []
    monkeypatch.setattr(Multiprocess, "keep_subprocess_alive", lambda _: looked.append(1))
    supervisor.keep_subprocess_alive()
    assert len(looked) == asked


@pytest.mark.parametrize(("code", "shown"), [
    (-9, "SIGKILL (-9)"), (-15, "SIGTERM (-15)"), (1, "exit code 1"), (0, "exit code 0"), (-63, "a signal (-63)"),
    (None, "exit code None"),
])  # fmt: skip
def test_exit_codes(code: int | None, shown: str) -> None:
    assert shown_exit(code) == shown


def test_lines_of_several_workers_are_whole(postgres: Postgres) -> None:
    """They share standard error, a pipe that is often full."""
    options = ("--workers", "2", "--store", postgres.new_database(), "--log-level", "info", "--log-format", "json")
    with process(*options) as (child, service), ThreadPoolExecutor(4) as pool:
        lines = pool.submit(lambda: [json.loads(line) for line in child.stderr])
        with httpx.Client(base_url=service.url, timeout=PATIENT) as client:
            paths = [f"/api/nope/{number}/{'x' * 280}" for number in range(200)]
            assert {answer.status_code for answer in pool.map(client.get, paths)} == {404}
        child.terminate()
        assert child.wait(PATIENT) == 0
        found = [line["path"] for line in lines.result() if line["event"] == "request"]
    assert sorted(found) == sorted(path[:300] for path in paths)
