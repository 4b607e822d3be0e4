"""Refactorings; a valid document stays valid."""

import json
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rui_common.editing.edits import apply, format_json
from rui_common.fixes.refactorings import Refactoring, RefactoringKind, refactorings
from rui_common.json_values import as_list, as_object
from rui_common.nodes.names import Name
from rui_common.syntax.document import Document, read
from rui_common.syntax.paths import value_at
from rui_common.syntax.spans import Span
from rui_common.validation.analysis import Analysis
from rui_common.validation.diagnostics import is_error
from tests.support.strategies import sound_documents

PAGE = """\
    {"id": "@", "type": "Page", "title": "At @", "children": [
      {"id": "@-top", "type": "Section", "direction": "row", "children": [
        {"id": "@-a", "type": "Text", "content": "a"},
        {"id": "@-b", "type": "Text", "content": "b"},
        {"id": "@-c", "type": "Text", "content": "c"}
      ]},
      {"id": "@-end", "type": "Section", "direction": "stack", "children": [
        {"id": "@-d", "type": "Text", "content": "d"}
      ]}
    ]}"""
DOCUMENT = f"""\
{{
  "version": "0.1",
  "meta": {{}},
  "navigation": {{"items": [{{"pageId": "one"}}, {{"pageId": "two"}}]}},
  "pages": [
{PAGE.replace("@", "one")},
{PAGE.replace("@", "two")}
  ]
}}
"""


def all_names(document: Document) -> list[Name]:
    return [name for scope in Analysis(document).names.scopes for name in scope]


def check(first: str, last: str, title: str, *changes: tuple[str, str]) -> None:
    """Select the text from `first` to `last`, apply the refactoring with this title, and compare the changes."""
    expected = DOCUMENT
    for old, new in changes:
        assert expected.count(old) == 1
        expected = expected.replace(old, new)
    span = Span(DOCUMENT.index(first), DOCUMENT.index(last) + len(last))
    found = {refactoring.title: refactoring for refactoring in refactorings(Analysis(read(DOCUMENT)), span)}
    assert title in found
    assert apply(DOCUMENT, found[title].edits) == expected
    assert Analysis(read(expected)).diagnostics == []


BLOCK = '        {"id": "one-%s", "type": "Text", "content": "%s"}'
A, B, C, D = (BLOCK % (letter, letter) for letter in "abcd")
NEW = """\
      {
        "id": "section-1",
        "type": "Section",
        "direction": "row",
        "children": [
@
        ]
      }"""
END = '      {"id": "one-end"'
TOP = '      {"id": "one-top"'


def test_the_last_blocks_are_extracted() -> None:
    moved = f"  {B},\n  {C}"
    check('"one-b"', '"one-c"', "Extract 2 elements into a new Section",
          (f",\n{B},\n{C}", ""), (END, NEW.replace("@", moved) + f",\n{END}"))  # fmt: skip


def test_the_first_blocks_are_extracted_before() -> None:
    check('"one-a"', '"one-a"', "Extract the Text into a new Section",
          (f"{A},\n", ""), (TOP, NEW.replace("@", f"  {A}") + f",\n{TOP}"))  # fmt: skip


@pytest.mark.parametrize(("before", "node"), [('"content": "b"}', "Text"), ("]", "Section")])
def test_a_cursor_at_the_end_of_a_node_selects_it(before: str, node: str) -> None:
    end = DOCUMENT.index(before, DOCUMENT.index("one-b")) + len(before)
    assert f"Duplicate the {node}" in [
        refactoring.title for refactoring in refactorings(Analysis(read(DOCUMENT)), Span(end, end))
    ]


@pytest.mark.parametrize("text", ["", "[]", "{}", DOCUMENT[:-5], DOCUMENT.replace('"b"', '"b", "id": "x"')])
def test_nothing_is_done_with_what_is_broken(text: str) -> None:
    start = max(text.find('"one-b"'), 0)
    assert refactorings(Analysis(read(text)), Span(start, start)) == []


def test_a_type_that_is_an_object_is_no_error() -> None:
    text = DOCUMENT.replace('"type": "Text"', '"type": {}')
    start = text.index('"one-b"')
    assert refactorings(Analysis(read(text)), Span(start, start)) != []


def test_blocks_are_moved_up_and_down() -> None:
    check('"one-b"', '"one-b"', "Move the Text up", (f"{A},\n{B}", f"{B},\n{A}"))
    check('"one-a"', '"one-b"', "Move 2 elements down", (f"{A},\n{B},\n{C}", f"{C},\n{A},\n{B}"))


