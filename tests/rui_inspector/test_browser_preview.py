"""The preview panel in a browser: views, place, caret, broken texts, themes. tests/editors has the workbench."""

import pytest

from tests.editors.documents import GOOD
from tests.rui_inspector.browser import Browser, violations
from tests.rui_inspector.preview_panel import THEMES, panel

NOTE = '{ "id": "note", "type": "Text", "content": "All that are open." }'
LONG = GOOD.replace(
    NOTE, ",\n".join(f'{{ "id": "note-{n}", "type": "Text", "content": "Number {n} 😀" }}' for n in range(60))
)
SHOWN = {"wireframe": ("#W-note-30", "#note-30"), "tree": ("#note-30", "#W-note-30")}
"""View → a node in it, and in the other one."""

VIEWS = pytest.mark.parametrize("view", SHOWN)


def at(words: str) -> int:
    return LONG.index(words)


def clicks(messages: list[dict[str, object]]) -> list[object]:
    return [message["start"] for message in messages if message["kind"] == "clicked"]


def test_one_view_is_shown_and_the_choice_stays(browser: Browser) -> None:
    with panel(browser, GOOD) as shown:
        page = shown.page
        page.locator("#W-note").wait_for()
        page.locator("#TREE").wait_for(state="hidden")
        page.get_by_role("tab", name="Tree").click()
        page.locator("#TREE").wait_for()
        page.locator("#W-note").wait_for(state="hidden")
        assert {"kind": "view", "view": "tree"} in shown.sent
        shown.write(GOOD.replace("Start", "Begin"))
        page.locator("#TREE").wait_for()
        shown.load()
        page.locator("#TREE").wait_for()
        assert page.get_by_role("tab", name="Tree").get_attribute("aria-selected") == "true"
        page.get_by_role("tab", name="Tree").focus()
        for key, view in (("ArrowRight", "wireframe"), ("End", "tree"), ("Home", "wireframe")):
            page.keyboard.press(key)
            assert page.locator(f"[data-view={view}]:focus").count() == 1, key
            page.locator(f"#PANEL-{view}").wait_for()


@VIEWS
def test_text_and_views_follow_each_other(browser: Browser, view: str) -> None:
    own, other = SHOWN[view]
    with panel(browser, LONG) as shown:
        shown.page.locator(f"#TAB-{view}").click()
        shown.page.locator(f"{own} .badge").click()
        assert clicks(shown.sent) == [at('{ "id": "note-30"')]
        assert shown.page.locator("details[open] > summary", has_text="Number 30").count() == 0
        shown.page.evaluate("scrollTo(0, 0)")
        shown.put_caret(at("Number 30"))
        assert shown.page.locator("[data-cursor]").evaluate_all("(all) => all.map((it) => '#' + it.id)") == sorted(
            (own, other)
        )
        assert shown.is_seen(own)
        # The other view shows it, too.
        shown.page.locator("[role=tab][aria-selected=false]").click()
        assert shown.is_seen(other)
        shown.page.locator(f"#TAB-{view}").click()
        shown.page.evaluate("scrollTo(0, 0)")
        shown.send(kind="scrolled", start=at('{ "id": "note-30"'), end=at('{ "id": "note-40"'))
        assert shown.is_seen(own)
        top = shown.page.evaluate("scrollY")
        shown.send(kind="scrolled", start=at('{ "id": "note-31"'), end=at('{ "id": "note-41"'))
        assert shown.page.evaluate("scrollY") == top  # a node of these lines is visible already


def test_the_caret_in_one_node_leaves_the_reader_alone(browser: Browser) -> None:
    with panel(browser, LONG) as shown:
        shown.put_caret(at("Number 30"))
        shown.page.evaluate("scrollTo(0, 0)")
        shown.put_caret(at("Number 30") + 1)
        assert shown.page.evaluate("scrollY") == 0
        shown.write(LONG.replace("Number 30", "Number thirty"))
        assert shown.page.locator("#W-note-30[data-cursor]").count() == 1
        shown.put_caret(at("Number 30") + 2)
        assert shown.page.evaluate("scrollY") == 0


PASSING = [
    LONG.replace('"Text"', '"Texx"'), LONG[: at("Number 40")], "{", "", LONG.replace("Start", "Start" * 200, 1),
]  # fmt: skip
"""Texts with errors, cut off, and with a longer title above."""


