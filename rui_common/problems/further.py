"""Further properties of open objects that no page shows, although they mean, or belong to, one that is shown."""

from collections.abc import Iterator
from functools import cache

from rui_common.json_values import JsonObject
from rui_common.nodes.node import Node
from rui_common.problems.finding import Lint, LintRule
from rui_common.problems.meant import MAX_UNKNOWN, Rename, has_type, holds_content, renames
from rui_common.problems.operations import Insert, Remove, RenameKey
from rui_common.problems.suggestion import GIST, Sentence, Suggestion, fix, remove_element
from rui_common.problems.words import quoted, titled
from rui_common.suggest import SearchBudget, nearest, squash
from rui_common.vocabulary.kinds import ListKind
from rui_common.vocabulary.schema import Prop, Shape

MAX_WORK = 5_000  # letters and letter pairs that are compared at most to find misspelt properties of one document


class NotShown(Lint):
    """A key of an open object that `renames` assigns to an absent suggested property.

    It is another word for it, a misspelling, or a compound that ends with such a word. The rename is safe if it is
    certain (`Rename.is_certain`), which that of a compound never is.
    """

    about = LintRule(
        code="NOT_SHOWN",
        condition="A further property is another word for a suggested one, or a misspelling of it.",
        message='"{value}" is not shown; did you mean "{meant}"?',
        hint="Rename it. Properties of other names are allowed, and no page shows them.",
        why="Columns, filters, options, navigation items and `meta` may have any further property, so that a label "
        "under another name is valid, and is lost. Names of your own, such as `x-width`, are no warning.",
        wrong='{"navigation": {"items": [{"pageId": "home", "title": "Home"}]}}',
        right='{"navigation": {"items": [{"pageId": "home", "label": "Home"}]}}',
    )
    marks_key = True

    def __init__(self, node: Node, rename: Rename) -> None:
        super().__init__(node, rename.key)
        self.rename = rename

    def values(self) -> dict[str, str]:
        return {"value": self.rename.key, "meant": self.rename.prop.name}

    def suggestions(self) -> Iterator[Suggestion]:
        yield Suggestion(GIST, (RenameKey(self.path, self.rename.prop.name),), is_safe=self.rename.is_certain)


class PartOfText(Lint):
    """What a text of the object can say, such as a unit (`Prop.includes`). Only the author can put it there."""

    about = LintRule(
        code="PART_OF_TEXT",
        condition="A further property holds what a text of the object can say, such as a unit.",
        message='"{value}" is not shown; "{meant}" can contain it.',
        hint="Write it into that text, such as `Weight (kg)`. Properties of other names are allowed, and no page shows "
        "them.",
        why="Columns may have any further property, so that a unit or a prefix is valid, and no reader sees it.",
        wrong='{"key": "weight", "label": "Weight", "unit": "kg"}',
        right='{"key": "weight", "label": "Weight (kg)"}',
    )
    marks_key = True

    def __init__(self, node: Node, key: str, whole: Prop) -> None:
        super().__init__(node, key)
        self.key = key
        self.whole = whole  # the property with the text

    def values(self) -> dict[str, str]:
        return {"value": self.key, "meant": self.whole.name}


class NotHidden(Lint):
    """A property that hides an element of a list in other systems, with a value that does so."""

    about = LintRule(
        code="NOT_HIDDEN",
        condition="A further property hides the element in other systems.",
        message='"{value}" hides nothing: it is shown.',
        hint="Remove what is not to be shown, or this property.",
        why="Columns, options and navigation items may have any further property, and pages show all of them.",
        wrong='{"key": "id", "label": "Id", "hidden": true}',
        right='{"key": "id", "label": "Id"}',
    )
    marks_key = True

    def values(self) -> dict[str, str]:
        return {"value": str(self.step)}

    def alternatives(self) -> Iterator[Suggestion]:
        """Offer to remove the property, or the element."""
        yield fix(Remove(self.path), title=f"Remove {titled(self.step)}")
        if isinstance(self.node.step, int):
            yield remove_element(self.node.path, self.node.value, self.node)


class NotHere(Lint):
    """What the object around the list of an element has a property for, such as the filter of a column."""

    about = LintRule(
        code="NOT_HERE",
        condition="A further property of an element belongs in the object around, such as the filter of a column.",
        message='"{value}" is not shown here; "{meant}" of the {owner} is.',
        hint="Write it there.",
        why="Columns may have any further property, so that a list of values to filter by is valid in a column, and "
        "nobody can filter by it.",
        wrong='{"id": "orders", "type": "Table", "binding": {"type": "read", "method": "GET", "path": "/orders"}, '
        '"columns": [{"key": "status", "filters": [{"value": "open"}]}]}',
        right='{"id": "orders", "type": "Table", "binding": {"type": "read", "method": "GET", "path": "/orders"}, '
        '"columns": [{"key": "status"}], "filter": {"field": "status", "options": [{"value": "open"}]}}',
    )
    marks_key = True

    def __init__(self, node: Node, key: str, owner: Node, meant: Prop) -> None:
        super().__init__(node, key, node.members[key])
        self.owner = owner  # the object around the list
        self.meant = meant  # its property, which is absent

    def values(self) -> dict[str, str]:
        return {"value": str(self.step), "meant": self.meant.name, "owner": self.owner.noun}

    def suggestions(self) -> Iterator[Suggestion]:
        """Suggest to move a list into the object of the property that uses the name of the element."""
        shape = self.meant.kind.inner_shapes[0]
        use = next(prop for prop in shape.props.values() if prop.uses is not None)
        name = _name_of(self.node, use)
        lists = [prop for prop in shape.suggested.values() if isinstance(prop.kind, ListKind)]
        if not name or not lists or not isinstance(self.got, list):
            return
        text = f"{quoted(use.name)}: {quoted(name)}, and its content as {quoted(lists[0].name)}"
        value: JsonObject = {use.name: name, lists[0].name: self.got}
        insert = Insert(self.owner.path, {self.meant.name: value}, self.owner.shape)
        title = f"Move {titled(self.step)} to {titled(self.meant.name)}"
        yield Suggestion(
            Sentence(f"Add {quoted(self.meant.name)} there, with {text}."), (insert, Remove(self.path)), title
        )


