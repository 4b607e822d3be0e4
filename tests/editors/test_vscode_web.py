"""The extension in a browser without a remote machine: it runs in the web extension host, without a server."""

import json
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from editors.archive import zip_archive
from tests.editors.documents import GOOD
from tests.editors.workbench import Workbench, workbench

REASON = "The RUI language server requires Python, which cannot run in a browser."
MANIFEST = "extension/package.json"


@pytest.fixture(scope="module")
def web(vsix: Path, browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workbench]:
    """A workbench with the extension in the web extension host. Its changed manifest excludes other hosts."""
    where = tmp_path_factory.mktemp("web")
    with zipfile.ZipFile(vsix) as package:
        content = {name: package.read(name) for name in package.namelist()}
    package_json = {**json.loads(content[MANIFEST]), "extensionKind": ["web"]}
    del package_json["main"]
    content[MANIFEST] = json.dumps(package_json).encode()
    only_web = where / "web.vsix"
    only_web.write_bytes(zip_archive(content))
    with workbench(only_web, where, browser=browser) as running:
        yield running


def test_the_reason_is_shown(web: Workbench) -> None:
    path = web.write("page.rui.json", GOOD.replace('"Text"', '"Txt"', 1))
    web.show(path)
    assert web.js("return vscode.window.activeTextEditor.document.languageId") == "rui-json"
    assert REASON in web.language_status()
    web.js("void vscode.commands.executeCommand('rui.openPreview')")
    web.notification(REASON)


def test_the_vocabulary_needs_no_server(web: Workbench) -> None:
    web.command("rui.showVocabulary")
    tabs = web.page.locator(".tab .label-name")
    web.eventually(lambda: tabs.all_text_contents()[-1:], ["Preview vocabulary.md"])
