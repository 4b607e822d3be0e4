"""Rename: a name wherever it stands, refused with the reason when the new one cannot be."""

from __future__ import annotations

from rui_common.names import NameRefusedError, names_of
from rui_lsp.convert import offset_from_lsp, range_to_lsp
from rui_lsp.errors import InvalidParamsError, LspError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rui_lsp.convert import Json
    from rui_lsp.workspace import Workspace

NO_NAME = "There is nothing here that can be renamed: put the cursor on an id, a key, or what refers to one."


def prepare(workspace: Workspace, params: Json) -> Json | None:
    """``textDocument/prepareRename``: the range of the name under the cursor, and the name; null elsewhere."""
    opened = workspace.document_of(params)
    if opened is None:
        return None
    names = names_of(opened.document)
    here = names.path_at(offset_from_lsp(params.get("position"), opened.text))
    if here is None:
        return None
    return {"range": range_to_lsp(names.span(here), opened.text), "placeholder": names.name(here)}


def answer(workspace: Workspace, params: Json) -> Json | None:
    """``textDocument/rename``: the edits of the document.

    Raises:
        LspError: there is no name under the cursor, or the new one is malformed or taken.
    """
    opened = workspace.document_of(params)
    if opened is None:
        return None
    new = params.get("newName")
    if not isinstance(new, str):
        raise InvalidParamsError("newName is no string")
    names = names_of(opened.document)
    here = names.path_at(offset_from_lsp(params.get("position"), opened.text))
    if here is None:
        raise LspError(NO_NAME)
    try:
        edits = names.rename(here, new)
    except NameRefusedError as refusal:
        raise LspError(str(refusal)) from None
    changes = [{"range": range_to_lsp(edit.span, opened.text), "newText": edit.text} for edit in edits]
    if workspace.client.can("workspace", "workspaceEdit", "documentChanges"):
        item = {"uri": opened.uri, "version": opened.version}
        return {"documentChanges": [{"textDocument": item, "edits": changes}]}
    return {"changes": {opened.uri: changes}}


HANDLERS = {"textDocument/prepareRename": prepare, "textDocument/rename": answer}
