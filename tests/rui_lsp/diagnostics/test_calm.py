"""Typing key by key: no error is shown that the next key removes, and after a pause all errors are shown."""

import random
import time

import pytest
from lsprotocol import types

from rui_common.syntax.document import read
from rui_common.syntax.paths import format_path
from rui_common.validation.diagnostics import diagnose
from rui_lsp.diagnostics.calm import calm_diagnostics
from rui_lsp.documents.document import OpenDocument
from rui_lsp.documents.typed_region import finish
from tests.rui_lsp.conversation import URI, Conversation
from tests.rui_lsp.lsp_client import DEADLINE, Client

CURSOR = "<|>"
PUBLISH = "textDocument/publishDiagnostics"
PAIRS = {"{": "}", "[": "]", '"': '"'}

DOCUMENT = """\
{
  "version": "0.1",
  "meta": {},
  "navigation": {"items": [{"pageId": "home"}, {"pageId": "orders"}]},
  "pages": [
    {"id": "home", "type": "Page", "title": "Home", "children": [
      {"id": "main", "type": "Section", "direction": "row", "children": [
        {"id": "note", "type": "Text", "content": "Hello"},
        <|>
      ]}
    ]},
    {"id": "orders", "type": "Page", "title": "Orders", "children": [
      {"id": "list", "type": "Section", "direction": "row", "children": [
        {"id": "text", "type": "Text", "content": "Bye"}
      ]}
    ]}
  ]
}
"""
ORDERS = DOCUMENT[DOCUMENT.index('    {"id": "orders"') : DOCUMENT.index("  ]\n}")]
WITHOUT_ORDERS = DOCUMENT.replace(f",\n{ORDERS}", ",\n    <|>\n").replace(
    '"content": "Hello"},\n        <|>', '"content": "Hello"}'
)
IN_STRING = DOCUMENT.replace('Hello"},\n        <|>', 'Hello <|>"}')

METRIC = """\
{
  "id": "open",
  "type": "Metric",
  "label": "Open orders",
  "binding": {"type": "read", "method": "GET", "path": "/orders", "valuePath": "data.open"},
  "format": "number"
}"""
TABLE = """\
{"binding": {"path": "/orders", "method": "GET", "type": "read"}, "filter": {"field": "status"},
"columns": [{"key": "id", "label": "No."}, {"key": "status"}], "title": "Orders",
"type": "Table", "id": "orders-table"}"""
PAGE = """\
{
  "id": "orders", "type": "Page", "title": "Orders",
  "children": [
    {"id": "list", "type": "Section", "direction": "row", "children": [
      {"id": "text", "type": "Text", "content": "Bye"},
      {"id": "more", "type": "Text", "content": "See you [soon]"}
    ]}
  ]
}"""


@pytest.fixture(autouse=True)
def no_pause(monkeypatch):
    """The server never takes the time between two keys of a test for a pause."""
    monkeypatch.setattr("rui_lsp.diagnostics.calm.IDLE_SECONDS", 10_000)
    monkeypatch.setattr("rui_lsp.diagnostics.calm.CHOICE_SECONDS", 10_000)


class Editor:
    """An editor with one document.

    Attributes:
        shown: what the server has published after each key that changed the text: sets of (code, path, message).
    """

    def __init__(self, marked, *, closes, pulls=False):
        """Open a text with a cursor. The editor inserts closing brackets and quotes if it `closes` them."""
        self.caret = marked.index(CURSOR)
        self.text = marked.replace(CURSOR, "")
        self.shown = []
        self.pulls = pulls
        self._closes = closes
        self._closers = 0  # the number of characters after the caret that the editor has inserted
        self._version = 1
        self._server = Conversation(initialized=False)
        capabilities = {"general": {"positionEncodings": ["utf-32"]}}
        if pulls:
            capabilities["textDocument"] = {"diagnostic": {}}
            capabilities["workspace"] = {"diagnostics": {"refreshSupport": True}}
        self._server.request("initialize", {"capabilities": capabilities})
        self._server.open(self.text)

    def type(self, keys):
        for key in keys:
            if self._closers and self.text[self.caret] == key and key in PAIRS.values():
                self._closers -= 1
                self.caret += 1
                continue
            new = key
            line = self.text[: self.caret].rpartition("\n")[2]
            if self._closes and key in PAIRS and line.count('"') % 2 == 0:
                new += PAIRS[key]
                self._closers += 1
            self.edit(self.caret, self.caret, new)
            self.caret += 1

    def edit(self, start, end, new):
        positions = [dict(zip(("line", "character"), self._position(at), strict=True)) for at in (start, end)]
        self.text = self.text[:start] + new + self.text[end:]
        self._version += 1
        change = {"range": {"start": positions[0], "end": positions[1]}, "text": new}
        document = {"uri": URI, "version": self._version}
        params = {"textDocument": document, "contentChanges": [change]}
        self._server.say({"method": "textDocument/didChange", "params": params})
        self.shown.append(self.now())

    def _position(self, offset):
        lines = self.text[:offset].split("\n")
        return len(lines) - 1, len(lines[-1])

    def now(self):
        """Return what the editor shows."""
        if self.pulls:
            return faults(self._server.request("textDocument/diagnostic", {"textDocument": {"uri": URI}})["items"])
        published = [message["params"] for message in self._server.sent if message.get("method") == PUBLISH]
        assert published[-1]["version"] == self._version
        return faults(published[-1]["diagnostics"])

    def pause(self):
        """Wait until the server has noticed a pause."""
        sent = len(self._server.sent)
        [timer] = self._timers()._timers.values()
        timer._callback()
        timer.cancel()
        if self.pulls:
            assert [message["method"] for message in self._server.sent[sent:]] == ["workspace/diagnostic/refresh"]

    def _timers(self):
        return self._server.server._idle_timers if self.pulls else self._server.server.publisher._timers

    def is_calm(self):
        """Return whether the server waits for a pause to show more."""
        return bool(self._timers()._timers)


