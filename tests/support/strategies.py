"""Documents for property tests: valid ones, ones with random defects, and any JSON.

All choices come from a `random.Random`: with a fixed seed for thousands of documents, from hypothesis to shrink
failures. Valid documents follow the vocabulary; `tests/support/oracle.py` is the independent check of them.
"""

import copy
import random
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

from hypothesis import strategies as st

from rui_common.syntax.paths import Path
from rui_common.vocabulary.kinds import EnumKind, ListKind, ObjectKind, TextKind
from rui_common.vocabulary.rui_0_1 import VOCABULARY
from rui_common.vocabulary.schema import Kind, Prop, Role, Shape, Symbol, reachable

Json = Any
Random = random.Random

PROPS = [prop for shape in VOCABULARY.shapes.values() for prop in shape.all_props]
NAMES = {prop.name for prop in PROPS}
NAMING = {prop.name for prop in PROPS if prop.defines or prop.uses}
WORDS = ("orders", "stock", "größe", "naïve 😀", "", "a.c", "Total", "x y", "\u2028", "\\", '"')
KEYS = ("status", "number", "total", "", "größe", "Status", "a.b")
PATHS = ("/", "/orders", "/api/orders?state=open", "//", "/ö 😀")
VALUE_PATHS = ("data", "data.items", "a-b._.0", "größe.数量")
ODD_NAMES = ("a.b", *"entities x Title title content children binding columns filter id type é😀".split(), "")
ODD_VALUES: tuple[Json, ...] = (
    None, True, False, 0, "0.2", -1.5, 10**30, "", "x", "Text", "GET", "/", [], {}, [None], [[]], {"id": "a"},
    {"type": "Text"}, {"id": "a", "type": "Button"}, {"id": "odd", "content": 1}, {"key": "status"},
    {"field": "status"}, [{"key": 5}, {}],
    {"pageId": "page-1"}, {"type": "write"}, {"type": "read", "method": "GET", "path": "x"},
)  # fmt: skip
TYPES = (*VOCABULARY.nodes, *VOCABULARY.planned, "Gizmo", "text", "", None, 5, ["Text"], {})


# Valid documents ------------------------------------------------------------------------------------------------------


class ValueGenerator:
    """Generator of small valid documents, with every optional property present or absent."""

    keys: tuple[str, ...] = KEYS
    paths: tuple[str, ...] = PATHS

    def __init__(self, chance: Random) -> None:
        self.chance = chance
        self.number = 0
        self.names: dict[Symbol, list[str]] = {}  # the names that are defined in the scope

    def document(self) -> Json:
        return self.object(VOCABULARY.root)

    def object(self, shape: Shape, name: str | None = None) -> Json:
        """Return an object of a shape; it uses `name`, if it uses a name."""
        self.names |= {symbol: [] for symbol in shape.scope}
        values: dict[str, Json] = {}
        for prop in sorted(shape.props.values(), key=lambda prop: uses(prop, shape.scope) != []):
            if prop.required or self.maybe():
                values[prop.name] = name if prop.uses and name is not None else self.value(prop, shape)
        value = {prop: values[prop] for prop in shape.props if prop in values}
        if shape.open:
            value |= self.extra(shape)
        return self.shuffled(value)

    def value(self, prop: Prop, shape: Shape) -> Json:
        """Return a value of a property of a shape."""
        kind = prop.kind
        if prop.uses is not None:
            return self.chance.choice(self.names[prop.uses])
        if prop.defines is VOCABULARY.node_symbol:
            return self.id(shape.name.lower())
        if isinstance(kind, EnumKind):
            return self.chance.choice(kind.values)
        if isinstance(kind, ListKind) and kind.inner_shapes:
            return self.elements(prop, kind)
        if isinstance(kind, ObjectKind):
            return self.object(kind.shape)
        if not isinstance(kind, TextKind):
            return copy.deepcopy(prop.example)
        if prop.defines is not None:
            return self.name(prop.defines)
        texts = (*WORDS, *self.paths, *VALUE_PATHS) if kind.pattern else WORDS
        return self.chance.choice([text for text in texts if kind.fits(text)] or [prop.example])

    def elements(self, prop: Prop, kind: ListKind) -> Json:
        """Return a list of objects, which uses each name that must be used."""
        names = [name for symbol in uses(prop) if symbol.unused for name in self.names[symbol]]
        if names:
            more = [self.chance.choice(names)] if self.maybe() else []
            return [self.object(self.chance.choice(kind.inner_shapes), name) for name in (*names, *more)]
        count = kind.at_least + self.chance.choice((0, 0, 0, 1, 2))
        count = count if kind.at_most is None else min(count, kind.at_most)
        found = [self.object(self.chance.choice(kind.inner_shapes)) for _ in range(count)]
        if kind.defines is not None:
            self.names[kind.defines] += [element["id"] for element in found]
        return found

    def name(self, symbol: Symbol) -> str:
        """Return a new name in the scope."""
        names = self.names[symbol]
        names.append(self.chance.choice([key for key in self.keys if key not in names]))
        return names[-1]

    def id(self, stem: str) -> str:
        self.number += 1
        return f"{stem}-{self.number}"

    def maybe(self) -> bool:
        return self.chance.random() < 0.4

    def extra(self, shape: Shape) -> Json:
        """Return any JSON values, for an open object."""
        names = [name for name in (*shape.suggested, "icon", "id", "") if self.maybe()]
        return {name: copy.deepcopy(self.chance.choice(ODD_VALUES)) for name in names}

    def shuffled(self, value: Json) -> Json:
        if self.maybe():
            return shuffle_keys(value, self.chance, deep=False)
        return value


