"""Incremental document synchronization; a client that cannot pull diagnostics receives them after each change.

pygls updates the workspace before it calls these handlers.
"""

from __future__ import annotations

from lsprotocol import types

from rui_lsp.server.server import RuiLanguageServer


def register(server: RuiLanguageServer) -> None:
    server.feature(types.TEXT_DOCUMENT_DID_OPEN)(did_open)
    server.feature(types.TEXT_DOCUMENT_DID_CHANGE)(did_change)
    server.feature(types.TEXT_DOCUMENT_DID_CLOSE)(did_close)


def did_open(ls: RuiLanguageServer, params: types.DidOpenTextDocumentParams) -> None:
    """Push diagnostics of the document; later also those of its requests."""
    document = ls.workspace.find(params.text_document.uri)
    if document is not None:
        ls.apis.attach(document)
    ls.schedule_diagnostics(params.text_document.uri)
    ls.document_changed(params.text_document.uri)


def did_change(ls: RuiLanguageServer, params: types.DidChangeTextDocumentParams) -> None:
    """Push diagnostics of the new text."""
    uri = params.text_document.uri
    ls.schedule_diagnostics(uri)
    ls.document_changed(uri)
    if len(params.content_changes) == 1:
        change = params.content_changes[0]
        if isinstance(change, types.TextDocumentContentChangePartial):
            ls.caret_moved(uri, change.range.start)


def did_close(ls: RuiLanguageServer, params: types.DidCloseTextDocumentParams) -> None:
    """Replace the diagnostics of the document by those of its file."""
    ls.document_closed(params.text_document.uri)
    ls.document_changed(params.text_document.uri)
