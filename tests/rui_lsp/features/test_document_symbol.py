"""Document symbols."""

import pytest

from tests.rui_lsp.marked import DOCUMENT, URI, broken_texts, opened

KINDS = {2: "module", 3: "namespace", 8: "field", 13: "variable", 15: "string", 19: "object", 20: "key", 23: "struct"}
METHOD = "textDocument/documentSymbol"


def lines(symbols, indent=""):
    for symbol in symbols:
        detail = f" — {symbol['detail']}" if "detail" in symbol else ""
        yield f"{indent}{KINDS[symbol['kind']]} {symbol['name']}{detail}"
        yield from lines(symbol.get("children", []), indent + "  ")


def check(text, expected):
    """Compare the outline, one symbol per line."""
    editor = opened(text)
    assert "\n".join(lines(editor.request(METHOD))) == expected.strip("\n")


def test_a_document():
    check(
        DOCUMENT,
        """
object navigation
  key Start — home
  key tody
  key 😀 — home
module At home — Page home
  namespace main — Section
    struct Orders — Table orders
      field State — status
      field home
      key status
    string See https://example.org/a. — Text note
module Stock — Page stock
""",
    )


def test_a_client_without_trees_gets_a_list():
    editor = opened(DOCUMENT, {"textDocument": {"documentSymbol": {"hierarchicalDocumentSymbolSupport": False}}})
    symbols = editor.request(METHOD)
    assert {symbol["location"]["uri"] for symbol in symbols} == {URI}
    assert [(symbol["name"], symbol.get("containerName")) for symbol in symbols][-6:] == [
        ("Orders", "main"), ("State", "Orders"), ("home", "Orders"), ("status", "Orders"),
        ("See https://example.org/a.", "main"), ("Stock", None),
    ]  # fmt: skip
    tree = [symbol["range"] for symbol in flattened(opened(DOCUMENT).request(METHOD))]
    assert [symbol["location"]["range"] for symbol in symbols] == tree


def flattened(symbols):
    for symbol in symbols:
        yield symbol
        yield from flattened(symbol.get("children", []))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", ""),
        ("[]", ""),
        ('{"pages": [{"id": "a", "type": "Pag', "module a"),
        ('{"pages": [{"type": "Page", "title": "  "}, {}, 7]}', "module Page\nmodule 1"),
        ('{"pages": [{"type": "Page", "title": " ", "description": "About"}]}', "module Page"),
        ('{"pages": [{"title": "A\\nb", "type": "Page"}', "module A b — Page"),
        ('{"pages": [], "pages": [{"id": "a"}]}', "module a"),
        ('{"pages": [{"id": "a", "type": "Button"}]}', "module a"),
    ],
)
def test_what_is_broken(text, expected):
    check(text, expected)


def test_names_lie_within_and_ranges_nest():
    for text in broken_texts():
        editor = opened(text)
        waiting = [((0, len(text)), symbol) for symbol in editor.request(METHOD)]
        while waiting:
            container, symbol = waiting.pop()
            whole, name = editor.span(symbol["range"]), editor.span(symbol["selectionRange"])
            assert container[0] <= whole[0] <= name[0] <= name[1] <= whole[1] <= container[1]
            assert symbol["name"].strip()
            waiting += [(whole, below) for below in symbol.get("children", [])]
