"""A first hour in the real workbench, by keys only: how many keys it takes, and which errors the author sees."""

from enum import StrEnum
from typing import Any

import httpx

from rui_common.syntax.document import read
from rui_common.validation.analysis import Analysis
from tests.editors.first_hour import MAX_KEYS, MISTAKES, Keys, Steps, count
from tests.editors.page import README
from tests.editors.workbench import TIMEOUT, TOAST, Workbench
from tests.rui_api.live import Service


class Shown(StrEnum):
    """What the author waits for before the next key: selectors of the workbench."""

    PROPOSALS = ".suggest-widget.visible .monaco-list-row.focused"
    FIXES = ".action-widget .monaco-list-row.action.focused"
    RENAME = ".rename-box input:focus"
    CHOICE = ".quick-input-list .monaco-list-row.focused"
    PREVIEW = ".webview.ready"
    NOTHING = "body"


def first_fix(error: str, text: str) -> tuple[Keys, ...]:
    """Return the keys that choose the first fix of an error, and a part of the text that it leads to."""
    return Keys("<Control+.>", Shown.FIXES, error=error), Keys("<Enter>", text=text)


STEPS: Steps = (
    ("A document with a page: completion in the empty file, and its tab stops", (
        Keys("<Control+Space>", Shown.PROPOSALS),
        Keys("<Enter>", text='"version": "0.1"'),
        Keys("«Order desk»<Tab>«today»<Tab>«Today»<Tab><Tab><Tab><Tab>«What came in.»<Tab>", text='"What came in."'),
    )),
    ("1st mistake: a letter too few in a type", (
        Keys("<ArrowUp><ArrowUp><End><ArrowLeft><ArrowLeft><Backspace>", error="UNKNOWN_TYPE"),
        *first_fix("UNKNOWN_TYPE", '"type": "Text"'),
    )),
    ("A metric after the text, by its first letter", (
        Keys("<ArrowDown><ArrowDown><End><Enter>", text='"What came in."\n            }\n'),
        Keys("m", Shown.PROPOSALS, error="INVALID_JSON"),
        Keys("<Enter>", text='"type": "Metric"'),
    )),
    ("2nd mistake: a path without `/`", (
        Keys("<Tab>«Open»<Tab>«api/orders/summary»", error="INVALID_BINDING"),
        *first_fix("INVALID_BINDING", '"/api/orders/summary"'),
    )),
    ("3rd mistake: a value path with `$.`", (
        Keys("<Tab>«$.data.open»", error="INVALID_VALUE_PATH"),
        *first_fix("INVALID_VALUE_PATH", '"valuePath": "data.open"'),
    )),
    ("A second metric", (
        Keys("<Tab><Enter>", text='"data.open"\n              }\n            }\n            \n'),
        Keys("m", Shown.PROPOSALS, error="INVALID_JSON"),
        Keys("<Enter>", text='"metric-2"'),
    )),
    ("4th mistake: a method before the path", (
        Keys("<Tab>«Late»<Tab>«GET /api/orders/late»", error="INVALID_BINDING"),
        *first_fix("INVALID_BINDING", '"/api/orders/late"'),
        Keys("<Tab>«data.late»<Tab>", text='"data.late"'),
    )),
    ("A second page, which brings its navigation entry", (
        Keys("<Control+End><ArrowUp><ArrowUp><End><Enter>", text="    }\n    \n"),
        Keys("p", Shown.PROPOSALS, error="INVALID_JSON"),
        Keys("<Enter>", text='"pageId": "page-1"'),
    )),
    ("5th mistake: an id with a space", (
        Keys("«Open orders»", error="INVALID_ID_FORMAT"),
        *first_fix("INVALID_ID_FORMAT", '{"pageId": "open-orders"}'),
        Keys("<Tab>«Orders»<Tab><Tab><Tab><Tab>«All orders.»<Tab>", text='"All orders."'),
    )),
    ("A table", (
        Keys("<Enter>", text='"All orders."\n            }\n            \n'),
        Keys("t", Shown.PROPOSALS, error="INVALID_JSON"),
        Keys("<Enter>", text='"table-1"'),
    )),
    ("6th mistake: an id that exists", (
        Keys("«text-1»", error="DUPLICATE_ID"),
        *first_fix("DUPLICATE_ID", '"text-3"'),
        Keys("<Tab>«/api/orders»<Tab>«data.items»<Tab>«number»", text='{"key": "number"}'),
    )),
    ("A second column", (
        Keys("<End><Enter>", text='{"key": "number"}\n                \n'),
        Keys("c", Shown.PROPOSALS, error="INVALID_JSON"),
        Keys("<Enter>«status»", text='{"key": "status"}'),
    )),
    ("7th mistake: a misspelt property, typed by hand", (
        Keys('<End>,<Enter>', error="INVALID_JSON"),
        Keys('{"kye": "«total»', error="MISSING_REQUIRED_PROP"),
        *first_fix("MISSING_REQUIRED_PROP", '{"key": "total"}'),
    )),
    ("8th mistake: a bracket too few, repaired by the bracket", (
        Keys("<End><Backspace>", error="INVALID_JSON"),
        Keys("}", text='{"key": "total"}'),
    )),
    ("A filter", (
        Keys("<ArrowDown><End><Enter>", text="]\n              \n"),
        Keys("f", Shown.PROPOSALS, error="INVALID_JSON"),
        Keys("<Enter>", text='"filter"'),
    )),
    ("9th mistake: a field that is no column", (
        Keys("«state»", error="INVALID_FILTER_FIELD"),
        *first_fix("INVALID_FILTER_FIELD", '"field": "status"'),
        Keys("<Tab>"),
    )),
    ("10th mistake: a comma after the last property", (
        Keys(",", error="INVALID_JSON"),
        *first_fix("INVALID_JSON", '"status"\n              }\n            }'),
    )),
    ("Format", (
        Keys("<Control+Shift+I>", text="  ]\n}\n"),
    )),
    ("Go to the second page and rename it, with its navigation entry", (
        Keys("<Control+Shift+O>", Shown.CHOICE),
        Keys("«ord»", Shown.CHOICE),
        Keys("<Enter>"),
        Keys("<F2>", Shown.RENAME),
        Keys("«orders»<Enter>", text='"pageId": "orders"'),
    )),
    ("Preview", (
        Keys("<Control+k>v", Shown.PREVIEW),
    )),
    ("Publish, which saves the file", (
        Keys("<F1>", Shown.CHOICE),
        Keys("rui pub", Shown.CHOICE),
        Keys("<Enter>"),
    )),
)  # fmt: skip

