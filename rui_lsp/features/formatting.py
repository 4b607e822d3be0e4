"""Formatting of a document or a part of it. The value stays the same, which is checked before the edits are sent."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from rui_common.editing.formatter import CannotFormatError, format_document
from rui_common.editing.formatting_edits import formatting_edits, range_edits
from rui_common.syntax.document import read
from rui_common.syntax.spans import Span
from rui_lsp.client.convert import edits_data
from rui_lsp.commands.show_in_client import name_of
from rui_lsp.documents.offload import run_for_document
from rui_lsp.documents.text_buffer import TextBuffer
from rui_lsp.protocol.encoding import encode_data
from rui_lsp.protocol.errors import RequestFailedError

if TYPE_CHECKING:
    from rui_common.editing.edits import Edit
    from rui_common.syntax.document import Document
    from rui_common.syntax.line_index import Encoding
    from rui_lsp.protocol.encoding import EncodedJson
    from rui_lsp.server.server import RuiLanguageServer


def register(server: RuiLanguageServer) -> None:
    server.feature(types.TEXT_DOCUMENT_FORMATTING)(formatting)
    server.feature(types.TEXT_DOCUMENT_RANGE_FORMATTING)(range_formatting)


async def formatting(ls: RuiLanguageServer, params: types.DocumentFormattingParams) -> EncodedJson:
    """Canonical order and layout.

    Raises:
        RequestFailedError: the document has no canonical text, as it has a syntax error or a duplicate key.
    """
    document = ls.workspace.get(params.text_document)
    try:
        return await run_for_document(document, _format_all, document.text.encoding)
    except RequestFailedError as error:
        if ls.quirks.shows_format_errors:
            raise
        ls.show_message(types.MessageType.Warning, f"{name_of(document.uri)}: {error.message}")
        return encode_data(None)


async def range_formatting(ls: RuiLanguageServer, params: types.DocumentRangeFormattingParams) -> EncodedJson:
    """The layout of the lines of a range; properties keep their order."""
    document = ls.workspace.get(params.text_document)
    start = document.text.offset(params.range.start.line, 0)
    end = document.text.offset(params.range.end.line, params.range.end.character)
    return await run_for_document(document, _format_range, document.text.encoding, *sorted((start, end)))


def _format_all(text: str, encoding: Encoding) -> EncodedJson:
    document = read(text)
    edits = formatting_edits(document)
    if edits is None:
        raise RequestFailedError(f"Not formatted. {_reason(document, encoding)}")
    return _encoded(edits, text, encoding)


def _reason(document: Document, encoding: Encoding) -> str:
    """Why a document has no edits to its canonical text."""
    try:
        format_document(document)
    except CannotFormatError as error:
        line = document.lines.position(error.offset, encoding)[0] + 1
        return f"Line {line}: {error}."
    return "The value would change."


def _format_range(text: str, encoding: Encoding, start: int, end: int) -> EncodedJson:
    return _encoded(range_edits(read(text), Span(start, end)), text, encoding)


def _encoded(edits: list[Edit] | None, text: str, encoding: Encoding) -> EncodedJson:
    """Edits as JSON: a large document has thousands, which take 5 µs each as lsprotocol's types."""
    if edits is None:
        return encode_data(None)
    return encode_data(edits_data(edits, TextBuffer(text, encoding)))
