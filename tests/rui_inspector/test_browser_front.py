"""Front page, comparison and error pages in a real browser."""

import json

import pytest
from playwright.sync_api import Route

from tests.rui_api.live import Service
from tests.rui_inspector.browser import BOXES, EDITOR, WITH_AND_WITHOUT, Browser, loaded, tab, violations
from tests.rui_inspector.editor import CONTENT, DESK_TEXT, checked, press, text_in
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


NEEDED = {
    "AbortSignal.any": "delete AbortSignal.any;",
    "AbortSignal.timeout": "delete AbortSignal.timeout;",
    "CompressionStream": "delete globalThis.CompressionStream;",
    "DecompressionStream": "delete globalThis.DecompressionStream;",
    "findLast": "delete Array.prototype.findLast;",
    "ariaLabel": "delete Element.prototype.ariaLabel;",
    "adoptedStyleSheets": "delete Document.prototype.adoptedStyleSheets;",
    "CSSStyleSheet": "globalThis.CSSStyleSheet = function () { throw new TypeError('Illegal constructor'); };",
    "nesting": "CSS.supports = (...declaration) => !declaration[0].includes('&');",
}
"""What browsers lack that are older than those that are supported. The form does not need it."""


@pytest.mark.parametrize("name", NEEDED)
def test_in_an_older_browser_the_form_stays(browser: Browser, service: Service, name: str) -> None:
    with tab(browser, f"{service.url}/docs", before=NEEDED[name]) as view:
        page = view.page
        page.context.route("**/*.css", without_light_dark)
        with page.expect_request("**/codemirror.js"):
            page.goto(service.url)
        loaded(view)
        page.wait_for_load_state("networkidle")
        assert page.locator(".playground").count() == 0
        page.locator("#RUI").fill(json.dumps(DESK).replace('"stack"', '"stak"', 1))
        page.get_by_role("button", name="Check").click()
        page.locator("#RESULT .frame").wait_for()
        assert "1 error" in page.locator("#RESULT").inner_text()
        page.locator("#RUI").fill(json.dumps(DESK))
        page.get_by_role("button", name="Store").click()
        page.wait_for_url("**/specs/*")
        view.messages = [text for text in view.messages if "Illegal constructor" not in text]


def without_light_dark(route: Route) -> None:
    """Answer as if the browser did not know `light-dark`, whose properties then have no value."""
    answer = route.fetch()
    route.fulfill(response=answer, body=answer.text().replace("light-dark(", "unknown("))


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_in_an_older_browser_pages_have_the_light_colours(
    browser: Browser, service: Service, desk: str, other: str, scheme: str
) -> None:
    with tab(browser, f"{service.url}/docs", before=NEEDED["AbortSignal.any"], color_scheme=scheme) as view:
        page = view.page
        page.context.route("**/*.css", without_light_dark)
        for url in (service.url, desk, f"{desk}/compare/{other}", f"{service.url}/docs/vocabulary"):
            page.goto(url)
            loaded(view)
            assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(246, 246, 248)"
            assert violations(page, "color-contrast") == []
        page.goto(desk)
        page.get_by_text("Details", exact=True).click()
        color = page.locator(".sheet").last.evaluate("it => getComputedStyle(it).backgroundColor")
        assert color == "rgb(255, 255, 255)"


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


@WITH_AND_WITHOUT
def test_the_document_is_printed(browser: Browser, service: Service, script: bool) -> None:
    with tab(browser, f"{service.url}/?example=wrong#BOX", script=script) as view:
        if script:
            checked(view)
        view.page.emulate_media(media="print")
        printed = view.page.locator("main").inner_text()
        assert "direction unusable" in printed
        assert 'Invalid value for "direction".' in printed
        assert "five steps" not in printed
        assert not view.page.locator("textarea").first.is_visible()


PRESS_TWICE = """button => {
  const prevented = [];
  button.form.addEventListener("submit", (event) => {
    prevented.push(event.defaultPrevented);
    event.preventDefault();
  });
  button.click();
  button.click();
  return prevented;
}"""


def test_a_document_is_stored_once(browser: Browser, service: Service) -> None:
    with tab(browser, service.url) as view:
        page = view.page
        checked(view)
        sent: list[str] = []
        page.on("request", lambda request: sent.append(request.url) if request.method == "POST" else None)
        for said in ("Stored:", "Stored already:"):
            press(view, "Store")
            page.locator("#NOTE").get_by_text(said, exact=True).wait_for()
        assert len([url for url in sent if url.endswith("/api/specs")]) == 1
        page.get_by_role("button", name="View as a page").click()
        page.locator("#TREE").wait_for()
        assert page.get_by_role("button", name="Store").evaluate(PRESS_TWICE) == [False, True]


def test_a_file_dropped_beside_the_form_is_chosen(browser: Browser, service: Service) -> None:
    drop = """() => {
      const data = new DataTransfer();
      data.items.add(new File(["{}"], "app.rui.json", { type: "application/json" }));
      for (const type of ["dragover", "drop"]) {
        document.body.dispatchEvent(new DragEvent(type, { dataTransfer: data, bubbles: true, cancelable: true }));
      }
      return document.querySelector("#FILE").files[0].name;
    }"""
    with tab(browser, service.url, blocked=EDITOR) as view:
        assert view.page.evaluate(drop) == "app.rui.json"


@pytest.mark.parametrize("in_editor", [True, False])
def test_a_pasted_document_takes_the_place_of_the_example(
    browser: Browser, service: Service, *, in_editor: bool
) -> None:
    fenced = f"Here it is:\n```json\n{DESK_TEXT}\n```\n"
    with tab(browser, service.url, permissions=["clipboard-read", "clipboard-write"]) as view:
        checked(view)
        page = view.page
        page.evaluate("text => navigator.clipboard.writeText(text)", fenced)
        if in_editor:
            page.locator(CONTENT).click()
        page.keyboard.press("ControlOrMeta+v")
        page.locator("#STATUS", has_text="1 error").wait_for()
        assert text_in(view) == fenced
        press(view, "Fix all")
        page.locator("#STATUS", has_text="Valid").wait_for()
