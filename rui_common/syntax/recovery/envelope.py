"""Markdown fences and prose around a document, and whether a text contains a document at all.

The text around is skipped, so that the document is read as if it were alone, and reported as one error. It may be
removed if the document is the only RUI of the text (`Vocabulary.is_rui`); the first object of any other text may be
an example in a sentence, or a part of a program.
"""

import re

from rui_common.syntax.errors import FaultKind, SyntaxFault
from rui_common.syntax.reader import Scanner
from rui_common.syntax.recovery.lexer import COMMENT, CONFLICT_MARKER
from rui_common.syntax.spans import Edit, Span
from rui_common.vocabulary.rui_0_1 import VOCABULARY

_BRACKET = re.compile(r"[{}\[\]]")
PROSE = re.compile(r"[^\"{}\[\]]*+(?:\"[^\"{}\[\]:,\r\n]*+\"(?![ \t]*:)[^\"{}\[\]]*+)*")
"""Text without brackets and properties. It may contain quoted words."""
WORD = re.compile(r"[^\W\d_]{2}")
_QUOTED = re.compile(r"\"[^\"]*\"")
_OPENING_FENCE = re.compile(r"(?:```|~~~)")
_CLOSING_FENCE = re.compile(r"(?:^|(?<=[\r\n]))[ \t]*(?:```|~~~)")
# The lexer reports comments by their name.
_COMMENTS = re.compile(rf"(?:\s*+(?>{COMMENT.pattern}))+\s*+")
_NAMES = "|".join(map(re.escape, VOCABULARY.root.props))
# A brace, or a property of the root up to its value, with and without quotes of any language.
_BRACE_OR_PROPERTY = re.compile(rf"[{{}}]|\b({_NAMES})\b\\*+[\"'`\u201c\u201d\u00bb]?\s*+(?:=>|[:=])\s*+")

MAX_PREFIX = 2_000  # Maximum number of characters before a document


def find_envelope(text: str, start: int = 0) -> SyntaxFault | None:
    """Return the error of the text around the document in a text from `start` on, if there is some.

    Its range is the text before the document; its edits remove all of it.
    """
    mark = _BRACKET.search(text, start, start + MAX_PREFIX)
    if mark is None or mark[0] not in "{[" or not text[start : mark.start()].strip():
        return None
    opening = mark.start()
    prefix = text[start:opening]
    if _COMMENTS.fullmatch(prefix) or CONFLICT_MARKER.search(prefix) or not _is_prose(prefix):
        return None
    end = _end_of_container(text, opening)
    # Words on the line of the document may be its first property, unless the document is valid without them.
    is_separate = end is not None and mark[0] == "{" and prefix[-1] in " \t=(>'"
    if prefix.rstrip(" \t")[-1] not in "\r\n" and not is_separate:
        return None
    has_fence = _OPENING_FENCE.search(prefix) is not None
    suffix = _start_of_suffix(text, opening, end, has_fence=has_fence)
    spans = [Span(start, opening)]
    title = f"Remove everything before the first {mark[0]}"
    if suffix is not None:
        spans.append(Span(suffix, len(text)))
        title += f" and after the last {text[:suffix].rstrip()[-1:]}"
    span = Span(start + len(prefix) - len(prefix.lstrip()), start + len(prefix.rstrip()))
    kind = FaultKind.FENCE if has_fence else FaultKind.PROSE
    return kind.at(span, *(Edit(part, "") for part in spans), is_safe=True, title=title)


def names_rui(text: str, start: int = 0, *, min_depth: int = 0) -> bool:
    """Return whether a text has the properties of a RUI from `start` on, wherever they are.

    They count if at least `min_depth` braces are open that the text opens after `start`.
    """
    depth = 0
    names: set[str] = set()
    for match in _BRACE_OR_PROPERTY.finditer(text, start):
        name = match[1]
        if name is None:
            depth = depth + 1 if match[0] == "{" else max(0, depth - 1)
        elif depth < min_depth:
            continue
        elif name not in VOCABULARY.identifying:
            names.add(name)
        elif text.startswith(("{", "["), match.end()):
            return True
    return len(names) > 1


def no_document(span: Span) -> SyntaxFault:
    """Return the only error of a text that is more than one value, and contains no RUI."""
    return FaultKind.NO_DOCUMENT.at(span, names=_quoted_names())


def kept_envelope(envelope: SyntaxFault) -> SyntaxFault:
    """Return the error of text around a value that is not the only RUI of the text, so that it is not removed."""
    return FaultKind.TEXT_BEFORE.at(envelope.span, names=_quoted_names())


def _quoted_names() -> str:
    return " and ".join(f"`{name}`" for name in VOCABULARY.identifying)


def _is_prose(prefix: str) -> bool:
    if '"' not in prefix:
        return True
    return PROSE.fullmatch(prefix) is not None and WORD.search(_QUOTED.sub("", prefix)) is not None


def _start_of_suffix(text: str, opening: int, end: int | None, *, has_fence: bool) -> int | None:
    """Return the start of the prose or code fence after a document. Its `end` is known only if it is valid."""
    if end is not None:
        if text[end:].strip() and PROSE.fullmatch(text, end):
            return end
        return None
    if not has_fence:
        return None
    last_bracket = max(text.rfind(bracket, opening) for bracket in "{}[]")
    fence = _CLOSING_FENCE.search(text, last_bracket)
    if fence is None or not PROSE.fullmatch(text, fence.start()):
        return None
    return fence.start()


def _end_of_container(text: str, start: int) -> int | None:
    """Return the end of the valid object or array at `start`; None if it is not valid."""
    try:
        return Scanner().scan(text, start)[1]
    except (ValueError, StopIteration, RecursionError):
        return None
