"""What an author meets every day: prose, new lines, hidden surprises of completion, links and publishing."""

import re

import httpx

from tests.editors.documents import GOOD, place_of
from tests.editors.test_vscode_commands import read_in_pages
from tests.editors.workbench import Workbench
from tests.rui_api.live import Service

TEXT = "return vscode.window.activeTextEditor.document.getText()"


def opened(code: Workbench, name: str, text: str = GOOD, *, at: str = "", errors: int = 0) -> None:
    """Open a document, wait for its errors, and put the cursor after some words."""
    path = code.write(f"{name}.rui.json", text)
    code.show(path)
    code.js("await until(async () => (await vscode.commands.executeCommand("
            "'vscode.executeDocumentSymbolProvider', uri(path)))?.length)", path=path)  # fmt: skip
    code.diagnostics(path, until=f"all.length === {errors}")
    code.put_cursor(path, *(place_of(text, at, after=True) if at else (0, 0)))


def test_nothing_is_proposed_in_prose(code: Workbench) -> None:
    opened(code, "prose", at="every five minutes.")
    for letter in " Ord":
        code.page.keyboard.type(letter)
        code.page.wait_for_timeout(150)
        assert code.page.locator(".suggest-widget.visible").count() == 0
    code.page.keyboard.press("Tab")
    code.page.keyboard.type("x")
    code.eventually(lambda: bool(re.search(r'minutes\. Ord +x" }', str(code.js(TEXT)))), True)


def test_enter_after_a_bracket_is_a_new_line(code: Workbench) -> None:
    opened(code, "bracket", at='"content": "Orders come in every five minutes." }')
    code.page.keyboard.type(", {")
    code.page.wait_for_timeout(400)
    code.page.keyboard.press("Enter")
    code.eventually(lambda: str(code.js(TEXT)).count("\n"), GOOD.count("\n") + 2)
    assert "metric-1" not in str(code.js(TEXT))


def test_a_quote_selects_the_first_proposal_as_soon_as_a_letter_follows(code: Workbench) -> None:
    opened(code, "quote", at='"id": "main",')
    code.page.keyboard.press("Enter")
    code.page.keyboard.type('"ti', delay=50)
    code.wait_for(".suggest-widget.visible .monaco-list-row.focused")
    code.page.keyboard.press("Tab")
    code.eventually(lambda: '"title": "' in str(code.js(TEXT))[: GOOD.index('"stack"')].split('"main"')[1], True)


def test_a_comma_is_added_while_the_next_keys_are_typed(code: Workbench) -> None:
    text = GOOD.replace('"direction": "stack",\n', '"direction": "stack"\n', 1)
    for pause in (0, 30, 80, 120):
        opened(code, f"fast-{pause}", text, at='"direction": "stack"', errors=1)
        code.page.keyboard.press("Enter")
        code.page.wait_for_timeout(pause)
        code.page.keyboard.type('"title": "T",', delay=pause)
        code.eventually(lambda: {'"direction": "stack",', '"title": "T",'} <= stripped_lines(code), True)


def test_a_block_is_added_after_another_one(code: Workbench) -> None:
    opened(code, "after", at='every five minutes." }')
    code.page.keyboard.press("Enter")
    code.page.keyboard.type("m")
    code.wait_for(".suggest-widget.visible .monaco-list-row.focused[aria-label^=Metric]")
    code.page.keyboard.press("Enter")
    code.eventually(lambda: '"type": "Metric"' in str(code.js(TEXT)), True)
    assert '." },' in str(code.js(TEXT))
    assert code.diagnostics(code.folder / "after.rui.json") == []


def stripped_lines(code: Workbench) -> set[str]:
    return {line.strip() for line in str(code.js(TEXT)).split("\n")}


def test_an_error_without_a_fix_does_not_prevent_the_others(code: Workbench) -> None:
    text = GOOD.replace('"type": "Text", "content"', '"type": "Text", "foo": 1, "text"', 1)
    opened(code, "partly", "// the app\n" + text.replace('"version"', '"version" /* 0 */'), errors=5)
    code.fix_all()
    code.eventually(lambda: '"foo": 1, "content": "Orders' in str(code.js(TEXT)), True)
    # Comments stay until their author removes them.
    assert "// the app" in str(code.js(TEXT)) and "/* 0 */" in str(code.js(TEXT))


