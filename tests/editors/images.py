"""Writes pictures of the editors: python -m tests.editors.images [NAME …] → docs/images/vscode-*.png, neovim*.png."""

import re
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from playwright.sync_api import Page

from editors.build_vsix import build
from rui_api.app import create_app
from rui_api.config.options import Settings
from tests.editors.documents import place_of
from tests.editors.neovim import DESK, DRAFT, Neovim
from tests.editors.page import ROOT
from tests.editors.workbench import Workbench, chromium, read_in_pages, workbench
from tests.rui_api.live import running

IMAGES = ROOT / "docs" / "images"
SIZE = {"width": 830, "height": 500}
WIDE = {"width": 960, "height": 500}
MAX_BYTES = 100_000
SELECTION = "const { start, end } = vscode.window.activeTextEditor.selection; return [start, end]"
FIRST = ".quick-input-list .monaco-list-row.focused"
PROPOSED = ".suggest-widget.visible .monaco-list-row.focused"
CHANGED = ".monaco-diff-editor .line-insert"
UNBOUND = re.sub(r',\n {14}"binding": \{.*?\},', ",", DESK, count=1, flags=re.DOTALL)
MESSY = DESK.replace('    "title": "Order desk",\n    "desc', '  "title":"Order desk","desc', 1)
MESSY = MESSY.replace('"type": "Page",\n      ', '"type" : "Page",   ', 1)


def show(code: Workbench, name: str, text: str, at: str) -> Path:
    """Show a document, with the cursor after some words."""
    path = code.write(f"{name}.rui.json", text)
    code.show(path)
    code.js("await until(async () => (await vscode.commands.executeCommand("
            "'vscode.executeDocumentSymbolProvider', uri(path)))?.length)", path=path)  # fmt: skip
    code.put_cursor(path, *(place_of(text, at, after=True) if at else (0, 0)))
    return path


def wait_in_webview(code: Workbench, selector: str) -> None:
    code.eventually(lambda: bool(read_in_pages(code, selector)), True)


def show_errors(code: Workbench, path: Path) -> None:
    code.diagnostics(path, until="all.length")
    code.problems()
    code.put_cursor(path, *place_of(DRAFT, "Txt"))
    code.open_fixes()


def add_binding(code: Workbench, path: Path) -> None:
    code.diagnostics(path, until="all.length === 1")
    code.act('Add "binding"')
    code.page.set_viewport_size(WIDE)  # type: ignore[arg-type]
    code.diagnostics(path, until="all.length === 2")


def explain(code: Workbench, path: Path) -> None:
    code.diagnostics(path, until="all.length")
    code.command("rui.explain", {"rule": "R5"})
    wait_in_webview(code, "h1")


def publish(code: Workbench, path: Path) -> None:
    code.js("void vscode.commands.executeCommand('rui.publishDocument')")
    code.wait_for(".notification-toast:has-text('Published: ')")


def publish_a_change(code: Workbench, path: Path) -> None:
    """Publish a document, and change it."""
    code.command("rui.publishDocument")
    code.command("notifications.clearAll")
    code.replace(
        path, DESK.replace('"At a glance"', '"Today"').replace('"direction": "row"', '"direction": "stack"', 1)
    )


def show_choices(code: Workbench, path: Path) -> None:
    publish_a_change(code, path)
    code.js("void vscode.commands.executeCommand('rui.publishDocument')")


def compare(code: Workbench, path: Path) -> None:
    publish_a_change(code, path)
    code.page.set_viewport_size(WIDE)  # type: ignore[arg-type]
    code.command("rui.compareWithLastVersion")


def preview(code: Workbench, path: Path) -> None:
    code.page.set_viewport_size(WIDE)  # type: ignore[arg-type]
    code.command("rui.openPreview")
    wait_in_webview(code, "body[data-ready]")
    code.put_cursor(path, *place_of(DESK, '"type": "Metric"'))
    wait_in_webview(code, "#W-open-orders[data-cursor]")


def select(code: Workbench, path: Path) -> None:
    while code.js("return vscode.window.activeTextEditor.selection.isSingleLine"):
        before = code.js(SELECTION)
        code.command("editor.action.smartSelect.grow")
        code.eventually(lambda before=before: code.js(SELECTION) != before, True)


def format_text(code: Workbench, path: Path) -> None:
    code.page.set_viewport_size(WIDE)  # type: ignore[arg-type]
    before = code.text(path)
    code.retry(lambda: code.command("editor.action.formatDocument"), lambda: code.text(path) != before)
    code.command("workbench.files.action.compareWithSaved")


def complete_settings(code: Workbench, path: Path) -> None:
    """Show the settings of the folder, with the completion of rule codes."""
    (code.folder / ".vscode").mkdir()
    settings = code.write(".vscode/settings.json", '{\n  "rui.diagnostics.severity": {\n    \n  }\n}\n')
    code.show(settings)
    code.put_cursor(settings, 2, 4)
    rows = code.page.locator(".suggest-widget.visible .monaco-list-row")
    code.retry(lambda: code.page.keyboard.press("Control+Space"), lambda: rows.count() > 1)
    code.page.keyboard.type('"ORP')


def ignore(code: Workbench, path: Path) -> None:
    """Show the fixes of a warning, with the choice to ignore it."""
    code.diagnostics(path, until="all.length")
    code.problems()
    code.put_cursor(path, *place_of(MARKED, "<b>"))
    code.open_fixes()
    code.page.locator(".action-widget .monaco-list-row", has_text="Ignore here").hover()


