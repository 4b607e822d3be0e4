"""Errors in the text of a document."""

from __future__ import annotations

from enum import Enum, auto
from typing import NamedTuple

from rui_common.syntax.paths import Path
from rui_common.syntax.spans import Edit, Span


class FaultKind(Enum):
    """What is wrong with a text."""

    ENCODING = auto()
    NOT_JSON = auto()
    UNEXPLAINED = auto()
    EMPTY = auto()
    ENVELOPE = auto()
    SECOND_DOCUMENT = auto()
    TEXT_AFTER_DOCUMENT = auto()
    TOO_DEEP = auto()
    COMMENT = auto()
    ELLIPSIS = auto()
    SPACE = auto()
    CHARACTER = auto()
    FOREIGN_MARK = auto()
    NAME_WITHOUT_QUOTES = auto()
    FOREIGN_QUOTES = auto()
    NO_OPENING_QUOTE = auto()
    NO_CLOSING_QUOTE = auto()
    CUT_STRING = auto()
    INNER_QUOTE = auto()
    LINE_BREAK = auto()
    ESCAPE = auto()
    CONTROL_CHARACTER = auto()
    SURROGATE = auto()
    FOREIGN_LITERAL = auto()
    UNKNOWN_VALUE = auto()
    NUMBER = auto()
    MISSING_COMMA = auto()
    MISSING_COLON = auto()
    MISSING_VALUE = auto()
    MISSING_OPENER = auto()
    MISSING_CLOSER = auto()
    CUT_TEXT = auto()
    SUPERFLUOUS_COMMA = auto()
    SUPERFLUOUS_TOKEN = auto()
    WRONG_MARK = auto()


class SyntaxFault(NamedTuple):
    """A place where a text is not JSON, and its repair.

    The edits of all faults together make a text JSON with the value that the parser recovered, except that properties
    without a value are null, and unless a fault has no edits or nothing is left.

    Attributes:
        span: the offending character or word, or the end of the text if input ran out.
        kind: what is wrong.
        message: the error, or the token that was expected.
        hint: how to fix it. It commands only what the edits do.
        title: what the edits do, for a menu; ``""`` if there are none.
        edits: the changes of the text in text order, with those of errors that follow from this one and are not
            reported; () if only the author knows.
        is_safe: whether the edits may be applied without review (see `rui_common.fixes.quick_fixes`).
        is_doubtful: whether the lexer guessed the token, so that an error right after it is probably a consequence.
        group: what faults of this kind with the same repair have in common; the hint if it is ``""``.
    """

    span: Span
    kind: FaultKind
    message: str
    hint: str
    title: str = ""
    edits: tuple[Edit, ...] = ()
    is_safe: bool = False
    is_doubtful: bool = False
    group: str = ""


class DuplicateKey(NamedTuple):
    """A property that a later one of the same name in the same object overrides.

    Attributes:
        path: the path of the property.
        span: the overridden key, quotes included.
        last: the key that takes effect.
    """

    path: Path
    span: Span
    last: Span
