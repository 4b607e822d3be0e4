"""One open document, as the editor shows it."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from lsprotocol import types
from pygls.workspace import TextDocument

from rui_common.editing.references import ReferenceIndex
from rui_common.syntax.document import Document, read
from rui_common.syntax.line_index import Encoding
from rui_common.validation.diagnostics import Diagnostic, diagnose
from rui_lsp.client.convert import to_offset
from rui_lsp.documents.text_buffer import TextBuffer
from rui_lsp.documents.typed_region import TypedRegion, next_region

if TYPE_CHECKING:  # most sessions have no OpenAPI description
    from rui_openapi.description.api import Api


class Reading:
    """What is computed from one text, each on first use.

    Args:
        text: the text.
    """

    def __init__(self, text: str) -> None:
        self.text = text

    @cached_property
    def document(self) -> Document:
        """The parsed text."""
        return read(self.text)

    @cached_property
    def diagnostics(self) -> list[Diagnostic]:
        """The diagnostics that depend on the text alone."""
        return diagnose(self.document)

    @cached_property
    def names(self) -> ReferenceIndex:
        """The names that are defined and used."""
        return ReferenceIndex(self.document)


class _ApiFound(NamedTuple):
    """The differences of one reading of the text from the description."""

    document: Document
    diagnostics: list[Diagnostic]


class OpenDocument(TextDocument):
    """One open document. Unlike pygls's, it splits lines as LSP does, and an edit costs microseconds.

    Attributes:
        uri: its address, as the client writes it.
        version: the client's version number of the text.
        text: the text.
        caret: the offset of the author's caret, as far as the client has shown it.
        typed: the region that the author is typing; None if the last edit was not within brackets just opened.
        api: the OpenAPI description of its requests, or None.
    """

    version: int
    api: Api | None = None

    def __init__(self, uri: str, text: str, version: int = 0, encoding: Encoding = "utf-16") -> None:
        super().__init__(uri, version=version)
        self.text = TextBuffer(text, encoding)
        self.caret = 0
        self.typed: TypedRegion | None = None
        self._reading = Reading("")
        self._is_api_strict = False
        self._api_found: _ApiFound | None = None

    @property
    def source(self) -> str:
        """The text as a string."""
        return str(self.text)

    @property
    def document(self) -> Document:
        """The parsed text; its offsets are offsets of `text`."""
        return self.reading.document

    @property
    def diagnostics(self) -> list[Diagnostic]:
        """All diagnostics of the text, those of its requests last."""
        found = self.reading.diagnostics
        if self.api is None:
            return found
        return [*found, *self.api_diagnostics(self.document)]

    def set_api(self, api: Api | None, *, is_strict: bool) -> bool:
        """Compare requests with a description, or with none; return whether that is a change."""
        if self.api is api and self._is_api_strict == is_strict:
            return False
        self.api = api
        self._is_api_strict = is_strict
        self._api_found = None
        return True

    def api_diagnostics(self, document: Document) -> list[Diagnostic]:
        """The differences of a reading of the text from the description; none without one."""
        if self.api is None:
            return []
        if self._api_found is None or self._api_found.document is not document:
            from rui_openapi.comparison.check import api_diagnostics  # noqa: PLC0415  only with a description

            diagnostics = api_diagnostics(document, self.api, is_strict=self._is_api_strict)
            self._api_found = _ApiFound(document, diagnostics)
        return self._api_found.diagnostics

    @property
    def reading(self) -> Reading:
        """The reading of the current text."""
        text = str(self.text)
        if text != self._reading.text:
            self._reading = Reading(text)
        return self._reading

    def apply_change(self, change: types.TextDocumentContentChangeEvent) -> None:
        """Apply one change of a ``textDocument/didChange``."""
        if isinstance(change, types.TextDocumentContentChangeWholeDocument):
            self.typed = None
            self.text = TextBuffer(change.text, self.text.encoding)
            return
        start, end = sorted((to_offset(change.range.start, self.text), to_offset(change.range.end, self.text)))
        self.typed = next_region(self.typed, self.text, start, end, change.text)
        first = change.range.start
        last = change.range.end
        self.text.replace((first.line, first.character), (last.line, last.character), change.text)