@cache
def uses(prop: Prop, symbols: tuple[Symbol, ...] = VOCABULARY.symbols) -> list[Symbol]:
    """Return those of the symbols of which a value of a property uses names."""
    inner = [
        inner_prop
        for start in prop.kind.inner_shapes
        for shape in reachable(start)
        for inner_prop in shape.props.values()
    ]
    used = {used_prop.uses for used_prop in (prop, *inner)}
    return [symbol for symbol in symbols if symbol in used]


class MeantGenerator(ValueGenerator):
    """Generator of valid documents as their authors mean them: nothing is lost, and extensions have names of their own.

    They have repeated links.
    """

    keys = ("status", "number", "Total", "größe", "Order ID", "_id", "@type", "a-b", "5")
    paths = (
        "/", "/orders", "/api/orders?state=open", "/größe", "/a%20b", "/Orders(5)?$top=5", "/v1/a:b", "/a?ids[]=1",
        "/a,b;c=1/~d/*?q=x@y.example&t=10:30",
    )  # fmt: skip
    extensions = tuple(name for name in (
        "icon", "width", "sortable", "x-note", "author", "tags", "revision", "align", "hidden", "tooltip", "color",
        "order", "multiple", "source", "created", "permissions", "env", "url", "sticky", "dir", "a.b", "",
    ) if name not in NAMES)  # fmt: skip
    options = ({"value": "a", "label": "A"}, {"value": 5, "icon": "x"}, {"value": "", "group": {"id": 1}})

    def extra(self, shape: Shape) -> Json:
        suggested = {
            prop.name: [*copy.deepcopy(self.options)] if has_options(prop.kind) else self.value(prop, shape)
            for prop in shape.suggested.values()
            if prop.role is not Role.REPLACES
        }
        extended = {name: copy.deepcopy(self.chance.choice(ODD_VALUES)) for name in self.extensions}
        return {name: value for name, value in (suggested | extended).items() if self.maybe()}


def has_options(kind: Kind) -> bool:
    return any(shape.props_with_role(Role.OPTION) for shape in kind.inner_shapes)


def sound_document(chance: Random) -> Json:
    """Return a valid document."""
    return ValueGenerator(chance).document()


def shuffle_keys(value: Json, chance: Random, *, deep: bool = True) -> Json:
    """Return the same JSON value with the keys of its objects in another order."""
    if isinstance(value, list):
        return [shuffle_keys(element, chance) for element in value] if deep else value
    if not isinstance(value, dict):
        return value
    names = list(value)
    chance.shuffle(names)
    return {name: shuffle_keys(value[name], chance) if deep else value[name] for name in names}


