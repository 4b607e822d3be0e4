"""A second implementation of docs/decisions.md, sections 1 to 3, without any table of the product.

It is slow and has no messages; it reports which rule is violated at which path, in order. `tests/test_copies.py` says
what its tables lack.
"""

import re
import unicodedata
from collections.abc import Iterator
from typing import Any, NamedTuple

Json = Any
Path = tuple[str | int, ...]
Fault = tuple[Path, str]

TABLE = """
RUI             strict  version! meta! navigation! pages!
Meta            open    title? description? replaces?
Navigation      strict  items!
NavigationItem  open    pageId! label?
Page            strict  id! type! title! description children!
Section         strict  id! type! title direction! children!
Metric          strict  id! type! label! binding! format
Table           strict  id! type! title binding! columns! filter
Text            strict  id! type! content!
ReadBinding     strict  type! method! path! valuePath
Column          open    key! label? type?
TableFilter     open    field! label? options?
FilterOption    open    value? label?
"""
"""The shapes of section 2 of the specification and section 1 of the decisions. ! means required, ? suggested."""

_ROWS = {name: properties for name, kind, *properties in map(str.split, TABLE.split("\n")[1:-1]) if kind == "strict"}
SHAPES = {name: [property_name.strip("!") for property_name in properties] for name, properties in _ROWS.items()}
"""The properties of the strict shapes."""
OPTIONAL = {
    f"{name}.{property_name}"
    for name, properties in _ROWS.items()
    for property_name in properties
    if not property_name.endswith("!")
}
NODE_TYPES = [name for name, properties in _ROWS.items() if properties[:2] == ["id!", "type!"]]
PLANNED = ("Form", "Button")
TEXTS = ("title", "description", "label", "content")
ENUMS = {"Section.direction": ("stack", "row"), "Metric.format": ("number", "text")}
VALUE_PATH_REQUIRED = ("Metric",)
"""The blocks whose bindings require a `valuePath`."""
RULES = "R1 R2 R3 R4 R5 R6 R7 R7b R8 R9 R10 R11 R12 R13 R14 R15 R16 R17 R18 R19 R20 R21 R22 R23 R24".split()

ALLOWED = {"pages": ["Page"], "Page": ["Section"], "Section": ["Metric", "Table", "Text"]}
NO_OBJECT = {"pages": "R7b", "Page": "R12", "Section": "R13"}


def faults(document: Json) -> list[Fault]:
    """Return every error of a document in canonical order."""
    oracle = _Oracle()
    oracle.root(document)
    return sorted(oracle.found, key=oracle.place)


def is_id(text: str) -> bool:
    return re.fullmatch(r"[a-z][a-z0-9-]{0,63}", text) is not None


def is_path(text: str) -> bool:
    return text.startswith("/")


def is_value_path(text: str) -> bool:
    return all(segment != "" and all(map(is_name_character, segment)) for segment in text.split("."))


def is_name_character(character: str) -> bool:
    if character.isascii():
        return character.isalnum() or character in "_-"
    is_punctuation = 0x2000 <= ord(character) <= 0x206F
    return not (
        character.isspace() or is_punctuation or unicodedata.category(character) == "Cc" or character == "\ufeff"
    )


FORMS = {"id": ("R4", is_id), "path": ("R24", is_path), "valuePath": ("R23", is_value_path)}
"""Text with a form: the rule that another form breaks, and the test of the form."""


class ListOf(NamedTuple):
    """A list of objects that are no nodes."""

    rule: str  # the rule that another number of elements breaks, and a repeated name
    shape: str
    name: str = ""  # of an open shape, the property with a name that is unique in the list
    at_least: int = 1
    at_most: int | None = None


LISTS = {"columns": ListOf("R17", "Column", "key")}
"""The lists of objects in blocks, by their property."""


def required(shape: str) -> set[str]:
    """Return the names of the properties that a node of a type requires."""
    return {name for name in SHAPES[shape] if f"{shape}.{name}" not in OPTIONAL}


def read_type(node: Json, place: str) -> str | None:
    """Return the type by which a node is read, if any."""
    given = node.get("type")
    if isinstance(given, str) and given in PLANNED:
        return None
    if isinstance(given, str) and given in NODE_TYPES:
        return given
    names = set(node) - {"type"}
    fitting = [kind for kind in ALLOWED[place] if required(kind) - {"type"} <= names <= {*SHAPES[kind]}]
    return fitting[0] if len(fitting) == 1 else None


