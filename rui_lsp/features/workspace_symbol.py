"""Workspace symbols: the nodes of all documents of the workspace, open or not, by label or id."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from lsprotocol import types

from rui_lsp.client.convert import Positions
from rui_lsp.documents.files_on_disk import compute_from_file, document_paths
from rui_lsp.documents.offload import run_in_worker
from rui_lsp.features.document_symbol import symbols, top_symbols
from rui_lsp.protocol.encoding import EncodedJson, encode_data
from rui_lsp.scheduling.timing import TimeSlice

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator

    from rui_common.syntax.document import Document
    from rui_common.syntax.line_index import Encoding
    from rui_lsp.client.convert import Json
    from rui_lsp.server.server import RuiLanguageServer

MAX_SYMBOLS = 1000
"""How many symbols are returned at most; a longer query finds the others."""

MAX_FILES = 1000
"""How many files are searched at most."""


def register(server: RuiLanguageServer) -> None:
    index = _OpenDocumentSymbols()

    @server.feature(types.WORKSPACE_SYMBOL)
    async def workspace_symbol(ls: RuiLanguageServer, params: types.WorkspaceSymbolParams) -> EncodedJson:
        """The symbols whose label or id has the letters of the query in their order."""
        letters = "".join(params.query.lower().split())
        return await _search(letters, _all_trees(ls, index))


async def _search(letters: str, trees: AsyncIterator[tuple[str, list[Json]]]) -> EncodedJson:
    matches: list[bytes] = []
    time_slice = TimeSlice()
    async for uri, tree in trees:
        for symbol, container in _flatten(tree, ""):
            name = _full_name(symbol)
            if _matches(letters, name.lower()):
                location = {"uri": uri, "range": symbol["selectionRange"]}
                match = {"name": name, "kind": symbol["kind"], "location": location, "containerName": container}
                matches.append(encode_data(match))
                if len(matches) == MAX_SYMBOLS:
                    return _array(matches)
            if time_slice.is_over:
                await time_slice.pause()
    return _array(matches)


def _array(items: list[bytes]) -> EncodedJson:
    return EncodedJson(b"[%b]" % b",".join(items))


class _OpenDocumentSymbols:
    """The symbols of open documents, kept for the next query, which often has one letter more."""

    def __init__(self) -> None:
        self.trees: WeakKeyDictionary[Document, list[Json]] = WeakKeyDictionary()


async def _all_trees(ls: RuiLanguageServer, index: _OpenDocumentSymbols) -> AsyncIterator[tuple[str, list[Json]]]:
    """The address and the symbols of every document: first those that are open, then the others of the workspace."""
    workspace = ls.workspace
    for document in workspace.documents:
        parsed = document.document
        if parsed not in index.trees:
            index.trees[parsed] = [symbol async for symbol in top_symbols(document)]
        yield document.uri, index.trees[parsed]
    open_uris = [document.uri for document in workspace.documents]
    paths = await asyncio.to_thread(document_paths, open_uris, workspace.folder_uris)
    for uri, path in list(paths.items())[:MAX_FILES]:
        if path is not None and workspace.find(uri) is None:
            yield uri, await run_in_worker(_file_symbols, path, workspace.encoding)


def _file_symbols(path: str, encoding: Encoding) -> list[Json]:
    def make(document: Document) -> list[Json]:
        return list(symbols(document, Positions(document, encoding)))

    return compute_from_file(path, ("symbols", encoding), make) or []


def _full_name(symbol: Json) -> str:
    """The label with the detail after it: editors search in names alone."""
    detail = symbol.get("detail")
    if detail:
        return f"{symbol['name']} ({detail})"
    return str(symbol["name"])


def _flatten(tree: list[Json], container: str) -> Iterator[tuple[Json, str]]:
    """Every symbol with the name of its parent."""
    for symbol in tree:
        yield symbol, container
        children = symbol.get("children")
        if isinstance(children, list):
            yield from _flatten(children, str(symbol["name"]))


def _matches(letters: str, name: str) -> bool:
    remaining = iter(name)
    return all(letter in remaining for letter in letters)
