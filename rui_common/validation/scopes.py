"""Names that are defined and used: which stand twice, which lead nowhere, which nobody uses.

One table answers for every symbol of the vocabulary; rules R3, R10, R11, R17 and R21 are its questions.
"""

from __future__ import annotations

from rui_common.validation.findings import FIRST_USED, LINK_HERE, NEAREST_NAME, Finding
from rui_common.validation.hints import FixFirst, Insert, NewName, nested
from rui_common.vocabulary.kinds import ListKind, NodeKind, ObjectKind, TextKind

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from rui_common.syntax.paths import Path
    from rui_common.vocabulary.schema import Kind, Shape, Symbol

ANY_ELEMENT = "*"
"""In what `sites` says: every element of a list."""

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
        below: where the name stands in each of these elements.
        form: what a name has to look like, or None.
    """

    __slots__ = ("_names", "asked", "below", "complete", "container", "first", "form")

    def __init__(self) -> None:
        self.first: dict[str, Path] = {}
        self.complete = True
        self.container: Path | None = None
        self.below: Path = ()
        self.form: TextKind | None = None
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

    def __init__(self, shape: Shape, value: dict[str, object], incomplete: frozenset[Path] = frozenset()) -> None:
        self.defined = {symbol: _names(shape, value, symbol, incomplete, defining=True) for symbol in shape.scope}
        self.used = {symbol: _names(shape, value, symbol, incomplete, defining=False) for symbol in shape.scope}

    def duplicate(self, symbol: Symbol, name: str, path: Path, base: Path) -> Finding | None:
        """The finding that `path`, relative to the scope, is not the first to define `name`."""
        first = self.defined[symbol].first.get(name, path)
        if symbol.duplicate is None or first == path:
            return None
        related = ((base + first, FIRST_USED),)
        finding = Finding(base + path, symbol.duplicate, got=name, example=NewName(name), related=related)
        finding.taken = (self.defined[symbol].first,)
        return finding

    def dangling(self, symbol: Symbol, name: str, path: Path, base: Path) -> Finding | None:
        """The finding that the use of `name` at `path` surely leads nowhere."""
        side = self.defined[symbol]
        if symbol.dangling is None or not side.complete or name in side.first:
            return None
        finding = Finding(base + path, symbol.dangling, got=name, names=side.names())
        side.asked += 1
        if side.asked > MAX_ASKED:
            finding.forgo_meant()
        elif symbol.unused is not None:
            self._help(finding, symbol, base)
        meant = finding.meant()
        if meant is not None:
            finding.related = ((base + side.first[meant], NEAREST_NAME),)
        return finding

    def _help(self, finding: Finding, symbol: Symbol, base: Path) -> None:
        """The one name that nothing uses is most likely the one that was meant; if it is of the wrong form, the fault
        is there."""  # noqa: D205, D209  one sentence
        unused = self._unused(symbol)
        if len(unused) != 1:
            return
        side = self.defined[symbol]
        if side.form is None or side.form.fits(unused[0]):
            finding.example = unused[0]
        elif self.only_waiting(symbol):
            finding.remedy, finding.names = FixFirst(base + side.first[unused[0]]), ()

    def _unused(self, symbol: Symbol) -> list[str]:
        used = self.used[symbol]
        return [name for name in self.defined[symbol].first if name not in used.first] if used.complete else []

    def only_waiting(self, symbol: Symbol) -> str:
        """The one name that is used and not defined; ``""`` if there are several or none."""
        waiting = [name for name in self.used[symbol].first if name not in self.defined[symbol].first]
        form = self.defined[symbol].form
        return waiting[0] if len(waiting) == 1 and (form is None or form.fits(waiting[0])) else ""

    def unused(self, symbol: Symbol, name: str, path: Path, base: Path) -> Finding | None:
        """The finding that surely nobody uses the `name` that `path` defines."""
        side = self.used[symbol]
        if symbol.unused is None or not side.complete or name in side.first or name not in self.defined[symbol].first:
            return None
        if side.container is None:
            return Finding(base + path, symbol.unused, got=name)
        form = self.defined[symbol].form
        remedy = None if form and not form.fits(name) else Insert(base + side.container, nested(side.below, name))
        related = ((base + side.container, LINK_HERE),)
        return Finding(base + path, symbol.unused, got=name, related=related, remedy=remedy)


def _names(
    shape: Shape, value: dict[str, object], symbol: Symbol, incomplete: frozenset[Path], *, defining: bool
) -> Names:
    names = Names()
    key = (shape, symbol, defining)
    if key not in _sites:
        _sites[key] = tuple(sites(shape, symbol, defining=defining))
    names.form = _form(shape, symbol) if defining else None
    for site in _sites[key]:
        _gather(value, site, (), names, incomplete)
    return names


def _form(shape: Shape, symbol: Symbol) -> TextKind | None:
    """What a name has to look like that elements of the lists of a shape define."""
    items = (prop.kind.items for prop in shape.props.values() if isinstance(prop.kind, ListKind))
    kinds = (kind.shapes[0].props["id"].kind for kind in items if isinstance(kind, NodeKind) and kind.defines is symbol)
    return next((kind for kind in kinds if isinstance(kind, TextKind)), None)


def _gather(value: object, site: Path, path: Path, names: Names, incomplete: frozenset[Path]) -> None:
    """Follow `site` down from `value` and note every name at its end; anything odd on the way makes a gap."""
    if not site:
        if isinstance(value, str) and path not in incomplete:
            names.first.setdefault(value, path)
        else:
            names.complete = False
        return
    step, rest = site[0], site[1:]
    if incomplete and path in incomplete:
        names.complete = False
    if step == ANY_ELEMENT:
        if not isinstance(value, list) or not value:
            names.complete = False
            return
        names.container, names.below = path, rest
        is_quick = len(rest) == 1 and not incomplete
        for index, element in enumerate(value):
            name = element.get(rest[0]) if is_quick and type(element) is dict else None
            if type(name) is str:  # as it is nearly everywhere; the same without a call for each
                names.first.setdefault(name, (*path, index, *rest))
            else:
                _gather(element, rest, (*path, index), names, incomplete)
    elif isinstance(value, dict) and step in value:
        _gather(value[step], rest, (*path, step), names, incomplete)
    else:
        names.complete = False


def sites(shape: Shape, symbol: Symbol, *, defining: bool) -> Iterator[Path]:
    """Where, below one object of `shape`, names of `symbol` stand.

    Args:
        shape: the shape to look below; nodes in lists are not entered (they are scopes of their own).
        symbol: the symbol.
        defining: True for the places that define a name, False for those that use one.

    Yields:
        Paths with `ANY_ELEMENT` for the elements of a list, such as ``("columns", "*", "key")``.
    """
    for prop in shape.props.values():
        if (prop.defines if defining else prop.uses) is symbol:
            yield (prop.name,)
        for tail in _sites_in(prop.kind, symbol, defining=defining):
            yield (prop.name, *tail)


def _sites_in(kind: Kind, symbol: Symbol, *, defining: bool) -> Iterator[Path]:
    if isinstance(kind, ListKind):
        for tail in _sites_in(kind.items, symbol, defining=defining):
            yield (ANY_ELEMENT, *tail)
    elif isinstance(kind, ObjectKind):
        yield from sites(kind.shape, symbol, defining=defining)
    elif isinstance(kind, NodeKind) and defining and kind.defines is symbol:
        yield ("id",)
