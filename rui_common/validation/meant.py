"""What was meant: the answer for hints, fixes and completion.

A hint says *did you mean X?* if `meant_by` returns X, and the first fix makes X then.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from enum import Enum, auto
from functools import cache
from typing import NamedTuple

from rui_common.suggest import Budget, kebab_case, nearest, squash
from rui_common.validation.findings import ABSENT, Finding
from rui_common.validation.node import Node
from rui_common.vocabulary.problems import Problem
from rui_common.vocabulary.queries import open_property
from rui_common.vocabulary.schema import Kind, OtherValue, Prop, Shape, reachable

MAX_UNKNOWN = 100
"""Unknown properties of an object up to which they are compared with the absent ones."""

MAX_VISITED = 200
"""Values that are searched for texts. Bounds the time for large values."""

_ADDRESS_MARKS = "/.{$"
"""Marks of paths and templates, which a required binding is made of, in a text."""


def meant_by(finding: Finding) -> str | None:
    """Return the name or value that is probably meant instead of the one of a finding; None if there is none."""
    if finding.meant:
        return finding.meant
    if not isinstance(finding.got, str):
        return None
    if finding.problem in (Problem.UNKNOWN_TYPE, Problem.NOT_ALLOWED):
        return nearest(finding.got, finding.allowed)
    if finding.problem is Problem.MALFORMED:
        return _well_formed(finding, finding.got)
    return None


def value_meant(text: str, kind: Kind) -> OtherValue | None:
    """Return the value of an enum that other systems call so, or that `text` is a misspelling of; None without one."""
    other = kind.other_values.get(squash(text))
    if other is not None:
        return other
    name = nearest(text, kind.values)
    return None if name is None else OtherValue(name)


def _well_formed(finding: Finding, text: str) -> str | None:
    """Return the well-formed value that a malformed one certainly means; no name that is defined already."""
    if finding.kind is None or finding.prop is None:
        return None
    for value, is_certain in finding.kind.corrections(text, finding.prop.example):
        if is_certain and isinstance(value, str) and not _is_defined(finding, value):
            return value
    name = kebab_case(text)
    if finding.prop.defines is not None and finding.kind.accepts(name) and not _is_defined(finding, name):
        return name
    return None


def _is_defined(finding: Finding, name: str) -> bool:
    return finding.scope is not None and name in finding.scope.defined


# Properties -----------------------------------------------------------------------------------------------------------


class Rename(NamedTuple):
    """An unknown property of an object, and the absent one that it is another word for, or a misspelling of.

    Attributes:
        key: the unknown property.
        prop: the absent property.
        is_certain: whether no other key means this property, and the value is one of it, or a misspelling of one.
    """

    key: str
    prop: Prop
    is_certain: bool


def renames(node: Node, budget: Budget | None = None) -> list[Rename]:
    """Assign the unknown properties of an object to its absent ones; none if there are more than `MAX_UNKNOWN`."""
    shape = node.shape
    members = node.members
    if shape is None or len(members) > MAX_UNKNOWN + len(shape.all_props):
        return []
    unknown = [key for key in members if shape.prop(key) is None]
    if not unknown or len(unknown) > MAX_UNKNOWN:
        return []
    absent = [prop for prop in shape.all_props if prop.name not in members]
    foreign = _foreign_words(_root(node).shape)
    budget = budget or Budget()
    pairs = [(key, prop) for key in unknown for prop in _meant_prop(key, members[key], absent, foreign, budget)]
    count = Counter(prop.name for _, prop in pairs)
    return [
        Rename(key, prop, count[prop.name] == 1 and _is_probable(members[key], prop.kind)) for key, prop in pairs
        if not _contains_document(node, key)
    ]  # fmt: skip


def _meant_prop(
    key: str, value: object, absent: Iterable[Prop], foreign: frozenset[str], budget: Budget
) -> Iterator[Prop]:
    """Yield the absent property that a key means, if there is one.

    Of several that a word is used for, it is the first one that accepts the value, or has its JSON type. Another
    system's word for a property that this object cannot have is no misspelling. A property with fixed values is only
    meant with one of them.
    """
    word = squash(key)
    possible = [prop for prop in absent if not prop.kind.values or _is_probable(value, prop.kind)]
    called = [prop for prop in possible if prop.is_called(word)]
    if called:
        fitting = [prop for prop in called if prop.kind.accepts(value)]
        typed = [prop for prop in called if has_type(value, prop.kind)]
        yield (fitting or typed or called)[0]
    elif word not in foreign:
        name = nearest(key, [prop.name for prop in possible], budget)
        yield from (prop for prop in possible if prop.name == name)


def possible_rename(node: Node, key: str) -> Prop | None:
    """Return the only absent required property that may have the value of an unknown one, of which it is the only one.

    It is a guess by the value alone.
    """
    if node.shape is None or len(node.members) > MAX_UNKNOWN:
        return None
    named = renames(node)
    taken = {rename.prop.name for rename in named} | {rename.key for rename in named}
    unknown = [one for one in node.members if node.shape.prop(one) is None and one not in taken]
    absent = [node.shape.props[name] for name in node.shape.required if name not in node.members and name not in taken]
    props = [prop for prop in absent if _is_possible(node.members[key], prop.kind)]
    if len(props) != 1 or [one for one in unknown if _is_possible(node.members[one], props[0].kind)] != [key]:
        return None
    return props[0]


def has_type(value: object, kind: Kind) -> bool:
    """Return whether a value has the JSON type of a kind."""
    violation = kind.violation(value)
    return violation is None or violation.problem is not Problem.WRONG_TYPE


def _is_probable(value: object, kind: Kind) -> bool:
    """Return whether a value is one of a kind, another word for one, or a misspelling of one."""
    return kind.accepts(value) or (isinstance(value, str) and value_meant(value, kind) is not None)


def _is_possible(value: object, kind: Kind) -> bool:
    """Return whether a value may be meant as one of a kind; the objects in it may have faults of their own."""
    return kind.accepts(value) and (bool(value) or not kind.inner_shapes)


def _root(node: Node) -> Node:
    while node.parent is not None:
        node = node.parent
    return node


@cache
def _foreign_words(root: Shape | None) -> frozenset[str]:
    """Return the names of all properties in other systems: none of them is a misspelling."""
    shapes = [] if root is None else [*reachable(root)]
    return frozenset(word for shape in shapes for prop in shape.all_props for word in prop.synonyms.split())


# The content of an unknown property -----------------------------------------------------------------------------------


class Place(Enum):
    """What is to become of the content of an unknown property."""

    NOTHING = auto()
    """It has no content."""
    NUMBERS = auto()
    """It has numbers in objects or arrays, and no text: RUI has no place for it."""
    DOCUMENT = auto()
    """It is the document."""
    TOP_LEVEL = auto()
    """It belongs in the property of the root with the same name."""
    PROPERTY = auto()
    """It belongs in a certain property of the object."""
    ABSENT_PROPERTIES = auto()
    """It may belong in one of the absent properties."""
    ELSEWHERE = auto()
    """No property of the object may have it; if it lacks none, it may be moved to the one that may contain anything."""


class Placement(NamedTuple):
    """A place, and the names of the properties there, if it has some."""

    place: Place
    names: tuple[str, ...] = ()


def place_of(finding: Finding) -> Placement:
    """Return where the content of an unknown property belongs, if no other name is meant."""
    shape = finding.node.shape
    absent = [] if shape is None else [shape.props[one] for one in finding.allowed]
    is_incomplete = any(prop.required for prop in absent)
    if shape is not None and has_content(finding.got, with_numbers=is_incomplete):
        return _place_of_content(finding, shape, absent)
    if holds_content(finding.got):
        return Placement(Place.NUMBERS, _open_object(finding.node))
    return Placement(Place.NOTHING)


def _place_of_content(finding: Finding, shape: Shape, absent: list[Prop]) -> Placement:
    name = str(finding.step)
    if _contains_document(finding.node, name):
        return Placement(Place.DOCUMENT, (name,))
    root = _root(finding.node).shape
    if root is not None and root is not shape and name in root.props:
        return Placement(Place.TOP_LEVEL, (name,))
    owner = _owner(name, finding.got, shape, absent)
    if owner is not None:
        return Placement(Place.PROPERTY, (owner,))
    if not any(prop.required for prop in absent):
        return Placement(Place.ELSEWHERE, _open_object(finding.node))
    if not _may_be_kept(finding.got, absent):
        return Placement(Place.ELSEWHERE)
    free = tuple(prop.name for prop in absent if _may_hold_content(prop))
    return Placement(Place.ABSENT_PROPERTIES, free or finding.allowed)


def _open_object(node: Node) -> tuple[str, ...]:
    """Return the property of the root that may contain anything; ``()`` if there is none, or it is no object."""
    root = _root(node)
    name = "" if root.shape is None else open_property(root.shape)
    if not name or not isinstance(root.members.get(name, {}), dict):
        return ()
    return (name,)


def has_content(value: object, *, with_numbers: bool = False) -> bool:
    """Return whether a value contains text, or a number, of the author. Large values count as content."""
    pending = [value]
    for _ in range(MAX_VISITED):
        if not pending:
            return False
        one = pending.pop()
        if isinstance(one, str) and one.strip():
            return True
        if with_numbers and is_number(one):
            return True
        if isinstance(one, dict):
            pending += [*one.values()][:MAX_VISITED]
        elif isinstance(one, list):
            pending += one[:MAX_VISITED]
    return True


def holds_content(value: object) -> bool:
    """Return whether a value contains text, or an object or array with text or numbers, which no fix may lose."""
    return has_content(value, with_numbers=isinstance(value, dict | list))


def is_number(value: object) -> bool:
    """Return whether a JSON value is a number."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def _contains_document(node: Node, key: str) -> bool:
    """Return whether an unknown property of the root contains a document."""
    value = node.members.get(key, ABSENT)
    if node.parent is not None or node.shape is None or not isinstance(value, dict):
        return False
    return len(value.keys() & node.shape.props.keys()) > 1


