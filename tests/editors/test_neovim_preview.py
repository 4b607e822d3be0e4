"""The live preview of Neovim, in Chromium: `:RuiPreview`, the real server, and a page that follows them."""

import os
import re
import signal
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.editors.neovim import DEADLINE, DESK, Neovim


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    expect.set_options(timeout=DEADLINE * 1000)
    context = browser.new_context(viewport={"width": 900, "height": 700})
    context.set_default_timeout(DEADLINE * 1000)
    yield context.new_page()
    context.close()


def preview(nvim: Neovim, page: Page) -> str:
    """Open the preview of the example in the browser, with its script connected. Returns the address."""
    nvim.edit("desk.rui.json", DESK)
    nvim.command("RuiPreview")
    [address] = nvim.until(nvim.opened, "the preview is opened")
    page.goto(address)
    expect(page.locator(".live-status")).to_be_attached()
    return address


def test_the_page_follows_unsaved_text(nvim: Neovim, page: Page) -> None:
    assert preview(nvim, page).startswith("http://127.0.0.1:")
    expect(page.locator(".screens")).to_contain_text("Orders are refreshed")
    page.evaluate("window.scrollTo(0, 500)")
    node = page.locator(".screens [data-offset]").last
    top = node.bounding_box()["y"]
    nvim.put_cursor("Order desk")
    nvim.type("cwCycle<Esc>")
    expect(page).to_have_title(re.compile("^Cycle desk · "))
    assert "Cycle" not in (nvim.folder / "desk.rui.json").read_text()
    assert abs(node.bounding_box()["y"] - top) < 2
    assert page.evaluate("window.performance.getEntriesByType('navigation').length") == 1
    nvim.put_cursor('"version"')
    nvim.type('O"')
    expect(page.locator(".problems").first).to_contain_text("INVALID_JSON")
    expect(page.locator(".screens")).to_contain_text("Orders are refreshed")
    nvim.type("<BS>")
    expect(page.locator(".problems")).to_have_count(0)


def test_the_page_and_the_cursor_follow_each_other(nvim: Neovim, page: Page) -> None:
    preview(nvim, page)
    nvim.put_cursor('"refresh-note"')
    expect(page.locator("[data-cursor]").first).to_contain_text("Orders are refreshed")
    nvim.put_cursor('"open-orders"')
    expect(page.locator("[data-cursor]").first).to_contain_text("Open orders")
    nvim.command("new")
    page.locator(".screens [data-offset]", has_text="Orders are refreshed").last.click()

    def line() -> str:
        return str(nvim.request("nvim_get_current_line")) + str(nvim.lua("return vim.fn.bufname()"))

    nvim.until(lambda: "{" in line() and "desk.rui.json" in line(), "the cursor is at the note")


def test_the_page_shows_that_the_server_has_ended(nvim: Neovim, page: Page) -> None:
    preview(nvim, page)
    before = nvim.client()["id"]
    os.kill(nvim.server_pids()[0], signal.SIGKILL)
    expect(page.locator(".live-status")).to_contain_text("The connection to the editor is lost")
    expect(page.locator(".screens")).to_contain_text("Orders are refreshed")
    nvim.until(lambda: (nvim.client() or {"id": before})["id"] != before, "another server")