@VIEWS
def test_the_place_stays_while_texts_come_and_go(browser: Browser, view: str) -> None:
    with panel(browser, LONG) as shown:
        shown.page.locator(f"#TAB-{view}").click()
        own, _ = SHOWN[view]
        shown.page.locator(own).evaluate("(it) => it.scrollIntoView({ block: 'center' })")
        place = shown.place(own)
        for changed in PASSING:
            for text in (changed, LONG):
                shown.write(text)
                assert abs(shown.place(own) - place) <= 1, changed[:9]


def test_diagnostics_take_no_space(browser: Browser) -> None:
    with panel(browser, LONG) as shown:
        height = "document.documentElement.scrollHeight"
        before = shown.page.evaluate(height), shown.place("#W-home")
        shown.write(LONG.replace('"version": "0.1"', '"version": "9"'))
        assert shown.page.locator("#FAULTS summary").first.inner_text().startswith("1 error")
        assert (shown.page.evaluate(height), shown.place("#W-home")) == before
        shown.page.locator("#FAULTS summary").first.click()
        assert (shown.page.evaluate(height), shown.place("#W-home")) == before
        shown.write(LONG.replace('"version": "0.1"', '"version": "8"'))
        shown.page.locator("#FAULTS .problems").wait_for()  # as the reader left it
        shown.page.locator(".problems .where a").first.click()
        assert clicks(shown.sent) == [LONG.index('"0.1"')]
        shown.write(LONG)
        assert shown.page.locator("#FAULTS").inner_text() == "Valid"
        assert (shown.page.evaluate(height), shown.place("#W-home")) == before


def test_the_last_readable_state_stays_and_leads_to_the_broken_text(browser: Browser) -> None:
    added = '  "extra": "1",\n'
    broken = LONG.replace('  "version"', f'{added}  "version"', 1)[: at("Number 40") + len(added)]
    with panel(browser, LONG) as shown:
        page = shown.page
        page.locator("#FAULTS .if-stale").wait_for(state="hidden")
        shown.write(broken)
        assert page.locator("#FAULTS .if-stale").inner_text() == "The text is broken: this is the last readable state"
        page.locator("#W-note-59").wait_for()
        page.locator("#W-note-7 .content").click()
        assert clicks(shown.sent) == [broken.index('{ "id": "note-7"')]
        shown.put_caret(broken.index("Number 8"))
        assert page.locator("#W-note-8[data-cursor]").count() == 1
        # It is not in the broken text, but its section is.
        page.locator("#W-note-50 .content").click()
        assert clicks(shown.sent)[1:] == [broken.rindex("{", 0, broken.index('"id": "open"'))]
        shown.write("{")
        page.locator("#W-note-59").wait_for()
        shown.write(LONG.replace("Number 59", "Back"))
        page.locator("#W-note-59", has_text="Back").wait_for()
        assert page.locator("#FAULTS .note, [data-stale]").count() == 0


def test_the_reader_keeps_what_is_open_and_focused(browser: Browser) -> None:
    with panel(browser, GOOD) as shown:
        page = shown.page
        page.locator("#TAB-tree").click()
        page.locator("#home > details > summary").click(position={"x": 4, "y": 10})
        page.locator("#note > .marks a").first.focus()
        shown.write(GOOD.replace('"Orders" }]', '"All orders" }]'))
        assert page.locator("#home > details").get_attribute("open") is None
        assert page.locator("#orders > details").get_attribute("open") is not None
        assert page.locator("#note > .marks a:focus").count() == 1


def test_hostile_texts_are_shown_as_text(browser: Browser) -> None:
    hostile = "<img src=x onerror=alert(1)></body><script>alert(2)</script>"
    with panel(browser, GOOD) as shown:
        shown.write(GOOD.replace("All that are open.", hostile).replace('"Orders"', f'"{hostile}"'))
        assert shown.page.locator("#W-note .content").inner_text() == hostile
        assert shown.page.locator("main img, main script").count() == 0


@pytest.mark.parametrize("theme", THEMES)
def test_looks(browser: Browser, theme: str) -> None:
    broken = GOOD.replace('"version": "0.1"', '"version": "9"')
    with panel(browser, GOOD, theme=theme) as shown:
        for view in SHOWN:
            shown.page.locator(f"#TAB-{view}").click()
            shown.put_caret(GOOD.index('"note"'))
            assert violations(shown.page) == []
            for width in (320, 1200, 560):
                shown.page.set_viewport_size({"width": width, "height": 800})
                assert not shown.page.evaluate("document.documentElement.scrollWidth > innerWidth")
        shown.write(broken)
        shown.page.locator("#FAULTS summary").first.click()
        shown.write(broken[: len(broken) // 2])
        assert violations(shown.page) == []
