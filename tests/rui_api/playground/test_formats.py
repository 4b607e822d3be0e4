"""The names of other formats that people paste into the editor."""

import json
import re

import pytest

from rui_api.playground import formats
from rui_api.playground.formats import convert_yaml, other_format_of
from rui_common.describe import full_example, minimal_example
from rui_common.syntax.document import read

STORED = "an answer of the API with a stored RUI; its document is the value of `rui`"
NAMES = [
    ({"panels": [], "schemaVersion": 39, "title": "Node"}, "a Grafana dashboard"),
    ({"dashboard": {}, "meta": {}}, "a Grafana dashboard"),
    ({"openapi": "3.1.0", "info": {}, "paths": {}}, "an OpenAPI description"),
    ({"swagger": "2.0", "paths": {}}, "an OpenAPI description (Swagger 2.0)"),
    ({"$schema": "https://json-schema.org/draft/2020-12/schema", "properties": {}}, "a JSON Schema"),
    ({"info": {}, "item": []}, "a Postman collection"),
    ({"specId": "x", "rui": minimal_example()}, STORED),
    ("openapi: 3.0.0\ninfo:\n  title: \"x\"\n", "an OpenAPI description, in YAML"),
    ("apiVersion: v1\nkind: Pod\n", "a Kubernetes resource, in YAML"),
    ("version: 0.1\npages: []\nmeta: {}\n", "a RUI in YAML"),
    ("# The app\n---\nversion: 0.1\npages:\n- id: a\n", "a RUI in YAML"),
    ("a: 1\nb:\n  - c\n", "YAML"), ("- a: 1\n- b: 2\n", "YAML"),
]  # fmt: skip


@pytest.mark.parametrize(("content", "name"), NAMES, ids=[name for _, name in NAMES])
def test_the_name_of_another_format(content: object, name: str) -> None:
    text = content if isinstance(content, str) else json.dumps(content, indent=2)
    found = other_format_of(read(text))
    assert found is not None
    assert (found.name, found.can_convert) == (name, name == "a RUI in YAML")


@pytest.mark.parametrize(("limit", "reason"), [
    (12, ""), (11, "The JSON would have more than 11 characters."), (4, "The JSON would have more than 4 characters."),
    (3, "The text has more than 3 characters."),
])  # fmt: skip
def test_the_longest_text_that_is_converted(monkeypatch: pytest.MonkeyPatch, limit: int, reason: str) -> None:
    text, converted = "a: 1", '{\n  "a": 1\n}'
    monkeypatch.setattr(formats, "MAX_CONVERTED", limit)
    if reason:
        with pytest.raises(ValueError, match=f"^{re.escape(reason)}$"):
            convert_yaml(text)
    else:
        assert convert_yaml(text) == converted


def test_a_long_text_in_yaml_is_not_read(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "version: 0.1\npages: []\n"
    for limit, name in ((len(text), "a RUI in YAML"), (len(text) - 1, "YAML")):
        monkeypatch.setattr(formats, "MAX_CONVERTED", limit)
        found = other_format_of(read(text))
        assert found is not None and (found.name, found.can_convert) == (name, name != "YAML")


@pytest.mark.parametrize("text", [
    "", " ", "{", "[1]", "null", "Dear diary: today", "Dear diary,\ntoday it rained", "{}",
    '{"version": "0.1", "pages": []}',
    json.dumps(full_example()), json.dumps(minimal_example())[:-20], '{"a": "<html>"}', "hello", "a: b: c: [", '"# x"',
    "title = \"x\"\n[a]\nb = [1]\n", "<div>\n<p>x</p></div>", "# Orders\n\nThe desk.\n",
    '{"type": "Page", "id": "x"}', '{"meta": {"$schema": "vega"}, "pages": []}', "x = {", "<", "--- \n", "# x",
])  # fmt: skip
def test_texts_without_another_format(text: str) -> None:
    assert other_format_of(read(text)) is None
