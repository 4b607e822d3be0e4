"""Examples in hints: values that are valid at a place of a document, and made of its own names and words.

An example is built when a hint shows it. The names that it defines are free, those that the document uses and does not
define become its definitions, and its uses refer to names that exist.
"""

from __future__ import annotations

from rui_common.validation.free_names import FreshIdPlaceholder, free_name, with_free_ids
from rui_common.validation.model import ABSENT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from rui_common.syntax.paths import Path
    from rui_common.validation.example_builder import Scopes
    from rui_common.validation.model import SuggestedNames, UsedNames
    from rui_common.vocabulary.kinds import NodeKind
    from rui_common.vocabulary.schema import Kind, Prop, Shape


class Example:
    """A valid value for a place in a document.

    Attributes:
        scopes: the names of the document and of the objects around the place.
    """

    __slots__ = ("scopes",)

    def __init__(self, scopes: Scopes) -> None:
        self.scopes = scopes

    def build(self, path: Path, got: object, used_names: UsedNames, suggested_names: SuggestedNames) -> object:
        """Return the value.

        Args:
            path: the place.
            got: the value there, or `ABSENT`.
            used_names: the names in use.
            suggested_names: the words of the document, and the names in other hints.
        """
        raise NotImplementedError

    def used_names(self) -> Iterator[Mapping[str, object]]:
        """Yield the names that new names in the value must differ from."""
        return (scope.defined[symbol].first for symbol, (scope, _) in self.scopes.items())


class NewValue(Example):
    """The value of a property or of an element of its list.

    Args:
        prop: the property.
        kind: the kind of the value: that of the property, or of the elements of its list.
        declared: a declared example of that kind.
        scopes: see `Example`.
    """

    __slots__ = ("_declared", "_kind", "_prop")

    def __init__(self, prop: Prop, kind: Kind, declared: object, scopes: Scopes) -> None:
        super().__init__(scopes)
        self._prop = prop
        self._kind = kind
        self._declared = declared

    def build(self, path: Path, got: object, used_names: UsedNames, suggested_names: SuggestedNames) -> object:
        # Not at start-up: valid documents have no hints.
        from rui_common.validation.example_builder import ExampleBuilder  # noqa: PLC0415

        builder = ExampleBuilder(self.scopes, used_names, suggested_names)
        return builder.value_at(path, self._prop, self._kind, self._declared, got)


class ObjectInPlace(Example):
    """An object of one shape that keeps the valid properties of the object that is there."""

    __slots__ = ("_declared", "_shape")

    def __init__(self, shape: Shape, declared: object, scopes: Scopes) -> None:
        super().__init__(scopes)
        self._shape = shape
        self._declared = declared

    def build(self, path: Path, got: object, used_names: UsedNames, suggested_names: SuggestedNames) -> object:  # noqa: ARG002
        from rui_common.validation.example_builder import ExampleBuilder  # noqa: PLC0415

        return ExampleBuilder(self.scopes, used_names, suggested_names).object_at(path, self._shape, self._declared)


class NodeInPlace(Example):
    """A node in place of a value that is no object, or of a node of another type, made of the words in it."""

    __slots__ = ("_id", "_kind")

    def __init__(self, kind: NodeKind, node_id: str = "") -> None:
        super().__init__({})
        self._kind = kind
        self._id = node_id

    def with_id(self, node_id: str) -> NodeInPlace:
        """Return the example with a given id."""
        return NodeInPlace(self._kind, node_id)

    def build(self, path: Path, got: object, used_names: UsedNames, suggested_names: SuggestedNames) -> object:
        from rui_common.validation.example_builder import ExampleBuilder  # noqa: PLC0415

        return ExampleBuilder(self.scopes, used_names, suggested_names).node_at(path, self._kind, got, self._id)


def build_example(
    example: object, path: Path, got: object, used_names: UsedNames, suggested_names: SuggestedNames
) -> object:
    """Return an example with free names, or `ABSENT` if it would be the value that is there."""
    if isinstance(example, Example):
        used_names = _NamesAround(used_names, example)
        example = example.build(path, got, used_names, suggested_names)
    if isinstance(example, FreshIdPlaceholder):
        new_names = suggested_names.new_names
        if path not in new_names:
            new_names[path] = free_name(str(example), used_names, suggested_names)
        example = new_names[path]
    built = with_free_ids(example, used_names, suggested_names)
    if built == got:
        return ABSENT
    return built


class _NamesAround:
    """Names of the document and those in the scopes of an example; most examples define no names."""

    __slots__ = ("_example", "_used_names")

    def __init__(self, used_names: UsedNames, example: Example) -> None:
        self._used_names = used_names
        self._example = example

    def __iter__(self) -> Iterator[Mapping[str, object]]:
        yield from self._used_names
        yield from self._example.used_names()
