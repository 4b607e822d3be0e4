"""A language server that knows nothing, made with pygls: the peer for small documents."""

from lsprotocol import types
from pygls.lsp.server import LanguageServer

server = LanguageServer("empty", "0")


@server.feature(types.TEXT_DOCUMENT_DID_OPEN)
def did_open(ls: LanguageServer, params: types.DidOpenTextDocumentParams) -> None:
    item = params.text_document
    ls.text_document_publish_diagnostics(types.PublishDiagnosticsParams(item.uri, [], item.version))


@server.feature(types.TEXT_DOCUMENT_DID_CHANGE)
def did_change(ls: LanguageServer, params: types.DidChangeTextDocumentParams) -> None:
    item = params.text_document
    ls.text_document_publish_diagnostics(types.PublishDiagnosticsParams(item.uri, [], item.version))


if __name__ == "__main__":
    server.start_io()
