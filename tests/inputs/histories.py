"""Histories: edits of documents as people and agents make them, and what a document says, independent of the product.

A fact is a property of a node, column, link or of the app, with the original ids of the nodes. So what a merge has to
contain can be computed: the facts of the base, with those that a side added, without those that a side removed.
"""

import copy
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from tests.support.strategies import Json, Random

LABELS = "Open orders|Overdue|Stock below minimum|Visits today|Staff on duty|Bills|Notes|Prüfung|Café 😀".split("|")
ENDPOINTS = ("/api/orders", "/api/stock", "/api/visits?day=today", "/api/bills", "/v2/staff")
FIELDS = ("number", "status", "total", "owner", "due", "priority", "created")


@dataclass
class History:
    """A document that one side edits.

    Attributes:
        document: the document.
        chance: where the choices come from.
        side: a word in new names, so that both sides rarely choose the same ones.
        original: new id or key → the original one.
    """

    document: Json
    chance: Random
    side: str
    original: dict[str, str] = field(default_factory=dict)
    number: int = 0

    def edit(self, names: list[str]) -> list[str]:
        """Make the named edits; return those that were possible."""
        return [name for name in names if EDITS[name](self)]

    def new_name(self, stem: str) -> str:
        self.number += 1
        side = "both" if self.chance.random() < 0.05 else self.side
        return f"{stem}-{side}-{self.number}"

    def pick(self, values: list[Json]) -> Json:
        """Return one of the values; None if there is none."""
        return self.chance.choice(values) if values else None

    def nodes(self, *types: str) -> list[Json]:
        return [node for node, _ in walk(self.document) if not types or node["type"] in types]

    def lists(self) -> list[tuple[str, list[Json]]]:
        """Return the lists of nodes, each with what is in them."""
        pages = [("Page", self.document["pages"])]
        inner = {"Page": "Section", "Section": "Block"}
        return [*pages, *((inner[node["type"]], node["children"]) for node in self.nodes("Page", "Section"))]


def walk(document: Json) -> Iterator[tuple[Json, str]]:
    """Yield every node with the id of its parent."""
    pending = [(node, "") for node in document["pages"]]
    while pending:
        node, parent = pending.pop(0)
        yield node, parent
        pending += [(child, node["id"]) for child in node.get("children", [])]


# Edits: each returns whether it was possible --------------------------------------------------------------------------


def new_block(it: History) -> Json:
    binding = {"type": "read", "method": "GET", "path": it.chance.choice(ENDPOINTS), "valuePath": "data.items"}
    kind = it.chance.choice(("Metric", "Table", "Text"))
    block: Json = {"id": it.new_name(kind.lower()), "type": kind}
    if kind == "Text":
        return block | {"content": it.chance.choice(LABELS)}
    if kind == "Metric":
        return block | {"label": it.chance.choice(LABELS), "binding": binding}
    columns = [{"key": key, "label": key.title()} for key in it.chance.sample(FIELDS, 3)]
    return block | {"title": it.chance.choice(LABELS), "binding": binding, "columns": columns}


def new_section(it: History) -> Json:
    return {"id": it.new_name("section"), "type": "Section", "direction": "row", "children": [new_block(it)]}


def insert(it: History, values: list[Json], value: Json) -> bool:
    """Insert a value, most often at the end."""
    values.insert(len(values) if it.chance.random() < 0.6 else it.chance.randint(0, len(values)), value)
    return True


def add_page(it: History) -> bool:
    page = {"id": it.new_name("page"), "type": "Page", "title": it.chance.choice(LABELS), "children": [new_section(it)]}
    insert(it, it.document["navigation"]["items"], {"pageId": page["id"], "label": page["title"]})
    return insert(it, it.document["pages"], page)


def add_section(it: History) -> bool:
    return insert(it, it.pick(it.nodes("Page"))["children"], new_section(it))


def add_block(it: History) -> bool:
    return insert(it, it.pick(it.nodes("Section"))["children"], new_block(it))


def remove_node(it: History) -> bool:
    kind, nodes = it.pick([(kind, nodes) for kind, nodes in it.lists() if len(nodes) > 1]) or ("", [])
    if not nodes:
        return False
    removed = nodes.pop(it.chance.randrange(len(nodes)))
    if kind == "Page":
        items = it.document["navigation"]["items"]
        items[:] = [item for item in items if item["pageId"] != removed["id"]]
    return True


def move_node(it: History) -> bool:
    """Move a node to another list of its kind, or within its list."""
    kind, source = it.pick([(kind, nodes) for kind, nodes in it.lists() if len(nodes) > 1]) or ("", [])
    if not source:
        return False
    node = source.pop(it.chance.randrange(len(source)))
    target = it.pick([nodes for other, nodes in it.lists() if other == kind])
    target.insert(it.chance.randint(0, len(target)), node)
    return True


def rename_node(it: History) -> bool:
    node = it.pick(it.nodes())
    old = node["id"]
    new = f"renamed-{it.side}-{it.number}"
    it.number += 1
    it.original[new] = it.original.pop(old, old)
    node["id"] = new
    for item in it.document["navigation"]["items"]:
        if item["pageId"] == old:
            item["pageId"] = new
    return True


def retitle(it: History) -> bool:
    node = it.pick(it.nodes())
    name = next(name for name in ("title", "label", "content", "direction") if name in node or name == "direction")
    if name == "direction":
        node[name] = "stack" if node.get(name) == "row" else "row"
    else:
        node[name] = f"{it.chance.choice(LABELS)} {it.chance.randrange(30)}"
    return node["type"] == "Section" or name != "direction"


