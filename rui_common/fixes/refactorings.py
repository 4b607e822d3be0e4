"""Refactorings of selected nodes: extract, move, delete. The document stays valid."""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum, auto

from rui_common.editing.edits import indent_at, insert_texts, reindent, remove_members
from rui_common.editing.named_elements import references_to
from rui_common.fixes.context import description, generator_at
from rui_common.fixes.model import Fix, fixes_from
from rui_common.fixes.nesting import children_prop_for, node_text
from rui_common.syntax.paths import Path, value_at
from rui_common.syntax.spans import Edit, Span
from rui_common.validation.analysis import Analysis
from rui_common.vocabulary.kinds import NodeKind

MAX_TARGETS = 10
"""Maximum number of proposed targets of a move."""

_AROUND_SELECTION = ", \t\r\n"
"""Characters at the ends of a selection that are ignored, as users select whole lines."""


class Refactoring(Enum):
    """The kinds of refactorings."""

    EXTRACT = auto()
    MOVE = auto()
    DELETE = auto()


def refactorings(analysis: Analysis, span: Span) -> list[tuple[Refactoring, Fix]]:
    """Return all refactorings of the selected node or adjacent nodes, each with its kind.

    Args:
        analysis: the text; there are none for one with syntax errors.
        span: the selection; empty for a cursor, which selects the innermost node around it, or that ends at it.
    """
    if not analysis.document.valid or analysis.overridden:
        return []
    selection = _select(analysis, span)
    if selection is None or selection.is_whole_list:
        return []
    found = {
        Refactoring.EXTRACT: selection.extract(),
        Refactoring.MOVE: [*selection.shift(), *selection.move()],
        Refactoring.DELETE: selection.delete(),
    }
    return [(kind, fix) for kind, fixes in found.items() for fix in fixes]


def _select(analysis: Analysis, span: Span) -> _Selection | None:
    """Return the innermost nodes that contain or intersect a span; None if there are none."""
    document = analysis.document
    span = _strip(document.text, span)
    start = document.path_at(span.start)
    end = document.path_at(max(span.start, span.end - 1))
    pairs = list(zip(start, end, strict=False))
    common = next((index for index, (one, other) in enumerate(pairs) if one != other), len(pairs))
    for length in range(min(common + 1, len(pairs)), 0, -1):
        first, last = pairs[length - 1]
        node = analysis.tree.at(start[:length])
        is_node = node is not None and isinstance(node.kind, NodeKind) and node.shape is not None
        if is_node and isinstance(first, int) and isinstance(last, int):
            return _Selection(analysis, start[: length - 1], first, last)
    return None


