"""Where not everything works: a workspace that nobody has trusted, with a folder that is on no disk."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.editors.documents import GOOD
from tests.editors.workbench import Workbench, workbench

FAULTY = GOOD.replace('"Text"', '"Txt"', 1)
WRONG = {"rui.server.command": ["/bin/false"], "rui.interpreter": "/no/such", "rui.server.url": "http://127.0.0.1:7"}
OWN = {"rui.server.url": "http://127.0.0.1:9"}
"""What the workspace says, and what the user does. Nobody listens at either place."""

LAUNCHED = "return vscode.extensions.getExtension('rui-toolkit.rui').exports.server.launched"


@pytest.fixture(scope="module")
def limited(vsix: Path, browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workbench]:
    where = tmp_path_factory.mktemp("limited")
    folders = [{"path": "folder"}, {"uri": "memory:/virtual", "name": "virtual"}]
    with workbench(vsix, where, OWN, browser=browser, opens={"folders": folders, "settings": WRONG}) as running:
        yield running


def test_without_trust_the_bundled_server_runs_and_no_setting_of_the_workspace_counts(limited: Workbench) -> None:
    path = limited.write("restricted.rui.json", FAULTY)
    limited.show(path)
    assert limited.js("return vscode.workspace.isTrusted") is False
    limited.diagnostics(path, until="all.length === 1")
    assert limited.js(LAUNCHED)["args"][2].endswith("/bundled/rui_server.py")
    assert (
        "Restricted Mode: workspace settings that name a program or a service are ignored" in limited.language_status()
    )
    # It is the user's own service that documents go to.
    limited.replace(path, GOOD)
    limited.diagnostics(path, until="all.length === 0")
    limited.js("void vscode.commands.executeCommand('rui.publishDocument')")
    limited.notification("127.0.0.1:9")
    limited.command("notifications.clearAll")
    limited.command("rui.openPreview")
    limited.eventually(lambda: any("fake.html" in frame.url for frame in limited.page.frames), True)


def test_a_document_on_no_disk_is_checked_and_mended_while_it_is_open(limited: Workbench) -> None:
    limited.js("remember('/virtual/one.rui.json', text); remember('/virtual/two.rui.json', text)", text=FAULTY)
    limited.js("await vscode.window.showTextDocument(vscode.Uri.parse('memory:/virtual/one.rui.json'))")
    of = "vscode.languages.getDiagnostics(vscode.Uri.parse('memory:/virtual/%s.rui.json'))"
    limited.js(f"await until(() => {of % 'one'}.length === 1)")
    assert limited.js(f"return {of % 'two'}") == []
    assert "Virtual workspace: only open documents are validated" in limited.language_status()
    limited.fix_all()
    limited.js(f"await until(() => {of % 'one'}.length === 0)")
    assert limited.js("return vscode.window.activeTextEditor.document.getText()") == GOOD
    limited.command("workbench.action.files.save")
    limited.js("await until(() => !vscode.window.activeTextEditor.document.isDirty)")


def test_with_trust_the_settings_of_the_workspace_count(limited: Workbench) -> None:
    """The last: it cannot be taken back."""
    limited.command("workbench.trust.manage")
    limited.page.locator(".workspace-trust-editor").get_by_role("button", name="Trust").first.click()
    limited.notification("RUI cannot start the setting rui.server.command: /bin/false")
    assert limited.js("return vscode.workspace.isTrusted") is True
