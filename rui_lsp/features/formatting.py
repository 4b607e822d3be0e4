"""Formatting of a document or a part of it. The value stays the same, which is checked before the edits are sent."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from lsprotocol import types

from rui_common.editing.edits import apply
from rui_common.editing.formatter import CannotFormatError, format_document
from rui_common.editing.text_diff import text_edits, whitespace_edits
from rui_common.syntax.document import read
from rui_common.syntax.spans import Span
from rui_lsp.client.convert import edits_data
from rui_lsp.documents.offload import run_for_document
from rui_lsp.documents.text_buffer import TextBuffer
from rui_lsp.protocol.encoding import encode_data

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rui_common.editing.edits import Edit
    from rui_common.syntax.document import Document
    from rui_common.syntax.line_index import Encoding
    from rui_lsp.protocol.encoding import EncodedJson
    from rui_lsp.server.server import RuiLanguageServer


def register(server: RuiLanguageServer) -> None:
    server.feature(types.TEXT_DOCUMENT_FORMATTING)(formatting)
    server.feature(types.TEXT_DOCUMENT_RANGE_FORMATTING)(range_formatting)


async def formatting(ls: RuiLanguageServer, params: types.DocumentFormattingParams) -> EncodedJson:
    """Canonical order and layout; null for a document with a syntax error."""
    document = ls.workspace.get(params.text_document)
    return await run_for_document(document, _format_all, document.text.encoding)


async def range_formatting(ls: RuiLanguageServer, params: types.DocumentRangeFormattingParams) -> EncodedJson:
    """The layout of the lines of a range; properties keep their order."""
    document = ls.workspace.get(params.text_document)
    start = document.text.offset(params.range.start.line, 0)
    end = document.text.offset(params.range.end.line, params.range.end.character)
    return await run_for_document(document, _format_range, document.text.encoding, *sorted((start, end)))


def _format_all(text: str, encoding: Encoding) -> EncodedJson:
    return _encoded(formatting_edits(read(text)), text, encoding)


def _format_range(text: str, encoding: Encoding, start: int, end: int) -> EncodedJson:
    return _encoded(range_edits(read(text), Span(start, end)), text, encoding)


def _encoded(edits: list[Edit] | None, text: str, encoding: Encoding) -> EncodedJson:
    """Edits as JSON: a large document has thousands, which take 5 µs each as lsprotocol's types."""
    if edits is None:
        return encode_data(None)
    return encode_data(edits_data(edits, TextBuffer(text, encoding)))


def formatting_edits(document: Document) -> list[Edit] | None:
    """The edits to the canonical text of a document; None if it has none, or the value would change."""
    try:
        after = format_document(document)
    except CannotFormatError:
        return None
    edits = whitespace_edits(document.text, after) or text_edits(document.text, after)
    return edits if _keeps_value(document, edits, after) else None


def range_edits(document: Document, span: Span) -> list[Edit] | None:
    """The edits to the canonical layout of a span; None as in `formatting_edits`."""
    try:
        after = format_document(document, keep_order=True)
    except CannotFormatError:
        return None
    edits = whitespace_edits(document.text, after) or []
    edits = [edit for edit in edits if span.start <= edit.span.start and edit.span.end <= span.end]
    return edits if _keeps_value(document, edits, apply(document.text, edits)) else None


def _keeps_value(document: Document, edits: Sequence[Edit], after: str) -> bool:
    return (
        apply(document.text, edits) == after
        and read(after).valid
        and _exact_value(document.text) == _exact_value(after)
    )


def _exact_value(text: str) -> object:
    """The value of a well-formed text, with numbers as they are written: 1.0 is not 1."""
    return json.loads(text.removeprefix("\ufeff"), parse_int=_Number, parse_float=_Number)


class _Number(str):
    """A number as it is written; unequal to a string of the same characters."""

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Number) and str.__eq__(self, other)

    __hash__ = str.__hash__
