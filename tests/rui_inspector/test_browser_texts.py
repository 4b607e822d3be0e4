"""The texts that the browser keeps: each text that another one replaces, or that a tab had when it was closed."""

import json
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest
from playwright.sync_api import Locator

from tests.rui_api.live import Service
from tests.rui_inspector.browser import Browser, BrowserError, Tab, violations
from tests.rui_inspector.editor import (
    CHECKED,
    CONTENT,
    DESK_TEXT,
    HIT,
    MINE,
    PLAYGROUND,
    checked,
    dropped,
    editor,
    kept,
    note,
    press,
    text_in,
    write,
)

FIRST = '{"meta": {"title": "First text"}}'
SECOND = '{"meta": {"title": "Second text"}}'
THIRD = '{"meta": {"title": "Third text"}}'
BACK = "Bring back my last text"


def another(view: Tab, url: str) -> Tab:
    """Open the front page in another tab of the same browser."""
    page = view.page.context.new_page()
    page.goto(url)
    page.locator(CHECKED).wait_for()
    return Tab(page)


def open_menu(view: Tab) -> Locator:
    """Open the menu of earlier texts and return its entries."""
    view.page.locator("#EARLIER summary").click()
    view.page.locator("#EARLIER li").first.wait_for()
    return view.page.locator("#EARLIER li button")


def earlier(view: Tab) -> list[str]:
    """Return the titles in the menu of earlier texts."""
    titles = open_menu(view).all_inner_texts()
    view.page.locator("#EARLIER summary").click()
    view.page.locator("#EARLIER li").first.wait_for(state="detached")
    return titles


def bring_back(view: Tab, title: str) -> None:
    entries = open_menu(view)
    entries.nth(entries.all_inner_texts().index(title)).click()


def write_and_keep(view: Tab, text: str) -> None:
    write(view, text)
    kept(view)


def type_before(view: Tab, key: str = " ") -> None:
    """Change the text at its start."""
    view.page.bring_to_front()
    view.page.locator(CONTENT).click()
    view.page.keyboard.press("ControlOrMeta+Home")
    view.page.keyboard.press(key)


# Tabs -----------------------------------------------------------------------------------------------------------------


def test_each_text_of_closed_tabs_is_kept(browser: Browser, service: Service) -> None:
    with editor(browser, service.url) as view:
        home = view.page.context.new_page()
        home.goto("about:blank")
        write_and_keep(view, FIRST)
        for text in (SECOND, THIRD):
            tab = another(view, service.url)
            write_and_keep(tab, text)
            tab.page.close()
        view.page.close()
        last = another(Tab(home), service.url)
        assert "This is your last text." in note(last)
        assert text_in(last) == THIRD
        assert earlier(last) == ["Second text", "First text"]
        bring_back(last, "First text")
        assert text_in(last) == FIRST
        press(last, BACK)
        assert text_in(last) == THIRD
        last.page.close()
        assert text_in(another(Tab(home), service.url)) == THIRD


def test_the_last_text_is_the_one_that_was_brought_back(browser: Browser, service: Service) -> None:
    with editor(browser, service.url, FIRST) as view:
        kept(view)
        press(view, "Undo")
        write_and_keep(view, SECOND)
        bring_back(view, "First text")
        kept(view)
        assert text_in(another(view, service.url)) == FIRST


def test_the_text_of_a_tab_that_crashed(browser: Browser, service: Service) -> None:
    with editor(browser, service.url) as view:
        tab = another(view, service.url)
        write_and_keep(tab, FIRST)
        with tab.page.expect_event("crash"):
            with suppress(BrowserError):
                tab.page.goto("chrome://crash")
        assert text_in(another(view, service.url)) == FIRST


def test_two_tabs_with_the_same_text(browser: Browser, service: Service) -> None:
    with editor(browser, service.url, FIRST) as view:
        kept(view)
        other = another(view, service.url)
        assert text_in(other) == FIRST
        assert earlier(other) == []
        write(other, FIRST.replace("First", "Changed"))
        kept(other)
        other.page.close()
        view.page.reload()  # as does closing it
        checked(view)
        assert text_in(view) == FIRST
        assert earlier(view) == ["Changed text"]


def test_a_duplicated_tab_has_a_text_of_its_own(browser: Browser, service: Service) -> None:
    with editor(browser, service.url, FIRST) as view:
        kept(view)
        with view.page.expect_popup() as popup:
            view.page.evaluate("window.open(location.href)")  # It copies sessionStorage.
        other = Tab(popup.value)
        checked(other)
        assert text_in(other) == FIRST
        write_and_keep(other, SECOND)
        type_before(view)
        kept(view)
        write_and_keep(other, SECOND.replace("Second", "Another"))
        other.page.close()
        type_before(view)
        kept(view)
        assert earlier(view)[0] == "Another text"
        tab = another(view, service.url)
        assert text_in(tab) == f"  {FIRST}"


