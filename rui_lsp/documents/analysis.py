"""The document and the diagnostics of a text, updated edit by edit: most edits read and validate one page again."""

from __future__ import annotations

from functools import partial
from typing import NamedTuple

from rui_common.syntax.document import read
from rui_common.validation.diagnostics import diagnose, utf8_size
from rui_common.validation.events import Mention, ValidNodes
from rui_common.validation.incremental import IncrementalDocument, read_incremental
from rui_common.validation.run import merge_reports, validate_page, validate_shell
from rui_common.validation.scopes import Scope
from rui_common.vocabulary.rui_0_1 import VOCABULARY

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rui_common.syntax.document import Document
    from rui_common.syntax.paths import Path
    from rui_common.validation.diagnostics import Diagnostic
    from rui_common.validation.events import Event, PageSlot
    from rui_common.validation.findings import Finding
    from rui_common.validation.incremental import Page


class Analysis:
    """The document of one text, and its diagnostics, which are computed when they are first used.

    Attributes:
        document: the document.
    """

    __slots__ = ("_diagnostics", "_pages", "_reports", "_size", "document")

    def __init__(
        self,
        document: Document,
        reports: _PageReports | None = None,
        pages: list[Page] | None = None,
        size: int | None = None,
    ) -> None:
        """Analyse a document.

        Args:
            document: any document.
            reports: the reports of its pages that earlier analyses made.
            pages: pages of an earlier text, which later texts may contain again.
            size: the bytes of its text in UTF-8, if known.
        """
        self.document = document
        self._size = utf8_size(document.text) if size is None else size
        self._reports = _PageReports() if reports is None else reports
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
                return Analysis(new, self._reports, size=size)
            pages = incremental.pages
        # The edit is not inside one page. Pages with unchanged text keep their reports.
        document = read(text)
        if pages:
            document = read_incremental(document, known=pages) or document
        return Analysis(document, self._reports.for_new_shell(), pages, size)

    @property
    def diagnostics(self) -> list[Diagnostic]:
        """The diagnostics of the text, equal to those of `diagnose`."""
        if self._diagnostics is None:
            document = self.document
            findings = None
            if isinstance(document, IncrementalDocument):
                findings = self._reports.findings(document)
            self._diagnostics = diagnose(document, findings, self._size)
        return self._diagnostics


class _PageReport(NamedTuple):
    page: Page
    events: tuple[Event, ...]


class _PageReports:
    """The validation reports of pages. A report is valid until its page is replaced."""

    __slots__ = ("_reports", "_valid_names", "_valid_pages")

    def __init__(self) -> None:
        self._reports: dict[Path, _PageReport] = {}
        # The pages of the last text without errors, and the names that each page mentions.
        self._valid_pages: list[Page] = []
        self._valid_names: list[list[object] | None] = []

    def for_new_shell(self) -> _PageReports:
        """Return the reports for a document whose text outside of the pages has changed."""
        copy = _PageReports()
        copy._reports = self._reports
        return copy

    def findings(self, document: IncrementalDocument) -> list[Finding]:
        """Return the findings of `validate` for a document.

        If the last document had no findings, and the pages replaced since have no findings of their own and mention
        the same names, the document has none either, and the other pages are not visited. Syntax errors do not
        change that: they only suppress findings.
        """
        if self._valid_pages and self._is_still_valid(document):
            if document.valid:
                self._valid_pages = document.pages
            return []
        value = document.value
        incomplete = document.incomplete
        assert isinstance(value, dict)  # noqa: S101  otherwise it would have no pages
        scope = Scope(VOCABULARY.root, value, incomplete)
        shell = validate_shell(value, scope, incomplete=incomplete)
        findings = list(merge_reports(scope, shell, partial(self._report, document)))
        if not findings and document.valid:
            self._valid_pages = document.pages
            self._valid_names = [
                _mentioned_names(self._report(document, document.slot(number))) for number in range(len(document.pages))
            ]
        return findings

    def _is_still_valid(self, document: IncrementalDocument) -> bool:
        for number, (page, valid_page) in enumerate(zip(document.pages, self._valid_pages, strict=True)):
            if page is valid_page:
                continue
            names = self._valid_names[number]
            if names is None or names != _mentioned_names(self._report(document, document.slot(number))):
                return False
        return True

    def _report(self, document: IncrementalDocument, slot: PageSlot) -> tuple[Event, ...]:
        page = document.page_at(slot.path)
        report = self._reports.get(slot.path)
        if report is None or report.page is not page:
            events = tuple(validate_page(slot, incomplete=page.document.incomplete))
            report = _PageReport(page, events)
            self._reports[slot.path] = report
        return report.events


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
