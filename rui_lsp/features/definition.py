"""Go to definition: from a reference, or from the name itself, to where it is defined."""

from __future__ import annotations

from lsprotocol import types
from pygls.uris import from_fs_path

from rui_common.syntax.paths import Path
from rui_lsp.client.convert import to_offset, to_range
from rui_lsp.features.symbol_at_cursor import SymbolAtCursor, symbol_at_cursor
from rui_lsp.server.server import RuiLanguageServer


def register(server: RuiLanguageServer) -> None:
    server.feature(types.TEXT_DOCUMENT_DEFINITION)(definition)


async def definition(
    ls: RuiLanguageServer, params: types.DefinitionParams
) -> list[types.Location] | list[types.LocationLink] | None:
    """Return every definition of the name under the cursor, as links for clients that support them, else as locations.

    Of a path, value path or column key: the operation or schema in the OpenAPI description.
    """
    links = await _api_links(ls, params)
    if links is not None:
        return links
    symbol = symbol_at_cursor(ls, params)
    if symbol is None:
        return None
    paths = symbol.definitions()
    if ls.supports("text_document.definition.link_support"):
        return [_link(symbol, path) for path in paths]
    return [types.Location(symbol.document.uri, symbol.range(path)) for path in paths]


async def _api_links(
    ls: RuiLanguageServer, params: types.DefinitionParams
) -> list[types.Location] | list[types.LocationLink] | None:
    document = ls.documents.get(params.text_document)
    if document.api is None:
        return None
    from rui_openapi.editing.definition import target_at  # noqa: PLC0415  only with a description

    path = document.document.path_at(to_offset(params.position, document.positions))
    member = document.document.find(path)
    target = target_at(document.analysis, path)
    if target is None or member is None or member.span is None:
        return None
    origin = to_range(member.span, document.positions)
    found = await ls.apis.definition(document, target, ls.documents.encoding)
    if found is None:
        return None
    uri = from_fs_path(found.path)
    name = types.Range(types.Position(*found.start), types.Position(*found.end))
    if uri is None:
        return None
    if ls.supports("text_document.definition.link_support"):
        return [types.LocationLink(uri, name, name, origin_selection_range=origin)]
    return [types.Location(uri, name)]


def _link(symbol: SymbolAtCursor, path: Path) -> types.LocationLink:
    """Return a link that shows the whole object that has the name."""
    document = symbol.document
    selection_range = symbol.range(path)
    target_range = selection_range
    parent = document.document.find(path[:-1])
    if parent is not None and parent.span is not None:
        target_range = to_range(parent.span, document.positions)
    return types.LocationLink(document.uri, target_range, selection_range, origin_selection_range=symbol.range())
