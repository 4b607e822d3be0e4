"""Fixes for syntax errors: they make the text JSON with the value that the parser has recovered.

The message of an error is not interpreted. A few small changes are tried. One is a fix if the text then has fewer
errors and the same value.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from rui_common.editing.edits import Edit, format_json
from rui_common.editing.generate import ValueGenerator
from rui_common.editing.references import ReferenceIndex
from rui_common.fixes.context import has_content
from rui_common.fixes.model import Fix
from rui_common.fixes.reader import Reader
from rui_common.syntax.document import Document
from rui_common.syntax.paths import Path, value_at
from rui_common.syntax.recovery.envelope import PROSE, find_envelope
from rui_common.syntax.recovery.lexer import COMMENT
from rui_common.syntax.spans import Span
from rui_common.syntax.tree import UNKNOWN
from rui_common.validation.wording import shorten
from rui_common.vocabulary.rui_0_1 import VOCABULARY

_BLANKS = " \t\r\n"
_ESCAPE_LENGTH = 6
"""Length of an escape such as ``\\u00e9``."""

_CLOSING = {"{": "}", "[": "]"}
_OTHER_CLOSING = {"}": "]", "]": "}"}
_LINE_END = re.compile(r"[ \t]*(?:\r\n|\r|\n|\Z)")
_LEADING_ZERO = re.compile(r"[+-]?0[0-9]")

_MARKS = {"=": ":", "=>": ":", ":=": ":", ";": ","}
_LITERALS = {"true": "true", "false": "false", "null": "null", "none": "null", "nil": "null", "undefined": "null"}
_QUOTES = {"''", "``", "\u201c\u201d", "\u201c\u201c", "\u201d\u201d", "\u201e\u201c", "\u2018\u2019", "\u2019\u2019"}
_JSON_SPELLINGS = _MARKS | _LITERALS
"""Marks and literals of other languages, in lower case, and their spelling in JSON."""

_UNAMBIGUOUS = {*_MARKS, "true", "false", "null", "none"}


def syntax_fixes(document: Document, span: Span, reader: Reader) -> list[Fix]:
    """Return the first fix that works for the syntax error at `span`, if any.

    Args:
        document: a document with syntax errors, or one whose root is not an object.
        span: the range of the error.
        reader: reads the changed texts.
    """
    if not isinstance(document.value, dict) and (document.valid or not document.text.strip("\ufeff" + _BLANKS)):
        return list(_new_document_fixes(document))
    fix = next((fix for fix in _candidates(document, span) if reader.apply(document, fix.edits) is not None), None)
    if fix is None:
        return []
    return [fix]


def safe_syntax_fix(document: Document, span: Span, reader: Reader) -> Fix | None:
    """Return the first fix that works for the syntax error at `span`, if it is safe."""
    is_comment = COMMENT.match(document.text, span.start) is not None
    if is_comment or reader.is_spent or not isinstance(document.value, dict):
        return None
    return next((fix for fix in syntax_fixes(document, span, reader) if fix.is_safe), None)


def likely_fixes(document: Document) -> dict[str, list[Fix]]:
    """Return the first safe change of a mark, word or string for each error, by title. None of them is tried.

    A text may have hundreds of the same error, such as typographic quotes.
    """
    fixes: dict[str, list[Fix]] = {}
    for error in document.all_syntax:
        candidates = (*_token_candidates(document.text, error.span), *_string_candidates(document.text, error.span))
        likely = next((candidate for candidate in candidates if candidate.is_safe), None)
        if likely is not None:
            fixes.setdefault(likely.title, []).append(likely)
    return fixes


def _candidates(document: Document, span: Span) -> Iterator[Fix]:
    text = document.text
    if document.syntax[0].span == span:
        yield from _envelope_candidates(text, span)
    yield from _token_candidates(text, span)
    yield from _comment_candidates(text, span)
    yield from _string_candidates(text, span)
    yield from _end_candidates(document, span)
    yield from _rewrite_candidates(document, span)
    if text[span.start : span.end] not in _OTHER_CLOSING:
        yield _candidate("Remove it", span, "")


def _envelope_candidates(text: str, span: Span) -> Iterator[Fix]:
    envelope = find_envelope(text, int(text.startswith("\ufeff")))
    if envelope is not None and envelope.error.span == span:
        edits = tuple(Edit(part, "") for part in envelope.spans)
        yield Fix("Remove the text around the document", edits, True)


def _candidate(title: str, span: Span, new: str, *, is_safe: bool = False) -> Fix:
    return Fix(title, (Edit(span, new),), is_safe)


def _token_candidates(text: str, span: Span) -> Iterator[Fix]:
    """Changes of a mark, a literal or a comment."""
    source = text[span.start : span.end]
    end = _end_before(text, span.start)
    after_previous = Span(end, end)
    if source == ",":
        yield _candidate("Remove the comma", span, "", is_safe=True)
    lower = source.lower()
    if lower in _JSON_SPELLINGS:
        spelling = _JSON_SPELLINGS[lower]
        yield _candidate(f"Write {spelling}", span, spelling, is_safe=lower in _UNAMBIGUOUS)
    quotes = source[:1] + source[-1:]
    if len(source) > 1 and quotes in _QUOTES and not set(source[1:-1]) & {'"', "\\", *quotes}:
        yield _candidate("Use double quotes", span, f'"{source[1:-1]}"', is_safe=True)
    if source.replace("_", "").replace("-", "").isalnum() and not source[0].isdigit():
        yield _candidate("Add double quotes", span, json.dumps(source, ensure_ascii=False), is_safe=True)
    previous = text[end - 1 : end]
    is_followed = not text[span.start : span.start + 1].isspace() and span.start < len(text)
    if is_followed and (previous.isalnum() or previous in {'"', "'", "}", "]"}):
        yield _candidate("Add a comma", after_previous, ",", is_safe=True)
    if previous.isalnum() or previous in {'"', "'", "_"}:
        yield _candidate("Add a colon", after_previous, ":", is_safe=True)
    yield from _bracket_candidates(text, source, span, end)


def _bracket_candidates(text: str, source: str, span: Span, end: int) -> Iterator[Fix]:
    """Changes of a bracket, or a new one after the previous token, which ends at `end`."""
    if source in _OTHER_CLOSING:
        other = _OTHER_CLOSING[source]
        yield _candidate(f"Write {other}", span, other)
        yield _candidate("Remove the bracket", span, "")
    for bracket in "]}":
        yield _candidate(f"Add {bracket}", Span(end, end), bracket)
    if text[end - 1 : end] == ",":
        for bracket in "]}":
            yield _candidate(f"Add {bracket} before the comma", Span(end - 1, end - 1), bracket)


def _end_before(text: str, offset: int) -> int:
    """The end of the text before an offset, without blanks."""
    while offset and text[offset - 1] in _BLANKS:
        offset -= 1
    return offset


def _comment_candidates(text: str, span: Span) -> Iterator[Fix]:
    """Removal of a comment or an ellipsis."""
    source = text[span.start : span.end]
    if COMMENT.match(source):
        yield _candidate("Remove the comment", _with_blanks(text, span), "")
    elif source in {"...", "\u2026"}:
        yield _candidate("Remove the ellipsis", _with_blanks(text, span), "", is_safe=True)


def _with_blanks(text: str, span: Span) -> Span:
    """The range and the blanks before it, and the line end if it is alone on its line."""
    line_start = max(text.rfind("\n", 0, span.start), text.rfind("\r", 0, span.start)) + 1
    start = line_start + len(text[line_start : span.start].rstrip(" \t"))
    line_end = _LINE_END.match(text, span.end)
    if start > line_start:
        return Span(start, span.end)
    return Span(line_start, span.end if line_end is None else line_end.end())


def _string_candidates(text: str, span: Span) -> Iterator[Fix]:
    """Changes in a string or at its end."""
    source = text[span.start : span.end]
    start = Span(span.start, span.start)
    if source.startswith("\\u") and len(source) == _ESCAPE_LENGTH:
        yield _candidate("Replace the lone surrogate by U+FFFD", span, "\\ufffd")
    elif source.startswith("\\"):
        yield _candidate("Double the backslash", start, "\\")
    elif source == '"':
        yield _candidate("Escape it with a backslash", start, "\\")
    elif len(source) == 1 and source < " ":
        yield _candidate("Write it as an escape", span, json.dumps(source)[1:-1], is_safe=True)
    elif len(source) == 1 and (source.isspace() or source == "\ufeff"):
        yield _candidate("Remove the character", span, "", is_safe=True)
    if source.startswith('"'):
        yield _candidate("Add a quote", Span(span.end, span.end), '"')


def _end_candidates(document: Document, span: Span) -> Iterator[Fix]:
    """Changes at the end of a text that ends too early or too late."""
    text = document.text
    root = document.find(())
    end = len(text.rstrip(_BLANKS))
    brackets = _missing_brackets(document)
    if brackets and span.end >= end:
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


def _rewrite_candidates(document: Document, span: Span) -> Iterator[Fix]:
    """Write the key or value that contains the error in JSON, as the parser has recovered it."""
    path = document.path_at(span.start)
    member = document.find(path)
    if member is None:
        return
    key = member.key_span
    if key is not None and key.start <= span.start and span.end <= key.end:
        yield _candidate("Write it as JSON", key, json.dumps(path[-1], ensure_ascii=False))
    elif member.span is not None and member.members() is None and member.start <= span.start <= span.end <= member.end:
        new = json.dumps(value_at(document.value, path), ensure_ascii=False)
        source = document.text[span.start : span.end]
        is_number = source.strip("+").lstrip("-").replace(".", "", 1).isdigit()
        is_safe = is_number and _LEADING_ZERO.match(source) is None
        yield _candidate(f"Write {shorten(new)}", member.span, new, is_safe=is_safe)


def _new_document_fixes(document: Document) -> Iterator[Fix]:
    """Yield the fix for a text that is empty or whose root is not an object."""
    text = document.text
    value = document.value
    root = document.find(())
    span = None if root is None else root.span
    if span is None:
        span = Span(len(text) - len(text.lstrip("\ufeff")), len(text))
    if has_content(value):
        return
    title = "Replace it by a new document"
    if value is None and not text.strip():
        title = "Insert a new document"
    new = ValueGenerator(ReferenceIndex(document), ()).new_object(VOCABULARY.root)
    yield Fix(title, (Edit(span, format_json(new)),), False)
