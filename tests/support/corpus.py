"""The corpus: literate cases in tests/cases/*.md, each a text with the expected findings marked under it.

tests/cases/README.md defines the format. This module reads the files; it does not validate.
"""

import itertools
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path as File

from rui_common.syntax.paths import Path, format_path, parse_path
from rui_common.syntax.spans import Span

CASES = File(__file__).parent.parent / "cases"

HOLE = "@"
ELLIPSIS = "…"


def _filled(frame: str, *lines: str) -> str:
    """Return a frame with these lines in the place of its hole."""
    indent = frame.partition(HOLE)[0].rpartition("\n")[2]
    return frame.replace(HOLE, f"\n{indent}".join(lines))


_HEAD = '{\n  "version": "0.1",\n  "meta": {},\n'
_PAGE_LIST = _HEAD + '  "navigation": {"items": [{"pageId": "home"}]},\n  "pages": [\n    @\n  ]\n}'
_SECTION_LIST = _filled(_PAGE_LIST, '{"id": "home", "type": "Page", "title": "Home", "children": [', "  @", "]}")
_BLOCK_LIST = _filled(
    _SECTION_LIST, '{"id": "main", "type": "Section", "direction": "stack", "children": [', "  @", "]}"
)
_TABLE = _filled(
    _BLOCK_LIST, "{", '  "id": "orders", "type": "Table",',
    '  "binding": {"type": "read", "method": "GET", "path": "/orders"},', "  @", "}",
)  # fmt: skip
_BINDING = _filled(
    _BLOCK_LIST, "{", '  "id": "orders", "type": "Table", "columns": [{"key": "status"}],', '  "binding": @', "}"
)

FRAMES: dict[str, tuple[str, str]] = {
    "": (HOLE, ""),
    "root": (_HEAD + "  @\n}", ""),
    "page": (_PAGE_LIST, "pages[0]"),
    "sections": (_SECTION_LIST, "pages[0].children"),
    "section": (_SECTION_LIST, "pages[0].children[0]"),
    "blocks": (_BLOCK_LIST, "pages[0].children[0].children"),
    "block": (_BLOCK_LIST, "pages[0].children[0].children[0]"),
    "table": (_TABLE, "pages[0].children[0].children[0]"),
    "binding": (_BINDING, "pages[0].children[0].children[0].binding"),
}
"""By the word behind ``json``: the document around a fragment, with a hole, and the path that ``…`` stands for."""

LINE_ENDS = {"crlf": "\r\n", "cr": "\r"}

REST_OF_PAGE = (
    '"type": "Page", "title": "Page {n}", "children": [{{"id": "section-{n}", "type": "Section", "direction": '
    '"stack", "children": [{{"id": "text-{n}", "type": "Text", "content": "Words."}}]}}]'
)
"""What ``…`` stands for within a text: a sound page, but for its id. ``n`` counts them."""

_HEADING = re.compile(r"(#{1,3}) (.+)")
_FENCE = re.compile(r"```json ?([a-z0-9 -]*)")
_MARK = re.compile(r" *(?P<shape>\^+|\|(?!\|)|~+) ?(?P<body>.*)")
_FOUND = re.compile(r"(?:\((?P<number>\d+)\) )?(?:(?P<rule>R\d+b?) )?(?P<code>[A-Z_]+)(?: (?P<path>\S.*))?")
_RELATED = re.compile(r"of (?P<path>\S.*?): (?P<note>.+)")
_FIXED = "- fixed: it is valid"
_CLAIM = re.compile(r"- (?P<what>message|hint|fix|safe fix) at `(?P<path>.*?)`(?P<how>:| has:| has not:) (?P<text>.+)")


@dataclass(frozen=True)
class Mark:
    """An expected finding, or with `note` an expected related place of the finding at `path`."""

    span: Span
    code: str
    path: Path
    rule: str = ""
    number: int = 0
    note: str = ""


@dataclass(frozen=True)
class Claim:
    """Required text in the message, the hint, or the title of the first fix of the finding at `path`."""

    what: str
    how: str
    path: Path
    text: str


