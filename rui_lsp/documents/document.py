"""One open document, as the editor shows it."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from lsprotocol import types
from pygls.workspace import TextDocument

from rui_common.editing.references import ReferenceIndex
from rui_common.syntax.document import Document, read
from rui_common.syntax.line_index import Encoding, LineIndex
from rui_common.validation.diagnostics import Diagnostic, diagnose
from rui_lsp.client.convert import Positions, to_span

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
    def lines(self) -> LineIndex:
        """The positions of the text. They are needed for the next edit, whether or not the text has been parsed."""
        return LineIndex(self.text)

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
    """One open document. Unlike pygls's, its lines end where LSP defines it, and long lines are as fast as others.

    Attributes:
        uri: its address, as the client writes it.
        version: the client's version number of the text.
        api: the OpenAPI description of its requests, or None.
    """

    version: int
    api: Api | None = None

    def __init__(self, uri: str, text: str, version: int = 0, encoding: Encoding = "utf-16") -> None:
        super().__init__(uri, text, version)
        self._encoding = encoding
        self._reading = Reading(text)
        self._is_api_strict = False
        self._api_found: _ApiFound | None = None

    @property
    def source(self) -> str:
        """The current text."""
        return self._reading.text

    def apply_change(self, change: types.TextDocumentContentChangeEvent) -> None:
        """Replace a range of the text, or all of it. Positions outside of the text are clamped."""
        text = change.text
        if isinstance(change, types.TextDocumentContentChangePartial):
            span = to_span(change.range, self.positions)
            text = f"{self.source[: span.start]}{change.text}{self.source[span.end :]}"
        self._reading = Reading(text)

    @property
    def positions(self) -> Positions:
        """The positions of the current text, in the client's encoding."""
        return Positions(self._reading.lines, self._encoding)

    @property
    def document(self) -> Document:
        """The parsed text; its offsets are offsets of `source`."""
        return self.reading.document

    @property
    def diagnostics(self) -> list[Diagnostic]:
        """All diagnostics of the text, those of its requests last."""
        return [*self.reading.diagnostics, *self.api_diagnostics()]

    def set_api(self, api: Api | None, *, is_strict: bool) -> bool:
        """Compare requests with a description, or with none; return whether that is a change."""
        if self.api is api and self._is_api_strict == is_strict:
            return False
        self.api = api
        self._is_api_strict = is_strict
        self._api_found = None
        return True

    def api_diagnostics(self) -> list[Diagnostic]:
        """The differences of the text from the description; none without one."""
        if self.api is None:
            return []
        document = self.document
        if self._api_found is None or self._api_found.document is not document:
            from rui_openapi.comparison.check import api_diagnostics  # noqa: PLC0415  only with a description

            diagnostics = api_diagnostics(document, self.api, is_strict=self._is_api_strict)
            self._api_found = _ApiFound(document, diagnostics)
        return self._api_found.diagnostics

    @property
    def reading(self) -> Reading:
        """The reading of the current text."""
        return self._reading
