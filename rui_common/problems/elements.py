"""Problems of lists and their elements.

A list has too few or too many; a node is in a wrong place, of a later version, or of no type.
"""

from collections.abc import Iterator, Sequence

from rui_common.nodes.names import Scope
from rui_common.nodes.node import Node
from rui_common.problems.finding import ABSENT, Finding
from rui_common.problems.meant import (
    Meant,
    blocks_in,
    holds_content,
    meant_as_type,
    properties_called,
    type_named,
    value_meant,
)
from rui_common.problems.operations import Append, AppendNew, Insert, MoveOut, RenameKey, SetValue, Wrap
from rui_common.problems.suggestion import (
    GIST,
    MAX_CHOICES,
    Sentence,
    Suggestion,
    did_you_mean,
    fact,
    fix,
    other_values,
    remove_element,
)
from rui_common.problems.words import listed, one_of, quoted, shown, titled
from rui_common.suggest import kebab_case, squash
from rui_common.vocabulary.kinds import ListKind, NodeKind
from rui_common.vocabulary.queries import children, link_of, parents
from rui_common.vocabulary.rules import ABSENT_TYPE, PLANNED, UNREGISTERED_TYPE
from rui_common.vocabulary.schema import Kind, Shape, Symbol


class WrongLength(Finding):
    """An array of too few or too many elements (`ListKind.at_least`, `at_most`). An empty one is wrong by default.

    A list that may have lost elements by a syntax error is not counted. Suggested lists have the warning
    `EmptySuggestedList` in its place.
    """

    kind: ListKind

    def __init__(self, node: Node, step: str | int, values: list[object], kind: ListKind, scope: Scope | None) -> None:
        super().__init__(node, step, kind.rule, values, kind)
        self.count = len(values)
        self.scope = scope  # the names that the elements must use, or None

    @property
    def opening(self) -> str:
        return super().opening.replace("{expected}", self.kind.form or "an array of at least 1 element")

    @property
    def _shapes(self) -> tuple[Shape, ...]:
        return self.kind.inner_shapes[:MAX_CHOICES]

    def suggestions(self) -> Iterator[Suggestion]:
        """Say how many there must be. Suggest an element for each name that the elements must use."""
        if self.kind.form and self.kind.form not in self.opening:
            yield fact(f"Must be {self.kind.form}.", once=True)
        if self.count:
            yield fact(f"Got {self.count}.")
            return
        names = () if self.scope is None else self.scope.definitions
        for shape in self._shapes if names and self.kind.allows(len(names)) else ():
            link = link_of(shape)
            if link is not None:
                prop, symbol = link
                append = Append(self.path, tuple({prop.name: name} for name in names))
                title = f"Add a {shape.name} for each {symbol.name}"
                if len(names) == 1:
                    title = f"Add a {shape.name} for {titled(names[0])}"
                yield Suggestion(GIST, (append,), title, is_safe=True)

    def alternatives(self) -> Iterator[Suggestion]:
        """Offer the elements that it lacks, or to remove the element with the list. Only the author can shorten it."""
        lacking = self.kind.at_least - self.count
        if lacking <= 0:
            return
        for shape in self._shapes:
            title = f"Add a {shape.name}" if lacking == 1 else f"Add {lacking} {shape.name}s"
            yield fix(AppendNew(self.path, shape, {}, lacking), title=title)
        if isinstance(self.node.step, int):
            yield remove_element(self.node.path, self.node.value, self.node)


def link_symbol(kind: ListKind) -> Symbol | None:
    """Return the symbol of the names that the elements of a list are links to; None if they are none."""
    links = (link_of(shape) for shape in kind.inner_shapes)
    return next((symbol for _, symbol in filter(None, links)), None)


def type_finding(node: Node, kind: NodeKind) -> Finding | None:
    """Return the finding about the type of a node: at its ``type``, or at the node itself. None if it is allowed.

    A planned type is one everywhere, also where no node of it could be.
    """
    parent = node.parent
    assert parent is not None  # noqa: S101  nodes are in lists
    node_type = node.members.get("type", ABSENT)
    if node_type is ABSENT:
        return UntypedNode(node, kind)
    if not isinstance(node_type, str):
        return UnknownType(node, node_type, kind)
    if node_type in kind.types:
        return None
    if node_type in node.vocabulary.planned:
        return Planned(parent, node.step, node_type, kind)
    if node_type in node.vocabulary.nodes:
        return MisplacedNode(node, parent, kind, node_type)
    return UnknownType(node, node_type, kind)


