"""Formatting as minimal edits, which keep cursors and folds of an editor in place."""

from __future__ import annotations

import json

from rui_common.editing.edits import apply
from rui_common.editing.formatter import CannotFormatError, format_document
from rui_common.editing.text_diff import text_edits, whitespace_edits
from rui_common.syntax.document import read

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from rui_common.editing.edits import Edit
    from rui_common.syntax.document import Document
    from rui_common.syntax.spans import Span


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
    if not _keeps_value(document, edits, apply(document.text, edits)):
        return None
    return edits


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
