"""What was probably meant: the value, the property, or the place of a document that other systems call so."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from typing import NamedTuple

from rui_common.json_values import as_object, is_number
from rui_common.nodes.names import Scope
from rui_common.nodes.node import Node
from rui_common.problems.suggestion import Suggestion, fact
from rui_common.problems.words import listed, quoted
from rui_common.suggest import SearchBudget, kebab_case, nearest, squash
from rui_common.vocabulary.kinds import ListKind, NodeKind, ObjectKind
from rui_common.vocabulary.schema import Kind, Mismatch, Prop, Role, Shape, Vocabulary, reachable

MAX_UNKNOWN = 100  # unknown properties of an object up to which they are compared with the absent ones
MAX_VISITED = 200  # values that are searched for texts. Bounds the time for large values.
MAX_ELEMENTS = 5  # elements of an array that are compared with a shape. Bounds the time.
MAX_COMPARED = 20  # unknown objects and arrays of an object up to which they are compared with shapes


class Meant(NamedTuple):
    """A name or value that is probably meant, whether no other can be, and what else is to be done."""

    text: str
    is_certain: bool = True
    advice: str = ""


def value_meant(text: str, kind: Kind) -> Meant | None:
    """Return the value of an enum, or type of a node, that other systems call so, or that is misspelt; or None.

    A misspelling is certain, a word of other systems is not.
    """
    other_value = kind.other_values.get(squash(text))
    if other_value is not None:
        return Meant(other_value.value, is_certain=False, advice=other_value.advice)
    names: Iterable[str] = kind.values
    if isinstance(kind, NodeKind):
        names = kind.types
    name = nearest(text, names)
    if name is None:
        return None
    return Meant(name)


def type_named(text: str, types: Iterable[str]) -> Meant | None:
    """Return the only one of some types that is a word of a longer name, such as ``TABLE_WIDGET``; None without one."""
    words = {*kebab_case(text).split("-")}
    named = [name for name in types if name.lower() in words]
    if len(named) != 1:
        return None
    return Meant(named[0], is_certain=False)


def blocks_in(members: dict[str, object], kind: NodeKind) -> bool:
    """Return whether an array of an object has nodes of a kind alone, by their types."""
    arrays = [value[:MAX_ELEMENTS] for value in members.values() if isinstance(value, list) and value]
    return any(all(as_object(element).get("type") in [*kind.types] for element in array) for array in arrays)


def properties_called(members: dict[str, object], shape: Shape) -> int:
    """Return how many properties of an object have a name of a shape, or another system's word for one.

    An array of blocks, as in ``"columns": [{"type": "Metric", …}]``, is no array of other objects.
    """
    count = 0
    for key, value in members.items():
        prop = next((prop for prop in shape.all_props if prop.is_called(squash(key))), None)
        count += prop is not None and (bool(_node_types(prop.kind)) or not _has_blocks(value))
    return count


def _node_types(kind: Kind) -> list[str]:
    return [shape.name for shape in kind.inner_shapes if shape.is_node]


def _has_blocks(value: object) -> bool:
    """Return whether an array has an object with a type that is written as those of nodes are."""
    types = [as_object(element).get("type") for element in value[:MAX_VISITED]] if isinstance(value, list) else []
    return any(isinstance(node_type, str) and node_type[:1].isupper() for node_type in types)


def meant_as_type(node: Node, kind: NodeKind) -> tuple[str, bool]:
    """Return the property of a node without a type that is another word for it, or ``""``; and whether that is certain.

    It is certain if it names or means a type of the kind, or else of the vocabulary.
    """
    synonyms = {word for shape in kind.shapes for word in shape.props["type"].synonyms.split()}
    named = {key: value for key, value in node.members.items() if squash(key) in synonyms and isinstance(value, str)}
    is_type = [key for key, value in named.items() if value in kind.types]
    certain = [*is_type, *(key for key in named if value_meant(named[key], kind))]
    certain = certain or [key for key in named if _is_type_elsewhere(named[key], node.vocabulary)]
    if not certain and len(named) == 1:
        return next(iter(named)), False
    return next(iter(certain), ""), True


def _is_type_elsewhere(text: str, vocabulary: Vocabulary) -> bool:
    """Return whether a text names a type of any place, a planned one, or what other systems have in place of one."""
    is_type = bool(vocabulary.types_called(squash(text))) or type_named(text, vocabulary.nodes) is not None
    return is_type or text in vocabulary.planned or bool(vocabulary.advice_about(text))


def undefined_names(scope: Scope | None, prop: Prop) -> Iterator[Suggestion]:
    """Yield the names that are used, and that a property could define."""
    if scope is not None and prop.defines is not None:
        names = tuple(name for name in scope.used if not scope.is_taken(name, prop) and prop.kind.accepts(name))
        if names:
            yield fact(f"Used and not defined: {listed(names)}.")


def name_meant(node: Node, declared: Prop, scope: Scope | None) -> tuple[str, str]:
    """Return the only defined name that an object means, and the reason: another property has it, or its label.

    `declared` is the property that uses it.
    """
    shape = node.shape
    if shape is None or declared.uses is None or scope is None or not scope.has_all_definitions:
        return "", ""
    unplaced = node.root_shape.others.unplaced
    named = {
        value: f"as {quoted(key)} has it"
        for key, value in node.members.items()
        if shape.prop(key) is None and squash(key) not in unplaced and isinstance(value, str) and value in scope.defined
    }
    if not named and node.label:
        named = dict.fromkeys(scope.labelled.get(node.label, ()), f"which has the same {shape.labels[0].name}")
    if len(named) != 1:
        return "", ""
    return next(iter(named.items()))


# Properties -----------------------------------------------------------------------------------------------------------


class Rename(NamedTuple):
    """An unknown property of an object, and the absent one that it is another word for, or a misspelling of."""

    key: str
    prop: Prop
    is_certain: bool  # whether no other key means this property, and the value is one of it, or a misspelling of one


def renames(node: Node, budget: SearchBudget | None = None, *, by_name: bool = False) -> list[Rename]:
    """Assign the unknown properties of an object to its absent ones; none if there are more than `MAX_UNKNOWN`.

    In this order, a key means an absent property that other systems call so, one that it is a misspelling of, one that
    its last word is a word for, if its value has objects, or one whose objects its own are built like; with `by_name`,
    not the last. A word for several gets the first that no other takes.
    """
    shape = node.shape
    members = node.members
    if shape is None or len(members) > MAX_UNKNOWN + len(shape.all_props):
        return []
    unknown = [key for key in members if shape.prop(key) is None and not contains_document(node, key)]
    unknown = [key for key in unknown if not wraps_property(node, key)]
    if not unknown or len(unknown) > MAX_UNKNOWN:
        return []
    absent = [prop for prop in shape.all_props if prop.name not in members]
    candidates = {key: _called(key, members[key], absent, shape, node.root_shape) for key in unknown}
    taken: dict[str, Prop] = {}
    for key in sorted(unknown, key=lambda key: len(candidates[key])):  # keys without a choice come first
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
    free = [prop for prop in absent if prop not in taken.values()]
    compounds = {key: prop for key in unknown if key not in taken and (prop := _last_word(key, members[key], free))}
    taken |= compounds
    free = [prop for prop in absent if prop not in taken.values()]
    alike = {} if by_name else _alike(node, {key: members[key] for key in unknown if key not in taken}, free)
    taken |= alike
    count = Counter(prop.name for prop in taken.values())
    return [
        Rename(
            key,
            prop,
            key not in compounds
            and key not in alike
            and count[prop.name] == 1
            and (_is_probable(members[key], prop.kind) or _is_certainly_corrected(members[key], prop)),
        )
        for key, prop in sorted(taken.items(), key=lambda item: _rank(*item))
    ]


def _rank(key: str, prop: Prop) -> int:
    """Return the position of a key among the other words for a property; a misspelling comes first."""
    word = squash(key)
    words = prop.synonyms.split()
    if word in words:
        return words.index(word)
    return -1


def _called(key: str, value: object, absent: Sequence[Prop], shape: Shape, root: Shape) -> list[Prop]:
    """Return the absent properties that other systems call so, those that accept the value first.

    A property with fixed values is only meant with one of them. A word for a field of the response, such as
    ``dataIndex``, means the part of the response that is used where no field is declared.
    """
    word = squash(key)
    called = [prop for prop in absent if prop.is_called(word)] or [prop for prop in absent if calls(word, prop)]
    if not called:  # such as `pageName` in a page
        called = [prop for prop in absent if prop.is_called(word.removeprefix(shape.name.lower()))]
    if not called and word in _field_words(root):
        called = [prop for prop in absent if prop.role is Role.SELECT]
    called = [prop for prop in called if not prop.kind.values or _is_probable(value, prop.kind)]
    called = [prop for prop in called if not hides_parts(value, prop.kind)]
    return sorted(called, key=lambda prop: not prop.kind.accepts(value))


def calls(word: str, prop: Prop) -> bool:
    """Return whether a word means a property, or the one of the same name in the objects that it contains."""
    return prop.is_called(word) or word in _nested(prop)


@cache
def _nested(prop: Prop) -> frozenset[str]:
    """Return the words of other systems for the property of the same name in the objects that `prop` contains."""
    nested = [shape.props[prop.name] for shape in prop.kind.inner_shapes if prop.name in shape.props]
    return frozenset(word for nested_prop in nested for word in nested_prop.synonyms.split())


def _misspelt(node: Node, key: str, value: object, absent: Sequence[Prop], budget: SearchBudget) -> Prop | None:
    """Return the absent property that a key is a misspelling of; another system's word is none."""
    possible = {prop.name: prop for prop in absent if not prop.kind.values or _is_probable(value, prop.kind)}
    root = node.root_shape
    if squash(key) in _foreign_words(root) | root.others.unplaced:
        return None
    name = nearest(key, possible, budget)
    if name is None:
        return None
    return possible[name]


