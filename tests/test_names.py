"""One thing has one name: on the page, in the outline, in fixes, comparisons and merges.

Warnings about an OpenAPI description name requests and fields, no blocks.
"""

import copy
import json
import re
from typing import Any

import pytest

from rui_common.problems.suggestion import remove_element
from rui_common.syntax.document import read
from rui_common.syntax.paths import Path, value_at
from rui_common.validation.analysis import Analysis
from rui_common.versions.compare import compare
from rui_common.versions.merge import merge
from rui_inspector.html.values import fragment
from rui_inspector.html.wireframe import WireframeWriter
from rui_inspector.model.view import View
from rui_inspector.model.wireframe import wireframe_of
from tests.rui_inspector.pages import Page
from tests.rui_lsp.marked import opened

READ = {"type": "read", "method": "GET", "path": "/api/kinds"}
COLUMNS = [{"key": "kind", "label": "Kind of animal"}, {"key": "plain"}, {"key": "blank", "label": " "}]
OPTIONS = [{"value": "a", "label": "Alpha"}, {"value": "beta"}]
DOCUMENT: dict[str, Any] = {
    "version": "0.1",
    "meta": {"title": "Clinic"},
    "navigation": {"items": [{"pageId": "ward", "label": "Home"}, {"pageId": "stock"}, {"pageId": "bare"}]},
    "pages": [
        {"id": "ward", "type": "Page", "title": "Ward", "description": "About", "children": [
            {"id": "s", "type": "Section", "title": "Today", "direction": "stack", "children": [
                {"id": "t", "type": "Text", "content": "Welcome  to\nthe clinic"},
                {"id": "m", "type": "Metric", "label": "Open cases", "binding": READ | {"valuePath": "open"}},
                {"id": "named", "type": "Table", "title": "Animals", "binding": READ, "columns": COLUMNS,
                 "filter": {"field": "kind", "options": OPTIONS}},
                {"id": "nameless", "type": "Table", "binding": READ, "columns": [{"key": "plain"}]},
            ]},
            {"id": "first-words", "type": "Section", "direction": "stack", "children": [
                {"id": "u", "type": "Text", "content": "Rounds at nine"},
            ]},
        ]},
        {"id": "stock", "type": "Page", "title": "Stock room", "children": [
            {"id": "v", "type": "Section", "title": "Shelves", "direction": "row", "children": [
                {"id": "w", "type": "Text", "content": "Two"}]}]},
        {"id": "bare", "type": "Page", "title": " ", "description": "About", "children": [
            {"id": "no-words", "type": "Section", "direction": "row", "children": [
                {"id": "silent", "type": "Text", "content": " "}]}]},
    ],
}  # fmt: skip
TEXT = json.dumps(DOCUMENT)
ANALYSIS = Analysis(read(TEXT))

ITEMS: Path = ("navigation", "items")
WARD: Path = ("pages", 0, "children")
BLOCKS: Path = (*WARD, 0, "children")
NAMES: dict[str, tuple[Path, str]] = {
    "a navigation item": ((*ITEMS, 0), "Home"),
    "one without a label, by its page": ((*ITEMS, 1), "Stock room"),
    "one of a page without a title": ((*ITEMS, 2), "bare"),
    "a page": (WARD[:2], "Ward"),
    "a page without a title": (("pages", 2), "bare"),
    "a section": ((*WARD, 0), "Today"),
    "a section without words": (("pages", 2, "children", 0), "no-words"),
    "a text on two lines": ((*BLOCKS, 0), "Welcome to the clinic"),
    "an empty text": (("pages", 2, "children", 0, "children", 0), "silent"),
    "a metric": ((*BLOCKS, 1), "Open cases"),
    "a table": ((*BLOCKS, 2), "Animals"),
    "a column": ((*BLOCKS, 2, "columns", 0), "Kind of animal"),
    "a column without a label": ((*BLOCKS, 2, "columns", 1), "plain"),
    "a column with an empty label": ((*BLOCKS, 2, "columns", 2), "blank"),
    "an option": ((*BLOCKS, 2, "filter", "options", 0), "Alpha"),
    "an option without a label": ((*BLOCKS, 2, "filter", "options", 1), "beta"),
}
"""Path of an object, and its name."""

DESCRIBED: dict[str, tuple[Path, str, str]] = {
    "a table without a title": ((*BLOCKS, 3), "nameless", "the table of /api/kinds"),
    "a section without a title": ((*WARD, 1), "first-words", "the section with “Rounds at nine”"),
}
"""Path of an object without a text, its name, and how comparisons and merges describe it: an id says little there."""

EVERY_OBJECT = pytest.mark.parametrize(
    ("path", "name", "in_versions"),
    [*((path, name, name) for path, name in NAMES.values()), *DESCRIBED.values()],
    ids=[*NAMES, *DESCRIBED],
)


def changed(path: Path, change: Any) -> str:
    """Return the text of the document after a change of the list with an element, and of its index."""
    document = copy.deepcopy(DOCUMENT)
    values = value_at(document, path[:-1])
    change(values, path[-1])
    return json.dumps(document)


def marked(mark: int) -> Any:
    return lambda values, index: values[index].update(mark=mark)


@EVERY_OBJECT
def test_a_fix(path: Path, name: str, in_versions: str) -> None:
    node = ANALYSIS.tree.at(path)
    assert node is not None
    assert remove_element(path, node.value, node).title == f"Remove {node.noun} {json.dumps(name)}"


@EVERY_OBJECT
def test_the_outline(path: Path, name: str, in_versions: str) -> None:
    outline = {symbol["range"]["start"]["character"]: symbol["name"] for symbol in below(SYMBOLS)}
    span = ANALYSIS.document.span_of(path)
    assert span is not None
    assert outline.get(span.start, name) == name  # options of a filter are not in it
    assert span.start in outline or "options" in path


@EVERY_OBJECT
def test_the_page(path: Path, name: str, in_versions: str) -> None:
    view = View(DOCUMENT)
    nodes = {node.path: node.name for node in view.nodes}
    assert nodes.get(path, name) == name
    words = Page(WireframeWriter(view, wireframe_of(view, 1_000), fragment).screens()).text
    assert path in nodes or name in words


@EVERY_OBJECT
def test_a_comparison(path: Path, name: str, in_versions: str) -> None:
    after = changed(path, lambda values, index: values.pop(index))
    sentences = [re.sub(r"\*\*|`", "", line) for line in compare(DOCUMENT, json.loads(after)).summary.lines]
    assert any(in_versions.lower() in sentence.lower() for sentence in sentences)


@EVERY_OBJECT
def test_a_merge(path: Path, name: str, in_versions: str) -> None:
    [conflict] = merge(read(TEXT), *(read(changed(path, marked(number))) for number in (1, 2))).conflicts
    assert in_versions.lower() in conflict.lower()


def below(symbols: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [nested for symbol in symbols for nested in (symbol, *below(symbol.get("children", [])))]


SYMBOLS: list[dict[str, Any]] = opened(TEXT).request("textDocument/documentSymbol")
