"""New values that fit into a document: ids that are free, references that lead somewhere, examples for the rest."""

from __future__ import annotations

import re

from rui_common.validation.findings import ABSENT
from rui_common.validation.scopes import ANY_ELEMENT, sites
from rui_common.vocabulary.kinds import ListKind, NodeKind, ObjectKind
from rui_common.vocabulary.lookup import Occurrence, occurrences, schema_location, shape_of
from rui_common.vocabulary.rui_0_1 import VOCABULARY

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from rui_common.syntax.document import Document
    from rui_common.syntax.paths import Path
    from rui_common.vocabulary.schema import Kind, Prop, Shape, Symbol, Vocabulary

    Json = dict[str, object]

_NUMBER = re.compile(r"-?[0-9]+\Z")
_MAX_ID = 60


class NamesInUse:
    """The names of one document. What is asked for is looked for where it can be; only some questions need all of it.

    Args:
        document: the document, valid or not.
        vocabulary: what says where names are.
    """

    def __init__(self, document: Document, vocabulary: Vocabulary = VOCABULARY) -> None:
        self._document = document
        self._vocabulary = vocabulary
        self.symbols = vocabulary.symbols
        self._taken: dict[tuple[Symbol, Path], frozenset[str]] = {}
        self._scoped = {symbol for shape in vocabulary.shapes.values() for symbol in shape.scope}

    def below(self, path: Path) -> list[Occurrence]:
        """The names that stand at a path or below it."""
        return list(occurrences(self._document.value, self._vocabulary, below=path))

    def scope_of(self, symbol: Symbol, path: Path) -> Path:
        """The path of the object within which names of a sort are told apart at `path`."""
        found: Path = ()
        for length in range(len(path) + 1 if symbol in self._scoped else 0):
            shape = self._shape_at(path[:length])
            if shape is not None and symbol in shape.scope:
                found = path[:length]
        return found

    def within(self, symbol: Symbol, scope: Path, *, used: bool | None = None) -> list[Occurrence]:
        """The names of a sort within a scope: the defined ones, those that are used, or all."""
        if symbol not in self._scoped:
            from rui_common.editing.references import reference_index  # noqa: PLC0415  `rui check` mostly does without it

            names = reference_index(self._document, self._vocabulary)
            return [seen for seen in names.of(symbol) if used in {None, seen.is_use}]
        shape = self._shape_at(scope)
        found: list[Occurrence] = []
        for is_use in (False, True) if used is None else (used,):
            for site in () if shape is None else sites(shape, symbol, defining=not is_use):
                for path, name in _at_site(value_at(self._document.value, scope), site, scope):
                    found.append(Occurrence(symbol, name, path, is_use, scope))
        return found

    def names(self, symbol: Symbol, scope: Path, *, used: bool = False) -> list[str]:
        """The names of a sort within a scope, each once: the defined ones, or those that are used."""
        return list(dict.fromkeys(seen.name for seen in self.within(symbol, scope, used=used)))

    def taken(self, symbol: Symbol, scope: Path) -> frozenset[str]:
        """The names of a sort that are defined within a scope."""
        known = self._taken.get((symbol, scope))
        if known is None:
            known = self._taken[symbol, scope] = frozenset(self.names(symbol, scope))
        return known

    def maker_at(self, path: Path) -> ValueGenerator:
        """What makes values for the object or array at `path`."""
        return ValueGenerator(self, path)

    def _shape_at(self, path: Path) -> Shape | None:
        place = schema_location(self._document.value, path, self._vocabulary)
        value = value_at(self._document.value, path)
        return None if place is None else shape_of(value, place.kind, self._vocabulary)


def _at_site(value: object, site: Path, path: Path) -> Iterator[tuple[Path, str]]:
    """Every string at the end of a site (see `rui_common.validation.scopes.sites`), with its path."""
    if not site:
        if isinstance(value, str):
            yield path, value
    elif site[0] == ANY_ELEMENT:
        for index, element in enumerate(value) if isinstance(value, list) else ():
            yield from _at_site(element, site[1:], (*path, index))
    elif isinstance(value, dict) and site[0] in value:
        yield from _at_site(value[str(site[0])], site[1:], (*path, site[0]))