def _last_word(key: str, value: object, absent: Sequence[Prop]) -> Prop | None:
    """Return the absent property of objects that the last word of a key is another word for, as in ``userFilters``."""
    words = kebab_case(key).split("-")
    values = value if isinstance(value, list) else [*as_object(value).values()]
    if len(words) == 1 or not (isinstance(value, dict) or any(isinstance(element, dict) for element in values)):
        return None
    called = [prop for prop in absent if prop.kind.inner_shapes and prop.is_called(words[-1])]
    return next((prop for prop in called if not hides_parts(value, prop.kind)), None)


def hides_parts(value: object, kind: Kind) -> bool:
    """Return whether a value contains objects in arrays, which may be parts of the app, and no page would show them.

    That is so in an object that may have anything, and needs nothing.
    """
    is_unshown = isinstance(kind, ObjectKind) and kind.shape.open and not kind.shape.required
    return is_unshown and _holds_objects(value)


def _holds_objects(value: object) -> bool:
    """Return whether an object contains an array of objects, which may be parts of the app. Large values do."""
    pending = [value]
    for _ in range(MAX_VISITED):
        if not pending:
            return False
        part = pending.pop()
        if isinstance(part, dict):
            pending += [inner for inner in part.values() if isinstance(inner, dict | list)][:MAX_VISITED]
        elif isinstance(part, list) and any(isinstance(inner, dict) for inner in part[:MAX_VISITED]):
            return True
    return bool(pending)


