"""Refactorings of selected elements of a list: extract, duplicate, move, derive the id.

The document stays valid.
"""

from collections.abc import Iterator, Sequence
from enum import Enum, auto
from typing import NamedTuple

from rui_common.editing.edits import indent_at, insert_texts, reindent, remove_members
from rui_common.editing.generate import ValueGenerator
from rui_common.editing.names import new_names, references_to, rename, text_with
from rui_common.fixes.wrapping import children_prop_for, node_text
from rui_common.json_values import JsonObject, as_object
from rui_common.nodes.node import Node
from rui_common.problems.words import titled
from rui_common.suggest import MAX_STEM, kebab_case, stem_of
from rui_common.syntax.paths import Path, value_at
from rui_common.syntax.spans import Edit, Span
from rui_common.validation.analysis import Analysis
from rui_common.vocabulary.kinds import ListKind, NodeKind
from rui_common.vocabulary.schema import Prop, Role, Shape

_AROUND_SELECTION = ", \t\r\n"  # Characters at the ends of a selection that are ignored, as users select whole lines


class RefactoringKind(Enum):
    """The kinds of refactorings."""

    EXTRACT = auto()
    DUPLICATE = auto()
    MOVE = auto()
    DERIVE_ID = auto()


class Refactoring(NamedTuple):
    """A change of structure."""

    kind: RefactoringKind  # its kind
    title: str  # text for a menu, such as `Move the Table up`
    edits: tuple[Edit, ...]  # the changes of the text; never empty
    shown: Path | None = None  # the path of the element to continue with, after the edits; None if the cursor stays


def refactorings(analysis: Analysis, span: Span) -> list[Refactoring]:
    """Return all refactorings of the selected element or adjacent elements of a list; none if there is a syntax error.

    A cursor, an empty selection, selects the innermost element around it, or that ends at it.
    """
    if not analysis.document.valid or analysis.overridden:
        return []
    selection = _select(analysis, span)
    if selection is None:
        return []
    return [*selection.extract(), *selection.duplicate(), *selection.shift(), *selection.derive_id()]


def _refactoring(
    kind: RefactoringKind, title: str, edits: Sequence[Edit | None], shown: Path | None = None
) -> Iterator[Refactoring]:
    """Yield a refactoring; none if one of its edits is not possible."""
    present = tuple(edit for edit in edits if edit is not None)
    if len(present) == len(edits):
        yield Refactoring(kind, title, present, shown)


def _select(analysis: Analysis, span: Span) -> "_Selection | None":
    """Return the innermost elements that contain or intersect a span; None if there are none."""
    document = analysis.document
    span = _strip(document.text, span)
    start = document.path_at(span.start)
    end = document.path_at(max(span.start, span.end - 1))
    pairs = list(zip(start, end, strict=False))
    common = next((index for index, (left, right) in enumerate(pairs) if left != right), len(pairs))
    for length in range(min(common + 1, len(pairs)), 0, -1):
        first, last = pairs[length - 1]
        node = analysis.tree.at(start[:length])
        is_read = node is not None and node.shape is not None
        if is_read and isinstance(first, int) and isinstance(last, int):
            return _Selection(analysis, start[: length - 1], first, last)
    return None


