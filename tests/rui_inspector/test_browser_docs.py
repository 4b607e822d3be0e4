"""The documentation in a real browser: narrow, dark, printed, by keyboard, accessible, with and without script."""

import pytest

from tests.rui_api.live import Service
from tests.rui_inspector.browser import WITH_AND_WITHOUT, Browser, tab, violations

PATHS = [
    "/docs",
    "/docs/vocabulary",
    "/docs/rules",
    "/docs/rules/R17",
    "/docs/rules/MISSING_REQUIRED_PROP",
    "/docs/rules/TOO_LARGE",
    "/docs/rules/R99",
    "/docs/api",
]


def without_status(messages: list[str]) -> list[str]:
    return [line for line in messages if "status of 404" not in line]


@pytest.mark.parametrize("path", PATHS)
def test_pages_fit_the_window_in_both_directions(browser: Browser, service: Service, path: str) -> None:
    with tab(browser, service.url + path) as view:
        for direction in ("ltr", "rtl"):
            view.page.evaluate(f"document.documentElement.dir = '{direction}'")
            for width in (320, 768, 1440):
                view.page.set_viewport_size({"width": width, "height": 800})
                assert not view.is_wide()
        view.messages = without_status(view.messages)


@pytest.mark.parametrize("path", PATHS)
def test_axe_reports_no_violation(browser: Browser, service: Service, path: str) -> None:
    with tab(browser, service.url + path) as view:
        assert violations(view.page) == []
        view.page.emulate_media(color_scheme="dark")
        assert violations(view.page, only="color-contrast") == []
        view.page.set_viewport_size({"width": 320, "height": 800})
        assert violations(view.page) == []
        view.messages = without_status(view.messages)


@WITH_AND_WITHOUT
def test_from_a_finding_to_the_rule_and_back_with_its_example(browser: Browser, service: Service, script: bool) -> None:
    with tab(browser, f"{service.url}/?example=wrong", script=script) as view:
        page = view.page
        if script:
            page.get_by_role("tab", name="Faults").click()
        page.locator(".problems a[href*='docs/rules/']").locator("visible=true").first.click()
        page.wait_for_url("**/docs/rules/R7b")
        assert page.locator("h1").inner_text() == "R7b INVALID_PROP_TYPE"
        assert view.visible(".sample.bad") == ['"horizontal"']
        page.get_by_role("link", name="Try the faulty example").click()
        page.wait_for_url("**/?example=R7b*")
        if script:
            page.get_by_role("tab", name="Faults").click()
        page.locator(".problems").locator("visible=true").first.wait_for()
        assert "INVALID_PROP_TYPE" in page.locator(".problems").locator("visible=true").first.inner_text()
