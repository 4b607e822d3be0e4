"""The page of a spec in a real browser: every capability, with and without script, by keyboard, and at full size."""

import copy
import json
import re

import pytest

from rui_inspector.model.overview import endpoints_of
from rui_inspector.model.view import View
from tests.inputs.sample import largest_text, sample
from tests.rui_api.live import UUID, Service
from tests.rui_inspector.browser import WITH_AND_WITHOUT, Browser, loaded, tab, violations
from tests.rui_inspector.editor import CHECKED, checked, press, text_in
from tests.rui_inspector.pages import office_document
from tests.support.examples import DESK


def test_the_strip_at_the_top(browser: Browser, desk: str) -> None:
    with tab(browser, desk, script=False) as view:
        page = view.page
        assert page.title() == "Order desk · RUI toolkit"
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


def test_rows_and_stacks_are_laid_out(browser: Browser, desk: str) -> None:
    with tab(browser, desk, script=False) as view:
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
def test_the_modes_of_the_tree(browser: Browser, desk: str, script: bool) -> None:
    with tab(browser, desk, script=script) as view:
        page = view.page
        for link, name, shown in (("Expand all", "all", 10), ("Outline", "outline", 5)):
            page.locator(".openings").get_by_role("link", name=link).click()
            page.wait_for_url(f"{desk}?open={name}")
            assert page.locator(".node > details[open]").count() == shown
            assert page.locator("[data-open][aria-current]").all_inner_texts() == [link]


@WITH_AND_WITHOUT
def test_json_and_tree_lead_to_each_other(browser: Browser, desk: str, script: bool) -> None:
    with tab(browser, desk, script=script, width=1440) as view:
        page = view.page
        page.locator(".listing").wait_for(state="hidden")
        titles = [mark.get_attribute("title") for mark in page.locator("#orders > .marks a").all()]
        assert titles == ["In the wireframe", "JSON", "Link to this node"]
        page.locator("#orders > .marks").get_by_role("link", name="JSON").click()
        own = page.locator("#J-orders")
        own.wait_for()
        assert script or own.evaluate("it => it.matches(':target')")
        assert json.loads(own.inner_text().rstrip().removesuffix(",")) == DESK["pages"][0]["children"][1]["children"][0]
        own.get_by_role("link", name="In the tree").first.click()
        page.wait_for_url("**#orders")


@WITH_AND_WITHOUT
def test_search(browser: Browser, desk: str, script: bool) -> None:
    with tab(browser, desk, script=script) as view:
        page = view.page
        assert page.locator("input[name=q]").bounding_box()["y"] < 300
        page.locator("input[name=q]").fill("api/ORDERS summary")
        page.keyboard.press("Enter")
        page.wait_for_url("**?q=*")
        found = "2 parts match “api/ORDERS summary” on 1 of 2 pages"
        assert page.locator("#FOUND").inner_text() == f"{found}: Today 2. Show everything"
        assert page.title().startswith(found)
        assert page.locator(".needs li p").all_inner_texts() == ["Today 2 found", "Stock"]
        assert page.locator(".found").evaluate_all("all => all.map(it => it.id)") == ["W-open-orders", "W-next-pickup"]
        page.locator("#FOUND a").first.click()
        assert page.url.endswith("#W-open-orders")
        assert [node.get_attribute("id") for node in page.locator(".node").all()] == [
            "today", "figures", "open-orders", "next-pickup",
        ]  # fmt: skip
        assert "summary" in view.visible("mark")
        page.locator(".endpoints").get_by_role("link", name="low-stock").click()
        page.locator("#low-stock").wait_for()


