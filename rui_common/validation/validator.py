"""The walk along the vocabulary: one value, one shape, and what each property of it says.

Nothing in here knows what a page or a table is. The order of the walk is the canonical order of findings: the
properties of a shape as they are declared, then the unknown ones by code point.
"""

from __future__ import annotations

from rui_common.syntax.reader import parse_embedded_object
from rui_common.validation.events import PageSlot, Plain
from rui_common.validation.fast_check import acceptors_of, compile_check, compile_check_without_names
from rui_common.validation.findings import ABSENT, Finding
from rui_common.validation.hints import (
    FixFirst,
    TakeOut,
    corrected,
    element_of,
    fitted,
    keeping_id,
    named,
    restructured,
)
from rui_common.validation.scopes import Scope
from rui_common.vocabulary.kinds import ListKind, NodeKind, ObjectKind
from rui_common.vocabulary.lookup import by_shape
from rui_common.vocabulary.rules import ABSENT_TYPE, PLANNED, UNKNOWN_PROP, UNREGISTERED_TYPE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from rui_common.syntax.paths import Path
    from rui_common.validation.events import Event
    from rui_common.validation.fast_check import Check
    from rui_common.validation.fast_check import Step as Trail
    from rui_common.vocabulary.schema import Kind, Prop, Shape, Symbol, Violation, Vocabulary

    Scopes = dict[Symbol, tuple[Scope, Path]]
    Step = tuple[str, Prop, Callable[[object], bool] | None]

_steps_of: dict[Shape, tuple[Step, ...]] = {}
_holders: dict[Shape, tuple[str, NodeKind] | None] = {}


