"""In a browser without a machine behind it, no server can be started: it is in the extension host of the page."""

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
    """A workbench in whose page the extension is: elsewhere is none that it could run in, by what it is made to say."""
    where = tmp_path_factory.mktemp("web")
    with zipfile.ZipFile(vsix) as package:
        content = {name: package.read(name) for name in package.namelist()}
    about = {**json.loads(content[MANIFEST]), "extensionKind": ["web"]}
    del about["main"]
    content[MANIFEST] = json.dumps(about).encode()
    only_web = where / "web.vsix"
    only_web.write_bytes(zip_archive(content))
    with workbench(only_web, where, browser=browser) as running:
        yield running


def test_it_says_why_nothing_is_checked(web: Workbench) -> None:
    path = web.write("page.rui.json", GOOD.replace('"Text"', '"Txt"', 1))
    web.show(path)
    assert web.js("return vscode.window.activeTextEditor.document.languageId") == "rui-json"
    assert REASON in web.language_status()
    web.js("void vscode.commands.executeCommand('rui.openPreview')")
    web.notification(REASON)


def test_what_needs_no_server_works(web: Workbench) -> None:
    web.command("rui.showVocabulary")
    tabs = web.page.locator(".tab .label-name")
    web.eventually(lambda: tabs.all_text_contents()[-1:], ["Preview vocabulary.md"])
