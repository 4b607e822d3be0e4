"""The editor of the front page: faults, completion, hover, fixes, buttons, tabs, and texts that are not lost."""

import json
from pathlib import Path

from tests.inputs.sample import largest_text
from tests.rui_api.live import Service
from tests.rui_inspector.browser import Browser, Tab, violations
from tests.rui_inspector.editor import (
    CHECKED,
    CONTENT,
    DESK_TEXT,
    FAULTY,
    HIT,
    MINE,
    PLAYGROUND,
    SHOWN,
    checked,
    codes,
    complete,
    editor,
    kept,
    press,
    status,
    text_in,
    write,
)
from tests.rui_lsp.lsp_client import Client
from tests.support.corpus import read_cases
from tests.support.examples import DESK

TWO_AT_THE_END = [' {8 "', '[\n:""}', 'r:{\nd":":[\n{""}', '{2\n𝒳0"']
"""Texts with a fault up to the end of the text, and one at the end."""


def is_encodable(text: str) -> bool:
    return text == text.encode("utf-8", "replace").decode()


def published(text: str, client: Client, number: int) -> list[list[str]]:
    """Return what the language server reports: the code and the ends of the range of each diagnostic."""
    uri = f"file:///case-{number}.rui.json"
    client.open(uri, text)
    items = client.diagnostics(uri, 1)
    client.close(uri)
    ends = [(item["code"], item["range"]["start"], item["range"]["end"]) for item in items]
    return sorted([code, *(f"{end['line']}:{end['character']}" for end in both)] for code, *both in ends)


def test_the_corpus_shows_what_the_language_server_reports(browser: Browser, service: Service) -> None:
    """Of the cases, every third: the check is that of tests/test_corpus.py, and only its places are new."""
    # An empty editor shows no faults.
    texts = [case.text for case in read_cases() if is_encodable(case.text) and case.text.strip()][::3]
    assert len(texts) > 100
    texts += TWO_AT_THE_END
    with editor(browser, service.url) as view, Client() as client:
        view.page.set_default_timeout(120_000)
        shown = view.page.evaluate(SHOWN, texts)
        for number, text in enumerate(texts):
            assert sorted(shown[number]) == published(text, client, number), text


# While typing ---------------------------------------------------------------------------------------------------------


def test_faults_while_typing(browser: Browser, service: Service) -> None:
    with editor(browser, service.url, DESK_TEXT) as view:
        assert status(view) == "Valid · 2 pages · 5 blocks · 3 endpoints"
        assert view.page.locator("#EDITOR .cm-foldGutter").count() == 1
        view.page.keyboard.press("ControlOrMeta+a")
        view.page.keyboard.press("Delete")
        view.page.keyboard.type('{"version": "0.2')
        view.page.locator("#EDITOR .cm-lintRange-error").first.wait_for()
        checked(view)
        assert "VERSION_MISMATCH" in codes(view)
        assert "error" in status(view)
        view.page.keyboard.press("ControlOrMeta+a")
        view.page.keyboard.press("Delete")
        checked(view)
        view.until("document.querySelector('#STATUS').textContent === ''")


def test_completion_inserts_snippets_with_tab_stops(browser: Browser, service: Service) -> None:
    with editor(browser, service.url, '{\n  "version": "0.1"\n  \n}') as view:
        view.page.keyboard.press("ArrowUp")
        view.page.keyboard.press("End")
        assert complete(view, "pages")[:3] == ["meta", "navigation", "pages"]
        view.page.keyboard.type("first")
        view.page.keyboard.press("Tab")
        view.page.keyboard.type("Second")
        checked(view)
        document = json.loads(text_in(view))
        assert text_in(view).startswith('{\n  "version": "0.1",\n  "pages": [\n    {\n      "id": "first"')
        assert document["pages"][0]["title"] == "Second"


def test_the_caret_is_after_a_completed_value(browser: Browser, service: Service) -> None:
    with editor(browser, service.url) as view:
        for text, label, completed in (
            ('{"version": |}', "0.1", '{"version": "0.1"|}'),
            ('{"version": "|"}', "0.1", '{"version": "0.1"|}'),
            ('{"pages": [{"type": |}]}', "Page", '{"pages": [{"type": "Page"|}]}'),
        ):
            write(view, text.replace("|", ""))
            view.page.evaluate(f"{PLAYGROUND}.view.dispatch({{selection: {{anchor: {text.index('|')}}}}})")
            complete(view, label)
            view.until(f"{PLAYGROUND}.doc.toString() === {json.dumps(completed.replace('|', ''))}")
            assert view.page.evaluate(f"{PLAYGROUND}.view.state.selection.main.head") == completed.index("|")


