"""Formatting of a document or a part of it. The value stays as it is, which is checked before it is answered."""

from __future__ import annotations

import json

from rui_common.editing.edits import apply
from rui_common.editing.formatter import CannotFormatError, format_document
from rui_common.editing.text_diff import text_edits, whitespace_edits
from rui_common.syntax.document import read
from rui_common.syntax.spans import Span
from rui_lsp.client.convert import edits_to_lsp, range_from_lsp
from rui_lsp.documents.offload import aside

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from rui_common.editing.edits import Edit
    from rui_common.syntax.document import Document
    from rui_lsp.client.convert import Json
    from rui_lsp.documents.workspace import Workspace
    from rui_lsp.protocol.framing import Encoded


async def format_all(workspace: Workspace, params: Json) -> list[Json] | Encoded | None:
    """``textDocument/formatting``: canonical order and layout; null for a text that is broken."""
    opened = workspace.document_of(params)
    return await aside(workspace, opened, _all, params)


async def format_range(workspace: Workspace, params: Json) -> list[Json] | Encoded | None:
    """``textDocument/rangeFormatting``: the layout of the lines of a range; properties keep their order."""
    opened = workspace.document_of(params)
    return await aside(workspace, opened, _range, params)


def _all(workspace: Workspace, params: Json) -> list[Json] | None:
    opened = workspace.document_of(params)
    edits = formatting_edits(opened.document)
    return None if edits is None else edits_to_lsp(edits, opened.text)


def _range(workspace: Workspace, params: Json) -> list[Json] | None:
    opened = workspace.document_of(params)
    start, end = range_from_lsp(params.get("range"))
    span = Span(*sorted((opened.text.offset(start[0], 0), opened.text.offset(*end))))
    edits = range_edits(opened.document, span)
    return None if edits is None else edits_to_lsp(edits, opened.text)


def formatting_edits(document: Document) -> list[Edit] | None:
    """The changes that give a document its canonical text; None if it has none, or the value would not be the same."""
    try:
        after = format_document(document)
    except CannotFormatError:
        return None
    edits = whitespace_edits(document.text, after) or text_edits(document.text, after)
    return edits if _is_harmless(document, edits, after) else None


def range_edits(document: Document, span: Span) -> list[Edit] | None:
    """The changes that give what is in a span its canonical layout; None as in `formatting_edits`."""
    try:
        after = format_document(document, keep_order=True)
    except CannotFormatError:
        return None
    found = whitespace_edits(document.text, after) or []
    edits = [edit for edit in found if span.start <= edit.span.start and edit.span.end <= span.end]
    return edits if _is_harmless(document, edits, apply(document.text, edits)) else None


def _is_harmless(document: Document, edits: Sequence[Edit], after: str) -> bool:
    return apply(document.text, edits) == after and read(after).valid and _spelt(document.text) == _spelt(after)


def _spelt(text: str) -> object:
    """The value of a sound text, in which a number is as it is written: 1.0 is not 1."""
    return json.loads(text.removeprefix("\ufeff"), parse_int=_Number, parse_float=_Number)


class _Number(str):
    """A number as it is written; unlike a string of the same characters."""

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Number) and str.__eq__(self, other)

    __hash__ = str.__hash__


HANDLERS = {"textDocument/formatting": format_all, "textDocument/rangeFormatting": format_range}
