"""Small documents with the slips of a careless author, each next to the valid document of the same size."""

from __future__ import annotations

import copy
import random
from collections.abc import Callable, Iterator
from itertools import count, islice
from typing import Any

from tests.inputs.sample import sample, to_text

Json = dict[str, Any]

DOCUMENTS = 12
"""Documents per row, so that neither one document nor one kind of slip decides."""
MIN_SIZE, MAX_SIZE = 2_300, 2_700


def valid_documents() -> list[Json]:
    """Return different valid documents of about 2.5 KB."""
    documents = (sample(1_000, indent=None, seed=seed) for seed in count(1))
    fitting = (document for document in documents if MIN_SIZE <= len(to_bytes(document)) <= MAX_SIZE)
    return list(islice(fitting, DOCUMENTS))


def to_bytes(document: Json) -> bytes:
    """Return a document as programs send it."""
    return to_text(document, None).encode()


def slipped_bodies(slips: int) -> list[bytes]:
    """Return the documents of `valid_documents` with this number of slips each. The kinds rotate."""
    bodies = []
    for number, document in enumerate(valid_documents()):
        broken = copy.deepcopy(document)
        for kind, block in zip(_kinds(number), _blocks(broken, slips, number), strict=False):
            kind(broken, block, random.Random(number))
        bodies.append(to_bytes(broken))
    return bodies


def bodies_without_comma() -> list[bytes]:
    """Return the documents of `valid_documents`, each without one of the commas between two properties."""
    bodies = []
    for number, document in enumerate(valid_documents()):
        parts = to_bytes(document).split(b',"')
        missing = random.Random(number).randrange(1, len(parts))
        bodies.append(b',"'.join(parts[:missing]) + b'"' + b',"'.join(parts[missing:]))
    return bodies


def _kinds(first: int) -> Iterator[Callable[[Json, Json, random.Random], None]]:
    return (SLIPS[number % len(SLIPS)] for number in count(first))


def _blocks(document: Json, slips: int, seed: int) -> list[Json]:
    """Return a block for each slip; blocks repeat if there are fewer."""
    blocks = [block for page in document["pages"] for section in page["children"] for block in section["children"]]
    random.Random(seed).shuffle(blocks)
    return [blocks[number % len(blocks)] for number in range(slips)]


def _misspell_property(document: Json, block: Json, chance: random.Random) -> None:
    names = [name for name in block if len(name) > 4]
    name = chance.choice(names)
    block[name[:-2] + name[-1] + name[-2]] = block.pop(name)


def _break_enum(document: Json, block: Json, chance: random.Random) -> None:
    section = chance.choice([section for page in document["pages"] for section in page["children"]])
    if section["direction"] == "vertical" and "binding" in block:
        block["binding"]["method"] = "get"
    section["direction"] = "vertical"


def _omit_property(document: Json, block: Json, chance: random.Random) -> None:
    for name in ("content", "binding", "columns", "label"):
        if name in block:
            del block[name]
            return


def _spoil_id(document: Json, block: Json, chance: random.Random) -> None:
    block["id"] = block["id"].title().replace("-", "_")


def _break_link(document: Json, block: Json, chance: random.Random) -> None:
    items = document["navigation"]["items"]
    item = next((item for item in items if item["pageId"].startswith("page")), items[0])
    item["pageId"] = item["pageId"].replace("page", "pgae")


def _use_wrong_type(document: Json, block: Json, chance: random.Random) -> None:
    name = chance.choice([name for name in block if name not in ("id", "type")] or ["id"])
    block[name] = chance.choice([None, 5, ["a"]])


SLIPS = (_misspell_property, _break_enum, _omit_property, _spoil_id, _break_link, _use_wrong_type)
"""Each kind changes a document in place, if possible at one of its blocks."""
