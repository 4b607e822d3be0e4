"""The kinds of change."""

from __future__ import annotations

from enum import Enum


class ChangeKind(Enum):
    """What happened to a node, a page or an endpoint."""

    ADDED = "added"
    REMOVED = "removed"
    CHANGED = "changed"
    MOVED = "moved"

    @property
    def sign(self) -> str:
        """The character that marks it."""
        return _SIGNS[self]


_SIGNS = {ChangeKind.ADDED: "+", ChangeKind.REMOVED: "−", ChangeKind.CHANGED: "~", ChangeKind.MOVED: "↕"}
