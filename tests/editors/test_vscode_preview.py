"""The preview in the webview of the workbench. tests/rui_inspector/test_browser_preview.py has the page itself."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Frame

from tests.editors.documents import GOOD, place_of
from tests.editors.workbench import TIMEOUT, Workbench

LONG = GOOD.replace(
    '            { "id": "note", "type": "Text", "content": "All that are open." }',
    ",\n".join(f'            {{ "id": "note-{n}", "type": "Text", "content": "Number {n} 😀" }}' for n in range(60)),
)
ACTIVE_LINE = "return vscode.window.activeTextEditor?.selection.active.line"


def preview_of(code: Workbench, view: str = "tree") -> Frame:
    """Wait until the frame of the preview is loaded, and show a view: the workspace remembers the last one."""
    code.eventually(lambda: any("fake.html" in frame.url for frame in code.page.frames), True)
    frame = [frame for frame in code.page.frames if "fake.html" in frame.url][-1]
    frame.locator("body[data-ready]").wait_for(timeout=TIMEOUT)
    frame.locator(f"#TAB-{view}").click()
    frame.locator(f"#PANEL-{view}").wait_for()
    return frame


@pytest.fixture
def path(code: Workbench, request: pytest.FixtureRequest) -> Iterator[Path]:
    """A long document with its preview."""
    path = code.write(f"{request.node.name}.rui.json", LONG)
    code.show(path)
    code.diagnostics(path)
    code.put_cursor(path, 0, 0)
    code.page.keyboard.press("Control+k")
    code.page.keyboard.press("v")
    yield path


def test_the_preview_follows_each_edit_and_keeps_the_scroll_position(code: Workbench, path: Path) -> None:
    frame = preview_of(code)
    frame.locator("#note-59").wait_for()
    frame.evaluate("window.scrollTo(0, 400)")
    code.eventually(lambda: frame.evaluate("window.scrollY"), 400)
    line, character = place_of(code.text(path), '"Orders" }]')
    code.js(
        "const one = await until(() => vscode.window.visibleTextEditors.find((it) => it.document.uri.path === path));"
        "await one.edit((edit) => edit.insert(at(...place), 'x'))",
        path=path, place=(line, character + 1),
    )  # fmt: skip
    frame.locator(".menu .label", has_text="xOrders").wait_for()
    assert abs(frame.evaluate("window.scrollY") - 400) <= 2


def test_clicks_the_cursor_and_scrolling_are_synchronized(code: Workbench, path: Path) -> None:
    frame = preview_of(code, "wireframe")

    def is_in_window(node: str) -> bool:
        top = frame.locator(f"#W-{node}").evaluate("(node) => node.getBoundingClientRect().top")
        return 0 <= top <= frame.evaluate("innerHeight")

    frame.locator("#W-note-30 .badge").click()
    code.eventually(lambda: code.js(ACTIVE_LINE), place_of(LONG, '"note-30"')[0])
    code.put_cursor(path, *place_of(LONG, '"welcome"'))
    frame.locator("#W-welcome[data-cursor]").wait_for()
    code.eventually(lambda: is_in_window("welcome"), True)
    code.js(
        "const there = new vscode.Range(line, 0, line, 0);"
        "vscode.window.visibleTextEditors[0].revealRange(there, vscode.TextEditorRevealType.AtTop)",
        line=place_of(LONG, '"note-40"')[0],
    )
    code.eventually(lambda: is_in_window("note-40"), True)


def test_the_last_readable_state_stays(code: Workbench, path: Path) -> None:
    frame = preview_of(code, "wireframe")
    frame.locator("#W-note-59").wait_for()
    code.replace(path, "{")
    frame.locator("#FAULTS .if-stale").wait_for()
    assert "last readable state" in frame.locator("#FAULTS .if-stale").inner_text()
    assert frame.locator("#W-note-59").is_visible()
    # A preview that was hidden begins with it, in the view that the workspace remembers.
    over = code.write(f"{path.stem}-over.rui.json", GOOD)
    code.js("await show(path, { viewColumn: vscode.ViewColumn.Two })", path=over)
    code.eventually(lambda: any("fake.html" in frame.url for frame in code.page.frames), False)
    code.command("workbench.action.closeActiveEditor")
    code.eventually(lambda: any("fake.html" in frame.url for frame in code.page.frames), True)
    frame = next(frame for frame in code.page.frames if "fake.html" in frame.url)
    frame.locator("#FAULTS .if-stale").wait_for()
    assert frame.locator("#PANEL-wireframe").is_visible()
    frame.locator("#W-note-59").wait_for()


def test_themes_are_followed(code: Workbench, path: Path) -> None:
    frame = preview_of(code)
    own = "getComputedStyle(document.documentElement).getPropertyValue('--vscode-editor-background').trim()"
    for theme, scheme in (("Default Dark Modern", "dark"), ("Default High Contrast Light", "light")):
        code.set("workbench.colorTheme", theme)
        code.eventually(lambda: frame.evaluate("getComputedStyle(document.documentElement).colorScheme"), scheme)
        color = frame.evaluate(own)
        red, green, blue = (int(color[at : at + 2], 16) for at in (1, 3, 5))
        background = frame.evaluate("getComputedStyle(document.body).backgroundColor")
        assert background == f"rgb({red}, {green}, {blue})"
    code.set("workbench.colorTheme", "Default Light Modern")