def test_the_search_answers_while_the_reader_types(browser: Browser, office: str) -> None:
    with tab(browser, office, width=1440) as view:
        page = view.page
        loaded(view)
        page.locator("#Q").press_sequentially("late orders")
        page.locator("#FOUND").wait_for()
        view.until("document.querySelector('#FOUND b').textContent === '4 parts match “late orders” on 1 of 12 pages'")
        assert view.visible(".needs mark") == ["4 found"]
        assert page.evaluate("[...document.querySelectorAll('.found')].map((it) => it.id)") == [
            "W-orders", "W-orders-m1", "W-orders-l", "W-orders-t"]  # fmt: skip
        assert page.locator("#COPIED").inner_text().startswith("4 parts match")
        assert page.locator("#Q").evaluate("it => it === document.activeElement")
        assert violations(page) == []
        page.locator("#Q").fill("")
        view.until("!document.querySelector('#FOUND, .found, .needs mark')")
        page.route("**/specs/*?q=*", lambda route: route.fulfill(status=503, body="<b id=FOUND>no</b>"))
        with page.expect_response("**/specs/*?q=*"):
            page.locator("#Q").fill("x")
        assert page.locator("#FOUND").count() == 0
        view.messages.clear()


def test_where_else_a_word_is_with_the_keyboard(browser: Browser, desk: str) -> None:
    with tab(browser, desk, width=1440) as view:
        page = view.page
        loaded(view)
        page.locator("#W-orders > .heading > .to").focus()
        words = []
        for _ in range(8):
            page.keyboard.press("ArrowRight")
            words.append(page.evaluate("document.activeElement.textContent.trim()"))
        assert words[:2] == ["Status", "Order"]
        assert words[-1] == "data.items"
        assert page.locator("#W-orders [role=button]").first.get_attribute("aria-pressed") == "false"
        page.keyboard.press("Enter")
        assert page.locator("#WHERE").inner_text().startswith("data.items: ")
        assert page.evaluate("document.activeElement.getAttribute('aria-pressed')") == "true"
        assert violations(page) == []
        page.keyboard.press("Escape")
        assert page.locator("#WHERE").inner_text() == ""
        for _ in range(9):
            page.keyboard.press("ArrowLeft")
        assert page.locator("#W-orders > .heading > .to").evaluate("it => it === document.activeElement")


def test_keys_without_script(browser: Browser, desk: str) -> None:
    with tab(browser, desk, script=False) as view:
        for keys, selector in (
            (("Tab",), ".skip"), (("Enter", "Tab"), "#today > details > summary"),
            (("Enter", "Enter", "Tab"), "#figures > details > summary"),
        ):  # fmt: skip
            for key in keys:
                view.page.keyboard.press(key)
            assert view.page.locator(selector).evaluate("it => it === document.activeElement")


def test_the_document_is_copied(browser: Browser, service: Service) -> None:
    document = json.loads(json.dumps(DESK).replace("Open orders", "Open \u202e <orders> &"))
    url = service.store(document)["viewUrl"]
    with tab(browser, url, permissions=["clipboard-read", "clipboard-write"]) as view:
        view.page.get_by_text("Details", exact=True).click()
        view.page.get_by_role("button", name="Copy JSON").click()
        view.until("document.querySelector('#COPY').textContent === 'Copied'")
        assert json.loads(view.page.evaluate("navigator.clipboard.readText()")) == document


LARGE = sample(120_000, indent=None)
LARGE_VIEW = View(LARGE)
LAST = LARGE_VIEW.nodes[-1]
LAST_PAGE = LARGE_VIEW.nested["pages"][-1]


@pytest.fixture(scope="module")
def office(service: Service) -> str:
    """An app of twelve pages with sixty endpoints."""
    return service.store(office_document())["viewUrl"]


@pytest.fixture(scope="module")
def large(service: Service) -> str:
    return service.store(LARGE)["viewUrl"]


@pytest.mark.parametrize(("width", "height"), [(1440, 900), (390, 844)])
def test_the_first_window_of_twelve_pages_names_them(browser: Browser, office: str, width: int, height: int) -> None:
    with tab(browser, office, script=False, width=width, height=height) as view:
        texts = [
            *("h1", ".lead", ".totals", "#W-orders h3", "#W-orders-f .heading >> nth=0"),
            *("#W-orders-m0 .label", "#W-orders-m0 .source", "#W-orders-m1 .source"),
            *(f".app-bar >> nth=0 >> li:nth-child({number})" for number in range(1, 13)),
        ]
        for selector in texts:
            box = view.page.locator(selector).first.bounding_box()
            assert box["y"] + box["height"] <= height, selector


