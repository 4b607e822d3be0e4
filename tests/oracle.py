"""A second implementation of docs/decisions.md, sections 1 to 3, without any table of the product.

It is slow and has no messages; it reports which rule is violated at which path, in order.
"""

from __future__ import annotations

import re
import unicodedata
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
    return sorted(oracle.found, key=_place)


def _place(fault: Fault) -> tuple[list[tuple[int, Json]], int]:
    path, rule = fault
    known = path[:-1] if rule == "R7" else path
    steps: list[tuple[int, Json]] = [(0, ORDER.index(step) if isinstance(step, str) else step) for step in known]
    if rule == "R7":
        steps.append((1, path[-1]))
    return steps, RULES.index(rule)


def _is_name(text: str) -> bool:
    """Return whether a segment of a valuePath is well formed. Not for code points that are unassigned in Python."""
    return text != "" and all(one in "_-" or unicodedata.category(one)[0] in "LM" or one.isdecimal() for one in text)


def _names(value: Json, name: str) -> tuple[list[Json], bool]:
    """Return the names in a list of objects, and whether the list of names is complete."""
    if not isinstance(value, list):
        return [], False
    names = [element.get(name) if isinstance(element, dict) else None for element in value]
    whole = value != [] and all(isinstance(one, str) for one in names)
    return [one for one in names if isinstance(one, str)], whole


