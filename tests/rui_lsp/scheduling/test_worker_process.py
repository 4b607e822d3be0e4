"""The worker process: it runs long tasks, and its crash does not harm the server."""

import os
import signal
import time

import pytest
from pygls.exceptions import JsonRpcException

from rui_lsp.protocol.errors import RequestFailedError
from rui_lsp.scheduling import worker_process
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


def test_when_it_dies_it_is_started_again(one):
    first = one.run(os.getpid)
    os.kill(first, signal.SIGKILL)
    one._process.join(20)
    assert one.run(os.getpid) not in {first, os.getpid()}


def test_what_kills_it_does_not_kill_the_server(one):
    with pytest.raises(JsonRpcException, match="ended"):
        one.run(end)
    assert one.run(int, "7") == 7


def test_what_takes_too_long_is_ended(one, monkeypatch):
    first = one.run(os.getpid)
    monkeypatch.setattr(worker_process, "MAX_SECONDS", 0.2)
    with pytest.raises(JsonRpcException, match="ended"):
        one.run(time.sleep, 60)
    monkeypatch.undo()
    assert one.run(os.getpid) not in {first, os.getpid()}


def test_it_leaves_the_channel_of_the_protocol_alone(one, capfd):
    one.run(print, "to standard error", True)
    out, err = capfd.readouterr()
    assert (out, err) == ("", "to standard error True\n")


def test_the_working_directory_is_not_searched_for_modules(one, tmp_path, monkeypatch):
    (tmp_path / "pickle.py").write_text("raise SystemExit")
    monkeypatch.chdir(tmp_path)
    assert one.run(int, "7") == 7