def test_hover_shows_faults_and_documentation(browser: Browser, service: Service) -> None:
    with editor(browser, service.url, FAULTY) as view:
        view.page.keyboard.press("F8")
        view.page.locator("#EDITOR .cm-lintRange-error").hover()
        tooltip = view.page.locator("#EDITOR .cm-tooltip-hover")
        tooltip.get_by_text("INVALID_PROP_TYPE").wait_for()
        tooltip.get_by_text("Section.direction").first.wait_for()


def test_the_menu_of_fixes_by_keyboard(browser: Browser, service: Service) -> None:
    with editor(browser, service.url, FAULTY) as view:
        view.page.keyboard.press("F8")
        view.page.keyboard.press("ControlOrMeta+.")
        items = view.page.locator("#EDITOR [role=menuitem]")
        items.first.wait_for()
        assert "stack" in items.first.inner_text()
        assert items.count() > 1
        view.page.keyboard.press("ArrowDown")
        view.page.keyboard.press("ArrowUp")
        view.page.keyboard.press("Enter")
        checked(view)
        assert json.loads(text_in(view)) == DESK
        assert items.count() == 0
        view.page.keyboard.type(" ")
        assert view.page.evaluate("document.activeElement.id") == "EDITOR"


def test_tab_indents_and_escape_leads_out(browser: Browser, service: Service) -> None:
    with editor(browser, service.url, "{}") as view:
        view.page.keyboard.press("Home")
        view.page.keyboard.press("Tab")
        assert text_in(view) == "  {}"
        view.page.keyboard.press("Escape")
        view.page.keyboard.press("Tab")
        assert view.page.evaluate("document.activeElement.id") == "TAB-wireframe"
        view.page.keyboard.press("ArrowRight")
        view.page.locator("#PANEL-faults").wait_for()
        view.page.locator("#PANEL-wireframe").wait_for(state="hidden")
        assert "Escape, then Tab, leaves the editor" in " ".join(view.page.locator(".keys p").text_content().split())


# Buttons --------------------------------------------------------------------------------------------------------------


def test_the_first_visit_has_a_live_example(browser: Browser, service: Service) -> None:
    with editor(browser, service.url) as view:
        view.page.locator("#NOTE", has_text="This is an example.").wait_for()
        view.page.locator("#PANEL-wireframe .screen").first.wait_for()
        before = text_in(view)
        assert before.strip()
        press(view, "Start from this")
        view.page.keyboard.type("x")
        view.until(f"{PLAYGROUND}.doc.toString() !== {PLAYGROUND}.example")
        for _ in range(2):
            view.page.keyboard.press("ControlOrMeta+z")
            assert text_in(view) == before


def test_fix_all_format_undo_and_redo(browser: Browser, service: Service) -> None:
    messy = json.dumps(DESK).replace('"stack"', '"stak"', 1).replace('"version"', '"vesion"')
    with editor(browser, service.url, messy) as view:
        press(view, "Fix all")
        view.page.locator("#NOTE", has_text="fixed. None is left.").wait_for()
        checked(view)
        press(view, "Format")
        view.until(f"{PLAYGROUND}.doc.lines > 50")
        checked(view)
        assert json.loads(text_in(view)) == DESK
        press(view, "Undo")
        press(view, "Undo")
        assert text_in(view) == messy
        assert view.page.locator("#NOTE").inner_text() == ""
        press(view, "Redo")
        assert '"stack"' in text_in(view)


def test_invalid_documents_are_not_stored(browser: Browser, service: Service) -> None:
    with editor(browser, service.url, FAULTY) as view:
        assert view.visible("#TAB-faults .number") == ["1"]
        press(view, "Store")
        view.page.locator("#NOTE", has_text="not stored, because it has 1 error").wait_for()
        view.page.locator("#PANEL-faults").wait_for()
        assert text_in(view) == FAULTY
        press(view, "Fix…")
        view.page.locator("#EDITOR [role=menuitem]").first.click()
        checked(view)
        press(view, "Store")
        view.page.locator("#NOTE", has_text="tored:").wait_for()
        view.page.locator("#NOTE a").click()
        view.page.wait_for_url("**/specs/*")
        assert view.page.locator("h1").inner_text() == "Order desk"
        view.page.go_back()
        view.page.locator(CHECKED).wait_for()
        assert json.loads(text_in(view)) == DESK