class _Selection:
    """Adjacent elements of one list."""

    def __init__(self, analysis: Analysis, path: Path, first: int, last: int) -> None:
        self._analysis = analysis
        self._document = analysis.document
        self._path = path
        self._first = first
        self._last = last
        siblings = value_at(analysis.document.value, path)
        assert isinstance(siblings, list)  # noqa: S101  elements are in lists
        self._values = siblings[first : last + 1]
        self._paths = [(*path, index) for index in range(first, last + 1)]
        self._members = self._document.members(path)[first : last + 1]
        self._span = Span(self._members[0].start, self._members[-1].end)
        self._count = len(siblings)  # the number of elements of the list
        self._node: Node | None = None  # the only one
        self._label = f"{len(self._values)} elements"
        node = analysis.tree.at(self._paths[0])
        if first == last and node is not None and node.shape is not None:
            self._node = node
            self._label = f"the {node.noun}"

    def extract(self) -> Iterator[Refactoring]:
        """Move the nodes to a new node after their parent, or before it if they are its first children."""
        parent_path = self._path[:-1]
        parent = self._analysis.tree.at(parent_path)
        member = self._document.find(parent_path)
        if parent is None or not isinstance(parent.kind, NodeKind) or parent.shape is None or member is None:
            return
        shape = parent.shape
        children_prop = children_prop_for(shape, self._values)
        index = parent_path[-1]
        kind = self._analysis.kind(self._path)
        rest = self._count - len(self._values)
        if rest == 0 or (isinstance(kind, ListKind) and not kind.allows(rest)):
            return
        if children_prop is None or not isinstance(index, int):
            return
        node = self._new_parent(parent, shape, children_prop)
        text = self._document.text
        indent = indent_at(text, member.start)
        elements = reindent(text[self._span.start : self._span.end], indent_at(text, self._span.start), indent)
        new_text = node_text(text, elements, indent, node, children_prop)
        is_before = self._first == 0
        edits = [
            remove_members(self._document, self._path, self._first, self._last),
            insert_texts(self._document, parent_path[:-1], index, [new_text], before=is_before),
            *references_to(self._analysis, parent.kind, [node["id"]]),
        ]
        shown = (*parent_path[:-1], index if is_before else index + 1)
        title = f"Extract {self._label} into a new {shape.name}"
        yield from _refactoring(RefactoringKind.EXTRACT, title, edits, shown)

    def _new_parent(self, parent: Node, shape: Shape, children_prop: str) -> JsonObject:
        """Return a node like the parent, with no children. If it needs a title, it has that of the only child."""
        members = parent.members
        fixed: JsonObject = {
            name: members[name] for name, prop in shape.props.items() if prop.kind.values and name in members
        }
        fixed[children_prop] = []
        generator = ValueGenerator(self._analysis, parent)
        titles = [prop for prop in shape.props_with_role(Role.LABEL) if prop.required]
        _, title = self._title()
        if titles and title:
            fixed |= dict.fromkeys((prop.name for prop in titles), title)
            like = kebab_case(title)[:MAX_STEM].strip("-")
            prop = shape.props["id"]
            if prop.defines is not None and prop.kind.accepts(like):
                fixed[prop.name] = generator.free_name(prop.defines, like)
        return generator.new_object(shape, None, fixed)

    def _title(self) -> tuple[Prop | None, str]:
        """Return the property with the title of the only node, and its text; ``""`` without one."""
        if self._node is not None and self._node.shape is not None:
            for prop in self._node.shape.props_with_role(Role.LABEL):
                text = self._node.members.get(prop.name)
                if isinstance(text, str) and text.strip():
                    return prop, text
        return None, ""

    def duplicate(self) -> Iterator[Refactoring]:
        """Copy the elements below themselves. Names in the copy are new, and its references to them follow."""
        kind = self._analysis.kind(self._path)
        if not isinstance(kind, ListKind) or not kind.allows(self._count + len(self._values)):
            return
        names = new_names(self._analysis, self._paths)
        pairs = zip(self._paths, self._values, strict=True)
        copies = [names.get((*path, "id"), as_object(value).get("id")) for path, value in pairs]
        edits = [
            insert_texts(self._document, self._path, self._last, [text_with(self._analysis, self._span, names)]),
            *references_to(self._analysis, kind.items, copies),
        ]
        shown = (*self._path, self._last + 1)
        yield from _refactoring(RefactoringKind.DUPLICATE, f"Duplicate {self._label}", edits, shown)

    def derive_id(self) -> Iterator[Refactoring]:
        """Rename the id of a node to its title, with all references; numbered if another node has it."""
        source, title = self._title()
        if source is None or self._node is None or self._node.shape is None or not self._node.shape.is_node:
            return
        prop = self._node.shape.props["id"]
        like = kebab_case(title)[:MAX_STEM].strip("-")
        old = self._node.members.get(prop.name)
        if not isinstance(old, str) or prop.defines is None or not prop.kind.accepts(like):
            return
        if like not in (old, stem_of(old)):
            new = ValueGenerator(self._analysis, self._node).free_name(prop.defines, like)
            edits = rename(self._analysis, (*self._node.path, prop.name), new)
            title = f"Derive the id from the {source.name}: {titled(new)}"
            yield from _refactoring(RefactoringKind.DERIVE_ID, title, edits)

    def shift(self) -> Iterator[Refactoring]:
        """Exchange the elements with their neighbour above or below.

        The edits move the neighbour, so that the cursor stays in the elements, and the next move begins there.
        """
        siblings = self._document.members(self._path)
        start, end = self._span
        text = self._document.text
        after = self._last + 1
        if self._first > 0:
            neighbour = siblings[self._first - 1]
            edits = [
                Edit(Span(neighbour.start, start), ""),
                Edit(Span(end, end), text[neighbour.end : start] + text[neighbour.start : neighbour.end]),
            ]
            yield from _refactoring(RefactoringKind.MOVE, f"Move {self._label} up", edits)
        if after < len(siblings):
            neighbour = siblings[after]
            edits = [
                Edit(Span(start, start), text[neighbour.start : neighbour.end] + text[end : neighbour.start]),
                Edit(Span(end, neighbour.end), ""),
            ]
            yield from _refactoring(RefactoringKind.MOVE, f"Move {self._label} down", edits)


def _strip(text: str, span: Span) -> Span:
    """Return a selection without white space and commas at its ends; unchanged if it has no other characters.

    A cursor that touches a closing bracket is before it: what it closes is meant.
    """
    start = span.start
    end = min(span.end, len(text))
    if start == end and text[start - 1 : start] in ("}", "]"):
        return Span(start - 1, start)
    selected = text[start:end]
    stripped = selected.strip(_AROUND_SELECTION)
    if not stripped:
        return span
    start += selected.index(stripped)
    return Span(start, start + len(stripped))
