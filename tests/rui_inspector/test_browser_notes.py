"""Notes of a reviewer in a real browser: on a spec and in a comparison, with mouse and keyboard, kept and copied."""

import json

import pytest
from playwright.sync_api import Page

from rui_common.syntax.paths import format_path, parse_path, value_at
from rui_common.versions.notes import Notes, read_notes
from tests.rui_api.live import Service
from tests.rui_inspector.browser import Browser, tab, violations
from tests.support.examples import DESK

HOSTILE = "Use <b>less</b> `code`\n1. **x** `pages[9]`\n\n   - Note: and \\ *more*"


def press(page: Page, name: str) -> None:
    page.get_by_role("button", name=name, exact=True).click()


def open_notes(page: Page, name: str = "Notes") -> None:
    press(page, name)
    page.locator("body.noting").wait_for()


def write(page: Page, text: str) -> None:
    page.locator("#NOTE-TEXT").fill(text)
    press(page, "Keep")
    page.locator("dialog").wait_for(state="detached")  # the note is kept, and focus moved, after the dialog is closed


def copied(page: Page) -> str:
    """Copy the notes, and return the text of the clipboard."""
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    press(page, "Copy notes")
    page.get_by_role("button", name="Copied").wait_for()
    return page.evaluate("navigator.clipboard.readText()")


def facts(notes: Notes) -> list[tuple[str, str, str]]:
    return [(format_path(note.path), note.name, note.text) for note in notes.notes]


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
        assert notes.content_hash == stored["contentHash"]
        assert f"- Spec: {stored['viewUrl']}\n" in text
        assert f"- What a RUI may contain: {service.url}/llms.txt\n" in text
        assert "\n   - Contains: `figures`, `latest`\n" in text
        text_of_first = HOSTILE.replace("   - Note", "- Note")
        assert facts(notes) == [
            ("pages[0]", "Today", "Shorter"),
            ("pages[0].children[0].children[0]", "Open orders", text_of_first),
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
        press(page, "Cancel")
        page.locator(".notes-panel .plain").click()
        press(page, "Remove")
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


def test_notes_on_the_newer_version_of_a_comparison(browser: Browser, desk: str, other: str) -> None:
    with tab(browser, f"{desk}/compare/{other}", width=1440) as view:
        page = view.page
        open_notes(page)
        page.locator('.version [id^="W-"].block').first.click(position={"x": 12, "y": 8})
        write(page, "Why?")
        assert [text for _, _, text in facts(read_notes(copied(page)))] == ["Why?"]
        advice = page.locator(".notes-panel > .quiet").first.inner_text()
        assert advice == "Choose a part under After; for one that is gone, what was around it."
