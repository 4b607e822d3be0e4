"""Diagnostics of one document, open or in a file, for clients that ask for them."""

from __future__ import annotations

import json
from hashlib import blake2b
from os.path import isfile  # pathlib is slow to import

from rui_lsp.client.convert import diagnostics_to_lsp
from rui_lsp.diagnostics.push_unopened import items_of_file
from rui_lsp.documents.files_on_disk import path_from_uri
from rui_lsp.protocol.errors import NotOpenError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rui_lsp.client.convert import Json
    from rui_lsp.documents.workspace import OpenDocument, Workspace

METHOD = "textDocument/diagnostic"


async def answer(workspace: Workspace, params: Json) -> Json:
    """The report on an open document as the client has it, or on a file that is not open as it is on disk.

    Raises:
        LspError: the document is neither open nor a file.
    """
    previous = params.get("previousResultId")
    try:
        return report(items_of(workspace.document_of(params), workspace), previous)
    except NotOpenError as error:
        if error.uri in workspace.doubts:
            workspace.doubt(error.uri)  # Until now, this was asked as if it were open.
        path = path_from_uri(error.uri)
        if path is None or not isfile(path):  # noqa: PTH113
            raise
        return report(await items_of_file(workspace, error.uri, path), previous, workspace.doubts.get(error.uri, 0))


def items_of(document: OpenDocument, workspace: Workspace) -> list[Json]:
    """The diagnostics of an open document."""
    found, settings = document.diagnostics, workspace.client.settings_for(document.uri)
    return diagnostics_to_lsp(found, document.uri, document.text, settings, document.document if found else None)


def report(items: list[Json], previous: object, doubt: int = 0) -> Json:
    """A report, or the word that nothing has changed.

    Args:
        items: the diagnostics.
        previous: the id of the result that the client has. Ids are made from results, so that nothing has to be
            remembered of what was sent.
        doubt: the number of `Workspace.doubts`. A client forgets what it heard of a document when it is closed, but
            may go on to show it, and to name the result from before: with another number, that is not this one.
    """
    raw = json.dumps(items, separators=(",", ":")).encode()
    result_id = blake2b(raw, digest_size=12).hexdigest() + (f"-{doubt}" if doubt else "")
    if result_id == previous:
        return {"kind": "unchanged", "resultId": result_id}
    return {"kind": "full", "resultId": result_id, "items": items}
