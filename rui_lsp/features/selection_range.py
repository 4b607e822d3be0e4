"""Selection ranges: the word under the cursor, its string, its property, and all that contains it."""

import re
from collections import deque
from collections.abc import Iterator

from lsprotocol import types

from rui_common.syntax.document import Document
from rui_common.syntax.spans import Span
from rui_common.syntax.tree import UNKNOWN, Member
from rui_lsp.convert import to_offset, to_range
from rui_lsp.server import RuiLanguageServer
from rui_lsp.session.documents import OpenDocument

MAX_RANGES = 100
"""Maximum number of ranges around a position, the innermost ones. A result is as deep as it has ranges."""

_WORD = re.compile(r"[\w-]+")


def register(server: RuiLanguageServer) -> None:
    server.feature(types.TEXT_DOCUMENT_SELECTION_RANGE)(selection_range)


def selection_range(ls: RuiLanguageServer, params: types.SelectionRangeParams) -> list[types.SelectionRange]:
    """Return the innermost range at every position, with the ranges around it as its parents."""
    document = ls.documents.get(params.text_document)
    return [_nested_ranges(document, to_offset(position, document.positions)) for position in params.positions]


def _nested_ranges(document: OpenDocument, offset: int) -> types.SelectionRange:
    outer = Span(0, len(document.source))
    innermost = types.SelectionRange(to_range(outer, document.positions))
    for span in deque(spans(document.document, offset), MAX_RANGES):
        if span != outer and outer.start <= span.start <= offset <= span.end <= outer.end:
            innermost = types.SelectionRange(to_range(span, document.positions), innermost)
            outer = span
    return innermost


def spans(document: Document, offset: int) -> Iterator[Span]:
    """Yield the ranges around an offset that an author may want to select, from the root inwards."""
    path = document.path_at(offset)
    for size in range(len(path) + 1):
        member = document.find(path[:size])
        if member is None:
            return
        yield from _member_spans(member, document.text, offset)


def _member_spans(member: Member, text: str, offset: int) -> Iterator[Span]:
    key = member.key_span
    if key is not None:
        yield Span(key.start, key.end if member.start == UNKNOWN else member.end)
        if key.start <= offset <= key.end:
            yield from _string_spans(key, text, offset)
            return
    span = member.span
    if span is None:
        return
    if member.members() is None:
        yield from _string_spans(span, text, offset)
        return
    yield span
    if span.end - span.start > 2 and span.start < offset < span.end:
        yield _trimmed(Span(span.start + 1, span.end - 1), text)


def _string_spans(span: Span, text: str, offset: int) -> Iterator[Span]:
    yield span
    if text[span.start] == '"' and span.end - span.start > 1 and text[span.end - 1] == '"':
        span = Span(span.start + 1, span.end - 1)
        yield span
    for word in _WORD.finditer(text, *span):
        if word.start() <= offset <= word.end():
            yield Span(*word.span())
            return


def _trimmed(span: Span, text: str) -> Span:
    inner = text[slice(*span)]
    start = span.start + len(inner) - len(inner.lstrip())
    return Span(start, max(start, span.end - (len(inner) - len(inner.rstrip()))))
