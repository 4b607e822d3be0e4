"""The page of a large document: complete, also without a script, and small on its way."""

import json
import re

import pytest

from rui_inspector.model.overview import endpoints_of
from rui_inspector.model.view import view_of
from tests.inputs.sample import largest_text, sample
from tests.rui_api.live import Service
from tests.rui_inspector.browser import WITH_AND_WITHOUT, Browser, loaded, tab, violations

LARGE = sample(120_000, indent=None)
LARGE_VIEW = view_of(json.loads(LARGE) if isinstance(LARGE, bytes | str) else LARGE)
LAST = LARGE_VIEW.nodes[-1]
LAST_PAGE = LARGE_VIEW.nested["pages"][-1]


@pytest.fixture(scope="module")
def large(service: Service) -> str:
    return service.store(LARGE)["viewUrl"]


IS_IN_WINDOW = "it => it.getBoundingClientRect().top >= 0 && it.getBoundingClientRect().top < innerHeight"
"""Without script, the browser may scroll by the estimated height of what it has not drawn yet."""


@WITH_AND_WITHOUT
@pytest.mark.parametrize("prefix", ["", "W-", "J-"])
def test_a_permalink_leads_to_its_place(browser: Browser, large: str, script: bool, prefix: str) -> None:
    with tab(browser, f"{large}#{prefix}{LAST.anchor}", script=script) as view:
        if script:
            loaded(view)
        target = view.page.locator(f"[id='{prefix}{LAST.anchor}']")
        target.wait_for()
        if script:
            view.until(f"({IS_IN_WINDOW})(document.getElementById('{prefix}{LAST.anchor}'))")


@WITH_AND_WITHOUT
def test_expanding_all(browser: Browser, large: str, script: bool) -> None:
    with tab(browser, large, script=script) as view:
        page = view.page
        page.locator(".openings").get_by_role("link", name="Expand all").click()
        page.wait_for_url(f"{large}?open=all")
        assert page.locator("li.node").count() == len(LARGE_VIEW.nodes)
        assert page.locator("li.node > details:not([open])").count() == 0


def test_the_largest_document_needs_little_transfer(service: Service) -> None:
    url = str(service.store(largest_text().encode())["viewUrl"])
    paths = re.findall(r'(?:src|href)="([^"]+\.(?:css|js|svg))"', service.client.get(url).text)
    assert len(paths) == 3
    assets = sum(int(service.client.get(path).headers["content-length"]) for path in paths)
    for query in ("", "?open=all", "?q=orders"):
        assert assets + int(service.client.get(url + query).headers["content-length"]) <= 200_000


@WITH_AND_WITHOUT
def test_the_first_screens_are_visible_at_once(browser: Browser, large: str, script: bool) -> None:
    with tab(browser, large, script=script, width=1440) as view:
        page = view.page
        assert page.locator(".screen").first.bounding_box()["y"] < 600
        assert page.locator(".needs > ul > li").count() == 6
        page.get_by_text("Further pages").click()
        assert page.locator(".needs details li").first.is_visible()
        assert not page.locator(f"[id='W-{LAST_PAGE.anchor}']").is_visible()
        page.locator(".more-screens > summary").click()
        page.locator(f"[id='W-{LAST_PAGE.anchor}']").scroll_into_view_if_needed()
        assert page.locator(f"[id='W-{LAST_PAGE.anchor}'] h3").is_visible()
        assert page.locator(".endpoints tbody").count() == len(endpoints_of(LARGE_VIEW))
        if script:
            assert violations(page) == []
