"""`--workers N`: several processes with one address."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from rui_common.describe import minimal_example
from tests.rui_api.live import process
from tests.rui_api.observability.test_logs_and_metrics import Numbers
from tests.rui_api.postgres import Postgres, postgres_server, require

WORKERS = 3


@pytest.fixture(scope="module")
def postgres() -> Iterator[Postgres]:
    require()
    with postgres_server() as server:
        yield server


def children(pid: int) -> list[int]:
    """Return the workers of a service, without the resource tracker of multiprocessing."""
    listed = subprocess.run(
        ["ps", "-ww", "-o", "pid=,args=", "--ppid", str(pid)], capture_output=True, text=True, check=False
    )
    return [int(line.split()[0]) for line in listed.stdout.splitlines() if "spawn_main" in line]


def until(condition, what: str) -> None:
    deadline = time.monotonic() + 30
    while not condition():
        assert time.monotonic() < deadline, what
        time.sleep(0.05)


def numbers(url: str) -> Numbers:
    return Numbers(httpx.get(f"{url}/metrics", timeout=20).text)


def test_workers_share_address_store_and_metrics(postgres: Postgres) -> None:
    arguments = ("--workers", str(WORKERS), "--store", postgres.new_database())
    with process(*arguments) as (child, service):
        assert len(children(child.pid)) == WORKERS
        stored = [httpx.post(f"{service.url}/api/specs", json=minimal_example()).json() for _ in range(30)]
        for saved in stored:
            assert httpx.get(saved["url"]).json() == saved
        found = numbers(service.url)
        assert found("rui_requests_total", route="/api/specs", status="201") == 30
        workers = {sample.labels["worker"] for family in found.families for sample in family.samples}
        assert workers == {"0", "1", "2"}
        child.send_signal(signal.SIGTERM)
        out, err = child.communicate(timeout=30)
        assert (child.returncode, out, err) == (0, "", "")


def test_a_worker_that_dies_is_replaced(postgres: Postgres) -> None:
    with process("--workers", "2", "--store", postgres.new_database()) as (child, service):
        before = children(child.pid)
        os.kill(before[0], signal.SIGKILL)
        until(lambda: len({*children(child.pid)} - {*before}) == 1, "the dead worker is not replaced")
        until(lambda: len({sample.labels.get("worker") for family in numbers(service.url).families
                           for sample in family.samples}) == 2, "the new worker does not report numbers")  # fmt: skip
        child.send_signal(signal.SIGINT)
        _, err = child.communicate(timeout=30)
        assert child.returncode == 0
    assert [json.loads(line)["event"] for line in err.splitlines()] == ["worker 0 ended with code -9 and is replaced"]


def test_a_hangup_replaces_all_and_nobody_notices(postgres: Postgres) -> None:
    with process("--workers", "2", "--store", postgres.new_database()) as (child, service):
        before = {*children(child.pid)}
        child.send_signal(signal.SIGHUP)
        responses = 0
        while before & {*children(child.pid)}:
            assert httpx.post(f"{service.url}/api/validate", json=minimal_example()).status_code == 200
            responses += 1
        assert responses > 0
        assert len(children(child.pid)) == 2
        child.terminate()
        assert child.wait(30) == 0


def test_workers_do_not_outlive_who_looks_after_them(postgres: Postgres) -> None:
    with process("--workers", "2", "--store", postgres.new_database()) as (child, _):
        workers = children(child.pid)
        child.kill()
        child.wait(10)
        until(lambda: not any(Path(f"/proc/{pid}").exists() for pid in workers), "workers go on alone")


def test_stopped_from_the_keyboard_before_they_serve(postgres: Postgres) -> None:
    """A terminal sends SIGINT to all of its processes, also to workers that still import modules."""
    command = [
        sys.executable,
        "-m",
        "rui_api.commands.serve",
        "--port=0",
        "--workers=2",
        f"--store={postgres.new_database()}",
    ]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    ) as child:
        until(lambda: children(child.pid), "no worker is started")
        time.sleep(0.1)  # Wait until Python runs in it.
        os.killpg(child.pid, signal.SIGINT)
        assert (*child.communicate(timeout=30), child.returncode) == ("", "", 0)
