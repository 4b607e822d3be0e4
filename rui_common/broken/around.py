"""What people and programs put around a document: a code fence of Markdown, words before it.

It is passed over, so that the document itself is read as if it stood alone, and reported as one fault.
"""

from __future__ import annotations

import re

from rui_common.broken.tokens import COMMENT
from rui_common.members import Span

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rui_common.reader import Source

# An opening bracket that a line begins with, and only words before it: nothing that JSON is made of.
_BEFORE = re.compile(r"[^\"{}\[\]]*?\S[^\"{}\[\]]*?(?:^|(?<=[\r\n]))[ \t]*(?=[{\[])", re.MULTILINE)
_FENCE = re.compile(r"(?:^|(?<=[\r\n]))[ \t]*(?:```+|~~~+)[ \t]*\s*\Z")
_OPENS = re.compile(r"(?:```|~~~)")
_NO_BREAK = re.compile(r"[^\r\n]")
# Nothing but comments is left to the tokens, which call them by their name.
_COMMENTS = re.compile(rf"(?:\s*+(?>{COMMENT.pattern}))++\s*+")

MAX_BEFORE = 2_000
"""Characters before a document in which it is looked for."""

FENCE = ("Unexpected code fence", "Remove it: a document stands alone, without Markdown around it.")
WORDS = ("Unexpected text before the document", "Remove it: a document stands alone, and begins with its bracket.")


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
    found = _BEFORE.match(text, start, start + MAX_BEFORE)
    if found is None or _COMMENTS.fullmatch(found[0]):
        return None
    before = found[0]
    first = start + len(before) - len(before.lstrip())
    last = start + len(before.rstrip())
    parts = [Span(start, found.end())]
    fenced = _OPENS.search(before)
    behind = _FENCE.search(text, found.end()) if fenced else None
    if behind is not None:
        parts.append(Span(behind.start(), len(text)))
    return Around(Span(first, last), FENCE if fenced else WORDS, tuple(parts))


def without(source: Source, found: Around) -> Source:
    """The same text with blanks for what stands around the document, so that every place stays where it is."""
    text = source.text
    for part in found.parts:
        text = text[: part.start] + _NO_BREAK.sub(" ", text[part.start : part.end]) + text[part.end :]
    bare = type(source)(text)
    bare.first_line = source.first_line
    return bare