def _alike(node: Node, unknown: dict[str, object], absent: Iterable[Prop]) -> dict[str, Prop]:
    """Return the unknown properties whose objects are built like those of an absent one, and of no other.

    An example is ``"request": {"url": "/orders", "method": "GET"}``, which is a binding.
    """
    unplaced = node.root_shape.others.unplaced
    values = {
        key: value for key, value in unknown.items() if isinstance(value, dict | list) and squash(key) not in unplaced
    }
    if not 0 < len(values) <= MAX_COMPARED:
        return {}
    found = [
        (key, prop) for prop in absent if prop.kind.inner_shapes for key in values if is_like(values[key], prop.kind)
    ]
    keys = Counter(key for key, _ in found)
    props = Counter(prop.name for _, prop in found)
    return {key: prop for key, prop in found if keys[key] == props[prop.name] == 1}


def is_like(value: object, kind: Kind) -> bool:
    """Return whether an object, or each of the first elements of an array, is built like the objects of a kind."""
    if isinstance(kind, ListKind):
        elements = value[:MAX_ELEMENTS] if isinstance(value, list) else []
        return bool(elements) and all(
            any(_is_built(element, shape) for shape in kind.inner_shapes) for element in elements
        )
    return isinstance(kind, ObjectKind) and _is_built(value, kind.shape)