@dataclass
class Case:
    """One case.

    Attributes:
        file, heading: position of the case.
        row: heading two levels above it: the rule or sentence that it belongs to.
        words: words after ``json`` on the opening fence.
        fence: lines between the fences, with marks.
        claims: required texts in messages and hints.
        is_fixed: whether its safe fixes alone produce a valid document.
    """

    file: File
    row: str
    heading: str
    words: tuple[str, ...]
    fence: list[str]
    claims: list[Claim] = field(default_factory=list)
    is_fixed: bool = False

    def __post_init__(self) -> None:
        frames = [word for word in self.words if word in FRAMES]
        self.frame, base = FRAMES[frames[0] if frames else ""]
        self.base = parse_path(base)
        self.layout = Layout(self)

    @property
    def id(self) -> str:
        """File and heading, for test reports."""
        heading = self.heading if self.heading == self.row else f"{self.row}: {self.heading}"
        return f"{self.file.stem}: {heading}"

    @property
    def text(self) -> str:
        """The text to validate."""
        return self.layout.text

    @property
    def source(self) -> bytes:
        """The text as bytes, as a file or request contains it."""
        return (b"\xef\xbb\xbf" if "bom" in self.words else b"") + self.text.encode()

    def path(self, text: str) -> Path:
        """Parse a path of a mark: ``…`` is the path of the fragment."""
        if not text.startswith(ELLIPSIS):
            return parse_path(text)
        return self.base + parse_path(text[1:].removeprefix("."))

    @property
    def expected(self) -> list[Mark]:
        """The marks of findings, in the order of the report."""
        marks = [mark for mark in self.layout.marks if not mark.note]
        numbered = {mark.number: mark for mark in marks if mark.number}
        unnumbered = (mark for mark in marks if not mark.number)
        assert len(numbered) == sum(mark.number > 0 for mark in marks), self.id
        return [numbered.get(number) or next(unnumbered) for number in range(1, len(marks) + 1)]

    @property
    def related(self) -> list[Mark]:
        """The marks of related places; without marks, the case does not check them."""
        return [mark for mark in self.layout.marks if mark.note]

    def fence_with(self, marks: Sequence[Mark]) -> str:
        """Return the fence with these marks of findings, in the order of the report, in place of its own.

        A mark of a place that the fence does not show follows at the end.
        """
        below: dict[int, list[tuple[int, str, Mark]]] = {number: [] for number in self.layout.lines}
        elsewhere = []
        for position, mark in enumerate(marks, 1):
            shown = self.layout.columns_of(mark.span)
            if shown is None:
                elsewhere.append(f"elsewhere: {self._described(mark)}")
            else:
                number, start, end = shown
                below[number].append((position, " " * start + ("^" * (end - start) or "|"), mark))
        lines = []
        count = 0
        for number, here in below.items():
            lines.append(self.fence[number])
            for position, shape, mark in here:
                count += 1
                lines.append(f"{shape} {self._described(mark, 0 if position == count else position)}".rstrip())
        return "\n".join([*lines, *elsewhere])

    def _described(self, mark: Mark, number: int = 0) -> str:
        """Return what follows the shape of a mark; `number` is its position, unless that is the one in the text."""
        path, base = format_path(mark.path), format_path(self.base)
        if base and mark.path[: len(self.base)] == self.base:
            path = ELLIPSIS + path.removeprefix(base)
        return " ".join(filter(None, (f"({number})" if number else "", mark.rule, mark.code, path)))


