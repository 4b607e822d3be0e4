"""Linked editing: the references to a name change while its definition is typed."""

from __future__ import annotations

from lsprotocol import types

from rui_common.editing.rename import name_span
from rui_lsp.features.symbol_at_cursor import symbol_at_cursor
from rui_lsp.server.server import RuiLanguageServer

WORD_PATTERN = r"[^\"\\\r\n]*"
"""What the author may type before the link ends: any characters of a name."""


def register(server: RuiLanguageServer) -> None:
    server.feature(types.TEXT_DOCUMENT_LINKED_EDITING_RANGE)(linked_editing_range)


def linked_editing_range(
    ls: RuiLanguageServer, params: types.LinkedEditingRangeParams
) -> types.LinkedEditingRanges | None:
    """Return the definition of a name, if the cursor is there, and its uses.

    Null for a name without uses, for a duplicate, and at a use: there the author may want to refer to another name.
    """
    symbol = symbol_at_cursor(ls, params)
    if symbol is None or not symbol.is_definition(symbol.path):
        return None
    paths = symbol.references()
    text = symbol.document.source
    written = {text[slice(*name_span(symbol.document.analysis, path))] for path in paths}
    is_ambiguous = len(symbol.definitions()) > 1 or len(written) > 1
    if len(paths) < 2 or is_ambiguous:
        return None
    return types.LinkedEditingRanges([symbol.range(path) for path in paths], WORD_PATTERN)
