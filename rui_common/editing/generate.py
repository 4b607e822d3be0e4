"""New values that fit into a document: free ids, references to existing names, placeholders for the rest."""

from __future__ import annotations

import re
from bisect import bisect_left
from functools import cached_property
from itertools import islice, takewhile

from rui_common.json_values import as_list, as_object
from rui_common.syntax.document import Document
from rui_common.syntax.paths import Path, value_at
from rui_common.validation.findings import ABSENT
from rui_common.validation.names import Name, NameTable, Scope
from rui_common.validation.validator import names_of
from rui_common.vocabulary.kinds import ListKind, NodeKind, ObjectKind
from rui_common.vocabulary.lookup import schema_location, shape_of
from rui_common.vocabulary.rui_0_1 import VOCABULARY
from rui_common.vocabulary.schema import Kind, Prop, Shape, Symbol, Vocabulary

Json = dict[str, object]


_NUMBER = re.compile(r"-?[0-9]+\Z")
_MAX_STEM = 60
"""Maximum length of a name before a number is appended."""


class NamesInUse:
    """The names of a document. They are collected on first use.

    Attributes:
        symbols: the symbols of the vocabulary.
    """

    def __init__(self, document: Document, vocabulary: Vocabulary = VOCABULARY) -> None:
        self._document = document
        self._vocabulary = vocabulary
        self.symbols = vocabulary.symbols
        self._undefined: dict[Scope, bool] = {}
        self._scoped = {symbol for shape in vocabulary.shapes.values() for symbol in shape.scope}

    @cached_property
    def _table(self) -> NameTable:
        return names_of(self._document.value, self._vocabulary)

    @cached_property
    def _in_order(self) -> list[Name]:
        return sorted(self._table, key=_path_of)

    @cached_property
    def _by_path(self) -> dict[Path, list[Name]]:
        names: dict[Path, list[Name]] = {}
        for name in self._table:
            names.setdefault(name.path, []).append(name)
        return names

    def at(self, path: Path) -> list[Name]:
        """Return the names at a path: several if the name belongs to several symbols."""
        return self._by_path.get(path, [])

    def below(self, path: Path) -> list[Name]:
        """Return the names at a path or below it."""
        names = self._in_order
        first = bisect_left(names, path, key=_path_of)
        return [*takewhile(lambda name: name.path[: len(path)] == path, islice(names, first, None))]

    def scope_of(self, symbol: Symbol, path: Path) -> Path:
        """Return the path of the innermost object around `path` that is a scope of a symbol; ``()`` is the document."""
        scope: Path = ()
        if symbol in self._scoped:
            for length in range(len(path) + 1):
                shape = self._shape_at(path[:length])
                if shape is not None and symbol in shape.scope:
                    scope = path[:length]
        return scope

    def same(self, name: Name) -> list[Name]:
        """Return all definitions and uses of a name, itself included."""
        return [*self.definitions(name.scope, name.name), *self._table.within(name.scope).used.get(name.name, ())]

    def definitions(self, scope: Scope, name: str) -> list[Name]:
        """Return the definitions of a name in a scope in document order."""
        return self._table.within(scope).defined.get(name, [])

    def count_definitions(self, name: Name) -> int:
        """Return how often a name is defined."""
        return len(self.definitions(name.scope, name.name))

    def has_undefined(self, scope: Scope) -> bool:
        """Return whether a scope has a use without a definition."""
        if scope not in self._undefined:
            names = self._table.within(scope)
            self._undefined[scope] = not names.used.keys() <= names.defined.keys()
        return self._undefined[scope]

    def names(self, symbol: Symbol, scope: Path, *, used: bool = False) -> list[str]:
        """Return the distinct names of a symbol in a scope: the defined ones, or the used ones."""
        names = self._table.within(Scope(symbol, scope))
        if used:
            return [*names.used]
        return [*names.defined]

    def generator_at(self, path: Path) -> ValueGenerator:
        """A generator of values for the object or array at `path`."""
        return ValueGenerator(self, path)

    def _shape_at(self, path: Path) -> Shape | None:
        location = schema_location(self._document.value, path, self._vocabulary)
        if location is None:
            return None
        return shape_of(value_at(self._document.value, path), location.kind, self._vocabulary)


def _path_of(name: Name) -> Path:
    # Paths below one container have names only, or indices only, at the same step: they can be compared.
    return name.path


