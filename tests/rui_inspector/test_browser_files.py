"""Files that are opened in the editor of the front page: no character is lost, and a refusal has a reason."""

import codecs
import gzip
import zlib
from pathlib import Path

import pytest

from tests.rui_api.live import Service
from tests.rui_inspector.browser import Browser, Tab, violations
from tests.rui_inspector.editor import (
    CONTENT,
    DESK_TEXT,
    MINE,
    PLAYGROUND,
    codes,
    dropped,
    editor,
    note,
    press,
    status,
    text_in,
)

CAFE = DESK_TEXT.replace("Order desk", "Café – Ωmega 𝒳")
LATIN = DESK_TEXT.replace("Order desk", "Café")
PNG = b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x00\x01\x00\x00\x00\x01\x08\x06\x00\x00\x00\x1f\x15\xc4\x89"
NOT_UTF_8 = "is not UTF-8. Save the file with the encoding UTF-8."

OPENED = {
    "UTF-8": CAFE.encode(),
    "UTF-8 with BOM": codecs.BOM_UTF8 + CAFE.encode(),
    "U+FFFD": CAFE.replace("é", "\ufffd").encode(),
}

REFUSED = {
    "binary": (PNG, NOT_UTF_8),
    "zip": (gzip.compress(CAFE.encode()), NOT_UTF_8),
    "NUL": (MINE.encode() + b"\0", NOT_UTF_8),
    "UTF-32": (CAFE.encode("utf-32"), NOT_UTF_8),
    "UTF-16": (CAFE.encode("utf-16"), NOT_UTF_8),
    "UTF-16 without BOM": (DESK_TEXT.encode("utf-16-le"), NOT_UTF_8),
    "Latin-1": (LATIN.encode("latin-1"), NOT_UTF_8),
    "UTF-8, cut": ('{"a": "é"}'.encode()[:8], NOT_UTF_8),
    "UTF-8 with one byte of another": (CAFE.encode().replace(b"desk", b"\xe9"), NOT_UTF_8),
    "empty": (b"", "is empty."),
    "large": (b" " * 3_000_000, "has 2.9 MB. The limit of a stored document is 256 KB."),
}


def open_file(view: Tab, folder: Path, content: bytes, name: str = "other.json") -> None:
    (folder / name).write_bytes(content)
    view.page.locator("#OPEN-FILE").set_input_files(folder / name)


@pytest.mark.parametrize("by_drop", [False, True], ids=["opened", "dropped"])
def test_files(browser: Browser, service: Service, tmp_path: Path, by_drop: bool) -> None:
    with editor(browser, service.url, MINE) as view:

        def give(content: bytes, file_name: str = "other.json") -> None:
            if by_drop and len(content) < 1_000_000:
                dropped(view, [(file_name, content)])
            else:
                open_file(view, tmp_path, content, file_name)

        for name, content in OPENED.items():
            give(content)
            view.page.locator("#NOTE", has_text="other.json is open.").wait_for()
            expected = CAFE.replace("é", "\ufffd") if name == "U+FFFD" else CAFE
            assert text_in(view) == expected, name
            press(view, "Bring back my last text")
            assert text_in(view) == MINE
        for number, (name, (content, sentence)) in enumerate(REFUSED.items()):
            give(content, f"{number}.json")
            view.page.locator("#NOTE", has_text=f"{number}.json {sentence}").wait_for()
            assert text_in(view) == MINE, name
            assert view.page.locator("#NOTE button").count() == 0
        assert violations(view.page) == []


FOLDERS = """() => {
  const entry = DataTransferItem.prototype.webkitGetAsEntry;
  DataTransferItem.prototype.webkitGetAsEntry = function () {
    DataTransferItem.prototype.webkitGetAsEntry = entry;
    return { isDirectory: true };
  };
}"""
"""Makes a folder of the next file, as a script cannot drop one."""

