"""The comparison of two versions in a real browser: short for a small change, complete without script, printed."""

import copy
from itertools import product

import pytest

from rui_common.syntax.paths import value_at
from tests.inputs.sample import sample
from tests.rui_api.live import Service
from tests.rui_inspector.browser import Browser, tab, violations
from tests.rui_inspector.pages import office_document

LARGE = sample(120_000)
OFFICE = office_document()

Edit = tuple[tuple[str | int, ...], str | int, object]
"""Path of an object or array in a document, what is set in it, and the value."""

BLOCKS = ("pages", 0, "children", 0, "children")
TABLE = ("pages", 3, "children", 1, "children", 0)

SMALL_CHANGES = [
    (LARGE, [((*BLOCKS, 0), "label", "Sessions today")]),
    (OFFICE, [((*TABLE, "columns", 5), "label", "Sum")]),
    (OFFICE, [((*TABLE, "columns", 5), "key", "sum"), (TABLE, "title", "Newest returns")]),
    (OFFICE, [(("pages", 7), "description", "Payments of today.")]),
    (OFFICE, [(("pages", 1, "children", 0, "children", 2, "binding"), "path", "/api/invoices/done")]),
]  # fmt: skip


def edited(document: dict[str, object], edits: list[Edit]) -> dict[str, object]:
    document = copy.deepcopy(document)
    for path, name, value in edits:
        value_at(document, path)[name] = value
    return document


def compared(service: Service, document: dict[str, object], edits: list[Edit]) -> str:
    """Store two versions, and return the URL of their comparison."""
    return f"{service.store(document)['viewUrl']}/compare/{service.store(edited(document, edits))['specId']}"


@pytest.mark.parametrize(("document", "edits"), SMALL_CHANGES)
def test_a_small_change_of_a_large_app_is_a_short_page(
    browser: Browser, service: Service, document: dict[str, object], edits: list[Edit]
) -> None:
    with tab(browser, compared(service, document, edits), script=False, width=390, height=844) as view:
        assert view.page.evaluate("document.documentElement.scrollHeight") < 3 * 844
        for mark in view.page.locator(".version mark, .version .cells li[class]").all():
            box = mark.bounding_box()
            assert box["x"] >= 0
            assert box["x"] + box["width"] <= 390
        assert view.page.locator(".version mark, .version .cells li[class]").count() > 0
        assert not view.is_wide()


def test_folded_parts_are_opened_without_script(browser: Browser, service: Service) -> None:
    with tab(browser, compared(service, *SMALL_CHANGES[1]), script=False) as view:
        inner = view.page.locator("#W-returns-m1")
        assert not inner.is_visible()
        view.page.locator(".version:last-child .unchanged > summary", has_text="At a glance 4 blocks unchanged").click()
        assert inner.is_visible()
        view.page.locator(".version:last-child .cells summary").first.click()
        assert "Responsible department" in view.page.locator("#W-returns-t .cells").inner_text()


def test_comparisons_are_accessible(browser: Browser, service: Service) -> None:
    edits = [edit for _, edits in SMALL_CHANGES[1:] for edit in edits]
    with tab(browser, compared(service, OFFICE, edits)) as view:
        for scheme, width in product(("light", "dark"), (1440, 1024, 390)):
            view.page.emulate_media(color_scheme=scheme)
            view.page.set_viewport_size({"width": width, "height": 844})
            assert violations(view.page) == []
            assert not view.is_wide()
        view.page.evaluate("document.querySelectorAll('details').forEach(it => it.open = true)")
        assert violations(view.page) == []


def test_folded_parts_stay_folded_in_print(browser: Browser, service: Service) -> None:
    with tab(browser, compared(service, *SMALL_CHANGES[0])) as view:
        view.page.emulate_media(media="print")
        assert view.page.locator(".unchanged > summary").first.is_visible()
        assert not view.page.locator(".unchanged .block").first.is_visible()


def test_notes_do_not_prevent_unfolding(browser: Browser, service: Service) -> None:
    with tab(browser, compared(service, *SMALL_CHANGES[1])) as view:
        view.page.get_by_role("button", name="Notes").click()
        view.page.locator(".notes-panel").wait_for()
        view.page.locator(".version:last-child .unchanged > summary").first.click()
        assert view.page.locator("#W-returns-m1").is_visible()
        assert view.page.locator("dialog[open]").count() == 0
