"""Find the name or value that was probably meant, for hints, fixes and completion.

If `meant_by` returns X, the hint contains *did you mean X?*, and the first fix replaces the wrong one by X.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cache
from typing import NamedTuple

from rui_common.json_values import is_number
from rui_common.nodes.node import Node
from rui_common.suggest import SearchBudget, kebab_case, nearest, squash
from rui_common.validation.findings import Finding, Place, Placement
from rui_common.vocabulary.kinds import NodeKind, ObjectKind
from rui_common.vocabulary.problems import Problem
from rui_common.vocabulary.schema import Kind, Prop, Role, Shape, reachable

MAX_UNKNOWN = 100  # unknown properties of an object up to which they are compared with the absent ones
MAX_VISITED = 200  # values that are searched for texts. Bounds the time for large values.
_ADDRESS_MARKS = "/.{$"  # marks of paths and templates, which a required binding is made of, in a text


class Meant(NamedTuple):
    """A name or value that is probably meant, whether no other can be, and what else is to be done."""

    text: str
    is_certain: bool = True
    advice: str = ""


def meant_by(finding: Finding) -> Meant | None:
    """Return the name or value that is probably meant instead of the one of a finding; None if there is none."""
    if finding.meant:
        return Meant(finding.meant)
    if not isinstance(finding.got, str):
        return None
    if finding.problem in (Problem.UNKNOWN_TYPE, Problem.NOT_ALLOWED) and finding.kind is not None:
        return value_meant(finding.got, finding.kind)
    if finding.problem is Problem.MALFORMED:
        return _well_formed(finding, finding.got)
    return None


def value_meant(text: str, kind: Kind) -> Meant | None:
    """Return the value of an enum, or type of a node, that other systems call so, or that is misspelt; or None."""
    other = kind.other_values.get(squash(text))
    if other is not None:
        return Meant(other.value, is_certain=False, advice=other.advice)
    names: Iterable[str] = kind.values
    if isinstance(kind, NodeKind):
        names = kind.types
    name = nearest(text, names)
    if name is None:
        return None
    return Meant(name)


def _well_formed(finding: Finding, text: str) -> Meant | None:
    """Return the well-formed value that a malformed one means; no name that is defined already."""
    if finding.kind is None or finding.prop is None:
        return None
    possible: dict[str, None] = {}
    for value, is_certain in finding.kind.corrections(text, finding.prop.example):
        if not isinstance(value, str) or _is_defined(finding, value):
            continue
        if is_certain:
            return Meant(value)
        if value in text:  # such as the path of a URL, but no other spelling of an index
            possible[value] = None
    name = kebab_case(text)
    if finding.prop.defines is not None and finding.kind.accepts(name) and not _is_defined(finding, name):
        return Meant(name)
    if len(possible) == 1:
        return Meant(next(iter(possible)), is_certain=False)
    return None


def exchanged(finding: Finding) -> tuple[str, str] | None:
    """Return where a malformed value belongs, and the unknown property whose value belongs in its place.

    It is the only absent property with well-formed values that accepts the value.
    """
    prop = finding.prop
    shape = finding.shape
    if finding.problem is not Problem.MALFORMED or prop is None or shape is None:
        return None
    members = finding.node.members
    free = [one for one in shape.all_props if one.name not in members and one.kind.form]
    homes = [one.name for one in free if one.kind.accepts(finding.got)]
    called = [key for key in members if shape.prop(key) is None and prop.is_called(squash(key))]
    keys = [key for key in called if prop.kind.accepts(members[key])]
    if len(homes) != 1 or len(keys) != 1:
        return None
    return homes[0], keys[0]


def meant_as_type(members: dict[str, object], kind: NodeKind) -> str:
    """Return the property of a node without a type that is another word for it, and names or means one; or ``""``."""
    synonyms = {word for shape in kind.shapes for word in shape.props["type"].synonyms.split()}
    named = {key: value for key, value in members.items() if squash(key) in synonyms and isinstance(value, str)}
    is_type = [key for key, value in named.items() if value in kind.types]
    return next(iter([*is_type, *(key for key in named if value_meant(named[key], kind))]), "")


def _is_defined(finding: Finding, name: str) -> bool:
    return finding.scope is not None and name in finding.scope.defined


# Properties -----------------------------------------------------------------------------------------------------------


class Rename(NamedTuple):
    """An unknown property of an object, and the absent one that it is another word for, or a misspelling of."""

    key: str
    prop: Prop
    is_certain: bool  # whether no other key means this property, and the value is one of it, or a misspelling of one


def renames(node: Node, budget: SearchBudget | None = None) -> list[Rename]:
    """Assign the unknown properties of an object to its absent ones; none if there are more than `MAX_UNKNOWN`.

    A word that is used for several of them gets the first that no other word takes.
    """
    shape = node.shape
    members = node.members
    if shape is None or len(members) > MAX_UNKNOWN + len(shape.all_props):
        return []
    unknown = [key for key in members if shape.prop(key) is None and not _contains_document(node, key)]
    if not unknown or len(unknown) > MAX_UNKNOWN:
        return []
    absent = [prop for prop in shape.all_props if prop.name not in members]
    candidates = {key: _called(key, members[key], absent) for key in unknown}
    taken: dict[str, Prop] = {}
    for key in sorted(unknown, key=lambda key: len(candidates[key])):  # those without a choice first
        free = [prop for prop in candidates[key] if prop not in taken.values()]
        if candidates[key]:
            taken[key] = (free or candidates[key])[0]
    free = [prop for prop in absent if prop not in taken.values()]
    for key in unknown:
        if key in taken:
            continue
        meant = _misspelt(node, key, members[key], free, budget or SearchBudget())
        if meant is not None:
            taken[key] = meant
    count = Counter(prop.name for prop in taken.values())
    return [
        Rename(key, prop, count[prop.name] == 1 and _is_probable(members[key], prop.kind))
        for key, prop in sorted(taken.items(), key=lambda item: _rank(*item))
    ]


def _rank(key: str, prop: Prop) -> int:
    """Return the position of a key among the other words for a property; a misspelling comes first."""
    word = squash(key)
    words = prop.synonyms.split()
    if word in words:
        return words.index(word)
    return -1


def _called(key: str, value: object, absent: Iterable[Prop]) -> list[Prop]:
    """Return the absent properties that other systems call so, those that accept the value first.

    A property with fixed values is only meant with one of them.
    """
    word = squash(key)
    called = [prop for prop in absent if prop.is_called(word)] or [prop for prop in absent if word in _nested(prop)]
    called = [prop for prop in called if not prop.kind.values or _is_probable(value, prop.kind)]
    return sorted(called, key=lambda prop: not prop.kind.accepts(value))


@cache
def _nested(prop: Prop) -> frozenset[str]:
    """Return the words of other systems for the property of the same name in the objects that `prop` contains."""
    inner = [shape.props[prop.name] for shape in prop.kind.inner_shapes if prop.name in shape.props]
    return frozenset(word for one in inner for word in one.synonyms.split())


def _misspelt(node: Node, key: str, value: object, absent: Sequence[Prop], budget: SearchBudget) -> Prop | None:
    """Return the absent property that a key is a misspelling of; another system's word is none."""
    possible = {prop.name: prop for prop in absent if not prop.kind.values or _is_probable(value, prop.kind)}
    _, root = _root(node)
    if squash(key) in _foreign_words(root) | root.others.unplaced:
        return None
    name = nearest(key, possible, budget)
    if name is None:
        return None
    return possible[name]


