"""Edits as new versions that name what they keep.

Each edit is made on a whole document, and written as a body whose nodes that stay have an id alone. The body with the
parts of its base is the edited document.
"""

import json
from collections.abc import Callable
from copy import deepcopy
from random import Random

from eval.scoring import load_task, task_names
from rui_common.json_values import is_same_json
from rui_common.versions.from_base import complete
from rui_common.versions.replaced import with_replaced_id
from rui_common.vocabulary.rules import MAX_BODY_BYTES
from tests.inputs.histories import EDITS, History, walk
from tests.inputs.merging import base_document
from tests.support.strategies import Json

BASE_ID = "4be0643f-1d98-473b-97cd-ca98a65347dd"


def edit_of(seed: int, edits: int = 4) -> tuple[Json, Json]:
    """Return a document, and the same after some random edits."""
    chance = Random(seed)
    base = base_document(chance)
    history = History(deepcopy(base), chance, "one", common=0)
    history.edit(chance.choices([*EDITS], k=chance.randint(1, edits)))
    return base, history.document


def body_of(base: Json, new: Json, chance: Random, share: float = 1.0) -> Json:
    """Return a new version as a body that names what it keeps, with about a `share` of what can be left out."""
    stored = {node["id"]: node for node, _ in walk(base)}
    ids = [node["id"] for node, _ in walk(new)]

    def shorter(node: Json) -> Json:
        original = stored.get(node["id"])
        if original is not None and chance.random() <= share:
            inner = {below["id"] for below, _ in walk({"pages": [node]})}
            elsewhere = {name for name in ids if name not in inner}
            if is_same_json(_without(original, elsewhere), node):
                return {"id": node["id"]}
        if "children" not in node:
            return node
        return {**node, "children": [shorter(child) for child in node["children"]]}

    body = {**new, "pages": [shorter(page) for page in new["pages"]]}
    for name in base:
        if is_same_json(base[name], new.get(name)) and chance.random() <= share:
            del body[name]
    return body


def _without(node: Json, ids: set[str]) -> Json:
    """Return a node without the nodes in it that have one of some ids."""
    if "children" not in node:
        return node
    return {**node, "children": [_without(child, ids) for child in node["children"] if child["id"] not in ids]}


def check(seed: int) -> tuple[int, int]:
    """Check one edit. Return the length of its body, and of the whole document."""
    base, new = edit_of(seed)
    chance = Random(seed)
    body = body_of(base, new, chance, chance.choice((1.0, 1.0, 0.5)))
    before = deepcopy(body)
    completed = complete(body, base, BASE_ID, max_bytes=MAX_BODY_BYTES)
    assert is_same_json(completed.rui, with_replaced_id(new, BASE_ID)), f"seed {seed}"
    assert body == before, f"seed {seed}: the body has changed"
    assert not completed.unknown, f"seed {seed}"
    written = {node["id"] for node, _ in walk({"pages": body.get("pages", [])}) if node.keys() != {"id"}}
    assert completed.kept == sum(node["id"] not in written for node, _ in walk(new)), f"seed {seed}"
    return len(str(body)), len(str(new))


# Edits that agents are asked for --------------------------------------------------------------------------------------


def _node(document: Json, fits: Callable[[Json], object]) -> Json:
    return next(node for node, _ in walk(document) if fits(node))


def _parent(document: Json, node: Json) -> Json:
    return _node(document, lambda parent: node in parent.get("children", ()))


def _last(document: Json, type_: str) -> Json:
    return [node for node, _ in walk(document) if node["type"] == type_][-1]


def label_metric(document: Json) -> None:
    _last(document, "Metric")["label"] = "Another label"


def move_endpoint(document: Json) -> None:
    _last(document, "Table")["binding"]["path"] = "/another/endpoint"


def add_column(document: Json) -> None:
    _last(document, "Table")["columns"].append({"key": "remarks", "label": "Remarks"})


def change_options(document: Json) -> None:
    _node(document, lambda node: "filter" in node)["filter"]["options"].append({"label": "Lost", "value": "lost"})


def write_text(document: Json) -> None:
    _last(document, "Text")["content"] = "Refreshed every hour."


def remove_block(document: Json) -> None:
    text = _last(document, "Text")
    _parent(document, text)["children"].remove(text)


def add_block(document: Json) -> None:
    _last(document, "Section")["children"].append({"id": "a-new-note", "type": "Text", "content": "New."})


def move_block(document: Json) -> None:
    text = _last(document, "Text")
    _parent(document, text)["children"].remove(text)
    document["pages"][0]["children"][0]["children"].append(text)


def order_sections(document: Json) -> None:
    document["pages"][1]["children"].reverse()


def retitle_page(document: Json) -> None:
    document["pages"][-1]["title"] = document["navigation"]["items"][-1]["label"] = "Another title"


def remove_page(document: Json) -> None:
    page = document["pages"].pop()
    items = document["navigation"]["items"]
    items.remove(next(item for item in items if item["pageId"] == page["id"]))


def add_page(document: Json) -> None:
    text = {"id": "a-new-note", "type": "Text", "content": "New."}
    section = {"id": "a-new-section", "type": "Section", "direction": "stack", "children": [text]}
    document["pages"].insert(2, {"id": "a-new-page", "type": "Page", "title": "New", "children": [section]})
    document["navigation"]["items"].insert(2, {"pageId": "a-new-page", "label": "New"})


TASKS = (
    label_metric, move_endpoint, add_column, change_options, write_text, remove_block, add_block, move_block,
    order_sections, retitle_page, remove_page, add_page,
)  # fmt: skip


def task_of(base: Json, task: Callable[[Json], None]) -> tuple[Json, Json]:
    """Return a document after an edit, and the body that says so."""
    new = deepcopy(base)
    task(new)
    return new, body_of(base, new, Random(0))


def large_documents() -> dict[str, Json]:
    """Return the documents that the tasks of the evaluation begin with, of 20 to 42 KB."""
    names = [name for name in task_names() if name.startswith("edit-")]
    starts = {name: load_task(name).start for name in names}
    return {name: start for name, start in starts.items() if len(json.dumps(start)) > 20_000}
