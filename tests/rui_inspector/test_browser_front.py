"""Front page, comparison and error pages in a real browser."""

import json

from tests.rui_api.live import Service
from tests.rui_inspector.browser import BOXES, WITH_AND_WITHOUT, Browser, tab
from tests.support.examples import DESK

# The front page -----------------------------------------------------------------------------------------------------


@BOXES
def test_checking_looking_and_storing(browser: Browser, service: Service, options: dict[str, object]) -> None:
    with tab(browser, service.url, **options) as view:
        page = view.page
        page.locator("#RUI").fill(json.dumps(DESK, indent=2).replace('"stack"', '"stak"', 1))
        page.get_by_role("button", name="Check").click()
        page.locator("#RESULT .frame").wait_for()
        assert "1 error" in page.locator("#RESULT").inner_text()
        assert view.visible("#RESULT mark") == ['"stak"']
        assert 'did you mean "stack"?' in page.locator("#RESULT").inner_text()
        with page.expect_navigation():
            page.get_by_role("button", name="Store").click()
        assert "1 error" in page.locator("#RESULT").inner_text()
        page.locator("#RUI").fill(json.dumps(DESK))
        page.get_by_role("button", name="View as a page").click()
        page.locator("#open-orders").wait_for()
        assert "not stored" in page.locator("header").inner_text()
        page.get_by_role("button", name="Store").click()
        page.wait_for_url("**/specs/*")
        assert page.locator("h1").inner_text() == "Order desk"


@WITH_AND_WITHOUT
def test_the_front_page_leads_people_and_programs_on(browser: Browser, service: Service, script: bool) -> None:
    with tab(browser, service.url, script=script) as view:
        top = view.page.locator(".masthead-line a")
        assert top.all_inner_texts() == ["RUI toolkit", "Docs", "Vocabulary", "Rules", "API", "A sample spec"]
        for link in view.page.locator(".masthead-line a, .ways a").all():
            assert service.client.get(link.get_attribute("href")).status_code == 200
        assert view.visible(".ways h2") == ["For people, in five steps", "For agents and programs, in five steps"]
        assert [steps.locator("li").count() for steps in view.page.locator(".steps").all()] == [5, 5]


# Comparison and error pages -----------------------------------------------------------------------------------------


@WITH_AND_WITHOUT
def test_comparing(browser: Browser, desk: str, other: str, script: bool) -> None:
    with tab(browser, desk, script=script) as view:
        page = view.page
        page.locator(".compare summary").click()
        page.get_by_label("The id or address of another spec").fill(f"https://rui.example.org/specs/{other}")
        page.get_by_role("button", name="Compare", exact=True).click()
        page.wait_for_url(f"**/compare/{other}")
        assert view.visible(".changes-summary li") == [
            "Endpoint /api/stock/low is no longer read.",
            "Open orders reads data.stillOpen instead of data.open.",
            "Section Running low is gone from page Stock.", "Section At a glance (new) is new on page Stock.",
            "Open orders is now called Still open.",
            "“Orders are refreshed every five minutes.” moves from section Latest orders "
            "to section At a glance (figures).",
        ]  # fmt: skip
        assert view.visible(".is-moved .content") == ["Orders are refreshed every five minutes."] * 2
        page.locator(".differences li", has_text="moves from").get_by_role("link").click()
        page.wait_for_url("**#W-refresh-note")
        page.locator("#W-refresh-note .change-mark a").click()
        page.locator(":target", has_text="moves from section Latest orders").wait_for()
        page.locator("#W-refresh-note a.to").click()
        page.wait_for_url(f"**/{other}#refresh-note")


def test_the_marks_do_not_need_colours(browser: Browser, desk: str, other: str) -> None:
    with tab(browser, f"{desk}/compare/{other}", width=320, forced_colors="active") as view:
        assert not view.is_wide()
        style = "getComputedStyle(document.querySelector('{}')).{}"
        assert view.page.evaluate(style.format(".is-moved", "outlineStyle")) == "dotted"
        assert view.page.evaluate(style.format(".is-changed", "outlineStyle")) == "double"
        marks = {text.split()[-1] for text in view.visible(".block .change-mark, .group .change-mark")}
        assert marks == {"changed", "moved", "added", "removed"}
