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


def preview_of(code: Workbench) -> Frame:
    """Wait for the frame of the preview, until its styles are loaded and its script runs."""
    code.eventually(lambda: any("fake.html" in frame.url for frame in code.page.frames), True)
    frame = [frame for frame in code.page.frames if "fake.html" in frame.url][-1]
    frame.locator("body[data-ready]").wait_for(timeout=20_000)
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


def test_a_title_leads_to_the_text_and_the_node_stays_open(written: Workbench) -> None:
    code, frame = written, preview_of(written)
    frame.locator("#orders > details > summary .badge").click()
    line, _ = place_of(LONG, '      "id": "orders"')
    code.eventually(lambda: code.js("return vscode.window.activeTextEditor?.selection.active.line"), line - 1)
    assert frame.locator("#orders > details").get_attribute("open") is not None


def test_the_tree_stays_in_place_while_errors_come_and_go(written: Workbench, request: pytest.FixtureRequest) -> None:
    code, path = written, written.folder / f"{request.node.name}.rui.json"
    frame = preview_of(code)
    frame.locator("#note-59").wait_for()
    frame.evaluate("document.getElementById('note-30').scrollIntoView({ behavior: 'instant' })")
    place = "Math.round(document.getElementById('note-30').getBoundingClientRect().top)"
    top = frame.evaluate(place)
    edit = (
        "const one = vscode.window.visibleTextEditors.find((it) => it.document.uri.path === path);"
        "await one.edit((edit) => edit.replace(new vscode.Range(at(...start), at(...end)), text))"
    )
    start, end = place_of(LONG, '"Text"'), place_of(LONG, '"Text"', after=True)
    code.js(edit, path=path, start=start, end=end, text='"Texx"')
    frame.locator(".problems").wait_for()
    code.eventually(lambda: abs(frame.evaluate(place) - top) <= 4, True)
    code.js(edit, path=path, start=start, end=end, text='"Text"')
    frame.locator(".problems").wait_for(state="detached")
    code.eventually(lambda: abs(frame.evaluate(place) - top) <= 4, True)


def test_all_nodes_are_closed_and_opened(written: Workbench) -> None:
    frame = preview_of(written)
    frame.locator("[data-open=none]").click()
    frame.locator("#home > details:not([open])").wait_for()
    frame.locator("[data-open=all]").click()
    frame.locator("#note-30 > details[open], #home > details[open]").first.wait_for()


@pytest.mark.parametrize(
    ("theme", "scheme"), [("Default High Contrast", "dark"), ("Default High Contrast Light", "light")]
)
def test_high_contrast_themes_are_followed(written: Workbench, theme: str, scheme: str) -> None:
    frame = preview_of(written)
    written.set("workbench.colorTheme", theme)
    root = "getComputedStyle(document.documentElement).colorScheme"
    written.eventually(lambda: frame.evaluate(root), scheme)
    background = frame.evaluate("getComputedStyle(document.body).backgroundColor")
    own = "(node) => [getComputedStyle(node).color, getComputedStyle(node).backgroundColor]"
    color, behind = frame.locator("#TREE code").first.evaluate(own)
    written.set("workbench.colorTheme", "Default Light Modern")
    assert contrast(color, background if behind == TRANSPARENT else behind) >= 7


def contrast(one: str, other: str) -> float:
    """Return the contrast ratio of WCAG of two colours such as ``rgb(0, 0, 0)``."""
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def luminance(color: str) -> float:
    red, green, blue = (int(part) / 255 for part in re.findall(r"\d+", color)[:3])
    linear = [one / 12.92 if one <= 0.04045 else ((one + 0.055) / 1.055) ** 2.4 for one in (red, green, blue)]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
