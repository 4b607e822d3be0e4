"""One open document, as the editor shows it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from lsprotocol import types
from pygls.workspace import TextDocument

from rui_lsp.client.convert import to_offset
from rui_lsp.documents.analysis import Analysis
from rui_lsp.documents.text_buffer import TextBuffer
from rui_lsp.documents.typed_region import next_region

if TYPE_CHECKING:
    from rui_common.syntax.document import Document
    from rui_common.syntax.line_index import Encoding
    from rui_common.validation.diagnostics import Diagnostic
    from rui_lsp.documents.typed_region import FinishedText, TypedRegion
    from rui_openapi.description.api import Api


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
        self._analysis: Analysis | None = None
        self._is_api_strict = False
        self._api_found: _ApiFound | None = None
        # Of the text that `finish` returned for the last text of the region.
        self._finished: Analysis | None = None
        # How many characters at the start and at the end of the text are those of the last analysis.
        self._prefix_len = len(self.text)
        self._suffix_len = len(self.text)

    @property
    def source(self) -> str:
        """The text as a string."""
        return str(self.text)

    @property
    def document(self) -> Document:
        """The parsed text; its offsets are offsets of `text`."""
        return self.analysis.document

    @property
    def diagnostics(self) -> list[Diagnostic]:
        """All diagnostics of the text, those of its requests last."""
        found = self.analysis.diagnostics
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
    def analysis(self) -> Analysis:
        """The analysis of the text; only what has changed since the last one is read again."""
        text = str(self.text)
        if self._analysis is None:
            self._analysis = Analysis.from_text(text)
        elif text is not self._analysis.document.text:
            lengths = _common_lengths(self._analysis.document.text, text, self._prefix_len, self._suffix_len)
            self._analysis = self._analysis.edited(text, *lengths)
        self._prefix_len = len(text)
        self._suffix_len = len(text)
        return self._analysis

    def analysis_of_finished(self, finished: FinishedText, region: TypedRegion) -> Analysis:
        """Return the analysis of the text in which a region is finished."""
        base = self._finished or self.analysis
        # Everything outside of the region is unchanged, and so is its bracket. A member may have a comma more.
        prefix_len = region.start if region.is_member else region.start + 1
        lengths = _common_lengths(base.document.text, finished.text, prefix_len, region.tail)
        self._finished = base.edited(finished.text, *lengths)
        return self._finished

    def apply_change(self, change: types.TextDocumentContentChangeEvent) -> None:
        """Apply one change of a ``textDocument/didChange``."""
        if isinstance(change, types.TextDocumentContentChangeWholeDocument):
            self._prefix_len = 0
            self._suffix_len = 0
            self.typed = None
            self._finished = None
            self.text = TextBuffer(change.text, self.text.encoding)
            return
        start, end = sorted((to_offset(change.range.start, self.text), to_offset(change.range.end, self.text)))
        self._prefix_len = min(self._prefix_len, start)
        self._suffix_len = min(self._suffix_len, len(self.text) - end)
        region = next_region(self.typed, self.text, start, end, change.text)
        if region is None or self.typed is None or (region.start, region.tail) != (self.typed.start, self.typed.tail):
            self._finished = None
        self.typed = region
        first = change.range.start
        last = change.range.end
        self.text.replace((first.line, first.character), (last.line, last.character), change.text)


def _common_lengths(old: str, new: str, prefix_len: int, suffix_len: int) -> tuple[int, int]:
    """The lengths of the common prefix and suffix: shorter than given if halves of surrogate pairs have joined."""
    while prefix_len and old[prefix_len - 1 : prefix_len] != new[prefix_len - 1 : prefix_len]:
        prefix_len -= 1
    suffix_len = min(suffix_len, len(old) - prefix_len, len(new) - prefix_len)
    while suffix_len and old[-suffix_len] != new[-suffix_len]:
        suffix_len -= 1
    return prefix_len, suffix_len
