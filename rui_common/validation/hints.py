"""Suggestions: changes other than writing a value at the path of a finding."""

from __future__ import annotations

import json
from functools import cache

from rui_common.syntax.paths import format_path
from rui_common.validation.free_names import with_free_ids
from rui_common.vocabulary.kinds import ListKind, NodeKind

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Self

    from rui_common.syntax.paths import Path
    from rui_common.validation.model import SuggestedNames, Suggestion, UsedNames
    from rui_common.vocabulary.schema import Shape

MAX_SHOWN = 40
"""Characters of a value that a hint repeats (docs/decisions.md, section 3)."""

MAX_NAME = 40
"""Characters of a property's name that a hint repeats."""

MAX_PATH = 80
"""Characters of a path that a hint repeats."""

as_json = json.JSONEncoder(ensure_ascii=False).encode
"""Encodes a value for a hint; `json.dumps` would create an encoder per call."""


def shorten(text: str, limit: int = MAX_SHOWN) -> str:
    """Return `text`, cut to `limit` characters, of which the last is an ellipsis then."""
    if len(text) <= limit:
        return text
    return text[: limit - 1] + "…"


def path_text(path: Path) -> str:
    """Return a path in words for a hint; long names and long paths are cut."""
    steps = tuple(shorten(step, MAX_NAME) if isinstance(step, str) else step for step in path)
    return shorten(format_path(steps), MAX_PATH)


class _AtFinding:
    """A suggestion without paths of its own."""

    def with_prefix(self, prefix: Path) -> Self:  # noqa: ARG002
        return self


class InsertElement:
    """Add an element to a list."""

    def __init__(self, path: Path, element: object) -> None:
        self._path = path
        self._element = element

    def with_prefix(self, prefix: Path) -> InsertElement:
        return InsertElement(prefix + self._path, self._element)

    def to_text(self, used_names: UsedNames, suggested_names: SuggestedNames) -> str:
        element = with_free_ids(self._element, used_names, suggested_names)
        return f"Add {as_json(element)} to {path_text(self._path)}."


class Rename(_AtFinding):
    """Give a property its registered name.

    Attributes:
        key: the key of the property in the document.
        name: the registered name.
    """

    def __init__(self, key: str, name: str) -> None:
        self.key = key
        self.name = name

    def to_text(self, used_names: UsedNames, suggested_names: SuggestedNames) -> str:  # noqa: ARG002
        return f"Rename {as_json(shorten(self.key, MAX_NAME))} to {as_json(self.name)}."


class WriteInstead(_AtFinding):
    """Replace a value by the one that is meant.

    Attributes:
        value: the value that is meant.
        got: the value in the document.
    """

    def __init__(self, value: str, got: object) -> None:
        self.value = value
        self.got = got

    def to_text(self, used_names: UsedNames, suggested_names: SuggestedNames) -> str:  # noqa: ARG002
        return f"Write {as_json(self.value)} instead of {shorten(as_json(self.got), MAX_NAME)}."


class Changes(_AtFinding):
    """Write one value at several paths, and add an element.

    Args:
        paths: the paths.
        value: the value.
        addition: the element, or None.
        is_whole: whether the hint has no other change; else these follow that at the path of the finding.
    """

    def __init__(
        self, paths: list[Path], value: str, addition: InsertElement | None, *, is_whole: bool = False
    ) -> None:
        self._paths = paths
        self._value = value
        self._addition = addition
        self.is_whole = is_whole

    def to_text(self, used_names: UsedNames, suggested_names: SuggestedNames) -> str:
        changes = []
        if self._paths:
            paths = " and ".join(path_text(path) for path in self._paths)
            changes.append(f"set {paths} to {as_json(self._value)}")
        if self._addition is not None:
            addition = self._addition.to_text(used_names, suggested_names).removesuffix(".")
            changes.append(addition[:1].lower() + addition[1:])
        text = " and ".join(changes) + "."
        if self.is_whole:
            return text[:1].upper() + text[1:]
        return f"Then {text}"


class Unnest(_AtFinding):
    """Replace an object by the value of one of its properties.

    Args:
        name: the property.
        is_text: whether its value is a string that contains an object as JSON.
    """

    def __init__(self, name: str, *, is_text: bool = False) -> None:
        self.name = name
        self._form = ""
        self._source = "the value of"
        if is_text:
            self._form = ", as text"
            self._source = "the object that is the text of"

    def to_text(self, used_names: UsedNames, suggested_names: SuggestedNames) -> str:  # noqa: ARG002
        name = as_json(shorten(self.name, MAX_NAME))
        return f"The document is in {name}{self._form}: put {self._source} {name} in the place of the object around it."


class PutInto(_AtFinding):
    """Put a list into an object, as one of its properties.

    Args:
        name: the property.
    """

    def __init__(self, name: str) -> None:
        self.name = name

    def to_text(self, used_names: UsedNames, suggested_names: SuggestedNames) -> str:  # noqa: ARG002
        name = as_json(self.name)
        return f"Put the array into {name}: {{{name}: […]}}."


class PutInList(_AtFinding):
    """Make an object the only element of a list."""

    def to_text(self, used_names: UsedNames, suggested_names: SuggestedNames) -> str:  # noqa: ARG002
        return "Put it into an array: [{…}]."


