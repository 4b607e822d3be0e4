"""Notes of a reviewer: read the Markdown that the inspector copies, also as people send it.

The form of the Markdown (docs/comparing.md):

    Change the RUI document of this spec as these notes say, and only what they need.

    - Spec: https://rui.example.com/specs/…
    - Content hash: `…`

    1. Metric **Open bills** `pages[0].children[0].children[1]`
       - Id: `open-bills`
       - Now: `{"label":"Open bills"}`
       - Note: Show the amount without tax.
         All lines of a note are indented.

It is read as a list of Markdown, so that quoting, formatters and editors may change its layout: `>` before lines, other
bullets and numbers, another indentation, wrapped lines, blank lines, boxes to tick. A text may contain the notes on
several documents: a content hash is that of the notes below it.
"""

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from rui_common.syntax.paths import Path, format_path, parse_path

MAX_NOTES = 1_000
MAX_QUOTED = 10  # maximum number of times that a text is quoted by the next person

_QUOTE = re.compile(r"\s*>[ \t]?")
_BOX = r"(?:\[[ xX]\]\s+)?"
_NUMBER = re.compile(rf"(\d{{1,9}})[.)]\s+{_BOX}(.*)")
_FIELD = re.compile(
    rf"[-*+•◦‣–]\s+{_BOX}(Spec|Content\s+hash|What\s+a\s+RUI\s+may\s+contain|Id|Now|Contains|Note):\s*(.*)"
)
_STRONG = re.compile(r"[^*_]*(\*\*|__)(.*)\1")
"""What precedes the path of a note: the type, and the name."""
_TICKS = re.compile("`+")
_BLOCK = re.compile(r"(?:[-*+•◦‣–]|\d{1,9}[.)])\s|#{1,6}\s|>|```|~~~|(?:[-*_]\s*){3,}$")
"""The start of a line that does not continue a paragraph."""
_ESCAPED = re.compile(r"\\([!-/:-@\[-`{-~])")
_STRAIGHT = str.maketrans({"“": '"', "”": '"', "„": '"', "‘": "'", "’": "'"})


class NotesError(ValueError):
    """The text contains no notes, or notes that cannot be read or answered; the message is one line."""


class OtherDocumentError(NotesError):
    """The notes are about another document."""


class Note(NamedTuple):
    """A note about a part of a document."""

    number: int
    path: Path
    name: str  # the name of the part, or ``""``
    text: str = ""  # what the reviewer wrote
    node_id: str = ""  # the id of the part, or ``""``
    document_hash: str = ""  # the `contentHash` of the document, or ``""``

    @property
    def title(self) -> str:
        """The name of the part, else its path."""
        return self.name or format_path(self.path) or "the document"


class _Head(NamedTuple):
    """The first lines of a note."""

    number: int
    name: str
    path: str
    start: int  # the index of the first line
    end: int  # the index of the line after the last one


class _Line(NamedTuple):
    indent: int  # width of the white space at the start
    text: str  # without white space at the start and the end


def read_notes(text: str) -> list[Note]:
    """Return the notes in a text of the form above, in its order.

    Raises:
        NotesError: it contains no note, too many, or one whose path cannot be read.
    """
    rows = text.splitlines()
    lines: list[_Line] = []
    heads: list[_Head] = []
    for depth in _depths(rows):  # a quotation in a note keeps its marks
        lines = [_line(_without_marks(row, depth)[1]) for row in rows]
        heads = [*_heads(lines)]
        if heads:
            break
    if not heads:
        raise NotesError("it contains no notes: copy them from the page of a spec")
    if len(heads) > MAX_NOTES:
        raise NotesError(f"it contains {len(heads):,} notes, at most {MAX_NOTES:,} are read")
    document_hash = _hash_in(lines[: heads[0].start]) or ""
    notes: list[Note] = []
    for head, end in zip(heads, [*(head.start for head in heads[1:]), len(lines)], strict=True):
        note, rest = _note(head, lines[head.end : end], document_hash)
        if notes and note.number <= notes[-1].number:  # a formatter gives all of them the number 1
            note = note._replace(number=notes[-1].number + 1)
        notes.append(note)
        document_hash = _hash_in(rest) or document_hash
    return notes


def _depths(rows: list[str]) -> list[int]:
    """Return the numbers of marks of quotation that notes may have around them."""
    marked = [_without_marks(row) for row in rows]
    return sorted({depth for depth, rest in marked if _NUMBER.match(rest.lstrip())})[:MAX_QUOTED]


