"""Histories: edits of documents as people and agents make them, and what a document says, independent of the product.

A fact is a property of a node, column, option, link or of the app, with the original ids, keys and values. So what a
merge has to contain can be computed: the facts of the base, with those that a side added, without those that a side
removed. The order of lists is not among the facts: `orders` returns it, also with the original names.
"""

import copy
import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from tests.inputs.order_edits import Orders, moved
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
        common: how likely a new name is one that the other side may choose, too.
        focus: the original id of a node if all edits that it allows are of this node and its children; "" for all.
        original: new id, key or value → the original one.
        original_link: new page of a link → the original one. The link may be the same although the page is another one.
    """

    document: Json
    chance: Random
    side: str
    common: float = 0.05
    focus: str = ""
    original: dict[str, str] = field(default_factory=dict)
    original_link: dict[str, str] = field(default_factory=dict)
    number: int = 0

    def edit(self, names: list[str]) -> list[str]:
        """Make the named edits; return those that were possible."""
        return [name for name in names if (EDITS | SORTS)[name](self)]

    def new_name(self, stem: str) -> str:
        self.number += 1
        side = "both" if self.chance.random() < self.common else self.side
        return f"{stem}-{side}-{self.number}"

    def new_label(self) -> str:
        """Return a text. Most are unique, as names decide among elements with the same content."""
        return f"{self.chance.choice(LABELS)} {self.chance.randrange(1000)}"

    def rename(self, old: str) -> str:
        """Return a new id, key or value for an element that has `old`, and remember the original one."""
        new = f"renamed-{self.side}-{self.number}"
        self.number += 1
        self.original[new] = self.original.pop(old, old)
        return new

    def rename_in_list(self, element: Json, key: str) -> None:
        """Give a column or option another key or value. Without a label, it is another one then."""
        element[key] = self.rename(element[key])
        label = element.get("label")
        if not isinstance(label, str) or not label.strip():
            del self.original[element[key]]

    def forget_moved(self, base: Json) -> None:
        """Forget the original names of elements that are other ones: texts with new ids in another list than that of
        the base, and what has a new name, another text, and another place in its list. Data and blocks tell that a
        node is the same.
        """
        self.original_link = {**self.original}
        parents = {node["id"]: parent for node, parent in walk(base)}
        for node, parent in walk(self.document):
            original = self.original.get(node["id"])
            if not is_telling(node) and parents.get(original, self.name_of(parent)) != self.name_of(parent):
                del self.original[node["id"]]
        before = {name: elements for name, _, elements in lists_of(base, {})}
        for name, _, elements in [*lists_of(self.document, self.original)]:
            names = self.original_link if name == "items" else self.original
            texts = {name_in_list(element, {}): text_of(element) for element in before.get(name, [])}
            moved_names = moved([*texts], [name_in_list(element, names) for element in elements]).perhaps
            for element in elements:
                original = name_in_list(element, names)
                if original in moved_names and texts[original] != text_of(element) and not is_telling(element):
                    names.pop(name_in_list(element, {}), None)

    def pick(self, values: list[Json]) -> Json:
        """Return one of the values; None if there is none."""
        return self.chance.choice(values) if values else None

    def nodes(self, *types: str) -> list[Json]:
        """Return the nodes of some types; of all types without any. Those in the focus, if there are any."""
        found = [(node, parent) for node, parent in walk(self.document) if not types or node["type"] in types]
        in_focus = [node for node, parent in found if self.focus in {self.name_of(node["id"]), self.name_of(parent)}]
        return in_focus if self.focus and in_focus else [node for node, _ in found]

    def name_of(self, name: str) -> str:
        """Return the original name of an element."""
        return self.original.get(name, name)

    def lists(self) -> list[tuple[str, list[Json]]]:
        """Return the lists of nodes, each with what is in them. That in the focus, if there is one."""
        found = [("Page", self.document["pages"])]
        for node, _ in walk(self.document):
            if "children" in node:
                found.append(({"Page": "Section", "Section": "Block"}[node["type"]], node["children"]))
                if self.focus == self.name_of(node["id"]):
                    return [found[-1]]
        return found


def is_telling(element: Json) -> bool:
    """Return whether an element has data or blocks, by which it is known with another name and text."""
    return "binding" in element or bool(element.get("children"))


def walk(document: Json) -> Iterator[tuple[Json, str]]:
    """Yield every node with the id of its parent."""
    pending = [(node, "") for node in document["pages"]]
    while pending:
        node, parent = pending.pop(0)
        yield node, parent
        pending += [(child, node["id"]) for child in node.get("children", [])]


# Edits: each returns whether it was possible --------------------------------------------------------------------------


def new_block(history: History) -> Json:
    binding = {"type": "read", "method": "GET", "path": history.chance.choice(ENDPOINTS), "valuePath": "data.items"}
    kind = history.chance.choice(("Metric", "Table", "Text"))
    block: Json = {"id": history.new_name(kind.lower()), "type": kind}
    if kind == "Text":
        return block | {"content": history.new_label()}
    if kind == "Metric":
        return block | {"label": history.new_label(), "binding": binding}
    columns = [{"key": key, "label": key.title()} for key in history.chance.sample(FIELDS, 3)]
    return block | {"title": history.new_label(), "binding": binding, "columns": columns}


def new_section(history: History) -> Json:
    return {"id": history.new_name("section"), "type": "Section", "direction": "row", "children": [new_block(history)]}


def insert(history: History, values: list[Json], value: Json) -> bool:
    """Insert a value, most often at the end."""
    values.insert(len(values) if history.chance.random() < 0.6 else history.chance.randint(0, len(values)), value)
    return True


def add_page(history: History) -> bool:
    page = {
        "id": history.new_name("page"),
        "type": "Page",
        "title": history.new_label(),
        "children": [new_section(history)],
    }
    insert(history, history.document["navigation"]["items"], {"pageId": page["id"], "label": page["title"]})
    return insert(history, history.document["pages"], page)


def add_section(history: History) -> bool:
    return insert(history, history.pick(history.nodes("Page"))["children"], new_section(history))


def add_block(history: History) -> bool:
    return insert(history, history.pick(history.nodes("Section"))["children"], new_block(history))


def remove_node(history: History) -> bool:
    kind, nodes = history.pick([(kind, nodes) for kind, nodes in history.lists() if len(nodes) > 1]) or ("", [])
    if not nodes:
        return False
    removed = nodes.pop(history.chance.randrange(len(nodes)))
    if kind == "Page":
        items = history.document["navigation"]["items"]
        items[:] = [item for item in items if item["pageId"] != removed["id"]]
    return True


def move_node(history: History) -> bool:
    """Move a node to another list of its kind, or within its list."""
    kind, source = history.pick([(kind, nodes) for kind, nodes in history.lists() if len(nodes) > 1]) or ("", [])
    if not source:
        return False
    node = source.pop(history.chance.randrange(len(source)))
    target = history.pick([nodes for other, nodes in history.lists() if other == kind])
    target.insert(history.chance.randint(0, len(target)), node)
    return True


def reorder_nodes(history: History) -> bool:
    _, nodes = history.pick([(kind, nodes) for kind, nodes in history.lists() if len(nodes) > 1]) or ("", [])
    return reorder(history, nodes)


def reorder(history: History, values: list[Json]) -> bool:
    """Move a value within its list."""
    if len(values) < 2:
        return False
    value = values.pop(history.chance.randrange(len(values)))
    values.insert(history.chance.randint(0, len(values)), value)
    return True


def sort_nodes(history: History) -> bool:
    """Give all nodes of a list other places."""
    _, nodes = history.pick([(kind, nodes) for kind, nodes in history.lists() if len(nodes) > 1]) or ("", [])
    history.chance.shuffle(nodes)
    return len(nodes) > 1


def sort_columns(history: History) -> bool:
    table = table_with(history, 2)
    if table is None:
        return False
    history.chance.shuffle(table["columns"])
    return True


def rename_node(history: History, node: Json = None) -> bool:
    node = node or history.pick(history.nodes())
    old, node["id"] = node["id"], history.rename(node["id"])
    for item in history.document["navigation"]["items"]:
        if item["pageId"] == old:
            item["pageId"] = node["id"]
    return True


def replace_node(history: History) -> bool:
    """Give a node another id and title, as if it was written anew."""
    node = history.pick(history.nodes())
    return retitle(history, node) and rename_node(history, node)


def rebuild_node(history: History) -> bool:
    """Give a page or section, and all nodes in it, other ids."""
    node = history.pick(history.nodes("Page", "Section"))
    if node["type"] == "Page" or history.chance.random() < 0.5:
        retitle(history, node)
    pending = [node]
    while pending:
        rename_node(history, pending[-1])
        pending += pending.pop().get("children", [])
    return True


def retitle(history: History, node: Json = None) -> bool:
    node = node or history.pick(history.nodes())
    name = next(name for name in ("title", "label", "content", "direction") if name in node or name == "direction")
    if name == "direction":
        node[name] = "stack" if node.get(name) == "row" else "row"
    else:
        node[name] = history.new_label()
    return node["type"] == "Section" or name != "direction"


def add_property(history: History) -> bool:
    node = history.pick(
        [node for node in history.nodes("Page", "Metric") if "description" not in node and "format" not in node]
    )
    if node is None:
        return False
    node |= {"description": history.chance.choice(LABELS)} if node["type"] == "Page" else {"format": "number"}
    return True


def remove_property(history: History) -> bool:
    node = history.pick([node for node in history.nodes() if {"description", "format", "filter"} & {*node}])
    if node is None:
        return False
    node.pop(history.chance.choice([name for name in ("description", "format", "filter") if name in node]))
    return True


def change_path(history: History) -> bool:
    node = history.pick(history.nodes("Metric", "Table"))
    if node is None:
        return False
    node["binding"]["path"] = f"{history.chance.choice(ENDPOINTS)}/{history.chance.randrange(30)}"
    return True


def table_with(history: History, number: int) -> Json:
    return history.pick([node for node in history.nodes("Table") if len(node["columns"]) >= number])


def add_column(history: History) -> bool:
    table = table_with(history, 0)
    if table is None:
        return False
    return insert(history, table["columns"], {"key": history.new_name("column"), "label": history.new_label()})


def remove_column(history: History) -> bool:
    table = table_with(history, 2)
    if table is None:
        return False
    columns = [column for column in table["columns"] if column["key"] != table.get("filter", {}).get("field")]
    table["columns"].remove(history.chance.choice(columns))
    return True


def label_column(history: History) -> bool:
    table = table_with(history, 1)
    if table is None:
        return False
    history.chance.choice(table["columns"])["label"] = history.new_label()
    return True


def move_column(history: History) -> bool:
    table = table_with(history, 2)
    return table is not None and reorder(history, table["columns"])


def rename_column(history: History) -> bool:
    table = table_with(history, 1)
    if table is None:
        return False
    column = history.chance.choice(table["columns"])
    old = column["key"]
    history.rename_in_list(column, "key")
    if table.get("filter", {}).get("field") == old:
        table["filter"]["field"] = column["key"]
    if history.chance.random() < 0.5:
        column["label"] = history.new_label()
    return True


def add_filter(history: History) -> bool:
    table = history.pick([node for node in history.nodes("Table") if "filter" not in node])
    if table is None:
        return False
    field_name = history.chance.choice(table["columns"])["key"]
    table["filter"] = {"field": field_name, "options": [{"value": history.new_name("value"), "label": "Any"}]}
    return True


def options_of(history: History) -> list[Json]:
    """Return the options of a filter; none if there is no filter with options."""
    found = [node["filter"].get("options") for node in history.nodes("Table") if "filter" in node]
    return history.pick([options for options in found if isinstance(options, list)]) or []


def add_option(history: History) -> bool:
    table = history.pick(
        [node for node in history.nodes("Table") if isinstance(node.get("filter", {}).get("options"), list)]
    )
    if table is None:
        return False
    return insert(
        history, table["filter"]["options"], {"value": history.new_name("value"), "label": history.new_label()}
    )


def move_option(history: History) -> bool:
    return reorder(history, options_of(history))


def rename_option(history: History) -> bool:
    option = history.pick([option for option in options_of(history) if isinstance(name_in_list(option, {}), str)])
    if option is None:
        return False
    history.rename_in_list(option, "value")
    if history.chance.random() < 0.5:
        option["label"] = history.new_label()
    return True


def label_link(history: History) -> bool:
    history.pick(history.document["navigation"]["items"])["label"] = history.new_label()
    return True


def move_link(history: History) -> bool:
    items = history.document["navigation"]["items"]
    items.insert(history.chance.randrange(len(items)), items.pop(history.chance.randrange(len(items))))
    return True


def change_meta(history: History) -> bool:
    history.document["meta"][history.chance.choice(("title", "description", "owner"))] = (
        f"{history.chance.choice(LABELS)}"
    )
    return True


EDITS: dict[str, Callable[[History], bool]] = {
    edit.__name__: edit
    for edit in (
        add_page, add_section, add_block, remove_node, move_node, reorder_nodes, rename_node, replace_node,
        rebuild_node, retitle, add_property, remove_property, change_path, add_column, remove_column, label_column,
        move_column, rename_column, add_filter, add_option, move_option, rename_option, label_link, move_link,
        change_meta,
    )
}  # fmt: skip


SORTS: dict[str, Callable[[History], bool]] = {"sort_nodes": sort_nodes, "sort_columns": sort_columns}

ADDITIONS = [name for name in EDITS if name.startswith("add_")]


class Kind(NamedTuple):
    """The edits of both sides of a pair of histories."""

    names: list[str]
    common: float = 0.05  # how likely both sides choose the same new name


KINDS = {
    "new ids": Kind([*EDITS, *("rename_node", "replace_node", "rebuild_node", "rename_column") * 6]),
    "adding": Kind([*ADDITIONS * 3, "retitle", "change_path"], common=0.6),
    "sorting": Kind([*SORTS, *SORTS, *SORTS, "reorder_nodes", "move_column", "move_link", "add_block", "retitle"]),
}
"""What both sides do in the pairs of a kind."""

ORDERING = {"add", "remove", "move", "reorder", "rename", "replace"}


def both_sides(base: Json, chance: Random, edits: int, kind: str = "") -> tuple[History, History]:
    """Return two histories of a document, each with up to a number of edits, of a kind of `KINDS` or of any.

    Half of the pairs of any kind only name, order, add and remove elements. Half of these do so in one list.
    """
    focus = ""
    names = [*EDITS]
    common = 0.05
    if kind:
        names, common = KINDS[kind]
    elif chance.random() < 0.5:
        names = [name for name in EDITS if name.partition("_")[0] in ORDERING]
        long = [node for node, _ in walk(base) if len(node.get("children", node.get("columns", ()))) > 2]
        if long and chance.random() < 0.6:
            node = chance.choice(long)
            focus = node["id"]
            inner = {"Page": ("node", "section"), "Section": ("node", "block"), "Table": ("column", "option")}
            names = [name for name in names if name.partition("_")[2].startswith(inner[node["type"]])]
    sides = [History(copy.deepcopy(base), chance, side, common, focus) for side in ("one", "two")]
    for history in sides:
        history.edit(chance.choices(names, k=chance.randint(1, edits)))
        history.forget_moved(base)
    return sides[0], sides[1]


# What a document says -------------------------------------------------------------------------------------------------


def facts(document: Json, *histories: History) -> set[tuple[str, ...]]:
    """Return what a document says, with the original names of elements that one of the histories has renamed."""
    names = original_names(document, histories)
    found: set[tuple[str, ...]] = set()
    for node, parent in walk(document):
        properties = {key: value for key, value in node.items() if key not in {"id", "children", "columns", "filter"}}
        name = names.get(node["id"], node["id"])
        found |= {("node", name), (name, "is in", names.get(parent, parent)), *leaves(properties, name)}
        for column in node.get("columns", []):
            properties = {key: value for key, value in column.items() if key != "key"}
            key = name_in_list(column, names)
            found |= {(name, "column", key), *leaves(properties, name, "column", key)}
        if "filter" in node:
            rest = {key: value for key, value in node["filter"].items() if key != "options"}
            field_name = rest.get("field")
            found |= {*leaves(rest | {"field": names.get(field_name, field_name)}, name, "filter")}
            for option in options_in(node):
                value = name_in_list(option, names)
                found |= {(name, "option", value), *leaves({**option, "value": value}, name, "option", value)}
    linked = original_links(document, histories)
    for item in document["navigation"]["items"]:
        page = name_in_list(item, linked)
        found |= {("link", page), *leaves({key: value for key, value in item.items() if key != "pageId"}, "link", page)}
    return found | {*leaves(document["meta"], "meta")}


def orders(document: Json, *histories: History) -> Orders:
    """Return the order of each list, with the original names of elements that one of the histories has renamed."""
    names = original_names(document, histories)
    linked = original_links(document, histories)
    return {
        name: [f"{prefix}{name_in_list(element, linked if name == 'items' else names)}" for element in elements]
        for name, prefix, elements in lists_of(document, names)
    }


def lists_of(document: Json, names: dict[str, str]) -> Iterator[tuple[str, str, list[Json]]]:
    """Yield the name of each list, what precedes the names of its elements to make them unique, and the elements."""
    yield "pages", "", document["pages"]
    yield "items", "link to ", document["navigation"]["items"]
    for node, _ in walk(document):
        name = names.get(node["id"], node["id"])
        yield f"in {name}", "", node.get("children", [])
        yield f"columns of {name}", f"{name} column ", node.get("columns", [])
        yield f"options of {name}", f"{name} option ", options_in(node)


def original_names(document: Json, histories: Iterable[History]) -> dict[str, str]:
    """Return the original names of the elements of a document, by the names that the histories gave.

    A choice at a conflict may have an element and, beside it, what a history has made of it. The latter is a new one.
    So is what a later history has made of it beside what an earlier one has.
    """
    names = {new: old for history in histories for new, old in history.original.items()}

    def copies_among(present: set[str]) -> set[str]:
        known = {
            **{names[name]: name for name in reversed(names) if name in present},
            **{name: name for name in present},
        }
        return {name for name in present if name in names and known[names[name]] != name}

    in_document = copies_among({node["id"] for node, _ in walk(document)})
    copies: set[str] = set()
    for node, _ in walk(document):
        if node["id"] in in_document:
            copies.add(node["id"])
        for elements in (node.get("columns", []), options_in(node)):
            copies |= copies_among({name_in_list(element, {}) for element in elements})
    return {new: old for new, old in names.items() if new not in copies}


def original_links(document: Json, histories: Iterable[History]) -> dict[str, str]:
    """Return the original pages of the links of a document, as `original_names` returns the names of others."""
    pages = {item["pageId"] for item in document["navigation"]["items"]}
    names = {new: old for history in histories for new, old in history.original_link.items()}
    return {new: old for new, old in names.items() if old not in pages}


def name_in_list(element: Json, names: dict[str, str]) -> str:
    """Return the original name of an element of a list: an id, key, value or page."""
    name = next((element[key] for key in ("id", "key", "pageId", "value") if key in element), None)
    return names.get(name, name) if isinstance(name, str) else json.dumps(element)


def text_of(element: Json) -> Json:
    """Return the text, or else the direction, of an element of a list."""
    return next((element[key] for key in ("title", "label", "content", "direction") if key in element), None)


def options_in(node: Json) -> list[Json]:
    """Return the options in the filter of a table."""
    options = node.get("filter", {}).get("options", [])
    return options if isinstance(options, list) else [{"all": options}]


def leaves(value: Json, *place: str) -> Iterator[tuple[str, ...]]:
    """Yield the values in an object with the keys that lead to them; a list is one value."""
    if isinstance(value, dict) and value:
        for key, inner in value.items():
            yield from leaves(inner, *place, key)
    else:
        yield (*place, json.dumps(value, sort_keys=True))
