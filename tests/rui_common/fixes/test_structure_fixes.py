"""Fixes for the structure, and for values of the wrong type: one edit makes the document valid."""

from __future__ import annotations

from typing import Any

import pytest

from rui_common.editing.edits import apply
from rui_common.fixes.quick_fixes import find_fixes
from rui_common.syntax.document import read
from rui_common.validation.diagnostics import diagnose, is_error
from tests.rui_common.fixes.test_quick_fixes import FULL, TABLE, TEXT, block

SECTION = '{"id": "s", "type": "Section", "direction": "row", "children": [@]}'
OTHER = TEXT.replace('"a"', '"b"')
PAGE = '{"id": "more", "type": "Page", "title": "x", "children": [@]}'.replace("@", SECTION.replace("@", OTHER))


def with_page(element: str) -> str:
    """Return a document with a second element in its pages."""
    return FULL.replace("\n  ]\n}", f",\n    {element}\n  ]\n}}")


# Text, path of a diagnostic → the title of a fix that makes the document valid.
STRUCTURE = {
    "a page in a section": (block(f"{PAGE}, {TEXT}"), 0, 'Move after Page "Home"'),
    "a section among pages": (with_page(SECTION.replace("@", OTHER)), "type", "Wrap in a Page"),
    "a text among pages": (with_page(OTHER), "type", "Wrap in a Page"),
    "a section that is all of a section": (block(SECTION.replace("@", TEXT)), 0,
                                           'Replace Section "main" by it'),
    "a column that is a string": (block(TABLE.replace('{"key": "total"}', '"total"')), 1, "Wrap in a Column"),
    "an entry that is a string": (FULL.replace('{"pageId": "home"}', '"home"'), 0, "Wrap in a NavigationItem"),
    "a section in a section": (block(f'{TEXT}, {SECTION.replace("@", OTHER)}'), 1, 'Move after Section "main"'),
    "entries in two arrays": (FULL.replace('[{"pageId": "home"}]', '[[{"pageId": "home"}, {"pageId": "home"}]]'), 0,
                              "Replace the array by its elements"),
    "a title in an array": (FULL.replace('"Home"', '["Home"]'), "title", "Remove the array around it"),
    "a boolean for a string": (block(TEXT.replace('"x"', "true")), "content", 'Convert to a string: "true"'),
    "an id of a node of no known type": (block(f'{TEXT}, {{"id": "a", "type": "Text", "content": "y"}}'), "id",
                                         'Rename to "a-2"'),
}  # fmt: skip


@pytest.mark.parametrize(("text", "step", "title"), STRUCTURE.values(), ids=STRUCTURE)
def test_one_edit_fixes_the_structure(text: str, step: Any, title: str) -> None:
    document = read(text)
    diagnostic = next(one for one in diagnose(document) if one.path[-1:] == (step,))
    fix = {one.title: one for one in find_fixes(document, diagnostic)}[title]
    assert not fix.is_safe
    assert not any(map(is_error, diagnose(read(apply(text, fix.edits)))))


@pytest.mark.parametrize("given", ["[]", "{}", '["Text"]', "null", "0"])
def test_what_stands_beside_a_misplaced_node_may_have_a_type_of_any_sort(given: str) -> None:
    document = read(with_page(f'{OTHER}, {{"id": "odd", "type": {given}}}'))
    assert "Wrap in a Page" in [fix.title for one in diagnose(document) for fix in find_fixes(document, one)]
