"""Page text by page text: after an edit inside one page only that page is read again.

What is around the pages is then sound and as it was. So each page is a text of its own, and what is broken in one does
no harm to any other. Whoever keeps reports of pages (`run`) knows by the identity of a `Page` whether
its report still holds.
"""

from __future__ import annotations

from bisect import bisect_right

from rui_common.syntax.document import MAX_SYNTAX_ERRORS, Document
from rui_common.syntax.errors import DuplicateKey, SyntaxFault
from rui_common.syntax.reader import Scanner, Source, depth_of, read_strictly
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
    """The text of one page, wherever in its document that stands.

    Attributes:
        document: its text, read by itself.
        line: the line that it begins in, from zero, if it is broken: hints may name lines.
        lead: how many characters of that text stand before the page: as much indentation as its line has.
        is_sound: whether nothing in it is broken.
    """

    __slots__ = ("document", "is_sound", "lead", "line")

    def __init__(self, document: Document, lead: int, line: int) -> None:
        self.document = document
        self.lead = lead
        self.line = line
        self.is_sound = document.valid


class _Frame:
    """What is around the pages, as it was in a text that was read as a whole.

    Attributes:
        value: the value of that text, without its pages.
        root: its root.
        starts, ends: the offsets of the pages in that text.
        slots: the pages' paths, and what they may be.
        paths: the number of the page at a path.
        around: the paths of the objects and arrays that pages are in.
    """

    __slots__ = ("around", "ends", "paths", "root", "slots", "starts", "value")

    def __init__(self, document: Document, root: Member, slots: list[PageSlot], spans: list[Span]) -> None:
        paths = [slot.path for slot in slots]
        self.slots = slots
        self.root = root
        self.starts = [span.start for span in spans]
        self.ends = [span.end for span in spans]
        self.paths = {path: number for number, path in enumerate(paths)}
        self.around = sorted({path[:size] for path in paths for size in range(len(path))}, key=len)
        self.value = self.with_pages(document.value, [None] * len(paths))

    def with_pages(self, value: object, pages: list[object]) -> object:
        """A copy of a value of this frame with other pages in it; what is in none of them is shared."""
        whole: list[Any] = [value]
        copies: dict[Path, Any] = {}
        for path in self.around:
            holder: Any = copies[path[:-1]] if path else whole
            step: Any = path[-1] if path else 0
            copies[path] = holder[step] = holder[step].copy()
        for path, number in self.paths.items():
            copies[path[:-1]][path[-1]] = pages[number]
        return whole[0]


