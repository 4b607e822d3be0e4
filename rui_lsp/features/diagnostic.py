"""Diagnostics of one document, open or in a file, on request (pull diagnostics)."""

from __future__ import annotations

from functools import partial

from lsprotocol import types

from rui_lsp.diagnostics.items import document_items, file_items, items_or_none, result_id
from rui_lsp.documents.files_on_disk import path_from_uri
from rui_lsp.protocol.log import logger
from rui_lsp.server.server import RuiLanguageServer


def register(server: RuiLanguageServer) -> None:
    options = types.DiagnosticOptions(inter_file_dependencies=False, workspace_diagnostics=True, identifier="rui")
    server.feature(types.TEXT_DOCUMENT_DIAGNOSTIC, options)(diagnostic)


async def diagnostic(
    ls: RuiLanguageServer, params: types.DocumentDiagnosticParams
) -> types.RelatedFullDocumentDiagnosticReport | types.RelatedUnchangedDocumentDiagnosticReport:
    """Return the report on an open document after a pause in its edits, or on the file of one that is not open.

    It is empty if there is neither: after an error, VS Code does not request the diagnostics of a document again.

    Raises:
        ServerCancelledError: a later request replaces this one.
    """
    workspace = ls.documents
    uri = params.text_document.uri
    if workspace.find(uri) is not None:
        await ls.pauses.wait(uri)
    document = workspace.find(uri)  # It may have been closed in the pause.
    if document is not None:
        items = items_or_none(partial(document_items, document, ls.settings_for(uri)), uri)
        return _report(items, result_id(items), params)
    if uri in workspace.stale_results:
        workspace.mark_stale(uri)  # The client may still show the results of the open document.
    path = path_from_uri(uri)
    items = []
    if uri in workspace.lost or path is None:
        logger.info("textDocument/diagnostic: %.200s is neither open nor a file", ascii(uri))
    else:
        api = ls.apis.for_file(uri)
        compute = partial(file_items, uri, path, workspace.encoding, ls.settings_for(uri), api)
        items = items_or_none(compute, uri)
    return _report(items, result_id(items, workspace.stale_results.get(uri, 0)), params)


def _report(
    items: list[types.Diagnostic], new_id: str, params: types.DocumentDiagnosticParams
) -> types.RelatedFullDocumentDiagnosticReport | types.RelatedUnchangedDocumentDiagnosticReport:
    if new_id == params.previous_result_id:
        return types.RelatedUnchangedDocumentDiagnosticReport(new_id)
    return types.RelatedFullDocumentDiagnosticReport(items, result_id=new_id)
