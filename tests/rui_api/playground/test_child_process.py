"""The child process of the playground."""

import os
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from rui_api.playground import child_process
from rui_api.playground.child_process import ChildEndedError, ChildKilledError, ChildProcess, ChildStartError


def own_pid(message: bytes) -> bytes:
    return str(os.getpid()).encode() + message


def upper(message: bytes) -> bytes:
    print("to standard error")
    return message.upper()


def end(message: bytes) -> bytes:
    os._exit(len(message))


def sleep(message: bytes) -> bytes:
    time.sleep(float(message))
    return message


@pytest.fixture
def child(request: pytest.FixtureRequest) -> Iterator[ChildProcess]:
    made = ChildProcess(__name__, request.param)
    yield made
    made.kill()


@pytest.mark.parametrize("child", ["upper"], indirect=True)
@pytest.mark.parametrize("message", [b"", b"x", b"y" * 3_000_000])
def test_messages_of_any_length(child: ChildProcess, message: bytes) -> None:
    assert child.exchange(message) == message.upper()


@pytest.mark.parametrize("child", ["own_pid"], indirect=True)
def test_threads_share_one_process(child: ChildProcess) -> None:
    answers: list[bytes] = []
    threads = [threading.Thread(target=lambda: answers.append(child.exchange(b""))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(answers) == 8
    assert len(set(answers)) == 1
    assert answers[0] != own_pid(b"")


@pytest.mark.parametrize("child", ["own_pid"], indirect=True)
def test_modules_of_the_working_directory_are_not_imported(
    child: ChildProcess, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "struct.py").write_text("raise SystemExit")
    monkeypatch.chdir(tmp_path)
    assert child.exchange(b"") != own_pid(b"")


def test_it_ends_when_it_is_idle() -> None:
    child = ChildProcess(__name__, "own_pid", idle_timeout=0.05)
    first = child.exchange(b"")
    assert child._process is not None
    assert child._process.wait(30) == 0
    assert child.exchange(b"") != first
    child.kill()


@pytest.mark.parametrize("child", ["end"], indirect=True)
def test_a_message_that_ends_it(child: ChildProcess) -> None:
    with pytest.raises(ChildEndedError):
        child.exchange(b"")


@pytest.mark.parametrize("child", ["sleep"], indirect=True)
def test_a_kill_does_not_wait_for_the_answer(child: ChildProcess) -> None:
    child.exchange(b"0")
    failures: list[Exception] = []

    def exchange() -> None:
        try:
            child.exchange(b"3600")
        except ChildKilledError as error:
            failures.append(error)

    threads = [threading.Thread(target=exchange) for _ in range(2)]
    for thread in threads:
        thread.start()
    while not child._lock.locked():
        time.sleep(0.001)
    time.sleep(0.05)  # The second thread waits for the lock.
    child.kill()
    for thread in threads:
        thread.join(30)
    assert len(failures) == 2
    assert child.exchange(b"0") == b"0"


@pytest.mark.parametrize("command", ["/nowhere", "/bin/false"])
def test_a_process_that_cannot_be_started(command: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(child_process, "_COMMAND", (command,))
    with pytest.raises(ChildStartError):
        ChildProcess(__name__, "upper").exchange(b"")


@pytest.mark.parametrize("function", ["absent", "upper.absent"])
def test_a_function_that_does_not_exist(function: str) -> None:
    with pytest.raises(ChildStartError):
        ChildProcess(__name__, function).exchange(b"")
