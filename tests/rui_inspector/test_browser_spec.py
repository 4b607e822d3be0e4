"""The page of a spec in a real browser: every capability, with and without script, and by keyboard."""

import copy
import json
import re
from pathlib import Path

from rui_common.editing.formatter import format_document
from rui_common.syntax.document import read
from rui_inspector.model.search import Search
from rui_inspector.model.view import view_of
from tests.rui_api.live import Service
from tests.rui_inspector.browser import DESK, WITH_AND_WITHOUT, Browser, loaded, tab

# With and without the script --------------------------------------------------------


@WITH_AND_WITHOUT
def test_the_strip_at_the_top(browser: Browser, desk: str, script: bool) -> None:
    with tab(browser, desk, script=script) as view:
        page = view.page
        assert page.title() == "Order desk · RUI inspector"
        head = page.locator("header").inner_text()
        spec_id = desk.rpartition("/")[2]
        assert all(word in head for word in ("Order desk", "What came in today", "2 pages · 5 blocks · 3 endpoints"))
        assert [" ".join(text.split()) for text in view.visible(".needs > ul > li")] == [
            "Today GET /api/orders/summary GET /api/orders", "Stock GET /api/stock/low",
        ]  # fmt: skip
        assert spec_id not in head
        page.get_by_text("Details", exact=True).click()
        details = page.locator(".header-fields").inner_text()
        assert all(word in details for word in (spec_id, "UTC", "0.1"))
        assert re.search(r"sha256:[0-9a-f]{64}", details)
        assert details.count("0.1") == 1
        assert page.locator(".header-fields time ~ .copy").count() == 0
        page.get_by_role("link", name="JSON", exact=True).first.click()
        assert json.loads(page.locator("pre").inner_text())["specId"] == spec_id
        view.messages = []  # the browser reports that JSON has no icon


@WITH_AND_WITHOUT
def test_rows_and_stacks_are_laid_out(browser: Browser, desk: str, script: bool) -> None:
    with tab(browser, desk, script=script) as view:
        boxes = {name: view.page.locator(f"#W-{name}").bounding_box() for name in
                 ("open-orders", "next-pickup", "orders", "refresh-note")}  # fmt: skip
        assert boxes["open-orders"]["y"] == boxes["next-pickup"]["y"]
        assert boxes["open-orders"]["x"] < boxes["next-pickup"]["x"]
        assert boxes["orders"]["x"] == boxes["refresh-note"]["x"]
        assert boxes["orders"]["y"] < boxes["refresh-note"]["y"]
        assert view.page.locator("#open-orders").bounding_box()["height"] <= 90
        view.page.locator("#orders > details > summary").click()
        shown = view.page.locator("#orders").inner_text()
        for text in ("GET /api/orders → data.items", "customer", "Customer", "badge", "2 options", "Shipped"):
            assert text in shown


@WITH_AND_WITHOUT
def test_opening_and_closing(browser: Browser, desk: str, script: bool) -> None:
    with tab(browser, desk, script=script) as view:
        page = view.page
        for link, shown in (("Collapse all", 2), ("Pages", 5), ("Outline", 10), ("Expand all", 10)):
            page.locator(".openings").get_by_role("link", name=link).click()
            page.wait_for_load_state()
            assert len(view.visible(".node > details > summary")) == shown
        page.locator("#latest > details > summary").click()
        assert not page.locator("#orders").is_visible()


@WITH_AND_WITHOUT
def test_a_permalink_opens_what_encloses_it(browser: Browser, desk: str, script: bool) -> None:
    with tab(browser, f"{desk}?open=none#low-stock", script=script) as view:
        view.page.wait_for_timeout(100)
        assert view.page.locator("#low-stock > details > summary").is_visible()
        assert view.page.evaluate("document.querySelector(':target').id") == "low-stock"
        assert not view.page.locator("#orders").is_visible()


@WITH_AND_WITHOUT
def test_navigation_leads_to_pages(browser: Browser, desk: str, script: bool) -> None:
    with tab(browser, f"{desk}?open=none", script=script) as view:
        view.page.locator(".menu").get_by_role("link", name="Stock").click()
        assert view.page.url.endswith("#stock")
        assert view.page.locator("#stock").is_visible()


@WITH_AND_WITHOUT
def test_bindings_list_their_uses(browser: Browser, desk: str, script: bool) -> None:
    with tab(browser, desk, script=script) as view:
        bodies = [" ".join(text.split()) for text in view.visible(".endpoints tbody")]
        assert bodies[0].replace(" Copy ", " ") == (
            "GET /api/orders/summary data.open Metric Open orders data.nextPickup Metric Next pick-up"
        )
        assert len(bodies) == 3
        view.page.locator(".endpoints").get_by_role("link", name="Next pick-up").click()
        assert view.page.url.endswith("#next-pickup")


