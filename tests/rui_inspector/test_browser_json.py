"""The JSON next to the tree: its colours, and folding."""

import copy
import json

from tests.rui_api.live import Service
from tests.rui_inspector.browser import DESK, Browser, Tab, loaded, tab, violations
from tests.rui_inspector.pages import HOSTILE

COLORED = """color => [...CSS.highlights.get(`json-${color}`)].map((it) => {
  const range = document.createRange();
  range.setStart(it.startContainer, it.startOffset);
  range.setEnd(it.endContainer, it.endOffset);
  return range.toString();
})"""


def colored(view: Tab, color: str) -> list[str]:
    """Return the texts in the listing that have a colour."""
    view.until(f"CSS.highlights.get('json-{color}')?.size > 0")
    return view.page.evaluate(COLORED, color)


def shown_lines(view: Tab) -> list[int]:
    """Return the numbers of the lines that are not folded."""
    ids = view.page.locator(".listing span[id]:not([hidden])").evaluate_all("all => all.map(it => it.id)")
    return [int(it[1:]) for it in ids]


def test_keys_strings_and_other_values_have_colors(browser: Browser, service: Service) -> None:
    document = copy.deepcopy(DESK)
    document["meta"]["rest"] = [-1.5e3, True, None, 'a "quoted": {1}', "\u202e"]
    with tab(browser, service.store(document)["viewUrl"], width=1440) as view:
        loaded(view)
        view.page.locator(".listing").scroll_into_view_if_needed()
        keys = colored(view, "key")
        assert '"version"' in keys
        assert {it[0] + it[-1] for it in keys} == {'""'}
        strings = colored(view, "string")
        assert '"a \\"quoted\\": {1}"' in strings
        assert not {*keys} & {'"a \\"quoted\\"'}
        assert [float(it) for it in colored(view, "number")] == [-1500.0]
        assert colored(view, "word") == ["true", "null"]


def test_lines_are_folded_by_pointer_and_keys(browser: Browser, desk: str) -> None:
    with tab(browser, desk, width=1440) as view:
        loaded(view)
        page = view.page
        page.locator(".listing").scroll_into_view_if_needed()
        page.locator("#L1 .fold-lines").wait_for()
        count = len(shown_lines(view))
        page.locator("#L1 .fold-lines").click()
        assert shown_lines(view) == [1, count]
        assert page.locator("#L1 .folded").inner_text() == f"{count - 2} lines"
        page.locator("#L1 .fold-lines").press("Enter")
        assert len(shown_lines(view)) == count
        first, last = map(int, page.locator("#latest").get_attribute("data-lines").split("-"))
        inner, inner_last = map(int, page.locator("#orders").get_attribute("data-lines").split("-"))
        page.locator(f"#L{inner} .fold-lines").press(" ")
        hidden = {*range(inner + 1, inner_last)}
        assert {*shown_lines(view)} == {*range(1, count + 1)} - hidden
        page.locator(f"#L{first} .fold-lines").press("Enter")
        page.locator(f"#L{first} .fold-lines").press("Enter")
        assert {*shown_lines(view)} == {*range(1, count + 1)} - hidden  # the inner one is still folded
        assert page.locator(f"#L{inner} .fold-lines").get_attribute("aria-expanded") == "false"
        assert last > inner_last
        assert violations(page) == []


def test_a_folded_line_is_unfolded_when_something_leads_to_it(browser: Browser, desk: str) -> None:
    with tab(browser, desk, width=1440) as view:
        loaded(view)
        page = view.page
        page.locator(".listing").scroll_into_view_if_needed()
        page.locator("#L1 .fold-lines").click()
        mark = page.locator("#orders > .marks .line")
        mark.click()
        assert page.locator(f"#L{mark.inner_text()}").is_visible()
        page.locator("#L1 .fold-lines").click()
        page.evaluate("location.hash = '#L9'")
        page.locator("#L9").wait_for()


def test_a_document_that_is_not_stored_can_be_folded_and_copied(browser: Browser, service: Service) -> None:
    url = f"{service.url}/?example=full&do=inspect"
    with tab(browser, url, width=1440, permissions=["clipboard-read", "clipboard-write"]) as view:
        page = view.page
        page.locator(".listing").scroll_into_view_if_needed()
        page.locator(".fold-lines").nth(1).click()
        assert page.locator(".listing span[hidden]").count() > 0
        page.get_by_role("button", name="Copy JSON").click()
        view.until("document.querySelector('#COPY').textContent === 'Copied'")
        assert json.loads(page.evaluate("navigator.clipboard.readText()"))["version"] == "0.1"


def test_hostile_texts_have_colors_and_do_nothing(browser: Browser, service: Service) -> None:
    document = copy.deepcopy(DESK)
    document["meta"]["rest"] = [it for it in HOSTILE if "\ud800" not in it]
    with tab(browser, service.store(document)["viewUrl"], width=1440) as view:
        loaded(view)
        view.page.locator(".listing").scroll_into_view_if_needed()
        assert colored(view, "string")
        assert view.page.evaluate("document.querySelectorAll('script, img, iframe').length") == 1
