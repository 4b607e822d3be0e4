"""A second implementation of docs/decisions.md, sections 1 to 3, without any table of the product.

It is slow and has no messages; it reports which rule is violated at which path, in order.
"""

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


def faults(document: Json) -> list[Fault]:
    """Return every error of a document in canonical order."""
    oracle = _Oracle()
    oracle.root(document)
    return sorted(oracle.found, key=oracle.place)


def _is_name(text: str) -> bool:
    """Return whether a segment of a valuePath is well formed. Not for code points that are unassigned in Python."""
    return text != "" and all(one in "_-" or unicodedata.category(one)[0] in "LM" or one.isdecimal() for one in text)


def _keys(value: Json, shape: str, names: tuple[str, ...]) -> dict[str, str]:
    """Return the key of every property of an object: its own name, else the first other name that fits, else any."""
    keys: dict[str, str] = {}
    if not isinstance(value, dict):
        return keys
    for name in names:
        others = [
            other for other in OTHER_NAMES.get((shape, name), "").split() if other in value and other not in names
        ]
        others.sort(key=lambda other, name=name: not _fits(value[other], name))
        if name in value:
            keys[name] = name
        elif others:
            keys[name] = others[0]
    return keys | _by_content(value, shape, names, keys)


def _by_content(value: Json, shape: str, names: tuple[str, ...], keys: dict[str, str]) -> dict[str, str]:
    """Return the keys without a meaning whose values show what they are."""
    unread = {name for name in names if name not in keys}
    meaning = {other for name in unread for other in OTHER_NAMES.get((shape, name), "").split()}
    unknown = [key for key in value if key not in names and key not in meaning and key not in keys.values()]
    found = {}
    for name in unread:
        similar = [key for key in unknown if _is_similar(value[key], shape, name)]
        if len(similar) == 1:
            found[name] = similar[0]
    return found


def _is_similar(value: Json, shape: str, name: str) -> bool:
    fixed = FIXED.get((shape, name), (shape,) if name == "type" else ())
    if fixed:
        return isinstance(value, str) and value in fixed
    if (shape, name) not in REQUIRED_WITHIN:
        return False
    if name in ("pages", "items", "children", "columns"):
        value = value[0] if isinstance(value, list) and value else None
    return isinstance(value, dict) and any(one in value for one in REQUIRED_WITHIN[shape, name].split())


def _type_key(node: Json, place: str) -> str | None:
    """Return the key of the type of a node."""
    if "type" in node:
        return "type"
    registered = {name for kind in ALLOWED[place] for name in SHAPES[kind]}
    types = ["Page"] if place == "pages" else [*SHAPES]
    keys = [key for key in node if key not in registered and isinstance(node[key], str) and node[key] in types]
    return keys[0] if len(keys) == 1 else None


def _known(node: Json, kind: str) -> tuple[set[str], int]:
    keys = _keys(node, kind, tuple(SHAPES[kind]))
    keys = {name: key for name, key in keys.items() if name in (key, "type") or _fits(node[key], name)}
    return set(keys) - {"type"}, len(set(node) - {"type"} - set(keys.values()))


def _only_fitting(node: Json, kinds: Iterable[str]) -> str | None:
    fitting = []
    for kind in kinds:
        known, others = _known(node, kind)
        needs = {name for name in SHAPES[kind] if name != "type" and (kind, name) not in OPTIONAL}
        is_clear = len(known - {"id"}) > 1 or bool(known & set(node) - {"id"})
        if not others and is_clear and needs <= known:
            fitting.append(kind)
    return fitting[0] if len(fitting) == 1 else None


def _fits(value: Json, name: str) -> bool:
    if name in ("meta", "binding", "filter"):
        return isinstance(value, dict)
    if name == "version":
        return not isinstance(value, dict | list)
    if name in ("pages", "items", "children", "columns"):
        return isinstance(value, list)
    return isinstance(value, str)


def _read_type(node: Json, place: str) -> str | None:
    """Return the type that a node is read as."""
    allowed = ALLOWED[place]
    key = _type_key(node, place)
    given = None if key is None else node[key]
    if isinstance(given, str) and given in SHAPES:
        return given
    meant = OTHER_TYPES.get(given.strip().lower()) if isinstance(given, str) else None
    if meant is not None and place != "pages":
        return meant
    if place == "Page" and isinstance(given, str) and (kind := _only_fitting(node, SHAPES)):
        return kind
    if len(allowed) == 1:
        known, others = _known(node, allowed[0])
        if len(known) >= others:
            return allowed[0]
    likely = _only_fitting(node, allowed)
    if likely is None and isinstance(given, str):
        words = set(re.findall("[a-z]+", given.lower()))
        within = [kind for kind in allowed if kind.lower() in words]
        likely = within[0] if len(within) == 1 else None
    return likely


