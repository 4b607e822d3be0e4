"""Diagnostics on request (pull diagnostics): of one document, or of all in the workspace, open or in files."""

from functools import cache

from lsprotocol import types

from rui_common.json_values import JsonObject
from rui_lsp.protocol.log import logger
from rui_lsp.server import RuiLanguageServer
from rui_lsp.session.closed_files import NO_ITEMS, FileItems, with_digest
from rui_lsp.session.diagnostics import document_items
from rui_lsp.session.files import document_paths
from rui_lsp.session.threads import in_thread, in_turns
from rui_lsp.session.uris import UriDict, path_from_uri


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
    documents = ls.documents
    uri = params.text_document.uri
    if documents.find(uri) is not None:
        await ls.pauses.wait(uri)
    document = documents.find(uri)  # It may have been closed in the pause.
    path = path_from_uri(uri)
    shown = NO_ITEMS
    if document is not None:
        shown = with_digest(document_items(document, ls.settings_for(uri)) or [])
    elif path is None:
        logger.info("textDocument/diagnostic: %.200s is neither open nor a file", ascii(uri))
    else:
        shown = ls.closed_files.items(uri, path)
    if document is None and uri in documents.stale_results:
        documents.mark_stale(uri)  # The client may still show the results of the open document.
    new_id = _result_id(ls, uri, shown)
    if new_id == params.previous_result_id:
        return types.RelatedUnchangedDocumentDiagnosticReport(new_id)
    return types.RelatedFullDocumentDiagnosticReport(shown.items, result_id=new_id)


def _result_id(ls: RuiLanguageServer, uri: str, shown: FileItems) -> str:
    """Return the id of a result. It is a digest, so that the server need not remember results.

    A client that closes a document may go on to show its diagnostics and name their result: `stale_results` makes it
    another result.
    """
    if ls.documents.find(uri) is None and uri in ls.documents.stale_results:
        return f"{shown.digest}-{ls.documents.stale_results[uri]}"
    return shown.digest


async def workspace_diagnostic(ls: RuiLanguageServer, params: types.WorkspaceDiagnosticParams) -> JsonObject:
    """Return the reports on all documents; one by one, if the client wants partial results.

    Open documents count as they are open, all others as they are on disk. A document that has vanished has no
    diagnostics. Clients ask every two seconds: nothing is computed again of what has not changed.
    """
    reporter = _Reporter(ls, params)
    documents = ls.documents
    open_uris = [document.uri for document in documents]
    paths = await in_thread(document_paths, open_uris, documents.folder_uris, ls.apis.leaves_out())
    async for uri, path in in_turns(paths.items()):
        reporter.report_document(uri, path)
    # The client may still show diagnostics of documents that were open, even if it has no result of them.
    for uri in (*reporter.previous_ids, *documents.stale_results):
        if uri not in reporter.reported and documents.find(uri) is None:
            reporter.add(uri, None, NO_ITEMS)
    return {"items": reporter.reports}


class _Reporter:
    """Collects the reports of one request, or sends them one by one."""

    def __init__(self, ls: RuiLanguageServer, params: types.WorkspaceDiagnosticParams) -> None:
        self._ls = ls
        self._token = params.partial_result_token
        self._nearest = cache(ls.apis.find_configuration)
        self.previous_ids: UriDict[str] = UriDict()
        for previous in params.previous_result_ids:
            self.previous_ids[previous.uri] = previous.value
        self.reported: UriDict[None] = UriDict()
        self.reports: list[JsonObject] = []

    def report_document(self, uri: str, path: str | None) -> None:
        documents = self._ls.documents
        document = documents.find(uri)
        if document is not None:
            # Clients keep hidden documents open whose file is gone; a visible one is requested on its own.
            items = [] if uri in documents.deleted else document_items(document, self._ls.settings_for(uri))
            self.add(document.uri, document.version, with_digest(items or []))
        elif path is not None:
            uri = self.previous_ids.spelling(uri)
            self.add(uri, None, self._ls.closed_files.items(uri, path, self._nearest))

    def add(self, uri: str, version: int | None, shown: FileItems) -> None:
        self.reported[uri] = None
        report: JsonObject = {"uri": uri, "version": version, "resultId": _result_id(self._ls, uri, shown)}
        if report["resultId"] == self.previous_ids.get(uri):
            report["kind"] = types.DocumentDiagnosticReportKind.Unchanged.value
        else:
            report |= {"kind": types.DocumentDiagnosticReportKind.Full.value, "items": shown.items}
        if self._token is None:
            self.reports.append(report)
        else:
            self._ls.progress(types.ProgressParams(self._token, {"items": [report]}))
