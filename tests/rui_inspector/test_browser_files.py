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
    checked,
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
WINDOWS = DESK_TEXT.replace("Order desk", "“Café”")
PNG = b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x00\x01\x00\x00\x00\x01\x08\x06\x00\x00\x00\x1f\x15\xc4\x89"
UTF_16 = "It was UTF-16; here it is UTF-8."

OPENED = {
    "UTF-8": (CAFE.encode(), ""),
    "UTF-8 with BOM": (codecs.BOM_UTF8 + CAFE.encode(), ""),
    "UTF-16 LE with BOM": (codecs.BOM_UTF16_LE + CAFE.encode("utf-16-le"), UTF_16),
    "UTF-16 BE with BOM": (codecs.BOM_UTF16_BE + CAFE.encode("utf-16-be"), UTF_16),
    "UTF-16 LE": (CAFE.encode("utf-16-le"), UTF_16),
    "UTF-16 BE": (CAFE.encode("utf-16-be"), UTF_16),
    "U+FFFD": (CAFE.replace("é", "\ufffd").encode(), ""),
}

REFUSED = {
    "binary": (PNG, "is not a text file."),
    "zip": (gzip.compress(CAFE.encode()), "is not a text file."),
    "NUL": (b"\0asm\1\0\0\0", "is not a text file."),
    "NUL in UTF-8": (MINE.encode() + b"\0", "is not a text file."),
    "UTF-32": (CAFE.encode("utf-32"), "is UTF-32. Save it as UTF-8."),
    "UTF-32 BE": (CAFE.encode("utf-32-be"), "is UTF-32. Save it as UTF-8."),
    "UTF-16, cut": (CAFE.encode("utf-16")[:-1], "looks like UTF-16, and is broken. Save it as UTF-8."),
    "UTF-16, half a pair": ("\ud835".encode("utf-16", "surrogatepass"), "looks like UTF-16, and is broken."),
    "empty": (b"", "is empty."),
    "large": (b" " * 3_000_000, "has 2.9 MB. The limit of a stored document is 256 KB."),
}

GUESSED = {
    "Latin-1": (
        LATIN.encode("latin-1"),
        "is not UTF-8 (line 4). Save it as UTF-8, or open it as Windows-1252 if “Café” is right.",
        LATIN,
    ),
    "Windows-1252": (WINDOWS.encode("windows-1252"), "is not UTF-8 (line 4)", WINDOWS),
    "UTF-8, cut": ('{"a": "é"}'.encode()[:8], "is not UTF-8 (line 1)", '{"a": "Ã'),
    "UTF-8 with one byte of another": (CAFE.encode().replace(b"desk", b"\xe9"), "is not UTF-8", None),
}


def open_file(view: Tab, folder: Path, content: bytes, name: str = "other.json") -> None:
    (folder / name).write_bytes(content)
    view.page.locator("#OPEN-FILE").set_input_files(folder / name)


@pytest.mark.parametrize("by_drop", [False, True], ids=["opened", "dropped"])
def test_files(browser: Browser, service: Service, tmp_path: Path, by_drop: bool) -> None:
    with editor(browser, service.url, MINE) as view:

        def give(content: bytes) -> None:
            if by_drop and len(content) < 1_000_000:
                dropped(view, [("other.json", content)])
            else:
                open_file(view, tmp_path, content)

        for name, (content, sentence) in OPENED.items():
            give(content)
            view.page.locator("#NOTE", has_text=f"other.json is open. {sentence}".strip()).wait_for()
            expected = CAFE.replace("é", "\ufffd") if name == "U+FFFD" else CAFE
            assert text_in(view) == expected, name
            press(view, "Bring back my last text")
            assert text_in(view) == MINE
        for name, (content, sentence) in REFUSED.items():
            give(content)
            view.page.locator("#NOTE", has_text=f"other.json {sentence}").wait_for()
            assert text_in(view) == MINE, name
            assert view.page.locator("#NOTE button").count() == 0
        for name, (content, sentence, guess) in GUESSED.items():
            give(content)
            view.page.locator("#NOTE", has_text=f"other.json {sentence}").wait_for()
            assert text_in(view) == MINE, name
            if guess is None:
                continue
            press(view, "Open as Windows-1252")
            assert text_in(view) == guess
            press(view, "Bring back my last text")
            assert text_in(view) == MINE


def test_a_file_that_is_refused_is_not_stored(browser: Browser, service: Service, tmp_path: Path) -> None:
    with editor(browser, service.url, DESK_TEXT) as view:
        open_file(view, tmp_path, LATIN.encode("latin-1"))
        view.page.locator("#NOTE", has_text="is not UTF-8").wait_for()
        assert violations(view.page) == []
        press(view, "Open as Windows-1252")
        checked(view)
        assert status(view).startswith("Valid")
        press(view, "Store")
        view.page.locator("#NOTE a").click()
        view.page.wait_for_url("**/specs/*")
        assert view.page.locator("h1").inner_text() == "Café"


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
