"""Versions whose ids are new.

Agents rebuild a page, a section or all pages, and all ids are new; or they insert a block and number all ids anew. A
pair is an app, and the same app after one edit and with new ids. What a person says about it is what the comparison
says about the same edit with the ids as they were. So it is known whether the edit is the only sentence.
"""

import copy
import json
import random
import re
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from rui_common.versions.changes import Change
from rui_common.versions.compare import compare
from tests.inputs.noting import number_ids, objects
from tests.inputs.sample import WORDS, sample
from tests.support.strategies import Json, Random

EXAMPLES = Path(__file__).parents[2] / "examples"
FILES = (EXAMPLES / "order-desk.rui.json", *sorted((EXAMPLES / "apps").glob("*.rui.json")))
_ID = re.compile(r"`[^`]*`(?=\))|(?<=section )`[^`]*`|(?<=block )`[^`]*`|(?<=text )`[^`]*`")
"""Ids in sentences, which tell elements with one name from each other. They are new."""


# Edits: each changes something in a part, the document or some pages or sections, and returns whether that is possible.


def nodes(part: Json, *types: str) -> list[Json]:
    """Return the nodes of some types at and in a part; of all types without any."""
    found = [value for _, value in objects(part) if "id" in value and "type" in value]
    return [node for node in found if not types or node["type"] in types]


def words(chance: Random) -> str:
    return f"{' '.join(chance.sample(WORDS, 2)).capitalize()} {chance.randrange(1000)}"


def change(part: Json, chance: Random, types: tuple[str, ...], path: tuple[str, ...], value: str) -> bool:
    """Set a property of one of the nodes that have it."""
    owners = [node for node in nodes(part, *types) if path[-1] in (owner_of(node, path) or ())]
    if not owners:
        return False
    owner_of(chance.choice(owners), path)[path[-1]] = value
    return True


def owner_of(node: Json, path: tuple[str, ...]) -> Json:
    """Return the object that has the last property of a path."""
    for name in path[:-1]:
        node = node.get(name, {})
    return node


def value_path(part: Json, chance: Random) -> bool:
    return change(part, chance, ("Metric", "Table"), ("binding", "valuePath"), f"data.v{chance.randrange(1000)}")


def endpoint(part: Json, chance: Random) -> bool:
    return change(part, chance, ("Metric", "Table"), ("binding", "path"), f"/v2/{chance.randrange(1000)}")


def label(part: Json, chance: Random) -> bool:
    return change(part, chance, ("Metric",), ("label",), words(chance))


def title(part: Json, chance: Random) -> bool:
    return change(part, chance, ("Page", "Section", "Table"), ("title",), words(chance))


def direction(part: Json, chance: Random) -> bool:
    sections = nodes(part, "Section")
    if not sections:
        return False
    section = chance.choice(sections)
    section["direction"] = "stack" if section.get("direction") == "row" else "row"
    return True


def text(part: Json, chance: Random) -> bool:
    """Replace a word of a text."""
    texts = nodes(part, "Text")
    if not texts:
        return False
    node = chance.choice(texts)
    found = node["content"].split()
    found[chance.randrange(len(found))] = f"changed{chance.randrange(1000)}"
    node["content"] = " ".join(found)
    return True


def block_removed(part: Json, chance: Random) -> bool:
    sections = [section for section in nodes(part, "Section") if len(section["children"]) > 1]
    if not sections:
        return False
    blocks = chance.choice(sections)["children"]
    blocks.pop(chance.randrange(len(blocks)))
    return True


def block_added(part: Json, chance: Random) -> bool:
    sections = nodes(part, "Section")
    if not sections:
        return False
    blocks = chance.choice(sections)["children"]
    blocks.insert(chance.randint(0, len(blocks)), new_metric(chance))
    return True


def new_metric(chance: Random) -> Json:
    binding = {"type": "read", "method": "GET", "path": f"/api/new/{chance.randrange(1000)}", "valuePath": "data.new"}
    return {"id": f"added-{chance.getrandbits(40)}", "type": "Metric", "label": words(chance), "binding": binding}


def block_moved(part: Json, chance: Random) -> bool:
    sections = nodes(part, "Section")
    sources = [section for section in sections if len(section["children"]) > 1]
    if not sources or len(sections) < 2:
        return False
    source = chance.choice(sources)
    target = chance.choice([section for section in sections if section is not source])
    block = source["children"].pop(chance.randrange(len(source["children"])))
    target["children"].insert(chance.randint(0, len(target["children"])), block)
    return True


def order(part: Json, chance: Random) -> bool:
    lists = [node["children"] for node in nodes(part, "Page", "Section") if len(node["children"]) > 1]
    if not lists:
        return False
    children = chance.choice(lists)
    index = chance.randrange(1, len(children))
    children.insert(chance.randrange(index), children.pop(index))
    return True


def column(part: Json, chance: Random) -> bool:
    return element([node["columns"] for node in nodes(part, "Table")], "key", chance)


def option(part: Json, chance: Random) -> bool:
    lists = [node.get("filter", {}).get("options") for node in nodes(part, "Table")]
    return element([options for options in lists if isinstance(options, list)], "value", chance)


