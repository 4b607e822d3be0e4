"""Diagnostics of one document, open or in a file, on request (pull diagnostics)."""

from __future__ import annotations

from pathlib import Path

from lsprotocol import types

from rui_lsp.diagnostics.items import document_items, file_items, result_id
from rui_lsp.documents.files_on_disk import path_from_uri
from rui_lsp.server.server import RuiLanguageServer


def register(server: RuiLanguageServer) -> None:
    options = types.DiagnosticOptions(inter_file_dependencies=False, workspace_diagnostics=True, identifier="rui")
    server.feature(types.TEXT_DOCUMENT_DIAGNOSTIC, options)(diagnostic)


async def diagnostic(
    ls: RuiLanguageServer, params: types.DocumentDiagnosticParams
) -> types.RelatedFullDocumentDiagnosticReport | types.RelatedUnchangedDocumentDiagnosticReport:
    """The report on an open document after a pause in its edits, or on the file of one that is not open.

    Raises:
        JsonRpcException: the document is neither open nor a file.
    """
    workspace = ls.documents
    uri = params.text_document.uri
    document = workspace.find(uri)
    if document is not None:
        await ls.pauses.wait(document.uri)
        items = document_items(workspace.get(params.text_document), ls.settings_for(uri))
        return _report(items, result_id(items), params)
    if uri in workspace.stale_results:
        workspace.mark_stale(uri)  # The client may still show the results of the open document.
    path = path_from_uri(uri)
    if path is None or not Path(path).is_file():
        workspace.get(params.text_document)  # raises the error
        return _report([], "", params)
    items = file_items(uri, path, workspace.encoding, ls.settings_for(uri), ls.apis.for_file(uri))
    return _report(items, result_id(items, workspace.stale_results.get(uri, 0)), params)


def _report(
    items: list[types.Diagnostic], new_id: str, params: types.DocumentDiagnosticParams
) -> types.RelatedFullDocumentDiagnosticReport | types.RelatedUnchangedDocumentDiagnosticReport:
    if new_id == params.previous_result_id:
        return types.RelatedUnchangedDocumentDiagnosticReport(new_id)
    return types.RelatedFullDocumentDiagnosticReport(items, result_id=new_id)