class MisplacedNode(Finding):
    """A node of a registered type that its list does not allow. What it contains is validated by its own type.

    `NodeKind.nested` and `NodeKind.child` have the rule that it breaks. It is reported at the node, or with
    `NodeKind.at_type`, among pages, at its ``type``.
    """

    kind: NodeKind

    def __init__(self, misplaced: Node, parent: Node, kind: NodeKind, got: str) -> None:
        node, step = (misplaced, "type") if kind.at_type else (parent, misplaced.step)
        super().__init__(node, step, kind.nested.get(got, kind.child), got, kind)
        self.misplaced = misplaced
        self.type = got

    @property
    def opening(self) -> str:
        return super().opening.replace("{expected}", one_of([*self.kind.types]))

    def suggestions(self) -> Iterator[Suggestion]:
        """Suggest to put it into a new node that may contain it."""
        yield from _allowed_types(self.opening, self.kind)
        if shown(self.type) not in self.message:
            yield fact(f"Got {shown(self.type)}.")
        for shape in self.kind.shapes:
            sentence = None
            if self.type in children(shape):
                sentence = Sentence(f"Put it into a {shape.name}.")
            yield Suggestion(sentence, (Wrap(self.misplaced.path, self.kind, shape),))

    def alternatives(self) -> Iterator[Suggestion]:
        """Offer to move it out, or to remove it."""
        path = self.misplaced.path
        yield fix(MoveOut(path))
        yield remove_element(path, self.misplaced.value, self.misplaced)


class Planned(Finding):
    """A node or a binding whose ``type`` is one of a later version. It has no fix: only the author can decide.

    It is reported at the node or binding. What that contains is not validated, but the id of a node counts.
    `Vocabulary.planned` has the types of nodes, `Shape.planned_types` those of bindings.
    """

    def __init__(self, node: Node, step: str | int, got: str, kind: Kind) -> None:
        super().__init__(node, step, PLANNED, got, kind)

    def suggestions(self) -> Iterator[Suggestion]:
        if isinstance(self.kind, NodeKind):
            yield fact("Leave it out, or keep its words in a Text.")

    def explained_by(self) -> list[Shape]:
        return super().explained_by() if isinstance(self.kind, NodeKind) else []


class UntypedNode(Finding):
    """An object without a ``type`` in a list of nodes, unless a syntax error may have lost it."""

    kind: NodeKind

    def __init__(self, node: Node, kind: NodeKind) -> None:
        super().__init__(node, "type", ABSENT_TYPE, ABSENT, kind)

    def suggestions(self) -> Iterator[Suggestion]:
        """Suggest a property such as `kind` that is another word for the type, and whose value is or means one."""
        if self.advice:
            yield fact(self.advice)
        yield from _allowed_types(self.opening, self.kind)
        key, is_certain = meant_as_type(self.node, self.kind)
        if key:
            yield did_you_mean(key, "type", RenameKey((*self.node.path, key), "type"), is_safe=is_certain)
        else:
            yield from self._type_as_key()

    def _type_as_key(self) -> Iterator[Suggestion]:
        """Suggest the type of a node whose only property is called like a type: ``{"metric": {"label": …}}``."""
        members = self.node.members
        for key, value in members.items() if len(members) == 1 else ():
            called = self.node.vocabulary.types_called(squash(key))
            advice = self.node.vocabulary.advice_about(key)
            if isinstance(value, dict) and called:
                name = called[0].name
                yield fact(f'Write the properties in {quoted(key)} without it, beside "type": {quoted(name)}.')
            elif advice:
                yield fact(advice)

    def alternatives(self) -> Iterator[Suggestion]:
        """Offer each type. The only one that fits the properties is safe, and the only type of a list of names.

        An element of `pages` is a page whatever its type is (docs/decisions.md, section 2).
        """
        fitting = self.kind.shape_by_properties(self.node.members)
        is_only = self.kind.defines is not None and len(self.kind.types) == 1
        is_only = is_only and not meant_as_type(self.node, self.kind)[0]
        for shape in _likeliest_shapes(self.node, self.kind):
            insert = Insert(self.node.path, {"type": shape.name}, shape)
            yield fix(insert, title=f'Add "type": {titled(shape.name)}', is_safe=shape is fitting or is_only)


