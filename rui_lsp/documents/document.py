"""One open document, as the editor shows it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from lsprotocol import types
from pygls.workspace import TextDocument

from rui_common.syntax.document import Document, read
from rui_common.syntax.line_index import Encoding, LineIndex
from rui_common.validation.analysis import Analysis
from rui_common.validation.diagnostics import Diagnostic
from rui_lsp.client.convert import Positions, to_span
from rui_lsp.protocol.log import logger

if TYPE_CHECKING:  # most sessions have no OpenAPI description
    from rui_openapi.description.api import Api


def compare_with_api(uri: str, analysis: Analysis, api: Api, *, is_strict: bool) -> list[Diagnostic]:
    """Return the differences of a document from a description; none if the comparison fails, which is logged."""
    from rui_openapi.comparison.check import api_diagnostics  # noqa: PLC0415  only with a description

    try:
        return api_diagnostics(analysis, api, is_strict=is_strict)
    except Exception:  # The author still gets all other diagnostics.
        logger.exception("internal fault: cannot compare %s with %s", uri, api.references.path)
        return []


class _ApiFound(NamedTuple):
    """The differences of one text from the description."""

    analysis: Analysis
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
        self._text = text
        self._lines = LineIndex(text)
        self._analysis: Analysis | None = None
        self._is_api_strict = False
        self._api_found: _ApiFound | None = None

    @property
    def source(self) -> str:
        """The current text."""
        return self._text

    def apply_change(self, change: types.TextDocumentContentChangeEvent) -> None:
        """Replace a range of the text, or all of it. Positions outside of the text are clamped."""
        text = change.text
        if isinstance(change, types.TextDocumentContentChangePartial):
            span = to_span(change.range, self.positions)
            text = f"{self.source[: span.start]}{change.text}{self.source[span.end :]}"
        self._text = text
        self._lines = LineIndex(text)  # needed for the next edit, whether or not the text has been analysed
        self._analysis = None

    @property
    def positions(self) -> Positions:
        """The positions of the current text, in the client's encoding."""
        return Positions(self._lines, self._encoding)

    @property
    def document(self) -> Document:
        """The parsed text; its offsets are offsets of `source`."""
        return self.analysis.document

    @property
    def diagnostics(self) -> list[Diagnostic]:
        """All diagnostics of the text, those of its requests last."""
        return [*self.analysis.diagnostics, *self.api_diagnostics()]

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
        analysis = self.analysis
        if self._api_found is None or self._api_found.analysis is not analysis:
            diagnostics = compare_with_api(self.uri, analysis, self.api, is_strict=self._is_api_strict)
            self._api_found = _ApiFound(analysis, diagnostics)
        return self._api_found.diagnostics

    @property
    def analysis(self) -> Analysis:
        """What is known about the current text."""
        if self._analysis is None:
            self._analysis = Analysis(read(self._text))
        return self._analysis
