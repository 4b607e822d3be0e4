"""Documents with marks, opened without a server: `<|>` is the cursor, `^^^ word` marks what stands above it.

at = opened('{"id": "ho<|>me"}')
definition.answer(at.workspace, at.params())
"""

import asyncio
import json
import random
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rui_lsp.client.client import Client
from rui_lsp.documents.workspace import OpenDocument, Workspace
from rui_lsp.protocol.errors import LspError
from rui_lsp.protocol.framing import Encoded

URI = "file:///marked.rui.json"
CURSOR = "<|>"

# Half a document with a page that is used twice, one that is not used, a reference that leads nowhere, and a table.
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

    workspace: Workspace
    document: OpenDocument
    cursor: int

    @property
    def text(self) -> str:
        return str(self.document.text)

    def params(self, **more: Any) -> dict[str, Any]:
        """The parameters of a request about the document, at its cursor."""
        line, character = self.document.text.position(self.cursor)
        return {"textDocument": {"uri": URI}, "position": {"line": line, "character": character}, **more}

    def offset(self, position: dict[str, int]) -> int:
        return self.document.text.offset(position["line"], position["character"])

    def span(self, lsp_range: Any) -> tuple[int, int]:
        return self.offset(lsp_range["start"]), self.offset(lsp_range["end"])

    def shown(self, lsp_range: Any) -> str:
        """What stands in a range."""
        return self.text[slice(*self.span(lsp_range))]

    def with_edits(self, edits: list[dict[str, Any]]) -> str:
        """The text after some edits."""
        text = self.text
        for edit in sorted(edits, key=lambda edit: self.span(edit["range"]), reverse=True):
            start, end = self.span(edit["range"])
            text = text[:start] + edit["newText"] + text[end:]
        return text


def opened(text: str, capabilities: Any = None, encoding: Any = "utf-16") -> Opened:
    """Open a text, which may have a cursor in it."""
    client = Client(lambda _: None, {"capabilities": capabilities or {}})
    workspace = Workspace(encoding, client)
    before, _, after = text.partition(CURSOR)
    return Opened(workspace, workspace.open(URI, 7, before + after), len(before))


def in_time(answer: Any) -> Any:
    """What a coroutine answers, as the client reads it."""
    result = asyncio.run(answer)
    return json.loads(result) if isinstance(result, Encoded) else result


def unmark(marked: str) -> tuple[str, list[tuple[int, int, str]]]:
    """A text with lines of marks → the text without them, and (start, end, word) of each mark."""
    lines: list[str] = []
    marks = []
    for line in marked.split("\n"):
        if not re.fullmatch(r" *\^[\^ \w.:-]*", line):
            lines.append(line)
            continue
        base = sum(len(before) + 1 for before in lines[:-1])
        found = re.finditer(r"(\^+) ?([\w.:-]*)", line)
        marks += [(base + mark.start(1), base + mark.end(1), mark[2]) for mark in found]
    return "\n".join(lines), marks


def broken_texts() -> list[str]:
    """Texts of every sort: truncated, with characters lost or doubled, and no documents at all."""
    chance = random.Random(3)
    compact = re.sub(r"\n +", " ", DOCUMENT)
    texts = ["", " ", "[]", "7", '"', "{", '{"pages": [', '{"pages": [{"id": "a", "id": "b"}]}', "\ufeff{}", "\u2028",
             '{"pages": {"id": 7}, "navigation": {"items": {"pageId": "x"}}}', "{'pages': [{id: home}]}", "[" * 400,
             '{"pages":[{"id":"\\ud800","type":"Page"}]}', '{"navigation":{"items":[{"pageId":"a\r\nb"}]},"pages":[]}',
             '{"pages":[{"type":"Page","children":' + '[{"type":"Section","children":' * 200]  # fmt: skip
    texts += [text[: chance.randrange(len(text))] for text in (DOCUMENT, compact) for _ in range(12)]
    for _ in range(12):
        at = chance.randrange(len(DOCUMENT))
        texts.append(DOCUMENT[:at] + chance.choice(["", '"', "{", "]", ",", "\r", "😀"]) + DOCUMENT[at + 1 :])
    return [*texts, DOCUMENT, compact, DOCUMENT.replace("\n", "\r\n"), DOCUMENT.replace("\n", "\r")]


def check_survives(answer: Any, **more: Any) -> None:
    """Whatever the text and wherever the cursor, there is an answer or a refusal."""
    for text in broken_texts():
        at = opened(text)
        for at.cursor in sorted({*range(0, len(text) + 1, max(1, len(text) // 15)), len(text)}):
            try:
                answer(at.workspace, at.params(**more))
            except LspError:
                continue


EXAMPLES = sorted((Path(__file__).parents[2] / "examples").glob("*.rui.json"))
