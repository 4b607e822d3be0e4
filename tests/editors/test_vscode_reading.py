"""What an author reads in the workbench: hovers, symbols and advice."""

import re

from tests.editors.documents import GOOD
from tests.editors.test_vscode_daily import TEXT, opened
from tests.editors.workbench import Workbench


def hover_text(code: Workbench) -> str:
    """Return the text of the visible hover. Its parts appear one after the other."""
    return " ".join(code.page.locator(".monaco-hover:visible").all_inner_texts())


def show_hover(code: Workbench, words: str) -> str:
    """Show the hover at the cursor, and return its text when it contains the words."""
    code.retry(lambda: code.command("editor.action.showHover"), lambda: words in hover_text(code))
    return hover_text(code)


def test_hovering_a_valid_property_explains_it(code: Workbench) -> None:
    opened(code, "hover-valid", at='"dire')
    text = show_hover(code, "Section.direction")
    assert 'Section.direction: "stack" | "row" (required)' in text
    assert re.search(r"\bR\d+b?\b", text) is None


def test_hovering_a_fault_explains_its_rule(code: Workbench) -> None:
    opened(code, "hover-fault", GOOD.replace('"stack"', '"stuck"', 1), at='"stu', errors=1)
    text = show_hover(code, "Section.direction")
    assert re.search(r"\bR7b\b", text)


def test_the_outline_shows_ids_after_labels(code: Workbench) -> None:
    opened(code, "outline")
    code.command("outline.focus")
    row = code.wait_for(".outline-tree .monaco-list-row:has-text('Orders')")
    assert (row.locator(".label-name").inner_text(), row.locator(".label-description").inner_text()) == (
        "Orders",
        "orders",
    )
    code.command("workbench.action.closeSidebar")


def test_rule_codes_are_completed_in_settings(code: Workbench) -> None:
    code.complete_rule_codes()
    code.page.keyboard.type('"ORPH')
    code.wait_for(".suggest-widget.visible .monaco-list-row.focused[aria-label^=ORPHAN_PAGE]")
    code.page.keyboard.press("Enter")
    code.eventually(lambda: '"ORPHAN_PAGE": ' in str(code.js(TEXT)), True)
