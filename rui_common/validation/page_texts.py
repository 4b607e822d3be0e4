"""The texts of pages, and the text around them, which later texts of a document may contain unchanged."""

from __future__ import annotations

from bisect import bisect_right
from json import JSONDecodeError

from rui_common.syntax.document import Document, string_paths
from rui_common.syntax.line_index import LineIndex
from rui_common.syntax.reader import Scanner, Source, depth_of, parse_strictly
from rui_common.validation.run import validate_page
from rui_common.vocabulary.rules import MAX_DEPTH

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from rui_common.syntax.paths import Path
    from rui_common.syntax.reader import Scan
    from rui_common.syntax.spans import Span
    from rui_common.syntax.tree import Member
    from rui_common.validation.events import Event, PageSlot

_UNTERMINATED = "Unterminated string"
_LONGEST_TOKEN = len("-Infinity")
"""Maximum length of a token of JSON that is neither a string nor a number."""


class Page:
    """The valid text of one page, independent of its position in the document.

    Attributes:
        document: the document of the text of the page.
    """

    __slots__ = ("_depth", "_report", "document")

    def __init__(self, document: Document) -> None:
        self.document = document
        self._depth: int | None = None
        self._report: tuple[Event, ...] | None = None

    def report(self, slot: PageSlot) -> tuple[Event, ...]:
        """Return the report of `validate_page`. All slots of a document have the same kind."""
        if self._report is None:
            self._report = tuple(validate_page(slot))
        return self._report

    @property
    def depth(self) -> int:
        """The depth of the page."""
        if self._depth is None:
            self._depth = depth_of(self.document.text.encode())
        return self._depth


def read_page(text: str, depth: int) -> Page | None:
    """Read the text of a page on its own.

    Args:
        text: the text between the brackets of the page, these included.
        depth: the number of objects and arrays around the page.

    Returns:
        None if the text is not valid, or nested too deep.
    """
    source = Source(text)
    result = parse_strictly(source)
    if not result.valid:
        return None
    raw = source.raw or b""
    max_depth = MAX_DEPTH - depth
    if raw.count(b"[") + raw.count(b"{") > max_depth and depth_of(raw) > max_depth:
        return None
    return Page(Document(source, result))


class DocumentShell:
    """The text outside of the pages, as it was in a document that was read as a whole.

    Attributes:
        value: the value of that document, with None in place of the pages.
        root: its root.
        slots: the paths and types of the pages.
        starts, ends: the ranges of the pages in that text.
        page_numbers: the index of the page at a path.
        containers: the paths of the objects and arrays that contain pages, the outer ones first.
        gaps: the lines of the texts before, between and after the pages.
    """

    __slots__ = (
        "_parts", "_string_paths", "containers", "ends", "gaps", "page_numbers", "root", "slots", "starts", "value",
    )  # fmt: skip

    def __init__(self, document: Document, root: Member, slots: list[PageSlot], spans: list[Span]) -> None:
        paths = [slot.path for slot in slots]
        self.slots = slots
        self.root = root
        self.starts = [span.start for span in spans]
        self.ends = [span.end for span in spans]
        self.page_numbers = {path: number for number, path in enumerate(paths)}
        self.containers = sorted({path[:size] for path in paths for size in range(len(path))}, key=len)
        self.value = self.with_pages(document.value, [None] * len(paths))
        gap_ranges = zip([0, *self.ends], [*self.starts, len(document.text)], strict=True)
        self.gaps = [LineIndex(document.text[start:end]) for start, end in gap_ranges]
        self._parts: list[tuple[int, int, object]] | None = None
        self._string_paths: dict[frozenset[str], tuple[Path, ...]] = {}

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

    def pages_of(self, value: object) -> list[object] | None:
        """Return the pages of a value, or None if it differs from the value of this shell in anything else."""
        found: dict[Path, Any] = {(): value}
        for path in self.containers:
            expected = self._at(path)
            container = found[path]
            if type(container) is not type(expected) or len(container) != len(expected):
                return None
            if isinstance(expected, dict) and list(container) != list(expected):
                return None
            for step in _steps(expected):
                inner = (*path, step)
                found[inner] = container[step]
                is_outside = inner not in self.page_numbers and inner not in self.containers
                if is_outside and container[step] != expected[step]:
                    return None
        return [found[path] for path in self.page_numbers]

    def parts(self) -> list[tuple[int, int, object]]:
        """Return (start, end, value) of the objects and arrays outside of the pages, in the text of `root`."""
        if self._parts is None:
            self._parts = []
            members: dict[Path, Member] = {(): self.root}
            for path in self.containers:
                for member in members[path].members() or ():
                    inner = (*path, member.step)
                    members[inner] = member
                    is_outside = inner not in self.page_numbers and inner not in self.containers
                    if is_outside and member.text_at(member.start) in "{[":
                        self._parts.append((member.start, member.end, self._at(inner)))
        return self._parts

    def string_paths(self, texts: frozenset[str]) -> tuple[Path, ...]:
        """Return the paths of the strings outside of the pages that are one of some texts."""
        if texts not in self._string_paths:
            self._string_paths[texts] = tuple(string_paths(self.value, texts))
        return self._string_paths[texts]

    def page_around(self, path: Path) -> tuple[int, Path] | None:
        """Return the index of the page that contains `path`, and the rest of the path in it."""
        for size in range(1, len(path) + 1):
            number = self.page_numbers.get(path[:size])
            if number is not None:
                return number, path[size:]
        return None

    def member_at(self, path: Path) -> Member | None:
        """Return the member at a path, in the text of `root`."""
        member: Member | None = self.root
        for step in path:
            members = None if member is None else member.members()
            member = None if members is None else members.get(step, unique=True)
        return member

    def _at(self, path: Path) -> Any:  # noqa: ANN401  any JSON value
        value: Any = self.value
        for step in path:
            value = value[step]
        return value


