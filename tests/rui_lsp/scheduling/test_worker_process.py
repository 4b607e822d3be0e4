"""The worker process: it runs long tasks, and its crash does not harm the server."""

import os
import signal
import sys

import pytest
from pygls.exceptions import JsonRpcException

from rui_common import child_process
from rui_lsp.protocol.errors import RequestFailedError
from rui_lsp.scheduling.worker_process import WorkerProcess


@pytest.fixture
def one():
    made = WorkerProcess()
    yield made
    made.stop()


def refuse():
    raise RequestFailedError("no")


def end():
    os._exit(3)


def end_once(path):
    """Kill the calling process the first time."""
    if not path.exists():
        path.write_text("")
        os._exit(3)
    return "done"


def test_it_is_another_process_and_stays(one):
    first = one.run(os.getpid)
    assert first not in {0, os.getpid()}
    assert one.run(os.getpid) == first
    assert one.run(sorted, [3, 1, 2]) == [1, 2, 3]


def test_large_things_go_and_come(one):
    text = "😀x" * 3_000_000
    assert one.run(str, text) == text


def test_refusals_and_faults_come_back(one):
    with pytest.raises(JsonRpcException, match="no") as refused:
        one.run(refuse)
    assert refused.value.code == RequestFailedError.CODE
    with pytest.raises(JsonRpcException, match="modulo by zero"):
        one.run(divmod, 1, 0)
    assert one.run(int, "7") == 7


def test_when_it_dies_it_is_started_again(one, tmp_path):
    first = one.run(os.getpid)
    os.kill(first, signal.SIGKILL)
    assert one.run(os.getpid) not in {first, os.getpid()}
    assert one.run(end_once, tmp_path / "was here") == "done"


def test_what_kills_it_does_not_kill_the_server(one):
    with pytest.raises(JsonRpcException, match="ended"):
        one.run(end)
    assert one.run(int, "7") == 7


def test_where_it_cannot_be_started_work_is_done_here(one, monkeypatch):
    monkeypatch.setattr(child_process, "_COMMAND", (sys.executable, "-c", "raise SystemExit"))
    assert one.run(os.getpid) == os.getpid()
    monkeypatch.undo()
    assert one.run(os.getpid) == os.getpid()