class _Oracle:
    def __init__(self) -> None:
        self.found: list[Fault] = []
        self.ids: set[str] = set()

    def say(self, rule: str, *path: str | int) -> None:
        self.found.append((path, rule))

    # The head

    def root(self, root: Json) -> None:
        for name in ("version", "meta", "navigation", "pages"):
            if name not in root:
                self.say("R2", name)
        self.strict(root, (), ("version", "meta", "navigation", "pages"))
        if "version" in root and root["version"] != "0.1":
            self.say("R1", "version")
        if "meta" in root and not isinstance(root["meta"], dict):
            self.say("R7b", "meta")
        navigation, pages = root.get("navigation"), root.get("pages")
        items = navigation.get("items") if isinstance(navigation, dict) else None
        page_ids, all_pages = _names(pages, "id")
        linked, all_items = _names(items, "pageId")
        if "navigation" in root:
            self.navigation(navigation, page_ids if all_pages else None)
        if "pages" in root:
            self.elements("R8", pages, "pages")
        for i, page in enumerate(pages if isinstance(pages, list) else []):
            self.node(page, ("pages", i), "pages")
            name = page.get("id") if isinstance(page, dict) else None
            if isinstance(name, str) and all_items and name not in linked:
                self.say("R11", "pages", i, "id")

    def navigation(self, navigation: Json, page_ids: list[str] | None) -> None:
        if not isinstance(navigation, dict):
            return self.say("R7b", "navigation")
        self.strict(navigation, ("navigation",), ("items",))
        path: Path = ("navigation", "items")
        if "items" not in navigation:
            return self.say("R6", *path)
        self.elements("R9", navigation["items"], *path)
        for i, item in enumerate(navigation["items"] if isinstance(navigation["items"], list) else []):
            name = self.name(item, (*path, i), "pageId")
            if name is not None and page_ids is not None and name not in page_ids:
                self.say("R10", *path, i, "pageId")
        return None

    # Nodes

    def node(self, node: Json, path: Path, place: str) -> None:
        allowed = ALLOWED[place]
        if not isinstance(node, dict):
            return self.say(NO_OBJECT[place], *path)
        given = node.get("type")
        name = node.get("id")
        if isinstance(name, str):
            if name in self.ids:
                self.say("R3", *path, "id")
            self.ids.add(name)
        if given in ("Form", "Button"):
            return self.say("R22", *path)
        if not isinstance(given, str) or given not in SHAPES:
            self.say("R5" if "type" in node else "R6", *path, "type")
            has = set(node) - {"type"}
            needs = {kind: {p for p in SHAPES[kind] if p != "type" and (kind, p) not in OPTIONAL} for kind in allowed}
            fitting = [kind for kind in allowed if needs[kind] <= has <= set(SHAPES[kind])]
            if len(fitting) == 1:
                self.of_type(node, path, fitting[0])
            return None
        if given not in allowed:
            if place == "pages":
                self.say("R7b", *path, "type")
            else:
                self.say("R14" if place == given == "Section" else NO_OBJECT[place], *path)
        return self.of_type(node, path, given)

    def of_type(self, node: Json, path: Path, kind: str) -> None:
        shape = SHAPES[kind]
        self.strict(node, path, tuple(shape))
        for name, wanted in shape.items():
            here = (*path, name)
            if name not in node:
                if name != "type" and (kind, name) not in OPTIONAL:
                    self.say("R18" if name == "binding" else "R6", *here)
            elif (wanted == STRING and not isinstance(node[name], str)) or (
                isinstance(wanted, tuple) and node[name] not in wanted
            ):
                self.say("R7b", *here)
        if isinstance(node.get("id"), str) and not re.fullmatch(r"[a-z][a-z0-9-]{0,63}", node["id"]):
            self.say("R4", *path, "id")
        self.inside(node, path, kind)

    def inside(self, node: Json, path: Path, kind: str) -> None:
        if "binding" in node and kind in ("Metric", "Table"):
            self.binding(node["binding"], (*path, "binding"), kind)
        if kind == "Table":
            self.table(node, path)
        if kind in ("Page", "Section") and "children" in node:
            self.elements("R15" if kind == "Page" else "R16", node["children"], *path, "children")
            for i, child in enumerate(node["children"] if isinstance(node["children"], list) else []):
                self.node(child, (*path, "children", i), kind)

    def table(self, table: Json, path: Path) -> None:
        columns = table.get("columns")
        keys: list[str] = []
        if "columns" in table:
            self.elements("R17", columns, *path, "columns")
        for i, column in enumerate(columns if isinstance(columns, list) else []):
            key = self.name(column, (*path, "columns", i), "key")
            if key is not None:
                if key in keys:
                    self.say("R17", *path, "columns", i, "key")
                keys.append(key)
        if "filter" in table:
            field = self.name(table["filter"], (*path, "filter"), "field")
            if field is not None and _names(columns, "key")[1] and field not in keys:
                self.say("R21", *path, "filter", "field")

    def binding(self, binding: Json, path: Path, kind: str) -> None:
        if not isinstance(binding, dict):
            return self.say("R7b", *path)
        if binding.get("type") in ("write", "action"):
            return self.say("R22", *path)
        self.strict(binding, path, ("type", "method", "path", "valuePath"))
        for name, wanted in (("type", "read"), ("method", "GET")):
            if binding.get(name) != wanted:
                self.say("R20" if name in binding else "R6", *path, name)
        for name, rule, missing in (("path", "R24", "R6"), ("valuePath", "R23", "R19" if kind == "Metric" else "")):
            given = binding.get(name)
            if name not in binding:
                if missing:
                    self.say(missing, *path, name)
            elif not isinstance(given, str):
                self.say("R7b", *path, name)
            elif not (given.startswith("/") if name == "path" else all(map(_is_name, given.split(".")))):
                self.say(rule, *path, name)
        return None

    # All objects

    def strict(self, value: Json, path: Path, names: tuple[str, ...]) -> None:
        for name in set(value) - set(names):
            self.say("R7", *path, name)

    def elements(self, empty: str, value: Json, *path: str | int) -> None:
        if not isinstance(value, list):
            self.say("R7b", *path)
        elif not value:
            self.say(empty, *path)

    def name(self, value: Json, path: Path, name: str) -> str | None:
        """Return the string `name` of an open object, or report an error."""
        if not isinstance(value, dict):
            self.say("R7b", *path)
        elif name not in value:
            self.say("R6", *path, name)
        elif not isinstance(value[name], str):
            self.say("R7b", *path, name)
        else:
            return str(value[name])
        return None
