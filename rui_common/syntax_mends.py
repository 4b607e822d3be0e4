"""Fault of the text → mends: what makes broken JSON say, in JSON, what the reader has understood anyway.

Nothing is concluded from the wording of a fault. A few small changes are tried where it is; one counts only if the
text then has one fault less and the very same value.
"""

from __future__ import annotations

import json

from rui_common.document import read
from rui_common.edits import Edit, apply
from rui_common.fresh import value_at
from rui_common.members import Span
from rui_common.mends import Mend

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from rui_common.document import Document

_WORDS = {"true": "true", "false": "false", "null": "null", "none": "null", "nil": "null", "undefined": "null"}
_SAFE_WORDS = {"true", "false", "null", "none"}


def syntax_mends(document: Document, span: Span) -> Iterator[Mend]:
    """The first mend that works for the fault at `span`, if there is one.

    Args:
        document: a broken document.
        span: where one of its faults is.
    """
    part, offset = _around(document, span)
    tried = try_mends(part, Span(span.start - offset, span.end - offset))
    if tried is not None:
        title, edits, is_safe = tried[0]
        moved = (Edit(Span(at.start + offset, at.end + offset), text) for at, text in edits)
        yield Mend(title, tuple(moved), is_safe)


def _around(document: Document, span: Span) -> tuple[Document, int]:
    """The element of a list that a fault is in, as a document of its own, and where it begins.

    In a large document that saves reading all of it for every try. It is the whole document if the fault is in no
    element, or if the element on its own would be understood in another way.
    """
    path = document.path_at(span.start)
    upto = next((index + 1 for index, step in enumerate(path) if isinstance(step, int)), 0)
    member = document.find(path[:upto]) if upto else None
    if member is None or member.span is None or not member.start <= span.start <= span.end <= member.end:
        return document, 0
    start = member.start
    part = read(document.text[start : member.end])
    here = Span(span.start - start, span.end - start)
    is_alike = any(fault.span == here for fault in part.syntax)
    if is_alike and _written(part.value) == _written(value_at(document.value, path[:upto])):
        return part, start
    return document, 0


def try_mends(document: Document, span: Span) -> tuple[Mend, Document] | None:
    """The first mend that works for the fault at `span`, with the document that it gives; None if there is none."""
    before, value = len(document.syntax), _written(document.value)
    for title, edit, is_safe in _candidates(document.text, span):
        after = read(apply(document.text, [edit]))
        if len(after.syntax) < before and _written(after.value) == value:
            return Mend(title, (edit,), is_safe), after
    return None


def _candidates(text: str, span: Span) -> Iterator[tuple[str, Edit, bool]]:
    """What may be tried, with whether a program may do it without asking."""
    there = text[span.start : span.end]
    behind = len(text[: span.start].rstrip(" \t\r\n"))
    if there == ",":
        yield "Remove the comma", Edit(span, ""), True
    if there.lower() in _WORDS:
        word = _WORDS[there.lower()]
        yield f"Write {word}", Edit(span, word), there.lower() in _SAFE_WORDS
    if len(there) > 1 and there[0] == there[-1] == "'" and not set(there[1:-1]) & {'"', "\\", "'"}:
        yield "Use double quotes", Edit(span, f'"{there[1:-1]}"'), True
    if there.replace("_", "").replace("-", "").isalnum() and not there[0].isdigit():
        yield "Put it into double quotes", Edit(span, json.dumps(there, ensure_ascii=False)), True
    before = text[behind - 1 : behind]
    if before.isalnum() or before in {'"', "'", "}", "]"}:
        yield "Add a comma", Edit(Span(behind, behind), ","), True
    if before.isalnum() or before in {'"', "'", "_"}:
        yield "Add a colon", Edit(Span(behind, behind), ":"), True
    if there.startswith(("//", "/*", "#")):
        yield "Remove the comment", Edit(span, ""), False
    if there in {"}", "]"}:
        yield "Remove the bracket", Edit(span, ""), False
    for closer in "]}":
        yield f"Add {closer}", Edit(Span(behind, behind), closer), False


def _written(value: object) -> str:
    """Tells 1, 1.0 and true apart, and one order of keys from another."""
    return json.dumps(value)