ERRORS = 17
"""One for each of ten mistakes, and one in each of seven pauses in an element that is not finished."""

PAUSE = 450
"""Milliseconds without a key after each part: longer than the pause after which the server shows all errors."""

LONG_PAUSE = 2_500
"""Milliseconds without a key after which the server may show that something just begun is not finished."""

# Records the errors after each change and at the start of each pause, with the numbers of step and last key, the
# milliseconds since, and whether the author pauses.
RECORD = """
globalThis.hour = { step: 0, key: 0, time: 0, isPause: false, states: [] };
hour.record = () => {
  const { step, key, time, isPause } = hour;
  const shown = found(path).filter((one) => one.severity === "Error");
  const errors = shown.map((one) => `${one.code} in line ${one.range[0]}`);
  hour.states.push({ step, key, pause: Date.now() - time, isPause, errors });
};
vscode.languages.onDidChangeDiagnostics(hour.record);
"""

CODES = (
    "found(vscode.window.activeTextEditor.document.uri.fsPath)"
    ".filter((one) => one.severity === 'Error').map((one) => one.code).join()"
)


def test_a_first_hour(code: Workbench, service: Service) -> None:
    keys = count(STEPS)
    assert keys <= MAX_KEYS
    assert f"**{keys} keys**, **{ERRORS} errors shown**" in README
    code.set("rui.server.url", service.url)
    path = code.write("hour.rui.json", "")
    code.show(path)
    code.diagnostics(path, until="all.length === 1 && all[0].severity === 'Hint'")
    code.command("notifications.clearAll")  # those of earlier tests, which share the workbench
    code.eventually(code.toasts, [])
    code.put_cursor(path, 0, 0)
    code.js(RECORD, path=path)
    for number, (_, parts) in enumerate(STEPS):
        code.js(f"hour.step = {number}")
        for part in parts:
            press(code, part)
            check_state(code, part)
            code.js("hour.isPause = true; hour.record()")
            code.page.wait_for_timeout(PAUSE)  # also for the event of an error that is found already
        if number < len(STEPS) - 1:
            assert code.toasts() == []
    toast = code.wait_for(f"{TOAST}:has-text('Published: ')")
    words = str(toast.locator(".notification-list-item-message").text_content())
    assert path.read_text() == code.text(path)
    assert Analysis(read(path.read_bytes())).diagnostics == []
    assert "All orders." in httpx.get(words.removeprefix("Published: ").strip(), timeout=60).text
    appeared = errors_seen(code.js("return hour.states"))
    print(*sorted(appeared), sep="\n")
    assert len(appeared) == ERRORS
    toast.wait_for(state="detached", timeout=TIMEOUT)
    code.set("rui.server.url", None)


