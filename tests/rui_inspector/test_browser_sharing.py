"""Addresses that people send each other: a place in the picture, a document that is not stored, and notes."""

from tests.rui_api.live import Service
from tests.rui_inspector.browser import Browser, loaded, tab, violations
from tests.rui_inspector.editor import checked
from tests.rui_inspector.test_browser_notes import kept, open_notes, press, write

LIT = "document.querySelector(':target')?.id"


def test_a_block_of_the_picture_has_an_address_there(browser: Browser, desk: str) -> None:
    with tab(browser, desk, script=False) as view:
        view.page.locator("#W-orders .to").click()
        assert view.page.url == f"{desk}#W-orders"
        view.page.get_by_role("link", name="In the tree").click()
        assert view.page.url == f"{desk}#orders"
    with tab(browser, f"{desk}#W-orders") as view:
        assert view.page.evaluate(LIT) == "W-orders"
        view.page.get_by_role("link", name="In the tree").click()
        assert view.page.url == f"{desk}#orders"
        assert view.visible(".to-tree") == []


def test_a_block_is_lit_where_it_is(browser: Browser, desk: str) -> None:
    with tab(browser, desk, width=1440, permissions=["clipboard-read", "clipboard-write"]) as view:
        page = view.page
        loaded(view)
        page.mouse.wheel(0, 150)
        view.until("scrollY === 150")
        for _ in range(2):
            page.locator("#W-orders .to").click()
            page.locator("#W-orders:target").wait_for()
            page.locator("#W-orders .to-tree button").wait_for()  # after what follows a new address
            assert page.evaluate("scrollY") == 150
        page.get_by_role("button", name="Copy link").click()
        page.get_by_role("button", name="Copied").wait_for()
        assert page.evaluate("navigator.clipboard.readText()") == f"{desk}#W-orders"
        assert violations(page) == []


def test_the_page_of_a_document_that_is_not_stored_has_an_address(browser: Browser, service: Service) -> None:
    with tab(browser, service.url) as view:
        page = view.page
        checked(view)
        page.get_by_role("button", name="View as a page").click()
        page.wait_for_url("**/?do=inspect#rui=*")
        page.reload()
        page.wait_for_url("**/?do=inspect#rui=*")
        page.locator("#TREE").wait_for()
        page.locator(".wireframe .block .to").last.click()
        page.wait_for_url("**/?do=inspect&at=W-*#rui=*")
        place, address = page.evaluate("new URLSearchParams(location.search).get('at')"), page.url
        assert page.evaluate(LIT) == place
    for sent in (address, address.replace("#rui=", "#rui%3D")):
        with tab(browser, sent) as view:
            view.until("document.querySelector('#TREE') && location.hash")
            view.until(f"location.href === {address!r}")
            assert view.page.evaluate(LIT) == place
            assert kept(view.page) == []
    with tab(browser, address[:-9]) as view:
        checked(view)
        assert "The link is not complete" in view.page.locator("#NOTE").inner_text()
    with tab(browser, address, before="delete globalThis.DecompressionStream") as view:
        assert "cannot read the text of the link" in view.page.locator("[role=alert]").inner_text()


def test_a_link_carries_notes(browser: Browser, desk: str, other: str) -> None:
    permissions = ["clipboard-read", "clipboard-write"]
    with tab(browser, f"{desk}/compare/{other}", width=1440, permissions=permissions) as view:
        page = view.page
        open_notes(page)
        for selector, text in (("#W-figures", "Why?"), ("#B-low-stock .cells li", "Bring it back")):
            page.locator(selector).first.click(position={"x": 4, "y": 4})
            write(page, text)
        press(page, "Share notes")
        page.get_by_role("button", name="Copied").wait_for()
        link = page.evaluate("navigator.clipboard.readText()")
    with tab(browser, link, width=1440) as view:
        page = view.page
        page.get_by_text("2 notes came with the link.").wait_for()
        assert page.url == f"{desk}/compare/{other}"
        assert kept(page) == ["Bring it back", "Why?"]
        page.goto(link)  # again
        view.until("location.hash === ''")
        assert kept(page) == ["Bring it back", "Why?"]
        press(page, "Undo")
        assert kept(page) == ["Bring it back", "Why?"]
        page.evaluate("localStorage.clear()")
        page.goto(f"{desk}#{link.partition('#')[2]}")
        page.get_by_text("The notes of the link are about another document. They are not added.").wait_for()
        assert kept(page) == []
        page.goto(f"{link[:-5]}")
        page.reload()
        page.get_by_text("The link is not complete, so its notes cannot be read. Ask for it again.").wait_for()
