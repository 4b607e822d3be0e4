"""Whether texts have the form that a pattern asks for, found out about many of them at once."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from rui_common.vocabulary.kinds import TextKind

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

# Patterns whose every part is seen to match no line break: printable characters, none of them an anchor or the
# beginning of an extension or of a negated class, and of the escapes those for letters, digits and punctuation.
_ONE_LINE = re.compile(r"\^((?:[^\x00-\x1f\x7f-\U0010ffff\\^$(\[]|\\[wd.\-/]|\((?!\?)|\[(?!\^))*)\$")

# In a pattern of one line: a class, an escape or the begin of a group, which stay as they are, or how often something
# may stand there.
_TOKEN = re.compile(r"\[\]?[^\]]*\]|\\.|\(\?:|([*+?]|\{\d+,\d*\})(?![?+])|[*+?}][?+]")

_WORDS = re.compile(r"\\[wd]")
_ASCII = {r"\w": "A-Za-z0-9_", r"\d": "0-9"}


def all_fit(pattern: str) -> Callable[[Collection[str]], bool]:
    """A function that says of a list of texts whether the whole of each matches `pattern`.

    Where no text with a line break could match, all of them are asked about at once, one a line: that is three times
    as fast as one after the other.
    """
    start = TextKind(pattern).start
    if start:
        size = len(start)
        return lambda texts: all([text[:size] == start for text in texts])  # noqa: C419  a list is faster here
    inner = _ONE_LINE.fullmatch(pattern)
    if inner is None:
        matches = re.compile(pattern).fullmatch
        return lambda texts: None not in map(matches, texts)
    line = inner[1] if re.search(r"\[[^\]]*\(", inner[1]) else inner[1].replace("(", "(?:")
    lines_match = re.compile(f"(?:{line})(?:\n(?:{line}))*").fullmatch
    line = _TOKEN.sub(_quick, line)
    lines_match_fast = re.compile(f"(?:{line})(?:\n(?:{line}))*+").fullmatch

    def fit(texts: Collection[str]) -> bool:
        lines = "\n".join(texts)
        if lines.count("\n") != len(texts) - 1:
            return not texts
        return lines_match_fast(lines) is not None or lines_match(lines) is not None

    return fit


def _quick(token: re.Match[str]) -> str:
    """A token as it is asked in half the time: it matches less, or the same.

    How often something may stand there is never fewer than at first, so that nothing is kept for a second try; and
    letters and digits are those of ASCII, which nobody has to look up.
    """
    if token[1]:
        return f"{token[1]}+"
    inside = token[0].startswith("[")
    return _WORDS.sub(lambda word: _ASCII[word[0]] if inside else f"[{_ASCII[word[0]]}]", token[0])