def test_a_page_that_comes_back_has_its_own_text(browser: Browser, service: Service) -> None:
    """The browser keeps a page as it was, and another page of the same tab has written meanwhile."""
    with editor(browser, service.url, FIRST) as view:
        kept(view)
        view.page.evaluate("sessionStorage.setItem('rui-draft', 'of another page')")
        view.page.evaluate("dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))")
        assert view.page.evaluate("sessionStorage.getItem('rui-draft')") == FIRST


# Replacing ------------------------------------------------------------------------------------------------------------


def by_start_empty(view: Tab, service: Service, folder: Path) -> None:
    view.page = another(view, service.url).page  # where it is the last text
    press(view, "Start empty")


def by_example(view: Tab, service: Service, folder: Path) -> None:
    view.page.locator("#EXAMPLES summary").click()
    view.page.get_by_role("link", name="A minimal document").first.click()


def by_file(view: Tab, service: Service, folder: Path) -> None:
    (folder / "other.json").write_text(SECOND)
    view.page.locator("#OPEN-FILE").set_input_files(folder / "other.json")


def by_drop(view: Tab, service: Service, folder: Path) -> None:
    dropped(view, [("other.json", SECOND.encode())])


def by_link(view: Tab, service: Service, folder: Path) -> None:
    link = view.page.evaluate(
        """async text => {
      const stream = new Blob([text]).stream().pipeThrough(new CompressionStream("deflate-raw"));
      const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
      return btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
    }""",
        SECOND,
    )
    view.page.evaluate(f"location.hash = 'rui={link}'")


def by_new_version(view: Tab, service: Service, folder: Path) -> None:
    view.page.goto(service.store(json.loads(DESK_TEXT))["viewUrl"])
    view.page.get_by_role("link", name="New version").click()


def by_paste(view: Tab, service: Service, folder: Path) -> None:
    write(view, SECOND)


def by_deleting(view: Tab, service: Service, folder: Path) -> None:
    view.page.locator(CONTENT).click()
    view.page.keyboard.press("ControlOrMeta+a")
    view.page.keyboard.press("Delete")
    view.page.keyboard.type("12")


def by_typing(view: Tab, service: Service, folder: Path) -> None:
    view.page.locator(CONTENT).click()
    view.page.keyboard.press("ControlOrMeta+a")
    view.page.keyboard.type("12")
    view.messages.clear()  # Chromium copies the style of a selection that is typed over, which the policy forbids.


WAYS = [
    by_start_empty, by_example, by_file, by_drop, by_link, by_new_version, by_paste, by_deleting, by_typing,
]  # fmt: skip


@pytest.mark.parametrize("replace", WAYS)
def test_a_replaced_text_comes_back(
    browser: Browser, service: Service, tmp_path: Path, replace: Callable[[Tab, Service, Path], None]
) -> None:
    with editor(browser, service.url, FIRST) as view:
        kept(view)
        replace(view, service, tmp_path)
        view.page.locator(CHECKED).wait_for()
        view.until(f"{PLAYGROUND}.doc.toString() !== {json.dumps(FIRST)}")
        if replace not in (by_paste, by_deleting, by_typing):
            view.page.get_by_role("button", name=BACK).wait_for()
        kept(view)
        replaced = text_in(view)
        view.page.reload()
        checked(view)
        assert text_in(view) == replaced
        if not replaced:
            press(view, BACK)
        else:
            bring_back(view, "First text")
        assert text_in(view) == FIRST


def test_undo_and_redo_repeat_no_text(browser: Browser, service: Service) -> None:
    with editor(browser, service.url, FIRST) as view:
        kept(view)
        write_and_keep(view, SECOND)
        for name, text, other in (("Undo", FIRST, "Second text"), ("Redo", SECOND, "First text")):
            press(view, name)
            assert text_in(view) == text
            kept(view)
            assert earlier(view) == [other]
        assert view.page.evaluate("localStorage.length") == 2
        view.page.locator(CONTENT).click()
        for key in ("ControlOrMeta+a", "Delete", "ControlOrMeta+z"):
            view.page.keyboard.press(key)
        kept(view)
        write_and_keep(view, SECOND)  # the same text again
        assert earlier(view) == ["First text"]


def test_edits_of_the_service_begin_no_text(browser: Browser, service: Service) -> None:
    with editor(browser, service.url, '{"vesion":"0.1","meta":{"title":"Mine"}}') as view:
        press(view, "Fix all")
        view.page.locator("#NOTE", has_text="fixed").wait_for()
        press(view, "Format")
        view.page.locator("#NOTE", has_text="ormatted").wait_for()
        kept(view)
        assert earlier(view) == []


def test_what_the_service_has_is_not_kept(browser: Browser, service: Service) -> None:
    spec = service.store(json.loads(DESK_TEXT))["specId"]
    with editor(browser, service.url) as view:
        for name in ("A minimal document", "A document with an error", "A document with everything"):
            view.page.locator("#EXAMPLES summary").click()
            view.page.get_by_role("link", name=name).first.click()
            view.page.locator("#NOTE", has_text=name).wait_for()
            kept(view)
        assert earlier(view) == []
        for query in ("?example=wrong", f"?version-of={spec}", f"?copy={spec}", ""):
            view.page.goto(f"{service.url}/{query}")
            view.page.locator(CHECKED).wait_for()
            assert earlier(view) == []
        assert view.page.evaluate("localStorage.length") == 0
        type_before(view)
        kept(view)
        view.page.goto(f"{service.url}/?example=wrong")
        bring_back(view, "Order desk")


