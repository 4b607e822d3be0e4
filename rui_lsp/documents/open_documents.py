"""The open documents and the folders of the workspace."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from urllib.parse import unquote

from lsprotocol import types
from pygls.workspace import Workspace

from rui_common.syntax.line_index import Encoding
from rui_lsp.documents.document import OpenDocument
from rui_lsp.protocol.errors import RequestFailedError, not_open_error

MAX_CLOSED = 1000
"""How many closed documents `OpenDocuments.stale_results` knows at most."""


class OpenDocuments:
    """The documents that the client has open. The text in the editor counts, not the file.

    Attributes:
        encoding: the unit of characters that client and server agreed on.
        deleted: open documents whose files the client has reported as deleted.
        lost: documents that the client has open, but whose text is unknown, as a change of it could not be read.
        stale_results: a number for each of the last `MAX_CLOSED` documents that were closed. It changes when the
            results that the client has may belong to a text that was never saved.
    """

    def __init__(self, workspace: Workspace) -> None:
        """Args: the workspace of pygls, which applies all changes."""
        self._workspace = workspace
        self.encoding: Encoding = types.PositionEncodingKind(workspace.position_encoding).value
        if not workspace.folders and workspace.root_uri is not None:
            workspace.add_folder(types.WorkspaceFolder(workspace.root_uri, workspace.root_uri))
        self.deleted: set[str] = set()
        self.lost: set[str] = set()
        self.stale_results: dict[str, int] = {}  # the one that was marked last at the end
        self._stale_count = 0

    def __iter__(self) -> Iterator[OpenDocument]:
        """Iterate over all open documents."""
        documents = list(self._workspace.text_documents.values())
        return (one for one in documents if isinstance(one, OpenDocument))

    @property
    def folder_uris(self) -> list[str]:
        """The addresses of the workspace folders."""
        return [folder.uri for folder in self._workspace.folders.values()]

    def find(self, uri: str) -> OpenDocument | None:
        """Return the open document of an address; None if there is none, or its text is unknown."""
        document = self._workspace.text_documents.get(unquote(uri))
        if isinstance(document, OpenDocument):
            return document
        return None

    def get(self, identifier: types.TextDocumentIdentifier | types.VersionedTextDocumentIdentifier) -> OpenDocument:
        """Return the open document that a request is about.

        Raises:
            JsonRpcException: the document is not open, or its text is unknown.
        """
        document = self.find(identifier.uri)
        if document is None and identifier.uri in self.lost:
            raise RequestFailedError(lost_text(identifier.uri))
        if document is None:
            raise not_open_error(identifier.uri, was_open=identifier.uri in self.stale_results)
        return document

    def open(self, item: types.TextDocumentItem) -> OpenDocument:
        """Open a document, in place of the one that pygls has opened."""
        document = OpenDocument(item.uri, item.text, item.version, self.encoding)
        self._workspace.text_documents[unquote(item.uri)] = document
        self.lost.discard(item.uri)
        return document

    def change(
        self,
        identifier: types.VersionedTextDocumentIdentifier,
        changes: Sequence[types.TextDocumentContentChangeEvent],
    ) -> bool:
        """Apply changes in their order; return whether the document is open and its text known."""
        uri = identifier.uri
        if uri in self.lost and changes and isinstance(changes[0], types.TextDocumentContentChangeWholeDocument):
            self.open(types.TextDocumentItem(uri, "", identifier.version, changes[0].text))
        document = self.find(uri)
        if document is None:
            return False
        for change in changes:
            document.apply_change(change)
        document.version = identifier.version
        return True

    def lose(self, uri: str) -> None:
        """Forget the text of a document until the client sends all of it: no feature may use an outdated one."""
        self._workspace.remove_text_document(uri)
        self.lost.add(uri)

    def closed(self, uri: str) -> None:
        """Note that a document has been closed."""
        self.deleted.discard(uri)
        self.lost.discard(uri)
        self.mark_stale(uri)

    def mark_stale(self, uri: str) -> None:
        """Note that the results that the client has of a closed document may be stale."""
        self._stale_count += 1
        self.stale_results.pop(uri, None)
        self.stale_results[uri] = self._stale_count
        if len(self.stale_results) > MAX_CLOSED:
            del self.stale_results[next(iter(self.stale_results))]


def lost_text(uri: str) -> str:
    """Return the message about a document whose text is unknown."""
    return f"The text of {uri} is out of sync: the editor has sent it in an unreadable form. Close and open it again."
