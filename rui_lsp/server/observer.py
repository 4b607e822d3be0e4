"""What is informed of changes in open documents."""

from __future__ import annotations


class DocumentObserver:
    """An observer of open documents; it is called in the event loop, after the workspace has changed."""

    def changed(self, uri: str) -> None:
        """Note that a document has been opened, changed or closed."""

    def caret_moved(self, uri: str, offset: int) -> None:
        """Note the offset of the author's caret in an open document, in code points."""
