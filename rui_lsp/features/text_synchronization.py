"""Incremental document synchronization; a client that does not request diagnostics receives them."""

from lsprotocol import types

from rui_lsp.protocol.log import logger
from rui_lsp.server import RuiLanguageServer


def register(server: RuiLanguageServer) -> None:
    server.feature(types.TEXT_DOCUMENT_DID_OPEN)(did_open)
    server.feature(types.TEXT_DOCUMENT_DID_CHANGE)(did_change)
    server.feature(types.TEXT_DOCUMENT_DID_SAVE)(did_save)
    server.feature(types.TEXT_DOCUMENT_DID_CLOSE)(did_close)


def did_open(ls: RuiLanguageServer, params: types.DidOpenTextDocumentParams) -> None:
    """Show the diagnostics of the document at once; later also those of its requests."""
    document = ls.documents.open(params.text_document)
    ls.apis.attach(document)
    ls.pauses.end(document.uri)
    ls.observer.changed(document.uri)
    ls.look_at_files()


def did_change(ls: RuiLanguageServer, params: types.DidChangeTextDocumentParams) -> None:
    """Apply the changes, and show the diagnostics of the new text after a pause."""
    uri = params.text_document.uri
    document = ls.documents.change(params.text_document, params.content_changes)
    if document is None:
        logger.warning("textDocument/didChange: %.200s is not open", ascii(uri))
        return
    ls.show_diagnostics_soon(document.uri)
    ls.observer.changed(document.uri)
    if len(params.content_changes) == 1:
        change = params.content_changes[0]
        if isinstance(change, types.TextDocumentContentChangePartial):
            ls.observer.caret_moved(document.uri, change.range.start)


def did_save(ls: RuiLanguageServer, params: types.DidSaveTextDocumentParams) -> None:
    """Show the diagnostics without waiting for the end of the pause."""
    ls.pauses.end(params.text_document.uri)
    ls.look_at_files()


def did_close(ls: RuiLanguageServer, params: types.DidCloseTextDocumentParams) -> None:
    """Replace the diagnostics of the document by those of its file."""
    ls.close_document(params.text_document.uri)
