"""A client of the language server over real standard input and output.

At the end of a `with` block, it sends `shutdown` and `exit`, and checks for exit code 0 and an empty standard error.
"""

import contextlib
import http.client
import json
import queue
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Self

ROOT = Path(__file__).parents[2]
DEADLINE = 180.0
"""Seconds until a test gives up; generous, as the machine may be busy. Nothing waits that long when all is well."""

PUBLISH = "textDocument/publishDiagnostics"
Json = dict[str, Any]


MODERN: dict[str, Any] = {
    "documentSymbol": {"hierarchicalDocumentSymbolSupport": True},
    "codeAction": {"codeActionLiteralSupport": {"codeActionKind": {"valueSet": []}}},
}
"""What every client of today supports, below ``textDocument``."""


def with_modern(capabilities: Any) -> Any:
    """Return capabilities with those of every client of today."""
    if not isinstance(capabilities, dict | None) or not isinstance((capabilities or {}).get("textDocument", {}), dict):
        return capabilities
    given = (capabilities or {}).get("textDocument", {})
    modern = {name: {**support, **(given.get(name) or {})} for name, support in MODERN.items()}
    return {**(capabilities or {}), "textDocument": {**given, **modern}}


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

    def __init__(
        self,
        encodings: list[str] | None = None,
        *,
        options: Any = None,
        capabilities: Json | None = None,
        root: Path | None = None,
        command: list[str] | None = None,
        initialize: bool = True,
    ) -> None:
        """Start a server and initialize it by default.

        Args:
            encodings: position encodings of the client by preference; none by default, which means UTF-16.
            options: `initializationOptions`; diagnostics are published at once by default.
            command: command to start instead of `python -m rui_lsp`.
            initialize: whether to send `initialize` and `initialized`.
        """
        self.received: list[Json] = []
        self.stderr: list[str] = []
        self._next_id = 0
        self._incoming: queue.Queue[Json | None] = queue.Queue()
        self.process = subprocess.Popen(
            # Like pytest, the server turns warnings into errors.
            command or [sys.executable, "-W", "error", "-m", "rui_lsp"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=ROOT,
        )  # fmt: skip
        self._threads = [
            threading.Thread(target=target, daemon=True) for target in (self._read_messages, self._read_stderr)
        ]
        for thread in self._threads:
            thread.start()
        if not initialize:
            return
        params = {
            "processId": None,
            "rootUri": root and root.as_uri(),
            "capabilities": {
                **with_modern(capabilities),
                "general": {"positionEncodings": encodings} if encodings else {},
            },
            "initializationOptions": {"diagnostics": {"delay": 0}} if options is None else options,
        }
        try:
            self.server: Json = self.request("initialize", params)
        except BaseException:
            self.kill()
            raise
        self.notify("initialized", {})

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
            with contextlib.suppress(OSError):  # the server has closed its end
                pipe.close()

    # Documents

    def open(self, uri: str, text: str, version: int = 1) -> None:
        item = {"uri": uri, "languageId": "rui-json", "version": version, "text": text}
        self.notify("textDocument/didOpen", {"textDocument": item})

    def change(self, uri: str, version: int, text: str) -> None:
        """Replace the text of a document."""
        params = {"textDocument": {"uri": uri, "version": version}, "contentChanges": [{"text": text}]}
        self.notify("textDocument/didChange", params)

    def close(self, uri: str) -> None:
        self.notify("textDocument/didClose", {"textDocument": {"uri": uri}})

    def configure(self, **settings: object) -> None:
        """Send the settings below `rui`."""
        self.notify("workspace/didChangeConfiguration", {"settings": {"rui": settings}})

    def diagnostics(self, uri: str, version: int | None) -> list[Json]:
        """Wait for the diagnostics of a version of a document; None for those of a file that is not open."""

        def wanted(message: Json) -> bool:
            params = message.get("params")
            return message.get("method") == PUBLISH and (params["uri"], params.get("version")) == (uri, version)

        return list(self.wait_for(wanted)["params"]["diagnostics"])

    # Messages

    def request(self, method: str, params: Any = None) -> Any:
        """Send a request; return its result, or raise `ResponseError`."""
        self._next_id += 1
        number = self._next_id
        self.send({"id": number, "method": method, "params": params})
        answer = self.wait_for(lambda message: message.get("id") == number and "method" not in message)
        if "error" in answer:
            raise ResponseError(answer["error"]["code"], answer["error"]["message"])
        return answer["result"]

    def run(self, command: str, *arguments: object) -> Any:
        """Run a command of the server; return its result, or raise `ResponseError`."""
        return self.request("workspace/executeCommand", {"command": command, "arguments": arguments})

    def notify(self, method: str, params: Any = None) -> None:
        self.send({"method": method, "params": params})

    def send(self, *messages: Json) -> None:
        """Send messages in one write."""
        self.send_bytes(b"".join(map(frame, messages)))

    def send_bytes(self, data: bytes) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def wait_for(self, wanted: Callable[[Json], object]) -> Json:
        """Return the first message, received or future, for which `wanted(message)` is true."""
        seen = 0
        while True:
            for message in self.received[seen:]:
                if wanted(message):
                    return message
            seen = len(self.received)
            try:
                received = self._incoming.get(timeout=DEADLINE)
            except queue.Empty:
                raise AssertionError(f"no message within {DEADLINE} s, but {self.received}") from None
            if received is None:
                self._incoming.put(None)
                raise AssertionError(f"the server has ended; it sent {self.received} and wrote {self.stderr}")
            self.received.append(received)

    def _read_messages(self) -> None:
        assert self.process.stdout is not None
        while message := read_frame(self.process.stdout):
            self._incoming.put(message)
        self._incoming.put(None)

    def _read_stderr(self) -> None:
        assert self.process.stderr is not None
        for line in self.process.stderr:
            self.stderr.append(line.decode().rstrip())


def frame(message: Json) -> bytes:
    """Encode a message with its header."""
    body = json.dumps({"jsonrpc": "2.0", **message}).encode()
    return b"Content-Length: %d\r\n\r\n%b" % (len(body), body)


def read_frame(stream: IO[bytes]) -> Json | None:
    """Return the next message, or None at the end of the output, or of that in the form of messages."""
    length = http.client.parse_headers(stream)["Content-Length"]  # type: ignore[arg-type]
    return dict(json.loads(stream.read(int(length)))) if length else None