class Validator:
    """One pass over a value.

    Args:
        vocabulary: the registered and planned types.
        damaged: paths of objects and arrays in which something may be missing, of which nothing is said to be absent,
            and of plain values that are broken, which are not judged.
        in_head: whether the nodes met are pages: each gives a `PageSlot` and is not entered.
        in_full: whether to walk also what is plainly valid, so that every name is mentioned with its path.
    """

    __slots__ = ("_in_full", "_in_head", "_incomplete", "_sound", "_vocabulary")

    def __init__(
        self, vocabulary: Vocabulary, incomplete: frozenset[Path], *, in_head: bool = False, in_full: bool = False
    ) -> None:
        self._vocabulary = vocabulary
        self._incomplete = incomplete
        self._in_head = in_head
        self._in_full = in_full
        # Of lists in nodes that are not plainly valid: how many elements are before the first such, and their ids.
        self._sound: dict[int, tuple[int, list[str]]] = {}

    def node(
        self, value: object, path: Path, kind: NodeKind, scopes: Scopes, *, is_faulty: bool = False
    ) -> Iterable[Event]:
        """A value in a place where a node belongs (docs/decisions.md, section 2, cases 1 to 5).

        `is_faulty` says that it is known not to be plainly valid.
        """
        if not isinstance(value, dict):
            if path in self._incomplete or (*path, "type") in self._incomplete:
                return ()
            types = (*kind.types,)
            return (Finding(path, kind.child, got=value, names=types, expected=kind.word, example=kind.example),)
        given = ABSENT if self._incomplete and (*path, "type") in self._incomplete else value.get("type", ABSENT)
        if not isinstance(given, str):
            return self._of_no_type(value, given, path, kind, scopes)
        if not self._in_full and not is_faulty:
            accepted, symbol = acceptors_of(kind)
            ids: list[str] = []
            if symbol is not None and given in accepted and self._accepts(accepted[given], value, ids):
                return (Plain(symbol, ids, (value,), path, kind),)
        return self._of_type(value, given, path, kind, scopes)

    def _of_type(
        self, value: dict[str, object], given: str, path: Path, kind: NodeKind, scopes: Scopes
    ) -> Iterable[Event]:
        shape = kind.types.get(given)
        if shape is not None:
            holder = None if self._incomplete else _holder(shape)
            if holder is not None and id(value.get(holder[0])) in self._sound:
                return self._only_nodes(value, holder, path, scopes)
            return self.properties(value, shape, path, scopes)
        if given in self._vocabulary.nodes:
            return self._misplaced(value, given, path, kind, scopes)
        if given in self._vocabulary.planned:
            finding = Finding(path, PLANNED, got=given, example=keeping_id(kind.example, value, kind.shapes))
            return (finding, *self._identity(value, path))
        return self._of_no_type(value, given, path, kind, scopes)

    def _only_nodes(
        self, value: dict[str, object], holder: tuple[str, NodeKind], path: Path, scopes: Scopes
    ) -> Iterator[Event]:
        """A node about which, beside its id, there is nothing to say but of the nodes that it holds."""
        yield from self._identity(value, path)
        name, kind = holder
        values = value[name]
        assert isinstance(values, list)  # noqa: S101  the acceptor came to its elements
        yield from self.nodes(values, (*path, name), kind, scopes)

    def nodes(self, values: list[object], path: Path, kind: NodeKind, scopes: Scopes) -> Iterator[Event]:
        """The elements of a list of nodes; those that are plainly valid as many at a time as stand together."""
        accepted, symbol = acceptors_of(kind)
        if self._in_full or self._incomplete or symbol is None:
            for index, value in enumerate(values):
                yield from self.node(value, (*path, index), kind, scopes)
            return
        first, (faulty, ids) = 0, self._sound.pop(id(values), (-1, list[str]()))
        for index in range(max(faulty, 0), len(values)):
            value, before = values[index], len(ids)
            given = value.get("type") if isinstance(value, dict) and index != faulty else None
            if isinstance(given, str) and given in accepted and self._accepts(accepted[given], value, ids):
                continue
            if first < index:
                yield Plain(symbol, ids[:before], values[first:index], path, kind, first=first)
            yield from self.node(value, (*path, index), kind, scopes, is_faulty=True)
            first, ids = index + 1, []
        if first < len(values):
            yield Plain(symbol, ids, values[first:], path, kind, first=first)

    def _accepts(self, accept: Check, value: object, ids: list[str]) -> bool:
        """Whether a node is plainly valid; if not, those in it that are need not be asked about again."""
        trail: list[Trail] = []
        if accept(value, ids, trail):  # type: ignore[arg-type]
            return True
        for values, count, start, end in trail:
            self._sound[id(values)] = count, ids[start:end]
        return False

    def _misplaced(
        self, value: dict[str, object], given: str, path: Path, kind: NodeKind, scopes: Scopes
    ) -> Iterator[Event]:
        rule = kind.nested.get(given, kind.child)
        shape = self._vocabulary.nodes[given]
        if kind.at_type:
            finding = Finding((*path, "type"), rule, got=given, names=(*kind.types,))
            meant = by_shape(value, kind)
            for event in self.properties(value, shape, path, scopes, of_type=finding):
                if meant is not None and isinstance(event, Finding) and _is_of_type_alone(event, value, path, meant):
                    event.set_fix_first((*path, "type"))
                yield event
        else:
            remedy = restructured(shape, kind)
            example = ABSENT if remedy else keeping_id(kind.example, value, kind.shapes)
            yield Finding(path, rule, got=given, names=(*kind.types,), example=example, remedy=remedy)
            yield from self.properties(value, shape, path, scopes)

    def _of_no_type(
        self, value: dict[str, object], given: object, path: Path, kind: NodeKind, scopes: Scopes
    ) -> Iterator[Event]:
        """A node whose type is absent or not registered: read by its shape if that can only be one."""
        shape = by_shape(value, kind)
        finding: Finding | None = None
        example = shape.name if shape is not None else ABSENT
        if given is not ABSENT:
            finding = Finding((*path, "type"), UNREGISTERED_TYPE, got=given, names=(*kind.types,), example=example)
            if finding.meant() != example:
                finding.forgo_meant()  # what it has speaks louder than how its type is spelt
        elif path not in self._incomplete:
            finding = Finding((*path, "type"), ABSENT_TYPE, names=(*kind.types,), example=example)
        if shape is not None:
            yield from self.properties(value, shape, path, scopes, of_type=finding)
        else:
            yield from self._identity(value, path)
            if finding is not None:
                yield finding

    def _identity(self, value: dict[str, object], path: Path) -> Iterator[Event]:
        """The id of a node that is not looked into: it still counts for uniqueness."""
        symbol = next(shape.props["id"].defines for shape in self._vocabulary.nodes.values())
        name = value.get("id")
        if symbol is not None and isinstance(name, str):
            yield (symbol, name, (*path, "id"), False)

    def properties(
        self,
        value: dict[str, object],
        shape: Shape,
        path: Path,
        scopes: Scopes,
        *,
        of_type: Finding | None = None,
        example: object = None,
    ) -> Iterator[Event]:
        """An object of a known shape.

        Args:
            value, shape, path, scopes: the object, its shape, where it is, the names around it.
            of_type: what was found about its ``type`` already.
            example: an object that could stand in its place.
        """
        examples = example if isinstance(example, dict) else {}
        planned = shape.planned_type(value)
        if planned is not None:
            yield Finding(path, PLANNED, got=planned, example=examples or ABSENT)
            return
        if shape.scope and shape is not self._vocabulary.root:
            below = self._incomplete and frozenset(p[len(path) :] for p in self._incomplete if p[: len(path)] == path)
            scope = Scope(shape, value, below)
            scopes = {**scopes, **dict.fromkeys(shape.scope, (scope, path))}
        wrapper = _wrapper(value, shape) if shape is self._vocabulary.root else None
        for name, prop, is_plain in _steps(shape):
            if name == "type" and of_type is not None:
                yield of_type
            elif name in value:
                if (is_plain is None or not is_plain(value[name])) and not (
                    self._incomplete and self._is_incomplete(value[name], (*path, name))
                ):
                    yield from self._value(
                        value[name], prop.kind, (*path, name), scopes, prop, examples.get(name, prop.example)
                    )
            elif prop.required and wrapper is not None:
                yield Finding((*path, name), prop.missing, owner=shape.name, remedy=FixFirst((*path, wrapper)))
            elif prop.required and path not in self._incomplete:
                yield self._absent(prop, prop.missing, (*path, name), scopes, shape.name, examples.get(name))
        if not shape.open and not value.keys() <= shape.props.keys():
            yield from _unknown(value, shape, path, wrapper)

    def _is_plain(self, value: dict[str, object], shape: Shape, path: Path, scopes: Scopes) -> bool:
        """Whether nothing is to be said about an object, its names within the scopes around it included."""
        bare = None if self._incomplete else compile_check_without_names(shape)
        if bare is None:
            return False
        accept, outer = bare
        if not accept(value, [], []):
            return False
        for prop, symbol, is_use in outer:
            if symbol not in scopes or (symbol.unused is not None and not is_use):
                return False
            scope, base = scopes[symbol]
            first = scope.defined[symbol].first
            if prop in value and (
                value[prop] not in first if is_use else first[value[prop]] != (*path[len(base) :], prop)  # type: ignore[index]
            ):
                return False
        return True

    def _is_incomplete(self, value: object, path: Path) -> bool:
        """Whether a plain value is broken in the text, so that nobody knows yet what it will be."""
        return not isinstance(value, dict | list) and path in self._incomplete

    def _absent(
        self, prop: Prop, rule: str, path: Path, scopes: Scopes, owner: str = "", example: object = None
    ) -> Finding:
        """The finding that a property, or every element of its list, is missing."""
        given = prop.example if example is None else example
        return self._with_example(Finding(path, rule, owner=owner), prop, prop.kind, given, scopes)

    def _with_example(self, finding: Finding, prop: Prop, kind: Kind, example: object, scopes: Scopes) -> Finding:
        """The finding with an example that fits in: what is waited for is in it, and its names are free."""
        around = {symbol: scope for symbol, (scope, _) in scopes.items()}
        finding.example = named(prop, fitted(prop, kind, example, around))
        finding.taken = tuple(scope.defined[symbol].first for symbol, scope in around.items())
        return finding

    def _value(
        self, value: object, kind: Kind, path: Path, scopes: Scopes, prop: Prop, example: object
    ) -> Iterable[Event]:
        """A value of a property or of its list; `example` is one that could stand there."""
        if isinstance(value, str) and kind.json_type == "string":
            return self._text(value, kind, path, scopes, prop, example)
        violation = kind.violation(value)
        if violation is not None:
            return (self._violating(violation, value, kind, path, scopes, prop, example),)
        if isinstance(kind, ObjectKind) and isinstance(value, dict):
            is_plain = self._is_plain(value, kind.shape, path, scopes)
            return () if is_plain else self.properties(value, kind.shape, path, scopes, example=example)
        if isinstance(kind, ListKind) and isinstance(value, list):
            return self._list(value, kind, path, scopes, prop)
        if isinstance(kind, NodeKind):
            return self.node(value, path, kind, scopes)
        return ()

    def _text(self, value: str, kind: Kind, path: Path, scopes: Scopes, prop: Prop, example: object) -> Iterator[Event]:
        if prop.defines is not None:
            yield from self._symbol(value, prop.defines, path, scopes, is_use=False)
        violation = kind.violation(value)
        if violation is not None:
            yield self._violating(violation, value, kind, path, scopes, prop, example)
        if prop.uses is not None:
            yield from self._symbol(value, prop.uses, path, scopes, is_use=True)

    def _violating(
        self, violation: Violation, value: object, kind: Kind, path: Path, scopes: Scopes, prop: Prop, example: object
    ) -> Finding:
        """The finding for a value that its kind refuses."""
        finding = Finding(path, violation.rule, got=value, names=violation.values, expected=violation.expected)
        if violation.is_wrong_type:
            return self._with_example(finding, prop, kind, example, scopes)
        if not violation.values:
            declared = prop.example if kind is prop.kind else example
            finding.example = named(prop, corrected(value, kind, prop, declared))
        return finding

    def _symbol(self, name: str, symbol: Symbol, path: Path, scopes: Scopes, *, is_use: bool) -> Iterable[Event]:
        if symbol not in scopes:
            return ((symbol, name, path, is_use),)
        scope, base = scopes[symbol]
        here = path[len(base) :]
        judges = (scope.dangling,) if is_use else (scope.duplicate, scope.unused)
        findings = [judge(symbol, name, here, base) for judge in judges]
        return [finding for finding in findings if finding is not None]

    def _list(self, value: list[object], kind: ListKind, path: Path, scopes: Scopes, prop: Prop) -> Iterable[Event]:
        items = kind.items
        if not value:
            return () if path in self._incomplete else (self._absent(prop, kind.empty, path, scopes),)
        if not isinstance(items, NodeKind):
            return self._elements(value, items, path, scopes, prop)
        if self._in_head:
            return (PageSlot(items, element, (*path, index)) for index, element in enumerate(value))
        return self.nodes(value, path, items, scopes)

    def _elements(self, value: list[object], items: Kind, path: Path, scopes: Scopes, prop: Prop) -> Iterator[Event]:
        example = element_of(prop.example)
        for index, element in enumerate(value):
            if self._incomplete and self._is_incomplete(element, (*path, index)):
                continue
            yield from self._value(element, items, (*path, index), scopes, prop, example)


