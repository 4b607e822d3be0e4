"""Fixes, completion, rename and formatting, by the usual keys."""

from rui_common.syntax.document import read
from rui_common.validation.diagnostics import diagnose
from tests.editors.documents import GOOD, place_of
from tests.editors.workbench import Workbench


def test_a_quick_fix_is_chosen_from_the_menu(code: Workbench) -> None:
    path = code.write("fix.rui.json", GOOD.replace('"Text"', '"Txt"', 1))
    code.show(path)
    code.diagnostics(path, until="all.length === 1")
    code.put_cursor(path, *place_of(code.text(path), "Txt"))
    code.open_fixes()
    code.page.keyboard.press("Enter")
    code.diagnostics(path, until="all.length === 0")
    assert code.text(path) == GOOD


BROKEN = GOOD.replace('"Text"', '"Txt"', 1).replace('"title": "Orders",\n', '"titel": "Orders",\n', 1)


def test_fix_all_applies_safe_fixes(code: Workbench) -> None:
    path = code.write("all.rui.json", BROKEN)
    code.show(path)
    code.diagnostics(path, until="all.length === 3")
    code.put_cursor(path, 0, 0)
    code.wait_for(".squiggly-error")

    code.fix_all()
    code.diagnostics(path, until="all.length === 0")
    assert code.text(path) == GOOD


def test_fix_all_and_format_on_save(code: Workbench) -> None:
    code.set("editor.codeActionsOnSave", {"source.fixAll": "explicit"})
    code.set("editor.formatOnSave", True)
    path = code.write("saved.rui.json", BROKEN.replace('  "version"', '"version"').replace("      ", "   "))
    code.show(path)
    code.diagnostics(path, until="all.length")
    code.put_cursor(path, 0, 0)
    before = code.js("return vscode.window.activeTextEditor.document.version")
    code.page.keyboard.type(" ")
    code.page.keyboard.press("Control+s")
    # The document is also not dirty before the extension host has received the first key.
    body = "const { document } = vscode.window.activeTextEditor; return document.version > before && !document.isDirty"
    code.js(f"await until(() => {{ {body} }})", before=before)
    assert path.read_text() == code.text(path)
    formatted = path.read_text().split("\n")
    assert formatted[1] == '  "version": "0.1",'
    assert diagnose(read(path.read_bytes())) == []
    assert '"titel"' not in path.read_text()
    code.set("editor.codeActionsOnSave", None)
    code.set("editor.formatOnSave", None)


def test_completion_is_accepted_in_broken_json(code: Workbench) -> None:
    """The text ends at the cursor: no value, comma or bracket follows."""
    text = GOOD[: GOOD.index('"type": "Text"')]
    path = code.write("half.rui.json", text)
    code.show(path)
    code.diagnostics(path, until="all.length === 1")
    code.put_cursor(path, *place_of(text, '"welcome", ', after=True))
    code.page.keyboard.type('"ty', delay=50)
    code.eventually(lambda: [row.split(",")[0] for row in code.rows_of(".suggest-widget.visible")], ["type"])
    code.page.keyboard.press("Tab")
    code.js('await until(() => /"welcome", "type": "/.test(vscode.window.activeTextEditor.document.getText()))')
    code.page.keyboard.press("Escape")
    assert code.text(path).startswith(text + '"type": "')


def test_an_id_and_its_references_are_renamed(code: Workbench) -> None:
    path = code.write("rename.rui.json", GOOD)
    code.show(path)
    code.js("await until(async () => (await vscode.commands.executeCommand("
            "'vscode.executeDocumentSymbolProvider', uri(path)))?.length)", path=path)  # fmt: skip
    code.put_cursor(path, *place_of(GOOD, '"pageId": "ord', after=True))
    code.page.keyboard.press("F2")
    code.wait_for(".rename-box input:focus")
    code.page.keyboard.press("Control+a")
    code.page.keyboard.type("sales")
    code.page.keyboard.press("Enter")
    code.js("await until(async () => vscode.window.activeTextEditor.document.getText().includes('sales'))")
    expected = GOOD.replace('"pageId": "orders"', '"pageId": "sales"').replace('"id": "orders"', '"id": "sales"')
    assert code.text(path) == expected
    assert code.diagnostics(path) == []


def test_enter_after_a_value_adds_a_comma(code: Workbench) -> None:
    text = GOOD.replace('"direction": "stack",\n', '"direction": "stack"\n', 1)
    path = code.write("comma.rui.json", text)
    code.show(path)
    code.diagnostics(path, until="all.length")
    code.put_cursor(path, *place_of(text, '"direction": "stack"', after=True))
    code.page.keyboard.press("Enter")
    code.js("await until(() => vscode.window.activeTextEditor.document.getText().includes('\"stack\",'))")
    code.diagnostics(path, until="all.length === 0")


def test_references_are_followed(code: Workbench) -> None:
    path = code.write("follow.rui.json", GOOD)
    code.show(path)
    code.js("await until(async () => (await vscode.commands.executeCommand("
            "'vscode.executeDocumentSymbolProvider', uri(path)))?.length)", path=path)  # fmt: skip
    here = place_of(GOOD, '"pageId": "ord', after=True)
    ask = "vscode.commands.executeCommand('vscode.executeReferenceProvider', uri(path), at(...here))"
    places = code.js(f"return (await {ask}).map((one) => one.range.start.line)", path=path, here=here)
    assert sorted(places) == [here[0], place_of(GOOD, '"id": "orders"')[0]]
    code.put_cursor(path, *here)
    code.page.keyboard.press("F12")
    code.js("await until(() => vscode.window.activeTextEditor.selection.active.line === line)", line=max(places))
