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
SIZE = {"width": 830, "height": 500}
WIDE = {"width": 960, "height": 500}
MAX_BYTES = 100_000
DESK = (EXAMPLES / "order-desk.rui.json").read_text()
LIST = ".suggest-widget.visible .monaco-list-row.focused"


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
    """Completion: the blocks that may follow."""
    show(code, "completion", at='"direction": "row",\n          "children": [')
    code.page.keyboard.press("Control+Space")
    code.wait_for(LIST)


def hover(code: Workbench) -> None:
    """The documentation of a property."""
    show(code, "hover", at='"valueP')
    code.command("editor.action.showHover")
    code.wait_for(".monaco-hover.fade-in, .monaco-hover:not(.hidden)")


def rename(code: Workbench) -> None:
    """Rename of an id, with all its references."""
    show(code, "rename", at='"pageId": "sto')
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
    code.page.keyboard.press("Control+Shift+O")
    code.wait_for(".quick-input-list .monaco-list-row")
    code.page.keyboard.type("st")


def references(code: Workbench) -> None:
    """The references to a page."""
    show(code, "references", DESK.replace(', "label": "Stock"', ""))  # Without a label an inlay hint shows the title.
    code.wait_for(".codelens-decoration a:has-text('reference')").click()
    code.wait_for(".reference-zone-widget")


def linked(code: Workbench) -> None:
    """Linked editing: the references to an id change while it is typed."""
    show(code, "linked", at='      "id": "today')
    code.page.wait_for_timeout(1_500)  # VS Code requests the ranges after a pause.
    code.page.keyboard.type("-room")


def comments(code: Workbench) -> None:
    """One fix for all errors of a kind."""
    text = DESK.replace('  "meta"', '  // What it is\n  "meta"', 1).replace('  "pages"', '  // Two pages\n  "pages"', 1)
    path = show(code, "comments", text)
    code.diagnostics(path, until="all.length === 2")
    code.put_cursor(path, *place_of(text, "// What"))
    code.open_fixes()


def new(code: Workbench) -> None:
    """The templates of a new document."""
    show(code, "new")
    code.js("void vscode.commands.executeCommand('rui.new')")
    code.wait_for(".quick-input-list .monaco-list-row.focused")


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
    "linked": linked,
    "comments": comments,
    "new": new,
    "rule": rule,
    "normal-form": normal_form,
    "publish": publish,
    "preview": preview,
}


FEATURES = {
    "errors": (
        "Errors while typing", "Problems of all documents in the folder", "Quick fixes", "Fix all that is safe",
        "Highlighting by meaning",
    ),
    "comments": ("Fix all of a kind", "Remove all comments"),
    "completion": ("Completion", "A completed page brings its navigation entry", "A new line adds the comma"),
    "hover": ("Documentation",),
    "rename": ("Rename an id and its references", "Rename an endpoint path"),
    "linked": ("Linked editing of an id and its references", "Highlights of a name"),
    "refactor": ("Move up and down", "Delete a page with its navigation entries"),
    "symbols": ("Outline, symbols by label or id",),
    "references": ("Definition and references", "Code lenses", "Inlay hints"),
    "rule": ("Explain a rule, offline",),
    "normal-form": ("Normal form",),
    "new": ("New document",),
    "publish": ("Publish",),
    "preview": ("Live preview, linked to the caret",),
}  # fmt: skip
"""Picture → the features in the table of editors/README.md that it shows."""

INVISIBLE = {
    "Paste JSON as blocks", "Folding", "Extend and shrink the selection", "Links", "Formatting, on save",
    "Rule codes completed in settings",
}  # fmt: skip
"""Features whose effect is the same text or a movement, which no picture shows."""

README = ROOT / "editors" / "README.md"
MARK = "<!-- Pictures: generated by `make images` from tests/editors/images.py. -->\n"


def gallery() -> str:
    """Return the pictures with the features that they show, in Markdown."""
    parts = []
    for name, function in PICTURES.items():
        features = "; ".join(FEATURES[name])
        parts.append(f"**{features}**\n\n![{function.__doc__}](../docs/images/{file_of(name).name})\n")
    return "\n".join(parts)


def with_gallery(page: str) -> str:
    """Return a page whose text between the two marks is replaced by the pictures."""
    before, _, after = page.split(MARK)
    return f"{before}{MARK}\n{gallery()}\n{MARK}{after}"


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
    README.write_text(with_gallery(README.read_text()))


if __name__ == "__main__":
    main(sys.argv[1:])
