"""Edits of one document as a ``WorkspaceEdit``."""

from __future__ import annotations

from collections.abc import Sequence

from lsprotocol import types

from rui_common.syntax.spans import Edit
from rui_lsp.client.convert import to_text_edits
from rui_lsp.documents.document import OpenDocument
from rui_lsp.server.server import RuiLanguageServer

DOCUMENT_CHANGES = "workspace.workspace_edit.document_changes"
"""The client's capability to check the version of a document that it edits."""


def workspace_edit(ls: RuiLanguageServer, document: OpenDocument, edits: Sequence[Edit]) -> types.WorkspaceEdit:
    """Edits of one document; with its version, if the client checks it."""
    text_edits = to_text_edits(edits, document.positions)
    if ls.supports(DOCUMENT_CHANGES):
        identifier = types.OptionalVersionedTextDocumentIdentifier(document.uri, document.version)
        return types.WorkspaceEdit(document_changes=[types.TextDocumentEdit(identifier, text_edits)])
    return types.WorkspaceEdit(changes={document.uri: text_edits})