def test_the_page_of_a_large_document_is_short(service: Service) -> None:
    url = str(service.store(sample(250_000))["viewUrl"])
    page = service.client.get(url)
    assert page.headers["content-encoding"] == "gzip"
    assert page.num_bytes_downloaded <= 72_000


IS_IN_WINDOW = "it => it?.getBoundingClientRect().top >= 0 && it.getBoundingClientRect().top < innerHeight"


def test_a_permalink_leads_to_its_place(browser: Browser, large: str) -> None:
    for prefix in ("", "W-", "J-"):
        with tab(browser, f"{large}#{prefix}{LAST.anchor}") as view:
            view.until(f"({IS_IN_WINDOW})(document.getElementById('{prefix}{LAST.anchor}'))")


def test_the_largest_document_needs_little_transfer(service: Service) -> None:
    url = str(service.store(largest_text().encode())["viewUrl"])
    answer = service.client.get(f"{url}?open=all")
    paths = re.findall(r'(?:src|href)="([^"]+\.(?:css|js|svg))"', answer.text)
    assert len(paths) == 3
    assets = sum(int(service.client.get(path).headers["content-length"]) for path in paths)
    assert assets + int(answer.headers["content-length"]) <= 200_000


def test_the_first_screens_are_visible_at_once(browser: Browser, large: str) -> None:
    with tab(browser, large, script=False, width=1440) as view:
        page = view.page
        assert page.locator(".screen").first.bounding_box()["y"] < 600
        assert page.locator(".needs > ul > li").count() == len(LARGE_VIEW.tops)
        page.locator(".needs summary").first.click()
        page.locator(".needs details li").first.wait_for()
        page.locator(f"[id='W-{LAST_PAGE.anchor}']").wait_for(state="hidden")
        page.locator(".more-screens > summary").click()
        page.locator(f"[id='W-{LAST_PAGE.anchor}']").scroll_into_view_if_needed()
        page.locator(f"[id='W-{LAST_PAGE.anchor}'] h3").wait_for()
        assert page.locator(".endpoints tbody").count() == len(endpoints_of(LARGE_VIEW))


def test_the_first_screen_comes_early_on_a_phone(browser: Browser, large: str) -> None:
    with tab(browser, large, width=375) as view:
        assert not view.is_wide()
        assert view.page.locator(".screen").first.bounding_box()["y"] < 600


def sheets_of(pdf: bytes) -> int:
    return len(re.findall(rb"/Type\s*/Page[^s]", pdf))


def test_print_has_all_screens_and_no_buttons(browser: Browser, office: str) -> None:
    with tab(browser, office) as view:
        assert 5 <= sheets_of(view.page.pdf(format="A4")) <= 8
        view.page.emulate_media(media="print")
        assert len(view.visible(".screen h3")) == 12
        assert view.visible("button, .button, summary, nav") == []
        footer = view.page.evaluate("document.documentElement.style.getPropertyValue('--printed')")
        assert office.rpartition("/")[2] in footer and "sha256:" in footer and " UTC" in footer
        assert view.visible(".printed") == [json.loads(footer)]


def test_the_first_viewport_names_twelve_pages(browser: Browser, office: str) -> None:
    for width in (1440, 1024, 390):
        with tab(browser, office, width=width) as view:
            page = view.page
            assert not view.is_wide()
            lines = page.locator(".needs > ul > li")
            assert lines.count() == 12
            assert max(line.bounding_box()["height"] for line in lines.all()) < 32
            screen = page.locator(".screen").first.bounding_box()
            assert screen["y"] < 640
            assert (screen["x"] > 300) is (width == 1440)  # the list is at its left
            if width > 1000:
                assert all(line.bounding_box()["y"] < 600 for line in lines.all())
                assert page.locator("#W-orders-t .source").bounding_box()["y"] < 900


