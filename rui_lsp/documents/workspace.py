"""The documents that the client has open, as it has them: what the editor shows counts, not what is on disk."""

from __future__ import annotations

from rui_lsp.client.client import Client
from rui_lsp.client.convert import range_from_lsp
from rui_lsp.documents.text_buffer import TextBuffer
from rui_lsp.protocol.errors import InvalidParamsError, NotOpenError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from rui_common.syntax.document import Document
    from rui_common.syntax.line_index import Encoding
    from rui_common.validation.diagnostics import Diagnostic
    from rui_lsp.client.convert import Json
    from rui_lsp.documents.analysis import Analysis
    from rui_lsp.documents.text_buffer import Position


MAX_CLOSED = 1000
"""So many closed documents are known as such, the last ones."""


class OpenDocument:
    """One open document.

    Attributes:
        uri: its address, as the client writes it.
        version: the client's number of its present text.
        text: its present text.
    """

    __slots__ = ("_analysis", "_before", "_behind", "text", "uri", "version")

    def __init__(self, uri: str, version: int, text: TextBuffer) -> None:
        self.uri = uri
        self.version = version
        self.text = text
        self._analysis: Analysis | None = None
        # How many characters at the start and at the end of the text are as they were when it was last read.
        self._before = self._behind = len(text)

    @property
    def document(self) -> Document:
        """The present text, read; its offsets are offsets of `text`."""
        return self._analysed().document

    @property
    def diagnostics(self) -> list[Diagnostic]:
        """All that is wrong with the present text."""
        return self._analysed().diagnostics

    def _analysed(self) -> Analysis:
        from rui_lsp.documents.analysis import Analysis  # noqa: PLC0415  not needed before the reply to `initialize`

        text = str(self.text)
        if self._analysis is None:
            self._analysis = Analysis.from_text(text)
        elif text is not self._analysis.document.text:
            before, behind = _as_they_were(self._analysis.document.text, text, self._before, self._behind)
            self._analysis = self._analysis.edited(text, before, behind)
        self._before = self._behind = len(text)
        return self._analysis

    def change(self, version: int, changes: list[object]) -> None:
        """Make the changes of one notification, in their order; all of them, or none if one is malformed.

        Args:
            version: the number of the text behind them.
            changes: ``contentChanges``: each with ``text`` and, unless it is the whole text, ``range``.

        Raises:
            InvalidParamsError: a change is malformed.
        """
        edits = list(_edits(changes))
        for positions, new in edits:
            if positions is None:
                self._before = self._behind = 0
                self.text = TextBuffer(new, self.text.encoding)
            else:
                self._note(*positions)
                self.text.replace(*positions, new)
        self.version = version

    def _note(self, start: Position, end: Position) -> None:
        """Note what an edit leaves as it is."""
        left, right = sorted((self.text.offset(*start), self.text.offset(*end)))
        self._before = min(self._before, left)
        self._behind = min(self._behind, len(self.text) - right)


class Workspace:
    """All open documents, by address.

    Attributes:
        encoding: the unit of characters that client and server agreed on.
        client: whose documents they are.
        documents: every open document.
        published: where people can look at what was published, by the address of the document.
        deleted: those among them whose files the client has seen go.
        on_close: told the address of every document that is closed.
        doubts: documents that have been closed, by address, with a number that is another one each time that what a
            client last heard of the document may be about a text that nobody has saved. Only `MAX_CLOSED` are kept.
    """

    __slots__ = (
        "__weakref__", "_doubted", "client", "deleted", "documents", "doubts", "encoding", "on_close", "published",
    )  # fmt: skip

    def __init__(self, encoding: Encoding = "utf-16", client: Client | None = None) -> None:
        self.encoding: Encoding = encoding
        self.client = client or Client(lambda _: None)
        self.documents: dict[str, OpenDocument] = {}
        self.published: dict[str, str] = {}
        self.deleted: set[str] = set()
        self.doubts: dict[str, int] = {}  # in the order in which they were last doubted
        self._doubted = 0
        self.on_close: Callable[[str], None] = lambda _: None

    def document_of(self, params: Json) -> OpenDocument:
        """The open document that the parameters of a request are about, by their ``textDocument``.

        Raises:
            InvalidParamsError: they name no document.
            NotOpenError: the document is not open.
        """
        item = params.get("textDocument")
        uri = item.get("uri") if isinstance(item, dict) else None
        if not isinstance(uri, str):
            raise InvalidParamsError("textDocument.uri is no string")
        document = self.documents.get(uri)
        if document is None:
            raise NotOpenError(uri, was_open=uri in self.doubts)
        return document

    def open(self, uri: str, version: int, text: str) -> OpenDocument:
        """Take in a document; one that is open already is replaced."""
        document = OpenDocument(uri, version, TextBuffer(text, self.encoding))
        self.documents[uri] = document
        return document

    def close(self, uri: str) -> bool:
        """Forget a document; whether it was open."""
        was_open = self.documents.pop(uri, None) is not None
        self.deleted.discard(uri)
        if was_open:
            self.doubt(uri)
        self.on_close(uri)
        return was_open

    def doubt(self, uri: str) -> None:
        """Note that what was last said of a document, which is not open, may no longer be so."""
        self._doubted += 1
        self.doubts.pop(uri, None)
        self.doubts[uri] = self._doubted
        if len(self.doubts) > MAX_CLOSED:
            del self.doubts[next(iter(self.doubts))]


def _as_they_were(old: str, new: str, before: int, behind: int) -> tuple[int, int]:
    """The same numbers of characters at start and end; less those that halves of surrogates have joined or left."""
    while before and old[before - 1 : before] != new[before - 1 : before]:
        before -= 1
    behind = min(behind, len(old) - before, len(new) - before)
    while behind and old[-behind] != new[-behind]:
        behind -= 1
    return before, behind


def _edits(changes: list[object]) -> Iterator[tuple[tuple[tuple[int, int], tuple[int, int]] | None, str]]:
    for change in changes:
        new = change.get("text") if isinstance(change, dict) else None
        if not isinstance(change, dict) or not isinstance(new, str):
            raise InvalidParamsError(f"not a change: {change!r:.80}")
        where = change.get("range")
        yield (None if where is None else range_from_lsp(where)), new
