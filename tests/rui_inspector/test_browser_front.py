"""Front page, comparison and error pages in a real browser."""

import json

from tests.rui_api.live import Service
from tests.rui_inspector.browser import BOXES, DESK, WITH_AND_WITHOUT, Browser, tab

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
        page.get_by_role("button", name="Store").click()
        page.wait_for_load_state()
        assert "1 error" in page.locator("#RESULT").inner_text()
        page.locator("#RUI").fill(json.dumps(DESK))
        page.get_by_role("button", name="View as a page").click()
        page.locator("#open-orders").wait_for()
        assert "not stored" in page.locator("header").inner_text()
        page.get_by_role("button", name="Store").click()
        page.wait_for_url("**/specs/*")
        assert page.locator("h1").inner_text() == "Order desk"


# Comparison and error pages -----------------------------------------------------------------------------------------


@WITH_AND_WITHOUT
def test_comparing(browser: Browser, desk: str, other: str, script: bool) -> None:
    with tab(browser, desk, script=script) as view:
        page = view.page
        page.locator(".compare summary").click()
        page.get_by_label("The id or address of another spec").fill(f"https://rui.example.org/specs/{other}")
        page.get_by_role("button", name="Compare", exact=True).click()
        page.wait_for_url(f"**/compare/{other}")
        assert [" ".join(text.split()) for text in view.visible(".headlines li")] == [
            "Endpoints 1 removed (GET /api/stock/low), 1 changed (GET /api/orders/summary)",
            "Pages 2 changed (Today, Stock)", "Sections 1 added (At a glance), 1 removed (Running low)",
            "Blocks 1 changed (Still open), 1 moved (“Orders are refreshed every five minutes.”)",
        ]  # fmt: skip
        data = page.locator("section", has=page.locator("#DATA")).inner_text()
        assert "Today › At a glance › Still open: data.open data.stillOpen" in " ".join(data.split())
        assert [it.inner_text() for it in page.locator("del").all()][:3] == ["data.items", "data.open", "Open orders"]
        assert view.visible(".is-moved .content") == ["Orders are refreshed every five minutes."] * 2
        page.locator(".differences").get_by_role("link", name="At a glance › “Orders are refreshed").click()
        assert page.url.endswith("#W-refresh-note")
        page.locator("#W-refresh-note .change-mark a").click()
        assert "moved from Today › Latest orders to Today › At a glance" in page.locator(":target").inner_text()
        page.locator("#W-refresh-note a.to").click()
        assert page.url.endswith(f"{other}#refresh-note")


def test_the_marks_do_not_need_colours(browser: Browser, desk: str, other: str) -> None:
    with tab(browser, f"{desk}/compare/{other}", width=320, forced_colors="active") as view:
        assert not view.is_wide()
        style = "getComputedStyle(document.querySelector('{}')).{}"
        assert view.page.evaluate(style.format(".is-moved", "outlineStyle")) == "dotted"
        assert view.page.evaluate(style.format(".is-changed", "outlineStyle")) == "double"
        assert "line-through" in view.page.evaluate(style.format("del", "textDecorationLine"))
        assert "underline" in view.page.evaluate(style.format("ins", "textDecorationLine"))
        marks = {text.split()[-1] for text in view.visible(".block .change-mark, .group .change-mark")}
        assert marks == {"changed", "moved", "added", "removed"}