def test_an_endpoint_marks_its_blocks(browser: Browser, office: str, desk: str) -> None:
    with tab(browser, office, width=1440) as view:
        page = view.page
        page.locator(".needs summary").nth(7).click()
        page.locator(".needs .request:visible").nth(1).click()
        assert page.locator(".marked").evaluate_all("all => all.map(it => it.id)") == ["W-payments-m1"]
        view.until(f"({IS_IN_WINDOW})(document.getElementById('W-payments-m1'))")
        where = page.locator("#WHERE[role=status]")
        assert where.inner_text() == "GET /api/payments/late: 1 block on 1 page: Payments 1 Close"
        assert violations(page) == []
        page.locator(".needs .request:visible").nth(1).press("Enter")
        assert page.locator(".marked").count() == 0
        assert where.inner_text() == ""
        page.locator("#W-orders-t .cells b", has_text="Customer").click()
        assert where.inner_text().startswith("Customer: 12 blocks on 12 pages: Orders 1 · Invoices 1 · ")
        page.locator(".endpoints td > code", has_text="data.count").first.press("Enter")
        assert where.inner_text().startswith("data.count: 48 blocks on 12 pages: Orders 4 · ")
        page.keyboard.press("Escape")
        assert page.locator(".marked").count() == 0
    with tab(browser, desk) as view:
        view.page.locator(".endpoints th .request").first.click()
        marked = view.page.locator(".marked").evaluate_all("all => all.map(it => it.id)")
        assert marked == ["W-open-orders", "W-next-pickup"]


def test_the_buttons_stay_and_the_field_has_the_focus(browser: Browser, desk: str) -> None:
    for width in (1440, 390):
        with tab(browser, desk, width=width) as view:
            page = view.page
            buttons = page.locator(".tools > .button:not(#NOTES), .tools > details > summary")
            boxes = [button.bounding_box() for button in buttons.all()]
            below = page.locator(".screen").first.bounding_box()
            for name, focused in (("Compare with…", "WITH"), ("Details", "")):
                page.locator("summary", has_text=name).click()
                view.until("document.querySelectorAll('.tools > details[open]').length === 1")
                view.until(f"document.activeElement.id === '{focused}'")
                assert page.locator(".sheet:visible").count() == 1
                assert not view.is_wide()
                assert [button.bounding_box() for button in buttons.all()] == boxes
                assert page.locator(".screen").first.bounding_box() == below
                assert violations(page) == []
            page.keyboard.press("Escape")
            assert view.visible(".sheet") == []


@WITH_AND_WITHOUT
@pytest.mark.parametrize(("text", "problem"), [
    ("hello", "neither the id of a spec nor an address"), (UUID, "Nothing is stored here"), ("<b>\"", "neither"),
    (f"https://rui.example.org/specs/{UUID}?x#y", "Nothing is stored here"),
])  # fmt: skip
def test_a_wrong_id_keeps_the_form(browser: Browser, desk: str, script: bool, text: str, problem: str) -> None:
    with tab(browser, desk, script=script) as view:
        view.page.locator(".compare summary").click()
        view.page.get_by_label("The id or address of another spec").fill(text)
        view.page.get_by_role("button", name="Compare", exact=True).click()
        view.page.locator("#WRONG", has_text=problem).wait_for()
        assert view.page.locator("#WITH").input_value() == text
        if script:
            assert violations(view.page) == []
        view.messages = [line for line in view.messages if "status of 40" not in line]


def test_many_columns_are_one_table(browser: Browser, service: Service) -> None:
    document = copy.deepcopy(DESK)
    table = document["pages"][0]["children"][1]["children"][0]
    for number in (3, 6, 8, 30):
        table["columns"] = [{"key": "status", "label": "Responsible department"}]
        table["columns"] += [{"key": f"c{n}", "label": f"Measurement {n}"} for n in range(number - 1)]
        url = service.store(document)["viewUrl"]
        for width in (1440, 390):
            with tab(browser, url, width=width) as view:
                cells = view.page.locator("#W-orders .cells")
                boxes = [cell.bounding_box() for cell in cells.locator("li").all()]
                assert len({box["y"] for box in boxes}) == 1 or len({box["x"] for box in boxes}) == 1
                broken = "all => all.filter(it => it.scrollWidth > it.clientWidth + 1).length"
                assert cells.locator("b").evaluate_all(broken) == 0
                assert view.visible("#W-orders .cell-count") == ([f"{number} columns"] if number > 6 else [])
                assert not view.is_wide()
                assert violations(view.page) == []


