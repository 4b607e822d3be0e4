"""A first hour in the real workbench, by keys only: how many keys it takes, and which errors the author sees."""

from typing import Any

import httpx

from rui_common.syntax.document import read
from rui_common.validation.diagnostics import diagnose
from tests.editors.first_hour import ERRORS, MAX_KEYS, README, STEPS, Keys, count, keys_of, with_figures
from tests.editors.workbench import Workbench
from tests.rui_api.live import Service

PAUSE = 450
"""Milliseconds without a key after each part: longer than the pause after which the server shows all errors."""

LONG_PAUSE = 2_500
"""Milliseconds without a key after which the server may show that something just begun is not finished."""

# Records the errors after each change, with the numbers of step and last key and the milliseconds since.
RECORD = """
globalThis.hour = { step: 0, key: 0, time: 0, states: [] };
vscode.languages.onDidChangeDiagnostics(() => {
  const shown = found(path).filter((one) => one.severity === "Error");
  const errors = shown.map((one) => `${one.code} in line ${one.range[0]}`);
  hour.states.push({ step: hour.step, key: hour.key, pause: Date.now() - hour.time, errors });
});
"""


CODES = (
    "found(vscode.window.activeTextEditor.document.uri.fsPath)"
    ".filter((one) => one.severity === 'Error').map((one) => one.code).join()"
)


def test_the_figures_of_the_page_are_up_to_date() -> None:
    assert sum(count(step) for step in STEPS) <= MAX_KEYS
    page = README.read_text()
    assert page == with_figures(page), "run `make docs`"


def test_a_first_hour(code: Workbench, service: Service) -> None:
    code.set("rui.server.url", service.url)
    path = code.write("hour.rui.json", "")
    code.show(path)
    code.diagnostics(path, until="all.length === 1 && all[0].severity === 'Hint'")
    code.command("notifications.clearAll")  # those of earlier tests, which share the workbench
    code.eventually(code.page.locator(".notification-toast").count, 0)
    code.put_cursor(path, 0, 0)
    code.js(RECORD, path=path)
    for number, step in enumerate(STEPS):
        code.js(f"hour.step = {number}")
        for part in step.parts:
            press(code, part)
            check_state(code, part)
            code.page.wait_for_timeout(PAUSE)  # also for the event of an error that is found already
        assert step is STEPS[-1] or code.page.locator(".notification-toast").count() == 0
    toast = code.notification("Published: ")
    words = str(toast.locator(".notification-list-item-message").text_content())
    assert path.read_text() == code.text(path)
    assert diagnose(read(path.read_bytes())) == []
    assert "All orders." in httpx.get(words.removeprefix("Published: ").strip()).text
    appeared = errors_seen(code.js("return hour.states"))
    assert len(appeared) == ERRORS, appeared
    toast.wait_for(state="detached", timeout=30_000)
    code.set("rui.server.url", None)


def press(code: Workbench, part: Keys) -> None:
    """Press the keys of a part like an author who waits for what they show."""
    for key, is_character in keys_of(part.keys):
        code.js("hour.key += 1; hour.time = Date.now()")
        if is_character:
            code.page.keyboard.type(key)
        else:
            code.page.keyboard.press(key)
        code.page.wait_for_timeout(40)
    code.wait_for(part.shown)


def check_state(code: Workbench, part: Keys) -> None:
    body = "return vscode.window.activeTextEditor.document.getText()"
    code.eventually(lambda: "" if part.text in (text := str(code.js(body))) else f"{part} in {text}", "")
    code.eventually(lambda: (part.keys, code.js(f"return {CODES}")), (part.keys, part.error))


def errors_seen(states: list[dict[str, Any]]) -> set[tuple[int, str]]:
    """Return the errors that appeared, each with the number of its step.

    An error that appears after a long pause and disappears with the next key is that of a slow machine. On such a
    machine, an error may also disappear and appear again while the author types.
    """
    seen: set[tuple[int, str]] = set()
    shown: dict[str, tuple[int, int, int]] = {}
    for state in states:
        for error in shown.keys() - set(state["errors"]):
            step, first, pause = shown.pop(error)
            if pause < LONG_PAUSE or state["key"] - first > 1:
                seen.add((step, error))
        for error in state["errors"]:
            shown.setdefault(error, (state["step"], state["key"], state["pause"]))
    assert shown == {}
    return seen