@pytest.mark.parametrize("title", ["Move the Text up", "Move the Text down"])
def test_the_neighbour_is_edited_so_that_the_cursor_stays(title: str) -> None:
    start = DOCUMENT.index(B.lstrip())
    end = start + len(B.lstrip())
    found = {
        refactoring.title: refactoring for refactoring in refactorings(Analysis(read(DOCUMENT)), Span(start, start))
    }
    assert [edit for edit in found[title].edits if edit.span.start < end and edit.span.end > start] == []


# Other elements -------------------------------------------------------------------------------------------------------

TABLE = """\
{
  "version": "0.1", "meta": {},
  "navigation": {"items": [{"pageId": "orders", "label": "All"}, {"pageId": "other"}]},
  "pages": [
    {"id": "orders", "type": "Page", "title": "Orders", "children": [
      {"id": "main", "type": "Section", "title": "Today", "direction": "row", "children": [
        {
          "id": "table", "type": "Table", "title": "Latest orders",
          "binding": {"type": "read", "method": "GET", "path": "/orders"},
          "columns": [{"key": "state", "label": "State"}, {"key": "total"}],
          "filter": {"field": "state", "options": [{"value": "open"}, {"value": "done"}]}
        }
      ]},
      {"id": "last", "type": "Section", "title": "Über uns", "direction": "stack", "children": [
        {"id": "text", "type": "Text", "content": "x"}
      ]}
    ]},
    {"id": "other", "type": "Page", "title": "Orders", "children": [
      {"id": "end", "type": "Section", "direction": "stack", "children": [{"id": "b", "type": "Text", "content": "x"}]}
    ]}
  ]
}
"""


def table_refactorings(selected: str) -> dict[str, Refactoring]:
    """Return the refactorings by title where the cursor is at the beginning of a text."""
    start = TABLE.index(selected)
    return {refactoring.title: refactoring for refactoring in refactorings(Analysis(read(TABLE)), Span(start, start))}


DUPLICATES = {
    "a column": ('"state", "label"', "the column",
                 '{"key": "state", "label": "State"}, {"key": "state-2", "label": "State"}, {"key": "total"}'),
    "the last column": ('"total"', "the column", '{"key": "total"}, {"key": "total-2"}'),
    "an option": ('"open"', "the filter option", '{"value": "open"}, {"value": "open-2"}, {"value": "done"}'),
    "a navigation item": ('"label": "All"', "the navigation item",
                          '{"pageId": "orders", "label": "All"}, {"pageId": "orders", "label": "All"}'),
    "a text": ('"content"', "the Text", '"x"},\n        {"id": "text-2", "type": "Text", "content": "x"}'),
}  # fmt: skip


@pytest.mark.parametrize(("selected", "name", "expected"), DUPLICATES.values(), ids=DUPLICATES)
def test_elements_are_duplicated(selected: str, name: str, expected: str) -> None:
    found = table_refactorings(selected)[f"Duplicate {name}"]
    after = read(apply(TABLE, found.edits))
    assert expected in after.text
    assert not any(map(is_error, Analysis(after).diagnostics))
    assert found.shown is not None
    assert value_at(after.value, (*found.shown[:-1], int(found.shown[-1]) - 1)) == value_at(
        read(TABLE).value, (*found.shown[:-1], int(found.shown[-1]) - 1)
    )


def test_references_in_a_copy_follow_it() -> None:
    after = read(apply(TABLE, table_refactorings('"title": "Orders"')["Duplicate the Page"].edits))
    assert not any(map(is_error, Analysis(after).diagnostics))
    first, copy, other = as_list(value_at(after.value, ("pages",)))
    assert json.dumps(copy) == re.sub(r'("id": "[a-z]+)', r"\1-2", json.dumps(first))
    assert (first, other) == tuple(as_list(value_at(read(TABLE).value, ("pages",))))
    items = as_list(value_at(after.value, ("navigation", "items")))
    assert [as_object(item)["pageId"] for item in items] == ["orders", "other", "orders-2"]


MOVES = {
    "a column down": ('"state", "label"', "Move the column down", '{"key": "total"}, {"key": "state", "label": '),
    "an option up": ('"done"', "Move the filter option up", '{"value": "done"}, {"value": "open"}'),
    "a navigation item down": ('"label": "All"', "Move the navigation item down",
                               '{"pageId": "other"}, {"pageId": "orders", "label": "All"}'),
}  # fmt: skip


@pytest.mark.parametrize(("selected", "title", "expected"), MOVES.values(), ids=MOVES)
def test_other_elements_are_moved(selected: str, title: str, expected: str) -> None:
    assert expected in apply(TABLE, table_refactorings(selected)[title].edits)


def test_several_columns_are_selected() -> None:
    span = Span(TABLE.index('"state", "label"'), TABLE.index('"total"'))
    titles = [refactoring.title for refactoring in refactorings(Analysis(read(TABLE)), span)]
    assert titles == ["Duplicate 2 elements"]


