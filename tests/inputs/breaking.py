"""Valid documents broken in known places. Each break causes one error at a known path.

`tests/inputs/convergence.py` fixes them again. The property tests check that the validator finds every break.
"""

from __future__ import annotations

import copy
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from rui_common.vocabulary.rui_0_1 import VOCABULARY

Json = Any
Path = tuple[str | int, ...]
Random = random.Random


# Where things are ----------------------------------------------------------------------------------------------------


def at(value: Json, path: Path) -> Json:
    """Return the value at `path`. Raises KeyError, IndexError or TypeError if there is none."""
    for step in path:
        value = value[step]
    return value


def exists(value: Json, path: Path) -> bool:
    try:
        at(value, path)
    except (KeyError, IndexError, TypeError):
        return False
    return True


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


# Breaking ------------------------------------------------------------------------------------------------------------


def broken(document: Json, chance: Random, times: int) -> tuple[Json, list[str]]:
    """Return a copy of a valid document with independent breaks, and the names of the breaks.

    No break is within another, no two concern the same name, and no two types are broken one within the other.
    No element is added to a list or removed from it, so all paths stay the same.
    """
    mutant = copy.deepcopy(document)
    done: list[str] = []
    taken: list[Path] = []
    for _ in range(50 * times):
        if len(done) == times:
            break
        sort, breaker = chance.choice(list(_BREAKS.items()))
        options = [path for path in breaker.options(document) if not _overlaps(path, taken)]
        if not options:
            continue
        path = chance.choice(options)
        attempt = copy.deepcopy(mutant)
        names = breaker.apply(attempt, path, chance, document) or []
        if not any(_overlaps(name, taken) for name in names):
            mutant = attempt
            done.append(sort)
            taken += [path, *names]
    return mutant, done


def _overlaps(path: Path, taken: list[Path]) -> bool:
    """Return whether a path is a prefix of one of the others, or one of them of it."""
    return any(path[: len(other)] == other[: len(path)] for other in taken)


@dataclass(frozen=True)
class _Breaker:
    """A way to break a document.

    Attributes:
        options: (document) → the paths that it can break.
        apply: (copy to break, path, chance, valid document) → the paths of the names that the break concerns.
    """

    options: Callable[[Json], list[Path]]
    apply: Callable[[Json, Path, Random, Json], list[Path] | None]


VALID_NODES: dict[str, Json] = {
    "Text": {"type": "Text", "content": "Words."},
    "Table": {"type": "Table", "columns": [{"key": "status"}], "binding": {
        "type": "read", "method": "GET", "path": "/"}},
    "Section": {"type": "Section", "direction": "row", "children": [
        {"id": "misplaced-child", "type": "Text", "content": "Words."}]},
    "Page": {"type": "Page", "title": "Misplaced", "children": [
        {"id": "misplaced-section", "type": "Section", "direction": "row", "children": [
            {"id": "misplaced-grandchild", "type": "Text", "content": "Words."}]}]},
}  # fmt: skip
INTRUDERS: tuple[Json, ...] = (None, 0, "red", [], {}, {"id": "page-1", "type": "Page"})

REQUIRED = {name: shape.required for name, shape in VOCABULARY.nodes.items()}
OTHER_PROPERTIES = {
    name: tuple(prop for prop in shape.props if prop not in shape.required) for name, shape in VOCABULARY.nodes.items()
}


def nodes(document: Json) -> list[Path]:
    """Return the paths of all nodes of a valid document, in the order of the tree."""
    found: list[Path] = []
    for i, page in enumerate(document["pages"]):
        found.append(("pages", i))
        for j, section in enumerate(page["children"]):
            found.append(("pages", i, "children", j))
            found += [("pages", i, "children", j, "children", k) for k in range(len(section["children"]))]
    return found


def _of_types(document: Json, *types: str) -> list[Path]:
    return [path for path in nodes(document) if at(document, path)["type"] in types]


def _with(document: Json, *tails: Path) -> list[Path]:
    """Return the existing paths that consist of the path of a node and one of `tails`."""
    return [(*path, *tail) for path in nodes(document) for tail in tails if exists(document, (*path, *tail))]


def _required(document: Json) -> list[Path]:
    found: list[Path] = [("version",), ("meta",), ("navigation",), ("pages",), ("navigation", "items")]
    found += [("navigation", "items", i, "pageId") for i in range(len(document["navigation"]["items"]))]
    for path in nodes(document):
        node = at(document, path)
        found += [(*path, name) for name in REQUIRED[node["type"]]]
        if "binding" in node:
            names = ("type", "method", "path", *(("valuePath",) if node["type"] == "Metric" else ()))
            found += [(*path, "binding", name) for name in names]
        found += [(*path, "columns", i, "key") for i in range(len(node.get("columns", ())))]
        found += [(*path, "filter", "field") for _ in (node.get("filter"),) if _ is not None]
    return found


def _typed(document: Json) -> list[Path]:
    """Return the paths of all properties whose value has a type, except ``type``."""
    optional = [
        (*path, name)
        for path in nodes(document)
        for name in OTHER_PROPERTIES[at(document, path)["type"]]
        if name in at(document, path)
    ]
    return [path for path in _required(document) if path[-1] != "type"] + optional


def _strict_objects(document: Json) -> list[Path]:
    return [("navigation",), *nodes(document), *_with(document, ("binding",))]


def _elements(document: Json) -> list[Path]:
    items: list[Path] = [("navigation", "items", i) for i in range(len(document["navigation"]["items"]))]
    columns = [(*p, "columns", i) for p in _of_types(document, "Table") for i in range(len(at(document, p)["columns"]))]
    return items + columns + nodes(document)


