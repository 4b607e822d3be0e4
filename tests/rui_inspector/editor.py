"""The editor of the front page in a real browser: what a person does in it, and what it shows."""

from collections.abc import Iterator
from contextlib import contextmanager

from tests.rui_inspector.browser import Browser, Tab, tab

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
