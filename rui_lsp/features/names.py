"""The name under the cursor: its definition, its uses, highlights of both, rename; linked editing while it is typed.

A path, value path or column key has its definition in the OpenAPI description.
"""

from pathlib import Path as FilePath
from typing import NamedTuple, Protocol

from lsprotocol import types

from rui_common.editing.names import NameRefusedError, in_text_order, name_at, name_span
from rui_common.editing.names import rename as rename_name
from rui_common.syntax.paths import Path
from rui_lsp.convert import to_offset, to_range
from rui_lsp.protocol.errors import RequestFailedError
from rui_lsp.server import RuiLanguageServer, workspace_edit
from rui_lsp.session.documents import OpenDocument

NO_NAME = "There is no name here that can be renamed: put the cursor on an id, a key or a reference."

WORD_PATTERN = r"[^\"\\\r\n]*"  # what the author may type before the link ends: any characters of a name


def register(server: RuiLanguageServer) -> None:
    server.feature(types.TEXT_DOCUMENT_DEFINITION)(definition)
    server.feature(types.TEXT_DOCUMENT_REFERENCES)(references)
    server.feature(types.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT)(document_highlight)
    server.feature(types.TEXT_DOCUMENT_PREPARE_RENAME)(prepare_rename)
    server.feature(types.TEXT_DOCUMENT_RENAME)(rename)
    server.feature(types.TEXT_DOCUMENT_LINKED_EDITING_RANGE)(linked_editing_range)


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
        analysis = self.document.analysis
        return in_text_order(analysis, analysis.names.definitions(self.path))

    def references(self) -> list[Path]:
        """Return the definitions and uses of the name, in text order."""
        analysis = self.document.analysis
        return in_text_order(analysis, analysis.names.references(self.path))

    def is_definition(self, path: Path) -> bool:
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


async def definition(
    ls: RuiLanguageServer, params: types.DefinitionParams
) -> list[types.Location] | list[types.LocationLink] | None:
    """Return every definition of the name under the cursor, as links for clients that support them, else as locations.

    Of a path, value path or column key: the operation or schema in the OpenAPI description.
    """
    link = await _api_link(ls, params)
    if link is not None:
        links = [link]
    else:
        symbol = symbol_at_cursor(ls, params)
        if symbol is None:
            return None
        links = [_link(symbol, path) for path in symbol.definitions()]
    if ls.supports("text_document.definition.link_support"):
        return links
    return [types.Location(link.target_uri, link.target_selection_range) for link in links]


async def _api_link(ls: RuiLanguageServer, params: types.DefinitionParams) -> types.LocationLink | None:
    document = ls.documents.get(params.text_document)
    if document.api is None:
        return None
    from rui_openapi.editing.definition import target_at  # only with a description

    path = document.document.path_at(to_offset(params.position, document.positions))
    member = document.document.find(path)
    target = target_at(document.analysis, path)
    if target is None or member is None or member.span is None:
        return None
    origin = to_range(member.span, document.positions)
    found = await ls.apis.definition(document, target, ls.documents.encoding)
    if found is None:
        return None
    name = types.Range(types.Position(*found.start), types.Position(*found.end))
    return types.LocationLink(FilePath(found.path).as_uri(), name, name, origin_selection_range=origin)


def _link(symbol: SymbolAtCursor, path: Path) -> types.LocationLink:
    """Return a link that shows the whole object that has the name."""
    document = symbol.document
    selection_range = symbol.range(path)
    target_range = selection_range
    parent = document.document.find(path[:-1])
    if parent is not None and parent.span is not None:
        target_range = to_range(parent.span, document.positions)
    return types.LocationLink(document.uri, target_range, selection_range, origin_selection_range=symbol.range())


def references(ls: RuiLanguageServer, params: types.ReferenceParams) -> list[types.Location] | None:
    symbol = symbol_at_cursor(ls, params)
    if symbol is None:
        return None
    return [
        types.Location(symbol.document.uri, symbol.range(path))
        for path in symbol.references()
        if params.context.include_declaration or not symbol.is_definition(path)
    ]


def document_highlight(
    ls: RuiLanguageServer, params: types.DocumentHighlightParams
) -> list[types.DocumentHighlight] | None:
    """Return every occurrence of the name: a definition is a write, a use is a read.

    Mark the node at the caret in the preview, too: editors send the request when the caret rests.
    """
    ls.observer.caret_moved(params.text_document.uri, params.position)
    symbol = symbol_at_cursor(ls, params)
    if symbol is None:
        return None
    highlights = []
    for path in symbol.references():
        kind = types.DocumentHighlightKind.Read
        if symbol.is_definition(path):
            kind = types.DocumentHighlightKind.Write
        highlights.append(types.DocumentHighlight(symbol.range(path), kind))
    return highlights


def prepare_rename(ls: RuiLanguageServer, params: types.PrepareRenameParams) -> types.PrepareRenamePlaceholder | None:
    symbol = symbol_at_cursor(ls, params)
    if symbol is None:
        return None
    return types.PrepareRenamePlaceholder(symbol.range(), symbol.name)


def rename(ls: RuiLanguageServer, params: types.RenameParams) -> types.WorkspaceEdit:
    """Return the edits of the document.

    Raises:
        JsonRpcException: there is no name under the cursor, or the new one is malformed or taken.
    """
    symbol = symbol_at_cursor(ls, params)
    if symbol is None:
        raise RequestFailedError(NO_NAME)
    try:
        edits = rename_name(symbol.document.analysis, symbol.path, params.new_name)
    except NameRefusedError as refusal:
        raise RequestFailedError(str(refusal)) from None
    return workspace_edit(ls, ls.documents.get(params.text_document), edits)


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