class IncrementalDocument(Document):
    """A document that is put together from its pages, read one by one, and from what is around them, which is sound.

    It answers as any document does. But what is broken in a page is mended within that page, so that where `read` of
    the whole text would have to guess how far it reaches, this knows.

    Attributes:
        pages: the pages, in text order.
    """

    def __init__(self, frame: _Frame, text: str, pages: list[Page], starts: list[int], ends: list[int]) -> None:
        """Put a document together; `read_incremental` and `edited` do.

        Args:
            frame: what is around the pages.
            text: the whole text.
            pages: the pages.
            starts: the offset at which each begins.
            ends: the offset behind each.
        """
        self.text = text
        self.bom = text.startswith("\ufeff")
        self.pages = pages
        self._frame = frame
        self._starts = starts
        self._ends = ends
        self._broken = [number for number, page in enumerate(pages) if not page.is_sound]
        self._value: object = None
        self._lines = None
        self._root = None
        self._has_repeats: bool | None = None

    def slot(self, number: int) -> PageSlot:
        """A page, by its number, for `validate_page`."""
        slot = self._frame.slots[number]
        return PageSlot(slot.kind, self.pages[number].document.value, slot.path)

    def page_at(self, path: Path) -> Page:
        """The page that has exactly this path."""
        return self.pages[self._frame.paths[path]]

    def edited(self, text: str, before: int, behind: int) -> IncrementalDocument | None:
        """The document after an edit inside one page; None when it has to be read as a whole.

        Args:
            text: the new text.
            before: so many characters at the start are as they were.
            behind: so many at the end are; both together are no more than either text has.
        """
        growth = len(text) - len(self.text)
        number = bisect_right(self._starts, before - 1) - 1
        if number < 0 or len(self.text) - behind >= self._ends[number]:
            return None
        start, end = self._starts[number], self._ends[number] + growth
        page = _read_page(text, start, end, next(iter(self._frame.paths)))
        if page is None:
            return None
        pages, starts, ends = self.pages.copy(), self._starts, [*self._ends[:number], end]
        pages[number] = page
        if growth:
            starts = [*starts[: number + 1], *(at + growth for at in starts[number + 1 :])]
        ends += [at + growth for at in self._ends[number + 1 :]]
        for broken in self._broken:
            if broken > number and pages[broken].line != _line_of(text, starts[broken]):
                again = _read_page(text, starts[broken], ends[broken], next(iter(self._frame.paths)))
                if again is None:
                    return None
                pages[broken] = again
        return IncrementalDocument(self._frame, text, pages, starts, ends)

    # What every document has

    @property
    def valid(self) -> bool:
        """Whether the text is JSON by docs/decisions.md, section 4."""
        return not self._broken

    @property
    def value(self) -> object:
        """The value; of a broken text what could be recovered."""
        if self._value is None:
            self._value = self._frame.with_pages(self._frame.value, [page.document.value for page in self.pages])
        return self._value

    @property
    def syntax(self) -> tuple[SyntaxFault, ...]:
        """What is broken, in text order."""
        if not self._broken:
            return ()
        faults = [
            SyntaxFault(_moved(fault.span, self._shift(number)), fault.message, fault.hint)
            for number in self._broken
            for fault in self.pages[number].document.syntax
        ]
        return tuple(faults[:MAX_SYNTAX_ERRORS])

    @property
    def incomplete(self) -> frozenset[Path]:
        """The objects and arrays in which something is directly broken."""
        if not self._broken:
            return frozenset()
        paths = list(self._frame.paths)
        return frozenset(
            paths[number] + path for number in self._broken for path in self.pages[number].document.incomplete
        )

    def range_of(self, path: Path, *, key: bool = False) -> Span:
        """Where a finding with this path points (docs/decisions.md, section 7)."""
        for size in range(1, len(path) + 1):
            number = self._frame.paths.get(path[:size])
            if number is not None:
                span = self.pages[number].document.range_of(path[size:], key=key)
                return _moved(span, self._shift(number))
        return super().range_of(path, key=key)

    def span_of(self, path: Path) -> Span | None:
        """The value that `path` leads to exactly, or None where there is none."""
        for size in range(1, len(path) + 1):
            number = self._frame.paths.get(path[:size])
            if number is not None:
                span = self.pages[number].document.span_of(path[size:])
                return span and _moved(span, self._shift(number))
        return super().span_of(path)

    def path_at(self, offset: int) -> Path:
        """The path of the innermost member whose key or value is at `offset`, as `Document.path_at` says it."""
        number = bisect_right(self._starts, offset - 1) - 1
        if number >= 0 and offset < self._ends[number] and self.pages[number].is_sound:
            return self._frame.slots[number].path + self.pages[number].document.path_at(offset - self._shift(number))
        return super().path_at(offset)

    def duplicate_keys(self) -> tuple[DuplicateKey, ...]:
        """Every key that a later one of the same object overrides, in text order."""
        return tuple(
            DuplicateKey(path + found.path, _moved(found.span, by), _moved(found.last, by))
            for path, number in self._frame.paths.items()
            for by in (self._shift(number),)
            for found in self.pages[number].document.duplicate_keys()
        )

    def pieces(self) -> Iterator[tuple[Path, Document, int]]:
        """The paths and documents of the pages, and what their offsets are short of."""
        return ((path, self.pages[number].document, self._shift(number)) for path, number in self._frame.paths.items())

    def _repeats(self) -> bool:
        if self._has_repeats is None:
            self._has_repeats = any(page.document._repeats() for page in self.pages)
        return self._has_repeats

    # Where everything stands

    def _root_member(self) -> Member:
        if self._root is None:
            self._root = self._placed(self._frame.root, ())
        return self._root

    def _placed(self, member: Member, path: Path) -> Member:
        """The member that is at a path now; `member` was at it when the whole text was read."""
        number = self._frame.paths.get(path)
        if number is not None and not self.pages[number].is_sound:
            root = self.pages[number].document.find(())
            if root is not None:
                return root.moved(self.text, self._shift(number), member.step)
        key = member.key_span and Span(self._now(member.key_span.start), self._now(member.key_span.end))
        placed = Member(self.text, member.step, key, self._now(member.start))
        if number is not None:
            placed = Member(self.text, member.step, key, self._starts[number], self._ends[number])
        elif path in self._frame.around:
            below = tuple(member.members() or ())  # All of them: so where it ends is known without another look.
            placed.settle(self._now(member.end), Members(self._placed(one, (*path, one.step)) for one in below))
        return placed

    def _now(self, offset: int) -> int:
        """Where something stands now that was at an offset outside of the pages."""
        passed = bisect_right(self._frame.ends, offset)
        return offset if passed == 0 else offset + self._ends[passed - 1] - self._frame.ends[passed - 1]

    def _shift(self, number: int) -> int:
        """What is to be added to an offset in the text of a page."""
        return self._starts[number] - self.pages[number].lead


