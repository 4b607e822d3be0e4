"""Diagnostics on request (pull diagnostics): of one document, or of all in the workspace, open or in files."""

from __future__ import annotations

import asyncio
from functools import partial

from lsprotocol import types

from rui_lsp.protocol.log import logger
from rui_lsp.server import RuiLanguageServer
from rui_lsp.session.diagnostics import document_items, file_items, items_or_none, result_id
from rui_lsp.session.files import document_paths
from rui_lsp.session.uris import UriDict, path_from_uri

DocumentReport = types.WorkspaceFullDocumentDiagnosticReport | types.WorkspaceUnchangedDocumentDiagnosticReport


def register(server: RuiLanguageServer) -> None:
    """Register the requests that plugins send, whether or not their editor does."""
    server.feature(types.WORKSPACE_DIAGNOSTIC)(workspace_diagnostic)


def register_pull(server: RuiLanguageServer) -> None:
    """Announce the feature, for a client that requests diagnostics."""
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


async def workspace_diagnostic(
    ls: RuiLanguageServer, params: types.WorkspaceDiagnosticParams
) -> types.WorkspaceDiagnosticReport:
    """Return the reports on all documents; one by one, if the client wants partial results.

    Open documents count as they are open, all others as they are on disk. A document that has vanished has no
    diagnostics.
    """
    reporter = _Reporter(ls, params)
    workspace = ls.documents
    open_uris = [document.uri for document in workspace]
    paths = await asyncio.to_thread(document_paths, open_uris, workspace.folder_uris)
    for uri, path in paths.items():
        reporter.report_document(uri, path)
        await asyncio.sleep(0)  # Requests about documents do not wait for all files.
    # The client may still show diagnostics of documents that were open, even if it has no result of them.
    for uri in (*reporter.previous_ids, *workspace.stale_results):
        if uri not in reporter.reported and workspace.find(uri) is None:
            reporter.add(uri, None, [])
    return types.WorkspaceDiagnosticReport(reporter.reports)


class _Reporter:
    """Collects the reports of one request, or sends them one by one."""

    def __init__(self, ls: RuiLanguageServer, params: types.WorkspaceDiagnosticParams) -> None:
        self._ls = ls
        self._token = params.partial_result_token
        self.previous_ids: UriDict[str] = UriDict()
        for previous in params.previous_result_ids:
            self.previous_ids[previous.uri] = previous.value
        self.reported: UriDict[None] = UriDict()
        self.reports: list[DocumentReport] = []

    def report_document(self, uri: str, path: str | None) -> None:
        workspace = self._ls.documents
        settings = self._ls.settings_for(uri)
        document = workspace.find(uri)
        if document is None:
            if path is not None and uri not in workspace.lost:
                uri = self.previous_ids.spelling(uri)
                api = self._ls.apis.for_file(uri)
                compute = partial(file_items, uri, path, workspace.encoding, settings, api)
                self.add(uri, None, items_or_none(compute, uri))
            return
        # Clients keep hidden documents open whose file is gone; a visible one is requested on its own.
        items: list[types.Diagnostic] = []
        if uri not in workspace.deleted:
            items = items_or_none(partial(document_items, document, settings), uri)
        self.add(document.uri, document.version, items)

    def add(self, uri: str, version: int | None, items: list[types.Diagnostic]) -> None:
        workspace = self._ls.documents
        self.reported[uri] = None
        stale_number = 0
        if workspace.find(uri) is None:
            stale_number = workspace.stale_results.get(uri, 0)
        new_id = result_id(items, stale_number)
        report: DocumentReport
        if new_id == self.previous_ids.get(uri):
            report = types.WorkspaceUnchangedDocumentDiagnosticReport(uri, new_id, version)
        else:
            report = types.WorkspaceFullDocumentDiagnosticReport(uri, items, version, result_id=new_id)
        if self._token is None:
            self.reports.append(report)
        else:
            value = types.WorkspaceDiagnosticReportPartialResult([report])
            self._ls.progress(types.ProgressParams(self._token, value))
