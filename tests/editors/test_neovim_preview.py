"""The live preview of Neovim, in Chromium: `:RuiPreview`, the real server, and a page that follows them."""

import os
import re
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.editors.neovim import DESK, Neovim

pytestmark = pytest.mark.usefixtures("installed_neovim")

MARKED = "[data-cursor]"


@pytest.fixture
def nvim(nvim: Neovim) -> Neovim:
    """A Neovim with the example open."""
    nvim.edit("desk.rui.json", DESK)
    return nvim


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": 900, "height": 700})
    yield context.new_page()
    context.close()


def preview(nvim: Neovim, page: Page) -> str:
    """Open the preview in the browser, with its script connected. Returns the address."""
    count = len(nvim.opened())
    nvim.command("RuiPreview")
    nvim.until(lambda: len(nvim.opened()) > count, "the preview is opened")
    address = nvim.opened()[-1]
    page.goto(address)
    expect(page.locator(".live-status")).to_be_attached()
    return address


def titled(title: str) -> re.Pattern[str]:
    return re.compile(f"^{re.escape(title)} · ")


def test_the_page_follows_unsaved_text(nvim: Neovim, page: Page) -> None:
    address = preview(nvim, page)
    assert address.startswith("http://127.0.0.1:")
    expect(page.locator(".screens")).to_contain_text("Orders are refreshed")
    nvim.put_cursor("Orders are refreshed")
    nvim.type("iWow! ")
    expect(page.locator(".screens")).to_contain_text("Wow! Orders are refreshed")
    assert "Wow!" not in (nvim.folder / "desk.rui.json").read_text()
    nvim.type("<Esc>")
    nvim.until(lambda: nvim.request("nvim_get_mode")["mode"] == "n")
    nvim.put_cursor("Order desk")
    nvim.type("cwCycle")
    expect(page).to_have_title(titled("Cycle desk"))
    assert page.evaluate("window.performance.getEntriesByType('navigation').length") == 1


def test_broken_text_keeps_the_last_wireframe(nvim: Neovim, page: Page) -> None:
    preview(nvim, page)
    nvim.put_cursor('"version"')
    nvim.type('O"')
    expect(page.locator(".problems").first).to_contain_text("INVALID_JSON")
    expect(page.locator(".screens")).to_contain_text("Orders are refreshed")
    nvim.type("<BS>")
    expect(page.locator(".problems")).to_have_count(0)


def test_the_page_marks_the_node_at_the_cursor(nvim: Neovim, page: Page) -> None:
    preview(nvim, page)
    nvim.put_cursor('"refresh-note"')
    expect(page.locator(MARKED).first).to_contain_text("Orders are refreshed")
    nvim.put_cursor('"open-orders"')
    expect(page.locator(MARKED).first).to_contain_text("Open orders")


def test_a_click_moves_the_cursor(nvim: Neovim, page: Page) -> None:
    preview(nvim, page)
    nvim.command("new")
    page.locator(".screens [data-offset]", has_text="Orders are refreshed").last.click()
    nvim.until(lambda: "refresh-note" in cursor_text(nvim), "the cursor is at the note")
    assert nvim.lua("return vim.fs.basename(vim.api.nvim_buf_get_name(0))") == "desk.rui.json"


def cursor_text(nvim: Neovim) -> str:
    """Return the text from the cursor on, up to 100 characters."""
    row, column = nvim.request("nvim_win_get_cursor", 0)
    lines = nvim.request("nvim_buf_get_lines", 0, row - 1, -1, True)
    return "\n".join(lines).encode()[column:].decode()[:100]


def test_the_page_keeps_its_scroll_position(nvim: Neovim, page: Page) -> None:
    preview(nvim, page)
    nvim.put_cursor('"version"')
    page.evaluate("window.scrollTo(0, 500)")
    node = page.locator(".screens [data-offset]").last
    top = node.bounding_box()["y"]
    nvim.put_cursor("Order desk")
    nvim.type("i!!<Esc>")
    expect(page).to_have_title(titled("!!Order desk"))
    assert abs(node.bounding_box()["y"] - top) < 2


def test_two_documents_have_a_page_each(nvim: Neovim, page: Page) -> None:
    first = preview(nvim, page)
    nvim.edit("other.rui.json", DESK.replace("Order desk", "Bicycles"))
    other = page.context.new_page()
    assert preview(nvim, other) != first
    expect(other).to_have_title(titled("Bicycles"))
    expect(page).to_have_title(titled("Order desk"))
    nvim.put_cursor("Bicycles")
    nvim.type("iOld ")
    expect(other).to_have_title(titled("Old Bicycles"))


def test_the_page_goes_on_after_the_server_was_killed_while_typing(nvim: Neovim, page: Page) -> None:
    address = preview(nvim, page)
    nvim.put_cursor("Orders are refreshed")
    nvim.type("iWow! ")
    expect(page.locator(".screens")).to_contain_text("Wow! Orders are refreshed")
    [server] = nvim.server_pids()
    os.kill(server, signal.SIGKILL)
    nvim.type("Really ")
    expect(page.locator(".live-status")).to_contain_text("The connection to the editor is lost")
    expect(page.locator(".screens")).to_contain_text("Wow! Really Orders are refreshed", timeout=15_000)
    expect(page.locator(".live-status")).to_be_hidden()
    assert page.url == address
    assert "Wow! Really Orders are refreshed" in nvim.text()
    assert "the language server crashed (signal 9) and is restarted." in nvim.messages()


def test_the_page_shows_that_the_editor_has_ended(tmp_path: Path, page: Page) -> None:
    with Neovim(tmp_path) as nvim:
        nvim.edit("desk.rui.json", DESK)
        preview(nvim, page)
    expect(page.locator(".live-status")).to_contain_text("The connection to the editor is lost")
    expect(page.locator(".screens")).to_contain_text("Orders are refreshed")


def test_without_script_a_link_shows_the_current_text(nvim: Neovim, browser: Browser) -> None:
    nvim.command("RuiPreview")
    nvim.until(nvim.opened)
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(nvim.opened()[0])
    nvim.put_cursor("Orders are refreshed")
    nvim.type("iWow! <Esc>")
    nvim.until(lambda: "Wow!" in nvim.text())
    nvim.lua(
        "vim.lsp.get_clients({ name = 'rui' })[1]:request_sync('workspace/diagnostic', { previousResultIds = {} })"
    )
    page.get_by_role("link", name="Show the current text").click()
    expect(page.locator(".screens")).to_contain_text("Wow! Orders are refreshed")
    context.close()
