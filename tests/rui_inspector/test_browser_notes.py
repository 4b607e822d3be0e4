"""Notes of a reviewer in a real browser: on a spec and in a comparison, with mouse and keyboard, kept and copied."""

import json
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page

from rui_common.syntax.paths import format_path, parse_path, value_at
from rui_common.versions.notes import Note, read_notes
from rui_common.versions.replaced import version_hash
from tests.rui_api.live import Service
from tests.rui_inspector.browser import Browser, Tab, later, loaded, tab, violations
from tests.support.examples import DESK

HOSTILE = "Use <b>less</b> `code`\n1. **x** `pages[9]`\n\n   - Note: and \\ *more*"


def press(page: Page, name: str) -> None:
    scope = page.locator("dialog") if page.locator("dialog").count() else page
    scope.get_by_role("button", name=name, exact=True).click()


def open_notes(page: Page, name: str = "Notes") -> None:
    press(page, name)
    page.locator("body.noting").wait_for()


def open_dialog(page: Page, node_id: str) -> Locator:
    """Open the dialog of a part, and return its field."""
    page.locator(f"#W-{node_id} > .note, #W-{node_id} > .marks .note").first.click()
    return page.locator("#NOTE-TEXT")


def leave(page: Page, key: str = "Escape") -> None:
    page.keyboard.press(key)
    page.locator("dialog").wait_for(state="detached")  # what becomes of the text is decided after the dialog is closed


def write(page: Page, text: str) -> None:
    page.locator("#NOTE-TEXT").fill(text)
    leave(page, "Control+Enter")


def copied(page: Page) -> str:
    """Copy the notes, and return the text of the clipboard."""
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    press(page, "Copy notes")
    page.get_by_role("button", name="Copied").wait_for()
    return page.evaluate("navigator.clipboard.readText()")


def facts(notes: list[Note]) -> list[tuple[str, str, str]]:
    return [(format_path(note.path), note.name, note.text) for note in notes]


def kept(page: Page) -> list[str]:
    """Return the texts that the browser keeps."""
    return sorted(page.evaluate("Object.values(localStorage)"))


def test_notes_are_copied_as_rui_diff_reads_them(browser: Browser, service: Service) -> None:
    stored = service.store(DESK)
    with tab(browser, stored["viewUrl"], width=1440) as view:
        page = view.page
        open_notes(page)
        page.locator("#W-open-orders").click(position={"x": 20, "y": 10})
        write(page, HOSTILE)
        page.locator("#today > .marks .note").focus()
        page.keyboard.press("Enter")
        page.keyboard.type("Shorter")
        page.keyboard.press("Control+Enter")
        page.locator("dialog").wait_for(state="detached")
        text = copied(page)
        notes = read_notes(text)
        assert {note.document_hash for note in notes} == {stored["contentHash"]}
        assert f"- Spec: {stored['viewUrl']}\n" in text
        assert f"- What a RUI may contain: {service.url}/llms.txt\n" in text
        assert "\n   - Contains: `figures`, `latest`\n" in text
        assert facts(notes) == [
            ("pages[0]", "Today", "Shorter"),
            ("pages[0].children[0].children[0]", "Open orders", HOSTILE),
        ]
        lines = [line for line in text.splitlines() if line.startswith("   - Now: ")]
        values = [json.loads(line.partition("`")[2].rstrip("`")) for line in lines]
        assert values[1] == value_at(DESK, parse_path("pages[0].children[0].children[0]"))
        assert values[0].keys() == DESK["pages"][0].keys() - {"children"}


def test_notes_are_kept_changed_and_removed(browser: Browser, desk: str) -> None:
    with tab(browser, desk, width=1440) as view:
        page = view.page
        open_notes(page)
        page.locator("#W-orders").click(position={"x": 20, "y": 10})
        write(page, "Newest first")
        page.reload()
        open_notes(page, "Notes (1)")
        assert "Newest first" in page.locator(".notes-panel").inner_text()
        page.locator("#W-orders .note").last.click()
        assert page.locator("#NOTE-TEXT").input_value() == "Newest first"
        press(page, "Close")
        page.locator(".notes-panel .plain").click()
        assert page.locator("dialog").count() == 0
        assert page.locator("#W-orders > .note").evaluate("it => it === document.activeElement")
        page.locator(".notes-panel .change").click()
        press(page, "Remove note")
        page.get_by_role("button", name="Notes", exact=True).wait_for()
        assert page.evaluate("localStorage.length") == 0
        press(page, "Close")
        page.locator("#orders > details > summary").click()
        assert page.locator("dialog").count() == 0
        assert page.locator(".note").count() == 0


