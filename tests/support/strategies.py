"""Documents for property tests: valid ones, ones with random defects, and any JSON.

All choices come from a `random.Random`: with a fixed seed for thousands of documents, from hypothesis to shrink
failures. Valid documents are handwritten and independent of the vocabulary, which makes them an independent check.
"""

import copy
import random
from collections.abc import Callable, Iterator
from typing import Any

from hypothesis import strategies as st

from rui_common.syntax.paths import Path
from rui_common.vocabulary.rui_0_1 import VOCABULARY
from tests.support.oracle import NODE_TYPES

Json = Any
Random = random.Random

NAMES = {prop.name for shape in VOCABULARY.shapes.values() for prop in shape.all_props}
WORDS = ("orders", "stock", "größe", "naïve 😀", "", "a.b", "Total", "x y", "\u2028", "\\", '"')
KEYS = ("status", "number", "total", "", "größe", "Status", "a.b")
PATHS = ("/", "/orders", "/api/orders?state=open", "//", "/ö 😀")
VALUE_PATHS = ("data", "data.items", "a-b._.0", "größe.数量")
ODD_NAMES = ("a.b", *"entities x Title title content children binding columns filter id type é😀".split(), "")
ODD_VALUES: tuple[Json, ...] = (
    None, True, False, 0, "0.2", -1.5, 10**30, "", "x", "Text", "GET", "/", [], {}, [None], [[]], {"id": "a"},
    {"type": "Text"}, {"id": "a", "type": "Form"}, {"id": "odd", "content": 1}, {"key": "status"},
    {"field": "status"}, [{"key": 5}, {}],
    {"pageId": "page-1"}, {"type": "write"}, {"type": "read", "method": "GET", "path": "x"},
)  # fmt: skip
TYPES = (*NODE_TYPES, "Form", "Button", "Chart", "text", "", None, 5, ["Text"], {})


# Valid documents ------------------------------------------------------------------------------------------------------


class ValueGenerator:
    """Generator of small valid documents, with every optional property present or absent."""

    keys: tuple[str, ...] = KEYS
    paths: tuple[str, ...] = PATHS

    def __init__(self, chance: Random) -> None:
        self.chance = chance
        self.number = 0

    def document(self) -> Json:
        pages = [self.page() for _ in range(self.chance.choice((1, 1, 2, 3)))]
        items = [{"pageId": page["id"], **self.extra("label", "icon")} for page in pages]
        if self.maybe():
            items.append({"pageId": self.chance.choice(pages)["id"]})
        return self.shuffled(
            {
                "version": "0.1",
                "meta": self.extra("title", "description", "id", ""),
                "navigation": {"items": items},
                "pages": pages,
            }
        )

    def page(self) -> Json:
        sections = [self.section() for _ in range(self.chance.choice((1, 1, 2)))]
        page = {"id": self.id("page"), "type": "Page", "title": self.word(), "children": sections}
        return self.shuffled(page | self.optional(description=self.word()))

    def section(self) -> Json:
        makers = (self.metric, self.table, self.text)
        blocks = [self.chance.choice(makers)() for _ in range(self.chance.choice((1, 2, 3)))]
        direction = self.chance.choice(("stack", "row"))
        section = {"id": self.id("section"), "type": "Section", "direction": direction, "children": blocks}
        return self.shuffled(section | self.optional(title=self.word()))

    def metric(self) -> Json:
        binding = self.binding() | {"valuePath": self.chance.choice(VALUE_PATHS)}
        metric = {"id": self.id("metric"), "type": "Metric", "label": self.word(), "binding": binding}
        return self.shuffled(metric | self.optional(format=self.chance.choice(("number", "text"))))

    def table(self) -> Json:
        keys = self.chance.sample(self.keys, self.chance.choice((1, 2, 3)))
        columns = [{"key": key, **self.extra("label", "type", "id")} for key in keys]
        table = {"id": self.id("table"), "type": "Table", "binding": self.binding(), "columns": columns}
        field = {"field": self.chance.choice(keys), **self.extra("label", "options")}
        return self.shuffled(table | self.optional(title=self.word(), filter=field))

    def text(self) -> Json:
        return self.shuffled({"id": self.id("text"), "type": "Text", "content": self.word()})

    def binding(self) -> Json:
        binding = {"type": "read", "method": "GET", "path": self.chance.choice(self.paths)}
        return self.shuffled(binding | self.optional(valuePath=self.chance.choice(VALUE_PATHS)))

    def id(self, stem: str) -> str:
        self.number += 1
        return f"{stem}-{self.number}"

    def word(self) -> str:
        return self.chance.choice(WORDS)

    def maybe(self) -> bool:
        return self.chance.random() < 0.4

    def optional(self, **properties: Json) -> Json:
        return {name: value for name, value in properties.items() if self.maybe()}

    def extra(self, *names: str) -> Json:
        """Return any JSON value, for open objects."""
        return {name: copy.deepcopy(self.chance.choice(ODD_VALUES)) for name in names if self.maybe()}

    def shuffled(self, value: Json) -> Json:
        if self.maybe():
            return shuffle_keys(value, self.chance, deep=False)
        return value


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

    def extra(self, *names: str) -> Json:
        options = [{"value": "a", "label": "A"}, {"value": 5, "icon": "x"}, {"value": "", "group": {"id": 1}}]
        values: Json = {
            "title": WORDS, "description": WORDS, "label": WORDS, "type": ("string", "number", "date", "badge"),
            "options": (options,),
        }  # fmt: skip
        suggested = {name: self.chance.choice(values[name]) for name in names if name in values}
        extended = {name: copy.deepcopy(self.chance.choice(ODD_VALUES)) for name in self.extensions}
        return {name: value for name, value in (suggested | extended).items() if self.maybe()}


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
    names = [other for other in everywhere if other[-1] in ("id", "pageId", "key", "field")]
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
