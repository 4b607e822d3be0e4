"""Copying in a real browser: a page says that a text is copied only if the clipboard has it, else why it has not."""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest
from playwright.sync_api import Page, Route

from tests.rui_api.live import Service
from tests.rui_inspector.browser import Browser, Tab, loaded, tab, violations
from tests.rui_inspector.editor import DESK_TEXT, checked, editor, press
from tests.support.examples import DESK

ALLOWED = {"permissions": ["clipboard-read", "clipboard-write"]}
REFUSING = """
const refuse = () => Promise.reject(new DOMException("no", "NotAllowedError"));
Object.assign(navigator.clipboard, { write: refuse, writeText: refuse });
document.execCommand = () => false;
"""
"""The browser refuses the clipboard: a policy, a private window, or the reader."""

EARLIER = "the earlier text"


def put(page: Page, text: str) -> None:
    page.evaluate("text => navigator.clipboard.writeText(text)", text)


def clipboard(page: Page) -> str:
    return page.evaluate("navigator.clipboard.readText()")


def is_done(page: Page) -> None:
    page.get_by_text("Copied", exact=True).first.wait_for()
    assert page.locator(".copy-notice").count() == 0


def notice(page: Page) -> str:
    page.locator(".copy-notice").wait_for()
    assert page.get_by_text("Copied", exact=True).count() == 0
    return page.locator(".copy-notice").inner_text()


# The document of a spec -----------------------------------------------------------------------------------------------


def fulfilled(**answer: object) -> Callable[[Route], None]:
    return lambda route: route.fulfill(**answer)


LOGIN = {"content_type": "text/html; charset=utf-8", "body": "<h1>Log in</h1>"}
FAILURES = {
    "service that is down": fulfilled(status=503, json={"error": "STORAGE_UNAVAILABLE", "message": "No store."}),
    "spec that is gone": fulfilled(status=410, json={"error": "GONE"}),
    "page of a proxy": fulfilled(**LOGIN),
    "page of a gateway": fulfilled(status=502, **LOGIN),
    "redirect to a login": fulfilled(status=302, headers={"location": "https://login.example.org/"}),
    "network": lambda route: route.abort(),
}


@pytest.mark.parametrize("failure", FAILURES.values(), ids=FAILURES)
def test_an_answer_that_is_no_document_is_not_copied(
    browser: Browser, desk: str, failure: Callable[[Route], None]
) -> None:
    with tab(browser, desk, **ALLOWED) as view:
        page = view.page
        put(page, EARLIER)
        page.get_by_text("Details", exact=True).click()
        page.route("**/rui.json", failure)
        press(view, "Copy JSON")
        assert "Nothing is copied." in notice(page)
        assert clipboard(page) == EARLIER
        page.unroute("**/rui.json")
        press(view, "Copy JSON")
        is_done(page)
        assert json.loads(clipboard(page)) == DESK
        view.messages.clear()


def test_an_answer_that_does_not_come(browser: Browser, desk: str) -> None:
    with tab(browser, desk, **ALLOWED) as view:
        page = view.page
        put(page, EARLIER)
        page.get_by_text("Details", exact=True).click()
        page.route("**/rui.json", lambda _: None)
        press(view, "Copy JSON")
        assert "Nothing is copied. The service has not answered for 8 seconds." in notice(page)
        assert clipboard(page) == EARLIER


# The other texts ------------------------------------------------------------------------------------------------------


def of_details(view: Tab) -> str:
    view.page.get_by_text("Details", exact=True).click()
    press(view, "Copy the spec")
    return view.page.locator("[data-copy]").first.inner_text()


def of_the_document(view: Tab) -> str:
    view.page.get_by_text("Details", exact=True).click()
    with view.page.expect_response("**/rui.json") as answer:
        press(view, "Copy JSON")
    return answer.value.text()


def of_notes(view: Tab) -> str:
    page = view.page
    press(view, "Notes")
    page.locator("body.noting").wait_for()
    page.locator("#W-open-orders").click(position={"x": 20, "y": 10})
    page.locator("#NOTE-TEXT").fill("Shorter")
    press(view, "Keep")
    page.locator("dialog").wait_for(state="detached")
    press(view, "Copy notes")
    return "Shorter"


def of_share(view: Tab) -> str:
    press(view, "Share")
    press(view, "Copy the link")
    return view.page.locator("#NOTE input").input_value()