class ValueGenerator:
    """Generates values for one place of a document. The names in them count as defined from then on."""

    def __init__(self, names: NamesInUse, path: Path) -> None:
        self._in_document = names
        self._path = path
        self._new_names: dict[Symbol, list[str]] = {}
        self._last_numbers: dict[tuple[Symbol | None, str], int] = {}  # by symbol and stem

    def free_name(self, symbol: Symbol | None, like: str) -> str:
        """A name that is not defined, such as ``note-2`` if ``note`` is. It counts as defined from now on."""
        stem = _NUMBER.sub("", like)[:_MAX_STEM] or like
        name = like
        number = self._last_numbers.get((symbol, stem), 1)
        while not self.is_free(symbol, name):
            number += 1
            name = f"{stem}-{number}"
        self._last_numbers[symbol, stem] = number
        self._reserve(symbol, name)
        return name

    def is_free(self, symbol: Symbol | None, name: str) -> bool:
        """Whether a name is not defined yet."""
        if symbol is None:
            return True
        if name in self._new_names.get(symbol, ()):
            return False
        scope = Scope(symbol, self._in_document.scope_of(symbol, self._path))
        return not self._in_document.definitions(scope, name)

    def _names(self, symbol: Symbol, *, used: bool = False) -> list[str]:
        new_names = [] if used else self._new_names.get(symbol, [])
        scope = self._in_document.scope_of(symbol, self._path)
        return list(dict.fromkeys([*self._in_document.names(symbol, scope, used=used), *new_names]))

    def _reserve(self, symbol: Symbol | None, name: str) -> None:
        if symbol is not None:
            self._new_names.setdefault(symbol, []).append(name)

    def new_object(self, shape: Shape, example: object = None, fixed: Json | None = None) -> Json:
        """An object with the required properties of a shape and those of an example.

        Args:
            example: an object whose values take precedence over the examples of the properties.
            fixed: properties to copy unchanged.
        """
        examples = as_object(example)
        fixed = fixed or {}
        value: Json = {}
        for name, prop in {**shape.props, **shape.suggested}.items():
            if name in fixed:
                value[name] = fixed[name]
                self._reserve(prop.defines, str(fixed[name]))
            elif prop.required or (name in examples and prop.placeholder):
                value[name] = self.new_value(prop, examples.get(name, prop.example))
        return value

    def new_value(self, prop: Prop, example: object = None) -> object:
        """A value for a property: its placeholder if only the author knows it, else one like the example.

        Text without a placeholder is empty: no value is an invented word.
        """
        if prop.placeholder and (prop.uses is None or not self._names(prop.uses)):
            if prop.defines is None:
                return prop.placeholder
            return self.free_name(prop.defines, prop.placeholder)
        if prop.kind.is_free_text and prop.defines is None and prop.uses is None:
            return ""
        if example is None:
            example = prop.example
        return self._value(prop.kind, example, prop)

    def missing_value(self, prop: Prop, owner: Kind | None) -> object:
        """A value for a missing property; if it defines a name, a dangling one if possible.

        Args:
            owner: the kind of the object that lacks it.
        """
        if owner is not None and prop.defines is not None:
            names = self.dangling_names(owner, prop)
            if names:
                return names[0]
        return self.new_value(prop)

    def _value(self, kind: Kind, example: object, prop: Prop | None = None) -> object:
        if prop is not None and isinstance(example, str):
            if prop.defines is not None:
                return self.free_name(prop.defines, example)
            if prop.uses is not None:
                defined = self._names(prop.uses)
                if defined and example not in defined:
                    return defined[0]
        if isinstance(kind, ListKind):
            return [self._value(kind.items, next(iter(as_list(example)), None))]
        shapes = kind.inner_shapes
        if not shapes:
            return kind.default(example)
        node_type = as_object(example).get("type")
        shape = next((shape for shape in shapes if shape.name == node_type), shapes[0])
        return self.new_object(shape, example)

    def dangling_names(self, items: Kind, prop: Prop) -> list[str]:
        """For a property that defines names, those used but not defined; for a required use, all defined ones."""
        symbol = prop.defines
        if isinstance(items, NodeKind) and symbol is not None:
            symbol = items.defines
        if symbol is not None:
            defined = set(self._names(symbol))
            return [
                name
                for name in self._names(symbol, used=True)
                if name not in defined and prop.kind.accepts(name) and self.is_free(prop.defines, name)
            ]
        if prop.required and prop.uses is not None:
            return self._names(prop.uses)
        return []


def default_value(prop: Prop, shape: Shape, siblings: dict[str, object]) -> tuple[object, bool]:
    """The obvious value of a missing property, and whether it is certain.

    A literal is uncertain if another literal of the object has a value that does not belong to this shape.

    Returns:
        ``(ABSENT, False)`` if there is no obvious value.
    """
    kind = prop.kind
    if len(kind.values) == 1:
        literals = {name: other.kind.values for name, other in shape.props.items() if other.kind.values}
        return kind.values[0], all(siblings[name] in literals[name] for name in literals if name in siblings)
    if isinstance(kind, ObjectKind) and not kind.shape.required:
        return {}, True
    return ABSENT, False