def names_of(elements: Json, name: str) -> set[str] | None:
    """Return the names that the elements of a list have, or None if some may be missing."""
    if not isinstance(elements, list) or not elements:
        return None
    names: set[str] = set()
    for element in elements:
        if not isinstance(element, dict) or not isinstance(element.get(name), str):
            return None
        names.add(element[name])
    return names


class _Oracle:
    def __init__(self) -> None:
        self.found: list[Fault] = []
        self.ids: set[str] = set()
        self.shapes: dict[Path, str] = {}

    def place(self, fault: Fault) -> tuple[list[tuple[bool, Json]], int]:
        """Return the place of a fault in the canonical document: registered properties come before all others."""
        path, rule = fault
        steps: list[tuple[bool, Json]] = []
        for size, step in enumerate(path):
            registered = SHAPES[self.shapes[path[:size]]] if path[:size] in self.shapes else ["id", "type"]
            if isinstance(step, str) and step in registered:
                steps.append((False, registered.index(step)))
            else:
                steps.append((isinstance(step, str), step))
        return steps, RULES.index(rule)

    def say(self, rule: str, *path: str | int) -> None:
        self.found.append((path, rule))

    # The head

    def root(self, root: Json) -> None:
        version = root.get("version")
        is_later = "entities" in root or "operations" in root
        if is_later and isinstance(version, str) and version != "0.1" and re.fullmatch(r"[0-9]+(\.[0-9]+)*", version):
            self.say("R1", "version")
            return
        for name in SHAPES["RUI"]:
            if name not in root:
                self.say("R2", name)
        self.strict(root, (), "RUI")
        if "version" in root and root["version"] != "0.1":
            self.say("R1", "version")
        if "meta" in root and not isinstance(root["meta"], dict):
            self.say("R7b", "meta")
        navigation = root.get("navigation")
        items = navigation.get("items") if isinstance(navigation, dict) else None
        if "navigation" in root:
            self.navigation(navigation, names_of(root.get("pages"), "id"))
        if "pages" in root:
            self.pages(root["pages"], names_of(items, "pageId"))

    def navigation(self, navigation: Json, pages: set[str] | None) -> None:
        path = ("navigation",)
        if not isinstance(navigation, dict):
            return self.say("R7b", *path)
        self.strict(navigation, path, "Navigation")
        if "items" not in navigation:
            return self.say("R6", *path, "items")
        for where, item in self.elements("R9", navigation["items"], (*path, "items")):
            name = self.name(item, where, "pageId")
            if name is not None and pages is not None and name not in pages:
                self.say("R10", *where, "pageId")
        return None

    def pages(self, pages: Json, linked: set[str] | None) -> None:
        for path, page in self.elements("R8", pages, ("pages",)):
            self.node(page, path, "pages")
            name = page.get("id") if isinstance(page, dict) else None
            if isinstance(name, str) and linked is not None and name not in linked:
                self.say("R11", *path, "id")

    # Nodes

    def node(self, node: Json, path: Path, place: str) -> None:
        if not isinstance(node, dict):
            return self.say(NO_OBJECT[place], *path)
        name = node.get("id")
        if isinstance(name, str):
            if name in self.ids:
                self.say("R3", *path, "id")
            self.ids.add(name)
        shape = read_type(node, place)
        if "type" not in node:
            self.say("R6", *path, "type")
        elif node["type"] in PLANNED:
            self.say("R22", *path)
        elif node["type"] not in NODE_TYPES:
            self.say("R5", *path, "type")
        elif shape not in ALLOWED[place]:
            self.misplaced(node, path, place)
        if shape is None:
            return None
        return self.of_type(node, path, shape)

    def misplaced(self, node: Json, path: Path, place: str) -> None:
        if place == "pages":
            self.say("R7b", *path, "type")
        elif place == node["type"] == "Section":
            self.say("R14", *path)
        else:
            self.say(NO_OBJECT[place], *path)

    def of_type(self, node: Json, path: Path, shape: str) -> None:
        self.strict(node, path, shape)
        properties = SHAPES[shape]
        for name in required(shape) - {"type"} - set(node):
            self.say("R18" if name == "binding" else "R6", *path, name)
        self.values(node, path, shape)
        self.forms(node, path, shape)
        if "binding" in properties and "binding" in node:
            self.binding(node["binding"], (*path, "binding"), shape)
        if "filter" in properties and "filter" in node:
            self.filter(node, path)
        if "children" in properties and "children" in node:
            empty = "R15" if shape == "Page" else "R16"
            for where, child in self.elements(empty, node["children"], (*path, "children")):
                self.node(child, where, shape)

    def values(self, node: Json, path: Path, shape: str) -> None:
        for name in SHAPES[shape]:
            if name in TEXTS:
                self.string(node, path, name)
            if f"{shape}.{name}" in ENUMS:
                self.literal("R7b", node, path, name, *ENUMS[f"{shape}.{name}"])
            if name in LISTS and name in node:
                self.listed(node[name], (*path, name), LISTS[name])

    def forms(self, value: Json, path: Path, shape: str) -> None:
        for name, (rule, fits) in FORMS.items():
            if name in SHAPES[shape]:
                text = self.string(value, path, name)
                if text is not None and not fits(text):
                    self.say(rule, *path, name)

    def listed(self, values: Json, path: Path, declared: ListOf) -> None:
        rule, shape, name, at_least, at_most = declared
        names: set[str] = set()
        for where, value in self.elements(rule, values, path, at_least, at_most):
            if shape in SHAPES:
                self.record(value, where, shape)
                continue
            text = self.name(value, where, name)
            if text is None:
                continue
            if text in names:
                self.say(rule, *where, name)
            names.add(text)

    def record(self, value: Json, path: Path, shape: str) -> None:
        """Check an object of a strict shape that is no node."""
        if not isinstance(value, dict):
            self.say("R7b", *path)
            return
        self.strict(value, path, shape)
        for name in required(shape) - set(value):
            self.say("R6", *path, name)
        self.values(value, path, shape)
        self.forms(value, path, shape)

    def filter(self, table: Json, path: Path) -> None:
        field = self.name(table["filter"], (*path, "filter"), "field")
        keys = names_of(table.get("columns"), "key")
        if field is not None and keys is not None and field not in keys:
            self.say("R21", *path, "filter", "field")

    def binding(self, binding: Json, path: Path, block: str) -> None:
        if not isinstance(binding, dict):
            return self.say("R7b", *path)
        if binding.get("type") in ("write", "action"):
            return self.say("R22", *path)
        self.strict(binding, path, "ReadBinding")
        for name in {"type", "method", "path"} - set(binding):
            self.say("R6", *path, name)
        self.literal("R20", binding, path, "type", "read")
        self.literal("R20", binding, path, "method", "GET")
        if block in VALUE_PATH_REQUIRED and "valuePath" not in binding:
            self.say("R19", *path, "valuePath")
        return self.forms(binding, path, "ReadBinding")

    # All objects

    def strict(self, value: Json, path: Path, shape: str) -> None:
        self.shapes[path] = shape
        for name in set(value) - {*SHAPES[shape]}:
            self.say("R7", *path, name)

    def elements(
        self, rule: str, value: Json, path: Path, at_least: int = 1, at_most: int | None = None
    ) -> Iterator[tuple[Path, Json]]:
        """Report a value that is no list of so many elements; yield its elements with their paths."""
        if not isinstance(value, list):
            self.say("R7b", *path)
            return
        if len(value) < at_least or (at_most is not None and len(value) > at_most):
            self.say(rule, *path)
        for index, element in enumerate(value):
            yield (*path, index), element

    def literal(self, rule: str, value: Json, path: Path, name: str, *allowed: str) -> None:
        if name in value and value[name] not in allowed:
            self.say(rule, *path, name)

    def string(self, value: Json, path: Path, name: str) -> str | None:
        """Return a property if it is a string; report a value of another type."""
        text = value.get(name)
        if isinstance(text, str):
            return text
        if name in value:
            self.say("R7b", *path, name)
        return None

    def name(self, value: Json, path: Path, name: str) -> str | None:
        """Return the required string of an open object, or report an error."""
        if not isinstance(value, dict):
            self.say("R7b", *path)
            return None
        if name not in value:
            self.say("R6", *path, name)
        return self.string(value, path, name)
