"""Refactorings; a valid document stays valid."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rui_common.editing.edits import apply, format_json
from rui_common.fixes.refactorings import Refactoring, refactorings
from rui_common.syntax.document import Document, read
from rui_common.syntax.spans import Span
from rui_common.validation.analysis import Analysis
from rui_common.validation.diagnostics import is_error
from rui_common.validation.names import Name
from tests.strategies import sound_documents

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
    found = {one.title: one for _, one in refactorings(Analysis(read(DOCUMENT)), span)}
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


@pytest.mark.parametrize(("before", "title"), [('"content": "b"}', "Delete the Text"), ("]", "Delete the Section")])
def test_a_cursor_at_the_end_of_a_node_selects_it(before: str, title: str) -> None:
    end = DOCUMENT.index(before, DOCUMENT.index("one-b")) + len(before)
    assert title in [one.title for _, one in refactorings(Analysis(read(DOCUMENT)), Span(end, end))]


def test_a_section_is_moved_to_another_page() -> None:
    section = DOCUMENT[DOCUMENT.index(END) : DOCUMENT.index("\n    ]},")]
    last = '{"id": "two-d", "type": "Text", "content": "d"}\n      ]}'
    check('"one-end"', '"one-end"', 'Move the Section to Page "At two"',
          (f",\n{section}", ""), (last, f"{last},\n{section}"))  # fmt: skip


@pytest.mark.parametrize("text", ["", "[]", "{}", DOCUMENT[:-5], DOCUMENT.replace('"b"', '"b", "id": "x"')])
def test_nothing_is_done_with_what_is_broken(text: str) -> None:
    assert refactorings(Analysis(read(text)), Span(0, 5)) == []


def test_a_type_that_is_an_object_is_no_error() -> None:
    text = DOCUMENT.replace('"type": "Text"', '"type": {}')
    start = text.index('"one-b"')
    assert refactorings(Analysis(read(text)), Span(start, start)) != []


def test_a_page_is_deleted_with_its_navigation_entry() -> None:
    check('"id": "two", "type"', '"id": "two", "type"', "Delete the Page and the element that refers to it",
          (', {"pageId": "two"}', ""), (",\n" + PAGE.replace("@", "two"), ""))  # fmt: skip


def test_blocks_are_moved_up_and_down() -> None:
    check('"one-b"', '"one-b"', "Move the Text up", (f"{A},\n{B}", f"{B},\n{A}"))
    check('"one-a"', '"one-b"', "Move 2 elements down", (f"{A},\n{B},\n{C}", f"{C},\n{A},\n{B}"))


@pytest.mark.parametrize("title", ["Move the Text up", "Move the Text down"])
def test_the_neighbour_is_edited_so_that_the_cursor_stays(title: str) -> None:
    start = DOCUMENT.index(B.lstrip())
    end = start + len(B.lstrip())
    found = {one.title: one for _, one in refactorings(Analysis(read(DOCUMENT)), Span(start, start))}
    assert [edit for edit in found[title].edits if edit.span.start < end and edit.span.end > start] == []


@given(sound_documents, st.integers(0, 5_000), st.integers(0, 500))
def test_any_sound_document_stays_sound(value: Any, start: int, length: int) -> None:
    text = format_json(value)
    document = read(text)
    start = min(start, len(text))
    ids = {name.text for name in all_names(document) if not name.is_use}
    for kind, one in refactorings(Analysis(document), Span(start, min(start + length, len(text)))):
        after = read(apply(text, one.edits))
        assert not any(map(is_error, Analysis(after).diagnostics))
        assert kind is Refactoring.DELETE or ids <= {name.text for name in all_names(after) if not name.is_use}
