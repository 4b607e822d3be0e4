"""What became of notes on the version before, in a real browser: on the page of a spec and in a comparison."""

import copy
import json

import pytest

from rui_common.versions.replaced import version_hash
from tests.rui_api.live import Service
from tests.rui_inspector.browser import Browser, Page, Tab, later, tab, violations
from tests.rui_inspector.test_browser_notes import HOSTILE, kept, open_notes
from tests.support.examples import DESK

NOTES = {
    "open-orders": "Name the day", "orders/columns[2]": HOSTILE, "orders/filter": "No filter",
    "low-stock/columns[0]": "Shorter", "/meta.title": "Another title",
}  # fmt: skip


@pytest.fixture(scope="module")
def versions(service: Service) -> tuple[str, str]:
    """The addresses of two versions."""
    before = service.store(DESK)
    document = later()
    document["meta"] = {**document["meta"], "replaces": before["specId"]}
    return before["viewUrl"], service.store(document)["viewUrl"]


def keep(page: Page, notes: dict[str, str], document: dict[str, object] = DESK) -> None:
    items = {f"rui-note:{version_hash(document)}:{key}": text for key, text in notes.items()}
    page.evaluate("items => Object.assign(localStorage, items)", items)


def heading(page: Page) -> str:
    page.locator("#ANSWERS:not([hidden])").wait_for()
    return page.locator("#ANSWERED").inner_text()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_next_version_answers(browser: Browser, versions: tuple[str, str], scheme: str) -> None:
    before, after = versions
    with tab(browser, before, width=1440, color_scheme=scheme) as view:
        page = view.page
        sent: list[str] = []
        page.on("request", lambda request: sent.append(request.post_data or "") if request.method == "POST" else None)
        page.goto(after)
        assert not page.locator("#ANSWERS").is_visible()
        assert sent == []
        keep(page, NOTES)
        page.reload()
        assert heading(page) == "1 of 5 notes are followed, 1 part is gone"
        assert json.loads(sent[0])["notes"][1] == {"path": "pages[0].children[0].children[0]", "name": "Open orders"}
        assert not any(text in sent[0] for text in NOTES.values())
        assert "Your words stay in this browser." in page.locator("#ANSWERS").inner_text()
        assert page.locator("#COPIED").inner_text() == "1 of 5 notes are followed, 1 part is gone"
        outcomes = page.locator("#ANSWERS > ul .outcome").all_inner_texts()
        assert outcomes == ["untouched", "untouched", "untouched", "gone"]
        assert not page.locator("#ANSWERS").get_by_text("Name the day").is_visible()
        page.locator("#ANSWERS summary").click()
        assert "Open orders is now called Still open." in page.locator("#ANSWERS").inner_text()
        assert page.locator("#W-open-orders .answer summary").inner_text().startswith("followed Open orders reads")
        assert HOSTILE in page.locator("#W-orders .answer").first.inner_text()
        assert "No filter" in page.locator("#W-orders .answer").last.inner_text()
        assert violations(page) == []
        page.locator("#ANSWERS .carry").nth(1).focus()
        page.keyboard.press("Enter")
        view.until("document.querySelectorAll('#ANSWERS .carried').length === 1")
        assert page.locator("#ANSWERS .carried").evaluate("it => it === document.activeElement")
        view.until("document.querySelectorAll('#W-orders .carried').length === 1")
        page.get_by_role("button", name="Carry all 3 over").click()
        assert page.locator("#NOTES > button").inner_text() == "Notes (3)"
        assert len(kept(page)) == 8
        open_notes(page, "Notes (3)")
        assert violations(page) == []
        panel = page.locator(".notes-panel").inner_text()
        assert "column “Status” of Table orders" in panel
        page.locator("#W-orders summary").first.click()
        view.until("document.querySelectorAll('dialog').length === 0")
        page.goto(f"{before}/compare/{after.rpartition('/')[2]}")
        assert heading(page) == "1 of 5 notes are followed, 1 part is gone"
        assert page.locator("#B-low-stock .answer summary").inner_text().startswith("gone")
        view.until("document.querySelectorAll('#W-open-orders .answer').length === 1")
        view.until("document.querySelectorAll('#ANSWERS .carried').length === 3")
        assert violations(page) == []
        page.set_viewport_size({"width": 390, "height": 844})
        assert not view.is_wide()


