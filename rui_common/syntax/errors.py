"""Errors in the text of a document."""

from __future__ import annotations

from typing import NamedTuple

from rui_common.syntax.paths import Path
from rui_common.syntax.spans import Span


class SyntaxFault(NamedTuple):
    """A place where a text is not JSON.

    Attributes:
        span: the offending character or word, or the end of the text if input ran out.
        message: the error, or the token that was expected.
        hint: how to fix it.
    """

    span: Span
    message: str
    hint: str


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