class TakeElement(_AtFinding):
    """Replace a list by its only element."""

    def to_text(self, used_names: UsedNames, suggested_names: SuggestedNames) -> str:  # noqa: ARG002
        return "Replace the array by its only element."


class TakeValue(_AtFinding):
    """Replace an object by the value of its only property.

    Args:
        name: the property.
    """

    def __init__(self, name: str) -> None:
        self.name = name

    def to_text(self, used_names: UsedNames, suggested_names: SuggestedNames) -> str:  # noqa: ARG002
        return f"Replace the object by its {as_json(shorten(self.name, MAX_NAME))}."


class ListByKey(_AtFinding):
    """Replace an object of objects by a list of them, each with its key as a property.

    Args:
        name: the property.
        key: one of the keys that is a valid name, or ``""``.
    """

    def __init__(self, name: str, key: str) -> None:
        self.name = name
        self._key = key

    def to_text(self, used_names: UsedNames, suggested_names: SuggestedNames) -> str:  # noqa: ARG002
        name = as_json(self.name)
        key = "…"
        if self._key:
            key = as_json(self._key)
        return f"Write its objects as an array, each with its key as {name}: [{{{name}: {key}, …}}, …]."


class Dissolve(_AtFinding):
    """Replace a property of an object by the properties of its value.

    Args:
        place: the path of a property in the object, which begins with the property that is replaced.
        name: the registered name of the property at `place`; ``""`` for the property that is replaced.
    """

    def __init__(self, place: tuple[str, ...], name: str = "") -> None:
        self.place = place
        self.name = name

    def to_text(self, used_names: UsedNames, suggested_names: SuggestedNames) -> str:  # noqa: ARG002
        holder = as_json(shorten(self.place[0], MAX_NAME))
        return f"Replace {holder} by the properties in it."


class WrapIn(_AtFinding):
    """Wrap a node in a new one.

    Args:
        node: the new node.
        children_prop: the property of the new node that contains the old one.
    """

    def __init__(self, node: dict[str, object], children_prop: str) -> None:
        self._node = node
        self._children_prop = children_prop

    def to_text(self, used_names: UsedNames, suggested_names: SuggestedNames) -> str:
        node = with_free_ids(self._node, used_names, suggested_names)
        assert isinstance(node, dict)  # noqa: S101
        without_end = as_json(node | {self._children_prop: []}).removesuffix("[]}")
        return f"Wrap it: {without_end}[…]}}."


class ReplaceByChildren(_AtFinding):
    """Replace a node by its children."""

    def __init__(self, children_prop: str) -> None:
        self._children_prop = children_prop

    def to_text(self, used_names: UsedNames, suggested_names: SuggestedNames) -> str:  # noqa: ARG002
        return f"Replace it by its `{self._children_prop}`."


class ReplaceParent:
    """Replace the node around the finding by its children.

    Args:
        path: the path of its list of children.
    """

    def __init__(self, path: Path) -> None:
        self._path = path

    def with_prefix(self, prefix: Path) -> ReplaceParent:
        return ReplaceParent(prefix + self._path)

    def to_text(self, used_names: UsedNames, suggested_names: SuggestedNames) -> str:  # noqa: ARG002
        *parent, name = self._path
        return f"Replace {path_text((*parent,))} by its `{shorten(str(name), MAX_NAME)}`."


class DescribeTypes(_AtFinding):
    """Name what each allowed type requires, for a node of which no type is known.

    Args:
        shapes: the shapes of the types.
    """

    def __init__(self, shapes: tuple[Shape, ...]) -> None:
        self._shapes = shapes

    def to_text(self, used_names: UsedNames, suggested_names: SuggestedNames) -> str:  # noqa: ARG002
        return _requirements(self._shapes)


@cache
def _requirements(shapes: tuple[Shape, ...]) -> str:
    parts = []
    for shape in shapes:
        names = ", ".join(f"`{name}`" for name in shape.required if name not in ("id", "type"))
        parts.append(f"{shape.name} requires {names}")
    return f"{'; '.join(parts)}."


class FixFirst:
    """Fix another path first: this finding is probably a consequence."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def with_prefix(self, prefix: Path) -> FixFirst:
        return FixFirst(prefix + self.path)

    def to_text(self, used_names: UsedNames, suggested_names: SuggestedNames) -> str:  # noqa: ARG002
        return f"Fix {path_text(self.path)} first."


def suggest_restructure(shape: Shape, kind: NodeKind) -> Suggestion | None:
    """Suggest how a node of `shape` becomes valid where `kind` is expected: wrapped, or replaced by its children."""
    example = kind.example
    for outer in kind.shapes:
        name = _children_prop(outer, (shape,))
        if name and isinstance(example, dict) and example.get("type") == outer.name:
            return WrapIn({key: value for key, value in example.items() if key != name}, name)
    name = _children_prop(shape, kind.shapes)
    if not name:
        return None
    return ReplaceByChildren(name)


def _children_prop(outer: Shape, inner: tuple[Shape, ...]) -> str:
    """Return the property of `outer` whose list may contain nodes of one of the `inner` shapes, or ``""``."""
    names = {shape.name for shape in inner}
    for prop in outer.props.values():
        items = prop.kind.items if isinstance(prop.kind, ListKind) else None
        if isinstance(items, NodeKind) and names & items.types.keys():
            return prop.name
    return ""
