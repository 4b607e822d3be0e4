"""A real browser, and axe-core, which checks pages for accessibility."""

import copy
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

import pytest

from tests.editors import tools
from tests.editors.tools import NPM_FLAGS, on_path, one_at_a_time, or_skip, run
from tests.support.examples import DESK
from tests.support.skipping import skip

try:
    from playwright.sync_api import Browser, Page, sync_playwright
    from playwright.sync_api import Error as BrowserError
except ImportError:
    Browser = Page = object
    BrowserError = Exception
    sync_playwright = None

PEERS = Path(__file__).parents[2] / ".venv" / "peers"
AXE_RANGE = "^4.10.0"
"""A minor version may add rules. A major version may change the interface."""
AXE = PEERS / "node_modules" / "axe-core" / "axe.min.js"


EDITOR = "**/codemirror.js"
"""The module that the editor of the front page needs. Without it, the page has a text box."""

PATIENT = 180
"""Seconds for what takes less than one on an idle machine."""

BOXES = pytest.mark.parametrize("options", [{"blocked": EDITOR}, {"script": False}], ids=["no editor", "no script"])
WITH_AND_WITHOUT = pytest.mark.parametrize("script", [True, False], ids=["script", "no script"])


def later() -> dict[str, object]:
    """Return a later version of the example."""
    document = copy.deepcopy(DESK)
    figures, latest = document["pages"][0]["children"]
    figures["children"][0]["label"] = "Still open"
    figures["children"][0]["binding"]["valuePath"] = "data.stillOpen"
    figures["children"].append(latest["children"].pop())
    document["pages"][1]["children"] = [
        {**figures, "id": "new", "children": [{"id": "n", "type": "Text", "content": "x"}]}
    ]
    return document


@contextmanager
def chromium() -> Iterator[Browser]:
    if sync_playwright is None:
        skip("Playwright is not installed (`make test` does it)")
    with or_skip():
        program = tools.chromium()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=[*tools.CHROMIUM_FLAGS])
        try:
            yield browser
        finally:
            browser.close()


class Tab:
    """A page in the browser. On exit it asserts that the page reported no error."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.messages: list[str] = []
        page.set_default_timeout(PATIENT * 1000)
        page.on("console", lambda message: self.messages.append(message.text))
        page.on("pageerror", lambda error: self.messages.append(str(error)))
        page.on("dialog", lambda dialog: self.messages.append(f"dialog: {dialog.message}"))

    def visible(self, selector: str) -> list[str]:
        """Return the texts of the visible elements."""
        return [element.inner_text() for element in self.page.locator(selector).all() if element.is_visible()]

    def until(self, expression: str) -> None:
        """Wait until an expression is true. The policy of the pages forbids Playwright's `wait_for_function`."""
        deadline = time.monotonic() + PATIENT
        while not self._is_true(expression):
            assert time.monotonic() < deadline, f"{expression} did not come true"
            time.sleep(0.02)

    def _is_true(self, expression: str) -> bool:
        try:
            return bool(self.page.evaluate(expression))
        except BrowserError as error:
            if "navigation" in str(error):  # the page that is left answers no more
                return False
            raise

    def is_wide(self) -> bool:
        """Return whether the page is wider than the window."""
        return self.page.evaluate("document.documentElement.scrollWidth > innerWidth")


@contextmanager
def tab(
    browser: Browser, url: str, *, script: bool = True, width: int = 1280, height: int = 900, blocked: str = "",
    before: str = "", **options: object,
) -> Iterator[Tab]:  # fmt: skip
    """Open a page. Requests for the addresses `blocked` fail; the script `before` runs before those of each page."""
    context = browser.new_context(viewport={"width": width, "height": height}, java_script_enabled=script, **options)
    try:
        if before:
            context.add_init_script(before)
        opened = Tab(context.new_page())
        if blocked:
            context.route(blocked, lambda route: route.abort())
        opened.page.goto(url)
        yield opened
        messages = [message for message in opened.messages if not (blocked and "ERR_FAILED" in message)]
        assert messages == [], messages
    except BrowserError as error:
        error.add_note(f"The page reported: {opened.messages}")
        raise
    finally:
        context.close()


@cache
def axe() -> str:
    """Return the source of axe-core, and install it on first use."""
    with or_skip(), one_at_a_time("axe"):
        if not AXE.exists():
            PEERS.mkdir(parents=True, exist_ok=True)
            run([on_path("npm"), "install", *NPM_FLAGS, f"axe-core@{AXE_RANGE}"], PEERS)
    return AXE.read_text()


def violations(page: Page, only: str = "") -> list[str]:
    """Return the violations that axe-core finds on a page, by the rule `only` or by all rules, one line each."""
    page.evaluate(axe())
    rules = f"runOnly: [{only!r}]" if only else "rules: {'target-size': {enabled: true}}"  # of WCAG 2.2, off by default
    found = page.evaluate(f"axe.run({{resultTypes: ['violations'], {rules}}})")["violations"]
    return [
        f"{violation['id']}: {node['html'][:160]} {node['failureSummary'][-200:]}"
        for violation in found
        for node in violation["nodes"][:4]
    ]


def loaded(view: Tab) -> None:
    """Wait until the script of the page has run."""
    view.until("document.body?.dataset.ready !== undefined")
