"""``rui.newDocument``: a document to start from."""

from __future__ import annotations

from rui_common.describe.template import new_document_text
from rui_lsp.commands.arguments import Arguments
from rui_lsp.commands.show_in_client import show
from rui_lsp.protocol.errors import InvalidParamsError, LspError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rui_lsp.client.client import Client
    from rui_lsp.client.convert import Json
    from rui_lsp.documents.workspace import Workspace

_START = {"line": 0, "character": 0}


async def run(workspace: Workspace, params: Json) -> Json:
    """Make a document: ``[]``, ``[uri]``, or ``[{uri, title, full}]``.

    Returns:
        ``{text}``. With a ``uri`` the client also makes a file of it, which must not be there yet, and shows it.
    """
    arguments = Arguments(params.get("arguments"), "uri", flags=("full",), texts=("title",))
    try:
        text = new_document_text(arguments.text("title"), full=arguments.flag("full", default=False))
    except UnicodeEncodeError:
        raise InvalidParamsError("the title has half a surrogate pair in it") from None
    uri = arguments.text("uri")
    if uri:
        await _create(workspace.client, uri, text)
        await show(workspace.client, uri)
    return {"text": text}


async def _create(client: Client, uri: str, text: str) -> None:
    """Have the client make a file.

    Raises:
        LspError: it cannot, or does not want to.
    """
    edit = client.capabilities
    for name in ("workspace", "workspaceEdit", "resourceOperations"):
        edit = edit.get(name) if isinstance(edit, dict) else None
    if not client.can("workspace", "applyEdit") or not isinstance(edit, list) or "create" not in edit:
        raise LspError("This editor does not let a language server create files; the text is there without a uri.")
    changes = [
        {"kind": "create", "uri": uri, "options": {"overwrite": False, "ignoreIfExists": False}},
        {
            "textDocument": {"uri": uri, "version": None},
            "edits": [{"range": {"start": _START, "end": _START}, "newText": text}],
        },
    ]
    label = "New RUI document"
    result = await client.request("workspace/applyEdit", {"label": label, "edit": {"documentChanges": changes}})
    if not isinstance(result, dict) or result.get("applied") is not True:
        reason = result.get("failureReason") if isinstance(result, dict) else None
        raise LspError(f"{uri} could not be created" + (f": {reason}" if isinstance(reason, str) else "."))
