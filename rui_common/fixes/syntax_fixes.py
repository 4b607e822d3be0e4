"""Fixes for syntax errors: they make the text JSON with the value that the parser has recovered.

The message of an error is not interpreted. A few small changes are tried. One is a fix if the text then has fewer
errors and the same value.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import NamedTuple

from rui_common.editing.completion_context import Expects, completion_context_at
from rui_common.editing.edits import Edit, apply, format_json
from rui_common.editing.generate import NamesInUse
from rui_common.fixes.context import has_content
from rui_common.fixes.model import Fix
from rui_common.fixes.reader import Reader, exact
from rui_common.syntax.document import Document
from rui_common.syntax.paths import Path, value_at
from rui_common.syntax.recovery.envelope import PROSE, find_envelope
from rui_common.syntax.recovery.lexer import COMMENT
from rui_common.syntax.recovery.strings import incomplete_escape
from rui_common.syntax.spans import Span
from rui_common.syntax.tree import UNKNOWN
from rui_common.validation.wording import shorten
from rui_common.vocabulary.lookup import schema_location, shape_of
from rui_common.vocabulary.rui_0_1 import VOCABULARY

_BLANKS = " \t\r\n"
_ESCAPE_LENGTH = 6
"""Length of an escape such as ``\\u00e9``."""

_CLOSING = {"{": "}", "[": "]"}
_OTHER_CLOSING = {"}": "]", "]": "}"}
_LINE_END = re.compile(r"[ \t]*(?:\r\n|\r|\n|\Z)")
_SEARCH_READINGS = 8
"""Limits the search for the element of an error, in readings of the whole text: nesting may be hundreds deep."""
_LEADING_ZERO = re.compile(r"[+-]?0[0-9]")

_MARKS = {"=": ":", "=>": ":", ":=": ":", ";": ","}
_LITERALS = {"true": "true", "false": "false", "null": "null", "none": "null", "nil": "null", "undefined": "null"}
_QUOTES = {"''", "``", "\u201c\u201d", "\u201c\u201c", "\u201d\u201d", "\u201e\u201c", "\u2018\u2019", "\u2019\u2019"}
_JSON_SPELLINGS = _MARKS | _LITERALS
"""Marks and literals of other languages, in lower case, and their spelling in JSON."""

_UNAMBIGUOUS = {*_MARKS, "true", "false", "null", "none"}


class _Candidate(NamedTuple):
    """A change to try.

    Attributes:
        title, edits, is_safe: as in `Fix`.
        keeps_value: whether the change is only a fix if the value stays the same.
    """

    title: str
    edits: tuple[Edit, ...]
    is_safe: bool
    keeps_value: bool


def syntax_fixes(document: Document, span: Span, reader: Reader) -> list[Fix]:
    """The first fix that works for the syntax error at `span`, if any.

    Args:
        document: a document with syntax errors, or one whose root is not an object.
        span: the range of the error.
        reader: reads the changed texts.
    """
    if not isinstance(document.value, dict) and (document.valid or not document.text.strip("\ufeff" + _BLANKS)):
        return list(new_document_fixes(document))
    part, offset = _enclosing_element(document, span, reader)
    fix = try_fixes(part, span.shifted(-offset), reader)
    if fix is None:
        candidates = (*_missing_value_fixes(document, span), *_missing_colon_fixes(document, span, reader))
        return [fix for fix in candidates if reader.apply(document, fix.edits, keeps_value=False)]
    return [_shifted(fix, offset)]


def _enclosing_element(document: Document, span: Span, reader: Reader) -> tuple[Document, int]:
    """The innermost list element that contains an error, as a document of its own, and its offset.

    In a large document this saves parsing the whole text for every candidate. The whole document is returned if the
    error is in no element, if each element alone would be parsed differently, or after `_SEARCH_READINGS`.
    """
    whole = (document, 0)
    if span.end >= len(document.text.rstrip(_BLANKS)):
        return whole  # More containers than the element may be unclosed.
    path = document.path_at(span.start)
    last = reader.steps - _SEARCH_READINGS * document.steps
    for length in range(len(path), 0, -1):
        if reader.steps < max(0, last):
            break
        if isinstance(path[length - 1], int):
            part = _part_at(document, path[:length], span, reader)
            if part is not None:
                return part
    return whole


def _part_at(document: Document, path: Path, span: Span, reader: Reader) -> tuple[Document, int] | None:
    """The element at `path` and its offset; None if it would be read differently without the text around it."""
    member = document.find(path)
    if member is None or member.span is None or not member.start <= span.start <= span.end <= member.end:
        return None
    start = member.start
    part = reader.read(document.text[start : member.end])
    has_error = any(error.span == span.shifted(-start) for error in part.syntax)
    if has_error and exact(part.value) == exact(value_at(document.value, path)):
        return (part, start)
    return None


def try_fixes(document: Document, span: Span, reader: Reader) -> Fix | None:
    """The first fix that works for the syntax error at `span`; None if none works."""
    if not document.syntax:
        return None
    for title, edits, is_safe, keeps_value in _candidates(document, span):
        if reader.apply(document, edits, keeps_value=keeps_value) is not None:
            return Fix(title, edits, is_safe)
    return None


def safe_syntax_fix(document: Document, span: Span, reader: Reader) -> Fix | None:
    """The first fix that works for the syntax error at `span`, if it is safe."""
    is_comment = COMMENT.match(document.text, span.start) is not None
    if is_comment or reader.is_spent or not isinstance(document.value, dict):
        return None
    part, offset = _enclosing_element(document, span, reader)
    fix = try_fixes(part, span.shifted(-offset), reader)
    if fix is not None and fix.is_safe:
        return _shifted(fix, offset)
    return None


def likely_fixes(document: Document) -> dict[str, list[Fix]]:
    """The first safe change of a mark, word or string for each error, by title. It is not tried whether they are fixes.

    A text may have hundreds of the same error, such as typographic quotes.
    """
    fixes: dict[str, list[Fix]] = {}
    for error in document.all_syntax:
        candidates = (*_token_candidates(document.text, error.span), *_string_candidates(document.text, error.span))
        likely = next((candidate for candidate in candidates if candidate.is_safe), None)
        if likely is not None:
            fixes.setdefault(likely.title, []).append(Fix(likely.title, likely.edits, likely.is_safe))
    return fixes


def _shifted(fix: Fix, offset: int) -> Fix:
    return fix._replace(edits=tuple(Edit(edit.span.shifted(offset), edit.text) for edit in fix.edits))


def _candidates(document: Document, span: Span) -> Iterator[_Candidate]:
    text = document.text
    if document.syntax[0].span == span:
        yield from _envelope_candidates(text, span)
    yield from _token_candidates(text, span)
    yield from _comment_candidates(text, span)
    yield from _string_candidates(text, span)
    yield from _end_candidates(document, span)
    if text[span.start : span.start + 2] == "\\'":
        edit = Edit(Span(span.start, span.start + 1), "")
        yield _Candidate("Remove the backslash", (edit,), False, False)
    yield from _opening_candidates(document, span)
    yield from _rewrite_candidates(document, span)
    yield from _cut_candidates(document, span)
    if text[span.start : span.end] not in _OTHER_CLOSING:
        yield _candidate("Remove it", span, "")


def _envelope_candidates(text: str, span: Span) -> Iterator[_Candidate]:
    envelope = find_envelope(text, int(text.startswith("\ufeff")))
    if envelope is not None and envelope.error.span == span:
        edits = tuple(Edit(part, "") for part in envelope.spans)
        yield _Candidate("Remove the text around the document", edits, True, True)


def _candidate(title: str, span: Span, new: str, *, is_safe: bool = False) -> _Candidate:
    return _Candidate(title, (Edit(span, new),), is_safe, True)


def _token_candidates(text: str, span: Span) -> Iterator[_Candidate]:
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


def _bracket_candidates(text: str, source: str, span: Span, end: int) -> Iterator[_Candidate]:
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


def _comment_candidates(text: str, span: Span) -> Iterator[_Candidate]:
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


def _string_candidates(text: str, span: Span) -> Iterator[_Candidate]:
    """Changes in a string or at its end."""
    source = text[span.start : span.end]
    start = Span(span.start, span.start)
    if source.startswith("\\u") and len(source) == _ESCAPE_LENGTH:
        yield _candidate("Replace the lone surrogate by U+FFFD", span, "\\ufffd")
    elif source.startswith("\\") and source[1:2] != "'":
        yield _candidate("Double the backslash", start, "\\")
    elif source == '"':
        yield _candidate("Escape it with a backslash", start, "\\")
    elif len(source) == 1 and source < " ":
        yield _candidate("Write it as an escape", span, json.dumps(source)[1:-1], is_safe=True)
    elif len(source) == 1 and (source.isspace() or source == "\ufeff"):
        yield _candidate("Remove the character", span, "", is_safe=True)
    if source.startswith('"'):
        yield _candidate("Add a quote", Span(span.end, span.end), '"')


def _end_candidates(document: Document, span: Span) -> Iterator[_Candidate]:
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


def _cut_candidates(document: Document, span: Span) -> Iterator[_Candidate]:
    """Complete the escape, the word or the name that the text ends within, and close everything."""
    text = document.text
    end = len(text.rstrip(_BLANKS))
    brackets = _missing_brackets(document)
    if not brackets or span.end < end:
        return
    escape = incomplete_escape(text[:end])
    if escape:
        edit = Edit(Span(end - len(escape), end), f'"{brackets}')
        yield _Candidate(f'Write "{brackets} instead of {escape}', (edit,), False, False)
    path = document.path_at(end)
    member = document.find(path)
    if member is not None and member.span is not None and member.members() is None and member.end == end:
        new = json.dumps(value_at(document.value, path), ensure_ascii=False)
        yield _candidate(f"Write {shorten(new)}{brackets}", member.span, new + brackets)
    edit = Edit(Span(end, end), f'": null{brackets}')
    yield _Candidate(f'Add ": null{brackets}', (edit,), False, False)


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


def _opening_candidates(document: Document, span: Span) -> Iterator[_Candidate]:
    """Add the opening bracket of an object or array that the parser has recovered without it."""
    path = document.path_at(span.start)
    for length in range(len(path) + 1):
        member = document.find(path[:length])
        value = value_at(document.value, path[:length])
        if member is None or member.start != span.start or not isinstance(value, dict | list):
            continue
        bracket = "{" if isinstance(value, dict) else "["
        if document.text[span.start : span.start + 1] != bracket:
            yield _candidate(f"Add {bracket}", Span(span.start, span.start), bracket)


def _rewrite_candidates(document: Document, span: Span) -> Iterator[_Candidate]:
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


def _missing_value_fixes(document: Document, span: Span) -> Iterator[Fix]:
    """Insert a value for a property that has none."""
    context = completion_context_at(document, span.start)
    if context is None or context.expects is not Expects.VALUE:
        return
    location = schema_location(document.value, context.path)
    if location is None:
        return
    shape = shape_of(value_at(document.value, context.path), location.kind)
    prop = None if shape is None else shape.prop(context.key or "")
    if prop is None:
        return
    value = NamesInUse(document).generator_at(context.path).missing_value(prop, location.kind)
    new = json.dumps(value, ensure_ascii=False)
    if span.end >= len(document.text.rstrip(_BLANKS)):
        new += _missing_brackets(document)
    yield Fix(f"Write {shorten(new)}", (Edit(Span(span.start, span.start), new),), False)


def _missing_colon_fixes(document: Document, span: Span, reader: Reader) -> Iterator[Fix]:
    """Insert a colon and a value for a property that has neither."""
    end = len(document.text[: span.start].rstrip(_BLANKS))
    if document.text[end - 1 : end] != '"' or reader.is_spent:
        return
    colon = ": "
    after = reader.read(apply(document.text, [Edit(Span(end, end), colon)]))
    for fix in _missing_value_fixes(after, span.shifted(len(colon))):
        value = fix.edits[0].text
        for new in (f"{colon}{value}", f"{colon}{value},"):
            yield Fix(f"Write {shorten(new)}", (Edit(Span(end, end), new),), False)


def new_document_fixes(document: Document) -> Iterator[Fix]:
    """Fixes for a text that is empty or whose root is not an object."""
    text = document.text
    value = document.value
    root = document.find(())
    span = None if root is None else root.span
    if span is None:
        span = Span(len(text) - len(text.lstrip("\ufeff")), len(text))
    elif isinstance(value, list) and len(value) == 1 and isinstance(value[0], dict):
        element = document.members(())[0]
        edits = (Edit(Span(span.start, element.start), ""), Edit(Span(element.end, span.end), ""))
        yield Fix("Remove the array around the object", edits, False)
    if has_content(value):
        return
    title = "Replace it by a new document"
    if value is None and not text.strip():
        title = "Insert a new document"
    new = NamesInUse(document).generator_at(()).new_object(VOCABULARY.root)
    yield Fix(title, (Edit(span, format_json(new)),), False)
