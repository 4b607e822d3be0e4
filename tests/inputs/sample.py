"""Varied valid RUI documents of any size. The same arguments give the same document.

What the generator does not know of the vocabulary gets its example: a new block type or property needs no change here.
"""

import copy
import json
import random
from typing import Any

from rui_common.describe import minimal_example
from rui_common.vocabulary.kinds import ObjectKind
from rui_common.vocabulary.rui_0_1 import VOCABULARY
from rui_common.vocabulary.rules import MAX_BODY_BYTES
from rui_common.vocabulary.schema import NodeRole, Shape

WORDS = (
    "orders stock returns shipping invoices customers suppliers prices margins tickets visits sessions regions "
    "weekly monthly open closed late average total pending north south größe café"
).split()
KNOWN = {
    "RUI": "version meta navigation pages",
    "Navigation": "items",
    "NavigationItem": "pageId",
    "Page": "id type title description children",
    "Section": "id type title direction children",
    "Metric": "id type label binding format",
    "Table": "id type title binding columns filter",
    "Text": "id type content",
    "ReadBinding": "type method path valuePath",
    "Column": "key",
    "TableFilter": "field",
}
"""The properties that the generator has values for. A new one need not be added."""
NEW_BLOCKS = [shape for name, shape in VOCABULARY.nodes.items() if shape.role is NodeRole.BLOCK and name not in KNOWN]
FIELDS = "number status customer total created region owner priority".split()


def sample(size: int, *, indent: int | None = 2, seed: int = 1, further: bool = False) -> dict[str, object]:
    """Return a valid RUI whose text with this `indent` has about `size` bytes.

    With `further`, its open objects have further properties, as the documents of agents.
    """
    generator = _Generator(seed, sections=(1, 1) if size < 10_000 else (2, 4), further=further)
    pages: list[dict[str, object]] = []
    written = 200
    while not pages or written < size:
        pages.append(generator.page(len(pages) + 1))
        # In the document every line of the page is indented by two more levels.
        text = to_text(pages[-1], indent)
        written += len(text.encode()) + 4 * text.count("\n") + 60
    items = [{"pageId": page["id"], "label": page["title"]} for page in pages]
    meta: dict[str, object] = {"title": "Order desk", "description": "What came in and what is open."}
    if further:
        meta |= {"author": "agent", "revision": 3, "tags": ["orders", "stock"], "source": {"team": "A", "share": 0.5}}
    document = {"version": "0.1", "meta": meta, "navigation": {"items": items}, "pages": pages}
    return completed(document, VOCABULARY.root)


def completed(value: Any, shape: Shape) -> dict[str, Any]:
    """Return a valid object with the examples of the registered properties that the generator does not know."""
    known = KNOWN.get(shape.name, "id type").split()
    examples = {name: copy.deepcopy(prop.example) for name, prop in shape.props.items() if name not in known}
    value = examples | value
    for name, prop in shape.props.items():
        if name in value and isinstance(prop.kind, ObjectKind):
            value[name] = completed(value[name], prop.kind.shape)
        elif name in value and prop.kind.inner_shapes:
            by_type = {shape.name: shape for shape in prop.kind.inner_shapes}
            first = prop.kind.inner_shapes[0]
            value[name] = [completed(element, by_type.get(element.get("type"), first)) for element in value[name]]
    return {name: value[name] for name in (*shape.props, *value) if name in value}


def sample_text(size: int, *, indent: int | None = 2, seed: int = 1, further: bool = False) -> str:
    """Return `sample` as JSON text: formatted, or on one line if `indent` is None."""
    return to_text(sample(size, indent=indent, seed=seed, further=further), indent)


def largest_text() -> str:
    """Return the largest sample that the service accepts, on one line, as it is stored."""
    size = MAX_BODY_BYTES
    while len((text := sample_text(size, indent=None)).encode()) > MAX_BODY_BYTES:
        size -= 1_000
    return text


def to_text(value: object, indent: int | None) -> str:
    """Return a value as JSON text in the layout of `sample_text`."""
    separators = (",", ":") if indent is None else None
    return json.dumps(value, indent=indent, ensure_ascii=False, separators=separators)


class _Generator:
    def __init__(self, seed: int, sections: tuple[int, int], *, further: bool) -> None:
        self.sections = sections
        self.further = further
        self.random = random.Random(seed)
        self.number = 0

    def id(self, stem: str) -> str:
        self.number += 1
        return f"{stem}-{self.number}"

    def words(self, low: int, high: int) -> str:
        return " ".join(self.random.choices(WORDS, k=self.random.randint(low, high))).capitalize()

    def page(self, number: int) -> dict[str, object]:
        sections = [self.section() for _ in range(self.random.randint(*self.sections))]
        page: dict[str, object] = {"id": f"page-{number}", "type": "Page", "title": self.words(1, 3)}
        if number % 2:
            page["description"] = self.words(5, 12)
        return completed(page | {"children": sections}, VOCABULARY.nodes["Page"])

    def section(self) -> dict[str, object]:
        blocks = [
            self.random.choices([self.metric, self.table, self.text], [4, 3, 2])[0]()
            for _ in range(self.random.randint(2, 5))
        ]
        section: dict[str, object] = {"id": self.id("section"), "type": "Section"}
        blocks += [{"id": f"{section['id']}-{shape.name.lower()}", "type": shape.name} for shape in NEW_BLOCKS]
        if self.random.random() < 0.7:
            section["title"] = self.words(1, 3)
        return section | {"direction": self.random.choice(["stack", "row"]), "children": blocks}

    def metric(self) -> dict[str, object]:
        topic = self.random.choice(WORDS[:10])
        binding = {"type": "read", "method": "GET", "path": f"/api/{topic}/summary", "valuePath": f"data.{topic}"}
        block: dict[str, object] = {"id": self.id("metric"), "type": "Metric", "label": self.words(1, 4)}
        block["binding"] = binding
        if self.random.random() < 0.6:
            block["format"] = self.random.choice(["number", "text"])
        return block

    def table(self) -> dict[str, object]:
        fields = self.random.sample(FIELDS, self.random.randint(2, 6))
        binding = {"type": "read", "method": "GET", "path": f"/api/{self.random.choice(WORDS[:10])}"}
        if self.random.random() < 0.8:
            binding["valuePath"] = "data.items"
        columns: list[dict[str, object]] = [
            {"key": key, "label": key.capitalize(), "type": self.random.choice(["string", "number", "badge"])}
            for key in fields
        ]
        if self.further:
            columns[0] |= {"sortable": True, "width": 120}
        block: dict[str, object] = {"id": self.id("table"), "type": "Table", "title": self.words(1, 3)}
        block |= {"binding": binding, "columns": columns}
        if self.random.random() < 0.4:
            options = [{"value": word, "label": word.capitalize()} for word in self.random.sample(WORDS, 3)]
            block["filter"] = {"field": self.random.choice(fields), "options": options}
        return block

    def text(self) -> dict[str, object]:
        return {"id": self.id("text"), "type": "Text", "content": self.words(5, 40)}


def sized(size: int, filler: str) -> bytes:
    """Return a valid RUI of exactly `size` bytes."""
    document = minimal_example() | {"meta": {"title": ""}}
    room = size - len(json.dumps(document, ensure_ascii=False).encode())
    unit = len(filler.encode())
    document["meta"] = {"title": filler * (room // unit) + "a" * (room % unit)}
    body = json.dumps(document, ensure_ascii=False).encode()
    assert len(body) == size
    return body