def _is_of_type_alone(finding: Finding, value: dict[str, object], path: Path, meant: Shape) -> bool:
    """Whether a finding in a node comes of its type alone: as the type that it looks like, it would not be there."""
    if finding.path[: len(path)] != path or not 1 <= len(below := finding.path[len(path) :]) <= 2 or below == ("type",):
        return False
    if len(below) == 1:
        return finding.rule == UNKNOWN_PROP or finding.got is ABSENT
    prop = meant.props.get(str(below[0]))
    items = prop.kind.items if prop is not None and isinstance(prop.kind, ListKind) else None
    inner = value.get(str(below[0]))
    element = inner[below[1]] if isinstance(inner, list) and isinstance(below[1], int) else None
    return isinstance(items, NodeKind) and isinstance(element, dict) and element.get("type") in (*items.types,)


def _steps(shape: Shape) -> tuple[Step, ...]:
    """The properties of a shape, each with what tells at a glance that nothing is to be said about a value."""
    if shape not in _steps_of:
        _steps_of[shape] = tuple((name, prop, _glance(prop)) for name, prop in shape.props.items())
    return _steps_of[shape]


def _glance(prop: Prop) -> Callable[[object], bool] | None:
    kind = prop.kind
    if isinstance(kind, ObjectKind):
        accept = compile_check(kind.shape)
        return None if accept is None else lambda value: type(value) is dict and accept(value, [], [])
    if isinstance(kind, ListKind | NodeKind) or prop.defines or prop.uses:
        return None
    return kind.accepts


