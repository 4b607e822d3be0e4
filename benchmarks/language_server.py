"""How long an author waits for the language server: edits, start and memory beside VS Code's JSON server.

The peer uses the JSON Schema of RUI. Its diagnostics are requested, because it delays notifications by half a second.
Both servers get the same edits, in turns.
"""

import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Any, Self

from benchmarks import ROOT, Row, in_turns, installed, median_ratio, megabytes
from rui_openapi.description.api import Api, read_api
from tests.inputs.api_samples import description, document_of, samples
from tests.inputs.sample import sample_text
from tests.rui_lsp.conversation import REFRESHES, Conversation

URI = "file:///sample.rui.json"
OURS = [sys.executable, "-m", "rui_lsp"]
PEER = "vscode-langservers-extracted@4.10.0"

LARGE = 250_000
TEXTS: dict[str, tuple[int, int | None]] = {
    "20 KB": (20_000, 2),
    "250 KB": (LARGE, 2),
    "10 KB in one line": (10_000, None),
    "120 KB in one line": (120_000, None),
}
"""Texts that are edited: size and indentation."""
MAX_EDIT = 1.0
"""Maximum time from an edit that keeps a document valid to the diagnostics, beside the peer."""
MAX_MEMORY = 80
"""Megabytes with a document of 250 KB."""
MAX_WITH_API = 2.0
"""Maximum time of an edit with an OpenAPI description, beside one without."""
MAX_ONE_LINE = 1.5
"""Maximum time to apply one keystroke to a document in one line, beside the same document with indentation."""
MAX_UNCHANGED = 1 / 20
"""Maximum CPU time of a request for the diagnostics of a workspace without a change, beside the first one."""
FILES = 1_500
OPERATIONS = 1_000
KEYS = 20
ROUNDS = 30
STARTS = 7


def rows(options: list[str]) -> Iterator[Row]:
    """Yield ratios of times, and the memory."""
    assert not options
    command = [str(installed("json-server", PEER) / ".bin" / "vscode-json-language-server"), "--stdio"]
    for name, (size, indent) in TEXTS.items():
        yield from _edits(name, sample_text(size, indent=indent), command)
    yield _start(sample_text(LARGE), command)
    yield _one_line(LARGE)
    yield _unchanged_workspace()
    yield from _with_api()


class Editor:
    """An editor with one document and its own server process. It reads one message at a time, without threads.

    Attributes:
        pulls: whether it requests diagnostics; otherwise it waits for notifications.
    """

    def __init__(self, command: list[str], *, openapi: str = "", delay: int = 0) -> None:
        self.pulls = command != OURS
        self._version = 0
        self._request = 0
        self._received = b""
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)
        text_document: dict[str, Any] = {
            "documentSymbol": {"hierarchicalDocumentSymbolSupport": True},
            "completion": {"completionItem": {"snippetSupport": True}},
        }
        if self.pulls:
            text_document["diagnostic"] = {"dynamicRegistration": False}
        params = {"processId": None, "rootUri": None, "capabilities": {"textDocument": text_document}}
        settings = {"diagnostics": {"delay": delay}, "rui": {"openapi": openapi}}
        self.request("initialize", params | {"initializationOptions": settings})
        self.send(method="initialized", params={})
        if self.pulls:
            schema = json.loads((ROOT / "docs" / "rui-0.1.schema.json").read_text(encoding="utf-8"))
            association = {"uri": "rui://schema", "fileMatch": ["*.rui.json"], "schema": schema}
            self.send(method="json/schemaAssociations", params=[[association]])

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.wait()
        for stream in (self.process.stdin, self.process.stdout):
            assert stream is not None
            stream.close()

    def open(self, text: str) -> Any:
        """Open the document and return its diagnostics."""
        item = {"uri": URI, "languageId": "json", "version": self._version, "text": text}
        self.send(method="textDocument/didOpen", params={"textDocument": item})
        return self.diagnostics()

    def edit(self, line: int, start: int, end: int, new: str) -> Any:
        """Replace a part of a line and return the diagnostics of the new text."""
        self.change(line, start, end, new)
        return self.diagnostics()

    def change(self, line: int, start: int, end: int, new: str) -> None:
        """Replace a part of a line."""
        self._version += 1
        place = {"start": {"line": line, "character": start}, "end": {"line": line, "character": end}}
        document = {"uri": URI, "version": self._version}
        changes = [{"range": place, "text": new}]
        self.send(method="textDocument/didChange", params={"textDocument": document, "contentChanges": changes})

    def diagnostics(self) -> Any:
        """Return the diagnostics of the current version."""
        if self.pulls:
            return self.request("textDocument/diagnostic", {"textDocument": {"uri": URI}})["items"]
        while (params := self._receive().get("params", {})).get("version") != self._version:
            pass
        return params["diagnostics"]

    def request(self, method: str, params: Any) -> Any:
        """Send a request and return its result."""
        self._request += 1
        self.send(id=self._request, method=method, params=params)
        while "method" in (message := self._receive()) or message.get("id") != self._request:
            pass
        return message.get("result")

    def send(self, **message: Any) -> None:
        """Send a message."""
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        assert self.process.stdin is not None
        left = memoryview(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))
        while left:
            left = left[self.process.stdin.write(left) or 0 :]

    def _receive(self) -> Any:
        while True:
            header, end, rest = self._received.partition(b"\r\n\r\n")
            if end:
                length = int(next(line for line in header.split(b"\r\n") if line.startswith(b"Content-Length"))[15:])
                if len(rest) >= length:
                    self._received = rest[length:]
                    return json.loads(rest[:length])
            assert self.process.stdout is not None
            self._received += os.read(self.process.stdout.fileno(), 1 << 20)


