"""A document: a text, its value, its syntax errors, and the range of every path."""

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from rui_common.syntax.errors import DuplicateKey, SyntaxFault
from rui_common.syntax.line_index import LineIndex
from rui_common.syntax.paths import Path
from rui_common.syntax.reader import ParseResult, Source, parse_strictly, skip_space
from rui_common.syntax.root_keys import is_rui
from rui_common.syntax.spans import Span, first_line
from rui_common.syntax.tree import Member, Members, Reading

if TYPE_CHECKING:  # It takes a fifth of the start of `rui check`, and valid documents do not need it.
    from rui_common.syntax.conflicts import Conflict

CONFLICT_MARKER = "<" * 7  # What every text with a conflict contains: the shortest marker of git
MAX_SYNTAX_ERRORS = 100  # Maximum length of `Document.syntax`


def read(source: str | bytes) -> "Document":
    """Read a document, a text or bytes (docs/decisions.md, section 4). It never raises, for any input."""
    decoded = Source(source)
    result = parse_strictly(decoded)
    if result is None and CONFLICT_MARKER in decoded.text:
        from rui_common.syntax.conflicts import find_conflicts, text_of_ours  # only for conflicts

        conflicts = find_conflicts(decoded.text)
        if conflicts:
            ours = decoded.with_text(text_of_ours(decoded.text, conflicts))
            return Document(ours, parse_strictly(ours), decoded.text, conflicts)
    return Document(decoded, result, decoded.text)


