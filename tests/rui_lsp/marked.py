"""Documents opened in a server, with a cursor at `<|>`.

    at = opened('{"id": "ho<|>me"}')
    at.request("textDocument/definition")

`Opened` converts between offsets of the text and positions of LSP.
"""

import inspect
import json
import random
import re
from dataclasses import dataclass
from functools import cache
from typing import Any

from lsprotocol import types
from pygls.workspace import Workspace

from rui_lsp.convert import to_offset
from rui_lsp.features import create_server, diagnostics
from rui_lsp.server import RuiLanguageServer
from rui_lsp.session.documents import OpenDocument, OpenDocuments
from rui_lsp.session.settings import Configuration
from tests.rui_lsp.conversation import LOOP, Conversation
from tests.rui_lsp.lsp_client import with_modern

URI = "file:///marked.rui.json"
CURSOR = "<|>"

# An incomplete document with a page used twice, an unused page, a dangling reference, and a table.
DOCUMENT = """\
{
  "version": "0.1",
  "meta": {"title": "😀 Größe"},
  "navigation": {
    "items": [
      {"pageId": "home", "label": "Start"},
      {"pageId": "tody"},
      {"label": "😀", "pageId": "home"}
    ]
  },
  "pages": [
    {
      "id": "home",
      "type": "Page",
      "title": "At home",
      "children": [
        {"id": "main", "type": "Section", "direction": "stack", "children": [
          {"id": "orders", "type": "Table", "title": "Orders",
            "binding": {"type": "read", "method": "GET", "path": "/api/orders", "valuePath": "data.items"},
            "columns": [{"key": "status", "label": "State"}, {"key": "home"}],
            "filter": {"field": "status", "options": [{"value": "status"}]}},
          {"id": "note", "type": "Text", "content": "See https://example.org/a."}
        ]}
      ]
    },
    {"id": "stock", "type": "Page", "title": "Stock", "children": []}
  ]
}
"""


@dataclass
class Opened:
    """An open document with a cursor."""

    server: RuiLanguageServer
    document: OpenDocument
    cursor: int

    def request(self, method: str, **more: Any) -> Any:
        """Return the result of a request at the cursor as JSON, or raise the error of the server."""
        return self.ask(method, self.params(**more))

    def ask(self, method: str, params: Any) -> Any:
        """Return the result of a request with these parameters."""
        protocol = self.server.protocol
        typed = protocol.structure_message({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}).params
        result = protocol.fm.features[method](typed)
        if inspect.isawaitable(result):
            result = LOOP.run_until_complete(result)
        return json.loads(json.dumps(protocol._converter.unstructure(result)))

    def change(self, version: int, text: str, start: int = 0, end: int | None = None) -> None:
        """Replace a part of the text."""
        positions = [
            types.Position(*self.document.positions.position(offset))
            for offset in (start, len(self.text) if end is None else end)
        ]
        change = types.TextDocumentContentChangePartial(types.Range(*positions), text)
        self.server.documents.change(types.VersionedTextDocumentIdentifier(version, URI), [change])

    @property
    def text(self) -> str:
        return self.document.source

    def params(self, **more: Any) -> dict[str, Any]:
        """Return the parameters of a request about the document at its cursor."""
        line, character = self.document.positions.position(self.cursor)
        return {"textDocument": {"uri": URI}, "position": {"line": line, "character": character}, **more}

    def offset(self, position: dict[str, int]) -> int:
        return to_offset(types.Position(**position), self.document.positions)

    def span(self, lsp_range: Any) -> tuple[int, int]:
        return self.offset(lsp_range["start"]), self.offset(lsp_range["end"])

    def shown(self, lsp_range: Any) -> str:
        """Return the text of a range."""
        return self.text[slice(*self.span(lsp_range))]

    def with_edits(self, edits: list[dict[str, Any]]) -> str:
        """Return the text after edits."""
        text = self.text
        for start, end, new in sorted(((*self.span(edit["range"]), edit["newText"]) for edit in edits), reverse=True):
            text = text[:start] + new + text[end:]
        return text


def opened(text: str, capabilities: Any = None, encoding: Any = "utf-16") -> Opened:
    """Open a text with an optional cursor."""
    server = _server(json.dumps(with_modern(capabilities)), encoding)
    server.configuration = Configuration(options=None)
    server.documents = OpenDocuments(Workspace(None, position_encoding=encoding))
    server.protocol._workspace = server.documents._workspace
    before, _, after = text.partition(CURSOR)
    document = server.documents.open(types.TextDocumentItem(URI, "rui-json", 7, before + after))
    return Opened(server, document, len(before))


