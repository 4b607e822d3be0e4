"""The preview in the webview of the workbench."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Frame

from tests.editors.documents import GOOD, place_of
from tests.editors.workbench import Workbench

LONG = GOOD.replace(
    '            { "id": "note", "type": "Text", "content": "All that are open." }',
    ",\n".join(f'            {{ "id": "note-{n}", "type": "Text", "content": "Number {n} 😀" }}' for n in range(60)),
)


def preview_of(code: Workbench) -> Frame:
    """Wait for the frame of the preview."""
    code.eventually(lambda: any("fake.html" in frame.url for frame in code.page.frames), True)
    frame = [frame for frame in code.page.frames if "fake.html" in frame.url][-1]
    frame.locator(".masthead").wait_for(timeout=20_000)
    return frame


@pytest.fixture
def written(code: Workbench, request: pytest.FixtureRequest) -> Iterator[Workbench]:
    """A long document with its preview."""
    path = code.write(f"{request.node.name}.rui.json", LONG)
    code.show(path)
    code.diagnostics(path)
    code.put_cursor(path, 0, 0)
    code.page.keyboard.press("Control+k")
    code.page.keyboard.press("v")
    yield code


def test_the_preview_follows_each_edit_and_keeps_the_scroll_position(
    written: Workbench, request: pytest.FixtureRequest
) -> None:
    code, path = written, written.folder / f"{request.node.name}.rui.json"
    frame = preview_of(code)
    frame.locator("#note-59").wait_for()
    frame.locator("#home > details > summary").click()  # closes it
    frame.locator("#home[data-cursor]").wait_for()
    frame.evaluate("window.scrollTo(0, 400)")
    code.eventually(lambda: frame.evaluate("window.scrollY"), 400)
    place = place_of(code.text(path), '"Orders" }]', after=False)
    code.js(
        "const one = await until(() => vscode.window.visibleTextEditors.find((it) => it.document.uri.path === path));"
        "await one.edit((edit) => edit.insert(at(...place), 'x'))",
        path=path, place=(place[0], place[1] + 1),
    )  # fmt: skip
    frame.locator(".menu .label", has_text="xOrders").wait_for()
    assert abs(frame.evaluate("window.scrollY") - 400) <= 2
    assert frame.locator("#home > details").get_attribute("open") is None
    assert frame.locator("#orders > details").get_attribute("open") is not None


def test_clicks_and_the_cursor_are_synchronized(written: Workbench, request: pytest.FixtureRequest) -> None:
    code, path = written, written.folder / f"{request.node.name}.rui.json"
    frame = preview_of(code)
    frame.locator("#note-30 .badge").click()
    line, _ = place_of(LONG, '"note-30"')
    ask = "return vscode.window.activeTextEditor?.selection.active"
    code.eventually(lambda: (code.js(ask) or {}).get("line"), line)
    character = code.js(ask)["character"]
    assert LONG.split("\n")[line][character] == "{"
    code.put_cursor(path, *place_of(LONG, '"welcome"'))
    frame.locator("#welcome[data-cursor]").wait_for()
    assert frame.locator("[data-cursor]").evaluate_all("(nodes) => nodes.map((it) => it.id)") == [
        "W-welcome",
        "welcome",
    ]
    outline = frame.locator("#welcome").evaluate("(node) => getComputedStyle(node).outlineStyle")
    assert outline == "solid"


def test_a_broken_text_keeps_its_tree(written: Workbench, request: pytest.FixtureRequest) -> None:
    code, path = written, written.folder / f"{request.node.name}.rui.json"
    frame = preview_of(code)
    frame.locator("#note-59").wait_for()
    code.replace(path, "{")
    frame.locator(".problems", has_text="never closed").wait_for()
    assert frame.locator("#TREE[data-stale] #note-59").count() == 1
    code.replace(path, LONG)
    frame.locator("#TREE:not([data-stale]) #note-59").wait_for()
    # The position of an error links to the editor.
    code.replace(path, LONG.replace('"Text"', '"Txt"', 1))
    frame.locator(".problems .where a").first.click()
    line, _ = place_of(LONG, '"welcome"')
    code.eventually(lambda: code.js("return vscode.window.activeTextEditor?.selection.active.line"), line)


def test_a_hidden_preview_is_current_when_it_is_shown(written: Workbench, request: pytest.FixtureRequest) -> None:
    code, path = written, written.folder / f"{request.node.name}.rui.json"
    preview_of(code).locator("#note-59").wait_for()
    over = code.write(f"{request.node.name}-over.rui.json", GOOD)
    code.js("await show(path, { viewColumn: vscode.ViewColumn.Two })", path=over)
    code.eventually(lambda: any("fake.html" in frame.url for frame in code.page.frames), False)
    code.replace(path, LONG.replace("Number 59", "Seen late"))
    code.js("await show(path, { viewColumn: vscode.ViewColumn.Two })", path=over)
    code.command("workbench.action.closeActiveEditor")
    frame = preview_of(code)
    frame.locator("#note-59", has_text="Seen late").wait_for()
    code.replace(path, LONG.replace("Number 59", "Followed"))
    frame.locator("#note-59", has_text="Followed").wait_for()
