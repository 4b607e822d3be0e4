"""A client's side of a session without a transport: what is said, and what comes back."""

import json

from rui_lsp.runtime.session import Session
from tests.rui_lsp.client import frame

URI = "file:///a.rui.json"


class Conversation:
    """A session, what it sends, and a client that says what a test wants said."""

    def __init__(self, *, initialized: bool = True) -> None:
        self.sent: list[dict] = []
        self.session = Session()
        self.session.send = self._take
        self._number = 0
        if initialized:
            self.request("initialize", {"capabilities": {}})

    def _take(self, data: bytes) -> None:
        header, _, body = data.partition(b"\r\n\r\n")
        assert header.startswith(b"Content-Length: %d" % len(body))
        self.sent.append(json.loads(body))

    def say(self, *messages: dict) -> list[dict]:
        """Send messages at once; return what is sent back before there is time to work."""
        before = len(self.sent)
        self.session.feed(b"".join(frame({"jsonrpc": "2.0", **message}) for message in messages))
        return self.sent[before:]

    def request(self, method: str, params: object = None) -> object:
        """Send a request; return its result or the code of its error."""
        self._number += 1
        [answer] = self.answers({"id": self._number, "method": method, "params": params})
        assert answer["id"] == self._number
        return answer["result"] if "result" in answer else answer["error"]["code"]

    def answers(self, *messages: dict) -> list[dict]:
        """Send messages at once; return what is sent back when there was time to work, notifications left out."""
        before = len(self.sent)
        self.say(*messages)
        while self.session.has_work:
            self.session.work()
        return [message for message in self.sent[before:] if "id" in message]

    def open(self, text: str, version: int = 1, uri: str = URI) -> list[dict]:
        return self.say({"method": "textDocument/didOpen", "params": opened(text, version, uri)})

    def change(self, text: str, version: int, uri: str = URI) -> list[dict]:
        return self.say({"method": "textDocument/didChange", "params": changed(text, version, uri)})

    def close(self, uri: str = URI) -> list[dict]:
        return self.say({"method": "textDocument/didClose", "params": {"textDocument": {"uri": uri}}})

    def published(self) -> list[tuple[str, int | None, int]]:
        """Work until there is nothing to do; return (address, version, number of diagnostics) of what is published."""
        before = len(self.sent)
        while self.session.has_work:
            self.session.work()
        return [
            (message["params"]["uri"], message["params"].get("version"), len(message["params"]["diagnostics"]))
            for message in self.sent[before:]
            if message["method"] == "textDocument/publishDiagnostics"
        ]


def opened(text, version=1, uri=URI):
    return {"textDocument": {"uri": uri, "languageId": "rui-json", "version": version, "text": text}}


def changed(text, version, uri=URI):
    return {"textDocument": {"uri": uri, "version": version}, "contentChanges": [{"text": text}]}


def alive(conversation: Conversation) -> bool:
    """Whether documents are still served."""
    conversation.open("[]", 7, "file:///alive.rui.json")
    return ("file:///alive.rui.json", 7, 1) in conversation.published()
