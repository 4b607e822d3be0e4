"""Writes pictures of the editors: python -m tests.editors.images [NAME …] → docs/images/vscode-*.png, neovim*.png."""

import sys
import tempfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from playwright.sync_api import Error, Page

from editors.build_vsix import build
from rui_api.app import create_app
from rui_api.config.options import Settings
from tests.editors.documents import place_of
from tests.editors.neovim import Neovim
from tests.editors.workbench import Workbench, chromium, workbench
from tests.rui_api.live import running

ROOT = Path(__file__).parents[2]
IMAGES = ROOT / "docs" / "images"
EXAMPLES = ROOT / "examples"
SIZE = {"width": 830, "height": 500}
WIDE = {"width": 960, "height": 500}
MAX_BYTES = 100_000
DESK = (EXAMPLES / "order-desk.rui.json").read_text()
SELECTION = "const { start, end } = vscode.window.activeTextEditor.selection; return [start, end]"
LIST = ".suggest-widget.visible .monaco-list-row.focused"


PICTURES: dict[str, Callable[[Workbench], None]] = {}
FEATURES: dict[str, tuple[str, ...]] = {}
"""Picture → the features in the table of editors/README.md that it shows."""

NEOVIM, NEOVIM_PREVIEW = "neovim", "neovim-preview"
IN_NEOVIM = {
    NEOVIM: "Neovim: errors while typing, with their messages after the lines.",
    NEOVIM_PREVIEW: "The live preview in a browser, here of Neovim; the block at the cursor is marked.",
}


def picture(*features: str) -> Callable[[Callable[[Workbench], None]], Callable[[Workbench], None]]:
    """Register a function that shows features in the workbench. Its docstring is the caption."""

    def register(function: Callable[[Workbench], None]) -> Callable[[Workbench], None]:
        PICTURES[function.__name__] = function
        FEATURES[function.__name__] = features
        return function

    return register


def show(code: Workbench, name: str, text: str = DESK, *, at: str = "", after: bool = True) -> Path:
    """Show a document, with the cursor after some words or before them."""
    path = code.write(f"{name}.rui.json", text)
    code.show(path)
    code.js("await until(async () => (await vscode.commands.executeCommand("
            "'vscode.executeDocumentSymbolProvider', uri(path)))?.length)", path=path)  # fmt: skip
    code.put_cursor(path, *(place_of(text, at, after=after) if at else (0, 0)))
    return path


def wait_in_webview(code: Workbench, selector: str) -> None:
    """Wait for a visible element in a webview."""

    def is_shown() -> bool:
        for frame in code.page.frames:
            with suppress(Error):  # The workbench replaces frames while it loads them.
                if "fake.html" in frame.url and frame.locator(selector).first.is_visible():
                    return True
        return False

    code.eventually(is_shown, True)


@picture(
    "Errors while typing",
    "Problems of all documents in the folder",
    "Quick fixes",
    "Fix all that is safe",
    "Highlighting by meaning",
)
def errors(code: Workbench) -> None:
    """A document with errors: underlined, listed in the Problems panel, with a menu of fixes."""
    text = (EXAMPLES / "first-draft.rui.json").read_text()
    path = show(code, "first-draft", text)
    code.diagnostics(path, until="all.length")
    code.problems()
    code.put_cursor(path, *place_of(text, "Txt"))
    code.open_fixes()


@picture("Completion", "A completed page brings its navigation entry", "A new line adds the comma")
def completion(code: Workbench) -> None:
    """Completion: the blocks that may follow."""
    show(code, "completion", at='"direction": "row",\n          "children": [')
    code.page.keyboard.press("Control+Space")
    code.wait_for(LIST)


@picture("Documentation")
def hover(code: Workbench) -> None:
    """The documentation of a property."""
    path = show(code, "hover")
    code.put_cursor(path, *place_of(DESK, '"valueP', after=True))
    code.command("editor.action.showHover")
    code.wait_for(".monaco-hover:visible .hover-contents")


@picture("Rename an id and its references")
def rename(code: Workbench) -> None:
    """Rename of an id, with all its references."""
    show(code, "rename", at='"pageId": "sto')
    code.page.keyboard.press("F2")
    code.wait_for(".rename-box input:focus")
    code.page.keyboard.type("all-orders")


