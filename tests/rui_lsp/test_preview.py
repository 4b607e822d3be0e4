"""The preview beside all else that the server does."""

import asyncio
import json
import sys

import pytest

from rui_common.describe import minimal_example
from rui_lsp.commands import preview
from rui_lsp.documents.offload import SMALL
from rui_lsp.documents.workspace import Workspace
from rui_lsp.scheduling.worker_process import HELPER

URI = "file:///nowhere/shop.rui.json"
HOSTED = {"stylesheet": "https://e/x.css"}
VALID = json.dumps(minimal_example(), indent=2)


@pytest.fixture
def workspace():
    yield Workspace()
    HELPER.stop()


async def page_of(workspace, uri=URI):
    return (await preview.run(workspace, {"arguments": [{"uri": uri, **HOSTED}]}))["html"]


def test_a_preview_and_the_server_do_not_read_one_document_at_once(workspace):
    """What is read as far as it is asked for belongs to one thread: two at once made faults in both."""
    text = VALID.replace('"Section"', '"Sectoin"')
    before = sys.getswitchinterval()

    async def rendered_beside(opened):
        page = asyncio.ensure_future(page_of(workspace))
        await asyncio.sleep(0)  # it begins
        return opened.diagnostics, await page

    sys.setswitchinterval(1e-6)
    try:
        for version in range(100):
            found, html = asyncio.run(rendered_beside(workspace.open(URI, version, text)))
            assert [diagnostic.code for diagnostic in found] == ["UNKNOWN_TYPE"]
            assert html.count('<li class="error"') == 1
    finally:
        sys.setswitchinterval(before)


def test_only_a_large_preview_is_made_in_another_process(workspace, monkeypatch):
    made = []

    def noted(function, *arguments, run=HELPER.run):
        made.append(function)
        return run(function, *arguments)

    monkeypatch.setattr(HELPER, "run", noted)
    pages = []
    for text in (VALID, VALID + " " * SMALL):
        workspace.open(URI, 1, text)
        pages.append(asyncio.run(page_of(workspace)))
    assert pages[0] == pages[1]
    assert "Orders are refreshed" in pages[0]
    assert len(made) == 1


def test_the_preview_of_a_file_that_is_no_utf8_says_so(workspace, tmp_path):
    path = tmp_path / "latin.rui.json"
    path.write_bytes(VALID.replace("Orders", "Größe").encode("latin-1"))
    assert "UTF-8" in asyncio.run(page_of(workspace, path.as_uri()))
