"""The commands of the palette, and the walkthrough."""

import json
from contextlib import suppress

import pytest
from playwright.sync_api import Error

from editors.build_vsix import EXTENSION
from rui_common.syntax.document import read
from rui_common.validation.diagnostics import diagnose
from rui_common.vocabulary.rui_0_1 import VOCABULARY
from tests.editors.workbench import Workbench

ACTIVE = "const { document } = vscode.window.activeTextEditor ?? {}; return document?.getText()"
[WALKTHROUGH] = json.loads((EXTENSION / "package.json").read_text())["contributes"]["walkthroughs"]


def create(code: Workbench, words: str, title: str) -> dict:
    """Choose a template and a title for a new document, and return its value."""
    code.wait_for(f".quick-input-list .monaco-list-row:has-text('{words}')").click()
    code.wait_for(".quick-input-widget .quick-input-message:has-text('Title of the app')")
    field = code.page.locator(".quick-input-widget .quick-input-box input")
    field.fill(title)
    field.press("Enter")
    code.js("await until(() => vscode.window.activeTextEditor?.document.isUntitled)")
    assert code.js("return vscode.window.activeTextEditor.document.languageId") == "rui-json"
    text = str(code.js(ACTIVE))
    assert diagnose(read(text)) == []
    return dict(json.loads(text))


@pytest.mark.parametrize(("words", "is_full"), [("Small", False), ("With everything", True)])
def test_a_new_document_is_made_from_a_template(code: Workbench, words: str, is_full: bool) -> None:
    code.js("void vscode.commands.executeCommand('rui.new')")
    document = create(code, words, "Our orders")
    assert document["meta"]["title"] == "Our orders"
    used = {name for name in VOCABULARY.nodes if f'"type": "{name}"' in json.dumps(document)}
    assert (used == set(VOCABULARY.nodes)) is is_full
    body = "return vscode.languages.getDiagnostics(vscode.window.activeTextEditor.document.uri)"
    code.eventually(lambda: code.js(body), [])


def test_escape_cancels_a_new_document(code: Workbench) -> None:
    for keys in (["Escape"], ["Enter", "Escape"]):
        code.js("globalThis.done = false; void vscode.commands.executeCommand('rui.new').then(() => { done = true })")
        for key in keys:
            code.wait_for(".quick-input-widget:visible .quick-input-box input:focus")
            code.page.keyboard.press(key)
        code.js("await until(() => done)")
    assert code.js(ACTIVE) is None


def test_the_vocabulary_is_shown(code: Workbench) -> None:
    code.command("rui.showVocabulary")
    code.eventually(lambda: read_in_pages(code, "h1"), [f"The vocabulary of RUI {VOCABULARY.version}"])
    assert set(VOCABULARY.nodes) <= set(read_in_pages(code, "h2"))


def read_in_pages(code: Workbench, selector: str) -> list[str]:
    """Return the texts of elements in the webview that was opened last."""
    texts: list[str] = []
    for frame in code.page.frames:
        with suppress(Error):  # Frames can be detached meanwhile.
            texts = frame.locator(selector).all_text_contents() if "fake.html" in frame.url else texts
    return texts


def test_the_walkthrough_leads_to_a_first_document(code: Workbench) -> None:
    code.command("workbench.action.openWalkthrough", f"rui-toolkit.rui#{WALKTHROUGH['id']}")
    steps = code.page.locator(".getting-started-step .step-title")
    code.eventually(steps.all_text_contents, [step["title"] for step in WALKTHROUGH["steps"]])
    for step in WALKTHROUGH["steps"]:
        code.page.locator(".getting-started-step", has_text=step["title"]).first.click()
        heading = (EXTENSION / step["media"]["markdown"]).read_text().partition("\n")[0].lstrip("# ")
        code.eventually(lambda: read_in_pages(code, "h1, h2")[:1], [heading])
    code.page.locator(".getting-started-step", has_text=WALKTHROUGH["steps"][0]["title"]).first.click()
    code.page.get_by_role("button", name="New RUI").click()
    assert create(code, "Small", "First")["meta"]["title"] == "First"
    code.command("workbench.action.previousEditor")
    code.wait_for(".getting-started-step .complete.codicon-getting-started-step-checked")