@picture("Move up and down", "Delete a page with its navigation entries")
def refactor(code: Workbench) -> None:
    """Refactorings of a block: extract, delete, move."""
    show(code, "refactor", at='"type": "Metr')
    code.open_fixes()


@picture("Outline")
def symbols(code: Workbench) -> None:
    """Go to a node by its label or id."""
    show(code, "symbols")
    code.page.keyboard.press("Control+Shift+O")
    code.wait_for(".quick-input-list .monaco-list-row")
    code.page.keyboard.type("st")


@picture("Definition and references")
def references(code: Workbench) -> None:
    """The references to a page."""
    show(code, "references", at='"pageId": "sto')
    code.command("editor.action.referenceSearch.trigger")  # also shows a single one
    code.wait_for(".reference-zone-widget")


@picture("Linked editing of an id and its references", "Highlights of a name")
def linked(code: Workbench) -> None:
    """Linked editing: the references to an id change while it is typed."""
    show(code, "linked", at='      "id": "today')
    code.wait_for(".linked-editing-decoration")
    code.page.keyboard.type("-room")


@picture("An added binding is marked until it is set")
def binding(code: Workbench) -> None:
    """A binding that a fix has added: its placeholders are tab stops, with a warning until they are set."""
    before, rest = DESK.split(',\n              "binding"', 1)
    text = before + "," + rest.split("},", 1)[1]
    path = show(code, "binding", text)
    code.diagnostics(path, until="all.length === 1")
    code.put_cursor(path, *place_of(text, '"type": "Metr'))
    code.act('Add "binding"')
    code.page.set_viewport_size(WIDE)  # type: ignore[arg-type]
    code.diagnostics(path, until="all.length === 2")


@picture("New document")
def new(code: Workbench) -> None:
    """The templates of a new document."""
    show(code, "new")
    code.js("void vscode.commands.executeCommand('rui.new')")
    code.wait_for(".quick-input-list .monaco-list-row.focused")


@picture("Explain a rule, offline")
def rule(code: Workbench) -> None:
    """The page of a rule, without a network."""
    path = show(code, "rule", DESK.replace('"Metric"', '"Metrc"', 1))
    code.diagnostics(path, until="all.length")
    code.command("rui.explain", {"rule": "R5"})
    wait_in_webview(code, "h1")


@picture("Publish")
def publish(code: Workbench) -> None:
    """The address of a published document."""
    show(code, "order-desk")
    code.js("void vscode.commands.executeCommand('rui.publishDocument')")
    code.notification("Published: ")


@picture("Live preview, linked to the caret")
def preview(code: Workbench) -> None:
    """A document with its preview to the right; the block at the cursor is marked."""
    code.page.set_viewport_size(WIDE)  # type: ignore[arg-type]
    path = show(code, "preview")
    code.command("rui.openPreview")
    wait_in_webview(code, "body[data-ready]")
    code.put_cursor(path, *place_of(DESK, '"type": "Metric"'))
    wait_in_webview(code, "#W-open-orders[data-cursor]")


@picture("Folding")
def folding(code: Workbench) -> None:
    """The pages of a document, folded."""
    show(code, "folding")
    code.command("editor.foldLevel3")


@picture("Extend and shrink the selection")
def selection(code: Workbench) -> None:
    """The selection, extended from a word to its block."""
    show(code, "selection", at='"label": "Open ord')
    while code.js("return vscode.window.activeTextEditor.selection.isSingleLine"):
        before = code.js(SELECTION)
        code.command("editor.action.smartSelect.grow")
        code.eventually(lambda before=before: code.js(SELECTION) != before, True)


@picture("Formatting, on save")
def formatting(code: Workbench) -> None:
    """What formatting has changed since the document was saved."""
    code.page.set_viewport_size(WIDE)  # type: ignore[arg-type]
    text = DESK.replace('    "title": "Order desk",\n    "desc', '  "title":"Order desk","desc', 1)
    text = text.replace('"type": "Page",\n      ', '"type" : "Page",   ', 1)
    path = show(code, "formatting", text)
    before = code.text(path)
    code.retry(lambda: code.command("editor.action.formatDocument"), lambda: code.text(path) != before)
    code.command("workbench.files.action.compareWithSaved")
    code.wait_for(".monaco-diff-editor .line-insert")


