"""The page of a large document: its parts are fetched when a reader opens them, and nothing gets lost by that."""

import json
import re
import urllib.request

import pytest

from benchmarks.inspector import largest
from benchmarks.sample import sample
from rui_inspector.model.overview import endpoints_of
from rui_inspector.model.search import Search
from rui_inspector.model.view import view_of
from tests.rui_api.live import Service
from tests.rui_inspector.browser import WITH_AND_WITHOUT, Browser, loaded, tab, violations

LARGE = sample(120_000, indent=None)
LARGE_VIEW = view_of(json.loads(LARGE) if isinstance(LARGE, bytes | str) else LARGE)
LAST_PAGE = LARGE_VIEW.nested["pages"][-1]
LAST = LARGE_VIEW.nodes[-1]
"""The last block, in a part that the page leaves out."""

LAST_USER = LARGE_VIEW.requests[-1][0]
"""The last block with a binding."""


@pytest.fixture(scope="module")
def large(service: Service) -> str:
    return service.store(LARGE)["viewUrl"]


def ids_in(html: str) -> set[str]:
    return {*re.findall(r' id="([^"]+)"', html)}


def content(url: str) -> str:
    with urllib.request.urlopen(url) as response:
        return response.read().decode()


def test_every_permalink_leads_to_a_node_or_to_a_link_to_it(large: str) -> None:
    html = content(large)
    assert {node.anchor for node in LARGE_VIEW.nodes} <= ids_in(html)
    assert not re.search(rf'<li [^>]*id="{LAST.anchor}"', html)
    for name in ("all", "outline", "pages"):
        whole = content(f"{large}?open={name}")
        assert whole.count('<li class="node') == len(LARGE_VIEW.nodes)
        assert 'data-part="JSON"' in whole


@WITH_AND_WITHOUT
def test_a_permalink_into_a_part(browser: Browser, large: str, script: bool) -> None:
    with tab(browser, f"{large}#{LAST.anchor}", script=script) as view:
        page = view.page
        if not script:
            link = page.locator(f"a[id='{LAST.anchor}']")
            assert link.is_visible()
            link.click()
        page.locator(f"li#{LAST.anchor} > details > summary").wait_for()
        page.wait_for_timeout(300)
        box = page.locator(f"li#{LAST.anchor} > details > summary").bounding_box()
        assert 0 <= box["y"] < 900
        assert page.evaluate("decodeURIComponent(location.hash)") == f"#{LAST.anchor}"


@WITH_AND_WITHOUT
def test_a_part_is_opened(browser: Browser, large: str, script: bool) -> None:
    with tab(browser, large, script=script) as view:
        page = view.page
        node = page.locator(f"li#{LAST_PAGE.anchor}")
        node.locator("summary").first.click()
        if not script:
            node.get_by_role("link", name=re.compile("^Show")).click()
        page.locator(f"li#{LAST.anchor} > details > summary").wait_for()
        page.locator(f"li#{LAST.anchor} > details > summary").click()
        assert page.locator(f"li#{LAST.anchor} .inside").is_visible()
        if script:
            assert page.locator(f"li#{LAST.anchor}").get_attribute("role") == "treeitem"
            assert node.locator(".part").count() == 0


def test_keys_lead_into_a_part(browser: Browser, large: str) -> None:
    with tab(browser, large) as view:
        loaded(view)
        page = view.page
        page.locator(f"li#{LAST_PAGE.anchor}").focus()
        page.keyboard.press("ArrowRight")
        first = LAST_PAGE.children[0].anchor
        page.locator(f"li#{first}").wait_for()
        page.keyboard.press("ArrowDown")
        assert page.evaluate("document.activeElement.id") == first
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement.closest('.node').id") == first
        assert violations(page) == []


def test_a_search_finds_what_is_in_closed_parts(browser: Browser, large: str) -> None:
    for word in (LAST.id, "data.orders"):
        expected = [node.anchor for node in Search(LARGE_VIEW, word).hits]
        assert expected
        for script in (True, False):
            with tab(browser, large, script=script) as view:
                view.page.locator("#Q").fill(word)
                if not script:
                    view.page.keyboard.press("Enter")
                    view.page.wait_for_url("**?q=*")
                view.page.locator("#FOUND p").wait_for()
                assert view.page.locator("#FOUND").inner_text().startswith(f"{len(expected)} node")
                shown = view.page.evaluate("[...document.querySelectorAll('li.node:not([hidden])')].map(it => it.id)")
                assert {*expected} <= {*shown}


