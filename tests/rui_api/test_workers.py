"""`--workers N`: several processes with one address."""

import os
import signal
import subprocess

import httpx

from rui_common.describe import minimal_example
from tests.rui_api.live import process, wait_until
from tests.rui_api.observability.test_logs_and_metrics import free_port, numbers
from tests.rui_api.postgres import Postgres


def workers(pid: int) -> set[int]:
    """Return the processes of the workers, without the resource tracker of multiprocessing."""
    listed = subprocess.run(
        ["ps", "-ww", "-o", "pid=,args=", "--ppid", str(pid)], capture_output=True, text=True, check=False
    )
    return {int(line.split()[0]) for line in listed.stdout.splitlines() if "spawn_main" in line}


def test_workers(postgres: Postgres) -> None:
    """They share address, store and metrics. A dead one is replaced, and SIGHUP replaces all."""
    port = free_port()
    arguments = ("--workers", "2", "--metrics-port", str(port), "--store", postgres.new_database())
    with process(*arguments) as (child, service):
        stored = [httpx.post(f"{service.url}/api/specs", json=minimal_example(), timeout=60).json() for _ in range(20)]
        for saved in stored:
            assert httpx.get(saved["url"]).json() == saved
        assert numbers(port)("rui_requests_total", route="/api/specs", status="201") == 20
        first = workers(child.pid)
        assert len(first) == 2
        os.kill(min(first), signal.SIGKILL)
        wait_until(lambda: len(workers(child.pid) - first) == 1, "the dead worker is replaced")
        assert httpx.get(f"{service.url}/api/health", timeout=60).status_code == 200
        second = workers(child.pid)
        child.send_signal(signal.SIGHUP)
        wait_until(lambda: not second & workers(child.pid), "all workers are replaced")
        assert httpx.post(f"{service.url}/api/validate", json=minimal_example(), timeout=60).status_code == 200
        child.send_signal(signal.SIGINT)
        assert child.wait(60) == 0


def test_signals_to_all_processes(postgres: Postgres) -> None:
    """A terminal and `systemctl kill` send a signal to the workers, too; a service with workers answers and stops."""
    arguments = ("--workers", "2", "--store", postgres.new_database(), "--log-level", "info")
    with process(*arguments, start_new_session=True, stderr=subprocess.DEVNULL) as (child, service):
        assert service.client.post("/playground/check", content=b"{}").status_code == 200
        first = workers(child.pid)
        for number in (signal.SIGUSR1, signal.SIGUSR2, signal.SIGWINCH, signal.SIGPIPE):
            os.killpg(child.pid, number)
            assert httpx.get(f"{service.url}/api/health", timeout=60).status_code == 200, number
        assert workers(child.pid) == first, "they were not ended"
        os.killpg(child.pid, signal.SIGHUP)
        wait_until(lambda: len(workers(child.pid)) == 2 and not first & workers(child.pid), "both are replaced")
        for _ in range(3):
            child.send_signal(signal.SIGHUP)  # also while workers are being replaced
            assert httpx.get(f"{service.url}/api/health", timeout=60).status_code == 200
        child.send_signal(signal.SIGQUIT)
        child.send_signal(signal.SIGHUP)
        assert child.wait(60) == 0
