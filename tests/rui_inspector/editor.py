"""The editor of the front page in a real browser: what a person does in it, and what it shows."""

import json
from collections.abc import Iterator
from contextlib import contextmanager

from tests.rui_inspector.browser import Browser, Tab, tab
from tests.support.examples import DESK

CONTENT = "#EDITOR .cm-content"
CHECKED = "#EDITOR .cm-editor[data-state=checked]"
PLAYGROUND = "document.querySelector('.playground').playground"

SHOWN = f"""async texts => {{
  const results = [];
  for (const text of texts) {{
    {PLAYGROUND}.replace(text, "");
    await {PLAYGROUND}.checker.now();
    results.push({PLAYGROUND}.marks);
  }}
  return results;
}}"""
"""Returns the marks that the editor shows for each of some texts."""


PASTE = """(content, text) => {
  const clipboardData = new DataTransfer();
  clipboardData.setData("text/plain", text);
  content.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
}"""


DESK_TEXT = json.dumps(DESK, indent=2)
FAULTY = DESK_TEXT.replace('"stack"', '"stak"', 1)
MINE = '{"mine": 1}'

HIT = """it => {
  const { left, top, width, height } = it.getBoundingClientRect();
  const hit = document.elementFromPoint(left + width / 2, top + height / 2);
  return it === hit || it.contains(hit);
}"""
"""Returns whether an element is on top at its middle."""


@contextmanager
def editor(browser: Browser, url: str, text: str = "", **options: object) -> Iterator[Tab]:
    """Open the front page, wait for its editor, and write a text."""
    with tab(browser, url, **options) as view:
        view.page.locator(CHECKED).wait_for()
        if text:
            write(view, text)
        yield view


def write(view: Tab, text: str) -> None:
    """Replace the text as with the clipboard, and wait until it is checked."""
    view.page.locator(CONTENT).click()
    view.page.keyboard.press("ControlOrMeta+a")
    view.page.locator(CONTENT).evaluate(PASTE, text)
    checked(view)


def checked(view: Tab) -> None:
    """Wait until the shown faults are those of the text."""
    view.page.locator(CHECKED).wait_for()


def text_in(view: Tab) -> str:
    return view.page.evaluate(f"{PLAYGROUND}.doc.toString()")


def codes(view: Tab) -> list[str]:
    """Return the codes of the marks in the editor."""
    return [code for code, _, _ in view.page.evaluate(f"{PLAYGROUND}.marks")]


def note(view: Tab) -> str:
    return view.page.locator("#NOTE").inner_text()


def status(view: Tab) -> str:
    return view.page.locator("#STATUS").inner_text()


def complete(view: Tab, label: str) -> list[str]:
    """Open the list at the caret, choose an entry, and return the labels. CodeMirror ignores early keys, not clicks."""
    view.page.keyboard.press("ControlOrMeta+Space")
    options = view.page.locator("#EDITOR .cm-tooltip-autocomplete li")
    options.first.wait_for()
    labels = [text.split()[0] for text in options.all_inner_texts()]
    options.nth(labels.index(label)).click()
    return labels


DROP = """(element, files) => {
  const dataTransfer = new DataTransfer();
  for (const [name, bytes] of files) dataTransfer.items.add(new File([new Uint8Array(bytes)], name));
  for (const type of ["dragenter", "dragover", "drop"]) {
    element.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true, composed: true }));
  }
}"""


def dropped(view: Tab, files: list[tuple[str, bytes]], selector: str = CONTENT) -> None:
    """Drop files with names and contents on an element."""
    view.page.locator(selector).evaluate(DROP, [[name, list(content)] for name, content in files])


def press(view: Tab, name: str) -> None:
    view.page.get_by_role("button", name=name, exact=True).click()


def kept(view: Tab) -> None:
    """Wait until the browser has kept the text."""
    view.until(f"sessionStorage.getItem('rui-draft') === {PLAYGROUND}.doc.toString()")