def _holder(shape: Shape) -> tuple[str, NodeKind] | None:
    """The property of a node that holds others, if there is just one and no names belong to the node alone."""
    if shape not in _holders:
        lists = [(name, prop.kind.items) for name, prop in shape.props.items() if isinstance(prop.kind, ListKind)]
        found = [(name, items) for name, items in lists if isinstance(items, NodeKind)]
        _holders[shape] = found[0] if len(found) == 1 and not shape.scope else None
    return _holders[shape]


def _unknown(value: dict[str, object], shape: Shape, path: Path, wrapper: str | None) -> Iterator[Finding]:
    """The properties that are not registered; one of them may hold what was meant as the object itself."""
    known = [name for name in shape.props if name not in value]
    for name in sorted(value.keys() - shape.props.keys()):
        if name == wrapper:
            remedy = TakeOut(name, is_text=isinstance(value[name], str))
            yield Finding((*path, name), UNKNOWN_PROP, got=name, remedy=remedy)
        else:
            yield Finding((*path, name), UNKNOWN_PROP, got=name, names=known)


def _wrapper(value: dict[str, object], shape: Shape) -> str | None:
    """The only unknown property, if what was meant as the object itself stands in it: most of what is required."""
    if shape.open or value.keys() <= shape.props.keys():
        return None
    unknown = value.keys() - shape.props.keys()
    if len(unknown) != 1:
        return None
    (name,) = unknown
    inner = parse_embedded_object(value[name])
    if not isinstance(inner, dict) or any(required in value for required in shape.required):
        return None
    there = sum(required in inner for required in shape.required)
    return name if 2 * there > len(shape.required) else None
