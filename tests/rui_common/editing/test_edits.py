"""Edits keep the layout of the text."""

from __future__ import annotations

import pytest

from rui_common.editing.edits import Edit, append_elements, apply, insert_properties, remove_member, set_value
from rui_common.syntax.document import read
from rui_common.syntax.paths import parse_path
from rui_common.syntax.spans import Span


def test_edits_are_made_in_the_order_of_the_text() -> None:
    edits = [Edit(Span(3, 4), "D"), Edit(Span(1, 1), "x"), Edit(Span(1, 1), "y"), Edit(Span(1, 2), "")]
    assert apply("abcde", edits) == "axycDe"


def test_edits_that_overlap_are_refused() -> None:
    with pytest.raises(ValueError, match="offset 2"):
        apply("abcde", [Edit(Span(1, 3), ""), Edit(Span(2, 4), "")])


# Name → text, path of the inserted property, expected text.
INSERTIONS = {
    "empty": ("{}", "b", '{"b": 1}'),
    "empty, spread": ("{\n}", "b", '{\n  "b": 1\n}'),
    "first, spread": ('{\n  "c": 2\n}', "b", '{\n  "b": 1,\n  "c": 2\n}'),
    "last": ('{"a": 2}', "b", '{"a": 2, "b": 1}'),
    "last, minified": ('{"a":2}', "b", '{"a":2,"b":1}'),
    "behind the nearest": ('{"c": 3, "z": 0, "a": 2}', "b", '{"c": 3, "z": 0, "a": 2, "b": 1}'),
    "before the comma on the next line": ('{\n  "a": 2\n, "c": 3}', "b", '{\n  "a": 2, "b": 1\n, "c": 3}'),
}


@pytest.mark.parametrize(("text", "path", "expected"), INSERTIONS.values(), ids=INSERTIONS)
def test_properties_are_inserted_in_the_layout_of_their_neighbours(text: str, path: str, expected: str) -> None:
    *parent, name = parse_path(path)
    edits = insert_properties(read(text), tuple(parent), {str(name): 1}, ["a", "b", "c"])
    assert len(edits) == 1
    assert apply(text, edits) == expected


REMOVALS = {
    "only": ('{ "a": 1 }', "a", "{}"),
    "first": ('{"a": 1, "b": 2}', "a", '{"b": 2}'),
    "last": ('{"a": 1, "b": 2}', "b", '{"a": 1}'),
    "between": ('{\n  "a": 1,\n  "b": 2,\n  "c": 3\n}', "b", '{\n  "a": 1,\n  "c": 3\n}'),
    "last element": ("[1, {}]", "[1]", "[1]"),
}


@pytest.mark.parametrize(("text", "path", "expected"), REMOVALS.values(), ids=REMOVALS)
def test_members_are_removed_with_their_comma(text: str, path: str, expected: str) -> None:
    edit = remove_member(read(text), parse_path(path))
    assert edit is not None
    assert apply(text, [edit]) == expected


ELEMENTS = {"empty": ("[]", "[5]"), "one": ("[1]", "[1, 5]"), "lines": ("[\n 1,\n 2\n]", "[\n 1,\n 2,\n 5\n]")}


@pytest.mark.parametrize(("text", "expected"), ELEMENTS.values(), ids=ELEMENTS)
def test_elements_are_appended(text: str, expected: str) -> None:
    edit = append_elements(read(text), (), [5])
    assert edit is not None
    assert apply(text, [edit]) == expected


def test_nothing_is_changed_where_nothing_is() -> None:
    document = read('{"a": 1}')
    assert set_value(document, ("b",), 1) is None
    assert insert_properties(document, ("a",), {"b": 1}, []) == []
    assert append_elements(document, ("a",), [1]) is None
    assert remove_member(document, ("b",)) is None
