"""The text of the editor is not lost: reload, Back, other pages, a closed tab, a full storage, no service."""

import json

from tests.rui_api.live import Service
from tests.rui_inspector.browser import DESK, Browser, Tab
from tests.rui_inspector.editor import CONTENT, PLAYGROUND, checked, editor, status, text_in, write

MINE = '{"mine": 1}'
FORBIDDEN = """
for (const name of ["localStorage", "sessionStorage"]) {
  Object.defineProperty(window, name, { get() { throw new DOMException("forbidden", "SecurityError"); } });
}
"""
FULL = "Storage.prototype.setItem = () => { throw new DOMException('full', 'QuotaExceededError'); };"


def bring_back(view: Tab) -> None:
    view.page.get_by_role("button", name="Bring back my last text").click()


def kept(view: Tab) -> None:
    """Wait until the browser has kept the text."""
    view.until(f"sessionStorage.getItem('rui-draft') === {PLAYGROUND}.doc.toString()")


def test_the_text_survives_reload_and_other_pages(browser: Browser, service: Service) -> None:
    with editor(browser, service.url, MINE) as view:
        view.page.reload()
        view.page.locator(CONTENT).wait_for()
        assert text_in(view) == MINE
        view.page.goto(f"{service.url}/?example=full")
        checked(view)
        assert "mine" not in text_in(view)
        bring_back(view)
        assert text_in(view) == MINE
        view.page.goto(f"{service.url}/specs/x")
        view.messages.clear()
        view.page.go_back()
        checked(view)
        assert text_in(view) == MINE


def test_a_new_tab_gets_the_last_text(browser: Browser, service: Service) -> None:
    with editor(browser, service.url, MINE) as view:
        kept(view)
        page = view.page.context.new_page()
        page.goto(service.url)
        other = Tab(page)
        page.locator("#NOTE", has_text="This is your last text").wait_for()
        assert text_in(other) == MINE
        write(other, '{"theirs": 1}')
        kept(other)
        view.page.reload()
        view.page.locator(CONTENT).wait_for()
        view.until(f"{PLAYGROUND}.doc.toString() === {json.dumps(MINE)}")
        page.get_by_role("button", name="Undo").click()


def test_a_storage_that_is_forbidden_or_full(browser: Browser, service: Service) -> None:
    for script in (FORBIDDEN, FULL):
        with editor(browser, service.url) as view:
            view.page.add_init_script(script)
            view.page.reload()
            view.page.locator(CONTENT).wait_for()
            write(view, json.dumps(DESK))
            view.page.locator("#NOTE", has_text="cannot keep the text").wait_for()
            assert status(view).startswith("Valid")


def test_a_copy_of_a_stored_spec(browser: Browser, service: Service, desk: str) -> None:
    with editor(browser, service.url, MINE) as view:
        kept(view)
        view.page.goto(desk)
        view.page.get_by_role("link", name="Edit a copy").click()
        checked(view)
        assert json.loads(text_in(view)) == DESK
        assert text_in(view).count("\n") > 50
        bring_back(view)
        assert text_in(view) == MINE


def test_a_service_that_does_not_respond(browser: Browser, service: Service) -> None:
    with editor(browser, service.url, MINE) as view:
        view.page.context.set_offline(True)
        view.page.keyboard.type(" ")
        view.page.locator("#STATUS", has_text="does not respond").wait_for()
        assert "safe in this page" in status(view)
        view.page.get_by_role("button", name="Fix all", exact=True).click()
        view.page.locator("#NOTE", has_text="does not respond").wait_for()
        view.page.get_by_role("button", name="Store", exact=True).click()
        view.page.locator("#NOTE", has_text="could not be checked").wait_for()
        view.page.context.set_offline(False)
        checked(view)
        assert "errors" in status(view)
        view.messages.clear()
        view.page.route("**/playground/check?*", lambda route: route.fulfill(status=503, json={"message": "Too busy."}))
        view.page.keyboard.type(" ")
        view.page.locator("#STATUS", has_text="Too busy.").wait_for()
        assert "mine" in text_in(view)
        view.messages.clear()


def test_a_text_that_is_too_long_is_not_lost(browser: Browser, service: Service) -> None:
    with editor(browser, service.url, MINE) as view:
        write_long = f"{PLAYGROUND}.replace(' '.repeat(1_100_000) + '{{}}', '')"
        view.page.evaluate(write_long)
        view.page.locator("#STATUS", has_text="longer than").wait_for()
        assert "longer than" in status(view)
        assert view.page.evaluate(f"{PLAYGROUND}.doc.length") > 1_000_000
        view.messages.clear()
        bring_back(view)
        assert text_in(view) == MINE
