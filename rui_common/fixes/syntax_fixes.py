"""Fault of the text → mends: what makes broken JSON say, in JSON, what the reader has understood anyway.

Nothing is concluded from the wording of a fault. A few small changes are tried where it is; one counts only if the
text then has one fault less and the very same value.
"""

from __future__ import annotations

import json
import re
from itertools import chain

from rui_common.editing.completion_context import VALUE, completion_context_at
from rui_common.editing.edits import Edit, apply, lay_out
from rui_common.editing.generate import NamesInUse, value_at
from rui_common.fixes.model import Fix
from rui_common.syntax.document import read
from rui_common.syntax.recovery.envelope import around
from rui_common.syntax.spans import Span
from rui_common.syntax.tree import UNKNOWN
from rui_common.validation.findings import shorten
from rui_common.vocabulary.lookup import schema_location, shape_of
from rui_common.vocabulary.rui_0_1 import VOCABULARY

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from rui_common.syntax.document import Document
    from rui_common.syntax.paths import Path

_BLANKS = " \t\r\n"
_ESCAPED = 6
"""The length of an escape with four digits."""
_LEADING_ZERO = re.compile(r"[+-]?0[0-9]")
_MARKS = {"=": ":", "=>": ":", ":=": ":", ";": ","}
_WORDS = {"true": "true", "false": "false", "null": "null", "none": "null", "nil": "null", "undefined": "null"}
_WRITTEN = _MARKS | _WORDS
_SAFE = {*_MARKS, "true", "false", "null", "none"}
"""How other languages write marks and words of JSON, and which of these mean nothing else."""


def syntax_fixes(document: Document, span: Span) -> Iterator[Fix]:
    """The first mend that works for the fault at `span`, if there is one.

    Args:
        document: a broken document.
        span: where one of its faults is.
    """
    if not isinstance(document.value, dict) and (document.valid or not document.text.strip("\ufeff \t\r\n")):
        yield from start_anew(document)
        return
    part, offset = _around(document, span)
    tried = try_fixes(part, Span(span.start - offset, span.end - offset))
    if tried is None:
        yield from (fix for fix in _filled(document, span) if _removes(document, fix))
    else:
        title, edits, is_safe = tried[0]
        moved = (Edit(Span(at.start + offset, at.end + offset), text) for at, text in edits)
        yield Fix(title, tuple(moved), is_safe)


def _around(document: Document, span: Span) -> tuple[Document, int]:
    """The element of a list that a fault is in, as a document of its own, and where it begins.

    In a large document that saves reading all of it for every try. It is the whole document if the fault is in no
    element, or if the element on its own would be understood in another way.
    """
    if span.end >= len(document.text.rstrip(_BLANKS)):
        return document, 0  # More may be open there than the element.
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


def try_fixes(document: Document, span: Span) -> tuple[Fix, Document] | None:
    """The first mend that works for the fault at `span`, with the document that it gives; None if there is none."""
    before, value = len(document.syntax), _written(document.value)
    if not document.syntax:
        return None
    for title, edits, is_safe, is_alike in _candidates(document, span):
        after = read(apply(document.text, edits))
        if len(after.syntax) < before and (not is_alike or _written(after.value) == value):
            return Fix(title, edits, is_safe), after
    return None


def _candidates(document: Document, span: Span) -> Iterator[tuple[str, tuple[Edit, ...], bool, bool]]:
    """What may be tried, with whether a program may do it without asking, and whether the value must stay the same."""
    text = document.text
    beside = around(text, int(text.startswith("\ufeff")))
    if beside is not None and beside.span == span:
        yield "Remove what stands around the document", tuple(Edit(part, "") for part in beside.parts), True, True
    behind = len(text[: span.start].rstrip(_BLANKS))
    for title, edit, is_safe in chain(_of_marks(text, span, behind), _of_strings(text, span), _of_ends(document, span)):
        yield title, (edit,), is_safe, True
    if text[span.start : span.start + 2] == "\\'":
        yield "Remove the backslash", (Edit(Span(span.start, span.start + 1), ""),), False, False
    for title, edit, is_safe in _rewritten(document, span):
        yield title, (edit,), is_safe, True
    if text[span.start : span.end] not in {"}", "]"}:
        yield "Remove it", (Edit(span, ""),), False, True


def _of_marks(text: str, span: Span, behind: int) -> Iterator[tuple[str, Edit, bool]]:
    """A mark, a word or a comment; `behind` is where what stands before the fault ends."""
    there = text[span.start : span.end]
    if there == ",":
        yield "Remove the comma", Edit(span, ""), True
    if there.lower() in _WRITTEN:
        written = _WRITTEN[there.lower()]
        yield f"Write {written}", Edit(span, written), there.lower() in _SAFE
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
        other = "]" if there == "}" else "}"
        yield f"Write {other}", Edit(span, other), False
        yield "Remove the bracket", Edit(span, ""), False
    for closer in "]}":
        yield f"Add {closer}", Edit(Span(behind, behind), closer), False


