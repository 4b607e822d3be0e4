"""Inlay hints: behind a reference, what the thing is called that it names; behind an id, how often it is used."""

from __future__ import annotations

from rui_common.editing.references import reference_index
from rui_common.editing.traversal import label_of
from rui_common.syntax.spans import Span
from rui_common.vocabulary.lookup import schema_location, shape_of
from rui_common.vocabulary.rui_0_1 import VOCABULARY
from rui_lsp.client.convert import range_from_lsp, range_to_lsp

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rui_common.editing.references import ReferenceIndex
    from rui_common.syntax.document import Document
    from rui_common.syntax.paths import Path
    from rui_common.vocabulary.schema import Symbol
    from rui_lsp.client.convert import Json
    from rui_lsp.documents.workspace import OpenDocument, Workspace

METHOD = "textDocument/inlayHint"

MAX_LABEL = 40
"""Characters of a title that are shown."""


def answer(workspace: Workspace, params: Json) -> list[Json] | None:
    """``textDocument/inlayHint``: the hints of a range of lines."""
    opened = workspace.document_of(params)
    start, end = (opened.text.offset(*position) for position in range_from_lsp(params.get("range")))
    names = reference_index(opened.document)
    counted = set(names.defined(counted_symbols()))
    hints: list[Json] = []
    for path in names.within(Span(start, end)):
        is_counted = names.is_definition(path)
        if is_counted and path not in counted:
            continue
        hint = _count(names, path) if is_counted else _title(opened, names, path)
        if hint:
            # Right behind the value, quotes included.
            at = range_to_lsp(opened.document.range_of(path), opened.text)["end"]
            hints.append({"position": at, "paddingLeft": True, **hint})
    return hints


def counted_symbols() -> list[Symbol]:
    """The sorts of names whose uses are counted: those that a rule wants to be used."""
    return [symbol for symbol in VOCABULARY.symbols if symbol.unused is not None]


def _count(names: ReferenceIndex, path: Path) -> Json:
    count = len(names.uses(path))
    return {"label": "1 use" if count == 1 else f"{count} uses"}


def _title(opened: OpenDocument, names: ReferenceIndex, path: Path) -> Json:
    """What is called what the name leads to; a click on it leads there."""
    for definition in names.definitions(path):
        label = _label_around(opened.document, definition)
        if label:
            shown = label if len(label) <= MAX_LABEL else label[: MAX_LABEL - 1] + "…"
            there = {"uri": opened.uri, "range": range_to_lsp(names.span(definition), opened.text)}
            return {"label": [{"value": shown, "location": there}]}
    return {}


def _label_around(document: Document, path: Path) -> str:
    """The label of the object that has the property at `path`."""
    place = schema_location(document.value, path[:-1])
    value = document.value
    for step in path[:-1]:
        value = value[step]  # type: ignore[index]  # names stand in what is there
    return "" if place is None else label_of(value, shape_of(value, place.kind))
