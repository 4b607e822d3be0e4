"""Start and restart of the server, and the messages if it cannot be started."""

import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.editors.documents import GOOD
from tests.editors.workbench import Workbench, workbench

EXTENSION = "vscode.extensions.getExtension('rui-toolkit.rui')"
ACTIVE = f"{EXTENSION}.isActive"
RUNNING = f"{EXTENSION}.exports.server.isRunning"
LAUNCHED = f"{EXTENSION}.exports.server.launched"
FAULTY = GOOD.replace('"Text"', '"Txt"', 1)


@pytest.fixture
def broken(code: Workbench, request: pytest.FixtureRequest) -> Iterator[Path]:
    """A document with one error. Restores the bundled server after the test."""
    path = code.write(f"{abs(hash(request.node.name))}.rui.json", FAULTY)
    code.show(path)
    code.diagnostics(path, until="all.length === 1")
    yield path
    code.tidy()  # A file that is deleted in the first second of a new server would keep its diagnostics.
    for name in ("rui.interpreter", "rui.server.command", "rui.importStrategy"):
        code.set(name, None)
    code.command("rui.restart")
    assert code.js(f"return {RUNNING}") is True


def test_the_server_starts_when_the_workspace_contains_a_document(vsix: Path, browser: Browser, tmp_path: Path) -> None:
    with workbench(vsix, tmp_path, browser=browser, files={"inner/orders.rui.json": FAULTY}) as code:
        code.js(f"await until(() => {ACTIVE} && {RUNNING})")
        opened = code.js("return vscode.workspace.textDocuments.map((document) => document.uri.fsPath)")
        assert [name for name in opened if name.endswith(".rui.json")] == []


def test_the_server_does_not_start_in_other_workspaces(vsix: Path, browser: Browser, tmp_path: Path) -> None:
    with workbench(vsix, tmp_path, browser=browser, files={"other.json": "{}"}) as code:
        code.show(code.folder / "other.json")
        assert code.js(f"return {ACTIVE}") is False
        code.show(code.write("orders.rui.json", FAULTY))
        code.js(f"await until(() => {ACTIVE} && {RUNNING})")


def test_the_bundle_runs_alone(code: Workbench, broken: Path) -> None:
    launched = code.js(f"return {LAUNCHED}")
    assert launched["args"][:2] == ["-I", "-S"]
    assert launched["args"][2].endswith("/bundled/rui_server.py")
    assert launched["origin"].startswith("the bundled server with Python 3.")


def test_the_server_runs_outside_of_the_workspace(code: Workbench, broken: Path) -> None:
    assert Path(code.js(f"return {LAUNCHED}")["command"]).is_absolute()
    folder = Path(f"/proc/{_server(code)}/cwd").readlink()
    assert (folder / "bundled" / "rui_server.py").exists()


def test_a_killed_server_is_restarted(code: Workbench, broken: Path) -> None:
    first = _server(code)
    assert first
    os.kill(first, signal.SIGKILL)
    code.eventually(lambda: _server(code) not in (0, first) and code.js(f"return {RUNNING}"), True)
    code.replace(broken, GOOD)
    code.diagnostics(broken, until="all.length === 0")


@pytest.mark.parametrize(
    ("setting", "value", "words"),
    [
        ("rui.interpreter", "/no/such/python", "rui.interpreter: /no/such/python cannot be used: program not found"),
        (
            "rui.interpreter",
            "/bin/true",
            "rui.interpreter: /bin/true cannot be used: it did not print a Python version",
        ),
        ("rui.server.command", ["/no/such/rui", "lsp"], "rui.server.command: the file /no/such/rui does not exist."),
        ("rui.server.command", ["/bin/false"], "RUI cannot start the command of rui.server.command: /bin/false"),
    ],
)
def test_an_invalid_setting_is_reported(code: Workbench, broken: Path, setting: str, value: object, words: str) -> None:
    code.set(setting, value)
    message = code.notification(words)
    assert code.js(f"return {RUNNING}") is False
    message.get_by_role("button", name="Open Settings").press("Enter")  # a tooltip may cover it
    search = code.wait_for(".settings-editor .suggest-input-container")
    code.eventually(lambda: setting in str(search.text_content()), True)
    code.show(broken)
    assert "RUI: not running" in code.language_status()
    # After the setting is corrected, the server starts.
    code.set(setting, None)
    code.eventually(lambda: code.js(f"return {RUNNING}"), True)
    code.show(broken)
    code.diagnostics(broken, until="all.length === 1")


def test_a_missing_python_is_reported(code: Workbench, broken: Path, tmp_path: Path) -> None:
    before = code.js("const path = process.env.PATH; process.env.PATH = empty; return path", empty=tmp_path)
    try:
        code.js("void vscode.commands.executeCommand('rui.restart')")
        message = code.notification("RUI requires Python 3.11 or newer and did not find it")
        words = str(message.text_content())
        assert "python3: program not found" in words
        assert "Install it, or set rui.interpreter." in words
    finally:
        code.js("process.env.PATH = path", path=before)
    message.get_by_role("button", name="Try Again").press("Enter")  # a tooltip may cover it
    code.eventually(lambda: code.js(f"return {RUNNING}"), True)


def test_the_environment_is_used_if_configured(code: Workbench, broken: Path) -> None:
    code.set("rui.interpreter", sys.executable)
    code.set("rui.importStrategy", "fromEnvironment")
    code.eventually(lambda: (code.js(f"return {LAUNCHED}") or {}).get("args", [])[-2:], ["rui_cli", "lsp"])
    code.eventually(lambda: code.js(f"return {RUNNING}"), True)
    code.replace(broken, GOOD)
    code.diagnostics(broken, until="all.length === 0")


def _server(code: Workbench) -> int:
    """Return the process id of the server, or 0."""
    parts = (b"/bundled/rui_server.py", str(code.folder.parent).encode())
    found = [path for path in Path("/proc").glob("[0-9]*/cmdline") if all(part in _read(path) for part in parts)]
    return int(found[0].parent.name) if found else 0


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError:
        return b""
