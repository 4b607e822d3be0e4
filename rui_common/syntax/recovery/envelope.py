"""What people and programs put around a document: a code fence of Markdown, words before it.

It is passed over, so that the document itself is read as if it stood alone, and reported as one fault.
"""

from __future__ import annotations

import re

from rui_common.syntax.reader import Scanner
from rui_common.syntax.recovery.lexer import COMMENT
from rui_common.syntax.spans import Span

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rui_common.syntax.reader import Source

_OF_JSON = re.compile(r"[\"{}\[\]]")
"""What a document is made of: what has none of it is words."""
_OPENS = re.compile(r"(?:```|~~~)")
# The line that ends a code fence.
_FENCE = re.compile(r"(?:^|(?<=[\r\n]))[ \t]*(?:```+|~~~+)[^\"{}\[\]]*\Z")
_NO_BREAK = re.compile(r"[^\r\n]")
# Nothing but comments is left to the tokens, which call them by their name.
_COMMENTS = re.compile(rf"(?:\s*+(?>{COMMENT.pattern}))++\s*+")

MAX_BEFORE = 2_000
"""Characters before a document in which it is looked for."""

FENCE = "Unexpected code fence"
WORDS = "Unexpected text before the document"


class Around:
    """What stands around a document.

    Attributes:
        span: where the fault is shown: on what stands before the document.
        words: message and hint.
        parts: all that would have to go.
    """

    __slots__ = ("parts", "span", "words")

    def __init__(self, span: Span, words: tuple[str, str], parts: tuple[Span, ...]) -> None:
        self.span = span
        self.words = words
        self.parts = parts


def around(text: str, start: int = 0) -> Around | None:
    """What stands around the document in a text, if there is such a thing.

    Args:
        text: the text.
        start: where reading begins.
    """
    mark = _OF_JSON.search(text, start, start + MAX_BEFORE)
    if mark is None or mark[0] not in "{[" or not text[start : mark.start()].strip():
        return None
    opening = mark.start()
    before = text[start:opening]
    if _COMMENTS.fullmatch(before):
        return None
    end = _end_of_document(text, opening)
    # Words on the line of the document may be its first property, unless they are plainly none of it.
    is_apart = end is not None and mark[0] == "{" and before[-1] in " \t=("
    if before.rstrip(" \t")[-1] not in "\r\n" and not is_apart:
        return None
    first = start + len(before) - len(before.lstrip())
    parts = [Span(start, opening)]
    fenced = _OPENS.search(before)
    last = _end_before_words(text, opening, end, is_fenced=fenced is not None)
    hint = f"Remove everything before the first {mark[0]}"
    if last is not None:
        parts.append(Span(last, len(text)))
        hint += f" and behind the last {text[:last].rstrip()[-1:]}"
    words = FENCE if fenced else WORDS, f"{hint}: a document stands alone."
    return Around(Span(first, start + len(before.rstrip())), words, tuple(parts))


def _end_before_words(text: str, opening: int, end: int | None, *, is_fenced: bool) -> int | None:
    """Where a document ends behind which there are words, or the end of a code fence; None if there is nothing.

    Args:
        text: the text.
        opening: where the document begins.
        end: where it ends, if it is sound.
        is_fenced: whether a code fence opens before it.
    """
    if end is None:
        fence = _FENCE.search(text, opening) if is_fenced else None
        return None if fence is None else fence.start()
    return end if text[end:].strip() and not _OF_JSON.search(text, end) else None


def _end_of_document(text: str, start: int) -> int | None:
    """Where the sound object or array ends that begins at `start`; None if there is none."""
    try:
        return Scanner().scan(text, start)[1]
    except (ValueError, StopIteration, RecursionError):
        return None


def without(source: Source, found: Around) -> Source:
    """The same text with blanks for what stands around the document, so that every place stays where it is."""
    text = source.text
    for part in found.parts:
        text = text[: part.start] + _NO_BREAK.sub(" ", text[part.start : part.end]) + text[part.end :]
    bare = type(source)(text)
    bare.first_line = source.first_line
    return bare
