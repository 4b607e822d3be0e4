"""Hover: what the vocabulary says of the property under the cursor, what a reference names, what a node's type is."""

from __future__ import annotations

from rui_common.editing.hover import prop_text, shape_text
from rui_common.editing.references import reference_index
from rui_common.editing.traversal import label_of
from rui_common.syntax.paths import value_at
from rui_common.syntax.tree import UNKNOWN
from rui_common.vocabulary.lookup import schema_location, shape_of
from rui_common.vocabulary.rui_0_1 import VOCABULARY
from rui_lsp.client.convert import offset_from_lsp, range_to_lsp
from rui_lsp.client.markup import markup

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rui_common.syntax.document import Document
    from rui_common.syntax.paths import Path
    from rui_lsp.client.convert import Json
    from rui_lsp.documents.workspace import Workspace

METHOD = "textDocument/hover"


def answer(workspace: Workspace, params: Json) -> Json | None:
    """``textDocument/hover``: words about the key or plain value under the cursor."""
    opened = workspace.document_of(params)
    document = opened.document
    offset = offset_from_lsp(params.get("position"), opened.text)
    path = document.path_at(offset)
    member, place = document.find(path), schema_location(document.value, path)
    if member is None or place is None or place.prop is None:
        return None
    key = member.key_span
    on_key = key is not None and key.start <= offset <= key.end
    if not on_key and (member.start == UNKNOWN or member.members() is not None):
        return None
    span = key if on_key else member.span
    if span is None:
        return None
    parts = [] if on_key else [*_of_value(document, path), *_named(document, path)]
    parts.append(prop_text(place.shape, place.prop, workspace.client.settings.docs_url))
    return {
        "contents": markup(workspace.client, "\n\n---\n\n".join(parts), "hover", "contentFormat"),
        "range": range_to_lsp(span, opened.text),
    }


def _of_value(document: Document, path: Path) -> list[str]:
    """About the shape that a node's type chooses."""
    owner = schema_location(document.value, path[:-1])
    shape = None if owner is None else shape_of(value_at(document.value, path[:-1]), owner.kind)
    is_type = shape is not None and shape.is_node and value_at(document.value, path) == shape.name
    return [shape_text(VOCABULARY.shapes[shape.name])] if shape is not None and is_type else []


def _named(document: Document, path: Path) -> list[str]:
    """About what a reference names."""
    names = reference_index(document)
    found = []
    for definition in names.definitions(path) if not names.is_definition(path) else ():
        place = schema_location(document.value, definition[:-1])
        value = value_at(document.value, definition[:-1])
        shape = None if place is None else shape_of(value, place.kind)
        if shape is not None:
            label = label_of(value, shape).replace("`", "'")
            found.append(f"{shape.name} `{names.name(definition)}`" + (f": {label}" if label else ""))
    return found
