"""The preview, while the server handles other work."""

import asyncio
import json
import sys

import pytest

from rui_common.describe import minimal_example
from rui_lsp.commands import preview
from tests.rui_lsp.conversation import LOOP
from tests.rui_lsp.marked import opened

URI = "file:///nowhere/shop.rui.json"
HOSTED = {"stylesheet": "https://e/x.css"}
VALID = json.dumps(minimal_example(), indent=2)


@pytest.fixture
def at():
    return opened("")


def open_text(at, text):
    at.open(URI, text)
    return at.server.documents.find(URI)


async def page_of(at, uri=URI):
    return (await preview.preview(at.server, {"uri": uri, **HOSTED}))["html"]


def test_a_preview_and_the_server_do_not_read_one_document_at_once(at):
    """Lazy documents belong to one thread: concurrent reads caused errors in both threads."""
    text = VALID.replace('"Section"', '"Sectoin"')
    before = sys.getswitchinterval()

    async def rendered_beside(opened):
        page = asyncio.ensure_future(page_of(at))
        await asyncio.sleep(0)  # start the task
        return opened.diagnostics, await page

    sys.setswitchinterval(1e-6)
    try:
        for _ in range(100):
            found, html = LOOP.run_until_complete(rendered_beside(open_text(at, text)))
            assert [diagnostic.code for diagnostic in found] == ["UNKNOWN_TYPE"]
            assert html.count('<li class="error"') == 1
    finally:
        sys.setswitchinterval(before)


def test_the_preview_of_a_file_that_is_no_utf8_says_so(at, tmp_path):
    path = tmp_path / "latin.rui.json"
    path.write_bytes(VALID.replace("Orders", "Größe").encode("latin-1"))
    assert "UTF-8" in LOOP.run_until_complete(page_of(at, path.as_uri()))
