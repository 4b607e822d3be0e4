"""``rui.showNode``: selects the id or key of an element, such as one that a refactoring has added."""

from __future__ import annotations

from lsprotocol import types
from pygls.exceptions import JsonRpcInvalidParams

from rui_common.editing.rename import name_span
from rui_common.json_values import JsonObject
from rui_common.syntax.paths import format_path
from rui_lsp.commands.arguments import Arguments
from rui_lsp.convert import to_range
from rui_lsp.server import RuiLanguageServer

SHOW_NODE = "rui.showNode"


async def show_node(ls: RuiLanguageServer, *values: object) -> JsonObject:
    """Select the id or key of an element of an open document: ``[{uri, path}]``, such as ``pages[0]``.

    Returns:
        ``{shown}``: whether the client has shown it.
    """
    arguments = Arguments(values, "uri", texts=("path",))
    document = ls.documents.get(types.TextDocumentIdentifier(arguments.text("uri")))
    path = arguments.text("path")
    analysis = document.analysis
    node = next((node for node in analysis.tree if node.shape is not None and format_path(node.path) == path), None)
    if node is None or node.shape is None:
        raise JsonRpcInvalidParams(f"there is no object at {path!r:.100}")
    span = analysis.document.range_of(node.path)
    for prop in node.shape.all_props:  # the one that names the object is the first
        if isinstance(node.members.get(prop.name), str):
            span = name_span(analysis, (*node.path, prop.name))
            break
    selection = to_range(span, document.positions)
    shown = await ls.show_document(types.ShowDocumentParams(document.uri, take_focus=True, selection=selection))
    return {"shown": shown}
