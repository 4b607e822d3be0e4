"""The documents that the client has open, as it has them: what the editor shows counts, not what is on disk."""

from __future__ import annotations

from rui_lsp.convert import range_from_lsp
from rui_lsp.text import Text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from rui_common.document import Document
    from rui_common.lines import Encoding


class OpenDocument:
    """One open document.

    Attributes:
        uri: its address, as the client writes it.
        version: the client's number of its present text.
        text: its present text.
    """

    __slots__ = ("_document", "text", "uri", "version")

    def __init__(self, uri: str, version: int, text: Text) -> None:
        self.uri = uri
        self.version = version
        self.text = text
        self._document: Document | None = None

    @property
    def document(self) -> Document:
        """The present text, read; its offsets are offsets of `text`."""
        if self._document is None:
            from rui_common.document import read  # noqa: PLC0415  not needed before the reply to `initialize`

            self._document = read(str(self.text))
        return self._document

    def change(self, version: int, changes: list[object]) -> None:
        """Make the changes of one notification, in their order; all of them, or none if one is malformed.

        Args:
            version: the number of the text behind them.
            changes: ``contentChanges``: each with ``text`` and, unless it is the whole text, ``range``.

        Raises:
            ValueError: a change is malformed.
        """
        edits = list(_edits(changes))
        self._document = None
        for positions, new in edits:
            if positions is None:
                self.text = Text(new, self.text.encoding)
            else:
                self.text.replace(*positions, new)
        self.version = version


class Workspace:
    """All open documents, by address.

    Args:
        encoding: the unit of characters that client and server agreed on.
    """

    __slots__ = ("documents", "encoding")

    def __init__(self, encoding: Encoding) -> None:
        self.encoding: Encoding = encoding
        self.documents: dict[str, OpenDocument] = {}

    def open(self, uri: str, version: int, text: str) -> OpenDocument:
        """Take in a document; one that is open already is replaced."""
        document = OpenDocument(uri, version, Text(text, self.encoding))
        self.documents[uri] = document
        return document

    def close(self, uri: str) -> bool:
        """Forget a document; whether it was open."""
        return self.documents.pop(uri, None) is not None


def _edits(changes: list[object]) -> Iterator[tuple[tuple[tuple[int, int], tuple[int, int]] | None, str]]:
    for change in changes:
        new = change.get("text") if isinstance(change, dict) else None
        if not isinstance(change, dict) or not isinstance(new, str):
            raise ValueError(f"not a change: {change!r:.80}")
        where = change.get("range")
        yield (None if where is None else range_from_lsp(where)), new
