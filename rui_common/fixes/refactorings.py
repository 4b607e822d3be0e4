"""Selection → changes that leave a document as valid as it is, but rearranged: extract, move, duplicate."""

from __future__ import annotations

import json
from collections import namedtuple

from rui_common.editing.edits import Edit, append_texts, indent_at, insert_texts, reindent, remove_members
from rui_common.editing.generate import NamesInUse, value_at
from rui_common.editing.traversal import label_of
from rui_common.fixes.nesting import holder_of, nest
from rui_common.fixes.structure_fixes import StructureFixer
from rui_common.syntax.spans import Span
from rui_common.vocabulary.kinds import NodeKind
from rui_common.vocabulary.lookup import schema_location, shape_of
from rui_common.vocabulary.rui_0_1 import VOCABULARY

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from rui_common.syntax.document import Document
    from rui_common.syntax.paths import Path
    from rui_common.syntax.tree import Member
    from rui_common.vocabulary.schema import Shape, Vocabulary

EXTRACT, MOVE, DUPLICATE = "extract", "move", "duplicate"

MAX_TARGETS = 10
"""So many places are offered to move a node to at most."""


class Refactoring(namedtuple("Refactoring", ("title", "sort", "edits"))):
    """One thing that can be done with a selection.

    Attributes:
        title: what it does, for a menu.
        sort: `EXTRACT`, `MOVE` or `DUPLICATE`.
        edits: the changes to the document's text; never empty.
    """

    __slots__ = ()
    title: str
    sort: str
    edits: tuple[Edit, ...]


_BESIDE = ", \t\r\n"
"""What may stand beside what is meant, in a selection."""


def refactorings(document: Document, span: Span, vocabulary: Vocabulary = VOCABULARY) -> list[Refactoring]:
    """All that can be done with what is selected: the innermost node, or several side by side.

    Args:
        document: the document; nothing can be done with a broken one.
        span: the selection; empty for a mere cursor.
        vocabulary: what says which nodes may stand where.
    """
    if not document.valid or document.duplicate_keys():
        return []
    selected = _Selection.of(document, span, vocabulary)
    return [] if selected is None else [*selected.extract(), *selected.move(), *selected.duplicate()]