def _steps(container: dict[str, object] | list[object]) -> list[str | int]:
    if isinstance(container, dict):
        return list(container)
    return list(range(len(container)))


class KnownScanner(Scanner):
    """A scanner that knows the results at some offsets of a text, and does not scan there again."""

    __slots__ = ("_pages",)

    def __init__(
        self,
        pages: Mapping[int, Page],
        values: Mapping[int, tuple[object, int]],
        errors: Mapping[int, Exception],
        broken: Sequence[Span],
    ) -> None:
        """Create the scanner.

        Args:
            pages: offset → the valid page that begins there.
            values: offset → the valid value that begins there, and its end; the pages included.
            errors: offset → the exception that scanning from there raises.
            broken: the ranges of broken pages, in text order.
        """
        super().__init__()
        self._pages = pages
        scan: Scan = self.scan
        starts = [span.start for span in broken]

        def scan_unknown(text: str, start: int) -> tuple[object, int]:
            known = values.get(start)
            if known is not None:
                return known
            error = errors.get(start)
            if error is not None:
                raise error.with_traceback(None)
            number = bisect_right(starts, start) - 1
            if number >= 0 and start < broken[number].end:
                return scan_within(scan, text, broken[number], start)
            return scan(text, start)

        self.scan = scan_unknown

    @property
    def has_duplicate_keys(self) -> bool:
        """Whether a scanned object had a key more than once."""
        in_pages = any(page.document._has_duplicate_keys() for page in self._pages.values())
        return in_pages or super().has_duplicate_keys

    def known_depth(self, start: int) -> int | None:
        page = self._pages.get(start)
        return None if page is None else page.depth


def scan_within(scan: Scan, text: str, part: Span, start: int) -> tuple[object, int]:
    """Scan the value at an offset within a part of a text, with the results and exceptions of the whole text.

    The scanner's exceptions count the lines before an error, which takes long in a long text. Therefore it scans the
    part, and the whole text only if the end of the part may make a difference.
    """
    certain = part.end - part.start - _LONGEST_TOKEN
    try:
        value, end = scan(text[part.start : part.end], start - part.start)
        return value, part.start + end
    except JSONDecodeError as error:
        if error.pos < certain and not error.msg.startswith(_UNTERMINATED):
            raise JSONDecodeError(error.msg, "", part.start + error.pos) from None
    except StopIteration as error:
        if error.value < certain:
            raise StopIteration(part.start + error.value) from None
    except (ValueError, RecursionError):
        pass
    return scan(text, start)