def add_property(it: History) -> bool:
    node = it.pick([node for node in it.nodes("Page", "Metric") if "description" not in node and "format" not in node])
    if node is None:
        return False
    node |= {"description": it.chance.choice(LABELS)} if node["type"] == "Page" else {"format": "number"}
    return True


def remove_property(it: History) -> bool:
    node = it.pick([node for node in it.nodes() if {"description", "format", "filter"} & {*node}])
    if node is None:
        return False
    node.pop(it.chance.choice([name for name in ("description", "format", "filter") if name in node]))
    return True


def change_path(it: History) -> bool:
    node = it.pick(it.nodes("Metric", "Table"))
    if node is None:
        return False
    node["binding"]["path"] = f"{it.chance.choice(ENDPOINTS)}/{it.chance.randrange(30)}"
    return True


def table_with(it: History, number: int) -> Json:
    return it.pick([node for node in it.nodes("Table") if len(node["columns"]) >= number])


def add_column(it: History) -> bool:
    table = table_with(it, 0)
    if table is None:
        return False
    return insert(it, table["columns"], {"key": it.new_name("column"), "label": it.chance.choice(LABELS)})


def remove_column(it: History) -> bool:
    table = table_with(it, 2)
    if table is None:
        return False
    columns = [one for one in table["columns"] if one["key"] != table.get("filter", {}).get("field")]
    table["columns"].remove(it.chance.choice(columns))
    return True


def label_column(it: History) -> bool:
    table = table_with(it, 1)
    if table is None:
        return False
    it.chance.choice(table["columns"])["label"] = f"{it.chance.choice(LABELS)} {it.chance.randrange(30)}"
    return True


def move_column(it: History) -> bool:
    table = table_with(it, 2)
    if table is None:
        return False
    column = table["columns"].pop(it.chance.randrange(len(table["columns"])))
    table["columns"].insert(it.chance.randint(0, len(table["columns"])), column)
    return True


def add_filter(it: History) -> bool:
    table = it.pick([node for node in it.nodes("Table") if "filter" not in node])
    if table is None:
        return False
    field_name = it.chance.choice(table["columns"])["key"]
    table["filter"] = {"field": field_name, "options": [{"value": it.new_name("value"), "label": "Any"}]}
    return True


def add_option(it: History) -> bool:
    table = it.pick([node for node in it.nodes("Table") if isinstance(node.get("filter", {}).get("options"), list)])
    if table is None:
        return False
    return insert(it, table["filter"]["options"], {"value": it.new_name("value"), "label": it.chance.choice(LABELS)})


def label_link(it: History) -> bool:
    it.pick(it.document["navigation"]["items"])["label"] = f"{it.chance.choice(LABELS)} {it.chance.randrange(30)}"
    return True


def move_link(it: History) -> bool:
    items = it.document["navigation"]["items"]
    items.insert(it.chance.randrange(len(items)), items.pop(it.chance.randrange(len(items))))
    return True


def change_meta(it: History) -> bool:
    it.document["meta"][it.chance.choice(("title", "description", "owner"))] = f"{it.chance.choice(LABELS)}"
    return True


EDITS: dict[str, Callable[[History], bool]] = {
    edit.__name__: edit
    for edit in (
        add_page, add_section, add_block, remove_node, move_node, rename_node, retitle, add_property, remove_property,
        change_path, add_column, remove_column, label_column, move_column, add_filter, add_option, label_link,
        move_link, change_meta,
    )
}  # fmt: skip


def both_sides(base: Json, chance: Random, edits: int) -> tuple[History, History]:
    """Return two histories of a document, each with up to a number of edits.

    A history either renames nodes or changes them: a node that one history renames and changes is another node.
    """
    sides = [History(copy.deepcopy(base), chance, side) for side in ("one", "two")]
    for it in sides:
        names = [rename_node.__name__]
        if chance.random() < 0.8:
            names = [name for name in EDITS if name not in names]
        it.edit(chance.choices(names, k=chance.randint(1, edits)))
    return sides[0], sides[1]


# Facts ----------------------------------------------------------------------------------------------------------------


def facts(document: Json, *histories: History) -> set[tuple[str, ...]]:
    """Return what a document says, with the original ids of nodes that one of the histories has renamed."""
    names: dict[str, str] = {}
    for history in histories:
        names |= history.original
    found: set[tuple[str, ...]] = set()
    for node, parent in walk(document):
        own = {key: value for key, value in node.items() if key not in {"id", "children", "columns", "filter"}}
        name = names.get(node["id"], node["id"])
        found |= {("node", name), (name, "is in", names.get(parent, parent)), *leaves(own, name)}
        for column in node.get("columns", []):
            found |= {(name, "column", column["key"]), *leaves(column, name, "column", column["key"])}
        if "filter" in node:
            options = node["filter"].get("options", [])
            rest = {key: value for key, value in node["filter"].items() if key != "options"}
            found |= {*leaves(rest, name, "filter")}
            for option in options if isinstance(options, list) else [{"all": options}]:
                found.add((name, "option", json.dumps(option)))
    for item in document["navigation"]["items"]:
        page = names.get(item["pageId"], item["pageId"])
        found |= {("link", page), *leaves({key: value for key, value in item.items() if key != "pageId"}, "link", page)}
    return found | {*leaves(document["meta"], "meta")}


def leaves(value: Json, *place: str) -> Iterator[tuple[str, ...]]:
    """Yield the values in an object with the keys that lead to them; a list is one value."""
    if isinstance(value, dict) and value:
        for key, inner in value.items():
            yield from leaves(inner, *place, key)
    else:
        yield (*place, json.dumps(value, sort_keys=True))