def test_long_texts_are_shown(browser: Browser, service: Service) -> None:
    document = copy.deepcopy(DESK)
    text = "A sentence about what the desk does. " * 16
    document["pages"][0]["description"] = document["meta"]["description"] = text[:590]
    note = document["pages"][0]["children"][1]["children"][1]
    for content in (text[:600], text + "END"):
        note["content"] = content
        with tab(browser, service.store(document)["viewUrl"], script=False) as view:
            page = view.page
            for selector in (".lead", ".purpose >> nth=0"):
                assert page.locator(selector).inner_text().strip() == text[:590].strip()
            shown = page.locator("#W-refresh-note .content")
            assert text[:590].strip() in shown.inner_text()
            if len(content) > 600:
                page.locator("#W-refresh-note summary").click()
                assert "END" in shown.inner_text()
            excerpt = page.locator("#refresh-note .summary .excerpt")
            assert excerpt.text_content().endswith("…")


# Versions -----------------------------------------------------------------------------------------------------------


@WITH_AND_WITHOUT
def test_a_new_version_names_the_one_that_it_replaces(browser: Browser, service: Service, script: bool) -> None:
    document = copy.deepcopy(DESK)
    ids = [service.store(document)["specId"]]
    for number in range(11):
        document["meta"] |= {"replaces": ids[-1], "description": f"Version {number}"}
        ids.append(service.store(document)["specId"])
    with tab(browser, f"{service.url}/specs/{ids[-1]}", script=script) as view:
        page = view.page
        links = [link.get_attribute("href") for link in page.locator(".versions a").all()]
        assert links[0] == f"/specs/{ids[-2]}"
        assert links[1] == f"/specs/{ids[-2]}/compare/{ids[-1]}"
        assert links[2:] == [f"/specs/{spec_id}" for spec_id in ids[-3:-12:-1]]
        page.locator(".compare summary").click()
        assert page.locator(".compare a").count() == 10
        if script:
            assert violations(page) == []
        page.get_by_role("link", name="New version").click()
        words = "meta.replaces is set" if script else "names the spec that it replaces"
        page.get_by_text(words).locator("visible=true").wait_for()
        if not script:
            assert json.loads(page.locator("#RUI").input_value())["meta"]["replaces"] == ids[-1]
            return
        page.locator(CHECKED).wait_for()
        text = text_in(view)
        assert json.loads(text) == document | {"meta": document["meta"] | {"replaces": ids[-1]}}
        assert violations(page) == []
        page.get_by_role("button", name="Remove it").click()
        checked(view)
        assert "replaces" not in json.loads(text_in(view))["meta"]
        press(view, "Undo")
        checked(view)
        press(view, "Store")
        page.locator("#NOTE a").click()
        page.wait_for_url("**/specs/*")
        assert page.locator(".versions a").first.get_attribute("href") == f"/specs/{ids[-1]}"


def test_print_keeps_placeholders_whole(browser: Browser, desk: str) -> None:
    with tab(browser, desk, script=False) as view:
        assert 1 <= sheets_of(view.page.pdf(format="A4")) <= 3
        view.page.emulate_media(media="print")
        view.page.set_viewport_size({"width": 700, "height": 1000})
        view.page.locator(".screen").first.wait_for()
        view.page.locator("#TREE").wait_for(state="hidden")
        widths = view.page.locator(".screen .figure b, .screen .cells i").evaluate_all(
            "all => all.map(it => it.getClientRects().length)"
        )
        assert {*widths} == {1}  # no placeholder is broken


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


def test_a_line_of_the_tree_is_one_line(browser: Browser, desk: str) -> None:
    with tab(browser, desk, width=1440) as view:
        assert view.page.locator("#orders > details > summary").bounding_box()["height"] <= 40


def test_the_picture_at_the_width_of_a_phone(browser: Browser, desk: str) -> None:
    with tab(browser, desk, width=1440) as view:
        page = view.page
        button = page.get_by_role("button", name="Phone width")
        button.press("Enter")
        assert page.locator("#W-today").bounding_box()["width"] == 390
        assert violations(page) == []
        assert page.locator("#W-today h4").all_inner_texts() == ["At a glance", "Latest orders"]
        assert page.locator("#orders code").first.get_attribute("translate") == "no"
        button.press("Enter")
        assert page.locator("#W-today").bounding_box()["width"] > 500
