"""Writes pictures of the extension: python -m tests.editors.images [NAME …] → docs/images/vscode-*.png."""

import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from editors.build_vsix import build
from rui_api.app import create_app
from rui_api.config.options import Settings
from tests.editors.documents import place_of
from tests.editors.workbench import Workbench, workbench
from tests.rui_api.live import running

ROOT = Path(__file__).parents[2]
IMAGES = ROOT / "docs" / "images"
EXAMPLES = ROOT / "examples"
SIZE = {"width": 900, "height": 560}
WIDE = {"width": 1200, "height": 700}
MAX_BYTES = 100_000
DESK = (EXAMPLES / "order-desk.rui.json").read_text()
LIST = ".suggest-widget.visible .monaco-list-row.focused"
METRIC = '"id": "open-orders"'


def show(code: Workbench, name: str, text: str = DESK, *, at: str = "", after: bool = True) -> Path:
    """Show a document, with the cursor after some words or before them."""
    path = code.write(f"{name}.rui.json", text)
    code.show(path)
    code.js("await until(async () => (await vscode.commands.executeCommand("
            "'vscode.executeDocumentSymbolProvider', uri(path)))?.length)", path=path)  # fmt: skip
    code.put_cursor(path, *(place_of(text, at, after=after) if at else (0, 0)))
    return path


def errors(code: Workbench) -> None:
    """A document with errors: underlined, listed in the Problems panel, with a menu of fixes."""
    text = (EXAMPLES / "first-draft.rui.json").read_text()
    path = show(code, "first-draft", text)
    code.diagnostics(path, until="all.length")
    code.problems()
    code.put_cursor(path, *place_of(text, "Txt"))
    code.open_fixes()


def completion(code: Workbench) -> None:
    """Completion: the blocks that may follow, with their documentation."""
    line = next(line for line in DESK.split("\n") if METRIC in line)
    indent = line[: len(line) - len(line.lstrip())]
    is_line = line.lstrip().startswith("{")
    text = DESK.replace(line, f"{line}\n{indent}", 1) if is_line else DESK
    path = show(code, "completion", text, at=line + "\n" + indent if is_line else '"children": [')
    code.put_cursor(path, *place_of(text, line + "\n" + indent if is_line else '"children": [', after=True))
    code.page.keyboard.press("Control+Space")
    code.wait_for(LIST)
    code.command("toggleSuggestionDetails")


def hover(code: Workbench) -> None:
    """The documentation of a property."""
    show(code, "hover", at='"valueP')
    code.command("editor.action.showHover")
    code.wait_for(".monaco-hover.fade-in, .monaco-hover:not(.hidden)")


def rename(code: Workbench) -> None:
    """Rename of an id, with all its references."""
    show(code, "rename", at='"pageId": "ord')
    code.page.keyboard.press("F2")
    code.wait_for(".rename-box input:focus")
    code.page.keyboard.type("all-orders")


def refactor(code: Workbench) -> None:
    """Refactorings of a block: extract, duplicate, delete, move."""
    show(code, "refactor", at='"type": "Metr')
    code.open_fixes()


def symbols(code: Workbench) -> None:
    """Go to a node by its label or id."""
    show(code, "symbols")
    code.command("workbench.action.gotoSymbol")
    code.wait_for(".quick-input-list .monaco-list-row.focused")
    code.page.keyboard.type("or")


def references(code: Workbench) -> None:
    """The references to a page."""
    show(code, "references")
    code.wait_for(".codelens-decoration a:has-text('reference')").click()
    code.wait_for(".reference-zone-widget")


def rule(code: Workbench) -> None:
    """The page of a rule, without a network."""
    path = show(code, "rule", DESK.replace('"Metric"', '"Metrc"', 1))
    code.diagnostics(path, until="all.length")
    code.command("rui.explain", {"rule": "R5"})
    code.page.wait_for_timeout(2_000)


def normal_form(code: Workbench) -> None:
    """The normal form beside the document, with the hash in the status bar."""
    show(code, "normal-form", DESK)
    code.command("rui.showNormalForm")


def publish(code: Workbench) -> None:
    """The address of a published document."""
    show(code, "order-desk")
    code.js("void vscode.commands.executeCommand('rui.publishDocument')")
    code.notification("Published: ")


def preview(code: Workbench) -> None:
    """A document with its preview to the right; the block at the cursor is marked."""
    code.page.set_viewport_size(WIDE)  # type: ignore[arg-type]
    path = show(code, "preview")
    code.command("rui.openPreview")
    code.page.wait_for_timeout(2_500)
    code.put_cursor(path, *place_of(DESK, '"type": "Metric"'))


PICTURES: dict[str, Callable[[Workbench], None]] = {
    "errors": errors,
    "completion": completion,
    "hover": hover,
    "rename": rename,
    "refactor": refactor,
    "symbols": symbols,
    "references": references,
    "rule": rule,
    "normal-form": normal_form,
    "publish": publish,
    "preview": preview,
}


def file_of(name: str) -> Path:
    """Return the file of a picture."""
    return IMAGES / f"vscode-{name}.png"


def main(names: list[str]) -> None:
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        settings = Settings(store=f"sqlite:///{folder / 'rui.db'}")
        with (
            running(create_app(settings)) as service,
            workbench(build(folder / "rui.vsix"), folder / "workbench", {"rui.server.url": service.url}) as code,
        ):
            code.command("workbench.action.closeSidebar")
            for name in names or PICTURES:
                code.page.set_viewport_size(SIZE)  # type: ignore[arg-type]
                PICTURES[name](code)
                code.page.wait_for_timeout(1_500)
                code.page.screenshot(path=file_of(name))
                code.page.keyboard.press("Escape")
                code.page.keyboard.press("Escape")
                code.command("workbench.action.closePanel")
                code.tidy()
                size = file_of(name).stat().st_size
                print(f"{file_of(name).name}: {size} bytes")
                assert size <= MAX_BYTES


if __name__ == "__main__":
    main(sys.argv[1:])