def _id_key(node: Json, place: str) -> str | None:
    if "id" in node:
        return "id"
    shape = None if node.get("type") in ("Form", "Button") else _read_type(node, place)
    return _keys(node, shape, tuple(SHAPES[shape])).get("id") if shape else None


def _is_element(value: Json, place: str, *, must_fit: bool = False) -> bool:
    """Return whether an object is read as an element of a list; `must_fit`: as one that is allowed in it."""
    if not isinstance(value, dict):
        return False
    if place in ELEMENTS:
        shape, name = ELEMENTS[place]
        return _has(value, shape, (name,), (name,))
    if value.get("type") in ("Form", "Button"):
        return not must_fit
    kind = _read_type(value, place)
    return kind in ALLOWED[place] if must_fit else kind is not None


def _elements(value: Json, place: str) -> list[tuple[Path, Json]]:
    """Return what is read as the elements of a list, with the paths in `value`."""
    if isinstance(value, list):
        return [((i,), element) for i, element in enumerate(value)]
    if not isinstance(value, dict) or not value:
        return []
    if len(value) == 1:
        ((key, inner),) = value.items()
        if isinstance(inner, list) and inner and _is_element(inner[0], place, must_fit=True):
            return [((key, i), element) for i, element in enumerate(inner)]
    names = {"pageId", "key"} & {KEY_NAMES[place]} or {name for kind in ALLOWED[place] for name in SHAPES[kind]}
    if all(isinstance(one, dict) and one for one in value.values()) and not names & set(value):
        return [((key,), {KEY_NAMES[place]: key, **value[key]}) for key in sorted(value)]
    return [((), value)] if _is_element(value, place) else []


def _is_in_list(value: Json, shape: str, required: tuple[str, ...], names: tuple[str, ...] = ()) -> bool:
    """Return whether a value is a list with one object that is read in its place."""
    if not isinstance(value, list) or len(value) != 1 or not isinstance(value[0], dict):
        return False
    return _has(value[0], shape, required, names or required)


def _has(value: Json, shape: str, required: tuple[str, ...], names: tuple[str, ...]) -> bool:
    """Return whether an object has a required property, or one of its type under another name."""
    keys = _keys(value, shape, names)
    return any(name in keys and (keys[name] == name or _fits(value[keys[name]], name)) for name in required)


def _names(elements: list[tuple[Path, Json]], key_of: Callable[[Json], str | None]) -> tuple[list[Json], bool]:
    """Return the names in elements, and whether the list of names is complete."""
    keys = [key_of(element) if isinstance(element, dict) else None for _, element in elements]
    names = [None if key is None else element[key] for (_, element), key in zip(elements, keys, strict=True)]
    whole = names != [] and all(isinstance(one, str) for one in names)
    return [one for one in names if isinstance(one, str)], whole


def _unlisted(elements: list[tuple[Path, Json]], shape: str, name: str) -> list[tuple[Path, Json]]:
    """Return elements without the lists around single ones."""
    return [((*path, 0), one[0]) if _is_in_list(one, shape, (name,)) else (path, one) for path, one in elements]


def _name_key(shape: str, name: str) -> Callable[[Json], str | None]:
    return lambda value: _keys(value, shape, (name,)).get(name)


def _wrapper(root: Json) -> str | None:
    """Return the name of the property with the document."""
    if any(name in root for name in TOP):
        return None

    def count(value: Json) -> int:
        return len(_keys(value, "RUI", TOP))

    inside = {name: count(value) for name, value in root.items() if isinstance(value, dict)}
    best = [name for name in inside if inside[name] == max(inside.values())]
    outside = {name: value for name, value in root.items() if name not in best}
    return best[0] if len(best) == 1 and inside[best[0]] > count(outside) else None


