"""Candidate corrections for a string that does not match its pattern. The caller keeps those that match."""

from __future__ import annotations

import re
from collections.abc import Iterator

# No class contains the bracket that a step begins with, so that the search takes linear time.
_QUOTED_STEP = re.compile(r"\[\s*(['\"])([^'\"\[\]]*)\1\s*\]")
_INDEX = re.compile(r"\[\s*([0-9]+)\s*\]")
_STEP = re.compile(r"\[[^\[\]]*\]|^\$")
_BEFORE_PATH = re.compile(r"\AGET\s+\Z|[{}$<>]|:[0-9]+\Z", re.IGNORECASE)
"""What stands before the first slash, and is no part of a path: the method, a template, or a host with its port."""


def certain_normalizations(text: str, example: str) -> Iterator[str]:
    """Yield corrections that are certain if they match: the string has no other reading.

    Args:
        text: the string.
        example: a valid string. Its first punctuation mark may be missing in a text that has the mark later.
    """
    stripped = text.strip()
    yield stripped
    if stripped.startswith("$."):
        yield stripped[2:]
    mark = example[:1]
    if mark.isalnum() and not re.search(r"(^|/)[0-9]+(/|$)", stripped):
        yield stripped.strip("/").replace("/", ".")  # a JSON Pointer without an index
        yield stripped.strip(".")
    first_segment, separator, _ = stripped.partition(mark)
    # A first segment with a dot or a colon is a host or a relative path.
    is_word = first_segment.replace("-", "").replace("_", "").isalnum()
    if is_word and separator and not mark.isalnum() and not any(letter.isspace() for letter in stripped):
        yield mark + stripped


def possible_normalizations(text: str, example: str) -> Iterator[str]:
    """Yield corrections that may lose a part of the string, such as a host or a wildcard."""
    stripped = text.strip()
    dotted = _INDEX.sub(r".\1", _QUOTED_STEP.sub(r".\2", stripped))
    yield _STEP.sub("", dotted).strip(".")
    mark = example[:1]
    if mark.isalnum():
        yield dotted.lstrip("#").strip("/").replace("/", ".")  # a JSON Pointer
        return
    _, separator, address = stripped.partition("://")
    if separator:
        yield mark + address.partition(mark)[2]
        return
    first, separator, rest = stripped.partition(mark)
    if not separator:
        return
    if _BEFORE_PATH.search(first):
        yield mark + rest
    elif not any(letter.isspace() for letter in first):  # words, or another method
        yield mark + stripped.lstrip("." + mark)
