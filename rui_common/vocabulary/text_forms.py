"""A string of the wrong form → what it may have been meant as. What of it has the right form, the caller sees."""

from __future__ import annotations

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_QUOTED_STEP = re.compile(r"\[\s*(['\"])(.*?)\1\s*\]")
_STEP = re.compile(r"\[[^\]]*\]|^\$")


def certain_normalizations(text: str, example: str) -> Iterator[str]:
    """What it surely means, if it has the right form then: there is no other reading of it.

    Args:
        text: the string.
        example: one of the right form; a mark that it begins with may be missing.
    """
    bare = text.strip()
    yield bare
    if bare.startswith("$."):
        yield bare[2:]
    mark = example[:1]
    first = "" if mark.isalnum() else bare.partition(mark)[0]
    # A first segment with a dot or colon is that of another address: of a host, of this very folder.
    if first.replace("-", "").replace("_", "").isalnum() and not any(letter.isspace() for letter in bare):
        yield mark + bare


def possible_normalizations(text: str, example: str) -> Iterator[str]:
    """What it may mean, something of it being lost: a host, an index."""
    bare = text.strip()
    yield _STEP.sub("", _QUOTED_STEP.sub(r".\2", bare)).strip(".")
    mark = example[:1]
    if not mark.isalnum():
        _, there, behind = bare.partition("://")
        if there:
            yield mark + behind.partition(mark)[2]
        yield mark + bare.lstrip("." + mark)
