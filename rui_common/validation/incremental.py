"""Documents that are read page by page, so that an edit inside a page reads only that page again.

A valid text is made of its pages and of the text around them. A broken text is recovered as a whole, but the recovering
parser does not scan the pages that are still valid. Both are equal to a fresh reading of the text.
"""

from __future__ import annotations

from bisect import bisect_right
from functools import partial

from rui_common.syntax.document import Document, Fragment, string_paths
from rui_common.syntax.errors import DuplicateKey
from rui_common.syntax.line_index import JoinedLineIndex, LineIndex
from rui_common.syntax.reader import ParseResult, Scanner, Source, offset_of, parse_strictly
from rui_common.syntax.spans import Span
from rui_common.syntax.tree import Member, Members
from rui_common.validation.events import PageSlot
from rui_common.validation.page_texts import DocumentShell, KnownScanner, read_page, scan_within
from rui_common.validation.run import validate_page, validate_shell
from rui_common.validation.scopes import Scope
from rui_common.vocabulary.lookup import schema_location
from rui_common.vocabulary.rui_0_1 import VOCABULARY

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator

    from rui_common.syntax.paths import Path
    from rui_common.syntax.recovery.parser import RecoveryResult
    from rui_common.validation.events import Event
    from rui_common.validation.page_texts import Page
    from rui_common.vocabulary.schema import Vocabulary


class PageRanges:
    """Which ranges of a text are the pages of a shell.

    Attributes:
        shell: the text outside of the pages.
        pages: the pages, in text order; None for a broken one.
        starts, ends: their ranges.
    """

    __slots__ = ("ends", "pages", "shell", "starts")

    def __init__(self, shell: DocumentShell, pages: list[Page | None], starts: list[int], ends: list[int]) -> None:
        self.shell = shell
        self.pages = pages
        self.starts = starts
        self.ends = ends

    def edited(self, old: str, new: str, prefix_length: int, suffix_length: int) -> PageRanges | None:
        """Return the ranges after an edit inside one page, which is read again; None after any other edit."""
        number = bisect_right(self.starts, prefix_length - 1) - 1
        if number < 0 or len(old) - suffix_length >= self.ends[number]:
            return None
        growth = len(new) - len(old)
        starts = self.starts
        if growth:
            starts = [*starts[: number + 1], *(start + growth for start in starts[number + 1 :])]
        ends = [*self.ends[:number], *(end + growth for end in self.ends[number:])]
        pages = self.pages.copy()
        pages[number] = read_page(new[starts[number] : ends[number]], len(self.shell.slots[number].path))
        return PageRanges(self.shell, pages, starts, ends)

    def relocated(self, offset: int) -> int:
        """Convert an offset outside of the pages from the text that was read as a whole."""
        passed = bisect_right(self.shell.ends, offset)
        if passed == 0:
            return offset
        return offset + self.ends[passed - 1] - self.shell.ends[passed - 1]

    def scanner(self, first_broken: int, failure: Exception | None) -> KnownScanner:
        """Return a scanner that knows everything except the broken pages.

        Args:
            first_broken: the number of the first broken page.
            failure: the exception that scanning this page raises; None if it raises none.
        """
        shell = self.shell
        values = {self.relocated(start): (value, self.relocated(end)) for start, end, value in shell.parts()}
        pages: dict[int, Page] = {}
        for page, start, end in self._with_ranges():
            if page is not None:
                pages[start] = page
                values[start] = (page.document.value, end)
        errors: dict[int, Exception] = {}
        if failure is not None:
            # Everything before the page is valid, so that the values around it fail in the same way.
            path = shell.slots[first_broken].path
            around = [shell.member_at(path[:size]) for size in range(len(path) + 1)]
            errors = {self.relocated(member.start): failure for member in around if member is not None}
        broken = [Span(start, end) for page, start, end in self._with_ranges() if page is None]
        return KnownScanner(pages, values, errors, broken)

    def has_surrogates(self, text: str) -> bool:
        """Return whether a broken page has surrogates; the rest has none."""
        broken = (text[start:end] for page, start, end in self._with_ranges() if page is None)
        return not all(map(_is_encodable, broken))

    def lines(self, text: str) -> list[tuple[int, LineIndex]]:
        """Return the lines of the pages and of the texts around them, with the offsets at which these begin."""
        gaps = self.shell.gaps
        parts = [(0, gaps[0])]
        for page, start, end, gap in zip(self.pages, self.starts, self.ends, gaps[1:], strict=True):
            page_lines = LineIndex(text[start:end]) if page is None else page.document.lines
            parts += [(start, page_lines), (end, gap)]
        return parts

    def _with_ranges(self) -> Iterable[tuple[Page | None, int, int]]:
        return zip(self.pages, self.starts, self.ends, strict=True)


