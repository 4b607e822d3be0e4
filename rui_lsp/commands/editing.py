"""Commands that edit an open document, or select a part of it."""

from lsprotocol import types
from pygls.exceptions import JsonRpcInvalidParams

from rui_common.fixes.fix_all import SafeEdits, find_safe_edits
from rui_common.json_values import JsonObject
from rui_common.syntax.paths import format_path
from rui_common.validation.diagnostics import is_error
from rui_lsp.commands.arguments import Arguments
from rui_lsp.convert import to_range
from rui_lsp.server import RuiLanguageServer, workspace_edit
from rui_lsp.session.documents import OpenDocument
from rui_lsp.session.symbols import span_of
from rui_lsp.session.uris import name_of

NO_ERRORS = "No change: the document has no errors."
NOTHING_TO_CHANGE = "No change: choose a fix for each error, as none is safe to apply without review."
FIX_ALL = "rui.fixAll"
SHOW_NODE = "rui.showNode"


async def fix_all(ls: RuiLanguageServer, *values: object) -> JsonObject:
    """Apply every fix that is safe to apply without review.

    Arguments: ``[uri]`` or ``[{uri}]`` of an open document, or ``[]`` for the one that was edited last.

    Returns:
        ``{fixed}``: the number of errors that are fixed. If no fix is safe, or if there are too many errors to fix all
        at once, the author has seen a message.
    """
    arguments = Arguments(values or [ls.edited_uri], uri="")
    document = ls.documents.get(types.TextDocumentIdentifier(arguments.uri()))
    safe = find_safe_edits(document.analysis)
    if safe.edits:
        failure = f"{name_of(document.uri)} is not fixed"
        await ls.apply_edit(workspace_edit(ls, document, safe.edits), "Fix all", failure)
    show_fix_note(ls, document, safe)
    return {"fixed": safe.fixed}


def show_fix_note(ls: RuiLanguageServer, document: OpenDocument, safe: SafeEdits) -> None:
    """Tell the author why there are no edits, or that there is more to fix."""
    if safe.note:
        ls.show_message(types.MessageType.Info, safe.note)
    elif not safe.edits:
        has_errors = any(is_error(diagnostic) for diagnostic in document.diagnostics)
        ls.show_message(types.MessageType.Info, NOTHING_TO_CHANGE if has_errors else NO_ERRORS)


async def show_node(ls: RuiLanguageServer, *values: object) -> JsonObject:
    """Select the id or key of an element, such as one that a refactoring has added.

    Arguments: ``[{uri, path}]``, an open document and a path in it, such as ``pages[0]``.

    Returns:
        ``{shown}``: whether the client has shown it.
    """
    arguments = Arguments(values, uri="", path="")
    document = ls.documents.get(types.TextDocumentIdentifier(arguments.uri()))
    path = arguments.text("path")
    analysis = document.analysis
    node = next((node for node in analysis.tree if node.shape is not None and format_path(node.path) == path), None)
    if node is None:
        raise JsonRpcInvalidParams(f"there is no object at {path!r:.100}")
    selection = to_range(span_of(analysis, node), document.positions)
    shown = await ls.show_document(types.ShowDocumentParams(document.uri, take_focus=True, selection=selection))
    return {"shown": shown}
