"""What a hint tells to write: examples that fit into the document around them, and what to do where no value helps.

An example that is taken word for word must not bring the next fault with it: its ids are free, and names that are
waited for are the ones that it defines.
"""

from __future__ import annotations

import json
import re

from rui_common.suggest import kebab_case
from rui_common.syntax.paths import format_path
from rui_common.vocabulary.kinds import ListKind, NodeKind, ObjectKind

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Protocol, Self

    from rui_common.syntax.paths import Path
    from rui_common.validation.scopes import Scope
    from rui_common.vocabulary.schema import Kind, Prop, Shape, Symbol

    Taken = tuple[Mapping[str, object], ...]

    class Remedy(Protocol):
        """Something to do that is not writing a value where the finding is."""

        def below(self, prefix: Path) -> Remedy:
            """The same, seen from further up."""

        def sentence(self, taken: Taken, given: Given) -> str:
            """It in words, with the exact text to write."""


as_json = json.JSONEncoder(ensure_ascii=False).encode
"""A value as a hint shows it; `json.dumps` makes an encoder anew for each."""


class Given:
    """New names that the hints of one answer have given away, and the last number behind each stem."""

    __slots__ = ("names", "numbers")

    def __init__(self) -> None:
        self.names: set[str] = set()
        self.numbers: dict[str, int] = {}


MAX_READ = 200
"""Characters of a string in which the right form is looked for."""

MAX_STEM = 58
"""Letters of an id that stay when a number is put behind it: an id has at most 64."""

MAX_NAME = 40
"""Characters of a property's name that a hint repeats."""

_NUMBER = re.compile(r"-?[0-9]+\Z")


class _Here:
    """Something to do where the finding is."""

    def below(self, prefix: Path) -> Self:  # noqa: ARG002
        """The same."""
        return self


class Insert:
    """Add an element to a list elsewhere."""

    def __init__(self, path: Path, value: object) -> None:
        self._path = path
        self._value = value

    def below(self, prefix: Path) -> Insert:
        """The same, seen from further up."""
        return Insert(prefix + self._path, self._value)

    def sentence(self, taken: Taken, given: Given) -> str:
        """It in words."""
        return f"Add {as_json(freed(self._value, taken, given))} to {format_path(self._path)}."


class TakeOut(_Here):
    """Put the value of a property in the place of the object around it.

    Args:
        name: the property.
        is_text: whether its value is a string that holds an object as JSON.
    """

    def __init__(self, name: str, *, is_text: bool = False) -> None:
        self._name = name
        self._what = "the object that is the text of" if is_text else "the value of"

    def sentence(self, taken: Taken, given: Given) -> str:  # noqa: ARG002  nothing new is written
        """It in words."""
        name = self._name if len(self._name) <= MAX_NAME else self._name[: MAX_NAME - 1] + "…"
        return f"What is in it is kept: put {self._what} {as_json(name)} in the place of the object around it."


class Wrap(_Here):
    """Put a node into a new one that may stand in its place.

    Args:
        node: the new one.
        holds: the property of it that holds nodes.
    """

    def __init__(self, node: dict[str, object], holds: str) -> None:
        self._node = node
        self._holds = holds

    def sentence(self, taken: Taken, given: Given) -> str:
        """It in words; what is there goes where the ellipsis stands."""
        node = freed(self._node, taken, given)
        assert isinstance(node, dict)  # noqa: S101  freeing names keeps what holds them
        return f"Wrap it: {as_json(node | {self._holds: []})[:-3]}[…]}}."


class Unwrap(_Here):
    """Put the nodes that a node holds in its place."""

    def __init__(self, holds: str) -> None:
        self._holds = holds

    def sentence(self, taken: Taken, given: Given) -> str:  # noqa: ARG002  nothing new is written
        """It in words."""
        return f"Put its `{self._holds}` in its place."


def restructured(shape: Shape, kind: NodeKind) -> Remedy | None:
    """How a node of a shape that is not allowed in a place gets a right one: wrapped, or taken out of the way.

    Returns:
        None if neither is enough.
    """
    example = kind.example
    for outer in kind.shapes:
        name = _holder(outer, (shape,))
        if name and isinstance(example, dict) and example.get("type") == outer.name:
            return Wrap({key: value for key, value in example.items() if key != name}, name)
    inner = _holder(shape, kind.shapes)
    return Unwrap(inner) if inner else None


def _holder(outer: Shape, inner: tuple[Shape, ...]) -> str:
    """The property of a shape whose list may hold nodes of one of the others, or ``""``."""
    names = {shape.name for shape in inner}
    for prop in outer.props.values():
        items = prop.kind.items if isinstance(prop.kind, ListKind) else None
        if isinstance(items, NodeKind) and names & items.types.keys():
            return prop.name
    return ""


def element_of(example: object) -> object:
    """The first element of the example of a list, None if there is none."""
    return example[0] if isinstance(example, list) and example else None


def nested(path: Path, value: object) -> object:
    """A value in as many objects as `path` has steps."""
    for name in reversed(path):
        value = {str(name): value}
    return value