def test_a_text_that_is_too_long_to_keep_comes_back_in_its_tab(browser: Browser, service: Service) -> None:
    with editor(browser, service.url, MINE) as view:
        view.page.evaluate(f"{PLAYGROUND}.replace(' '.repeat(1_000_000) + '{{}}', '')")
        view.page.locator("#NOTE", has_text="it is too long. Copy it before you leave.").wait_for()
        kept(view)
        view.page.goto(f"{service.url}/?example=wrong")
        checked(view)
        press(view, BACK)
        assert view.page.evaluate(f"{PLAYGROUND}.doc.length") == 1_000_002
        view.messages.clear()


# Storage --------------------------------------------------------------------------------------------------------------

OFF = """
for (const name of ["localStorage", "sessionStorage"]) {
  Object.defineProperty(globalThis, name, { get() { throw new DOMException("off", "SecurityError"); } });
}
"""
FILL = """() => {
  let size = 1_000_000;
  for (let number = 0; size >= 1; number += 1) {
    try { localStorage.setItem(`other-${number}`, "x".repeat(size)); } catch { size = Math.floor(size / 2); }
  }
}"""
"""Fills the storage of the site to the last character."""


def test_storage_that_is_off(browser: Browser, service: Service) -> None:
    with editor(browser, service.url, before=OFF) as view:
        write(view, FIRST)
        view.page.locator("#NOTE", has_text="cannot keep the text: its storage is full or off").wait_for()
        assert view.visible("#UNKEPT") == ["not kept"]
        assert violations(view.page) == []
        write(view, SECOND)
        assert view.visible("#UNKEPT") == ["not kept"]
        assert earlier(view) == []
        view.page.locator("#EXAMPLES summary").click()
        view.page.get_by_role("link", name="A minimal document").first.click()
        press(view, BACK)
        assert text_in(view) == SECOND


def test_storage_that_others_have_filled(browser: Browser, service: Service) -> None:
    with editor(browser, service.url, FIRST) as view:
        kept(view)
        write_and_keep(view, SECOND)
        view.page.evaluate(FILL)
        long = json.dumps({"meta": {"title": "Long text", "more": "x" * 100_000}})
        write(view, long)
        view.page.locator("#UNKEPT").wait_for()
        assert "its storage is full" in note(view)
        assert earlier(view) == ["Second text", "First text"]
        view.page.evaluate("localStorage.removeItem('other-0')")
        type_before(view)
        view.page.locator("#UNKEPT").wait_for(state="hidden")


def test_the_oldest_texts_make_room(browser: Browser, service: Service) -> None:
    with editor(browser, service.url) as view:
        titles = [f"Text {number}" for number in range(22)]
        for title in titles:
            write_and_keep(view, json.dumps({"title": title}))
        assert earlier(view) == titles[-2:-21:-1]
        for title in titles[:3]:
            write_and_keep(view, json.dumps({"title": title, "more": "x" * 700_000}))
        assert earlier(view) == ["Text 1"]
        view.page.evaluate(f"{PLAYGROUND}.replace(JSON.stringify({{ more: 'x'.repeat(1_000_000) }}), '')")
        view.page.locator("#NOTE", has_text="cannot keep the text: it is too long").wait_for()
        assert earlier(view) == ["Text 2", "Text 1"]
        view.messages.clear()


# Looks ----------------------------------------------------------------------------------------------------------------


def test_the_menu_by_keyboard_and_at_every_width(browser: Browser, service: Service) -> None:
    hostile = json.dumps({"title": "<img src=x onerror=alert(1)> " + "wide" * 100})
    with editor(browser, service.url, MINE) as view:
        assert earlier(view) == []
        assert violations(view.page) == []
        for text in (hostile, DESK_TEXT, FIRST):
            write_and_keep(view, text)
        titles = open_menu(view).all_inner_texts()
        assert [title[:20] for title in titles] == ["Order desk", "<img src=x onerror=a", MINE]
        for width in (1280, 390, 320):
            view.page.set_viewport_size({"width": width, "height": 900})
            assert not view.is_wide()
            for button in view.page.locator("#EARLIER li button").all():
                assert button.evaluate(HIT)
                assert button.bounding_box()["height"] >= 24
            assert violations(view.page) == []
        view.page.emulate_media(color_scheme="dark")
        assert violations(view.page, "color-contrast") == []
        view.page.keyboard.press("Escape")
        assert view.page.evaluate("document.activeElement.matches('#EARLIER summary')")
        for key in ("Enter", "Tab", "Enter"):
            view.page.keyboard.press(key)
        assert text_in(view) == DESK_TEXT