def document_requests() -> list[str]:
    """Return every request about a document that the server registers."""
    server = create_server()
    diagnostics.register_pull(server)
    methods = server.protocol.fm.features
    return [name for name in methods if name.startswith("textDocument/") and types.METHOD_TO_TYPES[name][1] is not None]


def any_params_of(position: dict[str, int], range_: dict[str, Any]) -> dict[str, Any]:
    """Return the union of the parameters of all requests about a document, which ignore unknown ones."""
    return {
        "position": position,
        "range": range_,
        "positions": [position],
        "context": {"includeDeclaration": True, "diagnostics": [], "triggerKind": 1},
        "newName": "new",
        "ch": "\n",
        "options": {"tabSize": 2, "insertSpaces": True},
        "previousResultId": "none",
        "query": "a",
    }


@cache
def _server(capabilities: str, encoding: str) -> RuiLanguageServer:
    """A server that opens many texts one after the other."""
    conversation = Conversation({**json.loads(capabilities), "general": {"positionEncodings": [encoding]}})
    if not conversation.server.supports_pull:
        diagnostics.register_pull(conversation.server)
    return conversation.server


def broken_texts() -> list[str]:
    """Yield broken texts: truncated, with characters lost or doubled, and no documents at all."""
    chance = random.Random(3)
    compact = re.sub(r"\n +", " ", DOCUMENT)
    texts = ["", " ", "[]", "7", '"', "{", '{"pages": [', '{"pages": [{"id": "a", "id": "b"}]}', "\ufeff{}", "\u2028",
             '{"pages": {"id": 7}, "navigation": {"items": {"pageId": "x"}}}', "{'pages': [{id: home}]}", "[" * 400,
             '{"pages":[{"id":"\\ud800","type":"Page"}]}', '{"navigation":{"items":[{"pageId":"a\r\nb"}]},"pages":[]}',
             '{"pages":[{"type":"Page","children":' + '[{"type":"Section","children":' * 200]  # fmt: skip
    texts += [text[: chance.randrange(len(text))] for text in (DOCUMENT, compact) for _ in range(12)]
    for _ in range(12):
        offset = chance.randrange(len(DOCUMENT))
        texts.append(DOCUMENT[:offset] + chance.choice(["", '"', "{", "]", ",", "\r", "😀"]) + DOCUMENT[offset + 1 :])
    return [*texts, DOCUMENT, compact, DOCUMENT.replace("\n", "\r\n"), DOCUMENT.replace("\n", "\r")]


# The snippet grammar of LSP: \\ escapes $, } and \\ in text and defaults; the comma, | and \\ in choices.
_CHOICE = r"(?:[^\\,|]|\\[\\,|]|\\(?![\\,|]))+"
_SNIPPET = re.compile(
    r"\\(?P<escaped>[$}\\])"
    r"|\$(?:(?P<short>\d+)|\{(?P<number>\d+)"
    r"(?:\}|:(?P<default>(?:[^\\$}]|\\[\\$}]|\\(?![\\$}]))*)\}"
    rf"|\|(?P<choices>{_CHOICE}(?:,{_CHOICE})*)\|\}}))"
)


def accept_defaults(snippet: str) -> str:
    """Return the text with the default at every tab stop. Stops of the same number have the same text."""
    defaults: dict[str, str] = {}

    def text_of(match: re.Match[str]) -> str:
        if match["escaped"]:
            return match["escaped"]
        default = re.sub(r"\\([$}\\])", r"\1", match["default"] or "")
        return defaults.setdefault(match["short"] or match["number"], next(iter(_choices_of(match)), default))

    return _SNIPPET.sub(text_of, snippet)


def choices_in(snippet: str) -> list[list[str]]:
    """Return the choices of each tab stop that has some."""
    return [_choices_of(match) for match in _SNIPPET.finditer(snippet) if match["choices"]]


def _choices_of(match: re.Match[str]) -> list[str]:
    return [re.sub(r"\\([\\,|])", r"\1", text) for text in re.findall(_CHOICE, match["choices"] or "")]


def actions(editor: Opened, end: int | None = None, **context: Any) -> list[dict[str, Any]]:
    """Return the actions from the cursor to an offset, by default at the cursor alone."""
    line, character = editor.document.positions.position(editor.cursor if end is None else end)
    params = editor.params(context={"diagnostics": [], **context})
    params["range"] = {"start": params["position"], "end": {"line": line, "character": character}}
    found = editor.ask("textDocument/codeAction", params)
    assert found is not None
    return found


def done(editor: Opened, action: dict[str, Any]) -> str:
    assert list(action["edit"]["changes"]) == [URI]
    return editor.with_edits(action["edit"]["changes"][URI])
