"""Refactorings by the menu of actions and by F2."""

import json

from tests.editors.documents import GOOD
from tests.editors.test_vscode_daily import TEXT, opened
from tests.editors.workbench import Workbench

METRIC = '{{ "id": "{id}", "type": "Metric", "label": "A", "binding": {binding} }},\n            {{ "id": "welcome"'
BINDING = '{ "type": "read", "method": "GET", "path": "/api/orders", "valuePath": "n" }'
SHARED = GOOD
for number in (1, 2):
    SHARED = SHARED.replace('{ "id": "welcome"', METRIC.format(id=f"metric-{number}", binding=BINDING))


def page_ids(code: Workbench) -> list[str]:
    return [page["id"] for page in json.loads(str(code.js(TEXT)))["pages"]]


def test_a_page_moves_up_and_down(code: Workbench) -> None:
    opened(code, "moved", at='      "id": "ord')
    code.act("Move the Page up")
    code.eventually(lambda: page_ids(code), ["orders", "home"])
    assert code.diagnostics(code.folder / "moved.rui.json") == []
    code.act("Move the Page down")
    code.eventually(lambda: page_ids(code), ["home", "orders"])
    assert code.js(TEXT) == GOOD


def test_a_page_is_deleted_with_its_navigation_entry(code: Workbench) -> None:
    opened(code, "deleted", at='      "id": "ord')
    code.act("Delete the Page and the element that refers to it")
    code.eventually(lambda: page_ids(code), ["home"])
    items = json.loads(str(code.js(TEXT)))["navigation"]["items"]
    assert [item["pageId"] for item in items] == ["home"]
    code.diagnostics(code.folder / "deleted.rui.json", until="all.length === 0")
