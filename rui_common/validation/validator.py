"""Validate a value against the vocabulary.

This module does not refer to particular shapes. Findings come in canonical order: the properties of a shape as
declared, then unknown properties by code point.
"""

from __future__ import annotations

from functools import cache

from rui_common.validation.events import Mention, PageSlot, ValidNodes
from rui_common.validation.example_values import NewValue, NodeInPlace, ObjectInPlace
from rui_common.validation.fast_check import (
    children_prop,
    compile_prop_check,
    compile_value_check,
    node_checks,
    outer_names,
)
from rui_common.validation.findings import Finding
from rui_common.validation.guesses import (
    absent_type,
    is_all_nested,
    is_caused_by_type,
    replacement_of_parent,
    restructuring,
    suggestion_for_absent,
    unnest,
    unregistered_type,
    wrapper_prop,
)
from rui_common.validation.hints import (
    Dissolve,
    FixFirst,
    Rename,
    ReplaceByChildren,
    WriteInstead,
    suggest_restructure,
)
from rui_common.validation.model import ABSENT, NOT_COMPUTED
from rui_common.validation.name_checks import find_dangling, find_duplicate, find_unused
from rui_common.validation.scopes import Scope
from rui_common.vocabulary.aliases import likely_shape, read_as, shape_of_node, type_key, value_named
from rui_common.vocabulary.held import flatten
from rui_common.vocabulary.kinds import ListKind, NodeKind, ObjectKind
from rui_common.vocabulary.rules import ABSENT_TYPE, PLANNED, UNKNOWN_PROP
from rui_common.vocabulary.structures import BARE_LIST, inner_kind, parts_of, structure_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from rui_common.syntax.paths import Path
    from rui_common.validation.events import Event
    from rui_common.validation.fast_check import Check, ValidPrefix
    from rui_common.validation.model import Suggestion
    from rui_common.vocabulary.held import Flat, KeyPath
    from rui_common.vocabulary.schema import Kind, Prop, Shape, Symbol, Violation, Vocabulary

    Scopes = dict[Symbol, tuple[Scope, Path]]
    QuickCheck = tuple[Callable[[object], bool], tuple[tuple[Symbol, bool], ...]]


class Mode:
    """How a validator treats nodes."""

    ALL = "all"
    """Validate them; report consecutive valid nodes as one event."""

    SHELL = "shell"
    """Report a `PageSlot` for each and do not enter it."""

    NAMES = "names"
    """Validate them without the fast check, so that every name is reported with its path."""