@pytest.mark.parametrize("width", [1440, 390])
def test_nobody_is_excluded(browser: Browser, desk: str, width: int) -> None:
    with tab(browser, desk, width=width) as view:
        page = view.page
        assert page.get_by_role("button", name="Notes", exact=True).is_visible()
        open_notes(page)
        page.locator("#W-orders .note").last.click()
        assert violations(page) == []
        write(page, "x")
        assert violations(page) == []
        assert not view.is_wide()


def test_without_script_the_page_is_as_before(browser: Browser, desk: str) -> None:
    with tab(browser, desk, script=False) as view:
        assert not view.page.locator("#NOTES").is_visible()


def test_notes_on_both_versions_of_a_comparison(browser: Browser, service: Service, desk: str, other: str) -> None:
    with tab(browser, f"{desk}/compare/{other}", width=1440) as view:
        page = view.page
        open_notes(page)
        page.locator('.version [id^="W-"].block').first.click(position={"x": 12, "y": 8})
        write(page, "Why?")
        page.locator("#B-low-stock .cells li").first.click()
        assert page.locator("dialog label").inner_text() == (
            "Note on column “Article” of Table low-stock, in the version before"
        )
        write(page, "Bring it back")
        notes = read_notes(copied(page))
        assert [(note.text, note.document_hash) for note in notes] == [
            ("Why?", version_hash(later())), ("Bring it back", version_hash(DESK)),
        ]  # fmt: skip
        assert notes[1].path == parse_path("pages[1].children[0].children[0].columns[0]")
        page.reload()  # what is written about the version before while both are compared is no note on that version
        open_notes(page, "Notes (2)")
        assert not page.locator("#ANSWERS").is_visible()


PARTS = [
    ("#W-open-orders", "Open orders", "pages[0].children[0].children[0]"),
    ("#W-orders .cells li:nth-child(3)", "column “Status” of Table orders",
     "pages[0].children[1].children[0].columns[2]"),
    ("#W-orders .picker", "filter “Status” of Table orders", "pages[0].children[1].children[0].filter"),
    ("#W-orders .control .quiet bdi:last-child", "option “Shipped” of Table orders",
     "pages[0].children[1].children[0].filter.options[1]"),
    ("#W-open-orders .pick", "value path of Open orders", "pages[0].children[0].children[0].binding.valuePath"),
    ("#W-open-orders .request", "binding of Open orders", "pages[0].children[0].children[0].binding"),
    ("#W-today .app-bar li:nth-child(2)", "navigation item “Stock”", "navigation.items[1]"),
    ("#W-stock h3", "Stock", "pages[1]"), ("h1", "the title", "meta.title"),
    ("#orders .chips > li:nth-child(2)", "column “Customer” of Table orders",
     "pages[0].children[1].children[0].columns[1]"),
    ("#orders [data-at=options] .chips > li:nth-child(1)", "option “Open” of Table orders",
     "pages[0].children[1].children[0].filter.options[0]"),
    ("#refresh-note .inside > .path", "Orders are refreshed every five minutes.", "pages[0].children[1].children[1]"),
]  # fmt: skip


def test_a_note_is_on_the_part_that_was_chosen(browser: Browser, desk: str) -> None:
    with tab(browser, f"{desk}?open=all", width=1440, height=1200) as view:
        page = view.page
        open_notes(page)
        for number, (selector, title, _) in enumerate(PARTS):
            page.locator(selector).first.click(position={"x": 8, "y": 6})
            assert page.locator("dialog label").inner_text() == f"Note on {title}"
            write(page, str(number))
        press(page, "Note on the whole app")
        write(page, "A page is missing")
        notes = {note.text: format_path(note.path) for note in read_notes(copied(page))}
        assert notes == {**{str(number): path for number, (*_, path) in enumerate(PARTS)}, "A page is missing": ""}
        for title in ("the title", "column “Status” of Table orders"):
            page.locator(".notes-panel").get_by_role("button", name=title, exact=True).click()
            assert page.evaluate("document.activeElement.getAttribute('aria-label')") == f"Change the note on {title}"
        page.locator("#latest > details > summary").click()
        assert page.locator("dialog").count() == 0
        assert not page.locator("#orders").is_visible()


