"""Limited workspaces: an untrusted workspace with a virtual folder."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.editors.documents import GOOD
from tests.editors.workbench import Workbench, workbench

FAULTY = GOOD.replace('"Text"', '"Txt"', 1)
WRONG = {
    "rui.server.command": ["/bin/false"], "rui.interpreter": "/no/such", "rui.server.url": "http://127.0.0.1:7",
    "rui.openapi": "api.yaml",
}  # fmt: skip
OWN = {"rui.server.url": "http://127.0.0.1:9"}
"""The settings of the workspace and of the user. There is no service at either URL."""

EXTENSION = "vscode.extensions.getExtension('rui-toolkit.rui')"
SERVER = f"return {EXTENSION}.exports.server"


@pytest.fixture(scope="module")
def limited(vsix: Path, browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workbench]:
    where = tmp_path_factory.mktemp("limited")
    folders = [{"path": "folder"}, {"uri": "memory:/virtual", "name": "virtual"}]
    opens, files = {"folders": folders, "settings": WRONG}, {"inner/orders.rui.json": GOOD}
    with workbench(vsix, where, OWN, browser=browser, opens=opens, files=files) as running:
        yield running


def test_the_server_starts_when_the_workspace_contains_a_document(limited: Workbench) -> None:
    limited.js(f"await until(() => {EXTENSION}.isActive && {EXTENSION}.exports.server.isRunning)")
    opened = limited.js("return vscode.workspace.textDocuments.map((document) => document.uri.fsPath)")
    assert [name for name in opened if name.endswith(".rui.json")] == []


def test_without_trust_the_settings_of_the_workspace_are_ignored(limited: Workbench) -> None:
    path = limited.write("restricted.rui.json", FAULTY)
    limited.show(path)
    assert limited.js("return vscode.workspace.isTrusted") is False
    limited.diagnostics(path, until="all.length === 1")
    assert limited.js(f"{SERVER}.launched")["args"][2].endswith("/bundled/rui_server.py")
    assert limited.js(f"{SERVER}.client.clientOptions.initializationOptions") == {"isWorkspaceTrusted": False}
    assert limited.js("return vscode.workspace.getConfiguration('rui', uri(path)).get('openapi')", path=path) == ""
    assert "Restricted Mode: rui.toml, and workspace settings that name a program" in limited.language_status()
    # Documents are published to the service of the user settings.
    limited.replace(path, GOOD)
    limited.diagnostics(path, until="all.length === 0")
    limited.js("void vscode.commands.executeCommand('rui.publishDocument')")
    limited.notification("127.0.0.1:9")
    limited.command("notifications.clearAll")
    limited.command("rui.openPreview")
    limited.eventually(lambda: any("fake.html" in frame.url for frame in limited.page.frames), True)


def test_an_open_document_in_a_virtual_folder_is_validated_and_fixed(limited: Workbench) -> None:
    limited.js("remember('/virtual/one.rui.json', text); remember('/virtual/two.rui.json', text)", text=FAULTY)
    limited.js("await vscode.window.showTextDocument(vscode.Uri.parse('memory:/virtual/one.rui.json'))")
    diagnostics = "vscode.languages.getDiagnostics(vscode.Uri.parse('memory:/virtual/%s.rui.json'))"
    limited.js(f"await until(() => {diagnostics % 'one'}.length === 1)")
    assert limited.js(f"return {diagnostics % 'two'}") == []
    assert "Virtual workspace: only open documents are validated" in limited.language_status()
    limited.fix_all()
    limited.js(f"await until(() => {diagnostics % 'one'}.length === 0)")
    assert limited.js("return vscode.window.activeTextEditor.document.getText()") == GOOD
    limited.command("workbench.action.files.save")
    limited.js("await until(() => !vscode.window.activeTextEditor.document.isDirty)")


def test_in_a_read_only_folder_a_changed_document_is_published_on_request(limited: Workbench) -> None:
    active = "vscode.window.activeTextEditor.document"
    limited.js("remember('/virtual/read-only.rui.json', text)", text=GOOD)
    limited.js("await vscode.window.showTextDocument(vscode.Uri.parse('memory:/virtual/read-only.rui.json'))")
    limited.command("workbench.action.focusActiveEditorGroup")
    limited.page.keyboard.press("Control+Home")
    limited.page.keyboard.type(" ")
    limited.js(f"await until(() => {active}.isDirty)")
    limited.js("void vscode.commands.executeCommand('rui.publishDocument')")
    message = limited.notification("read-only.rui.json is not published: it is not saved to a file.")
    message.get_by_role("button", name="Publish without Saving").press("Enter")
    limited.notification("read-only.rui.json is not published: cannot reach")
    assert limited.js(f"return [{active}.isDirty, {active}.getText()]") == [True, f" {GOOD}"]
    limited.command("workbench.action.revertAndCloseActiveEditor")


def test_with_trust_the_settings_of_the_workspace_are_used(limited: Workbench) -> None:
    """Must be the last test: trust cannot be revoked."""
    limited.command("notifications.clearAll")
    limited.command("workbench.trust.manage")
    trust = limited.page.locator(".workspace-trust-editor").get_by_role("button", name="Trust").first
    is_trusted = "return vscode.workspace.isTrusted"
    limited.retry(trust.click, lambda: bool(limited.js(is_trusted)))
    limited.notification("RUI cannot start the command of rui.server.command: /bin/false")
