"""``rui.newDocument``: a document to start from."""

from __future__ import annotations

from lsprotocol import types
from pygls.exceptions import JsonRpcException, JsonRpcInvalidParams

from rui_common.describe.examples import new_document_text
from rui_common.json_values import JsonObject
from rui_lsp.commands.arguments import Arguments
from rui_lsp.protocol.errors import RequestFailedError
from rui_lsp.server.server import RuiLanguageServer


async def new_document(ls: RuiLanguageServer, *values: object) -> JsonObject:
    """Make a document: ``[]``, ``[uri]``, or ``[{uri, title, full}]``.

    Returns:
        ``{text}``. With a ``uri`` the client also creates that file, which must not exist yet, and shows it.
    """
    arguments = Arguments(values, "uri", flags=("full",), texts=("title",))
    try:
        text = new_document_text(arguments.text("title"), full=arguments.flag("full", default=False))
    except UnicodeEncodeError:
        raise JsonRpcInvalidParams("the title has half a surrogate pair in it") from None
    uri = arguments.text("uri")
    if uri:
        await _create_file(ls, uri, text)
        await ls.show_document(types.ShowDocumentParams(uri, external=False, take_focus=True))
    return {"text": text}


async def _create_file(ls: RuiLanguageServer, uri: str, text: str) -> None:
    """Have the client create a file.

    Raises:
        RequestFailedError: it cannot, or refuses.
    """
    operations = ls.capability_list("workspace.workspace_edit.resource_operations")
    if not ls.supports("workspace.apply_edit") or types.ResourceOperationKind.Create not in operations:
        raise RequestFailedError(
            "This editor does not let a language server create files; without a uri, the result is only the text."
        )
    start = types.Position(0, 0)
    edit = types.WorkspaceEdit(
        document_changes=[
            types.CreateFile(uri, options=types.CreateFileOptions(overwrite=False, ignore_if_exists=False)),
            types.TextDocumentEdit(
                types.OptionalVersionedTextDocumentIdentifier(uri), [types.TextEdit(types.Range(start, start), text)]
            ),
        ]
    )
    reason: str | None = None
    try:
        result = await ls.workspace_apply_edit_async(types.ApplyWorkspaceEditParams(edit, "New RUI document"))
        if result is not None and result.applied:
            return
        reason = getattr(result, "failure_reason", None)
    except JsonRpcException as error:
        reason = error.message
    raise RequestFailedError(f"{uri} could not be created" + (f": {reason}" if reason else "."))
