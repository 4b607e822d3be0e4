"""The file of a Unix socket: several processes use one path, one after the other."""

from __future__ import annotations

import multiprocessing
import os
import socket
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import httpx
import pytest

from rui_api.commands.listening import AddressError, listening
from rui_api.config.loading import SettingsError
from rui_api.config.options import Settings
from tests.rui_api.live import PATIENT, at_socket, wait_until
from tests.rui_api.postgres import Postgres

if TYPE_CHECKING:
    from multiprocessing.queues import Queue
    from multiprocessing.synchronize import Barrier, Event


def bound(path: Path, kind: int = socket.SOCK_STREAM) -> socket.socket:
    other = socket.socket(socket.AF_UNIX, kind)
    other.bind(str(path))
    return other


def left(path: Path) -> None:
    """Leave a socket as a killed process does."""
    with bound(path) as other:
        other.listen()


@contextmanager
def open_request(path: Path) -> Iterator[socket.socket]:
    """Send a request to a service, whose body is not complete."""
    with socket.socket(socket.AF_UNIX) as connection:
        connection.settimeout(PATIENT)
        connection.connect(str(path))
        connection.sendall(b"POST /api/validate HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n"
                           b"Content-Length: 2\r\nExpect: 100-continue\r\n\r\n")  # fmt: skip
        assert connection.recv(100).startswith(b"HTTP/1.1 100 ")
        yield connection


def is_refused(path: Path) -> bool:
    with socket.socket(socket.AF_UNIX) as connection:
        return connection.connect_ex(str(path)) != 0


@pytest.mark.parametrize("workers", ["1", "2"])
def test_a_service_that_starts_while_another_one_ends(tmp_path: Path, postgres: Postgres, workers: str) -> None:
    """The ending one finishes its requests."""
    path = tmp_path / "rui.sock"
    options = ("--store", postgres.new_database(), "--workers", workers)
    with ExitStack() as stack:
        old, _ = stack.enter_context(at_socket(path, *options))
        with open_request(path) as running:
            old.terminate()
            wait_until(lambda: is_refused(path), "it accepts no further connection")
            new, client = stack.enter_context(at_socket(path, *options))
            assert client.get("/api/health").status_code == 200
            running.sendall(b"{}")
            assert running.recv(100).startswith(b"HTTP/1.1 200 ")
        old.communicate(timeout=PATIENT)
        assert old.returncode == 0
        with httpx.Client(transport=httpx.HTTPTransport(uds=str(path)), base_url="http://a") as again:
            assert again.get("/api/health", timeout=PATIENT).status_code == 200
        new.terminate()
        new.communicate(timeout=PATIENT)


def test_a_socket_that_was_left_is_replaced(tmp_path: Path) -> None:
    path = tmp_path / "rui.sock"
    left(path)
    for _ in range(2):
        with listening(Settings(unix_socket=str(path))):
            assert not is_refused(path)
        assert is_refused(path)


def listen_at_once(path: Path, barrier: Barrier, results: Queue[str], end: Event) -> None:
    """Listen at a path when another process does, and put into the queue whether it does, until the end."""
    barrier.wait()
    try:
        with listening(Settings(unix_socket=str(path))):
            results.put("listens")
            end.wait(PATIENT)
    except AddressError:
        results.put("refused")


@pytest.mark.parametrize("is_left", [True, False])
def test_two_services_that_start_at_once(tmp_path: Path, is_left: bool) -> None:
    """One listens, and the other one ends. Without the lock, 1 of 6 pairs was wrong."""
    fork = multiprocessing.get_context("fork")  # a start takes less time than the race
    for number in range(40):
        path = tmp_path / f"{number}.sock"
        if is_left:
            left(path)
        barrier, results, end = fork.Barrier(2), fork.Queue(), fork.Event()
        both = [fork.Process(target=listen_at_once, args=(path, barrier, results, end)) for _ in range(2)]
        for process in both:
            process.start()
        assert sorted(results.get(timeout=PATIENT) for _ in both) == ["listens", "refused"]
        assert not is_refused(path)
        end.set()
        for process in both:
            process.join()


def a_file(path: Path) -> None:
    path.write_text("keep")


def a_link_to_nothing(path: Path) -> None:
    path.symlink_to("nothing")


def a_link_to_a_socket(path: Path) -> None:
    left(path.with_name("other.sock"))
    path.symlink_to("other.sock")


def a_datagram_socket(path: Path) -> list[socket.socket]:
    return [bound(path, socket.SOCK_DGRAM)]


def a_full_queue(path: Path) -> list[socket.socket]:
    """Return the sockets of a process that accepts no connection; further ones wait without an end."""
    other = bound(path)
    other.listen(0)
    waiting = []
    while True:
        client = socket.socket(socket.AF_UNIX)
        client.setblocking(False)
        waiting.append(client)
        try:
            client.connect(str(path))
        except BlockingIOError:
            return [other, *waiting]


IN_USE = "another process listens there, or another file is there"
KEPT: dict[Callable[[Path], list[socket.socket] | None], str] = {
    a_file: IN_USE, os.mkfifo: IN_USE, Path.mkdir: IN_USE, a_link_to_nothing: IN_USE,
    a_link_to_a_socket: IN_USE, a_datagram_socket: "", a_full_queue: IN_USE,
}  # fmt: skip


@pytest.mark.parametrize(("make", "reason"), KEPT.items(), ids=lambda value: getattr(value, "__name__", ""))
def test_what_is_kept(tmp_path: Path, make: Callable[[Path], list[socket.socket] | None], reason: str) -> None:
    path = tmp_path / "rui.sock"
    with ExitStack() as stack:
        for opened in make(path) or ():
            stack.enter_context(closing(opened))
        before = path.lstat()
        with pytest.raises(SettingsError, match=f"cannot listen on {path}: {reason}") as refused:
            stack.enter_context(listening(Settings(unix_socket=str(path))))
        assert "\n" not in str(refused.value)
        after = path.lstat()
        assert (after.st_ino, after.st_mtime_ns) == (before.st_ino, before.st_mtime_ns)