@WITH_AND_WITHOUT
def test_expanding_all(browser: Browser, large: str, script: bool) -> None:
    with tab(browser, large, script=script) as view:
        page = view.page
        page.locator(".openings").get_by_role("link", name="Expand all").click()
        page.locator(f"li#{LAST.anchor} > details[open]").wait_for()
        assert page.url == f"{large}?open=all"
        assert page.locator("li.node").count() == len(LARGE_VIEW.nodes)
        assert page.locator("li.node > details:not([open])").count() == 0


@WITH_AND_WITHOUT
@pytest.mark.parametrize("width", [1440, 375])
def test_the_json_is_listed_when_it_is_near(browser: Browser, large: str, script: bool, width: int) -> None:
    with tab(browser, large, script=script, width=width) as view:
        page = view.page
        assert page.locator(".listing").count() == 0
        mark = page.locator(".node > .marks .line").first
        number = mark.text_content()
        mark.click()
        page.locator(f"#L{number}").wait_for()
        page.wait_for_timeout(300)
        box = page.locator(f"#L{number}").bounding_box()
        assert 0 <= box["y"] < 900


def test_a_line_is_a_permalink(browser: Browser, large: str) -> None:
    with tab(browser, f"{large}#L900") as view:
        view.page.locator("#L900").wait_for()
        view.page.wait_for_timeout(300)
        assert 0 <= view.page.locator("#L900").bounding_box()["y"] < 900


def test_a_part_that_cannot_be_fetched_is_left_as_a_link(browser: Browser, large: str) -> None:
    with tab(browser, large) as view:
        loaded(view)
        page = view.page
        page.route("**part=*", lambda route: route.fulfill(status=503))
        node = page.locator(f"li#{LAST_PAGE.anchor}")
        node.locator("summary").first.click()
        page.wait_for_timeout(200)
        assert node.get_by_role("link", name=re.compile("^Show")).is_visible()
        page.unroute("**part=*")
        node.get_by_role("link", name=re.compile("^Show")).click()
        page.locator(f"li#{LAST.anchor}").wait_for()
        assert page.url == f"{large}?open={LAST_PAGE.anchor}"
        view.messages = [it for it in view.messages if "503" not in it]


def test_the_largest_document_needs_little_html_and_less_transfer(service: Service) -> None:
    document = largest()
    url = str(service.store(document)["viewUrl"])
    for query in ("", "?open=all", "?q=orders", "?json=all"):
        response = service.client.get(url + query)
        assert len(response.content) <= 8 * len(document)
        assert int(response.headers["content-length"]) <= 200_000
    paths = [url, *re.findall(r'(?:src|href)="([^"]+\.(?:css|js|svg))"', service.client.get(url).text)]
    assert len(paths) >= 4
    assert sum(int(service.client.get(path).headers["content-length"]) for path in paths) <= 100_000


@WITH_AND_WITHOUT
def test_the_first_screens_are_visible_at_once(browser: Browser, large: str, script: bool) -> None:
    with tab(browser, large, script=script, width=1440) as view:
        page = view.page
        assert page.locator(".screen").first.bounding_box()["y"] < 600
        assert page.locator(".needs > ul > li").count() == 6
        page.get_by_text("Further pages").click()
        assert page.locator(".needs details li").first.is_visible()


@WITH_AND_WITHOUT
def test_bindings_are_shown_when_they_are_near(browser: Browser, large: str, script: bool) -> None:
    with tab(browser, large, script=script) as view:
        page = view.page
        page.locator(".jumps").get_by_role("link", name="Bindings").click()
        page.locator(".endpoints tbody").first.wait_for()
        assert page.locator(".endpoints tbody").count() == len(endpoints_of(LARGE_VIEW))
        link = page.locator(f".endpoints a[href='#{LAST_USER.anchor}']")
        link.click()
        assert page.evaluate("decodeURIComponent(location.hash)") == f"#{LAST_USER.anchor}"
        if script:
            page.locator(f"li#{LAST_USER.anchor}").wait_for()
            assert page.locator(".endpoints .copy").count() > 0
