"""Formatting of a document."""

from __future__ import annotations

from lsprotocol import types

from rui_common.editing.edits import Edit
from rui_common.editing.formatter import CannotFormatError, format_document
from rui_common.syntax.document import read
from rui_common.syntax.line_index import Encoding
from rui_common.syntax.spans import Span
from rui_lsp.client.convert import edits_data
from rui_lsp.commands.show_in_client import name_of
from rui_lsp.documents.offload import run_for_document
from rui_lsp.documents.text_buffer import TextBuffer
from rui_lsp.protocol.encoding import EncodedJson, encode_data
from rui_lsp.protocol.errors import RequestFailedError
from rui_lsp.server.server import RuiLanguageServer


def register(server: RuiLanguageServer) -> None:
    server.feature(types.TEXT_DOCUMENT_FORMATTING)(formatting)


async def formatting(ls: RuiLanguageServer, params: types.DocumentFormattingParams) -> EncodedJson:
    """Canonical order and layout.

    Raises:
        RequestFailedError: the document has no canonical text, as it has a syntax error or a duplicate key.
    """
    document = ls.workspace.get(params.text_document)
    try:
        return await run_for_document(document, _format, document.text.encoding)
    except RequestFailedError as error:
        if ls.quirks.shows_format_errors:
            raise
        ls.show_message(types.MessageType.Warning, f"{name_of(document.uri)}: {error.message}")
        return encode_data(None)


def _format(text: str, encoding: Encoding) -> EncodedJson:
    """One edit that replaces the whole text; editors apply only what differs."""
    document = read(text)
    try:
        after = format_document(document)
    except CannotFormatError as error:
        line = document.lines.position(error.offset, encoding)[0] + 1
        raise RequestFailedError(f"Not formatted. Line {line}: {error}.") from None
    edits = [] if after == text else [Edit(Span(0, len(text)), after)]
    return encode_data(edits_data(edits, TextBuffer(text, encoding)))
