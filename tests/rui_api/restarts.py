"""Restart the service under load, with clients that detect lost requests."""

import http.client
import json
import re
import select
import signal
import socket
import subprocess
import sys
import threading
import time
from collections import Counter

from rui_common.describe import minimal_example

HOST = "127.0.0.1"
BODY = json.dumps(minimal_example()).encode()
JSON = {"Content-Type": "application/json"}


class Load:
    """Clients that send one request after the other until they are stopped.

    They retry as clients with a connection pool do: after a closed idle connection and after a refused connection.
    Every other error is a failure.

    Attributes:
        answers: number of responses by status.
        refused: number of refused connections.
        failures: descriptions of all failures.
        stored: ids of all specs that the service has acknowledged.
    """

    def __init__(self, port: int, clients: int, *, pause: float = 0.0, keep: bool = True) -> None:
        self.answers: Counter[int] = Counter()
        self.failures: list[str] = []
        self.stored: list[str] = []
        self.refused = 0
        self._port = port
        self._pause = pause
        self._keep = keep
        self._stop = threading.Event()
        self._threads = [threading.Thread(target=self._client, args=(number,)) for number in range(clients)]

    def __enter__(self) -> "Load":
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        for thread in self._threads:
            thread.join(60)

    def _client(self, number: int) -> None:
        connection = http.client.HTTPConnection(HOST, self._port, timeout=30)
        turn = number
        while not self._stop.is_set():
            turn += 1
            try:
                self._connect(connection)
                self._request(connection, turn)
            except (OSError, http.client.HTTPException) as error:
                self.failures.append(f"{type(error).__name__}: {error}")
                connection.close()
            if not self._keep:
                connection.close()
            if self._pause:
                time.sleep(self._pause * (turn % 7) / 3)
        connection.close()

    def _connect(self, connection: http.client.HTTPConnection) -> None:
        if connection.sock is not None and select.select([connection.sock], [], [], 0)[0]:
            connection.close()
        while connection.sock is None and not self._stop.is_set():
            try:
                connection.connect()
            except ConnectionRefusedError:
                self.refused += 1
                time.sleep(0.01)

    def _request(self, connection: http.client.HTTPConnection, turn: int) -> None:
        if connection.sock is None:
            return
        if turn % 3 == 0 and self.stored:
            connection.request("GET", f"/api/specs/{self.stored[turn % len(self.stored)]}")
        else:
            connection.request("POST", "/api/specs" if turn % 3 == 1 else "/api/validate", BODY, JSON)
        answer = connection.getresponse()
        body = json.loads(answer.read())
        self.answers[answer.status] += 1
        if answer.status == 201:
            self.stored.append(body["specId"])
        elif answer.status != 200:
            self.failures.append(f"{answer.status}: {body}")


def free_port() -> int:
    with socket.create_server((HOST, 0)) as listener:
        return listener.getsockname()[1]


def start(port: int, store: str) -> subprocess.Popen[str]:
    """Start a service and wait until it is ready."""
    command = [sys.executable, "-m", "rui_api.commands.serve", "--port", str(port), "--store", store]
    child = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    line = child.stdout.readline()
    if not re.search(r"http://\S+?:\d+", line):
        child.kill()
        raise AssertionError(f"the service did not start: {line}")
    return child


def restart(rounds: int, store: str, clients: int = 8, seconds: float = 0.4) -> tuple[list[Load], list[float]]:
    """Start and stop the service `rounds` times under load.

    Returns:
        Three kinds of clients (busy ones, clients with pauses, clients with a connection per request) and the seconds
        that each stop took.
    """
    port, took = free_port(), []
    child = start(port, store)
    with Load(port, clients) as busy, Load(port, clients, pause=0.1) as calm, Load(port, clients, keep=False) as fresh:
        for number in range(rounds + 1):
            time.sleep(seconds)
            if number == rounds:
                break
            began = time.monotonic()
            child.send_signal(signal.SIGTERM)
            child.communicate(timeout=30)
            took.append(time.monotonic() - began)
            if child.returncode:
                busy.failures.append(f"exit {child.returncode}")
            child = start(port, store)
    loads = [busy, calm, fresh]
    missing = [spec for load in loads for spec in load.stored if not _is_there(port, spec)]
    if missing:
        busy.failures.append(f"{len(missing)} specs are lost")
    child.terminate()
    child.communicate(timeout=30)
    return loads, took


def _is_there(port: int, spec: str) -> bool:
    connection = http.client.HTTPConnection(HOST, port, timeout=30)
    connection.request("GET", f"/api/specs/{spec}")
    status = connection.getresponse().status
    connection.close()
    return status == 200
