"""The document and the diagnostics of a text, updated edit by edit: most edits read and validate one page again."""

from __future__ import annotations

from rui_common.syntax.document import read
from rui_common.validation.diagnostics import diagnose, utf8_size
from rui_common.validation.events import Mention, ValidNodes
from rui_common.validation.incremental import IncrementalDocument, read_incremental
from rui_common.validation.run import merge_reports, validate_shell
from rui_common.validation.scopes import Scope
from rui_common.vocabulary.rui_0_1 import VOCABULARY

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rui_common.syntax.document import Document
    from rui_common.validation.diagnostics import Diagnostic
    from rui_common.validation.events import Event
    from rui_common.validation.findings import Finding
    from rui_common.validation.page_texts import Page


class Analysis:
    """The document of one text, and its diagnostics, which are computed when they are first used.

    Attributes:
        document: the document.
    """

    __slots__ = ("_diagnostics", "_last_valid", "_pages", "_size", "document")

    def __init__(
        self,
        document: Document,
        last_valid: _LastValid | None = None,
        pages: list[Page | None] | None = None,
        size: int | None = None,
    ) -> None:
        """Analyse a document.

        Args:
            document: any document.
            last_valid: the last valid text with the same shell, from an earlier analysis.
            pages: pages of an earlier text, which later texts may contain again.
            size: the bytes of its text in UTF-8, if known.
        """
        self.document = document
        self._size = utf8_size(document.text) if size is None else size
        self._last_valid = _LastValid() if last_valid is None else last_valid
        self._pages = pages or []
        if isinstance(document, IncrementalDocument):
            self._pages = document.pages
        self._diagnostics: list[Diagnostic] | None = None

    @classmethod
    def from_text(cls, text: str) -> Analysis:
        """Analyse a text without using an earlier analysis."""
        return cls(read(text))

    def edited(self, text: str, prefix_len: int, suffix_len: int) -> Analysis:
        """Return the analysis of the text after an edit.

        Args:
            text: the new text.
            prefix_len: the number of unchanged characters at the start.
            suffix_len: the number of unchanged characters at the end.
        """
        old = self.document
        removed = old.text[prefix_len : len(old.text) - suffix_len]
        inserted = text[prefix_len : len(text) - suffix_len]
        size = self._size - utf8_size(removed) + utf8_size(inserted)
        pages = self._pages
        incremental = old if isinstance(old, IncrementalDocument) else read_incremental(old, known=pages)
        if incremental is not None:
            new = incremental.edited(text, prefix_len, suffix_len)
            if new is not None:
                return Analysis(new, self._last_valid, size=size)
            pages = incremental.pages
        # The edit is not inside one page. Pages with unchanged text keep their reports.
        document = read(text)
        if pages:
            document = read_incremental(document, known=pages) or document
        return Analysis(document, None, pages, size)

    @property
    def diagnostics(self) -> list[Diagnostic]:
        """The diagnostics of the text, equal to those of `diagnose`."""
        if self._diagnostics is None:
            document = self.document
            findings = None
            if isinstance(document, IncrementalDocument):
                findings = self._last_valid.findings(document)
            self._diagnostics = diagnose(document, findings, self._size)
        return self._diagnostics


class _LastValid:
    """The pages of the last text without errors, with which later texts of the same shell are compared."""

    __slots__ = ("_names", "_pages")

    def __init__(self) -> None:
        self._pages: list[object] = []
        # The names that each page mentions.
        self._names: list[list[object] | None] = []

    def findings(self, document: IncrementalDocument) -> list[Finding]:
        """Return the findings of `validate` for a document.

        If the last document had no findings, and the pages replaced since have no findings of their own and mention
        the same names, the document has none either, and the other pages are not visited. Syntax errors do not
        change that: they only suppress findings.
        """
        value = document.value
        if not isinstance(value, dict):
            return []
        pages = document.page_values()
        if pages is not None and self._pages and self._is_still_valid(document, pages):
            if document.valid:
                self._pages = pages
            return []
        incomplete = document.incomplete
        scope = Scope(VOCABULARY.root, value, incomplete)
        shell = validate_shell(value, scope, incomplete=incomplete)
        findings = list(merge_reports(scope, shell, document.report))
        if not findings and document.valid and pages is not None:
            self._pages = pages
            self._names = [_mentioned_names(document.report(document.slot(number))) for number in range(len(pages))]
        return findings

    def _is_still_valid(self, document: IncrementalDocument, pages: list[object]) -> bool:
        for number, (page, last) in enumerate(zip(pages, self._pages, strict=True)):
            if page is last:
                continue
            names = self._names[number]
            if names is None or names != _mentioned_names(document.report(document.slot(number))):
                return False
        return True


def _mentioned_names(report: tuple[Event, ...]) -> list[object] | None:
    """Return the names that a report mentions, or None if it has findings."""
    names: list[object] = []
    for event in report:
        if isinstance(event, ValidNodes):
            names += [event.symbol, *event.ids]
        elif isinstance(event, Mention):
            symbol, name, _, is_use = event
            names += [symbol, name, is_use]
        else:
            return None
    return names