class Validator:
    """Validates values.

    Args:
        vocabulary: the registered and planned types.
        incomplete: paths of objects and arrays in which something may be missing, whose properties are not reported as
            absent; and of scalars with syntax errors, which are not validated.
        mode: one of `Mode`.
    """

    __slots__ = ("_incomplete", "_mode", "_valid_prefixes", "_vocabulary")

    def __init__(self, vocabulary: Vocabulary, incomplete: frozenset[Path], mode: str = Mode.ALL) -> None:
        self._vocabulary = vocabulary
        self._incomplete = incomplete
        self._mode = mode
        # id(list) → (length of the valid prefix, ids defined in it), from a failed fast check.
        self._valid_prefixes: dict[int, tuple[int, list[str]]] = {}

    # Nodes ------------------------------------------------------------------------------------------------------------

    def node(
        self, value: object, path: Path, kind: NodeKind, scopes: Scopes, siblings: list[object] | None = None
    ) -> Iterable[Event]:
        """Validate a value where a node is expected (docs/decisions.md, section 2, cases 1 to 5).

        Args:
            value, path, kind, scopes: the value, its path, the kind of the node, and the names around it.
            siblings: the list that contains the value, or None.
        """
        if isinstance(value, dict) and self._mode is not Mode.NAMES:
            checks = node_checks(kind)
            check = checks.of(self._node_type(value, path))
            ids: list[str] = []
            if checks.symbol is not None and check is not None and self._accepts(check, value, ids):
                return [ValidNodes(checks.symbol, ids, (value,), path, kind)]
        return self._unchecked_node(value, path, kind, scopes, siblings)

    def _unchecked_node(
        self, value: object, path: Path, kind: NodeKind, scopes: Scopes, siblings: list[object] | None = None
    ) -> Iterable[Event]:
        """Validate a node that the fast check has refused, or that it does not know.

        Args:
            value, path, kind, scopes: the node, its path, the kind that is expected, and the names around it.
            siblings: the list that contains the node, or None.
        """
        if not isinstance(value, dict):
            return self._not_an_object(value, path, kind)
        node_type = self._node_type(value, path)
        if not isinstance(node_type, str):
            return self._untyped_node(value, node_type, path, kind, scopes, siblings)
        shape = kind.types.get(node_type)
        if shape is not None:
            return self._node_of_shape(value, shape, path, scopes)
        if node_type in self._vocabulary.nodes:
            return self._misplaced_node(value, node_type, path, kind, scopes, siblings)
        if node_type in self._vocabulary.planned:
            return [Finding(path, PLANNED, got=node_type, example=NodeInPlace(kind)), *self._identity(value, path)]
        return self._untyped_node(value, node_type, path, kind, scopes, siblings)

    def _not_an_object(self, value: object, path: Path, kind: NodeKind) -> list[Event]:
        violation = kind.violation(value)
        if violation is None or path in self._incomplete or (*path, "type") in self._incomplete:
            return []
        return [
            Finding(
                path, violation.rule,
                got=value, names=violation.values, expected=violation.expected, example=NodeInPlace(kind), match=None,
            )
        ]  # fmt: skip

    def _node_of_shape(self, value: dict[str, object], shape: Shape, path: Path, scopes: Scopes) -> Iterable[Event]:
        """Validate a node whose type is allowed at its place."""
        if self._valid_prefixes and not self._incomplete:
            children = children_prop(shape)
            if children is not None and id(value.get(children[0])) in self._valid_prefixes:
                return self._only_children(value, children, path, scopes)
        return self.properties(value, shape, path, scopes)

    def _node_type(self, value: dict[str, object], path: Path) -> object:
        if self._incomplete and (*path, "type") in self._incomplete:
            return ABSENT
        return value.get("type", ABSENT)

    def _only_children(
        self, value: dict[str, object], children: tuple[str, NodeKind], path: Path, scopes: Scopes
    ) -> Iterator[Event]:
        """Validate only a node's id and its children; its other properties have passed the fast check."""
        symbol = self._vocabulary.node_symbol
        if symbol is not None:
            yield Mention(symbol, str(value["id"]), (*path, "id"), False)
        name, kind = children
        values = value[name]
        assert isinstance(values, list)  # noqa: S101  the fast check has visited its elements
        yield from self.nodes(values, (*path, name), kind, scopes)

    def nodes(self, values: list[object], path: Path, kind: NodeKind, scopes: Scopes) -> Iterator[Event]:
        """Validate the elements of a list of nodes. Consecutive valid elements give one event."""
        checks = node_checks(kind)
        if self._mode is Mode.NAMES or self._incomplete or checks.symbol is None:
            for index, value in enumerate(values):
                yield from self.node(value, (*path, index), kind, scopes, values)
            return
        refused, ids = self._valid_prefixes.pop(id(values), (-1, list[str]()))
        first = 0
        for index in range(max(refused, 0), len(values)):
            value = values[index]
            end_id = len(ids)
            if isinstance(value, dict) and index != refused:
                check = checks.of(value.get("type"))
                if check is not None and self._accepts(check, value, ids):
                    continue
            if first < index:
                yield ValidNodes(checks.symbol, ids[:end_id], values[first:index], path, kind, first=first)
            yield from self._unchecked_node(value, (*path, index), kind, scopes, values)
            first = index + 1
            ids = []
        if first < len(values):
            yield ValidNodes(checks.symbol, ids, values[first:], path, kind, first=first)

    def _accepts(self, check: Check, value: object, ids: list[str]) -> bool:
        """Run the fast check of a node. If it fails, keep the valid prefixes of the lists below."""
        partial: list[ValidPrefix] = []
        if check(value, ids, partial):  # type: ignore[arg-type]
            return True
        for prefix in partial:
            self._valid_prefixes[id(prefix.values)] = (prefix.count, ids[prefix.first_id : prefix.end_id])
        return False

    def _misplaced_node(
        self,
        value: dict[str, object],
        node_type: str,
        path: Path,
        kind: NodeKind,
        scopes: Scopes,
        siblings: list[object] | None,
    ) -> Iterator[Event]:
        """Validate a node whose type is registered but not allowed here."""
        shape = self._vocabulary.nodes[node_type]
        if not kind.at_type:
            yield self._misplaced(node_type, path, kind, siblings)
            yield from self.properties(value, shape, path, scopes)
            return
        type_path = (*path, "type")
        rule = kind.nested.get(node_type, kind.child)
        finding = Finding(type_path, rule, got=node_type, names=tuple(kind.types))
        better_shape = kind.shape_by_properties(value)
        if better_shape is None and len(kind.shapes) == 1:
            better_shape = kind.shapes[0]
        for event in self.properties(value, shape, path, scopes, type_findings=[finding]):
            if better_shape is None or not isinstance(event, Finding):
                yield event
            elif is_caused_by_type(event, value, path, better_shape):
                yield event._replace(names=(), example=ABSENT, suggestion=FixFirst(type_path), match=None)
            else:
                yield event

    def _misplaced(self, node_type: str, path: Path, kind: NodeKind, siblings: list[object] | None) -> Finding:
        """Return the finding that a node is not allowed here."""
        rule = kind.nested.get(node_type, kind.child)
        suggestion = suggest_restructure(self._vocabulary.nodes[node_type], kind)
        can_be_replaced = isinstance(suggestion, ReplaceByChildren)
        if can_be_replaced and siblings is not None and is_all_nested(siblings, kind, self._vocabulary):
            suggestion = replacement_of_parent(path)
        example = ABSENT if suggestion is not None else NodeInPlace(kind)
        return Finding(path, rule, got=node_type, names=tuple(kind.types), example=example, suggestion=suggestion)

    def _untyped_node(
        self,
        value: dict[str, object],
        node_type: object,
        path: Path,
        kind: NodeKind,
        scopes: Scopes,
        siblings: list[object] | None,
    ) -> Iterator[Event]:
        """Validate a node whose type is absent or not registered by the shape that it is read as, if any."""
        type_path = (*path, "type")
        findings: list[Finding] = []
        shape = self._shape_of_untyped(value, node_type, kind)
        if node_type is not ABSENT:
            findings.append(unregistered_type(type_path, node_type, kind, shape))
        elif "type" in value or (key := type_key(value, kind, self._vocabulary)) is None:
            if path not in self._incomplete:
                findings.append(absent_type(type_path, kind, shape))
        else:
            node_type = value[key]
            findings.append(Finding(type_path, ABSENT_TYPE, suggestion=Rename(key, "type")))
            if node_type in self._vocabulary.planned:
                yield Finding(path, PLANNED, got=node_type, example=NodeInPlace(kind))
            elif node_type not in self._vocabulary.nodes:
                findings.append(unregistered_type((*path, key), node_type, kind, shape))
        if shape is None:
            yield from self._identity(value, path)
            yield from findings
            return
        if shape.name not in kind.types and not kind.at_type:
            yield self._misplaced(shape.name, path, kind, siblings)
        yield from self.properties(value, shape, path, scopes, type_findings=findings)

    def _shape_of_untyped(self, value: dict[str, object], node_type: object, kind: NodeKind) -> Shape | None:
        """Return the shape that a node without a registered type is read as."""
        if node_type is ABSENT and "type" in value:
            return likely_shape(value, kind)  # There is a syntax error in the type.
        return shape_of_node(value, kind, self._vocabulary)

    def _identity(self, value: dict[str, object], path: Path) -> Iterator[Event]:
        """Report the id of a node whose properties are not validated: it counts for uniqueness."""
        symbol = self._vocabulary.node_symbol
        name = value.get("id")
        if symbol is not None and isinstance(name, str):
            yield Mention(symbol, name, (*path, "id"), False)

    # Objects ----------------------------------------------------------------------------------------------------------

    def properties(
        self,
        value: dict[str, object],
        shape: Shape,
        path: Path,
        scopes: Scopes,
        *,
        type_findings: list[Finding] | None = None,
        example: object = None,
    ) -> Iterable[Event]:
        """Validate an object of a known shape.

        Args:
            value: the object.
            shape: its shape.
            path: its path.
            scopes: the names around it.
            type_findings: the findings about its ``type``, if that has been validated.
            example: an object that would be valid instead.
        """
        examples = example if isinstance(example, dict) else {}
        planned = shape.planned_type(value)
        if planned is not None:
            return [Finding(path, PLANNED, got=planned, example=ObjectInPlace(shape, examples, scopes))]
        if shape.scope:
            scopes = self._scopes_inside(value, shape, path, scopes)
        has_unknown = not value.keys() <= shape.props.keys()
        flat = None
        if has_unknown and shape is not self._vocabulary.root:
            flat = flatten(value, shape, self._vocabulary)
        if flat is not None:
            return self._flat_properties(value, flat, shape, path, scopes, type_findings, examples)
        return self._own_properties(value, shape, path, scopes, type_findings, examples, has_unknown=has_unknown)

    def _own_properties(
        self,
        value: dict[str, object],
        shape: Shape,
        path: Path,
        scopes: Scopes,
        type_findings: list[Finding] | None,
        examples: dict[str, object],
        *,
        has_unknown: bool,
    ) -> Iterator[Event]:
        wrapper = None
        keys: dict[str, str] = {}
        if has_unknown:
            wrapper, keys = self._other_names(value, shape)
        props: Iterable[Prop] = shape.props.values()
        if type_findings is None:
            props = _with_keys(compile_prop_check(shape)(value, scopes), keys, shape)
        for prop in props:
            name = prop.name
            if name == "type" and type_findings is not None:
                yield from type_findings
                continue
            example_of_prop = examples.get(name, prop.example)
            key = name if name in value else keys.get(name)
            if prop.required and name not in value:
                suggestion = suggestion_for_absent(name, key, wrapper, value)
                yield from self._absent(shape, prop, path, suggestion, scopes, example_of_prop)
            if key is not None and not self._is_incomplete(value[key], path, key):
                yield from self._value(value[key], prop.kind, (*path, key), scopes, prop, example_of_prop)
        if has_unknown and not shape.open:
            yield from self._unknown_properties(value, shape, path, wrapper, keys, scopes)

    def _flat_properties(
        self,
        value: dict[str, object],
        flat: Flat,
        shape: Shape,
        path: Path,
        scopes: Scopes,
        type_findings: list[Finding] | None,
        examples: dict[str, object],
    ) -> Iterator[Event]:
        """Validate an object that has some of its properties one level too deep."""
        keys = read_as(flat.value, shape)
        for name, prop in shape.props.items():
            if name == "type" and type_findings is not None:
                yield from type_findings
                continue
            example = examples.get(name, prop.example)
            key = name if name in flat.value else keys.get(name)
            if prop.required and name not in value:
                suggestion = suggestion_for_absent(name, key, None, value)
                if key in flat.places:
                    suggestion = Dissolve(flat.path_of(key), name)
                yield from self._absent(shape, prop, path, suggestion, scopes, example)
            if key is not None:
                inner_path = (*path, *flat.path_of(key))
                if not self._is_incomplete(flat.value[key], inner_path[:-1], key):
                    yield from self._value(flat.value[key], prop.kind, inner_path, scopes, prop, example)
        yield from self._unknown_and_held(value, flat, keys, shape, path, ())

    def _unknown_and_held(
        self, value: dict[str, object], flat: Flat, keys: dict[str, str], shape: Shape, path: Path, holder: KeyPath
    ) -> Iterator[Event]:
        """Report the unknown properties of an object, or of a holder in it, and the holders."""
        names = {flat.path_of(key): name for name, key in keys.items()}
        absent = [name for name in shape.props if name not in flat.value and name not in keys]
        for key in sorted(value.keys() - shape.props.keys()):
            place = (*holder, key)
            finding = Finding((*path, *place), UNKNOWN_PROP, got=key, owner=shape.name, match=None)
            inner = value[key]
            if place in flat.holders and isinstance(inner, dict):
                yield finding._replace(suggestion=Dissolve((key,)))
                yield from self._unknown_and_held(inner, flat, keys, shape, path, place)
            elif place in names:
                yield finding._replace(suggestion=Rename(key, names[place]))
            else:
                yield finding._replace(names=absent, match=NOT_COMPUTED)

    def _other_names(self, value: dict[str, object], shape: Shape) -> tuple[str | None, dict[str, str]]:
        """Return the property that is read as the whole object, or None; and the keys of properties (see `read_as`)."""
        wrapper = wrapper_prop(value, shape) if shape is self._vocabulary.root else None
        if wrapper is not None:
            return wrapper, {}
        return None, read_as(value, shape)

    def _scopes_inside(self, value: dict[str, object], shape: Shape, path: Path, scopes: Scopes) -> Scopes:
        """Return the scopes of the properties of an object. The scope of the document already exists."""
        if not shape.scope or shape is self._vocabulary.root:
            return scopes
        incomplete = self._incomplete
        if incomplete:
            size = len(path)
            incomplete = frozenset(other[size:] for other in incomplete if other[:size] == path)
        scope = Scope(shape, value, incomplete, vocabulary=self._vocabulary)
        return {**scopes, **dict.fromkeys(shape.scope, (scope, path))}

    def _absent(
        self, shape: Shape, prop: Prop, path: Path, suggestion: Suggestion | None, scopes: Scopes, example: object
    ) -> list[Finding]:
        """Report a required property that the object at `path` lacks."""
        inner_path = (*path, prop.name)
        if suggestion is not None:
            return [Finding(inner_path, prop.missing, owner=shape.name, suggestion=suggestion)]
        if path in self._incomplete:
            return []
        new = NewValue(prop, prop.kind, example, scopes)
        return [Finding(inner_path, prop.missing, owner=shape.name, example=new)]

    def _unknown_properties(
        self,
        value: dict[str, object],
        shape: Shape,
        path: Path,
        wrapper: str | None,
        keys: dict[str, str],
        scopes: Scopes,
    ) -> Iterator[Event]:
        """Report the properties that a strict shape does not have. The inside of a wrapper is validated."""
        names = {key: name for name, key in keys.items()}
        absent = [name for name in shape.props if name not in value and name not in keys]
        for key in sorted(value.keys() - shape.props.keys()):
            if key == wrapper:
                suggestion = unnest(key, value)
                yield Finding((*path, key), UNKNOWN_PROP, got=key, owner=shape.name, suggestion=suggestion)
                inner = value[key]
                if isinstance(inner, dict):
                    yield from self.properties(inner, shape, (*path, key), scopes)
            elif key in names:
                renamed = Rename(key, names[key])
                yield Finding((*path, key), UNKNOWN_PROP, got=key, owner=shape.name, suggestion=renamed, match=None)
            else:
                yield Finding((*path, key), UNKNOWN_PROP, got=key, owner=shape.name, names=absent)

    def _is_incomplete(self, value: object, path: Path, step: str | int) -> bool:
        """Return whether a scalar in the object or list at `path` has a syntax error, so that its value is unknown."""
        return bool(self._incomplete) and not isinstance(value, dict | list) and (*path, step) in self._incomplete

    # Values -----------------------------------------------------------------------------------------------------------

    def _value(
        self, value: object, kind: Kind, path: Path, scopes: Scopes, prop: Prop, example: object
    ) -> Iterable[Event]:
        """Validate a value of a property or of its list. `example` is a valid value."""
        if isinstance(value, str) and kind.json_type == "string":
            return self._text(value, kind, path, scopes, prop, example)
        violation = kind.violation(value)
        if violation is not None:
            finding = _violating(violation, value, kind, path, scopes, prop, example)
            return self._other_structure(value, finding, kind, scopes, prop, example)
        if isinstance(kind, ListKind) and isinstance(value, list):
            return self._list(value, kind, path, scopes, prop)
        if isinstance(kind, NodeKind):
            return self.node(value, path, kind, scopes)
        if not isinstance(kind, ObjectKind) or not isinstance(value, dict):
            return []
        return self.properties(value, kind.shape, path, scopes, example=example)

    def _other_structure(
        self, value: object, finding: Finding, kind: Kind, scopes: Scopes, prop: Prop, example: object
    ) -> Iterator[Event]:
        """Report a value of the wrong type. If it is read all the same, validate what is in it."""
        structure = structure_of(value, kind, self._vocabulary)
        if structure is None:
            yield finding
            return
        yield finding._replace(example=ABSENT, suggestion=restructuring(structure, value, kind))
        kind = inner_kind(structure, kind)
        if structure.sort == BARE_LIST:
            prop = prop.kind.inner_shapes[0].props[structure.name]
            example = prop.example
        is_slot = self._mode is Mode.SHELL and isinstance(kind, NodeKind)
        for steps, part in parts_of(value, structure):
            path = (*finding.path, *steps)
            if is_slot and isinstance(kind, NodeKind):
                yield PageSlot(kind, part, path)
            else:
                yield from self._value(part, kind, path, scopes, prop, example)

    def _text(self, value: str, kind: Kind, path: Path, scopes: Scopes, prop: Prop, example: object) -> Iterable[Event]:
        events: list[Event] = []
        if prop.defines is not None:
            events += self._name(value, prop.defines, path, scopes, is_use=False)
        violation = kind.violation(value)
        if violation is not None:
            events.append(_violating(violation, value, kind, path, scopes, prop, example))
        if prop.uses is not None:
            events += self._name(value, prop.uses, path, scopes, is_use=True)
        return events

    def _name(self, name: str, symbol: Symbol, path: Path, scopes: Scopes, *, is_use: bool) -> list[Event]:
        if symbol not in scopes:
            return [Mention(symbol, name, path, is_use)]
        scope, base = scopes[symbol]
        relative = path[len(base) :]
        if is_use:
            findings = [find_dangling(scope, symbol, name, relative, base)]
        else:
            findings = [
                find_duplicate(scope, symbol, name, relative, base),
                find_unused(scope, symbol, name, relative, base),
            ]
        return [finding for finding in findings if finding is not None]

    def _list(self, value: list[object], kind: ListKind, path: Path, scopes: Scopes, prop: Prop) -> Iterable[Event]:
        items = kind.items
        if not value:
            if path in self._incomplete:
                return []
            return [Finding(path, kind.empty, example=NewValue(prop, kind, prop.example, scopes))]
        if not isinstance(items, NodeKind):
            return self._elements(value, items, path, scopes, prop)
        if self._mode is Mode.SHELL:
            # A generator: a report ends after 50 findings, and a hostile document has 100,000 pages.
            return (PageSlot(items, element, (*path, index)) for index, element in enumerate(value))
        return self.nodes(value, path, items, scopes)

    def _elements(self, value: list[object], items: Kind, path: Path, scopes: Scopes, prop: Prop) -> Iterator[Event]:
        example = next(iter(prop.example), None) if isinstance(prop.example, list) else None
        quick_check = _quick_check(items)
        for index, element in enumerate(value):
            if quick_check is not None and _is_valid(element, quick_check, scopes):
                continue
            if not self._is_incomplete(element, path, index):
                yield from self._value(element, items, (*path, index), scopes, prop, example)


