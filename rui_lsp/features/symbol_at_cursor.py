"""The name under the cursor, which several features start from."""

from __future__ import annotations

from typing import NamedTuple, Protocol

from lsprotocol import types

from rui_common.editing.rename import in_text_order, name_at, name_span
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
    path: Path
    """Where the name is."""

    @property
    def name(self) -> str:
        return self.document.analysis.names.at(self.path)[0].text

    def range(self, path: Path | None = None) -> types.Range:
        """Return the range of the name, or of the one at another path."""
        if path is None:
            path = self.path
        return to_range(name_span(self.document.analysis, path), self.document.positions)

    def definitions(self) -> list[Path]:
        """Return the definitions of the name, in text order."""
        analysis = self.document.analysis
        return in_text_order(analysis, analysis.names.definitions(self.path))

    def references(self) -> list[Path]:
        """Return the definitions and uses of the name, in text order."""
        analysis = self.document.analysis
        return in_text_order(analysis, analysis.names.references(self.path))

    def is_definition(self, path: Path) -> bool:
        """Return whether the name is defined at a path."""
        return self.document.analysis.names.is_definition(path)


def symbol_at_cursor(ls: RuiLanguageServer, params: _PositionParams) -> SymbolAtCursor | None:
    """Return the name at the position of a request, which may also be on one of its quotes; None if there is none.

    Raises:
        JsonRpcException: the document is not open.
    """
    document = ls.documents.get(params.text_document)
    path = name_at(document.analysis, to_offset(params.position, document.positions))
    if path is None:
        return None
    return SymbolAtCursor(document, path)
