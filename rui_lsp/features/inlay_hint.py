"""Inlay hints: after a reference, the label of what it names; after an id, how often it is used."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from rui_common.editing.references import reference_index
from rui_common.editing.traversal import label_of
from rui_common.vocabulary.lookup import schema_location, shape_of
from rui_common.vocabulary.rui_0_1 import VOCABULARY
from rui_lsp.client.convert import to_position, to_range, to_span

if TYPE_CHECKING:
    from rui_common.editing.references import ReferenceIndex
    from rui_common.syntax.document import Document
    from rui_common.syntax.paths import Path
    from rui_common.vocabulary.schema import Symbol
    from rui_lsp.documents.document import OpenDocument
    from rui_lsp.server.server import RuiLanguageServer

MAX_LABEL = 40
"""Characters of a label that are shown."""


def register(server: RuiLanguageServer) -> None:
    server.feature(types.TEXT_DOCUMENT_INLAY_HINT)(inlay_hint)


def inlay_hint(ls: RuiLanguageServer, params: types.InlayHintParams) -> list[types.InlayHint]:
    """The hints of a range."""
    document = ls.workspace.get(params.text_document)
    names = reference_index(document.document)
    counted = set(names.definitions_of(counted_symbols()))
    hints = []
    for path in names.paths_in(to_span(params.range, document.text)):
        label: str | list[types.InlayHintLabelPart] | None
        if not names.is_definition(path):
            label = _definition_label(document, names, path)
        elif path in counted:
            label = _use_count(names, path)
        else:
            continue
        if label is not None:
            position = to_position(document.document.range_of(path).end, document.text)  # after the closing quote
            hints.append(types.InlayHint(position, label, padding_left=True))
    return hints


def counted_symbols() -> list[Symbol]:
    """The kinds of names whose uses are counted: those that a rule wants to be used."""
    return [symbol for symbol in VOCABULARY.symbols if symbol.unused is not None]


def _use_count(names: ReferenceIndex, path: Path) -> str:
    count = len(names.uses(path))
    if count == 1:
        return "1 use"
    return f"{count} uses"


def _definition_label(
    document: OpenDocument, names: ReferenceIndex, path: Path
) -> list[types.InlayHintLabelPart] | None:
    """The label of the definition that a reference names; a click leads there."""
    for definition in names.definitions(path):
        label = _label_of_parent(document.document, definition)
        if len(label) > MAX_LABEL:
            label = label[: MAX_LABEL - 1] + "…"
        if label:
            location = types.Location(document.uri, to_range(names.span(definition), document.text))
            return [types.InlayHintLabelPart(label, location=location)]
    return None


def _label_of_parent(document: Document, path: Path) -> str:
    """The label of the object that has the property at `path`."""
    location = schema_location(document.value, path[:-1])
    if location is None:
        return ""
    value = document.value
    for step in path[:-1]:
        value = value[step]  # type: ignore[index]  # the path of a name exists
    return label_of(value, shape_of(value, location.kind))