def _is_built(value: object, shape: Shape) -> bool:
    """Return whether an object has what those of a shape consist of, in the words of other systems.

    That are the required properties, except ids and those that have fixed values.
    """
    if not isinstance(value, dict) or len(value) > MAX_UNKNOWN:
        return False
    called = [prop.name for prop in shape.all_props if any(_is_member(prop, *member) for member in value.items())]
    needed = [shape.props[name] for name in (shape.base or shape).required]
    for prop in needed:
        is_chosen = bool(prop.kind.values) or (shape.is_node and prop.defines is not None)
        if is_chosen or prop.name in called:
            continue
        if not prop.kind.inner_shapes or not any(_contains(inner, prop.kind) for inner in value.values()):
            return False
        called.append(prop.name)
    named = [key for key in value if any(prop.is_called(squash(key)) for prop in shape.all_props)]
    return bool(needed) and (len(named) > 1 or len(value) == len(called))


def _is_member(prop: Prop, key: str, value: object) -> bool:
    """Return whether a member of an object is a property, by its name and its value."""
    if not prop.is_called(squash(key)):
        return False
    if prop.kind.inner_shapes:
        return _contains(value, prop.kind)
    if prop.kind.values:
        return _is_probable(value, prop.kind)
    return has_type(value, prop.kind) and (prop.role is not Role.ENDPOINT or "/" in str(value))


def _contains(value: object, kind: Kind) -> bool:
    """Return whether a value is an array of objects where nodes are expected, or else is built like a kind."""
    if isinstance(kind, ListKind) and isinstance(kind.items, NodeKind):
        return (
            isinstance(value, list)
            and bool(value)
            and all(isinstance(element, dict) for element in value[:MAX_ELEMENTS])
        )
    return is_like(value, kind)


def wrapper_of(node: Node, prop: Prop) -> str:
    """Return the only unknown property that is an object with the content of an absent one; ``""`` without one."""
    shape = node.shape
    if shape is None or shape.open or len(node.members) > MAX_UNKNOWN:
        return ""
    unknown = {key: value for key, value in node.members.items() if isinstance(value, dict) and shape.prop(key) is None}
    if len(unknown) > MAX_COMPARED:
        return ""
    found = []
    for key, value in unknown.items():
        if node.vocabulary.types_called(squash(key)):
            continue
        members = [*value.items()][:MAX_COMPARED]
        has_list = isinstance(prop.kind, ListKind) and any(is_like(element, prop.kind) for _, element in members)
        if has_list or any(_is_member(prop, *member) for member in members):
            found.append(key)
    return found[0] if len(found) == 1 else ""


def nested_elements(node: Node) -> str:
    """Return the only unknown property of an element that is a list like the one around it; ``""`` without one."""
    outer = node.parent.kind if node.parent is not None else None
    if node.shape is None or not isinstance(outer, ListKind) or not isinstance(outer.items, ObjectKind):
        return ""
    lists = [key for key, value in node.members.items() if isinstance(value, list) and node.shape.prop(key) is None]
    found = [key for key in lists[:MAX_COMPARED] if is_like(node.members[key], outer)]
    return found[0] if len(found) == 1 else ""


def wraps_property(node: Node, key: str) -> bool:
    """Return whether a property is an object around one with objects that is required in this node, and absent."""
    shape = node.shape
    if shape is None:
        return False
    absent = [shape.props[name] for name in shape.required if name not in node.members]
    lists = [prop for prop in absent if isinstance(prop.kind, ListKind)]
    values = [*as_object(node.members[key]).values()][:MAX_COMPARED]
    return any(is_like(value, prop.kind) for prop in lists for value in values)