def search(code: Workbench, path: Path) -> None:
    """Show the search in all documents, of which there are several."""
    for file in (ROOT / "examples" / "apps").iterdir():
        code.write(file.name, file.read_text(encoding="utf-8"))
    code.js("void vscode.commands.executeCommand('workbench.action.showAllSymbols')")
    code.wait_for(".quick-input-widget")
    code.page.keyboard.type("open")
    code.wait_for(".quick-input-list .monaco-list-row:has-text('.rui.json')")


class Picture(NamedTuple):
    """A picture of the workbench.

    Attributes:
        at: the words before the cursor.
        act: keys, commands in angle brackets, or a function; what comes before the picture is taken.
        shown: the selector of an element to wait for.
        typed: characters that are typed after it is shown.
        text: the document.
    """

    at: str = ""
    act: str | Callable[[Workbench, Path], None] = ""
    shown: str = "body"
    typed: str = ""
    text: str = DESK


LIST = '"direction": "row",\n          "children": ['
MARKED = DESK.replace("Everything that", "**Everything** that", 1).replace('"At a glance"', '"<b>At a glance</b>"', 1)
FILTERED = (ROOT / "examples" / "apps" / "solar-park.rui.json").read_text(encoding="utf-8")
MISTYPED = DESK.replace('"Metric"', '"Metrc"', 1)
PICTURES = {
    "errors": Picture(act=show_errors, text=DRAFT),
    "completion": Picture(at=LIST, act="Control+Space", shown=PROPOSED),
    "hover": Picture(at='"valueP', act="<editor.action.showHover>", shown=".monaco-hover:visible .hover-contents"),
    "rename": Picture(at='"pageId": "sto', act="F2", shown=".rename-box input:focus", typed="all-orders"),
    "refactor": Picture(at='"type": "Metr', act=lambda code, _: code.open_fixes()),
    "symbols": Picture(act="Control+Shift+O", shown=".quick-input-list .monaco-list-row", typed="st"),
    "references": Picture('"pageId": "sto', "<editor.action.referenceSearch.trigger>", ".reference-zone-widget"),
    "linked": Picture(at='      "id": "today', shown=".linked-editing-decoration", typed="-room"),
    "binding": Picture(at='"type": "Metr', act=add_binding, text=UNBOUND),
    "new": Picture(act=lambda code, _: code.js("void vscode.commands.executeCommand('rui.new')"), shown=FIRST),
    "rule": Picture(act=explain, text=MISTYPED),
    "publish": Picture(act=publish),
    "version": Picture(act=show_choices, shown=FIRST),
    "compare": Picture(act=compare, shown=CHANGED),
    "preview": Picture(act=preview),
    "ignore": Picture(act=ignore, text=MARKED),
    "all-symbols": Picture(act=search),
    "inlay-hints": Picture(text=FILTERED),
    "folding": Picture(act="<editor.foldLevel3>"),
    "selection": Picture(at='"label": "Open ord', act=select),
    "formatting": Picture(act=format_text, shown=CHANGED, text=MESSY),
    "settings": Picture(act=complete_settings, shown=PROPOSED),
}
IN_NEOVIM = ("neovim", "neovim-preview")


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
    vsix = build(folder / "rui.vsix")
    with (
        chromium() as browser,
        running(create_app(settings)) as service,
        workbench(vsix, folder / "workbench", browser, {"rui.server.url": service.url}) as code,
    ):
        code.trust()
        code.command("workbench.action.closeSidebar")
        for name in names:
            picture = PICTURES[name]
            code.page.set_viewport_size(SIZE)  # type: ignore[arg-type]
            path = show(code, name, picture.text, picture.at)
            if callable(picture.act):
                picture.act(code, path)
            elif picture.act.startswith("<"):
                code.command(picture.act.strip("<>"))
            elif picture.act:
                shown = code.page.locator(picture.shown).first
                code.retry(lambda picture=picture: code.page.keyboard.press(picture.act), shown.is_visible)
            code.wait_for(picture.shown)
            code.page.keyboard.type(picture.typed)
            code.page.wait_for_timeout(1_500)
            take(code.page, name)
            code.page.keyboard.press("Escape")
            code.page.keyboard.press("Escape")
            code.command("workbench.action.closePanel")
            code.tidy()


def take_neovim(folder: Path) -> None:
    """Write the pictures of Neovim."""
    with chromium() as browser, Neovim(folder / "neovim", "vim.diagnostic.config({ virtual_text = true })") as nvim:
        page = browser.new_page(viewport=SIZE)  # type: ignore[arg-type]
        nvim.edit("first-draft.rui.json", DRAFT)
        nvim.until(nvim.findings, "diagnostics")
        nvim.command("redraw")
        page.set_content("\n".join(nvim.lua("return require('tohtml').tohtml(0, { number_lines = true })")))
        take(page, "neovim")
        nvim.edit("preview.rui.json", DESK)
        nvim.put_cursor('"type": "Metric"')
        nvim.command("RuiPreview")
        [address] = nvim.until(nvim.opened, "the preview")
        page.goto(address)
        page.locator(".live-status").wait_for(state="attached")
        page.locator("[data-cursor]:visible").first.wait_for()
        take(page, "neovim-preview")


def main(names: list[str]) -> None:
    wanted = names or [*PICTURES, *IN_NEOVIM]
    with tempfile.TemporaryDirectory() as temporary:
        if in_workbench := [name for name in wanted if name in PICTURES]:
            take_workbench(in_workbench, Path(temporary))
        if not set(IN_NEOVIM).isdisjoint(wanted):
            take_neovim(Path(temporary))


if __name__ == "__main__":
    main(sys.argv[1:])