def test_notes_with_the_keyboard(browser: Browser, desk: str) -> None:
    with tab(browser, desk, width=1440) as view:
        page = view.page

        def focused() -> str:
            return page.evaluate(
                "document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent"
            )

        open_notes(page)
        press(page, "To the parts")
        found = [focused()]
        for key in ("ArrowDown", "ArrowDown", "ArrowRight", "ArrowRight", "ArrowLeft", "ArrowUp", "End", "Home"):
            page.keyboard.press(key)
            found.append(focused())
        assert found[:4] == [
            "Note on Today",
            "Note on At a glance",
            "Note on Open orders",
            "Note on binding of Open orders",
        ]
        assert found[4:7] == [
            "Note on value path of Open orders",
            "Note on binding of Open orders",
            "Note on Open orders",
        ]
        assert found[8] == "Note on Today"
        for key, title in (
            ("PageDown", "Stock"), ("PageUp", "Today"), ("a", "At a glance"), ("o", "Open orders"),
            ("T", "Table orders"), ("ArrowRight", "filter “Status” of Table orders"), ("PageUp", "Today"),
        ):  # fmt: skip
            if key in "oT":
                page.wait_for_timeout(800)  # so that each letter begins a name
            page.keyboard.press(key)
            assert focused() == f"Note on {title}"
        page.keyboard.press("Enter")
        page.keyboard.type("Shorter")
        leave(page, "Control+Enter")
        assert focused() == "Change the note on Today"
        page.keyboard.press("Tab")
        assert focused() == "Copy notes"
        page.keyboard.press("Escape")
        assert focused() == "Notes (1)"
        assert not page.locator(".notes-panel").is_visible()
        page.locator("#NOTES > button").evaluate("it => { it.click(); it.click(); }")  # twice, before it is loaded
        page.locator("body.noting").wait_for()
        assert page.locator("#W-orders > .note").count() == 1


# Drafts ---------------------------------------------------------------------------------------------------------------


def escape(page: Page) -> None:
    leave(page)


def reload(page: Page) -> None:
    page.reload()
    open_notes(page, "Notes (1 draft)")


def follow_a_link_and_go_back(page: Page) -> None:
    page.evaluate("location.href = '/docs'")
    page.wait_for_url("**/docs")
    page.go_back()
    loaded(Tab(page))
    if page.locator("body.noting").count() == 0:
        open_notes(page, "Notes (1 draft)")


def open_another_part(page: Page) -> None:
    leave(page)
    open_dialog(page, "orders")
    leave(page)


def click_beside_the_dialog(page: Page) -> None:
    page.mouse.click(5, 5)
    if page.locator("dialog").count():
        leave(page)


@pytest.mark.parametrize("leave_it", [
    escape, reload, follow_a_link_and_go_back, open_another_part, click_beside_the_dialog,
])  # fmt: skip
def test_a_text_is_a_draft_of_its_part_from_the_first_key_on(
    browser: Browser, desk: str, leave_it: Callable[[Page], None]
) -> None:
    with tab(browser, desk, width=1440) as view:
        page = view.page
        open_notes(page)
        open_dialog(page, "open-orders").press_sequentially("N")
        assert kept(page) == ["N"]
        page.keyboard.type("ame the day")
        leave_it(page)
        assert page.get_by_role("button", name="Notes (1 draft)").is_visible()
        assert page.locator("#W-open-orders .note").inner_text() == "✎ Draft"
        panel = page.locator(".notes-panel")
        assert "Open orders Name the day" in panel.inner_text()
        assert "1 draft is not copied." in panel.inner_text()
        assert not page.get_by_role("button", name="Copy notes").is_visible()
        assert open_dialog(page, "orders").input_value() == ""
        leave(page)
        assert open_dialog(page, "open-orders").input_value() == "Name the day"
        leave(page, "Control+Enter")
        assert kept(page) == ["Name the day"]
        assert page.get_by_role("button", name="Notes (1)").is_visible()