def test_the_first_fix_of_each_mistake_is_right_and_undone_in_one_step(code: Workbench) -> None:
    path = code.write("mistakes.rui.json", "")
    for mistake in MISTAKES:
        wrong, fixed = mistake.texts()
        code.replace(path, wrong)
        found = code.diagnostics(path, until="all.some((one) => one.severity === 'Error')")
        code.put_cursor(path, *found[0]["range"][:2])
        code.open_fixes()
        code.wait_for(Shown.FIXES)
        code.page.keyboard.press("Enter")
        code.eventually(lambda: code.text(path), fixed)
        code.page.keyboard.press("Control+z")
        code.eventually(lambda: code.text(path), wrong)
        code.replace(path, fixed)
        code.diagnostics(path, until="all.length === 0")


def press(code: Workbench, part: Keys) -> None:
    """Press the keys of a part like an author who waits for what they show."""
    for key in part.each():
        code.js("hour.isPause = false; hour.key += 1; hour.time = Date.now()")
        if part.shown == Shown.FIXES:
            code.open_fixes()  # presses the key again if VS Code cancels the request
        elif len(key) == 1:
            code.page.keyboard.type(key)
        else:
            code.page.keyboard.press(key.strip("<>"))
        code.page.wait_for_timeout(40)
    code.wait_for(part.shown)


def check_state(code: Workbench, part: Keys) -> None:
    body = "return vscode.window.activeTextEditor.document.getText()"
    code.eventually(lambda: "" if part.text in (text := str(code.js(body))) else f"{part} in {text}", "")
    code.eventually(lambda: (part.keys, code.js(f"return {CODES}")), (part.keys, part.error))


def errors_seen(states: list[dict[str, Any]]) -> set[tuple[int, str]]:
    """Return the errors that the author sees in a pause, each with the number of its step.

    The keys of a part have no pause between them. Where a slow machine makes one, it shows the errors of a word that is
    half typed, until the next pause. Of a slow machine is also an error that appears after a long pause and disappears
    with the next key.
    """
    seen: set[tuple[int, str]] = set()
    shown: dict[str, tuple[int, int, int]] = {}
    seen_in_pause: set[str] = set()
    for state in states:
        errors = set(state["errors"])
        for error in shown.keys() - errors:
            step, first, pause = shown.pop(error)
            if error in seen_in_pause and (pause < LONG_PAUSE or state["key"] - first > 1):
                seen.add((step, error))
        seen_in_pause &= errors
        if state["isPause"]:
            seen_in_pause |= errors
        for error in errors:
            shown.setdefault(error, (state["step"], state["key"], state["pause"]))
    assert shown == {}
    return seen
