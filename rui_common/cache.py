"""A bounded cache of the results of a predicate for strings."""

from __future__ import annotations

from collections.abc import Callable

MAX_ENTRIES = 500
"""Maximum number of cached strings."""

MAX_LENGTH = 60
"""Maximum length of a cached string. Both limits bound the memory."""


class BoundedCache(dict[str, bool]):
    """The cached results of `predicate`. A missing result is computed on access.

    Args:
        predicate: a function of a string without side effects.
    """

    __slots__ = ("_predicate",)

    def __init__(self, predicate: Callable[[str], bool]) -> None:
        self._predicate = predicate

    def __missing__(self, text: str) -> bool:
        result = self._predicate(text)
        if len(self) < MAX_ENTRIES and len(text) < MAX_LENGTH:
            self[text] = result
        return result
