"""Incremental document synchronization; a client that does not request diagnostics receives them.

If the client can be asked for it, the text of an open `rui.toml` counts, too, as it is in the editor.
"""

from lsprotocol import types

from rui_common.project.discovery import CONFIGURATION_FILE
from rui_lsp.protocol.log import logger
from rui_lsp.server import RuiLanguageServer
from rui_lsp.session.api_choices import OpenText
from rui_lsp.session.uris import name_of, path_from_uri


def register(server: RuiLanguageServer) -> None:
    server.feature(types.TEXT_DOCUMENT_DID_OPEN)(did_open)
    server.feature(types.TEXT_DOCUMENT_DID_CHANGE)(did_change)
    server.feature(types.TEXT_DOCUMENT_DID_SAVE)(did_save)
    server.feature(types.TEXT_DOCUMENT_DID_CLOSE)(did_close)


def register_configuration(ls: RuiLanguageServer) -> None:
    """Have the client report when a `rui.toml` is opened, changed and closed."""
    selector = [types.TextDocumentFilterPattern(pattern=f"**/{CONFIGURATION_FILE}", scheme="file")]
    options = types.TextDocumentRegistrationOptions(selector)
    ls.register_capability("rui-toml-open", types.TEXT_DOCUMENT_DID_OPEN, options)
    full = types.TextDocumentChangeRegistrationOptions(types.TextDocumentSyncKind.Full, selector)
    ls.register_capability("rui-toml-change", types.TEXT_DOCUMENT_DID_CHANGE, full)
    ls.register_capability("rui-toml-close", types.TEXT_DOCUMENT_DID_CLOSE, options)


def _configuration_path(uri: str) -> str | None:
    """Return the path of a `rui.toml`; None for another document."""
    return path_from_uri(uri) if name_of(uri) == CONFIGURATION_FILE else None


def did_open(ls: RuiLanguageServer, params: types.DidOpenTextDocumentParams) -> None:
    """Show the diagnostics of the document at once; later also those of its requests."""
    item = params.text_document
    if path := _configuration_path(item.uri):
        ls.workspace.remove_text_document(item.uri)
        ls.apis.set_open_text(path, OpenText(item.text, item.version))
        return
    document = ls.documents.open(item)
    ls.apis.attach(document)
    ls.pauses.end(document.uri)
    ls.observer.changed(document.uri)
    ls.look_at_files()


def did_change(ls: RuiLanguageServer, params: types.DidChangeTextDocumentParams) -> None:
    """Apply the changes, and show the diagnostics of the new text after a pause."""
    uri = params.text_document.uri
    if path := _configuration_path(uri):
        for change in params.content_changes:
            if not isinstance(change, types.TextDocumentContentChangePartial):
                ls.apis.set_open_text(path, OpenText(change.text, params.text_document.version))
        return
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
    uri = params.text_document.uri
    if path := _configuration_path(uri):
        ls.apis.set_open_text(path, None)
        return
    ls.close_document(uri)
