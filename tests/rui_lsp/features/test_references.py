"""Find references."""

import pytest

from tests.rui_lsp.marked import CURSOR, DOCUMENT, opened


def check(text, expected, *, include):
    """`expected` are the lines of the references, in order."""
    at = opened(text)
    found = at.request("textDocument/references", context={"includeDeclaration": include})
    lines = at.text.split("\n")
    assert [lines[item["range"]["start"]["line"]].strip() for item in found or []] == expected


HOME_USES = ['{"pageId": "home", "label": "Start"},', '{"label": "😀", "pageId": "home"}']
COLUMNS = '"columns": [{"key": "status", "label": "State"}, {"key": "home"}],'
FILTER = '"filter": {"field": "status", "options": [{"value": "status"}]}},'


@pytest.mark.parametrize(
    ("before", "after", "include", "expected"),
    [
        ('"id": "ho', 'me"', False, HOME_USES),
        ('"id": "ho', 'me"', True, [*HOME_USES, '"id": "home",']),
        ('{"pageId": "ho', 'me"', True, [*HOME_USES, '"id": "home",']),
        ('{"key": "st', 'atus"', False, [FILTER]),
        ('{"field": "st', 'atus"', True, [COLUMNS, FILTER]),
        ('{"id": "st', 'ock"', False, []),
        ('{"pageId": "to', 'dy"', False, ['{"pageId": "tody"},']),
        ('"title": "At', ' home"', True, []),
    ],
)
def test_names(before, after, include, expected):
    check(DOCUMENT.replace(before + after, before + CURSOR + after, 1), expected, include=include)


def test_a_column_of_another_table_is_another_name():
    table = '{"id": "t", "type": "Table", "columns": [{"key": "status"}]},'
    text = DOCUMENT.replace('{"id": "note"', f'{table}\n{{"id": "note"').replace('"field": "', f'"field": "{CURSOR}')
    check(text, [COLUMNS, FILTER], include=True)
