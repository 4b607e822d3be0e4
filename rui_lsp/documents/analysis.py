"""What is known of a text, kept from edit to edit: of most edits one page has to be read and checked again."""

from __future__ import annotations

from functools import partial

from rui_common.syntax.document import read
from rui_common.validation.diagnostics import diagnose, utf8_size
from rui_common.validation.events import Plain
from rui_common.validation.incremental import IncrementalDocument, read_incremental
from rui_common.validation.run import join, validate_page, validate_shell
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
    """One text, read, and what is wrong with it.

    Attributes:
        document: the reading.
    """

    __slots__ = ("_diagnostics", "_kept", "_pages", "_size", "document")

    def __init__(
        self, document: Document, kept: _Kept | None = None, pages: list[Page] | None = None, size: int | None = None
    ) -> None:
        """Analyse a document.

        Args:
            document: any document.
            kept: what is known of its pages from before.
            pages: the pages of a text before, which may come back as they were.
            size: the bytes of its text in UTF-8, if they are known.
        """
        self.document = document
        self._size = utf8_size(document.text) if size is None else size
        self._kept = _Kept() if kept is None else kept
        self._pages = document.pages if isinstance(document, IncrementalDocument) else pages or []
        self._diagnostics: list[Diagnostic] | None = None

    @classmethod
    def from_text(cls, text: str) -> Analysis:
        """The analysis of a text of which nothing is known yet."""
        return cls(read(text))

    def edited(self, text: str, before: int, behind: int) -> Analysis:
        """The analysis of the text that an edit has made of this one.

        Args:
            text: the new text.
            before: so many characters at the start are as they were.
            behind: so many at the end are.
        """
        document = self.document
        gone, come = document.text[before : len(document.text) - behind], text[before : len(text) - behind]
        size = self._size - utf8_size(gone) + utf8_size(come)
        if not isinstance(document, IncrementalDocument):
            document = read_incremental(document, known=self._pages) or document
        again = document.edited(text, before, behind) if isinstance(document, IncrementalDocument) else None
        if again is not None:
            return Analysis(again, self._kept, size=size)
        # Something around the pages has changed: pages that have the same text still say the same of themselves.
        pages = document.pages if isinstance(document, IncrementalDocument) else self._pages
        whole = read(text)
        kept = self._kept.around_changed()
        return Analysis((read_incremental(whole, known=pages) if pages else None) or whole, kept, pages, size)

    @property
    def diagnostics(self) -> list[Diagnostic]:
        """All that is wrong, as `diagnose` tells it."""
        if self._diagnostics is None:
            document = self.document
            findings = self._kept.findings(document) if isinstance(document, IncrementalDocument) else None
            self._diagnostics = diagnose(document, findings, self._size)
        return self._diagnostics


class _Kept:
    """The reports of pages, each of which holds until its page is another."""

    __slots__ = ("_pages", "_reports", "_said")

    def __init__(self) -> None:
        self._reports: dict[Path, tuple[Page, tuple[Event, ...]]] = {}
        # The last pages in which nothing was broken and nothing to be found, and the names that each mentions.
        self._pages: list[Page] = []
        self._said: list[list[object] | None] = []

    def around_changed(self) -> _Kept:
        """What of this holds when something else than pages has changed: their reports."""
        kept = _Kept()
        kept._reports = self._reports
        return kept

    def findings(self, document: IncrementalDocument) -> list[Finding]:
        """What `validate` says of a document.

        When nothing was to be found, and the pages that have changed have no faults of their own and mention the
        names that they did, then there is still nothing to be found: other pages need not be looked at. Damage
        changes nothing about that, as it only ever keeps findings back.
        """
        if self._pages and self._says_the_same(document):
            if document.valid:
                self._pages = document.pages
            return []
        value, incomplete = document.value, document.incomplete
        assert isinstance(value, dict)  # noqa: S101  else it had no pages
        scope = Scope(VOCABULARY.root, value, incomplete)
        findings = list(
            join(scope, validate_shell(value, scope, incomplete=incomplete), partial(self._report, document))
        )
        if not findings and document.valid:
            self._pages = document.pages
            self._said = [_names(self._report(document, document.slot(n))) for n in range(len(document.pages))]
        return findings

    def _says_the_same(self, document: IncrementalDocument) -> bool:
        for number, (page, before) in enumerate(zip(document.pages, self._pages, strict=True)):
            if page is not before:
                said = self._said[number]
                if said is None or said != _names(self._report(document, document.slot(number))):
                    return False
        return True

    def _report(self, document: IncrementalDocument, slot: PageSlot) -> tuple[Event, ...]:
        page = document.page_at(slot.path)
        kept = self._reports.get(slot.path)
        if kept is None or kept[0] is not page:
            kept = page, tuple(validate_page(slot, incomplete=page.document.incomplete))
            self._reports[slot.path] = kept
        return kept[1]


def _names(report: tuple[Event, ...]) -> list[object] | None:
    """All that a report mentions, if there is nothing else in it."""
    names: list[object] = []
    for event in report:
        if isinstance(event, Plain):
            names += [event.symbol, *event.ids]
        elif isinstance(event, tuple):
            names += [event[0], event[1], event[3]]
        else:
            return None
    return names
