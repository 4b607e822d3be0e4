"""A value of a description, with the file that it is in."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from typing import Any


class Located(NamedTuple):
    """A value of a description.

    Attributes:
        value: the value.
        base: the URI of its file, to which its references are relative.
    """

    value: Any
    base: str
