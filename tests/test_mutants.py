"""`python -m tests.mutants`: faults are made in a copy, and nothing of a run remains."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.mutants import ROOT

PATIENCE = 60.0
"""Seconds after which a test gives up; nothing is measured by it."""


def sessions_of(pid: int) -> list[int]:
    """Return the child processes that lead a session."""
    command = ["ps", "-o", "pid=,sid=", "--ppid", str(pid)]
    listed = subprocess.run(command, capture_output=True, text=True, check=False).stdout
    return [int(line.split()[0]) for line in listed.splitlines() if len({*line.split()}) == 1]


def is_running(group: int) -> bool:
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True


@pytest.mark.parametrize("signum", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_the_tests_and_removes_the_copy(tmp_path: Path, signum: signal.Signals) -> None:
    source = ROOT / "rui_api" / "store" / "sqlite.py"
    before = source.read_bytes()
    command = [sys.executable, "-m", "tests.mutants", "--sample", "1", "store/sqlite.py"]
    with subprocess.Popen(command, cwd=ROOT, env={**os.environ, "TMPDIR": str(tmp_path)}) as runner:
        deadline = time.monotonic() + PATIENCE
        groups: list[int] = []
        while not groups:
            assert time.monotonic() < deadline and runner.poll() is None, "no tests were started"
            groups = sessions_of(runner.pid)
        runner.send_signal(signum)
        assert runner.wait(PATIENCE) == 128 + signum
    while any(map(is_running, groups)):  # until the system has collected the killed processes
        assert time.monotonic() < deadline, f"processes of the groups {groups} still run"
    assert [*tmp_path.iterdir()] == []
    assert source.read_bytes() == before


def test_tests_that_fail_without_a_mutant_find_none() -> None:
    run = "from tests.mutants import *; TESTS['tests/mutants.py'] = ('tests/missing.py',); main(['tests/mutants.py'])"
    done = subprocess.run([sys.executable, "-c", run], cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "without a mutant, pytest exits with 4: tests/missing.py\n"