class _Oracle:
    def __init__(self) -> None:
        self.found: list[Fault] = []
        self.ids: set[str] = set()
        self.read: dict[Path, str] = {}
        self.wrappers: set[Path] = set()
        self.as_sent: set[Path] = set()

    def say(self, rule: str, *path: str | int) -> None:
        self.found.append((path, rule))

    def place(self, fault: Fault) -> tuple[list[tuple[int, Json, bool]], int]:
        path, rule = fault
        steps: list[tuple[int, Json, bool]] = []
        for size, step in enumerate(path, 1):
            name = self.read.get(path[:size], step)
            if path[:size] in self.wrappers or (rule == "R7" and size == len(path)):
                steps.append((1, step, False))
            elif path[:size] in self.as_sent:
                steps.append((0, step, False))
            else:
                steps.append((0, ORDER.index(name) if isinstance(name, str) else name, name != step))
        return steps, RULES.index(rule)

    def keys(self, value: Json, path: Path, shape: str, names: tuple[str, ...]) -> dict[str, str]:
        keys = _keys(value, shape, names)
        self.read |= {(*path, key): name for name, key in keys.items()}
        return keys

    # The head

    def root(self, root: Json, path: Path = ()) -> None:  # noqa: C901
        wrapper = _wrapper(root)
        keys = self.keys(root, path, "RUI", TOP) if wrapper is None else {}
        for name in TOP:
            if name not in root:
                self.say("R2", *path, name)
        self.strict(root, path, TOP)
        if wrapper is not None:
            self.wrappers.add((*path, wrapper))
            return self.root(root[wrapper], (*path, wrapper))
        values = {name: root[key] for name, key in keys.items()}
        paths = {name: (*path, key) for name, key in keys.items()}
        if "version" in keys and values["version"] != "0.1":
            self.say("R1", *paths["version"])
        if "meta" in keys and not isinstance(values["meta"], dict):
            self.say("R7b", *paths["meta"])
        navigation, pages = values.get("navigation"), values.get("pages")
        items = navigation
        if _is_in_list(navigation, "Navigation", ("items",)):
            items = navigation[0]
        if isinstance(items, dict):
            items = items.get(_keys(items, "Navigation", ("items",)).get("items"))
        page_ids, all_pages = _names(_elements(pages, "pages"), lambda page: _id_key(page, "pages"))
        listed = _unlisted(_elements(items, "items"), "NavigationItem", "pageId")
        linked, all_items = _names(listed, _name_key("NavigationItem", "pageId"))
        if "navigation" in keys:
            self.navigation(navigation, paths["navigation"], page_ids if all_pages else None)
        if "pages" in keys:
            for place, page in self.elements("R8", pages, paths["pages"], "pages"):
                self.node(page, place, "pages")
                key = _id_key(page, "pages") if isinstance(page, dict) else None
                if key is not None and isinstance(page[key], str) and all_items and page[key] not in linked:
                    self.say("R11", *place, key)
        return None

    def navigation(self, navigation: Json, path: Path, page_ids: list[str] | None) -> None:
        if not isinstance(navigation, dict):
            self.say("R7b", *path)
            if _is_in_list(navigation, "Navigation", ("items",)):
                return self.navigation(navigation[0], (*path, 0), page_ids)
            if isinstance(navigation, list) and navigation:
                self.items(navigation, path, page_ids)
            return None
        self.strict(navigation, path, ("items",))
        if "items" not in navigation:
            self.say("R6", *path, "items")
        key = self.keys(navigation, path, "Navigation", ("items",)).get("items")
        if key is None:
            return None
        return self.items(navigation[key], (*path, key), page_ids)

    def items(self, items: Json, path: Path, page_ids: list[str] | None) -> None:
        for where, item in self.elements("R9", items, path, "items"):
            name, place = self.name(item, where, "NavigationItem", "pageId")
            if name is not None and page_ids is not None and name not in page_ids:
                self.say("R10", *place)

    # Nodes

    def node(self, node: Json, path: Path, place: str) -> None:
        allowed = ALLOWED[place]
        if not isinstance(node, dict):
            return self.say(NO_OBJECT[place], *path)
        given = node.get("type")
        key = _id_key(node, place)
        if key is not None and isinstance(node[key], str):
            if node[key] in self.ids:
                self.say("R3", *path, key)
            self.ids.add(node[key])
        if given in ("Form", "Button"):
            return self.say("R22", *path)
        shape = _read_type(node, place)
        is_registered = isinstance(given, str) and given in SHAPES
        if not is_registered:
            self.say("R5" if "type" in node else "R6", *path, "type")
        if shape is None:
            return None
        if shape not in allowed:
            if place == "pages":
                self.say("R7b", *path, "type")
            else:
                self.say("R14" if place == shape == "Section" else NO_OBJECT[place], *path)
        return self.of_type(node, path, shape)

    def of_type(self, node: Json, path: Path, kind: str) -> None:
        shape = SHAPES[kind]
        self.strict(node, path, tuple(shape))
        keys = self.keys(node, path, kind, tuple(shape))
        for name, wanted in shape.items():
            if name not in node and name != "type" and (kind, name) not in OPTIONAL:
                self.say("R18" if name == "binding" else "R6", *path, name)
            if name not in keys:
                continue
            value = node[keys[name]]
            if (wanted == STRING and not isinstance(value, str)) or (isinstance(wanted, tuple) and value not in wanted):
                self.say("R7b", *path, keys[name])
        name = node.get(keys.get("id"))
        if isinstance(name, str) and not re.fullmatch(r"[a-z][a-z0-9-]{0,63}", name):
            self.say("R4", *path, keys["id"])
        self.inside(node, path, kind, keys)

    def inside(self, node: Json, path: Path, kind: str, keys: dict[str, str]) -> None:
        if "binding" in keys:
            self.binding(node[keys["binding"]], (*path, keys["binding"]), kind)
        if kind == "Table":
            self.table(node, path, keys)
        if "children" in keys:
            children, key = node[keys["children"]], keys["children"]
            for place, child in self.elements("R15" if kind == "Page" else "R16", children, (*path, key), kind):
                self.node(child, place, kind)

    def table(self, table: Json, path: Path, names: dict[str, str]) -> None:
        columns = table.get(names.get("columns"))
        keys: list[str] = []
        listed: list[tuple[Path, Json]] = []
        if "columns" in names:
            listed = self.elements("R17", columns, (*path, names["columns"]), "columns")
        for where, column in listed:
            key, place = self.name(column, where, "Column", "key")
            if key is not None:
                if key in keys:
                    self.say("R17", *place)
                keys.append(key)
        if "filter" in names:
            field, place = self.name(table[names["filter"]], (*path, names["filter"]), "TableFilter", "field")
            listed = _unlisted(listed, "Column", "key")
            if field is not None and _names(listed, _name_key("Column", "key"))[1] and field not in keys:
                self.say("R21", *place)

    def binding(self, binding: Json, path: Path, kind: str) -> None:
        names = ("type", "method", "path", "valuePath")
        if not isinstance(binding, dict):
            self.say("R7b", *path)
            is_listed = _is_in_list(binding, "ReadBinding", names[: 4 if kind == "Metric" else 3], names)
            return self.binding(binding[0], (*path, 0), kind) if is_listed else None
        if binding.get("type") in ("write", "action"):
            return self.say("R22", *path)
        return self.read_binding(binding, path, kind, names)

    def read_binding(self, binding: Json, path: Path, kind: str, names: tuple[str, ...]) -> None:
        self.strict(binding, path, names)
        keys = self.keys(binding, path, "ReadBinding", names)
        for name, wanted in (("type", "read"), ("method", "GET")):
            if binding.get(name) != wanted:
                self.say("R20" if name in binding else "R6", *path, name)
        for name, rule, missing in (("path", "R24", "R6"), ("valuePath", "R23", "R19" if kind == "Metric" else "")):
            if name not in binding and missing:
                self.say(missing, *path, name)
            if name not in keys:
                continue
            given = binding[keys[name]]
            if not isinstance(given, str):
                self.say("R7b", *path, keys[name])
            elif not (given.startswith("/") if name == "path" else all(map(_is_name, given.split(".")))):
                self.say(rule, *path, keys[name])

    # All objects

    def strict(self, value: Json, path: Path, names: tuple[str, ...]) -> None:
        for name in set(value) - set(names):
            self.say("R7", *path, name)

    def elements(self, empty: str, value: Json, path: Path, place: str) -> list[tuple[Path, Json]]:
        """Report a value that is no list with elements; return what is read as its elements."""
        if not isinstance(value, list):
            self.say("R7b", *path)
        elif not value:
            self.say(empty, *path)
        elements = [((*path, *steps), element) for steps, element in _elements(value, place)]
        if isinstance(value, dict):
            self.as_sent |= {place[: len(path) + 1] for place, _ in elements if place != path}
        return elements

    def name(self, value: Json, path: Path, shape: str, name: str) -> tuple[str | None, Path]:
        """Return the string `name` of an open object with its path, or report an error."""
        if not isinstance(value, dict):
            self.say("R7b", *path)
            if not _is_in_list(value, shape, (name,)):
                return None, path
            value, path = value[0], (*path, 0)
        if name not in value:
            self.say("R6", *path, name)
        key = self.keys(value, path, shape, (name,)).get(name)
        if key is None:
            return None, path
        place = (*path, key)
        if not isinstance(value[key], str):
            self.say("R7b", *place)
            return None, place
        return str(value[key]), place
