"""A minimal client of a language server: no threads, and it reads one message at a time."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import Any, Self

URI = "file:///sample.rui.json"

OURS = [sys.executable, "-m", "rui_lsp"]
PEER = "vscode-langservers-extracted@4.10.0"
_PEERS = Path(__file__).parents[1] / ".venv" / "peers"
_SCHEMA = Path(__file__).parents[1] / "docs" / "rui-0.1.schema.json"


def peer() -> list[str] | None:
    """Return the command of VS Code's JSON language server, and install it on first use.

    Without npm, print the reason and return None.
    """
    command = _PEERS / "node_modules" / ".bin" / "vscode-json-language-server"
    if not command.exists():
        npm = shutil.which("npm")
        if npm is None:
            print("  (npm is not there, so there is nothing to compare with)")
            return None
        _PEERS.mkdir(parents=True, exist_ok=True)
        install = [npm, "install", "--no-audit", "--no-fund", "--silent", PEER]
        if subprocess.run(install, cwd=_PEERS, check=False).returncode:
            print(f"  ({PEER} cannot be installed, so there is nothing to compare with)")
            return None
    return [str(command), "--stdio"]


class Editor:
    """An editor with one document and its own server process.

    Attributes:
        pulls: whether it requests diagnostics; otherwise it waits for notifications.
        start_up: seconds from the start of the process to the response to `initialize`.
        decoding: seconds that this client needed to decode messages.
    """

    def __init__(
        self, command: list[str], *, pulls: bool, capabilities: dict[str, Any] | None = None, folder: str = "",
        options: dict[str, Any] | None = None,
    ) -> None:  # fmt: skip
        self.pulls = pulls
        self.version = 0
        self.decoding = 0.0
        self._request = 0
        self._answered: dict[int, Any] = {}
        self._received = b""
        self.started = time.perf_counter()
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)
        if pulls:
            refreshes = {"workspace": {"diagnostics": {"refreshSupport": True}}}
            capabilities = {"textDocument": {"diagnostic": {"dynamicRegistration": False}}, **refreshes}
        root = Path(folder).as_uri() if folder else None
        params = {"processId": None, "rootUri": root, "capabilities": capabilities or {}}
        params["initializationOptions"] = {"diagnostics": {"delay": 0}, **(options or {})}
        self.request("initialize", params)
        self.start_up = time.perf_counter() - self.started
        self.send(method="initialized", params={})
        if pulls:
            schema = {"uri": "rui://schema", "fileMatch": ["*.rui.json"], "schema": json.loads(_SCHEMA.read_text())}
            self.send(method="json/schemaAssociations", params=[[schema]])

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: object, *rest: object) -> None:
        if kind is None:
            self.request("shutdown", None)
            self.send(method="exit")
            self.process.wait(10)
        self.process.kill()
        self.process.wait()
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.close()
        self.process.stdout.close()

    def open(self, text: str) -> Any:
        """Open the document and return its diagnostics."""
        item = {"uri": URI, "languageId": "json", "version": self.version, "text": text}
        self.send(method="textDocument/didOpen", params={"textDocument": item})
        return self.diagnostics()

    def changed(self, line: int, start: int, end: int, new: str) -> bytes:
        """Return the message of the next change."""
        self.version += 1
        place = {"start": {"line": line, "character": start}, "end": {"line": line, "character": end}}
        document = {"uri": URI, "version": self.version}
        change = {"range": place, "text": new}
        return framed(method="textDocument/didChange", params={"textDocument": document, "contentChanges": [change]})

    def edit(self, *edits: tuple[int, int, int, str]) -> tuple[Any, float]:
        """Send edits in one write. Return the diagnostics of the new text, and the seconds until they arrived."""
        data = b"".join(self.changed(*edit) for edit in edits)
        start = time.perf_counter()
        self.write(data)
        found = self.diagnostics()
        return found, time.perf_counter() - start

    def diagnostics(self) -> Any:
        """Return the diagnostics of the current version."""
        if self.pulls:
            return self.request("textDocument/diagnostic", {"textDocument": {"uri": URI}})["items"]
        while (params := self.receive().get("params", {})).get("version") != self.version:
            pass
        return params["diagnostics"]

    def request(self, method: str, params: Any) -> Any:
        """Send a request and return its result. Responses to other requests are kept for later."""
        number = self.post(method, params)
        while number not in self._answered:
            self._take()
        return self._answered.pop(number)

    def post(self, method: str, params: Any) -> int:
        """Send a request without waiting, and return its id."""
        self._request += 1
        self.send(id=self._request, method=method, params=params)
        return self._request

    def is_answered(self, number: int) -> bool:
        """Return whether the response to a request has arrived, and remove it."""
        return self._answered.pop(number, self) is not self

    def _take(self) -> None:
        message = self.receive()
        if "id" in message and "method" not in message:
            self._answered[message["id"]] = message.get("result")

    def memory(self) -> float:
        """Return the resident memory of the server in megabytes, or NaN on systems without /proc."""
        status = Path(f"/proc/{self.process.pid}/status")
        lines = status.read_text().splitlines() if status.exists() else []
        return next((int(line.split()[1]) / 1024 for line in lines if line.startswith("VmRSS")), float("nan"))

    def send(self, **message: Any) -> None:
        self.write(framed(**message))

    def write(self, data: bytes) -> None:
        """Write all bytes."""
        assert self.process.stdin is not None
        left = memoryview(data)
        while left:
            left = left[self.process.stdin.write(left) or 0 :]

    def receive(self) -> Any:
        """Return the next message."""
        while True:
            header, end, rest = self._received.partition(b"\r\n\r\n")
            if end:
                lengths = [line for line in header.split(b"\r\n") if line.startswith(b"Content-Length")]
                length = int(lengths[0].split(b":")[1])
                if len(rest) >= length:
                    self._received = rest[length:]
                    start = time.perf_counter()
                    message = json.loads(rest[:length])
                    self.decoding += time.perf_counter() - start
                    return message
            assert self.process.stdout is not None
            self._received += os.read(self.process.stdout.fileno(), 1 << 20)


def framed(**message: Any) -> bytes:
    """Return a message with its header."""
    body = json.dumps({"jsonrpc": "2.0", **message}).encode()
    return b"Content-Length: %d\r\n\r\n%b" % (len(body), body)