def test_a_new_page_has_the_title_of_its_section() -> None:
    found = table_refactorings('"Über uns"')["Extract the Section into a new Page"]
    after = read(apply(TABLE, found.edits))
    assert found.shown == ("pages", 1)
    assert Analysis(after).diagnostics == []
    page = as_object(value_at(after.value, found.shown))
    assert (page["id"], page["title"]) == ("uber-uns", "Über uns")
    assert value_at(after.value, ("navigation", "items", 2)) == {"pageId": "uber-uns"}


UNTITLED = {"without a title": "", "with a blank title": '"title": "  ", '}


@pytest.mark.parametrize("title", UNTITLED.values(), ids=UNTITLED)
def test_a_new_page_of_a_section_without_a_title_has_a_placeholder(title: str) -> None:
    text = TABLE.replace('"title": "Über uns", ', title)
    start = text.index('"last"')
    found = {refactoring.title: refactoring for refactoring in refactorings(Analysis(read(text)), Span(start, start))}
    page = value_at(read(apply(text, found["Extract the Section into a new Page"].edits)).value, ("pages", 1))
    assert (as_object(page)["id"], as_object(page)["title"]) == ("page-1", "TODO")


def test_a_new_section_has_no_title() -> None:
    """Its title is optional, unlike that of a page."""
    text = TABLE.replace("]}\n        }\n", ']}\n        },\n        {"id": "more", "type": "Text", "content": "y"}\n')
    start = text.index('"Latest orders"')
    found = {refactoring.title: refactoring for refactoring in refactorings(Analysis(read(text)), Span(start, start))}
    after = read(apply(text, found["Extract the Table into a new Section"].edits))
    section = as_object(value_at(after.value, ("pages", 0, "children", 0)))
    assert [*section] == ["id", "type", "direction", "children"]


def test_a_column_is_not_extracted() -> None:
    assert [*table_refactorings('"total"')] == ["Duplicate the column", "Move the column up"]


def test_a_title_without_letters_gives_no_id() -> None:
    text = TABLE.replace("Über uns", "注文")
    start = text.index('"注文"')
    found = {refactoring.title: refactoring for refactoring in refactorings(Analysis(read(text)), Span(start, start))}
    page = value_at(read(apply(text, found["Extract the Section into a new Page"].edits)).value, ("pages", 1))
    assert (as_object(page)["id"], as_object(page)["title"]) == ("page-1", "注文")
    assert [title for title in found if title.startswith("Derive")] == []


def test_whole_lines_select_the_elements_in_them() -> None:
    lines = f"\n{A},\n{B},\n"
    for start in range(DOCUMENT.index(lines), DOCUMENT.index(lines) + 9):
        span = Span(start, DOCUMENT.index(lines) + len(lines))
        assert "Move 2 elements down" in [
            refactoring.title for refactoring in refactorings(Analysis(read(DOCUMENT)), span)
        ]


IDS = {
    "the title": (
        '"Latest orders"',
        'Derive the id from the title: "latest-orders"',
        '"latest-orders", "type": "Table"',
    ),
    "the title of a section": ('"Today"', 'Derive the id from the title: "today"', '"today", "type": "Section"'),
    "a title that another id has": (
        '"id": "other"',
        'Derive the id from the title: "orders-2"',
        '"pageId": "orders-2"',
    ),
}


@pytest.mark.parametrize(("selected", "title", "expected"), IDS.values(), ids=IDS)
def test_an_id_is_derived(selected: str, title: str, expected: str) -> None:
    after = read(apply(TABLE, table_refactorings(selected)[title].edits))
    assert expected in after.text
    assert not any(map(is_error, Analysis(after).diagnostics))


NO_ID = {
    "of a node without a title": '"content"',
    "of a node with its title as its id": '"id": "orders"',
    "of an element that is no node": '"total"',
}


@pytest.mark.parametrize("selected", NO_ID.values(), ids=NO_ID)
def test_no_id_is_derived(selected: str) -> None:
    assert [title for title in table_refactorings(selected) if title.startswith("Derive")] == []


@given(sound_documents, st.integers(0, 5_000), st.integers(0, 500))
def test_any_sound_document_stays_sound(value: Any, start: int, length: int) -> None:
    text = format_json(value)
    document = read(text)
    start = min(start, len(text))
    ids = {name.text for name in all_names(document) if not name.is_use}
    for refactoring in refactorings(Analysis(document), Span(start, min(start + length, len(text)))):
        after = read(apply(text, refactoring.edits))
        assert not any(map(is_error, Analysis(after).diagnostics))
        after_ids = {name.text for name in all_names(after) if not name.is_use}
        if refactoring.kind is RefactoringKind.DERIVE_ID:
            assert len(ids - after_ids) == 1
        else:
            assert ids <= after_ids
        if refactoring.shown is not None:
            assert Analysis(after).tree.at(refactoring.shown) is not None
