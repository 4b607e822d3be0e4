"""A client and the server in one process: the test sends bytes and receives the messages of the server."""

import asyncio
import json
import time
from collections.abc import Callable
from typing import Any

from rui_lsp.features import create_server
from rui_lsp.protocol.connection import MAX_MESSAGE, read_messages
from tests.rui_lsp.lsp_client import DEADLINE, PUBLISH, frame, with_modern

NO_PAUSE = {"diagnostics": {"delay": 0}}
"""Initialization options: diagnostics are published at once."""

URI = "file:///a.rui.json"
REFRESHES = {"textDocument": {"diagnostic": {}}, "workspace": {"diagnostics": {"refreshSupport": True}}}
"""Capabilities of a client that requests diagnostics."""

LOOP = asyncio.new_event_loop()

_TURNS = 40  # turns of the event loop, enough for all work without other threads


class Conversation:
    """A server and its client.

    Attributes:
        server: the server.
        capabilities: those of the server, in its response to `initialize`.
        sent: every message that it has sent.
        results: those that the client responds to requests of the server, by method.
    """

    def __init__(
        self, capabilities: object = None, options: object = NO_PAUSE, *, initialized: bool = True, **params: object
    ) -> None:
        self.sent: list[dict] = []
        self.results: dict[str, object] = {}
        self.server = create_server()
        self.server.protocol.set_writer(self)
        self._number = 0
        self._seen = 0
        if initialized:
            params |= {"capabilities": with_modern(capabilities), "initializationOptions": options}
            self.capabilities = self.request("initialize", params)["capabilities"]

    def write(self, data: bytes) -> None:
        """Record a message of the server, and respond to a request."""
        header, _, body = data.partition(b"\r\n\r\n")
        assert header.startswith(b"Content-Length: %d" % len(body))
        message = json.loads(body)
        self.sent.append(message)
        if message.get("method") in self.results:
            response = {"id": message["id"], "result": self.results[message["method"]]}
            self._responding = LOOP.create_task(self._read(frame(response)))

    def close(self) -> None:
        """Do nothing when the server ends."""

    def feed(self, data: bytes) -> None:
        """Send bytes, and run the server until it is idle."""
        LOOP.run_until_complete(self._read(data))
        self.settle()

    async def _read(self, data: bytes) -> None:
        stream = asyncio.StreamReader(MAX_MESSAGE)
        stream.feed_data(data)
        stream.feed_eof()
        await read_messages(self.server.protocol, stream)

    def settle(self) -> None:
        """Run the server until it is idle."""

        async def turns() -> None:
            for _ in range(_TURNS):
                await asyncio.sleep(0)

        LOOP.run_until_complete(turns())

    def say(self, *messages: dict) -> list[dict]:
        """Send messages in one write; return the replies without versioned diagnostics."""
        before = len(self.sent)
        self.feed(b"".join(map(frame, messages)))
        return [message for message in self.sent[before:] if not is_published(message)]

    def request(self, method: str, params: object = None) -> object:
        """Send a request; return its result or the code of its error."""
        self._number += 1
        self.say({"id": self._number, "method": method, "params": params})
        answer = self.until(lambda: self.answer(self._number), f"response to {method}")
        return answer["result"] if "result" in answer else answer["error"]["code"]

    def answer(self, number: object) -> dict | None:
        """Return the response to a request of the client, or None."""
        answers = (message for message in self.sent if message.get("id") == number and "method" not in message)
        return next(answers, None)

    def until(self, question: Callable[[], Any], what: str) -> Any:
        """Run the server until a function returns a true value; return it."""
        end = time.monotonic() + DEADLINE
        while not (result := question()):
            assert time.monotonic() < end, f"no {what}"
            LOOP.run_until_complete(asyncio.sleep(0.001))
        return result

    def run(self, command: str, *arguments: object) -> dict:
        """Run a command of the server; return its result or the code of its error."""
        return self.request("workspace/executeCommand", {"command": command, "arguments": arguments})

    def open(self, text: str, version: int = 1, uri: str = URI) -> list[dict]:
        item = {"uri": uri, "languageId": "rui-json", "version": version, "text": text}
        return self.say({"method": "textDocument/didOpen", "params": {"textDocument": item}})

    def change(self, text: str, version: int, uri: str = URI) -> list[dict]:
        return self.say({"method": "textDocument/didChange", "params": changed(text, version, uri)})

    def save(self) -> list[dict]:
        return self.say({"method": "textDocument/didSave", "params": {"textDocument": {"uri": URI}}})

    def shut(self, uri: str = URI) -> list[dict]:
        return self.say({"method": "textDocument/didClose", "params": {"textDocument": {"uri": uri}}})

    def published(self) -> list[tuple[str, int, int]]:
        """Return (URI, version, number of diagnostics) of all publications since the last call."""
        self.settle()
        messages = [message["params"] for message in self.sent[self._seen :] if is_published(message)]
        self._seen = len(self.sent)
        return [(params["uri"], params["version"], len(params["diagnostics"])) for params in messages]

    def received(self, method: str) -> list[dict]:
        """Return the parameters of all messages of the server with this method."""
        return [message.get("params") for message in self.sent if message.get("method") == method]

    def shown(self) -> list[str]:
        """Return the messages shown to the user."""
        return [params["message"] for params in self.received("window/showMessage")]


def is_published(message: dict) -> bool:
    """Return whether a message has the diagnostics of a version of a document."""
    return message.get("method") == PUBLISH and "version" in message["params"]


def changed(text, version, uri=URI):
    return {"textDocument": {"uri": uri, "version": version}, "contentChanges": [{"text": text}]}
