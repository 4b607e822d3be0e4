"""Names that are defined and used: which stand twice, which lead nowhere, which nobody uses.

One table answers for every symbol of the vocabulary; rules R3, R10, R11, R17 and R21 are its questions.
"""

from __future__ import annotations

from rui_common.declarations import ANY_ELEMENT, sites
from rui_common.findings import FIRST_USED, LINK_HERE, NEAREST_NAME, Finding

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rui_common.declarations import Shape, Symbol
    from rui_common.paths import Path


_sites: dict[tuple[Shape, Symbol, bool], tuple[Path, ...]] = {}
"""What `sites` says, which is always the same, asked for once."""


MAX_ASKED = 200
"""For so many names of one scope that lead nowhere the nearest is looked for: a text with thousands of them must not
hold up its author."""


class Names:
    """One side of a symbol within one scope: the names in order, and whether all of them could be read.

    Attributes:
        first: the path of the first occurrence of each name, relative to the scope.
        complete: False when the side is absent, of the wrong type, empty, or has an element whose name is
            absent or no string. Then nothing can be said about what is not among the names.
        container: the list whose elements give the names, or None.
    """

    __slots__ = ("_names", "asked", "complete", "container", "first")

    def __init__(self) -> None:
        self.first: dict[str, Path] = {}
        self.complete = True
        self.container: Path | None = None
        self.asked = 0
        self._names: tuple[str, ...] = ()

    def names(self) -> tuple[str, ...]:
        """Every name, in order; one and the same tuple for everyone who asks."""
        if len(self._names) != len(self.first):
            self._names = tuple(self.first)
        return self._names


class Scope:
    """The names of one object that tells names apart (see `Shape.scope`)."""

    __slots__ = ("defined", "used")

    def __init__(self, shape: Shape, value: dict[str, object], damaged: frozenset[Path] = frozenset()) -> None:
        self.defined = {symbol: _names(shape, value, symbol, damaged, defining=True) for symbol in shape.scope}
        self.used = {symbol: _names(shape, value, symbol, damaged, defining=False) for symbol in shape.scope}

    def duplicate(self, symbol: Symbol, name: str, path: Path, base: Path) -> Finding | None:
        """The finding that `path`, relative to the scope, is not the first to define `name`."""
        first = self.defined[symbol].first.get(name, path)
        if symbol.duplicate is None or first == path:
            return None
        return Finding(base + path, symbol.duplicate, got=name, related=((base + first, FIRST_USED),))

    def dangling(self, symbol: Symbol, name: str, path: Path, base: Path) -> Finding | None:
        """The finding that the use of `name` at `path` surely leads nowhere."""
        side = self.defined[symbol]
        if symbol.dangling is None or not side.complete or name in side.first:
            return None
        finding = Finding(base + path, symbol.dangling, got=name, names=side.names())
        side.asked += 1
        if side.asked > MAX_ASKED:
            finding.forgo_meant()
        meant = finding.meant()
        if meant is not None:
            finding.related = ((base + side.first[meant], NEAREST_NAME),)
        return finding

    def unused(self, symbol: Symbol, name: str, path: Path, base: Path) -> Finding | None:
        """The finding that surely nobody uses the `name` that `path` defines."""
        side = self.used[symbol]
        if symbol.unused is None or not side.complete or name in side.first:
            return None
        related = () if side.container is None else ((base + side.container, LINK_HERE),)
        return Finding(base + path, symbol.unused, got=name, related=related)


def _names(
    shape: Shape, value: dict[str, object], symbol: Symbol, damaged: frozenset[Path], *, defining: bool
) -> Names:
    names = Names()
    key = (shape, symbol, defining)
    if key not in _sites:
        _sites[key] = tuple(sites(shape, symbol, defining=defining))
    for site in _sites[key]:
        _gather(value, site, (), names, damaged)
    return names


def _gather(value: object, site: Path, path: Path, names: Names, damaged: frozenset[Path]) -> None:
    """Follow `site` down from `value` and note every name at its end; anything odd on the way makes a gap."""
    if not site:
        if isinstance(value, str):
            names.first.setdefault(value, path)
        else:
            names.complete = False
        return
    step, rest = site[0], site[1:]
    if damaged and path in damaged:
        names.complete = False
    if step == ANY_ELEMENT:
        if not isinstance(value, list) or not value:
            names.complete = False
            return
        names.container = path
        for index, element in enumerate(value):
            _gather(element, rest, (*path, index), names, damaged)
    elif isinstance(value, dict) and step in value:
        _gather(value[step], rest, (*path, step), names, damaged)
    else:
        names.complete = False
