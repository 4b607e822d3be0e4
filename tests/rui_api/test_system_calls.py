"""The service works under the `SystemCallFilter=` of deploy/rui.service."""

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

import httpx
import pytest

from rui_common.describe import minimal_example
from tests.rui_api.live import DEPLOY, PATIENT, PATIENT_SERVE, Service, process, wait_until, workers
from tests.rui_api.metrics import numbers
from tests.rui_api.postgres import Postgres, need
from tests.support.ports import free_port


@cache
def groups() -> dict[str, set[str]]:
    """Return the groups of systemd, such as ``@system-service``, with the names and groups that they have."""
    need("systemd-analyze")
    listed = subprocess.run(["systemd-analyze", "syscall-filter"], capture_output=True, text=True, check=True)
    found: dict[str, set[str]] = {}
    for line in listed.stdout.splitlines():
        if line.startswith("@"):
            name = line
            found[name] = set()
        elif line.startswith("    ") and not line.strip().startswith("#"):
            found[name].add(line.strip())
    return found


def expanded(name: str) -> set[str]:
    """Return the system calls of a group or a name."""
    if not name.startswith("@"):
        return {name}
    return {call for part in groups()[name] for call in expanded(part)}


def allowed(unit: str) -> set[str]:
    """Return the system calls that a unit allows: the first line is a list of these, the others add or remove."""
    calls = expanded("@default")  # systemd adds it to each list
    lines = re.findall(r"^SystemCallFilter=(.*)$", unit, re.MULTILINE)
    assert not lines[0].startswith("~")
    for line in lines:
        named = {call for name in line.removeprefix("~").split() for call in expanded(name)}
        calls = calls - named if line.startswith("~") else calls | named
    if os.geteuid() == 0:
        calls.add("fchown")  # SQLite calls it for root only, and the unit does not run as root
    return calls


@contextmanager
def filtered(*arguments: str, without: str = "", **popen: object) -> Iterator[tuple[subprocess.Popen[str], Service]]:
    """Run `rui serve` under the filter of the unit."""
    calls = allowed((DEPLOY / "rui.service").read_text()) - {without}
    program = ("-m", "tests.rui_api.seccomp", ",".join(sorted(calls)), PATIENT_SERVE)
    with process(*arguments, program=program, **popen) as running:
        yield running


def check_everything(service: Service) -> None:
    """Every sort of request gets its response; the second half of them needs the playground process."""
    document = minimal_example()
    stored = service.store()
    assert service.post("/api/validate", document).json()["valid"] is True
    assert service.post("/api/validate", b"{" * 100_000).status_code == 400, "a large body has a thread"
    for path in (f"/api/specs/{stored['specId']}", f"/specs/{stored['specId']}", "/api/health", "/api/ready", "/docs"):
        assert service.client.get(path).status_code == 200, path
    form = {"rui": '{"version": "0.1"}', "do": "check"}
    assert "MISSING_REQUIRED_PROP" in service.client.post("/", data=form).text
    assert service.client.post("/", data={"rui": "{}", "do": "inspect"}).status_code == 200
    assert service.client.post("/playground/check", content=b"{}").json()["diagnostics"]
    other = service.store(document | {"meta": {"x": 1}})["specId"]
    assert service.client.get(f"/specs/{stored['specId']}/compare/{other}").status_code == 200


def check_stop(child: subprocess.Popen[str], number: signal.Signals) -> None:
    """The service stops as it does without the filter."""
    child.send_signal(number)
    assert child.wait(PATIENT) == 0


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGQUIT])
def test_one_process(tmp_path: Path, number: signal.Signals) -> None:
    """All logs, metrics and the store work, too."""
    port = free_port()
    path = tmp_path / "log"
    options = ("--store", f"sqlite:///{tmp_path}/rui.db", "--metrics-port", str(port), "--log-level", "info")
    with path.open("wb") as log, filtered(*options, stderr=log) as (child, service):
        check_everything(service)
        assert numbers(port)("rui_requests_total", route="/api/specs", status="201") == 2
        child.send_signal(signal.SIGHUP)
        check_everything(service)
        check_stop(child, number)
    assert '"level":"error"' not in path.read_text()


def test_workers(postgres: Postgres) -> None:
    port = free_port()
    options = ("--workers", "2", "--metrics-port", str(port), "--store", postgres.new_database())
    with filtered(*options) as (child, service):
        check_everything(service)
        first = workers(child.pid)
        child.send_signal(signal.SIGHUP)
        wait_until(lambda: len(workers(child.pid)) == 2 and not first & workers(child.pid), "both are replaced")
        check_everything(service)
        os.kill(min(workers(child.pid)), signal.SIGKILL)
        wait_until(lambda: len(workers(child.pid)) == 2, "the dead worker is replaced")
        assert httpx.get(f"{service.url}/api/health", timeout=PATIENT).status_code == 200
        check_stop(child, signal.SIGTERM)


def test_the_filter_is_in_force(tmp_path: Path) -> None:
    """Without the call by which the playground process lowers its priority, it is killed; others end their caller."""
    with filtered("--store", f"sqlite:///{tmp_path}/rui.db", without="setpriority") as (_, service):
        assert service.client.post("/playground/check", content=b"{}").status_code == 503
    unit = (DEPLOY / "rui.service").read_text()
    calls = ",".join(sorted(allowed(unit)))
    for statement in ("os.nice(0)", "os.sched_setaffinity(0, {0})", "os.chroot('/')", "os.setuid(0)", "os.umask(0)"):
        module = tmp_path / "statement.py"
        module.write_text(f"import os; {statement}")
        command = [sys.executable, "-m", "tests.rui_api.seccomp", calls, "statement"]
        environment = {**os.environ, "PYTHONPATH": f"{tmp_path}:{Path.cwd()}"}
        done = subprocess.run(command, env=environment, capture_output=True, check=False)
        is_allowed = statement in ("os.nice(0)", "os.umask(0)")
        assert done.returncode == (0 if is_allowed else -signal.SIGSYS), statement