def test_the_code_of_an_error_leads_to_the_page_of_its_rule(code: Workbench) -> None:
    opened(code, "rule", GOOD.replace('"Text"', '"Txt"', 1), errors=1)
    code.problems()
    code.wait_for(".markers-panel a:has-text('UNKNOWN_TYPE')").click()
    code.eventually(lambda: read_in_pages(code, "h1"), ["R5 UNKNOWN_TYPE"])


def test_formatting_broken_json_says_why_not(code: Workbench) -> None:
    opened(code, "unformatted", GOOD.replace('"0.1",', '"0.1"'), errors=1)
    code.command("editor.action.formatDocument")
    code.wait_for(".statusbar-item:has-text('Not formatted. Line 3: Expected comma')")


UNBOUND = GOOD.replace('{ "id": "w', '{ "id": "m", "type": "Metric", "label": "M" },\n            { "id": "w', 1)


def test_an_added_binding_asks_for_its_addresses(code: Workbench) -> None:
    opened(code, "binding", UNBOUND, at='"Metri', errors=1)
    code.act('Add "binding"')
    code.js("await until(() => vscode.window.activeTextEditor.document.getText().includes('\"binding\"'))")
    code.page.keyboard.type("/api/x")
    code.page.keyboard.press("Tab")
    code.page.keyboard.type("a.b")
    code.eventually(lambda: '"path": "/api/x", "valuePath": "a.b"' in str(code.js(TEXT)), True)


def test_an_added_binding_is_indented_like_its_siblings(code: Workbench) -> None:
    indent = "\n" + 12 * " "
    metric = (
        f'{{{indent}  "id": "m",{indent}  "type": "Metric",{indent}  "label": "M"{indent}}},{indent}{{ "id": "welcome"'
    )
    opened(code, "indented", GOOD.replace('{ "id": "welcome"', metric), at='"Metri', errors=1)
    code.act('Add "binding"')
    code.eventually(lambda: f'"label": "M",{indent}  "binding": {{' in str(code.js(TEXT)), True)


def test_an_added_binding_is_marked_until_its_addresses_are_set(code: Workbench) -> None:
    opened(code, "marked", UNBOUND, at='"Metri', errors=1)
    code.act('Add "binding"')
    code.js("await until(() => vscode.window.activeTextEditor.document.getText().includes('\"binding\"'))")
    code.page.keyboard.press("Escape")
    path = code.folder / "marked.rui.json"
    found = code.diagnostics(path, until="all.length === 2")
    assert [one["code"] for one in found] == ["PLACEHOLDER", "PLACEHOLDER"]
    code.put_cursor(path, *place_of(str(code.js(TEXT)), '"path": "/TODO', after=True))
    code.page.keyboard.type("/today")
    code.diagnostics(path, until="all.length === 1")


def test_the_references_to_an_id_change_while_it_is_typed(code: Workbench) -> None:
    opened(code, "linked", at='"id": "orders')
    code.page.wait_for_timeout(800)  # VS Code requests the ranges after a pause.
    code.page.keyboard.type("-2")
    code.eventually(lambda: str(code.js(TEXT)).count('"orders-2"'), 2)


def test_publishing_saves_first(code: Workbench, service: Service) -> None:
    code.set("rui.server.url", service.url)
    opened(code, "unsaved", at="every five minutes.")
    code.page.keyboard.type(" Today.")
    code.js("await until(() => vscode.window.activeTextEditor.document.isDirty)")
    url = str(code.command("rui.publishDocument"))
    assert "minutes. Today." in (code.folder / "unsaved.rui.json").read_text()
    assert "minutes. Today." in httpx.get(url).text
    code.set("rui.server.url", None)


def test_a_refusal_has_a_button_to_its_reason(code: Workbench) -> None:
    code.set("rui.server.url", "http://127.0.0.1:9")
    opened(code, "refused-by")
    assert code.command("rui.publishDocument") is None
    assert code.notification("127.0.0.1:9").get_by_role("button", name="Change Address").count() == 1
    code.set("rui.server.url", None)
