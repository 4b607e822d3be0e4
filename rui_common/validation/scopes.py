"""The names that are defined and used within one object (see `Shape.scope`)."""

from __future__ import annotations

from functools import cache

from rui_common.vocabulary.kinds import ListKind, NodeKind, ObjectKind

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from rui_common.syntax.paths import Path
    from rui_common.vocabulary.schema import Kind, Shape, Symbol

ANY_ELEMENT = "*"
"""The step of a site that represents every element of a list."""


class ScopeNames:
    """The definitions, or the uses, of one symbol within one scope.

    Attributes:
        first: name → path of its first occurrence, relative to the scope.
        is_complete: False if a part is absent, has the wrong type, or contains an element without a name. Then other
            names may exist.
        container: the path of the list whose elements have the names, or None.
        path_in_element: the path of the name in each element.
        kind: the kind of the names, if their pattern is known; else None.
        lookups: the number of searches for the closest match.
    """

    __slots__ = ("_names", "container", "first", "is_complete", "kind", "lookups", "path_in_element")

    def __init__(self, kind: Kind | None = None) -> None:
        self.first: dict[str, Path] = {}
        self.is_complete = True
        self.container: Path | None = None
        self.path_in_element: Path = ()
        self.kind = kind
        self.lookups = 0
        self._names: tuple[str, ...] = ()

    def names(self) -> tuple[str, ...]:
        """Return all names in order. The tuple is shared by all findings."""
        if len(self._names) != len(self.first):
            self._names = tuple(self.first)
        return self._names

    def is_well_formed(self, name: str) -> bool:
        return self.kind is None or self.kind.accepts(name)


class Scope:
    """The names of one object, by symbol.

    Attributes:
        defined: the definitions of each symbol.
        used: the uses of each symbol.
    """

    __slots__ = ("defined", "used")

    def __init__(self, shape: Shape, value: dict[str, object], incomplete: frozenset[Path] = frozenset()) -> None:
        self.defined: dict[Symbol, ScopeNames] = {}
        self.used: dict[Symbol, ScopeNames] = {}
        for symbol in shape.scope:
            defined = ScopeNames(_kind_of_definitions(shape, symbol))
            used = ScopeNames()
            for names, site_paths in (
                (defined, _definition_sites(shape, symbol)),
                (used, _use_sites(shape, symbol)),
            ):
                for site in site_paths:
                    _gather(value, site, (), names, incomplete)
            self.defined[symbol] = defined
            self.used[symbol] = used

    def unused_names(self, symbol: Symbol) -> list[str]:
        """Return the names that are certain to be unused."""
        used = self.used[symbol]
        if not used.is_complete:
            return []
        return [name for name in self.defined[symbol].first if name not in used.first]

    def dangling_names(self, symbol: Symbol) -> list[str]:
        """Return the names that are used and not defined."""
        defined = self.defined[symbol].first
        return [name for name in self.used[symbol].first if name not in defined]

    def only_dangling_name(self, symbol: Symbol) -> str:
        """Return the one well-formed name that is used and not defined; ``""`` if there are several or none."""
        names = self.dangling_names(symbol)
        if len(names) != 1 or not self.defined[symbol].is_well_formed(names[0]):
            return ""
        return names[0]


@cache
def _definition_sites(shape: Shape, symbol: Symbol) -> tuple[Path, ...]:
    return tuple(sites(shape, symbol, defining=True))


@cache
def _use_sites(shape: Shape, symbol: Symbol) -> tuple[Path, ...]:
    return tuple(sites(shape, symbol, defining=False))


def _kind_of_definitions(shape: Shape, symbol: Symbol) -> Kind | None:
    """Return the kind of the ids that define a symbol in the lists of nodes of a shape."""
    for prop in shape.props.values():
        items = prop.kind.items if isinstance(prop.kind, ListKind) else None
        if isinstance(items, NodeKind) and items.defines is symbol:
            return items.shapes[0].props["id"].kind
    return None


def _gather(value: object, site: Path, path: Path, names: ScopeNames, incomplete: frozenset[Path]) -> None:
    """Add the names at `site` below `value`; note whether some are missing."""
    if not site:
        if isinstance(value, str) and path not in incomplete:
            names.first.setdefault(value, path)
        else:
            names.is_complete = False
        return
    step = site[0]
    rest = site[1:]
    if incomplete and path in incomplete:
        names.is_complete = False
    if step == ANY_ELEMENT:
        _gather_elements(value, rest, path, names, incomplete)
    elif isinstance(value, dict) and step in value:
        _gather(value[step], rest, (*path, step), names, incomplete)
    else:
        names.is_complete = False


def _gather_elements(value: object, site: Path, path: Path, names: ScopeNames, incomplete: frozenset[Path]) -> None:
    if not isinstance(value, list) or not value:
        names.is_complete = False
        return
    names.container = path
    names.path_in_element = site
    # The usual case, inlined: the name is a property of the element.
    has_names = len(site) == 1 and not incomplete
    for index, element in enumerate(value):
        name = element.get(site[0]) if has_names and type(element) is dict else None
        if type(name) is str:
            names.first.setdefault(name, (*path, index, *site))
        else:
            _gather(element, site, (*path, index), names, incomplete)


def sites(shape: Shape, symbol: Symbol, *, defining: bool) -> Iterator[Path]:
    """Yield the paths of the names of a symbol below an object of `shape`.

    Args:
        shape: the shape. Nodes in lists are not entered.
        symbol: the symbol.
        defining: True for definitions, False for uses.

    Yields:
        Paths with `ANY_ELEMENT` for the elements of a list, such as ``("columns", "*", "key")``.
    """
    for prop in shape.props.values():
        if (prop.defines if defining else prop.uses) is symbol:
            yield (prop.name,)
        for site in _sites_in(prop.kind, symbol, defining=defining):
            yield (prop.name, *site)


def _sites_in(kind: Kind, symbol: Symbol, *, defining: bool) -> Iterator[Path]:
    if isinstance(kind, ListKind):
        for site in _sites_in(kind.items, symbol, defining=defining):
            yield (ANY_ELEMENT, *site)
    elif isinstance(kind, ObjectKind):
        yield from sites(kind.shape, symbol, defining=defining)
    elif isinstance(kind, NodeKind) and defining and kind.defines is symbol:
        yield ("id",)
