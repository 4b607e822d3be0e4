"""Rename: a name wherever it stands, refused with the reason when the new one cannot be."""

from __future__ import annotations

from rui_common.editing.references import NameRefusedError
from rui_lsp.client.convert import range_to_lsp
from rui_lsp.features.symbol_at_cursor import name_here
from rui_lsp.protocol.errors import InvalidParamsError, LspError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rui_lsp.client.convert import Json
    from rui_lsp.documents.workspace import Workspace

NO_NAME = "There is nothing here that can be renamed: put the cursor on an id, a key, or what refers to one."


def prepare(workspace: Workspace, params: Json) -> Json | None:
    """``textDocument/prepareRename``: the range of the name under the cursor, and the name; null elsewhere."""
    here = name_here(workspace, params)
    if here is None:
        return None
    return {"range": here.range(), "placeholder": here.names.name(here.path)}


def answer(workspace: Workspace, params: Json) -> Json | None:
    """``textDocument/rename``: the edits of the document.

    Raises:
        LspError: there is no name under the cursor, or the new one is malformed or taken.
    """
    opened = workspace.document_of(params)
    new = params.get("newName")
    if not isinstance(new, str):
        raise InvalidParamsError("newName is no string")
    here = name_here(workspace, params)
    if here is None:
        raise LspError(NO_NAME)
    try:
        edits = here.names.rename(here.path, new)
    except NameRefusedError as refusal:
        raise LspError(str(refusal)) from None
    changes = [{"range": range_to_lsp(edit.span, opened.text), "newText": edit.text} for edit in edits]
    if workspace.client.can("workspace", "workspaceEdit", "documentChanges"):
        item = {"uri": opened.uri, "version": opened.version}
        return {"documentChanges": [{"textDocument": item, "edits": changes}]}
    return {"changes": {opened.uri: changes}}


HANDLERS = {"textDocument/prepareRename": prepare, "textDocument/rename": answer}