class Document:
    """One reading of one text, which does not change.

    Everything except the verdict is computed on demand, without locks: use a document in one thread only.
    """

    def __init__(
        self, source: Source, result: ParseResult | None, text: str, conflicts: Sequence["Conflict"] = ()
    ) -> None:
        # the text. Bytes are decoded, without their byte-order mark. Invalid UTF-8 is replaced by U+FFFD, and UTF-16
        # and UTF-32 are decoded; the document is not valid then. A byte-order mark of a `str` stays.
        self.text = text
        # the conflicts in the text, in text order. Of each, the lines of ours are read, at their places.
        self.conflicts = conflicts
        self.bom = source.bom  # whether there was a byte-order mark
        self.is_lossy = source.is_lossy  # whether U+FFFD replaces bytes that are no text in their encoding
        self._source = source
        # whether the text is JSON by docs/decisions.md, section 4: the verdict of every surface
        self.valid = result is not None and not conflicts
        self._reading: Reading | None = None
        if result is not None:
            root = Member(source.text, "", None, skip_space(source.text, source.start).end())
            self._reading = Reading(result.value, root, result.duplicate_keys)

    @property
    def value(self) -> object:
        """The value. Of a broken text, the recovered value without the properties that have no value, or None."""
        return self._read().value

    @property
    def syntax(self) -> tuple[SyntaxFault, ...]:
        """The first 100 syntax errors, in text order; empty exactly if the document is valid."""
        return self.all_syntax[:MAX_SYNTAX_ERRORS]

    @cached_property
    def all_syntax(self) -> tuple[SyntaxFault, ...]:
        """All syntax errors that were found, in text order."""
        return self._with_conflicts(self._read().errors)

    def first_errors(self) -> tuple[tuple[SyntaxFault, ...], bool]:
        """Return the syntax errors that a bounded amount of work finds, in text order, and whether these are all."""
        if self._reading is not None:
            return self.syntax, len(self.all_syntax) == len(self.syntax) and self._reading.is_complete
        from rui_common.syntax.recovery import budget, parser  # only for broken texts

        result = parser.recover(self._source, budget.summary_budget(), self.lines)
        if result.is_complete:
            self._reading = result
        return self._with_conflicts(result.errors), result.is_complete

    @property
    def is_rui(self) -> bool:
        """Whether the value is a RUI by its own keys (`Vocabulary.is_rui`), and the only one of the text."""
        if self.valid:
            return is_rui(self.value)
        return self._read().is_rui

    @property
    def is_complete(self) -> bool:
        """Whether all of the text was read. Of a text with thousands of syntax errors, only the first part is."""
        return self._read().is_complete

    @property
    def text_of_ours(self) -> str:
        """The text that was read: `text`, with spaces in place of conflict markers and the lines of theirs."""
        return self._source.text

    @property
    def incomplete(self) -> frozenset[Path]:
        """The paths of the objects and arrays with an error in them, which may lack members, and of broken values.

        Only the innermost value around an error is incomplete. The root is, if the error is outside of it.
        """
        if self.valid:
            return frozenset()
        return self._read().incomplete()

    @cached_property
    def lines(self) -> LineIndex:
        return LineIndex(self.text)

    def find(self, path: Path) -> Member | None:
        """Return the member at `path`, or None. Of duplicate keys, the last one takes effect."""
        return self._follow(path)[0]

    def span_of(self, path: Path) -> Span | None:
        """Return the range of the value at `path`, or None if there is none."""
        member = self.find(path)
        if member is None:
            return None
        return member.span

    def members(self, path: Path = ()) -> Sequence[Member]:
        """Return the members of an object or array in text order, overridden ones included; () for other values."""
        member = self.find(path)
        members = None if member is None else member.members()
        return () if members is None else members.all()

    def range_of(self, path: Path, *, key: bool = False) -> Span:
        """Return the range, on one line, of a finding with this path (docs/decisions.md, section 7).

        Args:
            path: any path. If it does not exist, the range is in the nearest object or array around it.
            key: whether the finding is about the name of a property. The range is the key then, if there is one.
        """
        member, nearest = self._follow(path)
        if member is not None and key and member.key_span is not None:
            span = member.key_span
        elif member is not None and member.span is not None and member.members() is None:
            span = member.span
        else:
            span = self._span_of_container(nearest or self._read().root)
        return first_line(self.text, span)

    def path_at(self, offset: int) -> Path:
        """Return the path of the innermost member whose key or value is at `offset` (code points).

        A key or value includes its end, where a cursor still touches it, unless another key or value begins there.
        An object or array includes its closing bracket, or ends with the text if it is never closed.
        Between members, the path is that of the object or array around them; outside of everything, the root.
        """
        path: list[str | int] = []
        member: Member | None = self._read().root
        while member is not None:
            members = member.members()
            if members is None or not _includes(member, offset):
                break
            member = _member_at(members, offset)
            if member is not None:
                path.append(member.step)
        return tuple(path)

    def duplicate_keys(self) -> tuple[DuplicateKey, ...]:
        """Return every key that a later one of the same object overrides, in text order."""
        if not self._read().duplicate_keys:
            return ()
        return tuple(sorted(self._find_duplicate_keys(), key=lambda duplicate: duplicate.span))

    def _follow(self, path: Path) -> tuple[Member | None, Member | None]:
        """Return the member at `path`, and the innermost object or array on the way, which may be that member."""
        member = self._read().root
        members = member.members()
        nearest: Member | None = None
        unique = not self._read().duplicate_keys
        for step in path:
            if members is None:
                return None, nearest
            nearest = member
            next_member = members.get(step, unique=unique)
            if next_member is None:
                return None, nearest
            member = next_member
            members = member.members()
        return member, nearest if members is None else member

    def _find_duplicate_keys(self) -> Iterator[DuplicateKey]:
        pending: list[tuple[Path, Member]] = [((), self._read().root)]
        while pending:
            path, parent = pending.pop()
            members = parent.members()
            if members is None:
                continue
            last_keys: dict[str | int, Span | None] = {member.step: member.key_span for member in members}
            for member in members:
                key = member.key_span
                last = last_keys[member.step]
                if key is not None and last is not None and key is not last:
                    yield DuplicateKey((*path, member.step), key, last)
                pending.append(((*path, member.step), member))

    def _with_conflicts(self, errors: tuple[SyntaxFault, ...]) -> tuple[SyntaxFault, ...]:
        if not self.conflicts:
            return errors
        from rui_common.syntax.conflicts import fault_of  # only for conflicts

        faults = (*errors, *map(fault_of, self.conflicts))
        return tuple(sorted(faults, key=lambda fault: fault.span.start))

    def _read(self) -> Reading:
        if self._reading is None:
            from rui_common.syntax.recovery import budget, parser  # only for broken texts

            self._reading = parser.recover(self._source, budget.full_budget(self.text), self.lines)
        return self._reading

    def _span_of_container(self, member: Member) -> Span:
        """Rule 3: the value of `type` if it is a string, else the key, else the opening bracket."""
        if member.is_missing:
            return Span(0, 0)
        members = member.members()
        if members is not None:
            kind = members.get("type", unique=not self._read().duplicate_keys)
            if kind is not None and kind.span is not None and self.text[kind.start] == '"':
                return kind.span
        if member.key_span is not None:
            return member.key_span
        if members is None and member.span is not None:
            return member.span  # the root, if it is neither object nor array
        return Span(member.start, member.start + 1)


def _member_at(members: Members, offset: int) -> Member | None:
    """Return the member whose key or value is at `offset`; the later one where two meet."""
    last: Member | None = None
    for member in members:
        if offset < member.first_offset:
            break
        key = member.key_span
        if (key is not None and offset <= key.end) or _includes(member, offset):
            last = member
    return last


def _includes(member: Member, offset: int) -> bool:
    if member.is_missing or offset < member.start:
        return False
    return offset < member.end or (offset == member.end and (member.is_open or member.members() is None))
