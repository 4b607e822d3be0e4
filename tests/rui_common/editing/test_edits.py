"""Edits of a text: the layout that they follow, and places that have none."""

import pytest

from rui_common.editing.edits import indent_unit, insert_properties, remove_member, rename_key, space_after_colon
from rui_common.syntax.document import read
from rui_common.syntax.paths import Path

UNITS = {
    '{"a": 1}': "  ", '{\n"a": 1\n}': "  ", '{\n  "a": 1\n}': "  ", '{\n    "a": 1\n}': "    ", '{\n\t"a": 1\n}': "\t",
    '  {\n      "a": 1\n  }': "    ", '\t{\n   "a": 1\n\t}': "  ", '   {\n   "a": 1\n   }': "  ", "[\n 1\n]": " ",
}  # fmt: skip


@pytest.mark.parametrize("text", UNITS)
def test_the_indentation_of_one_level(text: str) -> None:
    assert indent_unit(text) == UNITS[text]


@pytest.mark.parametrize(("text", "start", "space"), [
    ('{"a": 1}', 0, " "), ('{"a":1}', 0, ""), ('{"a":\n1}', 0, " "), ("{}", 0, " "), ("[1]", 0, " "),
    ('{"a": {"b":1}}', 6, ""), ('{"a":{"b": 1}}', 5, " "), ('{"a":1, "b": {}}', 13, ""), ('{"a": 1, "b":{}}', 13, " "),
])  # fmt: skip
def test_the_space_after_a_colon(text: str, start: int, space: str) -> None:
    assert space_after_colon(text, start) == space


@pytest.mark.parametrize(("text", "path"), [
    ('{"a": {}}', ("b",)), ('{"a": 5}', ("a",)), ('{"a": []}', ("a",)), ('{"a":', ("a",)), ('{"a":, "b": {}}', ("a",)),
])  # fmt: skip
def test_nothing_is_inserted_where_no_object_is(text: str, path: Path) -> None:
    assert insert_properties(read(text), path, {"x": 1}, []) == []


@pytest.mark.parametrize("path", [(), ("b",), ("a", "b")])
def test_what_is_not_there_is_neither_renamed_nor_removed(path: Path) -> None:
    document = read('{"a": 5}')
    assert rename_key(document, path, "c") is None
    assert remove_member(document, path) is None