def _lists(document: Json) -> list[Path]:
    return [("pages",), ("navigation", "items"), *_with(document, ("children",), ("columns",))]


def _set(*values: Json) -> Callable[[Json, Path, Random, Json], None]:
    return lambda mutant, path, chance, _: put(mutant, path, chance.choice(values))


def _drop(mutant: Json, path: Path, _: Random, __: Json) -> list[Path]:
    del at(mutant, path[:-1])[path[-1]]
    return _types_around(path)


def _misspell(mutant: Json, path: Path, chance: Random, _: Json) -> list[Path]:
    put(mutant, path, chance.choice(("Chart", "text", "", None, 5, {})))
    return _types_around(path)


def _types_around(path: Path) -> list[Path]:
    """Return the types of the nodes around a node: the validator skips the content of nodes of unknown types."""
    if path[0] != "pages" or path[-1] != "type":
        return []
    return [(*path[:size], "type") for size in range(2, len(path) - 1, 2)]


def _mistype(mutant: Json, path: Path, chance: Random, _: Json) -> None:
    given = at(mutant, path)
    others = (None, True, 5, -0.5, "x", [1], {"a": 1})
    put(mutant, path, chance.choice([value for value in others if type(value) is not type(given)]))


def _intrude(mutant: Json, path: Path, chance: Random, _: Json) -> None:
    at(mutant, path)[chance.choice(("colour", "a.b", "", "Title", "é😀"))] = copy.deepcopy(chance.choice(INTRUDERS))


def _repeat_id(mutant: Json, path: Path, chance: Random, document: Json) -> list[Path]:
    other = chance.choice([node for node in nodes(document) if (*node, "id") != path])
    put(mutant, path, at(document, other)["id"])
    return [(*other, "id")]


def _repeat_key(mutant: Json, path: Path, chance: Random, document: Json) -> list[Path]:
    columns = path[:-2]
    indices = [index for index in range(len(at(document, columns))) if index != path[-2]]
    if not indices:
        put(mutant, path, 5)
        return []
    other = (*columns, chance.choice(indices), "key")
    put(mutant, path, at(document, other))
    return [other]


def _miss_column(mutant: Json, path: Path, chance: Random, _: Json) -> list[Path]:
    put(mutant, path, chance.choice(("nothing", "statsu")))
    return [(*path[:-2], "columns")]


def _orphan(mutant: Json, path: Path, chance: Random, document: Json) -> list[Path]:
    """Let the item open no page, or another one if no other item opens its page."""
    here = at(document, path)
    linked = [item["pageId"] for item in document["navigation"]["items"]]
    others = [page["id"] for page in document["pages"] if page["id"] != here and linked.count(here) == 1]
    put(mutant, path, chance.choice(["nowhere", *others]))
    items = [("navigation", "items", index) for index in range(len(linked))]
    return [*items, *(("pages", index, "id") for index in range(len(document["pages"])))]


def _misplace(mutant: Json, path: Path, chance: Random, _: Json) -> None:
    """Put a node of a type that is not allowed here, with a new id; of a page, change only the type."""
    wrong = {2: ("Section", "Text"), 4: ("Text", "Table", "Page"), 6: ("Section", "Page")}
    kind = chance.choice(wrong[len(path)])
    if len(path) == 2:
        put(mutant, (*path, "type"), kind)
    else:
        put(mutant, path, VALID_NODES[kind] | {"id": "-".join(map(str, ("misplaced", *path)))})


_BREAKS: dict[str, _Breaker] = {
    "required property dropped": _Breaker(_required, _drop),
    "value of another type": _Breaker(_typed, _mistype),
    "unknown property": _Breaker(lambda document: [(*path, "?") for path in _strict_objects(document)],
                                 lambda mutant, path, chance, document: _intrude(mutant, path[:-1], chance, document)),
    "list emptied": _Breaker(_lists, lambda mutant, path, _, __: put(mutant, path, [])),
    "element that is no object": _Breaker(_elements, _set(None, 5, "x", [], True)),
    "id repeated": _Breaker(lambda document: _with(document, ("id",)), _repeat_id),
    "id badly formed": _Breaker(lambda document: _with(document, ("id",)), _set("X", "", "a\n", "1a", "a" * 65, "é")),
    "type misspelt": _Breaker(lambda document: _with(document, ("type",)), _misspell),
    "planned block": _Breaker(nodes, _set({"id": "send", "type": "Button"}, {"type": "Form", "x": []})),
    "planned binding": _Breaker(lambda document: _with(document, ("binding", "type")), _set("write", "action")),
    "node misplaced": _Breaker(nodes, _misplace),
    "column key repeated": _Breaker(lambda document: [p for p in _required(document) if p[-1] == "key"], _repeat_key),
    "filter over no column": _Breaker(lambda document: _with(document, ("filter", "field")), _miss_column),
    "item that opens another page": _Breaker(lambda d: [p for p in _required(d) if p[-1] == "pageId"], _orphan),
    "version": _Breaker(lambda _: [("version",)], _set("0.2", 0.1, None, "")),
    "direction or format": _Breaker(lambda d: _with(d, ("direction",), ("format",)), _set("x", "Row", None)),
    "binding of another sort": _Breaker(lambda d: _with(d, ("binding", "type"), ("binding", "method")),
                                        _set("", "POST")),
    "path without slash": _Breaker(lambda document: _with(document, ("binding", "path")), _set("", "x", "https://x/")),
    "valuePath of another sort": _Breaker(lambda d: _with(d, ("binding", "valuePath")), _set("", "$.a", "a[0]")),
}  # fmt: skip

BREAKS = tuple(_BREAKS)
"""The names of all breaks."""
