"""What goes wrong around an author: one clear sentence each, and no text is lost."""

import os
import signal
from pathlib import Path

import pytest

from tests.editors.documents import GOOD, place_of
from tests.editors.workbench import Workbench
from tests.inputs.sample import sample_text

MANY = 2_000_000


def test_an_old_python_is_reported(code: Workbench, tmp_path: Path) -> None:
    python = tmp_path / "python3"
    python.write_text("#!/bin/sh\necho 3.9.2\n")
    python.chmod(0o755)
    path = code.write("old.rui.json", GOOD)
    code.show(path)
    code.set("rui.interpreter", str(python))
    message = code.notification("cannot be used: it is Python 3.9.2. Python 3.11 or newer is required.")
    assert message.get_by_role("button", name="Open Settings").count() == 1
    code.set("rui.interpreter", None)
    code.js("await until(() => vscode.extensions.getExtension('rui-toolkit.rui').exports.server.isRunning)")


def server_of(code: Workbench) -> int:
    """Return the process id of the language server; 0 if it does not run."""
    parts = (b"/bundled/rui_server.py", str(code.folder.parent).encode())
    for file in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            command = file.read_bytes()
        except OSError:
            continue
        if all(part in command for part in parts):
            return int(file.parent.name)
    return 0


def test_typing_goes_on_while_the_server_is_killed(code: Workbench) -> None:
    path = code.write("killed.rui.json", GOOD)
    code.show(path)
    code.eventually(lambda: server_of(code) != 0, True)
    code.put_cursor(path, *place_of(GOOD, "five minutes", after=True))
    words = " and at noon, on each working day"
    first = 0
    for number, letter in enumerate(words):
        code.page.keyboard.type(letter)
        if number == 5:
            first = server_of(code)
            os.kill(first, signal.SIGKILL)
    expected = GOOD.replace("five minutes", f"five minutes{words}")
    code.eventually(lambda: code.text(path), expected)
    code.eventually(lambda: server_of(code) not in (0, first), True)
    code.replace(path, expected.replace('"Text"', '"Txt"', 1))
    assert [one["code"] for one in code.diagnostics(path, until="all.length === 1")] == ["UNKNOWN_TYPE"]
    assert code.page.locator(".notification-toast").count() == 0


def test_a_file_of_two_megabytes(code: Workbench) -> None:
    path = code.write("large.rui.json", sample_text(MANY))
    code.show(path)
    [warning] = code.diagnostics(path, until="all.length === 1")
    assert warning["message"].startswith("The document has 20")
    assert "a service accepts 262144 at most." in warning["message"]
    code.put_cursor(path, 1, 0)
    code.page.keyboard.type("x")
    code.diagnostics(path, until="all.some((one) => one.code === 'INVALID_JSON')")
    code.page.keyboard.press("Backspace")
    code.diagnostics(path, until="all.length === 1")
    code.command("workbench.action.files.revert")
    assert len(path.read_text()) >= MANY


NO_JSON = {
    "prose": "Dear team,\n\nthe app should show orders: today's and all.\n",
    "HTML": '<html><body class="orders">Orders</body></html>\n',
    "YAML": 'version: "0.1"\nmeta:\n  title: Orders\n',
    "a number": "42\n",
}


@pytest.mark.parametrize(("name", "text"), NO_JSON.items(), ids=NO_JSON)
def test_a_file_that_is_no_json(code: Workbench, name: str, text: str) -> None:
    path = code.write(f"no-json-{name.replace(' ', '-')}.rui.json", text)
    code.show(path)
    [first] = code.diagnostics(path, until="all.length")
    assert first["range"][:2] == [0, 0]
    assert first["source"] == "rui"
    for command in ("editor.action.formatDocument", "editor.action.fixAll", "editor.action.organizeImports"):
        code.command(command)
    code.command("notifications.clearAll")  # at most three are visible
    assert code.command("rui.publishDocument") is None
    code.notification(f"{path.name} is not published, as it is not valid. line 1: ")
    assert path.read_text() == text