def _owner(name: str, value: object, shape: Shape, absent: list[Prop]) -> str | None:
    """Return the present property that other systems call so, or the absent one with such a property in it."""
    word = squash(name)
    for prop in shape.props.values():
        is_free = not prop.kind.values and prop.defines is None
        if is_free and prop not in absent and prop.is_called(word) and has_type(value, prop.kind):
            return prop.name
    for prop in absent:
        parts = [part for inner in prop.kind.inner_shapes if not inner.is_node for part in inner.all_props]
        if prop.required and any(part.is_called(word) and part.kind.accepts(value) for part in parts):
            return prop.name
    return None


def _may_be_kept(value: object, absent: list[Prop]) -> bool:
    """Return whether a required property may hold a value. Where none holds text, words have no place."""
    if not isinstance(value, str) or any(mark in value for mark in _ADDRESS_MARKS):
        return True
    return any(prop.required and _holds_text(prop.kind) for prop in absent)


def _may_hold_content(prop: Prop) -> bool:
    """Return whether the content of an author fits: it is no fixed value, and no optional value of a strict form."""
    return not prop.kind.values and (prop.required or _holds_text(prop.kind))


@cache
def _holds_text(kind: Kind) -> bool:
    inner_props = [prop for shape in kind.inner_shapes for prop in shape.all_props]
    return kind.is_free_text or any(_holds_text(prop.kind) for prop in inner_props)
