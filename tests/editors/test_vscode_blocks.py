"""Blocks as things, and completion that learns, in the real workbench."""

import json

from tests.editors.documents import GOOD
from tests.editors.workbench import TEXT, Workbench, opened

SELECTED = "const { document, selection } = vscode.window.activeTextEditor; return document.getText(selection)"
BINDING = {"type": "read", "method": "GET", "path": "/api/orders/open", "valuePath": "data.open"}
METRIC = {"id": "m", "type": "Metric", "label": "Open", "binding": BINDING}
NOTE = '{ "id": "note", "type": "Text", "content": "All that are open." }'


def test_the_cursor_follows_a_copy_and_an_extracted_section(code: Workbench) -> None:
    opened(code, "copied", at='"note", "type')
    code.act("Duplicate the Text")
    code.eventually(lambda: code.js(SELECTED), "note-2")
    assert f"{NOTE},\n            {NOTE.replace('note', 'note-2')}" in str(code.js(TEXT))
    code.act("Extract the Text into a new Section")
    code.eventually(lambda: code.js(SELECTED), "section-1")
    code.page.keyboard.type("more")
    code.eventually(lambda: '"id": "more",\n          "type": "Section"' in str(code.js(TEXT)), True)
    code.page.keyboard.press("Control+z")


def test_all_faults_are_fixed_from_the_menu(code: Workbench) -> None:
    text = GOOD.replace('"Section"', '"Secton"').replace('"Text"', '"Txet"')
    path = opened(code, "all", text, at='"Secto', errors=4)
    code.act("Fix all 4 problems")
    code.eventually(lambda: code.text(path), GOOD)


def test_a_path_is_learned_at_its_tab_stop(code: Workbench) -> None:
    text = GOOD.replace(NOTE, f"{json.dumps(METRIC)},\n{json.dumps(METRIC).replace('/api/orders/open', '/TODO')}")
    path = opened(code, "learned", text.replace('"m"', '"m-2"', 1), at='"/TODO', errors=1)
    code.page.keyboard.press("Shift+Control+ArrowLeft")
    code.page.keyboard.press("Control+Space")
    code.wait_for(".suggest-widget.visible .monaco-list-row.focused:has-text('/api/orders/open')")
    code.page.keyboard.press("Enter")
    code.eventually(lambda: code.text(path).count('"path": "/api/orders/open"'), 2)


def test_the_id_of_a_completed_page_is_linked_to_its_entry(code: Workbench) -> None:
    end = '"All that are open." }\n          ]\n        }\n      ]\n    }'
    path = opened(code, "page", at=end)
    code.page.keyboard.press("Enter")
    code.page.keyboard.type("p")
    code.wait_for(".suggest-widget.visible .monaco-list-row.focused:has-text('Page')")
    code.page.keyboard.press("Enter")
    code.eventually(lambda: code.js(SELECTED), "page-1")
    code.wait_for(".linked-editing-decoration")
    code.page.keyboard.type("stock")
    code.eventually(lambda: code.text(path).count('"stock"'), 2)
    assert '"pageId": "stock"' in code.text(path)
