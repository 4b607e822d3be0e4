"""Workspace symbols: the pages, blocks and endpoints of all documents, open or in files, that fit a query."""

import re
from collections.abc import Iterator

from lsprotocol import types

from rui_common.json_values import JsonObject
from rui_common.texts import shorten
from rui_lsp.features.document_symbol import MAX_NAME
from rui_lsp.server import RuiLanguageServer
from rui_lsp.session.files import document_paths
from rui_lsp.session.symbols import DocumentSymbol
from rui_lsp.session.threads import in_thread, in_turns

MAX_SYMBOLS = 500  # Maximum number of symbols in a result: the best ones. Editors ask again while the author types.


def register(server: RuiLanguageServer) -> None:
    server.feature(types.WORKSPACE_SYMBOL)(workspace_symbol)


async def workspace_symbol(ls: RuiLanguageServer, params: types.WorkspaceSymbolParams) -> list[JsonObject]:
    """Return the symbols whose name or id has the characters of the query in their order, the best ones first.

    Letters are equal in both cases, and spaces of the query do not count. An empty query fits all.
    """
    documents = ls.documents
    query = "".join(params.query.casefold().split())
    # Clients keep hidden documents open whose file is gone.
    open_uris = [document.uri for document in documents if document.uri not in documents.deleted]
    paths = await in_thread(document_paths, open_uris, documents.folder_uris, ls.apis.leaves_out())
    found: list[tuple[int, str, DocumentSymbol]] = []
    async for uri, path in in_turns(paths.items()):
        found += [(rank, uri, symbol) for rank, symbol in _ranked(ls.symbols.of(uri, path), query)]
    found.sort(key=lambda item: item[0])  # equal ones remain in the order of files
    return [_data(uri, symbol) for _, uri, symbol in found[:MAX_SYMBOLS]]


def _ranked(symbols: list[DocumentSymbol], query: str) -> Iterator[tuple[int, DocumentSymbol]]:
    """Yield the symbols that fit, each with the rank of its better name; 0 is best."""
    for symbol in symbols:
        names = [shorten(name, MAX_NAME) for name in (symbol.name, symbol.other_name) if name]
        rank = min((rank for name in names if (rank := _rank(name, query)) is not None), default=None)
        if rank is not None:
            yield rank, symbol


def _rank(name: str, query: str) -> int | None:
    """Return how well a name fits: 0 equal, 1 at its start, 2 at the start of a word, 3 in it, 4 in parts, or None.

    The first part begins a word: of a long text, nearly any letters are parts.
    """
    words = name.casefold()
    text = "".join(words.split())
    if text.startswith(query):
        return 0 if text == query else 1
    starts = [match.start() for match in re.finditer(rf"\b{re.escape(query[0])}", words)]
    if any("".join(words[start:].split()).startswith(query) for start in starts):
        return 2
    if query in text:
        return 3
    for start in starts:
        characters = iter(words[start:])
        if all(character in characters for character in query):
            return 4
    return None


def _data(uri: str, symbol: DocumentSymbol) -> JsonObject:
    start_line, start, end_line, end = symbol.span
    place = {"start": {"line": start_line, "character": start}, "end": {"line": end_line, "character": end}}
    return {
        "name": shorten(symbol.name, MAX_NAME),
        "kind": int(symbol.kind),
        "containerName": shorten(symbol.container, MAX_NAME),
        "location": {"uri": uri, "range": place},
    }
