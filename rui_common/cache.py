"""Texts that repeat, such as the value paths of one app, and whether they have the form that is asked of them."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

MAX_ENTRIES, MAX_LENGTH = 500, 60
"""So many texts, shorter than that, are known again: it stays small, whatever comes."""


class BoundedCache(dict[str, bool]):
    """Text → whether it fits; who asks for one that is not there gets that all the same.

    Args:
        fits: tells it of any text.
    """

    __slots__ = ("_fits",)

    def __init__(self, fits: Callable[[str], bool]) -> None:
        self._fits = fits

    def __missing__(self, text: str) -> bool:
        fits = self._fits(text)
        if len(self) < MAX_ENTRIES and len(text) < MAX_LENGTH:
            self[text] = fits
        return fits