def element(lists: list[list[Json]], name: str, chance: Random) -> bool:
    """Add, remove, rename or move an element of a list, or give it another label."""
    lists = [elements for elements in lists if len(elements) > 1]
    if not lists:
        return False
    elements = chance.choice(lists)
    match chance.choice(("add", "remove", "label", name, "move")):
        case "add":
            new = {name: f"added{chance.randrange(1000)}", "label": words(chance)}
            elements.insert(chance.randint(0, len(elements)), new)
        case "remove":
            elements.pop(chance.randrange(len(elements)))
        case "move":
            elements.insert(0, elements.pop(chance.randrange(1, len(elements))))
        case "label":
            chance.choice(elements)["label"] = words(chance)
        case _:
            chance.choice(elements)[name] = f"other{chance.randrange(1000)}"
    return True


def section_added(part: Json, chance: Random) -> bool:
    section = {"id": f"added-{chance.getrandbits(40)}", "type": "Section", "title": words(chance), "direction": "row"}
    sections = chance.choice(nodes(part, "Page"))["children"]
    sections.insert(chance.randint(0, len(sections)), section | {"children": [new_metric(chance)]})
    return True


def added_in_front(part: Json, chance: Random) -> bool:
    chance.choice(nodes(part, "Section"))["children"].insert(0, new_metric(chance))
    return True


def sorted_blocks(part: Json, chance: Random) -> bool:
    """Sort the blocks of a section by their texts."""
    sections = [section for section in nodes(part, "Section") if len(section["children"]) > 1]
    if not sections:
        return False
    blocks = chance.choice(sections)["children"]
    blocks.sort(key=lambda block: str(block.get("label", block.get("title", block.get("content")))))
    return True


Edit = Callable[[Json, Random], bool]

EDITS: tuple[Edit, ...] = (
    value_path, endpoint, label, block_removed, block_added, block_moved, column, option, title, direction, order, text,
)  # fmt: skip
NUMBERED: tuple[Edit, ...] = (
    added_in_front, block_added, section_added, block_removed, block_moved, sorted_blocks,
)  # fmt: skip
"""The edits beside which agents number all ids anew."""


# New ids -------------------------------------------------------------------------------------------------------------


def page_of(document: Json, chance: Random) -> list[Json]:
    return [chance.choice(document["pages"])]


def all_pages(document: Json, _: Random) -> list[Json]:
    return document["pages"]


def section_of(document: Json, chance: Random) -> list[Json]:
    return [chance.choice(nodes(document, "Section"))]


PARTS: tuple[Callable[[Json, Random], list[Json]], ...] = (page_of, all_pages, section_of)


def renew_ids(document: Json, parts: list[Json], chance: Random) -> None:
    """Give the nodes in some parts new ids, also where they are used."""
    names = {}
    for node in nodes(parts):
        names[node["id"]] = node["id"] = f"n-{chance.getrandbits(40)}"
    rebuilt = {id(node) for node in nodes(parts)}
    for _, value in objects(document):
        if id(value) not in rebuilt and value.get("pageId") in names:
            value["pageId"] = names[value["pageId"]]


# What is said --------------------------------------------------------------------------------------------------------


class Pair(NamedTuple):
    """An app, and the app after an edit: with the ids as they were, and with new ids."""

    name: str
    old: Json
    new: Json
    rebuilt_old: Json  # the old version with ids that are numbered, or the same as `old`
    rebuilt: Json


def said(old: Json, new: Json) -> list[Change]:
    """Return the changes that users see."""
    return [change for change in compare(old, new).changes if change.is_visible]


def sentences(changes: list[Change]) -> Counter[str]:
    return Counter(_ID.sub("`id`", change.sentence) for change in changes)


def is_only_sentence(pair: Pair) -> bool:
    """Return whether a comparison says the same as with the ids as they were."""
    return sentences(said(pair.rebuilt_old, pair.rebuilt)) == sentences(said(pair.old, pair.new))


def apps(count: int, seed: int) -> Iterator[tuple[str, Json]]:
    """Yield the examples, and generated apps."""
    for file in FILES:
        yield file.name, json.loads(file.read_text(encoding="utf-8"))
    for number in range(seed, seed + count):
        yield f"app {number}", sample((2000, 4000, 8000, 16000)[number % 4], seed=number)


def pairs(count: int, seed: int) -> Iterator[Pair]:
    """Yield every edit beside every kind of new ids."""
    for app, old in apps(count, seed):
        for choose in PARTS:
            for edit in EDITS:
                chance = random.Random(f"{app} {choose.__name__} {edit.__name__}")
                new = copy.deepcopy(old)
                chosen = choose(new, chance)
                if edit({"pages": chosen}, chance):
                    rebuilt = copy.deepcopy(new)
                    chosen_paths = [path for path, value in objects(new) if any(value is part for part in chosen)]
                    renew_ids(rebuilt, [value for path, value in objects(rebuilt) if path in chosen_paths], chance)
                    yield Pair(f"{app}, {choose.__name__}, {edit.__name__}", old, new, old, rebuilt)


def numbered_pairs(count: int, seed: int) -> Iterator[Pair]:
    """Yield edits after which all ids are numbered anew."""
    for app, old in apps(count, seed):
        for edit in NUMBERED:
            chance = random.Random(f"{app} {edit.__name__}")
            new = copy.deepcopy(old)
            if edit(new, chance):
                numbered = [copy.deepcopy(old), copy.deepcopy(new)]
                for version in numbered:
                    number_ids(version)
                yield Pair(f"{app}, numbered, {edit.__name__}", old, new, *numbered)
