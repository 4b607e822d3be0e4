"""Workspace symbols: the nodes of all documents of the workspace, open or not, by label or id."""

from __future__ import annotations

import asyncio
from weakref import WeakKeyDictionary

from rui_lsp.client.convert import Positions
from rui_lsp.documents.files_on_disk import compute_from_file, document_paths
from rui_lsp.documents.offload import elsewhere
from rui_lsp.features.document_symbol import gathered, symbols
from rui_lsp.protocol.framing import Encoded, encoded
from rui_lsp.scheduling.idle import Slices

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator

    from rui_common.syntax.document import Document
    from rui_common.syntax.line_index import Encoding
    from rui_lsp.client.convert import Json
    from rui_lsp.documents.workspace import Workspace

METHOD = "workspace/symbol"

MAX_SYMBOLS = 1000
"""So many are answered at most: nobody reads more, and a longer query finds the rest."""

MAX_FILES = 1000
"""So many documents are looked through at most."""

_trees: WeakKeyDictionary[Document, list[Json]] = WeakKeyDictionary()
"""The outlines of texts that were gone through for the last query: the next has one letter more."""


async def answer(workspace: Workspace, params: Json) -> Encoded:
    """``workspace/symbol``: the symbols in whose label or id the letters of the query stand in their order."""
    query = params.get("query")
    letters = "".join(query.lower().split()) if isinstance(query, str) else ""
    found: list[bytes] = []
    slices = Slices()
    async for uri, tree in _outlines(workspace):
        for symbol, container in _all(tree, ""):
            name = _name(symbol)
            if _matches(letters, name.lower()):
                location = {"uri": uri, "range": symbol["selectionRange"]}
                item = {"name": name, "kind": symbol["kind"], "location": location, "containerName": container}
                found.append(encoded(item))
                if len(found) == MAX_SYMBOLS:
                    break
            if slices.is_over:
                await slices.pause()
        if len(found) == MAX_SYMBOLS:
            break
    return Encoded(b"[%b]" % b",".join(found))


async def _outlines(workspace: Workspace) -> AsyncIterator[tuple[str, list[Json]]]:
    """The address and the outline of every document: first those that are open, then the others of the workspace."""
    for uri, opened in list(workspace.documents.items()):
        document = opened.document
        if document not in _trees:
            _trees[document] = [symbol async for symbol in gathered(opened)]
        yield uri, _trees[document]
    everywhere = await asyncio.to_thread(document_paths, list(workspace.documents), workspace.client.folders.copy())
    for uri, path in list(everywhere.items())[:MAX_FILES]:
        if path is not None and uri not in workspace.documents:
            yield uri, await elsewhere(_tree_of_file, path, workspace.encoding)


def _tree_of_file(path: str, encoding: Encoding) -> list[Json]:
    def make(document: Document) -> list[Json]:
        return list(symbols(document, Positions(document, encoding)))

    return compute_from_file(path, ("outline", encoding), make) or []


def _name(symbol: Json) -> str:
    """The label with the detail behind it: editors search in names alone."""
    name, detail = str(symbol["name"]), symbol.get("detail")
    return f"{name} ({detail})" if detail else name


def _all(tree: list[Json], container: str) -> Iterator[tuple[Json, str]]:
    for symbol in tree:
        yield symbol, container
        below = symbol.get("children")
        yield from _all(below if isinstance(below, list) else [], str(symbol["name"]))


def _matches(letters: str, name: str) -> bool:
    rest = iter(name)
    return all(letter in rest for letter in letters)
