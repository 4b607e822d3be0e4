"""The workspace of pygls with our own text document."""

from __future__ import annotations

from collections.abc import Iterable
from urllib.parse import unquote

from lsprotocol import types
from pygls.workspace import Workspace

from rui_common.syntax.line_index import Encoding
from rui_lsp.documents.document import OpenDocument
from rui_lsp.protocol.errors import not_open_error
from rui_lsp.protocol.log import logger

MAX_CLOSED = 1000
"""How many closed documents `RuiWorkspace.stale_results` knows at most."""


class RuiWorkspace(Workspace):
    """The documents that the client has open. The text in the editor counts, not the file.

    Attributes:
        encoding: the unit of characters that client and server agreed on.
        deleted: open documents whose files the client has reported as deleted.
        stale_results: the documents that have been closed, with a number that changes whenever the results that the
            client has of the document may belong to a text that was never saved. `MAX_CLOSED` are kept.
    """

    def __init__(self, encoding: Encoding = "utf-16", folders: Iterable[types.WorkspaceFolder] = ()) -> None:
        super().__init__(None, workspace_folders=list(folders), position_encoding=encoding)
        self.encoding: Encoding = encoding
        self.deleted: set[str] = set()
        self.stale_results: dict[str, int] = {}  # the one that was marked last at the end
        self._stale_count = 0

    @property
    def documents(self) -> list[OpenDocument]:
        """All open documents."""
        return [document for document in self.text_documents.values() if isinstance(document, OpenDocument)]

    @property
    def folder_uris(self) -> list[str]:
        """The addresses of the workspace folders."""
        return [folder.uri for folder in self.folders.values()]

    def find(self, uri: str) -> OpenDocument | None:
        """The open document of an address; None if there is none."""
        document = self.text_documents.get(unquote(uri))
        return document if isinstance(document, OpenDocument) else None

    def get(self, identifier: types.TextDocumentIdentifier) -> OpenDocument:
        """The open document that a request is about.

        Raises:
            JsonRpcException: the document is not open.
        """
        document = self.find(identifier.uri)
        if document is None:
            raise not_open_error(identifier.uri, was_open=identifier.uri in self.stale_results)
        return document

    def put_text_document(self, text_document: types.TextDocumentItem, notebook_uri: str | None = None) -> None:
        """Open a document."""
        if self.find(text_document.uri) is not None:
            logger.warning("%s is opened a second time; its new text counts", text_document.uri)
        super().put_text_document(text_document, notebook_uri)

    def _create_text_document(
        self,
        doc_uri: str,
        source: str | None = None,
        version: int | None = None,
        language_id: str | None = None,  # noqa: ARG002  pygls's signature
    ) -> OpenDocument:
        return OpenDocument(doc_uri, source or "", version or 0, self.encoding)

    def check_version(self, identifier: types.VersionedTextDocumentIdentifier) -> None:
        """Log a version that does not increase. Messages arrive in order, so only the number is wrong."""
        document = self.find(identifier.uri)
        if document is not None and identifier.version <= document.version:
            logger.warning("%s: version %s follows version %s", identifier.uri, identifier.version, document.version)

    def update_text_document(
        self, text_doc: types.VersionedTextDocumentIdentifier, change: types.TextDocumentContentChangeEvent
    ) -> None:
        """Apply one change to a document."""
        document = self.find(text_doc.uri)
        if document is None:
            logger.warning("a change of %s, which is not open, is ignored", text_doc.uri)
            return
        document.apply_change(change)
        document.version = text_doc.version

    def remove_text_document(self, doc_uri: str) -> None:
        """Close a document."""
        if self.find(doc_uri) is None:
            logger.warning("%s, which is not open, cannot be closed", doc_uri)
            return
        super().remove_text_document(doc_uri)
        self.deleted.discard(doc_uri)
        self.mark_stale(doc_uri)

    def mark_stale(self, uri: str) -> None:
        """Note that the results that the client has of a closed document may be stale."""
        self._stale_count += 1
        self.stale_results.pop(uri, None)
        self.stale_results[uri] = self._stale_count
        if len(self.stale_results) > MAX_CLOSED:
            del self.stale_results[next(iter(self.stale_results))]
