"""Servers under load: the CPU time per request that the operating system counts, for our service and its peers."""

from __future__ import annotations

import asyncio
import json
import os
import re
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from rui_common.describe import json_schema

ROOT = Path(__file__).parents[1]
HOME = ROOT / ".venv" / "peers" / "http"
NPM_PACKAGES = ("fastify@5", "zod@4", "ajv@8")
CONNECTIONS = 32
TICKS = os.sysconf("SC_CLK_TCK")


def node_environment() -> dict[str, str] | None:
    """Return the environment of the peers on Node, and install their packages on first use.

    Without Node or npm, print that the comparison is skipped and return None.
    """
    npm, node = shutil.which("npm"), shutil.which("node")
    if npm is None or node is None:
        print("  NOT SHOWN: node and npm are not there, so nothing on Node is compared with")
        return None
    HOME.mkdir(parents=True, exist_ok=True)
    if not (HOME / "node_modules" / "fastify").exists():
        (HOME / "package.json").write_text("{}")
        install = [npm, "install", "--no-audit", "--no-fund", "--silent", *NPM_PACKAGES]
        if subprocess.run(install, cwd=HOME, check=False).returncode:
            print("  NOT SHOWN: the peers on Node cannot be installed, so nothing is compared with them")
            return None
    schema = HOME / "schema.json"
    schema.write_text(json.dumps(json_schema()))
    return {**os.environ, "PEERS": str(HOME), "SCHEMA": str(schema), "NODE_ENV": "production"}


class Server:
    """A process that listens on a port of this machine."""

    def __init__(self, process: subprocess.Popen[bytes], port: int) -> None:
        self.pid = process.pid
        self.port = port

    def cpu(self) -> float:
        """Return the CPU time in seconds, user and system, since its start."""
        fields = Path(f"/proc/{self.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / TICKS

    def cost(self, requests: bytes | Sequence[bytes], count: int, *, warm: bool = False) -> float:
        """Return microseconds of CPU time per request, for `count` requests over persistent connections.

        Several requests are sent in turn.
        """
        if isinstance(requests, bytes):
            requests = [requests]
        if warm:
            asyncio.run(_load(self.port, requests, min(count, 500)))
        before = self.cpu()
        asyncio.run(_load(self.port, requests, count))
        return (self.cpu() - before) / count * 1e6


@contextmanager
def serving(command: list[str], environment: dict[str, str] | None = None) -> Iterator[Server]:
    """Run a server that prints its address."""
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environment, cwd=ROOT
    ) as process:
        try:
            assert process.stdout is not None
            found = re.search(rb"http://[^\s:]+:(\d+)", process.stdout.readline())
            assert found, command
            yield Server(process, int(found[1]))
        finally:
            process.kill()


def our_service(store: Path) -> list[str]:
    """Return the command of `rui serve` with a SQLite store."""
    return [sys.executable, "-m", "rui_api.commands.serve", "--port", "0", "--store", f"sqlite:///{store}"]


@contextmanager
def uvicorn_serving(application: str) -> Iterator[Server]:
    """Run an application on the same uvicorn as the service, without an access log."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    command = [
        sys.executable,
        "-m",
        "uvicorn",
        application,
        "--port",
        str(port),
        "--no-access-log",
        "--log-level",
        "error",
    ]
    with subprocess.Popen(command, cwd=ROOT) as process:
        try:
            _await_port(port)
            yield Server(process, port)
        finally:
            process.kill()


def _await_port(port: int) -> None:
    for _ in range(200):
        try:
            socket.create_connection(("127.0.0.1", port)).close()
        except OSError:
            time.sleep(0.05)
        else:
            return
    raise TimeoutError


def request_of(method: str, path: str, body: bytes = b"", **headers: str) -> bytes:
    """Return the bytes of a request."""
    lines = [
        f"{method} {path} HTTP/1.1",
        "host: localhost",
        *(f"{name.replace('_', '-')}: {value}" for name, value in headers.items()),
    ]
    if body:
        lines += ["content-type: application/json", f"content-length: {len(body)}"]
    return "\r\n".join([*lines, "", ""]).encode() + body


async def _load(port: int, requests: Sequence[bytes], count: int) -> None:
    shares = [count // CONNECTIONS + (number < count % CONNECTIONS) for number in range(CONNECTIONS)]
    await asyncio.gather(*(_client(port, requests, share) for share in shares if share))


async def _client(port: int, requests: Sequence[bytes], count: int) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=1 << 20)
    for number in range(count):
        writer.write(requests[number % len(requests)])
        head = await reader.readuntil(b"\r\n\r\n")
        length = re.search(rb"(?i)\r\ncontent-length: *(\d+)", head)
        assert re.match(rb"HTTP/1.1 (200|201|304|400) ", head), head
        if length is not None:
            await reader.readexactly(int(length[1]))
    writer.close()


def rounds(measures: dict[str, Callable[[], float]], count: int) -> dict[str, list[float]]:
    """Measure each in turn, `count` times, so that other load of the machine affects all of them equally."""
    found: dict[str, list[float]] = {name: [] for name in measures}
    for _ in range(count):
        for name, measure in measures.items():
            found[name].append(measure())
    return found
