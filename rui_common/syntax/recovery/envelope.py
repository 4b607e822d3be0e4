"""What is around the document in a text, and whether a text contains a document at all.

What is around it is skipped, so that the document is read as if it were alone, at its own places, and is reported as
one error. It may be removed if the document is the only RUI of the text (`Vocabulary.is_rui`); the first object of any
other text may be an example in a sentence, or a part of a program.
"""

import re
from typing import NamedTuple

from rui_common.syntax.errors import FaultKind, SyntaxFault
from rui_common.syntax.line_index import LineIndex
from rui_common.syntax.reader import Scanner
from rui_common.syntax.recovery.find_document import FoundDocument, find_documents, find_marks
from rui_common.syntax.recovery.lexer import COMMENT, CONFLICT_MARKER
from rui_common.syntax.root_keys import IDENTIFYING, ROOT_KEYS
from rui_common.syntax.spans import Edit, Span, blank, first_line, joined

_BRACKET = re.compile(r"[{}\[\]]")
PROSE = re.compile(r"[^\"{}\[\]]*+(?:\"[^\"{}\[\]:,\r\n]*+\"(?![ \t]*:)[^\"{}\[\]]*+)*")
"""Text without brackets and properties. It may contain quoted words."""
WORD = re.compile(r"[^\W\d_]{2}")
_QUOTED = re.compile(r"\"[^\"]*\"")
_OPENING_FENCE = re.compile(r"(?:```|~~~)")
_CLOSING_FENCE = re.compile(r"(?:^|(?<=[\r\n]))[ \t]*(?:```|~~~)")
# What the rest of a document begins with if a bracket closes it too early.
_CONTINUES = re.compile(r"[ \t\r\n]*(?:[,\]}]|\"[^\"]*\"\s*:)")
# The lexer reports comments by their name.
_COMMENTS = re.compile(rf"(?:\s*+(?>{COMMENT.pattern}))+\s*+")

_QUOTE = "[\"'`\u201c\u201d\u00ab\u00bb]?"
# Two properties of the root at the beginning, or one with an object or array that tells a RUI; marks may be missing.
_BEGINS = re.compile(
    rf"\s*+\{{\s*+{_QUOTE}(?:(?:{'|'.join(IDENTIFYING)}){_QUOTE}\s*+:?\s*+[{{\[]"
    rf"|(?:{ROOT_KEYS}){_QUOTE}\s*+:?\s*+(?:\"[^\"\\\r\n]*+\"|[\w.+-]++|\{{[^{{}}]*+\}})\s*+,?\s*+{_QUOTE}(?:{ROOT_KEYS})\b)"
)
"""The beginning of a document that nothing is before. It saves the search for documents, which is slow."""

MAX_PLACE = 12  # maximum length of the text that names the place where a document begins


class Envelope(NamedTuple):
    """What is around the first document of a text, or before its first bracket if it contains none."""

    spans: tuple[Span, ...]  # all of it, to be skipped
    fault: SyntaxFault  # the error. Its edits remove the spans; it has none if the document is not the only RUI


def find_envelope(text: str, lines: LineIndex, start: int = 0) -> Envelope | None:
    """Return what is around the document of a text from `start` on; None if nothing is before it."""
    if _BEGINS.match(text, start) is not None:
        return None
    marks = find_marks(text, start)
    inner = text if marks is None else blank(text, marks.spans)
    documents = find_documents(inner, start)
    before = _text_before(inner, start, documents)
    has_fence = before is not None and _OPENING_FENCE.search(inner, *before) is not None
    spans: list[Span] = []
    removed: list[str] = []
    kind = FaultKind.FENCE if has_fence else FaultKind.PROSE
    shown = Span(start, start)
    if before is not None:
        spans.append(Span(start, before.end))
        removed.append(f"everything before {_place(inner, before.end, lines)}")
        shown = Span(before.start, len(inner[: before.end].rstrip()))
    if marks is not None:
        spans += marks.spans
        removed.insert(0, marks.words)
        kind, shown = marks.kind, marks.shown
    if not spans:
        return None
    if len(documents) < 2:  # The error of a second document is at its place.
        opening = start if before is None else before.end
        document = documents[0] if documents else FoundDocument(opening, None, is_nested=False)
        after = _start_of_suffix(inner, document, has_fence=has_fence)
        if after is not None:
            spans.append(Span(after, len(text)))
            removed.append(f"everything after {_last_bracket(inner, after, lines)}")
    span = first_line(text, shown)
    if len(documents) != 1:
        return Envelope(tuple(spans), FaultKind.TEXT_BEFORE.at(span, names=_quoted_names()))
    edits = [Edit(part, "") for part in joined(spans)]
    title = f"Remove {' and '.join(removed)}"
    line = str(lines.line_of(documents[0].start) + 1)
    name = "" if marks is None else marks.name
    return Envelope(tuple(spans), kind.at(span, *edits, is_safe=True, title=title, line=line, name=name))


