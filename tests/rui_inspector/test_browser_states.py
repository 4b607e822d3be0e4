"""The editor of the front page: a service that is slow or away, texts that are foreign, long or empty, the cursor."""

import json
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from rui_common.fixes.fix_all import FIXED_IN_PART, NONE_IS_SAFE
from tests.inputs.sample import sample
from tests.rui_api.live import Service, process
from tests.rui_inspector.browser import Browser, Tab, violations
from tests.rui_inspector.editor import (
    CONTENT,
    DESK_TEXT,
    FAULTY,
    HIT,
    PLAYGROUND,
    checked,
    codes,
    complete,
    editor,
    press,
    status,
    text_in,
    write,
)
from tests.support.examples import DESK

# A service that is frozen, slow or stopped ----------------------------------------------------------------------------


def stopped_check(view: Tab) -> None:
    """Let no answer to a check arrive, as with a service that is frozen."""
    view.page.route("**/playground/check?*", lambda _: None)


def holding(routes: list[object]) -> Callable[[object], None]:
    """Return a handler that keeps requests without an answer. Playwright accepts no method of a list."""

    def hold(route: object) -> None:
        routes.append(route)

    return hold


def type_at_start(view: Tab, key: str = "x") -> None:
    view.page.locator(CONTENT).click()
    view.page.keyboard.press("ControlOrMeta+Home")
    view.page.keyboard.press(key)


@pytest.mark.parametrize("tab_name", ["Wireframe", "Faults"])
def test_nothing_is_called_valid_before_it_is_checked(browser: Browser, service: Service, tab_name: str) -> None:
    with editor(browser, service.url, DESK_TEXT) as view:
        view.page.get_by_role("tab", name=tab_name).click()
        stopped_check(view)
        type_at_start(view)
        view.page.locator("#STATUS", has_text="Checking…").wait_for()
        assert view.visible("#STALE") == ["earlier text"]
        assert "valid" not in view.page.locator(".panes").inner_text().lower()
        view.page.locator("#STATUS", has_text="Not checked: The service has not answered for 8 seconds.").wait_for()
        assert violations(view.page) == []
        press(view, "Store")
        view.page.locator("#NOTE", has_text="Storing…").wait_for()
        view.page.locator("#NOTE", has_text="not stored, because it could not be checked").wait_for()
        view.page.unroute("**/playground/check?*")
        type_at_start(view, "Delete")
        view.page.locator("#STATUS", has_text="Valid").wait_for()
        assert view.visible("#STALE") == []


def test_a_slow_answer_is_awaited(browser: Browser, service: Service) -> None:
    with editor(browser, service.url, DESK_TEXT) as view:
        waiting = []
        view.page.route("**/playground/check?*", holding(waiting))
        type_at_start(view)
        view.page.locator("#STATUS", has_text="Not checked").wait_for()
        assert [route.request.method for route in waiting] == ["POST"]
        waiting[0].continue_()
        view.page.locator("#STATUS", has_text="error").wait_for()
        view.messages.clear()


def test_a_frozen_and_a_stopped_service(browser: Browser, tmp_path: Path) -> None:
    with (
        process("--store", f"sqlite:///{tmp_path}/rui.db") as (child, service),
        editor(browser, service.url, DESK_TEXT) as view,
    ):
        child.send_signal(signal.SIGSTOP)
        press(view, "Store")
        view.page.locator("#NOTE", has_text="Storing…").wait_for()
        type_at_start(view)
        view.page.locator("#STATUS", has_text="Checking…").wait_for()
        view.page.locator("#STATUS", has_text="Not checked").wait_for()
        assert "Valid" not in status(view)
        child.send_signal(signal.SIGCONT)
        view.page.locator("#STATUS", has_text="error").wait_for()
        child.kill()
        view.page.keyboard.type("y")
        view.page.locator("#STATUS", has_text="Not checked: The service does not respond.").wait_for()
        assert text_in(view).startswith("xy")
        view.messages.clear()