GONE = "() => { Blob.prototype.arrayBuffer = () => Promise.reject(new DOMException('', 'NotFoundError')); }"


def test_several_files_folders_and_files_that_are_gone(browser: Browser, service: Service) -> None:
    with editor(browser, service.url, MINE) as view:
        dropped(view, [("a.json", b"{}"), ("b.json", b"{}")])
        view.page.locator("#NOTE", has_text="These are 2 files. Open one of them.").wait_for()
        view.page.evaluate(FOLDERS)
        dropped(view, [("folder", b"x")])
        view.page.locator("#NOTE", has_text="This is a folder. Drop a file.").wait_for()
        view.page.evaluate(GONE)
        dropped(view, [("folder", b"x")])
        view.page.locator("#NOTE", has_text="folder cannot be read.").wait_for()
        assert text_in(view) == MINE


def test_a_file_beside_the_editor_does_not_leave_the_page(browser: Browser, service: Service) -> None:
    with editor(browser, service.url, MINE) as view:
        for selector in ("h1", ".ways", "#PANEL-wireframe"):
            dropped(view, [("other.json", DESK_TEXT.encode())], selector)
            view.page.locator("#NOTE", has_text="other.json is open.").wait_for()
            assert text_in(view) == DESK_TEXT
            press(view, "Bring back my last text")
            assert view.page.locator(".panes.over").count() == 0


PASTE_FILES = """(content, name) => {
  const clipboardData = new DataTransfer();
  clipboardData.items.add(new File(["{}"], name));
  const options = { clipboardData, bubbles: true, cancelable: true, composed: true };
  content.dispatchEvent(new ClipboardEvent("paste", options));
}"""


def test_a_pasted_text_that_has_lost_a_character_has_a_warning(browser: Browser, service: Service) -> None:
    for lost in ("\ufffd", "\\ufffd"):
        with editor(browser, service.url, DESK_TEXT.replace("Order desk", f"Caf{lost}")) as view:
            assert codes(view) == ["LOST_CHARACTER"]
            assert status(view).startswith("Valid · with 1 warning")


def test_a_file_that_is_pasted(browser: Browser, service: Service) -> None:
    with editor(browser, service.url, MINE) as view:
        view.page.locator(CONTENT).evaluate(PASTE_FILES, "other.json")
        view.page.locator("#NOTE", has_text="other.json is open.").wait_for()
        assert text_in(view) == "{}"


def test_a_file_that_was_chosen_before_the_editor_began(browser: Browser, service: Service, tmp_path: Path) -> None:
    (tmp_path / "chosen.json").write_text(MINE)
    with editor(browser, service.url) as view:
        page = view.page
        held = []
        page.route("**/editor.css", lambda route: held.append(route) and None)
        page.reload(wait_until="commit")
        page.locator("#FILE").set_input_files(tmp_path / "chosen.json")
        view.until("document.readyState === 'complete'")
        while not held:
            page.wait_for_timeout(20)
        held[0].continue_()
        page.locator("#NOTE", has_text="chosen.json is open.").wait_for()
        assert text_in(view) == MINE
        page.evaluate(f"{PLAYGROUND}.replace({DESK_TEXT!r}, '')")
        press(view, "View as a page")
        page.locator("h1", has_text="Order desk").wait_for()


def test_a_link_that_is_no_utf_8(browser: Browser, service: Service) -> None:
    with editor(browser, service.url, MINE) as view:
        broken = codecs.encode(_deflated(b'"Caf\xe9"'), "base64").decode().strip().rstrip("=")
        view.page.evaluate(f"location.hash = 'rui={broken.replace('+', '-').replace('/', '_')}'")
        view.page.locator("#NOTE", has_text="The link is not complete").wait_for()
        assert text_in(view) == MINE
        assert "Caf" not in note(view)


def _deflated(content: bytes) -> bytes:
    compressor = zlib.compressobj(wbits=-15)
    return compressor.compress(content) + compressor.flush()