class ValueGenerator:
    """Makes values for one place of a document.

    Args:
        names: the names of the document.
        path: the object or array that the values are for.
        made: the names that were made already, by symbol.
        new: symbols whose scope is itself new, so that there are none but those.
    """

    def __init__(
        self, names: NamesInUse, path: Path,
        made: dict[Symbol, list[str]] | None = None, new: tuple[Symbol, ...] = (),
    ) -> None:  # fmt: skip
        self._in_document = names
        self._path = path
        self._new = new
        self._made: dict[Symbol, list[str]] = {} if made is None else made
        self._tried: dict[tuple[Symbol | None, str], int] = {}  # numbers up to which names are taken, by stem

    def free(self, symbol: Symbol | None, like: str) -> str:
        """A name that is not taken, such as ``note-2`` where ``note`` is; it is taken from now on."""
        stem = _NUMBER.sub("", like)[:_MAX_ID] or like
        name, number = like, self._tried.get((symbol, stem), 1)
        while not self.is_free(symbol, name):
            number += 1
            name = f"{stem}-{number}"
        self._tried[symbol, stem] = number
        self._take(symbol, name)
        return name

    def is_free(self, symbol: Symbol | None, name: str) -> bool:
        """Whether nothing defines a name yet."""
        if symbol is None:
            return True
        if name in self._made.get(symbol, ()):
            return False
        if symbol in self._new:
            return True
        return name not in self._in_document.taken(symbol, self._in_document.scope_of(symbol, self._path))

    def is_taken(self, symbol: Symbol, name: str) -> bool:
        """Whether something defines a name."""
        return name in self._names(symbol)

    def _names(self, symbol: Symbol, *, used: bool = False) -> list[str]:
        made = [] if used else self._made.get(symbol, [])
        if symbol in self._new:
            return made
        scope = self._in_document.scope_of(symbol, self._path)
        return list(dict.fromkeys([*self._in_document.names(symbol, scope, used=used), *made]))

    def _take(self, symbol: Symbol | None, name: str) -> None:
        if symbol is not None:
            self._made.setdefault(symbol, []).append(name)

    def _inside(self, shape: Shape) -> ValueGenerator:
        """What makes the values of a new object."""
        if not shape.scope:
            return self
        symbols = [symbol for symbol in self._in_document.symbols if symbol not in shape.scope]
        made = {symbol: self._made.setdefault(symbol, []) for symbol in symbols}
        return ValueGenerator(self._in_document, self._path, made, (*self._new, *shape.scope))

    def make(self, shape: Shape, example: object = None, given: Json | None = None) -> Json:
        """An object of a shape: what is required, and what its example has.

        Args:
            shape: the shape.
            example: an object whose values are preferred to the examples of the single properties.
            given: properties to take over as they are.
        """
        maker = self._inside(shape)
        wanted, taken = example if isinstance(example, dict) else {}, given or {}
        made: Json = {}
        for name, prop in {**shape.props, **shape.suggested}.items():
            if name in taken:
                made[name] = taken[name]
                maker._take(prop.defines, str(taken[name]))
            elif prop.required or name in wanted:
                made[name] = maker.value(prop, wanted.get(name, prop.example))
        return made

    def value(self, prop: Prop, example: object = None) -> object:
        """A value for a property of the object that this makes values for, or of a new one."""
        return self._of_kind(prop.kind, prop.example if example is None else example, prop)

    def missing(self, prop: Prop, owner: Kind | None) -> object:
        """A value for a property that an object lacks: a name that others use already, if it is to define one.

        Args:
            prop: the property.
            owner: what the object may be.
        """
        waiting = self._waiting(owner, prop) if owner is not None and prop.defines is not None else []
        return waiting[0] if waiting else self.value(prop)

    def _of_kind(self, kind: Kind, example: object, prop: Prop | None = None) -> object:
        if prop is not None and isinstance(example, str):
            if prop.defines is not None:
                return self.free(prop.defines, example)
            defined = self._names(prop.uses) if prop.uses is not None else []
            if defined and example not in defined:
                return defined[0]
        if isinstance(kind, ListKind):
            return self.elements(kind, example)
        given = example.get("type") if isinstance(example, dict) else None
        shapes = kind.inner_shapes
        return self.make(_named(shapes, given), example) if shapes else kind.default(example)

    def elements(self, kind: ListKind, example: object) -> list[object]:
        """Elements for an empty list: one for every name that waits for it, else those of the example."""
        for shape in kind.inner_shapes:
            for prop in shape.props.values():
                waiting = self._waiting(kind.items, prop)
                if waiting:
                    return [self.make(shape, None, {prop.name: name}) for name in waiting]
        examples = example if isinstance(example, list) and example else [None]
        return [self._of_kind(kind.items, one) for one in examples]

    def _waiting(self, items: Kind, prop: Prop) -> list[str]:
        """Names that are used and not defined, for what defines them; all that are defined, for what uses them."""
        symbol = prop.defines
        if isinstance(items, NodeKind) and symbol is not None:
            symbol = items.defines
        if symbol is not None:
            taken = set(self._names(symbol))
            return [
                name for name in self._names(symbol, used=True)
                if name not in taken and prop.kind.accepts(name) and self.is_free(prop.defines, name)
            ]  # fmt: skip
        if prop.required and prop.uses is not None:
            return self._names(prop.uses)
        return []


def default_value(prop: Prop, shape: Shape, siblings: dict[str, object]) -> tuple[object, bool]:
    """What to write where a property is absent, and whether that is sure to be right."""
    kind = prop.kind
    if len(kind.values) == 1:
        literals = [(name, other.kind) for name, other in shape.props.items() if other.kind.values]
        agree = all(siblings[name] in literal.values for name, literal in literals if name in siblings)
        return kind.values[0], agree
    if isinstance(kind, ObjectKind) and not kind.shape.required:
        return {}, True
    return ABSENT, False


def _named(shapes: tuple[Shape, ...], name: object) -> Shape:
    return next((shape for shape in shapes if shape.name == name), shapes[0])


def value_at(value: object, path: Path) -> object:
    """What a path leads to; None where it leads nowhere."""
    for step in path:
        if isinstance(value, dict) and isinstance(step, str):
            value = value.get(step)
        elif isinstance(value, list) and isinstance(step, int) and 0 <= step < len(value):
            value = value[step]
        else:
            return None
    return value