def test_what_cannot_be_answered_is_said_and_nothing_is_lost(
    browser: Browser, service: Service, versions: tuple[str, str]
) -> None:
    _, after = versions
    with tab(browser, after, width=1440, blocked="**/nothing") as view:
        page = view.page
        keep(page, {f"orders/columns[{number}]": f"Text {number}" for number in range(3)} | {"elsewhere": "On no part"})
        page.route("**/notes", lambda route: route.fulfill(status=503, json={"message": "Overloaded."}))
        page.reload()
        assert heading(page) == "4 notes on the version before are not answered: Overloaded"
        assert "column “Status” of Table orders: Text 2" in page.locator("#ANSWERS").inner_text()
        page.unroute("**/notes")
        page.get_by_role("button", name="Try again").click()
        Tab(page).until("document.querySelector('#ANSWERED')?.textContent.startsWith('0 of 3')")
        page.get_by_text("1 note on no part of that version").click()
        assert "elsewhere: On no part" in page.locator("#ANSWERS").inner_text()
        document = copy.deepcopy(DESK)
        document["meta"]["replaces"] = "00000000-0000-4000-8000-000000000000"
        keep(page, {"orders": "Newest first", "/": "A page is missing"})
        page.goto(service.store(document)["viewUrl"])
        page.evaluate("localStorage.clear()")
        keep(page, {"orders": "Newest first", "/": "A page is missing"}, later())
        page.reload()
        assert heading(page) == "Notes on the version before cannot be answered, as that is not here"
        page.locator("#ANSWERS summary").click()
        assert page.locator("#ANSWERS li").all_inner_texts() == [
            "the whole app: “A page is missing”",
            "orders: “Newest first”",
        ]
        view.messages.clear()  # the answer 503


def test_a_browser_that_keeps_nothing_says_so_when_notes_are_carried_over(
    browser: Browser, versions: tuple[str, str]
) -> None:
    _, after = versions
    with tab(browser, after, width=1440) as view:
        page = view.page
        keep(page, NOTES)
        page.reload()
        heading(page)
        page.evaluate("void (Storage.prototype.setItem = () => { throw new DOMException('', 'QuotaExceededError') })")
        page.locator("#ANSWERS .carry").first.click()
        assert "This browser does not keep notes" in page.locator("#ANSWERS").inner_text()
        assert len(kept(page)) == 5
        page.evaluate("localStorage.clear()")
        view.page.close(run_before_unload=False)


@pytest.fixture(scope="module")
def third(service: Service, versions: tuple[str, str]) -> str:
    """The address of a version that replaces the second one."""
    document = later()
    document["pages"][0]["children"][1]["title"] = "The latest"
    document["meta"] = {**document["meta"], "replaces": versions[1].rpartition("/")[2]}
    return service.store(document)["viewUrl"]


def test_a_version_that_was_not_read_is_skipped(browser: Browser, third: str) -> None:
    with tab(browser, third, width=1440) as view:
        page = view.page
        keep(page, NOTES)
        page.reload()
        title = page.locator("#ANSWERED-1")
        title.wait_for()
        assert title.inner_text().startswith("1 of 5 notes on the version of ")
        assert title.inner_text().endswith(" are followed, 1 part is gone")
        assert not page.locator("#ANSWERS").is_visible()
        page.get_by_role("button", name="Carry all 3 over").click()
        assert page.locator("#NOTES > button").inner_text() == "Notes (3)"
        assert violations(page) == []


def test_notes_on_earlier_versions_are_offered_without_those_that_were_carried_over(
    browser: Browser, versions: tuple[str, str], third: str
) -> None:
    with tab(browser, versions[1], width=1440) as view:
        page = view.page
        keep(page, NOTES)
        page.reload()
        page.get_by_role("button", name="Carry over: the note on filter “Status” of Table orders").first.click()
        page.goto(third)
        assert heading(page) == "0 of 1 note is followed"
        earlier = page.locator(".answers.earlier")
        assert earlier.locator("summary").inner_text().startswith("4 notes on the version of ")
        earlier.locator("summary").click()
        assert "No filter" not in earlier.inner_text()
        assert "Open orders: Name the day" in earlier.inner_text()
        assert violations(page) == []
        earlier.get_by_role("button", name="See what became of them").click()
        page.locator("#ANSWERED-1").wait_for()
        assert page.locator("#ANSWERED-1").evaluate("it => it === document.activeElement")
        assert heading(page) == "0 of 1 note is followed"


def test_many_notes_do_not_hide_the_page(browser: Browser, versions: tuple[str, str]) -> None:
    columns = [f"columns[{number}]{name}" for number in range(3) for name in ("", ".key", ".label")]
    parts = [*columns, "filter", "binding", "binding.path", "binding.valuePath"]
    with tab(browser, versions[1], width=1440) as view:
        page = view.page
        keep(page, {**{f"orders/{part}": "Why?" for part in parts}, "gone": "On nothing"})
        page.reload()
        assert heading(page) == "0 of 13 notes are followed"
        assert page.locator("#ANSWERS summary").all_inner_texts() == ["3 more", "1 note on no part of that version"]
        assert page.locator("#ANSWERS > ul > li").count() == 10
        page.evaluate("localStorage.clear()")
        keep(page, {"gone": "On nothing"})
        page.reload()
        assert heading(page) == "Notes on the version before that are about no part of it"
        assert page.locator("#ANSWERS li").all_inner_texts() == ["gone: On nothing"]
        assert violations(page) == []
