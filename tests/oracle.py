"""A second implementation of docs/decisions.md, sections 1 to 3, without any table of the product.

It is slow and has no messages; it reports which rule is violated at which path, in order.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager

from tests.oracle_reading import (
    ALLOWED,
    NAMES,
    NO_OBJECT,
    OPTIONAL,
    ORDER,
    RULES,
    SHAPES,
    STRING,
    TOP,
    Fault,
    Json,
    Path,
    elements_of,
    flatten,
    id_path,
    is_in_list,
    is_name,
    keys_of,
    name_path,
    names_of,
    read_type,
    unlisted,
    value_at,
    wrapper_of,
)


def faults(document: Json) -> list[Fault]:
    """Return every error of a document in canonical order."""
    oracle = _Oracle()
    oracle.root(document)
    return sorted(oracle.found, key=oracle.place)


class _Oracle:
    def __init__(self) -> None:
        self.found: list[Fault] = []
        self.ids: set[str] = set()
        self.read: dict[Path, str] = {}
        self.wrappers: set[Path] = set()
        self.as_sent: set[Path] = set()
        self.holders: set[Path] = set()

    def say(self, rule: str, *path: str | int) -> None:
        self.found.append((path, rule))

    def place(self, fault: Fault) -> tuple[list[tuple[int, Json, bool]], int]:
        path, rule = fault
        steps: list[tuple[int, Json, bool]] = []
        is_unknown_in_holder = rule == "R7" and path[:-1] in self.holders
        for size, step in enumerate(path, 1):
            if path[:size] in self.holders and size < len(path):
                steps += [(1, step, False)] if is_unknown_in_holder and self.is_holder_chain(path, size) else []
                continue
            name = self.read.get(path[:size], step)
            if path[:size] in self.wrappers or (rule == "R7" and size == len(path)):
                steps.append((1, step, False))
            elif path[:size] in self.as_sent:
                steps.append((0, step, False))
            else:
                steps.append(
                    (
                        0,
                        ORDER.index(name) if isinstance(name, str) else name,
                        name != step or path[: size - 1] in self.holders,
                    )
                )
        return steps, RULES.index(rule)

    @contextmanager
    def lifted(self, value: Json, path: Path, shape: str, needed: tuple[str, ...]) -> Iterator[Json]:
        """Give an object with the properties of its holders; what is found in them is moved to where they are."""
        flat, where, holders = flatten(value, shape, needed)
        if not holders:
            yield flat
            return
        outer = self.found, self.read, self.as_sent, self.holders
        self.found, self.read, self.as_sent, self.holders = [], {}, set(), set()
        yield flat

        def moved(inner: Path) -> Path:
            return (
                (*path, *where.get(str(inner[len(path)]), ()), *inner[len(path) :]) if len(inner) > len(path) else inner
            )

        found = [(moved(place), rule) for place, rule in self.found]
        found += [
            ((*path, name), "R18" if name == "binding" else "R19" if name == "valuePath" else "R6")
            for name in needed
            if name in where and (name != "type" or shape == "ReadBinding")
        ]
        found += [((*path, *holder), "R7") for holder in holders]
        read = {moved(place): name for place, name in self.read.items()}
        as_sent = {moved(place) for place in self.as_sent}
        moved_holders = {moved(place) for place in self.holders} | {(*path, *holder) for holder in holders}
        self.found, self.read, self.as_sent, self.holders = outer
        self.found += found
        self.read |= read
        self.as_sent |= as_sent
        self.holders |= moved_holders

    def is_holder_chain(self, path: Path, size: int) -> bool:
        """Return whether all steps from a holder to the last are holders."""
        return all(path[:end] in self.holders for end in range(size, len(path)))

    def keys(self, value: Json, path: Path, shape: str, names: tuple[str, ...]) -> dict[str, str]:
        keys = keys_of(value, shape, names)
        self.read |= {(*path, key): name for name, key in keys.items()}
        return keys

    # The head

    def root(self, root: Json, path: Path = ()) -> None:  # noqa: C901
        wrapper = wrapper_of(root)
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
        if is_in_list(navigation, "Navigation", ("items",)):
            items = navigation[0]
        if isinstance(items, dict):
            items, _, _ = flatten(items, "Navigation", ("items",))
            items = items.get(keys_of(items, "Navigation", ("items",)).get("items"))
        page_ids, all_pages = names_of(elements_of(pages, "pages"), lambda page: id_path(page, "pages"))
        listed = unlisted(elements_of(items, "items"), "NavigationItem", "pageId")
        linked, all_items = names_of(listed, name_path("NavigationItem", "pageId"))
        if "navigation" in keys:
            self.navigation(navigation, paths["navigation"], page_ids if all_pages else None)
        if "pages" in keys:
            for place, page in self.elements("R8", pages, paths["pages"], "pages"):
                self.node(page, place, "pages")
                where = id_path(page, "pages") if isinstance(page, dict) else None
                name = None if where is None else value_at(page, where)
                if where is not None and isinstance(name, str) and all_items and name not in linked:
                    self.say("R11", *place, *where)
        return None

    def navigation(self, navigation: Json, path: Path, page_ids: list[str] | None) -> None:
        if not isinstance(navigation, dict):
            self.say("R7b", *path)
            if is_in_list(navigation, "Navigation", ("items",)):
                return self.navigation(navigation[0], (*path, 0), page_ids)
            if isinstance(navigation, list) and navigation:
                self.items(navigation, path, page_ids)
            return None
        with self.lifted(navigation, path, "Navigation", ("items",)) as flat:
            self.flat_navigation(flat, path, page_ids)
        return None

    def flat_navigation(self, navigation: Json, path: Path, page_ids: list[str] | None) -> None:
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
        where = id_path(node, place)
        name = None if where is None else value_at(node, where)
        if where is not None and isinstance(name, str):
            if name in self.ids:
                self.say("R3", *path, *where)
            self.ids.add(name)
        if given in ("Form", "Button"):
            return self.say("R22", *path)
        shape = read_type(node, place)
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
        with self.lifted(node, path, shape, NAMES[shape][1]) as flat:
            self.of_type(flat, path, shape)
        return None

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
            listed = unlisted(listed, "Column", "key")
            if field is not None and names_of(listed, name_path("Column", "key"))[1] and field not in keys:
                self.say("R21", *place)

    def binding(self, binding: Json, path: Path, kind: str) -> None:
        names = ("type", "method", "path", "valuePath")
        if not isinstance(binding, dict):
            self.say("R7b", *path)
            is_listed = is_in_list(binding, "ReadBinding", names[: 4 if kind == "Metric" else 3], names)
            return self.binding(binding[0], (*path, 0), kind) if is_listed else None
        if binding.get("type") in ("write", "action"):
            return self.say("R22", *path)
        with self.lifted(binding, path, "ReadBinding", names[: 4 if kind == "Metric" else 3]) as flat:
            self.read_binding(flat, path, kind, names)
        return None

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
            elif not (given.startswith("/") if name == "path" else all(map(is_name, given.split(".")))):
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
        elements = [((*path, *steps), element) for steps, element in elements_of(value, place)]
        if isinstance(value, dict):
            self.as_sent |= {place[: len(path) + 1] for place, _ in elements if place != path}
        return elements

    def name(self, value: Json, path: Path, shape: str, name: str) -> tuple[str | None, Path]:
        """Return the string `name` of an open object with its path, or report an error."""
        if not isinstance(value, dict):
            self.say("R7b", *path)
            if not is_in_list(value, shape, (name,)):
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
