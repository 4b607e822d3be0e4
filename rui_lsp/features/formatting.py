"""Formatting of a document."""

from __future__ import annotations

from lsprotocol import types

from rui_common.editing.formatter import CannotFormatError, format_document
from rui_common.syntax.spans import Edit, Span
from rui_lsp.client.convert import to_text_edits
from rui_lsp.commands.show_in_client import name_of
from rui_lsp.protocol.errors import RequestFailedError
from rui_lsp.server.server import RuiLanguageServer


def register(server: RuiLanguageServer) -> None:
    server.feature(types.TEXT_DOCUMENT_FORMATTING)(formatting)


def formatting(ls: RuiLanguageServer, params: types.DocumentFormattingParams) -> list[types.TextEdit] | None:
    """Return one edit with the canonical order and layout of the whole text. Editors apply only what differs.

    Raises:
        RequestFailedError: the document has no canonical text, as it has a syntax error or a duplicate key.
    """
    document = ls.documents.get(params.text_document)
    text = document.source
    try:
        formatted = format_document(document.analysis)
    except CannotFormatError as error:
        line = document.positions.position(error.offset)[0] + 1
        message = f"Not formatted. Line {line}: {error}"
        if ls.quirks.shows_format_errors:
            raise RequestFailedError(message) from None
        ls.show_message(types.MessageType.Warning, f"{name_of(document.uri)}: {message}")
        return None
    if formatted == text:
        return []
    return to_text_edits([Edit(Span(0, len(text)), formatted)], document.positions)
