"""Documents that are parsed page by page, so that an edit inside a page parses only that page again."""

from __future__ import annotations

from bisect import bisect_right

from rui_common.syntax.document import MAX_SYNTAX_ERRORS, Document, Fragment
from rui_common.syntax.errors import DuplicateKey, SyntaxFault
from rui_common.syntax.reader import Scanner, Source, depth_of, parse_strictly
from rui_common.syntax.spans import Span
from rui_common.syntax.tree import Member, Members
from rui_common.validation.events import PageSlot
from rui_common.validation.run import validate_shell
from rui_common.validation.scopes import Scope
from rui_common.vocabulary.rui_0_1 import VOCABULARY
from rui_common.vocabulary.rules import MAX_DEPTH

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any

    from rui_common.syntax.paths import Path
    from rui_common.vocabulary.schema import Vocabulary


class Page:
    """The text of one page, independent of its position in the document.

    Attributes:
        document: the document of the text of the page.
        indent: the length of the indentation before the page, with which that text begins.
        line: the line in which a broken page begins, from zero, because hints contain line numbers; else 0.
        valid: whether the page has no syntax error.
    """

    __slots__ = ("document", "indent", "line", "valid")

    def __init__(self, document: Document, indent: int, line: int) -> None:
        self.document = document
        self.indent = indent
        self.line = line
        self.valid = document.valid


class _DocumentShell:
    """The text outside of the pages, as it was in a document that was read as a whole.

    Attributes:
        value: the value of that document, with None in place of the pages.
        root: its root.
        slots: the paths and types of the pages.
        starts, ends: the ranges of the pages in that text.
        page_numbers: the index of the page at a path.
        containers: the paths of the objects and arrays that contain pages, the outer ones first.
    """

    __slots__ = ("containers", "ends", "page_numbers", "root", "slots", "starts", "value")

    def __init__(self, document: Document, root: Member, slots: list[PageSlot], spans: list[Span]) -> None:
        paths = [slot.path for slot in slots]
        self.slots = slots
        self.root = root
        self.starts = [span.start for span in spans]
        self.ends = [span.end for span in spans]
        self.page_numbers = {path: number for number, path in enumerate(paths)}
        self.containers = sorted({path[:size] for path in paths for size in range(len(path))}, key=len)
        self.value = self.with_pages(document.value, [None] * len(paths))

    def with_pages(self, value: object, pages: list[object]) -> object:
        """Return a copy of a value of this shell with other pages. It shares everything outside of the pages."""
        copies: dict[Path, Any] = {}
        for path in self.containers:
            original: Any = copies[path[:-1]][path[-1]] if path else value
            copies[path] = original.copy()
            if path:
                copies[path[:-1]][path[-1]] = copies[path]
        for path, number in self.page_numbers.items():
            copies[path[:-1]][path[-1]] = pages[number]
        return copies[()]

    def page_around(self, path: Path) -> tuple[int, Path] | None:
        """Return the index of the page that contains `path`, and the rest of the path in it."""
        for size in range(1, len(path) + 1):
            number = self.page_numbers.get(path[:size])
            if number is not None:
                return number, path[size:]
        return None


