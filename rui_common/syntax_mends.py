"""Fault of the text → mends: what makes broken JSON say, in JSON, what the reader has understood anyway.

Nothing is concluded from the wording of a fault. A few small changes are tried where it is; one counts only if the
text then has one fault less and the very same value.
"""

from __future__ import annotations

import json

from rui_common.document import read
from rui_common.edits import Edit, apply
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
    tried = try_mends(document, span)
    if tried is not None:
        yield tried[0]


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
    yield "Add a comma", Edit(Span(behind, behind), ","), True
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
