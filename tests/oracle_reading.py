"""How the second implementation of docs/decisions.md in tests/oracle.py reads values."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable
from typing import Any

Json = Any
Path = tuple[str | int, ...]
Fault = tuple[Path, str]

STRING, LIST, ANY = "string", "list", "any"
SHAPES: dict[str, dict[str, Json]] = {
    "Page": {"id": STRING, "type": ANY, "title": STRING, "description": STRING, "children": LIST},
    "Section": {"id": STRING, "type": ANY, "title": STRING, "direction": ("stack", "row"), "children": LIST},
    "Metric": {"id": STRING, "type": ANY, "label": STRING, "binding": "binding", "format": ("number", "text")},
    "Table": {"id": STRING, "type": ANY, "title": STRING, "binding": "binding", "columns": LIST, "filter": "filter"},
    "Text": {"id": STRING, "type": ANY, "content": STRING},
}
OPTIONAL = {
    ("Page", "description"),
    ("Section", "title"),
    ("Metric", "format"),
    ("Table", "title"),
    ("Table", "filter"),
}
OTHER_NAMES = {
    ("RUI", "version"): "format",
    ("RUI", "meta"): "options",
    ("RUI", "pages"): "children content items path pageId",
    ("Navigation", "items"): "pages children options content",
    ("NavigationItem", "pageId"): "pages path id key value content",
    ("Page", "id"): "key path pageId",
    ("Page", "title"): "Title label",
    ("Page", "children"): "items content columns field",
    ("Section", "id"): "key",
    ("Section", "title"): "Title label",
    ("Section", "children"): "items content field columns",
    ("Metric", "id"): "key",
    ("Metric", "label"): "Title title description",
    ("Metric", "binding"): "value path field",
    ("Table", "id"): "key",
    ("Table", "title"): "Title label description",
    ("Table", "binding"): "path value items content",
    ("Table", "columns"): "field",
    ("Text", "id"): "key",
    ("Text", "content"): "value children Title title label description",
    ("ReadBinding", "valuePath"): "field key value items columns",
    ("Column", "key"): "field id path valuePath binding value columns",
    ("TableFilter", "field"): "columns key id path",
}
"""Shape and property → the names in random documents that mean it, the likeliest first."""
FIXED = {
    ("RUI", "version"): ("0.1",),
    ("Section", "direction"): ("stack", "row"),
    ("ReadBinding", "type"): ("read",),
    ("ReadBinding", "method"): ("GET",),
}
REQUIRED_WITHIN = {
    ("RUI", "navigation"): "items",
    ("RUI", "pages"): "id type title children",
    ("Navigation", "items"): "pageId",
    ("Page", "children"): "id type direction children",
    ("Section", "children"): "id type label binding columns content",
    ("Metric", "binding"): "type method path valuePath",
    ("Table", "binding"): "type method path",
    ("Table", "columns"): "key",
    ("Table", "filter"): "field",
}
"""Shape and property → what the first object in its value requires."""
KEY_NAMES = {"pages": "id", "Page": "id", "Section": "id", "items": "pageId", "columns": "key"}
"""The list in a place → the property that the keys of an object in its place are read as."""
ELEMENTS = {"items": ("NavigationItem", "pageId"), "columns": ("Column", "key")}
TOP = ("version", "meta", "navigation", "pages")
OTHER_TYPES = {"text": "Text", "number": "Metric", "total": "Metric", "row": "Section", "stack": "Section"}
ORDER = (
    "version meta navigation pages items pageId id type title description direction label binding columns filter "
    "format content children key field method path valuePath"
).split()
RULES = "R1 R2 R3 R4 R5 R6 R7 R7b R8 R9 R10 R11 R12 R13 R14 R15 R16 R17 R18 R19 R20 R21 R22 R23 R24".split()
ALLOWED = {"pages": ["Page"], "Page": ["Section"], "Section": ["Metric", "Table", "Text"]}
NO_OBJECT = {"pages": "R7b", "Page": "R12", "Section": "R13"}


def is_name(text: str) -> bool:
    """Return whether a segment of a valuePath is well formed. Not for code points that are unassigned in Python."""
    return text != "" and all(one in "_-" or unicodedata.category(one)[0] in "LM" or one.isdecimal() for one in text)


def keys_of(value: Json, shape: str, names: tuple[str, ...]) -> dict[str, str]:
    """Return the key of every property of an object: its own name, else the first other name that fits, else any."""
    keys: dict[str, str] = {}
    if not isinstance(value, dict):
        return keys
    for name in names:
        others = [
            other for other in OTHER_NAMES.get((shape, name), "").split() if other in value and other not in names
        ]
        others.sort(key=lambda other, name=name: not fits(value[other], name))
        if name in value:
            keys[name] = name
        elif others:
            keys[name] = others[0]
    return keys | by_content(value, shape, names, keys)


def by_content(value: Json, shape: str, names: tuple[str, ...], keys: dict[str, str]) -> dict[str, str]:
    """Return the keys without a meaning whose values show what they are."""
    unread = {name for name in names if name not in keys}
    meaning = {other for name in unread for other in OTHER_NAMES.get((shape, name), "").split()}
    unknown = [key for key in value if key not in names and key not in meaning and key not in keys.values()]
    found = {}
    for name in unread:
        similar = [key for key in unknown if is_similar(value[key], shape, name)]
        if len(similar) == 1:
            found[name] = similar[0]
    return found


def is_similar(value: Json, shape: str, name: str) -> bool:
    fixed = FIXED.get((shape, name), (shape,) if name == "type" else ())
    if fixed:
        return isinstance(value, str) and value in fixed
    if (shape, name) not in REQUIRED_WITHIN:
        return False
    if name in ("pages", "items", "children", "columns"):
        value = value[0] if isinstance(value, list) and value else None
    return isinstance(value, dict) and any(one in value for one in REQUIRED_WITHIN[shape, name].split())


NAMES = {
    "Navigation": (("items",), ("items",)),
    "ReadBinding": (("type", "method", "path", "valuePath"), ("type", "method", "path")),
    **{
        kind: ((*shape,), tuple(name for name in shape if (kind, name) not in OPTIONAL))
        for kind, shape in SHAPES.items()
    },
}
"""Shape → its properties, and those that it requires."""
REGISTERED = {"meta", "version", "navigation", "pages", "pageId", "key", "field"}.union(
    *(own for own, _ in NAMES.values())
)


def held_names(value: Json, shape: str, names: tuple[str, ...]) -> set[str]:
    """Return the properties of a shape that an object has, or has under other names with the right type."""
    keys = keys_of(value, shape, names)
    return {name for name, key in keys.items() if name == key or fits(value[key], name)}


def flatten(
    value: Json, shape: str, needed: tuple[str, ...], depth: int = 3
) -> tuple[Json, dict[str, Path], set[Path]]:
    """Return an object with the properties of its holders, key → holder, and the paths of the holders."""
    objects = sorted(key for key in value if key not in REGISTERED and isinstance(value[key], dict) and value[key])
    flat, where, holders = dict(value), dict[str, Path](), set[Path]()
    if depth == 0 or not 0 < len(objects) <= 8:
        return flat, where, holders
    for key in objects:
        inner, places, deeper = flatten(value[key], shape, needed, depth - 1)
        if not is_holder(inner, key, flat, shape, needed):
            continue
        del flat[key]
        for name in inner:
            if name not in flat:
                flat[name] = inner[name]
                where[name] = (key, *places.get(name, ()))
        holders |= {(key,), *((key, *place) for place in deeper)}
    return flat, where, holders


def is_holder(inner: Json, key: str, outer: Json, shape: str, needed: tuple[str, ...]) -> bool:
    names, _ = NAMES[shape]
    if any(name in inner and name in outer for name in names) or (shape in SHAPES and "type" in inner):
        return False
    keys = keys_of(outer, shape, names)
    meaning = next((name for name, other in keys.items() if other == key), None)
    known = held_names(inner, shape, names) - (set(outer) | set(keys) - {meaning})
    if 2 * len(known) < len(inner) or not known & set(needed):
        return False
    as_meant = 0
    if meaning == "binding":
        as_meant = len(held_names(inner, "ReadBinding", NAMES["ReadBinding"][0]))
    if meaning == "filter":
        as_meant = len(held_names(inner, "TableFilter", ("field",)))
    return len(known) > as_meant


def type_key(node: Json, place: str) -> str | None:
    """Return the key of the type of a node."""
    if "type" in node:
        return "type"
    registered = {name for kind in ALLOWED[place] for name in SHAPES[kind]}
    types = ["Page"] if place == "pages" else [*SHAPES]
    keys = [key for key in node if key not in registered and isinstance(node[key], str) and node[key] in types]
    return keys[0] if len(keys) == 1 else None


def known_props(node: Json, kind: str) -> tuple[set[str], int]:
    keys = keys_of(node, kind, tuple(SHAPES[kind]))
    keys = {name: key for name, key in keys.items() if name in (key, "type") or fits(node[key], name)}
    return set(keys) - {"type"}, len(set(node) - {"type"} - set(keys.values()))


def only_fitting(node: Json, kinds: Iterable[str]) -> str | None:
    fitting = []
    for kind in kinds:
        known, others = known_props(node, kind)
        needs = {name for name in SHAPES[kind] if name != "type" and (kind, name) not in OPTIONAL}
        is_clear = len(known - {"id"}) > 1 or bool(known & set(node) - {"id"})
        if not others and is_clear and needs <= known:
            fitting.append(kind)
    return fitting[0] if len(fitting) == 1 else None


def fits(value: Json, name: str) -> bool:
    if name in ("meta", "binding", "filter"):
        return isinstance(value, dict)
    if name == "version":
        return not isinstance(value, dict | list)
    if name in ("pages", "items", "children", "columns"):
        return isinstance(value, list)
    return isinstance(value, str)


def read_type(node: Json, place: str) -> str | None:
    """Return the type that a node is read as."""
    allowed = ALLOWED[place]
    key = type_key(node, place)
    given = None if key is None else node[key]
    if isinstance(given, str) and given in SHAPES:
        return given
    meant = OTHER_TYPES.get(given.strip().lower()) if isinstance(given, str) else None
    if meant is not None and place != "pages":
        return meant
    if place == "Page" and isinstance(given, str) and (kind := only_fitting(node, SHAPES)):
        return kind
    if len(allowed) == 1:
        known, others = known_props(node, allowed[0])
        if len(known) >= others:
            return allowed[0]
    likely = only_fitting(node, allowed)
    if likely is None and isinstance(given, str):
        words = set(re.findall("[a-z]+", given.lower()))
        within = [kind for kind in allowed if kind.lower() in words]
        likely = within[0] if len(within) == 1 else None
    return likely


def id_path(node: Json, place: str) -> Path | None:
    """Return the path of the id of a node."""
    if "id" in node:
        return ("id",)
    shape = None if node.get("type") in ("Form", "Button") else read_type(node, place)
    if shape is None:
        return None
    flat, where, _ = flatten(node, shape, NAMES[shape][1])
    key = keys_of(flat, shape, NAMES[shape][0]).get("id")
    return None if key is None else (*where.get(key, ()), key)


def value_at(value: Json, path: Path) -> Json:
    for step in path:
        value = value[step]
    return value


def is_element(value: Json, place: str, *, must_fit: bool = False) -> bool:
    """Return whether an object is read as an element of a list; `must_fit`: as one that is allowed in it."""
    if not isinstance(value, dict):
        return False
    if place in ELEMENTS:
        shape, name = ELEMENTS[place]
        return has_required(value, shape, (name,), (name,))
    if value.get("type") in ("Form", "Button"):
        return not must_fit
    kind = read_type(value, place)
    return kind in ALLOWED[place] if must_fit else kind is not None


def elements_of(value: Json, place: str) -> list[tuple[Path, Json]]:
    """Return what is read as the elements of a list, with the paths in `value`."""
    if isinstance(value, list):
        return [((i,), element) for i, element in enumerate(value)]
    if not isinstance(value, dict) or not value:
        return []
    if len(value) == 1:
        ((key, inner),) = value.items()
        if isinstance(inner, list) and inner and is_element(inner[0], place, must_fit=True):
            return [((key, i), element) for i, element in enumerate(inner)]
    names = {"pageId", "key"} & {KEY_NAMES[place]} or {name for kind in ALLOWED[place] for name in SHAPES[kind]}
    if all(isinstance(one, dict) and one for one in value.values()) and not names & set(value):
        return [((key,), {KEY_NAMES[place]: key, **value[key]}) for key in sorted(value)]
    if is_element(value, place):
        return [((), value)]
    ((key, inner), *others) = value.items()
    if not others and isinstance(inner, list) and inner and is_element(inner[0], place):
        return [((key, i), element) for i, element in enumerate(inner)]
    return []


def is_in_list(value: Json, shape: str, required: tuple[str, ...], names: tuple[str, ...] = ()) -> bool:
    """Return whether a value is a list with one object that is read in its place."""
    if not isinstance(value, list) or len(value) != 1 or not isinstance(value[0], dict):
        return False
    return has_required(value[0], shape, required, names or required)


def has_required(value: Json, shape: str, required: tuple[str, ...], names: tuple[str, ...]) -> bool:
    """Return whether an object has a required property, or one of its type under another name."""
    keys = keys_of(value, shape, names)
    return any(name in keys and (keys[name] == name or fits(value[keys[name]], name)) for name in required)


def names_of(elements: list[tuple[Path, Json]], path_of: Callable[[Json], Path | None]) -> tuple[list[Json], bool]:
    """Return the names in elements, and whether the list of names is complete."""
    paths = [path_of(element) if isinstance(element, dict) else None for _, element in elements]
    names = [
        None if path is None else value_at(element, path) for (_, element), path in zip(elements, paths, strict=True)
    ]
    whole = names != [] and all(isinstance(one, str) for one in names)
    return [one for one in names if isinstance(one, str)], whole


def unlisted(elements: list[tuple[Path, Json]], shape: str, name: str) -> list[tuple[Path, Json]]:
    """Return elements without the lists around single ones."""
    return [((*path, 0), one[0]) if is_in_list(one, shape, (name,)) else (path, one) for path, one in elements]


def name_path(shape: str, name: str) -> Callable[[Json], Path | None]:
    def path_of(value: Json) -> Path | None:
        key = keys_of(value, shape, (name,)).get(name)
        return None if key is None else (key,)

    return path_of


def wrapper_of(root: Json) -> str | None:
    """Return the name of the property with the document."""
    if any(name in root for name in TOP):
        return None

    def count(value: Json) -> int:
        return len(keys_of(value, "RUI", TOP))

    inside = {name: count(value) for name, value in root.items() if isinstance(value, dict)}
    best = [name for name in inside if inside[name] == max(inside.values())]
    outside = {name: value for name, value in root.items() if name not in best}
    return best[0] if len(best) == 1 and inside[best[0]] > count(outside) else None
