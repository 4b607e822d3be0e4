"""``rui.fixAll``: applies every fix that is safe to apply without review."""

from __future__ import annotations

from lsprotocol import types

from rui_common.fixes.fix_all import find_safe_edits
from rui_common.json_values import JsonObject
from rui_lsp.commands.arguments import Arguments
from rui_lsp.server import RuiLanguageServer, workspace_edit
from rui_lsp.session.uris import name_of

NOTHING_TO_CHANGE = "No change: choose a fix for each error, as none is safe to apply without review."


async def fix_all(ls: RuiLanguageServer, *values: object) -> JsonObject:
    """Fix an open document: ``[uri]``, ``[{uri}]``, or ``[]`` for the one that was edited last.

    Returns:
        ``{fixed}``: the number of errors that are fixed. If no fix is safe, the author has seen a message.
    """
    arguments = Arguments(values or [ls.edited_uri], "uri")
    document = ls.documents.get(types.TextDocumentIdentifier(arguments.text("uri")))
    edits, fixed = find_safe_edits(document.analysis)
    if edits:
        failure = f"{name_of(document.uri)} is not fixed"
        await ls.apply_edit(workspace_edit(ls, document, edits), "Fix all", failure)
    else:
        ls.show_message(types.MessageType.Info, NOTHING_TO_CHANGE)
    return {"fixed": fixed}
