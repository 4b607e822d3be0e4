"""Bindings and an OpenAPI description in VS Code, with the server of the extension: it reads YAML without libyaml."""

import json

from tests.editors.documents import place_of
from tests.editors.openapi import SHOP, WRONG, add_description
from tests.editors.workbench import Workbench

STATUS = WRONG.replace('"stats"', '"status"')


def test_a_warning_is_fixed(code: Workbench) -> None:
    add_description(code.folder)
    path = code.write("api-fix.rui.json", WRONG)
    code.show(path)
    [warning] = code.diagnostics(path, until="all.length === 1")
    assert warning["code"] == "UNKNOWN_FIELD"
    code.wait_for(".squiggly-warning")
    code.put_cursor(path, *place_of(WRONG, '"stats'))
    code.open_fixes()
    code.wait_for('.action-widget .monaco-list-row:has-text("by all 6 other columns")')
    code.page.keyboard.press("Enter")
    code.diagnostics(path, until="all.length === 0")
    assert code.text(path) == STATUS


def test_a_changed_description_rechecks_open_documents(code: Workbench) -> None:
    add_description(code.folder)
    path = code.write("api-change.rui.json", STATUS)
    code.show(path)
    code.eventually(lambda: "List orders" in hover(code, path, '"/orders'), True)
    assert code.diagnostics(path) == []
    add_description(code.folder, SHOP.replace("/orders", "/sales"))
    [warning] = code.diagnostics(path, until="all.length === 1")
    assert warning["code"] == "UNKNOWN_PATH"


def hover(code: Workbench, path: object, mark: str) -> str:
    body = (
        "const all = await vscode.commands.executeCommand('vscode.executeHoverProvider', uri(path), at(...place));"
        "return all.flatMap((one) => one.contents).map((one) => one.value).join()"
    )
    return str(code.js(body, path=path, place=place_of(code.text(path), mark, after=True)))


def suggest(code: Workbench, words: str) -> None:
    """Request suggestions until one has the words. A list that was requested while the text changed stays old."""
    row = code.page.locator(f'.suggest-widget.visible .monaco-list-row:has-text("{words}")').first

    def request() -> None:
        code.page.wait_for_timeout(1_000)
        code.page.keyboard.press("Escape")
        code.command("editor.action.triggerSuggest")

    code.retry(request, row.is_visible)


def test_paths_and_columns_are_completed(code: Workbench) -> None:
    add_description(code.folder)
    text = STATUS.replace('"/orders"', '"/"')
    path = code.write("api-complete.rui.json", text)
    code.show(path)
    code.diagnostics(path, until="all.length === 1")
    code.put_cursor(path, *place_of(text, '"path": "/', after=True))
    code.page.keyboard.type("ord")
    suggest(code, "/orders")
    code.wait_for('.suggest-widget.visible .monaco-list-row:has-text("List orders")')
    code.retry(
        lambda: code.page.keyboard.press("Enter"),
        lambda: '"path": "/orders"' in code.text(path),
    )
    code.diagnostics(path, until="all.length === 0")
    after = code.text(path)
    code.put_cursor(path, *place_of(after, '{"key": "status"}', after=True))
    code.page.keyboard.type(", ")
    suggest(code, "all 5 other columns")
    code.retry(
        lambda: code.page.keyboard.press("Enter"),
        lambda: '"key": "extra"' in code.text(path),
    )
    code.diagnostics(path, until="all.length === 0")
    table = json.loads(code.text(path))["pages"][0]["children"][0]["children"][0]
    assert [column["key"] for column in table["columns"]] == [
        "id", "status", "created", "email", "amount", "paid", "extra",
    ]  # fmt: skip


def test_hover_and_definition_lead_to_the_description(code: Workbench) -> None:
    add_description(code.folder)
    path = code.write("api-definition.rui.json", STATUS)
    code.show(path)
    code.eventually(lambda: "List orders" in hover(code, path, '"/orders'), True)
    assert "`open`, `shipped`" in hover(code, path, '"status')
    body = (
        "const all = await vscode.commands.executeCommand('vscode.executeDefinitionProvider', uri(path), at(...place));"
        "return all.map((one) => [(one.targetUri ?? one.uri).path.split('/').pop(),"
        " (one.targetSelectionRange ?? one.range).start.line])"
    )
    lines = {'"/orders': "    get:", '"valuePath": "items': "        items: {", '"status': "        - {type: object"}
    for mark, line in lines.items():
        row = next(number for number, text in enumerate(SHOP.split("\n")) if text.startswith(line))
        found = code.js(body, path=path, place=place_of(STATUS, mark, after=True))
        assert found == [["openapi.yaml", row]]


def test_a_broken_description_is_one_message(code: Workbench) -> None:
    add_description(code.folder, "openapi: [")
    path = code.write("api-broken.rui.json", WRONG)
    code.show(path)
    code.notification("Bindings are not compared with an API: cannot read")
    add_description(code.folder)
    code.diagnostics(path, until="all.length === 1")


def test_the_setting_names_the_description(code: Workbench) -> None:
    (code.folder / "other.yaml").write_text(SHOP)
    path = code.write("api-setting.rui.json", WRONG)
    code.show(path)
    code.set("rui.openapi", "other.yaml")
    [warning] = code.diagnostics(path, until="all.length === 1")
    assert warning["code"] == "UNKNOWN_FIELD"
    code.set("rui.openapi", None)
    code.diagnostics(path, until="all.length === 0")
