"""The preview in the webview of the workbench."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Frame

from tests.editors.documents import GOOD, place_of
from tests.editors.workbench import Workbench

TRANSPARENT = "rgba(0, 0, 0, 0)"
LONG = GOOD.replace(
    '            { "id": "note", "type": "Text", "content": "All that are open." }',
    ",\n".join(f'            {{ "id": "note-{n}", "type": "Text", "content": "Number {n} 😀" }}' for n in range(60)),
)


VIEWS = pytest.mark.parametrize("view", ["wireframe", "tree"])


def preview_of(code: Workbench, view: str = "tree") -> Frame:
    """Wait until the frame of the preview is loaded, and show a view: the workspace remembers the last one."""
    code.eventually(lambda: any("fake.html" in frame.url for frame in code.page.frames), True)
    frame = [frame for frame in code.page.frames if "fake.html" in frame.url][-1]
    frame.locator("body[data-ready]").wait_for(timeout=20_000)
    frame.locator(f"#TAB-{view}").click()
    frame.locator(f"#PANEL-{view}").wait_for()
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
    frame.locator("#home > details > summary").click(position={"x": 4, "y": 10})  # the marker closes it
    frame.locator("#home > details:not([open])").wait_for()
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


@VIEWS
def test_clicks_and_the_cursor_are_synchronized(written: Workbench, request: pytest.FixtureRequest, view: str) -> None:
    code, path = written, written.folder / f"{request.node.name}.rui.json"
    frame = preview_of(code, view)
    prefix = {"wireframe": "W-", "tree": ""}[view]
    frame.locator(f"#{prefix}note-30 .badge").click()
    line, _ = place_of(LONG, '"note-30"')
    ask = "return vscode.window.activeTextEditor?.selection.active"
    code.eventually(lambda: (code.js(ask) or {}).get("line"), line)
    character = code.js(ask)["character"]
    assert LONG.split("\n")[line][character] == "{"
    code.put_cursor(path, *place_of(LONG, '"welcome"'))
    marked = frame.locator(f"#{prefix}welcome[data-cursor]")
    marked.wait_for()
    assert frame.locator("[data-cursor]").evaluate_all("(nodes) => nodes.map((it) => it.id)") == [
        "W-welcome",
        "welcome",
    ]
    assert marked.evaluate("(node) => getComputedStyle(node).outlineStyle") == "solid"
    code.eventually(lambda: is_in_window(frame, f"#{prefix}welcome"), True)


def is_in_window(frame: Frame, selector: str) -> bool:
    top = frame.locator(selector).evaluate("(node) => node.getBoundingClientRect().top")
    return 0 <= top <= frame.evaluate("innerHeight")


@VIEWS
def test_the_preview_follows_the_scrolling_of_the_editor(written: Workbench, view: str) -> None:
    frame = preview_of(written, view)
    prefix = {"wireframe": "W-", "tree": ""}[view]
    line, _ = place_of(LONG, '"note-40"')
    written.js(
        "const there = new vscode.Range(line, 0, line, 0);"
        "vscode.window.visibleTextEditors[0].revealRange(there, vscode.TextEditorRevealType.AtTop)",
        line=line,
    )
    written.eventually(lambda: is_in_window(frame, f"#{prefix}note-40"), True)
    assert written.js("return vscode.window.visibleTextEditors[0].selection.active.line") == 0


def test_the_workspace_remembers_the_view(written: Workbench, request: pytest.FixtureRequest) -> None:
    code, path = written, written.folder / f"{request.node.name}.rui.json"
    preview_of(code, "tree")
    for view in ("wireframe", "tree"):
        preview_of(code, view)
        code.js("await show(path, { viewColumn: vscode.ViewColumn.One })", path=path)
        code.command("workbench.action.closeEditorsInOtherGroups")
        code.eventually(lambda: any("fake.html" in frame.url for frame in code.page.frames), False)
        code.command("rui.openPreview")
        code.eventually(lambda: any("fake.html" in frame.url for frame in code.page.frames), True)
        frame = next(frame for frame in code.page.frames if "fake.html" in frame.url)
        frame.locator("body[data-ready]").wait_for(timeout=20_000)
        assert frame.locator(f"#PANEL-{view}").is_visible()
        assert frame.locator("[role=tabpanel]:visible").count() == 1


@VIEWS
def test_the_last_readable_state_stays(written: Workbench, request: pytest.FixtureRequest, view: str) -> None:
    code, path = written, written.folder / f"{request.node.name}.rui.json"
    frame = preview_of(code, view)
    prefix = {"wireframe": "W-", "tree": ""}[view]
    last = frame.locator(f"#{prefix}note-59")
    last.wait_for()
    code.replace(path, "{")
    frame.locator("#FAULTS .if-stale").wait_for()
    assert "last readable state" in frame.locator("#FAULTS .if-stale").inner_text()
    assert last.is_visible()
    # A preview that was hidden begins with it.
    over = code.write(f"{request.node.name}-over.rui.json", GOOD)
    code.js("await show(path, { viewColumn: vscode.ViewColumn.Two })", path=over)
    code.eventually(lambda: any("fake.html" in frame.url for frame in code.page.frames), False)
    code.command("workbench.action.closeActiveEditor")
    frame = preview_of(code, view)
    frame.locator("#FAULTS .if-stale").wait_for()
    frame.locator(f"#{prefix}note-59").wait_for()
    code.replace(path, LONG)
    frame.locator("#FAULTS[data-state=valid]").wait_for()
    # The position of an error links to the editor.
    code.replace(path, LONG.replace('"Text"', '"Txt"', 1))
    frame.locator("#FAULTS summary").first.click()
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


def test_a_title_leads_to_the_text_and_the_node_stays_open(written: Workbench) -> None:
    code, frame = written, preview_of(written)
    frame.locator("#orders > details > summary .badge").click()
    line, _ = place_of(LONG, '      "id": "orders"')
    code.eventually(lambda: code.js("return vscode.window.activeTextEditor?.selection.active.line"), line - 1)
    assert frame.locator("#orders > details").get_attribute("open") is not None


@VIEWS
def test_the_page_stays_in_place_while_errors_come_and_go(
    written: Workbench, request: pytest.FixtureRequest, view: str
) -> None:
    code, path = written, written.folder / f"{request.node.name}.rui.json"
    frame = preview_of(code, view)
    node = frame.locator({"wireframe": "#W-note-30", "tree": "#note-30"}[view])
    node.evaluate("(it) => it.scrollIntoView({ behavior: 'instant' })")

    def top() -> int:
        return int(node.evaluate("(it) => Math.round(it.getBoundingClientRect().top)"))

    before = top()
    edit = (
        "const one = vscode.window.visibleTextEditors.find((it) => it.document.uri.path === path);"
        "await one.edit((edit) => edit.replace(new vscode.Range(at(...start), at(...end)), text))"
    )
    start, end = place_of(LONG, '"Text"'), place_of(LONG, '"Text"', after=True)
    for text, state in (('"Texx"', "invalid"), ('"Text"', "valid"), ('"Text', "broken"), ('"Text"', "valid")):
        code.js(edit, path=path, start=start, end=end, text=text)
        end = (start[0], start[1] + len(text))
        frame.locator(f"#FAULTS[data-state={state}]").wait_for()
        code.eventually(lambda: abs(top() - before) <= 1, True)


def test_the_modes_of_the_tree(written: Workbench) -> None:
    frame = preview_of(written)
    frame.locator("[data-open=all]").click()
    frame.locator("#note-30 > details[open]").wait_for()
    frame.locator("[data-open=outline]").click()
    frame.locator("#note-30 > details:not([open])").wait_for()


@pytest.mark.parametrize(
    ("theme", "scheme", "ratio"),
    [
        ("Default Light Modern", "light", 4.5),
        ("Default Dark Modern", "dark", 4.5),
        ("Default High Contrast", "dark", 7),
        ("Default High Contrast Light", "light", 7),
    ],
)
def test_themes_are_followed(written: Workbench, theme: str, scheme: str, ratio: float) -> None:
    frame = preview_of(written)
    written.set("workbench.colorTheme", theme)
    root = "getComputedStyle(document.documentElement).colorScheme"
    written.eventually(lambda: frame.evaluate(root), scheme)
    # The colour of the editor is there.
    own = "getComputedStyle(document.documentElement).getPropertyValue('--vscode-editor-background').trim()"
    background = frame.evaluate("getComputedStyle(document.body).backgroundColor")
    assert rgb(frame.evaluate(own)) == background
    colors = "(node) => [getComputedStyle(node).color, getComputedStyle(node).backgroundColor]"
    color, behind = frame.locator("#TREE code").first.evaluate(colors)
    written.set("workbench.colorTheme", "Default Light Modern")
    assert contrast(color, background if behind == TRANSPARENT else behind) >= ratio


def rgb(color: str) -> str:
    """Return a colour such as ``#0a0b0c`` in the form of computed styles."""
    red, green, blue = (int(color[at : at + 2], 16) for at in (1, 3, 5))
    return f"rgb({red}, {green}, {blue})"


def contrast(one: str, other: str) -> float:
    """Return the contrast ratio of WCAG of two colours such as ``rgb(0, 0, 0)``."""
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def luminance(color: str) -> float:
    red, green, blue = (int(part) / 255 for part in re.findall(r"\d+", color)[:3])
    linear = [one / 12.92 if one <= 0.04045 else ((one + 0.055) / 1.055) ** 2.4 for one in (red, green, blue)]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