def _without_marks(line: str, most: int = MAX_QUOTED) -> tuple[int, str]:
    """Return the number of marks of quotation at the start of a line, at most `most`, and the rest of the line."""
    count = 0
    while count < most and (mark := _QUOTE.match(line)):
        line = line[mark.end() :]
        count += 1
    return count, line


def _line(text: str) -> _Line:
    text = text.rstrip()
    stripped = text.lstrip()
    return _Line(len(text[: len(text) - len(stripped)].expandtabs(4)), stripped)


def _heads(lines: list[_Line]) -> Iterator[_Head]:
    """Yield the first lines of each note. Lists in a note are indented more than these."""
    indent: int | None = None
    for index, line in enumerate(lines):
        if indent is not None and line.indent > indent:
            continue
        head = _head(lines, index)
        if head is not None:
            if indent is None:
                indent = line.indent
            yield head


def _head(lines: list[_Line], start: int) -> _Head | None:
    """Return what a note begins with, also if it is wrapped; None if no note begins at the index `start`."""
    number = _NUMBER.fullmatch(lines[start].text)
    if number is None:
        return None
    words = [number[2]]
    for index in range(start + 1, len(lines)):
        text = lines[index].text
        if not text or _BLOCK.match(text):
            break
        words.append(text)
    before, path = _code_at_end(" ".join(words).strip())
    strong = _STRONG.fullmatch(before)
    if path is None or (before and strong is None):
        return None
    name = _ESCAPED.sub(r"\1", strong[2]) if strong is not None else ""
    return _Head(int(number[1]), name, path, start, start + len(words))


def _code_at_end(text: str) -> tuple[str, str | None]:
    """Return what precedes the code at the end of a text, and the code; None without any."""
    runs = [*_TICKS.finditer(text)]
    if not runs or runs[-1].end() != len(text):
        return text, None
    closing = runs.pop()
    for run in reversed(runs):  # the code contains no run of as many backticks as there are around it
        if run[0] == closing[0]:
            return text[: run.start()].strip(), text[run.end() : closing.start()]
    if closing[0] == "``":  # the path of the root is empty
        return text[: closing.start()].strip(), ""
    return text, None


def _note(head: _Head, lines: list[_Line], document_hash: str) -> tuple[Note, list[_Line]]:
    """Return a note, given the lines after its head, and the lines after it."""
    note = Note(head.number, _path(head.path, head.number), head.name, document_hash=document_hash)
    for index, line in enumerate(lines):
        field = _FIELD.fullmatch(line.text)
        if field is None:
            continue
        if field[1] == "Id" and not note.node_id:
            note = note._replace(node_id=_code(field[2]))
        elif field[1] == "Note":
            text, rest = _text(field[2], line.indent, line.indent + field.start(1), lines[index + 1 :])
            return note._replace(text=text), rest
    return note, lines


def _path(written: str, number: int) -> Path:
    if written[:1] == written[-1:] == " ":
        written = written[1:-1]
    for text in (written, written.translate(_STRAIGHT)):
        try:
            return parse_path(text)
        except ValueError:
            continue
    raise NotesError(f"note {number} has a path that cannot be read: {written}")


def _text(first: str, indent: int, margin: int, lines: list[_Line]) -> tuple[str, list[_Line]]:
    """Return the text of a note, and the lines after it.

    Its lines are indented more than the bullet. A paragraph also continues without that, as a mail program wraps it.

    Args:
        first: the text in the line with the bullet.
        indent: the indentation of the bullet.
        margin: the indentation of the text after it, which the other lines have, too.
    """
    text = [first]
    for index, line in enumerate(lines):
        is_continued = bool(text[-1]) and not _BLOCK.match(line.text)
        if line.text and line.indent <= indent and not is_continued:
            return "\n".join(text).strip(), lines[index:]
        text.append(" " * (line.indent - margin) + line.text)
    return "\n".join(text).strip(), []


def _hash_in(lines: Iterable[_Line]) -> str | None:
    """Return the last content hash in lines outside of notes, also if it is wrapped to the next line; else None."""
    found = None
    is_next = False
    for line in lines:
        field = _FIELD.fullmatch(line.text)
        written = field[2] if field is not None and field[1].startswith("Content") else None
        if written is None and is_next and field is None:
            written = line.text
        if written:
            found = _code(written)
        is_next = written == ""
    return found


def _code(text: str) -> str:
    """Return what a field contains as code, or without that as a word."""
    return text.strip().strip("`").strip()