def possible_rename(node: Node, key: str) -> Prop | None:
    """Return the absent required property that accepts the value of an unknown one, a guess by the value alone.

    None if it accepts several unknown ones, or if several absent ones accept the value.
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
    violation = kind.violation(value)
    return violation is None or violation.problem is not Problem.WRONG_TYPE


def _is_probable(value: object, kind: Kind) -> bool:
    """Return whether a value is one of a kind, another word for one, or a misspelling of one."""
    return kind.accepts(value) or (isinstance(value, str) and value_meant(value, kind) is not None)


def _is_possible(value: object, kind: Kind) -> bool:
    """Return whether a value may be meant as one of a kind; the objects in it may have faults of their own."""
    return kind.accepts(value) and (bool(value) or not kind.inner_shapes)


def _root(node: Node) -> tuple[Node, Shape]:
    while node.parent is not None:
        node = node.parent
    assert node.shape is not None  # noqa: S101  that of the vocabulary
    return node, node.shape


@cache
def _foreign_words(root: Shape) -> frozenset[str]:
    """Return the names of all properties in other systems: none of them is a misspelling."""
    return frozenset(word for shape in reachable(root) for prop in shape.all_props for word in prop.synonyms.split())


# The content of an unknown property -----------------------------------------------------------------------------------


def place_of(node: Node, key: str, shape: Shape) -> Placement:
    """Return the place of the content of an unknown property of a node, if no other property is meant."""
    value = node.members[key]
    absent = [prop for prop in shape.props.values() if prop.name not in node.members]
    is_incomplete = any(prop.required for prop in absent)
    _, root = _root(node)
    is_unplaced = squash(key) in root.others.unplaced and holds_content(value)
    if not is_unplaced and has_content(value, with_numbers=is_incomplete):
        return _place_of_content(node, key, shape, absent)
    if not holds_content(value):
        return Placement(Place.NOTHING)
    if is_incomplete:
        return Placement(Place.UNPLACED)
    return Placement(Place.UNPLACED, _open_object(node))


def _place_of_content(node: Node, key: str, shape: Shape, absent: list[Prop]) -> Placement:
    value = node.members[key]
    known = _known_place(node, key, shape)
    if known is not None:
        return known
    is_complete = not any(prop.required for prop in absent)
    if is_complete and is_one_word(value):
        return Placement(Place.ELSEWHERE, _open_object(node))
    if is_complete or not _may_be_kept(value, absent):
        return Placement(Place.ELSEWHERE)
    may_hold_any_text = [prop for prop in absent if not prop.kind.values and (prop.required or _holds_text(prop.kind))]
    free = tuple(prop.name for prop in may_hold_any_text)
    return Placement(Place.ABSENT_PROPERTIES, free or tuple(prop.name for prop in absent))


def _known_place(node: Node, key: str, shape: Shape) -> Placement | None:
    """Return the one place where the content belongs, if that is known."""
    word = squash(key)
    if _contains_document(node, key):
        return Placement(Place.DOCUMENT, (key,))
    _, root = _root(node)
    if root is not shape and key in root.props:
        return Placement(Place.TOP_LEVEL, (key,))
    for prop in shape.all_props:
        if word in prop.includes.split():
            return Placement(Place.PART_OF_TEXT, (prop.name,))
    owner = _owner(word, node, node.members[key], shape)
    if owner:
        return Placement(Place.PROPERTY, owner)
    return None


def _open_object(node: Node) -> tuple[str, ...]:
    """Return the property of the root that may contain anything; ``()`` if there is none, or it is no object."""
    root, shape = _root(node)
    names = [prop.name for prop in shape.props.values() if any(inner.open for inner in prop.kind.inner_shapes)]
    return tuple(name for name in names[:1] if isinstance(root.members.get(name, {}), dict))


def limit_of(node: Node, keys: Iterable[str]) -> str:
    """Return what a node cannot do, if one of the keys is a property that only other shapes in its place have.

    The properties of a binding count, too: they are often written without it. A text such as a title does not: it is
    the content under another name.
    """
    shape = node.shape
    if shape is None or not shape.others.limit or not isinstance(node.kind, NodeKind):
        return ""
    props = [prop for other in node.kind.shapes for prop in other.props.values() if not prop.kind.is_free_text]
    bindings = [inner for prop in props for inner in prop.kind.inner_shapes if inner.props_with_role(Role.ENDPOINT)]
    others = {*(prop.name for prop in props), *(name for inner in bindings for name in inner.props)}
    if (others - shape.props.keys()).isdisjoint(keys):
        return ""
    return shape.others.limit


def document_in(node: Node) -> str:
    """Return the property of the root that contains a document; ``""`` if there is none."""
    if node.parent is not None or node.shape is None:
        return ""
    return next((key for key in node.members if key not in node.shape.props and _contains_document(node, key)), "")


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


def _contains_document(node: Node, key: str) -> bool:
    value = node.members.get(key)
    if node.parent is not None or node.shape is None:
        return False
    if isinstance(value, str) and value.lstrip()[:1] == "{":  # as JSON in a string
        return sum(f'"{name}"' in value for name in node.shape.props) > 1
    return isinstance(value, dict) and len(value.keys() & node.shape.props.keys()) > 1


def _owner(word: str, node: Node, value: object, shape: Shape) -> tuple[str, ...]:
    """Return the present property that a word names in other systems, or a required property and its absent part."""
    for prop in shape.props.values():
        is_free = not prop.kind.values and prop.defines is None
        if is_free and prop.name in node.members and prop.is_called(word) and has_type(value, prop.kind):
            return (prop.name,)
    for prop in shape.props.values():
        around = node.members.get(prop.name, {})
        if not prop.required or not isinstance(around, dict) or not isinstance(prop.kind, ObjectKind):
            continue
        for part in prop.kind.shape.all_props:
            if part.name not in around and part.is_called(word) and part.kind.accepts(value):
                return prop.name, part.name
    return ()


def is_one_word(value: object) -> bool:
    """Return whether a value is a word: no text for people, no address, and no part of the app."""
    return isinstance(value, str) and not is_address(value) and len(value.split()) == 1


def is_address(value: object) -> bool:
    return isinstance(value, str) and value.startswith("/")


def _may_be_kept(value: object, absent: list[Prop]) -> bool:
    """Return whether a required property may hold a value. Where none holds text, words have no place."""
    if not isinstance(value, str) or any(mark in value for mark in _ADDRESS_MARKS):
        return True
    return any(prop.required and _holds_text(prop.kind) for prop in absent)


@cache
def _holds_text(kind: Kind) -> bool:
    inner_props = [prop for shape in kind.inner_shapes for prop in shape.all_props]
    return kind.is_free_text or any(_holds_text(prop.kind) for prop in inner_props)