class _Selection:
    """Adjacent nodes of one list.

    Attributes:
        is_whole_list: whether the list has no other nodes.
    """

    def __init__(self, analysis: Analysis, path: Path, first: int, last: int) -> None:
        self._analysis = analysis
        self._document = analysis.document
        self._path = path
        self._first = first
        self._last = last
        siblings = value_at(analysis.document.value, path)
        assert isinstance(siblings, list)  # noqa: S101  nodes are in lists
        self._nodes = siblings[first : last + 1]
        self._members = self._document.members(path)[first : last + 1]
        self.is_whole_list = len(self._nodes) == len(siblings)
        self._label = f"{last - first + 1} elements"
        node = analysis.tree.at((*path, first))
        if first == last and node is not None and node.shape is not None:
            self._label = f"the {node.shape.name}"

    def extract(self) -> list[Fix]:
        """Move the nodes to a new node after their parent, or before it if they are its first children."""
        parent_path = self._path[:-1]
        parent = self._analysis.tree.at(parent_path)
        member = self._document.find(parent_path)
        if parent is None or not isinstance(parent.kind, NodeKind) or parent.shape is None or member is None:
            return []
        shape = parent.shape
        members = parent.members
        children_prop = children_prop_for(shape, self._nodes)
        index = parent_path[-1]
        if children_prop is None or not isinstance(index, int):
            return []
        enums = {name: members[name] for name, prop in shape.props.items() if name in members and prop.kind.values}
        node = generator_at(self._analysis, parent).new_object(shape, None, {**enums, children_prop: []})
        text = self._document.text
        start = self._members[0].start
        indent = indent_at(text, member.start)
        elements = reindent(text[start : self._members[-1].end], indent_at(text, start), indent)
        new = node_text(text, elements, indent, node, children_prop)
        edits = [
            remove_members(self._document, self._path, self._first, self._last),
            insert_texts(self._document, parent_path[:-1], index, [new], before=self._first == 0),
            *references_to(self._analysis, parent.kind, [node]),
        ]
        return fixes_from(f"Extract {self._label} into a new {shape.name}", edits)

    def shift(self) -> Iterator[Fix]:
        """Exchange the nodes with their neighbour above or below.

        The edits move the neighbour, so that the cursor stays in the nodes, and the next move begins there.
        """
        siblings = self._document.members(self._path)
        own = Span(self._members[0].start, self._members[-1].end)
        text = self._document.text
        after = self._last + 1
        if self._first > 0:
            other = siblings[self._first - 1]
            edits = [
                Edit(Span(other.start, own.start), ""),
                Edit(Span(own.end, own.end), text[other.end : own.start] + text[other.start : other.end]),
            ]
            yield from fixes_from(f"Move {self._label} up", edits)
        if after < len(siblings):
            other = siblings[after]
            edits = [
                Edit(Span(own.start, own.start), text[other.start : other.end] + text[own.end : other.start]),
                Edit(Span(own.end, other.end), ""),
            ]
            yield from fixes_from(f"Move {self._label} down", edits)

    def move(self) -> Iterator[Fix]:
        """Move the nodes to the end of a sibling of their parent."""
        if len(self._path) == 1:
            return
        *outer, own_index, children_prop = self._path
        targets = value_at(self._document.value, tuple(outer))
        assert isinstance(targets, list)  # noqa: S101  the parent is a node in a list
        text = self._document.text
        for index, _ in enumerate(targets[: MAX_TARGETS + 1]):
            path = (*outer, index)
            node = self._analysis.tree.at(path)
            if index == own_index or node is None or node.shape is None:
                continue
            if children_prop_for(node.shape, self._nodes) != children_prop:
                continue
            target = (*path, children_prop)
            others = self._document.members(target)
            if not others:
                continue
            indent = indent_at(text, others[-1].start)
            texts = [reindent(text[one.start : one.end], indent_at(text, one.start), indent) for one in self._members]
            edits = [
                remove_members(self._document, self._path, self._first, self._last),
                insert_texts(self._document, target, len(others) - 1, texts),
            ]
            yield from fixes_from(f"Move {self._label} to {description(self._analysis, path)}", edits)

    def delete(self) -> Iterator[Fix]:
        """Delete the nodes and the elements of lists that refer to them."""
        uses = self._uses_from_outside()
        if uses is None:
            return
        edits: list[Edit | None] = [remove_members(self._document, self._path, self._first, self._last)]
        for path, indices in uses.items():
            if len(indices) == len(self._document.members(path)):
                return
            edits += [remove_members(self._document, path, run[0], run[-1]) for run in _runs(indices)]
        title = f"Delete {self._label}"
        count = sum(len(indices) for indices in uses.values())
        if count == 1:
            title += " and the element that refers to it"
        elif count:
            title += f" and {count} elements that refer to it"
        yield from fixes_from(title, edits)

    def _uses_from_outside(self) -> dict[Path, list[int]] | None:
        """Return the indices of the elements that use a name of the nodes, by list; None if something else uses one."""
        elements: dict[Path, set[int]] = {}
        for index in range(self._first, self._last + 1):
            path = (*self._path, index)
            for definition in self._analysis.names.below(path):
                scope = definition.scope.node.path
                if definition.is_use or definition.symbol.dangling is None or scope[: len(path)] == path:
                    continue
                for one in definition.scope.same(definition):
                    if not one.is_use:
                        continue
                    element = one.node.step
                    if not isinstance(element, int):
                        return None
                    elements.setdefault(one.path[:-2], set()).add(element)
        return {path: sorted(indices) for path, indices in elements.items()}


def _runs(indices: list[int]) -> list[list[int]]:
    """Return sorted numbers as lists of adjacent ones."""
    runs: list[list[int]] = []
    for index in indices:
        if runs and runs[-1][-1] == index - 1:
            runs[-1].append(index)
        else:
            runs.append([index])
    return runs


def _strip(text: str, span: Span) -> Span:
    """Return a selection without white space and commas at its ends; unchanged if it has no other characters.

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
