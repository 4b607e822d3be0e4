"""Inlay hints: after a reference, the label of what it names, unless the text beside it is the same."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from rui_common.editing.references import reference_index
from rui_common.editing.traversal import label_of
from rui_common.json_values import as_object
from rui_common.syntax.paths import value_at
from rui_common.vocabulary.lookup import schema_location, shape_of
from rui_lsp.client.convert import to_position, to_range, to_span

if TYPE_CHECKING:
    from rui_common.editing.references import ReferenceIndex
    from rui_common.syntax.document import Document
    from rui_common.syntax.paths import Path
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
    hints = []
    for path in names.paths_in(to_span(params.range, document.text)):
        if names.is_definition(path):
            continue
        label = _definition_label(document, names, path)
        if label is not None:
            position = to_position(document.document.range_of(path).end, document.text)  # after the closing quote
            hints.append(types.InlayHint(position, label, padding_left=True))
    return hints


def _definition_label(
    document: OpenDocument, names: ReferenceIndex, path: Path
) -> list[types.InlayHintLabelPart] | None:
    """The label of the definition that a reference names; a click leads there."""
    siblings = value_at(document.document.value, path[:-1])
    for definition in names.definitions(path):
        label = _label_of_parent(document.document, definition)
        if label in as_object(siblings).values():
            return None
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
    value = value_at(document.value, path[:-1])
    return label_of(value, shape_of(value, location.kind))
