"""Benchmarks: one file per question, each with `rows`. The runner prints all rows as one table.

Limits are ratios to a peer, or to another input, in the same rounds: they hold on slow machines. Some are counts,
bytes or megabytes.
"""

import asyncio
import gc
import os
import re
import shutil
import statistics
import subprocess
import time
import venv
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1]
PEERS = ROOT / ".venv" / "peers"
CONNECTIONS = 32
TICKS = os.sysconf("SC_CLK_TCK")
_LENGTH = re.compile(rb"\r\ncontent-length: *(\d+)\r\n", re.IGNORECASE)


class NotMeasuredError(Exception):
    """Something that a benchmark needs is not installed; the message names it."""


class Row(NamedTuple):
    """One line of the table.

    Attributes:
        what: what was measured, and its peer.
        found: a ratio, or a number with the unit that `what` names.
        limit: the maximum, or the minimum if `is_minimum`; None if there is no limit.
        is_minimum: whether `found` must not be lower than the limit.
        detail: the figures behind a ratio.
    """

    what: str
    found: float
    limit: float | None = None
    is_minimum: bool = False
    detail: str = ""

    @property
    def is_kept(self) -> bool:
        """Whether the limit is kept."""
        if self.limit is None:
            return True
        if self.is_minimum:
            return self.found >= self.limit
        return self.found <= self.limit

    def __str__(self) -> str:
        verdict = ""
        if self.limit is not None:
            sign = "≥" if self.is_minimum else "≤"
            verdict = f"{sign} {self.limit:g}  {'ok' if self.is_kept else 'MISSED'}"
        return f"  {self.what:66}{self.found:10.4g}  {verdict:16}{self.detail}".rstrip()


def in_turns(measures: dict[str, Callable[[], float]], rounds: int) -> dict[str, list[float]]:
    """Return the results of each measurement by name, without the first round, which warms caches.

    The measurements alternate, so that other load of the machine affects all of them equally.
    """
    found: dict[str, list[float]] = {name: [] for name in measures}
    for number in range(rounds + 1):
        for name, measure in measures.items():
            value = measure()
            if number:
                found[name].append(value)
    return found


def timed(function: Callable[[], object]) -> Callable[[], float]:
    """Return a function that calls `function` and returns its seconds."""

    def measure() -> float:
        gc.collect()
        start = time.perf_counter()
        function()
        return time.perf_counter() - start

    return measure


def median_ratio(first: list[float], second: list[float]) -> float:
    """Return the median of the ratios of each round."""
    return statistics.median(a / b for a, b in zip(first, second, strict=True))


def installed(name: str, *packages: str) -> Path:
    """Return the folder of Node packages, and install them on first use.

    Args:
        name: the name of their folder.
        packages: names with versions, as npm has them.
    """
    folder = PEERS / name
    npm = shutil.which("npm")
    if npm is None or shutil.which("node") is None:
        raise NotMeasuredError("the peers need node and npm")
    marker = folder / "installed"
    if not marker.exists() or marker.read_text() != " ".join(packages):
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "package.json").write_text("{}")
        command = [npm, "install", "--no-audit", "--no-fund", "--silent", "--ignore-scripts", *packages]
        if subprocess.run(command, cwd=folder, check=False).returncode:
            raise NotMeasuredError(f"{', '.join(packages)} cannot be installed")
        marker.write_text(" ".join(packages))
    return folder / "node_modules"


def installed_program(name: str, package: str) -> Path:
    """Return a program of a package of PyPI with the same name, in an environment of its own; install it on first use.

    Args:
        name: the name of the program.
        package: the package with its version, as pip has it.
    """
    folder = PEERS / name
    marker = folder / "installed"
    if not marker.exists() or marker.read_text() != package:
        venv.create(folder, clear=True, with_pip=True)
        pip = [folder / "bin" / "python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check", package]
        if subprocess.run(pip, check=False, stderr=subprocess.DEVNULL).returncode:
            raise NotMeasuredError(f"{package} cannot be installed")
        marker.write_text(package)
    return folder / "bin" / name


def post(path: str, body: bytes) -> bytes:
    """Return a POST request with a JSON body."""
    head = f"POST {path} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
    return head.encode() + body


def get(path: str) -> bytes:
    """Return a GET request."""
    return f"GET {path} HTTP/1.1\r\nHost: a\r\n\r\n".encode()


def send(port: int, requests: Sequence[bytes], count: int) -> tuple[float, list[bytes]]:
    """Send requests in turn over `CONNECTIONS` persistent connections; return the seconds and the response bodies."""

    async def client(numbers: Iterator[int], bodies: list[bytes]) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=1 << 20)
        for number in numbers:
            writer.write(requests[number % len(requests)])
            head = await reader.readuntil(b"\r\n\r\n")
            assert re.match(rb"HTTP/1.1 (200|201|400) ", head), head
            length = _LENGTH.search(head)
            bodies.append(await reader.readexactly(int(length[1]) if length else 0))
        writer.close()

    async def run() -> list[bytes]:
        numbers = iter(range(count))
        bodies: list[bytes] = []
        await asyncio.gather(*(client(numbers, bodies) for _ in range(min(CONNECTIONS, count))))
        return bodies

    start = time.perf_counter()
    bodies = asyncio.run(run())
    return time.perf_counter() - start, bodies


def cpu_seconds(pid: int) -> float:
    """Return the CPU time of a running process, user and system."""
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def megabytes(pid: int, field: str = "VmRSS") -> float:
    """Return the resident memory of a process in megabytes, the current or (`VmHWM`) the peak."""
    status = Path(f"/proc/{pid}/status").read_text(encoding="utf-8")
    found = re.search(rf"{field}:\s+(\d+) kB", status)
    assert found, status
    return int(found[1]) / 1024
