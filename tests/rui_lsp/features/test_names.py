"""Names and their uses: definition, references, highlights and linked editing at the same places."""

import pytest

from tests.rui_lsp.marked import CURSOR, DOCUMENT, opened

HOME = '"id": "home'
HOME_USES = ['{"pageId": "home', '{"label": "😀", "pageId": "home']
STATUS = '"columns": [{"key": "status'
STATUS_USE = '"filter": {"field": "status'

# Text before and after the cursor → definitions, uses, and whether the name is edited with its uses.
# Each place is the text of its line up to the end of the name.
NAMES = [
    ('"id": "ho', 'me"', [HOME], HOME_USES, True),
    ('{"pageId": "ho', 'me", "label"', [HOME], HOME_USES, False),
    ('{"pageId": ', '"home", "label"', [HOME], HOME_USES, False),
    ('{"pageId": "home"', ', "label"', [HOME], HOME_USES, False),
    ('{"key": "st', 'atus"', [STATUS], [STATUS_USE], True),
    ('{"field": "st', 'atus"', [STATUS], [STATUS_USE], False),
    ('{"id": "st', 'ock"', ['{"id": "stock'], [], False),
    # Keys of the same spelling are no pages, options no columns, and property keys no names.
    ('{"key": "ho', 'me"}', ['"columns": [{"key": "status", "label": "State"}, {"key": "home'], [], False),
    ('{"pageId": "to', 'dy"', [], ['{"pageId": "tody'], False),
    ('"value": "st', 'atus"', [], [], False),
    ('"page', 'Id": "home", "label"', [], [], False),
    ('"title": "At', ' home"', [], [], False),
]


def places(editor, found):
    """Return the text before the end of each range, in its line."""
    ends = [editor.span(item["range"])[1] for item in found or []]
    return [editor.text[:end].rpartition("\n")[2].strip() for end in ends]


def check(text, definitions, uses, *, is_linked):
    """All requests about the name at the cursor return these places."""
    editor = opened(text)
    assert places(editor, editor.request("textDocument/definition")) == definitions
    for include, expected in ((False, uses), (True, [*uses, *definitions])):
        found = editor.request("textDocument/references", context={"includeDeclaration": include})
        assert sorted(places(editor, found)) == sorted(expected)
    highlights = editor.request("textDocument/documentHighlight") or []
    assert sorted(places(editor, highlights)) == sorted([*uses, *definitions])
    assert [item["kind"] for item in highlights].count(3) == len(definitions)
    linked = editor.request("textDocument/linkedEditingRange")
    expected = sorted([*uses, *definitions]) if is_linked else []
    assert sorted(places(editor, [{"range": item} for item in (linked or {"ranges": []})["ranges"]])) == expected


@pytest.mark.parametrize(("before", "after", "definitions", "uses", "is_linked"), NAMES)
def test_names(before, after, definitions, uses, is_linked):
    check(DOCUMENT.replace(before + after, before + CURSOR + after, 1), definitions, uses, is_linked=is_linked)


def test_a_column_of_another_table_is_another_name():
    table = '{"id": "t", "type": "Table", "columns": [{"key": "status"}]},'
    text = DOCUMENT.replace('{"id": "note"', f'{table}\n{{"id": "note"').replace('"field": "', f'"field": "{CURSOR}')
    check(text, [STATUS], [STATUS_USE], is_linked=False)


def test_a_name_that_is_defined_twice_has_two_definitions_and_is_not_linked():
    text = DOCUMENT.replace('"stock"', '"home"').replace('"id": "home"', f'"id": "home{CURSOR}"', 1)
    check(text, [HOME, '{"id": "home'], HOME_USES, is_linked=False)


def test_an_id_of_a_page_and_a_block_is_one_name():
    text = DOCUMENT.replace('"id": "note"', '"id": "home"').replace('{"pageId": "ho', f'{{"pageId": "ho{CURSOR}')
    editor = opened(text)
    found = editor.request("textDocument/references", context={"includeDeclaration": True})
    assert sorted(places(editor, found)) == sorted([*HOME_USES, HOME, '{"id": "home'])


def test_a_name_with_a_syntax_error_is_a_definition():
    text = DOCUMENT.replace('"id": "home"', "\"id\": 'home'").replace('{"pageId": "ho', f'{{"pageId": "ho{CURSOR}')
    check(text, ['"id": \'home'], HOME_USES, is_linked=False)


def test_a_name_that_is_written_differently_is_not_linked():
    text = DOCUMENT.replace('"pageId": "home"', '"pageId": "h\\u006fme"', 1).replace(HOME, HOME + CURSOR)
    assert opened(text).request("textDocument/linkedEditingRange") is None


def test_links_show_the_whole_object():
    text = DOCUMENT.replace('"field": "st', f'"field": "st{CURSOR}')
    editor = opened(text, {"textDocument": {"definition": {"linkSupport": True}}})
    (link,) = editor.request("textDocument/definition")
    assert editor.shown(link["targetSelectionRange"]) == "status"
    assert editor.shown(link["targetRange"]) == '{"key": "status", "label": "State"}'
    assert editor.shown(link["originSelectionRange"]) == "status"
