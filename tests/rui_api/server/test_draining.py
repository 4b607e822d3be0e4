"""`--drain-seconds`: after SIGTERM the readiness fails at once, and requests are answered until the time is over."""

import json
import os
import signal
import subprocess
import time
from pathlib import Path

import httpx
import pytest

from rui_common.describe import minimal_example
from tests.rui_api.live import Service, process
from tests.rui_api.load import wait_until
from tests.rui_api.postgres import Postgres

READY = ("/api/ready", "/api/ready/validation")
FOREVER = "600"


def statuses(service: Service) -> set[int]:
    return {service.client.get(path).status_code for path in READY}


def check_draining(service: Service) -> None:
    """Both probes fail, and everything else works, over new connections, too."""
    wait_until(lambda: statuses(service) == {503}, "the probes fail")
    for path in READY:
        answer = service.client.get(path)
        assert answer.json()["error"] == "OVERLOADED"
        assert answer.headers["retry-after"]
    assert service.client.get("/api/health").status_code == 200
    for _ in range(5):
        assert httpx.post(f"{service.url}/api/validate", json=minimal_example()).json()["valid"] is True
    saved = service.store()
    assert service.client.get(saved["url"]).json() == saved


def end(child: subprocess.Popen[str]) -> list[str]:
    """Wait for the end; return the events of the log."""
    _, err = child.communicate(timeout=30)
    assert child.returncode == 0
    return [json.loads(line)["event"] for line in err.splitlines()]


@pytest.mark.parametrize("second", [signal.SIGTERM, signal.SIGINT])
def test_a_second_signal_stops_at_once(tmp_path: Path, second: signal.Signals) -> None:
    with process("--store", f"sqlite:///{tmp_path}/rui.db", "--drain-seconds", FOREVER) as (child, service):
        assert statuses(service) == {200}
        child.send_signal(signal.SIGTERM)
        check_draining(service)
        child.send_signal(second)
        assert end(child) == []


def test_it_stops_when_the_time_is_over(tmp_path: Path) -> None:
    with process("--store", f"sqlite:///{tmp_path}/rui.db", "--drain-seconds", "1") as (child, service):
        begun = time.monotonic()
        child.send_signal(signal.SIGTERM)
        wait_until(lambda: service.client.get("/api/ready").status_code == 503, "the probe fails")
        end(child)
        assert time.monotonic() - begun >= 1


def test_an_interrupt_does_not_wait(tmp_path: Path) -> None:
    """Somebody at a terminal presses Ctrl-C."""
    with process("--store", f"sqlite:///{tmp_path}/rui.db", "--drain-seconds", FOREVER) as (child, _):
        child.send_signal(signal.SIGINT)
        end(child)


def test_workers_drain_together(postgres: Postgres) -> None:
    arguments = ("--workers", "2", "--store", postgres.new_database(), "--drain-seconds", FOREVER)
    with process(*arguments) as (child, service):
        assert statuses(service) == {200}
        child.send_signal(signal.SIGTERM)
        wait_until(
            lambda: all(httpx.get(f"{service.url}/api/ready").status_code == 503 for _ in range(10)), "both fail"
        )
        check_draining(service)
        child.send_signal(signal.SIGTERM)
        assert end(child) == []


def test_validation_is_ready_without_a_store(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    with process("--store", f"sqlite:///{tmp_path}/folder") as (_, service):
        assert service.client.get("/api/ready").status_code == 503
        answer = service.client.get("/api/ready/validation")
        assert (answer.status_code, answer.json()) == (200, {"status": "ready"})
        assert service.client.head("/api/ready/validation").status_code == 200


@pytest.mark.parametrize("path", [*READY, "/api/health"])
def test_probes_are_for_any_host(tmp_path: Path, path: str) -> None:
    """A platform asks by the address of the container; every other path needs a known host."""
    with process("--store", f"sqlite:///{tmp_path}/rui.db", "--allow-hosts", "rui.example.org") as (_, service):
        for host in ("10.244.1.7:8000", "rui.example.org", "evil.example"):
            assert httpx.get(f"{service.url}{path}", headers={"Host": host}).status_code == 200
        for other in (f"{path}/", f"{path}?x=1"):
            answer = httpx.get(f"{service.url}{other}", headers={"Host": "evil.example"})
            assert answer.status_code == (200 if "?" in other else 400)
        assert httpx.get(f"{service.url}/api/docs", headers={"Host": "10.244.1.7:8000"}).status_code == 400


def test_variables_that_are_not_used_are_a_warning(tmp_path: Path) -> None:
    links = {"RUI_SERVICE_HOST": "10.0.0.1", "RUI_PORT": "tcp://10.0.0.1:80", "RUI_PROT": "1"}
    arguments = ("--store", f"sqlite:///{tmp_path}/rui.db")
    with process(*arguments, env={**os.environ, **links}) as (child, service):
        assert service.client.get("/api/health").status_code == 200
        child.send_signal(signal.SIGTERM)
        events = end(child)
    assert [event.partition(":")[0] for event in events] == [
        "not used, as Kubernetes sets them for a Service",
        "not used",
    ]
    assert "RUI_PROT" in events[1]
