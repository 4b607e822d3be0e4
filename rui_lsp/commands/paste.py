"""``rui.paste``: JSON from a clipboard as nodes of the document, with free ids and in the vocabulary's words."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from lsprotocol import types
from pygls.exceptions import JsonRpcException, JsonRpcInvalidParams

from rui_common.fixes.paste import PasteRefusedError
from rui_common.fixes.paste import paste as paste_text
from rui_common.syntax.document import read
from rui_lsp.client.convert import to_offset
from rui_lsp.commands.arguments import Arguments
from rui_lsp.documents.offload import run_for_document
from rui_lsp.protocol.errors import RequestFailedError
from rui_lsp.server.workspace_edit import workspace_edit

if TYPE_CHECKING:
    from rui_common.editing.edits import Edit
    from rui_lsp.client.convert import Json
    from rui_lsp.server.server import RuiLanguageServer


class _Outcome(NamedTuple):
    """The result of a paste, which the worker process can send: `edits` is empty if there is a `refusal`."""

    refusal: str
    title: str
    edits: tuple[Edit, ...]
    is_at_caret: bool


async def paste(ls: RuiLanguageServer, params: types.ExecuteCommandParams) -> Json:
    """Paste a text at a position of an open document: ``[{uri, position, text, apply, report}]``.

    Returns:
        ``{pasted: true, title, isAtCaret}``, after the client has applied the edit; if ``apply`` is false, with
        the ``edit`` instead. ``isAtCaret`` is false if the nodes are not allowed at the position, so that the edit
        inserts them elsewhere. ``{pasted: false, message}`` for a text that contains no nodes, or that the document
        has no place for. The ``message`` has been shown to the author already, unless ``report`` is false.
    """
    arguments = Arguments(params.arguments, "uri", flags=("apply", "report"), texts=("text",), positions=("position",))
    uri = arguments.text("uri")
    if not uri:
        raise JsonRpcInvalidParams("the address of an open document is needed: uri")
    document = ls.workspace.find(uri)
    if document is None:
        raise RequestFailedError(f"{uri} is not open.")
    caret = to_offset(arguments.position("position"), document.text)
    clipboard = arguments.text("text")
    outcome = await run_for_document(document, _paste, caret, clipboard, more_characters=len(clipboard))
    if outcome.refusal:
        if arguments.flag("report", default=True):
            ls.show_message(types.MessageType.Info, outcome.refusal)
        return {"pasted": False, "message": outcome.refusal}
    result: Json = {"pasted": True, "title": outcome.title, "isAtCaret": outcome.is_at_caret}
    edit = workspace_edit(ls, document, outcome.edits)
    if arguments.flag("apply", default=True):
        await _apply(ls, edit, outcome.title)
    else:
        result["edit"] = edit
    return result


def _paste(text: str, caret: int, clipboard: str) -> _Outcome:
    try:
        change = paste_text(read(text), caret, clipboard)
    except PasteRefusedError as refused:
        return _Outcome(str(refused), "", (), False)
    return _Outcome("", *change)


async def _apply(ls: RuiLanguageServer, edit: types.WorkspaceEdit, title: str) -> None:
    """Have the client apply an edit.

    Raises:
        RequestFailedError: it cannot, or refuses.
    """
    if not ls.supports("workspace.apply_edit"):
        raise RequestFailedError("This editor does not let a language server edit documents; use apply: false.")
    try:
        result = await ls.workspace_apply_edit_async(types.ApplyWorkspaceEditParams(edit, title))
    except JsonRpcException as error:
        raise RequestFailedError(f"The text could not be pasted: {error.message}") from None
    if result is None or not result.applied:
        raise RequestFailedError("The text could not be pasted: the editor refused the edit.")