@WITH_AND_WITHOUT
def test_json_and_tree_lead_to_each_other(browser: Browser, desk: str, script: bool) -> None:
    with tab(browser, desk, script=script) as view:
        page = view.page
        numbers = [line.partition("{")[0] for line in page.locator(".listing").inner_text().splitlines()[:1]]
        assert numbers == ["1"]
        link = page.locator("#orders > .marks .line")
        line = page.locator(f"#L{link.inner_text()}")
        link.click()
        assert line.is_visible()
        assert line.evaluate("it => it.matches(':target, .highlighted')")
        line.locator("a").click()
        assert page.url.endswith("#orders")
        assert '"id": "orders"' in page.locator(f"#L{int(link.inner_text()) + 1}").inner_text()


def test_search_without_script(browser: Browser, desk: str) -> None:
    with tab(browser, desk, script=False) as view:
        page = view.page
        page.locator("input[name=q]").fill("api/ORDERS summary")
        page.keyboard.press("Enter")
        page.wait_for_url("**?q=*")
        assert "2 nodes match" in page.locator("#FOUND").inner_text()
        assert [it.get_attribute("id") for it in page.locator(".node").all()] == [
            "today", "figures", "open-orders", "next-pickup",
        ]  # fmt: skip
        assert "summary" in view.visible("mark")
        page.locator(".endpoints").get_by_role("link", name="low-stock").click()
        assert page.locator("#low-stock").is_visible()


def test_search_while_typing(browser: Browser, desk: str) -> None:
    with tab(browser, desk) as view:
        loaded(view)
        page = view.page
        page.locator("input[name=q]").press_sequentially("nothing like it")
        view.until("document.querySelector('#FOUND').textContent.includes('No nodes')")
        page.locator("input[name=q]").fill("summary pick")
        view.until("document.querySelector('#FOUND').textContent.includes('1 node matches')")
        assert [it.split("\n")[1] for it in view.visible(".node > details > summary")] == [
            "Today",
            "At a glance",
            "Next pick-up",
        ]
        assert page.evaluate("CSS.highlights.get('found').size") >= 2
        page.locator("input[name=q]").fill("")
        view.until("!document.querySelector('.node[hidden]')")


def test_both_searches_find_the_same(browser: Browser, desk: str) -> None:
    words = ("customer", "shipped", "badge", "five minutes", "stock", "columns", "GET", "data.items", "left number")
    with tab(browser, desk) as view:
        loaded(view)
        page = view.page
        for word in words:
            page.locator("input[name=q]").fill(word)
            hits = [it.id for it in Search(view_of(DESK), word).hits]
            view.until(f"document.querySelector('#FOUND').textContent.includes('“{word}”')")
            reported = page.locator("#FOUND").inner_text()
            assert reported.startswith(f"{len(hits) or 'No'} node"), (word, reported, hits)
            assert (page.evaluate("CSS.highlights.get('found').size") > 0) == bool(hits)
            shown = page.evaluate("[...document.querySelectorAll('.node:not([hidden])')].map(it => it.id)")
            assert set(hits) <= set(shown)


def test_both_searches_fold_letters_alike(browser: Browser, service: Service) -> None:
    document = copy.deepcopy(DESK)
    document["pages"][1]["title"] = "Große Straße, ΛΌΓΟΣ"
    url = service.store(document)["viewUrl"]
    for word in ("STRASSE", "grosse", "λόγος", "λόγοσ"):
        with tab(browser, url) as view:
            loaded(view)
            view.page.locator("input[name=q]").fill(word)
            view.until("document.querySelector('#FOUND').textContent.includes('1 node matches')")
            assert view.page.evaluate("CSS.highlights.get('found').size") > 0
            view.page.goto(f"{url}?q={word}")
            assert [it.get_attribute("id") for it in view.page.locator(".node").all()] == ["stock"]
            assert view.page.locator("mark").count() > 0


def test_searching_on_from_a_search(browser: Browser, desk: str) -> None:
    with tab(browser, f"{desk}?q=stock") as view:
        loaded(view)
        view.page.locator("input[name=q]").fill("orders")
        view.page.wait_for_url("**q=orders")
        assert view.page.locator("#orders").is_visible()


# Only with script ---------------------------------------------------------------------------------------------------


def test_the_keys_of_a_tree(browser: Browser, desk: str) -> None:
    with tab(browser, f"{desk}?open=all") as view:
        loaded(view)
        page = view.page
        at = "document.activeElement.id"
        page.locator("#today").focus()
        for key, expected in (
            ("ArrowDown", "figures"), ("ArrowRight", "open-orders"), ("ArrowDown", "next-pickup"),
            ("ArrowLeft", "next-pickup"), ("ArrowLeft", "figures"), ("ArrowLeft", "figures"), ("ArrowDown", "latest"),
            ("End", "low-stock"), ("Home", "today"), ("s", "stock"), ("ArrowUp", "refresh-note"), ("o", "open-orders"),
        ):  # fmt: skip
            if key == "o":
                page.locator("#figures > details > summary").click()
                page.locator("#today").focus()
                page.wait_for_timeout(750)  # type-ahead is reset after that time
            page.keyboard.press(key)
            assert page.evaluate(at) == expected, key
        page.locator("#orders").focus()
        assert page.locator("#orders").get_attribute("aria-expanded") == "true"
        for key, expanded in (("Enter", "false"), ("*", "true"), (" ", "false")):
            page.keyboard.press(key)
            view.until(f"document.activeElement.getAttribute('aria-expanded') === '{expanded}'")
        assert page.locator("[role=tree] [tabindex='0'].node").count() == 1


