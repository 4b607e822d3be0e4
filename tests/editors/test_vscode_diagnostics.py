"""Diagnostics after each change, in the API and in the user interface."""

import pytest

from tests.editors.documents import GOOD, place_of
from tests.editors.workbench import Workbench


def test_diagnostics_follow_each_change(code: Workbench) -> None:
    path = code.write("typed.rui.json", GOOD)
    assert code.diagnostics(path) == []
    code.put_cursor(path, *place_of(GOOD, '"pageId": "orders', after=True))
    code.page.keyboard.type("x")
    found = code.diagnostics(path, until="all.length === 2")
    assert {one["code"] for one in found} == {"INVALID_NAV_PAGE_ID", "ORPHAN_PAGE"}
    assert {one["source"] for one in found} == {"rui"}
    assert found[0]["link"].startswith("command:rui.explain?")
    code.wait_for(".squiggly-error")
    code.problems_are('Error: Navigation pageId "ordersx" does not match any page.', 'Page "orders" is not linked')
    code.put_cursor(path, *place_of(code.text(path), '"ordersx', after=True))
    code.page.keyboard.type("y")
    code.problems_are('"ordersxy" does not match any page.', 'Page "orders" is not linked')
    code.put_cursor(path, *place_of(code.text(path), '"ordersxy', after=True))
    code.page.keyboard.press("Backspace")
    code.page.keyboard.press("Backspace")
    code.diagnostics(path, until="all.length === 0")
    code.problems_are()
    code.page.locator(".squiggly-error").first.wait_for(state="detached")
    assert code.text(path) == GOOD


def test_ranges_after_characters_of_two_code_units(code: Workbench) -> None:
    line = '            { "type": "Text", "content": "é😀", "id": "Né" }'
    text = GOOD.replace('            { "id": "note", "type": "Text", "content": "All that are open." }', line)
    path = code.write("units.rui.json", text)
    code.show(path)
    [error] = code.diagnostics(path, until="all.length")
    row = text[: text.index(line)].count("\n")
    start = len(line[: line.index('"Né"')].encode("utf-16-le")) // 2
    assert error["range"] == [row, start, row, start + 4]
    marked = "return (await vscode.workspace.openTextDocument(uri(path))).getText(new vscode.Range(...range))"
    assert code.js(marked, path=path, range=error["range"]) == '"Né"'


def test_the_json_server_does_not_report_diagnostics(code: Workbench) -> None:
    """VS Code's JSON server ignores these files, even if a schema is configured for them."""
    code.set("json.schemas", [{"fileMatch": ["*.rui.json"], "schema": {"type": "array"}}])
    path = code.write("broken.rui.json", GOOD.replace('"0.1",', '"0.1"'))
    code.show(path)
    found = code.diagnostics(path, until="all.length")
    assert [one["source"] for one in found] == ["rui"]
    assert code.js("return (await show(path)).document.languageId", path=path) == "rui-json"
    # When the JSON server has reported an error of another file, it would also have reported those of this file.
    other = code.write("other.json", '{"a": 1,}')
    code.show(other)
    assert {one["source"] for one in code.diagnostics(other, until="all.length")} == {"json"}
    assert code.diagnostics(path) == found
    code.set("json.schemas", None)


def test_one_status_item_shows_the_server_and_one_counter_the_errors(code: Workbench) -> None:
    path = code.write("counted.rui.json", GOOD.replace('"Text"', '"Txt"'))
    code.show(path)
    code.diagnostics(path, until="all.length === 2")
    item = code.wait_for("#status\\.problems a")
    code.eventually(lambda: item.get_attribute("aria-label"), "Errors: 2")
    assert code.page.locator("[id^='rui-toolkit']").count() == 0
    assert "RUI: running" in code.language_status()


@pytest.mark.parametrize("opening", ["vscode.commands.executeCommand('vscode.open', uri(path))", "show(path)"])
def test_diagnostics_of_a_deleted_document_are_removed(code: Workbench, opening: str) -> None:
    """Even if an extension, here the harness, keeps the document open after its editor is closed."""
    path = code.write(f"deleted-{len(opening)}.rui.json", GOOD.replace('"Text"', '"Txt"', 1))
    code.js(f"await {opening}", path=path)
    code.diagnostics(path, until="all.length === 1")
    code.command("workbench.action.closeAllEditors")
    path.unlink()
    code.diagnostics(path, until="all.length === 0")
    code.problems_are()


def test_diagnostics_of_unsaved_text_are_removed(code: Workbench) -> None:
    path = code.write("reverted.rui.json", GOOD)
    code.show(path)
    code.replace(path, "{")
    code.diagnostics(path, until="all.length")
    code.command("workbench.action.revertAndCloseActiveEditor")
    code.diagnostics(path, until="all.length === 0")
    code.problems_are()
