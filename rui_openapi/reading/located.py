"""A value of a description, with the file that it is in."""

from __future__ import annotations

from typing import Any, NamedTuple


class Located(NamedTuple):
    """A value of a description.

    Attributes:
        value: the value.
        base: the URI of its file, to which its references are relative.
    """

    value: Any
    base: str
