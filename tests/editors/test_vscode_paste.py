"""Pasting JSON: as blocks, with Ctrl+V and with the command, or as text."""

import json

import pytest

from rui_common.syntax.document import read
from rui_common.validation.diagnostics import diagnose
from tests.editors.documents import GOOD
from tests.editors.test_vscode_daily import TEXT, opened
from tests.editors.workbench import Workbench

WELCOME = '{ "id": "welcome", "type": "Text", "content": "Orders come in every five minutes." }'
CLIPBOARD = (
    '// from a chat\n[{ "id": "welcome", "type": "paragraph", "text": "A" },\n { "type": "Text", "content": "B" }]'
)


def copy(code: Workbench, text: str) -> None:
    """Put a text into the clipboard."""
    code.js("await vscode.env.clipboard.writeText(text)", text=text)


def press_paste(code: Workbench) -> None:
    code.command("workbench.action.focusActiveEditorGroup")
    code.page.keyboard.press("Control+v")


def undo(code: Workbench) -> None:
    code.command("workbench.action.focusActiveEditorGroup")
    code.page.keyboard.press("Control+z")


def ids(code: Workbench) -> list[str]:
    """Return the ids of the blocks of the first section."""
    document = read(str(code.js(TEXT)))
    assert diagnose(document) == []
    assert isinstance(document.value, dict)
    return [block["id"] for block in document.value["pages"][0]["children"][0]["children"]]


def test_ctrl_v_between_blocks_pastes_blocks(code: Workbench) -> None:
    opened(code, "paste-keys", at=WELCOME)
    copy(code, CLIPBOARD)
    press_paste(code)
    code.eventually(lambda: str(code.js(TEXT)) != GOOD, True)
    assert ids(code) == ["welcome", "welcome-2", "b"]
    undo(code)
    code.eventually(lambda: code.js(TEXT), GOOD)


def test_the_text_itself_is_chosen_after_the_paste(code: Workbench) -> None:
    opened(code, "paste-chosen", at=WELCOME)
    block = ', { "id": "c", "type": "Text", "content": "C" }'
    copy(code, block)
    press_paste(code)
    code.eventually(lambda: '"C"' in str(code.js(TEXT)), True)
    assert ids(code) == ["welcome", "c"]
    code.wait_for(".post-edit-widget .monaco-button").click()
    code.page.locator(".action-widget .monaco-list-row", has_text="Plain Text").first.click()
    code.eventually(lambda: code.js(TEXT), GOOD.replace(WELCOME, WELCOME + block))


def test_ctrl_v_in_a_string_pastes_text(code: Workbench) -> None:
    opened(code, "paste-string", at="every five")
    copy(code, "[{'type': 'Text', 'content': 'x'}]")
    press_paste(code)
    code.eventually(lambda: "every five[{'type': 'Text', 'content': 'x'}] minutes" in str(code.js(TEXT)), True)


@pytest.mark.parametrize(
    ("name", "text"), [("words", "plain words"), ("json", '{"name": "x", "version": "1.0.0"}'), ("broken", '{"a": [1')]
)
def test_ctrl_v_of_another_text_pastes_it(code: Workbench, name: str, text: str) -> None:
    opened(code, f"paste-other-{name}", at=WELCOME)
    copy(code, text)
    press_paste(code)
    code.eventually(lambda: WELCOME + text in str(code.js(TEXT)), True)


def test_the_command_inserts_a_page_with_its_entry_in_one_step(code: Workbench) -> None:
    opened(code, "paste-page", at="every five")
    [page, _] = json.loads(GOOD)["pages"]
    copy(code, json.dumps(page))
    code.command("rui.pasteAsBlock")
    code.wait_for(".statusbar-item:has-text('Paste as Page and add it to navigation')")
    value = json.loads(str(code.js(TEXT)))
    assert [page["id"] for page in value["pages"]] == ["home", "home-2", "orders"]
    assert value["navigation"]["items"][-1] == {"pageId": "home-2"}
    assert diagnose(read(json.dumps(value))) == []
    undo(code)
    code.eventually(lambda: code.js(TEXT), GOOD)


def test_the_command_gives_the_reason_and_offers_the_text(code: Workbench) -> None:
    opened(code, "paste-refused", at="every five")
    copy(code, " words")
    code.js("void vscode.commands.executeCommand('rui.pasteAsBlock')")
    code.notification("The clipboard contains no JSON object or array.").get_by_role(
        "button", name="Paste as Text"
    ).click()
    code.eventually(lambda: "every five words minutes" in str(code.js(TEXT)), True)


def test_a_document_is_pasted_into_an_untitled_one(code: Workbench) -> None:
    code.js(
        "const document = await vscode.workspace.openTextDocument({ language: 'rui-json', content: '' });"
        "await vscode.window.showTextDocument(document);"
        "await until(() => vscode.window.activeTextEditor.document.languageId === 'rui-json')"
    )
    copy(code, f"Here it is:\r\n```json\r\n{GOOD}```")
    code.command("rui.pasteAsBlock")
    code.eventually(lambda: json.loads(str(code.js(TEXT)) or "0"), json.loads(GOOD))
    undo(code)
    code.eventually(lambda: code.js(TEXT), "")


def test_a_block_is_pasted_into_a_broken_document(code: Workbench) -> None:
    broken = GOOD.replace('"direction": "stack",\n', '"direction": "stack"\n', 1)
    opened(code, "paste-broken", broken, at=WELCOME, errors=1)
    copy(code, WELCOME)
    code.command("rui.pasteAsBlock")
    code.eventually(lambda: '"id": "welcome-2"' in str(code.js(TEXT)), True)
    assert str(code.js(TEXT)).count(WELCOME) == 1