def _position(text: str, mark: str, by: int) -> tuple[int, int]:
    """Return line and character of a place near the middle of a text, which contains no surrogate pairs."""
    offset = text.index(mark, len(text) // 2) + by
    return text.count("\n", 0, offset), offset - text.rfind("\n", 0, offset) - 1


def _edits(name: str, text: str, peer: list[str]) -> Iterator[Row]:
    """Compare edits that keep a document valid, and edits that break it."""
    mark = '"label": "' if "\n" in text else '"label":"'
    line, character = _position(text, mark, len(mark))

    def valid(editor: Editor) -> float:
        return _timed(partial(editor.edit, line, character, character, "x"), broken=False)

    def breaking(editor: Editor) -> float:
        seconds = _timed(partial(editor.edit, line, character - 1, character, ""), broken=True)
        editor.edit(line, character - 1, character - 1, '"')
        return seconds

    with Editor(OURS) as ours, Editor(peer) as other:
        for editor in (ours, other):
            editor.open(text)
        for what, edit, limit in (("keeps it valid", valid, MAX_EDIT), ("breaks it", breaking, None)):
            found = in_turns({"ours": partial(edit, ours), "peer": partial(edit, other)}, ROUNDS)
            yield _row(f"{name}: an edit that {what}, to its diagnostics", found, limit)
        if len(text) >= LARGE // 2:
            yield Row(f"{name}: memory, MB", megabytes(ours.process.pid), MAX_MEMORY)


def _timed(edit: partial[Any], *, broken: bool) -> float:
    start = time.perf_counter()
    found = edit()
    seconds = time.perf_counter() - start
    assert any(diagnostic["severity"] == 1 for diagnostic in found) == broken, found[:3]
    return seconds


def _start(text: str, peer: list[str]) -> Row:
    def start(command: list[str]) -> float:
        begun = time.perf_counter()
        with Editor(command) as editor:
            editor.open(text)
            return time.perf_counter() - begun

    found = in_turns({"ours": partial(start, OURS), "peer": partial(start, peer)}, STARTS)
    return _row("250 KB: start of the server to the first diagnostics", found)


def _row(what: str, found: dict[str, list[float]], limit: float | None = None) -> Row:
    ours, peer = (statistics.median(seconds) * 1e3 for seconds in found.values())
    return Row(what, median_ratio(*found.values()), limit, detail=f"{ours:.1f} ms, {peer:.1f} ms")


def _one_line(size: int) -> Row:
    """Compare keystrokes in both layouts, without diagnostics: the answer to a request follows the edits."""
    value = json.loads(sample_text(size))
    texts = {"one line": json.dumps(value), "indented": json.dumps(value, indent=2)}
    with ExitStack() as stack:
        measures: dict[str, Callable[[], float]] = {}
        for name, text in texts.items():
            editor = stack.enter_context(Editor(OURS, delay=10_000))
            editor.open(text)
            measures[name] = partial(_seconds_per_key, editor, *_position(text, '"label": "', 10))
        found = in_turns(measures, ROUNDS)
    flat, indented = (statistics.median(seconds) * 1e3 for seconds in found.values())
    detail = f"{flat:.2f} ms, {indented:.2f} ms"
    what = "250 KB: a key in a one-line document, applied, beside an indented one"
    return Row(what, median_ratio(*found.values()), MAX_ONE_LINE, detail=detail)


def _seconds_per_key(editor: Editor, line: int, character: int) -> float:
    start = time.perf_counter()
    for _ in range(KEYS):
        editor.change(line, character, character, "x")
    editor.request("completionItem/resolve", {"label": ""})
    return (time.perf_counter() - start) / KEYS


def _unchanged_workspace() -> Row:
    """Compare requests for the diagnostics of a workspace, which clients send every two seconds, with the first one."""
    with tempfile.TemporaryDirectory() as folder:
        for number in range(FILES):
            text = sample_text(2_000 + number % 5 * 1_500)
            if number % 3 == 0:
                text = text.replace('"stack"', '"diagonal"', 1)
            file = Path(folder, f"team-{number % 30}", f"{number}.rui.json")
            file.parent.mkdir(exist_ok=True)
            file.write_text(text, encoding="utf-8")
        client = Conversation(REFRESHES, rootUri=Path(folder).as_uri())
        first, reports = _cpu_of_pull(client, [])
        previous = [{"uri": report["uri"], "value": report["resultId"]} for report in reports]
        further = statistics.median(_cpu_of_pull(client, previous)[0] for _ in range(ROUNDS))
    detail = f"{further * 1e3:.0f} ms, {first * 1e3:.0f} ms, with the client"
    return Row(f"{FILES:,} documents: an unchanged workspace, CPU", further / first, MAX_UNCHANGED, detail=detail)


def _cpu_of_pull(client: Conversation, previous: list[dict[str, str]]) -> tuple[float, list[dict[str, str]]]:
    start = time.process_time()
    result: Any = client.request("workspace/diagnostic", {"previousResultIds": previous})
    return time.process_time() - start, result["items"]


# OpenAPI ------------------------------------------------------------------------------------------------------------


def _with_api() -> Iterator[Row]:
    """Compare edits with a description of 10 MB with edits without one."""
    value = description(OPERATIONS)
    for path in value["paths"].values():
        path["get"]["description"] = "x" * 10_000
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        file = Path(folder, "openapi.json")
        file.write_text(json.dumps(value), encoding="utf-8")
        text = _document(read_api(str(file)))
        line, character = _position(text, '"label": "', 10)
        editors = [stack.enter_context(Editor(OURS, openapi=openapi)) for openapi in (str(file), "")]
        for editor in editors:
            editor.open(text)
        _wait_for_description(editors[0], text)

        def edit(editor: Editor) -> float:
            return _timed(partial(editor.edit, line, character, character, "x"), broken=False)

        found = in_turns({"with": partial(edit, editors[0]), "without": partial(edit, editors[1])}, ROUNDS)
        yield _row(
            f"{len(text) // 1000} KB: an edit with {OPERATIONS:,} operations, beside one without", found, MAX_WITH_API
        )


def _wait_for_description(editor: Editor, text: str) -> None:
    line, character = _position(text, '"path": "', 11)
    params = {"textDocument": {"uri": URI}, "position": {"line": line, "character": character}}
    end = time.perf_counter() + 60
    while "List things" not in str(editor.request("textDocument/hover", params)):
        assert time.perf_counter() < end, "the description was not read"
        time.sleep(0.05)


def _document(api: Api) -> str:
    """Return a document of about 250 KB with bindings of the description."""
    blocks = [sample.block() for sample in samples(api, random.Random(1), 550)]
    return json.dumps(document_of(blocks), indent=2)
