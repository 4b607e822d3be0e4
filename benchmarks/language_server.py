"""The language server as an editor meets it: from a keystroke to its diagnostics, and from its start to the first ones.

The yardstick is `json.loads` of the same text, taken in the same rounds: what the machine needs to read it at all.
"""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from benchmarks.sample import sample_text

URI = "file:///sample.rui.json"
ROUNDS = 30
BURST = 20


class Server:
    """A server and the plainest possible client: no threads, one message read at a time."""

    def __init__(self) -> None:
        self.started = time.perf_counter()
        self.process = subprocess.Popen(
            [sys.executable, "-m", "rui_lsp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0
        )
        self.version = 0
        self.send(id=0, method="initialize", params={"processId": None, "rootUri": None, "capabilities": {}})
        self.receive()
        self.start_up = time.perf_counter() - self.started

    def send(self, **message: Any) -> None:
        """Send a message."""
        self.write(self.framed(**message))

    def framed(self, **message: Any) -> bytes:
        """A message with its header."""
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        return b"Content-Length: %d\r\n\r\n%b" % (len(body), body)

    def write(self, data: bytes) -> None:
        """Write all of some bytes."""
        assert self.process.stdin is not None
        left = memoryview(data)
        while left:
            left = left[self.process.stdin.write(left) or 0 :]

    def receive(self) -> Any:
        """The next message."""
        assert self.process.stdout is not None
        header = b""
        while not header.endswith(b"\r\n\r\n"):
            header += self.process.stdout.read(1)
        left, parts = int(header.split()[1]), []
        while left:
            parts.append(self.process.stdout.read(left))
            left -= len(parts[-1])
        return json.loads(b"".join(parts))

    def open(self, text: str) -> float:
        """Open a document; the seconds from the start of the process to its diagnostics."""
        item = {"uri": URI, "languageId": "rui-json", "version": self.version, "text": text}
        self.send(method="textDocument/didOpen", params={"textDocument": item})
        self.wait()
        return time.perf_counter() - self.started

    def changed(self, line: int, start: int, end: int, new: str) -> bytes:
        """The message of the next change."""
        self.version += 1
        place = {"start": {"line": line, "character": start}, "end": {"line": line, "character": end}}
        params = {
            "textDocument": {"uri": URI, "version": self.version},
            "contentChanges": [{"range": place, "text": new}],
        }
        return self.framed(method="textDocument/didChange", params=params)

    def wait(self) -> Any:
        """The diagnostics of the present version."""
        while (params := self.receive()["params"]).get("version") != self.version:
            pass
        return params["diagnostics"]

    def stop(self) -> None:
        """End the server in good order."""
        self.send(id=1, method="shutdown")
        self.receive()
        self.send(method="exit")
        assert self.process.wait(10) == 0


@contextmanager
def server() -> Iterator[Server]:
    """A server that is running."""
    running = Server()
    try:
        yield running
        running.stop()
    finally:
        running.process.kill()


def typing(text: str) -> dict[str, list[float]]:
    """Seconds of each kind of edit near the middle of a text, and of `json.loads`."""
    lines = text.split("\n")
    line = next(number for number, line in enumerate(lines) if number >= len(lines) // 2 and '"title": ' in line)
    at = lines[line].index('"title": "', len(lines[line]) // 2 if len(lines) == 1 else 0) + len('"title": "')
    seconds: dict[str, list[float]] = {"json.loads": [], "an edit that keeps it valid": [], "one that breaks it": []}
    seconds[f"{BURST} edits at once"] = []
    with server() as running:
        running.open(text)

        def timed(name: str, *edits: tuple[int, int, str]) -> Any:
            data = b"".join(running.changed(line, start, end, new) for start, end, new in edits)
            start = time.perf_counter()
            running.write(data)
            found = running.wait()
            seconds[name].append(time.perf_counter() - start)
            return found

        for _ in range(ROUNDS):
            start = time.perf_counter()
            json.loads(text)
            seconds["json.loads"].append(time.perf_counter() - start)
            assert not timed("an edit that keeps it valid", (at, at, "x"))
            assert timed("one that breaks it", (at - 1, at, ""))
            running.write(running.changed(line, at - 1, at - 1, '"'))
            assert not running.wait()
            assert not timed(f"{BURST} edits at once", *[(at, at, "y")] * BURST)
    return seconds


def starting(text: str) -> tuple[float, float]:
    """Median seconds from the start to the reply to `initialize`, and to the first diagnostics."""
    replies, firsts = [], []
    for _ in range(7):
        with server() as running:
            replies.append(running.start_up)
            firsts.append(running.open(text))
    return statistics.median(replies), statistics.median(firsts)


def main() -> bool:
    """Print the times; whether all keep their limits (there are none yet)."""
    sizes = [("3 KB", 3_000, 2), ("30 KB", 30_000, 2), ("250 KB", 250_000, 2), ("250 KB on one line", 250_000, None)]
    print("\nFrom didChange to the diagnostics of that version, median")
    for name, size, indent in sizes:
        text = json.dumps(json.loads(sample_text(size)), indent=indent, ensure_ascii=False)
        for what, taken in typing(text).items():
            print(f"  {name:22}{what:32}{statistics.median(taken) * 1e3:9.2f} ms")
    reply, first = starting(sample_text(250_000))
    print("\nFrom the start of the process, median")
    print(f"  {'to the reply to initialize':54}{reply * 1e3:9.2f} ms")
    print(f"  {'to the first diagnostics, 250 KB':54}{first * 1e3:9.2f} ms")
    return True


if __name__ == "__main__":
    main()