class _Selection:
    """Nodes side by side.

    Attributes:
        path: the list that they are in.
        first, last: their indices.
        shape: what the first of them is.
    """

    def __init__(
        self, document: Document, path: Path, first: int, last: int, shape: Shape, vocabulary: Vocabulary
    ) -> None:
        self.document = document
        self.path = path
        self.first = first
        self.last = last
        self.shape = shape
        self.vocabulary = vocabulary
        self.names = NamesInUse(document, vocabulary)
        self.members = document.members(path)
        self.siblings = value_at(document.value, path)

    @classmethod
    def of(cls, document: Document, span: Span, vocabulary: Vocabulary) -> _Selection | None:
        """The innermost nodes that a span is in or goes over; None if there are none."""
        span = _without_blanks(document.text, span)
        start, end = document.path_at(span.start), document.path_at(max(span.start, span.end - 1))
        both = list(zip(start, end, strict=False))
        length = next((index for index, (one, other) in enumerate(both) if one != other), len(both))
        for upto in range(length, -1, -1):
            # A run in this list, else this very node.
            ends = (start[upto : upto + 1], end[upto : upto + 1]) if upto < len(both) else ((), ())
            run = [step for (step,) in (one for one in ends if one) if isinstance(step, int)]
            found = None
            if len(run) > 1:
                found = cls._in_list(document, start[:upto], run[0], run[1], vocabulary)
            elif upto and isinstance(step := start[upto - 1], int):
                found = cls._in_list(document, start[: upto - 1], step, step, vocabulary)
            if found is not None:
                return found
        return None

    @classmethod
    def _in_list(
        cls, document: Document, path: Path, first: int, last: int, vocabulary: Vocabulary
    ) -> _Selection | None:
        element = (*path, first)
        place = schema_location(document.value, element, vocabulary)
        if place is None or not isinstance(place.kind, NodeKind):
            return None
        shape = shape_of(value_at(document.value, element), place.kind, vocabulary)
        return None if shape is None else cls(document, path, first, last, shape, vocabulary)

    @property
    def what(self) -> str:
        """How a title calls them."""
        many = self.last - self.first + 1
        return f"the {self.shape.name}" if many == 1 else f"{many} elements"

    def extract(self) -> Iterator[Refactoring]:
        """Put them into a new node behind (or, if they come first, before) the one that they are in."""
        owner = self.path[:-1]
        place = schema_location(self.document.value, owner, self.vocabulary)
        value = value_at(self.document.value, owner)
        if place is None or not isinstance(place.kind, NodeKind) or not isinstance(value, dict) or self._are_all():
            return
        shape = shape_of(value, place.kind, self.vocabulary)
        outer, run = self.document.find(owner), self.members[self.first : self.last + 1]
        assert isinstance(self.siblings, list)  # noqa: S101  nodes are in lists
        holder = None if shape is None else holder_of(shape, self.siblings[self.first : self.last + 1])
        if shape is None or outer is None or holder is None:
            return
        # What can only be one of a few values is as in the node that they come from.
        given = {name: value[name] for name, prop in shape.props.items() if name in value and prop.kind.values}
        made = self.names.maker_at(owner).make(shape, None, {**given, holder: []})
        text = self.document.text
        indent = indent_at(text, outer.start)
        elements = reindent(text[run[0].start : run[-1].end], indent_at(text, run[0].start), indent)
        written = nest(text, elements, indent, made, holder)
        index = owner[-1]
        assert isinstance(index, int)  # noqa: S101  it is a node in a list
        removal = remove_members(self.document, self.path, run)
        addition = insert_texts(self.document, owner[:-1], index, [written], before=self.first == 0)
        entries = StructureFixer(self.document, self.names, self.vocabulary).entries(shape, place.kind, [made])
        edits = [removal, addition, *entries]
        if None not in edits:
            done = tuple(edit for edit in edits if edit is not None)
            yield Refactoring(f"Extract {self.what} into a new {shape.name}", EXTRACT, done)

    def move(self) -> Iterator[Refactoring]:
        """Put them at the end of another node of the same sort as the one that they are in."""
        owner = self.path[:-1]
        others = value_at(self.document.value, owner[:-1])
        if not isinstance(others, list) or self._are_all():
            return
        run = self.members[self.first : self.last + 1]
        removal = remove_members(self.document, self.path, run)
        place = schema_location(self.document.value, owner, self.vocabulary)
        for index, other in enumerate(others[: MAX_TARGETS + 1]):
            there = (*owner[:-1], index, self.path[-1])
            shape = None if place is None else shape_of(other, place.kind, self.vocabulary)
            if index == owner[-1] or shape is None or not isinstance(other, dict):
                continue
            fits = isinstance(self.siblings, list) and (
                holder_of(shape, self.siblings[self.first : self.last + 1]) == self.path[-1]
            )
            addition = append_texts(self.document, there, [self._text_of(member) for member in run]) if fits else None
            if addition is not None and removal is not None:
                yield Refactoring(f"Move {self.what} to {_called(shape, other)}", MOVE, (removal, addition))

    def duplicate(self) -> Iterator[Refactoring]:
        """Put a copy behind them, in which every id is a new one."""
        if self.first != self.last:
            return
        path = (*self.path, self.first)
        member = self.members[self.first]
        maker = self.names.maker_at(self.path)
        text, at, new = self.document.text, member.start, ""
        parts: list[str] = []
        inside = {seen.path for seen in self.names.below(path) if not seen.is_use and not seen.scope}
        for where in sorted(inside, key=self.document.range_of):
            there, place = self.document.find(where), schema_location(self.document.value, where, self.vocabulary)
            if there is None or place is None or place.prop is None:
                return
            fresh = maker.free(place.prop.defines, str(value_at(self.document.value, where)))
            new = fresh if where == (*path, "id") else new
            parts += (text[at : there.start], json.dumps(fresh, ensure_ascii=False))
            at = there.end
        addition = insert_texts(self.document, self.path, self.first, ["".join((*parts, text[at : member.end]))])
        place = schema_location(self.document.value, path, self.vocabulary)
        kind = None if place is None else place.kind
        entries: list[Edit | None] = []
        if isinstance(kind, NodeKind):
            entries += StructureFixer(self.document, self.names, self.vocabulary).entries(
                self.shape, kind, [{"id": new}]
            )
        edits = [edit for edit in (addition, *entries) if edit is not None]
        if len(edits) == 1 + len(entries):
            yield Refactoring(f"Duplicate {self.what}", DUPLICATE, tuple(edits))

    def _are_all(self) -> bool:
        """Whether nothing would remain where they are."""
        return self.last - self.first + 1 >= len(self.members)

    def _text_of(self, member: Member) -> str:
        """The text of an element, as if its line began without blanks."""
        text = self.document.text
        return reindent(text[member.start : member.end], indent_at(text, member.start), "")


def _without_blanks(text: str, span: Span) -> Span:
    """A selection without blanks and commas at its ends: people select whole lines."""
    start, end = span.start, min(span.end, len(text))
    while start < end and text[start] in _BESIDE:
        start += 1
    while end > start and text[end - 1] in _BESIDE:
        end -= 1
    return Span(start, end) if start < end else span


def _called(shape: Shape, value: dict[str, object]) -> str:
    name = label_of(value, shape) or value.get("id")
    return f'{shape.name} "{name}"'