def _is_encodable(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


class IncrementalDocument(Document):
    """A document whose text is made of pages and of a shell. Its two subclasses are for valid and for broken texts.

    Attributes:
        ranges: the pages and their ranges.
    """

    ranges: PageRanges

    @property
    def pages(self) -> list[Page | None]:
        """The pages, in text order; None for a broken one."""
        return self.ranges.pages

    def edited(self, text: str, prefix_length: int, suffix_length: int) -> IncrementalDocument | None:
        """Return the document after an edit inside one page, or None if it has to be read as a whole.

        Args:
            text: the new text.
            prefix_length: the number of unchanged characters at its start.
            suffix_length: the number of unchanged characters at its end. The two do not overlap in either text.
        """
        ranges = self.ranges.edited(self.text, text, prefix_length, suffix_length)
        if ranges is None:
            return None
        if None not in ranges.pages:
            return ValidIncrementalDocument(ranges, text)
        return _read_broken(ranges, text)

    def page_values(self) -> list[object] | None:
        """Return the values of the pages, or None if the recovered value has other pages or another shell."""
        raise NotImplementedError

    def slot(self, number: int) -> PageSlot:
        """Return a page, by its number. `page_values` must not be None."""
        slot = self.ranges.shell.slots[number]
        values = self.page_values()
        assert values is not None  # noqa: S101  see above
        return PageSlot(slot.kind, values[number], slot.path)

    def report(self, slot: PageSlot) -> tuple[Event, ...]:
        """Return the report of `validate_page` on the page in a slot, possibly of an earlier document."""
        raise NotImplementedError

    def _intact_page(self, number: int) -> Page | None:
        """Return the page with this number, if the value contains it unchanged at its path."""
        raise NotImplementedError

    def range_of(self, path: Path, *, key: bool = False) -> Span:
        number, rest = self.ranges.shell.page_around(path) or (-1, ())
        page = None if number < 0 else self._intact_page(number)
        if page is None:
            return super().range_of(path, key=key)
        return page.document.range_of(rest, key=key).shifted(self.ranges.starts[number])

    def _find_strings(self, texts: frozenset[str]) -> Iterator[Path]:
        """Yield the paths in the shell and in the pages; documents of pages remember theirs."""
        values = self.page_values()
        if values is None:
            yield from super()._find_strings(texts)
            return
        shell = self.ranges.shell
        yield from shell.string_paths(texts)
        for number, value in enumerate(values):
            page = self._intact_page(number)
            found = string_paths(value, texts) if page is None else page.document.string_paths(texts)
            for path in found:
                yield shell.slots[number].path + path

    def _duplicate_keys_of_pages(self) -> Iterator[DuplicateKey]:
        """Yield the duplicate keys in the pages that are intact."""
        for fragment in self.fragments():
            for duplicate in fragment.document.duplicate_keys():
                path = fragment.path + duplicate.path
                shift = fragment.offset
                yield DuplicateKey(path, duplicate.span.shifted(shift), duplicate.last.shifted(shift))

    def fragments(self) -> Iterator[Fragment]:
        for number, slot in enumerate(self.ranges.shell.slots):
            page = self._intact_page(number)
            if page is not None:
                yield Fragment(slot.path, page.document, self.ranges.starts[number])


class ValidIncrementalDocument(IncrementalDocument):
    """The document of a valid text."""

    def __init__(self, ranges: PageRanges, text: str) -> None:
        """Use `read_incremental` and `edited` instead.

        Args:
            ranges: the pages; all are valid.
            text: the whole text.
        """
        self.text = text
        self.bom = text.startswith("\ufeff")
        self.ranges = ranges
        self._value: object = None
        self._lines = None
        self._root = None
        self._last_members = None
        self._string_paths = {}
        self._duplicates: bool | None = None
        self._page_values = [page.document.value for page in ranges.pages if page is not None]

    @property
    def valid(self) -> bool:
        return True

    @property
    def value(self) -> object:
        if self._value is None:
            shell = self.ranges.shell
            self._value = shell.with_pages(shell.value, self.page_values())
        return self._value

    @property
    def syntax(self) -> tuple[()]:
        return ()

    @property
    def incomplete(self) -> frozenset[Path]:
        return frozenset()

    def page_values(self) -> list[object]:
        return self._page_values

    def report(self, slot: PageSlot) -> tuple[Event, ...]:
        page = self.ranges.pages[self.ranges.shell.page_numbers[slot.path]]
        assert page is not None  # noqa: S101  the text is valid
        return page.report(slot)

    def _intact_page(self, number: int) -> Page | None:
        return self.ranges.pages[number]

    def span_of(self, path: Path) -> Span | None:
        number, rest = self.ranges.shell.page_around(path) or (-1, ())
        page = None if number < 0 else self._intact_page(number)
        if page is None:
            return super().span_of(path)
        span = page.document.span_of(rest)
        return span and span.shifted(self.ranges.starts[number])

    def path_at(self, offset: int) -> Path:
        number = bisect_right(self.ranges.starts, offset - 1) - 1
        page = None if number < 0 else self._intact_page(number)
        if page is None or offset >= self.ranges.ends[number]:
            return super().path_at(offset)
        return self.ranges.shell.slots[number].path + page.document.path_at(offset - self.ranges.starts[number])

    def _find_duplicate_keys(self, skipped: Container[int] = ()) -> Iterator[DuplicateKey]:  # noqa: ARG002
        return self._duplicate_keys_of_pages()

    def _has_duplicate_keys(self) -> bool:
        if self._duplicates is None:
            self._duplicates = any(fragment.document._has_duplicate_keys() for fragment in self.fragments())
        return self._duplicates

    # Positions

    def _root_member(self) -> Member:
        if self._root is None:
            self._root = self._relocate(self.ranges.shell.root, ())
        return self._root

    def _relocate(self, member: Member, path: Path) -> Member:
        """Return the member at a path in this text; `member` is the one in the text that was read as a whole."""
        ranges = self.ranges
        number = ranges.shell.page_numbers.get(path)
        key_span: Span | None = None
        if member.key_span is not None:
            key_span = Span(ranges.relocated(member.key_span.start), ranges.relocated(member.key_span.end))
        if number is not None:
            return Member(self.text, member.step, key_span, ranges.starts[number], ranges.ends[number])
        relocated = Member(self.text, member.step, key_span, ranges.relocated(member.start))
        if path in ranges.shell.containers:
            children = tuple(member.members() or ())  # Walking all of them also determines the end.
            members = Members(self._relocate(child, (*path, child.step)) for child in children)
            relocated.set_end(ranges.relocated(member.end), members)
        return relocated


class BrokenIncrementalDocument(IncrementalDocument):
    """The document of a text with broken pages. It is recovered as a whole, with the values that are known."""

    def __init__(self, ranges: PageRanges, source: Source, failure: Exception | None) -> None:
        """Use `edited` instead.

        Args:
            ranges: the pages; at least one is broken.
            source: the whole text.
            failure: the exception that scanning the first broken page raises; None if it raises none.
        """
        super().__init__(source, ParseResult())
        self.ranges = ranges
        self._failure = failure
        self._page_values: list[object] | None = None
        self._has_page_values = False
        self._reports: dict[Path, tuple[Event, ...]] = {}
        self._pages_by_value = {id(page.document.value): page for page in ranges.pages if page is not None}

    def page_values(self) -> list[object] | None:
        if not self._has_page_values:
            self._page_values = self.ranges.shell.pages_of(self.value)
            self._has_page_values = True
        return self._page_values

    def report(self, slot: PageSlot) -> tuple[Event, ...]:
        if slot.path not in self._reports:
            size = len(slot.path)
            incomplete = frozenset(path[size:] for path in self.incomplete if path[:size] == slot.path)
            page = self._pages_by_value.get(id(slot.element))
            if page is not None and not incomplete:
                return page.report(slot)
            self._reports[slot.path] = tuple(validate_page(slot, incomplete=incomplete))
        return self._reports[slot.path]

    def _intact_page(self, number: int) -> Page | None:
        values = self.page_values()
        page = self.ranges.pages[number]
        if values is None or page is None or page.document.value is not values[number]:
            return None
        return page

    def _find_duplicate_keys(self, skipped: Container[int] = ()) -> Iterator[DuplicateKey]:  # noqa: ARG002
        starts = [fragment.offset for fragment in self.fragments()]
        yield from self._duplicate_keys_of_pages()
        yield from super()._find_duplicate_keys(frozenset(starts))

    def _recovery(self) -> RecoveryResult:
        if self._recovered is None:
            first_broken = self.ranges.pages.index(None)
            self._source.scanner = self.ranges.scanner(first_broken, self._failure)
            self._source.lines = JoinedLineIndex(self.text, partial(self.ranges.lines, self.text))
        return super()._recovery()


def read_incremental(
    document: Document, vocabulary: Vocabulary = VOCABULARY, *, known: Iterable[Page | None] = ()
) -> IncrementalDocument | None:
    """Split a valid document into pages.

    Args:
        document: a document that was read as a whole.
        vocabulary: determines the paths of pages.
        known: pages of another text. Those with the same text are not parsed again.

    Returns:
        None if the document has no list of pages, or a page that cannot be parsed on its own.
    """
    value = document.value
    if not document.valid or not isinstance(value, dict):
        return None
    events = validate_shell(value, Scope(vocabulary.root, value), vocabulary=vocabulary)
    slots = [PageSlot(event.kind, None, event.path) for event in events if isinstance(event, PageSlot)]
    root = document.find(())
    if not slots or root is None or not _is_in_list(value, slots[0].path, vocabulary):
        return None
    if _has_duplicate_keys_outside(document, {slot.path for slot in slots}):
        return None
    spans = [span for slot in slots if (span := document.span_of(slot.path)) is not None]
    if len(spans) != len(slots) or spans != sorted(spans):
        return None
    by_text = {page.document.text: page for page in known if page is not None}
    pages: list[Page | None] = []
    for slot, span in zip(slots, spans, strict=True):
        text = document.text[span.start : span.end]
        page = by_text.pop(text, None) or read_page(text, len(slot.path))
        if page is None:
            return None
        pages.append(page)
    shell = DocumentShell(document, root, slots, spans)
    return ValidIncrementalDocument(PageRanges(shell, pages, shell.starts, shell.ends), document.text)


def _is_in_list(value: object, path: Path, vocabulary: Vocabulary) -> bool:
    """Return whether a page is in a list, as expected; otherwise how it is read may depend on the texts of pages."""
    location = schema_location(value, path[:-1], vocabulary)
    return location is not None and location.prop is not None and isinstance(path[-1], int)


def _has_duplicate_keys_outside(document: Document, page_paths: set[Path]) -> bool:
    """Return whether a key outside of the pages is duplicate."""
    for duplicate in document.duplicate_keys():
        path = duplicate.path
        if not any(path[:size] in page_paths for size in range(1, len(path))):
            return True
    return False


def _read_broken(ranges: PageRanges, text: str) -> BrokenIncrementalDocument | None:
    """Return the document of a text with broken pages; None if the text may be valid: one page may have become two."""
    number = ranges.pages.index(None)
    failure = _failure_at(text, Span(ranges.starts[number], ranges.ends[number]))
    if failure is None:
        source = Source(text)
        result = parse_strictly(source)
        if result.valid or result.is_unsure:
            return None
        return BrokenIncrementalDocument(ranges, source, None)
    # The text before the page is valid. So the whole is not, and the scanner stops at the same place.
    source = Source.known_as_broken(text, has_surrogates=ranges.has_surrogates(text))
    if not source.has_surrogates:
        source.error_offset = offset_of(failure, text)
    return BrokenIncrementalDocument(ranges, source, failure)


def _failure_at(text: str, page: Span) -> Exception | None:
    """Return the exception that scanning from the start of a page raises."""
    try:
        scan_within(Scanner().scan, text, page, page.start)
    except RecursionError:
        return None
    except (ValueError, StopIteration) as error:
        return error
    return None
