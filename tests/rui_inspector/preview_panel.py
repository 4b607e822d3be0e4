"""The preview panel in a browser, with a host in place of the editor."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, Page, Route

from rui_inspector.html.pages import SITE_ASSETS, PageHost, load_assets, preview_page

STATIC = Path(__file__).parents[2] / "rui_inspector" / "static" / "preview"
ADDRESS = "http://preview.test/"

THEMES = {
    "light": (
        "vscode-light",
        {"editor-background": "#ffffff", "editor-foreground": "#3b3b3b", "focusBorder": "#005fb8"},
    ),
    "high contrast": (
        "vscode-high-contrast",
        {
            "editor-background": "#000000", "editor-foreground": "#ffffff", "focusBorder": "#f38518",
            "contrastBorder": "#6fc3df", "textLink-foreground": "#21a6ff",
        },
    ),
}  # fmt: skip
"""VS Code's own themes: name → classes of the body, and the colours that the styles use."""

POLICY = "default-src 'none'; style-src http://preview.test; script-src 'nonce-n'"

HOST = """
globalThis.sent = [];
globalThis.previewHost = {
  getState: () => JSON.parse(sessionStorage.getItem("state") ?? "null") ?? undefined,
  setState: (state) => sessionStorage.setItem("state", JSON.stringify(state)),
  postMessage: (message) => sent.push(message),
};
"""


SEEN = """(selector) => {
  const node = document.querySelector(selector);
  const title = node.querySelector("summary, h3, .heading") ?? node;
  const { top, bottom } = title.getBoundingClientRect();
  return top >= document.querySelector(".views").getBoundingClientRect().bottom
    && bottom <= document.querySelector("#FAULTS").getBoundingClientRect().top;
}"""


class Panel:
    """The page of the panel, and messages between it and the editor."""

    def __init__(self, page: Page, text: str, theme: str) -> None:
        self.page = page
        self._theme = theme
        self._text = text

    def load(self) -> None:
        """Load the page, as when the panel is opened, or shown again."""
        self.page.goto(ADDRESS)
        classes, colors = THEMES[self._theme]
        self.page.evaluate(
            "([classes, colors]) => { document.body.classList.add(...classes.split(' '));"
            "for (const [name, color] of Object.entries(colors))"
            "  document.documentElement.style.setProperty(`--vscode-${name}`, color); }",
            [classes, colors],
        )
        self.page.locator("body[data-ready]").wait_for()

    def write(self, text: str) -> None:
        """Change the text in the editor."""
        self._text = text
        self.send(kind="page", html=self._html(), uri="file:///app.rui.json")

    def put_caret(self, offset: int) -> None:
        """Move the caret in the editor."""
        self.send(kind="cursor", offset=offset)

    def send(self, **message: object) -> None:
        """Send a message to the panel and wait until it is received."""
        self.page.evaluate(
            "(data) => new Promise((done) => { addEventListener('message', () => done(), { once: true });"
            "postMessage(data, '*'); })",
            message,
        )

    @property
    def sent(self) -> list[dict[str, object]]:
        """The messages of the panel to the editor."""
        return list(self.page.evaluate("sent"))

    def serve(self, route: Route) -> None:
        """Respond to a request for a file of the page."""
        name = route.request.url.removeprefix(ADDRESS)
        if name == "":
            html = self._html().replace("</head>", '<link rel="stylesheet" href="preview.css"></head>')
            route.fulfill(body=html, content_type="text/html; charset=utf-8")
        elif name == "inspector.css":
            route.fulfill(body=load_assets(SITE_ASSETS)["inspector.css"].content, content_type="text/css")
        else:
            media_type = {"css": "text/css", "js": "text/javascript"}[name.rpartition(".")[2]]
            route.fulfill(body=(STATIC / name).read_bytes(), content_type=media_type)

    def place(self, selector: str) -> int:
        """Return the distance of an element from the top of the window, in pixels."""
        return int(self.page.locator(selector).evaluate("(it) => Math.round(it.getBoundingClientRect().top)"))

    def is_seen(self, selector: str) -> bool:
        """Return whether the title of a node is between the bar and the strip."""
        return bool(self.page.evaluate(SEEN, selector))

    def _html(self) -> str:
        return preview_page(self._text, PageHost("inspector.css", "preview.js", policy=POLICY, nonce="n"))


@contextmanager
def panel(browser: Browser, text: str, *, theme: str = "light") -> Iterator[Panel]:
    """Open the panel. On exit it asserts that the page reported no error."""
    context = browser.new_context(viewport={"width": 560, "height": 800})
    try:
        page = context.new_page()
        page.set_default_timeout(60_000)
        errors: list[str] = []
        page.on("console", lambda message: errors.append(message.text))
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.add_init_script(HOST)
        opened = Panel(page, text, theme)
        page.route(f"{ADDRESS}**", opened.serve)
        opened.load()
        yield opened
        assert errors == [], errors
    finally:
        context.close()
