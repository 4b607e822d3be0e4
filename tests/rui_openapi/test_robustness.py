"""No input raises: odd names in documents and descriptions, through comparison, fixes and all editor features."""

import json
import random
from pathlib import Path

import pytest

from rui_common.editing.completion import completions_at
from rui_common.editing.completion_context import completion_context_at
from rui_common.fixes.quick_fixes import find_fixes
from rui_common.syntax.document import read
from rui_common.validation.analysis import Analysis
from rui_openapi.comparison.check import api_diagnostics
from rui_openapi.derive import derive
from rui_openapi.description.api import Api
from rui_openapi.editing.completion import add_api_completions
from rui_openapi.editing.definition import definition_of, target_at
from rui_openapi.editing.hover import api_hover
from tests.inputs.api_samples import document_of
from tests.rui_openapi.shop import SHOP, api_of, table
from tests.support.nightly import seeds

Json = object

NAMES = [
    "", ".", "..", "a..b", ".a", "a.", "a", "a", "b", "a.b", "0", "-1", "٣", "²", "9" * 5000, " ", "\0", "\n", "é", "ﬁ",
    "e\u0301", "😀", "\u202e", "\ud800", "{", "}", "{}", "{a}", "{a}{b}", ":", ":a", "%", "%zz", "a" * 3000,
    "__class__", "format", "{0}", "{name!r}", "TODO", "*", "~1", "$ref", "$1", "\\", '"', "|", "items", "id",
]  # fmt: skip
VALUES = [None, True, 0, -1.5, [], {}, [None], [""], {"": ""}, "string", "array", "object"]


class Odd:
    """Makes random documents and descriptions with odd names."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)

    def name(self) -> str:
        return self.chance.choice(NAMES)

    def value(self) -> Json:
        return self.chance.choice([*VALUES, self.name()])

    def path(self) -> str:
        names = [self.name() for _ in range(self.chance.randrange(4))]
        return self.chance.choice(["/a", "/a", "/a", "/" + "/".join(names), self.name()])

    def schema(self, levels: int = 3) -> Json:
        inner = [self.schema(levels - 1) for _ in range(self.chance.randrange(4))] if levels else []
        properties = {self.name(): schema for schema in inner}
        choices: list[Json] = [
            {"type": self.chance.choice(["string", "integer", "boolean"])},
            {"enum": [self.value(), self.value()]},
            {self.chance.choice(["type", "properties", "items", "enum", "format", "$ref"]): self.value()},
        ]
        if inner:
            choices += [{"type": "object", "properties": properties}] * 4
            choices += [{"type": "array", "items": inner[0]}] * 4
            choices += [{"properties": properties, "additionalProperties": inner[0]}]
            choices += [{self.chance.choice(["oneOf", "anyOf", "allOf", "prefixItems"]): inner}]
        return self.chance.choice(choices)

    def description(self) -> dict[str, Json]:
        paths = {self.path(): self.operation() for _ in range(3)} | {"/a": self.operation()}
        return {"openapi": "3.1.0", "servers": [{"url": self.path()}], "paths": paths}

    def operation(self) -> Json:
        return {"get": {"responses": {"200": {"content": {"application/json": {"schema": self.schema()}}}}}}

    def block(self) -> dict[str, Json]:
        binding: dict[str, Json] = {"type": "read", "method": "GET", "path": self.path()}
        if self.chance.random() < 0.7:
            binding["valuePath"] = self.chance.choice(["a", "b", "a.b", "a.0", "items", self.name(), self.value()])
        if self.chance.random() < 0.3:
            return {"id": "block", "type": "Metric", "binding": binding, "format": self.value()}
        columns: list[Json] = [{"key": self.name(), "type": self.value()} for _ in range(4)]
        options = [{"value": self.value()}, {"value": self.name()}]
        return {
            "id": "block", "type": "Table", "binding": binding, "columns": [*columns, self.value()],
            "filter": {"field": self.name(), "options": options},
        }  # fmt: skip


def use_everything(text: str, api: Api) -> None:
    """Compare a document with a description, find all fixes, and use each editor feature at many places."""
    document = read(text)
    analysis = Analysis(document)
    for diagnostic in api_diagnostics(analysis, api):
        assert diagnostic.message
        find_fixes(analysis, diagnostic)
    offsets = [offset for offset in range(1, len(text)) if '"' in text[offset - 1 : offset + 1]]
    for path in {document.path_at(offset) for offset in offsets}:
        api_hover(analysis, path, api)
        target = target_at(analysis, path)
        if target is not None:
            definition_of(api, target, "utf-16")
    for offset in offsets[:: 1 + len(offsets) // 20]:
        context = completion_context_at(document, offset)
        if context is not None:
            add_api_completions(analysis, context, api, completions_at(analysis, context))


@pytest.mark.parametrize("seed", seeds(40))
def test_no_document_and_no_description_raises(seed: int, tmp_path: Path) -> None:
    odd = Odd(seed)
    api = api_of(json.dumps(odd.description()), tmp_path, "odd.json")
    document = document_of([odd.block() for _ in range(3)])
    use_everything(json.dumps(document), api)
    use_everything(json.dumps(document, ensure_ascii=False), api)
    derive([Analysis(read(json.dumps(document))).tree])


@pytest.mark.parametrize("key", NAMES)
def test_no_column_key_raises(key: str, tmp_path: Path) -> None:
    use_everything(table("/orders", "items", key), api_of(SHOP, tmp_path))
