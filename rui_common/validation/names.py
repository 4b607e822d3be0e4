"""The names of a document: definitions and uses by symbol and scope, and the rules about them (R3, R10, R11, R17, R21).

The validator gathers the names in its walk. Validation, references, rename, completion and symbols share them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache, cached_property
from typing import NamedTuple

from rui_common.suggest import Budget, nearest
from rui_common.syntax.paths import Path
from rui_common.validation.findings import FIRST_USED, LINK_HERE, NEAREST_NAME, Finding
from rui_common.vocabulary.schema import Kind, Prop, Shape, Symbol


class Scope(NamedTuple):
    """The object within which the names of a symbol are defined and used.

    Attributes:
        symbol: the symbol.
        path: the path of the object; ``()`` is the document.
    """

    symbol: Symbol
    path: Path


class Name(NamedTuple):
    """One occurrence of a name.

    Attributes:
        scope: its symbol and scope.
        name: the name.
        path: its path.
        is_use: whether it is a use rather than a definition.
        place: the number of findings and names before it in canonical order.
        shape: the shape of the object that has it, or None for a node that is not read.
        prop: the declaration of the property, or None for a node that is not read.
    """

    scope: Scope
    name: str
    path: Path
    is_use: bool
    place: int
    shape: Shape | None
    prop: Prop | None

    @property
    def symbol(self) -> Symbol:
        """The symbol of the name."""
        return self.scope.symbol


class ScopeNames:
    """The names of one symbol in one scope.

    Attributes:
        defined: name → definitions in document order.
        used: name → uses in document order.
        has_all_definitions: whether no definition can be missing because of another fault.
        has_all_uses: the same for uses.
    """

    def __init__(self) -> None:
        self.defined: dict[str, list[Name]] = {}
        self.used: dict[str, list[Name]] = {}
        self.has_all_definitions = True
        self.has_all_uses = True

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The defined names, after the walk."""
        return tuple(self.defined)


class NameTable:
    """All names of a document.

    Attributes:
        scopes: the names by symbol and scope.
    """

    __slots__ = ("scopes",)

    def __init__(self) -> None:
        self.scopes: dict[Scope, ScopeNames] = {}

    def add(self, name: Name) -> None:
        """Add one occurrence."""
        names = self.within(name.scope)
        by_name = names.used if name.is_use else names.defined
        by_name.setdefault(name.name, []).append(name)

    def within(self, scope: Scope) -> ScopeNames:
        """Return the names of a scope."""
        names = self.scopes.get(scope)
        if names is None:
            names = self.scopes[scope] = ScopeNames()
        return names

    def __iter__(self) -> Iterator[Name]:
        for names in self.scopes.values():
            for by_name in (names.defined, names.used):
                for same in by_name.values():
                    yield from same

    def findings(self, limit: int) -> Iterator[tuple[int, Finding]]:
        """Yield the violations of the rules about names, each with its place in canonical order.

        It yields the first `limit` duplicates of each name, and the first `limit` undefined names.
        """
        for scope, names in self.scopes.items():
            if scope.symbol.duplicate is not None:
                yield from _duplicates(names, scope.symbol.duplicate, limit)
            if scope.symbol.unused is not None and names.has_all_uses:
                yield from _unused(names, scope.symbol.unused)
        budget = Budget()
        for name in sorted(self._undefined(), key=lambda name: name.place)[:limit]:
            yield name.place, _undefined_finding(name, self.scopes[name.scope], budget)

    def _undefined(self) -> Iterator[Name]:
        """Yield the uses of names that are not defined, where no definition can be missing."""
        for scope, names in self.scopes.items():
            if scope.symbol.dangling is not None and names.has_all_definitions:
                for text, same in names.used.items():
                    if text not in names.defined:
                        yield from same


@cache
def symbols_in(kind: Kind) -> tuple[tuple[Symbol, bool], ...]:
    """Return the symbols of the names in a value of a kind, outside of nodes, each with whether it is used there."""
    symbols = [] if kind.defines is None else [(kind.defines, False)]
    for shape in kind.inner_shapes:
        if not shape.is_node:
            symbols += [symbol for prop in shape.props.values() for symbol in symbols_of(prop)]
    return tuple(symbols)


def symbols_of(prop: Prop) -> list[tuple[Symbol, bool]]:
    """Return the symbols of the name that is the value of a property, and those in the value."""
    own = ((prop.defines, False), (prop.uses, True))
    return [*((symbol, is_use) for symbol, is_use in own if symbol is not None), *symbols_in(prop.kind)]


def _duplicates(names: ScopeNames, rule: str, limit: int) -> Iterator[tuple[int, Finding]]:
    for same in names.defined.values():
        for name in same[1:][:limit]:
            related = ((same[0].path, FIRST_USED),)
            yield name.place, _finding(name, rule, related=related)


def _unused(names: ScopeNames, rule: str) -> Iterator[tuple[int, Finding]]:
    related = [(path, LINK_HERE) for path in _list_of_uses(names)]
    for text, same in names.defined.items():
        if text in names.used:
            continue
        for name in same:
            yield name.place, _finding(name, rule, related=related)


def _list_of_uses(names: ScopeNames) -> Iterator[Path]:
    """Yield the path of the list whose elements use names, if there is one."""
    for first, *_ in names.used.values():
        if len(first.path) > 1 and isinstance(first.path[-2], int):
            yield first.path[:-2]
            return


def _undefined_finding(name: Name, names: ScopeNames, budget: Budget) -> Finding:
    finding = _finding(name, str(name.symbol.dangling), allowed=names.names)
    match = nearest(name.name, names.names, budget)
    if match is None:
        return finding
    return finding._replace(match=match, related=((names.defined[match][0].path, NEAREST_NAME),))


def _finding(
    name: Name, rule: str, *, allowed: tuple[str, ...] = (), related: Iterable[tuple[Path, str]] = ()
) -> Finding:
    kind = None if name.prop is None else name.prop.kind
    return Finding(
        name.path, rule,
        got=name.name, allowed=allowed, shape=name.shape, prop=name.prop, kind=kind, related=tuple(related),
    )  # fmt: skip