def _name_of(node: Node, use: Prop) -> str:
    """Return the name that an object defines, and that a property can use; ``""`` without one."""
    props = () if node.shape is None else node.shape.props.values()
    names = [node.members.get(prop.name) for prop in props if prop.defines is use.uses]
    return next((name for name in names if isinstance(name, str)), "")


_HIDING = {
    "hidden": (True, "true"),
    "hide": (True, "true"),
    "ishidden": (True, "true"),
    "invisible": (True, "true"),
    "visible": (False, "false"),
    "isvisible": (False, "false"),
    "show": (False, "false"),
    "display": (False, "false", "none"),
    "visibility": ("hidden",),
}
"""Properties of other systems, in lower case without separators, with the values that hide."""


@cache
def _parts_of_texts(shape: Shape) -> dict[str, Prop]:
    """Return what other systems call a part of a text → the suggested property with the text."""
    return {word: prop for prop in shape.suggested.values() for word in prop.includes.split()}


@cache
def _about_elements(owner: Shape, element: Shape) -> tuple[Prop, ...]:
    """Return the properties of an object whose objects use the name of one of its elements."""
    defined = [prop.defines for prop in element.props.values() if prop.defines is not None]
    return tuple(
        prop
        for prop in owner.props.values()
        if any(
            inner.uses in defined for shape in prop.kind.inner_shapes for inner in shape.props.values() if inner.uses
        )
    )


@cache
def declared(shape: Shape) -> frozenset[str]:
    return frozenset(prop.name for prop in shape.all_props)


class FurtherProperties:
    """Finds the lints of further properties in one document. Names that mean nothing are extensions."""

    def __init__(self) -> None:
        self._budget = SearchBudget(MAX_WORK)
        self._may_mean: dict[tuple[Shape, str], bool] = {}  # whether a key may mean a suggested property

    def find(self, node: Node, members: JsonObject, shape: Shape) -> Iterator[Lint]:
        """Yield the lints of an open object; none if it has more than `MAX_UNKNOWN` properties beside those declared.

        Misspellings are searched up to `MAX_WORK` in a document. `LintFinder` ends at `MAX_OF_OPEN_OBJECTS`.
        """
        yield from self._around(node, members, shape)
        if len(members) > MAX_UNKNOWN + len(declared(shape)) or not self._any_may_mean(members, shape):
            return
        for rename in renames(node, self._budget):
            key, prop, _ = rename
            if prop.name in shape.suggested and (prop.is_called(squash(key)) or has_type(members[key], prop.kind)):
                yield NotShown(node, rename)
        for key, value in members.items():
            whole = _parts_of_texts(shape).get(squash(key))
            if whole is not None and key not in declared(shape) and holds_content(value):
                yield PartOfText(node, key, whole)
            if isinstance(node.step, int) and key not in declared(shape) and value in _HIDING.get(squash(key), ()):
                yield NotHidden(node, key, value)

    def _around(self, node: Node, members: JsonObject, shape: Shape) -> Iterator[Lint]:
        """Yield the lints of properties that the object around the list of an element has, and lacks."""
        owner = None if node.parent is None else node.parent.parent
        if owner is None or owner.shape is None or not isinstance(node.step, int):
            return
        for prop in _about_elements(owner.shape, shape):
            keys = [key for key in members if key not in declared(shape) and prop.is_called(squash(key))]
            if prop.name not in owner.members and len(keys) == 1 and holds_content(members[keys[0]]):
                yield NotHere(node, keys[0], owner, prop)

    def _any_may_mean(self, members: JsonObject, shape: Shape) -> bool:
        """Return whether one of the properties may mean a suggested one. Documents have the same few names often."""
        for key in members:
            if key in declared(shape):
                continue
            may_mean = self._may_mean.get((shape, key))
            if may_mean is None:
                may_mean = self._may_mean[shape, key] = self._key_may_mean(key, shape)
            if may_mean:
                return True
        return False

    def _key_may_mean(self, key: str, shape: Shape) -> bool:
        word = squash(key)
        if word in _HIDING:
            return True
        is_word = any(prop.is_called(word) or word in prop.includes.split() for prop in shape.suggested.values())
        return is_word or nearest(key, shape.suggested, self._budget) is not None
