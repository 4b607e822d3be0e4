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
    view.until(f"{PLAYGROUND}.draft.text === {PLAYGROUND}.doc.toString()")


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


def test_keys_pressed_just_before_a_reload_are_kept(browser: Browser, service: Service) -> None:
    with editor(browser, service.url, MINE) as view:
        view.page.keyboard.press("ControlOrMeta+End")
        view.page.keyboard.type(" now")
        view.page.reload()
        view.page.locator(CONTENT).wait_for()
        assert text_in(view) == f"{MINE} now"


def test_a_new_tab_gets_the_text_of_a_lost_one(browser: Browser, service: Service) -> None:
    with editor(browser, service.url, MINE) as view:
        kept(view)
        page = view.page.context.new_page()
        view.page.close()
        page.goto(service.url)
        other = Tab(page)
        page.locator("#NOTE", has_text="This is your last text").wait_for()
        assert text_in(other) == MINE
        page.get_by_role("button", name="Start empty").click()
        assert text_in(other) == ""


def test_a_browser_without_locks_offers_the_text_of_a_lost_tab(browser: Browser, service: Service) -> None:
    """Browsers have locks in secure contexts only: not with plain HTTP to another machine."""
    with editor(browser, service.url, MINE) as view:
        kept(view)
        page = view.page.context.new_page()
        page.add_init_script("delete Navigator.prototype.locks; delete Navigator.prototype.clipboard;")
        view.page.close()
        page.goto(service.url)
        other = Tab(page)
        bring_back(other)
        assert text_in(other) == MINE
        page.get_by_role("button", name="Share", exact=True).click()
        assert "#rui=" in page.locator("#NOTE input").input_value()


def test_a_duplicated_tab_keeps_its_own_text(browser: Browser, service: Service) -> None:
    with editor(browser, service.url, MINE) as view:
        kept(view)
        storage = view.page.evaluate("JSON.stringify({...sessionStorage})")
        other = Tab(view.page.context.new_page())
        other.page.add_init_script(
            f"if (!sessionStorage.length) for (const [key, value] of Object.entries({storage})) "
            "sessionStorage.setItem(key, value);"
        )
        other.page.goto(service.url)
        other.page.locator(CONTENT).wait_for()
        assert text_in(other) == MINE
        other.until(f"{PLAYGROUND}.draft.id !== {json.dumps(view.page.evaluate(f'{PLAYGROUND}.draft.id'))}")
        write(other, '{"theirs": 1}')
        kept(other)
        texts = "Object.entries(localStorage).filter(([key]) => key.startsWith('rui-draft-copy-')).map(([, it]) => it)"
        copies = [json.loads(copy)["text"] for copy in view.page.evaluate(texts)]
        assert sorted(copies) == sorted([MINE, '{"theirs": 1}'])


def test_a_reload_keeps_an_example(browser: Browser, service: Service) -> None:
    with editor(browser, service.url, MINE) as view:
        view.page.goto(f"{service.url}/?example=minimal")
        checked(view)
        text = text_in(view)
        kept(view)
        view.page.reload()
        checked(view)
        assert text_in(view) == text


def test_tabs_do_not_overwrite_each_other(browser: Browser, service: Service) -> None:
    with editor(browser, service.url, MINE) as view:
        kept(view)
        other = Tab(view.page.context.new_page())
        other.page.goto(service.url)
        other.page.locator(CONTENT).wait_for()
        assert text_in(other) == ""
        write(other, '{"theirs": 1}')
        kept(other)
        for opened, text in ((view, MINE), (other, '{"theirs": 1}')):
            opened.page.reload()
            opened.page.locator(CONTENT).wait_for()
            assert text_in(opened) == text
        copies = "Object.keys(localStorage).filter(key => key.startsWith('rui-draft-copy-')).length"
        assert view.page.evaluate(copies) == 2


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
        write_long = f"{PLAYGROUND}.replace(' '.repeat(300_000) + '{{}}', '')"
        view.page.evaluate(write_long)
        view.page.locator("#STATUS", has_text="longer than").wait_for()
        assert "longer than" in status(view)
        assert view.page.evaluate(f"{PLAYGROUND}.doc.length") > 300_000
        view.messages.clear()
        bring_back(view)
        assert text_in(view) == MINE