def test_a_browser_that_ends_keeps_drafts(browser: Browser, desk: str) -> None:
    with tab(browser, desk, width=1440) as view:
        open_notes(view.page)
        open_dialog(view.page, "open-orders").fill("Name the day")
        other = view.page.context.new_page()
        view.page.close(run_before_unload=False)
        other.goto(desk)
        open_notes(other, "Notes (1 draft)")
        assert open_dialog(other, "open-orders").input_value() == "Name the day"


def test_an_unchanged_field_is_no_draft(browser: Browser, desk: str) -> None:
    with tab(browser, desk, width=1440) as view:
        page = view.page
        open_notes(page)
        open_dialog(page, "orders").fill("x")
        page.locator("#NOTE-TEXT").fill("")
        leave(page)
        assert kept(page) == []
        open_dialog(page, "orders")
        write(page, "Newest first")
        open_dialog(page, "orders").fill("Newest first\n")
        leave(page)
        assert kept(page) == ["Newest first"]
        assert page.locator(".is-draft").count() == 0


def test_a_draft_beside_a_note_is_not_copied(browser: Browser, desk: str) -> None:
    with tab(browser, desk, width=1440) as view:
        page = view.page
        open_notes(page)
        open_dialog(page, "orders")
        write(page, "Newest first")
        open_dialog(page, "orders").fill("Oldest first")
        leave(page)
        open_dialog(page, "open-orders").fill("Name the day")
        leave(page)
        assert page.get_by_role("button", name="Notes (1, 2 drafts)").is_visible()
        assert "2 drafts are not copied." in page.locator(".notes-panel").inner_text()
        assert [text for _, _, text in facts(read_notes(copied(page)))] == ["Newest first"]


@pytest.mark.parametrize("button", ["Remove note", "Discard draft"])
def test_what_is_removed_can_be_brought_back(browser: Browser, desk: str, button: str) -> None:
    with tab(browser, desk, width=1440) as view:
        page = view.page
        open_notes(page)
        open_dialog(page, "orders")
        write(page, "Newest first")
        open_dialog(page, "orders").fill("Oldest first")
        press(page, button)
        page.locator("dialog").wait_for(state="detached")
        assert kept(page) == ([] if button == "Remove note" else ["Newest first"])
        press(page, "Undo")
        assert kept(page) == ["Newest first", "Oldest first"]
        assert not page.get_by_role("button", name="Undo").is_visible()
        open_dialog(page, "orders").fill("")
        leave(page, "Control+Enter")
        press(page, "Undo")
        assert kept(page) == ["Newest first"]


def test_a_long_text_is_kept_whole(browser: Browser, desk: str) -> None:
    with tab(browser, desk, width=1440) as view:
        open_notes(view.page)
        open_dialog(view.page, "orders").fill("x" * 30_000)
        leave(view.page, "Control+Enter")
        assert kept(view.page) == ["x" * 30_000]


# Where notes are kept -------------------------------------------------------------------------------------------------


def test_two_tabs_lose_no_note_of_each_other(browser: Browser, desk: str) -> None:
    with tab(browser, desk, width=1440) as view:
        page, other = view.page, view.page.context.new_page()
        other.goto(desk)
        for opened in (page, other):
            open_notes(opened)
        fields = [open_dialog(opened, "orders") for opened in (page, other)]
        fields[0].fill("Newest first")
        fields[1].fill("Fewer columns")
        leave(page, "Control+Enter")
        leave(other, "Control+Enter")
        assert kept(page) == ["Newest first\n\nFewer columns"]
        open_dialog(page, "open-orders").fill("Name the day")
        open_dialog(other, "today").fill("Shorter")
        leave(other, "Control+Enter")
        leave(page, "Control+Enter")
        assert kept(page) == ["Name the day", "Newest first\n\nFewer columns", "Shorter"]
        Tab(page).until("document.querySelectorAll('.notes-panel ol li').length == 3")
        fields = [open_dialog(opened, "stock") for opened in (page, other)]
        for field, text in zip(fields, ("mine", "yours"), strict=True):
            field.fill(text)
        page.reload()
        open_notes(page, "Notes (3, 1 draft)")
        assert sorted(open_dialog(page, "stock").input_value().split("\n\n")) == ["mine", "yours"]


