"""The names of a document: definitions and uses by symbol and scope.

The validator gathers the names in its walk. Validation, references, rename, completion and symbols share them.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from itertools import islice, takewhile, zip_longest
from operator import itemgetter
from typing import NamedTuple

from rui_common.nodes.node import Node, Root
from rui_common.suggest import kebab_case, number_of, stem_of
from rui_common.syntax.paths import Path
from rui_common.vocabulary.schema import Kind, Prop, Symbol


class Name(NamedTuple):
    """One occurrence of a name."""

    scope: Scope
    text: str
    node: Node  # the object that has it
    step: str
    is_use: bool  # whether it is a use rather than a definition

    @property
    def path(self) -> Path:
        return (*self.node.path, self.step)

    @property
    def symbol(self) -> Symbol:
        return self.scope.symbol

    @property
    def kind(self) -> Kind | None:
        return self.node.kind_of(self.step)

    @property
    def prop(self) -> Prop | None:
        """The declaration of the property; None for the id of a node that is not read."""
        return self.node.prop_of(self.step)


class RepeatedNames(NamedTuple):
    """The names in a node that are defined before: it may be a copy."""

    names: dict[Name, int]  # the later definitions, in canonical order, each with the number of a free name like it
    sources: set[Node | None]  # the nodes that may be the original: at the depth of this one, with a first definition

    def original(self, node: Node) -> Node | None:
        """Return the node that `node`, which has these names, is a copy of; None if the names have several sources."""
        if len(self.sources) > 1 or node in self.sources:
            return None
        return next(iter(self.sources))


@dataclass(eq=False, repr=False)
class Scope:
    """The names of one symbol in one object."""

    symbol: Symbol
    node: Node  # the object within which the names are defined and used, such as the root
    defined: dict[str, list[Name]] = field(default_factory=dict)  # name → definitions in canonical order
    used: dict[str, list[Name]] = field(default_factory=dict)  # name → uses in canonical order
    # whether no definition, or use, can be missing because of another fault: the list of them is absent, empty, broken
    # or of another type, or an element has no string as its name
    has_all_definitions: bool = True
    has_all_uses: bool = True

    def __iter__(self) -> Iterator[Name]:
        for by_text in (self.defined, self.used):
            for names in by_text.values():
                yield from names

    @cached_property
    def misspelt(self) -> dict[str, Name]:
        """The malformed definitions by the used, undefined name that they mean and may have, after the walk."""
        found: dict[str, Name] = {}
        for text, (first, *_) in self.defined.items():
            if first.prop is not None and not first.prop.kind.accepts(text):
                right = kebab_case(text)
                if right in self.used and not self.is_taken(right, first.prop):
                    found.setdefault(right, first)
        return found

    def is_taken(self, text: str, prop: Prop) -> bool:
        """Return whether a name that `prop` could define here is defined already, after the walk.

        The id of a page is a name of two scopes: it must differ from the ids of all other nodes, too.
        """
        if text in self.defined:
            return True
        root = self.node.root
        return isinstance(root, Root) and prop.defines is not None and text in root.definitions.get(prop.defines, {})

    def right_name(self, text: str) -> str:
        """Return the name that a malformed definition means and that is used, after the walk; ``""`` without one."""
        right = kebab_case(text)
        if right in self.misspelt and self.misspelt[right].text == text:
            return right
        return ""

    @cached_property
    def undefined_uses(self) -> list[Name]:
        """The first use of each name that is not defined, and that no malformed definition means, after the walk."""
        return [uses[0] for text, uses in self.used.items() if text not in self.defined and text not in self.misspelt]

    @cached_property
    def unused(self) -> list[str]:
        """The names that must be used, and are not, after the walk. A malformed name that means a used one is used."""
        if self.symbol.unused is None or not self.has_all_uses:
            return []
        return [text for text in self.definitions if text not in self.used and not self.right_name(text)]

    @cached_property
    def replacements(self) -> dict[str, Name]:
        """Unused name → the use of an undefined one that it probably replaces; empty if there are not as many of both.

        It replaces the one in the same place of their order.
        """
        if len(self.unused) != len(self.undefined_uses):
            return {}
        return dict(zip(self.unused, self.undefined_uses, strict=True))

    @cached_property
    def repeated(self) -> dict[Node, RepeatedNames]:
        """The names that are defined before, by the node that they are in, after the walk."""
        last: dict[str, int] = {}
        for text in self.defined:
            last[stem_of(text)] = max(last.get(stem_of(text), 1), number_of(text))
        by_node: dict[Node, RepeatedNames] = {}
        later = [name for names in self.defined.values() for name in names[1:]]
        for name in sorted(later, key=lambda name: name.node.path):
            stem = stem_of(name.text)
            last[stem] += 1
            sources = self._nodes_around(self.defined[name.text][0])
            for node, source in zip_longest(self._nodes_around(name), sources):
                if node is not None and node.shape is not None and node.shape.is_node:
                    repeated = by_node.setdefault(node, RepeatedNames({}, set()))
                    repeated.names[name] = last[stem]
                    repeated.sources.add(source)
        return by_node

    def _nodes_around(self, name: Name) -> list[Node]:
        """Return the nodes between the scope and a name, the outermost first."""
        nodes: list[Node] = []
        node: Node | None = name.node
        while node is not None and node is not self.node:
            nodes.append(node)
            node = node.parent
        return nodes[::-1]

    @cached_property
    def definitions(self) -> tuple[str, ...]:
        """The defined names that are not empty, after the walk."""
        return tuple(filter(None, self.defined))

    @cached_property
    def labelled(self) -> dict[str, list[str]]:
        """The defined names by the label of the first object that defines each, after the walk."""
        found: dict[str, list[str]] = {}
        for text, (first, *_) in self.defined.items():
            found.setdefault(first.node.label, []).append(text)
        return found

    def add(self, name: Name) -> list[Name]:
        """Add a name; return all of its definitions, or uses, so far."""
        names = self.used if name.is_use else self.defined
        same_names = names.setdefault(name.text, [])
        same_names.append(name)
        return same_names

    def note_missing(self, *, is_use: bool) -> None:
        """Note that a definition or use may be missing: rules about it would only repeat another fault."""
        if is_use:
            self.has_all_uses = False
        else:
            self.has_all_definitions = False

    def same(self, name: Name) -> Iterator[Name]:
        """Yield all definitions and uses of a name, itself included."""
        yield from self.defined.get(name.text, ())
        yield from self.used.get(name.text, ())


class Names:
    """All names of a document, by path. Of the scopes, those around others come first."""

    def __init__(self, scopes: Sequence[Scope]) -> None:
        self.scopes = scopes

    @cached_property
    def _by_node(self) -> dict[tuple[Symbol, Node], Scope]:
        return {(scope.symbol, scope.node): scope for scope in self.scopes}

    @cached_property
    def _in_order(self) -> list[tuple[Path, Name]]:
        # Paths below one container have names only, or indices only, at the same step: they can be compared.
        return sorted(((name.path, name) for scope in self.scopes for name in scope), key=itemgetter(0))

    @cached_property
    def _by_path(self) -> dict[Path, list[Name]]:
        by_path: dict[Path, list[Name]] = {}
        for path, name in self._in_order:
            by_path.setdefault(path, []).append(name)
        return by_path

    def at(self, path: Path) -> Sequence[Name]:
        """Return the names at a path: several if the name belongs to several symbols."""
        return self._by_path.get(path, ())

    def below(self, path: Path) -> list[Name]:
        """Return the names at a path or below it."""
        pairs = self._in_order
        first = bisect_left(pairs, path, key=itemgetter(0))
        return [name for _, name in takewhile(lambda pair: pair[0][: len(path)] == path, islice(pairs, first, None))]

    def scope(self, symbol: Symbol, node: Node) -> Scope:
        """Return the scope of a symbol at a node: that of the innermost object around it that is one."""
        scope = self._by_node.get((symbol, node))
        while scope is None and node.parent is not None:
            node = node.parent
            scope = self._by_node.get((symbol, node))
        return scope or Scope(symbol, node)

    def is_definition(self, path: Path) -> bool:
        return any(not name.is_use for name in self.at(path))

    def definitions(self, path: Path) -> set[Path]:
        """Return all definitions of the name at a path: several for a duplicate, none if undefined.

        At a use, only definitions of its own symbol count: a `pageId` has the ids of pages, not of other nodes.
        """
        return {definition.path for name in self.at(path) for definition in name.scope.defined.get(name.text, ())}

    def references(self, path: Path) -> set[Path]:
        """Return all definitions and uses of the name at a path, itself included.

        A path that belongs to several symbols connects their names: the id of a page is the id of a node, too.
        """
        pending = [path]
        paths = {path}
        while pending:
            for name in self.at(pending.pop()):
                new_paths = {reference.path for reference in name.scope.same(name)} - paths
                paths |= new_paths
                pending += new_paths
        return paths


@cache
def symbols_in(kind: Kind) -> tuple[tuple[Symbol, bool], ...]:
    """Return the symbols of the names in a value of a kind, outside of nodes, each with whether it is used there."""
    symbols = [] if kind.defines is None else [(kind.defines, False)]
    for shape in kind.inner_shapes:
        if not shape.is_node:
            symbols += [symbol for prop in shape.props.values() for symbol in symbols_of(prop)]
    return tuple(symbols)


@cache
def symbols_of(prop: Prop) -> tuple[tuple[Symbol, bool], ...]:
    """Return the symbols of the name that is the value of a property, and those in the value."""
    symbols = ((prop.defines, False), (prop.uses, True))
    return (*((symbol, is_use) for symbol, is_use in symbols if symbol is not None), *symbols_in(prop.kind))
