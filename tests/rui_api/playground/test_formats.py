"""Texts in the editor that hold a RUI in another form."""

import json
import re

import pytest

from rui_api.playground import formats
from rui_api.playground.formats import convert_yaml, other_format_of
from rui_common.describe import full_example, minimal_example
from rui_common.syntax.document import read
from rui_common.validation.analysis import Analysis

ANSWER = "JSON around a document, which is in `normalizedRui`"
NAMES = [
    ({"valid": True, "normalizedRui": minimal_example()}, ANSWER),
    ({"specId": "x", "normalizedRui": minimal_example()}, ANSWER),
    ("version: 0.1\npages: []\nmeta: {}\n", "a RUI in YAML"),
    ("# The app\n---\nversion: 0.1\npages:\n- id: a\n", "a RUI in YAML"),
    ("a: 1\nb:\n  - c\n", "YAML"), ("- a: 1\n- b: 2\n", "YAML"),
]  # fmt: skip


@pytest.mark.parametrize(("content", "name"), NAMES, ids=[name for _, name in NAMES])
def test_the_name_of_another_format(content: object, name: str) -> None:
    text = content if isinstance(content, str) else json.dumps(content, indent=2)
    found = other_format_of(Analysis(read(text)))
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
        found = other_format_of(Analysis(read(text)))
        assert found is not None and (found.name, found.can_convert) == (name, name != "YAML")


@pytest.mark.parametrize("text", [
    "", " ", "{", "[1]", "null", "Dear diary: today", "Dear diary,\ntoday it rained", "{}",
    '{"version": "0.1", "pages": []}',
    json.dumps(full_example()), json.dumps(minimal_example())[:-20], '{"a": "<html>"}', "hello", "a: b: c: [", '"# x"',
    "title = \"x\"\n[a]\nb = [1]\n", "<div>\n<p>x</p></div>", "# Orders\n\nThe desk.\n",
    '{"type": "Page", "id": "x"}', '{"openapi": "3.1.0", "info": {}, "paths": {}}', '{"normalizedRui": 5}',
    '{"meta": {"$schema": "vega"}, "pages": []}', "x = {", "<", "--- \n", "# x",
])  # fmt: skip
def test_texts_without_another_format(text: str) -> None:
    assert other_format_of(Analysis(read(text))) is None