def test_a_note_that_another_tab_has_changed_is_not_removed(browser: Browser, desk: str) -> None:
    with tab(browser, desk, width=1440) as view:
        page, other = view.page, view.page.context.new_page()
        other.goto(desk)
        for opened in (page, other):
            open_notes(opened)
        open_dialog(page, "orders")
        write(page, "Newest first")
        fields = [open_dialog(opened, "orders") for opened in (page, other)]
        fields[1].fill("Oldest first")
        leave(other, "Control+Enter")
        press(page, "Remove note")
        page.locator("dialog").wait_for(state="detached")
        assert kept(page) == ["Oldest first"]
        assert not page.get_by_role("button", name="Undo").is_visible()
        assert open_dialog(page, "open-orders").input_value() == ""
        leave(page, "Control+Enter")
        assert not page.get_by_role("button", name="Undo").is_visible()


DENIED = "Storage.prototype.setItem = () => { throw new DOMException('', 'QuotaExceededError') }"
NO_STORAGE = "Object.defineProperty(window, 'localStorage', { get() { throw new DOMException('', 'SecurityError') } })"


@pytest.mark.parametrize("script", [DENIED, NO_STORAGE], ids=["full", "denied"])
def test_a_browser_that_keeps_nothing_says_so(browser: Browser, desk: str, script: str) -> None:
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    try:
        context.add_init_script(script)
        page = context.new_page()
        asked: list[str] = []
        page.on("dialog", lambda dialog: (asked.append(dialog.type), dialog.dismiss()))
        page.goto(desk)
        open_notes(page)
        lost = page.get_by_text("This browser does not keep notes: copy them before you leave the page.")
        assert not lost.is_visible()
        open_dialog(page, "orders").press_sequentially("Newest first")
        assert "this browser does not keep it" in page.locator("dialog").inner_text()
        leave(page)
        assert lost.is_visible()
        assert open_dialog(page, "orders").input_value() == "Newest first"
        leave(page, "Control+Enter")
        page.evaluate("window.dispatchEvent(new StorageEvent('storage'))")
        assert [text for _, _, text in facts(read_notes(copied(page)))] == ["Newest first"]
        page.close(run_before_unload=True)
        Tab(page).until("true")
        assert asked == ["beforeunload"]
        open_dialog(page, "orders")
        press(page, "Remove note")
        page.locator("dialog").wait_for(state="detached")
        assert not lost.is_visible()
    finally:
        context.close()


def test_notes_are_about_the_document_without_the_spec_that_it_replaces(browser: Browser, service: Service) -> None:
    """Earlier notes are in one item, under the content hash."""
    before = service.store(DESK)
    document = DESK | {"meta": {**DESK["meta"], "replaces": before["specId"]}}
    stored = service.store(document)
    with tab(browser, before["viewUrl"], width=1440) as view:
        page = view.page
        for number, spec in enumerate((before, stored)):
            earlier = json.dumps({"orders": f"Newest first {number}", "today": "Shorter"})
            page.evaluate(
                "([key, text]) => localStorage.setItem(key, text)", [f"rui-notes:{spec['contentHash']}", earlier]
            )
        page.goto(stored["viewUrl"])
        open_notes(page, "Notes (2)")
        notes = read_notes(copied(page))
        assert {note.document_hash for note in notes} == {version_hash(DESK)} == {version_hash(document)}
        assert [note.text for note in notes] == ["Shorter", "Newest first 0\n\nNewest first 1"]
        assert kept(page) == ["Newest first 0\n\nNewest first 1", "Shorter"]
        page.goto(f"{before['viewUrl']}/compare/{stored['specId']}")
        assert page.get_by_role("button", name="Notes (2)").is_visible()