def test_a_shared_link_carries_the_text(browser: Browser, service: Service) -> None:
    text = FAULTY.replace("Order desk", "Bestellungen é𝒳")
    with editor(browser, service.url, text) as view:
        press(view, "Share")
        link = view.page.locator("#NOTE input")
        link.wait_for()
        address = link.input_value()
        write(view, "{}")
        view.page.evaluate(f"location.hash = {json.dumps(address.partition('#')[2])}")
        view.until(f"{PLAYGROUND}.doc.toString() === {json.dumps(text)}")
    with editor(browser, address) as view:
        view.page.locator("#NOTE", has_text="comes from a link").wait_for()
        assert text_in(view) == text
        assert view.page.url == f"{service.url}/"
    with editor(browser, address[:-40]) as view:
        view.page.locator("#NOTE", has_text="not complete").wait_for()
        assert text_in(view) == view.page.evaluate(f"{PLAYGROUND}.example")


def test_opening_files_and_examples(browser: Browser, service: Service, tmp_path: Path) -> None:
    (tmp_path / "desk.rui.json").write_text(DESK_TEXT)
    with editor(browser, service.url, "{}") as view:
        view.page.locator("#OPEN-FILE").set_input_files(tmp_path / "desk.rui.json")
        view.page.locator("#NOTE", has_text="desk.rui.json is open").wait_for()
        assert text_in(view) == DESK_TEXT
        press(view, "Bring back my last text")
        assert text_in(view) == "{}"
        view.page.locator("#EXAMPLES summary").click()
        view.page.get_by_role("link", name="A document that is not JSON").first.click()
        view.until(f"{PLAYGROUND}.doc.toString() !== '{{}}'")
        checked(view)
        assert "INVALID_JSON" in codes(view)


def test_every_control_is_visible(browser: Browser, service: Service) -> None:
    with editor(browser, service.url, FAULTY) as view:
        for width in (1440, 1024, 390):
            view.page.set_viewport_size({"width": width, "height": 900})
            view.page.locator("#EXAMPLES summary").click()
            entries = view.page.locator("#EXAMPLES a").all()
            assert len(entries) == 4
            assert all(entry.evaluate(HIT) for entry in entries)
            view.page.keyboard.press("Escape")
            controls = view.page.locator(".toolbar button, .toolbar summary, [role=tab]").locator("visible=true").all()
            assert len(controls) > 9
            for control in controls:
                control.scroll_into_view_if_needed()
                assert control.evaluate(HIT), control.inner_text()


def test_copies_of_stored_specs_are_edited_and_stored(browser: Browser, service: Service, desk: str) -> None:
    largest = service.store(largest_text().encode())["specId"]
    with editor(browser, service.url, MINE) as view:
        kept(view)
        view.page.goto(desk)
        view.page.goto(f"{service.url}/?copy={desk.rpartition('/')[2]}")
        checked(view)
        view.until(f"{PLAYGROUND}.doc.lines > 50")  # a copy is formatted after the first check
        assert json.loads(text_in(view)) == DESK
        press(view, "Bring back my last text")
        assert text_in(view) == MINE
        view.page.goto(f"{service.url}/?copy={largest}")
        checked(view)  # without it, the page may have no editor yet
        is_formatted = f"{PLAYGROUND}.doc.lines > 5000"
        is_given_up = "document.querySelector('#NOTE').innerText.endsWith('The text is as it was.')"
        view.until(f"{is_formatted} || {is_given_up}")
        while not view.page.evaluate(is_formatted):  # the page waits eight seconds, which a busy service exceeds
            view.page.evaluate("document.querySelector('#NOTE').replaceChildren()")
            press(view, "Format")
            view.until(f"{is_formatted} || {is_given_up}")
        assert view.page.evaluate(f"{PLAYGROUND}.doc.length") > 262_144
        press(view, "Store")
        view.page.locator("#NOTE", has_text="tored:").wait_for()


def selection(view: Tab) -> str:
    state = f"{PLAYGROUND}.view.state"
    return view.page.evaluate(f"{state}.sliceDoc({state}.selection.main.from, {state}.selection.main.to)")


# Tabs -----------------------------------------------------------------------------------------------------------------


