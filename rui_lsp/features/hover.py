"""Hover: the documentation of the property under the cursor, of what a reference names, and of a node's type."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from rui_common.editing.hover import prop_text, shape_text
from rui_common.editing.references import reference_index
from rui_common.editing.traversal import label_of
from rui_common.syntax.paths import value_at
from rui_common.syntax.tree import UNKNOWN
from rui_common.vocabulary.lookup import schema_location, shape_of
from rui_common.vocabulary.rui_0_1 import VOCABULARY
from rui_lsp.client.convert import to_offset, to_range
from rui_lsp.client.markup import markup

if TYPE_CHECKING:
    from rui_common.syntax.document import Document
    from rui_common.syntax.paths import Path
    from rui_common.syntax.spans import Span
    from rui_lsp.server.server import RuiLanguageServer


def register(server: RuiLanguageServer) -> None:
    server.feature(types.TEXT_DOCUMENT_HOVER)(hover)


def hover(ls: RuiLanguageServer, params: types.HoverParams) -> types.Hover | None:
    """The documentation of the key or simple value under the cursor."""
    document = ls.workspace.get(params.text_document)
    parsed = document.document
    offset = to_offset(params.position, document.text)
    path = parsed.path_at(offset)
    location = schema_location(parsed.value, path)
    span, is_key = _hovered_span(parsed, path, offset)
    if span is None or location is None or location.prop is None:
        return None
    parts: list[str] = []
    if not is_key:
        parts += [*_type_texts(parsed, path), *_reference_texts(parsed, path)]
    parts.append(prop_text(location.shape, location.prop, ls.configuration.settings.docs_url))
    contents = markup("\n\n---\n\n".join(parts), ls.capability_list("text_document.hover.content_format"))
    return types.Hover(contents, to_range(span, document.text))


def _hovered_span(document: Document, path: Path, offset: int) -> tuple[Span | None, bool]:
    """The span of the key or simple value at an offset, and whether it is a key."""
    member = document.find(path)
    if member is None:
        return None, False
    key = member.key_span
    if key is not None and key.start <= offset <= key.end:
        return key, True
    if member.start == UNKNOWN or member.members() is not None:
        return None, False
    return member.span, False


def _type_texts(document: Document, path: Path) -> list[str]:
    """The documentation of the shape that a node's type selects."""
    owner = schema_location(document.value, path[:-1])
    if owner is None:
        return []
    shape = shape_of(value_at(document.value, path[:-1]), owner.kind)
    if shape is None or not shape.is_node or value_at(document.value, path) != shape.name:
        return []
    return [shape_text(VOCABULARY.shapes[shape.name])]


def _reference_texts(document: Document, path: Path) -> list[str]:
    """The definitions that a reference names."""
    names = reference_index(document)
    if names.is_definition(path):
        return []
    texts = []
    for definition in names.definitions(path):
        location = schema_location(document.value, definition[:-1])
        value = value_at(document.value, definition[:-1])
        shape = None if location is None else shape_of(value, location.kind)
        if shape is None:
            continue
        text = f"{shape.name} `{names.name(definition)}`"
        label = label_of(value, shape).replace("`", "'")
        if label:
            text = f"{text}: {label}"
        texts.append(text)
    return texts