def faults(items):
    return {(item["code"], item["data"]["path"], item["message"].split("\n")[0]) for item in items}


def all_faults(text):
    """Return what `rui check` reports."""
    return {(item.code, format_path(item.path), item.message) for item in diagnose(read(text))}


TYPED = pytest.mark.parametrize(
    ("document", "keys"),
    [(DOCUMENT, METRIC), (DOCUMENT, TABLE), (WITHOUT_ORDERS, PAGE), (CURSOR, WITHOUT_ORDERS.replace(CURSOR, PAGE))],
    ids=["Metric", "Table", "Page", "document"],
)


@TYPED
@pytest.mark.parametrize("closes", [True, False])
def test_no_key_removes_an_error(document, keys, closes):
    editor = Editor(document, closes=closes)
    editor.type(keys)
    assert [shown for shown in editor.shown if shown] == []
    assert all_faults(editor.text) == set()


def test_no_key_removes_an_error_in_a_client_that_pulls():
    editor = Editor(DOCUMENT, closes=True, pulls=True)
    editor.type(METRIC[:60])
    assert [shown for shown in editor.shown if shown] == []
    editor.pause()
    assert editor.now() == all_faults(editor.text) != set()


@TYPED
@pytest.mark.parametrize("closes", [True, False])
def test_after_a_pause_all_is_shown(document, keys, closes):
    chance = random.Random(f"{document} {keys}")
    editor = Editor(document, closes=closes)
    start = 0
    for end in sorted(chance.sample(range(1, len(keys)), 12)):
        editor.type(keys[start:end])
        if editor.is_calm():
            editor.pause()
        assert editor.now() == all_faults(editor.text)
        start = end


@pytest.mark.parametrize("seed", range(20))
def test_any_text_may_be_typed(seed):
    """Finishing a text adds only the brackets that are open."""
    chance = random.Random(seed)
    text = chance.choice([DOCUMENT, IN_STRING, WITHOUT_ORDERS])
    opened = OpenDocument(URI, text.replace(CURSOR, ""), 1, "utf-32")
    caret = text.index(CURSOR)
    calm = 0
    for key in ["{", *chance.choices(['"', '""', "{", "[", "]", "}", "{}", ",", ":", "a", " ", "\n", "1", "\\"], k=60)]:
        removed = chance.choice([0, 0, 0, 1]) if calm else 0
        places = [types.Position(*opened.text.position(at)) for at in (caret - removed, caret)]
        opened.apply_change(types.TextDocumentContentChangePartial(types.Range(*places), key))
        caret += len(key) - removed - (chance.random() < 0.1)
        shown_now = calm_diagnostics(opened)
        finished = opened.typed and finish(opened.source, opened.typed)
        if shown_now is not None:
            calm += 1
            assert len(finished.text) == len(opened.source) + finished.inserted
    assert calm or text is IN_STRING


def test_after_a_pause_only_what_was_not_shown_is_held_back():
    editor = Editor(DOCUMENT, closes=True)
    editor.type('{"id": "open", "type": "Metric"')
    editor.pause()
    missing = all_faults(editor.text)
    assert {code for code, _, _ in missing} == {"MISSING_REQUIRED_PROP", "MISSING_BINDING"}
    editor.type(', "label": "Open", ')
    label = {fault for fault in missing if '"label"' in fault[2]}
    assert set().union(*editor.shown[-8:-2]) <= missing
    assert editor.now() == missing - label
    # New brackets, new calm.
    editor.type('"binding": {"type": "read", ')
    assert editor.now() == set()