def of_store(view: Tab) -> str:
    press(view, "Store")
    view.page.locator("#NOTE a").wait_for()
    view.page.locator("#NOTE").get_by_role("button").click()
    return view.page.locator("#NOTE a").inner_text()


def of_stored(view: Tab) -> str:
    press(view, "Store")
    view.page.locator("#NOTE a").wait_for()
    view.page.locator("#STORED summary").click()
    view.page.locator("#STORED li button").first.click()
    return view.page.locator("#NOTE a").inner_text()


ON_THE_SPEC = {"details": of_details, "JSON": of_the_document, "notes": of_notes}
IN_THE_EDITOR = {"Share": of_share, "Store": of_store, "Stored": of_stored}
BUTTONS = pytest.mark.parametrize("name", [*ON_THE_SPEC, *IN_THE_EDITOR])


@contextmanager
def at_button(
    browser: Browser, service: Service, spec: str, name: str, host: str = "", **options: object
) -> Iterator[Tab]:
    """Open the page with a button; with a `host`, under another name than localhost, and without HTTPS."""
    home = host or service.url
    url = home + spec.removeprefix(service.url) if name in ON_THE_SPEC else home
    with tab(browser, f"{service.url}/docs", **options) as view:
        if host:
            view.page.context.route(f"{host}/**", lambda route: route.fulfill(response=forwarded(route, host, service)))
        view.page.goto(url)
        loaded(view)
        if name in IN_THE_EDITOR:
            checked(view)
        yield view


def forwarded(route: Route, host: str, service: Service) -> object:
    headers = {**route.request.headers, "origin": service.url, "host": service.url.removeprefix("http://")}
    return route.fetch(url=route.request.url.replace(host, service.url), headers=headers)


@BUTTONS
def test_a_text_is_copied(browser: Browser, service: Service, desk: str, name: str) -> None:
    with at_button(browser, service, desk, name, **ALLOWED) as view:
        text = {**ON_THE_SPEC, **IN_THE_EDITOR}[name](view)
        is_done(view.page)
        assert text in clipboard(view.page)


@BUTTONS
def test_without_https(browser: Browser, service: Service, desk: str, name: str) -> None:
    with at_button(browser, service, desk, name, "http://rui.example", **ALLOWED) as view:
        assert not view.page.evaluate("isSecureContext || 'clipboard' in navigator")
        text = {**ON_THE_SPEC, **IN_THE_EDITOR}[name](view)
        is_done(view.page)
        view.messages.clear()  # Chromium ignores headers of a page without HTTPS, and says so.
        other = view.page.context.new_page()
        other.goto(f"{service.url}/docs")
        assert text in clipboard(other)


@BUTTONS
def test_a_browser_that_refuses(browser: Browser, service: Service, desk: str, name: str) -> None:
    with at_button(browser, service, desk, name, before=REFUSING, **ALLOWED) as view:
        page = view.page
        text = {**ON_THE_SPEC, **IN_THE_EDITOR}[name](view)
        assert "Ctrl+C" in notice(page)
        assert violations(page) == []
        page.emulate_media(color_scheme="dark")
        assert violations(page, "color-contrast") == []
        assert text in page.evaluate("getSelection().toString() || document.activeElement.value")
        page.keyboard.press("ControlOrMeta+c")
        if name != "Share":  # its field stays
            is_done(page)
        assert text in clipboard(page)


OLDER = {
    "no ClipboardItem": "delete globalThis.ClipboardItem;",
    "no promises": "const Item = ClipboardItem; globalThis.ClipboardItem = function (items) {"
    "if (Object.values(items).some((it) => it instanceof Promise)) throw new TypeError(); return new Item(items); };",
}


@pytest.mark.parametrize("before", OLDER.values(), ids=OLDER)
def test_older_browsers(browser: Browser, desk: str, before: str) -> None:
    with tab(browser, desk, before=before, **ALLOWED) as view:
        of_the_document(view)
        is_done(view.page)
        assert json.loads(clipboard(view.page)) == DESK


def test_a_text_that_is_shared_is_that_of_the_editor(browser: Browser, service: Service) -> None:
    with editor(browser, service.url, DESK_TEXT, **ALLOWED) as view:
        of_share(view)
        is_done(view.page)
        assert clipboard(view.page).startswith(f"{service.url}/#rui=")