def read_incremental(
    document: Document, vocabulary: Vocabulary = VOCABULARY, *, known: Iterable[Page] = ()
) -> IncrementalDocument | None:
    """A sound document as one of pages; None when it has none, or anything about it is odd.

    Args:
        document: a document that was read as a whole.
        vocabulary: says where pages stand.
        known: pages of another text that may be in this one, too: with the same text, they are not read again.
    """
    value = document.value
    if not document.valid or not isinstance(value, dict):
        return None
    head = validate_shell(value, Scope(vocabulary.root, value), vocabulary=vocabulary)
    slots = [PageSlot(event.kind, None, event.path) for event in head if isinstance(event, PageSlot)]
    paths = [slot.path for slot in slots]
    root, members = document.find(()), [document.find(path) for path in paths]
    spans = [member.span for member in members if member is not None and member.span is not None]
    is_odd = len(spans) != len(paths) or spans != sorted(spans)
    if not paths or root is None or is_odd or _repeats_outside(document, paths):
        return None
    by_text = {page.document.text: page for page in known if page.is_sound}
    pages = [
        by_text.pop(_indentation(document.text, span.start) + document.text[slice(*span)], None)
        or _read_page(document.text, *span, path)
        for path, span in zip(paths, spans, strict=True)
    ]
    found = [page for page in pages if page is not None and page.is_sound]
    if len(found) != len(pages):
        return None
    frame = _Frame(document, root, slots, spans)
    return IncrementalDocument(frame, document.text, found, frame.starts, frame.ends)


def _repeats_outside(document: Document, paths: list[Path]) -> bool:
    """Whether a key repeats outside of the pages."""
    inside = set(paths)
    return any(
        not any(found.path[:size] in inside for size in range(1, len(found.path)))
        for found in document.duplicate_keys()
    )


def _read_page(text: str, start: int, end: int, path: Path) -> Page | None:
    """Read a page that is known to begin and end in a text where it did; None if that may be wrong or too deep."""
    lead = _indentation(text, start)
    source = Source(lead + text[start:end])
    reading = read_strictly(source)
    if reading.unsure:
        return None
    if reading.valid:
        raw = source.raw or b""
        if raw.count(b"[") + raw.count(b"{") + len(path) > MAX_DEPTH and depth_of(raw) + len(path) > MAX_DEPTH:
            return None
    elif _may_be_sound(text, start):
        return None
    line = 0 if reading.valid else _line_of(text, start)
    source.first_line = line + 1
    return Page(Document(source, reading), len(lead), line)


def _indentation(text: str, offset: int) -> str:
    """What the line of an offset begins with."""
    line = max(text.rfind("\n", 0, offset), text.rfind("\r", 0, offset)) + 1
    end = line
    while end < offset and text[end] in " \t":
        end += 1
    return text[line:end]


def _line_of(text: str, offset: int) -> int:
    """The line of an offset, from zero."""
    lines = text.count("\n", 0, offset)
    return lines if "\r" not in text else lines + text.count("\r", 0, offset) - text.count("\r\n", 0, offset)


def _may_be_sound(text: str, start: int) -> bool:
    """Whether a text can be sound although that of the page at `start` is not: when one page has become two.

    Up to `start` it is. So it is not if no value can be read there.
    """
    try:
        Scanner().scan(text, start)
    except (ValueError, StopIteration):
        return False
    except RecursionError:
        return True
    whole = read_strictly(Source(text))
    return whole.valid or whole.unsure


def _moved(span: Span, by: int) -> Span:
    return Span(span.start + by, span.end + by)