def _of_strings(text: str, span: Span) -> Iterator[tuple[str, Edit, bool]]:
    """What is wrong within a string, or with its end."""
    there = text[span.start : span.end]
    if there.startswith("\\u") and len(there) == _ESCAPED:
        yield "Write U+FFFD for the half of a character", Edit(span, "\\ufffd"), False
    elif there.startswith("\\") and there[1:2] != "'":
        yield "Write the backslash twice", Edit(Span(span.start, span.start), "\\"), False
    elif there == '"':
        yield "Put a backslash before it", Edit(Span(span.start, span.start), "\\"), False
    elif len(there) == 1 and there < " ":
        yield "Write it as an escape", Edit(span, json.dumps(there)[1:-1]), True
    elif len(there) == 1 and (there.isspace() or there == "\ufeff"):
        yield "Remove the character", Edit(span, ""), True
    if there.startswith('"'):
        yield "Add a quote", Edit(Span(span.end, span.end), '"'), False


def _of_ends(document: Document, span: Span) -> Iterator[tuple[str, Edit, bool]]:
    """A text that ends too early, or goes on behind its end."""
    text, root = document.text, document.find(())
    end = len(text.rstrip(_BLANKS))
    closers = _closers(document)
    if closers and span.end >= end:
        for missing in ("", '"'):
            yield f"Add {missing}{closers}", Edit(Span(end, end), missing + closers), False
        if text[end - 1] == ",":
            yield f"Write {closers} instead of the comma", Edit(Span(end - 1, end), closers), False
    if root is not None and root.span is not None and not root.is_open and span.start >= root.end:
        yield "Remove what follows the document", Edit(Span(root.end, end), ""), False


def _closers(document: Document) -> str:
    """What would close the objects and arrays that are never closed, the innermost first."""
    closers = ""
    path: Path = ()
    member = document.find(path)
    while member is not None and member.is_open and member.start != UNKNOWN and document.text[member.start] in "{[":
        closers = ("}" if document.text[member.start] == "{" else "]") + closers
        inside = document.members(path)
        path = (*path, inside[-1].step) if inside else path
        member = document.find(path) if inside else None
    return closers


def _rewritten(document: Document, span: Span) -> Iterator[tuple[str, Edit, bool]]:
    """The value or name that the fault is in, as JSON writes what was understood."""
    path = document.path_at(span.start)
    member = document.find(path)
    if member is None:
        return
    key, there = member.key_span, document.text[span.start : span.end]
    if key is not None and key.start <= span.start and span.end <= key.end:
        yield "Write it as JSON", Edit(key, json.dumps(path[-1], ensure_ascii=False)), False
    elif member.span is not None and member.members() is None and member.start <= span.start <= span.end <= member.end:
        written = json.dumps(value_at(document.value, path), ensure_ascii=False)
        is_safe = there.strip("+").lstrip("-").replace(".", "", 1).isdigit() and _LEADING_ZERO.match(there) is None
        yield f"Write {shorten(written)}", Edit(member.span, written), is_safe


def _removes(document: Document, fix: Fix) -> bool:
    return len(read(apply(document.text, fix.edits)).syntax) < len(document.syntax)


def _filled(document: Document, span: Span) -> Iterator[Fix]:
    """A value for a property that has none yet."""
    cursor = completion_context_at(document, span.start)
    if cursor is None or cursor.expects != VALUE:
        return
    place = schema_location(document.value, cursor.path)
    shape = None if place is None else shape_of(value_at(document.value, cursor.path), place.kind)
    prop = None if shape is None else shape.prop(cursor.key or "")
    if place is not None and prop is not None:
        value = NamesInUse(document).maker_at(cursor.path).missing(prop, place.kind)
        written = json.dumps(value, ensure_ascii=False)
        if span.end >= len(document.text.rstrip(_BLANKS)):
            written += _closers(document)
        yield Fix(f"Write {shorten(written)}", (Edit(Span(span.start, span.start), written),), False)


def start_anew(document: Document) -> Iterator[Fix]:
    """What makes a document of a text that is empty, or whose root is no object."""
    text, root, value = document.text, document.find(()), document.value
    if root is None or root.span is None:
        span = Span(len(text) - len(text.lstrip("\ufeff")), len(text))
    else:
        span = root.span
        if isinstance(value, list) and len(value) == 1 and isinstance(value[0], dict):
            only = document.members(())[0]
            edits = Edit(Span(span.start, only.start), ""), Edit(Span(only.end, span.end), "")
            yield Fix("Take the object out of the array", edits, False)
    made = NamesInUse(document).maker_at(()).make(VOCABULARY.root)
    yield Fix("Write a new document" if value is None and not text.strip() else "Replace it by a new document",
               (Edit(span, lay_out(made)),), False)  # fmt: skip


def _written(value: object) -> str:
    """Tells 1, 1.0 and true apart, and one order of keys from another."""
    return json.dumps(value)