@pytest.mark.parametrize("closes", [True, False])
def test_a_finished_mistake_is_shown_at_once(closes):
    editor = Editor(DOCUMENT, closes=closes)
    editor.type('{"id": "open", "colour": "red"')
    assert editor.now() == set()
    editor.type(', "type": "Text", ')
    unknown = ("UNKNOWN_PROP", "pages[0].children[0].children[1].colour", 'Unknown property "colour".')
    assert {code for code, _, _ in editor.now()} == {"UNKNOWN_PROP"}
    assert [fault[:2] for fault in editor.now()] == [unknown[:2]]
    editor.type('"content": "Red"}')
    assert all(shown >= editor.now() for shown in editor.shown[-8:])
    assert editor.now() == all_faults(editor.text)


def test_an_edit_elsewhere_shows_all():
    editor = Editor(DOCUMENT, closes=True)
    editor.type('{"id": "open", ')
    assert editor.now() == set()
    at = editor.text.index("Hello")
    editor.edit(at, at + 5, "Hi")
    assert editor.now() == all_faults(editor.text) != set()
    assert not editor.is_calm()


@pytest.mark.parametrize("closes", [True, False])
def test_new_brackets_elsewhere_end_the_calm_of_the_first(closes):
    editor = Editor(DOCUMENT, closes=True)
    editor.type('{"type": "Text", "id": "OPEN"')
    editor._closes = closes
    editor.caret = editor.text.index('{"id": "text"')
    editor.type("{")
    assert "INVALID_ID_FORMAT" in {code for code, _, _ in editor.now()}
    editor.type('"id": "new", "type": "Text", "content": "New"},')
    assert editor.now() == all_faults(editor.text)


def test_errors_elsewhere_are_shown_while_typing():
    editor = Editor(DOCUMENT.replace('"content": "Bye"', '"content": 5'), closes=False)
    before = all_faults(editor.text)
    editor.type('{"id": "open", "type": "Met')
    assert {code for code, _, _ in before} == {"INVALID_JSON", "INVALID_PROP_TYPE"}
    assert {code for shown in editor.shown for code, _, _ in shown} == {"INVALID_PROP_TYPE"}


@pytest.mark.parametrize(
    ("document", "keys"),
    [
        (IN_STRING, "{ you }"),
        (DOCUMENT, '{"id": "open"}}'),
        (DOCUMENT, '{"id": "open"}\n'),
    ],
)
def test_outside_of_new_brackets_all_is_shown(document, keys):
    editor = Editor(document, closes=False)
    editor.type(keys)
    assert editor.now() == all_faults(editor.text)
    assert not editor.is_calm()


NO_COMMA = DOCUMENT.replace('"Hello"},', '"Hello"}')
LAST = DOCUMENT.replace('"Hello"},\n        <|>', '"Hello"}<|>')
IN_OBJECT = DOCUMENT.replace('"Hello"},\n        <|>', '"Hello"<|>}')


@pytest.mark.parametrize(
    ("document", "keys"),
    [
        (DOCUMENT, "Metr"), (NO_COMMA, "Metr"), (LAST, ",\n  Met"), (IN_OBJECT, ",\n"), (IN_OBJECT, ', "tit'),
        (IN_OBJECT, ', "content": "Be'),
    ],
)  # fmt: skip
@pytest.mark.parametrize("closes", [True, False])
def test_a_member_that_was_just_begun_is_no_error_until_a_pause(document, keys, closes):
    editor = Editor(document, closes=closes)
    editor.type(keys)
    assert [shown for shown in editor.shown if shown] == []
    editor.pause()
    assert editor.now() == all_faults(editor.text) != set()


def test_a_member_is_judged_when_it_is_written():
    editor = Editor(IN_OBJECT, closes=True)
    editor.type(', "colour": "red"')
    assert editor.now() == set()
    editor.type("\n")
    editor.type(', "x"')
    assert {code for code, _, _ in editor.now()} >= {"UNKNOWN_PROP"}


def test_the_pause_takes_half_a_second():
    text = DOCUMENT.replace(CURSOR, "")
    line = text[: DOCUMENT.index(CURSOR)].count("\n")
    with Client.start() as client:
        client.open(URI, text)
        client.diagnostics(URI, 1)
        place = {"line": line, "character": 8}
        start = time.monotonic()
        client.change(URI, 2, [{"range": {"start": place, "end": place}, "text": "{}"}])
        found = client.wait_for(lambda message: message.get("method") == PUBLISH and is_full(message["params"]))
        assert 0.5 <= time.monotonic() - start < DEADLINE
        assert [item["code"] for item in found["params"]["diagnostics"]] == ["MISSING_REQUIRED_PROP"]
        published = [message["params"] for message in client.received if message.get("method") == PUBLISH]
        assert next(params["diagnostics"] for params in published if params["version"] == 2) == []


def is_full(params):
    return params["version"] == 2 and params["diagnostics"]