def test_whether_a_document_is_stored_is_said_if_it_is_known(browser: Browser, service: Service) -> None:
    refusal = {"errors": [{"hint": "The store is full."}]}
    failure = {"error": "OVERLOADED", "message": "Busy."}
    with editor(browser, service.url, DESK_TEXT) as view:

        def check(note: str, **response: Any) -> None:
            """Store with this response, or without one."""
            act = (lambda route: route.fulfill(**response)) if response else (lambda route: route.abort())
            view.page.route("**/api/specs", act)
            press(view, "Store")
            view.page.locator("#NOTE", has_text=note).wait_for()
            view.page.unroute("**/api/specs")
            view.messages.clear()

        check("The document is not stored. The store is full.", status=400, json=refusal)
        check("It is not known whether the document is stored. The service does not respond.")
        check("The document is not stored. Busy.", status=503, json=failure, headers={"Retry-After": "1"})
        unclear = "It is not known whether the document is stored. Busy."
        check(unclear, status=503, json=failure)
        check("The document is not stored. Busy.", status=429, json=failure)
        check(unclear, status=502, json=failure, headers={"Retry-After": "1"})
        check("It is not known whether the document is stored.", status=504, body="<html>")


# Stored, long, empty and foreign texts --------------------------------------------------------------------------------


def test_the_address_of_a_stored_document_stays(browser: Browser, service: Service) -> None:
    with editor(browser, service.url, DESK_TEXT) as view:
        held = []
        view.page.route("**/api/specs", holding(held))
        with view.page.expect_request("**/api/specs"):  # an edit before it would be stored, or prevent it
            press(view, "Store")
        view.page.locator("#NOTE", has_text="Storing…").wait_for()
        type_at_start(view, " ")
        held[0].continue_()
        view.page.unroute("**/api/specs")
        view.page.locator("#NOTE", has_text="tored:").wait_for()
        address = view.page.locator("#NOTE a").inner_text()
        type_at_start(view, " ")
        press(view, "Format")
        view.page.locator("#NOTE", has_text="Formatted.").wait_for()
        type_at_start(view, " ")
        assert address in view.page.locator("#NOTE").inner_text()
        assert violations(view.page) == []
        for number in range(10):
            write(view, DESK_TEXT.replace("still open", f"open {number}"))
            press(view, "Store")
            view.page.locator("#NOTE", has_text="Storing").wait_for(state="detached")
            view.page.locator("#NOTE a").wait_for()
            address = view.page.locator("#NOTE a").inner_text()
        view.page.reload()
        checked(view)
        view.page.locator("#STORED summary").click()
        entries = view.page.locator("#STORED li a")
        entries.nth(9).wait_for()
        assert entries.all_inner_texts() == ["Order desk"] * 10
        assert violations(view.page) == []
        entries.first.click()
        view.page.wait_for_url(f"**/{address.rpartition('/')[2]}")


def test_texts_over_a_limit_in_words(browser: Browser, service: Service, tmp_path: Path) -> None:
    long = {**DESK, "meta": {"title": "Long", "more": "é" * 180_000}}
    with editor(browser, service.url, json.dumps(long, ensure_ascii=False)) as view:
        assert "98 KB too long to store" in status(view)
        view.page.route("**/api/specs", lambda route: route.abort())
        press(view, "Store")
        view.page.locator("#NOTE", has_text="98 KB too long to store. The limit is 256 KB").wait_for()
        (tmp_path / "large.json").write_bytes(b" " * 3_000_000)
        view.page.locator("#OPEN-FILE").set_input_files(tmp_path / "large.json")
        view.page.locator("#NOTE", has_text="large.json has 2.9 MB.").wait_for()
        view.page.evaluate(f"{PLAYGROUND}.replace(' '.repeat(1_100_000) + '{{}}', '')")
        view.page.locator("#STATUS", has_text="Not checked: The text has 1.0 MB.").wait_for()
        for name in ("View as a page", "Share"):
            press(view, name)
            view.page.locator("#NOTE", has_text="1.0 MB").wait_for()
        assert view.page.url == f"{service.url}/"


def test_an_empty_editor_says_how_to_begin(browser: Browser, service: Service) -> None:
    with editor(browser, service.url, DESK_TEXT) as view:
        view.page.keyboard.press("ControlOrMeta+a")
        view.page.keyboard.press("Delete")
        checked(view)
        assert view.visible(".cm-placeholder") == ["Ctrl+Space begins a document."]
        assert view.visible(".panel .nothing") == ["Press Ctrl+Space in the editor, or choose an example."]
        assert violations(view.page) == []
        complete(view, "RUI")
        checked(view)
        assert "pages" in json.loads(text_in(view))


def test_fix_all_says_what_it_revealed(browser: Browser, service: Service) -> None:
    text = DESK_TEXT.replace('"type": "Page"', '"typ": "Pag"').replace('"stack"', '"stak"').replace("}", "},", 1)
    with editor(browser, service.url, text) as view:
        press(view, "Fix all")
        view.page.locator("#NOTE", has_text="fixed.").wait_for()
        assert "-" not in view.page.locator("#NOTE").inner_text()