def test_the_tree_is_one_stop(browser: Browser, desk: str) -> None:
    """Tab leads into the tree, through the links of one node, and out of it."""
    with tab(browser, desk) as view:
        loaded(view)
        page = view.page
        page.locator(".menu a").last.focus()
        stops = []
        for _ in range(7):
            page.keyboard.press("Tab")
            stops.append(
                page.evaluate("document.activeElement.closest('.node')?.id ?? document.activeElement.className")
            )
        assert stops == ["today", "today", "today", "today", "today", "wide", "copy"]


def test_keys_without_script(browser: Browser, desk: str) -> None:
    with tab(browser, f"{desk}?open=none", script=False) as view:
        page = view.page
        page.keyboard.press("Tab")
        assert page.locator(".skip").evaluate("it => it === document.activeElement")
        page.keyboard.press("Enter")
        page.keyboard.press("Tab")
        assert page.locator("#today > details > summary").evaluate("it => it === document.activeElement")
        page.keyboard.press("Enter")
        page.keyboard.press("Tab")
        assert page.locator("#figures > details > summary").evaluate("it => it === document.activeElement")


def test_copying(browser: Browser, desk: str) -> None:
    with tab(browser, desk, permissions=["clipboard-read", "clipboard-write"]) as view:
        loaded(view)
        page = view.page
        page.get_by_text("Details", exact=True).click()
        page.locator(".header-fields .copy").first.click()
        assert page.evaluate("navigator.clipboard.readText()") == desk.rpartition("/")[2]
        page.locator("#next-pickup").hover()
        page.locator("#next-pickup > .marks .copy").click()
        assert page.evaluate("navigator.clipboard.readText()") == "pages[0].children[0].children[1]"


def test_the_document_is_copied(browser: Browser, service: Service) -> None:
    document = json.loads(json.dumps(DESK).replace("Open orders", "Open \u202e <orders> &"))
    url = service.store(document)["viewUrl"]
    with tab(browser, url, permissions=["clipboard-read", "clipboard-write"]) as view:
        view.page.get_by_role("button", name="Copy JSON").click()
        view.until("document.querySelector('#COPY').textContent === 'Copied'")
        assert json.loads(view.page.evaluate("navigator.clipboard.readText()")) == document


@WITH_AND_WITHOUT
def test_the_document_is_downloaded(browser: Browser, service: Service, tmp_path: Path, script: bool) -> None:
    document = json.loads(json.dumps(DESK).replace("Order desk", "Bestellungen: Größe <b>"))
    with tab(browser, service.store(document)["viewUrl"], script=script) as view:
        with view.page.expect_download() as download:
            view.page.get_by_role("link", name="Download").click()
        assert download.value.suggested_filename == "bestellungen-größe-b.rui.json"
        download.value.save_as(tmp_path / "desk.rui.json")
    text = (tmp_path / "desk.rui.json").read_text()
    assert json.loads(text) == document
    assert format_document(read(text)) == text


def test_hovering_lights_up_the_other_side(browser: Browser, desk: str) -> None:
    with tab(browser, desk, width=1500) as view:
        loaded(view)
        page = view.page
        page.locator("#open-orders .label").hover()
        first = page.locator("#open-orders > .marks .line").inner_text()
        highlighted = page.locator(".listing .highlighted")
        assert highlighted.first.get_attribute("id") == f"L{first}"
        first_line, last_line = map(int, page.locator("#open-orders").get_attribute("data-lines").split("-"))
        assert highlighted.count() == last_line - first_line + 1
        page.locator(f"#L{int(first) + 2}").hover()
        assert [it.get_attribute("id") for it in page.locator(".node.highlighted").all()] == ["open-orders"]


def test_a_fragment_that_was_cut_off(browser: Browser, desk: str) -> None:
    """A fragment that ends within an escape is no valid URI component. The page ignores it."""
    with tab(browser, f"{desk}#%E0%A4%A") as view:
        loaded(view)
        assert view.page.locator("#today").is_visible()


def test_type_ahead_asks_what_a_node_itself_is_called(browser: Browser, service: Service) -> None:
    document = copy.deepcopy(DESK)
    del document["pages"][0]["children"][0]["title"]
    with tab(browser, service.store(document)["viewUrl"]) as view:
        loaded(view)
        view.page.locator("#today").focus()
        view.page.keyboard.press("o")
        assert view.page.evaluate("document.activeElement.id") == "open-orders"
