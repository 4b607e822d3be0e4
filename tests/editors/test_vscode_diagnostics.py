"""Faults, as they come and go while somebody writes: from the API, and as a person sees them."""

import pytest

from tests.editors.documents import GOOD, place_of
from tests.editors.workbench import Workbench


def test_faults_appear_change_and_clear_as_one_types(code: Workbench) -> None:
    path = code.write("typed.rui.json", GOOD)
    assert code.diagnostics(path) == []
    code.put_cursor(path, *place_of(GOOD, '"pageId": "orders', after=True))
    code.page.keyboard.type("x")
    found = code.diagnostics(path, until="all.length === 2")
    assert {one["code"] for one in found} == {"INVALID_NAV_PAGE_ID", "ORPHAN_PAGE"}
    assert {one["source"] for one in found} == {"rui"}
    assert found[0]["link"].startswith("https://")
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
    code.page.locator(".squiggly-error").wait_for(state="detached")
    assert code.text(path) == GOOD


def test_places_are_right_behind_characters_of_two_units(code: Workbench) -> None:
    line = '            { "type": "Text", "content": "é😀", "id": "Né" }'
    text = GOOD.replace('            { "id": "note", "type": "Text", "content": "All that are open." }', line)
    path = code.write("units.rui.json", text)
    code.show(path)
    [fault] = code.diagnostics(path, until="all.length")
    row = text[: text.index(line)].count("\n")
    start = len(line[: line.index('"Né"')].encode("utf-16-le")) // 2
    assert fault["range"] == [row, start, row, start + 4]
    marked = "return (await vscode.workspace.openTextDocument(uri(path))).getText(new vscode.Range(...range))"
    assert code.js(marked, path=path, range=fault["range"]) == '"Né"'


def test_json_is_not_checked_twice(code: Workbench) -> None:
    """VS Code's own language server for JSON stays out of it, even if somebody has set a schema for these files."""
    code.set("json.schemas", [{"fileMatch": ["*.rui.json"], "schema": {"type": "array"}}])
    path = code.write("broken.rui.json", GOOD.replace('"0.1",', '"0.1"'))
    code.show(path)
    found = code.diagnostics(path, until="all.length")
    assert [one["source"] for one in found] == ["rui"]
    assert code.js("return (await show(path)).document.languageId", path=path) == "rui-json"
    # The other server has had its turn once it has found what is wrong with a file of its own.
    other = code.write("other.json", '{"a": 1,}')
    code.show(other)
    assert {one["source"] for one in code.diagnostics(other, until="all.length")} == {"json"}
    assert code.diagnostics(path) == found
    code.set("json.schemas", None)


def test_the_status_bar_counts(code: Workbench) -> None:
    path = code.write("counted.rui.json", GOOD.replace('"Text"', '"Txt"'))
    code.show(path)
    code.diagnostics(path, until="all.length === 2")
    item = code.wait_for("#rui-toolkit\\.rui\\.rui\\.findings a")
    code.eventually(lambda: item.get_attribute("aria-label"), "RUI: 2 errors, no warnings")
    code.js(
        "await (await show(path)).edit(edit => edit.replace(new vscode.Range(0, 0, 999, 0), text))",
        path=path,
        text=GOOD,
    )
    code.eventually(lambda: item.get_attribute("aria-label"), "RUI: no errors")


@pytest.mark.parametrize("opening", ["vscode.commands.executeCommand('vscode.open', uri(path))", "show(path)"])
def test_nothing_stays_of_a_document_that_is_deleted(code: Workbench, opening: str) -> None:
    """Not even if an extension, as here the tests' own, keeps the document for itself when its editor is closed."""
    path = code.write(f"deleted-{len(opening)}.rui.json", GOOD.replace('"Text"', '"Txt"', 1))
    code.js(f"await {opening}", path=path)
    code.diagnostics(path, until="all.length === 1")
    code.command("workbench.action.closeAllEditors")
    path.unlink()
    code.diagnostics(path, until="all.length === 0")
    code.problems_are()


def test_what_was_not_saved_does_not_stay_either(code: Workbench) -> None:
    path = code.write("reverted.rui.json", GOOD)
    code.show(path)
    code.replace(path, "{")
    code.diagnostics(path, until="all.length")
    code.command("workbench.action.revertAndCloseActiveEditor")
    code.diagnostics(path, until="all.length === 0")
    code.problems_are()