def possible_rename(node: Node, key: str) -> Prop | None:
    """Return the absent required property that accepts the value of an unknown one, a guess by the value alone.

    None if it accepts several unknown ones, or if several absent ones accept the value.
    """
    if node.shape is None or len(node.members) > MAX_UNKNOWN:
        return None
    named = renames(node, by_name=True)
    taken = {rename.prop.name for rename in named} | {rename.key for rename in named}
    unknown = [name for name in node.members if node.shape.prop(name) is None and name not in taken]
    absent = [node.shape.props[name] for name in node.shape.required if name not in node.members and name not in taken]
    props = [prop for prop in absent if _is_possible(node.members[key], prop.kind)]
    if len(props) != 1:
        return None
    possible = [name for name in unknown if _is_possible(node.members[name], props[0].kind)]
    return props[0] if possible == [key] else None


def has_type(value: object, kind: Kind) -> bool:
    """Return whether a value has the JSON type of a kind. An enum breaks the same rule with every type."""
    if kind.values:
        return isinstance(value, str)
    violation = kind.violation(value)
    return violation is None or violation.mismatch is not Mismatch.WRONG_TYPE


def _is_probable(value: object, kind: Kind) -> bool:
    """Return whether a value is one of a kind, another word for one, or a misspelling of one."""
    return kind.accepts(value) or (isinstance(value, str) and value_meant(value, kind) is not None)


def _is_certainly_corrected(value: object, prop: Prop) -> bool:
    """Return whether a value is certainly one of a property in another form, as ``$.a`` is for ``a``."""
    return any(is_certain for _, is_certain in prop.kind.corrections(value, prop.example))


def _is_possible(value: object, kind: Kind) -> bool:
    """Return whether a value may be meant as one of a kind; the objects in it may have faults of their own."""
    return kind.accepts(value) and (bool(value) or not kind.inner_shapes)


@cache
def _field_words(root: Shape) -> frozenset[str]:
    """Return the words for the names of fields in other systems that are words for nothing else."""
    props = [prop for shape in reachable(root) for prop in shape.all_props]
    other_words = {
        word for prop in props if prop.role is not Role.FIELD for word in (prop.name.lower(), *prop.synonyms.split())
    }
    return frozenset(word for prop in props if prop.role is Role.FIELD for word in prop.synonyms.split()) - other_words


@cache
def _foreign_words(root: Shape) -> frozenset[str]:
    """Return the names of all properties in other systems: none of them is a misspelling."""
    return frozenset(word for shape in reachable(root) for prop in shape.all_props for word in prop.synonyms.split())


# Places ---------------------------------------------------------------------------------------------------------------


def limit_of(node: Node, keys: Iterable[str]) -> str:
    """Return what a node cannot do, if one of the keys is a property that only other shapes in its place have.

    The properties of a binding count, too: they are often written without it. A text such as a title does not: it is
    the content under another name.
    """
    shape = node.shape
    if shape is None or not shape.others.limit or not isinstance(node.kind, NodeKind):
        return ""
    props = [prop for sibling in node.kind.shapes for prop in sibling.props.values() if not prop.kind.is_free_text]
    bindings = [
        binding for prop in props for binding in prop.kind.inner_shapes if binding.props_with_role(Role.ENDPOINT)
    ]
    names = {*(prop.name for prop in props), *(name for binding in bindings for name in binding.props)}
    if (names - shape.props.keys()).isdisjoint(keys):
        return ""
    return shape.others.limit


def has_content(value: object, *, with_numbers: bool) -> bool:
    """Return whether a value contains text, or a number, of the author. Large values count as content."""
    pending = [value]
    for _ in range(MAX_VISITED):
        if not pending:
            return False
        part = pending.pop()
        if isinstance(part, str) and part.strip():
            return True
        if with_numbers and is_number(part):
            return True
        if isinstance(part, dict):
            pending += [*part.values()][:MAX_VISITED]
        elif isinstance(part, list):
            pending += part[:MAX_VISITED]
    return True


def holds_content(value: object) -> bool:
    """Return whether a value contains text, or an object or array with text or numbers, which no fix may lose."""
    return has_content(value, with_numbers=isinstance(value, dict | list))


def contains_document(node: Node, key: str) -> bool:
    value = node.members.get(key)
    if node.parent is not None or node.shape is None:
        return False
    if isinstance(value, str) and value.lstrip()[:1] == "{":  # it may be JSON in a string
        return sum(f'"{name}"' in value for name in node.shape.props) > 1
    return isinstance(value, dict) and len(value.keys() & node.shape.props.keys()) > 1
