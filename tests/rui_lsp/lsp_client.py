"""A client of the language server over real standard input and output.

At the end of a `with` block, it sends `shutdown` and `exit`, and checks for exit code 0 and an empty standard error.
"""

from __future__ import annotations

import contextlib
import json
import queue
import re
import subprocess
import sys
import threading
import time
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Self

ROOT = Path(__file__).parents[2]
DEADLINE = 30.0
"""Seconds until a test gives up; generous, as the machine may be busy. Nothing waits that long when all is well."""

Json = dict[str, Any]


class ResponseError(Exception):
    """The server returned an error."""

    def __init__(self, code: int, message: str) -> None:
        super().__init__(f"{code}: {message}")
        self.code = code


class Client:
    """One client with its own server process.

    Attributes:
        server: result of `initialize`.
        received: every message from the server, in order.
        stderr: lines that the server has written there.
    """

    def __init__(self, arguments: list[str], command: list[str] | None = None) -> None:
        self.server: Json = {}
        self.received: list[Json] = []
        self.stderr: list[str] = []
        self._next_id = 0
        self._incoming: queue.Queue[Json | None] = queue.Queue()
        self.process = subprocess.Popen(
            # Like pytest, the server turns warnings into errors.
            [*(command or [sys.executable, "-W", "error", "-m", "rui_lsp"]), *arguments],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=ROOT,
        )  # fmt: skip
        self._threads = [
            threading.Thread(target=self._read_messages, daemon=True),
            threading.Thread(target=self._read_stderr, daemon=True),
        ]
        for thread in self._threads:
            thread.start()

    @classmethod
    def start(
        cls,
        encodings: list[str] | None = None,
        *,
        options: Any = None,
        capabilities: Json | None = None,
        root: Path | None = None,
        arguments: list[str] | None = None,
        command: list[str] | None = None,
        initialize: bool = True,
    ) -> Self:
        """Start a server and initialize it by default.

        Args:
            encodings: position encodings of the client by preference; none by default, which means UTF-16.
            options: `initializationOptions`.
            capabilities: capabilities of the client.
            root: folder of the workspace.
            arguments: command line arguments of the server.
            command: command to start instead of `python -m rui_lsp`.
            initialize: whether to send `initialize` and `initialized`.
        """
        client = cls(arguments or [], command)
        if initialize:
            general = {} if encodings is None else {"positionEncodings": encodings}
            params: Json = {
                "processId": None,
                "rootUri": root and root.as_uri(),
                "capabilities": {**(capabilities or {}), "general": general},
                "initializationOptions": {"diagnostics": {"delay": 0}} if options is None else options,
            }
            try:
                client.server = client.request("initialize", params)
                client.notify("initialized", {})
            except BaseException:
                client.kill()
                raise
        return client

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is not None:
            self.kill()
            return
        assert self.shut_down() == 0
        assert self.stderr == []

    def shut_down(self) -> int:
        """Send `shutdown` and `exit`; return the server's exit code."""
        self.request("shutdown")
        self.notify("exit")
        return self.wait()

    def wait(self) -> int:
        """Wait for the end of the server; return its exit code."""
        try:
            return self.process.wait(DEADLINE)
        finally:
            self.kill()

    def kill(self) -> None:
        """Kill the server if it still runs, and read its remaining output."""
        self.process.kill()
        self.process.wait(DEADLINE)
        for thread in self._threads:
            thread.join(DEADLINE)
        for pipe in (self.process.stdin, self.process.stdout, self.process.stderr):
            assert pipe is not None
            with contextlib.suppress(BrokenPipeError):
                pipe.close()

    # Documents

    def open(self, uri: str, text: str, version: int = 1) -> None:
        item = {"uri": uri, "languageId": "rui-json", "version": version, "text": text}
        self.notify("textDocument/didOpen", {"textDocument": item})

    def change(self, uri: str, version: int, changes: list[Json]) -> None:
        """Send changes, each with `text` and, unless it replaces the whole text, `range`."""
        params = {"textDocument": {"uri": uri, "version": version}, "contentChanges": changes}
        self.notify("textDocument/didChange", params)

    def close(self, uri: str) -> None:
        self.notify("textDocument/didClose", {"textDocument": {"uri": uri}})

    def diagnostics(self, uri: str, version: int | None) -> list[Json]:
        """Wait for the diagnostics of a version of a document; None for those that clear a closed document."""

        def wanted(message: Json) -> bool:
            if message.get("method") != "textDocument/publishDiagnostics":
                return False
            return bool(message["params"]["uri"] == uri and message["params"].get("version") == version)

        found: list[Json] = self.wait_for(wanted)["params"]["diagnostics"]
        return found

    # Messages

    def request(self, method: str, params: Any = None) -> Any:
        """Send a request; return its result, or raise `ResponseError`."""
        self._next_id += 1
        number = self._next_id
        self.send({"jsonrpc": "2.0", "id": number, "method": method, "params": params})
        answer = self.wait_for(lambda message: message.get("id") == number and "method" not in message)
        if "error" in answer:
            raise ResponseError(answer["error"]["code"], answer["error"]["message"])
        return answer["result"]

    def notify(self, method: str, params: Any = None) -> None:
        self.send({"jsonrpc": "2.0", "method": method, "params": params})

    def send(self, *messages: Json) -> None:
        """Send messages in one write."""
        self.send_bytes(b"".join(frame(message) for message in messages))

    def send_bytes(self, data: bytes) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def wait_for(self, wanted: Any) -> Json:
        """Return the first message, received or future, for which `wanted(message)` is true."""
        end = time.monotonic() + DEADLINE
        seen = 0
        while True:
            for message in self.received[seen:]:
                if wanted(message):
                    return message
            seen = len(self.received)
            try:
                message = self._incoming.get(timeout=max(0.0, end - time.monotonic()))
            except queue.Empty:
                raise AssertionError(f"nothing like it within {DEADLINE} s, but {self.received}") from None
            if message is None:
                self._incoming.put(None)
                raise AssertionError(f"the server has ended; it sent {self.received}, and said {self.stderr}")
            self.received.append(message)

    def _read_messages(self) -> None:
        stream = self.process.stdout
        assert stream is not None
        while message := read_frame(stream):
            self._incoming.put(message)
        self._incoming.put(None)

    def _read_stderr(self) -> None:
        assert self.process.stderr is not None
        for line in self.process.stderr:
            self.stderr.append(line.decode().rstrip())


def frame(message: Json) -> bytes:
    """Encode a message with its header."""
    body = json.dumps(message).encode()
    return b"Content-Length: %d\r\n\r\n%b" % (len(body), body)


def read_frame(stream: IO[bytes]) -> Json | None:
    """Return the next message, or None at the end. Other output on stdout is an error."""
    length = None
    while (line := stream.readline()) != b"\r\n":
        if not line:
            return None
        match = re.fullmatch(rb"Content-Length: (\d+)\r\n|Content-Type: [^\r\n]+\r\n", line)
        if match is None:
            return {"not a header": line.decode(errors="replace")}
        length = int(match[1]) if match[1] else length
    assert length is not None
    message: Json = json.loads(stream.read(length))
    return message
