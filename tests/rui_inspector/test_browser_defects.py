"""Places where a reader used to get lost: each page in a real browser, as the reader meets it."""

import copy
import json
import re

import pytest

from tests.inputs.sample import sample
from tests.rui_api.live import Service
from tests.rui_inspector.browser import DESK, EDITOR, WITH_AND_WITHOUT, Browser, Tab, loaded, tab, violations

FAULTY = json.dumps(DESK, indent=2).replace('"stack"', '"stak"', 1)


@pytest.fixture(scope="module")
def big(service: Service) -> str:
    return service.store(sample(120_000, indent=None))["viewUrl"]


def is_in_window(view: Tab, selector: str) -> bool:
    box = view.page.locator(selector).first.bounding_box()
    return box is not None and 0 <= box["y"] <= view.page.viewport_size["height"] - 20


def settled(view: Tab) -> None:
    """Wait until the page has stopped scrolling."""
    view.page.wait_for_timeout(300)
    last = -1
    while last != (last := view.page.evaluate("scrollY")):
        view.page.wait_for_timeout(150)


# The page of a spec -------------------------------------------------------------------------------------------------


@WITH_AND_WITHOUT
def test_navigation_leads_to_its_page_in_a_large_document(browser: Browser, big: str, script: bool) -> None:
    with tab(browser, big, script=script) as view:
        if script:
            loaded(view)
        links = view.page.locator(".menu a")
        for index in (5, links.count() - 3, 2):
            target = links.nth(index).get_attribute("href")
            links.nth(index).click()
            settled(view)
            assert is_in_window(view, f"{target} > details > summary"), target


def five_pages() -> dict[str, object]:
    """Return a document with five pages and over thirty blocks."""
    document = copy.deepcopy(DESK)
    first = document["pages"][0]
    for number in range(3):
        page = json.loads(json.dumps(first))
        page["id"] = f"page-{number}"
        for section in page["children"]:
            section["id"] += f"-{number}"
            section["children"] = [
                {**block, "id": f"{block['id']}-{number}-{copy_number}"}
                for copy_number in range(2) for block in section["children"]
            ]  # fmt: skip
        document["pages"].append(page)
        document["navigation"]["items"].append({"pageId": page["id"], "label": f"Page {number}"})
    return document


def test_the_first_screen_comes_early_on_a_phone(browser: Browser, service: Service) -> None:
    with tab(browser, service.store(five_pages())["viewUrl"], width=375) as view:
        assert not view.is_wide()
        assert view.page.locator(".screen").first.bounding_box()["y"] < 600
        assert violations(view.page) == []


@WITH_AND_WITHOUT
def test_print_has_one_screen_a_sheet(browser: Browser, service: Service, script: bool) -> None:
    with tab(browser, service.store(five_pages())["viewUrl"], script=script) as view:
        sheets = len(re.findall(rb"/Type\s*/Page[^s]", view.page.pdf(format="A4")))
        assert 5 <= sheets <= 8
        view.page.emulate_media(media="print")
        view.page.set_viewport_size({"width": 700, "height": 1000})
        assert view.page.locator(".screen").first.is_visible()
        assert not view.page.locator("#TREE").is_visible()
        widths = view.page.locator(".screen .figure b, .screen .cells i").evaluate_all(
            "all => all.map(it => it.getClientRects().length)"
        )
        assert {*widths} == {1}  # no placeholder is broken


# The front page -----------------------------------------------------------------------------------------------------


def test_marked_text_is_never_cut_off(browser: Browser, service: Service) -> None:
    texts = [
        FAULTY,
        FAULTY.replace('"Open orders"', f'"{"Open orders " * 30}", "titel": 1'),
        '{"a" 1',
        f'{{"{"k" * 300}": 1}}',
    ]
    for text in texts:
        with tab(browser, service.url, width=375, blocked=EDITOR) as view:
            view.page.locator("#RUI").fill(text)
            view.page.get_by_role("button", name="Check").click()
            view.page.locator("#RESULT .problems").wait_for()
            view.page.locator("#RESULT .problems details").evaluate_all("all => all.forEach(it => (it.open = true))")
            view.page.locator("#RESULT .frame").first.wait_for()
            overflow = view.page.locator("#RESULT .frame pre").evaluate_all(
                "all => all.map(it => it.scrollWidth - it.clientWidth)"
            )
            assert max(overflow) <= 0


def test_a_screen_from_right_to_left(browser: Browser, service: Service) -> None:
    document = copy.deepcopy(DESK)
    document["meta"]["description"] = "שלום עולם"
    document["pages"][0]["title"] = "שלום"
    with tab(browser, service.store(document)["viewUrl"], width=1440) as view:
        box = {name: view.page.locator(f"#W-{name}").bounding_box() for name in ("open-orders", "next-pickup")}
        assert box["open-orders"]["x"] > box["next-pickup"]["x"]
        assert view.page.locator("#W-stock").get_attribute("dir") is None
        source = view.page.locator("#W-open-orders .source")
        assert source.evaluate("it => getComputedStyle(it).direction") == "ltr"
        lead = view.page.locator(".lead").bounding_box()
        assert abs(lead["x"] + lead["width"] - (1440 - 24)) < 2
        assert violations(view.page) == []


def test_endpoints_and_value_paths_are_never_cut_off(browser: Browser, service: Service) -> None:
    long_path = f"/api/{'averylongsegment' * 9}/{'x/' * 200}end"
    document = json.loads(json.dumps(DESK).replace("/api/orders/summary", long_path))
    document = json.loads(json.dumps(document).replace("data.nextPickup", "data." + "deep." * 40 + "nextPickup"))
    with tab(browser, service.store(document)["viewUrl"], width=320) as view:
        assert not view.is_wide()
        cut = view.page.locator(".source code, .source, .needs code, .screen .block").evaluate_all(
            "all => all.filter(it => it.clientWidth && it.scrollWidth > it.clientWidth + 1).length"
        )
        assert cut == 0
        shown = view.page.locator("#W-next-pickup .source").inner_text().replace("\n", "")
        assert "nextPickup" in shown
        assert "end" in shown