def _violating(
    violation: Violation, value: object, kind: Kind, path: Path, scopes: Scopes, prop: Prop, example: object
) -> Finding:
    """Return the finding for a value that its kind refuses."""
    expected = violation.expected
    if violation.values:
        meant = value_named(value, kind)
        suggestion = None if meant is None else WriteInstead(meant, value)
        return Finding(
            path, violation.rule,
            got=value, names=violation.values, expected=expected, suggestion=suggestion, match=None,
        )  # fmt: skip
    new = NewValue(prop, kind, example, scopes)
    return Finding(path, violation.rule, got=value, expected=expected, example=new)


@cache
def _quick_check(kind: Kind) -> QuickCheck | None:
    """Return a predicate that accepts only valid values, and the names that it does not check (see `outer_names`).

    Returns:
        None if values contain nodes.
    """
    check = compile_value_check(kind)
    return None if check is None else (check, outer_names(kind))


def _is_valid(value: object, quick_check: QuickCheck, scopes: Scopes) -> bool:
    """Return whether it is certain that a value has no finding, and no name of the document."""
    check, names = quick_check
    if not check(value):
        return False
    return not names or all(
        symbol in scopes and scopes[symbol][0].is_consistent(symbol, is_use=is_use) for symbol, is_use in names
    )


def _with_keys(props: list[Prop], keys: dict[str, str], shape: Shape) -> list[Prop]:
    """Return properties and those that are read from other keys, in canonical order."""
    if not keys:
        return props
    return [prop for prop in shape.props.values() if prop in props or prop.name in keys]
