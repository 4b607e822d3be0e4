"""A document: a text, the value in it, what is broken, and where every path is in it."""

from __future__ import annotations

from rui_common.syntax.errors import DuplicateKey
from rui_common.syntax.line_index import LineIndex
from rui_common.syntax.reader import Source, read_strictly, skip_space
from rui_common.syntax.spans import Span
from rui_common.syntax.tree import UNKNOWN, Member, Members

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from rui_common.syntax.errors import SyntaxFault
    from rui_common.syntax.paths import Path
    from rui_common.syntax.reader import Reading
    from rui_common.syntax.recovery.parser import Recovered


MAX_SYNTAX_ERRORS = 100
"""Maximum length of `Document.syntax`."""


def read(source: str | bytes) -> Document:
    """Read a document (docs/decisions.md, section 4). Never fails, whatever the input.

    Args:
        source: a text, or bytes as they came from a file or request.
    """
    given = Source(source)
    return Document(given, read_strictly(given))


class Document:
    """One reading of one text, which does not change.

    All but the verdict is computed when it is first asked for, so only one thread may ask.

    Attributes:
        text: the text as given. Bytes are decoded, their byte-order mark taken away; bytes that are no UTF-8 are
            replaced by U+FFFD, and UTF-16 and UTF-32 are read as such: the document is not valid then. A byte-order
            mark at the start of a `str` stays in the text.
        bom: whether there was a byte-order mark.
    """

    def __init__(self, source: Source, reading: Reading) -> None:
        self.text = source.text
        self.bom = source.bom
        self._source = source
        self._reading = reading
        self._recovered: Recovered | None = None
        self._lines: LineIndex | None = None
        self._root: Member | None = None

    @property
    def valid(self) -> bool:
        """Whether the text is JSON by docs/decisions.md, section 4: the verdict of every surface."""
        if self._reading.unsure:
            return not self.syntax
        return self._reading.valid

    @property
    def value(self) -> object:
        """The value; of a broken text what could be recovered, without the properties that have no value.

        None also where there is nothing at all.
        """
        return self._reading.value if self._reading.valid else self._recovery().value

    @property
    def syntax(self) -> tuple[SyntaxFault, ...]:
        """What is broken, in text order; empty exactly when the document is valid. At most 100 are told."""
        return () if self._reading.valid else self._recovery().faults[:MAX_SYNTAX_ERRORS]

    def first_errors(self) -> tuple[SyntaxFault, ...]:
        """Return the syntax errors that a bounded amount of work finds, in text order."""
        if self._recovered is not None:
            return self.syntax
        from rui_common.syntax.recovery.budget import summary_budget  # noqa: PLC0415  only broken texts need it
        from rui_common.syntax.recovery.parser import recover  # noqa: PLC0415  only broken texts need it

        return recover(self._source, summary_budget()).faults

    @property
    def incomplete(self) -> frozenset[Path]:
        """What is directly broken: objects and arrays, so that members may be missing in them, and plain values.

        Those around a damaged one are not damaged by that. The root stands for what is broken outside of it.
        """
        return frozenset() if self._reading.valid else self._recovery().incomplete()

    @property
    def lines(self) -> LineIndex:
        """The lines of the text."""
        if self._lines is None:
            self._lines = LineIndex(self.text)
        return self._lines

    def find(self, path: Path) -> Member | None:
        """What `path` leads to exactly, or None. Of repeated keys the last one counts."""
        return self._follow(path)[0]

    def span_of(self, path: Path) -> Span | None:
        """The value that `path` leads to exactly, or None where there is none."""
        member = self.find(path)
        return None if member is None else member.span

    def members(self, path: Path = ()) -> tuple[Member, ...]:
        """The members of an object or array in text order, overridden ones included; none of anything else."""
        member = self.find(path)
        inside = None if member is None else member.members()
        return () if inside is None else tuple(inside)

    def range_of(self, path: Path, *, key: bool = False) -> Span:
        """Where a finding with this path points (docs/decisions.md, section 7).

        Args:
            path: any path; of what is not there, the nearest object or array around it is pointed at.
            key: whether the finding is about the name of a property: its key, then, if there is one.

        Returns:
            A range on one line.
        """
        member, nearest = self._follow(path)
        if member is not None and key and member.key_span is not None:
            return self._on_one_line(member.key_span)
        if member is not None and member.span is not None and member.members() is None:
            return self._on_one_line(member.span)
        return self._head_of(nearest or self._root_member())

    def path_at(self, offset: int) -> Path:
        """The path of the innermost member whose key or value is at `offset` (code points).

        A key and a value reach from their first character to right behind their last, where a cursor still touches
        them, unless another key or value begins there. A value that is an object or array ends with its bracket, or
        with the text if it is never closed.
        Between members the path is that of the object or array around; outside of everything the root.
        """
        path: list[str | int] = []
        member: Member | None = self._root_member()
        while member is not None:
            inside = member.members()
            if inside is None or not _reaches(member, offset):
                break
            member = _touched(inside, offset)
            if member is not None:
                path.append(member.step)
        return tuple(path)

    def duplicate_keys(self) -> tuple[DuplicateKey, ...]:
        """Every key that a later one of the same object overrides, in text order."""
        if not self._repeats():
            return ()
        found = sorted(self._repeated(), key=lambda repeated: repeated.span)
        return tuple(found)

    def pieces(self) -> Iterable[tuple[Path, Document, int]]:
        """Parts of the text that are read by themselves: path, document, and what its offsets are short of.

        Such a part is one value, and its document may have been there before the text was changed elsewhere.
        """
        return ()

    def _follow(self, path: Path) -> tuple[Member | None, Member | None]:
        """What `path` leads to, and the innermost object or array on the way, its end included."""
        member: Member | None = self._root_member()
        nearest = None if member is None or member.members() is None else member
        unique = not self._repeats()
        for step in path:
            inside = None if member is None else member.members()
            member = None if inside is None else inside.get(step, unique=unique)
            if member is not None and member.members() is not None:
                nearest = member
        return member, nearest

    def _repeated(self) -> Iterator[DuplicateKey]:
        pending: list[tuple[Path, Member]] = [((), self._root_member())]
        while pending:
            path, member = pending.pop()
            inside = member.members()
            if inside is None:
                continue
            last: dict[str | int, Span | None] = {below.step: below.key_span for below in inside}
            for below in inside:
                counts = last[below.step]
                if below.key_span is not None and counts is not None and below.key_span is not counts:
                    yield DuplicateKey((*path, below.step), below.key_span, counts)
                pending.append(((*path, below.step), below))

    def _repeats(self) -> bool:
        return self._reading.repeats if self._reading.valid else self._recovery().repeats

    def _recovery(self) -> Recovered:
        if self._recovered is None:
            from rui_common.syntax.recovery.budget import full_budget  # noqa: PLC0415  only broken texts need it
            from rui_common.syntax.recovery.parser import recover  # noqa: PLC0415  only broken texts need it

            self._recovered = recover(self._source, full_budget(self.text))
        return self._recovered

    def _root_member(self) -> Member:
        if self._root is None:
            if self._reading.valid:
                self._root = Member(self.text, "", None, skip_space(self.text, self._source.start).end())
            else:
                self._root = self._recovery().root
        return self._root

    def _head_of(self, member: Member | None) -> Span:
        """Rule 3: the value of `type` if that is a string, else the key, else the opening bracket."""
        if member is None or member.start == UNKNOWN:
            return Span(0, 0)
        inside = member.members()
        kind = None if inside is None else inside.get("type", unique=not self._repeats())
        if kind is not None and kind.span is not None and self.text[kind.start] == '"':
            return self._on_one_line(kind.span)
        if member.key_span is not None:
            return self._on_one_line(member.key_span)
        if inside is None and member.span is not None:
            return self._on_one_line(member.span)  # the root, when it is neither object nor array
        return Span(member.start, member.start + 1)

    def _on_one_line(self, span: Span) -> Span:
        """The part of a range that is on its first line; in a sound text that is all of it."""
        cut = min((at for at in (self.text.find(end, *span) for end in "\r\n") if at >= 0), default=span.end)
        return span if cut == span.end else Span(span.start, cut)


def _touched(inside: Members, offset: int) -> Member | None:
    """The member whose key or value is at `offset`; the later one where two meet."""
    touched: Member | None = None
    for member in inside:
        key = member.key_span
        if offset < (member.start if key is None else key.start):
            break
        if (key is not None and offset <= key.end) or _reaches(member, offset):
            touched = member
    return touched


def _reaches(member: Member, offset: int) -> bool:
    if member.start == UNKNOWN or offset < member.start:
        return False
    return offset < member.end or (offset == member.end and (member.is_open or member.members() is None))