def no_document(span: Span) -> SyntaxFault:
    """Return the only error of a text that is more than one value, and contains no RUI."""
    return FaultKind.NO_DOCUMENT.at(span, names=_quoted_names())


def _quoted_names() -> str:
    return " and ".join(f"`{name}`" for name in IDENTIFYING)


def _text_before(text: str, start: int, documents: list[FoundDocument]) -> Span | None:
    """Return the text before a document, up to its bracket; None if it is empty or is reported as something else.

    Without a document, it is the prose before the first bracket.
    """
    if documents:
        end = documents[0].start
    else:
        bracket = _BRACKET.search(text, start)
        if bracket is None or bracket[0] not in "{[":
            return None
        end = bracket.start()
        line = text[start:end].rstrip(" \t")[-1:]
        # Words on the line of the bracket may be the first property, unless a whole object follows.
        is_separate = bracket[0] == "{" and text[end - 1] in " \t=(>'" and _end_of_container(text, end) is not None
        if not _is_prose(text[start:end]) or (line not in "\r\n" and not is_separate):
            return None
    before = text[start:end]
    if not before.strip() or _COMMENTS.fullmatch(before) or CONFLICT_MARKER.search(before):
        return None
    return Span(start + len(before) - len(before.lstrip()), end)


def _place(text: str, offset: int, lines: LineIndex) -> str:
    """Return ``the { in line 4``, or more than the bracket if it is not the first one of its line."""
    line = lines.line_of(offset)
    shown = text[offset]
    if shown in text[lines.line_start(line) : offset]:
        shown = text[offset : min(offset + MAX_PLACE, lines.line_end(line))]
    return f"the {shown} in line {line + 1}"


def _last_bracket(text: str, end: int, lines: LineIndex) -> str:
    last = len(text[:end].rstrip()) - 1
    return f"the last {text[last]} in line {lines.line_of(last) + 1}"


def _is_prose(prefix: str) -> bool:
    if '"' not in prefix:
        return True
    return PROSE.fullmatch(prefix) is not None and WORD.search(_QUOTED.sub("", prefix)) is not None


def _start_of_suffix(text: str, document: FoundDocument, *, has_fence: bool) -> int | None:
    """Return where the text after a document begins; None if there is none, or if it may belong to the document."""
    opening, end, is_nested = document
    valid_end = _end_of_container(text, opening)
    if valid_end is not None:
        is_own = _CONTINUES.match(text, valid_end) is not None and PROSE.fullmatch(text, valid_end) is None
        return valid_end if text[valid_end:].strip() and (is_nested or not is_own) else None
    if has_fence:
        last_bracket = max(text.rfind(bracket, opening) for bracket in "{}[]")
        fence = _CLOSING_FENCE.search(text, last_bracket)
        if fence is not None and PROSE.fullmatch(text, fence.start()):
            return fence.start()
    if end is None or not text[end:].strip():
        return None
    is_prose = PROSE.fullmatch(text, end) is not None and WORD.search(text, end) is not None
    return end if is_nested or is_prose else None


def _end_of_container(text: str, start: int) -> int | None:
    """Return the end of the valid object or array at `start`; None if it is not valid."""
    try:
        return Scanner().scan(text, start)[1]
    except (ValueError, StopIteration, RecursionError):
        return None