def fitted(prop: Prop, kind: Kind, example: object, scopes: Mapping[Symbol, Scope]) -> object:
    """An example that brings the names which are waited for, and uses those that there are.

    Args:
        prop: the property that it is for.
        kind: what the example is of: the kind of the property, or of the elements of its list.
        example: the declared one.
        scopes: the names of the document and of the object around it.
    """
    if isinstance(kind, ObjectKind) and isinstance(example, dict):
        props = kind.shape.props
        return {
            name: fitted(props[name], props[name].kind, value, scopes) if name in props else value
            for name, value in example.items()
        }
    if isinstance(kind, ListKind) and isinstance(example, list) and example:
        return _elements(kind.items, example, scopes) or example
    if prop.defines is not None and (waiting := _waiting(prop.defines, scopes)):
        return waiting[0]
    if prop.uses is not None and prop.uses in scopes:
        scope = scopes[prop.uses]
        defined = scope.defined[prop.uses].names()
        unused = (name for name in defined if name not in scope.used[prop.uses].first)
        return next(iter((*unused, *defined, example)))
    return example


def _elements(items: Kind, example: list[object], scopes: Mapping[Symbol, Scope]) -> list[object]:
    """An element for every name that is used and not defined, or for every one that is defined; or none."""
    if isinstance(items, NodeKind):
        names = _waiting(items.defines, scopes)
        first = example[0]
        return [{**first, "id": name} for name in names] if isinstance(first, dict) else []
    if not isinstance(items, ObjectKind):
        return []
    for prop in items.shape.props.values():
        names = _waiting(prop.defines, scopes)
        if names:
            there = [element.get(prop.name) for element in example if isinstance(element, dict)]
            return [*example, *({prop.name: name} for name in names if name not in there)]
        if prop.uses in scopes and prop.uses is not None and prop.required:
            return [{prop.name: name} for name in scopes[prop.uses].defined[prop.uses].first]
    return []


def _waiting(symbol: Symbol | None, scopes: Mapping[Symbol, Scope]) -> list[str]:
    """The names of a sort that are used and not defined."""
    if symbol is None or symbol not in scopes:
        return []
    scope = scopes[symbol]
    return [name for name in scope.used[symbol].first if name not in scope.defined[symbol].first]


class FixFirst:
    """Mend what stands elsewhere: then this may be right as it is."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def below(self, prefix: Path) -> FixFirst:
        """The same, seen from further up."""
        return FixFirst(prefix + self.path)

    def sentence(self, taken: Taken, given: Given) -> str:  # noqa: ARG002  nothing new is written
        """It in words."""
        return f"Mend {format_path(self.path)} first."


class NewName(str):
    """A name that an example brings with it: it must not be taken."""

    __slots__ = ()


class KeptName(str):
    """The name that is there already, in an example for its place."""

    __slots__ = ()


def named(prop: Prop, example: object) -> object:
    """The example of a property, with a `NewName` wherever it defines one."""
    if prop.defines is not None and isinstance(example, str):
        return NewName(example)
    return _with_names(prop.kind, example)


def _with_names(kind: Kind, example: object) -> object:
    if isinstance(kind, ListKind):
        return _with_names(kind.items, example)
    if not isinstance(kind, ObjectKind) or not isinstance(example, dict):
        return example
    props = kind.shape.props
    return {name: named(props[name], value) if name in props else value for name, value in example.items()}


def keeping_id(example: object, value: dict[str, object], shapes: tuple[Shape, ...]) -> object:
    """The example of a node under the id that is there, if that is a good one."""
    name = value.get("id")
    kind = shapes[0].props["id"].kind
    if isinstance(example, dict) and isinstance(name, str) and kind.accepts(name):
        return example | {"id": KeptName(name)}
    return example


def corrected(value: object, kind: Kind, prop: Prop, example: object) -> object:
    """Return the most likely well-formed value for a malformed one, `example` if there is none."""
    if not isinstance(value, str):
        return next((new for new, _ in kind.corrections(value, example)), example)
    if len(value) > MAX_READ:
        return example
    kebab = kebab_case(value) if prop.defines is not None else ""
    if kebab and kind.accepts(kebab):
        return kebab
    return next((new for new, _ in kind.corrections(value, example)), example)


def freed(example: object, taken: Taken, given: Given) -> object:
    """An example in which every new name, and every id of a node, is one that nobody has yet.

    Args:
        example: the example.
        taken: the names that are taken.
        given: those that other examples gave away; what this one takes is added.
    """
    if isinstance(example, NewName):
        return _free(example, taken, given)
    if isinstance(example, list):
        return [freed(element, taken, given) for element in example]
    if not isinstance(example, dict):
        return example
    is_node = "type" in example
    return {
        name: _free(value, taken, given) if is_node and name == "id" and type(value) is str
        else freed(value, taken, given)
        for name, value in example.items()
    }  # fmt: skip


def _free(name: str, taken: Taken, given: Given) -> str:
    """The name, or with the first number behind it that makes it free; from now on it is taken.

    Where many ask for names of one stem, each goes on from the number that was given last.
    """
    stem = _NUMBER.sub("", name)[:MAX_STEM] or name
    number = given.numbers.get(stem, 1)
    while name in given.names or any(name in names for names in taken):
        number += 1
        name = f"{stem}-{number}"
    given.numbers[stem] = number
    given.names.add(name)
    return name
