"""Writes screenshots of the extension: python -m tests.editors.images → docs/images/vscode-*.png."""

import tempfile
from pathlib import Path

from editors.build_vsix import build
from tests.editors.documents import place_of
from tests.editors.workbench import Workbench, workbench

ROOT = Path(__file__).parents[2]
IMAGES = ROOT / "docs" / "images"
EXAMPLES = ROOT / "examples"


def take_screenshot(code: Workbench, name: str) -> None:
    code.page.wait_for_timeout(1_500)
    code.page.screenshot(path=IMAGES / f"vscode-{name}.png")


def errors(code: Workbench) -> None:
    """A document with errors: squiggles, the Problems panel, the menu of fixes."""
    text = (EXAMPLES / "first-draft.rui.json").read_text()
    path = code.write("first-draft.rui.json", text)
    code.show(path)
    code.diagnostics(path, until="all.length")
    code.problems()
    code.put_cursor(path, *place_of(text, "Txt"))
    code.open_fixes()
    take_screenshot(code, "errors")
    code.page.keyboard.press("Escape")
    code.command("workbench.action.closePanel")


def preview(code: Workbench) -> None:
    """A document with its preview, and the cursor in one of its nodes."""
    text = (EXAMPLES / "order-desk.rui.json").read_text()
    path = code.write("order-desk.rui.json", text)
    code.show(path)
    code.diagnostics(path)
    code.put_cursor(path, 0, 0)
    code.command("rui.openPreview")
    code.page.wait_for_timeout(2_000)
    code.put_cursor(path, *place_of(text, '"type": "Metric"'))
    take_screenshot(code, "preview")


def main() -> None:
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        with workbench(build(folder / "rui.vsix"), folder / "workbench") as code:
            errors(code)
            code.tidy()
            preview(code)


if __name__ == "__main__":
    main()