class UnknownType(Finding):
    """A node whose ``type`` is not registered, be it a text or any other value. A planned one is `Planned`.

    It is not reported if a syntax error may have broken its type. The node is read by the only shape of its place that
    fits its properties; without one, only its id counts. A misspelling is certain, another system's word is not.
    """

    kind: NodeKind

    def __init__(self, node: Node, got: object, kind: NodeKind) -> None:
        word = squash(str(got))
        super().__init__(node, "type", UNREGISTERED_TYPE, got, kind, node.vocabulary.advice_about(str(got)))
        nodes = node.vocabulary.nodes.values()
        called = [shape for shape in node.vocabulary.types_called(word) if shape.name not in kind.types]
        if not called and not self.advice and type_named(str(got), kind.types) is None:
            named = type_named(str(got), node.vocabulary.nodes)
            called = [shape for shape in nodes if named is not None and shape.name == named.text]
        if not called and word not in kind.other_values and blocks_in(node.members, kind):
            called = [shape for shape in nodes if {*kind.types} == {*children(shape)}]
        self.elsewhere = next(iter(called), None)  # the shape of other places that it is called, or built like, or None

    @property
    def _meant(self) -> Meant | None:
        """The type of this place that is probably meant. A word for a type of another place is no misspelling."""
        if not isinstance(self.got, str):
            return None
        elsewhere = self.elsewhere
        if elsewhere is None:
            named = None if self.advice else type_named(self.got, self.kind.types)  # a `TextInput` is no Text
            return value_meant(self.got, self.kind) or named or self._by_properties()
        if elsewhere.name.lower() in kebab_case(self.got).split("-"):
            return None
        count_elsewhere = properties_called(self.node.members, elsewhere)
        if squash(self.got) not in self.kind.other_values:
            likeliest = max(self.kind.shapes, key=lambda shape: properties_called(self.node.members, shape))
            if properties_called(self.node.members, likeliest) > count_elsewhere:
                return Meant(likeliest.name, is_certain=False)
            return None
        meant = value_meant(self.got, self.kind)
        is_other = meant is not None and any(
            shape.name == meant.text and properties_called(self.node.members, shape) < count_elsewhere
            for shape in self.kind.shapes
        )
        return None if is_other else meant

    def _by_properties(self) -> Meant | None:
        """Return the type that has most of the properties, in the words of other systems; None if two have as many."""
        counts = {shape.name: properties_called(self.node.members, shape) for shape in self.kind.shapes}
        most = max(counts.values())
        names = [name for name, count in counts.items() if count == most]
        if len(counts) == 1 or len(names) > 1:
            return None
        return Meant(names[0], is_certain=False)

    def suggestions(self) -> Iterator[Suggestion]:
        """Suggest the type that is meant. It is not safe if the properties are those of another type."""
        yield from _allowed_types(self.opening, self.kind)
        meant = self._meant
        if meant is not None:
            fitting = self.kind.shape_by_properties(self.node.members)
            is_safe = meant.is_certain and (fitting is None or fitting.name == meant.text)
            yield did_you_mean(self.got, meant.text, SetValue(self.path, meant.text), is_safe=is_safe)
            if meant.advice:
                yield fact(meant.advice)
        elif self.elsewhere is not None:
            yield from self._in_its_place(self.elsewhere)
        if self.advice:
            yield fact(self.advice)

    def _in_its_place(self, shape: Shape) -> Iterator[Suggestion]:
        """Yield how a node gets a type of another place, and gets there: into a new node, or out of this list."""
        name = shape.name
        path = self.node.path
        container = next((outer for outer in self.kind.shapes if name in children(outer)), None)
        if container is not None:
            sentence = Sentence(f"It is called {name} here: put it into a {container.name}.")
            wrap = Wrap(path, self.kind, container, as_type=name)
            yield Suggestion(sentence, (wrap,), f"Put it into a {container.name}, as {name}")
            return
        parent_names = " or ".join(parents(self.node.root_shape, shape))
        sentence = Sentence(f"It is called {name} here, and belongs in {parent_names}.")
        yield Suggestion(sentence, (MoveOut(path, as_type=name),))

    def alternatives(self) -> Iterator[Suggestion]:
        """Offer each type, unless that would lose content."""
        if isinstance(self.got, str) or not holds_content(self.got):
            names = [shape.name for shape in _likeliest_shapes(self.node, self.kind)]
            yield from other_values(self.path, self.got, names)


def _allowed_types(opening: str, kind: NodeKind) -> Iterator[Suggestion]:
    """Yield the types that are allowed in a place, unless the opening of the hint names them."""
    if not all(name in opening for name in kind.types):
        yield fact(f"Allowed: {listed([*kind.types])}.", once=True)


def _likeliest_shapes(node: Node, kind: NodeKind) -> Sequence[Shape]:
    """Return the shapes that a node may have, that of which it has most properties first."""
    members = node.members

    def differences(shape: Shape) -> int:
        return len(members.keys() - shape.props.keys()) + len({*shape.required} - members.keys())

    return sorted(kind.shapes[:MAX_CHOICES], key=differences)
