"""What an unregistered name means: a property, a type or a value under another name, or misspelt.

The tables are built from the declarations when a document first needs them, and every name is looked up once.
"""

from __future__ import annotations

import re
from functools import cache

from rui_common.suggest import probably_meant
from rui_common.vocabulary.alias_data import ANY, NO_NODES
from rui_common.vocabulary.kinds import NodeKind

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    from rui_common.vocabulary.schema import Kind, Shape, Vocabulary

MAX_KEYS = 40
"""Unregistered keys of one object that are looked up, by code point. It bounds the time for hostile documents."""

MAX_WRAPPERS = 8
"""Objects in one object that may be wrappers; among more, none is."""

MAX_LENGTH = 60
"""Maximum length of a name that is looked up."""

MAX_CACHED = 2_000
"""Maximum number of names that a table remembers."""

NEAR = 10_000
"""The rank of a misspelt name; those of aliases begin with 1, and that of the name itself is 0."""

# `re` compiles them on first use: valid documents need none.
_WORD = r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+"
_NO_LETTER = r"[\W_]+"
_WORDS_IN_NAME = "[A-Z]?[^A-Z]+|[A-Z]+"
_UNKNOWN = ("", NEAR)


def squash(name: str) -> str:
    """Return a name without case and separators.

    >>> squash("Header_Name"), squash("header-name")
    ('headername', 'headername')
    """
    return re.sub(_NO_LETTER, "", name).lower()


def singular(word: str) -> str:
    """Return the singular of a squashed name. A singular may change too, but to the same as its plural.

    >>> singular("entries"), singular("entry"), singular("boxes"), singular("class")
    ('entry', 'entry', 'box', 'class')
    """
    if len(word) < 3 or not word.endswith("s") or word.endswith("ss"):
        return word
    if word.endswith("ies"):
        return word[:-3] + "y"
    if word.endswith(("xes", "ches", "shes", "sses")):
        return word[:-2]
    return word[:-1]


class AliasTable(dict[str, tuple[str, int]]):
    """Name as sent → what it means, or ``""``; and its rank, the lowest being the likeliest.

    Args:
        words: squashed name, and its singular → its meaning and rank.
        near: names that are compared by spelling if no alias fits.
    """

    __slots__ = ("_near", "words")

    def __init__(self, words: dict[str, tuple[str, int]], near: Iterable[str]) -> None:
        super().__init__()
        self.words = words
        self._near = tuple(near)

    def __missing__(self, name: str) -> tuple[str, int]:
        entry = self._find(name)
        if len(self) < MAX_CACHED and len(name) <= MAX_LENGTH:
            self[name] = entry
        return entry

    def _find(self, name: str) -> tuple[str, int]:
        if len(name) > MAX_LENGTH:
            return _UNKNOWN
        word = squash(name)
        entry = self.words.get(word) or self.words.get(singular(word))
        if entry is not None:
            return entry
        match = probably_meant(name, self._near)
        if match is None:
            return _UNKNOWN
        return match, NEAR


def _words(aliases: Mapping[str, str]) -> dict[str, tuple[str, int]]:
    """Return the words for names with aliases.

    Singular and plural of a word count as one, unless they are declared for different names.
    """
    declared = [(squash(name), (name, 0)) for name in aliases]
    for name, others in aliases.items():
        declared += [(squash(alias), (name, rank)) for rank, alias in enumerate(others.split(), 1)]
    words: dict[str, tuple[str, int]] = {}
    for word, entry in declared:
        words.setdefault(word, entry)
    for word, entry in declared:
        words.setdefault(singular(word), entry)
    return words


# Properties -----------------------------------------------------------------------------------------------------------


