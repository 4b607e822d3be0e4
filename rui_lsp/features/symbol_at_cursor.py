"""The name under the cursor, which several features start from."""

from __future__ import annotations

from typing import NamedTuple, Protocol

from lsprotocol import types

from rui_common.editing.references import ReferenceIndex
from rui_common.syntax.paths import Path
from rui_lsp.client.convert import to_offset, to_range
from rui_lsp.documents.document import OpenDocument
from rui_lsp.server.server import RuiLanguageServer


class _PositionParams(Protocol):
    text_document: types.TextDocumentIdentifier
    position: types.Position


class SymbolAtCursor(NamedTuple):
    """The name under the cursor."""

    document: OpenDocument
    names: ReferenceIndex
    """All names of the document."""
    path: Path
    """Where the name is."""

    def range(self, path: Path | None = None) -> types.Range:
        """The range of the name, or of the one at another path."""
        if path is None:
            path = self.path
        return to_range(self.names.span(path), self.document.positions)


def symbol_at_cursor(ls: RuiLanguageServer, params: _PositionParams) -> SymbolAtCursor | None:
    """The name at the position of a request, which may also be on one of its quotes; None if there is none.

    Raises:
        JsonRpcException: the document is not open.
    """
    document = ls.documents.get(params.text_document)
    names = document.reading.names
    path = names.path_at(to_offset(params.position, document.positions))
    if path is None:
        return None
    return SymbolAtCursor(document, names, path)