# Places ---------------------------------------------------------------------------------------------------------------


def at(value: Json, path: Path) -> Json:
    """Return the value at `path`. Raises KeyError, IndexError or TypeError if there is none."""
    for step in path:
        value = value[step]
    return value


def put(value: Json, path: Path, new: Json) -> None:
    """Replace the value at `path` by a copy of `new`."""
    at(value, path[:-1])[path[-1]] = copy.deepcopy(new)


def places(value: Json, path: Path = ()) -> Iterator[Path]:
    """Yield the paths of a value and of all values in it."""
    yield path
    if isinstance(value, dict):
        for name, below in value.items():
            yield from places(below, (*path, name))
    elif isinstance(value, list):
        for index, below in enumerate(value):
            yield from places(below, (*path, index))


# Mutations ------------------------------------------------------------------------------------------------------------


def mutate(document: Json, chance: Random, times: int) -> Json:
    """Return a copy of `document` with `times` random mutations at random places."""
    mutated = {"": copy.deepcopy(document)}
    for _ in range(times):
        everywhere = [path for path in places(mutated) if path]
        path = chance.choice(everywhere)
        chance.choice(_MUTATIONS)(mutated, path, chance, everywhere)
        if not isinstance(mutated.get(""), dict):
            mutated = {"": {}}
    return mutated[""]


def _replace(root: Json, path: Path, chance: Random, _: list[Path]) -> None:
    put(root, path, chance.choice(ODD_VALUES))


def _delete(root: Json, path: Path, _: Random, __: list[Path]) -> None:
    if len(path) > 1:
        del at(root, path[:-1])[path[-1]]


def _add(root: Json, path: Path, chance: Random, _: list[Path]) -> None:
    owner = at(root, path)
    if isinstance(owner, dict):
        owner[chance.choice(ODD_NAMES)] = copy.deepcopy(chance.choice(ODD_VALUES))
    elif isinstance(owner, list):
        owner.insert(chance.randint(0, len(owner)), copy.deepcopy(chance.choice(ODD_VALUES)))


def _copy_other(root: Json, path: Path, chance: Random, everywhere: list[Path]) -> None:
    """Copy from a random path: a node to another place, an id of another node, a field of another table."""
    put(root, path, at(root, chance.choice([other for other in everywhere if len(other) > 1] or [path])))


def _copy_alike(root: Json, path: Path, chance: Random, everywhere: list[Path]) -> None:
    """Copy the same property of another object."""
    alike = [other for other in everywhere if other[-1] == path[-1] and other[:-1] != path[:-1]]
    if alike:
        put(root, path, at(root, chance.choice(alike)))


def _retype(root: Json, path: Path, chance: Random, everywhere: list[Path]) -> None:
    types = [other for other in everywhere if other[-1] == "type"]
    put(root, chance.choice(types or [path]), chance.choice(TYPES))


def _rename(root: Json, path: Path, chance: Random, everywhere: list[Path]) -> None:
    names = [other for other in everywhere if other[-1] in NAMING]
    put(root, chance.choice(names or [path]), chance.choice(("page-1", "text-1", "X", "status", "", "a\n")))


_MUTATIONS: tuple[Callable[[Json, Path, Random, list[Path]], None], ...] = (
    _replace, _delete, _add, _copy_other, _copy_alike, _retype, _rename,
)  # fmt: skip


# For hypothesis -------------------------------------------------------------------------------------------------------

randoms = st.randoms(use_true_random=False)
sound_documents = randoms.map(sound_document)
mutants = st.tuples(randoms, st.integers(0, 8)).map(lambda drawn: mutate(sound_document(drawn[0]), drawn[0], drawn[1]))
"""Documents with anything wrong in them, or nothing."""

texts = st.text(st.characters(exclude_categories=("Cs",)))
numbers = st.integers() | st.floats(allow_nan=False, allow_infinity=False)
json_values: st.SearchStrategy[Json] = st.recursive(
    st.none() | st.booleans() | numbers | texts,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(texts, inner, max_size=4),
    max_leaves=20,
)
"""Any JSON value."""