class IncrementalDocument(Document):
    """A document made of its pages, which are parsed one by one, and of the valid text outside of them.

    Syntax errors are recovered page by page. The page boundary limits how far recovery can reach, so results can be
    more precise than those of `read`.

    Attributes:
        pages: the pages, in text order.
    """

    def __init__(self, shell: _DocumentShell, text: str, pages: list[Page], starts: list[int], ends: list[int]) -> None:
        """Use `read_incremental` and `edited` instead.

        Args:
            shell: the text outside of the pages.
            text: the whole text.
            pages: the pages.
            starts, ends: their ranges.
        """
        self.text = text
        self.bom = text.startswith("\ufeff")
        self.pages = pages
        self._shell = shell
        self._starts = starts
        self._ends = ends
        self._broken = [number for number, page in enumerate(pages) if not page.valid]
        self._value: object = None
        self._lines = None
        self._root = None
        self._duplicates: bool | None = None

    def slot(self, number: int) -> PageSlot:
        """Return a page, by its index, for `validate_page`."""
        slot = self._shell.slots[number]
        return PageSlot(slot.kind, self.pages[number].document.value, slot.path)

    def page_at(self, path: Path) -> Page:
        """Return the page with exactly this path."""
        return self.pages[self._shell.page_numbers[path]]

    def edited(self, text: str, prefix_length: int, suffix_length: int) -> IncrementalDocument | None:
        """Return the document after an edit inside one page, or None if it has to be read as a whole.

        Args:
            text: the new text.
            prefix_length: the number of unchanged characters at its start.
            suffix_length: the number of unchanged characters at its end. The two do not overlap in either text.
        """
        growth = len(text) - len(self.text)
        number = bisect_right(self._starts, prefix_length - 1) - 1
        if number < 0 or len(self.text) - suffix_length >= self._ends[number]:
            return None
        starts = self._starts
        if growth:
            starts = [*starts[: number + 1], *(start + growth for start in starts[number + 1 :])]
        ends = [*self._ends[:number], *(end + growth for end in self._ends[number:])]
        pages = self.pages.copy()
        for index in [number, *self._pages_on_other_lines(text, starts, number)]:
            page = _read_page(text, starts[index], ends[index], self._shell.slots[index].path)
            if page is None:
                return None
            pages[index] = page
        return IncrementalDocument(self._shell, text, pages, starts, ends)

    def _pages_on_other_lines(self, text: str, starts: list[int], number: int) -> list[int]:
        """Return the broken pages after an edited one whose hints contain line numbers of the old text."""
        return [
            index
            for index in self._broken
            if index > number and self.pages[index].line != _line_of(text, starts[index])
        ]

    # The interface of Document

    @property
    def valid(self) -> bool:
        return not self._broken

    @property
    def value(self) -> object:
        if self._value is None:
            self._value = self._shell.with_pages(self._shell.value, [page.document.value for page in self.pages])
        return self._value

    @property
    def syntax(self) -> tuple[SyntaxFault, ...]:
        errors = [
            SyntaxFault(error.span.shifted(self._shift(number)), error.message, error.hint)
            for number in self._broken
            for error in self.pages[number].document.syntax
        ]
        return tuple(errors[:MAX_SYNTAX_ERRORS])

    @property
    def incomplete(self) -> frozenset[Path]:
        return frozenset(
            self._shell.slots[number].path + path
            for number in self._broken
            for path in self.pages[number].document.incomplete
        )

    def range_of(self, path: Path, *, key: bool = False) -> Span:
        page = self._shell.page_around(path)
        if page is None:
            return super().range_of(path, key=key)
        number, rest = page
        return self.pages[number].document.range_of(rest, key=key).shifted(self._shift(number))

    def span_of(self, path: Path) -> Span | None:
        page = self._shell.page_around(path)
        if page is None:
            return super().span_of(path)
        number, rest = page
        span = self.pages[number].document.span_of(rest)
        return span and span.shifted(self._shift(number))

    def path_at(self, offset: int) -> Path:
        number = bisect_right(self._starts, offset - 1) - 1
        if number >= 0 and offset < self._ends[number] and self.pages[number].valid:
            path = self.pages[number].document.path_at(offset - self._shift(number))
            return self._shell.slots[number].path + path
        return super().path_at(offset)

    def duplicate_keys(self) -> tuple[DuplicateKey, ...]:
        return tuple(
            DuplicateKey(
                fragment.path + duplicate.path,
                duplicate.span.shifted(fragment.offset),
                duplicate.last.shifted(fragment.offset),
            )
            for fragment in self.fragments()
            for duplicate in fragment.document.duplicate_keys()
        )

    def fragments(self) -> Iterator[Fragment]:
        for number, page in enumerate(self.pages):
            yield Fragment(self._shell.slots[number].path, page.document, self._shift(number))

    def _has_duplicate_keys(self) -> bool:
        if self._duplicates is None:
            self._duplicates = any(page.document._has_duplicate_keys() for page in self.pages)
        return self._duplicates

    # Positions

    def _root_member(self) -> Member:
        if self._root is None:
            self._root = self._relocate(self._shell.root, ())
        return self._root

    def _relocate(self, member: Member, path: Path) -> Member:
        """Return the member at a path in this text; `member` is the one in the text that was read as a whole."""
        number = self._shell.page_numbers.get(path)
        if number is not None and not self.pages[number].valid:
            root = self.pages[number].document.find(())
            if root is not None:
                return root.shifted(self.text, self._shift(number), member.step)
        key_span: Span | None = None
        if member.key_span is not None:
            key_span = Span(self._relocate_offset(member.key_span.start), self._relocate_offset(member.key_span.end))
        if number is not None:
            return Member(self.text, member.step, key_span, self._starts[number], self._ends[number])
        relocated = Member(self.text, member.step, key_span, self._relocate_offset(member.start))
        if path in self._shell.containers:
            children = tuple(member.members() or ())  # Walking all of them also determines the end.
            members = Members(self._relocate(child, (*path, child.step)) for child in children)
            relocated.set_end(self._relocate_offset(member.end), members)
        return relocated

    def _relocate_offset(self, offset: int) -> int:
        """Convert an offset outside of the pages from the text that was read as a whole."""
        passed = bisect_right(self._shell.ends, offset)
        if passed == 0:
            return offset
        return offset + self._ends[passed - 1] - self._shell.ends[passed - 1]

    def _shift(self, number: int) -> int:
        """Return the difference between an offset in the whole text and one in the text of a page."""
        return self._starts[number] - self.pages[number].indent


