"""What an author reads in the workbench: hovers, symbols, lenses, hints and advice."""

import re

from playwright.sync_api import Locator

from tests.editors.documents import GOOD
from tests.editors.test_vscode_daily import TEXT, opened
from tests.editors.workbench import Workbench

UNLABELLED = GOOD.replace(', "label": "Start"', "", 1)
"""The first navigation item has no label; the second has the title of its page."""


def hover_text(code: Workbench) -> str:
    """Return the text of the visible hover. Its parts appear one after the other."""
    return " ".join(code.page.locator(".monaco-hover:visible").all_inner_texts())


def show_hover(code: Workbench, words: str) -> str:
    """Show the hover at the cursor, and return its text when it contains the words."""
    code.retry(lambda: code.command("editor.action.showHover"), lambda: words in hover_text(code))
    return hover_text(code)


def line_of(code: Workbench, words: str) -> Locator:
    """Return the line in the editor that contains the words, with the hints in it."""
    return code.page.locator(".monaco-editor .view-line", has_text=words).first


def visible_text(line: Locator) -> str:
    return line.inner_text().replace("\N{NO-BREAK SPACE}", " ").strip()


def test_hovering_a_valid_property_explains_it(code: Workbench) -> None:
    opened(code, "hover-valid", at='"dire')
    text = show_hover(code, "Section.direction")
    assert 'Section.direction: "stack" | "row" (required)' in text
    assert re.search(r"\bR\d+b?\b", text) is None


def test_hovering_a_fault_explains_its_rule(code: Workbench) -> None:
    opened(code, "hover-fault", GOOD.replace('"stack"', '"stuck"', 1), at='"stu', errors=1)
    text = show_hover(code, "Section.direction")
    assert re.search(r"\bR7b\b", text)


def test_a_node_of_another_document_is_found_by_its_id(code: Workbench) -> None:
    code.write("symbols-other.rui.json", GOOD.replace("welcome", "greeting"))
    opened(code, "symbols-here")
    code.page.keyboard.press("Control+t")
    code.wait_for(".quick-input-widget:visible .quick-input-box input:focus")
    code.page.keyboard.type("greeting")
    code.wait_for(".quick-input-list .monaco-list-row.focused:has-text('(Text greeting)')")
    code.page.keyboard.press("Enter")
    code.js("await until(() => vscode.window.activeTextEditor?.document.uri.path.endsWith('symbols-other.rui.json'))")
    line = "const it = vscode.window.activeTextEditor; return it.document.lineAt(it.selection.active.line).text"
    code.eventually(lambda: '"id": "greeting"' in str(code.js(line)), True)


def test_the_outline_shows_ids_after_labels(code: Workbench) -> None:
    opened(code, "outline")
    code.command("outline.focus")
    row = code.wait_for(".outline-tree .monaco-list-row:has-text('Orders')")
    assert (row.locator(".label-name").inner_text(), row.locator(".label-description").inner_text()) == (
        "Orders",
        "orders",
    )
    code.command("workbench.action.closeSidebar")


def test_references_are_counted_once(code: Workbench) -> None:
    """By the lens above a page; no hint beside its id repeats the number."""
    opened(code, "counted", UNLABELLED)
    lenses = code.page.locator(".codelens-decoration")
    code.eventually(
        lambda: [text.strip() for text in lenses.all_inner_texts()], ["Publish", "1 reference", "1 reference"]
    )
    hinted = line_of(code, '"pageId"')
    code.eventually(lambda: '"home"Start' in visible_text(hinted).replace(" ", ""), True)
    assert visible_text(line_of(code, '"id": "home"'.replace(" ", "\N{NO-BREAK SPACE}"))) == '"id": "home",'


def test_a_hint_does_not_repeat_a_label(code: Workbench) -> None:
    opened(code, "repeated", UNLABELLED)
    hinted = line_of(code, '"pageId"')
    code.eventually(lambda: '"home"Start' in visible_text(hinted).replace(" ", ""), True)
    assert '"pageId": "orders", "label": "Orders" }' in visible_text(hinted)


def test_a_property_of_the_document_is_not_advised_on_a_page(code: Workbench) -> None:
    opened(code, "advice", GOOD.replace('"id": "home",', '"id": "home", "meta": {},'), errors=1)
    code.problems_are("`meta` belongs at the top level of the document: move it there, or remove it.")


def test_rule_codes_are_completed_in_settings(code: Workbench) -> None:
    code.complete_rule_codes()
    code.page.keyboard.type('"ORPH')
    code.wait_for(".suggest-widget.visible .monaco-list-row.focused[aria-label^=ORPHAN_PAGE]")
    code.page.keyboard.press("Enter")
    code.eventually(lambda: '"ORPHAN_PAGE": ' in str(code.js(TEXT)), True)
