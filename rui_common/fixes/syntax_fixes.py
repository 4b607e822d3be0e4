"""Fixes for syntax errors: they make the text JSON with the value that the parser has recovered.

The message of an error is not interpreted. A few small changes are tried. One is a fix if the text then has fewer
errors and the same value.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from rui_common.editing.edits import Edit, end_before, format_json, line_start
from rui_common.fixes.context import generator_at
from rui_common.fixes.model import Fix
from rui_common.fixes.reader import Reader
from rui_common.syntax.document import Document
from rui_common.syntax.paths import Path, value_at
from rui_common.syntax.recovery.envelope import PROSE, find_envelope
from rui_common.syntax.recovery.lexer import COMMENT
from rui_common.syntax.spans import Span
from rui_common.syntax.tree import UNKNOWN
from rui_common.validation.analysis import Analysis
from rui_common.validation.meant import holds_content
from rui_common.validation.wording import shorten

MAX_ERRORS = 100
"""Errors of a text for which fixes are searched at once. A text with more needs several rounds."""

_BLANKS = " \t\r\n"
_CLOSING = {"{": "}", "[": "]"}
_OTHER_CLOSING = {"}": "]", "]": "}"}
_LINE_END = re.compile(r"[ \t]*(?:\r\n|\r|\n|\Z)")
_NUMBER = re.compile(r"\+?-?(?!0[0-9])[0-9]*\.?[0-9]*")
_MARKS = {"=": ":", "=>": ":", ":=": ":", ";": ","}
"""Marks of other languages, and their spelling in JSON."""


def syntax_fixes(analysis: Analysis, span: Span, reader: Reader) -> list[Fix]:
    """Return the first change that works for a syntax error, if any; a new document if there is no object.

    Args:
        analysis: a text with syntax errors, or one whose root is not an object.
        span: the range of the error.
        reader: reads the changed texts.
    """
    document = analysis.document
    if not isinstance(document.value, dict) and (document.valid or not document.text.strip("\ufeff" + _BLANKS)):
        return list(_new_document_fixes(analysis))
    for fix in _candidates(document, span):
        if reader.improve(document, fix.edits) is not None:
            return [fix]
    return []


def safe_candidates(document: Document) -> dict[str, list[Fix]]:
    """Return the safe changes of the first errors by kind. None of them is tried.

    A text may have hundreds of the same error, such as typographic quotes.
    """
    kinds: dict[str, list[Fix]] = {}
    if isinstance(document.value, dict | list):
        for error in document.all_syntax[:MAX_ERRORS]:
            for fix in _candidates(document, error.span):
                if fix.is_safe:
                    kinds.setdefault(fix.title.partition('"')[0], []).append(fix)
    return kinds


def _candidates(document: Document, span: Span) -> Iterator[Fix]:
    text = document.text
    source = text[span.start : span.end]
    if document.syntax[0].span == span:
        envelope = find_envelope(text, int(text.startswith("\ufeff")))
        if envelope is not None and envelope.error.span == span:
            edits = tuple(Edit(part, "") for part in envelope.spans)
            yield Fix("Remove the text around the document", edits, True)
    if COMMENT.match(source):
        yield _candidate("Remove the comment", _with_blanks(text, span), "")
        return
    yield from _rewrite(document, span)
    if source in {"...", "\u2026"}:
        yield _candidate("Remove the ellipsis", _with_blanks(text, span), "", is_safe=True)
    elif source == ",":
        yield _candidate("Remove the comma", span, "", is_safe=True)
    elif source in _MARKS:
        yield _candidate(f"Write {_MARKS[source]}", span, _MARKS[source], is_safe=True)
    elif (source and not source.strip()) or source == "\ufeff":
        yield _candidate("Remove the character", span, "", is_safe=True)
    yield from _insertions(text, span)
    yield from _changes_at_end(document, span)
    if source not in _OTHER_CLOSING:
        yield _candidate("Remove it", span, "")


def _rewrite(document: Document, span: Span) -> Iterator[Fix]:
    """Write the key or simple value that contains the error in JSON, as the parser has recovered it."""
    path = document.path_at(span.start)
    member = document.find(path)
    if member is None or not path:
        return
    value: object = path[-1]
    place = member.key_span
    if place is None or not place.start <= span.start < place.end:
        value = value_at(document.value, path)
        place = member.span
        if place is None or member.members() is not None or not place.start <= span.start <= span.end <= place.end:
            return
    source = document.text[place.start : place.end]
    new = json.dumps(value, ensure_ascii=False)
    if new != source:
        yield _candidate(f"Write {shorten(new)}", place, new, is_safe=_is_certain(source, value))


def _is_certain(source: str, value: object) -> bool:
    """Whether a token has no other meaning: other quotes, no quotes, a literal or number of another language."""
    if isinstance(value, str):
        is_word = source == value and source.replace("_", "").replace("-", "").isalnum()
        return is_word or (source[1:-1] == value and not {*value} & {'"', "\\", *source[:1], *source[-1:]})
    if isinstance(value, bool | None):
        return source.lower() in {"true", "false", "null", "none"}
    # A double may not represent all digits.
    return _NUMBER.fullmatch(source) is not None and _digits(source) == _digits(json.dumps(value))


def _digits(number: str) -> str:
    return re.sub("[^0-9]", "", number).strip("0")


def _candidate(title: str, span: Span, new: str, *, is_safe: bool = False) -> Fix:
    return Fix(title, (Edit(span, new),), is_safe)


def _insertions(text: str, span: Span) -> Iterator[Fix]:
    """Yield marks after the text before the error, and another bracket in its place."""
    source = text[span.start : span.end]
    end = end_before(text, span.start)
    here = Span(end, end)
    previous = text[end - 1 : end]
    is_followed = span.start < len(text) and text[span.start] not in ",;:" and not text[span.start].isspace()
    if is_followed and (previous.isalnum() or previous in {'"', "'", "}", "]"}):
        yield _candidate("Add a comma", here, ",", is_safe=True)
    if previous.isalnum() or previous in {'"', "'", "_"}:
        yield _candidate("Add a colon", here, ":", is_safe=True)
    if source in _OTHER_CLOSING:
        other = _OTHER_CLOSING[source]
        yield _candidate(f"Write {other}", span, other)
        yield _candidate("Remove the bracket", span, "")
    for bracket in "]}":
        yield _candidate(f"Add {bracket}", here, bracket)
    if previous == ",":
        for bracket in "]}":
            yield _candidate(f"Add {bracket} before the comma", Span(end - 1, end - 1), bracket)


def _with_blanks(text: str, span: Span) -> Span:
    """The range and the blanks before it, and the line end if it is alone on its line."""
    line = line_start(text, span.start)
    start = line + len(text[line : span.start].rstrip(" \t"))
    line_end = _LINE_END.match(text, span.end)
    if start > line:
        return Span(start, span.end)
    if line_end is None:
        return Span(line, span.end)
    return Span(line, line_end.end())


def _changes_at_end(document: Document, span: Span) -> Iterator[Fix]:
    """Yield changes at the end of a text that ends too early or too late."""
    text = document.text
    root = document.find(())
    end = len(text.rstrip(_BLANKS))
    if span.end >= end and (brackets := _missing_brackets(document)):
        for quote in ("", '"'):
            yield _candidate(f"Add {quote}{brackets}", Span(end, end), quote + brackets)
        if text[end - 1] == ",":
            yield _candidate(f"Write {brackets} instead of the comma", Span(end - 1, end), brackets)
    if root is not None and root.span is not None and not root.is_open and span.start >= root.end:
        is_prose = PROSE.fullmatch(text, root.end) is not None
        yield _candidate("Remove the text after the document", Span(root.end, end), "", is_safe=is_prose)


def _missing_brackets(document: Document) -> str:
    """The brackets that would close the unclosed objects and arrays, the innermost first."""
    brackets = ""
    path: Path = ()
    member = document.find(path)
    while member is not None and member.is_open and member.start != UNKNOWN and document.text[member.start] in _CLOSING:
        brackets = _CLOSING[document.text[member.start]] + brackets
        members = document.members(path)
        if not members:
            break
        path = (*path, members[-1].step)
        member = document.find(path)
    return brackets


def _new_document_fixes(analysis: Analysis) -> Iterator[Fix]:
    """Yield the fix for a text that is empty or whose root is not an object."""
    document = analysis.document
    text = document.text
    value = document.value
    root = document.find(())
    span = None if root is None else root.span
    if span is None:
        span = Span(len(text) - len(text.lstrip("\ufeff")), len(text))
    if holds_content(value):
        return
    title = "Replace it by a new document"
    if value is None and not text.strip():
        title = "Insert a new document"
    new = generator_at(analysis, analysis.tree.root).new_object(analysis.vocabulary.root)
    yield Fix(title, (Edit(span, format_json(new)),), False)