def read_incremental(
    document: Document, vocabulary: Vocabulary = VOCABULARY, *, known: Iterable[Page] = ()
) -> IncrementalDocument | None:
    """Split a valid document into pages.

    Args:
        document: a document that was read as a whole.
        vocabulary: determines the paths of pages.
        known: pages of another text. Those with the same text are not parsed again.

    Returns:
        None if the document has no pages, or one that cannot be parsed on its own.
    """
    value = document.value
    if not document.valid or not isinstance(value, dict):
        return None
    events = validate_shell(value, Scope(vocabulary.root, value), vocabulary=vocabulary)
    slots = [PageSlot(event.kind, None, event.path) for event in events if isinstance(event, PageSlot)]
    root = document.find(())
    if not slots or root is None or _has_duplicate_keys_outside(document, {slot.path for slot in slots}):
        return None
    spans = [span for slot in slots if (span := document.span_of(slot.path)) is not None]
    if len(spans) != len(slots) or spans != sorted(spans):
        return None
    by_text = {page.document.text: page for page in known if page.valid}
    pages: list[Page] = []
    for slot, span in zip(slots, spans, strict=True):
        text = _indentation(document.text, span.start) + document.text[span.start : span.end]
        page = by_text.pop(text, None) or _read_page(document.text, span.start, span.end, slot.path)
        if page is None or not page.valid:
            return None
        pages.append(page)
    shell = _DocumentShell(document, root, slots, spans)
    return IncrementalDocument(shell, document.text, pages, shell.starts, shell.ends)


def _has_duplicate_keys_outside(document: Document, page_paths: set[Path]) -> bool:
    """Return whether a key outside of the pages is duplicate."""
    for duplicate in document.duplicate_keys():
        path = duplicate.path
        if not any(path[:size] in page_paths for size in range(1, len(path))):
            return True
    return False


def _read_page(text: str, start: int, end: int, path: Path) -> Page | None:
    """Parse a page that began and ended here before an edit. Returns None if it may have other boundaries now.

    It also returns None if the page is nested too deep in the document.
    """
    indentation = _indentation(text, start)
    source = Source(indentation + text[start:end])
    result = parse_strictly(source)
    if result.is_unsure:
        return None
    if result.valid:
        raw = source.raw or b""
        max_depth = MAX_DEPTH - len(path)
        if raw.count(b"[") + raw.count(b"{") > max_depth and depth_of(raw) > max_depth:
            return None
        return Page(Document(source, result), len(indentation), 0)
    if _may_be_valid(text, start):
        return None
    line = _line_of(text, start)
    source.first_line = line + 1
    return Page(Document(source, result), len(indentation), line)


def _indentation(text: str, offset: int) -> str:
    """Return the spaces and tabs at the start of the line of an offset, up to the offset."""
    line_start = max(text.rfind("\n", 0, offset), text.rfind("\r", 0, offset)) + 1
    end = line_start
    while end < offset and text[end] in " \t":
        end += 1
    return text[line_start:end]


def _line_of(text: str, offset: int) -> int:
    lines = text.count("\n", 0, offset)
    if "\r" in text:
        lines += text.count("\r", 0, offset) - text.count("\r\n", 0, offset)
    return lines


def _may_be_valid(text: str, start: int) -> bool:
    """Return whether a text may be valid although the page at `start` is not: one page may have become two.

    The text before `start` is valid. So the whole is not if no value can be read there.
    """
    try:
        Scanner().scan(text, start)
    except (ValueError, StopIteration):
        return False
    except RecursionError:
        return True
    result = parse_strictly(Source(text))
    return result.valid or result.is_unsure