@picture("Rule codes completed in settings")
def settings(code: Workbench) -> None:
    """The codes of rules, completed in settings."""
    code.complete_rule_codes()
    code.page.keyboard.type('"ORP')
    code.wait_for(LIST)


def take_neovim(names: list[str], folder: Path) -> None:
    """Write the pictures of Neovim."""
    with chromium() as browser, Neovim(folder / "neovim", "vim.diagnostic.config({ virtual_text = true })") as nvim:
        page = browser.new_page(viewport=SIZE)  # type: ignore[arg-type]
        if NEOVIM in names:
            nvim.edit("first-draft.rui.json", (EXAMPLES / "first-draft.rui.json").read_text())
            nvim.until(nvim.findings, "diagnostics")
            nvim.command("redraw")
            page.set_content("\n".join(nvim.lua("return require('tohtml').tohtml(0, { number_lines = true })")))
            take(page, NEOVIM)
        if NEOVIM_PREVIEW in names:
            nvim.edit("preview.rui.json", DESK)
            nvim.put_cursor('"type": "Metric"')
            nvim.command("RuiPreview")
            nvim.until(nvim.opened, "the preview")
            page.goto(nvim.opened()[-1])
            page.locator(".live-status").wait_for(state="attached")
            page.locator("[data-cursor]:visible").first.wait_for()
            take(page, NEOVIM_PREVIEW)


README = ROOT / "editors" / "README.md"
MARK = "<!-- Pictures: generated by `make images` from tests/editors/images.py. -->\n"


def gallery() -> str:
    """Return the pictures with the features that they show, in Markdown."""
    parts = []
    for name, function in PICTURES.items():
        parts.append(f"**{'; '.join(FEATURES[name])}**\n")
        parts.append(f"![{function.__doc__}](../docs/images/{file_of(name).name})\n")
    parts += [f"![{caption}](../docs/images/{file_of(name).name})\n" for name, caption in IN_NEOVIM.items()]
    return "\n".join(parts)


def with_gallery(page: str) -> str:
    """Return a page whose text between the two marks is replaced by the pictures."""
    before, _, after = page.split(MARK)
    return f"{before}{MARK}\n{gallery()}\n{MARK}{after}"


def file_of(name: str) -> Path:
    """Return the file of a picture."""
    return IMAGES / (f"{name}.png" if name in IN_NEOVIM else f"vscode-{name}.png")


def take(page: Page, name: str) -> None:
    """Write a picture of the whole page, and print its size."""
    page.screenshot(path=file_of(name))
    size = file_of(name).stat().st_size
    print(f"{file_of(name).name}: {size} bytes")
    assert size <= MAX_BYTES


def take_workbench(names: list[str], folder: Path) -> None:
    """Write the pictures of VS Code."""
    settings = Settings(store=f"sqlite:///{folder / 'rui.db'}")
    with (
        running(create_app(settings)) as service,
        workbench(build(folder / "rui.vsix"), folder / "workbench", {"rui.server.url": service.url}) as code,
    ):
        code.command("workbench.action.closeSidebar")
        for name in names:
            code.page.set_viewport_size(SIZE)  # type: ignore[arg-type]
            PICTURES[name](code)
            code.page.wait_for_timeout(1_500)
            take(code.page, name)
            code.page.keyboard.press("Escape")
            code.page.keyboard.press("Escape")
            code.command("workbench.action.closePanel")
            code.tidy()


def main(names: list[str]) -> None:
    wanted = names or [*PICTURES, *IN_NEOVIM]
    with tempfile.TemporaryDirectory() as temporary:
        if in_workbench := [name for name in wanted if name in PICTURES]:
            take_workbench(in_workbench, Path(temporary))
        if in_neovim := [name for name in wanted if name in IN_NEOVIM]:
            take_neovim(in_neovim, Path(temporary))
    README.write_text(with_gallery(README.read_text()))


if __name__ == "__main__":
    main(sys.argv[1:])
