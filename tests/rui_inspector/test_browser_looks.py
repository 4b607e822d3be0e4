"""Every page in a real browser: narrow, dark, accessible, with hostile texts; and the documentation."""

import copy
import json
from itertools import cycle, islice, product

import pytest

from rui_common.describe import full_example
from tests.rui_api.live import Service
from tests.rui_inspector.browser import WITH_AND_WITHOUT, Browser, tab, violations
from tests.rui_inspector.pages import HOSTILE
from tests.support.examples import DESK

# Appearance ---------------------------------------------------------------------------------------------------------


PATHS = [
    "/?example=full&do=inspect", "/?example=broken&do=inspect", "desk", "compare", "/specs/x", "/docs",
    "/docs/vocabulary", "/docs/rules/MISSING_REQUIRED_PROP", "/docs/rules/R99", "/docs/api",
]  # fmt: skip
"""tests/rui_inspector/test_browser_playground.py has the front page."""


@pytest.fixture(params=PATHS)
def url(request: pytest.FixtureRequest, service: Service, desk: str, other: str) -> str:
    """The URL of each kind of page."""
    return {"desk": desk, "compare": f"{desk}/compare/{other}"}.get(request.param, service.url + request.param)


def test_pages_fit_the_window_and_are_accessible(browser: Browser, url: str) -> None:
    with tab(browser, url) as view:
        assert violations(view.page) == []
        view.page.emulate_media(color_scheme="dark")
        assert violations(view.page, only="color-contrast") == []
        for direction, width in product(("ltr", "rtl"), (320, 768, 1440)):
            view.page.evaluate(f"document.documentElement.dir = '{direction}'")
            view.page.set_viewport_size({"width": width, "height": 800})
            assert not view.is_wide()
        view.messages = [line for line in view.messages if "status of 40" not in line]


TEXTS = [text for text in HOSTILE if text != "\ud800"]


def hostile() -> dict[str, object]:
    """Return a valid document with a different text in every place that allows it."""
    document = copy.deepcopy(full_example())
    texts = cycle(TEXTS)
    document["meta"] = {name: next(texts) for name in ("title", "description", "__proto__", "\u202e<b>", "x" * 10_000)}
    document["meta"]["deep"] = {"a": [next(texts), {"b": {"c": {"d": {"e": [next(texts)]}}}}]}
    first = document["pages"][0]["id"]
    document["navigation"]["items"] += [
        {"pageId": first, "label": text, text: text} for text in TEXTS if len(text) < 99
    ]
    for page in document["pages"]:
        page["title"], page["description"] = next(texts), next(texts)
        for section in page["children"]:
            section["title"] = next(texts)
            for block in section["children"]:
                block |= {name: next(texts) for name in ("label", "title", "content") if name in block}
                if "columns" in block:
                    keys = list(islice(texts, 9))
                    block["columns"] = [{"key": key, "label": next(texts), "type": next(texts)} for key in keys]
                    block["filter"] = {"field": keys[0], "label": next(texts), "options": [{"value": next(texts)}]}
    document["pages"][0]["children"][0]["id"] = "x" * 64
    return document


# Hostile and large --------------------------------------------------------------------------------------------------


def test_hostile_text_is_shown_and_not_run(browser: Browser, service: Service) -> None:
    url = service.store(json.dumps(hostile(), ensure_ascii=False).encode())["viewUrl"]
    with tab(browser, url, width=360) as view:
        page = view.page
        assert not view.is_wide()
        assert page.evaluate("document.querySelectorAll('script, img, iframe').length") == 1
        rights = "[...document.querySelectorAll('.node')].map(it => it.getBoundingClientRect().right)"
        assert page.evaluate(f"Math.max(...{rights}) <= innerWidth")
        shown = page.locator("body").text_content()
        for text in TEXTS:
            assert not text.isprintable() or text in shown
        page.goto(f"{url}?q=<script>")
        page.goto(f"{url}/compare/{url.rpartition('/')[2]}")
        assert "same content" in page.locator("body").inner_text()


def test_long_names_do_not_push_the_rest_away(browser: Browser, service: Service) -> None:
    long = json.loads(json.dumps(DESK).replace("Open orders", "y" * 10_000).replace("Stock", "n" * 10_000))
    long["meta"] |= {"title": "t" * 10_000, "description": "d" * 10_000}
    url = service.store(long)["viewUrl"]
    with tab(browser, url) as view:
        assert view.page.locator("header").first.bounding_box()["height"] < 500
        for part in ("#open-orders > details > summary", ".menu", ".endpoints"):
            assert view.page.locator(part).first.bounding_box()["height"] < 450, part
        view.page.goto(f"{url}/compare/{service.store(DESK)['specId']}")
        assert view.page.locator("main").bounding_box()["height"] < 2_500


@WITH_AND_WITHOUT
def test_from_a_finding_to_the_rule_and_back_with_its_example(browser: Browser, service: Service, script: bool) -> None:
    with tab(browser, f"{service.url}/?example=wrong", script=script) as view:
        page = view.page
        if script:
            page.get_by_role("tab", name="Faults").click()
        page.locator(".problems a[href*='docs/rules/']").locator("visible=true").first.click()
        page.wait_for_url("**/docs/rules/R7b")
        assert page.locator("h1").inner_text() == "R7b INVALID_PROP_TYPE"
        assert view.visible("#Example + p + .sample") == ['"horizontal"']
        page.get_by_role("link", name="Try the faulty example").click()
        page.wait_for_url("**/?example=R7b*")
        if script:
            page.get_by_role("tab", name="Faults").click()
        page.locator(".problems").locator("visible=true").first.wait_for()
        assert "INVALID_PROP_TYPE" in page.locator(".problems").locator("visible=true").first.inner_text()