@pytest.mark.parametrize("note", [FIXED_IN_PART, NONE_IS_SAFE])
def test_fix_all_says_that_there_is_more(browser: Browser, service: Service, note: str) -> None:
    edits = [{"range": [0, 0, 0, 0], "text": " "}] if note == FIXED_IN_PART else []
    answer = {"edits": edits, "fixed": 1, "revealed": 0, "left": 9, "isTruncated": True, "note": note}
    with editor(browser, service.url, FAULTY) as view:
        view.page.route("**/playground/fix-all*", lambda route: route.fulfill(json=answer))
        press(view, "Fix all")
        view.page.locator("#NOTE", has_text=note).wait_for()
        shown = "1 fault fixed. 9 or more left. " if edits else ""
        assert view.page.locator("#NOTE").inner_text() == shown + note


def test_the_number_of_warnings_alone_is_amber(browser: Browser, service: Service) -> None:
    badge = "getComputedStyle(document.querySelector('#TAB-faults .number')).backgroundColor"
    with editor(browser, service.url, FAULTY) as view:
        red = view.page.evaluate(badge)
        write(view, DESK_TEXT.replace('"badge"', '"bagde"'))
        assert codes(view) == ["UNKNOWN_VALUE"]
        assert status(view).startswith("Valid · with 1 warning")
        assert view.page.evaluate(badge) != red
        assert violations(view.page) == []


# The cursor -----------------------------------------------------------------------------------------------------------


def test_the_preview_shows_the_page_at_the_cursor(browser: Browser, service: Service) -> None:
    text = json.dumps(sample(230_000), indent=2)
    pages = json.loads(text)["pages"]
    with editor(browser, service.url, text) as view:
        for page in (pages[8], pages[-1], pages[0]):
            offset = text.index(f'"id": "{page["id"]}"', text.index('"pages"'))
            view.page.evaluate(f"{PLAYGROUND}.view.dispatch({{selection: {{anchor: {offset}}}}})")
            block = view.page.locator(f"[id='W-{page['id']}'].at-cursor")
            block.wait_for()
            assert block.evaluate(HIT.replace("height / 2", "8"))
        assert "Pages 1 to " in view.page.locator("#PANEL-wireframe > .quiet").inner_text()


def test_the_keyboard_gets_the_message_of_a_fault(browser: Browser, service: Service) -> None:
    with editor(browser, service.url, FAULTY) as view:
        view.page.locator(CONTENT).focus()
        view.page.keyboard.press("F8")
        message = view.page.locator("#EDITOR .cm-tooltip .fault")
        message.get_by_text("INVALID_PROP_TYPE").wait_for()
        view.page.locator("#FAULT", has_text="INVALID_PROP_TYPE").wait_for()
        assert violations(view.page) == []
        view.page.keyboard.press("ControlOrMeta+Home")
        message.wait_for(state="detached")
        view.until("document.querySelector('#FAULT').textContent === ''")


SCROLLED = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
"""Waits until the editor has scrolled: it does so in the next frame."""


def test_a_place_is_scrolled_to_only_if_it_is_hidden(browser: Browser, service: Service) -> None:
    with editor(browser, service.url, FAULTY) as view:
        scroller = view.page.locator("#EDITOR .cm-scroller")
        view.page.get_by_role("tab", name="Faults").click()
        for name in ("Go there", "Fix…"):
            view.page.locator("#PANEL-faults").get_by_text(name, exact=True).click()
            view.page.evaluate(SCROLLED)
            assert scroller.evaluate("it => it.scrollLeft") == 0
        before = scroller.evaluate("it => it.scrollTop")
        view.page.get_by_role("link", name="Go there").click()
        view.page.evaluate(SCROLLED)
        assert scroller.evaluate("it => it.scrollTop") == before


@pytest.mark.parametrize("width", [1440, 1024, 390])
def test_a_note_does_not_move_the_editor(browser: Browser, service: Service, width: int) -> None:
    with editor(browser, service.url, DESK_TEXT, width=width) as view:
        box = view.page.locator("#EDITOR")
        view.page.locator("#NOTE").evaluate("it => it.replaceChildren()")
        top = box.bounding_box()["y"]
        for name, text in (("Fix all", "nothing to fix"), ("Store", "Stored:"), ("Format", "formatted")):
            view.page.get_by_role("button", name=name, exact=True).click()
            view.page.locator("#NOTE", has_text=text).wait_for()
            assert box.bounding_box()["y"] == top, name
