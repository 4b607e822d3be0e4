"""Semantic tokens."""

import pytest
from pygls.protocol import default_converter

from rui_lsp.features import semantic_tokens
from tests.rui_lsp.marked import broken_texts, opened

LEGEND = default_converter().unstructure(semantic_tokens.LEGEND)
FULL, RANGE = (f"textDocument/semanticTokens/{name}" for name in ("full", "range"))


def decode(editor, data):
    """Return (start, end, type with modifiers) of every token."""
    assert len(data) % 5 == 0
    line = character = 0
    for down, right, length, sort, modifiers in zip(*[iter(data)] * 5, strict=True):
        line, character = line + down, right + (character if down == 0 else 0)
        start = editor.offset({"line": line, "character": character})
        end = editor.offset({"line": line, "character": character + length})
        words = [LEGEND["tokenTypes"][sort]]
        words += [word for bit, word in enumerate(LEGEND["tokenModifiers"]) if modifiers >> bit & 1]
        yield start, end, ".".join(words)


TEXT = """\
{"version": "0.1",
 "navigation": {"items": [{"label": "😀", "pageId": "tödy"}]},
 "pages": [{
  "title": "😀 Größe", "id": "orders",
  "type": "Page", "children": [{
   "type": "Section", "direction": "row", "children": [
    {"key": "no", "type": "Table", "columns": [
      {"key": "state", "label": "badge"}, {"key": 7, "type": "color"}],
     "filter": {"field": "state", "options": []},
     "binding": {"type": "read", "method": "POST", "path": "/a/b", "valuePath": "data.x"}},
    {"type": "Txt", "content": "/a/b", "label": ""}]}]}]}
"""
TOKENS = [
    "0.1 enumMember", "tödy variable", "orders variable.declaration", "Page class", "Section class", "row enumMember",
    "Table class", "state variable.declaration", "state variable", "read enumMember", "/a/b property",
    "data.x property",
]  # fmt: skip


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-32"])
def test_a_document(encoding):
    editor = opened(TEXT, encoding=encoding)
    found = decode(editor, editor.request(FULL)["data"])
    assert [f"{TEXT[start:end]} {word}" for start, end, word in found] == TOKENS


def test_tokens_of_a_range_contain_those_inside_of_it():
    for text in broken_texts():
        editor = opened(text)
        everything = set(decode(editor, editor.request(FULL)["data"]))
        for first in range(0, text.count("\n") + text.count("\r") + 1, 3):
            lines = {"start": {"line": first, "character": 0}, "end": {"line": first + 4, "character": 0}}
            start, end = editor.span(lines)
            inside = {token for token in everything if start <= token[0] and token[1] <= end}
            assert inside <= set(decode(editor, editor.request(RANGE, range=lines)["data"])) <= everything
