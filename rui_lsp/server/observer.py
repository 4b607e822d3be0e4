"""The interface of an observer of open documents."""

from __future__ import annotations

from lsprotocol import types


class DocumentObserver:
    """An observer of open documents; it is called in the event loop, after the workspace has changed."""

    def changed(self, uri: str) -> None:
        """Note that a document has been opened, changed or closed."""

    def caret_moved(self, uri: str, position: types.Position) -> None:
        """Note where the author's caret is in a document."""