@cache
def prop_table(shape: Shape) -> AliasTable:
    """Return the table of the properties of a shape, the suggested ones included."""
    props = {**shape.suggested, **shape.props}
    words = _words({name: prop.aliases for name, prop in props.items()})
    last_word = re.findall(_WORDS_IN_NAME, shape.name)[-1]
    for rank, name in enumerate(props, NEAR // 2):
        words.setdefault(squash(last_word + name), (name, rank))  # such as `sectionTitle` or `filterLabel`
    return AliasTable(words, shape.props)


def read_as(value: dict[str, object], shape: Shape) -> dict[str, str]:
    """Return the properties of a shape that an object has under other names only.

    Returns:
        Property → key. Of several keys for a property, the one whose value has the right JSON type is read, then the
        one that is the likeliest alias, then the first by code point. A required fixed value, an object,
        or a list of objects is also read from the only other key with such a value.
    """
    unregistered = value.keys() - shape.props.keys()
    if not unregistered or shape.props.keys() <= value.keys():
        return {}
    table = prop_table(shape)
    best: dict[str, tuple[bool, int, str]] = {}
    others: list[str] = []
    for key in _first(unregistered):
        name, rank = table[key]
        if name in value or name not in shape.props:
            others.append(key)
            continue
        candidate = (not fits(value[key], shape.props[name].kind), rank, key)
        if name not in best or candidate < best[name]:
            best[name] = candidate
    keys = {name: key for name, (_, _, key) in best.items()}
    if others:
        keys |= _by_content(value, shape, others, keys)
    return keys


def _by_content(value: dict[str, object], shape: Shape, unknown: list[str], keys: dict[str, str]) -> dict[str, str]:
    """Return the properties of a shape whose values an object has under a key without a meaning.

    Args:
        value: the object.
        shape: its shape.
        unknown: the keys without a meaning.
        keys: property → key, for the properties that have been found by their names.
    """
    found = {}
    for name, prop in shape.props.items():
        if name in value or name in keys or (prop.kind.values and not prop.required):
            continue
        similar = [key for key in unknown if _is_similar(value[key], prop.kind)]
        if len(similar) == 1:
            found[name] = similar[0]
    return {name: key for name, key in found.items() if [*found.values()].count(key) == 1}


def _is_similar(value: object, kind: Kind) -> bool:
    """Return whether a value is a fixed value of a kind, or has its JSON type and a property that its shapes require.

    Of a list, the first element counts.
    """
    if kind.values:
        return _is_text_of(value, kind.values)
    if kind.json_type == "array" and isinstance(value, list) and value:
        value = value[0]
    elif kind.json_type != "object":
        return False
    if not isinstance(value, dict):
        return False
    return any(name in value for shape in kind.inner_shapes for name in shape.required)


def _is_text_of(value: object, texts: Collection[str]) -> bool:
    return isinstance(value, str) and value in texts


def _first(keys: set[str]) -> Iterable[str]:
    if len(keys) <= MAX_KEYS:
        return keys
    from heapq import nsmallest  # noqa: PLC0415  not at start-up: few objects have that number of keys

    return nsmallest(MAX_KEYS, keys)


def fits(value: object, kind: Kind) -> bool:
    """Return whether a value has the JSON type of a kind, or is one of its fixed values under any name."""
    if kind.values:
        return value_named(value, kind) is not None
    violation = kind.violation(value)
    return violation is None or not violation.is_wrong_type


# Values ---------------------------------------------------------------------------------------------------------------


def value_named(value: object, kind: Kind) -> str | None:
    """Return the one of the fixed values of a kind that a scalar means, or None."""
    if value in kind.values:
        return str(value)
    if isinstance(value, dict | list):
        return None
    if ANY in kind.aliases.values():
        return kind.values[0]
    if not isinstance(value, str):
        return None
    return _value_table(kind)[value][0] or None


@cache
def _value_table(kind: Kind) -> AliasTable:
    words = _words({value: kind.aliases.get(value, "") for value in kind.values})
    for planned in kind.planned:
        words[squash(planned)] = _UNKNOWN
    return AliasTable(words, kind.values)


# Types ----------------------------------------------------------------------------------------------------------------


def type_named(name: str, value: dict[str, object], kind: NodeKind, vocabulary: Vocabulary) -> Shape | None:
    """Return the shape that the unregistered type of a node means, or None.

    Of several, it is the one that has the most properties of the node, then of an object in it; if these are several,
    one that is allowed there.
    """
    meanings, _ = _type_table(kind, vocabulary)[name]
    shapes = [kind.types.get(found) or vocabulary.nodes[found] for found in meanings.split()]
    if len(shapes) < 2:
        return next(iter(shapes), None)
    counts = [(_count_known(value, shape), _most_known_inside(value, shape)) for shape in shapes]
    best = [shape for shape, count in zip(shapes, counts, strict=True) if count == max(counts)]
    if len(best) > 1 and best[0].name not in kind.types:
        return None
    return best[0]


def _count_known(value: dict[str, object], shape: Shape) -> int:
    """Return the number of properties that a node has of a shape, under any name."""
    return len(value.keys() & shape.props.keys()) + len(read_as(value, shape))


def _most_known_inside(value: dict[str, object], shape: Shape) -> int:
    """Return the largest number of properties of a shape in an unregistered property of a node."""
    objects = [inner for key, inner in value.items() if isinstance(inner, dict) and key not in shape.props]
    if len(objects) > MAX_WRAPPERS:
        return 0
    return max((_count_known(inner, shape) for inner in objects), default=0)


def _type_within(name: str, kind: NodeKind, vocabulary: Vocabulary) -> Shape | None:
    """Return the only allowed type whose name is one of the words of `name`, such as ``MY_TABLE_2``; or None.

    No type is returned if another word names a thing that is no node.
    """
    if len(name) > MAX_LENGTH:
        return None
    table = _type_table(kind, vocabulary)
    words = {singular(word.lower()) for word in re.findall(_WORD, name)}
    if any(table.words.get(word) == _UNKNOWN for word in words):
        return None
    shapes = [shape for shape in kind.shapes if squash(shape.name) in words]
    return shapes[0] if len(shapes) == 1 else None


@cache
def _type_table(kind: NodeKind, vocabulary: Vocabulary) -> AliasTable:
    """Return the table of types: word → the names of the types that it means, those that are allowed first."""
    shapes = {**kind.types}
    if not kind.at_type:
        shapes |= {name: shape for name, shape in vocabulary.nodes.items() if name not in kind.types}
    words = {squash(name): _UNKNOWN for name in (*NO_NODES.split(), *vocabulary.planned)}
    meanings: dict[str, list[str]] = {}
    for shape in shapes.values():
        for word in _words({shape.name: shape.aliases}):
            meanings.setdefault(word, []).append(shape.name)
    words |= {word: (" ".join(names), 1) for word, names in meanings.items()}
    words |= {squash(name): (name, 0) for name in shapes}
    return AliasTable(words, shapes)


def type_key(value: dict[str, object], kind: NodeKind, vocabulary: Vocabulary) -> str | None:
    """Return the key of a string that is read as the type of a node without ``type``, or None."""
    registered = {name for shape in kind.shapes for name in shape.props}
    table = prop_table(kind.shapes[0])
    candidates = [
        (table[key][1], key)
        for key in _first(value.keys() - registered)
        if table[key][0] == "type" and isinstance(value[key], str)
    ]
    if candidates:
        return min(candidates)[1]
    types = kind.types if kind.at_type else {**kind.types, **vocabulary.nodes}
    exact = [key for key in _first(value.keys() - registered) if _is_text_of(value[key], types)]
    return exact[0] if len(exact) == 1 else None


def shape_of_node(value: dict[str, object], kind: NodeKind, vocabulary: Vocabulary) -> Shape | None:
    """Return the shape that a node is read as (docs/decisions.md, section 2); None for planned types too."""
    node_type = value.get("type")
    if "type" not in value:
        key = type_key(value, kind, vocabulary)
        node_type = None if key is None else value[key]
    if not isinstance(node_type, str):
        return likely_shape(value, kind)
    registered = kind.types.get(node_type) or vocabulary.nodes.get(node_type)
    if registered is not None or node_type in vocabulary.planned:
        return registered
    named = type_named(node_type, value, kind, vocabulary)
    if named is None and len(kind.shapes) == 1 and not kind.at_type:
        named = _only_fitting(value, vocabulary.nodes.values())
    named = named or likely_shape(value, kind)
    return named or _type_within(node_type, kind, vocabulary)


def likely_shape(value: dict[str, object], kind: NodeKind) -> Shape | None:
    """Return the shape of a node whose type means none, by its properties.

    Returns:
        The only type that is allowed, if at least half of the properties are its own under any name; else the only one
        that fits completely; else None.
    """
    if len(kind.shapes) == 1:
        shape = kind.shapes[0]
        known, unknown = known_props(value, shape)
        if len(known) >= unknown:
            return shape
    return _only_fitting(value, kind.shapes)


def _only_fitting(value: dict[str, object], shapes: Iterable[Shape]) -> Shape | None:
    """Return the only shape that has all properties of a node, and requires no others, under any name.

    One property under another name is not enough: a chart may have a title.
    """
    fitting = []
    for shape in shapes:
        known, unknown = known_props(value, shape)
        own = value.keys() & shape.props.keys()
        is_clear = len(known - {"id"}) > 1 or bool(own - {"id", "type"})
        if unknown == 0 and is_clear and {*shape.required} <= known | {"type"}:
            fitting.append(shape)
    return fitting[0] if len(fitting) == 1 else None


def known_props(value: dict[str, object], shape: Shape) -> tuple[set[str], int]:
    """Return the properties of a shape that an object has under any name, and the number of others.

    The type does not count.
    """
    keys = read_as(value, shape)
    keys = {name: key for name, key in keys.items() if name == "type" or fits(value[key], shape.props[name].kind)}
    known = {*(value.keys() & shape.props.keys()), *keys} - {"type"}
    others = value.keys() - shape.props.keys() - {*keys.values()}
    return known, len(others)


# Wrappers -------------------------------------------------------------------------------------------------------------


def wrapper_among(objects: dict[str, dict[str, object]], value: dict[str, object], shape: Shape) -> str | None:
    """Return the unregistered property that is read as the whole object `value`, or None.

    It contains more of what `shape` requires, under any name, than the object around it, which has none of it under its
    own name. If it contains none, the object in it with the most counts: wrappers may be nested.

    Args:
        objects: the objects in the unregistered properties.
        value: the object around them.
        shape: its shape.
    """
    if not 0 < len(objects) <= MAX_WRAPPERS or any(name in value for name in shape.required):
        return None
    counts = {name: _count_required(inner, shape) or _most_inside(inner, shape) for name, inner in objects.items()}
    most = max(counts.values())
    wrappers = [name for name, count in counts.items() if count == most]
    outside = {name: inner for name, inner in value.items() if name != wrappers[0]}
    if len(wrappers) > 1 or most <= _count_required(outside, shape):
        return None
    return wrappers[0]


def _count_required(value: dict[str, object], shape: Shape) -> int:
    names = {*shape.required}
    return len(names & value.keys()) + len(names & read_as(value, shape).keys())


def _most_inside(value: dict[str, object], shape: Shape) -> int:
    objects = [inner for inner in value.values() if isinstance(inner, dict)]
    if len(objects) > MAX_WRAPPERS:
        return 0
    return max((_count_required(inner, shape) for inner in objects), default=0)


def unwrap(value: dict[str, object], shape: Shape) -> tuple[dict[str, object], tuple[str, ...]]:
    """Return the object in all wrappers around it, and its path. Wrappers that are text are not opened."""
    path: tuple[str, ...] = ()
    while not any(name in value for name in shape.required) and len(value) <= MAX_KEYS:
        objects = {name: inner for name, inner in value.items() if isinstance(inner, dict) and name not in shape.props}
        name = wrapper_among(objects, value, shape)
        if name is None:
            break
        value = objects[name]
        path = (*path, name)
    return value, path
