"""The names that are defined and used within one object (see `Shape.scope`)."""

from __future__ import annotations

from functools import cache

from rui_common.codegen import CodeWriter
from rui_common.syntax.paths import value_at
from rui_common.vocabulary.aliases import unwrap
from rui_common.vocabulary.held import place_in
from rui_common.vocabulary.kinds import ListKind, NodeKind, ObjectKind
from rui_common.vocabulary.rui_0_1 import VOCABULARY
from rui_common.vocabulary.structures import BARE_ELEMENT, BARE_LIST, BY_KEY, inner_kind, parts_of, structure_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from rui_common.syntax.paths import Path
    from rui_common.vocabulary.schema import Kind, Shape, Symbol, Vocabulary
    from rui_common.vocabulary.structures import Structure

ANY_ELEMENT = "*"
"""The step of a site that represents every element of a list."""

MAX_READINGS = 500
"""Objects per symbol whose names are looked for under other keys. It bounds the time for hostile documents."""


class ScopeNames:
    """The definitions, or the uses, of one symbol within one scope.

    Attributes:
        first: name → path of its first occurrence as sent, relative to the scope.
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
    """The names of one object, by symbol. They are gathered on first use: most objects with errors have correct names.

    Args:
        shape: the shape of the object.
        value: the object.
        incomplete: paths in it in which something may be missing.
        vocabulary: the vocabulary of the shape.

    Attributes:
        value: the object.
    """

    __slots__ = (
        "_consistent", "_defined", "_incomplete", "_prefix", "_root", "_shape", "_used", "_vocabulary", "value",
    )  # fmt: skip

    def __init__(
        self,
        shape: Shape,
        value: dict[str, object],
        incomplete: frozenset[Path] = frozenset(),
        *,
        vocabulary: Vocabulary = VOCABULARY,
    ) -> None:
        self._shape = shape
        self.value = value
        self._root = value
        self._prefix: Path = ()
        if shape is vocabulary.root:
            self._root, self._prefix = unwrap(value, shape)
        self._incomplete = incomplete
        self._vocabulary = vocabulary
        self._consistent: dict[Symbol, tuple[bool, bool]] = {}
        self._defined: dict[Symbol, ScopeNames] | None = None
        self._used: dict[Symbol, ScopeNames] | None = None

    @property
    def defined(self) -> dict[Symbol, ScopeNames]:
        """The definitions of each symbol."""
        if self._defined is None:
            self._defined = {
                symbol: self._names(_definition_sites(self._shape, symbol), _kind_of_definitions(self._shape, symbol))
                for symbol in self._shape.scope
            }
        return self._defined

    @property
    def used(self) -> dict[Symbol, ScopeNames]:
        """The uses of each symbol."""
        if self._used is None:
            self._used = {symbol: self._names(_use_sites(self._shape, symbol), None) for symbol in self._shape.scope}
        return self._used

    def _names(self, sites: tuple[Path, ...], kind: Kind | None) -> ScopeNames:
        names = ScopeNames(kind)
        gatherer = _Gatherer(names, self._incomplete, self._vocabulary)
        for site in sites:
            gatherer.gather(self._root, ObjectKind(self._shape), site, self._prefix)
        return names

    def is_consistent(self, symbol: Symbol, *, is_use: bool) -> bool:
        """Return whether it is certain that no use, or else no definition, of a symbol breaks a rule."""
        if symbol not in self._consistent:
            self._consistent[symbol] = _compile_consistency(self._shape, symbol)(self._root)
        return self._consistent[symbol][is_use]

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


@cache
def _definition_sites(shape: Shape, symbol: Symbol) -> tuple[Path, ...]:
    return tuple(sites(shape, symbol, defining=True))


@cache
def _use_sites(shape: Shape, symbol: Symbol) -> tuple[Path, ...]:
    return tuple(sites(shape, symbol, defining=False))


@cache
def _kind_of_definitions(shape: Shape, symbol: Symbol) -> Kind | None:
    """Return the kind of the ids that define a symbol in the lists of nodes of a shape."""
    for prop in shape.props.values():
        items = prop.kind.items if isinstance(prop.kind, ListKind) else None
        if isinstance(items, NodeKind) and items.defines is symbol:
            return items.shapes[0].props["id"].kind
    return None


@cache
def _compile_consistency(shape: Shape, symbol: Symbol) -> Callable[[dict[str, object]], tuple[bool, bool]]:
    """Return a function of an object of a shape: whether all definitions of the symbol keep its rules, and all uses.

    It may return False for consistent names: in values of other types, and if some are absent or under another name.
    """
    body = ["try:", "    defined = []", "    used = []"]
    for site in _definition_sites(shape, symbol):
        body += [f"    {line}" for line in _add_names("defined", site)]
    for site in _use_sites(shape, symbol):
        body += [f"    {line}" for line in _add_names("used", site)]
    body.append("    definitions = set(defined)")
    definition_rules = []
    if symbol.duplicate is not None:
        definition_rules.append("len(definitions) == len(defined)")
    if symbol.unused is not None:
        definition_rules.append("definitions.issubset(used)")
    use_rule = "True" if symbol.dangling is None else "definitions.issuperset(used)"
    body.append(f"    return ({' and '.join(definition_rules) or 'True'}, {use_rule})")
    body += ["except (KeyError, TypeError):", "    return (False, False)"]
    writer = CodeWriter()
    writer.constants["PROPS"] = shape.props.keys()
    return writer.compile_function("are_consistent(value)", body, f"names of {shape.name}")  # type: ignore[return-value]


def _add_names(variable: str, site: Path) -> list[str]:
    """Return statements that add the names at a site to a list. Properties of other names may be read as the absent."""
    if ANY_ELEMENT not in site:
        return [
            f"if {site[0]!r} in value:",
            f"    {variable}.append({_item('value', site)})",
            "elif not value.keys() <= PROPS:",
            "    return (False, False)",
        ]
    star = site.index(ANY_ELEMENT)
    if ANY_ELEMENT in site[star + 1 :]:
        return ["return (False, False)"]
    return [f"{variable} += [{_item('element', site[star + 1 :])} for element in {_item('value', site[:star])}]"]


def _item(value: str, path: Path) -> str:
    return value + "".join(f"[{step!r}]" for step in path)


class _Gatherer:
    """Adds the names at the sites of a value to `names`, and notes whether some are missing."""

    def __init__(self, names: ScopeNames, incomplete: frozenset[Path], vocabulary: Vocabulary) -> None:
        self._names = names
        self._incomplete = incomplete
        self._vocabulary = vocabulary
        self._readings = 0

    def gather(self, value: object, kind: Kind, site: Path, path: Path) -> None:
        """Add the names at `site` below a value of a kind."""
        if not site:
            if isinstance(value, str) and path not in self._incomplete:
                self._names.first.setdefault(value, path)
            else:
                self._names.is_complete = False
            return
        step = site[0]
        if self._incomplete and path in self._incomplete:
            self._names.is_complete = False
        structure = structure_of(value, kind, self._vocabulary)
        if structure is not None:
            self._gather_otherwise(value, structure, inner_kind(structure, kind), site, path)
            return
        if step == ANY_ELEMENT:
            self._gather_elements(value, kind, site[1:], path)
            return
        place = self._place_in(str(step), value, kind)
        inner = value_at(value, place[:-1])
        if isinstance(inner, dict) and place[-1] in inner:
            self.gather(inner[place[-1]], _kind_of(str(step), kind), site[1:], (*path, *place))
        else:
            self._names.is_complete = False

    def _gather_otherwise(self, value: object, structure: Structure, kind: Kind, site: Path, path: Path) -> None:
        """Add the names below a value of another structure. `kind` is that of its parts."""
        if structure.sort in (BARE_LIST, BARE_ELEMENT, BY_KEY):
            site = site[1:]
        for steps, part in parts_of(value, structure):
            self.gather(part, kind, site, (*path, *steps))

    def _place_in(self, name: str, value: object, kind: Kind) -> tuple[str, ...]:
        """Return the path that a property is read from."""
        if not isinstance(value, dict) or name in value or self._readings == MAX_READINGS:
            return (name,)
        self._readings += 1
        return place_in(name, value, kind, self._vocabulary)

    def _gather_elements(self, value: object, kind: Kind, site: Path, path: Path) -> None:
        if not isinstance(value, list) or not value or not isinstance(kind, ListKind):
            self._names.is_complete = False
            return
        self._names.container = path
        self._names.path_in_element = site
        # The usual case, inlined: the name is a property of the element.
        are_objects = site[:1] not in ((), (ANY_ELEMENT,))
        has_names = len(site) == 1 and are_objects and not self._incomplete
        for index, element in enumerate(value):
            if are_objects and (type(element) is not dict or not element):
                if type(element) is list:
                    self.gather(element, kind.items, site, (*path, index))
                self._names.is_complete &= type(element) is list
                continue
            name = element.get(site[0]) if has_names else None
            if type(name) is str:
                self._names.first.setdefault(name, (*path, index, *site))
            elif has_names and self._readings == MAX_READINGS:
                self._names.is_complete = False
            else:
                self.gather(element, kind.items, site, (*path, index))


def _kind_of(name: str, owner: Kind) -> Kind:
    """Return the kind of a property of the objects of a kind."""
    return owner.inner_shapes[0].props[name].kind


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