def test_tabs_lead_to_the_text_and_back(browser: Browser, service: Service) -> None:
    with editor(browser, service.url, FAULTY) as view:
        view.page.locator("#W-open-orders a.to").first.click()
        offset = view.page.evaluate(f"{PLAYGROUND}.view.state.selection.main.from")
        assert FAULTY[offset:].split('"')[3] == "open-orders"
        view.page.locator("#W-open-orders.at-cursor").wait_for()
        view.page.get_by_role("tab", name="Data").click()
        view.page.locator("#PANEL-data").get_by_role("link", name="Open orders").click()
        assert view.page.evaluate(f"{PLAYGROUND}.view.state.selection.main.from") == offset
        view.page.get_by_role("tab", name="Faults").click()
        view.page.get_by_role("link", name="Go there").click()
        assert selection(view) == '"stak"'


# Looks ----------------------------------------------------------------------------------------------------------------


def test_axe_reports_no_violation(browser: Browser, service: Service) -> None:
    with editor(browser, service.url, FAULTY) as view:
        for name in ("Wireframe", "Data", "Faults"):
            view.page.get_by_role("tab", name=name).click()
            assert violations(view.page) == []
        view.page.locator(CONTENT).click()
        view.page.keyboard.press("F8")
        view.page.get_by_role("button", name="Fix…").click()
        view.page.locator("#EDITOR [role=menuitem]").first.wait_for()
        assert violations(view.page) == []
        view.page.emulate_media(color_scheme="dark")
        assert violations(view.page, "color-contrast") == []
        view.page.set_viewport_size({"width": 320, "height": 900})
        assert not view.is_wide()


def test_hostile_text_is_inert(browser: Browser, service: Service) -> None:
    hostile = json.dumps('<img src=x onerror=alert(1)></script><script>alert(2)</script>"]}{{7*7}}')
    text = DESK_TEXT.replace('"Order desk"', hostile).replace('"Stock"', hostile).replace('"id"', hostile, 1)
    with editor(browser, service.url, text) as view:
        for name in ("Wireframe", "Data", "Faults"):
            view.page.get_by_role("tab", name=name).click()
        view.page.locator(CONTENT).focus()
        view.page.keyboard.press("F8")
        view.page.locator("#EDITOR .cm-lintRange-error").first.hover()
        view.page.locator("#EDITOR .cm-tooltip-hover").wait_for()
        assert view.page.locator("img, main script").count() == 0


def test_the_text_survives_reload_and_other_pages(browser: Browser, service: Service) -> None:
    with editor(browser, service.url, MINE) as view:
        view.page.reload()
        checked(view)
        assert text_in(view) == MINE
        view.page.goto(f"{service.url}/?example=full")
        checked(view)
        assert "mine" not in text_in(view)
        press(view, "Bring back my last text")
        assert text_in(view) == MINE
        view.page.goto(f"{service.url}/specs/x")
        view.messages.clear()
        view.page.go_back()
        checked(view)
        assert text_in(view) == MINE


def test_a_service_that_does_not_respond(browser: Browser, service: Service) -> None:
    with editor(browser, service.url, MINE) as view:
        view.page.context.set_offline(True)
        view.page.keyboard.type(" ")
        view.page.locator("#STATUS", has_text="does not respond").wait_for()
        assert "safe in this page" in status(view)
        press(view, "Fix all")
        view.page.locator("#NOTE", has_text="does not respond").wait_for()
        press(view, "Store")
        view.page.locator("#NOTE", has_text="could not be checked").wait_for()
        view.page.context.set_offline(False)
        checked(view)
        assert "errors" in status(view)
        view.messages.clear()
        view.page.route("**/playground/check?*", lambda route: route.fulfill(status=503, json={"message": "Too busy."}))
        view.page.locator(CONTENT).focus()  # else the button has the key
        view.page.keyboard.type(" ")
        view.page.locator("#STATUS", has_text="Too busy.").wait_for()
        assert "mine" in text_in(view)
        view.messages.clear()


def test_a_text_that_is_too_long_is_not_lost(browser: Browser, service: Service) -> None:
    with editor(browser, service.url, MINE) as view:
        view.page.evaluate(f"{PLAYGROUND}.replace(' '.repeat(1_100_000) + '{{}}', '')")
        view.page.locator("#STATUS", has_text="The limit of a check is 784 KB").wait_for()
        assert "safe in this page" in status(view)
        assert view.page.evaluate(f"{PLAYGROUND}.doc.length") > 1_000_000
        view.messages.clear()
        press(view, "Bring back my last text")
        assert text_in(view) == MINE
