"""Refactorings of selected nodes: extract, move, delete. The document stays valid."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from rui_common.editing.edits import Edit, append_texts, indent_at, insert_texts, reindent, remove_members
from rui_common.fixes.context import FixContext
from rui_common.fixes.model import complete
from rui_common.fixes.name_fixes import references_to
from rui_common.fixes.nesting import children_prop_for, node_text
from rui_common.syntax.document import Document
from rui_common.syntax.paths import Path, value_at
from rui_common.syntax.spans import Span
from rui_common.syntax.tree import Member
from rui_common.vocabulary.kinds import NodeKind
from rui_common.vocabulary.lookup import schema_location, shape_of
from rui_common.vocabulary.rui_0_1 import VOCABULARY
from rui_common.vocabulary.schema import Shape, Vocabulary

MAX_TARGETS = 10
"""Maximum number of proposed targets of a move."""

_AROUND_SELECTION = ", \t\r\n"
"""Characters at the ends of a selection that are ignored, as users select whole lines."""


EXTRACT = "extract"
MOVE = "move"
DELETE = "delete"


class Refactoring(NamedTuple):
    """A change of the text that keeps the document valid.

    Attributes:
        title: text for a menu.
        kind: `EXTRACT`, `MOVE` or `DELETE`.
        edits: the changes of the document's text; never empty.
    """

    title: str
    kind: str
    edits: tuple[Edit, ...]


def refactorings(document: Document, span: Span, vocabulary: Vocabulary = VOCABULARY) -> list[Refactoring]:
    """All refactorings of the selected node or adjacent nodes.

    Args:
        document: the document; there are none for one with syntax errors.
        span: the selection; empty for a cursor, which selects the innermost node around it, or that ends at it.
    """
    if not document.valid or document.duplicate_keys():
        return []
    selection = _Selection.at(document, span, vocabulary)
    if selection is None:
        return []
    return [
        *selection.extract(),
        *selection.shift(),
        *selection.move(),
        *selection.delete(),
    ]


class _Selection:
    """Adjacent nodes of one list."""

    def __init__(
        self, document: Document, path: Path, first: int, last: int, shape: Shape, vocabulary: Vocabulary
    ) -> None:
        self._document = document
        self._path = path
        self._shape = shape
        self._vocabulary = vocabulary
        self._context = FixContext(document, vocabulary)
        self._names = self._context.names
        self._first = first
        siblings = value_at(document.value, path)
        assert isinstance(siblings, list)  # noqa: S101  nodes are in lists
        self._nodes = siblings[first : last + 1]
        self._members = document.members(path)[first : last + 1]
        self._is_whole_list = len(self._nodes) == len(siblings)
        self._label = f"the {shape.name}" if first == last else f"{last - first + 1} elements"

    @classmethod
    def at(cls, document: Document, span: Span, vocabulary: Vocabulary) -> _Selection | None:
        """The innermost nodes that contain or intersect a span; None if there are none."""
        span = _strip(document.text, span)
        start = document.path_at(span.start)
        end = document.path_at(max(span.start, span.end - 1))
        pairs = list(zip(start, end, strict=False))
        common = next((index for index, (one, other) in enumerate(pairs) if one != other), len(pairs))
        for length in range(common, -1, -1):
            selection = None
            first, last = pairs[length] if length < len(pairs) else (None, None)
            if isinstance(first, int) and isinstance(last, int):
                selection = cls._in_list(document, start[:length], first, last, vocabulary)
            elif length and isinstance(index := start[length - 1], int):
                selection = cls._in_list(document, start[: length - 1], index, index, vocabulary)
            if selection is not None:
                return selection
        return None

    @classmethod
    def _in_list(
        cls, document: Document, path: Path, first: int, last: int, vocabulary: Vocabulary
    ) -> _Selection | None:
        element = (*path, first)
        location = schema_location(document.value, element, vocabulary)
        if location is None or not isinstance(location.kind, NodeKind):
            return None
        shape = shape_of(value_at(document.value, element), location.kind, vocabulary)
        if shape is None:
            return None
        return cls(document, path, first, last, shape, vocabulary)

    def extract(self) -> Iterator[Refactoring]:
        """Move the nodes to a new node after their parent, or before it if they are its first children."""
        parent_path = self._path[:-1]
        location = schema_location(self._document.value, parent_path, self._vocabulary)
        parent = value_at(self._document.value, parent_path)
        member = self._document.find(parent_path)
        if location is None or not isinstance(location.kind, NodeKind) or not isinstance(parent, dict):
            return
        shape = shape_of(parent, location.kind, self._vocabulary)
        if shape is None or member is None or self._is_whole_list:
            return
        children_prop = children_prop_for(shape, self._nodes)
        if children_prop is None:
            return
        enums = {name: parent[name] for name, prop in shape.props.items() if name in parent and prop.kind.values}
        node = self._names.generator_at(parent_path).new_object(shape, None, {**enums, children_prop: []})
        text = self._document.text
        start = self._members[0].start
        indent = indent_at(text, member.start)
        elements = reindent(text[start : self._members[-1].end], indent_at(text, start), indent)
        new = node_text(text, elements, indent, node, children_prop)
        index = parent_path[-1]
        assert isinstance(index, int)  # noqa: S101  the parent is a node in a list
        edits = [
            remove_members(self._document, self._path, self._members),
            insert_texts(self._document, parent_path[:-1], index, [new], before=self._first == 0),
            *references_to(self._context, shape, location.kind, node),
        ]
        title = f"Extract {self._label} into a new {shape.name}"
        yield from _refactorings_from(title, EXTRACT, edits)

    def shift(self) -> Iterator[Refactoring]:
        """Exchange the nodes with their neighbour above or below.

        The edits move the neighbour, so that the cursor stays in the nodes, and the next move begins there.
        """
        siblings = self._document.members(self._path)
        own = Span(self._members[0].start, self._members[-1].end)
        text = self._document.text
        if self._first > 0:
            other = siblings[self._first - 1]
            between = text[other.end : own.start]
            edits = [
                Edit(Span(other.start, own.start), ""),
                Edit(Span(own.end, own.end), between + text[other.start : other.end]),
            ]
            yield from _refactorings_from(f"Move {self._label} up", MOVE, edits)
        after = self._first + len(self._members)
        if after < len(siblings):
            other = siblings[after]
            between = text[own.end : other.start]
            edits = [
                Edit(Span(own.start, own.start), text[other.start : other.end] + between),
                Edit(Span(own.end, other.end), ""),
            ]
            yield from _refactorings_from(f"Move {self._label} down", MOVE, edits)

    def move(self) -> Iterator[Refactoring]:
        """Move the nodes to the end of a sibling of their parent."""
        parent_path = self._path[:-1]
        children_prop = self._path[-1]
        targets = value_at(self._document.value, parent_path[:-1])
        location = schema_location(self._document.value, parent_path, self._vocabulary)
        if not isinstance(targets, list) or location is None or self._is_whole_list:
            return
        removal = remove_members(self._document, self._path, self._members)
        texts = [self._text_of(member) for member in self._members]
        for index, target in enumerate(targets[: MAX_TARGETS + 1]):
            shape = shape_of(target, location.kind, self._vocabulary)
            if index == parent_path[-1] or shape is None or not isinstance(target, dict):
                continue
            if children_prop_for(shape, self._nodes) == children_prop:
                insertion = append_texts(self._document, (*parent_path[:-1], index, children_prop), texts)
                title = f"Move {self._label} to {self._context.description((*parent_path[:-1], index))}"
                yield from _refactorings_from(title, MOVE, [removal, insertion])

    def delete(self) -> Iterator[Refactoring]:
        """Delete the nodes and the elements of lists that refer to them."""
        if self._is_whole_list:
            return
        uses = self._uses_from_outside()
        if uses is None:
            return
        edits: list[Edit | None] = [remove_members(self._document, self._path, self._members)]
        for path, indices in uses.items():
            members = self._document.members(path)
            if len(indices) == len(members):
                return
            edits += [remove_members(self._document, path, [members[one] for one in run]) for run in _runs(indices)]
        title = f"Delete {self._label}"
        count = sum(len(indices) for indices in uses.values())
        if count:
            title += (
                f" and the {count} elements that refer to it" if count > 1 else " and the element that refers to it"
            )
        yield from _refactorings_from(title, DELETE, edits)

    def _uses_from_outside(self) -> dict[Path, list[int]] | None:
        """The elements of lists that use a name of the nodes: indices by list; None if something else uses one."""
        elements: dict[Path, set[int]] = {}
        for number in range(len(self._nodes)):
            path = (*self._path, self._first + number)
            for definition in self._names.below(path):
                scope = definition.scope.path
                if definition.is_use or definition.symbol.dangling is None or scope[: len(path)] == path:
                    continue
                for one in self._names.same(definition):
                    if not one.is_use:
                        continue
                    index = one.path[-2] if len(one.path) > 1 else None
                    if not isinstance(index, int):
                        return None
                    elements.setdefault(one.path[:-2], set()).add(index)
        return {path: sorted(indices) for path, indices in elements.items()}

    def _text_of(self, member: Member) -> str:
        """The text of an element without the indentation of its line."""
        text = self._document.text
        return reindent(text[member.start : member.end], indent_at(text, member.start), "")


def _runs(indices: list[int]) -> list[list[int]]:
    """Sorted numbers as lists of adjacent ones."""
    runs: list[list[int]] = []
    for index in indices:
        if runs and runs[-1][-1] == index - 1:
            runs[-1].append(index)
        else:
            runs.append([index])
    return runs


def _refactorings_from(title: str, kind: str, edits: Iterable[Edit | None]) -> list[Refactoring]:
    """A list of one refactoring; empty if an edit is missing."""
    all_edits = complete(edits)
    if all_edits:
        return [Refactoring(title, kind, all_edits)]
    return []


def _strip(text: str, span: Span) -> Span:
    """A selection without white space and commas at its ends; unchanged if it has no other characters.

    A cursor that touches a closing bracket is before it: what it closes is meant.
    """
    start = span.start
    end = min(span.end, len(text))
    if start == end and text[start - 1 : start] in ("}", "]") and text[start : start + 1] not in ("{", "["):
        return Span(start - 1, start)
    while start < end and text[start] in _AROUND_SELECTION:
        start += 1
    while end > start and text[end - 1] in _AROUND_SELECTION:
        end -= 1
    if start < end:
        return Span(start, end)
    return span