class Layout:
    """The text of a case, and the position of each character in the fence."""

    def __init__(self, case: Case) -> None:
        self._case = case
        self._parts: list[str] = []
        self._size = 0
        self._pages = 0
        self._offsets: dict[tuple[int, int], int] = {}
        self.lines = [number for number, line in enumerate(case.fence) if not _MARK.fullmatch(line)]
        self._end = next((LINE_ENDS[word] for word in case.words if word in LINE_ENDS), "\n")
        before, after = case.frame.split(HOLE)
        indent = re.search(r"^ *", before.rpartition("\n")[2])
        self._add(before.replace("\n", self._end))
        for number in self.lines:
            if number != self.lines[0]:
                self._add(self._end + (indent.group() if indent else ""))
            self._add_line(number, case.fence[number])
        self._add(after.replace("\n", self._end))
        self.text = "".join(self._parts)
        self.marks = list(self._read_marks())

    def columns_of(self, span: Span) -> tuple[int, int, int] | None:
        """Return line, first column and end of a range in the fence; None for a range elsewhere."""
        place = next((place for place, offset in self._offsets.items() if offset == span.start), None)
        if place is None:
            return None
        number, start = place
        end = start
        while span.start <= self._offsets.get((number, end), span.end) < span.end:
            end += 1
        return number, start, end

    def _add(self, text: str) -> None:
        self._parts.append(text)
        self._size += len(text)

    def _add_line(self, number: int, line: str) -> None:
        for column, character in enumerate(line):
            self._offsets[number, column] = self._size
            if character == ELLIPSIS:
                self._pages += 1
                self._add(REST_OF_PAGE.format(n=self._pages))
            else:
                self._add(character)
        self._offsets[number, len(line)] = self._size

    def _read_marks(self) -> Iterator[Mark]:
        above = 0
        for number, line in enumerate(self._case.fence):
            match = _MARK.fullmatch(line)
            if match is None:
                above = number
                continue
            yield self._read_mark(match, above)

    def _read_mark(self, match: re.Match[str], above: int) -> Mark:
        start, end = match.span("shape")
        first = self._offsets[above, start]
        span = Span(first, first if match["shape"] == "|" else self._offsets[above, end - 1] + 1)
        if match["shape"].startswith("~"):
            found = _RELATED.fullmatch(match["body"])
            assert found is not None, match["body"]
            return Mark(span, "", self._case.path(found["path"]), note=found["note"])
        found = _FOUND.fullmatch(match["body"])
        assert found is not None, match["body"]
        path = self._case.path(found["path"] or "")
        return Mark(span, found["code"], path, found["rule"] or "", int(found["number"] or 0))


def read_cases() -> list[Case]:
    """Return every case of the corpus in order."""
    return [case for file in sorted(CASES.glob("*.md")) if file.name != "README.md" for case in cases_of(file)]


def cases_of(file: File) -> Iterator[Case]:
    """Return the cases of one file."""
    row = heading = ""
    case: Case | None = None
    lines = iter(list(enumerate(read_lines(file))))
    for number, line in lines:
        if match := _HEADING.fullmatch(line):
            heading = match[2]
            row = heading if len(match[1]) < 3 else row
            case = None
        elif match := _FENCE.fullmatch(line):
            assert case is None, f"{file.name}:{number + 1}: a second text under one heading"
            fence = list(itertools.takewhile(lambda line: line != "```", (below for _, below in lines)))
            case = Case(file, row, heading, tuple(match[1].split()), fence)
            yield case
        elif (match := _CLAIM.fullmatch(line)) and case is not None:
            case.claims.append(Claim(match["what"], match["how"], case.path(match["path"]), match["text"]))
        elif line == _FIXED and case is not None:
            case.is_fixed = True
        else:
            assert not line.startswith("- "), f"{file.name}:{number + 1}: not a claim: {line!r}"


def read_lines(file: File) -> list[str]:
    """Return the lines of a file. Only line feeds end a line, because cases contain other separators."""
    return file.read_bytes().decode().split("\n")


def quotes() -> list[str]:
    """Return every quotation of docs/decisions.md in the corpus, including its README.md."""
    texts = ("\n".join(read_lines(file)) for file in sorted(CASES.glob("*.md")))
    blocks = (block for text in texts for block in re.findall(r"(?:^>(?!>) ?.*\n?)+", text, re.MULTILINE))
    return [" ".join(line.removeprefix(">").strip() for line in block.strip().split("\n")) for block in blocks]
